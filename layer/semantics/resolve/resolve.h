/* SPDX-License-Identifier: MIT */
/*
 * Resolve: GL sampler state x view facts x device capabilities -> driver sampler, record, needs, reason.
 *
 * A pure core: no Vulkan call, no global, no lock, no allocation; any thread may call any function at any time. Types
 * of vulkan_core.h are used as data only. Rules: OpenGL 4.6 compatibility section 8.14, EXT_texture_mirror_clamp, and
 * Vulkan's chapter "Samplers".
 */
#ifndef CLAMPLER_RESOLVE_H
#define CLAMPLER_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/layout.h"
#include "record/record.h"
#include "newer_vulkan.h"
#include "view_facts/view_facts.h"
#include "vulkan_clampler.h"

/*
 * Canonical sampler state: states that mean the same have the same bytes, so that they can be hashed, compared with
 * memcmp and shared. There is no padding, -0.0 is 0.0, and a field that cannot matter has one fixed value: a border
 * colour that no wrap mode can reach is zero.
 *
 * The LOD range of a GL state may leave only one of the two filters: always magnified, or always minified. Then both
 * fields hold that filter, and no tier 2 is needed for a mixture of filters that never shows.
 */
struct sampler_state {
    uint8_t wrap[3];    /* RECORD_WRAP_* for s, t, r */
    uint8_t mag_linear; /* 0: nearest, 1: linear, else cubic, as SAMPLER_CUBIC says; the wrap rules take it as linear */
    uint8_t min_linear; /* likewise */
    uint8_t mip_mode;   /* 0: base level only, 1: nearest, 2: linear */
    uint8_t compare;    /* 0: off, else VkCompareOp + 1 */
    uint8_t reduction;  /* VkSamplerReductionMode, or SAMPLER_RANGE_CLAMP */
    uint8_t unnormalized; /* 0 or 1 */
    uint8_t seamless;     /* 0 or 1: cube faces are filtered together */
    uint8_t srgb_skip;    /* 0 or 1: sample without decoding sRGB */
    uint8_t gl;           /* 1: GL semantics (the structure), 0: a VkSamplerCreateInfo (perhaps with private modes) */
    uint8_t linear_asked; /* 0 or 1: GL: some filter is linear, be it one that the LOD range excludes (completeness) */
    uint8_t border_mapping;       /* SAMPLER_MAPPING_*: of the border, where a program's own sampler names it; else 0 */
    uint8_t border_components[2]; /* of that: VkComponentSwizzle, never IDENTITY, in four bits each, red lowest */
    uint32_t border_kind;         /* enum sampler_border */
    uint32_t border_format; /* VkFormat that a program's own custom border colour named, else VK_FORMAT_UNDEFINED */
    uint32_t create_flags;  /* VkSamplerCreateFlags */
    float lod_bias;         /* levels; GL: a multiple of 1/256 within +-127, the sum that the shader's is added to */
    float min_lod;          /* levels; GL: 0..1000 */
    float max_lod;          /* levels; GL: min_lod..1000 */
    float max_anisotropy;   /* 0: off; GL: else above 1, at most the device's limit */
    uint32_t border[4];     /* bits as the program gave them; meaning by border_kind and the view */
};
_Static_assert(sizeof(struct sampler_state) == 60, "no padding: states are compared byte by byte");

enum sampler_border {
    SAMPLER_BORDER_NONE = 0,    /* no wrap mode can reach it */
    SAMPLER_BORDER_BY_VIEW = 1, /* GL: the sampled view decides whether the bits are float or integer */
    SAMPLER_BORDER_FLOAT = 2,   /* Vulkan float colour (standard or custom) */
    SAMPLER_BORDER_INT = 3,     /* Vulkan integer colour */
};

/* A cubic filter: this and its VkCubicFilterWeightsQCOM, which is 0 of a GL state. */
enum { SAMPLER_CUBIC = 2, SAMPLER_CUBIC_WEIGHTS = 4 };

static inline bool filter_is_cubic(uint8_t filter)
{
    return filter >= SAMPLER_CUBIC;
}

/* One of its two filters is. */
static inline bool sampler_is_cubic(const struct sampler_state *state)
{
    return filter_is_cubic(state->mag_linear) || filter_is_cubic(state->min_linear);
}

/* VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE_RANGECLAMP_QCOM. Drivers have it; where the shader filters it is an
 * average. */
enum { SAMPLER_RANGE_CLAMP = 3 };

/* Of a VkSamplerCreateInfo with VkSamplerBorderColorComponentMappingCreateInfoEXT. */
enum { SAMPLER_MAPPING_NAMED = 1, SAMPLER_MAPPING_SRGB = 2 };

