/* SPDX-License-Identifier: MIT */
/* One axis of a blit: finds the two source texels of a target texel. */
#include <stdlib.h>

#include "blits/blit.h"

/*
 * u - 1/2 = (x + 1/2 - target[0]) * (source[1] - source[0]) / (target[1] - target[0]) + source[0] - 1/2, rounded down.
 */
int32_t blit_lower_texel(const struct blit_axis *axis, int32_t x)
{
    int64_t scale = (int64_t)axis->source[1] - axis->source[0], target = (int64_t)axis->target[1] - axis->target[0];
    int64_t top = (2 * ((int64_t)x - axis->target[0]) + 1) * scale - target, bottom = 2 * target;
    if (bottom < 0) {
        top = -top;
        bottom = -bottom;
    }
    int64_t quotient = top / bottom - (top % bottom < 0);
    return (int32_t)(quotient + axis->source[0]);
}

static int32_t clamped(int32_t texel, int32_t size)
{
    return texel < 0 ? 0 : texel >= size ? size - 1 : texel;
}

/* Coordinates rise or fall along the axis, so the ends are the extremes. */
void blit_source_range(const struct blit_axis *axis, int32_t first, int32_t count, int32_t *low, int32_t *texels)
{
    int32_t a = blit_lower_texel(axis, first), b = blit_lower_texel(axis, first + count - 1);
    int32_t lowest = clamped((a < b ? a : b) - axis->reach, axis->size),
            highest = clamped((a < b ? b : a) + 1 + axis->reach, axis->size);
    *low = lowest;
    *texels = highest - lowest + 1;
}

uint64_t blit_range_bound(const struct blit_axis *axis, int32_t count)
{
    uint64_t scale = (uint64_t)llabs((int64_t)axis->source[1] - axis->source[0]);
    uint64_t target = (uint64_t)llabs((int64_t)axis->target[1] - axis->target[0]);
    uint64_t bound = ((uint64_t)count - 1) * scale / target + 3 + 2 * (uint64_t)axis->reach;
    return bound < (uint64_t)axis->size ? bound : (uint64_t)axis->size;
}
