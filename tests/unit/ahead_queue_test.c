/* SPDX-License-Identifier: MIT */
/* What is compiled ahead of draws, and in which order (layer/device/ahead/queue.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ahead/queue.h"
#include "need/need.h"

#define NEED(NAME) ((uint32_t)RECORD_NEED_##NAME)
#define TIER(NAME) (1u << TIER_##NAME)

static void each_need_asks_for_the_tier_that_it_takes_alone(void **state)
{
    (void)state;
    static const struct {
        uint32_t needs, tiers;
    } rows[] = {
        {0, 0},
        {NEED(COORDS), TIER(CLAMP)},
        {NEED(COORDS_IF_BIAS), TIER(CLAMP)},
        {NEED(BOUNDS), 0},
        {NEED(COORDS) | NEED(BOUNDS), TIER(CLAMP_BOUNDS)},
        {NEED(FILTER) | NEED(BOUNDS), TIER(FILTER)},
        {NEED(TEXEL_BUFFER), TIER(CLAMP)},
        {NEED(FILTER), TIER(FILTER)},
        {NEED(FILTER) | NEED(TEXELS), TIER(FILTER) | TIER(FILTER_TEXELS)},
        {NEED(FILTER) | NEED(MIPS), TIER(FILTER) | TIER(FILTER_LEVELS)},
        {NEED(FILTER) | NEED(PROBES), TIER(FILTER) | TIER(FILTER_PROBES)},
        {NEED(FILTER) | NEED(TEXELS) | NEED(PROBES),
         TIER(FILTER) | TIER(FILTER_TEXELS) | TIER(FILTER_PROBES) | TIER(FILTER_EXTRAS)},
        {NEED(LINEAR) | NEED(UNFILTERABLE) | NEED(PROBES), TIER(FILTER_TEXELS) | TIER(FILTER_EXTRAS)},
        {NEED(COORDS) | NEED(PROBES), TIER(CLAMP)},
        {NEED(COORDS) | NEED(FILTER), TIER(CLAMP) | TIER(FILTER)},
        {NEED(FILTER_IF_OFFSET) | NEED(MIPS), TIER(FILTER) | TIER(FILTER_LEVELS)},
        {NEED(BORDER) | NEED(BORDER_OTHER) | NEED(MIPS), TIER(FILTER) | TIER(FILTER_LEVELS)},
        {NEED(BORDER) | NEED(BORDER_OTHER) | NEED(TEXELS), TIER(FILTER) | TIER(FILTER_TEXELS)},
        {NEED(FILTER_IF_MIPS) | NEED(MIPS) | NEED(TEXELS), TIER(FILTER_LEVELS) | TIER(FILTER_TEXELS)},
        {NEED(LINEAR), 0},
        {NEED(LINEAR) | NEED(UNFILTERABLE), TIER(FILTER_TEXELS)},
        {NEED(LINEAR) | NEED(UNFILTERABLE) | NEED(INPUT), TIER(CLAMP) | TIER(FILTER_TEXELS)},
        /* The extras: where the descriptor that asks for tier 2 asks for them as well. */
        {NEED(SRGB_SKIP) | NEED(SRGB), TIER(FILTER_EXTRAS)},
        {NEED(SRGB_SKIP) | NEED(SRGB) | NEED(FILTER), TIER(FILTER) | TIER(FILTER_EXTRAS)},
        {NEED(FILTER) | NEED(PAIR_REDUCTION), TIER(FILTER)},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(ahead_tiers(rows[i].needs), rows[i].tiers);
}

static void expect_next(struct ahead_queue *queue, const struct ahead_item *item, uint32_t tier)
{
    uint32_t taken = 99;
    struct ahead_item *next = ahead_queue_pop(queue, &taken);
    assert_ptr_equal(next, item);
    if (!next)
        return;
    assert_int_equal(taken, tier);
    assert_false(ahead_queue_done(next));
}

