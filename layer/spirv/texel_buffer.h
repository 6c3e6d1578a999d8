/*
 * Texel buffer: fetches from uniform texel buffers, and questions for their size, that follow the record of the view.
 * The arithmetic is shaders/texel_buffer.glsl.
 */
#ifndef CLAMPLER_SPIRV_TEXEL_BUFFER_H
#define CLAMPLER_SPIRV_TEXEL_BUFFER_H

#include "spirv/plan.h"
#include "spirv/writer.h"

/* The scalar of a 32-bit numeric type; false for anything else. */
bool texel_scalar(const struct module *m, uint32_t type, enum scalar *scalar);

/* Fills the plan of a SITE_TEXEL_FETCH or SITE_TEXEL_COUNT; false if it stays as it is. */
bool texel_buffer_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes what takes the instruction's place. */
void texel_buffer_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/* Writes the function that loads texels from memory, if it was needed; before library_link(). */
void texel_buffer_place_function(struct rewriter *r);

#endif
