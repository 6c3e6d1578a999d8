/* SPDX-License-Identifier: MIT */
/*
 * The rule table of wrap modes: for each mode and set of filters, which address mode the driver gets, between which
 * bounds tier 1 moves coordinates, and when only tier 2 is exact.
 */
#include "resolve/wrap.h"

#include "gl/gl_tokens.h"
#include "record/layout.h"
#include "vulkan_clampler.h"

#define EDGE RECORD_WRAP_CLAMP_TO_EDGE
#define BORDER RECORD_WRAP_CLAMP_TO_BORDER
#define MIRROR_EDGE RECORD_WRAP_MIRROR_CLAMP_TO_EDGE

static const struct wrap_rule native[5] = {
    {RECORD_WRAP_REPEAT, 0, WRAP_FILTER_NEVER, NULL},
    {RECORD_WRAP_MIRRORED_REPEAT, 0, WRAP_FILTER_NEVER, NULL},
    {EDGE, 0, WRAP_FILTER_NEVER, NULL},
    {MIRROR_EDGE, 0, WRAP_FILTER_NEVER, NULL},
    {BORDER, 0, WRAP_FILTER_NEVER, NULL},
};

/* abs() is all that lookups lack: CLAMP_TO_EDGE bounds the coordinate by every level's own size. */
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

/* Bounds beyond all coordinates: RECORD_NO_NEAR and RECORD_NO_FAR as floats. */
#define NO_NEAR (-1.0e30f)
#define NO_FAR 1.0e30f

/*
 * Bounds, between which tier 1 moves a coordinate. If the near one has no sign, the coordinate's absolute value is
 * taken first: CLAMP has -0.0.
 *
 *   CLAMP                    0 to the edge
 *   MIRROR_CLAMP             absolute value, from half a texel to the edge
 *   MIRROR_CLAMP_TO_EDGE     absolute value
 *   MIRROR_CLAMP_TO_BORDER   absolute value, from half a texel on
 *
 * The driver's modes of the last two set their far bound at every level by its own size.
 */
static const struct wrap_mode modes[] = {
    [RECORD_WRAP_REPEAT] = {"REPEAT", TOKEN_REPEAT, VK_SAMPLER_ADDRESS_MODE_REPEAT, NO_NEAR, NO_FAR, NULL},
    [RECORD_WRAP_MIRRORED_REPEAT] = {"MIRRORED_REPEAT", TOKEN_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                     NO_NEAR, NO_FAR, NULL},
    [RECORD_WRAP_CLAMP_TO_EDGE] = {"CLAMP_TO_EDGE", TOKEN_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, NO_NEAR,
                                   NO_FAR, NULL},
    [RECORD_WRAP_MIRROR_CLAMP_TO_EDGE] = {"MIRROR_CLAMP_TO_EDGE", TOKEN_MIRROR_CLAMP_TO_EDGE,
                                          VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, 0.0f, NO_FAR, NULL},
    [RECORD_WRAP_CLAMP_TO_BORDER] = {"CLAMP_TO_BORDER", TOKEN_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     NO_NEAR, NO_FAR, NULL},
    [RECORD_WRAP_MIRROR_CLAMP_TO_BORDER] = {"MIRROR_CLAMP_TO_BORDER", TOKEN_MIRROR_CLAMP_TO_BORDER,
                                            VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_TO_BORDER_CLAMPLER,
                                            RECORD_HALF_TEXEL, NO_FAR, mirror_clamp_to_border},
    [RECORD_WRAP_CLAMP] = {"CLAMP", TOKEN_CLAMP, VK_SAMPLER_ADDRESS_MODE_GL_CLAMP_CLAMPLER, -0.0f, 1.0f, clamp},
    [RECORD_WRAP_MIRROR_CLAMP] = {"MIRROR_CLAMP", TOKEN_MIRROR_CLAMP, VK_SAMPLER_ADDRESS_MODE_GL_MIRROR_CLAMP_CLAMPLER,
                                  RECORD_HALF_TEXEL, 1.0f, mirror_clamp},
};

enum { MODES = sizeof(modes) / sizeof(modes[0]) };
_Static_assert(MODES <= RECORD_WRAP_MASK + 1, "a record has three bits for an axis' mode (docs/testing.md)");

#define NO_MODE(axis)                                                                                                  \
    "wrap" axis " is none of GL_CLAMP, GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, GL_MIRRORED_REPEAT, "          \
    "GL_MIRROR_CLAMP_EXT, GL_MIRROR_CLAMP_TO_EDGE, GL_MIRROR_CLAMP_TO_BORDER_EXT"

const char *wrap_no_mode(uint32_t axis)
{
    static const char *const reasons[3] = {NO_MODE("S"), NO_MODE("T"), NO_MODE("R")};
    return reasons[axis];
}

const struct wrap_mode *wrap_mode(uint8_t wrap)
{
    return &modes[wrap & RECORD_WRAP_MASK];
}

bool wrap_from_token(uint32_t token, uint8_t *wrap)
{
    if (token == 0)
        token = TOKEN_REPEAT;
    for (uint8_t i = 0; i < MODES; i++) {
        if (modes[i].token == token) {
            *wrap = i;
            return true;
        }
    }
    return false;
}

