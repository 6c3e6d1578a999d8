/* SPDX-License-Identifier: MIT */
/*
 * Loops: how many a module runs through one after the other once its functions are inlined, and what becomes of filters
 * where there are many.
 *
 * CPU drivers inline every function, and the time that llvmpipe's compiler takes doubles with each loop beyond a dozen
 * that stand behind each other: filters of lookups in 16 blocks would take it a minute. There lookups of several images
 * share one loop of their block, which costs a fetch from each of them for every texel; if that is not enough, filters
 * have no loops, and their time only grows with their number.
 */
#ifndef CLAMPLER_SPIRV_LOOPS_H
#define CLAMPLER_SPIRV_LOOPS_H

#include "spirv/write/rewriter.h"

/* How filters are written. */
enum filter_manner {
    FILTER_LOOPS,
    FILTER_LOOPS_SHARED, /* CPU form: by lookups of several images, too */
    FILTER_LOOP_FREE,
};

struct loops {
    enum filter_manner manner;
    uint32_t filter_loops; /* written */
    bool images_apart;     /* some lookups of a block have a loop of their own for their image */
};

/* A loop of the program stands in the function that is being written. */
void loops_count(struct rewriter *r);

/* A filter has written a loop that no other loop of filters holds. */
void loops_count_filter(struct rewriter *r);

/* Once all is written: the manner in which to write it again; the rewriter's own if that will do. */
enum filter_manner loops_better_manner(const struct rewriter *r);

#endif
