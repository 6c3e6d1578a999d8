/* SPDX-License-Identifier: MIT */
// Tier 1: the coordinate that the driver's sampler has to be given so that GL's wrap mode comes out.
// OpenGL 4.6 compatibility, table 8.20; EXT_texture_mirror_clamp.

#ifndef COORDS_GLSL
#define COORDS_GLSL

#include "record.glsl"

//   CLAMP                   clamp(s, 0, 1)
//   MIRROR_CLAMP            min(1, max(half a texel, abs(s)))
//   MIRROR_CLAMP_TO_EDGE    abs(s), where the driver lacks it (gathers: tier 2)
//   MIRROR_CLAMP_TO_BORDER  max(half a texel, abs(s))
// The last two have bounds that CLAMP_TO_EDGE and CLAMP_TO_BORDER below set anyway, at every level by its own size. The
// near bound is a hair more than half a texel: exactly there a footprint begins, and a division that comes out too
// small would put the border into a gather. The other modes are the driver's own and leave the coordinate alone.
//
// The record has all of that as bounds: of the first two axes (near, near, far, far), and of a third one, kept so that
// zero means that nothing reaches them (record_near and record_far in layer/base/record/record.h). They are level 0's.
// Whatever tier 1 has to get right is right with those at every level: nearest filters do not see the near bound, and a
// linear one is left to tier 1 only where it samples level 0 alone.
const uvec4 NO_BOUNDS = uvec4(RECORD_NO_NEAR, RECORD_NO_NEAR, RECORD_NO_FAR, RECORD_NO_FAR);

uvec4 record_bounds(const in uvec4 kept)
{
    return kept ^ NO_BOUNDS;
}

uvec2 record_third(const in uvec4 rest)
{
    return uvec2(rest.x ^ RECORD_NO_NEAR, rest.y ^ RECORD_NO_FAR);
}

// What the coordinates and gradients of a rectangle texture are multiplied with for the driver's normalised sampler; 1
// for all others.
vec2 record_scale(const in uvec4 rest)
{
    return uintBitsToFloat(uvec2(rest.x ^ RECORD_NO_SCALE, rest.y ^ RECORD_NO_SCALE));
}

// The record for a coordinate that has been multiplied with it.
uvec4 record_normalized(const in uvec4 record)
{
    return uvec4(record.x & ~RECORD_RECTANGLE, record.y, record.z, record.w);
}

// The bounds of a separate image and sampler, kept as those of combined records. The sampler's near bounds are in
// texels and its far ones in edges; the image has 1 / size and size. The sign of a near bound says something (see
// below), and zeros may lose theirs in a product.
uint pair_near(const in uint kept, const in float factor)
{
    const uint near = kept ^ RECORD_NO_NEAR;
    return (floatBitsToUint(uintBitsToFloat(near) * factor) | (near & 0x80000000u)) ^ RECORD_NO_NEAR;
}

uint pair_far(const in uint kept, const in float factor)
{
    return floatBitsToUint(uintBitsToFloat(kept ^ RECORD_NO_FAR) * factor) ^ RECORD_NO_FAR;
}

uvec4 pair_bounds(const in uvec4 record, const in uvec4 of_image, const in uvec4 of_sampler)
{
    const bool texels = record_has(record, RECORD_UNNORMALIZED);
    const vec4 image = uintBitsToFloat(of_image);
    const uvec4 bounds =
        uvec4(pair_near(of_sampler.x, mix(image.x, 1.0, texels)), pair_near(of_sampler.y, mix(image.y, 1.0, texels)),
              pair_far(of_sampler.z, mix(1.0, image.z, texels)), pair_far(of_sampler.w, mix(1.0, image.w, texels)));
    return mix(uvec4(0u), bounds, bvec4(record_has(record, RECORD_COORDS)));
}

uvec4 pair_rest(const in uvec4 record, const in uvec4 image_bounds, const in uvec4 of_image, const in uvec4 of_sampler,
                const in bool volume)
{
    const bool moves = record_has(record, RECORD_COORDS);
    const uint near = mix(0u, pair_near(of_sampler.x, uintBitsToFloat(of_image.x)), moves);
    const uint far = mix(0u, of_sampler.y, moves);
    const bool rectangle = (record.x & (RECORD_RECTANGLE | RECORD_UNNORMALIZED)) == RECORD_RECTANGLE;
    const uvec2 scale =
        mix(uvec2(0u), uvec2(image_bounds.x, image_bounds.y) ^ uvec2(RECORD_NO_SCALE), bvec2(rectangle));
    return uvec4(mix(scale.x, near, volume), mix(scale.y, far, volume), of_sampler.z, of_image.w | of_sampler.w);
}