/* The filter of formats that cannot be filtered linearly: setting linear_fallback. */
enum resolve_fallback {
    RESOLVE_FALLBACK_OFF,     /* nothing: the driver gets the program's filters */
    RESOLVE_FALLBACK_NEAREST, /* nearest filters, between levels too */
    RESOLVE_FALLBACK_SHADER,  /* tier 2 filters */
};

/*
 * Features of Vulkan that the driver lacks, and that the program enabled because the layer offers them: bits of
 * `offered` below. Samplers of Vulkan alone that use it are emulated as GL states are.
 */
enum resolve_offer {
    RESOLVE_OFFER_BORDER_COLOR = 1u << 0,   /* custom colours: any number, without a format */
    RESOLVE_OFFER_BORDER_SWIZZLE = 1u << 1, /* borders follow the view's mapping, named by the sampler or not */
    RESOLVE_OFFER_MIRROR_CLAMP = 1u << 2,   /* MIRROR_CLAMP_TO_EDGE */
    RESOLVE_OFFER_CUBE_FACES = 1u << 3,     /* NON_SEAMLESS_CUBE_MAP */
    RESOLVE_OFFER_MINMAX = 1u << 4,         /* minima and maxima, of every view that can be filtered */
    RESOLVE_OFFER_ANISOTROPY = 1u << 5,     /* of tier 2, or with `trilinear` by name alone */
    RESOLVE_OFFER_LOD_BIAS = 1u << 6,       /* biases up to resolve_most_lod_bias() */
    RESOLVE_OFFER_CUBIC = 1u << 7,          /* cubic filters, of all weights */
};

/* Capabilities of the device, and settings, gathered once at device creation. */
struct resolve_caps {
    bool mirror_clamp_to_edge;         /* the driver's device has samplerMirrorClampToEdge or its extension */
    bool anisotropy;                   /* the program enabled samplerAnisotropy, the driver's or an offered one */
    bool anisotropy_ignores_gradients; /* of textureGrad: it takes the coordinate's own derivatives */
    bool custom_border_color;          /* the driver's device has customBorderColors */
    bool custom_border_color_without_format;
    bool border_full;    /* the driver's limit of custom border colours is reached */
    bool samplers_full;  /* the driver's limit of samplers is reached: tier 2 filters, through samplers of few kinds */
    bool border_swizzle; /* the driver's device has borderColorSwizzle: borders follow the view's swizzle, which the
                            sampler names */
    bool border_swizzle_from_image; /* ... without the sampler naming it (borderColorSwizzleFromImage) */
    bool border_in_shader;      /* setting border_color = shader: the driver gets no custom colours for GL samplers and
                                   private address modes */
    bool non_seamless_cube;     /* the driver's device has nonSeamlessCubeMap */
    bool least_lods;            /* shaderResourceMinLod is enabled: shaders may give least levels of detail */
    bool sampler_filter_minmax; /* the driver's device has minimum and maximum filters */
    bool minmax_swizzle;        /* filterMinmaxImageComponentMapping */
    bool gl_views;      /* glImageView is enabled: any sampler may be used with depth in another channel than red */
    bool minmax_blends; /* the driver computes those of two filters, or of two levels, wrong */
    bool trilinear;     /* setting anisotropy = trilinear: tier 2 filters without probes */
    bool integer_incomplete;   /* setting integer_linear = incomplete: integers under a linear filter are (0,0,0,1) */
    uint8_t gl_fallback;       /* enum resolve_fallback, for GL states and private address modes */
    uint8_t vk_fallback;       /* likewise, for states without either */
    float max_lod_bias;        /* VkPhysicalDeviceLimits::maxSamplerLodBias */
    bool max_lod_bias_assumed; /* programs see the driver's own, higher limit: samplers without GL state may exceed
                                  max_lod_bias */
    float max_anisotropy;      /* VkPhysicalDeviceLimits::maxSamplerAnisotropy, as programs see it */
    uint32_t offered;          /* enum resolve_offer */
};

/*
 * The bound of the sum of all biases, in levels, that the layer reports (maxTextureLodBias of the extension's
 * properties). OpenGL requires 2, and its drivers report 15 or 16. A driver's bound of at least 15 is reported
 * unchanged: with 16 levels no bias beyond it has an effect. Where the limit is lower, the shader adds the difference
 * up to 16.
 */
static inline bool resolve_lod_bias_is_native(float limit)
{
    return limit >= 15.0f;
}
static inline float resolve_most_lod_bias(float limit)
{
    return resolve_lod_bias_is_native(limit) && limit < 16.0f ? limit : 16.0f;
}

