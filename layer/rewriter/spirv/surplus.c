/* SPDX-License-Identifier: MIT */
/* Finds whether outputs of a fragment shader can become private variables: follows their pointers. */
#include "spirv/surplus.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"

enum { DEEPEST_CHAIN = 8 };

static bool is_variable(const struct surplus *surplus, uint32_t id)
{
    for (uint32_t i = 0; i < surplus->count; i++) {
        if (surplus->variables[i] == id)
            return true;
    }
    return false;
}

bool surplus_add(struct surplus *surplus, uint32_t variable)
{
    if (is_variable(surplus, variable))
        return true;
    if (surplus->count == SURPLUS_MOST)
        return false;
    surplus->variables[surplus->count++] = variable;
    return true;
}

static bool is_chain(uint32_t opcode)
{
    return opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain;
}

bool surplus_has(const struct module *m, const struct surplus *surplus, uint32_t id)
{
    for (uint32_t depth = 0; depth < DEEPEST_CHAIN && is_chain(module_opcode(m, id)); depth++)
        id = module_definition(m, id)[3];
    return is_variable(surplus, id);
}

/* The first operand of an instruction that wants a pointer of one type, and is no chain; 0: it is none. */
static uint32_t first_pointer(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpReturnValue:
        return 1;
    case SpvOpFunctionCall:
    case SpvOpPhi:
    case SpvOpSelect:
    case SpvOpCopyObject:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpPtrEqual:
    case SpvOpPtrNotEqual:
    case SpvOpPtrDiff:
        return 3;
    default:
        return 0;
    }
}

static bool passes_on(const struct module *m, const struct surplus *surplus, const uint32_t *inst)
{
    const uint32_t first = first_pointer(inst_opcode(inst));
    for (uint32_t i = first; first != 0 && i < inst_length(inst); i++) {
        if (surplus_has(m, surplus, inst[i]))
            return true;
    }
    return false;
}

bool surplus_is_chain(const struct module *m, const struct surplus *surplus, const uint32_t *inst)
{
    return is_chain(inst_opcode(inst)) && surplus_has(m, surplus, inst[3]);
}

/* False: it is no type of pointers, or there are too many. */
static bool add_pointer(const struct module *m, struct surplus *surplus, uint32_t type)
{
    for (uint32_t i = 0; i < surplus->pointer_count; i++) {
        if (surplus->pointers[i] == type)
            return true;
    }
    if (module_opcode(m, type) != SpvOpTypePointer || surplus->pointer_count == SURPLUS_TYPES)
        return false;
    surplus->pointers[surplus->pointer_count++] = type;
    return true;
}

/* A chain of chains that is longer than surplus_has() follows. */
static bool is_too_deep(const struct module *m, uint32_t id)
{
    uint32_t depth = 0;
    for (; depth < DEEPEST_CHAIN && is_chain(module_opcode(m, id)); depth++)
        id = module_definition(m, id)[3];
    return is_chain(module_opcode(m, id));
}

static bool has_one_entry_point(const struct module *m)
{
    const uint32_t at = m->entry_points_at, end = m->entry_points_end;
    return at < end && at + inst_length(m->words + at) == end;
}

static bool is_in_a_group(const struct module *m, const struct surplus *surplus)
{
    for (uint32_t at = m->names_end; at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        for (uint32_t i = 2; inst_opcode(inst) == SpvOpGroupDecorate && i < inst_length(inst); i++) {
            if (is_variable(surplus, inst[i]))
                return true;
        }
    }
    return false;
}

/* False: a pointer goes where its type must stay as it is, or there are too many. */
static bool follow(const struct module *m, struct surplus *surplus, const uint32_t *inst)
{
    if (passes_on(m, surplus, inst) || (is_chain(inst_opcode(inst)) && is_too_deep(m, inst[2])))
        return false;
    return !surplus_is_chain(m, surplus, inst) || add_pointer(m, surplus, inst[1]);
}

bool surplus_may_go(const struct module *m, struct surplus *surplus)
{
    if (!has_one_entry_point(m) || is_in_a_group(m, surplus))
        return false;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        if (!module_search(m, 1) || !follow(m, surplus, m->words + at))
            return false;
    }
    return true;
}

bool surplus_drops(const struct surplus *surplus, const uint32_t *decorate)
{
    if (inst_opcode(decorate) != SpvOpDecorate || inst_length(decorate) < 3)
        return false;
    const uint32_t decoration = decorate[2];
    return (decoration == SpvDecorationLocation || decoration == SpvDecorationComponent ||
            decoration == SpvDecorationIndex) &&
           is_variable(surplus, decorate[1]);
}
