/* SPDX-License-Identifier: MIT */
/*
 * Pair: one sampler and one view while they are being resolved. The stages filter.c, wrap.c, lod.c, border.c and
 * driver.c change the pair in this order, and each adds its reason; record.c then writes the record. Internal to
 * resolve.
 */
#ifndef CLAMPLER_RESOLVE_PAIR_H
#define CLAMPLER_RESOLVE_PAIR_H

#include "resolve/resolve.h"
#include "view_facts/view_facts.h"

/* Reasons in the order in which they are given; reason.c has their words. */
enum pair_reason {
    WHY_INCOMPLETE,
    WHY_INTEGER_NEAREST,
    WHY_FORMAT_NEAREST,
    WHY_FORMAT_SHADER,
    WHY_FORMAT_LEFT,
    WHY_SAMPLERS_FULL,
    WHY_NOT_DEPTH,
    WHY_COMPARED_CONSTANT,
    WHY_RECTANGLE,
    WHY_BORDERED,
    WHY_SRGB_VIEW,
    WHY_SRGB_SHADER,
    WHY_WRAPS, /* one for each axis, from the wrap rules */
    WHY_TEXEL_MODES,
    WHY_FACES_SHADER,
    WHY_FACES_MODES,
    WHY_LEVELS,
    WHY_BIAS_CUT,
    WHY_BIAS_SUM,
    WHY_LEAST_LOD,
    WHY_DREF,
    WHY_COMPARE_FAIL,
    WHY_ISOTROPIC_GRADIENTS,
    WHY_ISOTROPIC_FORMAT,
    WHY_ISOTROPIC_DEVICE,
    WHY_TRILINEAR,
    WHY_PROBES,
    WHY_CUBIC,
    WHY_REDUCTION_DEVICE,
    WHY_REDUCTION_COMPARE,
    WHY_REDUCTION_FORMAT,
    WHY_REDUCTION_SWIZZLE,
    WHY_REDUCTION_DRIVER,
    WHY_BORDER_DEVICE,
    WHY_BORDER_SETTING,
    WHY_BORDER_FORMAT,
    WHY_BORDER_SWIZZLE,
    WHY_BORDER_ANY_VIEW,
    WHY_GATHERS,
    WHY_COUNT
};
_Static_assert(WHY_COUNT <= 64, "bits of struct resolved_pair's why");

struct resolved_pair {
    const struct sampler_state *state;
    const struct view_facts *view; /* NULL: the sampler alone */
    const struct resolve_caps *caps;
    struct sampler_state wanted; /* the state as it acts on this view: what tier 2 follows */
    bool emulated;               /* resolve_is_emulated */
    bool compares;               /* texels are compared */
    bool filtered;               /* tier 2 filters, whatever the lookup */
    bool reduces_alone;          /* the driver takes minima or maxima of a view that it cannot filter otherwise */
    bool driver_nearest;         /* the driver's sampler gets nearest filters, whatever `wanted` has */
    uint8_t driver_wrap[3];      /* RECORD_WRAP_*, at most CLAMP_TO_BORDER */
    enum resolve_view variant;
    uint32_t flags;      /* RECORD_*: the shader's part */
    uint32_t pair_flags; /* RECORD_PAIR_* */
    uint32_t more;       /* RECORD_MORE_* */
    uint64_t why;        /* bits: enum pair_reason */
};

static inline void pair_says(struct resolved_pair *pair, enum pair_reason why)
{
    pair->why |= UINT64_C(1) << why;
}

/* Tier 2 filters this pair. */
static inline void pair_filters(struct resolved_pair *pair, enum pair_reason why)
{
    pair->filtered = true;
    pair_says(pair, why);
}

static inline bool is_cube(const struct view_facts *view)
{
    return view && view_type_is_cube((VkImageViewType)view->type);
}

/* A cube whose faces are filtered one by one: the wrap modes act on each. */
static inline bool faces_are_alone(const struct resolved_pair *pair)
{
    return is_cube(pair->view) && !pair->wanted.seamless;
}

static inline bool any_linear(const struct sampler_state *state)
{
    return state->mag_linear || state->min_linear || state->mip_mode == 2;
}