/* A GL state's bias, clamped to that bound, where the shader adds none. */
static inline float resolve_bounded_lod_bias(float bias, float limit)
{
    const float most = resolve_most_lod_bias(limit);
    return bias < -most ? -most : bias > most ? most : bias;
}

/*
 * A driver's sampler as data without pointers; `resolve_driver_info` puts the chain together around it. Padding is
 * zero: equal samplers have equal bytes, so that they can be shared by content.
 */
struct driver_sampler {
    VkSamplerCreateInfo info;         /* pNext NULL */
    VkSamplerReductionMode reduction; /* chained if not WEIGHTED_AVERAGE */
    uint32_t cubic_weights;           /* VkCubicFilterWeightsQCOM, chained if not CATMULL_ROM */
    bool custom_border;               /* chain VkSamplerCustomBorderColorCreateInfoEXT */
    bool border_mapping;              /* chain VkSamplerBorderColorComponentMappingCreateInfoEXT */
    bool border_srgb;                 /* ... of an sRGB view */
    VkClearColorValue border;
    VkFormat border_format;
    VkComponentMapping mapping;
};

/* Which of the driver's views of a program's view a descriptor gets. */
enum resolve_view {
    RESOLVE_VIEW_UNMAPPED, /* identity: the program's own handle, or an auxiliary view where that has components */
    RESOLVE_VIEW_SAMPLED,  /* with the mapping that `view_facts_from_gl` gave; the own handle where that is identity */
    RESOLVE_VIEW_UNORM,    /* likewise, of the format without sRGB decoding */
    RESOLVE_VIEW_INCOMPLETE, /* mapping ZERO, ZERO, ZERO, ONE */
};

struct resolve_result {
    struct driver_sampler driver;
    struct record record;       /* of a combined descriptor, or of the sampler alone */
    struct sampler_terms terms; /* equal for views with equal keys; its `third` is zero but for volumes */
    uint32_t needs;             /* RECORD_NEED_* */
    uint32_t tier;              /* lowest tier that is exact for a lookup without offsets: 0, 1, 2 */
    enum resolve_view view;
    bool program_suffices; /* the sampler of resolve_program_sampler suffices: no other is needed */
};

/*
 * Reads the GL structure into canonical state. False if a token is not allowed in its place, with *why naming the field
 * and the value's problem (a static string); *state is then zero.
 */
bool resolve_gl_state(const VkSamplerGLStateCreateInfoCLAMPLER *gl, VkSamplerCreateFlags flags,
                      const struct resolve_caps *caps, struct sampler_state *state, const char **why);

/* The structures chained to a VkSamplerCreateInfo; NULL: not chained. */
struct sampler_chain {
    const VkSamplerGLStateCreateInfoCLAMPLER *gl;
    const VkSamplerReductionModeCreateInfo *reduction;
    const VkSamplerCustomBorderColorCreateInfoEXT *border;
    const VkSamplerBorderColorComponentMappingCreateInfoEXT *mapping;
    const VkSamplerYcbcrConversionInfo *conversion;
    const VkSamplerCubicWeightsCreateInfoQCOM *weights;
    bool border_index; /* VkSamplerCustomBorderColorIndexCreateInfoEXT */
    bool others;       /* something else than states are made of */
    bool misplaced;    /* ... that is of VK_CLAMPLER_gl_sampler */
};
void resolve_chain(const void *chained, struct sampler_chain *chain);

/*
 * The same for a VkSamplerCreateInfo without GL structure, and its chain. Private address modes are taken; everything
 * else keeps Vulkan's meaning. Never fails: values it does not know are kept for the driver.
 */
void resolve_vk_state(const VkSamplerCreateInfo *info, const struct sampler_chain *chain, struct sampler_state *state);

/*
 * True if the driver gets another sampler than the state says: GL state, address modes that Vulkan lacks, and what the
 * layer offers in the driver's place. Other states are passed to the driver.
 */
bool resolve_is_emulated(const struct sampler_state *state, const struct resolve_caps *caps);

/* True if a VkSamplerCreateInfo uses one of the private address modes. */
bool resolve_has_private_modes(const VkSamplerCreateInfo *info);

/*
 * True if it uses an address mode that neither Vulkan nor the extension has: the driver may know it. The second one
 * gives the driver's create-info these modes of the program's.
 */
bool resolve_has_unknown_modes(const VkSamplerCreateInfo *info);
void resolve_keep_unknown_modes(const VkSamplerCreateInfo *info, VkSamplerCreateInfo *for_driver);

