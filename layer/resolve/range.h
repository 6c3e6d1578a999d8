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

/* The range as an image's record has it in its border: RECORD_BORDER_KIND_* in [0], bounds in the others. */
void range_in_record(enum view_range range, uint32_t border[4]);

/*
 * The range of a texture of range `texture` that is kept in a format of range `format`: the texture's, unless the
 * format holds less, or numbers of another type.
 */
enum view_range range_kept(enum view_range texture, enum view_range format);

#endif
