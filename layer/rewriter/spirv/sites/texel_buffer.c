/* SPDX-License-Identifier: MIT */
/*
 * Rewrites fetches from uniform texel buffers and queries of their size. Each follows its view's record: a texel is
 * read by the driver, or its words are, through a view of 32-bit components or by address, and decoded.
 */
#include "spirv/sites/texel_buffer.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/sites/records.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

#define MOST_OPERANDS 8u
#define LOOP_FROM 3u

bool texel_scalar(const struct module *m, uint32_t type, enum scalar *scalar)
{
    const uint32_t *inst = module_definition(m, type);
    if (inst_opcode(inst) == SpvOpTypeFloat && inst[2] == 32) {
        *scalar = SCALAR_FLOAT;
        return true;
    }
    if (inst_opcode(inst) == SpvOpTypeInt && inst[2] == 32) {
        *scalar = inst[3] != 0 ? SCALAR_INT : SCALAR_UINT;
        return true;
    }
    return false;
}

bool fetched_type(const struct module *m, const uint32_t *inst, uint32_t *texel, uint32_t *sparse)
{
    *texel = inst[1];
    *sparse = 0;
    if (inst_opcode(inst) != SpvOpImageSparseFetch)
        return true;
    const uint32_t *pair = module_definition(m, inst[1]);
    if (inst_opcode(pair) != SpvOpTypeStruct || inst_length(pair) != 4)
        return false;
    *sparse = inst[1];
    *texel = pair[3];
    return true;
}

/* The type of a fetch's index: where a vector is given, its first component is (section "Image Operations"). */
static uint32_t index_type(const struct module *m, uint32_t coordinate)
{
    const uint32_t type = module_type_of(m, coordinate), *inst = module_definition(m, type);
    return inst_opcode(inst) == SpvOpTypeVector ? inst[2] : type;
}

/* A fetch by a 32-bit index whose result has four components of the image's type, in a struct where it is sparse. */
static bool fetch_read(const struct module *m, uint32_t offset, struct texel_fetch *f)
{
    const uint32_t *inst = m->words + offset;
    *f = (struct texel_fetch){.words = inst, .result = inst[2], .coordinate = inst[4], .texel = inst[2]};
    if (!fetched_type(m, inst, &f->result_type, &f->sparse_type))
        return false;
    const uint32_t *image = module_definition(m, module_type_of(m, inst[3]));
    const uint32_t *result = module_definition(m, f->result_type);
    enum scalar index;
    return inst_length(inst) <= MOST_OPERANDS && inst_opcode(result) == SpvOpTypeVector && result[3] == 4 &&
           result[2] == image[2] && texel_scalar(m, image[2], &f->texels) &&
           texel_scalar(m, index_type(m, f->coordinate), &index) && index != SCALAR_FLOAT;
}

static bool count_read(const struct module *m, uint32_t offset)
{
    enum scalar scalar;
    return texel_scalar(m, m->words[offset + 1], &scalar) && scalar != SCALAR_FLOAT;
}

bool texel_buffer_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    struct texel_fetch f;
    bool fetches = site->kind == SITE_TEXEL_FETCH;
    if (!(fetches ? fetch_read(r->m, site->offset, &f) : count_read(r->m, site->offset))) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    trace_descriptor(r->m, r->layout, r->m->words[site->offset + 3], &plan->sources[0]);
    plan->source_count = 1;
    if (!plan_sources_usable(r, plan))
        return false;
    bool whole = (module_marks(r->m, site->label) & MARK_WHOLE) != 0;
    bool branch = fetches && !whole && r->options->form == SPIRV_FORM_GPU;
    plan->form = branch ? SITE_BRANCH : SITE_STRAIGHT;
    plan->splits = branch;
    return true;
}

/*
 * True: every set has this descriptor. A variable-count binding may have fewer descriptors than its layout says; with
 * embedded record indices it is a set's last binding.
 */
static bool always_there(const struct rewriter *r, const struct record_source *source)
{
    const struct spirv_set *set = &r->layout->sets[source->set];
    if (source->embedded)
        return source->binding + 1 < set->bindings + set->binding_count;
    for (uint32_t i = 0; i < set->binding_count; i++) {
        const struct spirv_binding *b = &set->bindings[i];
        if (b->first_record != SPIRV_NO_RECORD && source->first >= b->first_record &&
            source->first - b->first_record < b->count)
            return b->binding < set->record_binding; /* where there is one of a variable count, it is not (layouts) */
    }
    return false;
}

static uint32_t early_record(const struct rewriter *r, const struct record_source *source)
{
    for (uint32_t i = 0; source->origin == ORIGIN_SET && source->step_count == 0 && i < r->texel_buffers->early_count;
         i++) {
        if (r->texel_buffers->early[i].set == source->set && r->texel_buffers->early[i].first == source->first)
            return r->texel_buffers->early[i].id;
    }
    return 0;
}

