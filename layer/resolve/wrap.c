#include "wrap.h"

#define EDGE RECORD_WRAP_CLAMP_TO_EDGE
#define BORDER RECORD_WRAP_CLAMP_TO_BORDER
#define MIRROR_EDGE RECORD_WRAP_MIRROR_CLAMP_TO_EDGE

static const struct wrap_rule native[5] = {
    {RECORD_WRAP_REPEAT, 0, WRAP_FILTER_NEVER, NULL},
    {RECORD_WRAP_MIRRORED_REPEAT, 0, WRAP_FILTER_NEVER, NULL},
    {EDGE, 0, WRAP_FILTER_NEVER, NULL},
    {BORDER, 0, WRAP_FILTER_NEVER, NULL},
    {MIRROR_EDGE, 0, WRAP_FILTER_NEVER, NULL},
};

/* abs() is all that the driver lacks: CLAMP_TO_EDGE bounds the coordinate by every level's own size. */
static const struct wrap_rule mirror_to_edge = {EDGE, 1, WRAP_FILTER_NEVER, "absolute coordinate and CLAMP_TO_EDGE"};

/*
 * Mixed filters: tier 1 takes the edge. It is exact for the nearest filter, and off by at most half the difference
 * between border and edge for the linear one. CLAMP_TO_BORDER would be exact for the linear filter, but the nearest one
 * would read nothing but border from coordinate 1 on: twice the error.
 */
static const char mixed[] = "one filter wants the border, the other the edge: filtered in the shader (tier 1: edge)";

/* Indexed by enum filter_pair. */
static const struct wrap_rule clamp[4] = {
    /* Nearest takes u clamped to [0, N] and then the texel clamped to [0, N-1]: CLAMP_TO_EDGE by another name. */
    {EDGE, 0, WRAP_FILTER_NEVER, NULL},
    {BORDER, 1, WRAP_FILTER_NEVER, "coordinate saturated, CLAMP_TO_BORDER"},
    {EDGE, 1, WRAP_FILTER_ALWAYS, mixed},
    {EDGE, 1, WRAP_FILTER_ALWAYS, mixed},
};

/*
 * The linear mirror modes never read the border at the mirror line: the coordinate stays half a texel away from it.
 * That half texel is the sampled level's, so tier 1 is exact where only one level is sampled.
 */
static const struct wrap_rule mirror_clamp[4] = {
    {MIRROR_EDGE, 0, WRAP_FILTER_NEVER, NULL},
    {BORDER, 1, WRAP_FILTER_IF_MIPS, "absolute coordinate bounded by half a texel and 1, CLAMP_TO_BORDER"},
    {MIRROR_EDGE, 1, WRAP_FILTER_ALWAYS, mixed},
    {MIRROR_EDGE, 1, WRAP_FILTER_ALWAYS, mixed},
};

/*
 * The far bound is CLAMP_TO_BORDER's own, and the near one does not show under a nearest filter. Magnification samples
 * the first level alone, so a linear magnification filter knows its bound.
 */
static const struct wrap_rule mirror_clamp_to_border[4] = {
    {BORDER, 1, WRAP_FILTER_NEVER, "absolute coordinate, CLAMP_TO_BORDER"},
    {BORDER, 1, WRAP_FILTER_IF_MIPS, "absolute coordinate at least half a texel, CLAMP_TO_BORDER"},
    {BORDER, 1, WRAP_FILTER_NEVER, "absolute coordinate at least half a texel, CLAMP_TO_BORDER"},
    {BORDER, 1, WRAP_FILTER_IF_MIPS, "absolute coordinate at least half a texel, CLAMP_TO_BORDER"},
};

static const struct wrap_rule mirror_clamp_mixed_without_native = {EDGE, 1, WRAP_FILTER_ALWAYS, mixed};

enum filter_pair wrap_filters(const struct sampler_state *state)
{
    if (state->mag_linear)
        return state->min_linear ? FILTERS_LINEAR : FILTERS_MAG_LINEAR;
    return state->min_linear ? FILTERS_MIN_LINEAR : FILTERS_NEAREST;
}

bool wrap_mirror_is_native(const struct sampler_state *state, const struct resolve_caps *caps)
{
    /* Unnormalised samplers may only clamp (VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074). */
    return caps->mirror_clamp_to_edge && !state->unnormalized;
}

const struct wrap_rule *wrap_rule(enum record_wrap wrap, enum filter_pair filters, bool mirror_is_native)
{
    const struct wrap_rule *rule;
    switch (wrap) {
    case RECORD_WRAP_CLAMP:
        return &clamp[filters];
    case RECORD_WRAP_MIRROR_CLAMP_TO_BORDER:
        return &mirror_clamp_to_border[filters];
    case RECORD_WRAP_MIRROR_CLAMP:
        rule = &mirror_clamp[filters];
        break;
    default:
        rule = &native[wrap];
        break;
    }
    if (rule->driver == MIRROR_EDGE && !mirror_is_native)
        return rule->filter == WRAP_FILTER_ALWAYS ? &mirror_clamp_mixed_without_native : &mirror_to_edge;
    return rule;
}

bool wrap_gather_differs(enum record_wrap wrap, const struct wrap_rule *rule)
{
    return (wrap == RECORD_WRAP_CLAMP || wrap == RECORD_WRAP_MIRROR_CLAMP) && rule->driver != BORDER;
}

bool wrap_is_private(const struct sampler_state *state)
{
    return state->wrap[0] >= RECORD_WRAP_CLAMP || state->wrap[1] >= RECORD_WRAP_CLAMP ||
           state->wrap[2] >= RECORD_WRAP_CLAMP;
}

uint32_t wrap_axes(const struct view_facts *view)
{
    if (!view)
        return 3;
    switch (view->type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return 1;
    case VK_IMAGE_VIEW_TYPE_2D:
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return 2;
    case VK_IMAGE_VIEW_TYPE_3D:
        return 3;
    default:
        return 0;
    }
}

bool wrap_one_level(const struct sampler_state *state, const struct view_facts *view)
{
    if ((view && view->levels <= 1) || state->mip_mode == 0 || state->unnormalized)
        return true;
    /* Nearest rounds a level of detail of exactly 1/2 as the driver likes. */
    return state->mip_mode == 1 ? state->max_lod < 0.5f : state->max_lod <= 0.0f;
}

const struct sampler_state *wrap_state_on_view(const struct sampler_state *state, const struct view_facts *view,
                                               struct sampler_state *storage)
{
    if (!state->gl || !view)
        return state;
    bool compares = state->compare && view->depth_aspect;
    /* Depth may be filtered under comparison whatever the format's features say (VkFormatFeatureFlagBits). */
    bool nearest = view->integer || (!view->linear && !compares);
    bool filters = state->mag_linear || state->min_linear || state->mip_mode == 2;
    if ((!nearest || !filters) && (compares || !state->compare))
        return state;
    *storage = *state;
    if (nearest) {
        storage->mag_linear = 0;
        storage->min_linear = 0;
        storage->mip_mode = state->mip_mode ? 1 : 0;
    }
    if (!compares)
        storage->compare = 0;
    return storage;
}
