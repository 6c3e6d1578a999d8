/* SPDX-License-Identifier: MIT */
/*
 * Coordinates, offsets and sampled images as the library's functions take them: padded to vectors of one size, and
 * loaded again in the block that uses them.
 */
#include "spirv/operands/operands.h"

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

uint32_t padded_ints(struct rewriter *r, uint32_t vector, uint32_t components)
{
    uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    uint32_t zero = constant_int(r, 0);
    return components == 3   ? vector
           : components == 2 ? VALUE(r, SpvOpCompositeConstruct, ivec3, vector, zero)
                             : VALUE(r, SpvOpCompositeConstruct, ivec3, vector, zero, zero);
}

/* A texel offset as ivec3. */
uint32_t padded_offset(struct rewriter *r, uint32_t offset)
{
    uint32_t type = module_type_of(r->m, offset);
    uint32_t components = lookup_components_of(r->m, type, SpvOpTypeInt);
    uint32_t own = type_vector(r, SCALAR_INT, components);
    if (type != own)
        offset = VALUE(r, SpvOpBitcast, own, offset);
    return padded_ints(r, offset, components);
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
