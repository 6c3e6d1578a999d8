/* SPDX-License-Identifier: MIT */
/*
 * Writes loads of record indices and of their records:
 *
 *     index = base of the set, or of the heap[offset + element * stride]         0 if that can be none
 *     record = array[index]                                                      record 0 if the array ends before
 */
#include "spirv/embedded/record_index.h"

#include <spirv/unified1/spirv.h>
#include "record/root.h"
#include "spirv/embedded/embedded.h"
#include "spirv/embedded/index.h"
#include "spirv/embedded/inputs.h"
#include "spirv/write/memory.h"

#define WORD_BYTES 4u
#define WORD_SHIFT 2u
#define QUARTERS_SHIFT 2u /* a record is four uvec4 */

/* ---- Can it be found? ---- */

static struct input root_input(const struct rewriter *r)
{
    return (struct input){INPUT_PUSHED, r->layout->root_at, 2};
}

/* The word that an index of a mapping comes from, or the address of such words. */
static struct input index_input(const struct spirv_embedded *c)
{
    const bool address = c->index_from == SPIRV_INDEX_INDIRECT || c->index_from == SPIRV_INDEX_INDIRECT_ARRAY;
    return (struct input){c->index_from == SPIRV_INDEX_SHADER_RECORD ? INPUT_SHADER_RECORD : INPUT_PUSHED,
                          c->push_offset, address ? 2 : 1};
}

static bool lies_at_words(const struct record_source *source)
{
    if (source->origin == ORIGIN_HEAP && !source->mapping) {
        uint32_t bytes = source->first;
        for (uint32_t i = 0; i < source->step_count; i++)
            bytes |= source->steps[i].stride_id == 0 ? source->steps[i].stride : 0;
        /* A step may be an offset that is a specialization constant, whose alignment is not known. */
        return source->step_count != 0 || bytes % WORD_BYTES == 0;
    }
    const struct spirv_embedded *c = trace_embedded(source);
    const bool indexed = c->index_from != SPIRV_INDEX_NONE;
    const uint32_t bytes = c->offset[source->declared] | c->stride | (indexed ? c->address_offset : 0);
    return c->record_indices || bytes % WORD_BYTES == 0;
}

const char *record_index_unreachable(struct rewriter *r, const struct record_source *source)
{
    const struct input root = root_input(r);
    const char *why = lies_at_words(source) ? input_unreachable(r, &root) : "its descriptors do not lie at whole words";
    if (why || !source->mapping)
        return why;
    const struct spirv_embedded *c = trace_embedded(source);
    const struct input index = index_input(c);
    return c->record_indices || c->index_from == SPIRV_INDEX_NONE ? NULL : input_unreachable(r, &index);
}

/* ---- The root table ---- */

static uint32_t root_at(struct rewriter *r, uint32_t index)
{
    const struct memory_type *pairs = memory_pairs(r);
    const struct input input = root_input(r);
    uint32_t root = memory_at(r, pairs, input_load(r, &input));
    return memory_load(r, pairs, root, constant_uint(r, index));
}

static uint32_t load_base_word(struct rewriter *r, uint32_t base, uint32_t index)
{
    const struct memory_type *words = memory_words(r);
    uint32_t memory = memory_at(r, words, root_at(r, 1 + base));
    return memory_load(r, words, memory, index);
}

/*
 * A loaded record index -> the index of the whole descriptor's record or of one half's, or 0. `half` is a uint; 0: the
 * whole. record_load_by_index() handles invalid indices; here only those are checked that could become valid by adding
 * the half.
 */
