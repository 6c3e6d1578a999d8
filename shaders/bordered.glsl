/* SPDX-License-Identifier: MIT */
// Border texels: textures that lie within their image, a border of texels around them (borderWidth of
// VkImageViewGLTextureStateCreateInfoCLAMPLER). OpenGL 2.1, section 3.8.8. The record's sizes are those without border.
// What these functions do for records without BORDERED is what the functions without borders do.
//
// `rest` is the fourth quarter of the image's record, or of that of both in one; `stored` is the second.

#ifndef BORDERED_GLSL
#define BORDERED_GLSL

#include "cube.glsl"

bool record_is_bordered(const in uvec4 rest)
{
    return (rest.w & RECORD_MORE_BORDERED) != 0u;
}

// How many texels of the image are in front of the texture.
int record_frame(const in uvec4 rest)
{
    return int((rest.w >> RECORD_MORE_BORDER_SHIFT) & RECORD_MORE_BORDER_MASK);
}

// Texels of a level of the image.
ivec3 stored_size(const in uvec4 stored, const in int level)
{
    const uvec3 base = uvec3(stored.z & RECORD_WIDTH_MASK, stored.z >> RECORD_HEIGHT_SHIFT, stored.w);
    return max(ivec3(base >> uint(level)), ivec3(1));
}

Tap bordered_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                    const in uvec4 record, const in int axes, const in int corner, const in bool upper,
                    const in uvec4 rest)
{
    const Tap tap = filter_placed_corner(s, offset, has_offset, plan, record, axes, corner, upper,
                                         record_is_bordered(rest), record_frame(rest));
    const bool first = corner == 0;
    return Tap(tap.texel, tap.level, mix(0.0, tap.weight, plan.z != 0.0 || first), tap.border);
}

Tap bordered_block_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                       const in uvec4 record, const in int axes, const in int i, const in uvec4 rest)
{
    return filter_placed_block_tap(s, offset, has_offset, plan, record, axes, i, record_is_bordered(rest),
                                   record_frame(rest));
}

Tap bordered_block_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                          const in uvec4 record, const in int axes, const in int corner, const in bool upper,
                          const in uvec4 rest)
{
    const Tap tap = bordered_corner(s, offset, has_offset, plan, record, axes, corner, upper, rest);
    return filter_block_or(tap, s, offset, has_offset, plan, record, axes, corner, upper, record_is_bordered(rest),
                           record_frame(rest));
}

Tap bordered_gather_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in bool own_offset,
                        const in uvec4 record, const in int level, const in int i, const in uvec4 rest)
{
    return gather_placed_tap(s, offset, has_offset, own_offset, record, level, i, record_is_bordered(rest),
                             record_frame(rest));
}

Tap bordered_cube_corner(const in vec3 s, const in vec3 plan, const in uvec4 record, const in int corner,
                         const in bool upper, const in uvec4 rest)
{
    return cube_placed_corner(s, plan, record, corner, upper, record_is_bordered(rest));
}

Tap bordered_cube_tap(const in vec3 s, const in vec3 plan, const in uvec4 record, const in int i, const in uvec4 rest)
{
    return bordered_cube_corner(s, plan, record, i & 3, i >= 4, rest);
}

Tap bordered_cube_gather_tap(const in vec3 s, const in uvec4 record, const in int level, const in int i,
                             const in uvec4 rest)
{
    return cube_texel(s, gather_lower(i), record, level, 1.0, true, true, record_is_bordered(rest));
}

// Where a nearest sampler reads the texel of a tap.
vec3 bordered_texel_centre(const in Tap tap, const in uvec4 record, const in uvec4 rest, const in uvec4 stored)
{
    const ivec3 size =
        mix(record_size(record, tap.level), stored_size(stored, tap.level), bvec3(record_is_bordered(rest)));
    return (vec3(tap.texel) + 0.5) / vec3(size);
}

