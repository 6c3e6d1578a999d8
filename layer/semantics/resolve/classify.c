/* SPDX-License-Identifier: MIT */
/*
 * The rules by which a sampler state requires emulation: each is what one stage of resolve (filter.c, wrap.c, lod.c,
 * border.c, driver.c) does with some view, asked of the state and the device alone.
 */
#include "resolve/classify.h"

#include "format/range.h"
#include "record/layout.h"
#include "record/record.h"
#include "resolve/border.h"
#include "resolve/pair.h"
#include "resolve/wrap.h"
#include "view_facts/view_facts.h"

/* ---- Views ---- */

bool view_facts_require_emulation(const struct view_facts *view)
{
    static const uint8_t identity[] = {RECORD_BORDER_R, RECORD_BORDER_G, RECORD_BORDER_B, RECORD_BORDER_A};
    bool swizzled = view->mapping != VIEW_MAPPING_IDENTITY;
    for (int i = 0; i < 4; i++) /* what a format lacks is a constant */
        swizzled |= view->swizzle[i] != identity[i] && view->swizzle[i] > RECORD_BORDER_ONE;
    return swizzled || !view->linear || view->integer || view->stencil || view->rectangle || view->depth_promoted ||
           view_order(view) || view->compare_fail > 0.0f || view->border;
}

/* ---- With every kind of view ---- */

/* Views have up to three axes. Gathers have two. */
static bool moves_coordinates(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const bool mirror_is_native = caps->mirror_clamp_to_edge && !state->unnormalized;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const struct wrap_rule *rule = wrap_rule(state->wrap[axis], wrap_filters(state), mirror_is_native);
        if (rule->moves || (axis < 2 && wrap_gather_differs(state->wrap[axis], rule)))
            return true;
    }
    return false;
}

/* A bias that the driver cannot hold, where some view has levels or filters among which it chooses. */
static bool makes_up_bias(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const float limit = caps->max_lod_bias, bias = resolve_bounded_lod_bias(state->lod_bias, limit);
    if (resolve_lod_bias_is_native(limit) && bias == state->lod_bias)
        return false;
    return bias > limit || bias < -limit || filters_differ(state, caps) || !wrap_one_level(state, NULL);
}

/*
 * Where coordinates are not moved, no other mode than this one has the driver read the border: those that Vulkan lacks
 * are CLAMP_TO_EDGE or MIRROR_CLAMP_TO_EDGE then.
 */
static bool reads_border_unmoved(const struct sampler_state *state)
{
    return state->wrap[0] == RECORD_WRAP_CLAMP_TO_BORDER || state->wrap[1] == RECORD_WRAP_CLAMP_TO_BORDER ||
           state->wrap[2] == RECORD_WRAP_CLAMP_TO_BORDER;
}

/*
 * The program's own sampler has the custom colour of a state without GL structure, as long as the driver has room for
 * it.
 */
static bool border_is_emulated(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return reads_border_unmoved(state) && !border_is_standard(state) &&
           (resolve_is_emulated(state, caps) || caps->border_full);
}

static bool is_emulated_always(const struct sampler_state *state, const struct resolve_caps *caps)
{
    if (resolve_is_emulated(state, caps) && moves_coordinates(state, caps))
        return true;
    if (resolve_is_emulated(state, caps) && !state->seamless && !caps->non_seamless_cube) /* cubes */
        return true;
    if (border_is_emulated(state, caps))
        return true;
    if (resolve_is_emulated(state, caps) && is_cubic(state))
        return true;
    if (reduces_as_gl(state, caps) && is_reduced(state) && any_linear(state) &&
        !state->compare) /* views that the driver cannot reduce */
        return true;
    if (biases_as_gl(state, caps) && makes_up_bias(state, caps))
        return true;
    if (probes_alone(state, caps))
        return true;
    return state->gl && (state->compare ||   /* OpenGL compares depth views only */
                         state->srgb_skip || /* sRGB views */
                         (state->mip_mode == 0 && caps->least_lods));
}

/* ---- With views that require emulation ---- */

static bool is_emulated_with_some(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const bool linear = any_linear(state), emulated = resolve_is_emulated(state, caps);
    const uint8_t fallback = emulated ? caps->gl_fallback : caps->vk_fallback;
    if (linear && !state->compare && fallback != RESOLVE_FALLBACK_OFF) /* views without linear filters */
        return true;
    if (emulated && state->max_anisotropy != 0.0f && !(caps->offered & RESOLVE_OFFER_ANISOTROPY) &&
        !state->compare) /* views without linear filters have no anisotropic ones either */
        return true;
    if (state->gl && (linear || (caps->integer_incomplete && state->linear_asked))) /* integer views */
        return true;
    const bool swizzles = caps->offered & RESOLVE_OFFER_BORDER_SWIZZLE;
    const bool mapped = state->border_mapping && (!swizzles || caps->border_swizzle);
    if (reads_border_unmoved(state) && /* integer views; views of other mappings */
        (state->gl || mapped || (emulated && swizzles && !state->compare && !border_ignores_mapping(state))))
        return true;
    return caps->gl_views; /* views with a depth mode; rectangles; borders */
}

enum sampler_emulation sampler_state_classify(const struct sampler_state *state, const struct resolve_caps *caps)
{
    if (is_emulated_always(state, caps))
        return SAMPLER_EMULATED_ALWAYS;
    return is_emulated_with_some(state, caps) ? SAMPLER_EMULATED_WITH_SOME_VIEWS : SAMPLER_EMULATED_NEVER;
}

/* ---- Without a view ---- */

/* Does the driver's sampler of a state with this mode read the border? */
static bool driver_reads_border(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const bool mirror_is_native = caps->mirror_clamp_to_edge && !state->unnormalized;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (wrap_rule(state->wrap[axis], wrap_filters(state), mirror_is_native)->driver == RECORD_WRAP_CLAMP_TO_BORDER)
            return true;
    }
    return false;
}

/* The program's own sampler of an emulated state is no custom border colour's, but that of its descriptor may be. */
bool sampler_state_is_native_alone(const struct sampler_state *state, const struct resolve_caps *caps)
{
    if (!resolve_is_emulated(state, caps) || !caps->custom_border_color || caps->border_in_shader ||
        !driver_reads_border(state, caps))
        return true;
    if (!state->gl)
        return caps->border_full || border_is_standard(state) ||
               (!state->border_format && !caps->custom_border_color_without_format);
    const uint32_t red = range_clamp(VIEW_RANGE_NONE, 0, state->border[0]); /* all that comparisons see */
    return !caps->custom_border_color_without_format ||
           (state->compare ? red == 0 || red == record_bits(1.0f) : border_is_standard(state));
}
