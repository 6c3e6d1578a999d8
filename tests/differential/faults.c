/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "differential/facts.h"
#include "differential/faults.h"

static bool bounded(int tier, const struct diff_case *one)
{
    /* A separate sampler's record moves along axes that the texture lacks; nobody sees those. */
    return tier > 0 && (case_has_wrap(one, GL_CLAMP) || case_has_wrap(one, GL_MIRROR_CLAMP_EXT));
}

static bool derived(int tier, const struct diff_case *one)
{
    return tier > 0 && case_implicit(one);
}

static bool mirrored(int tier, const struct diff_case *one)
{
    return tier > 0 && (case_mirrors(one) || case_has_wrap(one, GL_MIRROR_CLAMP_TO_EDGE));
}

static bool switched(int tier, const struct diff_case *one)
{
    return tier == 2 && (one->state.minFilter != one->state.magFilter);
}

static bool bordered(int tier, const struct diff_case *one)
{
    return tier == 2 && (case_has_wrap(one, GL_CLAMP) || case_has_wrap(one, GL_CLAMP_TO_BORDER) || case_mirrors(one));
}

/* A colour is translated for every view: by its format's or base format, depth mode and swizzle. */
static bool translated(int tier, const struct diff_case *one)
{
    (void)tier;
    return case_has_wrap(one, GL_CLAMP) || case_has_wrap(one, GL_CLAMP_TO_BORDER) || case_mirrors(one);
}

/* Where several lookups share a loop. */
static bool looped(int tier, const struct diff_case *one)
{
    return tier == 2 && one->gpu_form && one->lookup.company != LOOKUP_ALONE;
}

static bool fails(int tier, const struct diff_case *one)
{
    return tier > 0 && one->compare_fail > 0 && case_compares(one);
}

static bool cubic(int tier, const struct diff_case *one)
{
    return tier == 2 && case_is_cubic(one);
}

static bool unfinished(int tier, const struct diff_case *one)
{
    (void)tier;
    return one->texture_incomplete;
}

static bool has_border_texels(int tier, const struct diff_case *one)
{
    return tier == 2 && one->texture.border;
}

static bool uncompared(int tier, const struct diff_case *one)
{
    return tier == 2 && facts_uncompared(one);
}

static const struct fault faults[] = {
    {"bound_half_texel", FAMILY_CLAMP, bounded, false},
    {"derivative_after", FAMILY_LOD, derived, false},
    {"no_abs", FAMILY_MIRROR, mirrored, false},
    {"min_mag_swapped", FAMILY_MIXED_FILTERS, switched, false},
    {"border_zero", FAMILY_BORDER, bordered, false},
    {"border_swizzle", FAMILY_BORDER_VIEWS, translated, false},
    {"derivative_in_loop", FAMILY_COMPANY, looped, false},
    {"cubic_shares", FAMILY_CUBIC, cubic, false},
    {"compared_colours", FAMILY_COMPARE, uncompared, true},
    {"fail_value", FAMILY_FAIL_VALUES, fails, false},
    {"incomplete_border", FAMILY_UNFINISHED, unfinished, false},
    {"border_texel", FAMILY_TEXTURE_BORDERS, has_border_texels, false},
};

const struct fault *fault_find(const char *name)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        if (strcmp(faults[i].name, name) == 0)
            return &faults[i];
    return NULL;
}
