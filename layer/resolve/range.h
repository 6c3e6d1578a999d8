/* Range: which values the channels of a format can have (OpenGL 4.6 compatibility, section 8.14.2). Internal to
 * resolve. */
#ifndef CLAMPLER_RESOLVE_RANGE_H
#define CLAMPLER_RESOLVE_RANGE_H

#include "resolve.h"

/*
 * A border value within the range of a channel (0: red .. 3: alpha): float or integer bits, as the range is of. What is
 * not a number becomes 0, and so does -0.0.
 */
uint32_t range_clamp(enum view_range range, uint32_t channel, uint32_t bits);

#endif
