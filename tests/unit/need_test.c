/* SPDX-License-Identifier: MIT */
/*
 * What records ask, what shaders follow, and the tier that serves both, a row each: tiers of needs by themselves and
 * together, and what each fact of a shader adds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "need/need.h"

#define NEED(NAME) ((uint32_t)RECORD_NEED_##NAME)

static const struct {
    uint32_t needs;
    enum tier_kind tier;
} tiers[] = {
    {0, TIER_PASSTHROUGH},
    {NEED(COORDS), TIER_CLAMP},
    {NEED(COORDS_IF_BIAS), TIER_CLAMP},
    {NEED(COORDS_IF_DREF), TIER_CLAMP},
    {NEED(COORDS_IF_LEAST_LOD), TIER_CLAMP},
    {NEED(COORDS_IF_QUERY), TIER_CLAMP},
    {NEED(COORDS_IF_FETCH), TIER_CLAMP},
    {NEED(TEXEL_BUFFER), TIER_CLAMP},
    {NEED(INPUT), TIER_CLAMP},
    {NEED(FILTER), TIER_FILTER},
    {NEED(FILTER_IF_OFFSET), TIER_FILTER},
    {NEED(FILTER_IF_GATHER), TIER_FILTER},
    {NEED(FILTER_IF_BIAS_OFFSET), TIER_FILTER},
    {NEED(FILTER_IF_DREF), TIER_FILTER},
    {NEED(FILTER_IF_CUBE), TIER_FILTER},
    {NEED(FILTER_IF_CUBE_GATHER), TIER_FILTER},
    {NEED(FILTER) | NEED(COORDS), TIER_FILTER},
    /* Bounds matter where something asks for tier 1 only. */
    {NEED(BOUNDS), TIER_PASSTHROUGH},
    {NEED(BOUNDS) | NEED(COORDS), TIER_CLAMP_BOUNDS},
    {NEED(BOUNDS) | NEED(TEXEL_BUFFER), TIER_CLAMP_BOUNDS},
    {NEED(BOUNDS) | NEED(COORDS) | NEED(FILTER), TIER_FILTER},
    /* Halves of a pair ask for nothing by themselves. */
    {NEED(FILTER_IF_MIPS), TIER_PASSTHROUGH},
    {NEED(MIPS), TIER_PASSTHROUGH},
    {NEED(FILTER_IF_MIPS) | NEED(MIPS), TIER_FILTER_LEVELS},
    {NEED(FILTER) | NEED(MIPS), TIER_FILTER_LEVELS},
    {NEED(FILTER) | NEED(MIPS) | NEED(TEXELS), TIER_FILTER_TEXELS},
    {NEED(LINEAR), TIER_PASSTHROUGH},
    {NEED(UNFILTERABLE), TIER_PASSTHROUGH},
    {NEED(LINEAR) | NEED(UNFILTERABLE), TIER_FILTER_TEXELS},
    {NEED(TEXELS), TIER_PASSTHROUGH},
    {NEED(TEXELS) | NEED(COORDS), TIER_CLAMP},
    {NEED(TEXELS) | NEED(FILTER), TIER_FILTER_TEXELS},
    {NEED(TEXELS) | NEED(BORDER) | NEED(BORDER_OTHER), TIER_FILTER_TEXELS},
    {NEED(LINEAR) | NEED(UNFILTERABLE) | NEED(FILTER), TIER_FILTER_TEXELS},
    {NEED(TEXELS) | NEED(VIEW_EXTRAS) | NEED(FILTER), TIER_FILTER_EXTRAS},
    {NEED(PROBES), TIER_PASSTHROUGH},
    {NEED(PROBES) | NEED(COORDS), TIER_CLAMP},
    {NEED(PROBES) | NEED(FILTER), TIER_FILTER_PROBES},
    {NEED(PROBES) | NEED(FILTER) | NEED(MIPS), TIER_FILTER_PROBES},
    {NEED(PROBES) | NEED(FILTER) | NEED(TEXELS), TIER_FILTER_EXTRAS},
    {NEED(PROBES) | NEED(LINEAR) | NEED(UNFILTERABLE), TIER_FILTER_EXTRAS},
    {NEED(PROBES) | NEED(FILTER) | NEED(SRGB_SKIP) | NEED(SRGB), TIER_FILTER_EXTRAS},
    {NEED(BORDER), TIER_PASSTHROUGH},
    {NEED(BORDER_OTHER), TIER_PASSTHROUGH},
    {NEED(BORDER) | NEED(BORDER_OTHER), TIER_FILTER},
    {NEED(LINEAR) | NEED(BORDER_OTHER), TIER_PASSTHROUGH},
    {NEED(SRGB_SKIP), TIER_PASSTHROUGH},
    {NEED(SRGB), TIER_PASSTHROUGH},
    {NEED(SRGB_SKIP) | NEED(SRGB), TIER_FILTER_EXTRAS},
    {NEED(REDUCTION), TIER_PASSTHROUGH},
    {NEED(NO_MINMAX), TIER_PASSTHROUGH},
    {NEED(REDUCTION) | NEED(NO_MINMAX), TIER_FILTER_EXTRAS},
    /* Extras matter where something asks for tier 2 only. */
    {NEED(PAIR_REDUCTION), TIER_PASSTHROUGH},
    {NEED(PAIR_REDUCTION) | NEED(COORDS), TIER_CLAMP},
    {NEED(PAIR_REDUCTION) | NEED(FILTER), TIER_FILTER_EXTRAS},
    {NEED(REDUCTION) | NEED(FILTER), TIER_FILTER_EXTRAS},
    {NEED(VIEW_EXTRAS), TIER_PASSTHROUGH},
    {NEED(VIEW_EXTRAS) | NEED(COORDS), TIER_FILTER_EXTRAS},
    {NEED(VIEW_EXTRAS) | NEED(COORDS_IF_FETCH), TIER_FILTER_EXTRAS}, /* a border, and fetches */
    {NEED(VIEW_EXTRAS) | NEED(FILTER), TIER_FILTER_EXTRAS},
    {NEED(SRGB) | NEED(FILTER), TIER_FILTER},
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
        const uint32_t some = random >> 5, more = some | 1u << (random >> 4) % RECORD_NEED_KINDS;
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
    {{.samples = true, .uncompared = true}, NEED(FILTER_IF_UNCOMPARED), NEED(COORDS_IF_DREF)},
    {{.samples = true, .drefs = true}, NEED(COORDS_IF_DREF) | NEED(FILTER), NEED(FILTER_IF_UNCOMPARED)},
    {{.samples = true, .drefs = true}, NEED(COORDS_IF_DREF) | NEED(FILTER_IF_DREF), NEED(COORDS_IF_LEAST_LOD)},
    {{.samples = true}, NEED(VIEW_EXTRAS), NEED(FILTER_IF_DREF) | NEED(COORDS_IF_FETCH)},
    {{.fetches_images = true}, NEED(COORDS_IF_FETCH) | NEED(VIEW_EXTRAS), ~(NEED(COORDS_IF_FETCH) | NEED(VIEW_EXTRAS))},
    {{.samples = true, .least_lods = true}, NEED(COORDS_IF_LEAST_LOD), NEED(COORDS_IF_DREF)},
    {{.samples = true, .queries = true}, NEED(COORDS_IF_QUERY), NEED(COORDS_IF_BIAS)},
    {{.samples = true}, NEED(UNFILTERABLE), NEEDS_OF_INTEGERS},
    {{.samples = true, .integers = true}, NEED(UNFILTERABLE) | NEEDS_OF_INTEGERS, 0},
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
                                    .queries = true,
                                    .least_lods = true,
                                    .drefs = true,
                                    .uncompared = true,
                                    .cubes = true,
                                    .fetches_buffers = true,
                                    .fetches_images = true,
                                    .reads_inputs = true};
    const uint32_t kinds = (1u << RECORD_NEED_KINDS) - 1;
    assert_int_equal(needs_followed(&all), kinds);
    assert_int_equal(needs_tier(kinds), TIER_FILTER_EXTRAS);
}

