/* SPDX-License-Identifier: MIT */
/*
 * The record that stands beside every descriptor and says what lookups through it must compute (docs/architecture.md):
 * 64 bytes in a uniform or storage buffer, read by rewritten shaders as four uvec4. The bits are in layout.h, which the
 * shaders include as well.
 *
 * A zero record requires nothing of the shader. A combined image sampler's record is complete: the layer has decided
 * what is to be done, and pair flags stand in it only where the shader acts on them. For separate descriptors the
 * sampler's record fills only the parts marked S, the image's only those marked I; the shader ORs the first four words
 * of the two, no bit of which is filled by both, decides what the pair needs, and makes its border and its bounds of
 * both records' other words.
 *
 * In the buffer a combined image sampler's record is followed by two more, which are its image's and its sampler's
 * alone, for shaders that put one of them together with another's: layer/resources/descriptors/split.c.
 */
#ifndef CLAMPLER_RECORD_RECORD_H
#define CLAMPLER_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "record/layout.h"

struct record {
    uint32_t flags;      /* RECORD_* of layout.h */
    uint32_t size;       /* I: width of level 0 of the view in texels, and height */
    uint32_t depth_bias; /* I: depth of level 0, or array layers (cubes: faces) | S: LOD bias */
    uint32_t lod;        /* S: minLod and maxLod; pair flags */
    uint32_t border[4];  /* combined: the border colour as lookups return it, depth for comparisons in [0] (float,
                            int or uint bits by the image's type), and in [1] what comparisons give that fail | S: as
                            the program gave it
                            | I: [0]: the border translation, then what each of its channels is clamped to: [1]
                            least and [2] greatest; [3] is the greatest of blue (floats) or alpha (integers)
                            | beside BORDERED, combined and I: no colour is ever shown: [2] is the width and height of
                            the image, as `size`, and [3] its depth */
    /*
     * Bounds: tier 1 gives the driver min(far, max(near, s)) in the place of a coordinate s, of its absolute value
     * where near has no sign bit (-0.0 is a bound as well). A lookup needs no other coordinate exactly where that is s.
     * They are kept as record_near and record_far give them: what is zero is beyond all coordinates.
     */
    uint32_t near[2];  /* combined: in the driver's coordinates | S: in texels | I: 1 / size, bits of floats */
    uint32_t far[2];   /* combined: likewise | S: 1 is the far edge | I: size, bits of floats */
    uint32_t third[2]; /* volumes: near and far of the third axis (S likewise; I: 1 / depth, bits of a float) | else,
                          combined: what coordinates are multiplied with before all else, as record_scale gives it | I:
                          [1] is what comparisons give that fail, bits of a float, beside COMPARED_FAIL */
    float bias_rest;   /* S: what the driver's sampler lacks of the sampler's bias, in levels; 0 without RECORD_BIAS
                          | I: the view's least level of detail */
    uint32_t more;     /* RECORD_MORE_*; the other bits are reserved, and zero */
};

/*
 * The two terms that resolve_combine() makes a combined image sampler's record from, in the words of a record: the
 * terms of a sampler state with views of one key, and the terms of one view. Bounds are factors there, bits of floats:
 * near and far of the sampler are in texels and in sizes of the image, those of the view 1 / size and 1. A sampler
 * alone has terms without factors, which are its record.
 */
struct sampler_terms {
    struct record record;
};

struct view_terms {
    struct record record;
};

/* The float that has these bits, and a float's bits. */
static inline float record_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t record_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* A bound as records keep it, and back. */
static inline uint32_t record_near(float bound)
{
    return record_bits(bound) ^ RECORD_NO_NEAR;
}

static inline uint32_t record_far(float bound)
{
    return record_bits(bound) ^ RECORD_NO_FAR;
}

/* A factor of coordinates as records keep it: 1 / size for rectangles; zero for all others means 1. */
static inline uint32_t record_scale(float factor)
{
    return record_bits(factor) ^ RECORD_NO_SCALE;
}

_Static_assert(sizeof(struct record) == 64, "four uvec4");

/*
 * Mask words lie in the place of the first record of a set that has them. Bit i of an axis' word says that the record
 * of the i-th combined image sampler with a bit saturates that axis: its bounds are those of CLAMP. Where no bound
 * record has other bounds (RECORD_NEED_BOUNDS), tier 1 needs nothing else to know whether a coordinate moves.
 */
#define RECORD_MASK_BITS 32u

struct record_masks {
    uint32_t axes[3];
    uint32_t unused[13];
};
_Static_assert(sizeof(struct record_masks) == sizeof(struct record), "they lie in the place of a record");

/* The bounds of CLAMP; bounds beyond all coordinates, which may have been multiplied with a size. As records keep them.
 */
static inline bool record_saturates(uint32_t near, uint32_t far)
{
    return near == record_near(-0.0f) && far == record_far(1.0f);
}

static inline bool record_moves_nothing(uint32_t near, uint32_t far)
{
    return record_float(near ^ RECORD_NO_NEAR) < -1.0e20f && record_float(far ^ RECORD_NO_FAR) > 1.0e20f;
}

/* Are the bounds of each axis one of these? A third axis that the view lacks has bounds beyond all coordinates. */
static inline bool record_bounds_fit_masks(const struct record *record)
{
    const uint32_t bounds[3][2] = {
        {record->near[0], record->far[0]}, {record->near[1], record->far[1]}, {record->third[0], record->third[1]}};
    bool fit = true;
    for (int axis = 0; axis < 3; axis++)
        fit &= record_saturates(bounds[axis][0], bounds[axis][1]) ||
               record_moves_nothing(bounds[axis][0], bounds[axis][1]);
    return fit;
}

/* Sets or clears bit `bit` of each axis as the record says. */
static inline void record_masks_put(struct record_masks *masks, uint32_t bit, const struct record *record)
{
    const bool saturates[3] = {record_saturates(record->near[0], record->far[0]),
                               record_saturates(record->near[1], record->far[1]),
                               record_saturates(record->third[0], record->third[1])};
    for (int axis = 0; axis < 3; axis++)
        masks->axes[axis] = (masks->axes[axis] & ~(1u << bit)) | (uint32_t)saturates[axis] << bit;
}

/*
 * The record of a uniform texel buffer whose view the driver cannot give as it is. A view that needs nothing has a
 * record of zeros.
 */
struct texel_record {
    uint32_t flags;    /* RECORD_OTHER and TEXEL_* of layout.h */
    uint32_t elements; /* texels of the program's view; indices from here on read as zero */
    uint32_t place[2]; /* by address: device address of texel 0, low word first; else: [0] bytes from the driver's
                          view's first to texel 0's */
    uint32_t unused[12];
};
_Static_assert(sizeof(struct texel_record) == sizeof(struct record), "records lie in one array");

#endif
