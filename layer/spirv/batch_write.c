/* Writes a batch: the requests' values as arrays, the loop over them, and the results. */
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/batch.h"
#include "spirv/loops.h"
#include "spirv/records.h"

#define IMAGES_SHARED 4u

/* ---- Images ---- */

uint32_t batch_each_image(struct rewriting *w, uint32_t type, uint32_t (*emit)(struct rewriting *w, const void *user),
                          const void *user)
{
    struct rewriter *r = w->r;
    const struct batch_images *images = w->images;
    if (images == NULL) {
        return emit(w, user);
    }
    struct rewriting each = *w;
    each.images = NULL;
    if (images->count == 1) {
        each.l.sampled_image = images->sampled_images[0];
        return emit(&each, user);
    }
    /* Selector, default, then literal and label for all but the last image, which is the default. */
    uint32_t labels[BATCH_MOST], operands[2 * BATCH_MOST], phi[2 * BATCH_MOST];
    for (uint32_t i = 0; i < images->count; i++) {
        labels[i] = new_id(r);
        operands[i + 1 < images->count ? 2 * i + 3 : 1] = labels[i];
    }
    operands[0] = images->selector;
    for (uint32_t i = 0; i + 1 < images->count; i++) {
        operands[2 * i + 2] = i;
    }
    uint32_t merge = new_id(r);
    WRITE(r, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    write_to(r, &r->body, SpvOpSwitch, operands, 2 * images->count);
    for (uint32_t i = 0; i < images->count; i++) {
        begin_block(r, labels[i]);
        each.l.sampled_image = images->sampled_images[i];
        phi[2 * i] = emit(&each, user);
        phi[2 * i + 1] = r->label;
        write_branch(r, merge);
    }
    begin_block(r, merge);
    return write_value(r, SpvOpPhi, type, phi, 2 * images->count);
}

/* Lookups whose sampled images come from the same pointers read the same image through the same sampler. */
static uint32_t pointer_of(const struct module *m, uint32_t id)
{
    const uint32_t *inst = module_definition(m, id);
    return (inst[0] & 0xffffu) == SpvOpLoad ? inst[3] : id;
}

static bool same_image(const struct module *m, uint32_t a, uint32_t b)
{
    const uint32_t *x = module_definition(m, a);
    const uint32_t *y = module_definition(m, b);
    if ((x[0] & 0xffffu) == SpvOpSampledImage && (y[0] & 0xffffu) == SpvOpSampledImage) {
        return pointer_of(m, x[3]) == pointer_of(m, y[3]) && pointer_of(m, x[4]) == pointer_of(m, y[4]);
    }
    return pointer_of(m, a) == pointer_of(m, b);
}

static uint32_t image_index(const struct module *m, struct batch_images *images, uint32_t sampled_image)
{
    uint32_t i = 0;
    while (i < images->count && !same_image(m, images->sampled_images[i], sampled_image)) {
        i++;
    }
    if (i == images->count) {
        images->sampled_images[images->count++] = sampled_image;
    }
    return i;
}

/* ---- Groups: requests that can share code ---- */

static bool same_types(const struct module *m, const struct lookup *a, const struct lookup *b)
{
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (a->operands.value[bit] != 0 &&
            module_type_of(m, a->operands.value[bit]) != module_type_of(m, b->operands.value[bit])) {
            return false;
        }
    }
    return module_type_of(m, a->coordinate) == module_type_of(m, b->coordinate) &&
           a->coordinate_size == b->coordinate_size;
}

/* One piece of code loads all their records. */
static bool same_sources(const struct site_plan *a, const struct site_plan *b)
{
    bool same = a->source_count == b->source_count;
    for (uint32_t i = 0; same && i < a->source_count; i++) {
        same = a->sources[i].origin == b->sources[i].origin &&
               (a->sources[i].origin == ORIGIN_PARAMETER || a->sources[i].set == b->sources[i].set);
    }
    return same;
}

static bool same_kind(const struct module *m, const struct batch_request *a, const struct batch_request *b)
{
    const struct lookup *x = &a->w.l;
    const struct lookup *y = &b->w.l;
    return x->words[0] == y->words[0] && x->result_type == y->result_type && x->image_type == y->image_type &&
           module_type_of(m, x->sampled_image) == module_type_of(m, y->sampled_image) &&
           x->operands.mask == y->operands.mask && a->w.plan->form == b->w.plan->form &&
           a->w.plan->late_derivatives == b->w.plan->late_derivatives && same_sources(a->w.plan, b->w.plan) &&
           same_types(m, x, y);
}

