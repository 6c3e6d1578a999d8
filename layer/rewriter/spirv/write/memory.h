/* SPDX-License-Identifier: MIT */
/*
 * Memory: loads from memory that device addresses lead to (SPV_KHR_physical_storage_buffer).
 */
#ifndef CLAMPLER_SPIRV_MEMORY_H
#define CLAMPLER_SPIRV_MEMORY_H

#include "spirv/write/writer.h"

/* An array in memory that addresses lead to; zeros: not declared yet. */
struct memory_type {
    uint32_t base, element; /* types of pointers to the block with the array, and to an element */
    uint32_t element_type;
    uint32_t stride; /* and alignment, bytes */
};

/* uint[], uvec2[] and uvec4[]. */
struct memory {
    struct memory_type words, pairs, quads;
};

/* The types of such arrays, declared when they are first asked for. */
const struct memory_type *memory_words(struct rewriter *r);
const struct memory_type *memory_pairs(struct rewriter *r);
const struct memory_type *memory_quads(struct rewriter *r);

/* An address, a uvec2, as a pointer to the array there. */
uint32_t memory_at(struct rewriter *r, const struct memory_type *memory, uint32_t address);

/* Loads element `index` behind such a pointer. */
uint32_t memory_load(struct rewriter *r, const struct memory_type *memory, uint32_t base, uint32_t index);

/* Does the module load by address? */
static inline bool memory_is_used(const struct rewriter *r)
{
    return r->memory->words.base != 0 || r->memory->pairs.base != 0 || r->memory->quads.base != 0;
}

#endif
