/* SPDX-License-Identifier: MIT */
/*
 * The first stage of a pair: checks filters, comparisons, reductions and sRGB decoding against the view's format. Where
 * the driver lacks one, tier 2 filters or the filter becomes nearest, by the table below.
 */
#include "resolve/pair.h"

#include <string.h>

#include "record/layout.h"
#include "view_facts/view_facts.h"
#include "resolve/wrap.h"

/* A cubic filter of the shader's. Cubes have none. */
static bool filters_cubically(const struct resolved_pair *pair)
{
    return pair->emulated && is_cubic(&pair->wanted) && !is_cube(pair->view);
}

/* The outcome of linear filters on a view. */
enum filters { AS_ASKED, NEAREST, IN_SHADER, INCOMPLETE };

/*
 * The rules, in order: the first that holds decides.
 *
 *   integer view, GL, some filter linear, setting  incomplete: (0, 0, 0, 1)
 *   integer view, GL                               nearest
 *   view can be filtered, or no filter is linear   as asked
 *   the driver takes minima or maxima of it        as asked (VkFormatFeatureFlagBits: they need no linear filters)
 *                                                  but for a cubic filter of the shader's
 *   depth is compared                              as asked (VkFormatFeatureFlagBits: linear comparison always works)
 *   the layer offers minima or maxima of it        in the shader
 *   fallback is off                                as asked
 *   fallback is nearest, or integer view           nearest
 *   fallback is the shader                         in the shader
 */
static bool driver_reduces(const struct resolved_pair *pair)
{
    return is_reduced(pair->state) && !filters_cubically(pair) &&
           (pair->state->gl ? view_reduces_for_gl(pair->view, pair->caps)
                            : view_reduces_for_vulkan(pair->view, pair->caps));
}

static bool reduces_as_offered(const struct resolved_pair *pair)
{
    return is_reduced(pair->state) && view_reduces_as_offered(pair->view, pair->caps);
}

static enum filters filters_of(struct resolved_pair *pair)
{
    const struct sampler_state *state = pair->state;
    const struct view_facts *view = pair->view;
    const struct resolve_caps *caps = pair->caps;
    bool gl = state->gl, linear = any_linear(state);
    uint8_t fallback = pair->emulated ? caps->gl_fallback : caps->vk_fallback;
    if (gl && view->integer && caps->integer_incomplete && state->linear_asked) {
        pair_says(pair, WHY_INCOMPLETE);
        return INCOMPLETE;
    }
    if (gl && view->integer && linear) {
        pair_says(pair, WHY_INTEGER_NEAREST);
        return NEAREST;
    }
    if (view->linear || !linear || pair->compares)
        return AS_ASKED;
    if (driver_reduces(pair)) {
        pair->reduces_alone = true;
        return AS_ASKED;
    }
    if (reduces_as_offered(pair)) {
        pair_says(pair, WHY_FORMAT_SHADER);
        return IN_SHADER;
    }
    if (fallback == RESOLVE_FALLBACK_OFF) {
        if (pair->emulated)
            pair_says(pair, WHY_FORMAT_LEFT);
        return AS_ASKED;
    }
    if (fallback == RESOLVE_FALLBACK_NEAREST || view->integer) {
        pair_says(pair, view->integer ? WHY_INTEGER_NEAREST : WHY_FORMAT_NEAREST);
        return NEAREST;
    }
    pair_says(pair, WHY_FORMAT_SHADER);
    return IN_SHADER;
}

static void make_nearest(struct sampler_state *state)
{
    state->mag_linear = 0;
    state->min_linear = 0;
    state->mip_mode = state->mip_mode ? 1 : 0;
}

/* An incomplete texture is the same everywhere: one sampler for all of them. */
static void make_incomplete(struct resolved_pair *pair)
{
    struct sampler_state *wanted = &pair->wanted;
    *wanted = (struct sampler_state){.gl = 1, .seamless = 1, .create_flags = pair->state->create_flags};
    wanted->max_lod = LOD_BASE_LEVEL_MAX;
    pair->variant = RESOLVE_VIEW_INCOMPLETE;
}

