/*
 * Wrap: how one axis' wrap mode reaches the driver, and what it leaves for the shader.
 *
 * The rules follow OpenGL 4.6 compatibility section 8.14.2 and EXT_texture_mirror_clamp. Internal to resolve.
 */
#ifndef CLAMPLER_RESOLVE_WRAP_H
#define CLAMPLER_RESOLVE_WRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "resolve.h"

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
    WRAP_FILTER_ALWAYS,  /* no driver mode serves both filters */
};

struct wrap_rule {
    uint8_t driver;     /* enum record_wrap, at most MIRROR_CLAMP_TO_EDGE: the driver's mode has the same number */
    uint8_t moves;      /* 1: the shader moves the coordinate before the driver sees it */
    uint8_t filter;     /* enum wrap_filter */
    const char *reason; /* why, in words; NULL if the mode is native */
};

enum filter_pair wrap_filters(const struct sampler_state *state);

/* The driver's own sampler takes MIRROR_CLAMP_TO_EDGE for this state. */
bool wrap_mirror_is_native(const struct sampler_state *state, const struct resolve_caps *caps);

/* The rule for one axis. Never NULL; points to constants. */
const struct wrap_rule *wrap_rule(enum record_wrap wrap, enum filter_pair filters, bool mirror_is_native);

/*
 * True if a gather with this rule reads the edge where GL's reads the border: a gather's footprint is the linear one
 * whatever the filters are.
 */
bool wrap_gather_differs(enum record_wrap wrap, const struct wrap_rule *rule);

/* True if some mode is one that Vulkan lacks. */
bool wrap_is_private(const struct sampler_state *state);

/* False for states whose wrap modes are native on every device; the quick way out of most descriptor writes. */
static inline bool wrap_may_move(const struct sampler_state *state)
{
    uint8_t first = state->gl ? RECORD_WRAP_MIRROR_CLAMP_TO_EDGE : RECORD_WRAP_CLAMP;
    return state->wrap[0] >= first || state->wrap[1] >= first || state->wrap[2] >= first;
}

/* How many axes of a view are wrapped: array layers never are, and cubes are filtered across their faces. */
uint32_t wrap_axes(const struct view_facts *view);

/* True if only the view's first level can be sampled: it is the only one, or the LOD range excludes the others. */
bool wrap_one_level(const struct sampler_state *state, const struct view_facts *view);

/*
 * The state as it acts on a view: GL samplers do not filter what cannot be filtered and compare only depth. Returns
 * `state` itself where nothing changes, else `storage`, filled.
 */
const struct sampler_state *wrap_state_on_view(const struct sampler_state *state, const struct view_facts *view,
                                               struct sampler_state *storage);

/* record.c: the decision part of a pair's record, and its needs. */
uint32_t record_decision(const struct sampler_state *state, const struct view_facts *view,
                         const struct resolve_caps *caps, struct record *record);

#endif
