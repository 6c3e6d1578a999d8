/* SPDX-License-Identifier: MIT */
/*
 * Cube: directions, faces, and the texels beyond a face's edges (OpenGL 4.6, sections 8.13 and 8.13.1). Internal to the
 * reference sampler.
 */
#ifndef CLAMPLER_REFERENCE_CUBE_H
#define CLAMPLER_REFERENCE_CUBE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a direction meets the cube: the face in OpenGL's order (+x -x +y -y +z -z), s and t on it in [0, 1]. */
struct reference_cube_place {
    int32_t face;
    double st[2];
};

struct reference_cube_place reference_cube_place(const double direction[3]);

/* The change of s and t on `face` for a change of the direction. */
void reference_cube_derivatives(int32_t face, const double direction[3], const float change[3], double st[2]);

/*
 * Turns the number of a texel that is off its face, by one along one axis, into the neighbour's. False where it is off
 * along both: no texel is there.
 */
bool reference_cube_neighbour(int32_t size, int32_t *face, int32_t *x, int32_t *y);

#endif
