/* SPDX-License-Identifier: MIT */
/*
 * Writes the function uint record_index_of(uint identity, uint declared): for each binding, or part of one, that
 * identities name
 *
 *     if (the identity is in it)
 *         record_index = the record index there
 *
 * with branches, because a set that is not bound has no memory.
 */
#include "spirv/embedded/identity.h"

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/embedded.h"
#include "spirv/embedded/index.h"
#include "spirv/embedded/record_index.h"

#define PART_SHIFT 22u
#define ELEMENT_MASK ((1u << PART_SHIFT) - 1u)
#define BYTES_BIT 31u
#define HEAP_BIT 30u
#define WORD_MASK ((1u << HEAP_BIT) - 1u)

/* Which sets or mappings identities name: the set, or what is declared; and the place among its bindings or mappings.
 */
struct passed {
    uint32_t first, second;
};

enum { PASSED_WORDS = sizeof(struct passed) / sizeof(uint32_t) };

static struct passed passed_at(const struct rewriter *r, uint32_t i)
{
    const uint32_t *data = r->embedded->passed.data + i;
    return (struct passed){data[0], data[1]};
}

/* The index of an entry, which is made if there is none yet. */
static uint32_t pass(struct rewriter *r, uint32_t first, uint32_t second)
{
    struct words *passed = &r->embedded->passed;
    const uint32_t one[PASSED_WORDS] = {first, second};
    uint32_t i = 0;
    while (i < passed->count && (passed->data[i] != first || passed->data[i + 1] != second))
        i += PASSED_WORDS;
    module_search(r->m, i);
    if (i == passed->count)
        words_append(r, passed, one, PASSED_WORDS);
    return i / PASSED_WORDS;
}

void identity_passed(struct rewriter *r, const struct record_source *source)
{
    pass(r, source->set, (uint32_t)(source->binding - r->layout->sets[source->set].bindings));
}

/* ---- Identities in heaps ---- */

static uint32_t part_of(const struct record_source *source)
{
    return source->half != source->declared ? (uint32_t)source->half << PART_SHIFT : 0;
}

static uint32_t identity_of_bytes(struct rewriter *r, const struct record_source *source)
{
    uint32_t kind = 1u << BYTES_BIT | (source->base == r->layout->heaps.sampler_base ? 1u << HEAP_BIT : 0);
    uint32_t bits = constant_uint(r, kind);
    uint32_t mask = constant_uint(r, WORD_MASK);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t word = record_index_heap_word(r, source);
    word = VALUE(r, SpvOpBitwiseAnd, uint_type, word, mask);
    r->embedded->passes_bytes = true;
    return VALUE(r, SpvOpBitwiseOr, uint_type, word, bits);
}

static uint32_t identity_in_mapping(struct rewriter *r, const struct record_source *source)
{
    uint32_t which = pass(r, source->declared, (uint32_t)(source->mapping - r->layout->mappings));
    if (which >= IDENTITY_SETS || source->first > ELEMENT_MASK)
        return constant_uint(r, IDENTITY_NONE);
    uint32_t index = dynamic_index(r, source, 1);
    uint32_t constant = which << IDENTITY_SET_SHIFT | part_of(source);
    if (index == 0)
        return constant_uint(r, constant | source->first);
    uint32_t mask = constant_uint(r, ELEMENT_MASK);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    index = add_constant(r, index, source->first);
    index = VALUE(r, SpvOpBitwiseAnd, uint_type, index, mask);
    return add_constant(r, index, constant);
}

uint32_t identity_in_heaps(struct rewriter *r, const struct record_source *source, uint32_t parameter)
{
    if (source->origin == ORIGIN_PARAMETER && parameter != 0) {
        uint32_t index = dynamic_index(r, source, 1);
        uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
        uint32_t identity = index != 0 ? VALUE(r, SpvOpIAdd, uint_type, parameter, index) : parameter;
        return add_constant(r, identity, source->first + part_of(source));
    }
    if (source->origin != ORIGIN_HEAP || record_index_unreachable(r, source))
        return constant_uint(r, IDENTITY_NONE);
    return source->mapping ? identity_in_mapping(r, source) : identity_of_bytes(r, source);
}

/* ---- The function ---- */

uint32_t identity_record_index(struct rewriter *r, uint32_t identity, uint32_t declared)
{
    if (r->embedded->passed.count == 0 && !r->embedded->passes_bytes)
        return constant_uint(r, 0);
    if (r->embedded->function == 0) {
        r->embedded->function = new_id(r);
        write_name(r, r->embedded->function, "clampler_number_of");
    }
    return CALL(r, type_vector(r, SCALAR_UINT, 1), r->embedded->function, identity, declared);
}

/* The fields of an identity that all kinds share. */
struct taken {
    uint32_t identity;
    struct index_declared declared;
    uint32_t which;        /* bits 24..30 */
    uint32_t record;       /* bits 0..23 */
    uint32_t record_index; /* the function's result so far */
};

static uint32_t bits_of(struct rewriter *r, uint32_t value, uint32_t shift, uint32_t mask)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t bits = constant_uint(r, mask);
    if (shift != 0) {
        uint32_t places = constant_uint(r, shift);
        value = VALUE(r, SpvOpShiftRightLogical, uint_type, value, places);
    }
    return VALUE(r, SpvOpBitwiseAnd, uint_type, value, bits);
}

/* A branch that finds a record index: begun by the first function, ended by the second. */
struct arm {
    uint32_t before, merge;
};

static struct arm begin_arm(struct rewriter *r, uint32_t condition)
{
    uint32_t there = new_id(r);
    const struct arm arm = {r->label, new_id(r)};
    write_selection(r, condition, there, arm.merge, arm.merge);
    begin_block(r, there);
    return arm;
}

