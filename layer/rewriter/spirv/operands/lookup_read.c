/* SPDX-License-Identifier: MIT */
/* Parses a lookup's instruction, and its image's type: axes, layers, cube, comparison. */
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/operands/lookup_read.h"

const uint8_t lookup_operand_words[IMAGE_OPERAND_BITS] = {1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1};

bool image_operands_read(const uint32_t *inst, uint32_t at, struct image_operands *operands)
{
    uint32_t count = inst_length(inst);
    operands->mask = at < count ? inst[at] : 0;
    at++;
    if (operands->mask >> IMAGE_OPERAND_BITS != 0)
        return false;
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (!(operands->mask >> bit & 1u) || lookup_operand_words[bit] == 0)
            continue;
        if (at + lookup_operand_words[bit] > count)
            return false;
        operands->value[bit] = inst[at];
        operands->grad_y = lookup_operand_words[bit] == 2 ? inst[at + 1] : operands->grad_y;
        at += lookup_operand_words[bit];
    }
    return operands->mask == 0 || at == count;
}

uint32_t lookup_components_of(const struct module *m, uint32_t type, uint32_t scalar_opcode)
{
    uint32_t components = 1;
    const uint32_t *inst = module_definition(m, type);
    if (inst_opcode(inst) == SpvOpTypeVector) {
        components = inst[3];
        inst = module_definition(m, inst[2]);
    }
    return (inst_opcode(inst)) == scalar_opcode && inst[2] == 32 ? components : 0;
}

static bool read_image(const struct module *m, struct lookup *l)
{
    const uint32_t *sampled = module_definition(m, module_type_of(m, l->sampled_image));
    const uint32_t *image = module_definition(m, inst_opcode(sampled) == SpvOpTypeSampledImage ? sampled[2] : 0);
    if (inst_opcode(image) != SpvOpTypeImage)
        return false;
    l->image_type = sampled[2];
    l->cube = image[IMAGE_DIM] == SpvDimCube;
    l->axes = l->cube ? 2 : image[IMAGE_DIM] <= SpvDim3D && image[IMAGE_MULTISAMPLED] == 0 ? image[IMAGE_DIM] + 1 : 0;
    l->arrayed = image[IMAGE_ARRAYED] == 1;
    const uint32_t *texel = module_definition(m, image[IMAGE_SAMPLED_TYPE]);
    if (inst_opcode(texel) == SpvOpTypeInt)
        l->texels = texel[3] != 0 ? SCALAR_INT : SCALAR_UINT;
    else
        l->texels = SCALAR_FLOAT;
    return image[IMAGE_SAMPLED] == IMAGE_IS_SAMPLED &&
           (inst_opcode(texel) == SpvOpTypeFloat || inst_opcode(texel) == SpvOpTypeInt) && texel[2] == 32;
}

/* The result must be a vec4 of the texels' type, or a float for Dref; a sparse one stands second in a struct. */
static bool has_plain_result(const struct module *m, const struct lookup *l)
{
    uint32_t type = l->result_type;
    if (l->first == LOOKUP_SPARSE_FIRST) {
        const uint32_t *pair = module_definition(m, type);
        if (inst_opcode(pair) != SpvOpTypeStruct || inst_length(pair) != 4)
            return false;
        type = pair[3];
    }
    uint32_t scalar = l->texels == SCALAR_FLOAT || l->dref ? SpvOpTypeFloat : SpvOpTypeInt;
    return lookup_components_of(m, type, scalar) == (l->dref && !l->gather ? 1u : 4u);
}

static bool has_plain_operands(const struct module *m, const struct lookup *l)
{
    const struct image_operands *o = &l->operands;
    for (uint32_t bit = SpvImageOperandsConstOffsetShift; bit <= SpvImageOperandsOffsetShift; bit++) {
        if (o->mask >> bit & 1u &&
            (l->cube || lookup_components_of(m, module_type_of(m, o->value[bit]), SpvOpTypeInt) != l->axes))
            return false;
    }
    static const uint32_t levels[] = {SpvImageOperandsBiasShift, SpvImageOperandsLodShift, SpvImageOperandsMinLodShift};
    for (uint32_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const uint32_t value = o->value[levels[i]];
        if (o->mask >> levels[i] & 1u && lookup_components_of(m, module_type_of(m, value), SpvOpTypeFloat) != 1)
            return false;
    }
    const uint32_t gradients[] = {o->value[SpvImageOperandsGradShift], o->grad_y};
    for (uint32_t i = 0; o->mask & SpvImageOperandsGradMask && i < 2; i++) {
        const uint32_t type = module_type_of(m, gradients[i]);
        if (lookup_components_of(m, type, SpvOpTypeFloat) != lookup_axes_components(l))
            return false;
    }
    if (lookup_has_four_offsets(l)) {
        uint32_t id = o->value[o->mask & SpvImageOperandsConstOffsetsMask ? SpvImageOperandsConstOffsetsShift
                                                                          : SpvImageOperandsOffsetsShift];
        const uint32_t *array = module_definition(m, module_type_of(m, id));
        if (!l->gather || l->cube || l->axes != 2 || inst_opcode(array) != SpvOpTypeArray ||
            lookup_components_of(m, array[2], SpvOpTypeInt) != 2)
            return false;
    }
    bool gradient = (o->mask & SpvImageOperandsGradMask) != 0;
    bool lod = (o->mask & SpvImageOperandsLodMask) != 0;
    return l->gather ? !gradient : l->implicit ? !gradient && !lod : gradient != lod;
}

enum lookup_kind lookup_read(const struct module *m, uint32_t offset, struct lookup *l)
{
    memset(l, 0, sizeof(*l));
    const uint32_t *inst = m->words + offset;
    uint32_t opcode = inst_opcode(inst);
    uint32_t number = (uint32_t)opcode_lookup(opcode);
    l->words = inst;
    l->first = opcode >= LOOKUP_SPARSE_FIRST ? LOOKUP_SPARSE_FIRST : LOOKUP_FIRST;
    l->gather = number >= LOOKUP_GATHER;
    l->implicit = !l->gather && (number & LOOKUP_EXPLICIT) == 0;
    l->dref = number == LOOKUP_DREF_GATHER || (!l->gather && (number & LOOKUP_DREF) != 0);
    l->projective = !l->gather && (number & LOOKUP_PROJECTIVE) != 0;
    l->result_type = inst[1];
    l->result = inst[2];
    l->sampled_image = inst[3];
    l->coordinate = inst[4];
    bool has_extra = l->dref || l->gather;
    l->extra = has_extra ? inst[5] : 0;
    if (!read_image(m, l))
        return LOOKUP_STRANGE;
    if (l->axes == 0)
        return LOOKUP_UNMOVED;
    l->coordinate_size = lookup_components_of(m, module_type_of(m, l->coordinate), SpvOpTypeFloat);
    uint32_t needed = lookup_axes_components(l) + (l->arrayed || l->projective ? 1u : 0u);
    if (l->coordinate_size < needed || l->coordinate_size > 4 || (l->projective && (l->arrayed || l->cube)) ||
        (l->arrayed && l->axes == 3) || !image_operands_read(inst, has_extra ? 6 : 5, &l->operands) ||
        !has_plain_operands(m, l) || !has_plain_result(m, l))
        return LOOKUP_STRANGE;
    return LOOKUP_TAKEN;
}
