// Tier 1: the coordinate that the driver's sampler has to be given so that GL's wrap mode comes out.
// OpenGL 4.6 compatibility, table 8.20; EXT_texture_mirror_clamp.

#ifndef COORDS_GLSL
#define COORDS_GLSL

#include "record.glsl"

// `unit` is the coordinate of the far edge, `half_texel` half a texel in the same scale.
//   CLAMP                   clamp(s, 0, unit)
//   MIRROR_CLAMP            min(unit, max(half_texel, abs(s)))
//   MIRROR_CLAMP_TO_EDGE    abs(s)
//   MIRROR_CLAMP_TO_BORDER  max(half_texel, abs(s))
// The last two have bounds that CLAMP_TO_EDGE and CLAMP_TO_BORDER below set anyway, at every level by its own size. The near bound
// is a hair more than half a texel: exactly there a footprint begins, and a division that comes out too small would put the
// border into a gather. The other modes are the driver's own and leave the coordinate alone.
//
// Most of this depends on the record alone, and a compiler that sees several lookups with one record does it once: what is left
// for each coordinate is a mask, a maximum and a minimum. Modes that move nothing have bounds that nothing reaches.
vec3 wrap_moved(const in vec3 s, const in vec3 unit, const in vec3 half_texel, const in uvec3 wraps)
{
    const bvec3 moves = greaterThanEqual(wraps, uvec3(RECORD_WRAP_MIRROR_CLAMP_TO_EDGE));
    const vec3 near_bound = mix(mix(vec3(-3.0e38), vec3(0.0), moves), half_texel * 1.000001,
                                greaterThanEqual(wraps, uvec3(RECORD_WRAP_MIRROR_CLAMP)));
    const vec3 edge = PLANTED(FAULT_BOUND_HALF_TEXEL, unit - half_texel, unit);
    // CLAMP and MIRROR_CLAMP are neighbours.
    const vec3 far_bound = mix(vec3(3.0e38), edge, lessThan(wraps - RECORD_WRAP_CLAMP, uvec3(2u)));
    // The absolute value, for mirrors.
    const uvec3 sign_kept = mix(mix(uvec3(0xffffffffu), uvec3(0x7fffffffu), moves), uvec3(0xffffffffu),
                                equal(wraps, uvec3(RECORD_WRAP_CLAMP)));
    const uvec3 bits = PLANTED(FAULT_NO_ABS, uvec3(0xffffffffu), sign_kept);
    return min(far_bound, max(near_bound, uintBitsToFloat(floatBitsToUint(s) & bits)));
}

// The moved coordinate; the given one if the record moves nothing. Only the first `axes` components are looked at by callers.
// The bounds are level 0's. Whatever tier 1 has to get right is right with those at every level: nearest filters do not see
// the near bound, and a linear one is left to tier 1 only where it samples level 0 alone.
vec3 move_coordinate(const in vec3 s, const in uvec4 record)
{
    const vec3 size = vec3(record_size(record, 0));
    const bool texels = record_texels(record);
    const vec3 unit = mix(vec3(1.0), size, bvec3(texels));
    const vec3 half_texel = mix(vec3(0.5) / size, vec3(0.5), bvec3(texels));
    // Without RECORD_COORDS no mode moves anything: all read as 0, REPEAT.
    const uvec4 moving = uvec4(record_has(record, RECORD_COORDS) ? record.x : 0u, record.y, record.z, record.w);
    return wrap_moved(s, unit, half_texel, record_wraps(moving));
}

// A coordinate or gradient of a rectangle texture as the driver's normalised sampler wants it; any other as it is.
vec3 driver_coordinate(const in vec3 s, const in uvec4 record)
{
    // Half a texel is wanted anyway where coordinates move: no division of its own.
    const vec3 texel = vec3(0.5) / vec3(record_size(record, 0)) * 2.0;
    return s * mix(vec3(1.0), texel, bvec3(record_has(record, RECORD_RECTANGLE)));
}

// The record for a coordinate that driver_coordinate has made normalised.
uvec4 record_normalized(const in uvec4 record)
{
    return uvec4(record.x & ~RECORD_RECTANGLE, record.y, record.z, record.w);
}

