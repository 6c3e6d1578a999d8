/* SPDX-License-Identifier: MIT */
/* Writes a batch: the loop over the requests of each group, and the results. */
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/batch/batch_group.h"
#include "spirv/lookup/filter.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"

static bool same_types(const struct module *m, const struct lookup *a, const struct lookup *b)
{
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (a->operands.value[bit] != 0 &&
            module_type_of(m, a->operands.value[bit]) != module_type_of(m, b->operands.value[bit]))
            return false;
    }
    return module_type_of(m, a->coordinate) == module_type_of(m, b->coordinate) &&
           a->coordinate_size == b->coordinate_size;
}

/* True: the same code can load the records of both. */
static bool same_sources(const struct site_plan *a, const struct site_plan *b)
{
    bool same = a->source_count == b->source_count;
    for (uint32_t i = 0; same && i < a->source_count; i++) {
        const struct record_source *x = &a->sources[i], *y = &b->sources[i];
        same =
            x->origin == y->origin && (x->origin == ORIGIN_PARAMETER ? x->declared == y->declared : x->set == y->set);
    }
    return same;
}

static bool same_kind(const struct module *m, const struct batch_request *a, const struct batch_request *b)
{
    const struct lookup *x = &a->w.l;
    const struct lookup *y = &b->w.l;
    return !a->w.plan->apart && !b->w.plan->apart && x->words[0] == y->words[0] && x->result_type == y->result_type &&
           x->image_type == y->image_type &&
           module_type_of(m, x->sampled_image) == module_type_of(m, y->sampled_image) &&
           x->operands.mask == y->operands.mask && a->w.plan->form == b->w.plan->form &&
           same_sources(a->w.plan, b->w.plan) && same_types(m, x, y);
}

/* The record of a request, from its sources' record indices. */
static uint32_t request_record(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t record = load_record_at(r, &w->plan->sources[0], w->places[0], 0);
    if (w->plan->source_count > 1) {
        uint32_t other = load_record_at(r, &w->plan->sources[1], w->places[1], 0);
        record = VALUE(r, SpvOpBitwiseOr, type_vector(r, SCALAR_UINT, 4), record, other);
    }
    return lookup_decided_record(w, record);
}

/* The value of one request whose record acts. */
static uint32_t write_request(struct rewriting *w, uint32_t plain)
{
    return lookup_branches(w) ? lookup_filter_or_move(w, plain) : filter_write(w, plain);
}

static uint32_t request_acts(struct rewriting *w)
{
    return lookup_branches(w) ? lookup_acts(w) : lookup_filters(w);
}

/* A bool: a record of the group acts, or `any` is true. Tests each record once. */
static uint32_t any_acts(struct group *g, uint32_t any)
{
    struct rewriter *r = g->r;
    for (uint32_t i = 0; i < g->count; i++) {
        struct batch_request *member = g->members[i];
        for (uint32_t j = 0; j < i && member->acts == 0; j++)
            member->acts = plan_same_records(member->w.plan, g->members[j]->w.plan) ? g->members[j]->acts : 0;
        if (member->acts == 0) {
            member->acts = request_acts(&member->w);
            any = any == 0 ? member->acts : VALUE(r, SpvOpLogicalOr, type_bool(r), any, member->acts);
        }
    }
    return any;
}

/*
 * A bool: some record may act. One test for all requests, of their records ORed, since more bits never require less. It
 * may be true where no single record acts, so each request is tested again.
 */
static uint32_t some_acts(struct group *g)
{
    struct rewriter *r = g->r;
    struct rewriting any = g->members[0]->w;
    for (uint32_t i = 1; i < g->count; i++) {
        const struct site_plan *plan = g->members[i]->w.plan;
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = plan_same_records(plan, g->members[j]->w.plan);
        if (!seen)
            any.record = VALUE(r, SpvOpBitwiseOr, type_vector(r, SCALAR_UINT, 4), any.record, g->members[i]->w.record);
    }
    return request_acts(&any);
}

/*
 *     head: j, results                          (merge done, continue next)
 *     test: if the record of request j acts     (merge skip)
 *     work:     result = ...
 *     skip: results[j] = result
 *     next: j + 1 < count ? head : done
 *     done:
 */
