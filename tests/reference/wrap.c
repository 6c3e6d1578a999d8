/* SPDX-License-Identifier: MIT */
#include "wrap.h"

#include <assert.h>
#include <math.h>

#include "reference.h"

#define FAR 1073741824.0 /* beyond every texture, within int32_t; a multiple of every power of two below it */

static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double sane(double u)
{
    return isnan(u) ? 0.0 : within(u, -FAR, FAR);
}

static int32_t modulo(int32_t i, int32_t size)
{
    int32_t rest = i % size;
    return rest < 0 ? rest + size : rest;
}

static int32_t mirror(int32_t i)
{
    return i >= 0 ? i : -(1 + i);
}

static int32_t to_edge(int32_t i, int32_t size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static int32_t to_border(int32_t i, int32_t size)
{
    return i < -1 ? -1 : i > size ? size : i;
}

/* The part of wrapping that acts on the coordinate: clamping and the mirror modes' absolute value with its bounds. */
static double wrap_coordinate(uint32_t mode, double u, int32_t size)
{
    switch (mode) {
    case REFERENCE_CLAMP:
        return within(u, 0.0, size);
    case REFERENCE_MIRROR_CLAMP:
        return within(fabs(u), 0.5, size);
    case REFERENCE_MIRROR_CLAMP_TO_EDGE:
        return within(fabs(u), 0.5, size - 0.5);
    case REFERENCE_MIRROR_CLAMP_TO_BORDER:
        return within(fabs(u), 0.5, size + 0.5);
    case REFERENCE_MIRROR_CLAMP_TO_LINE:
        return within(fabs(u), 0.0, size);
    case REFERENCE_MIRROR_CLAMP_TO_BORDER_AND_LINE:
        return within(fabs(u), 0.0, size + 0.5);
    default:
        return u;
    }
}

/* The part that acts on a texel's number. `nearest`: the modes whose linear filter reads the border stay inside. */
static int32_t wrap_texel(uint32_t mode, int32_t i, int32_t size, int nearest)
{
    switch (mode) {
    case REFERENCE_REPEAT:
        return modulo(i, size);
    case REFERENCE_MIRRORED_REPEAT:
        return (size - 1) - mirror(modulo(i, 2 * size) - size);
    case REFERENCE_CLAMP_TO_EDGE:
    case REFERENCE_MIRROR_CLAMP_TO_EDGE:
        return to_edge(i, size);
    case REFERENCE_CLAMP_TO_BORDER:
    case REFERENCE_MIRROR_CLAMP_TO_BORDER:
    case REFERENCE_MIRROR_CLAMP_TO_BORDER_AND_LINE:
        return to_border(i, size);
    case REFERENCE_SEAMLESS:
        return to_border(i, size);
    case REFERENCE_CLAMP:
    case REFERENCE_MIRROR_CLAMP:
    case REFERENCE_MIRROR_CLAMP_TO_LINE:
        return nearest ? to_edge(i, size) : to_border(i, size);
    default:
        assert(0 && "not a wrap mode");
        return 0;
    }
}

struct reference_tap reference_wrap_nearest(uint32_t mode, double u, int32_t size)
{
    /* A face ends with its last texel: what is beyond by rounding alone is the neighbour's. */
    if (mode == REFERENCE_SEAMLESS && u <= size && u > size - 0.5)
        return (struct reference_tap){size - 1, size - 1, 0.0f};
    int32_t i = wrap_texel(mode, (int32_t)floor(wrap_coordinate(mode, sane(u), size)), size, 1);
    return (struct reference_tap){i, i, 0.0f};
}

struct reference_tap reference_wrap_linear(uint32_t mode, double u, int32_t size)
{
    double v = wrap_coordinate(mode, sane(u), size) - 0.5;
    double below = floor(v);
    int32_t i = (int32_t)below;
    return (struct reference_tap){wrap_texel(mode, i, size, 0), wrap_texel(mode, i + 1, size, 0), (float)(v - below)};
}

struct reference_tap reference_wrap_gather(uint32_t mode, double u, int32_t size)
{
    if (mode != REFERENCE_MIRROR_CLAMP_TO_EDGE)
        return reference_wrap_linear(mode, u, size);
    /*
     * OpenGL 4.6 mirrors and clamps the texels' numbers (table 8.20). For the filtered value that is the same as
     * bounding the coordinate, but the two texels at the mirror line are 0 and 0 rather than 0 and 1 with weight 0.
     */
    int32_t i = (int32_t)floor(sane(u) - 0.5);
    return (struct reference_tap){to_edge(mirror(i), size), to_edge(mirror(i + 1), size), 0.0f};
}

/* The part of a mode that acts on a texel's number, mirrors included: Vulkan, "Wrapping Operation". */
static int32_t wrap_cubic_texel(uint32_t mode, int32_t i, int32_t size)
{
    switch (mode) {
    case REFERENCE_MIRROR_CLAMP_TO_EDGE:
        return to_edge(mirror(i), size);
    case REFERENCE_MIRROR_CLAMP:
    case REFERENCE_MIRROR_CLAMP_TO_BORDER:
        return to_border(mirror(i), size);
    default:
        return wrap_texel(mode, i, size, 0);
    }
}

double reference_wrap_cubic(uint32_t mode, double u, int32_t size, int32_t texels[4])
{
    const double wrapped = mode == REFERENCE_MIRROR_CLAMP_TO_EDGE ? sane(u) : wrap_coordinate(mode, sane(u), size);
    const double v = wrapped - 0.5, below = floor(v);
    for (int32_t i = 0; i < 4; i++)
        texels[i] = wrap_cubic_texel(mode, (int32_t)below - 1 + i, size);
    return v - below;
}
