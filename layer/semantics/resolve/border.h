/* SPDX-License-Identifier: MIT */
/* Border: which colours a view can show, and the ladder of ways to have the driver show one. Internal to resolve. */
#ifndef CLAMPLER_RESOLVE_BORDER_H
#define CLAMPLER_RESOLVE_BORDER_H

#include "resolve/pair.h"

/* True if a wrap mode of the state can read the border, be it only in a gather (which ignores the filters). */
bool border_is_reachable(const struct sampler_state *state);

/*
 * True if a custom border colour has to name the view's format, so that a sampler made without a view cannot
 * serve it.
 */
bool border_needs_name(const struct view_facts *view, const struct resolve_caps *caps);

#endif
