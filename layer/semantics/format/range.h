/* SPDX-License-Identifier: MIT */
/* Range: which values the channels of a format can have (OpenGL 4.6 compatibility, section 8.14.2). */
#ifndef CLAMPLER_FORMAT_RANGE_H
#define CLAMPLER_FORMAT_RANGE_H

#include <stdint.h>

/* The values that a format's channels can have: GL clamps border colours to them. */
enum view_range {
    VIEW_RANGE_NONE, /* floats of 32 bits, or nothing known */
    VIEW_RANGE_UNORM,
    VIEW_RANGE_SNORM,
    VIEW_RANGE_HALF,  /* +-65504 */
    VIEW_RANGE_UHALF, /* [0, 65504]: BC6H without sign */
    VIEW_RANGE_UF11,  /* B10G11R11: [0, 65024], blue [0, 64512] */
    VIEW_RANGE_E5B9,  /* [0, 65408] */
    VIEW_RANGE_UINT8,
    VIEW_RANGE_UINT10, /* alpha: 2 bits */
    VIEW_RANGE_UINT16,
    VIEW_RANGE_UINT32,
    VIEW_RANGE_SINT8,
    VIEW_RANGE_SINT10, /* alpha: 2 bits */
    VIEW_RANGE_SINT16,
    VIEW_RANGE_SINT32,
};

/*
 * A border value within the range of a channel (0: red .. 3: alpha): float or integer bits, as the range is of. NaN
 * becomes 0, and so does -0.0.
 */
uint32_t range_clamp(enum view_range range, uint32_t channel, uint32_t bits);

/* The range as an image's record has it in its border: RECORD_BORDER_KIND_* in [0], bounds in the others. */
void range_in_record(enum view_range range, uint32_t border[4]);

/*
 * The range of a texture of range `texture` that is kept in a format of range `format`: the texture's, unless the
 * format holds less, or another component type.
 */
enum view_range range_kept(enum view_range texture, enum view_range format);

#endif