struct loop {
    uint32_t before, head, test, work, skip, next, done; /* labels */
    uint32_t next_index;
    uint32_t results[BATCH_MOST];      /* without arrays: at the head */
    uint32_t next_results[BATCH_MOST]; /* and behind each iteration */
};

static void open_loop(struct group *g, struct loop *loop, uint32_t type)
{
    struct rewriter *r = g->r;
    uint32_t zero = constant_uint(r, 0);
    uint32_t *const labels[] = {&loop->head, &loop->test, &loop->work, &loop->skip, &loop->next, &loop->done};
    for (uint32_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        *labels[i] = new_id(r);
    loop->before = r->label;
    loop->next_index = new_id(r);
    write_branch(r, loop->head);
    begin_block(r, loop->head);
    g->index = VALUE(r, SpvOpPhi, type_vector(r, SCALAR_UINT, 1), zero, loop->before, loop->next_index, loop->next);
    for (uint32_t i = 0; i < g->count && !g->in_arrays; i++) {
        loop->next_results[i] = new_id(r);
        loop->results[i] =
            VALUE(r, SpvOpPhi, type, g->members[i]->plain, loop->before, loop->next_results[i], loop->next);
    }
    WRITE(r, SpvOpLoopMerge, loop->done, loop->next, SpvLoopControlDontUnrollMask);
    write_branch(r, loop->test);
    begin_block(r, loop->test);
    for (uint32_t i = 0; i < g->count && !g->in_arrays; i++) {
        uint32_t number = constant_uint(r, i);
        g->is_member[i] = VALUE(r, SpvOpIEqual, type_bool(r), g->index, number);
    }
}

static void close_loop(struct group *g, const struct loop *loop)
{
    struct rewriter *r = g->r;
    uint32_t one = constant_uint(r, 1);
    uint32_t count = constant_uint(r, g->count);
    write_branch(r, loop->next);
    begin_block(r, loop->next);
    WRITE(r, SpvOpIAdd, type_vector(r, SCALAR_UINT, 1), loop->next_index, g->index, one);
    uint32_t more = VALUE(r, SpvOpULessThan, type_bool(r), loop->next_index, count);
    WRITE(r, SpvOpBranchConditional, more, loop->head, loop->done);
    begin_block(r, loop->done);
}

static void write_loop(struct group *g, const struct fields *fields)
{
    struct rewriter *r = g->r;
    struct loop loop;
    const struct lookup *l = &g->members[0]->w.l;
    uint32_t components = l->dref ? 1 : 4;
    open_loop(g, &loop, l->result_type);
    struct rewriting w;
    fields_load(g, fields, &w);
    uint32_t plain = g->in_arrays ? 0 : group_select(g, l->result_type, components, loop.results);
    w.record = request_record(&w);
    uint32_t acts = request_acts(&w);
    uint32_t test_end = r->label;
    write_selection(r, acts, loop.work, loop.skip, loop.skip);
    begin_block(r, loop.work);
    uint32_t result = write_request(&w, plain);
    uint32_t work_end = r->label;
    if (g->in_arrays)
        local_array_store(r, &g->members[0]->results, g->index, result);
    write_branch(r, loop.skip);
    begin_block(r, loop.skip);
    if (!g->in_arrays) {
        result = VALUE(r, SpvOpPhi, l->result_type, plain, test_end, result, work_end);
        for (uint32_t i = 0; i < g->count; i++) {
            uint32_t mask = group_mask(g, i, components);
            WRITE(r, SpvOpSelect, l->result_type, loop.next_results[i], mask, result, loop.results[i]);
        }
    }
    close_loop(g, &loop);
    for (uint32_t i = 0; i < g->count && !g->in_arrays; i++)
        g->values[i] = loop.next_results[i];
}

/* Several requests: the results are in `values`, or stay in the array. */
static void write_many(struct group *g)
{
    struct fields fields = {0};
    fields_find(g, &fields);
    if (g->in_arrays)
        fields_store(g, &fields);
    write_loop(g, &fields);
}

/* A group whose values are in registers. */
static void write_group(struct group *g)
{
    struct rewriter *r = g->r;
    if (g->members[0]->plain == 0)
        g->members[0]->plain = lookup_unless_filtered(&g->members[0]->w);
    uint32_t some = some_acts(g);
    uint32_t before = r->label;
    uint32_t acts = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, some, acts, merge, merge);
    begin_block(r, acts);
    if (g->count > 1)
        write_many(g);
    else
        g->values[0] = write_request(&g->members[0]->w, g->members[0]->plain);
    uint32_t behind = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct lookup *l = &g->members[i]->w.l;
        WRITE(r, SpvOpPhi, l->result_type, l->result, g->members[i]->plain, before, g->values[i], behind);
    }
}

