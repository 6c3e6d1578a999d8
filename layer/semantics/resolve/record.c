/* SPDX-License-Identifier: MIT */
/*
 * Writes records: of a sampler alone, of an image alone, and of a pair, which is combined from the terms of its sampler
 * and of its view.
 */
#include "need/need.h"
#include "resolve/pair.h"

#include <string.h>

#include "resolve/border.h"
#include "format/format.h"
#include "format/range.h"
#include "record/layout.h"
#include "record/record.h"
#include "view_facts/view_facts.h"
#include "resolve/wrap.h"

/* A bound of the level of detail in 1/256. What lies between none and the first step keeps its meaning: not zero. */
static uint32_t lod_bits(float lod)
{
    if (!(lod > 0.0f)) /* NaN as well: no bound is better than one that nothing compares with */
        return 0;
    if (lod >= 15.99f)
        return RECORD_LOD_MASK;
    uint32_t steps = (uint32_t)(lod / RECORD_STEP + 0.5f);
    return steps ? steps : 1;
}

static uint32_t bias_bits(float bias)
{
    if (!(bias > -128.0f)) /* NaN as well: no bias */
        return bias <= -128.0f ? 0x8000u : 0;
    if (bias > 127.99f)
        return 0x7FFFu;
    float scaled = bias / RECORD_STEP;
    return (uint32_t)(int32_t)(scaled + (scaled < 0 ? -0.5f : 0.5f)) & 0xFFFFu;
}

static uint32_t filter_bits(const struct sampler_state *state)
{
    static const uint32_t mips[] = {0, RECORD_MIP_NEAREST, RECORD_MIP_LINEAR};
    return (state->mag_linear ? RECORD_MAG_LINEAR : 0u) | (state->min_linear ? RECORD_MIN_LINEAR : 0u) |
           mips[state->mip_mode] | (state->unnormalized ? RECORD_UNNORMALIZED : 0u);
}

/* Bounds of one axis, in texels near and in edges far. */
struct bound {
    float near, far;
};

/* None where the driver mirrors: a gather shows that it mirrors the texels' numbers. */
static struct bound bound_of(const struct resolved_pair *pair, uint8_t wrap, uint32_t axis, bool moves)
{
    const bool native = wrap == RECORD_WRAP_MIRROR_CLAMP_TO_EDGE && pair->driver_wrap[axis] == wrap;
    const struct wrap_mode *mode = wrap_mode(moves && !native ? wrap : RECORD_WRAP_REPEAT);
    return (struct bound){mode->near, mode->far};
}

/* Bounds and bias for tier 1: for a sampler alone as records keep them, else as terms do. */
static void fill_bounds(const struct resolved_pair *pair, const struct sampler_state *state, struct record *record)
{
    float limit = pair->caps->max_lod_bias, bias = resolve_bounded_lod_bias(state->lod_bias, limit);
    bool moves = record->flags & RECORD_COORDS, alone = !pair->view;
    const struct bound first = bound_of(pair, state->wrap[0], 0, moves),
                       second = bound_of(pair, state->wrap[1], 1, moves),
                       third = bound_of(pair, state->wrap[2], 2, moves);
    record->near[0] = alone ? record_near(first.near) : record_bits(first.near);
    record->near[1] = alone ? record_near(second.near) : record_bits(second.near);
    record->far[0] = alone ? record_far(first.far) : record_bits(first.far);
    record->far[1] = alone ? record_far(second.far) : record_bits(second.far);
    if (alone || pair->view->type == VK_IMAGE_VIEW_TYPE_3D) {
        record->third[0] = alone ? record_near(third.near) : record_bits(third.near);
        record->third[1] = alone ? record_far(third.far) : record_bits(third.far);
    }
    if (record->flags & RECORD_BIAS)
        record->bias_rest = bias > limit ? bias - limit : bias < -limit ? bias + limit : 0.0f;
    if (record->bias_rest != 0.0f)
        record->more |= RECORD_MORE_ALWAYS;
    if (moves && (bias > 0.0f || record->bias_rest != 0.0f || state->max_anisotropy != 0.0f))
        record->more |= RECORD_MORE_GRADIENTS;
}

static uint32_t probe_bits(const struct sampler_state *state, const struct resolve_caps *caps)
{
    const float most = (float)(RECORD_MORE_PROBES_MASK + 1u);
    const float bound = state->max_anisotropy < most ? state->max_anisotropy : most;
    return has_probes(state, caps) ? ((uint32_t)bound - 1u) << RECORD_MORE_PROBES_SHIFT : 0u;
}

