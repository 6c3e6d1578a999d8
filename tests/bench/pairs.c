/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/pairs.h"
#include "harness/device/vulkan.h"

double bench_now(enum bench_clock clock)
{
    static const clockid_t ids[] = {
        [BENCH_THREAD] = CLOCK_THREAD_CPUTIME_ID,
        [BENCH_PROCESS] = CLOCK_PROCESS_CPUTIME_ID,
        [BENCH_WALL] = CLOCK_MONOTONIC_RAW,
    };
    struct timespec now;
    if (clock_gettime(ids[clock], &now) != 0)
        harness_fail("clock_gettime fails");
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The range is that of the order statistics around the median (binomial, normal approximation, 95 %). */
struct spread spread_of(double *values, uint32_t count)
{
    qsort(values, count, sizeof(*values), compare);
    double half = 0.98 * sqrt(count);
    uint32_t reach = (uint32_t)(half + 1), middle = count / 2;
    double median = count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return (struct spread){.median = median,
                           .low = values[reach < middle ? middle - reach : 0],
                           .high = values[middle + reach < count ? middle + reach : count - 1]};
}

struct pairs pairs_measure(const struct pair_params *params)
{
    uint32_t count = params->count;
    double *values = harness_alloc((size_t)count * 4, sizeof(*values));
    double *sides[2] = {values, values + count}, *ratio = values + 2 * count, *added = values + 3 * count;
    for (uint32_t turn = 0; turn < 2; turn++)
        params->run[params->first ^ turn](params->subject[params->first ^ turn]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t turn = 0; turn < 2; turn++) {
            uint32_t side = (params->first ^ i ^ turn) & 1;
            sides[side][i] = params->run[side](params->subject[side]);
        }
        ratio[i] = sides[1][i] / sides[0][i];
        added[i] = sides[1][i] - sides[0][i];
    }
    struct pairs pairs = {
        .without = spread_of(sides[0], count),
        .with = spread_of(sides[1], count),
        .ratio = spread_of(ratio, count),
        .added = spread_of(added, count),
        .count = count,
    };
    free(values);
    return pairs;
}

static struct spread combine(const struct pairs *rounds, uint32_t count, size_t member)
{
    double *medians = harness_alloc(count, sizeof(*medians));
    for (uint32_t i = 0; i < count; i++) {
        struct spread spread;
        memcpy(&spread, (const char *)&rounds[i] + member, sizeof(spread));
        medians[i] = spread.median;
    }
    struct spread combined = spread_of(medians, count);
    combined.low = medians[0];
    combined.high = medians[count - 1];
    free(medians);
    return combined;
}

struct pairs pairs_combine(const struct pairs *rounds, uint32_t count)
{
    return (struct pairs){
        .without = combine(rounds, count, offsetof(struct pairs, without)),
        .with = combine(rounds, count, offsetof(struct pairs, with)),
        .ratio = combine(rounds, count, offsetof(struct pairs, ratio)),
        .added = combine(rounds, count, offsetof(struct pairs, added)),
        .count = rounds[0].count * count,
    };
}
