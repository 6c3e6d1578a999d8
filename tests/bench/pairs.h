/* SPDX-License-Identifier: MIT */
/*
 * Interleaved pairs: two subjects measured in turn, many times, so that what drifts (clocks, load, temperature) meets
 * both alike and cancels in each pair. Results are medians over the pairs.
 */
#ifndef CLAMPLER_BENCH_PAIRS_H
#define CLAMPLER_BENCH_PAIRS_H

#include <stdint.h>

enum bench_clock {
    BENCH_THREAD,  /* CPU time of the calling thread: what a call costs, whoever else uses the machine */
    BENCH_PROCESS, /* CPU time of all threads: what a software renderer costs */
    BENCH_WALL,
};

/* Nanoseconds since some fixed point. */
double bench_now(enum bench_clock clock);

/* Measures a subject once and returns the cost, in any unit. */
typedef double (*bench_run)(void *subject);

struct pair_params {
    bench_run run[2];
    void *subject[2]; /* [0]: without the layer, [1]: with it */
    uint32_t count;   /* pairs, at least 3; each subject is run once more before them */
    uint32_t first;   /* 0 or 1: which is run first */
};

/* A median and the range that holds the true one in 19 of 20 runs. */
struct spread {
    double median, low, high;
};

struct pairs {
    struct spread without, with; /* in the unit of the run */
    struct spread ratio;         /* with / without, pair by pair */
    struct spread added;         /* with - without, pair by pair */
    uint32_t count;
};

/* Runs the pairs, every other one in reverse order. */
struct pairs pairs_measure(const struct pair_params *params);

/*
 * One result from those of several rounds with new devices: the median of the rounds' medians, and their least and
 * greatest. Where objects happen to lie in memory sways calls of a few nanoseconds as long as they live.
 */
struct pairs pairs_combine(const struct pairs *rounds, uint32_t count);

/* Median and range of values; puts them in ascending order. */
struct spread spread_of(double *values, uint32_t count);

#endif