static void nothing_waits_before_the_mark_rises_to_what_is_followed(void **state)
{
    (void)state;
    struct ahead_queue queue = {0};
    struct ahead_item coords = {0}, all = {0};
    assert_false(ahead_queue_add(&queue, &coords, NEED(COORDS)));
    assert_false(ahead_queue_add(&queue, &all, UINT32_MAX));
    expect_next(&queue, NULL, 0);
    assert_true(ahead_queue_raise(&queue, NEED(FILTER), NEED(FILTER)));
    expect_next(&queue, &all, TIER_FILTER);
    expect_next(&queue, NULL, 0);
    assert_false(ahead_queue_raise(&queue, NEED(FILTER), NEED(FILTER)));
    assert_false(ahead_queue_raise(&queue, NEED(FILTER_IF_DREF), NEED(FILTER_IF_DREF))); /* tier 2 again */
    assert_true(ahead_queue_raise(&queue, NEED(COORDS), NEED(COORDS)));
    expect_next(&queue, &coords, TIER_CLAMP);
    expect_next(&queue, &all, TIER_CLAMP);
    expect_next(&queue, NULL, 0);
    struct ahead_item late = {0};
    assert_true(ahead_queue_add(&queue, &late, UINT32_MAX));
    expect_next(&queue, &late, TIER_CLAMP);
    expect_next(&queue, &late, TIER_FILTER);
    expect_next(&queue, NULL, 0);
}

/* Whether a gather or an offset goes with a sampler that requires tier 2 for it is most often not so. */
static void gathers_and_offsets_wait_for_a_draw(void **state)
{
    (void)state;
    static const uint32_t needs[] = {NEED(FILTER_IF_GATHER), NEED(FILTER_IF_OFFSET), NEED(FILTER_IF_BIAS_OFFSET)};
    for (unsigned i = 0; i < 3; i++) {
        struct ahead_queue queue = {0};
        struct ahead_item drawn = {0}, other = {0}, late = {0};
        assert_false(ahead_queue_add(&queue, &drawn, UINT32_MAX));
        assert_false(ahead_queue_add(&queue, &other, UINT32_MAX));
        assert_true(ahead_queue_raise(&queue, NEED(COORDS) | needs[i], NEED(COORDS) | needs[i]));
        expect_next(&queue, &drawn, TIER_CLAMP);
        assert_false(ahead_queue_drawn(&queue));
        atomic_store(&drawn.drawn, 3);
        assert_true(ahead_queue_drawn(&queue));
        assert_false(ahead_queue_drawn(&queue));
        expect_next(&queue, &drawn, TIER_FILTER);
        expect_next(&queue, &other, TIER_CLAMP); /* which waited meanwhile */
        atomic_store(&other.drawn, 4);
        assert_true(ahead_queue_drawn(&queue));
        expect_next(&queue, &other, TIER_FILTER);
        expect_next(&queue, NULL, 0);
        assert_true(ahead_queue_add(&queue, &late, UINT32_MAX));
        expect_next(&queue, &late, TIER_CLAMP);
        expect_next(&queue, NULL, 0);
        assert_true(ahead_queue_raise(&queue, NEED(FILTER), NEED(FILTER))); /* which needs no draw */
        expect_next(&queue, &late, TIER_FILTER);
        expect_next(&queue, NULL, 0);
    }
}

static void views_of_integers_concern_who_reads_integers(void **state)
{
    (void)state;
    struct ahead_queue queue = {0};
    struct ahead_item floats = {0}, integers = {0};
    ahead_queue_add(&queue, &floats, UINT32_MAX & ~NEEDS_OF_INTEGERS);
    ahead_queue_add(&queue, &integers, UINT32_MAX);
    assert_true(ahead_queue_raise(&queue, NEED(LINEAR) | NEED(UNFILTERABLE), NEED(LINEAR)));
    expect_next(&queue, &integers, TIER_FILTER_TEXELS);
    expect_next(&queue, NULL, 0);
    assert_true(ahead_queue_raise(&queue, NEED(LINEAR) | NEED(UNFILTERABLE), NEED(LINEAR) | NEED(UNFILTERABLE)));
    expect_next(&queue, &floats, TIER_FILTER_TEXELS);
    expect_next(&queue, NULL, 0);
    ahead_queue_cancel(&queue);
    struct ahead_item late = {0};
    assert_false(ahead_queue_add(&queue, &late, UINT32_MAX & ~NEEDS_OF_INTEGERS));
}