uint8_t wrap_from_address_mode(VkSamplerAddressMode mode)
{
    for (uint8_t i = 0; i < MODES; i++) {
        if (modes[i].mode == mode)
            return i;
    }
    return RECORD_WRAP_REPEAT;
}

enum filter_pair wrap_filters(const struct sampler_state *state)
{
    if (state->mag_linear)
        return state->min_linear ? FILTERS_LINEAR : FILTERS_MAG_LINEAR;
    return state->min_linear ? FILTERS_MIN_LINEAR : FILTERS_NEAREST;
}

const struct wrap_rule *wrap_rule(uint8_t wrap, enum filter_pair filters, bool mirror_is_native)
{
    const struct wrap_rule *rules = modes[wrap].rules;
    const struct wrap_rule *rule = rules ? &rules[filters] : &native[wrap];
    if (rule->driver == MIRROR_EDGE && !mirror_is_native)
        return rule->filter == WRAP_FILTER_ALWAYS ? &mirror_clamp_mixed_without_native : &mirror_to_edge;
    return rule;
}

bool wrap_gather_differs(uint8_t wrap, const struct wrap_rule *rule)
{
    return (wrap == RECORD_WRAP_CLAMP || wrap == RECORD_WRAP_MIRROR_CLAMP) && rule->driver != BORDER;
}

/*
 * OpenGL 4.6 (table 8.20) and Vulkan mirror the texels' numbers, so that a gather of the mirrored side has them in the
 * order of the footprint: the absolute coordinate's is another. Coordinates on faces are not negative.
 */
static bool gather_is_mirrored(uint8_t wrap, const struct wrap_rule *rule)
{
    return wrap == MIRROR_EDGE && rule->driver != MIRROR_EDGE;
}

bool wrap_any_private(const struct sampler_state *state)
{
    return wrap_is_private(state->wrap[0]) || wrap_is_private(state->wrap[1]) || wrap_is_private(state->wrap[2]);
}

uint32_t wrap_axes(const struct resolved_pair *pair)
{
    if (!pair->view)
        return 3;
    switch (pair->view->type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return 1;
    case VK_IMAGE_VIEW_TYPE_2D:
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return 2;
    case VK_IMAGE_VIEW_TYPE_3D:
        return 3;
    default:
        return faces_are_alone(pair) ? 2 : 0;
    }
}

bool wrap_one_level(const struct sampler_state *state, const struct view_facts *view)
{
    if ((view && view->levels <= 1) || state->mip_mode == 0 || state->unnormalized)
        return true;
    /* Nearest rounds a level of detail of exactly 1/2 as the driver likes. */
    return state->mip_mode == 1 ? state->max_lod < 0.5f : state->max_lod <= 0.0f;
}

/* ---- The pair ---- */

const struct wrap_rule *wrap_rule_of(const struct resolved_pair *pair, uint32_t axis)
{
    const struct sampler_state *wanted = &pair->wanted;
    /* Unnormalised samplers may only clamp (VUID-VkSamplerCreateInfo-unnormalizedCoordinates-01074). */
    bool mirror_is_native = pair->caps->mirror_clamp_to_edge && !wanted->unnormalized;
    if (!pair->emulated)
        return NULL;
    return wrap_rule(wanted->wrap[axis], wrap_filters(wanted), mirror_is_native);
}

/* With texel coordinates Vulkan allows two modes; one that is neither becomes the edge. */
static uint8_t legal_mode(struct resolved_pair *pair, uint8_t mode)
{
    if (!pair->wanted.unnormalized || mode == EDGE || mode == BORDER)
        return mode;
    pair_says(pair, WHY_TEXEL_MODES);
    return EDGE;
}

static bool mirrors_once(uint8_t wrap)
{
    return wrap & RECORD_WRAP_MIRROR && wrap != RECORD_WRAP_MIRRORED_REPEAT;
}

/*
 * The modes depend on state and capabilities alone, not on the view's levels or axes, so that one driver sampler suits
 * as many views as possible.
 */
static void set_driver_modes(struct resolved_pair *pair)
{
    enum filter_pair filters = pair->driver_nearest ? FILTERS_NEAREST : wrap_filters(&pair->wanted);
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint8_t wrap = pair->wanted.wrap[axis];
        pair->driver_wrap[axis] = wrap;
        if (!pair->emulated)
            continue;
        bool mirror_is_native = pair->caps->mirror_clamp_to_edge && !pair->wanted.unnormalized;
        pair->driver_wrap[axis] = legal_mode(pair, wrap_rule(wrap, filters, mirror_is_native)->driver);
        if (pair->wanted.unnormalized && mirrors_once(wrap))
            pair_says(pair, WHY_TEXEL_MODES);
    }
}

/*
 * A coordinate on a face lies within it, so that saturating does nothing. But the near bound of the mirror modes shows,
 * and tier 1 cannot move a direction.
 */
static bool has_near_bound(uint8_t wrap)
{
    return wrap == RECORD_WRAP_MIRROR_CLAMP || wrap == RECORD_WRAP_MIRROR_CLAMP_TO_BORDER;
}