// GL wraps after it has added the texel offset: the offset becomes part of the coordinate.
vec3 fold_offset(const in vec3 s, const in ivec3 offset, const in uvec4 record, const in int level)
{
    return s + vec3(offset) / mix(vec3(record_size(record, level)), vec3(1.0), bvec3(record_texels(record)));
}

// Did the coordinate move along one of the image's axes?
bool coordinate_moved(const in vec3 moved, const in vec3 s, const in int axes)
{
    return any(notEqual(mix(s, moved, lessThan(ivec3(0, 1, 2), ivec3(axes))), s));
}

// Must the driver look up again? Not only where the coordinate moved: for rectangles and biases the lookup itself is another.
bool lookup_differs(const in vec3 moved, const in vec3 s, const in uvec4 record, const in int axes)
{
    return coordinate_moved(moved, s, axes) || record_has(record, RECORD_RECTANGLE | RECORD_BIAS);
}

// Can the record move this coordinate? Never false where it does. This is what lookups inside the texture pay, so it
// leaves out all that hangs on the size: texel coordinates and the near bounds of mirrors are taken to move. What is rare
// is folded into one mask.
bool coordinate_may_move(const in vec3 s, const in uvec4 record)
{
    // MIRROR_CLAMP and MIRROR_CLAMP_TO_BORDER are the modes with both upper bits.
    const uint mirrors = (record.x >> 1) & (record.x >> 2) &
                         (1u << RECORD_WRAP_S_SHIFT | 1u << RECORD_WRAP_T_SHIFT | 1u << RECORD_WRAP_R_SHIFT);
    const bool outside = any(notEqual(clamp(s, vec3(0.0), vec3(1.0)), s));
    return record_moves(record) && (outside || (mirrors | (record.x & (RECORD_UNNORMALIZED | RECORD_RECTANGLE))) != 0u);
}

// The same where the driver's limit is lower than GL's: a bias beyond it needs another lookup wherever the coordinate is. RECORD_BIAS
// alone does not: it may be there for the sake of lookups with a bias of their own.
bool coordinate_may_move_beyond(const in vec3 s, const in uvec4 record, const in float limit)
{
    return coordinate_may_move(s, record) || (record_moves(record) && abs(record_bias(record)) > limit);
}

// The same for lookups with a bias of their own, where the driver's limit is lower than GL's.
bool coordinate_or_bias_may_move(const in vec3 s, const in uvec4 record)
{
    return record_has(record, RECORD_BIAS) || coordinate_may_move(s, record);
}

bool bias_or_coordinate_moves(const in uvec4 record)
{
    return record_has(record, RECORD_COORDS | RECORD_RECTANGLE | RECORD_BIAS);
}

// The level that an explicit LOD samples: exact for a single level and for a nearest mip mode; between two levels the
// nearer one.
int sampled_level(const in float lod, const in uvec4 record)
{
    const vec2 range = record_lod_range(record);
    const float clamped = clamp(lod + record_bias(record), range.x, max(range.x, range.y));
    const int nearest = clamp(int(ceil(clamp(clamped, 0.0, 31.0) + 0.5)) - 1, 0, record_levels(record) - 1);
    return record_has(record, RECORD_MIP_NEAREST | RECORD_MIP_LINEAR) ? nearest : 0;
}

// GL bounds the sum of all biases; maxTextureLodBias of the extension's properties.
const float MOST_BIAS = 16.0;

// What a level of detail that is given, or computed from given gradients, lacks of the lookup's bias: the driver adds the
// sampler's own, cut to its limit.
float bias_rest(const in float bias, const in float limit, const in uvec4 record)
{
    const float sampler_bias = record_bias(record);
    const float all_biases = clamp(bias + sampler_bias, -MOST_BIAS, MOST_BIAS);
    return record_has(record, RECORD_BIAS) ? all_biases - clamp(sampler_bias, -limit, limit) : bias;
}

// A bias becomes a scale of the gradients, so that anisotropy and the sampler's own bias stay as they are.
vec3 scale_gradient(const in vec3 gradient, const in float bias)
{
    return gradient * exp2(bias);
}

// The value to compare with: clamped for fixed-point depth (8.23.1).
float clamp_reference(const in float reference, const in uvec4 record)
{
    return record_has(record, RECORD_DEPTH_FIXED) ? clamp(reference, 0.0, 1.0) : reference;
}

#endif