struct group {
    struct rewriter *r;
    struct batch *batch;
    uint32_t count;
    struct batch_request *members[BATCH_MOST];
    struct batch_images images;
    uint32_t choices[BATCH_MOST]; /* index in `images` */
    bool in_arrays;               /* what differs from request to request is in memory, not selected from all values */
    uint32_t acts[BATCH_MOST];    /* bool: the member's record does; in arrays, of several members */
    struct local_array results;
    uint32_t index;                 /* of the loop */
    uint32_t is_member[BATCH_MOST]; /* bool: the index is that of the member */
    uint32_t masks[BATCH_MOST][5];  /* the same as vectors, where they were needed */
    uint32_t values[BATCH_MOST];    /* what comes out */
};

/*
 * ---- Values that differ from request to request ----
 *
 * GPUs have them in arrays: there are too many for registers. CPU drivers vectorise over pixels, where an array's
 * element is gathered lane by lane and keeps the optimiser from seeing what it holds: selecting costs less.
 */

static void store_element(struct group *g, const struct local_array *array, uint32_t i, uint32_t value)
{
    uint32_t index = constant_uint(g->r, i);
    local_array_store(g->r, array, index, value);
}

/* The condition of a selection between values of that type for one member. */
static uint32_t member_mask(struct group *g, uint32_t i, uint32_t components)
{
    struct rewriter *r = g->r;
    uint32_t is = g->is_member[i];
    if (components == 1) {
        return is;
    }
    if (g->masks[i][components] == 0) {
        const uint32_t same[4] = {is, is, is, is};
        uint32_t type = TYPE(r, SpvOpTypeVector, type_bool(r), components);
        g->masks[i][components] = write_value(r, SpvOpCompositeConstruct, type, same, components);
    }
    return g->masks[i][components];
}

/* The value of the member whose turn it is; a group has one at least. */
static uint32_t select_member(struct group *g, uint32_t type, uint32_t components, const uint32_t *values)
{
    uint32_t value = values[0];
    for (uint32_t i = 1; i < g->count; i++) {
        if (values[i] != values[0]) {
            value = VALUE(g->r, SpvOpSelect, type, member_mask(g, i, components), values[i], value);
        }
    }
    return value;
}

/* An id of the rewriting that is meant, by its place in the structure. */
struct field {
    size_t offset; /* in struct rewriting */
    uint32_t type;
    uint32_t components;
    struct local_array array; /* if they are used */
};

#define FIELDS_MOST (IMAGE_OPERAND_BITS + 12u)

struct fields {
    uint32_t count;
    struct field list[FIELDS_MOST];
};

static uint32_t *id_at(struct rewriting *w, size_t offset)
{
    return (uint32_t *)(void *)((char *)w + offset);
}

static void add_field(struct group *g, struct fields *fields, size_t offset, uint32_t type, uint32_t components)
{
    uint32_t first = *id_at(&g->members[0]->w, offset);
    struct field field = {.offset = offset, .type = type, .components = components};
    bool differs = false;
    for (uint32_t i = 1; first != 0 && i < g->count; i++) {
        differs |= *id_at(&g->members[i]->w, offset) != first;
    }
    if (!differs) {
        return;
    }
    if (g->in_arrays) {
        field.array = local_array(g->r, type, g->count);
    }
    fields->list[fields->count++] = field;
}

static uint32_t load_field(struct group *g, const struct field *field)
{
    if (g->in_arrays) {
        return local_array_load(g->r, &field->array, g->index);
    }
    uint32_t values[BATCH_MOST] = {*id_at(&g->members[0]->w, field->offset)};
    for (uint32_t i = 1; i < g->count; i++) {
        values[i] = *id_at(&g->members[i]->w, field->offset);
    }
    return select_member(g, field->type, field->components, values);
}

/*
 * The image of request `index`: all choices packed into constant words. An array would have to be filled, and read with
 * an index that compilers do not know to be the same everywhere.
 */