/*
 * Where tier 2 filters with the state, it does so anisotropically, by probes; but not cubes. Nearest filters have none,
 * but for minification to levels where magnification is linear and the layer is all the anisotropy there is: Khronos'
 * suite requires of every device that it shows there. (filter.c)
 */
bool has_probes(const struct sampler_state *state, const struct resolve_caps *caps);

/* The driver has no anisotropy, which the layer offers: tier 2 filters so. */
static inline bool probes_alone(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return caps->offered & RESOLVE_OFFER_ANISOTROPY && has_probes(state, caps);
}

/* Tier 2 filters cubically, minima and maxima too, but no comparisons. */
static inline bool is_cubic(const struct sampler_state *state)
{
    return sampler_is_cubic(state) && !state->compare;
}

/* The driver may have no cubic filter, or must not see that there is one. */
static inline bool cubic_is_emulated(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return state->gl || caps->offered & RESOLVE_OFFER_CUBIC;
}

/* Are magnification and minification different filters? Comparisons have a linear one in the place of a cubic one. */
static inline bool filters_differ(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return state->compare && cubic_is_emulated(state, caps) ? !state->mag_linear != !state->min_linear
                                                            : state->mag_linear != state->min_linear;
}

static inline bool is_reduced(const struct sampler_state *state)
{
    return state->reduction == VK_SAMPLER_REDUCTION_MODE_MIN || state->reduction == VK_SAMPLER_REDUCTION_MODE_MAX;
}

/* Minima and maxima, and biases, that the layer gives where the driver lacks them: of GL states, or as it offers. */
static inline bool reduces_as_gl(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return state->gl || caps->offered & RESOLVE_OFFER_MINMAX;
}
static inline bool biases_as_gl(const struct sampler_state *state, const struct resolve_caps *caps)
{
    return state->gl || caps->offered & RESOLVE_OFFER_LOD_BIAS;
}

/* Does the driver filter minima and maxima of the view? */
static inline bool view_has_reductions(const struct view_facts *view, const struct resolve_caps *caps)
{
    return caps->sampler_filter_minmax && view->minmax &&
           (view->mapping == VIEW_MAPPING_IDENTITY || caps->minmax_swizzle);
}

/*
 * May the driver take minima and maxima of the view that no filter blends? A format needs no linear filters for them.
 * In GL integers have no linear filters all the same; Vulkan's own states obey Vulkan's rules. Where minima are
 * offered, swizzled views have them too, but integers only what the driver gives: no shader filters those.
 */
static inline bool view_reduces_for_gl(const struct view_facts *view, const struct resolve_caps *caps)
{
    return view_has_reductions(view, caps) && !view->integer;
}
static inline bool view_reduces_for_vulkan(const struct view_facts *view, const struct resolve_caps *caps)
{
    if (!(caps->offered & RESOLVE_OFFER_MINMAX))
        return view->minmax;
    return view->integer ? caps->sampler_filter_minmax && view->minmax : view_has_reductions(view, caps);
}

/* Minima and maxima of the view are offered, and the driver has none: tier 2 takes them, whatever else the fallback of
 * its format is. */
static inline bool view_reduces_as_offered(const struct view_facts *view, const struct resolve_caps *caps)
{
    return caps->offered & RESOLVE_OFFER_MINMAX && !view->integer && !view_has_reductions(view, caps);
}

/* filter.c: filters, comparison, reduction and decoding, by the view's format. */
void filter_on_view(struct resolved_pair *pair);

/* wrap.c: address modes, and the shader's part of them. */
void wrap_on_view(struct resolved_pair *pair);

/* lod.c: biases beyond the driver's limit. */
void lod_on_view(struct resolved_pair *pair);

/* border.c: the colour that lookups return, in `shown`, and the one that the driver's sampler gets, in *driver. */
void border_on_view(struct resolved_pair *pair, struct driver_sampler *driver, uint32_t shown[4]);

/* driver.c: everything of the driver's sampler but the border. */
void driver_on_view(struct resolved_pair *pair, struct driver_sampler *driver);

/* record.c: the terms of the pair's sampler, without those of the view. Zero if they require nothing. */
void terms_of_pair(const struct resolved_pair *pair, const uint32_t border[4], struct sampler_terms *terms);

/* reason.c: one line; what does not fit is cut off. */
void reason_of_pair(const struct resolved_pair *pair, char *text, size_t size);

#endif