static uint32_t checked_index(struct rewriter *r, uint32_t found, uint32_t half, uint32_t inside)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t zero = constant_uint(r, 0);
    uint32_t record_index = found;
    if (half != 0) {
        uint32_t one = constant_uint(r, 1);
        uint32_t most = constant_uint(r, ROOT_INDICES - SPIRV_RECORDS_OF_SPLIT);
        uint32_t before = VALUE(r, SpvOpISub, uint_type, found, one);
        uint32_t valid = VALUE(r, SpvOpULessThan, type_bool(r), before, most);
        inside = inside != 0 ? VALUE(r, SpvOpLogicalAnd, type_bool(r), valid, inside) : valid;
        record_index = VALUE(r, SpvOpIAdd, uint_type, found, half);
    }
    return inside != 0 ? VALUE(r, SpvOpSelect, uint_type, inside, record_index, zero) : record_index;
}

/* ---- In sets ---- */

/* Words from the base to the first record index, as a uint. */
static uint32_t first_word(struct rewriter *r, const struct spirv_embedded *c, const struct index_declared *declared)
{
    uint32_t first = constant_uint(r, c->offset[declared->half] / WORD_BYTES);
    for (uint32_t half = HALF_IMAGE; declared->id != 0 && half < HALF_KINDS; half++) {
        if (c->offset[half] == c->offset[HALF_BOTH])
            continue;
        uint32_t which = constant_uint(r, half);
        uint32_t other = constant_uint(r, c->offset[half] / WORD_BYTES);
        uint32_t is = VALUE(r, SpvOpIEqual, type_bool(r), declared->id, which);
        first = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), is, other, first);
    }
    return first;
}

/* first + element * stride */
static uint32_t element_word(struct rewriter *r, uint32_t first, uint32_t stride, const struct index_element *element)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t step = constant_uint(r, stride / WORD_BYTES);
    uint32_t index = VALUE(r, SpvOpIMul, uint_type, element->id, step);
    return VALUE(r, SpvOpIAdd, uint_type, index, first);
}

/* The constant record index of an element. A run of equal ones takes one comparison. */
static uint32_t choose_index(struct rewriter *r, const struct spirv_embedded *c, uint32_t count,
                             const struct index_element *element)
{
    if (element->id == 0)
        return constant_uint(r, c->record_indices[element->constant]);
    uint32_t record_index = constant_uint(r, c->record_indices[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (c->record_indices[i] == c->record_indices[i - 1])
            continue;
        uint32_t from = constant_uint(r, i);
        uint32_t other = constant_uint(r, c->record_indices[i]);
        uint32_t reached = VALUE(r, SpvOpUGreaterThanEqual, type_bool(r), element->id, from);
        record_index = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), reached, other, record_index);
    }
    return record_index;
}

uint32_t record_index_in_set(struct rewriter *r, uint32_t set, const struct spirv_binding *binding,
                             const struct index_declared *declared, const struct index_element *element, uint32_t half)
{
    const struct spirv_embedded *c = &binding->embedded;
    uint32_t found;
    if (c->record_indices)
        found = choose_index(r, c, binding->count, element);
    else if (element->id == 0)
        found = load_base_word(
            r, set, constant_uint(r, (c->offset[declared->half] + element->constant * c->stride) / WORD_BYTES));
    else
        found = load_base_word(r, set, element_word(r, first_word(r, c, declared), c->stride, element));
    return checked_index(r, found, half, element->inside);
}

/* A value that may lie behind the binding's last element. */
static struct index_element element_within(struct rewriter *r, uint32_t index, uint32_t count)
{
    uint32_t all = constant_uint(r, count);
    uint32_t first = constant_uint(r, 0);
    struct index_element element;
    element.constant = 0;
    element.inside = VALUE(r, SpvOpULessThan, type_bool(r), index, all);
    element.id = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), element.inside, index, first);
    return element;
}

static uint32_t write_in_set(struct rewriter *r, const struct record_source *source)
{
    const struct spirv_binding *binding = source->binding;
    const struct index_declared declared = {.half = source->declared};
    const uint32_t each = binding->split != 0 ? SPIRV_RECORDS_OF_SPLIT : 1;
    const uint32_t first = source->first - binding->first_record;
    uint32_t index = dynamic_index(r, source, each);
    struct index_element element = {.constant = first / each};
    if (index != 0)
        element = element_within(r, add_constant(r, index, first / each), binding->count);
    uint32_t half = first % each != 0 ? constant_uint(r, first % each) : 0;
    return record_index_in_set(r, source->set, binding, &declared, &element, half);
}

