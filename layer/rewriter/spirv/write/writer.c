/* SPDX-License-Identifier: MIT */
/* Writes single instructions into the body: values, blocks, branches, and arrays of the function. */
#include "spirv/write/writer.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

uint32_t write_value(struct rewriter *r, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t id = new_id(r);
    uint32_t *place = words_grow(r, &r->body, count + 3);
    if (place) {
        place[0] = inst_word0(opcode, count + 3);
        place[1] = type;
        place[2] = id;
        memcpy(place + 3, operands, count * sizeof(uint32_t));
    }
    return id;
}

/*
 * A value of the program's in 32 bits. Copies would not do, and other values than those that are decorated may come
 * from them: bits of another type have no precision.
 */
static uint32_t in_all_bits(struct rewriter *r, uint32_t value)
{
    const struct module *m = r->m;
    const uint32_t opcode = module_opcode(m, value);
    const bool constant = opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp;
    const uint32_t type = m->relaxed && !constant ? module_type_of(m, value) : 0;
    const uint32_t *scalar = module_definition(m, type);
    uint32_t axes = 1;
    if (inst_opcode(scalar) == SpvOpTypeVector) {
        axes = scalar[3];
        scalar = module_definition(m, scalar[2]);
    }
    const bool integer = inst_opcode(scalar) == SpvOpTypeInt;
    if (axes > 4 || (!integer && inst_opcode(scalar) != SpvOpTypeFloat) || scalar[2] != 32)
        return value;
    const uint32_t bits = type_vector(r, integer && scalar[3] == 0 ? SCALAR_INT : SCALAR_UINT, axes);
    return VALUE(r, SpvOpBitcast, type, VALUE(r, SpvOpBitcast, bits, value));
}

uint32_t write_call(struct rewriter *r, uint32_t type, uint32_t function, const uint32_t *arguments, uint32_t count)
{
    enum { MOST_ARGUMENTS = 11 };
    uint32_t operands[1 + MOST_ARGUMENTS] = {function};
    if (count > MOST_ARGUMENTS) { /* no function of the library has so many: nothing that is tested comes here */
        words_exceed(r, "arguments");
        return function;
    }
    for (uint32_t i = 0; i < count; i++)
        operands[1 + i] = in_all_bits(r, arguments[i]);
    return write_value(r, SpvOpFunctionCall, type, operands, 1 + count);
}

void begin_block(struct rewriter *r, uint32_t label)
{
    WRITE(r, SpvOpLabel, label);
    r->label = label;
    r->block++;
}

void write_branch(struct rewriter *r, uint32_t label)
{
    WRITE(r, SpvOpBranch, label);
}

void write_selection(struct rewriter *r, uint32_t condition, uint32_t yes, uint32_t no, uint32_t merge)
{
    WRITE(r, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    WRITE(r, SpvOpBranchConditional, condition, yes, no);
}

void write_name(struct rewriter *r, uint32_t id, const char *name)
{
    uint32_t length = (uint32_t)strlen(name);
    uint32_t count = length / 4 + 1;
    uint32_t *place = words_grow(r, &r->names, count + 2);
    if (place) {
        place[0] = inst_word0(SpvOpName, count + 2);
        place[1] = id;
        place[count + 1] = 0;
        memcpy(place + 2, name, length);
    }
}

void decorate_like(struct rewriter *r, uint32_t id, uint32_t marks)
{
    if (marks & MARK_RELAXED)
        write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationRelaxedPrecision));
    if (marks & MARK_NON_UNIFORM)
        write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationNonUniform));
}

struct local_array local_array(struct rewriter *r, uint32_t type, uint32_t count)
{
    struct local_array array = {.variable = new_id(r), .element_type = type};
    uint32_t length = constant_uint(r, count);
    uint32_t whole = TYPE(r, SpvOpTypeArray, type, length);
    uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassFunction, whole);
    array.element = TYPE(r, SpvOpTypePointer, SpvStorageClassFunction, type);
    write_to(r, &r->variables, SpvOpVariable, OPERANDS(pointer, array.variable, SpvStorageClassFunction));
    return array;
}

void local_array_store(struct rewriter *r, const struct local_array *array, uint32_t index, uint32_t value)
{
    uint32_t place = VALUE(r, SpvOpAccessChain, array->element, array->variable, index);
    WRITE(r, SpvOpStore, place, value);
}

uint32_t local_array_load(struct rewriter *r, const struct local_array *array, uint32_t index)
{
    uint32_t place = VALUE(r, SpvOpAccessChain, array->element, array->variable, index);
    return VALUE(r, SpvOpLoad, array->element_type, place);
}
