/* SPDX-License-Identifier: MIT */
/* What the Vulkan device under test can do, as far as it decides which tier serves a case and what must come out. */
#ifndef CLAMPLER_DIFFERENTIAL_FACTS_H
#define CLAMPLER_DIFFERENTIAL_FACTS_H

#include "differential/case.h"

/* What the device has from the layer's setting `offer` alone: the driver below lacks it (standard.h). */
struct facts_offered {
    bool custom_border, more_borders; /* colours at all; more of them than the driver takes */
    bool border_swizzle, mirror, faces, anisotropy, bias, cubic;
    float held_bias; /* the driver's own limit of biases */
    bool linear[LOOKUP_FORMATS], minmax[LOOKUP_FORMATS];
};

struct facts {
    bool standard; /* samplers and views are asked for in Vulkan's standard words */
    struct facts_offered offered;
    bool mirror_clamp_to_edge; /* the driver has the address mode */
    bool own_mirror;           /* the program enabled it, so that its own samplers may have it */
    bool custom_border;        /* customBorderColors and customBorderColorWithoutFormat */
    bool border_swizzle;       /* VK_EXT_border_color_swizzle */
    bool anisotropy;
    bool cubic;               /* VK_EXT_filter_cubic */
    bool gather_extended;     /* shaderImageGatherExtended */
    bool cube_array;          /* imageCubeArray */
    bool min_lod;             /* shaderResourceMinLod */
    bool view_min_lod;        /* VK_EXT_image_view_min_lod */
    bool bc;                  /* textureCompressionBC */
    bool non_seamless;        /* VK_EXT_non_seamless_cube_map */
    bool views;               /* the layer offers glImageView */
    bool cpu;                 /* a software renderer */
    bool nearest_sampler;     /* the layer has a sampler of its own for texels of cubes */
    bool fallback_hides_sets; /* with linear_fallback=shader the layer hides the extension of these sets */
    uint32_t custom_borders;  /* maxCustomBorderColorSamplers */
    float lod_bias;           /* maxSamplerLodBias */
    float held_bias; /* what samplers with GL state hold of it: 2 where the layer is told that the driver has no more */
    float most_bias; /* maxTextureLodBias of the layer */
    bool linear[LOOKUP_FORMATS];  /* SAMPLED_IMAGE_FILTER_LINEAR */
    bool sampled[LOOKUP_FORMATS]; /* SAMPLED_IMAGE */
    bool minmax[LOOKUP_FORMATS];  /* SAMPLED_IMAGE_FILTER_MINMAX */
    bool decodes_blocks;          /* SwiftShader: views of blocks of sRGB are decoded, whatever they say */
    bool blends_reductions;       /* lavapipe: minima and maxima of two filters or levels are wrong */
    bool ends_by_plain_lookups;   /* harness_ends_by_plain_lookups() */
};

void facts_read(struct facts *facts, const struct harness_vulkan *vk);

/* Is tier 2 certain to filter a case texel by texel, or by the driver's own filter? Neither where it is not known. */
bool facts_by_texels(const struct facts *facts, const struct diff_case *one);
bool facts_by_driver(const struct facts *facts, const struct diff_case *one);
/* Is tier 2 certain to filter a case anisotropically, by probes? */
bool facts_probes(const struct facts *facts, const struct diff_case *one);

/*
 * The tier that must draw a case, by the design's table of tiers: one that acts where the driver alone cannot. `least`
 * and `most` are the same but where the driver may or may not show a border colour through a view as it should, which
 * the layer may know better than the table (tier.c).
 */
struct tier_range {
    int least, most;
};
struct tier_range facts_tiers(const struct facts *facts, const struct diff_case *one);
/* The same but for cases of which facts_uncompared() is true: a separate sampler compares, and the lookup does not. */
struct tier_range facts_tiers_but_uncompared(const struct facts *facts, const struct diff_case *one);
bool facts_uncompared(const struct diff_case *one);

/* The highest of them. */
int facts_tier(const struct facts *facts, const struct diff_case *one);

/*
 * Changes a case to what this device can do: standard words, where the suite asks by these; private modes become the GL
 * structure where the program itself could not legally create such a sampler. False, with *why, if the case has no
 * place on this device.
 */
bool facts_adapt(const struct facts *facts, struct diff_case *one, const char **why);

/* True if the border colour is none of Vulkan's three. */
bool facts_custom_color(const struct diff_case *one);

/* The device cannot filter what is sampled, and comparison does not make up for it (section 2 of the semantics). */
bool facts_unfilterable(const struct facts *facts, const struct diff_case *one);

/* The device takes minima and maxima of what is sampled, and blends nothing of it: then they need no fallback. */
bool facts_reduces_alone(const struct facts *facts, const struct diff_case *one);

/* The state that must come out: nearest filters where the device's fallback or integer texels make them so. */
VkSamplerGLStateCreateInfoCLAMPLER facts_effective(const struct facts *facts, const struct diff_case *one);

/* The texture is incomplete, as the setting has it: every lookup gives 0, 0, 0, 1. */
bool facts_incomplete(const struct diff_case *one);

#endif