/* Texel coordinates: GL has no mipmaps there, and the shader divides so that Vulkan's bans do not apply. */
static void make_rectangle(struct resolved_pair *pair)
{
    struct sampler_state *wanted = &pair->wanted;
    pair->flags |= RECORD_RECTANGLE | RECORD_COORDS;
    pair_says(pair, WHY_RECTANGLE);
    if (!wanted->mip_mode || !wanted->gl)
        return;
    wanted->mip_mode = 0;
    if (wanted->min_lod > LOD_BASE_LEVEL_MAX)
        wanted->min_lod = LOD_BASE_LEVEL_MAX;
    if (wanted->max_lod > LOD_BASE_LEVEL_MAX)
        wanted->max_lod = LOD_BASE_LEVEL_MAX;
}

/* The channels of a lookup that are not encoded again, and of a fetch that are not decoded: alpha and constants. In
 * pair flags from BORDER on, red first. */
static uint32_t linear_channels(const struct view_facts *view)
{
    uint32_t channels = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t selector = view->swizzle[i];
        bool alpha = view_channel(view, selector) == RECORD_BORDER_A;
        if (alpha || selector == RECORD_BORDER_ZERO || selector == RECORD_BORDER_ONE)
            channels |= RECORD_PAIR_BORDER << i;
    }
    return channels;
}

static void set_decoding(struct resolved_pair *pair)
{
    if (!pair->state->srgb_skip || !pair->view->srgb)
        return;
    if (pair->view->unorm_auxiliary) {
        pair->variant = RESOLVE_VIEW_UNORM;
        pair->pair_flags |=
            RECORD_PAIR_SRGB_SKIP | linear_channels(pair->view); /* for fetches through the filter tier, which decode */
        pair_says(pair, WHY_SRGB_VIEW);
        return;
    }
    pair->pair_flags |= RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB | linear_channels(pair->view);
    pair_filters(pair, WHY_SRGB_SHADER);
}

/* Does the driver take minima and maxima as the filters say? */
static bool reduces_right(const struct resolved_pair *pair)
{
    const struct sampler_state *wanted = &pair->wanted;
    const bool one_level = wanted->mip_mode != 2 || (pair->view && pair->view->levels == 1);
    const bool one_filter = wanted->mag_linear == wanted->min_linear;
    return (one_level && one_filter) || !pair->caps->minmax_blends || !pair->caps->sampler_filter_minmax;
}

/* The shader computes minima and maxima that the driver lacks. One texel is its own minimum and maximum. */
static void set_reduction(struct resolved_pair *pair)
{
    struct sampler_state *wanted = &pair->wanted;
    const struct view_facts *view = pair->view;
    if (!reduces_as_gl(wanted, pair->caps) || !is_reduced(wanted))
        return;
    if (!any_linear(wanted) || pair->compares) { /* VUID-VkSamplerCreateInfo-compareEnable-01423 */
        if (any_linear(wanted))
            pair_says(pair, WHY_REDUCTION_COMPARE);
        wanted->reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
        return;
    }
    if (view && view->integer) /* the driver's, if any: no shader filters integers */
        return;
    if (filters_cubically(pair)) /* the shader's, of the footprint of its filter */
        return;
    const bool right = reduces_right(pair);
    if ((!view || view_has_reductions(view, pair->caps)) && right) {
        if (!pair->caps->sampler_filter_minmax)
            pair_says(pair, WHY_REDUCTION_DEVICE);
        return;
    }
    pair_filters(pair, !pair->caps->sampler_filter_minmax ? WHY_REDUCTION_DEVICE
                       : view && !view->minmax            ? WHY_REDUCTION_FORMAT
                       : !right                           ? WHY_REDUCTION_DRIVER
                                                          : WHY_REDUCTION_SWIZZLE);
}