static uint32_t write_choice(struct group *g)
{
    struct rewriter *r = g->r;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t bits = 1;
    while (g->images.count > 1u << bits) {
        bits++;
    }
    uint32_t each = 32 / bits; /* in a word */
    uint32_t word = 0;
    uint32_t packed = 0;
    for (uint32_t first = 0; first < g->count; first += each) {
        packed = 0;
        for (uint32_t i = first; i < g->count && i < first + each; i++) {
            packed |= g->choices[i] << ((i - first) * bits);
        }
        uint32_t constant = constant_uint(r, packed);
        if (first == 0) {
            word = constant;
            continue;
        }
        uint32_t bound = constant_uint(r, first);
        uint32_t before = VALUE(r, SpvOpULessThan, type_bool(r), g->index, bound);
        word = VALUE(r, SpvOpSelect, uint_type, before, word, constant);
    }
    uint32_t count = constant_uint(r, each);
    uint32_t width = constant_uint(r, bits);
    uint32_t mask = constant_uint(r, (1u << bits) - 1);
    uint32_t place = g->count > each ? VALUE(r, SpvOpUMod, uint_type, g->index, count) : g->index;
    uint32_t shift = VALUE(r, SpvOpIMul, uint_type, place, width);
    uint32_t shifted = VALUE(r, SpvOpShiftRightLogical, uint_type, word, shift);
    return VALUE(r, SpvOpBitwiseAnd, uint_type, shifted, mask);
}

/* Do all requests for one image read the same record? They do unless an image is found through an index. */
static bool places_follow_images(const struct group *g, uint32_t source)
{
    for (uint32_t i = 1; i < g->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (g->choices[i] == g->choices[j] && g->members[i]->w.places[source] != g->members[j]->w.places[source]) {
                return false;
            }
        }
    }
    return true;
}

/* The first request for an image. */
static const struct rewriting *user_of_image(const struct group *g, uint32_t image)
{
    uint32_t i = 0;
    while (g->choices[i] != image) {
        i++;
    }
    return &g->members[i]->w;
}

static uint32_t place_of_image(const struct group *g, uint32_t source, uint32_t image)
{
    return user_of_image(g, image)->places[source];
}

/* Records often lie one behind the other, as their bindings do: how far from image to image; 0 if that is not so. */
static uint32_t distance_of_places(const struct group *g, uint32_t source)
{
    uint32_t distance = 0;
    uint32_t before;
    if (!record_place_is_constant(&g->members[0]->w.plan->sources[source], &before)) {
        return 0;
    }
    for (uint32_t image = 0; image < g->images.count; image++) {
        uint32_t place;
        if (!record_place_is_constant(&user_of_image(g, image)->plan->sources[source], &place) ||
            (image > 1 && place != before + distance) || (image == 1 && place <= before)) {
            return 0;
        }
        distance = image == 0 ? 0 : place - before;
        before = place;
    }
    return distance;
}

static uint32_t select_place(struct group *g, uint32_t source)
{
    struct rewriter *r = g->r;
    uint32_t place = place_of_image(g, source, 0);
    uint32_t distance = distance_of_places(g, source);
    if (distance != 0) {
        uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
        uint32_t step = constant_uint(r, distance);
        uint32_t from_first = VALUE(r, SpvOpIMul, uint_type, g->images.selector, step);
        return VALUE(r, SpvOpIAdd, uint_type, place, from_first);
    }
    for (uint32_t image = 1; image < g->images.count; image++) {
        uint32_t number = constant_uint(r, image);
        uint32_t own = VALUE(r, SpvOpIEqual, type_bool(r), g->images.selector, number);
        place = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), own, place_of_image(g, source, image), place);
    }
    return place;
}

#define FIELD(member) offsetof(struct rewriting, member)