static void end_arm(struct rewriter *r, const struct arm *arm, uint32_t found, struct taken *t)
{
    uint32_t there = r->label;
    write_branch(r, arm->merge);
    begin_block(r, arm->merge);
    t->record_index = VALUE(r, SpvOpPhi, type_vector(r, SCALAR_UINT, 1), t->record_index, arm->before, found, there);
}

static void write_binding(struct rewriter *r, struct taken *t, const struct passed *passed)
{
    const struct spirv_binding *binding = &r->layout->sets[passed->first].bindings[passed->second];
    const uint32_t each = binding->split != 0 ? SPIRV_RECORDS_OF_SPLIT : 1;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t set = constant_uint(r, passed->first);
    uint32_t first = constant_uint(r, binding->first_record);
    uint32_t all = constant_uint(r, binding->count * each);
    uint32_t in_set = VALUE(r, SpvOpIEqual, type_bool(r), t->which, set);
    struct index_element element = {.id = VALUE(r, SpvOpISub, uint_type, t->record, first)};
    uint32_t in_binding = VALUE(r, SpvOpULessThan, type_bool(r), element.id, all);
    const struct arm arm = begin_arm(r, VALUE(r, SpvOpLogicalAnd, type_bool(r), in_set, in_binding));
    uint32_t half = 0;
    if (binding->split != 0) {
        uint32_t records = constant_uint(r, each);
        half = VALUE(r, SpvOpUMod, uint_type, element.id, records);
        element.id = VALUE(r, SpvOpUDiv, uint_type, element.id, records);
    }
    end_arm(r, &arm, record_index_in_set(r, passed->first, binding, &t->declared, &element, half), t);
}

/* One part of a mapping: the whole mapping, except for combined image samplers, which have two. */
static void write_part(struct rewriter *r, struct taken *t, const struct record_source *source, uint32_t record_index)
{
    uint32_t key = constant_uint(r, (record_index << IDENTITY_SET_SHIFT | part_of(source)) >> PART_SHIFT);
    uint32_t places = constant_uint(r, PART_SHIFT);
    uint32_t own = VALUE(r, SpvOpShiftRightLogical, type_vector(r, SCALAR_UINT, 1), t->identity, places);
    const struct arm arm = begin_arm(r, VALUE(r, SpvOpIEqual, type_bool(r), own, key));
    const struct index_element element = {.id = bits_of(r, t->identity, 0, ELEMENT_MASK)};
    end_arm(r, &arm, record_index_in_mapping(r, source, &element), t);
}

static void write_mapping(struct rewriter *r, struct taken *t, const struct passed *passed, uint32_t record_index)
{
    struct record_source source = {
        .origin = ORIGIN_HEAP,
        .declared = (enum record_half)passed->first,
        .half = (enum record_half)passed->first,
        .mapping = &r->layout->mappings[passed->second],
    };
    const bool combined = source.declared == HALF_BOTH;
    for (uint32_t part = HALF_IMAGE; combined && part <= HALF_SAMPLER; part++) {
        source.half = (enum record_half)part;
        if (!record_index_unreachable(r, &source))
            write_part(r, t, &source, record_index);
    }
    if (!combined)
        write_part(r, t, &source, record_index);
}

static void write_bytes(struct rewriter *r, struct taken *t, uint32_t base, uint32_t kind)
{
    uint32_t key = constant_uint(r, kind);
    uint32_t places = constant_uint(r, HEAP_BIT);
    uint32_t own = VALUE(r, SpvOpShiftRightLogical, type_vector(r, SCALAR_UINT, 1), t->identity, places);
    const struct arm arm = begin_arm(r, VALUE(r, SpvOpIEqual, type_bool(r), own, key));
    end_arm(r, &arm, record_index_in_heap(r, base, bits_of(r, t->identity, 0, WORD_MASK)), t);
}

void identity_write_function(struct rewriter *r)
{
    const bool heaps = trace_is_in_heaps(r->layout);
    if (r->embedded->function == 0)
        return;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t type = TYPE(r, SpvOpTypeFunction, uint_type, uint_type, uint_type);
    struct taken t = {.identity = new_id(r), .declared = {.id = new_id(r)}};
    WRITE(r, SpvOpFunction, uint_type, r->embedded->function, SpvFunctionControlMaskNone, type);
    WRITE(r, SpvOpFunctionParameter, uint_type, t.identity);
    WRITE(r, SpvOpFunctionParameter, uint_type, t.declared.id);
    begin_block(r, new_id(r));
    t.record_index = constant_uint(r, 0);
    t.which = bits_of(r, t.identity, IDENTITY_SET_SHIFT, IDENTITY_SETS);
    t.record = bits_of(r, t.identity, 0, (1u << IDENTITY_SET_SHIFT) - 1);
    for (uint32_t i = 0; i < r->embedded->passed.count && !r->out_of_memory; i += PASSED_WORDS) {
        const struct passed passed = passed_at(r, i);
        if (!heaps)
            write_binding(r, &t, &passed);
        else if (i / PASSED_WORDS < IDENTITY_SETS)
            write_mapping(r, &t, &passed, i / PASSED_WORDS);
    }
    if (r->embedded->passes_bytes) {
        write_bytes(r, &t, r->layout->heaps.image_base, 2);
        write_bytes(r, &t, r->layout->heaps.sampler_base, 3);
    }
    WRITE(r, SpvOpReturnValue, t.record_index);
    write_to(r, &r->body, SpvOpFunctionEnd, module_no_instruction, 0);
}
