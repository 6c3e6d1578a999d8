/* SPDX-License-Identifier: MIT */
/*
 * The layer's look-up of a pair (pair.h: pair_of), called as descriptor writes call it, on a cache that has what is
 * asked for. A shared object of its own, which the benchmark loads.
 */
#define _GNU_SOURCE /* clock_gettime */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/lookups.h"
#include "sampling/image.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "objects/track.h"
#include "track/subsystems.h"

enum { STATES = 16, VIEWS = 8 };

struct bench_lookups {
    struct track track;
    struct subsystems subsystems;
    struct sampler_state_object states[STATES];
    struct view views[VIEWS];
    struct pair pairs[STATES * VIEWS];
};

static struct bench_lookups *lookups_open(void)
{
    const size_t align = _Alignof(struct bench_lookups);
    struct bench_lookups *lookups = aligned_alloc(align, (sizeof(*lookups) + align - 1) / align * align);
    if (!lookups)
        return NULL;
    memset(lookups, 0, sizeof(*lookups));
    lookups->track = (struct track){SUBSYSTEMS_OF(lookups->subsystems)};
    atomic_init(&lookups->track.serial, new_serial());
    if (!table_init(&lookups->subsystems.sampling.pairs))
        return NULL;
    for (uint32_t v = 0; v < VIEWS; v++)
        lookups->views[v].key = 0x10001u * (v + 1);
    for (uint32_t s = 0; s < STATES; s++) {
        lookups->states[s].id = s + 1;
        for (uint32_t v = 0; v < VIEWS; v++) {
            struct pair *pair = &lookups->pairs[s * VIEWS + v];
            pair->key = (uint64_t)lookups->states[s].id << 32 | lookups->views[v].key;
            if (!table_insert(&lookups->subsystems.sampling.pairs, pair->key, pair))
                return NULL;
        }
    }
    return lookups;
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

/* The loop without the look-up is taken off. */
static double lookups_run(struct bench_lookups *lookups, uint32_t count)
{
    const struct pair *volatile seen;
    double times[2];
    for (uint32_t with = 0; with < 2; with++) {
        double start = now();
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t at = i * 37;
            struct sampler_state_object *state = &lookups->states[at / VIEWS % STATES];
            const struct view *view = &lookups->views[at % VIEWS];
            __asm__ volatile("" : "+r"(state), "+r"(view) : : "memory");
            seen = with ? pair_of(&lookups->track, state, view) : &lookups->pairs[at % (STATES * VIEWS)];
        }
        times[with] = (now() - start) / count;
    }
    (void)seen;
    return times[1] - times[0];
}

static void lookups_close(struct bench_lookups *lookups)
{
    table_finish(&lookups->subsystems.sampling.pairs);
    free(lookups);
}

__attribute__((visibility("default"))) extern const struct bench_lookups_functions bench_lookups_functions;
const struct bench_lookups_functions bench_lookups_functions = {lookups_open, lookups_run, lookups_close};
