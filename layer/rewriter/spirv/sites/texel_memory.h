/* SPDX-License-Identifier: MIT */
/* Texel memory: loads of texels by the address in a record, where no view of the driver's reads them. */
#ifndef CLAMPLER_SPIRV_TEXEL_MEMORY_H
#define CLAMPLER_SPIRV_TEXEL_MEMORY_H

#include "spirv/write/memory.h"

struct texel_memory {
    uint32_t function; /* id of the function that loads a texel from memory, 0: not needed */
};

/* The bits of 1 where the texel's channels are put together. */
uint32_t texel_one(struct rewriter *r, enum scalar texels);

/* The four words of texel `index`, as a uvec4; `otherwise` where the record has no address. */
uint32_t texel_memory_load(struct rewriter *r, uint32_t index, uint32_t record, uint32_t otherwise);

/* Writes the function that does it, if it was needed; before library_link(). */
void texel_memory_write_function(struct rewriter *r);

/* Where the texels of three channels of 32 bits are: the same address for pairs and for words. */
struct texel_rgb {
    uint32_t pairs, words;
};

struct texel_rgb texel_rgb_open(struct rewriter *r, uint32_t record);

/* Such a texel, as bits. No branch, so that the loads of several texels are under way at once. */
uint32_t texel_rgb_bits(struct rewriter *r, const struct texel_rgb *rgb, uint32_t record, uint32_t index,
                        enum scalar texels);

#endif