/*
 * One sampler with one view. view NULL: a sampler alone, in a SAMPLER descriptor. Its views are not known, so it gets
 * the driver sampler for views of floats that can be filtered and have no swizzle, and its record has only sampler
 * parts (S in record/layout.h).
 */
void resolve_decide(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                    struct resolve_result *result);

/*
 * The same in words, for the log, dumps and tools: one line with the native and the emulated parts, and the reasons.
 * Cut to `size`.
 */
void resolve_explain(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                     char *text, size_t size);
enum { RESOLVE_REASON = 320 }; /* bytes that every reason fits into */

/*
 * The driver sampler behind the program's own handle: for views of floats that can be filtered and have no swizzle. For
 * GL states and private address modes it has no custom border colour, because drivers have few of those.
 */
void resolve_program_sampler(const struct sampler_state *state, const struct resolve_caps *caps,
                             struct driver_sampler *driver);

/* The record of an image alone (a SAMPLED_IMAGE descriptor): image parts only. Returns needs. */
uint32_t resolve_image_record(const struct view_facts *view, const struct resolve_caps *caps, struct record *record);

/* A view's terms of a combined descriptor's record: sizes, levels, kind of depth, and factors of bounds. */
void resolve_view_terms(const struct view_facts *view, struct view_terms *terms);

/* Do the terms require anything? */
static inline bool resolve_terms_any(const struct sampler_terms *terms)
{
    return terms->record.flags | terms->record.lod | terms->record.more;
}

/*
 * For resolve_combine alone: bounds of unnormalised coordinates and of the third axis of volumes, least levels and
 * borders of views.
 */
void resolve_combine_rare(const struct sampler_terms *sampler, const struct view_terms *view, struct record *record);

typedef uint32_t resolve_words __attribute__((vector_size(16)));
typedef float resolve_floats __attribute__((vector_size(16)));

/* By pointer: how a vector is returned depends on what instructions a processor has. */
static inline void resolve_load(const struct record *record, size_t quarter, resolve_words *words)
{
    memcpy(words, (const char *)record + quarter * sizeof(*words), sizeof(*words));
}

/*
 * The record of a combined descriptor, from the terms of its sampler and of its view. Terms that require nothing give a
 * zero record. Works on four words at a time, because records are copied so: a processor that loads four words waits if
 * they were stored in smaller pieces just before.
 */
static inline void resolve_combine(const struct sampler_terms *sampler, const struct view_terms *view,
                                   struct record *record)
{
    const struct record *of_sampler = &sampler->record, *of_view = &view->record;
    const resolve_words none = {RECORD_NO_NEAR, RECORD_NO_NEAR, RECORD_NO_FAR, RECORD_NO_FAR};
    if (!resolve_terms_any(sampler)) {
        *record = *of_sampler;
        return;
    }
    resolve_words first, border, bounds, rest, of_view_first, factors, of_view_rest;
    resolve_load(of_sampler, 0, &first);
    resolve_load(of_view, 0, &of_view_first);
    first |= of_view_first;
    resolve_load(of_sampler, 1, &border);
    resolve_load(of_sampler, 2, &bounds);
    resolve_load(of_view, 2, &factors);
    bounds = (resolve_words)((resolve_floats)bounds * (resolve_floats)factors) ^ none;
    resolve_load(of_sampler, 3, &rest);
    resolve_load(of_view, 3, &of_view_rest);
    rest |= of_view_rest;
    memcpy((char *)record, &first, sizeof(first));
    memcpy((char *)record + sizeof(first), &border, sizeof(border));
    memcpy((char *)record + 2 * sizeof(first), &bounds, sizeof(bounds));
    memcpy((char *)record + 3 * sizeof(first), &rest, sizeof(rest));
    if (of_sampler->flags & RECORD_UNNORMALIZED || of_sampler->third[1] ||
        of_view->more & (RECORD_MORE_VIEW_LEAST | RECORD_MORE_COMPARED_FAIL | RECORD_MORE_BORDERED))
        resolve_combine_rare(sampler, view, record);
}

/* Puts driver->info and the chained structures it needs together in the caller's `chain`; the result points into it. */
struct driver_sampler_chain {
    VkSamplerCreateInfo info;
    VkSamplerReductionModeCreateInfo reduction;
    VkSamplerCustomBorderColorCreateInfoEXT border;
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping;
    VkSamplerCubicWeightsCreateInfoQCOM weights;
};
const VkSamplerCreateInfo *resolve_driver_info(const struct driver_sampler *driver, struct driver_sampler_chain *chain);

#endif
