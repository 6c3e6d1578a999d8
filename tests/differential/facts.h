/* What the Vulkan device under test can do, as far as it decides which tier serves a case and what must come out. */
#ifndef CLAMPLER_DIFFERENTIAL_FACTS_H
#define CLAMPLER_DIFFERENTIAL_FACTS_H

#include "differential/case.h"

struct facts {
    bool mirror_clamp_to_edge; /* the driver has the address mode */
    bool own_mirror;           /* the program enabled it, so that its own samplers may have it */
    bool custom_border;        /* customBorderColors and customBorderColorWithoutFormat */
    bool anisotropy;
    bool gather_extended;             /* shaderImageGatherExtended */
    bool cpu;                         /* a software renderer */
    uint32_t custom_borders;          /* maxCustomBorderColorSamplers */
    float lod_bias;                   /* maxSamplerLodBias */
    bool linear[LOOKUP_DEPTH16 + 1];  /* SAMPLED_IMAGE_FILTER_LINEAR by enum lookup_format */
    bool sampled[LOOKUP_DEPTH16 + 1]; /* SAMPLED_IMAGE by enum lookup_format */
};

void facts_read(struct facts *facts, const struct harness_vulkan *vk);

/* The tier that must draw a case, by the design's table of tiers. */
int facts_tier(const struct facts *facts, const struct diff_case *one);

/*
 * Changes a case to what this device can do: private modes become the GL structure where the program itself could not
 * legally create such a sampler. False, with *why, if the case has no place on this device.
 */
bool facts_adapt(const struct facts *facts, struct diff_case *one, const char **why);

/* True if the border colour is none of Vulkan's three. */
bool facts_custom_color(const struct diff_case *one);

#endif
