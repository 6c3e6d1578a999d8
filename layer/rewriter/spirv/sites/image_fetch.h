/* SPDX-License-Identifier: MIT */
/*
 * Image fetch: texels of combined image samplers by their place. No sampler acts on them, but the driver's view is the
 * one that was chosen for the program's sampler.
 */
#ifndef CLAMPLER_SPIRV_IMAGE_FETCH_H
#define CLAMPLER_SPIRV_IMAGE_FETCH_H

#include "spirv/sites/plan.h"

/* Fills the plan of a SITE_IMAGE_FETCH; false if it stays as it is. */
bool image_fetch_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes what takes the instruction's place. */
void image_fetch_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
