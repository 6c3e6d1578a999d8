/* SPDX-License-Identifier: MIT */
/* Border: the colours that a view can show, and the ways to have the driver show one. Internal to resolve. */
#ifndef CLAMPLER_RESOLVE_BORDER_H
#define CLAMPLER_RESOLVE_BORDER_H

#include "resolve/pair.h"

/* True if a wrap mode of the state can read the border, be it only in a gather (which ignores the filters). */
bool border_is_reachable(const struct sampler_state *state);

/* True if the border is one of Vulkan's standard colours: of a GL state as the widest range of floats shows it. */
bool border_is_standard(const struct sampler_state *state);

/*
 * True if the border's colour is the same whether or not a view's mapping acts on it, or is defined by Vulkan without
 * VK_EXT_border_color_swizzle: transparent black, and opaque white.
 */
bool border_ignores_mapping(const struct sampler_state *state);

/*
 * True if a custom border colour has to name the view's format, so that a sampler made without a view cannot be used
 * with it.
 */
bool border_needs_name(const struct view_facts *view, const struct resolve_caps *caps);

#endif