// The coordinate within its bounds. A near bound without a sign bit takes the absolute value.
uint bound_mask(const in uint near)
{
    return near | 0x7fffffffu;
}

float bounded_1(const in float s, const in uvec4 bounds)
{
    return min(uintBitsToFloat(bounds.z),
               max(uintBitsToFloat(bounds.x), uintBitsToFloat(floatBitsToUint(s) & bound_mask(bounds.x))));
}

vec2 bounded_2(const in vec2 s, const in uvec4 bounds)
{
    const uvec2 mask = uvec2(bound_mask(bounds.x), bound_mask(bounds.y));
    return min(uintBitsToFloat(uvec2(bounds.z, bounds.w)),
               max(uintBitsToFloat(uvec2(bounds.x, bounds.y)), uintBitsToFloat(floatBitsToUint(s) & mask)));
}

vec3 bounded_3(const in vec3 s, const in uvec4 bounds, const in uvec2 third)
{
    const uvec3 mask = uvec3(bound_mask(bounds.x), bound_mask(bounds.y), bound_mask(third.x));
    return min(uintBitsToFloat(uvec3(bounds.z, bounds.w, third.y)),
               max(uintBitsToFloat(uvec3(bounds.x, bounds.y, third.x)), uintBitsToFloat(floatBitsToUint(s) & mask)));
}

// The same where the record has no bounds but CLAMP's, as the set's mask words say, axis by axis: `bit` is the
// descriptor's (struct record_masks in layer/base/record/record.h).
bool masks_saturate_1(const in uvec4 masks, const in uint bit)
{
    return (masks.x & bit) != 0u;
}

bvec2 masks_saturate_2(const in uvec4 masks, const in uint bit)
{
    return notEqual(uvec2(masks.x, masks.y) & uvec2(bit), uvec2(0u));
}

bvec3 masks_saturate_3(const in uvec4 masks, const in uint bit)
{
    return notEqual(uvec3(masks.x, masks.y, masks.z) & uvec3(bit), uvec3(0u));
}

float saturated_1(const in float s, const in bool saturates)
{
    return mix(s, clamp(s, 0.0, 1.0), saturates);
}

vec2 saturated_2(const in vec2 s, const in bvec2 saturates)
{
    return mix(s, clamp(s, vec2(0.0), vec2(1.0)), saturates);
}

vec3 saturated_3(const in vec3 s, const in bvec3 saturates)
{
    return mix(s, clamp(s, vec3(0.0), vec3(1.0)), saturates);
}

// Is that another coordinate? This is what lookups inside the texture pay. What the mirrors reflect is beyond their
// near bound.
bool moves_1(const in float s, const in uvec4 bounds)
{
    return clamp(s, uintBitsToFloat(bounds.x), uintBitsToFloat(bounds.z)) != s;
}

bool moves_2(const in vec2 s, const in uvec4 bounds)
{
    return any(
        notEqual(clamp(s, uintBitsToFloat(uvec2(bounds.x, bounds.y)), uintBitsToFloat(uvec2(bounds.z, bounds.w))), s));
}

bool moves_3(const in vec3 s, const in uvec4 bounds, const in uvec2 third)
{
    return any(notEqual(clamp(s, uintBitsToFloat(uvec3(bounds.x, bounds.y, third.x)),
                              uintBitsToFloat(uvec3(bounds.z, bounds.w, third.y))),
                        s));
}

// Is a lookup at a moved coordinate certain to be magnified, with the gradients of the coordinate as it was and with
// its own? Those are no greater, because bounds and absolute values bring coordinates nearer to each other. The
// derivatives are those of half the coordinate as it was.
bool magnifies(const in vec2 dx, const in vec2 dy, const in uint more)
{
    return max(abs(dx.x) + abs(dx.y), abs(dy.x) + abs(dy.y)) < uintBitsToFloat(more);
}

// Where the driver's limit is lower than GL's: a bias beyond it needs another lookup whatever the coordinate.
bool rest_always(const in uvec4 rest)
{
    return (rest.w & RECORD_MORE_ALWAYS) != 0u;
}

// A shader's least level of detail where there are no mipmaps: it may tell magnified from minified, and chooses no
// level.
float least_lod(const in float least, const in uint more)
{
    return mix(least, min(least, 0.25), (more & RECORD_MORE_BASE_LEVEL) != 0u);
}