/* What the shared code reads of a request, where the members differ. */
static void find_fields(struct group *g, struct fields *fields)
{
    struct rewriter *r = g->r;
    const struct lookup *l = &g->members[0]->w.l;
    uint32_t components = lookup_place_components(l);
    uint32_t axes = type_vector(r, SCALAR_FLOAT, components);
    uint32_t one = type_vector(r, SCALAR_FLOAT, 1);
    uint32_t place = type_vector(r, SCALAR_UINT, 1);
    for (uint32_t source = 0; source < g->members[0]->w.plan->source_count; source++) {
        if (!places_follow_images(g, source)) {
            add_field(g, fields, FIELD(places) + source * sizeof(uint32_t), place, 1);
        }
    }
    add_field(g, fields, FIELD(s), axes, components);
    add_field(g, fields, FIELD(dx), axes, components);
    add_field(g, fields, FIELD(dy), axes, components);
    add_field(g, fields, FIELD(reference), one, 1);
    add_field(g, fields, FIELD(offset3), type_vector(r, SCALAR_INT, 3), 3);
    if (l->arrayed) {
        add_field(g, fields, FIELD(l.coordinate), module_type_of(r->m, l->coordinate), l->coordinate_size);
    }
    if (l->extra != 0 && !l->dref) { /* compared with: read as reference */
        add_field(g, fields, FIELD(l.extra), module_type_of(r->m, l->extra), 1);
    }
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        bool offset = bit == 3 || bit == 4; /* read as offset3 */
        if (l->operands.mask >> bit & 1u && l->operands.value[bit] != 0 && !offset) {
            add_field(g, fields, FIELD(l.operands.value) + bit * sizeof(uint32_t),
                      module_type_of(r->m, l->operands.value[bit]), bit == 2 ? components : 1);
        }
    }
    if (l->operands.mask & 4u) {
        add_field(g, fields, FIELD(l.operands.grad_y), module_type_of(r->m, l->operands.grad_y), components);
    }
}

/*
 * Fills the arrays: each member's elements behind its own lookup. If they were filled here all values of all members
 * would have to be kept until here, which takes compilers long.
 */
static void store_fields(struct group *g, const struct fields *fields)
{
    struct rewriter *r = g->r;
    for (uint32_t i = g->count; i-- > 0;) {
        struct batch_request *member = g->members[i];
        uint32_t from = r->body.count;
        for (uint32_t k = 0; k < fields->count; k++) {
            const struct field *field = &fields->list[k];
            store_element(g, &field->array, i, *id_at(&member->w, field->offset));
        }
        if (r->out_of_memory) {
            return;
        }
        uint32_t count = r->body.count - from;
        words_move_back(&r->body, from, member->end);
        for (uint32_t k = 0; k < g->batch->count; k++) {
            g->batch->requests[k].end += g->batch->requests[k].end > member->end ? count : 0;
        }
    }
}

/* The rewriting whose values are those of request `index`. */
static void load_fields(struct group *g, const struct fields *fields, struct rewriting *w)
{
    *w = g->members[0]->w;
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->list[i];
        *id_at(w, field->offset) = load_field(g, field);
    }
    g->images.selector = write_choice(g);
    for (uint32_t source = 0; source < w->plan->source_count; source++) {
        if (places_follow_images(g, source)) {
            w->places[source] = select_place(g, source);
        }
    }
    w->images = &g->images;
}

/* ---- The code ---- */

/* The record of a request, from the places of its sources. */
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
    if (w->l.implicit && w->dx == 0) {
        lookup_take_derivatives(w);
    }
    return lookup_branches(w) ? lookup_filter_or_move(w, plain) : filter_write(w, plain);
}

static uint32_t request_acts(struct rewriting *w)
{
    return lookup_branches(w) ? lookup_acts(w) : lookup_filters(w);
}

/* Does any record act? Each is asked, once. */
static uint32_t any_acts(struct group *g)
{
    struct rewriter *r = g->r;
    uint32_t any = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        for (uint32_t j = 0; j < i && g->acts[i] == 0; j++) {
            g->acts[i] = plan_same_records(g->members[i]->w.plan, g->members[j]->w.plan) ? g->acts[j] : 0;
        }
        if (g->acts[i] == 0) {
            g->acts[i] = request_acts(&g->members[i]->w);
            any = any == 0 ? g->acts[i] : VALUE(r, SpvOpLogicalOr, type_bool(r), any, g->acts[i]);
        }
    }
    return any;
}

/*
 * Does any record act? Asked of all of them ORed: more bits never ask for less. That may say yes where none acts by
 * itself, and each request is asked again.
 */
static uint32_t some_acts(struct group *g)
{
    struct rewriter *r = g->r;
    struct rewriting any = g->members[0]->w;
    for (uint32_t i = 1; i < g->count; i++) {
        const struct site_plan *plan = g->members[i]->w.plan;
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++) {
            seen = plan_same_records(plan, g->members[j]->w.plan);
        }
        if (!seen) {
            any.record = VALUE(r, SpvOpBitwiseOr, type_vector(r, SCALAR_UINT, 4), any.record, g->members[i]->w.record);
        }
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
    uint32_t next_results[BATCH_MOST]; /* and behind each turn */
};

