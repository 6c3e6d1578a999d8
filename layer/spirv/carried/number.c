/* SPDX-License-Identifier: MIT */
/*
 * Writes loads of numbers and of the records that they lead to:
 *
 *     number = base of the set[offset + element * stride]        0 if that can be none
 *     record = directory[number >> ROOT_CHUNK_SHIFT][number & ROOT_CHUNK_MASK]
 */
#include "spirv/carried/number.h"

#include <spirv/unified1/spirv.h>
#include "record/root.h"
#include "spirv/carried/carried.h"
#include "spirv/carried/index.h"
#include "spirv/carried/pushed.h"
#include "spirv/write/memory.h"

#define WORD_BYTES 4u
#define QUARTERS_SHIFT 2u /* a record is four uvec4 */

enum { PASSED_WORDS = 2 };

/* Which element of a binding: a value, or (id 0) a constant. */
struct element {
    uint32_t id, constant;
    uint32_t inside; /* bool: the value is less than the binding's count; 0: certain */
};

const char *number_unreachable(struct rewriter *r, const struct record_source *source)
{
    const struct spirv_carried *c = &source->binding->carried;
    if (c->numbers)
        return NULL;
    if ((c->offset[source->declared] | c->stride) % WORD_BYTES != 0)
        return "its descriptors do not lie at whole words";
    return pushed_unreachable(r);
}

/* ---- The way to a number ---- */

static uint32_t root_at(struct rewriter *r, uint32_t index)
{
    const struct memory_type *pairs = memory_pairs(r);
    uint32_t root = memory_at(r, pairs, pushed_root(r));
    return memory_load(r, pairs, root, constant_uint(r, index));
}

/* What the shader has declared: known, or (`id` is not 0) a value of enum record_half. */
struct declared {
    uint32_t id;
    enum record_half half;
};

/* Words from the base to the first number, as a uint. */
static uint32_t first_word(struct rewriter *r, const struct spirv_carried *c, const struct declared *declared)
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

/* The number in memory. */
static uint32_t load_number(struct rewriter *r, uint32_t set, const struct spirv_carried *c,
                            const struct declared *declared, const struct element *element)
{
    const uint32_t stride = c->stride / WORD_BYTES;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    const struct memory_type *words = memory_words(r);
    uint32_t base = memory_at(r, words, root_at(r, 1 + set));
    uint32_t index;
    if (element->id != 0) {
        uint32_t first = first_word(r, c, declared);
        uint32_t step = constant_uint(r, stride);
        index = VALUE(r, SpvOpIMul, uint_type, element->id, step);
        index = VALUE(r, SpvOpIAdd, uint_type, index, first);
    } else {
        index = constant_uint(r, c->offset[declared->half] / WORD_BYTES + element->constant * stride);
    }
    return memory_load(r, words, base, index);
}

/* The number in the layout. Equal ones that follow each other are told apart from the rest by one comparison. */
static uint32_t choose_number(struct rewriter *r, const struct spirv_carried *c, uint32_t count,
                              const struct element *element)
{
    if (element->id == 0)
        return constant_uint(r, c->numbers[element->constant]);
    uint32_t number = constant_uint(r, c->numbers[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (c->numbers[i] == c->numbers[i - 1])
            continue;
        uint32_t from = constant_uint(r, i);
        uint32_t other = constant_uint(r, c->numbers[i]);
        uint32_t reached = VALUE(r, SpvOpUGreaterThanEqual, type_bool(r), element->id, from);
        number = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), reached, other, number);
    }
    return number;
}

/* A number as it was found -> that of the whole's or a half's record, or 0. `half` is a uint; 0: the whole. */
static uint32_t checked_number(struct rewriter *r, uint32_t found, uint32_t half, uint32_t inside)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t one = constant_uint(r, 1);
    uint32_t most = constant_uint(r, ROOT_NUMBERS - SPIRV_RECORDS_OF_HALVES);
    uint32_t zero = constant_uint(r, 0);
    uint32_t before = VALUE(r, SpvOpISub, uint_type, found, one);
    uint32_t valid = VALUE(r, SpvOpULessThan, type_bool(r), before, most);
    if (inside != 0)
        valid = VALUE(r, SpvOpLogicalAnd, type_bool(r), valid, inside);
    uint32_t number = half != 0 ? VALUE(r, SpvOpIAdd, uint_type, found, half) : found;
    return VALUE(r, SpvOpSelect, uint_type, valid, number, zero);
}

