/* SPDX-License-Identifier: MIT */
/* Reads sizes and offsets of types from their decorations. Groups of decorations are not followed. */
#include "spirv/carried/block.h"

#include <spirv/unified1/spirv.h>

#define DEEPEST_TYPE 16u
#define ADDRESS_BYTES 8u
#define NO_MEMBER UINT32_MAX

/* A decoration with one literal, of a type or (`member` is not NO_MEMBER) of a member. */
static bool decoration(const struct module *m, uint32_t type, uint32_t member, uint32_t which, uint32_t *literal)
{
    bool of_member = member != NO_MEMBER;
    const uint32_t opcode = of_member ? SpvOpMemberDecorate : SpvOpDecorate;
    const uint32_t at_which = of_member ? 3 : 2;
    for (uint32_t at = m->names_end; at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        if (inst_opcode(inst) == opcode && inst[1] == type && (!of_member || inst[2] == member) &&
            inst[at_which] == which) {
            *literal = inst_length(inst) > at_which + 1 ? inst[at_which + 1] : 0;
            return true;
        }
    }
    return false;
}

/* A type, and the decorations of the member that it is of, which say how matrices lie. */
struct place {
    uint32_t type, of, member;
};

static bool size_of(const struct module *m, struct place place, uint32_t depth, uint64_t *size);

static bool size_of_matrix(const struct module *m, const uint32_t *matrix, const struct place *place, uint64_t *size)
{
    uint32_t stride, unused;
    if (!decoration(m, place->of, place->member, SpvDecorationMatrixStride, &stride))
        return false;
    const uint32_t *column = module_definition(m, matrix[2]);
    bool rows = decoration(m, place->of, place->member, SpvDecorationRowMajor, &unused);
    if (inst_opcode(column) != SpvOpTypeVector)
        return false;
    *size = (uint64_t)stride * (rows ? column[3] : matrix[3]);
    return true;
}

static bool size_of_array(const struct module *m, const uint32_t *array, struct place place, uint32_t depth,
                          uint64_t *size)
{
    uint32_t stride, length;
    bool known = module_constant(m, array[3], &length) && length != 0 &&
                 decoration(m, place.type, NO_MEMBER, SpvDecorationArrayStride, &stride);
    place.type = array[2];
    if (!known || !size_of(m, place, depth + 1, size))
        return false;
    *size += (uint64_t)stride * (length - 1);
    return true;
}

static bool size_of_struct(const struct module *m, uint32_t type, uint32_t depth, uint64_t *size)
{
    const uint32_t *inst = module_definition(m, type);
    *size = 0;
    for (uint32_t i = 0; i + 2 < inst_length(inst); i++) {
        uint32_t offset;
        uint64_t own;
        const struct place member = {inst[2 + i], type, i};
        if (!decoration(m, type, i, SpvDecorationOffset, &offset) || !size_of(m, member, depth + 1, &own))
            return false;
        *size = offset + own > *size ? offset + own : *size;
    }
    return true;
}

static bool size_of(const struct module *m, struct place place, uint32_t depth, uint64_t *size)
{
    const uint32_t *inst = module_definition(m, place.type);
    if (depth > DEEPEST_TYPE)
        return false;
    switch (inst_opcode(inst)) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        *size = (inst[2] + 7) / 8;
        return true;
    case SpvOpTypePointer:
        *size = ADDRESS_BYTES;
        return true;
    case SpvOpTypeVector: {
        const uint32_t *component = module_definition(m, inst[2]);
        bool known = inst_opcode(component) == SpvOpTypeInt || inst_opcode(component) == SpvOpTypeFloat;
        *size = known ? (uint64_t)(component[2] + 7) / 8 * inst[3] : 0;
        return known;
    }
    case SpvOpTypeMatrix:
        return size_of_matrix(m, inst, &place, size);
    case SpvOpTypeArray:
        return size_of_array(m, inst, place, depth, size);
    case SpvOpTypeStruct:
        return size_of_struct(m, place.type, depth, size);
    default:
        return false;
    }
}

bool block_end(const struct module *m, uint32_t type, uint64_t *end)
{
    return module_opcode(m, type) == SpvOpTypeStruct && size_of_struct(m, type, 0, end);
}