static uint32_t cubic_bits(const struct sampler_state *state)
{
    const uint32_t mag = filter_is_cubic(state->mag_linear), min = filter_is_cubic(state->min_linear);
    const uint32_t weights = (mag ? state->mag_linear : state->min_linear) - SAMPLER_CUBIC;
    return RECORD_MORE_REDUCTION_CUBIC << RECORD_MORE_REDUCTION_SHIFT | (mag ? RECORD_MORE_CUBIC_MAG : 0u) |
           (min ? RECORD_MORE_CUBIC_MIN : 0u) | weights << RECORD_MORE_CUBIC_WEIGHTS_SHIFT |
           (is_reduced(state) ? (uint32_t)state->reduction << RECORD_MORE_CUBIC_REDUCTION_SHIFT : 0u);
}

/* All fields of a sampler that tier 2 reads, even if a lower tier suffices. */
static void fill_sampler_terms(const struct sampler_state *state, const struct resolve_caps *caps,
                               struct record *record)
{
    record->flags |= (uint32_t)state->wrap[0] << RECORD_WRAP_S_SHIFT | (uint32_t)state->wrap[1] << RECORD_WRAP_T_SHIFT |
                     (uint32_t)state->wrap[2] << RECORD_WRAP_R_SHIFT |
                     (uint32_t)state->compare << RECORD_COMPARE_SHIFT | filter_bits(state);
    if (is_cubic(state)) {
        record->more |= cubic_bits(state);
    } else {
        if (any_linear(state) && !state->compare && is_reduced(state))
            record->more |= (uint32_t)state->reduction << RECORD_MORE_REDUCTION_SHIFT;
        record->more |= probe_bits(state, caps);
    }
    record->depth_bias |= bias_bits(state->lod_bias) << RECORD_BIAS_SHIFT;
    record->lod |= lod_bits(state->min_lod) << RECORD_MIN_LOD_SHIFT | lod_bits(state->max_lod) << RECORD_MAX_LOD_SHIFT;
}

/*
 * True: the driver's sampler does not give the pair's filter at a level that a lookup names. It is nearest, the view
 * has no linear filters (a setting may leave those as they are; comparisons need no such feature), it is cubic where
 * the record is linear, or it is anisotropic whatever level is named.
 */
static bool driver_filters_otherwise(const struct resolved_pair *pair)
{
    const struct sampler_state *wanted = &pair->wanted;
    const bool unfilterable = pair->view && !pair->view->linear && !pair->compares && any_linear(wanted);
    const bool cubic = sampler_is_cubic(wanted);
    const bool anisotropic =
        !pair->filtered && wanted->max_anisotropy != 0.0f && pair->caps->anisotropy_ignores_gradients;
    return pair->driver_nearest || unfilterable || cubic || anisotropic;
}

/* The flags of a pair. What filters whatever the lookup has no conditions. */
static uint32_t flags_of(const struct resolved_pair *pair)
{
    const uint32_t conditions = RECORD_FILTER_IF_MIPS | RECORD_FILTER_IF_OFFSET | RECORD_FILTER_IF_GATHER;
    return pair->filtered
               ? RECORD_FILTER | (pair->flags & ~conditions) | (pair->caps->samplers_full ? RECORD_FILTER_IF_MIPS : 0u)
               : pair->flags;
}

/* A combined record without the view's terms; fields that no lookup reads stay zero. */
static void record_of_view(const struct resolved_pair *pair, const uint32_t border[4], struct record *record)
{
    const uint32_t flags = flags_of(pair);
    const bool dref = pair->compares && pair->view->depth_promoted,
               fails = pair->compares && pair->view->compare_fail > 0.0f;
    if (!flags && !dref && !fails && !(pair->pair_flags & RECORD_PAIR_SRGB_SKIP) && !pair->more)
        return;
    record->flags = flags;
    record->lod = pair->pair_flags;
    record->more = pair->more | (flags & RECORD_FILTER && driver_filters_otherwise(pair) ? RECORD_MORE_TEXELS : 0u);
    record->depth_bias = dref ? RECORD_DEPTH_PROMOTED : 0u;
    fill_sampler_terms(&pair->wanted, pair->caps, record);
    fill_bounds(pair, &pair->wanted, record);
    memcpy(record->border, border, sizeof(record->border));
}

/*
 * Does the driver's sampler read the border? Gathers do not count: if only they reach the border, the shader filters
 * them.
 */