/* ---- In heaps ---- */

uint32_t record_index_in_heap(struct rewriter *r, uint32_t base, uint32_t word)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t zero = constant_uint(r, 0);
    uint32_t words = VALUE(r, SpvOpCompositeExtract, uint_type, root_at(r, 1 + ROOT_WORDS_OF(base)), 0);
    uint32_t inside = VALUE(r, SpvOpULessThan, type_bool(r), word, words);
    uint32_t safe = VALUE(r, SpvOpSelect, uint_type, inside, word, zero);
    return checked_index(r, load_base_word(r, base, safe), 0, inside);
}

uint32_t record_index_heap_word(struct rewriter *r, const struct record_source *source)
{
    uint32_t index = dynamic_index(r, source, 1);
    if (index == 0)
        return constant_uint(r, source->first / WORD_BYTES);
    uint32_t shift = constant_uint(r, WORD_SHIFT);
    index = add_constant(r, index, source->first);
    return VALUE(r, SpvOpShiftRightLogical, type_vector(r, SCALAR_UINT, 1), index, shift);
}

/* The index that a mapping finds in push constants, in memory, or in a shader record. */
static uint32_t load_index(struct rewriter *r, const struct spirv_embedded *c, const struct index_element *element)
{
    const struct input input = index_input(c);
    uint32_t index = input_load(r, &input);
    if (input.words == 1)
        return index;
    const struct memory_type *words = memory_words(r);
    uint32_t memory = memory_at(r, words, index);
    uint32_t at = constant_uint(r, c->address_offset / WORD_BYTES);
    if (c->index_from == SPIRV_INDEX_INDIRECT_ARRAY)
        at = element->id != 0 ? element_word(r, at, WORD_BYTES, element)
                              : constant_uint(r, c->address_offset / WORD_BYTES + element->constant);
    return memory_load(r, words, memory, at);
}

/* Extracts the index from its word. */
static uint32_t unpack_index(struct rewriter *r, uint32_t index, uint32_t shift, uint32_t mask)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (shift != 0) {
        uint32_t bits = constant_uint(r, shift);
        index = VALUE(r, SpvOpShiftRightLogical, uint_type, index, bits);
    }
    if (mask != 0) {
        uint32_t kept = constant_uint(r, mask);
        index = VALUE(r, SpvOpBitwiseAnd, uint_type, index, kept);
    }
    return index;
}

/*
 * Words from the base to an index's descriptor. Indices that count bytes lead to whole words as well, because
 * descriptors are aligned.
 */
static uint32_t index_words(struct rewriter *r, uint32_t index, uint32_t stride)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    const bool whole = stride % WORD_BYTES == 0;
    uint32_t step = constant_uint(r, whole ? stride / WORD_BYTES : stride);
    index = VALUE(r, SpvOpIMul, uint_type, index, step);
    if (whole)
        return index;
    uint32_t shift = constant_uint(r, WORD_SHIFT);
    return VALUE(r, SpvOpShiftRightLogical, uint_type, index, shift);
}

uint32_t record_index_in_mapping(struct rewriter *r, const struct record_source *source,
                                 const struct index_element *element)
{
    const struct spirv_embedded *c = trace_embedded(source);
    const bool combined_image = source->declared == HALF_BOTH && source->half != HALF_SAMPLER;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (c->record_indices)
        return checked_index(r, constant_uint(r, c->record_indices[0]), 0, 0);
    const uint32_t stride = c->index_from == SPIRV_INDEX_INDIRECT_ARRAY ? 0 : c->stride;
    uint32_t word = constant_uint(
        r, (c->offset[source->declared] + (element->id == 0 ? element->constant * stride : 0)) / WORD_BYTES);
    if (element->id != 0 && stride != 0)
        word = element_word(r, word, stride, element);
    if (c->index_from != SPIRV_INDEX_NONE) {
        uint32_t index = load_index(r, c, element);
        index = combined_image ? unpack_index(r, index, 0, source->mapping->combined_image_mask)
                               : unpack_index(r, index, c->index_shift, c->index_mask);
        index = index_words(r, index, c->index_stride);
        word = VALUE(r, SpvOpIAdd, uint_type, word, index);
    }
    return record_index_in_heap(r, c->base, word);
}