void texel_buffer_load_early(struct rewriter *r, uint32_t first_site, uint32_t end)
{
    r->texel_buffers->early_count = 0;
    for (uint32_t i = first_site; i < r->m->site_count && r->m->sites[i].offset < end; i++) {
        const enum site_kind kind = r->m->sites[i].kind;
        const struct record_source *source = &r->plans->list[i].sources[0];
        if ((kind != SITE_TEXEL_FETCH && kind != SITE_TEXEL_COUNT) || r->plans->list[i].form == SITE_ALONE ||
            source->origin != ORIGIN_SET || source->step_count != 0 || r->texel_buffers->early_count == EARLY_RECORDS ||
            early_record(r, source) != 0 || !always_there(r, source))
            continue;
        uint32_t id = load_record(r, &r->plans->list[i]);
        r->texel_buffers->early[r->texel_buffers->early_count++] =
            (struct early_record){source->set, source->first, id};
    }
}

static uint32_t record_of(struct rewriter *r, const struct site_plan *plan)
{
    uint32_t id = early_record(r, &plan->sources[0]);
    return id != 0 ? id : load_record(r, plan);
}

/* A fetch like the program's under another id, at `coordinate`. */
static uint32_t write_fetch_at(struct rewriter *r, const struct texel_fetch *f, uint32_t coordinate)
{
    uint32_t operands[MOST_OPERANDS];
    uint32_t count = inst_length(f->words) - 1;
    memcpy(operands, f->words + 1, count * sizeof(uint32_t));
    operands[0] = f->result_type;
    operands[1] = new_id(r);
    operands[2] = opaque_here(r, operands[2]);
    operands[3] = coordinate;
    write_to(r, &r->body, SpvOpImageFetch, operands, count);
    return operands[1];
}

/* At the place of word `word` of the texel. Never of relaxed precision, as the program's may be: words are bits. */
static uint32_t write_fetch(struct rewriter *r, const struct texel_fetch *f, uint32_t record, uint32_t word)
{
    uint32_t k = constant_uint(r, word);
    uint32_t coordinate = library_call(r, LIBRARY_TEXEL_COORDINATE, OPERANDS(f->index, record, k));
    return write_fetch_at(r, f, coordinate);
}

/*
 * The residency of a sparse fetch: that of the texel's first word, where it has several. The texel itself is fetched
 * beside it, under an id of its own.
 */
static uint32_t write_sparse_fetch(struct rewriter *r, struct texel_fetch *f)
{
    uint32_t zero = constant_uint(r, 0);
    uint32_t coordinate = library_call(r, LIBRARY_TEXEL_COORDINATE, OPERANDS(f->index, f->record, zero));
    uint32_t image = opaque_here(r, f->words[3]);
    f->texel = new_id(r);
    return VALUE(r, SpvOpImageSparseFetch, f->sparse_type, image, coordinate);
}

static uint32_t as_bits(struct rewriter *r, const struct texel_fetch *f, uint32_t texel)
{
    return f->texels == SCALAR_UINT ? texel : VALUE(r, SpvOpBitcast, type_vector(r, SCALAR_UINT, 4), texel);
}

/* Decodes the texel by the record, to bits. `first` is the fetched value of word 0. */
static uint32_t write_decoded(struct rewriter *r, const struct texel_fetch *f, uint32_t record, uint32_t first)
{
    uint32_t index = f->index;
    uint32_t words = as_bits(r, f, first);
    if (r->options->texel_paths & SPIRV_TEXEL_VIEWS) {
        uint32_t second = write_fetch(r, f, record, 1);
        uint32_t third = write_fetch(r, f, record, 2);
        second = as_bits(r, f, second);
        third = as_bits(r, f, third);
        words = library_call(r, LIBRARY_TEXEL_WORDS, OPERANDS(words, second, third, index, record));
    }
    if (r->options->texel_paths & SPIRV_TEXEL_ADDRESSES)
        words = texel_memory_load(r, index, record, words);
    if (!(r->options->texel_paths & SPIRV_TEXEL_NARROW)) {
        uint32_t one = texel_one(r, f->texels);
        return library_call(r, LIBRARY_TEXEL_BITS_WIDE, OPERANDS(words, one, index, record));
    }
    return f->texels == SCALAR_FLOAT ? library_call(r, LIBRARY_TEXEL_BITS_FLOAT, OPERANDS(words, index, record))
                                     : library_call(r, LIBRARY_TEXEL_BITS_INT, OPERANDS(words, index, record));
}