static bool reads_border(const struct resolved_pair *pair)
{
    const uint8_t *modes = pair->driver_wrap;
    return modes[0] == RECORD_WRAP_CLAMP_TO_BORDER || modes[1] == RECORD_WRAP_CLAMP_TO_BORDER ||
           modes[2] == RECORD_WRAP_CLAMP_TO_BORDER;
}

/* Does the border that the driver's sampler shows depend on the view? That of a sampler of Vulkan alone is the driver's
 * own. */
static bool border_by_view(const struct resolved_pair *pair)
{
    const uint32_t borders = RESOLVE_OFFER_BORDER_COLOR | RESOLVE_OFFER_BORDER_SWIZZLE;
    return pair->state->gl || (pair->emulated && pair->caps->offered & borders);
}

/* A sampler's record has its state even if it requires nothing alone: its image may require tier 2. */
static void record_of_sampler(const struct resolved_pair *pair, struct record *record)
{
    const struct sampler_state *state = pair->state;
    if (!pair->emulated && pair->caps->vk_fallback == RESOLVE_FALLBACK_OFF && !pair->caps->gl_views &&
        !pair->caps->samplers_full)
        return;
    record->flags = flags_of(pair);
    record->more = pair->more | (state->seamless ? 0u : RECORD_MORE_FACES_ALONE) |
                   (driver_filters_otherwise(pair) ? RECORD_MORE_TEXELS : 0u);
    record->lod = pair->pair_flags | (border_by_view(pair) && reads_border(pair) ? RECORD_PAIR_BORDER : 0u) |
                  (state->srgb_skip ? RECORD_PAIR_SRGB_SKIP : 0u);
    /* Images that are no depth are not compared, and then minima and maxima count; cubic filters do not (limits.md). */
    struct sampler_state wanted = *state;
    if (state->gl && state->compare) {
        const bool cubic = sampler_is_cubic(state);
        wanted.compare = cubic ? state->compare : 0;
        record->flags |= (uint32_t)state->compare << RECORD_COMPARE_SHIFT;
        record->more |= RECORD_MORE_NOT_COMPARED;
    }
    fill_sampler_terms(&wanted, pair->caps, record);
    if (!is_cubic(&wanted) && record->more >> RECORD_MORE_REDUCTION_SHIFT & RECORD_MORE_REDUCTION_MASK)
        record->more |= state->gl ? RECORD_MORE_REDUCES_FOR_GL : RECORD_MORE_REDUCES_FOR_VULKAN;
    fill_bounds(pair, state, record);
    memcpy(record->border, state->border, sizeof(record->border));
}

void terms_of_pair(const struct resolved_pair *pair, const uint32_t border[4], struct sampler_terms *terms)
{
    struct record *record = &terms->record;
    memset(record, 0, sizeof(*record));
    if (pair->view)
        record_of_view(pair, border, record);
    else
        record_of_sampler(pair, record);
}

static uint32_t texels(uint32_t size)
{
    return size < RECORD_WIDTH_MASK ? size : RECORD_WIDTH_MASK;
}

static float size_of(uint32_t texels)
{
    return texels ? (float)texels : 1.0f;
}

/*
 * Vulkan lets drivers use up to sqrt(2) times the sum of both axes' texels to choose between magnification and
 * minification.
 */
static uint32_t magnified_bits(const struct view_facts *view)
{
    float width = size_of(view->width), height = size_of(view->height);
    return record_bits(RECORD_MAGNIFIED_TEXELS / (width > height ? width : height)) & RECORD_MORE_MAGNIFIED;
}

static uint32_t bordered_bits(const struct view_facts *view)
{
    return RECORD_MORE_BORDERED | (view->border & RECORD_MORE_BORDER_MASK) << RECORD_MORE_BORDER_SHIFT;
}

/* The image's own size stands where a border's colour would: none is ever shown. */
static void add_stored_size(const struct view_facts *view, struct record *record)
{
    record->border[2] = texels(view->stored[0]) | texels(view->stored[1]) << RECORD_HEIGHT_SHIFT;
    record->border[3] = view->stored[2];
}

