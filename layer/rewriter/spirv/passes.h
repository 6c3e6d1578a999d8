/* SPDX-License-Identifier: MIT */
/*
 * Passes: one for each kind of site, a row of the table and a pair of files. All are planned before any is written,
 * each site in its place in the walk over the functions.
 */
#ifndef CLAMPLER_SPIRV_PASSES_H
#define CLAMPLER_SPIRV_PASSES_H

#include "spirv/sites/plan.h"

struct pass {
    bool samples; /* its sites read through a sampler */
    /* Fills the plan; false if the site stays as it is. */
    bool (*plan)(struct rewriter *r, const struct site *site, struct site_plan *plan);
    /* Writes the code that replaces the instruction; NULL: none is planned. */
    void (*rewrite)(struct rewriter *r, const struct site *site, const struct site_plan *plan);
};

extern const struct pass passes[SITE_KINDS];

#endif
