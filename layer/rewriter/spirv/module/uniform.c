/* SPDX-License-Identifier: MIT */
/*
 * Follows a value back to constants, push constants and inputs that do not vary over a primitive: the pixels of a quad
 * are of one primitive.
 */
#include "spirv/module/uniform.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"

#define MOST_FOLLOWED 32u /* values, in all */

/* Does the pointer lead to memory that is the same for the whole quad, whichever part of it is read? */
static bool points_to_uniform(const struct module *m, uint32_t pointer)
{
    const uint32_t *inst = module_definition(m, pointer);
    if (inst_opcode(inst) != SpvOpVariable && inst_opcode(inst) != OP_UNTYPED_VARIABLE)
        return false;
    return inst[3] == SpvStorageClassPushConstant ||
           (inst[3] == SpvStorageClassInput && (module_marks(m, pointer) & (MARK_FLAT | MARK_BUILT_IN)) == MARK_FLAT);
}

static bool is_uniform(const struct module *m, uint32_t id, uint32_t *left);

static bool operands_uniform(const struct module *m, const uint32_t *inst, uint32_t first, uint32_t end, uint32_t *left)
{
    bool uniform = true;
    for (uint32_t i = first; uniform && i < end; i++)
        uniform = is_uniform(m, inst[i], left);
    return uniform;
}

/* A load by a chain with uniform indices. */
static bool load_uniform(const struct module *m, uint32_t pointer, uint32_t *left)
{
    const uint32_t *inst = module_definition(m, pointer);
    uint32_t base = opcode_chain_base(inst_opcode(inst));
    if (base == 0)
        return points_to_uniform(m, pointer);
    return points_to_uniform(m, inst[base]) && operands_uniform(m, inst, base + 1, inst_length(inst), left);
}

/* `left`: how many values may still be followed. */
static bool is_uniform(const struct module *m, uint32_t id, uint32_t *left)
{
    const uint32_t *inst = module_definition(m, id);
    uint32_t opcode = inst_opcode(inst), length = inst_length(inst);
    if (*left == 0 || opcode == 0)
        return false;
    --*left;
    if (module_id(m, id)->definition < m->functions_at || (module_marks(m, id) & MARK_UNIFORM))
        return opcode != SpvOpVariable && opcode != OP_UNTYPED_VARIABLE;
    if (opcode == SpvOpLoad)
        return load_uniform(m, inst[3], left);
    if (opcode == SpvOpCompositeExtract)
        return is_uniform(m, inst[3], left);
    bool arithmetic = opcode >= SpvOpConvertFToU && opcode <= SpvOpBitCount && opcode != SpvOpGenericCastToPtrExplicit;
    return (arithmetic || opcode == SpvOpCopyObject) && operands_uniform(m, inst, 3, length, left);
}

bool value_is_uniform(const struct module *m, uint32_t id)
{
    uint32_t left = MOST_FOLLOWED;
    return is_uniform(m, id, &left);
}
