/* SPDX-License-Identifier: MIT */
/*
 * Lod query: the levels that a lookup would sample (OpImageQueryLod), by the program's sampler, where the driver's
 * sampler differs.
 */
#ifndef CLAMPLER_SPIRV_LOD_QUERY_H
#define CLAMPLER_SPIRV_LOD_QUERY_H

#include "spirv/sites/plan.h"

/* Fills the plan; false: the query stays as it is. */
bool lod_query_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes the code that replaces the instruction. */
void lod_query_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
