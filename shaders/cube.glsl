/* SPDX-License-Identifier: MIT */
// Cube maps: faces, and the texels that a lookup blends on one face or across its edges. OpenGL 4.6 compatibility,
// section 8.13, table 8.19. Vulkan's table is the same. Faces are numbered as layers: +X, -X, +Y, -Y, +Z, -Z.

#ifndef CUBE_GLSL
#define CUBE_GLSL

#include "filter.glsl"

// Where directions differ little from a tie either face is right; exactly there z comes before y before x.
int cube_face(const in vec3 direction)
{
    const vec3 a = abs(direction);
    const int x = mix(0, 1, direction.x < 0.0);
    const int y = mix(2, 3, direction.y < 0.0);
    const int z = mix(4, 5, direction.z < 0.0);
    return mix(mix(x, y, a.y >= a.x), z, a.z >= max(a.x, a.y));
}

// (sc, tc, |ma|) of a direction, or their derivatives of a direction's.
vec3 cube_components(const in vec3 v, const in int face)
{
    const vec3 x = vec3(mix(v.z, -v.z, face == 0), -v.y, mix(-v.x, v.x, face == 0));
    const vec3 y = vec3(v.x, mix(-v.z, v.z, face == 2), mix(-v.y, v.y, face == 2));
    const vec3 z = vec3(mix(-v.x, v.x, face == 4), -v.y, mix(-v.z, v.z, face == 4));
    return mix(mix(z, y, bvec3(face < 4)), x, bvec3(face < 2));
}

// The direction with components (sc, tc, 1).
vec3 cube_direction(const in vec3 c, const in int face)
{
    const vec3 x = mix(vec3(-1.0, -c.y, c.x), vec3(1.0, -c.y, -c.x), bvec3(face == 0));
    const vec3 y = mix(vec3(c.x, -1.0, -c.y), vec3(c.x, 1.0, c.y), bvec3(face == 2));
    const vec3 z = mix(vec3(-c.x, -c.y, -1.0), vec3(c.x, -c.y, 1.0), bvec3(face == 4));
    return mix(mix(z, y, bvec3(face < 4)), x, bvec3(face < 2));
}

// The coordinate on the face, [0, 1] along s and t.
vec3 cube_coordinate(const in vec3 direction, const in int face)
{
    const vec3 c = cube_components(direction, face);
    return vec3(0.5 * (c.x / c.z + 1.0), 0.5 * (c.y / c.z + 1.0), 0.0);
}

// Its derivative, by the quotient rule.
vec3 cube_gradient(const in vec3 direction, const in vec3 change, const in int face)
{
    const vec3 c = cube_components(direction, face);
    const vec3 d = cube_components(change, face);
    return vec3(d.x * c.z - c.x * d.z, d.y * c.z - c.y * d.z, 0.0) * (0.5 / (c.z * c.z));
}

bool cube_seamless(const in uvec4 record)
{
    return !record_pair_has(record, RECORD_PAIR_NON_SEAMLESS);
}

// One texel of a seamless footprint: no wrap modes, and a position may lie a texel beyond the face's edges. Where three
// faces meet a footprint has three texels, and the fourth one is their average: its weight is theirs.
Tap seamless_texel(const in vec3 s, const in ivec3 lower, const in ivec3 size, const in int level,
                   const in float level_weight, const in bool linear)
{
    const ivec3 corner = mix(ivec3(0), 1 - lower, bvec3(linear));
    const vec3 start = clamp(s, vec3(0.0), vec3(1.0)) * vec3(size) - (linear ? 0.5 : 0.0);
    const ivec3 first = clamp(ivec3(floor(start)), ivec3(linear ? -1 : 0), size - 1);
    const vec3 fraction = linear ? filter_shares(start - vec3(first)) : vec3(0.0);
    const bvec3 before = lessThan(first, ivec3(0));
    const bvec3 beyond = greaterThanEqual(first + 1, size);
    const ivec3 lost = mix(mix(ivec3(-1), ivec3(1), beyond), ivec3(0), before);
    const bool meets = linear && lost.x >= 0 && lost.y >= 0;
    const vec3 weights = mix(vec3(1.0) - fraction, fraction, equal(corner, ivec3(1)));
    const vec3 lost_weights = mix(vec3(1.0) - fraction, fraction, equal(lost, ivec3(1)));
    const float shared_weight = weights.x * weights.y + (meets ? lost_weights.x * lost_weights.y / 3.0 : 0.0);
    const bool is_lost = meets && lost.x == corner.x && lost.y == corner.y;
    return Tap(first + corner, level, is_lost ? 0.0 : shared_weight * level_weight, false);
}