/* The program's own lookup, on a path where the record does not act. Another path needs its code as well. */
static uint32_t look_up(const struct batch_request *member)
{
    struct rewriting w = member->w;
    return member->plain != 0 ? member->plain : lookup_not_filtered(&w);
}

static void store_plain(struct group *g, uint32_t i)
{
    uint32_t index = constant_uint(g->r, i);
    uint32_t plain = look_up(g->members[i]);
    local_array_store(g->r, &g->members[0]->results, index, plain);
}

static uint32_t load_result(struct group *g, uint32_t i)
{
    uint32_t index = constant_uint(g->r, i);
    return local_array_load(g->r, &g->members[0]->results, index);
}

/* True: no member before this one follows the same record. */
static bool first_of_record(const struct group *g, uint32_t i)
{
    bool first = true;
    for (uint32_t j = 0; j < i; j++)
        first &= g->members[j]->acts != g->members[i]->acts;
    return first;
}

/*
 * Fills the array of results, where `any` is true, with the plain lookups of members whose records do not act; the loop
 * leaves these elements unchanged. Members that follow one record share a branch, so that no lookup is executed without
 * need.
 */
static void store_all_plain(struct group *g, uint32_t any)
{
    struct rewriter *r = g->r;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t acts = g->members[i]->acts;
        if (g->members[i]->plain != 0)
            store_plain(g, i);
        if (g->members[i]->plain != 0 || acts == any || !first_of_record(g, i))
            continue;
        uint32_t look = new_id(r);
        uint32_t merge = new_id(r);
        write_selection(r, acts, merge, look, merge);
        begin_block(r, look);
        for (uint32_t j = i; j < g->count; j++) {
            if (g->members[j]->acts == acts)
                store_plain(g, j);
        }
        write_branch(r, merge);
        begin_block(r, merge);
    }
}

/*
 * Behind all loops: chooses the loops' results, or the plain lookups. Again, members that follow one record share a
 * branch: compilers take less time for values on two paths than for selections.
 */
static void choose_results(struct group *g)
{
    struct rewriter *r = g->r;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t made[BATCH_MOST], plain[BATCH_MOST];
        uint32_t acts = g->members[i]->acts;
        if (!first_of_record(g, i))
            continue;
        uint32_t load = new_id(r);
        uint32_t look = new_id(r);
        uint32_t merge = new_id(r);
        write_selection(r, acts, load, look, merge);
        begin_block(r, load);
        for (uint32_t j = i; j < g->count; j++)
            made[j] = g->members[j]->acts == acts ? load_result(g, j) : 0;
        write_branch(r, merge);
        begin_block(r, look);
        for (uint32_t j = i; j < g->count; j++)
            plain[j] = g->members[j]->acts == acts ? look_up(g->members[j]) : 0;
        uint32_t look_end = r->label;
        write_branch(r, merge);
        begin_block(r, merge);
        for (uint32_t j = i; j < g->count; j++) {
            const struct lookup *l = &g->members[j]->w.l;
            if (g->members[j]->acts == acts)
                WRITE(r, SpvOpPhi, l->result_type, l->result, made[j], load, plain[j], look_end);
        }
    }
}

/*
 * True: a group may have lookups of several images. False on CPU drivers, which run every case of a switch for all
 * pixels and mask the results.
 */
static bool may_join(const struct group *g, uint32_t sampled_image)
{
    struct rewriter *r = g->r;
    uint32_t most = r->options->form == SPIRV_FORM_GPU ? BATCH_MOST : 1;
    bool known = false;
    for (uint32_t i = 0; i < g->images.count && !known; i++)
        known = images_same(r->m, g->images.sampled_images[i], sampled_image);
    return known || g->images.count < most;
}