static void what_was_drawn_last_comes_first(void **state)
{
    (void)state;
    struct ahead_queue queue = {0};
    struct ahead_item items[5] = {0};
    for (unsigned i = 0; i < 5; i++)
        ahead_queue_add(&queue, &items[i], NEED(COORDS));
    ahead_queue_raise(&queue, NEED(COORDS), NEED(COORDS));
    atomic_store(&items[3].drawn, 7);
    atomic_store(&items[1].drawn, 9);
    atomic_store(&items[4].drawn, 7);
    static const unsigned order[] = {1, 3, 4, 0, 2};
    for (unsigned i = 0; i < 5; i++)
        expect_next(&queue, &items[order[i]], TIER_CLAMP);
    expect_next(&queue, NULL, 0);
}

static void what_is_removed_is_not_taken_and_who_compiles_it_frees_it(void **state)
{
    (void)state;
    struct ahead_queue queue = {0};
    struct ahead_item items[4] = {0}, never = {0};
    uint32_t tier;
    ahead_queue_raise(&queue, NEED(COORDS) | NEED(FILTER), NEED(COORDS) | NEED(FILTER));
    for (unsigned i = 0; i < 4; i++)
        ahead_queue_add(&queue, &items[i], UINT32_MAX);
    assert_true(ahead_queue_remove(&queue, &items[0])); /* first, middle and last */
    assert_true(ahead_queue_remove(&queue, &items[2]));
    assert_true(ahead_queue_remove(&queue, &items[3]));
    assert_true(ahead_queue_remove(&queue, &never));
    assert_ptr_equal(ahead_queue_pop(&queue, &tier), &items[1]);
    assert_ptr_equal(ahead_queue_pop(&queue, &tier), &items[1]); /* two tiers, two workers */
    assert_null(ahead_queue_pop(&queue, &tier));
    assert_false(ahead_queue_remove(&queue, &items[1]));
    assert_false(ahead_queue_done(&items[1]));
    assert_true(ahead_queue_done(&items[1]));
    assert_null(queue.first_waiting);
    assert_null(queue.last_waiting);
    assert_null(queue.first_idle);
    assert_null(queue.last_idle);
}

static void nothing_waits_after_the_end(void **state)
{
    (void)state;
    struct ahead_queue queue = {0};
    struct ahead_item items[3] = {0}, late = {0};
    ahead_queue_raise(&queue, NEED(COORDS) | NEED(FILTER), NEED(COORDS) | NEED(FILTER));
    for (unsigned i = 0; i < 3; i++)
        ahead_queue_add(&queue, &items[i], UINT32_MAX);
    ahead_queue_cancel(&queue);
    assert_false(ahead_queue_add(&queue, &late, UINT32_MAX));
    expect_next(&queue, NULL, 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(ahead_queue_remove(&queue, &items[i]));
    assert_true(ahead_queue_remove(&queue, &late));
    assert_null(queue.first_idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_need_asks_for_the_tier_that_it_takes_alone),
        cmocka_unit_test(nothing_waits_before_the_mark_rises_to_what_is_followed),
        cmocka_unit_test(gathers_and_offsets_wait_for_a_draw),
        cmocka_unit_test(views_of_integers_concern_who_reads_integers),
        cmocka_unit_test(what_was_drawn_last_comes_first),
        cmocka_unit_test(what_is_removed_is_not_taken_and_who_compiles_it_frees_it),
        cmocka_unit_test(nothing_waits_after_the_end),
    };
    return cmocka_run_group_tests_name("ahead_queue", tests, NULL, NULL);
}
