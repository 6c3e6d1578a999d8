/* SPDX-License-Identifier: MIT */
/*
 * Wrap: the texels that one axis of a lookup reads. Internal to the reference sampler.
 */
#ifndef CLAMPLER_REFERENCE_WRAP_H
#define CLAMPLER_REFERENCE_WRAP_H

#include <stdint.h>

/* A mode of cube faces that are filtered together: numbers -1 and `size` are the neighbouring faces' texels. */
#define REFERENCE_SEAMLESS 0u

/* Texels along one axis, of which -1 and `size` are the border; value = i0 * (1 - weight) + i1 * weight. */
struct reference_tap {
    int32_t i0, i1;
    float weight;
};

/*
 * `mode` is one of the eight wrap modes as OpenGL numbers them, or one of drivers' (reference.h), `u` the unwrapped
 * coordinate in texels of the level with the offset added, `size` the level's size. Infinities count as very large; NaN
 * as 0.
 */
struct reference_tap reference_wrap_nearest(uint32_t mode, double u, int32_t size);
struct reference_tap reference_wrap_linear(uint32_t mode, double u, int32_t size);

/* The texels of a gather: those of the linear filter. The weight means nothing. */
struct reference_tap reference_wrap_gather(uint32_t mode, double u, int32_t size);

/* The four texels of a cubic filter's footprint; returns how far the coordinate is from the second to the third. */
double reference_wrap_cubic(uint32_t mode, double u, int32_t size, int32_t texels[4]);

#endif