void resolve_view_terms(const struct view_facts *view, struct view_terms *terms)
{
    struct record *record = &terms->record;
    uint32_t levels = view->levels < RECORD_LEVELS_MASK ? view->levels : RECORD_LEVELS_MASK;
    memset(record, 0, sizeof(*record));
    record->flags = (levels ? levels : 1u) << RECORD_LEVELS_SHIFT | (view->depth_fixed ? RECORD_DEPTH_FIXED : 0u);
    record->size = texels(view->width) | texels(view->height) << RECORD_HEIGHT_SHIFT;
    record->depth_bias = view->depth < RECORD_DEPTH_MASK ? view->depth : RECORD_DEPTH_MASK;
    record->near[0] = record_bits(1.0f / size_of(view->width));
    record->near[1] = record_bits(1.0f / size_of(view->height));
    record->far[0] = record->far[1] = record_bits(1.0f);
    record->more = (view->border ? bordered_bits(view) : magnified_bits(view)) |
                   (view->least_level > 0.0f ? RECORD_MORE_VIEW_LEAST : 0u);
    record->bias_rest = view->least_level < RECORD_LEVELS_MASK ? view->least_level : (float)RECORD_LEVELS_MASK;
    if (view->type == VK_IMAGE_VIEW_TYPE_3D)
        record->third[0] = record_bits(1.0f / size_of(view->depth));
    if (view->compare_fail > 0.0f) {
        record->more |= RECORD_MORE_COMPARED_FAIL;
        record->border[1] = record_bits(view->compare_fail);
    }
    if (view->border)
        add_stored_size(view, record);
    if (view->rectangle) {
        record->third[0] = record_scale(1.0f / size_of(view->width));
        record->third[1] = record_scale(1.0f / size_of(view->height));
    }
}

/*
 * The view's least level acts behind the choice between magnification and minification (Vulkan, "Image Level(s)
 * Selection"), the sampler's in front of it: where that has none, the shader must know.
 */
static void combine_least_levels(const struct record *of_sampler, const struct record *of_view, struct record *record)
{
    const uint32_t own = of_sampler->lod >> RECORD_MIN_LOD_SHIFT & RECORD_LOD_MASK,
                   least = lod_bits(of_view->bias_rest);
    const uint32_t gathered = (uint32_t)of_view->bias_rest & RECORD_MORE_GATHERED_MASK;
    record->bias_rest = of_sampler->bias_rest;
    record->more = (record->more & ~RECORD_MORE_VIEW_LEAST) | RECORD_MORE_COMBINED_LEAST |
                   (own != 0 ? RECORD_MORE_SAMPLER_LEAST : 0u) | gathered << RECORD_MORE_GATHERED_SHIFT;
    if (least > own)
        record->lod = (record->lod & ~(RECORD_LOD_MASK << RECORD_MIN_LOD_SHIFT)) | least << RECORD_MIN_LOD_SHIFT;
}

/* Comparisons see one channel of the border. */
static void combine_failing(const struct record *of_sampler, const struct record *of_view, struct record *record)
{
    record->more &= ~RECORD_MORE_COMPARED_FAIL;
    if (of_sampler->flags & RECORD_COMPARE_MASK << RECORD_COMPARE_SHIFT)
        record->border[1] = of_view->border[1];
}

static void combine_third_axis(const struct record *of_sampler, const struct record *of_view, struct record *record)
{
    if (of_sampler->flags & RECORD_UNNORMALIZED) {
        for (int axis = 0; axis < 2; axis++) {
            uint32_t size = axis ? of_view->size >> RECORD_HEIGHT_SHIFT : of_view->size & RECORD_WIDTH_MASK;
            record->near[axis] = of_sampler->near[axis] ^ RECORD_NO_NEAR;
            record->far[axis] = record_far(record_float(of_sampler->far[axis]) * size_of(size));
            record->third[axis] = 0;
        }
    } else {
        record->third[0] = record_near(record_float(of_sampler->third[0]) * record_float(of_view->third[0]));
        record->third[1] = of_sampler->third[1] ^ RECORD_NO_FAR;
    }
}

void resolve_combine_rare(const struct sampler_terms *sampler, const struct view_terms *view, struct record *record)
{
    const struct record *of_sampler = &sampler->record, *of_view = &view->record;
    if (of_view->more & RECORD_MORE_COMPARED_FAIL)
        combine_failing(of_sampler, of_view, record);
    if (of_view->more & RECORD_MORE_BORDERED)
        memcpy(&record->border[2], &of_view->border[2], 2 * sizeof(*record->border));
    if (of_view->more & RECORD_MORE_VIEW_LEAST)
        combine_least_levels(of_sampler, of_view, record);
    if (of_sampler->flags & RECORD_UNNORMALIZED || of_sampler->third[1])
        combine_third_axis(of_sampler, of_view, record);
}

/*
 * Whether a sampler for float views of identity swizzle shows another border on this view than GL's. Integers have
 * another kind of colour, and swizzles are known to be followed only where the device says so.
 */