/* Bits as the program's result, under the given id. */
static void write_result(struct rewriter *r, const struct texel_fetch *f, uint32_t bits, uint32_t result)
{
    if (f->texels == SCALAR_UINT)
        WRITE(r, SpvOpCopyObject, f->result_type, result, bits);
    else
        WRITE(r, SpvOpBitcast, f->result_type, result, bits);
}

static uint32_t index_bits(struct rewriter *r, uint32_t coordinate)
{
    enum scalar scalar = SCALAR_UINT;
    const uint32_t type = index_type(r->m, coordinate);
    texel_scalar(r->m, type, &scalar);
    if (type != module_type_of(r->m, coordinate))
        coordinate = VALUE(r, SpvOpCompositeExtract, type, coordinate, 0);
    return scalar == SCALAR_UINT ? coordinate : VALUE(r, SpvOpBitcast, type_vector(r, SCALAR_UINT, 1), coordinate);
}

void texel_fetch_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct texel_fetch *f)
{
    fetch_read(r->m, site->offset, f);
    f->plan = plan;
    f->record = record_of(r, plan);
    f->index = index_bits(r, f->coordinate);
}

/* ---- Fetches ---- */

/* Without a branch: every fetch executes both. */
static void rewrite_straight(struct rewriter *r, const struct texel_fetch *f)
{
    uint32_t emulated = library_call(r, LIBRARY_TEXEL_EMULATED, OPERANDS(f->record));
    uint32_t first = write_fetch(r, f, f->record, 0);
    uint32_t decoded = write_decoded(r, f, f->record, first);
    uint32_t bits = as_bits(r, f, first);
    uint32_t bools = TYPE(r, SpvOpTypeVector, type_bool(r), 4);
    uint32_t each = VALUE(r, SpvOpCompositeConstruct, bools, emulated, emulated, emulated, emulated);
    bits = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 4), each, decoded, bits);
    write_result(r, f, bits, f->texel);
}

/* One side of a branch for several fetches: its values, and its last block. */
struct arm {
    uint32_t values[TEXEL_GROUP_MOST];
    uint32_t end;
};

static uint32_t bits_as_result(struct rewriter *r, const struct texel_fetch *f, uint32_t bits)
{
    uint32_t value = new_id(r);
    decorate_like(r, value, module_id(r->m, f->result)->marks);
    write_result(r, f, bits, value);
    return value;
}

static void end_arm(struct rewriter *r, struct arm *arm, uint32_t merge)
{
    arm->end = r->label;
    write_branch(r, merge);
}

/* The phis of two arms. */
static void join_arms(struct rewriter *r, const struct texel_group *g, const struct arm *a, const struct arm *b,
                      const uint32_t *results)
{
    for (uint32_t i = 0; i < g->count; i++)
        WRITE(r, SpvOpPhi, g->fetches[i]->result_type, results[i], a->values[i], a->end, b->values[i], b->end);
}

static uint32_t decode_fetch(struct rewriter *r, const struct texel_fetch *f, uint32_t record)
{
    uint32_t first = write_fetch(r, f, record, 0);
    return write_decoded(r, f, record, first);
}

/*
 * Decodes the texels by the record, to bits. From LOOP_FROM fetches on in a loop: the code is long, and drivers take as
 * long to compile it for every fetch.
 */
static void decode_in_loop(struct rewriter *r, const struct texel_group *g, uint32_t *bits)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t zero = constant_uint(r, 0), one = constant_uint(r, 1), count = constant_uint(r, g->count);
    struct local_array indices = local_array(r, uint_type, g->count);
    struct local_array results = local_array(r, type_vector(r, SCALAR_UINT, 4), g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t number = constant_uint(r, i);
        local_array_store(r, &indices, number, g->fetches[i]->index);
    }
    uint32_t before = r->label, head = new_id(r), body = new_id(r), next = new_id(r), done = new_id(r);
    uint32_t next_number = new_id(r);
    write_branch(r, head);
    begin_block(r, head);
    uint32_t number = VALUE(r, SpvOpPhi, uint_type, zero, before, next_number, next);
    WRITE(r, SpvOpLoopMerge, done, next, SpvLoopControlDontUnrollMask);
    write_branch(r, body);
    begin_block(r, body);
    struct texel_fetch f = *g->fetches[0];
    f.index = local_array_load(r, &indices, number);
    local_array_store(r, &results, number, decode_fetch(r, &f, g->record));
    write_branch(r, next);
    begin_block(r, next);
    WRITE(r, SpvOpIAdd, uint_type, next_number, number, one);
    uint32_t more = VALUE(r, SpvOpULessThan, type_bool(r), next_number, count);
    WRITE(r, SpvOpBranchConditional, more, head, done);
    begin_block(r, done);
    for (uint32_t i = 0; i < g->count; i++) {
        number = constant_uint(r, i);
        bits[i] = local_array_load(r, &results, number);
    }
}

