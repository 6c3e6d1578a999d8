/* SPDX-License-Identifier: MIT */
/* Writes the arithmetic of indices into arrays of descriptors. */
#include "spirv/embedded/index.h"

#include <spirv/unified1/spirv.h>

/* An index of any integer type as 32 unsigned bits. */
static uint32_t index_as_uint(struct rewriter *r, uint32_t index)
{
    const uint32_t *type = module_definition(r->m, module_type_of(r->m, index));
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (type[2] == 32)
        return type[3] == 0 ? index : VALUE(r, SpvOpBitcast, uint_type, index);
    if (type[3] != 0) {
        uint32_t int_type = type_vector(r, SCALAR_INT, 1);
        uint32_t wide = VALUE(r, SpvOpSConvert, int_type, index);
        return VALUE(r, SpvOpBitcast, uint_type, wide);
    }
    return VALUE(r, SpvOpUConvert, uint_type, index);
}

uint32_t dynamic_index(struct rewriter *r, const struct record_source *source, uint32_t unit)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < source->step_count; i++) {
        uint32_t term = index_as_uint(r, source->steps[i].index);
        if (source->steps[i].stride_id != 0) {
            uint32_t stride = index_as_uint(r, source->steps[i].stride_id);
            term = VALUE(r, SpvOpIMul, uint_type, term, stride);
        } else if (source->steps[i].stride != unit) {
            uint32_t stride = constant_uint(r, source->steps[i].stride / unit);
            term = VALUE(r, SpvOpIMul, uint_type, term, stride);
        }
        sum = sum == 0 ? term : VALUE(r, SpvOpIAdd, uint_type, sum, term);
    }
    return sum;
}

uint32_t add_constant(struct rewriter *r, uint32_t value, uint32_t constant)
{
    if (constant == 0)
        return value;
    uint32_t addend = constant_uint(r, constant);
    return VALUE(r, SpvOpIAdd, type_vector(r, SCALAR_UINT, 1), value, addend);
}