static void needs_are_those_of_the_records_kind(void **state)
{
    (void)state;
    static const uint32_t one_level = 1u << RECORD_LEVELS_SHIFT;
    static const uint32_t levels = 7u << RECORD_LEVELS_SHIFT;
    static const uint32_t minimum = 1u << RECORD_MORE_REDUCTION_SHIFT;
    static const uint32_t for_gl = RECORD_MORE_REDUCES_FOR_GL;
    static const uint32_t for_vulkan = RECORD_MORE_REDUCES_FOR_VULKAN;
    static const struct {
        uint32_t flags, lod, needs, depth_bias, more;
    } rows[] = {
        {0, 0, 0, 0, 0},
        /* Combined, or no matter which. */
        {RECORD_COORDS | one_level, 0, RECORD_NEED_COORDS, 0, 0},
        {RECORD_COORDS | levels, 0, RECORD_NEED_COORDS | RECORD_NEED_MIPS, 0, 0},
        {RECORD_RECTANGLE | one_level, 0, RECORD_NEED_COORDS | RECORD_NEED_BOUNDS, 0, 0},
        {RECORD_FILTER | one_level, RECORD_PAIR_NON_SEAMLESS | RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB,
         RECORD_NEED_FILTER | RECORD_NEED_SRGB_SKIP | RECORD_NEED_SRGB, 0, 0},
        {RECORD_FILTER_IF_OFFSET | one_level, 0, RECORD_NEED_FILTER_IF_OFFSET, 0, 0},
        {RECORD_FILTER_IF_GATHER | RECORD_MAG_LINEAR | one_level, 0, RECORD_NEED_FILTER_IF_GATHER, 0, 0},
        {RECORD_BIAS | one_level, 0, RECORD_NEED_COORDS_IF_BIAS, 0, 0},
        {RECORD_DEPTH_FIXED | one_level, 0, RECORD_NEED_COORDS_IF_DREF, RECORD_DEPTH_PROMOTED | 1, 0},
        /* Its texels are encoded: the pair flags beside that are channels. */
        {one_level, RECORD_PAIR_SRGB_SKIP | 15u << RECORD_SRGB_PLAIN_SHIFT, RECORD_NEED_COORDS_IF_FETCH, 0, 0},
        {RECORD_FILTER | one_level, RECORD_PAIR_SRGB_SKIP, RECORD_NEED_FILTER | RECORD_NEED_COORDS_IF_FETCH, 0, 0},
        {RECORD_COORDS | levels, 0, RECORD_NEED_COORDS | RECORD_NEED_MIPS | RECORD_NEED_VIEW_EXTRAS, 0,
         RECORD_MORE_COMBINED_LEAST | 15u << RECORD_MORE_GATHERED_SHIFT},
        /* A border: of both in one, and of an image alone. */
        {RECORD_FILTER | one_level, 0, RECORD_NEED_FILTER | RECORD_NEED_VIEW_EXTRAS | RECORD_NEED_COORDS_IF_FETCH, 0,
         RECORD_MORE_BORDERED | 4u << RECORD_MORE_BORDER_SHIFT},
        {RECORD_FILTER | levels, RECORD_PAIR_UNFILTERABLE,
         RECORD_NEED_FILTER | RECORD_NEED_VIEW_EXTRAS | RECORD_NEED_COORDS_IF_FETCH | RECORD_NEED_MIPS, 0,
         RECORD_MORE_BORDERED | RECORD_MORE_BORDER_MASK << RECORD_MORE_BORDER_SHIFT},
        {RECORD_OTHER, 0, RECORD_NEED_TEXEL_BUFFER, 0, 0},
        {RECORD_OTHER | RECORD_OTHER_INPUT, 0, RECORD_NEED_INPUT, 0, 0},
        {RECORD_DEPTH_FIXED | one_level, 0, 0, 0, 0},
        /* Samplers alone. */
        {RECORD_FILTER_IF_MIPS, 0, RECORD_NEED_FILTER_IF_MIPS, 0, 0},
        {RECORD_MAG_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIN_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIP_LINEAR, 0, RECORD_NEED_LINEAR, 0, 0},
        {RECORD_MIP_NEAREST, 0, 0, 0, 0},
        {RECORD_MIN_LINEAR, 0, RECORD_NEED_REDUCTION, 0, minimum | for_gl},
        {RECORD_MIN_LINEAR | one_level, 0, RECORD_NEED_PAIR_REDUCTION, 0, minimum},
        {RECORD_WRAP_CLAMP_TO_BORDER, RECORD_PAIR_BORDER, RECORD_NEED_BORDER, 0, 0},
        {0, RECORD_PAIR_NON_SEAMLESS, RECORD_NEED_FILTER_IF_CUBE_GATHER, 0, 0},
        {RECORD_MIN_LINEAR, RECORD_PAIR_NON_SEAMLESS, RECORD_NEED_LINEAR | RECORD_NEED_FILTER_IF_CUBE, 0, 0},
        {0, RECORD_PAIR_SRGB_SKIP, RECORD_NEED_SRGB_SKIP, 0, 0},
        {4u << RECORD_COMPARE_SHIFT | RECORD_MAG_LINEAR, 0, 0, 0, 0},
        {4u << RECORD_COMPARE_SHIFT | RECORD_MAG_LINEAR, 0, RECORD_NEED_FILTER_IF_UNCOMPARED, 0,
         RECORD_MORE_NOT_COMPARED},
        {4u << RECORD_COMPARE_SHIFT | RECORD_MAG_LINEAR, 0,
         RECORD_NEED_FILTER_IF_UNCOMPARED | RECORD_NEED_PAIR_REDUCTION, 0, RECORD_MORE_NOT_COMPARED | minimum | for_gl},
        /* Images alone. */
        {one_level, 0, 0, 0, 0},
        {levels, 0, RECORD_NEED_MIPS, 0, 0},
        {one_level, RECORD_PAIR_BORDER_OTHER, RECORD_NEED_BORDER_OTHER, 0, 0},
        {one_level, RECORD_PAIR_UNFILTERABLE, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX, 0, 0},
        {one_level, RECORD_PAIR_UNFILTERABLE, RECORD_NEED_UNFILTERABLE, 0, for_gl | for_vulkan},
        {one_level, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX,
         0, for_vulkan},
        {one_level, RECORD_PAIR_INCOMPLETE, RECORD_NEED_UNFILTERABLE | RECORD_NEED_NO_MINMAX, 0, for_vulkan},
        {one_level, 0, RECORD_NEED_NO_MINMAX, 0, RECORD_MORE_NO_MINMAX},
        {one_level, RECORD_PAIR_SRGB, RECORD_NEED_SRGB, 0, 0},
        {levels, 0, RECORD_NEED_MIPS | RECORD_NEED_VIEW_EXTRAS, 0, RECORD_MORE_VIEW_LEAST},
        {one_level, 0, RECORD_NEED_FILTER_IF_DREF, 0, 2u << RECORD_MORE_DEPTH_IN_SHIFT},
        {one_level, 0, 0, 0, RECORD_MORE_NOT_COMPARED},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct record record = {
            .flags = rows[i].flags, .depth_bias = rows[i].depth_bias, .lod = rows[i].lod, .more = rows[i].more};
        if (record_needs(&record) != rows[i].needs)
            fail_msg("row %zu: needs 0x%x", i, record_needs(&record));
    }
}

