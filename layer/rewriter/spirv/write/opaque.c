/* SPDX-License-Identifier: MIT */
/* Writes images, samplers and pairs again in the current block. */
#include "spirv/write/opaque.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/trace.h"
#include "spirv/write/words.h"
#include "spirv/write/writer.h"

bool type_is_opaque(const struct module *m, uint32_t type)
{
    const uint32_t *inst = module_definition(m, type);
    for (uint32_t depth = 0; depth <= RECORD_STEPS && inst_opcode(inst) == SpvOpTypeArray; depth++)
        inst = module_definition(m, inst[2]);
    uint32_t opcode = inst_opcode(inst);
    return opcode == SpvOpTypeImage || opcode == SpvOpTypeSampler || opcode == SpvOpTypeSampledImage;
}

/* The pair that an id is a copy of; 0: none. Copies of images, samplers and loaded pairs may stay in their block. */
static uint32_t copied_pair(const struct module *m, uint32_t id)
{
    const uint32_t *inst = module_definition(m, id);
    bool copied = false;
    for (uint32_t depth = 0; depth <= RECORD_STEPS && inst_opcode(inst) == SpvOpCopyObject; depth++) {
        id = inst[3];
        inst = module_definition(m, id);
        copied = true;
    }
    return copied && inst_opcode(inst) == SpvOpSampledImage ? id : 0;
}

bool image_is_gone(const struct rewriter *r, uint32_t id)
{
    const uint32_t *inst = module_definition(r->m, id);
    uint32_t opcode = inst_opcode(inst);
    if (opcode == SpvOpCopyObject && copied_pair(r->m, id) != 0)
        opcode = SpvOpSampledImage;
    if (opcode != SpvOpSampledImage && opcode != SpvOpLoad && opcode != SpvOpCompositeExtract)
        return false;
    return type_is_opaque(r->m, inst[1]) && module_id(r->m, id)->written_in != r->block;
}

/*
 * A load of an image, sampler or sampled image, or what was taken out of a load of several, repeated where the block it
 * was written in has ended.
 */
uint32_t opaque_here(struct rewriter *r, uint32_t id)
{
    const uint32_t *inst = module_definition(r->m, id);
    if (!image_is_gone(r, id) || inst_opcode(inst) == SpvOpCopyObject)
        return id;
    uint32_t again;
    if (inst_opcode(inst) == SpvOpCompositeExtract) {
        struct words operands = {0};
        words_append(r, &operands, inst + 3, inst_length(inst) - 3);
        if (r->out_of_memory)
            return id;
        if (module_opcode(r->m, inst[3]) == SpvOpLoad)
            operands.data[0] = opaque_here(r, inst[3]);
        again = write_value(r, SpvOpCompositeExtract, inst[1], operands.data, operands.count);
        words_drop(r, &operands);
    } else {
        again = write_value(r, SpvOpLoad, inst[1], inst + 3, inst_length(inst) - 3);
    }
    decorate_like(r, again, module_id(r->m, id)->marks);
    return again;
}

uint32_t sampled_image_here(struct rewriter *r, uint32_t id)
{
    uint32_t marks = module_id(r->m, id)->marks;
    const uint32_t pair = copied_pair(r->m, id);
    if (pair != 0 && module_id(r->m, id)->written_in != r->block) {
        id = pair;
        marks |= module_id(r->m, id)->marks;
    }
    const uint32_t *inst = module_definition(r->m, id);
    if (inst_opcode(inst) != SpvOpSampledImage)
        return opaque_here(r, id);
    if (module_id(r->m, id)->written_in == r->block)
        return id;
    uint32_t image = opaque_here(r, inst[3]);
    uint32_t sampler = opaque_here(r, inst[4]);
    uint32_t again = VALUE(r, SpvOpSampledImage, inst[1], image, sampler);
    decorate_like(r, again, marks);
    return again;
}