static void open_loop(struct group *g, struct loop *loop, uint32_t type)
{
    struct rewriter *r = g->r;
    uint32_t zero = constant_uint(r, 0);
    uint32_t *const labels[] = {&loop->head, &loop->test, &loop->work, &loop->skip, &loop->next, &loop->done};
    for (uint32_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        *labels[i] = new_id(r);
    }
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
    loops_note_filter(g->r);
    struct rewriting w;
    load_fields(g, fields, &w);
    uint32_t plain = g->in_arrays ? 0 : select_member(g, l->result_type, components, loop.results);
    w.record = request_record(&w);
    uint32_t acts = request_acts(&w);
    uint32_t test_end = r->label;
    write_selection(r, acts, loop.work, loop.skip, loop.skip);
    begin_block(r, loop.work);
    uint32_t result = write_request(&w, plain);
    uint32_t work_end = r->label;
    if (g->in_arrays) {
        local_array_store(r, &g->results, g->index, result);
    }
    write_branch(r, loop.skip);
    begin_block(r, loop.skip);
    if (!g->in_arrays) {
        result = VALUE(r, SpvOpPhi, l->result_type, plain, test_end, result, work_end);
        for (uint32_t i = 0; i < g->count; i++) {
            uint32_t mask = member_mask(g, i, components);
            WRITE(r, SpvOpSelect, l->result_type, loop.next_results[i], mask, result, loop.results[i]);
        }
    }
    close_loop(g, &loop);
    for (uint32_t i = 0; i < g->count && !g->in_arrays; i++) {
        g->values[i] = loop.next_results[i];
    }
}

static uint32_t load_result(struct group *g, uint32_t i)
{
    uint32_t index = constant_uint(g->r, i);
    return local_array_load(g->r, &g->results, index);
}

/* Behind the loop: the member's own lookup or, where its record acts, what the loop made of it. */
static void choose_result(struct group *g, uint32_t i)
{
    struct rewriter *r = g->r;
    const struct lookup *l = &g->members[i]->w.l;
    uint32_t plain = lookup_unfiltered(&g->members[i]->w);
    uint32_t result = load_result(g, i);
    uint32_t acts = g->acts[i];
    if (!l->dref) {
        const uint32_t each[4] = {acts, acts, acts, acts};
        uint32_t bools = TYPE(r, SpvOpTypeVector, type_bool(r), 4);
        acts = write_value(r, SpvOpCompositeConstruct, bools, each, 4);
    }
    WRITE(r, SpvOpSelect, l->result_type, l->result, acts, result, plain);
}

/*
 * The same for all members that follow the record of `first`, in a branch: no lookup is executed for nothing, and
 * compilers take less time for the values on two paths than for a choice between those of each. Derivatives are those
 * of whole quads: all their pixels must follow one record.
 */
static void choose_together(struct group *g, uint32_t first)
{
    struct rewriter *r = g->r;
    uint32_t filtered[BATCH_MOST], plain[BATCH_MOST];
    uint32_t acts = g->acts[first];
    uint32_t made = new_id(r);
    uint32_t look = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, acts, made, look, merge);
    begin_block(r, made);
    for (uint32_t i = first; i < g->count; i++) {
        filtered[i] = g->acts[i] == acts ? load_result(g, i) : 0;
    }
    uint32_t made_end = r->label;
    write_branch(r, merge);
    begin_block(r, look);
    for (uint32_t i = first; i < g->count; i++) {
        plain[i] = g->acts[i] == acts ? lookup_unguarded(&g->members[i]->w) : 0;
    }
    uint32_t look_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    for (uint32_t i = first; i < g->count; i++) {
        const struct lookup *l = &g->members[i]->w.l;
        if (g->acts[i] == acts) {
            WRITE(r, SpvOpPhi, l->result_type, l->result, filtered[i], made_end, plain[i], look_end);
        }
    }
}

static void choose_results(struct group *g)
{
    bool together = true;
    for (uint32_t i = 0; i < g->count; i++) {
        together &= g->members[i]->w.plan->one_record && !g->members[i]->w.plan->in_front;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        bool chosen = false;
        for (uint32_t j = 0; together && j < i && !chosen; j++) {
            chosen = g->acts[j] == g->acts[i];
        }
        if (!together) {
            choose_result(g, i);
        } else if (!chosen) {
            choose_together(g, i);
        }
    }
}