static void decode(struct rewriter *r, const struct texel_group *g, uint32_t *bits)
{
    if (g->count >= LOOP_FROM && !r->no_variables) {
        decode_in_loop(r, g, bits);
        return;
    }
    for (uint32_t i = 0; i < g->count; i++)
        bits[i] = decode_fetch(r, g->fetches[i], g->record);
}

/* The driver's fetches, or the texels decoded by the record. Ends in the block `merge`, where the results are. */
static void write_by_view(struct rewriter *r, const struct texel_group *g, uint32_t merge, const uint32_t *results)
{
    struct arm decoded, native;
    uint32_t decoding = new_id(r), otherwise = new_id(r);
    uint32_t emulated = library_call(r, LIBRARY_TEXEL_EMULATED, OPERANDS(g->record));
    write_selection(r, emulated, decoding, otherwise, merge);
    begin_block(r, decoding);
    decode(r, g, decoded.values);
    for (uint32_t i = 0; i < g->count; i++)
        decoded.values[i] = bits_as_result(r, g->fetches[i], decoded.values[i]);
    end_arm(r, &decoded, merge);
    begin_block(r, otherwise);
    for (uint32_t i = 0; i < g->count; i++) {
        native.values[i] = write_fetch_at(r, g->fetches[i], g->fetches[i]->coordinate);
        decorate_like(r, native.values[i], module_id(r->m, g->fetches[i]->result)->marks);
    }
    end_arm(r, &native, merge);
    begin_block(r, merge);
    join_arms(r, g, &decoded, &native, results);
}

void texel_group_write(struct rewriter *r, const struct texel_group *g, uint32_t merge)
{
    struct arm loaded, other;
    uint32_t results[TEXEL_GROUP_MOST];
    for (uint32_t i = 0; i < g->count; i++)
        results[i] = g->fetches[i]->texel;
    if (!(r->options->texel_paths & SPIRV_TEXEL_ADDRESSES)) {
        write_by_view(r, g, merge, results);
        return;
    }
    uint32_t loading = new_id(r), otherwise = new_id(r), inner = new_id(r);
    uint32_t rgb = library_call(r, LIBRARY_TEXEL_IS_RGB, OPERANDS(g->record));
    write_selection(r, rgb, loading, otherwise, merge);
    begin_block(r, loading);
    const struct texel_rgb memory = texel_rgb_open(r, g->record);
    for (uint32_t i = 0; i < g->count; i++) {
        loaded.values[i] = bits_as_result(
            r, g->fetches[i], texel_rgb_bits(r, &memory, g->record, g->fetches[i]->index, g->fetches[i]->texels));
    }
    end_arm(r, &loaded, merge);
    begin_block(r, otherwise);
    for (uint32_t i = 0; i < g->count; i++) {
        other.values[i] = new_id(r);
        decorate_like(r, other.values[i], module_id(r->m, g->fetches[i]->result)->marks);
    }
    write_by_view(r, g, inner, other.values);
    end_arm(r, &other, merge);
    begin_block(r, merge);
    join_arms(r, g, &loaded, &other, results);
}

static void rewrite_fetch(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct texel_fetch f;
    texel_fetch_open(r, site, plan, &f);
    const uint32_t sparse = f.sparse_type != 0 ? write_sparse_fetch(r, &f) : 0;
    if (plan->form == SITE_STRAIGHT) {
        rewrite_straight(r, &f);
    } else {
        const struct texel_group alone = {.record = f.record, .count = 1, .fetches = {&f}};
        texel_group_write(r, &alone, plan_merge_label(r, site, plan));
    }
    if (sparse != 0)
        WRITE(r, SpvOpCompositeInsert, f.sparse_type, f.result, f.texel, sparse, 1);
}

static void rewrite_count(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    const uint32_t *inst = r->m->words + site->offset;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t record = record_of(r, plan);
    uint32_t image = opaque_here(r, inst[3]);
    uint32_t own = VALUE(r, SpvOpImageQuerySize, inst[1], image);
    uint32_t bits = inst[1] == uint_type ? own : VALUE(r, SpvOpBitcast, uint_type, own);
    bits = library_call(r, LIBRARY_TEXEL_COUNT, OPERANDS(bits, record));
    if (inst[1] == uint_type)
        WRITE(r, SpvOpCopyObject, inst[1], inst[2], bits);
    else
        WRITE(r, SpvOpBitcast, inst[1], inst[2], bits);
}

void texel_buffer_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    if (site->kind == SITE_TEXEL_FETCH)
        rewrite_fetch(r, site, plan);
    else
        rewrite_count(r, site, plan);
}
