/* SPDX-License-Identifier: MIT */
#include "cube.h"

#include <math.h>

/* Table 8.19: for each face the axis of s and its sign, of t, and of the face itself. */
static const struct {
    int axis[3];
    double sign[3];
} faces[6] = {
    {{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
    {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}},
};

static double part(int32_t face, int which, const double direction[3])
{
    return faces[face].sign[which] * direction[faces[face].axis[which]];
}

struct reference_cube_place reference_cube_place(const double direction[3])
{
    int axis = fabs(direction[2]) >= fmax(fabs(direction[0]), fabs(direction[1])) ? 2
               : fabs(direction[1]) >= fabs(direction[0])                         ? 1
                                                                                  : 0;
    struct reference_cube_place place = {.face = 2 * axis + (direction[axis] < 0)};
    double major = part(place.face, 2, direction);
    for (int i = 0; i < 2; i++)
        place.st[i] = (part(place.face, i, direction) / major + 1) / 2;
    return place;
}

void reference_cube_derivatives(int32_t face, const double direction[3], const float change[3], double st[2])
{
    const double delta[3] = {change[0], change[1], change[2]};
    double major = part(face, 2, direction), along = part(face, 2, delta);
    for (int i = 0; i < 2; i++)
        st[i] = (part(face, i, delta) * major - part(face, i, direction) * along) / (2 * major * major);
}

bool reference_cube_neighbour(int32_t size, int32_t *face, int32_t *x, int32_t *y)
{
    bool off[2] = {*x < 0 || *x >= size, *y < 0 || *y >= size};
    if (off[0] && off[1])
        return false;
    if (!off[0] && !off[1])
        return true;
    /* The direction of the texel's centre, which lies on the plane of the face, meets the neighbour in the right texel.
     */
    const double plane[3] = {(2 * (double)*x + 1) / size - 1, (2 * (double)*y + 1) / size - 1, 1};
    double direction[3];
    for (int i = 0; i < 3; i++)
        direction[faces[*face].axis[i]] = faces[*face].sign[i] * plane[i];
    struct reference_cube_place place = reference_cube_place(direction);
    *face = place.face;
    *x = (int32_t)floor(place.st[0] * size);
    *y = (int32_t)floor(place.st[1] * size);
    return true;
}
