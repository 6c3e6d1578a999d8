/*
 * What records ask, what shaders follow, and the tier that serves both, a row each: tiers of needs by themselves and
 * together, and what each fact of a shader adds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "need/need.h"

#define NEED(NAME) ((uint32_t)RECORD_NEED_##NAME)

static const struct {
    uint32_t needs;
    enum need_tier tier;
} tiers[] = {
    {0, NEED_TIER_PLAIN},
    {NEED(COORDS), NEED_TIER_COORDS},
    {NEED(COORDS_IF_BIAS), NEED_TIER_COORDS},
    {NEED(COORDS_IF_DREF), NEED_TIER_COORDS},
    {NEED(COORDS_IF_LEAST_LOD), NEED_TIER_COORDS},
    {NEED(TEXEL_BUFFER), NEED_TIER_COORDS},
    {NEED(INPUT), NEED_TIER_COORDS},
    {NEED(FILTER), NEED_TIER_FILTER},
    {NEED(FILTER_IF_OFFSET), NEED_TIER_FILTER},
    {NEED(FILTER_IF_GATHER), NEED_TIER_FILTER},
    {NEED(FILTER_IF_BIAS_OFFSET), NEED_TIER_FILTER},
    {NEED(FILTER_IF_CUBE), NEED_TIER_FILTER},
    {NEED(FILTER_IF_CUBE_GATHER), NEED_TIER_FILTER},
    {NEED(FILTER) | NEED(COORDS), NEED_TIER_FILTER},
    /* Halves of a pair ask for nothing by themselves. */
    {NEED(FILTER_IF_MIPS), NEED_TIER_PLAIN},
    {NEED(MIPS), NEED_TIER_PLAIN},
    {NEED(FILTER_IF_MIPS) | NEED(MIPS), NEED_TIER_FILTER},
    {NEED(LINEAR), NEED_TIER_PLAIN},
    {NEED(UNFILTERABLE), NEED_TIER_PLAIN},
    {NEED(LINEAR) | NEED(UNFILTERABLE), NEED_TIER_FILTER},
    {NEED(BORDER), NEED_TIER_PLAIN},
    {NEED(BORDER_OTHER), NEED_TIER_PLAIN},
    {NEED(BORDER) | NEED(BORDER_OTHER), NEED_TIER_FILTER},
    {NEED(LINEAR) | NEED(BORDER_OTHER), NEED_TIER_PLAIN},
    {NEED(SRGB_SKIP), NEED_TIER_PLAIN},
    {NEED(SRGB), NEED_TIER_PLAIN},
    {NEED(SRGB_SKIP) | NEED(SRGB), NEED_TIER_EXTRAS},
    {NEED(REDUCTION), NEED_TIER_PLAIN},
    {NEED(NO_MINMAX), NEED_TIER_PLAIN},
    {NEED(REDUCTION) | NEED(NO_MINMAX), NEED_TIER_EXTRAS},
    /* Extras matter where something asks for tier 2 only. */
    {NEED(PAIR_REDUCTION), NEED_TIER_PLAIN},
    {NEED(PAIR_REDUCTION) | NEED(COORDS), NEED_TIER_COORDS},
    {NEED(PAIR_REDUCTION) | NEED(FILTER), NEED_TIER_EXTRAS},
    {NEED(REDUCTION) | NEED(FILTER), NEED_TIER_EXTRAS},
    {NEED(SRGB) | NEED(FILTER), NEED_TIER_FILTER},
};

static void needs_have_a_tier(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++)
        if (needs_tier(tiers[i].needs) != tiers[i].tier)
            fail_msg("row %zu: tier %d, not %d", i, needs_tier(tiers[i].needs), tiers[i].tier);
}

/* More needs never get a lower tier. */
static void tiers_rise_with_needs(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (unsigned i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t some = random >> 9, more = some | 1u << (random >> 4) % RECORD_NEED_KINDS;
        assert_true(needs_tier(more) >= needs_tier(some));
    }
}

static const struct {
    struct spirv_facts facts;
    uint32_t follows, not ;
} followed[] = {
    {{0}, 0, UINT32_MAX},
    {{.samples = true},
     NEED(COORDS) | NEED(FILTER) | NEED(MIPS) | NEED(SRGB) | NEED(PAIR_REDUCTION),
     NEED(FILTER_IF_OFFSET) | NEED(FILTER_IF_GATHER) | NEED(COORDS_IF_BIAS) | NEED(TEXEL_BUFFER)},
    {{.samples = true, .offsets = true}, NEED(FILTER_IF_OFFSET), NEED(FILTER_IF_BIAS_OFFSET)},
    {{.samples = true, .biases = true}, NEED(COORDS_IF_BIAS), NEED(FILTER_IF_BIAS_OFFSET) | NEED(FILTER_IF_OFFSET)},
    {{.samples = true, .biases = true, .offsets = true}, NEED(FILTER_IF_BIAS_OFFSET) | NEED(FILTER_IF_OFFSET), 0},
    {{.samples = true, .gathers = true}, NEED(FILTER_IF_GATHER), NEED(FILTER_IF_CUBE_GATHER)},
    {{.samples = true, .cubes = true}, NEED(FILTER_IF_CUBE), NEED(FILTER_IF_CUBE_GATHER)},
    {{.samples = true, .cubes = true, .gathers = true}, NEED(FILTER_IF_CUBE) | NEED(FILTER_IF_CUBE_GATHER), 0},
    {{.samples = true, .drefs = true}, NEED(COORDS_IF_DREF), NEED(COORDS_IF_LEAST_LOD)},
    {{.samples = true, .least_lods = true}, NEED(COORDS_IF_LEAST_LOD), NEED(COORDS_IF_DREF)},
    {{.fetches_buffers = true}, NEED(TEXEL_BUFFER), ~NEED(TEXEL_BUFFER)},
    {{.reads_inputs = true}, NEED(INPUT), ~NEED(INPUT)},
};

static void shaders_follow_what_they_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(followed) / sizeof(followed[0]); i++) {
        const uint32_t follows = needs_followed(&followed[i].facts);
        if ((follows & followed[i].follows) != followed[i].follows || (follows & followed[i].not ))
            fail_msg("row %zu: 0x%x", i, follows);
    }
}

/* Every kind of need is followed by some shader, and asks for a tier with the others. */
static void every_need_matters(void **state)
{
    (void)state;
    const struct spirv_facts all = {.samples = true,
                                    .offsets = true,
                                    .gathers = true,
                                    .biases = true,
                                    .least_lods = true,
                                    .drefs = true,
                                    .cubes = true,
                                    .fetches_buffers = true,
                                    .reads_inputs = true};
    const uint32_t kinds = (1u << RECORD_NEED_KINDS) - 1;
    assert_int_equal(needs_followed(&all), kinds);
    assert_int_equal(needs_tier(kinds), NEED_TIER_EXTRAS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_have_a_tier),
        cmocka_unit_test(tiers_rise_with_needs),
        cmocka_unit_test(shaders_follow_what_they_do),
        cmocka_unit_test(every_need_matters),
    };
    return cmocka_run_group_tests_name("need", tests, NULL, NULL);
}
