/* SPDX-License-Identifier: MIT */
/* The allocator of runs of units, beside a plain array of owners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "objects/units.h"

static void all_units_can_be_taken_and_no_more(void **state)
{
    (void)state;
    for (uint32_t count = 1; count < 200; count++) {
        struct units units;
        assert_true(units_init(&units, count));
        for (uint32_t i = 0; i < count; i++)
            assert_true(units_acquire(&units, 1) < count);
        assert_int_equal(units_acquire(&units, 1), UNITS_NONE);
        assert_int_equal(units.taken, count);
        units_release(&units, count / 2, 1);
        assert_int_equal(units_acquire(&units, 2), UNITS_NONE);
        assert_int_equal(units_acquire(&units, 1), count / 2);
        units_release_all(&units);
        assert_int_equal(units_acquire(&units, count), 0);
        assert_int_equal(units_acquire(&units, 1), UNITS_NONE);
        units_finish(&units);
    }
}

static void a_unit_can_be_claimed_once(void **state)
{
    (void)state;
    struct units units;
    assert_true(units_init(&units, 70));
    assert_true(units_claim(&units, 69));
    assert_false(units_claim(&units, 69));
    assert_false(units_claim(&units, 70));
    assert_false(units_claim(&units, UINT32_MAX));
    assert_true(units_are_taken(&units, 69));
    assert_false(units_are_taken(&units, 68));
    assert_false(units_are_taken(&units, 70));
    assert_int_equal(units.taken, 1);
    for (uint32_t i = 0; i < 69; i++)
        assert_int_equal(units_acquire(&units, 1), i);
    assert_int_equal(units_acquire(&units, 1), UNITS_NONE);
    units_release(&units, 69, 1);
    assert_true(units_claim(&units, 69));
    units_finish(&units);
}

static void a_run_that_is_too_long_is_refused(void **state)
{
    (void)state;
    struct units units;
    assert_true(units_init(&units, 100));
    assert_int_equal(units_acquire(&units, 101), UNITS_NONE);
    assert_int_equal(units_acquire(&units, UINT32_MAX), UNITS_NONE);
    assert_int_equal(units.taken, 0);
    units_finish(&units);
}

static void neighbours_join_when_they_are_given_back(void **state)
{
    (void)state;
    struct units units;
    assert_true(units_init(&units, 192));
    uint32_t first = units_acquire(&units, 64), second = units_acquire(&units, 64), third = units_acquire(&units, 64);
    assert_int_equal(units_acquire(&units, 1), UNITS_NONE);
    units_release(&units, second, 64);
    units_release(&units, first, 64);
    assert_int_equal(units_acquire(&units, 128), first);
    units_release(&units, first, 128);
    units_release(&units, third, 64);
    assert_int_equal(units_acquire(&units, 192), 0);
    units_finish(&units);
}

/* Words that are full are passed over, and what lies behind the last one is nobody's. */
static void a_search_begins_anew_behind_the_last_unit(void **state)
{
    (void)state;
    enum { WORD = 64 };
    for (uint32_t count = 2 * WORD; count <= 16 * WORD; count += WORD) {
        struct units units;
        assert_true(units_init(&units, count));
        for (uint32_t first = 0; first < count; first += WORD)
            assert_int_equal(units_acquire(&units, WORD), first);
        units_release(&units, count - 2 * WORD, WORD);
        assert_int_equal(units_acquire(&units, WORD), count - 2 * WORD); /* the next search begins in the last word */
        units_release(&units, 0, 1);
        assert_int_equal(units_acquire(&units, 1), 0);
        units_finish(&units);
    }
}

static void free_units_around_a_full_word_are_no_run(void **state)
{
    (void)state;
    struct units units;
    assert_true(units_init(&units, 192));
    assert_int_equal(units_acquire(&units, 192), 0);
    units_release(&units, 63, 1);
    units_release(&units, 128, 1);
    assert_int_equal(units_acquire(&units, 2), UNITS_NONE);
    units_release(&units, 127, 1);
    assert_int_equal(units_acquire(&units, 2), 127);
    units_finish(&units);
}

static void a_search_begins_where_the_last_one_ended(void **state)
{
    (void)state;
    struct units units;
    assert_true(units_init(&units, 10));
    for (uint32_t first = 0; first < 9; first += 3) {
        assert_int_equal(units_acquire(&units, 3), first);
        units_release(&units, first, 3);
    }
    assert_int_equal(units_acquire(&units, 1), 9);
    assert_int_equal(units_acquire(&units, 3), 0);
    units_finish(&units);
}

/* Runs never overlap, a run that fits somewhere is found, and what is taken is counted. */
static void random_runs_never_overlap_and_are_found_where_they_fit(void **state)
{
    (void)state;
    enum { UNITS = 517, RUNS = 90, STEPS = 20000 };
    static unsigned char owner[UNITS];
    struct {
        uint32_t first, run;
    } runs[RUNS];
    struct units units;
    uint64_t random = 88172645463325252u;
    uint32_t held = 0, taken = 0, refused = 0;
    memset(owner, 0, sizeof(owner));
    assert_true(units_init(&units, UNITS));
    for (unsigned step = 0; step < STEPS; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t dice = (uint32_t)(random >> 33);
        if (held < RUNS && dice % 2) {
            uint32_t run = 1 + (dice >> 4) % (dice % 16 == 1 ? 150 : 12), longest = 0, length = 0;
            for (uint32_t i = 0; i < UNITS; i++) {
                length = owner[i] ? 0 : length + 1;
                longest = length > longest ? length : longest;
            }
            uint32_t first = units_acquire(&units, run);
            if (first == UNITS_NONE) {
                assert_true(longest < run);
                refused++;
                continue;
            }
            assert_true(first + run <= UNITS);
            for (uint32_t i = first; i < first + run; i++) {
                assert_int_equal(owner[i], 0);
                owner[i] = 1;
            }
            runs[held].first = first;
            runs[held++].run = run;
            taken += run;
        } else if (held) {
            uint32_t which = (dice >> 4) % held;
            units_release(&units, runs[which].first, runs[which].run);
            memset(owner + runs[which].first, 0, runs[which].run);
            taken -= runs[which].run;
            runs[which] = runs[--held];
        }
        assert_int_equal(units.taken, taken);
    }
    assert_true(refused > 10);
    units_finish(&units);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_units_can_be_taken_and_no_more),
        cmocka_unit_test(a_unit_can_be_claimed_once),
        cmocka_unit_test(a_run_that_is_too_long_is_refused),
        cmocka_unit_test(neighbours_join_when_they_are_given_back),
        cmocka_unit_test(a_search_begins_anew_behind_the_last_unit),
        cmocka_unit_test(free_units_around_a_full_word_are_no_run),
        cmocka_unit_test(a_search_begins_where_the_last_one_ended),
        cmocka_unit_test(random_runs_never_overlap_and_are_found_where_they_fit),
    };
    return cmocka_run_group_tests_name("track_units", tests, NULL, NULL);
}
