/* SPDX-License-Identifier: MIT */
/* Cuts a list of operations, as long as a process of its own that performs it still fails. */
#ifndef CLAMPLER_CHAOS_SHRINK_H
#define CLAMPLER_CHAOS_SHRINK_H

#include "chaos/operations.h"

struct shrink_params {
    const char *program; /* to be run as `program --replay file --layers layers` */
    const char *layers;
    const char *file;         /* gets what is tried, and in the end the list that is left */
    unsigned tries;           /* how often a list is performed before it counts as one that does not fail */
    unsigned timeout_seconds; /* a process that takes longer has failed */
};

/*
 * False if the list as it is does not fail. Else the operations are cut to a list from which no single one can be left
 * out, and `file` has it, with what the process said as comments.
 */
bool shrink(struct operations *operations, const struct shrink_params *params);

#endif