static uint32_t find_number(struct rewriter *r, uint32_t set, const struct spirv_binding *binding,
                            const struct declared *declared, const struct element *element, uint32_t half)
{
    const struct spirv_carried *c = &binding->carried;
    uint32_t found =
        c->numbers ? choose_number(r, c, binding->count, element) : load_number(r, set, c, declared, element);
    return checked_number(r, found, half, element->inside);
}

/* A value that may lie behind the binding's last element. */
static struct element element_within(struct rewriter *r, uint32_t index, uint32_t count)
{
    uint32_t all = constant_uint(r, count);
    uint32_t first = constant_uint(r, 0);
    struct element element;
    element.constant = 0;
    element.inside = VALUE(r, SpvOpULessThan, type_bool(r), index, all);
    element.id = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), element.inside, index, first);
    return element;
}

/* ---- By source ---- */

static uint32_t records_each(const struct spirv_binding *binding)
{
    return binding->halves != 0 ? SPIRV_RECORDS_OF_HALVES : 1;
}

static uint32_t write_number(struct rewriter *r, const struct record_source *source)
{
    const struct spirv_binding *binding = source->binding;
    const uint32_t each = records_each(binding);
    const uint32_t first = source->first - binding->first_record;
    uint32_t index = dynamic_index(r, source, each);
    struct element element = {.constant = first / each};
    if (index != 0)
        element = element_within(r, add_constant(r, index, first / each), binding->count);
    uint32_t half = first % each != 0 ? constant_uint(r, first % each) : 0;
    const struct declared declared = {.half = source->declared};
    return find_number(r, source->set, binding, &declared, &element, half);
}

uint32_t number_of(struct rewriter *r, const struct record_source *source)
{
    struct carried *c = r->carried;
    for (uint32_t i = 0; i < c->known_count; i++) {
        if (trace_same_source(&c->known[i].source, source))
            return c->known[i].id;
    }
    uint32_t number = write_number(r, source);
    if (c->known_count < KNOWN_NUMBERS)
        c->known[c->known_count++] = (struct known_number){*source, number};
    return number;
}

void number_forget(struct rewriter *r)
{
    r->carried->known_count = 0;
}

uint32_t number_load(struct rewriter *r, uint32_t number, uint32_t quarter)
{
    struct carried *c = r->carried;
    const struct memory_type *quads = memory_quads(r);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (c->last.block != r->block || c->last.number != number) {
        const struct memory_type *pairs = memory_pairs(r);
        uint32_t shift = constant_uint(r, ROOT_CHUNK_SHIFT);
        uint32_t mask = constant_uint(r, ROOT_CHUNK_MASK);
        uint32_t quarters = constant_uint(r, QUARTERS_SHIFT);
        uint32_t directory = memory_at(r, pairs, root_at(r, 0));
        uint32_t which = VALUE(r, SpvOpShiftRightLogical, uint_type, number, shift);
        uint32_t chunk = memory_at(r, quads, memory_load(r, pairs, directory, which));
        uint32_t within = VALUE(r, SpvOpBitwiseAnd, uint_type, number, mask);
        c->last.first = VALUE(r, SpvOpShiftLeftLogical, uint_type, within, quarters);
        c->last.chunk = chunk;
        c->last.number = number;
        c->last.block = r->block;
    }
    uint32_t index = VALUE(r, SpvOpIAdd, uint_type, c->last.first, quarter);
    return memory_load(r, quads, c->last.chunk, index);
}

/* ---- By identity ---- */