// `bordered`: each face has a border of its own, which a position beyond its edges is in where it is filtered alone. A
// seamless footprint takes the neighbouring face's texel in the border's place (8.14.6).
Tap cube_texel(const in vec3 s, const in ivec3 lower, const in uvec4 record, const in int level,
               const in float level_weight, const in bool linear, const in bool gathers, const in bool bordered)
{
    const ivec3 size = record_size(record, level);
    const Tap alone = filter_placed_texel(s, lower, record, level, level_weight, linear, 2, gathers, bordered, 0);
    const Tap together = seamless_texel(s, lower, size, level, level_weight, linear);
    const bool seamless = cube_seamless(record);
    return Tap(mix(alone.texel, together.texel, bvec3(seamless)), level, seamless ? together.weight : alone.weight,
               !seamless && alone.border);
}

// filter_corner and filter_tap of a cube. `s` is the coordinate on the face.
Tap cube_placed_corner(const in vec3 s, const in vec3 plan, const in uvec4 record, const in int corner,
                       const in bool upper, const in bool bordered)
{
    const bool linear = plan.z != 0.0;
    const bool first = corner == 0;
    const int level = int(min(uint(int(plan.x) + mix(0, 1, upper)), uint(record_last_level(record))));
    const float weight = mix(1.0 - plan.y, plan.y, upper);
    return cube_texel(s, ivec3(corner & 1, (corner >> 1) & 1, 0), record, level, mix(0.0, weight, linear || first),
                      linear, false, bordered);
}

Tap cube_corner(const in vec3 s, const in vec3 plan, const in uvec4 record, const in int corner, const in bool upper)
{
    return cube_placed_corner(s, plan, record, corner, upper, false);
}

Tap cube_tap(const in vec3 s, const in vec3 plan, const in uvec4 record, const in int i)
{
    return cube_corner(s, plan, record, i & 3, i >= 4);
}

// A gather at a corner of the cube has three texels to give; which one comes twice is open (8.15).
Tap cube_gather_tap(const in vec3 s, const in uvec4 record, const in int level, const in int i)
{
    return cube_texel(s, gather_lower(i), record, level, 1.0, true, true, false);
}

vec3 cube_centre(const in vec3 texel, const in vec3 size, const in int face)
{
    const vec3 c = (2.0 * texel + 1.0) / size - 1.0;
    return cube_direction(vec3(c.x, c.y, 1.0), face);
}

// The texel of the neighbouring face that a position beyond an edge leads into. It is looked up on the edge itself,
// where the place along it is the same on both faces: what a division by more than 1 moves towards the middle is as
// much as half a texel, but for 1 in twice the size, which floats do not have for sizes from 4731 on.
vec3 cube_neighbour(const in vec3 texel, const in vec3 size, const in int face, const in int other)
{
    const vec3 c = clamp((2.0 * texel + 1.0) / size - 1.0, vec3(-1.0), vec3(1.0));
    const vec3 edge = cube_direction(vec3(c.x, c.y, 1.0), face);
    return clamp(floor(cube_coordinate(edge, other) * size), vec3(0.0), size - 1.0);
}

// The direction of a texel's centre. Of a position beyond an edge it leads into the neighbouring face's texel, whose
// own centre it is then made: a sampler with linear filters gives that texel alone only there.
vec3 cube_texel_direction(const in Tap tap, const in int face, const in uvec4 record)
{
    const vec3 size = vec3(record_size(record, tap.level));
    const vec3 direction = cube_centre(vec3(tap.texel), size, face);
    const int other = cube_face(direction);
    const vec3 inside = cube_neighbour(vec3(tap.texel), size, face, other);
    return other == face ? direction : cube_centre(inside, size, other);
}

// The direction of a footprint whose lower texel along both axes is the tap's: the last one of a gather there.
vec3 cube_footprint_direction(const in Tap tap, const in int face, const in uvec4 record)
{
    const vec3 size = vec3(record_size(record, tap.level));
    const vec3 direction = cube_centre(vec3(tap.texel), size, face);
    const int other = cube_face(direction);
    const vec3 inside = cube_neighbour(vec3(tap.texel), size, face, other);
    return cube_centre(inside + 0.25, size, other);
}

// The level of detail that makes the driver sample a tap's level. Its sampler adds `sampler_bias`.
float cube_tap_lod(const in Tap tap, const in float sampler_bias)
{
    return float(tap.level) - sampler_bias;
}

// The driver has compared the texel; the border is compared here.
float cube_compared(const in float result, const in uvec4 border, const in bool outside, const in float reference,
                    const in uvec4 record)
{
    return mix(result, filter_compare(uintBitsToFloat(border.x), reference, record), outside);
}

#endif
