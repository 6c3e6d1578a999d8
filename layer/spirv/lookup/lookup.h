/*
 * Lookup: the code that takes a sampling or gathering instruction's place.
 */
#ifndef CLAMPLER_SPIRV_LOOKUP_H
#define CLAMPLER_SPIRV_LOOKUP_H

#include "spirv/lookup/move.h"
#include "spirv/operands/rewriting.h"

/* Writes what takes the instruction's place. */
void lookup_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan);

/* Reads the site and writes what every form of it needs: record, coordinate, derivatives, offset. */
void lookup_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct rewriting *w);

/*
 * The parts of a lookup whose filter a batch writes. `lookup_unfiltered`: the lookup in its place, as a new value; all
 * of tier 1 but for implicit lookups that branch. `lookup_branches`: those, but for cubes of which tier 1 moves
 * nothing; `lookup_acts` says in a bool whether such a record may do something, `lookup_filter_or_move` gives the value
 * that it asks for: `plain` if nothing moved, where that is known (0: not). `lookup_take_derivatives` is for plans with
 * late derivatives, and comes before the last. `lookup_unguarded` is lookup_unfiltered on a path where the record does
 * not filter.
 */
uint32_t lookup_unfiltered(struct rewriting *w);
uint32_t lookup_unguarded(struct rewriting *w);
static inline bool lookup_branches(const struct rewriting *w)
{
    return w->plan->form == SITE_BRANCH && (!w->l.cube || lookup_minds_bias(w->r, &w->l));
}

uint32_t lookup_filters(struct rewriting *w);
uint32_t lookup_acts(struct rewriting *w);
uint32_t lookup_filter_or_move(struct rewriting *w, uint32_t plain);

#endif