/* Several requests: the results come out in `values`, or stay in the array until they are chosen. */
static void write_many(struct group *g)
{
    struct rewriter *r = g->r;
    struct fields fields = {0};
    uint32_t type = g->members[0]->w.l.result_type;
    find_fields(g, &fields);
    if (g->in_arrays) {
        g->results = local_array(r, type, g->count);
        store_fields(g, &fields);
    }
    write_loop(g, &fields);
}

static void write_group(struct group *g)
{
    struct rewriter *r = g->r;
    bool chooses = g->in_arrays && g->count > 1;
    r->inlines = chooses; /* GPUs' compilers take their time by the call, too, and many lookups share this code */
    if (!chooses && g->members[0]->plain == 0) {
        g->members[0]->plain = lookup_unfiltered(&g->members[0]->w);
    }
    uint32_t some = chooses ? any_acts(g) : some_acts(g);
    uint32_t before = r->label;
    uint32_t acts = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, some, acts, merge, merge);
    begin_block(r, acts);
    if (g->count > 1) {
        write_many(g);
    } else {
        g->values[0] = write_request(&g->members[0]->w, g->members[0]->plain);
    }
    uint32_t behind = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    if (chooses) {
        choose_results(g);
    }
    for (uint32_t i = 0; i < g->count && !chooses; i++) {
        const struct lookup *l = &g->members[i]->w.l;
        WRITE(r, SpvOpPhi, l->result_type, l->result, g->members[i]->plain, before, g->values[i], behind);
    }
    r->inlines = false;
}

/*
 * CPU drivers run every case of a switch for all pixels, and mask: there a group has one image, or few where loops must
 * be saved.
 */
static bool may_join(const struct group *g, uint32_t sampled_image)
{
    struct rewriter *r = g->r;
    uint32_t most = r->options->form == SPIRV_FORM_GPU ? BATCH_MOST
                    : r->manner == FILTER_LOOPS_SHARED ? IMAGES_SHARED
                                                       : 1;
    bool known = false;
    for (uint32_t i = 0; i < g->images.count && !known; i++) {
        known = same_image(r->m, g->images.sampled_images[i], sampled_image);
    }
    return known || g->images.count < most;
}

/* One piece of code serves both: variables of several types may share a binding. */
static bool same_fetches(const struct module *m, const struct texel_fetch *a, const struct texel_fetch *b)
{
    const uint32_t image = 3, more = 5; /* operands: the descriptor's image, and those behind the coordinate */
    bool same = a->words[0] == b->words[0] && a->result_type == b->result_type &&
                module_type_of(m, a->words[image]) == module_type_of(m, b->words[image]);
    for (uint32_t i = more; same && i < a->words[0] >> 16; i++) {
        same = a->words[i] == b->words[i];
    }
    return same && plan_same_records(a->plan, b->plan);
}

static void write_fetches(struct rewriter *r, const struct batch *batch)
{
    bool written[TEXEL_GROUP_MOST] = {false};
    for (uint32_t i = 0; i < batch->fetch_count; i++) {
        const struct texel_fetch *first = &batch->fetches[i];
        struct texel_group g = {.record = first->record};
        for (uint32_t j = i; j < batch->fetch_count && !written[i]; j++) {
            const struct texel_fetch *fetch = &batch->fetches[j];
            if (!written[j] && same_fetches(r->m, first, fetch)) {
                written[j] = j != i;
                g.fetches[g.count++] = fetch;
            }
        }
        if (g.count != 0) {
            texel_group_write(r, &g, new_id(r));
        }
    }
}

void batch_write(struct rewriter *r, struct batch *batch)
{
    write_fetches(r, batch);
    batch->fetch_count = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->requests[i].written) {
            continue;
        }
        struct group g = {.r = r, .batch = batch, .in_arrays = batch_in_arrays(r)};
        for (uint32_t j = i; j < batch->count; j++) {
            struct batch_request *request = &batch->requests[j];
            if (request->written || !same_kind(r->m, &batch->requests[i], request)) {
                continue;
            }
            if (!may_join(&g, request->w.l.sampled_image)) {
                r->images_apart = true;
                continue;
            }
            request->written = true;
            g.choices[g.count] = image_index(r->m, &g.images, request->w.l.sampled_image);
            g.members[g.count++] = request;
        }
        write_group(&g);
    }
    batch->count = 0;
}
