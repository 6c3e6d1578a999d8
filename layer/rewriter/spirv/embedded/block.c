/* SPDX-License-Identifier: MIT */
/* Reads sizes and offsets of types from their decorations. Groups of decorations are not followed. */
#include "spirv/embedded/block.h"

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
    for (uint32_t at = m->names_end; at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
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

/* ---- Words ---- */

#define WORD_BYTES 4u

static bool add_index(struct block_path *path, uint32_t index)
{
    if (path->count == BLOCK_PATH_MOST)
        return false;
    path->indices[path->count++] = index;
    return true;
}

static enum block_word find_in_struct(const struct module *m, uint32_t type, uint64_t offset, struct place *place,
                                      uint64_t *within, struct block_path *path);

/* Steps into the element of a vector, matrix or array; false if there is no such step. `*offset` becomes that in it. */
static bool step_into(const struct module *m, struct place *place, uint64_t *offset, struct block_path *path)
{
    const uint32_t *inst = module_definition(m, place->type);
    uint32_t stride, row_major;
    uint64_t size;
    switch (inst_opcode(inst)) {
    case SpvOpTypeVector:
        if (!size_of(m, (struct place){inst[2], place->of, place->member}, 0, &size) || size == 0)
            return false;
        stride = (uint32_t)size;
        break;
    case SpvOpTypeMatrix:
        if (decoration(m, place->of, place->member, SpvDecorationRowMajor, &row_major) ||
            !decoration(m, place->of, place->member, SpvDecorationMatrixStride, &stride) || stride == 0)
            return false;
        break;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        if (!decoration(m, place->type, NO_MEMBER, SpvDecorationArrayStride, &stride) || stride == 0)
            return false;
        break;
    default:
        return false;
    }
    const uint64_t index = *offset / stride;
    *offset %= stride;
    place->type = inst[2];
    return index <= UINT32_MAX && add_index(path, (uint32_t)index);
}

/* Follows the bytes into a member until they are a scalar's, or an address. */
static enum block_word find_in_member(const struct module *m, struct place place, uint64_t offset,
                                      struct block_path *path)
{
    for (uint32_t depth = 0; depth < DEEPEST_TYPE; depth++) {
        const uint32_t *inst = module_definition(m, place.type);
        const uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpTypeInt || opcode == SpvOpTypeFloat || opcode == SpvOpTypePointer) {
            const uint32_t bits = opcode == SpvOpTypePointer ? ADDRESS_BYTES * 8 : inst[2];
            path->type = place.type;
            path->words = bits / 32;
            path->word = (uint32_t)(offset / WORD_BYTES);
            const bool whole = (bits == 32 || bits == 64) && offset % WORD_BYTES == 0 && path->word < path->words;
            return whole ? BLOCK_WORD_THERE : BLOCK_WORD_UNKNOWN;
        }
        if (opcode == SpvOpTypeStruct) {
            if (find_in_struct(m, place.type, offset, &place, &offset, path) != BLOCK_WORD_THERE)
                return BLOCK_WORD_UNKNOWN;
        } else if (!step_into(m, &place, &offset, path)) {
            return BLOCK_WORD_UNKNOWN;
        }
    }
    return BLOCK_WORD_UNKNOWN;
}

/* The member that has the word, as a place, and where in it the word begins. */
static enum block_word find_in_struct(const struct module *m, uint32_t type, uint64_t offset, struct place *place,
                                      uint64_t *within, struct block_path *path)
{
    const uint32_t *inst = module_definition(m, type);
    enum block_word found = BLOCK_WORD_FREE;
    for (uint32_t i = 0; i + 2 < inst_length(inst); i++) {
        const struct place member = {inst[2 + i], type, i};
        uint32_t at;
        uint64_t size = UINT32_MAX;
        if (!decoration(m, type, i, SpvDecorationOffset, &at) ||
            (module_opcode(m, member.type) != SpvOpTypeRuntimeArray && !size_of(m, member, 0, &size)))
            return BLOCK_WORD_UNKNOWN;
        if (offset + WORD_BYTES <= at || offset >= at + size)
            continue;
        if (offset < at || offset + WORD_BYTES > at + size || found != BLOCK_WORD_FREE || !add_index(path, i))
            return BLOCK_WORD_UNKNOWN;
        found = BLOCK_WORD_THERE;
        *place = member;
        *within = offset - at;
    }
    return found;
}

enum block_word block_find_word(const struct module *m, uint32_t type, uint32_t offset, struct block_path *path)
{
    struct place place = {0, 0, 0};
    uint64_t within = 0;
    path->count = 0;
    if (module_opcode(m, type) != SpvOpTypeStruct)
        return BLOCK_WORD_UNKNOWN;
    enum block_word found = find_in_struct(m, type, offset, &place, &within, path);
    return found == BLOCK_WORD_THERE ? find_in_member(m, place, within, path) : found;
}