static uint32_t write_in_mapping(struct rewriter *r, const struct record_source *source)
{
    struct index_element element = {.constant = source->first};
    uint32_t index = dynamic_index(r, source, 1);
    if (index != 0)
        element.id = add_constant(r, index, source->first);
    return record_index_in_mapping(r, source, &element);
}

/* ---- By source ---- */

static uint32_t write_record_index(struct rewriter *r, const struct record_source *source)
{
    if (source->origin == ORIGIN_SET)
        return write_in_set(r, source);
    return source->mapping ? write_in_mapping(r, source)
                           : record_index_in_heap(r, source->base, record_index_heap_word(r, source));
}

uint32_t record_index_of(struct rewriter *r, const struct record_source *source)
{
    struct embedded *c = r->embedded;
    for (uint32_t i = 0; i < c->known_count; i++) {
        if (trace_same_source(&c->known[i].source, source))
            return c->known[i].id;
    }
    uint32_t record_index = write_record_index(r, source);
    if (c->known_count < KNOWN_INDICES)
        c->known[c->known_count++] = (struct known_index){*source, record_index};
    return record_index;
}

void record_index_forget(struct rewriter *r)
{
    r->embedded->known_count = 0;
}

/* ---- Records ---- */

/* Loads the address of the array of records, once a block. */
static void open_table(struct rewriter *r)
{
    struct embedded *c = r->embedded;
    if (c->table.block == r->block && c->table.records != 0)
        return;
    const struct memory_type *pairs = memory_pairs(r);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t pair = type_vector(r, SCALAR_UINT, 2);
    uint32_t bits = constant_uint(r, ROOT_TABLE_BITS);
    uint32_t low_bits = constant_uint(r, ~ROOT_TABLE_BITS);
    uint32_t high_bits = constant_uint(r, UINT32_MAX);
    uint32_t address_bits = VALUE(r, SpvOpCompositeConstruct, pair, low_bits, high_bits);
    uint32_t place = memory_at(r, pairs, root_at(r, 0));
    uint32_t table = memory_load(r, pairs, place, constant_uint(r, 0));
    uint32_t low = VALUE(r, SpvOpCompositeExtract, uint_type, table, 0);
    uint32_t address = VALUE(r, SpvOpBitwiseAnd, pair, table, address_bits);
    c->table.index_bits = VALUE(r, SpvOpBitwiseAnd, uint_type, low, bits);
    c->table.records = memory_at(r, memory_quads(r), address);
    c->table.block = r->block;
    c->last.record_index = 0;
}

uint32_t record_load_by_index(struct rewriter *r, uint32_t record_index, uint32_t quarter)
{
    struct embedded *c = r->embedded;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    open_table(r);
    if (c->last.block != r->block || c->last.record_index != record_index) {
        uint32_t zero = constant_uint(r, 0);
        uint32_t quarters = constant_uint(r, QUARTERS_SHIFT);
        uint32_t beyond = VALUE(r, SpvOpShiftRightLogical, uint_type, record_index, c->table.index_bits);
        uint32_t inside = VALUE(r, SpvOpIEqual, type_bool(r), beyond, zero);
        uint32_t place = VALUE(r, SpvOpShiftLeftLogical, uint_type, record_index, quarters);
        c->last.first = VALUE(r, SpvOpSelect, uint_type, inside, place, zero);
        c->last.record_index = record_index;
        c->last.block = r->block;
    }
    uint32_t index = VALUE(r, SpvOpIAdd, uint_type, c->last.first, quarter);
    return memory_load(r, memory_quads(r), c->table.records, index);
}