// GL wraps after it has added the texel offset: the offset becomes part of the coordinate.
vec3 fold_offset(const in vec3 s, const in ivec3 offset, const in uvec4 record, const in int level)
{
    return s + vec3(offset) / mix(vec3(record_size(record, level)), vec3(1.0), bvec3(record_texels(record)));
}

// The other way round: what the offset takes to `place`, where a record moved `sum`, which is s with the offset, there.
// Where it moved nothing, s as it was.
vec3 unfold_offset(const in vec3 s, const in vec3 sum, const in vec3 place, const in ivec3 offset,
                   const in uvec4 record, const in int level)
{
    const bvec3 moves = bvec3(record_moves(record));
    const bvec3 differs = notEqual(place, sum);
    return mix(s, fold_offset(place, -offset, record, level),
               bvec3(moves.x && differs.x, moves.y && differs.y, moves.z && differs.z));
}

// Does a lookup with a bias of its own need another one for its sake, or may it be moved?
bool bias_or_coordinate_moves(const in uvec4 record)
{
    return record_has(record, RECORD_COORDS | RECORD_RECTANGLE | RECORD_BIAS);
}

// The level that an explicit LOD samples: exact for a single level and for a nearest mip mode; between two levels the
// nearer one. `biases` are all of them.
int sampled_level(const in float lod, const in float biases, const in uvec4 record)
{
    const vec2 range = record_lod_range(record);
    const float clamped = clamp(lod + biases, range.x, max(range.x, range.y));
    const int nearest = clamp(int(ceil(clamp(clamped, 0.0, 31.0) + 0.5)) - 1, 0, record_last_level(record));
    return record_has(record, RECORD_MIP_NEAREST | RECORD_MIP_LINEAR) ? nearest : 0;
}

// What the driver's sampler has of a bias, where the layer's own have less than the program's.
float bias_limit(const in float limit, const in float own, const in uvec4 record)
{
    return mix(own, limit, record_has(record, RECORD_BIAS));
}

// The sum of all biases is what is bounded, `bias` being the lookup's own: in GL by `most`, which is maxTextureLodBias
// of the extension's properties, in Vulkan by the driver's limit. Without RECORD_BIAS the two are one, or the state is
// Vulkan's own.
float all_biases(const in float bias, const in float limit, const in float most, const in uvec4 record)
{
    const float bound = mix(limit, most, record_has(record, RECORD_BIAS));
    return clamp(bias + record_bias(record), -bound, bound);
}

// The bias that the driver's sampler adds: the sampler's own, cut to the driver's limit.
float driver_bias(const in uvec4 record, const in float limit)
{
    return clamp(record_bias(record), -limit, limit);
}

// The part of all biases that a level of detail lacks which is given, or computed from given gradients.
float bias_rest(const in float bias, const in float limit, const in float most, const in uvec4 record)
{
    return all_biases(bias, limit, most, record) - driver_bias(record, limit);
}

bool least_joined(const in uvec4 rest)
{
    return (rest.w & RECORD_MORE_COMBINED_LEAST) != 0u;
}

// The least level of detail of the view (VkImageViewMinLodCreateInfoEXT), which bounds the level that is sampled.
// `rest` is the fourth quarter of the image's record, or of that of both together.
float least_of_view(const in uvec4 record, const in uvec4 rest)
{
    const float apart = mix(0.0, uintBitsToFloat(rest.z), (rest.w & RECORD_MORE_VIEW_LEAST) != 0u);
    return mix(apart, record_lod_range(record).x, least_joined(rest));
}

