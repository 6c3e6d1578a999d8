/* SPDX-License-Identifier: MIT */
/*
 * Which sampler states the driver does not get as they are: GL states, address modes that Vulkan lacks, and states of
 * Vulkan alone that use what the layer offers in the driver's place.
 */
#include "format/range.h"
#include "record/layout.h"
#include "record/record.h"
#include "resolve/border.h"
#include "resolve/pair.h"
#include "resolve/wrap.h"

/* Integers are another kind of colour. */
bool border_is_standard(const struct sampler_state *state)
{
    const uint32_t one = state->border_kind == SAMPLER_BORDER_INT ? 1u : record_bits(1.0f);
    uint32_t color[4];
    for (uint32_t i = 0; i < 4; i++) {
        color[i] = state->gl ? range_clamp(VIEW_RANGE_NONE, i, state->border[i]) : state->border[i];
        if (color[i] != 0 && color[i] != one)
            return false;
    }
    return color[0] == color[1] && color[1] == color[2] && color[3] >= color[2];
}

bool border_ignores_mapping(const struct sampler_state *state)
{
    return border_is_standard(state) && state->border[0] == state->border[3];
}

static bool uses_border(const struct sampler_state *state, uint32_t offered)
{
    if (!border_is_reachable(state))
        return false;
    if (offered & RESOLVE_OFFER_BORDER_COLOR && !border_is_standard(state))
        return true;
    return offered & RESOLVE_OFFER_BORDER_SWIZZLE && (state->border_mapping || !border_ignores_mapping(state));
}

static bool mirrors_to_edge(const struct sampler_state *state)
{
    return state->wrap[0] == RECORD_WRAP_MIRROR_CLAMP_TO_EDGE || state->wrap[1] == RECORD_WRAP_MIRROR_CLAMP_TO_EDGE ||
           state->wrap[2] == RECORD_WRAP_MIRROR_CLAMP_TO_EDGE;
}

/* A shader's own bias counts, too: every state in which a bias can show. */
static bool shows_bias(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return filters_differ(state, caps) || !wrap_one_level(state, NULL) || state->lod_bias > caps->max_lod_bias ||
           state->lod_bias < -caps->max_lod_bias;
}

bool resolve_is_emulated(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const uint32_t offered = caps->offered;
    if (state->gl || wrap_any_private(state))
        return true;
    if (!offered)
        return false;
    return uses_border(state, offered) || (offered & RESOLVE_OFFER_MIRROR_CLAMP && mirrors_to_edge(state)) ||
           (offered & RESOLVE_OFFER_CUBE_FACES && !state->seamless) ||
           (offered & RESOLVE_OFFER_MINMAX && is_reduced(state)) ||
           (offered & RESOLVE_OFFER_CUBIC && sampler_is_cubic(state)) ||
           (offered & RESOLVE_OFFER_ANISOTROPY && state->max_anisotropy != 0.0f) ||
           (offered & RESOLVE_OFFER_LOD_BIAS && shows_bias(state, caps));
}
