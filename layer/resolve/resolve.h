/*
 * Resolve: GL sampler state x view facts x device capabilities -> driver sampler, record, needs, reason.
 *
 * A pure core: no Vulkan call, no global, no lock, no allocation; any thread may call any function at any time. Types
 * of vulkan_core.h are used as plain data. Rules: OpenGL 4.6 compatibility section 8.14, EXT_texture_mirror_clamp, and
 * Vulkan's chapter "Samplers".
 */
#ifndef CLAMPLER_RESOLVE_H
#define CLAMPLER_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"
#include "vulkan_clampler.h"

/*
 * Canonical sampler state: equal meaning, equal bytes (no padding, -0.0 is 0.0, fields that cannot matter have one
 * fixed value, a border colour that no wrap mode can reach is zero), so that it can be hashed and compared with memcmp
 * and interned.
 *
 * Where the LOD range leaves only one of the two filters (always magnified, always minified), both filter fields hold
 * it in a GL state: such a sampler then needs no tier 2 for a mixture that never shows.
 */
struct sampler_state {
    uint8_t wrap[3];        /* enum record_wrap for s, t, r */
    uint8_t mag_linear;     /* 0: nearest, 1: linear, 2: cubic (Vulkan only; the wrap rules take it as linear) */
    uint8_t min_linear;     /* likewise */
    uint8_t mip_mode;       /* 0: base level only, 1: nearest, 2: linear */
    uint8_t compare;        /* 0: off, else VkCompareOp + 1 */
    uint8_t reduction;      /* VkSamplerReductionMode */
    uint8_t unnormalized;   /* 0 or 1 */
    uint8_t seamless;       /* 0 or 1: cube faces are filtered together */
    uint8_t srgb_skip;      /* 0 or 1: sample without decoding sRGB */
    uint8_t gl;             /* 1: GL semantics (the structure), 0: a VkSamplerCreateInfo (perhaps with private modes) */
    uint32_t border_kind;   /* enum sampler_border */
    uint32_t border_format; /* VkFormat that a program's own custom border colour named, else VK_FORMAT_UNDEFINED */
    uint32_t create_flags;  /* VkSamplerCreateFlags */
    float lod_bias;         /* levels; GL: a multiple of 1/256 within +-16 */
    float min_lod;          /* levels; GL: 0..1000 */
    float max_lod;          /* levels; GL: min_lod..1000 */
    float max_anisotropy;   /* 0: off; GL: else above 1, at most the device's limit */
    uint32_t border[4];     /* bits as the program gave them; meaning by border_kind and the view */
};
_Static_assert(sizeof(struct sampler_state) == 56, "no padding: states are compared byte by byte");

enum sampler_border {
    SAMPLER_BORDER_NONE = 0,    /* no wrap mode can reach it */
    SAMPLER_BORDER_BY_VIEW = 1, /* GL: the sampled view decides whether the bits are float or integer */
    SAMPLER_BORDER_FLOAT = 2,   /* Vulkan float colour (standard or custom) */
    SAMPLER_BORDER_INT = 3,     /* Vulkan integer colour */
};

/* What the device can do, gathered once at device creation. */
struct resolve_caps {
    bool mirror_clamp_to_edge;         /* samplerMirrorClampToEdge or its extension is enabled below */
    bool anisotropy;                   /* samplerAnisotropy is enabled below */
    bool anisotropy_ignores_gradients; /* textureGrad with an anisotropic sampler takes the coordinate's own derivatives
                                        */
    bool custom_border_color;          /* customBorderColors is enabled below */
    bool custom_border_color_without_format;
    bool non_seamless_cube;
    bool sampler_filter_minmax;
    float max_lod_bias;   /* VkPhysicalDeviceLimits::maxSamplerLodBias */
    float max_anisotropy; /* VkPhysicalDeviceLimits::maxSamplerAnisotropy */
};

/* What sampling needs to know of an image view. */
struct view_facts {
    uint32_t width, height; /* texels of the view's level 0 */
    uint32_t depth;         /* 3D: texels; arrays: layers; cubes: faces; else 1 */
    uint8_t levels;         /* mip levels of the view, 1..31 */
    uint8_t type;           /* VkImageViewType */
    bool integer;           /* integer format, or stencil sampling */
    bool depth_aspect;      /* depth is what is sampled */
    bool linear;            /* the format and tiling have SAMPLED_IMAGE_FILTER_LINEAR */
    VkFormat format;
};

/* A driver sampler as plain data; `resolve_driver_info` puts the chain together around it. */
struct driver_sampler {
    VkSamplerCreateInfo info;         /* pNext NULL */
    VkSamplerReductionMode reduction; /* chained if not WEIGHTED_AVERAGE */
    bool custom_border;               /* chain VkSamplerCustomBorderColorCreateInfoEXT */
    VkClearColorValue border;
    VkFormat border_format;
};

struct resolve_result {
    struct driver_sampler driver;
    struct record record;
    uint32_t needs;   /* RECORD_NEED_* */
    uint32_t tier;    /* lowest tier that serves a lookup without offsets: 0, 1, 2 */
    char reason[200]; /* one line: what is native, what is emulated and why */
};

/*
 * Reads the GL structure into canonical state. False if a token is not allowed in its place, with *why naming the field
 * and the value's problem (a static string); *state is then zero.
 */
bool resolve_gl_state(const VkSamplerGLStateCreateInfoCLAMPLER *gl, VkSamplerCreateFlags flags,
                      const struct resolve_caps *caps, struct sampler_state *state, const char **why);

/*
 * The same for a plain VkSamplerCreateInfo and its chain (reduction mode, custom border colour). Private address modes
 * are taken; everything else keeps Vulkan's meaning. Never fails: values it does not know are kept for the driver.
 */
void resolve_vk_state(const VkSamplerCreateInfo *info, struct sampler_state *state);

/* True if a plain VkSamplerCreateInfo uses one of the private address modes. */
bool resolve_has_private_modes(const VkSamplerCreateInfo *info);

/*
 * One sampler with one view. view NULL: the sampler alone (a SAMPLER descriptor, or the program's own handle): the
 * record then has only sampler parts (S in record.h) and needs may have RECORD_NEED_FILTER_IF_MIPS.
 */
void resolve_pair(const struct sampler_state *state, const struct view_facts *view, const struct resolve_caps *caps,
                  struct resolve_result *result);

/* The record and needs of pair alone, without driver sampler and reason: what descriptor writes call. */
uint32_t resolve_record(const struct sampler_state *state, const struct view_facts *view,
                        const struct resolve_caps *caps, struct record *record);

/* The record of an image alone (a SAMPLED_IMAGE descriptor): image parts only. Returns needs. */
uint32_t resolve_image_record(const struct view_facts *view, struct record *record);

/*
 * Puts driver->info and the chained structures it needs together in caller's storage; the result points into it.
 */
struct driver_sampler_chain {
    VkSamplerCreateInfo info;
    VkSamplerReductionModeCreateInfo reduction;
    VkSamplerCustomBorderColorCreateInfoEXT border;
};
const VkSamplerCreateInfo *resolve_driver_info(const struct driver_sampler *driver, struct driver_sampler_chain *chain);

#endif