static bool face_needs_filter(uint8_t wrap, enum filter_pair filters, const struct wrap_rule *rule)
{
    return rule->filter == WRAP_FILTER_ALWAYS || (has_near_bound(wrap) && filters != FILTERS_NEAREST);
}

static void wrap_faces(struct resolved_pair *pair, bool *gathers)
{
    enum filter_pair filters = wrap_filters(&pair->wanted);
    if (!pair->caps->non_seamless_cube) {
        *gathers = true; /* their footprint is linear whatever the filters are */
        if (filters != FILTERS_NEAREST)
            pair_filters(pair, WHY_FACES_SHADER);
        return;
    }
    for (uint32_t axis = 0; axis < 2; axis++) {
        const struct wrap_rule *rule = wrap_rule_of(pair, axis);
        /* A gather's footprint is linear whatever the filters are, so it sees the near bound. */
        *gathers |= wrap_gather_differs(pair->wanted.wrap[axis], rule) || has_near_bound(pair->wanted.wrap[axis]);
        if (face_needs_filter(pair->wanted.wrap[axis], filters, rule))
            pair_filters(pair, WHY_FACES_MODES);
    }
}

/*
 * A sampler alone may be used with cubes: the shader filters them if the driver does not filter their faces as GL does,
 * and needs the flag where it filters for other reasons.
 */
static bool faces_need_shader(const struct resolved_pair *pair)
{
    const struct sampler_state *wanted = &pair->wanted;
    enum filter_pair filters = wrap_filters(wanted);
    if (wanted->seamless)
        return false;
    return !pair->caps->non_seamless_cube || pair->filtered ||
           pair->flags & (RECORD_FILTER_IF_MIPS | RECORD_FILTER_IF_GATHER) || has_near_bound(wanted->wrap[0]) ||
           has_near_bound(wanted->wrap[1]) || face_needs_filter(wanted->wrap[0], filters, wrap_rule_of(pair, 0)) ||
           face_needs_filter(wanted->wrap[1], filters, wrap_rule_of(pair, 1));
}

static void wrap_coordinates(struct resolved_pair *pair, uint32_t axes, bool *gathers)
{
    const bool least = pair->view && pair->view->levels > 1 && pair->view->least_level > 0.0f;
    const bool one_level = wrap_one_level(&pair->wanted, pair->view) && !least;
    bool moves = false, near = false;
    uint32_t filter = WRAP_FILTER_NEVER;
    for (uint32_t axis = 0; axis < axes; axis++) {
        const struct wrap_rule *rule = wrap_rule_of(pair, axis);
        moves |= rule->moves;
        near |= has_near_bound(pair->wanted.wrap[axis]);
        *gathers |= axis < 2 && (wrap_gather_differs(pair->wanted.wrap[axis], rule) ||
                                 gather_is_mirrored(pair->wanted.wrap[axis], rule));
        if (rule->filter > filter)
            filter = rule->filter;
        if (rule->reason && !pair->driver_nearest) /* else the shader wraps */
            pair_says(pair, WHY_WRAPS);
    }
    if (moves)
        pair->flags |= RECORD_COORDS;
    /* Level 0 is not sampled: its bounds and offsets are not those of the level that is. */
    *gathers |= least && (moves || near);
    const bool texels_blend = pair->wanted.mag_linear || pair->wanted.min_linear; /* others see no near bound */
    if (filter == WRAP_FILTER_NEVER && near && texels_blend && least)
        filter = WRAP_FILTER_ALWAYS;
    if (filter == WRAP_FILTER_ALWAYS)
        pair->filtered = true; /* the rule's reason says so */
    else if (filter == WRAP_FILTER_IF_MIPS && !one_level && pair->view)
        pair_filters(pair, WHY_LEVELS);
    else if (filter == WRAP_FILTER_IF_MIPS && !one_level)
        pair->flags |= RECORD_FILTER_IF_MIPS; /* says more than FILTER_IF_OFFSET would */
    else if (moves && !one_level)
        pair->flags |= RECORD_FILTER_IF_OFFSET;
}

void wrap_on_view(struct resolved_pair *pair)
{
    uint32_t axes = wrap_axes(pair);
    bool gathers = false;
    set_driver_modes(pair);
    if (faces_are_alone(pair)) /* tier 2 must know, whatever it filters for */
        pair->pair_flags |= RECORD_PAIR_NON_SEAMLESS;
    if (!pair->emulated)
        return;
    if (faces_are_alone(pair))
        wrap_faces(pair, &gathers);
    else
        wrap_coordinates(pair, axes, &gathers);
    /* Only two-dimensional images can be gathered from; where tier 2 filters anyway, no flag is needed. */
    if (gathers && (!pair->view || axes == 2) && !pair->filtered) {
        pair->flags |= RECORD_FILTER_IF_GATHER;
        pair_says(pair, WHY_GATHERS);
    }
    if (!pair->view && faces_need_shader(pair))
        pair->pair_flags |= RECORD_PAIR_NON_SEAMLESS;
}