/* True: both can share their code. Types are compared too, because variables of several types may share a binding. */
static bool same_fetches(const struct module *m, const struct texel_fetch *a, const struct texel_fetch *b)
{
    const uint32_t image = 3, more = 5; /* operands: the descriptor's image, and those behind the coordinate */
    bool same = a->words[0] == b->words[0] && a->result_type == b->result_type &&
                module_type_of(m, a->words[image]) == module_type_of(m, b->words[image]);
    for (uint32_t i = more; same && i < inst_length(a->words); i++)
        same = a->words[i] == b->words[i];
    return same && plan_same_records(a->plan, b->plan);
}

/* Writes the fetches behind the lookups. They have loops, too. */
static void write_fetches(struct rewriter *r, struct batch *batch)
{
    bool written[BATCH_REQUESTS_MOST] = {false};
    for (uint32_t i = 0; i < batch->fetch_count; i++) {
        const struct texel_fetch *first = &batch->fetches[i];
        struct texel_group g = {.record = first->record};
        for (uint32_t j = i; j < batch->fetch_count && !written[i]; j++) {
            const struct texel_fetch *fetch = &batch->fetches[j];
            if (!written[j] && g.count < TEXEL_GROUP_MOST && same_fetches(r->m, first, fetch)) {
                written[j] = j != i;
                g.fetches[g.count++] = fetch;
            }
        }
        if (g.count != 0)
            texel_group_write(r, &g, new_id(r));
    }
    batch->fetch_count = 0;
}

/* Finds a group: the request with that index, and later ones that may share its code. */
static void find_group(struct rewriter *r, struct batch *batch, uint32_t first)
{
    struct group g = {.r = r};
    for (uint32_t j = first; j < batch->count && g.count < BATCH_MOST; j++) {
        struct batch_request *request = &batch->requests[j];
        if (j != first && (request->group != 0 || !same_kind(r->m, &batch->requests[first], request)))
            continue;
        if (!may_join(&g, request->w.l.sampled_image))
            continue;
        request->group = first + 1;
        images_add(r->m, &g.images, request->w.l.sampled_image);
        g.count++;
    }
    batch->requests[first].lone = g.count == 1;
}

/*
 * The group that find_group() found, with its members. Images are added in the same order, and each gets its case in
 * the switch.
 */
static void open_group(struct rewriter *r, struct batch *batch, uint32_t first, struct group *g)
{
    *g = (struct group){.r = r, .batch = batch, .in_arrays = batch_in_arrays(r)};
    for (uint32_t j = first; j < batch->count; j++) {
        struct batch_request *request = &batch->requests[j];
        if (request->group != first + 1)
            continue;
        g->choices[g->count] = images_add(r->m, &g->images, request->w.l.sampled_image);
        g->members[g->count++] = request;
    }
}

static bool begins_group(const struct batch *batch, uint32_t i)
{
    return batch->requests[i].group == i + 1;
}

/* True: the result is in an array, with other requests' results. */
static bool in_array(const struct rewriter *r, const struct batch *batch, const struct batch_request *request)
{
    return batch_in_arrays(r) && !batch->requests[request->group - 1].lone;
}

/* Opens the group of such requests that begins with this one; false: there is none. */
static bool open_group_in_array(struct rewriter *r, struct batch *batch, uint32_t first, struct group *g)
{
    bool opens = begins_group(batch, first) && in_array(r, batch, &batch->requests[first]);
    if (opens)
        open_group(r, batch, first, g);
    return opens;
}

/*
 * Of a group in an array, once the lookups in front are written: true if its plain lookup takes no derivatives and is
 * written behind the loop.
 */
static bool is_chosen_behind(const struct batch_request *request)
{
    return request->plain == 0 && !request->w.l.implicit;
}

/* True: all pixels of a quad take the same side of a branch on any record. */
static bool quads_stay_together(const struct rewriter *r, const struct batch *batch)
{
    bool together = true;
    for (uint32_t i = 0; i < batch->count; i++)
        together &= batch->requests[i].w.plan->one_record || !in_array(r, batch, &batch->requests[i]);
    return together;
}