// The direction of a texel of a face, `within` texels from its centre: of a position beyond an edge that of the
// neighbouring face, unless that is border.
vec3 bordered_cube_place(const in Tap tap, const in int face, const in uvec4 record, const in uvec4 rest,
                         const in uvec4 stored, const in float within)
{
    const bool bordered = record_is_bordered(rest);
    const bool plain = !bordered;
    const vec3 size = vec3(record_size(record, tap.level));
    const vec3 texel = vec3(tap.texel);
    const int other = mix(face, cube_face(cube_centre(texel, size, face)), cube_seamless(record) || plain);
    const vec3 inside = mix(cube_neighbour(texel, size, face, other), texel, bvec3(other == face));
    const vec3 whole = mix(size, vec3(stored_size(stored, tap.level)), bvec3(bordered));
    const float frame = mix(0.0, float(record_frame(rest)), bordered);
    return cube_centre(inside + (frame + within), whole, other);
}

vec3 bordered_cube_texel_direction(const in Tap tap, const in int face, const in uvec4 record, const in uvec4 rest,
                                   const in uvec4 stored)
{
    return bordered_cube_place(tap, face, record, rest, stored, 0.0);
}

vec3 bordered_cube_footprint_direction(const in Tap tap, const in int face, const in uvec4 record, const in uvec4 rest,
                                       const in uvec4 stored)
{
    return bordered_cube_place(tap, face, record, rest, stored, 0.25);
}

// The level of detail that a driver finds is that of its image. A coordinate that is smaller by as much as the texture
// is has the texture's; directions have no size, but faces are square.
vec3 bordered_query_place(const in vec3 s, const in uvec4 record, const in uvec4 rest, const in uvec4 stored)
{
    const vec3 part = vec3(record_size(record, 0)) / vec3(stored_size(stored, 0));
    return s * mix(vec3(1.0), part, bvec3(record_is_bordered(rest)));
}

// The image of its own filters whatever the sampler, and does not say that the driver's is a common one: `own` is the
// sampler's first quarter, where it stands alone.
vec2 bordered_queried_levels(const in vec2 queried, const in float limit, const in float most, const in uvec4 joined,
                             const in uvec4 rest, const in uvec4 of_sampler, const in bool alone, const in bool cube,
                             const in bool integer, const in uvec4 stored, const in uvec4 own)
{
    const bool bordered = record_is_bordered(rest);
    const bool conditional = !record_has(own, RECORD_FILTER) && alone;
    const uint without = mix(0u, RECORD_FILTER_IF_MIPS, conditional);
    const uvec4 record = uvec4(joined.x & ~without, joined.yzw);
    const float part = float(record_size(record, 0).x) / float(stored_size(stored, 0).x);
    const vec2 seen = vec2(queried.x, queried.y + mix(0.0, log2(part), bordered && cube));
    return corrected_levels(seen, limit, most, record, rest, of_sampler, alone, cube, integer, bordered);
}

// Which of three components are axes; the others are layers, or nothing.
bvec3 are_axes(const in int axes)
{
    return lessThan(ivec3(0, 1, 2), ivec3(axes));
}

// Where a fetch reads: its border is at -1 and behind the last texel. What is further out is outside of the image too.
ivec3 bordered_fetch_place(const in ivec3 texel, const in int level, const in uvec4 record, const in uvec4 rest,
                           const in int axes)
{
    const ivec3 size = record_size(record, level & 31);
    const bvec3 near = lessThan(texel, ivec3(-1));
    const bvec3 far = greaterThan(texel, size);
    const ivec3 placed = mix(mix(texel + record_frame(rest), ivec3(-1), near), ivec3(-1), far);
    return mix(texel, mix(texel, placed, are_axes(axes)), bvec3(record_is_bordered(rest)));
}

ivec3 bordered_level_size(const in ivec3 size, const in int level, const in uvec4 record, const in uvec4 rest,
                          const in int axes)
{
    const ivec3 own = record_size(record, level & 31);
    return mix(size, mix(size, own, are_axes(axes)), bvec3(record_is_bordered(rest)));
}

#endif
