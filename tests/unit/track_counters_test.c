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
#include "fake_driver.h"
#include "track/lifecycle.h"

struct device device = {.track = &track};

enum { NS_PER_MS = 1000 * 1000, FIRST = 1000 };

/* All values of a counter get numbers that no other has. */
static void fill(void *counter, size_t size, uint64_t *next)
{
    _Atomic(uint64_t) *values = counter;
    for (size_t i = 0; i < size / sizeof(*values); i++)
        atomic_store(&values[i], (*next)++);
}

static void expect(const void *counter, size_t size, uint64_t *next, uint64_t times)
{
    const uint64_t *values = counter;
    for (size_t i = 0; i < size / sizeof(*values); i++)
        assert_int_equal(values[i], times * (*next)++);
}

static void every_counter_is_told_as_itself(void **state)
{
    struct clampler_counters told;
    struct counters *own = &track.counters;
    uint64_t next = FIRST;
    size_t size = 0;
    (void)state;
    /* What is written of each is what is read of it: times in milliseconds, cut. */
#define COUNT(NAME, ARRAY) fill(&own->NAME, sizeof(own->NAME), &next);
#define TIME(NAME) atomic_store(&own->NAME##_ns, next++ *NS_PER_MS + NS_PER_MS - 1);
#define HOT(NAME, ARRAY)                                                                                               \
    for (uint32_t i = 0; i < COUNT_SHARDS; i++) {                                                                      \
        uint64_t first = next;                                                                                         \
        fill(&track.shards[i].NAME, sizeof(track.shards[i].NAME), i + 1 < COUNT_SHARDS ? &first : &next);              \
    }
#define MEMORY(NAME, ARRAY)
    CLAMPLER_COUNTERS(COUNT, HOT, TIME, MEMORY)
#undef COUNT
#undef TIME
#undef HOT
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++) {
        atomic_store(&track.heap.types[i].blocks, i + 1);
        atomic_store(&track.blits->heap.types[i].blocks, 100 * (i + 1));
    }
    atomic_store(&track.heap.fallbacks, 7);
    atomic_store(&track.blits->heap.fallbacks, 70);
    memset(&told, 0xff, sizeof(told));
    track_counters(&track, &told);

    next = FIRST;
#define COUNT(NAME, ARRAY) expect(&told.NAME, sizeof(told.NAME), &next, 1), size += sizeof(told.NAME);
#define TIME(NAME) expect(&told.NAME##_ms, sizeof(told.NAME##_ms), &next, 1), size += sizeof(told.NAME##_ms);
#define HOT(NAME, ARRAY) expect(&told.NAME, sizeof(told.NAME), &next, COUNT_SHARDS), size += sizeof(told.NAME);
    CLAMPLER_COUNTERS(COUNT, HOT, TIME, MEMORY)
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES; i++)
        assert_int_equal(told.memory_blocks[i], 101 * (i + 1));
    assert_int_equal(told.memory_fallbacks, 77);
    assert_int_equal(size + sizeof(told.memory_blocks) + sizeof(told.memory_fallbacks), sizeof(told));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_is_told_as_itself),
    };
    return cmocka_run_group_tests_name("track_counters", tests, NULL, NULL);
}
