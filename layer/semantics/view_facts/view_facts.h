/* SPDX-License-Identifier: MIT */
/*
 * View facts: the properties of an image view that sampling depends on, from its create-info and its GL state.
 *
 * Pure: no Vulkan call, no global, no lock, no allocation; any thread may call any function at any time. Rules: OpenGL
 * 4.6 compatibility sections 8.5 and 8.14 and table 8.18.
 */
#ifndef CLAMPLER_VIEW_FACTS_H
#define CLAMPLER_VIEW_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/range.h"
#include "record/layout.h"
#include "vulkan_clampler.h"

/* The channel that holds alpha. */
enum view_alpha {
    VIEW_ALPHA_IN_A,
    VIEW_ALPHA_IN_R, /* ALPHA in formats without alpha */
    VIEW_ALPHA_IN_G, /* LUMINANCE_ALPHA in formats of two channels */
};

/* How the component mapping of the view that is sampled relates to `swizzle`. */
enum view_mapping {
    VIEW_MAPPING_IDENTITY, /* identity: the driver itself adds what the format lacks */
    VIEW_MAPPING_EXACT,    /* it says the same, zeros and ones included */
    VIEW_MAPPING_OTHER,    /* a program's own, which names channels that the format lacks */
};

/*
 * The result of a depth comparison: its result, or a constant that the swizzle's first component shows
 * (docs/semantics.md).
 */
enum view_compared {
    VIEW_COMPARED_RESULT,
    VIEW_COMPARED_ZERO,
    VIEW_COMPARED_ONE,
};

/*
 * The properties of an image view that sampling depends on. `view_facts_from_gl` or `view_facts_from_vk` fills those of
 * the create-info; the caller fills the rest, marked C, afterwards.
 */
struct view_facts {
    uint32_t width, height; /* C: texels of the view's level 0 */
    uint32_t depth;         /* C: 3D: texels; arrays: layers; cubes: faces; else 1 */
    uint8_t levels;         /* C: mip levels of the view, 1..31 */
    float least_level;      /* C: of detail, counted from the view's first level (VkImageViewMinLodCreateInfoEXT) */
    bool linear;            /* C: format and tiling have SAMPLED_IMAGE_FILTER_LINEAR */
    bool minmax;            /* C: ... SAMPLED_IMAGE_FILTER_MINMAX */
    bool unorm_auxiliary;   /* C: sRGB: a view of the image without decoding is available */
    uint8_t type;           /* VkImageViewType */
    VkFormat format;
    bool integer;        /* integer format, or stencil is sampled */
    bool depth_aspect;   /* depth is sampled */
    bool stencil;        /* stencil is sampled */
    bool srgb;           /* texels are decoded from sRGB */
    bool rectangle;      /* coordinates are texels, whatever the sampler: GL_TEXTURE_RECTANGLE */
    bool depth_fixed;    /* fixed-point depth, in the format or in the GL format that it stands for */
    bool depth_promoted; /* ... in the GL format alone: the driver does not clamp Dref */
    uint8_t range;       /* enum view_range of the texture that the view stands for */
    uint8_t alpha_in;    /* enum view_alpha */
    uint8_t mapping;     /* enum view_mapping */
    uint8_t swizzle[4];  /* RECORD_BORDER_*: what red, green, blue, alpha show of a border colour, and of texels
                            but for alpha_in */
    uint8_t compared;    /* enum view_compared */
};

/* Four times VK_COMPONENT_SWIZZLE_ZERO: beside a swizzle of four zeros they are GL_ZERO. */
static inline bool view_components_are_zero(const VkComponentMapping *mapping)
{
    const VkComponentSwizzle zero = VK_COMPONENT_SWIZZLE_ZERO;
    return mapping->r == zero && mapping->g == zero && mapping->b == zero && mapping->a == zero;
}

/*
 * Reads an image view that the program gave GL state. `info` is its create-info; its `components` say but one thing:
 * four zeros of the swizzle are GL_ZERO where they are VK_COMPONENT_SWIZZLE_ZERO, all of them, and else the identity.
 * *mapping is what the driver's view that is sampled gets.
 * False if a token is not allowed in its place or does not fit the format or the view's type, with *why naming
 * the field and the value's problem (a static string); *facts is then zero.
 */
bool view_facts_from_gl(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkImageViewCreateInfo *info,
                        struct view_facts *facts, VkComponentMapping *mapping, const char **why);

/* The same for a view without GL state: format, aspect and components speak for themselves. */
void view_facts_from_vk(const VkImageViewCreateInfo *info, struct view_facts *facts);

/* A key that no view has. */
#define VIEW_FACTS_NO_KEY UINT32_MAX

/*
 * The facts in 32 bits, but for sizes, the number of levels beyond one, and a least level beyond 0: everything that
 * resolve_decide() reads for all of its result but `record`. Equal keys, equal results. Never 0 nor VIEW_FACTS_NO_KEY.
 */
uint32_t view_facts_key(const struct view_facts *view);

#endif
