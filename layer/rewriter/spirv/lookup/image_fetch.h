/* SPDX-License-Identifier: MIT */
/*
 * Image fetch: fetches of texels by their position, and queries of a level's size. They use no sampler, but the
 * driver's view was chosen for the program's sampler, or has border texels around the texture.
 */
#ifndef CLAMPLER_SPIRV_IMAGE_FETCH_H
#define CLAMPLER_SPIRV_IMAGE_FETCH_H

#include "spirv/sites/plan.h"

/* Fills the plan of a SITE_IMAGE_FETCH; false if it stays as it is. */
bool image_fetch_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes the code that replaces the instruction. */
void image_fetch_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/* The same of a SITE_LEVEL_SIZE. */
bool level_size_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);
void level_size_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