/*
 * Views for comparisons have no swizzle, because drivers differ in what they make of it: where the swizzle shows a
 * constant, every comparison gives that.
 */
static void set_comparison(struct resolved_pair *pair)
{
    struct sampler_state *wanted = &pair->wanted;
    if (!pair->compares || pair->view->compared == VIEW_COMPARED_RESULT)
        return;
    wanted->compare = 1u + (pair->view->compared == VIEW_COMPARED_ONE ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_NEVER);
    pair_says(pair, WHY_COMPARED_CONSTANT);
}

bool has_probes(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const bool levels = caps->offered & RESOLVE_OFFER_ANISOTROPY && state->mag_linear && !wrap_one_level(state, NULL);
    return (state->min_linear || levels) && state->max_anisotropy >= 2.0f && !caps->trilinear;
}

/* Whatever the driver's sampler would be, the record alone says how to filter. */
static void set_full(struct resolved_pair *pair)
{
    if (!pair->caps->samplers_full)
        return;
    pair_filters(pair, WHY_SAMPLERS_FULL);
    pair->driver_nearest = true;
}

/*
 * A cubic filter of the shader's has a footprint of four texels along each axis, for minima and maxima too. Cubes and
 * comparisons have none.
 */
static void set_cubic(struct resolved_pair *pair)
{
    struct sampler_state *wanted = &pair->wanted;
    if (!pair->emulated)
        return;
    if (wanted->reduction == SAMPLER_RANGE_CLAMP)
        wanted->reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    if (filters_cubically(pair)) {
        pair_filters(pair, WHY_CUBIC);
        return;
    }
    if (!cubic_is_emulated(wanted, pair->caps) && !(is_cubic(wanted) && is_cube(pair->view)))
        return;
    wanted->mag_linear = wanted->mag_linear != 0;
    wanted->min_linear = wanted->min_linear != 0;
}

/* Border texels are in the image, where the driver takes them for the texture's, and sizes are without them. */
static void set_bordered(struct resolved_pair *pair)
{
    if (!pair->view->border)
        return;
    pair_filters(pair, WHY_BORDERED);
    pair->driver_nearest = true;
}

static void set_probes(struct resolved_pair *pair)
{
    if (probes_alone(&pair->wanted, pair->caps) && !is_cube(pair->view))
        pair_filters(pair, WHY_PROBES);
}

void filter_on_view(struct resolved_pair *pair)
{
    const struct view_facts *view = pair->view;
    struct sampler_state *wanted = &pair->wanted;
    pair->compares = wanted->compare != 0;
    if (!view) {
        set_cubic(pair);
        set_reduction(pair);
        set_probes(pair);
        set_full(pair);
        return;
    }
    if (wanted->gl && wanted->compare && !view->depth_aspect) {
        wanted->compare = 0;
        pair->compares = false;
        pair_says(pair, WHY_NOT_DEPTH);
    }
    set_comparison(pair);
    set_bordered(pair);
    enum filters filters = filters_of(pair);
    if (filters == INCOMPLETE) {
        make_incomplete(pair);
        return;
    }
    if (filters == NEAREST)
        make_nearest(wanted);
    if (filters == IN_SHADER) {
        pair->filtered = true;
        pair->driver_nearest = true;
    }
    /* Depth mode and swizzle of the driver's view are those of texels: comparisons see an unmapped one. */
    if (pair->compares)
        pair->variant = RESOLVE_VIEW_UNMAPPED;
    if (pair->compares && view->depth_promoted)
        pair_says(pair, WHY_DREF);
    if (pair->compares && view->compare_fail > 0.0f)
        pair_says(pair, WHY_COMPARE_FAIL);
    if (view->rectangle && !wanted->unnormalized)
        make_rectangle(pair);
    set_decoding(pair);
    set_cubic(pair);
    set_reduction(pair);
    set_probes(pair);
    set_full(pair);
}
