/* SPDX-License-Identifier: MIT */
/*
 * Sample: writes one sampling instruction, as the program wrote it or at another coordinate. `result` is the id of its
 * value; 0: a new one, with the decorations of the program's.
 */
#ifndef CLAMPLER_SPIRV_SAMPLE_H
#define CLAMPLER_SPIRV_SAMPLE_H

#include "spirv/operands/rewriting.h"

/*
 * The program's own lookup. If its reference was clamped or its coordinate multiplied, those values are used, and the
 * coordinate is not divided again. Behind a branch on whose two sides pixels of one quad may be, gradients take the
 * place of implicit derivatives.
 */
uint32_t sample_plain(struct rewriting *w, uint32_t result);

/* The lookup at another coordinate: not projective, gradients for implicit LOD, its texel offset kept or left out. */
uint32_t sample_with(struct rewriting *w, uint32_t s, bool offset, uint32_t result);
uint32_t sample_at(struct rewriting *w, uint32_t s, uint32_t result); /* without one */

/* The lookup at another coordinate with that one's own derivatives, where all pixels of a quad come by. */
uint32_t sample_with_own_derivatives(struct rewriting *w, uint32_t s, uint32_t result);

#endif