/* Pipelines follow what their modules follow: no fact is lost on the way (spirv_facts_add). */
static void pipelines_follow_what_a_module_does(void **state)
{
    (void)state;
    enum { FACTS = offsetof(struct spirv_facts, lookups) };
    uint32_t follows = 0;
    for (size_t i = 0; i < FACTS; i++) {
        struct spirv_facts module = {0}, all = {0};
        memset((char *)&module + i, 1, sizeof(bool));
        spirv_facts_add(&all, &module);
        if (needs_followed(&all) != needs_followed(&module))
            fail_msg("spirv_facts_add() leaves out the fact at byte %zu", i);
        follows |= needs_followed(&module);
    }
    assert_int_not_equal(follows, 0);
}

/* What mask words cannot say of a combined record. */
static void other_bounds_than_those_of_clamp_are_read(void **state)
{
    (void)state;
    static const uint32_t one_level = 1u << RECORD_LEVELS_SHIFT;
    const uint32_t zero = record_near(-0.0f), edge = record_far(1.0f);
    const uint32_t absolute = record_near(0.0f), half = record_near(0.5f / 16);
    const uint32_t none = record_near(-1.0e30f / 16384), beyond = record_far(1.0e30f);
    const struct {
        const char *what;
        struct record record;
        bool read;
    } rows[] = {
        {"no bounds", {.flags = RECORD_COORDS | one_level}, false},
        {"none, times a size", {.flags = RECORD_COORDS | one_level, .near = {none, none}, .far = {beyond}}, false},
        {"CLAMP", {.flags = RECORD_COORDS | one_level, .near = {zero, zero}, .far = {edge, edge}}, false},
        {"CLAMP along one axis", {.flags = RECORD_COORDS | one_level, .near = {0, zero}, .far = {0, edge}}, false},
        {"CLAMP along the third", {.flags = RECORD_COORDS | one_level, .third = {zero, edge}}, false},
        {"a near bound alone", {.flags = RECORD_COORDS | one_level, .near = {zero}}, true},
        {"a far bound alone", {.flags = RECORD_COORDS | one_level, .far = {0, edge}}, true},
        {"a mirror", {.flags = RECORD_COORDS | one_level, .near = {absolute}, .far = {edge}}, true},
        {"half a texel", {.flags = RECORD_COORDS | one_level, .near = {half}, .far = {edge}}, true},
        {"half a texel of the third", {.flags = RECORD_COORDS | one_level, .third = {half, edge}}, true},
        {"texels", {.flags = RECORD_COORDS | RECORD_UNNORMALIZED | one_level, .near = {zero}, .far = {edge}}, true},
        {"a rectangle", {.flags = RECORD_RECTANGLE | one_level}, true},
        {"a rest of the bias", {.flags = RECORD_BIAS | one_level, .more = RECORD_MORE_ALWAYS}, true},
        {"a bias", {.flags = RECORD_BIAS | one_level}, false},
        {"a sampler alone", {.flags = RECORD_COORDS, .near = {half}, .far = {edge}}, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (((record_needs(&rows[i].record) & RECORD_NEED_BOUNDS) != 0) != rows[i].read)
            fail_msg("%s: needs 0x%x", rows[i].what, record_needs(&rows[i].record));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_are_those_of_the_records_kind),
        cmocka_unit_test(other_bounds_than_those_of_clamp_are_read),
        cmocka_unit_test(needs_have_a_tier),
        cmocka_unit_test(tiers_rise_with_needs),
        cmocka_unit_test(shaders_follow_what_they_do),
        cmocka_unit_test(pipelines_follow_what_a_module_does),
        cmocka_unit_test(every_need_matters),
    };
    return cmocka_run_group_tests_name("need", tests, NULL, NULL);
}
