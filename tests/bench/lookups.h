/* SPDX-License-Identifier: MIT */
/* The shared object that calls the layer's look-up of pairs; the benchmark finds its functions in one table. */
#ifndef CLAMPLER_BENCH_LOOKUPS_H
#define CLAMPLER_BENCH_LOOKUPS_H

#include <stdint.h>

struct bench_lookups;

struct bench_lookups_functions {
    /* A cache with 128 pairs in it; NULL: out of memory. */
    struct bench_lookups *(*open)(void);
    /* Nanoseconds of one look-up, of another pair each time. */
    double (*run)(struct bench_lookups *lookups, uint32_t count);
    void (*close)(struct bench_lookups *lookups);
};

#define BENCH_LOOKUPS "bench_lookups_functions" /* its name in the shared object */

#endif
