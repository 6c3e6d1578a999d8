/* SPDX-License-Identifier: MIT */
/*
 * Coordinates, offsets and sampled images as the library's functions take them: padded to vectors of one size, and
 * loaded again in the block that uses them.
 */
#include "spirv/operands/operands.h"
#include "spirv/module/trace.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

uint32_t pad_axes(struct rewriter *r, uint32_t vector, uint32_t axes)
{
    if (axes == 3)
        return vector;
    uint32_t vec3 = type_vector(r, SCALAR_FLOAT, 3);
    uint32_t zero = constant_float(r, 0.0f);
    return axes == 2 ? VALUE(r, SpvOpCompositeConstruct, vec3, vector, zero)
                     : VALUE(r, SpvOpCompositeConstruct, vec3, vector, zero, zero);
}

uint32_t unpad_axes(struct rewriter *r, uint32_t vector, uint32_t axes)
{
    if (axes == 3)
        return vector;
    uint32_t type = type_vector(r, SCALAR_FLOAT, axes);
    return axes == 2 ? VALUE(r, SpvOpVectorShuffle, type, vector, vector, 0, 1)
                     : VALUE(r, SpvOpCompositeExtract, type, vector, 0);
}

uint32_t coordinate_component(struct rewriter *r, const struct lookup *l, uint32_t component)
{
    return l->coordinate_size == 1
               ? l->coordinate
               : VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_FLOAT, 1), l->coordinate, component);
}

/* A texel offset as ivec3. */
uint32_t padded_offset(struct rewriter *r, uint32_t offset)
{
    uint32_t type = module_type_of(r->m, offset);
    uint32_t components = lookup_components_of(r->m, type, SpvOpTypeInt);
    uint32_t own = type_vector(r, SCALAR_INT, components);
    uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    uint32_t zero = constant_int(r, 0);
    if (type != own)
        offset = VALUE(r, SpvOpBitcast, own, offset);
    return components == 3   ? offset
           : components == 2 ? VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero)
                             : VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero, zero);
}

bool type_is_opaque(const struct module *m, uint32_t type)
{
    const uint32_t *inst = module_definition(m, type);
    for (uint32_t depth = 0; depth <= RECORD_STEPS && inst_opcode(inst) == SpvOpTypeArray; depth++)
        inst = module_definition(m, inst[2]);
    uint32_t opcode = inst_opcode(inst);
    return opcode == SpvOpTypeImage || opcode == SpvOpTypeSampler || opcode == SpvOpTypeSampledImage;
}

bool image_is_gone(const struct rewriter *r, uint32_t id)
{
    const uint32_t *inst = module_definition(r->m, id);
    uint32_t opcode = inst_opcode(inst);
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
    if (!image_is_gone(r, id))
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
    const uint32_t *inst = module_definition(r->m, id);
    if (inst_opcode(inst) != SpvOpSampledImage)
        return opaque_here(r, id);
    if (module_id(r->m, id)->written_in == r->block)
        return id;
    uint32_t image = opaque_here(r, inst[3]);
    uint32_t sampler = opaque_here(r, inst[4]);
    uint32_t again = VALUE(r, SpvOpSampledImage, inst[1], image, sampler);
    decorate_like(r, again, module_id(r->m, id)->marks);
    return again;
}

uint32_t axes_coordinate(struct rewriter *r, const struct lookup *l)
{
    uint32_t components = lookup_axes_components(l);
    uint32_t type = type_vector(r, SCALAR_FLOAT, components);
    uint32_t s = l->coordinate;
    if (l->coordinate_size != components) {
        static const uint32_t first[] = {0, 1, 2};
        uint32_t operands[5] = {l->coordinate, l->coordinate};
        memcpy(operands + 2, first, sizeof(first));
        s = components == 1 ? coordinate_component(r, l, 0)
                            : write_value(r, SpvOpVectorShuffle, type, operands, 2 + components);
    }
    if (l->projective) {
        uint32_t q = coordinate_component(r, l, l->axes);
        const uint32_t qs[3] = {q, q, q};
        uint32_t divisor = l->axes == 1 ? q : write_value(r, SpvOpCompositeConstruct, type, qs, l->axes);
        s = VALUE(r, SpvOpFDiv, type, s, divisor);
    }
    return s;
}

uint32_t whole_coordinate(struct rewriter *r, const struct lookup *l, uint32_t s)
{
    uint32_t components = lookup_axes_components(l);
    if (!l->arrayed)
        return s;
    uint32_t layer = coordinate_component(r, l, components);
    return VALUE(r, SpvOpCompositeConstruct, type_vector(r, SCALAR_FLOAT, components + 1), s, layer);
}
