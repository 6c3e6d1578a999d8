/* SPDX-License-Identifier: MIT */
/*
 * The tier that a draw must take whose descriptors are written after they are bound: the one that any sampler state and
 * any view which the device has had could ask of its shader together. Written a second time, from tier.c's table: the
 * suite notes what it creates on a device, and asks the table of all pairs of it.
 */
#ifndef CLAMPLER_DIFFERENTIAL_MARK_H
#define CLAMPLER_DIFFERENTIAL_MARK_H

#include "differential/facts.h"

/* What one device has had. Zero is a new device; the owner ends it with mark_free. */
struct mark {
    struct diff_case *states, *views; /* cases of which the sampler, or texture and view count */
    size_t state_count, view_count;
    struct mark_meeting *meetings; /* of states with views, in order */
    size_t meeting_count;
    struct mark_question *questions; /* lookups that were asked about, with what came of the meetings so far */
    size_t question_count;
    bool raised; /* a sampler is alive that needs tier 2 with everything */
};

/* The tier that must draw the case if it is the next. Its device gets what it creates only if mark_take follows. */
struct tier_range mark_tiers(struct mark *mark, const struct facts *facts, const struct diff_case *one);
void mark_take(struct mark *mark, const struct diff_case *one);
void mark_free(struct mark *mark);

#endif
