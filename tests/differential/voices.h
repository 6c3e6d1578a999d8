/* SPDX-License-Identifier: MIT */
/*
 * The voices: OpenGL, Vulkan under the layer (a device for each combination of the settings that cases choose), the
 * reference sampler, and the Vulkan driver alone for controls. Each draws a case on the same inputs.
 */
#ifndef CLAMPLER_DIFFERENTIAL_VOICES_H
#define CLAMPLER_DIFFERENTIAL_VOICES_H

#include "differential/facts.h"
#include "differential/mark.h"
#include "harness/lookups/lookup_reference.h"

#define VOICES_VALUES ((size_t)CASE_GRID * CASE_GRID)

/* One Vulkan device with what draws on it. */
struct voice {
    bool open;
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    VkSampler crowd[CASE_CROWD];
    bool crowded;
    struct mark mark; /* of what the device had */
};
/* Under the layer: bits of settings. Devices are opened when a case first asks for them. */
enum voice_name {
    VOICE_GPU_FORM = 1,
    VOICE_SHADER_FALLBACK = 2,
    VOICE_INCOMPLETE = 4,
    VOICE_NATIVE = 8,
    VOICES,
};
enum voice_name voice_of(const struct diff_case *one);

#define VOICES_BASES 12
#define VOICES_REFUSALS 64

struct voice_texture {
    enum lookup_dimension dimension;
    struct case_texture about;
    struct harness_image image[VOICES];
    bool uploaded[VOICES];
    struct {
        GLenum base; /* the base format under which OpenGL has the texture */
        GLuint name;
    } gl[VOICES_BASES];
    uint32_t gl_count;
    struct lookup_reference reference;
    struct lookup_texture texture;
    void *texels; /* owned */
};

struct voices {
    const char *layers;           /* for harness_vulkan_params */
    const char *profile;          /* of the limited driver; "full": without it */
    bool standard;                /* asked in Vulkan's standard words, which the layer offers */
    enum harness_linking linking; /* of pipelines above the layer */
    enum harness_sets sets;       /* likewise of descriptors */
    struct voice voice[VOICES];   /* [0]: no setting; always open */
    bool raises;                  /* the marks of all devices to tier 2, before they draw again */
    struct facts facts;
    bool no_views;       /* the layer does not offer glImageView */
    bool without_vulkan; /* OpenGL and the reference sampler alone */
    bool has_gl;
    char no_gl[200]; /* why not */
    struct harness_gl gl;
    struct lookup_gl lookups_gl;
    struct {
        GLenum target, internal_format;
    } refusals[VOICES_REFUSALS]; /* what this OpenGL has no textures of */
    uint32_t refusal_count;
    enum { BORDERS_UNKNOWN, BORDERS_STRIPPED, BORDERS_SHOWN } gl_borders; /* what OpenGL makes of border texels */
    char driver_info[256]; /* VkPhysicalDeviceDriverProperties::driverInfo */
    struct voice_texture **textures;
    size_t texture_count;
    struct lookup_input inputs[CASE_GRID * CASE_GRID];
};

void voices_open(struct voices *voices, const char *profile, bool standard, enum harness_linking linking,
                 enum harness_sets sets, bool validation);
void voices_close(struct voices *voices);

/* The texture of a case on all sides; made when first asked for, lives as long as the voices. */
struct voice_texture *voices_texture(struct voices *voices, const struct diff_case *one);

/* Descriptors are written when all is recorded: the tier of draws is that of the device's mark. */
bool voices_have_mark(const struct voices *voices);

/* The tier that must draw a case next under the layer: its own, or that of the device's mark. */
struct tier_range voices_tiers(struct voices *voices, const struct diff_case *one);

/* Draws on Vulkan; counts draws by tier, and those of tier 2 texel by texel, if `draws` is not NULL. VOICE_NATIVE: no
 * layer, VkSamplerCreateInfo alone. */
void voices_draw_vulkan(struct voices *voices, enum voice_name name, const struct diff_case *one, float *rgba,
                        uint64_t draws[4]);
void voices_draw_gl(struct voices *voices, const struct diff_case *one, float *rgba);

/* What must come out: the reference sampler under the state that is left after the device's fallbacks. */
void voices_reference(struct voices *voices, const struct diff_case *one, const struct reference_precision *precision,
                      struct reference_result *results);

/* Violations that the limited driver recorded; 0 without it. Fails where a profile asks for it and it is not there. */
uint32_t voices_violations(const struct voices *voices);

/* Whether OpenGL can say what is right: it has the modes, and the specification defines the state. */
bool voices_gl_is_witness(struct voices *voices, const struct diff_case *one);
bool voices_reference_is_witness(const struct voices *voices, const struct diff_case *one);

#endif
