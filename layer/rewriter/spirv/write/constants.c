/* SPDX-License-Identifier: MIT */
/* Constants of the module that is being written, each declared once. */
#include "spirv/write/constants.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

/* Constants are kept by type and bits; a vector's bits are those of its null, a bool's 0 or 1. */
static uint32_t kept_constant(struct rewriter *r, uint32_t opcode, uint32_t type, uint32_t bits)
{
    struct constants *kept = r->constants;
    for (uint32_t i = 0; i < kept->count; i++) {
        if (kept->list[i].type == type && kept->list[i].value == bits)
            return kept->list[i].id;
    }
    uint32_t id = new_id(r);
    const uint32_t operands[3] = {type, id, bits};
    write_to(r, &r->globals, opcode, operands, opcode == SpvOpConstant ? 3 : 2);
    if (kept->count < CONSTANTS_KEPT) {
        kept->list[kept->count].type = type;
        kept->list[kept->count].value = bits;
        kept->list[kept->count].id = id;
        kept->count++;
    }
    return id;
}

uint32_t constant_of(struct rewriter *r, uint32_t type, uint32_t bits)
{
    return kept_constant(r, SpvOpConstant, type, bits);
}

uint32_t constant_uint(struct rewriter *r, uint32_t value)
{
    return constant_of(r, type_vector(r, SCALAR_UINT, 1), value);
}

uint32_t constant_int(struct rewriter *r, int32_t value)
{
    return constant_of(r, type_vector(r, SCALAR_INT, 1), (uint32_t)value);
}

uint32_t constant_float(struct rewriter *r, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return constant_of(r, type_vector(r, SCALAR_FLOAT, 1), bits);
}

uint32_t constant_bool(struct rewriter *r, bool value)
{
    return kept_constant(r, value ? SpvOpConstantTrue : SpvOpConstantFalse, type_bool(r), value);
}

uint32_t constant_null(struct rewriter *r, uint32_t type)
{
    return kept_constant(r, SpvOpConstantNull, type, 0);
}
