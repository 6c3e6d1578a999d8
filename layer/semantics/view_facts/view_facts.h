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
    uint32_t width, height; /* C: texels of the view's level 0, without border */
    uint32_t depth;         /* C: 3D: texels; arrays: layers; cubes: faces; else 1 */
    uint8_t levels;         /* C: mip levels of the view, 1..31 */
    uint16_t border;        /* C: texels of the image in front of the texture along each axis; 0: it has no border */
    uint32_t stored[3];     /* C: beside `border`: width, height and depth of the image's level, border and all */
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
    uint8_t kept_in[4]; /* where red, green, blue and alpha of the base format are: 0: in the channel of that name, else
                           1 + the channel. 0 where `swizzle` does not show them */
    uint8_t mapping;    /* enum view_mapping */
    uint8_t swizzle[4]; /* RECORD_BORDER_*: what red, green, blue, alpha show of a border colour, and of texels
                           but for kept_in */
    uint8_t compared;   /* enum view_compared */
    float compare_fail; /* what a comparison that fails gives, where its result is shown; else 0 */
};

/* Cubes and arrays of them. */
static inline bool view_type_is_cube(VkImageViewType type)
{
    return type == VK_IMAGE_VIEW_TYPE_CUBE || type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
}

/* The channel of the view's format that a selector of the view shows, or the constant: RECORD_BORDER_*. */
static inline uint8_t view_channel(const struct view_facts *view, uint8_t selector)
{
    const uint8_t place = selector < RECORD_BORDER_R ? 0 : view->kept_in[selector - RECORD_BORDER_R];
    return place ? (uint8_t)(RECORD_BORDER_R + place - 1) : selector;
}

/* The places of the four channels, 3 bits each; 0: all are in the channel of their name. */
static inline uint32_t view_order(const struct view_facts *view)
{
    return view->kept_in[0] | (uint32_t)view->kept_in[1] << 3 | (uint32_t)view->kept_in[2] << 6 |
           (uint32_t)view->kept_in[3] << 9;
}

/* Four times VK_COMPONENT_SWIZZLE_ZERO: beside a swizzle of four zeros they are GL_ZERO. */
static inline bool view_components_are_zero(const VkComponentMapping *mapping)
{
    const VkComponentSwizzle zero = VK_COMPONENT_SWIZZLE_ZERO;
    return mapping->r == zero && mapping->g == zero && mapping->b == zero && mapping->a == zero;
}

/*
 * The order of a view's channels: from VkImageViewGLChannelOrderCreateInfoCLAMPLER, or NULL without it. `base_format`
 * is not 0. at[]: where red, green, blue and alpha of the base format are kept, RECORD_BORDER_R and so on, or the
 * constant that blending reads instead: ZERO, and ONE for alpha, where the base format has none of that name. False,
 * with *why, if it is refused; view_order_is_unsupported() says whether the format is why.
 */
bool view_order_read(const VkComponentMapping *channels, uint32_t base_format, VkFormat format, uint8_t at[4],
                     const char **why);
bool view_order_is_unsupported(const char *why);

/* The same for an attachment: two channels must not be in one place. */
bool view_order_of_attachment(const VkComponentMapping *channels, uint32_t base_format, VkFormat format, uint8_t at[4],
                              const char **why);

/* The base format of GL view state: that of its internal format, or GL_RGBA, where it names none. */
uint32_t view_base_format(uint32_t base_format, uint32_t internal_format);

/*
 * Reads an image view that the program gave GL state. `channels`: of VkImageViewGLChannelOrderCreateInfoCLAMPLER, or
 * NULL. `info` is its create-info; its `components` say but one thing:
 * four zeros of the swizzle are GL_ZERO where they are VK_COMPONENT_SWIZZLE_ZERO, all of them, and else the identity.
 * *mapping is what the driver's view that is sampled gets.
 * False if a token is not allowed in its place or does not fit the format or the view's type, with *why naming
 * the field and the value's problem (a static string); *facts is then zero.
 */
bool view_facts_from_gl_order(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkComponentMapping *channels,
                              const VkImageViewCreateInfo *info, struct view_facts *facts, VkComponentMapping *mapping,
                              const char **why);

/* Without an order of channels. */
static inline bool view_facts_from_gl(const VkImageViewGLStateCreateInfoCLAMPLER *gl, const VkImageViewCreateInfo *info,
                                      struct view_facts *facts, VkComponentMapping *mapping, const char **why)
{
    return view_facts_from_gl_order(gl, NULL, info, facts, mapping, why);
}

/*
 * Adds VkImageViewGLTextureStateCreateInfoCLAMPLER to a view with GL state: an incomplete texture shows (0, 0, 0,
 * 1) and comparisons that fail, whatever its texels are, its border, its format and its swizzle.
 */
void view_facts_add_texture(const VkImageViewGLTextureStateCreateInfoCLAMPLER *texture, struct view_facts *facts,
                            VkComponentMapping *mapping);

/* The same for a view without GL state: format, aspect and components speak for themselves. */
void view_facts_from_vk(const VkImageViewCreateInfo *info, struct view_facts *facts);

/* A key that no view has. */
#define VIEW_FACTS_NO_KEY UINT32_MAX

/*
 * The facts in 32 bits, but for sizes, the number of levels beyond one, and a least level beyond 0: everything that
 * resolve_decide() reads for all of its result but `record`. Equal keys, equal results. Never 0 nor VIEW_FACTS_NO_KEY,
 * and less than VIEW_FACTS_KEYS. Orders of channels other than that of alpha in red or green, and borders, have no
 * room: such views need keys of their own, from VIEW_FACTS_KEYS on, one for each pair of this key and view_facts_rest()
 * (views/view_key.c).
 */
uint32_t view_facts_key(const struct view_facts *view);
bool view_facts_key_is_whole(const struct view_facts *view);
static inline uint32_t view_facts_rest(const struct view_facts *view)
{
    return view_order(view) | (view->border ? 1u << 12 : 0u);
}
#define VIEW_FACTS_KEYS 4180377601u

#endif
