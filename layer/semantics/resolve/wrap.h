/* SPDX-License-Identifier: MIT */
/*
 * Wrap: the driver's address mode for one axis' wrap mode, and the shader's part.
 *
 * The rules follow OpenGL 4.6 compatibility section 8.14.2 and EXT_texture_mirror_clamp. Internal to resolve.
 */
#ifndef CLAMPLER_RESOLVE_WRAP_H
#define CLAMPLER_RESOLVE_WRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "resolve/pair.h"
#include "record/layout.h"

/* Which of a sampler's two filters are linear. */
enum filter_pair {
    FILTERS_NEAREST,
    FILTERS_LINEAR,
    FILTERS_MAG_LINEAR, /* magnification linear, minification nearest */
    FILTERS_MIN_LINEAR, /* minification linear, magnification nearest */
};

/* When the emulation of an axis that tier 1 gives is not exact, and tier 2 has to filter. */
enum wrap_filter {
    WRAP_FILTER_NEVER,
    WRAP_FILTER_IF_MIPS, /* its bounds are those of the view's first level, and other levels can be sampled */
    WRAP_FILTER_ALWAYS,  /* no driver mode is right for both filters */
};

struct wrap_rule {
    uint8_t driver;     /* RECORD_WRAP_*, at most CLAMP_TO_BORDER */
    uint8_t moves;      /* 1: the shader moves the coordinate before the driver sees it */
    uint8_t filter;     /* enum wrap_filter */
    const char *reason; /* why, in words; NULL if the mode is native */
};

/* A wrap mode: its name in OpenGL and in Vulkan, and its rules. */
struct wrap_mode {
    const char *name;
    uint32_t token;                /* OpenGL's */
    VkSamplerAddressMode mode;     /* Vulkan's, or the extension's */
    float near, far;               /* bounds of tier 1: near in texels, far in edges */
    const struct wrap_rule *rules; /* by enum filter_pair; NULL: one that Vulkan has */
};

/* Never NULL; points to constants. */
const struct wrap_mode *wrap_mode(uint8_t wrap);

/* False if the token is no wrap mode. 0 is OpenGL's default. */
bool wrap_from_token(uint32_t token, uint8_t *wrap);

/* Why a token of the axis is refused: it is none of the wrap modes, all of which are named. A static string. */
const char *wrap_no_mode(uint32_t axis);

/* REPEAT if the mode is none. */
uint8_t wrap_from_address_mode(VkSamplerAddressMode mode);

/* True if Vulkan lacks the mode. */
static inline bool wrap_is_private(uint8_t wrap)
{
    return wrap > RECORD_WRAP_CLAMP_TO_BORDER;
}

enum filter_pair wrap_filters(const struct sampler_state *state);

/* The rule for one axis. Never NULL; points to constants. */
const struct wrap_rule *wrap_rule(uint8_t wrap, enum filter_pair filters, bool mirror_is_native);

/*
 * True if a gather with this rule reads the edge where GL's reads the border: a gather's footprint is the linear one
 * whatever the filters are.
 */
bool wrap_gather_differs(uint8_t wrap, const struct wrap_rule *rule);

/* True if a linear footprint with this mode can reach the border. */
static inline bool wrap_reads_border(uint8_t wrap)
{
    return wrap >= RECORD_WRAP_CLAMP_TO_BORDER;
}

/* True if some axis' mode is one that Vulkan lacks. */
bool wrap_any_private(const struct sampler_state *state);

/*
 * How many axes of the pair's view are wrapped: array layers never are, and seamless cubes are filtered
 * across faces.
 */
uint32_t wrap_axes(const struct resolved_pair *pair);

/*
 * True if the level of detail cannot choose another than the view's first level, or than its least one: it is the only
 * one, or the LOD range excludes the others.
 */
bool wrap_one_level(const struct sampler_state *state, const struct view_facts *view);

/*
 * The rule that the pair's axis follows; NULL for modes that are passed to the driver. Calls of wrap_on_view and
 * reason_of_pair agree.
 */
const struct wrap_rule *wrap_rule_of(const struct resolved_pair *pair, uint32_t axis);

/* Below 1/2 no level but the base is the nearest: GL's filters without mipmaps. */
#define LOD_BASE_LEVEL_MAX 0.25f

#endif
