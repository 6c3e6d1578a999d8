/* SPDX-License-Identifier: MIT */
/* Every counter of a device comes out under its own name, in its own unit (layer/entry/track/track.c,
 * layer/base/counters.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "counters.h"
#include "one_device.h"
#include "track/lifecycle.h"
#include "track/rooms.h"

static struct rooms rooms;
static struct track track = {ROOMS_OF(rooms)};
struct device device = {.track = &track};

enum { NS_PER_MS = 1000 * 1000, FIRST = 1000 };

static void every_counter_is_told_as_itself(void **state)
{
    struct clampler_counters told;
    struct counters *own = &track.counters;
    uint64_t next = FIRST;
    (void)state;
    /* What is written of each is what is read of it: times in milliseconds, cut. */
#define PLAIN(NAME) atomic_store(&own->NAME, next++)
#define TIME(NAME) atomic_store(&own->NAME, next++ *NS_PER_MS + NS_PER_MS - 1)
    PLAIN(draws[0]), PLAIN(draws[1]), PLAIN(draws[2]);
    PLAIN(pipelines[0]), PLAIN(pipelines[1]), PLAIN(pipelines[2]);
    PLAIN(modules_rewritten), PLAIN(driver_samplers), PLAIN(push_sets_converted), PLAIN(blits_nearest);
    PLAIN(blits_shader), PLAIN(live_objects), PLAIN(live_bytes), PLAIN(blend_variants), PLAIN(blend_updates);
    PLAIN(alpha_kept), PLAIN(alpha_written), PLAIN(alpha_fills), PLAIN(outgrown_submits), PLAIN(compiled_ahead);
    PLAIN(compiled_at_draws), PLAIN(draws_waited), TIME(ahead_ns), TIME(at_draws_ns), TIME(waited_ns), PLAIN(sets_sent);
    PLAIN(records_sent);
    assert_int_equal(next - FIRST, sizeof(*own) / sizeof(uint64_t)); /* a new counter belongs here as well */
    for (uint32_t i = 0; i < COUNT_SHARDS; i++) {
        atomic_store(&track.shards[i].records_written, i + 1);
        for (unsigned level = 0; level < 3; level++)
            atomic_store(&track.shards[i].pair_hits[level], (level + 2) * (i + 1));
    }
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++) {
        atomic_store(&track.heap.types[i].blocks, i + 1);
        atomic_store(&track.blits->heap.types[i].blocks, 100 * (i + 1));
    }
    atomic_store(&track.heap.fallbacks, 7);
    atomic_store(&track.blits->heap.fallbacks, 70);
    track_counters(&track, &told);

    next = FIRST;
#define TOLD(NAME) assert_int_equal(told.NAME, next++)
    TOLD(draws[0]), TOLD(draws[1]), TOLD(draws[2]);
    TOLD(pipelines[0]), TOLD(pipelines[1]), TOLD(pipelines[2]);
    TOLD(modules_rewritten), TOLD(driver_samplers), TOLD(push_sets_converted), TOLD(blits_nearest);
    TOLD(blits_shader), TOLD(live_objects), TOLD(live_bytes), TOLD(blend_variants), TOLD(blend_updates);
    TOLD(alpha_kept), TOLD(alpha_written), TOLD(alpha_fills), TOLD(outgrown_submits), TOLD(compiled_ahead);
    TOLD(compiled_at_draws), TOLD(draws_waited), TOLD(ahead_ms), TOLD(at_draws_ms), TOLD(waited_ms), TOLD(sets_sent);
    TOLD(records_sent);
    const uint64_t shards = (uint64_t)COUNT_SHARDS * (COUNT_SHARDS + 1) / 2;
    assert_int_equal(told.records_written, shards);
    for (unsigned level = 0; level < 3; level++)
        assert_int_equal(told.pair_hits[level], (level + 2) * shards);
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++)
        assert_int_equal(told.memory_blocks[i], 101 * (i + 1));
    assert_int_equal(told.memory_fallbacks, 77);
    assert_int_equal(next - FIRST + 4 + VK_MAX_MEMORY_TYPES + 1, sizeof(told) / sizeof(uint64_t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_is_told_as_itself),
    };
    return cmocka_run_group_tests_name("track_counters", tests, NULL, NULL);
}
