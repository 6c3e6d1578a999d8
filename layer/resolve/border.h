/* Border: which border colour the driver's sampler gets. Internal to resolve. */
#ifndef CLAMPLER_RESOLVE_BORDER_H
#define CLAMPLER_RESOLVE_BORDER_H

#include "resolve.h"

/* True if a wrap mode of the state can read the border, be it only in a gather (which ignores the filters). */
bool border_is_reachable(const struct sampler_state *state);

/*
 * Fills the border fields of `driver`. Returns why the colour is not the one asked for, or NULL if it is.
 */
const char *border_for_driver(const struct sampler_state *state, const struct view_facts *view,
                              const struct resolve_caps *caps, struct driver_sampler *driver);

/*
 * True if the sampler that the driver was given for this state (made without a view) cannot show the border colour that
 * GL wants with this view: then the shader places the border itself. `view` may be NULL.
 */
bool border_driver_lacks(const struct sampler_state *state, const struct view_facts *view,
                         const struct resolve_caps *caps);

#endif
