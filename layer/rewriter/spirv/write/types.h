/* SPDX-License-Identifier: MIT */
/*
 * Types: those that the module has, and those that are added to it, no two of which may be the same.
 */
#ifndef CLAMPLER_SPIRV_TYPES_H
#define CLAMPLER_SPIRV_TYPES_H

#include "spirv/write/words.h"

/* Ids of the most frequent types, 0: not yet, and a hash table of all declarations. */
struct types {
    uint32_t boolean;
    uint32_t vectors[SCALAR_COUNT][5]; /* [scalar][components] */
    struct words slots;
    uint32_t count; /* of slots that are taken */
};

/* A type that the module has, or a new one. `operands` are the words behind the result. */
uint32_t declare_type(struct rewriter *r, uint32_t opcode, const uint32_t *operands, uint32_t count);
#define TYPE(r, opcode, ...) declare_type(r, opcode, OPERANDS(__VA_ARGS__))
uint32_t type_bool(struct rewriter *r);
uint32_t type_sampler(struct rewriter *r);
uint32_t type_vector(struct rewriter *r, enum scalar scalar, uint32_t components); /* 1: the scalar itself */

void types_drop(struct rewriter *r);

#endif
