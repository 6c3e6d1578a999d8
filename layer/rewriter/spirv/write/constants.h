/* SPDX-License-Identifier: MIT */
/*
 * Constants: of 32 bits, bools and nulls, each declared once as long as few are in use.
 */
#ifndef CLAMPLER_SPIRV_CONSTANTS_H
#define CLAMPLER_SPIRV_CONSTANTS_H

#include "spirv/write/types.h"

#define CONSTANTS_KEPT 64u

struct constants {
    uint32_t count;
    struct {
        uint32_t type, value, id;
    } list[CONSTANTS_KEPT];
};

uint32_t constant_of(struct rewriter *r, uint32_t type, uint32_t bits);
uint32_t constant_uint(struct rewriter *r, uint32_t value);
uint32_t constant_int(struct rewriter *r, int32_t value);
uint32_t constant_float(struct rewriter *r, float value);
uint32_t constant_bool(struct rewriter *r, bool value);
uint32_t constant_null(struct rewriter *r, uint32_t type);

#endif