/*
 * Writes the plain lookups that must not be in a branch: those with implicit derivatives, which need whole quads, and
 * those with explicit gradients, on drivers that execute these wrongly in branches. Results of groups of one stay in
 * registers.
 */
static void look_up_in_front(struct rewriter *r, struct batch *batch)
{
    bool together = quads_stay_together(r, batch);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct batch_request *request = &batch->requests[i];
        bool branches = in_array(r, batch, request) && together && !request->w.plan->in_front;
        if (request->plain == 0 && !branches && (request->w.l.implicit || request->w.plan->in_front))
            request->plain = lookup_unless_filtered(&request->w);
    }
}

/*
 * Writes the groups' loops, where `any` record acts. `made` gets the results of requests that choose_results() does not
 * choose.
 */
static void write_loops_over_arrays(struct rewriter *r, struct batch *batch, uint32_t any, uint32_t *made)
{
    struct group g;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!open_group_in_array(r, batch, i, &g))
            continue;
        batch->requests[i].results = local_array(r, batch->requests[i].w.l.result_type, g.count);
        if (!is_chosen_behind(&batch->requests[i]))
            store_all_plain(&g, any);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (open_group_in_array(r, batch, i, &g))
            write_many(&g);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        bool loads = open_group_in_array(r, batch, i, &g) && !is_chosen_behind(&batch->requests[i]);
        for (uint32_t j = 0; loads && j < g.count; j++)
            made[g.members[j] - batch->requests] = load_result(&g, j);
    }
}

/*
 * All groups whose results are in arrays, in one branch: there the program's own lookups are stored in front of the
 * first loop, so that none is kept in registers through it, and none takes its derivatives behind it. Those that take
 * none stand behind it once, instead of on both sides.
 *
 *     if (no record acts)
 *         a = lookup(x, p), b = lookup(y, q)
 *     else {
 *         if (!(record p acts)) c[0] = lookup(x, p)
 *         if (!(record q acts)) d[0] = lookup(y, q)
 *         loop over c; loop over d; loop over e
 *         f = c[0], g = d[0]
 *     }
 *     phi(a, f), phi(b, g)
 *     if (record s acts) h = e[0] else i = lookup(z, s, level)
 *     phi(h, i)
 */
static void write_groups_in_arrays(struct rewriter *r, struct batch *batch)
{
    struct group g;
    uint32_t any = 0;
    uint32_t made[BATCH_REQUESTS_MOST] = {0}, plain[BATCH_REQUESTS_MOST] = {0};
    for (uint32_t i = 0; i < batch->count; i++)
        any = open_group_in_array(r, batch, i, &g) ? any_acts(&g, any) : any;
    uint32_t acts = new_id(r);
    uint32_t look = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, any, acts, look, merge);
    begin_block(r, look);
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct batch_request *request = &batch->requests[i];
        plain[i] = in_array(r, batch, request) && !is_chosen_behind(request) ? look_up(request) : 0;
    }
    uint32_t look_end = r->label;
    write_branch(r, merge);
    begin_block(r, acts);
    write_loops_over_arrays(r, batch, any, made);
    uint32_t made_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct lookup *l = &batch->requests[i].w.l;
        if (plain[i] != 0)
            WRITE(r, SpvOpPhi, l->result_type, l->result, plain[i], look_end, made[i], made_end);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (open_group_in_array(r, batch, i, &g) && is_chosen_behind(&batch->requests[i]))
            choose_results(&g);
    }
}

void batch_write(struct rewriter *r, struct batch *batch)
{
    bool arrays = false;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->requests[i].group == 0)
            find_group(r, batch, i);
        arrays |= in_array(r, batch, &batch->requests[i]);
    }
    look_up_in_front(r, batch);
    r->library->inlines = true; /* inlined: many lookups share this code, and GPUs' compilers need time for each call */
    if (arrays)
        write_groups_in_arrays(r, batch);
    r->library->inlines = false;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct batch_request *request = &batch->requests[i];
        struct group g;
        if (!begins_group(batch, i) || in_array(r, batch, request))
            continue;
        if (request->w.plan->apart && !request->w.l.implicit) {
            lookup_write(&request->w);
            continue;
        }
        open_group(r, batch, i, &g);
        write_group(&g);
    }
    batch->count = 0;
    write_fetches(r, batch);
}