void number_passed(struct rewriter *r, const struct record_source *source)
{
    struct words *passed = &r->carried->passed;
    const struct spirv_binding *bindings = r->layout->sets[source->set].bindings;
    const uint32_t one[PASSED_WORDS] = {source->set, (uint32_t)(source->binding - bindings)};
    for (uint32_t i = 0; i < passed->count; i += PASSED_WORDS) {
        if (passed->data[i] == one[0] && passed->data[i + 1] == one[1])
            return;
    }
    words_append(r, passed, one, PASSED_WORDS);
}

uint32_t number_by_identity(struct rewriter *r, uint32_t set, uint32_t record, uint32_t declared)
{
    if (r->carried->passed.count == 0)
        return constant_uint(r, 0);
    if (r->carried->function == 0) {
        r->carried->function = new_id(r);
        write_name(r, r->carried->function, "clampler_number_of");
    }
    return VALUE(r, SpvOpFunctionCall, type_vector(r, SCALAR_UINT, 1), r->carried->function, set, record, declared);
}

/* The number of a record that is in this binding, from its place in the binding. */
static uint32_t number_in_binding(struct rewriter *r, uint32_t set, const struct spirv_binding *binding,
                                  const struct declared *declared, uint32_t place)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t half = 0;
    struct element element = {.id = place};
    if (binding->halves != 0) {
        uint32_t each = constant_uint(r, SPIRV_RECORDS_OF_HALVES);
        element.id = VALUE(r, SpvOpUDiv, uint_type, place, each);
        half = VALUE(r, SpvOpUMod, uint_type, place, each);
    }
    return find_number(r, set, binding, declared, &element, half);
}

/*
 * uint number_of(uint set, uint record, uint declared): for each binding that identities name
 *
 *     if (set and record are in the binding)
 *         number = the number there
 *
 * with branches, because sets that are not bound are in no memory.
 */
void number_write_function(struct rewriter *r)
{
    const struct words *passed = &r->carried->passed;
    if (r->carried->function == 0)
        return;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t type = TYPE(r, SpvOpTypeFunction, uint_type, uint_type, uint_type, uint_type);
    uint32_t set = new_id(r), record = new_id(r);
    const struct declared declared = {.id = new_id(r)};
    WRITE(r, SpvOpFunction, uint_type, r->carried->function, SpvFunctionControlMaskNone, type);
    WRITE(r, SpvOpFunctionParameter, uint_type, set);
    WRITE(r, SpvOpFunctionParameter, uint_type, record);
    WRITE(r, SpvOpFunctionParameter, uint_type, declared.id);
    begin_block(r, new_id(r));
    uint32_t number = constant_uint(r, 0);
    for (uint32_t i = 0; i < passed->count && !r->out_of_memory; i += PASSED_WORDS) {
        const uint32_t own_set = passed->data[i];
        const struct spirv_binding *binding = &r->layout->sets[own_set].bindings[passed->data[i + 1]];
        uint32_t which = constant_uint(r, own_set);
        uint32_t first = constant_uint(r, binding->first_record);
        uint32_t all = constant_uint(r, binding->count * records_each(binding));
        uint32_t in_set = VALUE(r, SpvOpIEqual, type_bool(r), set, which);
        uint32_t place = VALUE(r, SpvOpISub, uint_type, record, first);
        uint32_t in_binding = VALUE(r, SpvOpULessThan, type_bool(r), place, all);
        uint32_t own = VALUE(r, SpvOpLogicalAnd, type_bool(r), in_set, in_binding);
        uint32_t before = r->label, there = new_id(r), merge = new_id(r);
        write_selection(r, own, there, merge, merge);
        begin_block(r, there);
        uint32_t found = number_in_binding(r, own_set, binding, &declared, place);
        write_branch(r, merge);
        begin_block(r, merge);
        number = VALUE(r, SpvOpPhi, uint_type, number, before, found, there);
    }
    WRITE(r, SpvOpReturnValue, number);
    write_to(r, &r->body, SpvOpFunctionEnd, module_no_instruction, 0);
}