// What textureQueryLod gives: the level that is sampled, or a place between two, and the level of detail as it was
// before it was clamped (OpenGL 4.6, 8.14.1 and 8.15). The driver's sampler behind the program's may have no bias, no
// range and no mode between levels: `queried` is what it says. `alone`: the sampler is a descriptor of its own, which
// only lacks biases, and is nearest where the image is not filtered, but for comparisons and what the driver reduces.
// Samplers that cubes are tapped through have no bias, nor have common ones, which have nothing of the state. `rest`
// and `of_sampler` are the records' fourth quarters.
// `shown`: the driver's level is another one in any case.
vec2 corrected_levels(const in vec2 queried, const in float limit, const in float most, const in uvec4 record,
                      const in uvec4 rest, const in uvec4 of_sampler, const in bool alone, const in bool cube,
                      const in bool integer, const in bool shown)
{
    const bool filters = record_has(record, RECORD_FILTER);
    const bool together = !alone;
    const bool tapped = cube && filters && together;
    const bool among_many = record_has(record, RECORD_FILTER_IF_MIPS) && filters;
    const bool bare = tapped || among_many;
    const float held = mix(driver_bias(record, limit), 0.0, bare);
    const float lambda = queried.y + (all_biases(0.0, limit, most, record) - held);
    const vec2 range = record_lod_range(record);
    const bool mipmapped = record_has(record, RECORD_MIP_NEAREST | RECORD_MIP_LINEAR);
    const float last = float(mix(0, record_last_level(record), mipmapped));
    const float bounded = clamp(clamp(lambda, range.x, max(range.x, range.y)), 0.0, last);
    const float level = max(bounded, min(least_of_view(record, rest), float(record_last_level(record))));
    const bool unfiltered = record_pair_has(record, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST);
    const bool uncompared = pair_compares_nothing(rest, of_sampler) && alone;
    const bool compares = (record.x & (RECORD_COMPARE_MASK << RECORD_COMPARE_SHIFT)) != 0u && !uncompared;
    const bool averages = !compares && !pair_reduces_below(rest, of_sampler);
    const bool reduces = image_reduces_as_offered(rest) && record_reduction(of_sampler) != 0u;
    const bool averages_alone = averages && !reduces;
    const bool falls_back = (averages_alone || integer) && alone;
    const bool nearest = unfiltered && falls_back;
    const bool blends = !integer && !nearest;
    const bool blended = record_has(record, RECORD_MIP_LINEAR) && blends;
    const float seen = mix(ceil(level - 0.5), level, blended);
    const bool magnifies_linear = record_has(record, RECORD_MAG_LINEAR);
    const bool mixed = record_has(record, RECORD_MIN_LINEAR) != magnifies_linear;
    const bool rounds = mixed && filters; // the driver's sampler blends no levels
    const bool lacks = record_has(record, mix(~0u, RECORD_BIAS, alone)) || rounds;
    const bool lacks_any = lacks || among_many;
    const bool acts = lacks_any || nearest;
    return mix(queried, vec2(seen, lambda), bvec2(acts || shown));
}

vec2 queried_levels(const in vec2 queried, const in float limit, const in float most, const in uvec4 record,
                    const in uvec4 rest, const in uvec4 of_sampler, const in bool alone, const in bool cube,
                    const in bool integer)
{
    return corrected_levels(queried, limit, most, record, rest, of_sampler, alone, cube, integer, false);
}

// A bias becomes a scale of the gradients, so that anisotropy and the sampler's own bias stay as they are.
float gradient_scale(const in float bias)
{
    return exp2(bias);
}

// The value to compare with: clamped for fixed-point depth (8.23.1).
float clamp_reference(const in float reference, const in uvec4 record)
{
    return mix(reference, clamp(reference, 0.0, 1.0), record_has(record, RECORD_DEPTH_FIXED));
}

// What a separate image's view makes of a comparison: drivers differ in whether its swizzle counts. `image` is the
// image's fourth quarter.
vec4 gathered_seen(const in vec4 results, const in uvec4 image)
{
    const uint shown = image.w & RECORD_MORE_COMPARED_FAIL;
    const vec4 or_zero = mix(results, vec4(0.0), bvec4(shown == RECORD_MORE_COMPARED_ZERO));
    const vec4 or_one = mix(or_zero, vec4(1.0), bvec4(shown == RECORD_MORE_COMPARED_ONE));
    const vec4 or_fail = mix(vec4(uintBitsToFloat(image.y)), vec4(1.0), results);
    return mix(or_one, or_fail, bvec4(shown == RECORD_MORE_COMPARED_FAIL));
}

float compared_seen(const in float result, const in uvec4 image)
{
    return gathered_seen(vec4(result), image).x;
}

// The result of a comparison by a combined record, whose second quarter has in `border` what those give that fail
// (ARB_shadow_ambient). Samplers that compare nothing have another channel of the border there.
vec4 gathered_or_fail(const in vec4 results, const in uvec4 record, const in uvec4 border)
{
    const bool compares = (record.x & (RECORD_COMPARE_MASK << RECORD_COMPARE_SHIFT)) != 0u;
    const float fail = mix(0.0, uintBitsToFloat(border.y), compares);
    return mix(vec4(fail), vec4(1.0), results);
}

float compared_or_fail(const in float result, const in uvec4 record, const in uvec4 border)
{
    return gathered_or_fail(vec4(result), record, border).x;
}

#endif
