/* SPDX-License-Identifier: MIT */
/* Lookup: the code that replaces a sampling or gathering instruction. */
#ifndef CLAMPLER_SPIRV_LOOKUP_H
#define CLAMPLER_SPIRV_LOOKUP_H

#include "spirv/lookup/move.h"
#include "spirv/operands/rewriting.h"

/* Fills the plan of a SITE_LOOKUP; false if it stays as it is. */
bool lookup_plan(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* False: a SITE_DRIVERS stays as it is. A message says so if the layout has a record for its descriptor. */
bool lookup_plan_drivers(struct rewriter *r, const struct site *site, struct site_plan *plan);

/* Writes the code that replaces the instruction. */
void lookup_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/* Reads the site and writes the values that all forms use: record, coordinate, derivatives, offset. */
void lookup_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct rewriting *w);

/* Writes the rest of the code that replaces the instruction. */
void lookup_write(struct rewriting *w);

/*
 * The parts of a lookup whose filter a batch writes. These two give the lookup in its place, as a new value, with all
 * of tier 1 that needs no branch (lookup_branches()): the first executes no guarded lookup whose record filters, and
 * gives zeros there; the second is for paths where the record does not filter.
 */
uint32_t lookup_unless_filtered(struct rewriting *w);
uint32_t lookup_not_filtered(struct rewriting *w);

/* Does tier 1 need a branch for this lookup? Not of cubes of which it moves nothing. */
static inline bool lookup_branches(const struct rewriting *w)
{
    return w->plan->form == SITE_BRANCH && (!w->l.cube || lookup_minds_bias(w->r, &w->l));
}

/* Bools: does the record filter, may it do anything? */
uint32_t lookup_filters(struct rewriting *w);
uint32_t lookup_acts(struct rewriting *w);

/*
 * The value where the record acts. `plain`: the value if the coordinate did not move, where that is known (0: not).
 * Plans with late derivatives call lookup_take_derivatives() before.
 */
uint32_t lookup_filter_or_move(struct rewriting *w, uint32_t plain);

#endif
