/* SPDX-License-Identifier: MIT */
/* Which variant a draw takes (layer/recording/recording/choose_variant.h), a row for each way to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "recording/choose_variant.h"

#define CLAMPS ((uint32_t)RECORD_NEED_COORDS)
#define FILTERS ((uint32_t)RECORD_NEED_FILTER)
#define EXTRAS (FILTERS | (uint32_t)RECORD_NEED_REDUCTION)
#define OPEN (1u << 31) /* what is no need of a record */
#define ALL UINT32_MAX

enum { KEY = 5, OTHER_KEY = 6, MIXED = TIER_COUNT };

static const struct {
    const char *what;
    struct variant_facts facts;
    uint32_t needs;
    bool generated;
    struct variant_choice choice;
} rows[] = {
    {"nothing of the layer's is bound", {0}, ALL, false, {0}},
    {"nothing is needed", {.follows = ALL}, 0, false, {0}},
    {"and the last draw needed something", {.follows = ALL, .bound_tier = TIER_CLAMP}, 0, false, {.binds = true}},
    {"bits beside the needs choose nothing", {.follows = ALL}, OPEN, false, {0}},
    {"the clamp tier", {.follows = ALL}, CLAMPS, false, {.tier = TIER_CLAMP, .binds = true}},
    {"its form with bounds",
     {.follows = ALL, .bound_tier = TIER_CLAMP},
     CLAMPS | RECORD_NEED_BOUNDS,
     false,
     {.tier = TIER_CLAMP_BOUNDS, .binds = true}},
    {"the filter tier", {.follows = ALL}, CLAMPS | FILTERS, false, {.tier = TIER_FILTER, .binds = true}},
    {"its extras", {.follows = ALL}, EXTRAS, false, {.tier = TIER_FILTER_EXTRAS, .binds = true}},
    {"it is bound already", {.follows = ALL, .bound_tier = TIER_FILTER}, FILTERS, false, {.tier = TIER_FILTER}},
    {"less is needed than is bound",
     {.follows = ALL, .bound_tier = TIER_FILTER},
     CLAMPS,
     false,
     {.tier = TIER_CLAMP, .binds = true}},
    {"shaders do not follow what is needed", {.follows = CLAMPS}, FILTERS, false, {0}},
    {"they follow a part of it", {.follows = CLAMPS}, CLAMPS | FILTERS, false, {.tier = TIER_CLAMP, .binds = true}},
    {"other stages have other tiers", {.follows = ALL, .bound_tier = MIXED}, 0, false, {.binds = true}},
    /* One tier for good. */
    {"a pipeline", {.least_tier = TIER_CLAMP, .bound_tier = TIER_CLAMP}, FILTERS, false, {.tier = TIER_CLAMP}},
    {"a shader beside others",
     {.follows = ALL, .least_tier = TIER_CLAMP},
     0,
     false,
     {.tier = TIER_CLAMP, .binds = true}},
    {"and these need more",
     {.follows = ALL, .least_tier = TIER_CLAMP},
     FILTERS,
     false,
     {.tier = TIER_FILTER, .binds = true}},
    /* Attachments without alpha. */
    {"a variant", {.follows = ALL, .key = KEY}, 0, false, {.key = KEY, .binds = true}},
    {"it is bound", {.follows = ALL, .key = KEY, .bound_key = KEY}, 0, false, {.key = KEY}},
    {"another one is", {.key = KEY, .bound_key = OTHER_KEY}, 0, false, {.key = KEY, .binds = true}},
    {"the plain one again", {.bound_key = KEY}, 0, false, {.binds = true}},
    {"it is bound, of another tier",
     {.follows = ALL, .key = KEY, .bound_key = KEY},
     CLAMPS,
     false,
     {.tier = TIER_CLAMP, .key = KEY, .binds = true}},
    /* Commands that the device generates: whatever records need. */
    {"the tier for good",
     {.follows = ALL, .generated_tier = TIER_FILTER_EXTRAS},
     0,
     true,
     {.tier = TIER_FILTER_EXTRAS, .binds = true}},
    {"it is less than records need",
     {.follows = ALL, .generated_tier = TIER_CLAMP, .bound_tier = TIER_CLAMP},
     FILTERS,
     true,
     {.tier = TIER_CLAMP}},
    {"a shader beside others has more for good",
     {.follows = ALL, .generated_tier = TIER_CLAMP, .least_tier = TIER_FILTER},
     0,
     true,
     {.tier = TIER_FILTER, .binds = true}},
    {"draws that are no such commands", {.follows = ALL, .generated_tier = TIER_FILTER}, 0, false, {0}},
    {"a variant of it",
     {.follows = ALL, .generated_tier = TIER_FILTER, .bound_tier = TIER_FILTER, .key = KEY},
     0,
     true,
     {.tier = TIER_FILTER, .key = KEY, .binds = true}},
    /* While transform feedback is active. */
    {"nothing changes", {.follows = ALL, .stays = true}, 0, false, {0}},
    {"more is needed", {.follows = ALL, .stays = true}, CLAMPS, false, {.tier = TIER_CLAMP, .too_late = true}},
    {"more is needed than the tier",
     {.follows = ALL, .stays = true, .bound_tier = TIER_CLAMP},
     FILTERS,
     false,
     {.tier = TIER_FILTER, .too_late = true}},
    {"only extras are, and nobody is told",
     {.follows = ALL, .stays = true, .bound_tier = TIER_FILTER},
     EXTRAS,
     false,
     {.tier = TIER_FILTER_EXTRAS}},
    {"bounds are, which mask words do not have",
     {.follows = ALL, .stays = true, .bound_tier = TIER_CLAMP},
     CLAMPS | RECORD_NEED_BOUNDS,
     false,
     {.tier = TIER_CLAMP_BOUNDS, .too_late = true}},
    {"less is needed", {.follows = ALL, .stays = true, .bound_tier = TIER_FILTER}, CLAMPS, false, {.tier = TIER_CLAMP}},
    {"another variant is", {.stays = true, .key = KEY}, 0, false, {.key = KEY}},
    {"generated commands need more",
     {.follows = ALL, .stays = true, .generated_tier = TIER_FILTER},
     0,
     true,
     {.tier = TIER_FILTER, .too_late = true}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void each_row_has_its_choice(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct variant_choice choice = choose_variant(&rows[i].facts, rows[i].needs, rows[i].generated);
        const struct variant_choice *wanted = &rows[i].choice;
        if (choice.tier != wanted->tier || choice.key != wanted->key || choice.binds != wanted->binds ||
            choice.too_late != wanted->too_late)
            fail_msg("%s: tier %u, key %u, binds %d, too late %d", rows[i].what, choice.tier, choice.key, choice.binds,
                     choice.too_late);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_row_has_its_choice)};
    return cmocka_run_group_tests_name("choose_variant", tests, NULL, NULL);
}