static bool border_is_other(const struct view_facts *view, const struct resolve_caps *caps)
{
    if (view->integer || border_needs_name(view, caps))
        return true;
    if (view->mapping == VIEW_MAPPING_IDENTITY)
        return false;
    return !caps->border_swizzle_from_image || view_order(view);
}

static uint32_t pair_flags_of(const struct view_facts *view, const struct resolve_caps *caps)
{
    uint8_t fallback = caps->gl_fallback > caps->vk_fallback ? caps->gl_fallback : caps->vk_fallback;
    uint32_t flags = 0;
    if (border_is_other(view, caps))
        flags |= RECORD_PAIR_BORDER_OTHER;
    if (view->integer && caps->integer_incomplete)
        flags |= RECORD_PAIR_INCOMPLETE;
    else if (view->integer || (!view->linear && fallback == RESOLVE_FALLBACK_NEAREST))
        flags |= RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST;
    else if (!view->linear && fallback == RESOLVE_FALLBACK_SHADER)
        flags |= RECORD_PAIR_UNFILTERABLE;
    if (view->srgb)
        flags |= RECORD_PAIR_SRGB;
    return flags;
}

static void translate_border(const struct view_facts *view, uint32_t border[4])
{
    range_in_record((enum view_range)view->range, border);
    if (view->kept_in[3])
        border[0] |= RECORD_BORDER_ALPHA_IN_COLOR;
    for (uint32_t i = 0; i < 4; i++)
        border[0] |= (uint32_t)view->swizzle[i] << RECORD_BORDER_SELECTOR_BITS * i;
}

/*
 * The comparison bits of a view. Depth that its swizzle shows in no channel is out of reach of lookups that compare in
 * the shader: 0 (docs/limits.md).
 */
static uint32_t compared_bits(const struct view_facts *view)
{
    const uint32_t fails = view->compare_fail > 0.0f ? RECORD_MORE_COMPARED_FAIL : 0u;
    if (!view->depth_aspect || (view->compared == VIEW_COMPARED_RESULT && view->swizzle[0] == RECORD_BORDER_R))
        return fails;
    if (view->compared == VIEW_COMPARED_ONE)
        return RECORD_MORE_COMPARED_ONE;
    for (uint32_t i = 1; view->compared == VIEW_COMPARED_RESULT && i < 4; i++) {
        if (view->swizzle[i] == RECORD_BORDER_R)
            return i << RECORD_MORE_DEPTH_IN_SHIFT | fails;
    }
    return RECORD_MORE_COMPARED_ZERO;
}

uint32_t resolve_image_record(const struct view_facts *view, const struct resolve_caps *caps, struct record *record)
{
    struct view_terms terms;
    resolve_view_terms(view, &terms);
    *record = terms.record;
    record->third[1] = record->border[1];
    record->more &= ~RECORD_MORE_COMPARED_FAIL;
    record->far[0] = record_bits(size_of(view->width));
    record->far[1] = record_bits(size_of(view->height));
    if (view->rectangle)
        record->flags |= RECORD_RECTANGLE;
    if (view->depth_promoted)
        record->depth_bias |= RECORD_DEPTH_PROMOTED;
    if (!view->integer && !view_has_reductions(view, caps))
        record->more |= RECORD_MORE_NO_MINMAX;
    /*
     * Without a fallback nothing else says that the driver cannot filter the view. One whose format must be named may
     * not be sampled at all through a sampler of a custom colour, which names none when it stands alone.
     */
    const bool unfiltered = !view->linear && !(pair_flags_of(view, caps) & RECORD_PAIR_UNFILTERABLE);
    const bool unnamed = caps->custom_border_color_without_format && format_must_be_named(view->format);
    if (!view->integer && (unfiltered || unnamed))
        record->more |= RECORD_MORE_TEXELS;
    const bool offered = view_reduces_as_offered(view, caps);
    record->more |= (offered || view_reduces_for_gl(view, caps) ? RECORD_MORE_REDUCES_FOR_GL : 0u) |
                    (offered || view_reduces_for_vulkan(view, caps) ? RECORD_MORE_REDUCES_FOR_VULKAN : 0u);
    record->more |= compared_bits(view) | (view->depth_aspect ? 0u : RECORD_MORE_NOT_COMPARED);
    record->lod = pair_flags_of(view, caps);
    translate_border(view, record->border);
    if (view->border) {
        record->flags |= RECORD_FILTER;
        add_stored_size(view, record);
    }
    return record_needs(record);
}
