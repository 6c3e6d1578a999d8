/* SPDX-License-Identifier: MIT */
/* Which of the things that may fail do: by place, of all chapters that were listed. */
#ifndef CLAMPLER_FAILURES_CHOOSING_H
#define CLAMPLER_FAILURES_CHOOSING_H

#include "failures/session.h"

/* The order is that of enum what: allocations, calls, callbacks. */
#define WHAT_LETTERS "acb"

struct counts {
    uint32_t sites, places;
};

struct choosing {
    uint32_t chapters;
    struct session **lists; /* of each chapter; NULL: not listed */
    bool *usable;           /* listed, and runs here */
    const char *what;       /* letters */
    bool every;             /* not one of each place */
    uint32_t keep;          /* how many of each place */
    uint32_t most;          /* in all; 0: no bound */
    struct counts *counts;  /* what there is */
};

struct choice {
    uint32_t chapter, site;
    VkResult code;
    uint64_t key;
};

/* How many, in *out, which the caller frees. The same ones each time. */
uint32_t choose(const struct choosing *how, struct choice **out);

/* Prints the fewest chapters that meet every place and every hook that any of them meets. */
void choose_scenario(const struct choosing *how);

/* How many hooks were not touched that could be here; prints them. */
uint32_t untouched_hooks(const uint32_t *touched);

#endif
