/* SPDX-License-Identifier: MIT */
/*
 * Opaque: images, samplers and pairs, which must be made in the block that uses them (SPIR-V 2.16.1, "Universal
 * Validation Rules"). Where the program's block was split since, they are written again.
 */
#ifndef CLAMPLER_SPIRV_OPAQUE_H
#define CLAMPLER_SPIRV_OPAQUE_H

#include "spirv/write/rewriter.h"

/* Of images, samplers or pairs, or of arrays of them. */
bool type_is_opaque(const struct module *m, uint32_t type);

/* Is it a pair or a copy of one, or an image, sampler or pair that was loaded, made in another block than this one? */
bool image_is_gone(const struct rewriter *r, uint32_t id);

/*
 * The sampled image, or what was loaded, as an operand in the current block. OpSampledImage must be in the block of its
 * lookup, and the loads that feed it had better be: where the block that they were written in has ended, they are
 * written again.
 */
uint32_t opaque_here(struct rewriter *r, uint32_t id);
uint32_t sampled_image_here(struct rewriter *r, uint32_t id);

#endif
