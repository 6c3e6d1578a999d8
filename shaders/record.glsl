/* SPDX-License-Identifier: MIT */
// The record (layer/base/record/record.h) as shaders see it: four uvec4.
//
// Everything here and in coords.glsl and filter.glsl is linked into programs' shaders by the rewriter. Parameters are
// `const in` and locals are written once, so that the linked code needs no variables. Compilers take long for branches:
// what stands behind &&, || and ?: has a name of its own, or is chosen by mix(), so that it is no branch in SPIR-V.
// Coordinates, offsets and sizes are always padded to three axes.

#ifndef RECORD_GLSL
#define RECORD_GLSL

#include "../layer/base/record/layout.h"

bool record_has(const in uvec4 record, const in uint bits)
{
    return (record.x & bits) != 0u;
}

// Bits of all axes' wrap modes.
const uvec3 WRAPS_MIRROR = uvec3(RECORD_WRAP_MIRROR << RECORD_WRAP_S_SHIFT, RECORD_WRAP_MIRROR << RECORD_WRAP_T_SHIFT,
                                 RECORD_WRAP_MIRROR << RECORD_WRAP_R_SHIFT);
const uvec3 WRAPS_BORDER = uvec3(RECORD_WRAP_BORDER << RECORD_WRAP_S_SHIFT, RECORD_WRAP_BORDER << RECORD_WRAP_T_SHIFT,
                                 RECORD_WRAP_BORDER << RECORD_WRAP_R_SHIFT);
const uvec3 WRAPS_KIND = uvec3(RECORD_WRAP_KIND << RECORD_WRAP_S_SHIFT, RECORD_WRAP_KIND << RECORD_WRAP_T_SHIFT,
                               RECORD_WRAP_KIND << RECORD_WRAP_R_SHIFT);

bvec3 wraps_have(const in uvec4 record, const in uvec3 bits)
{
    return notEqual(record.xxx & bits, uvec3(0u));
}

// Are they REPEAT or MIRRORED_REPEAT; CLAMP or MIRROR_CLAMP?
bvec3 wraps_repeat(const in uvec4 record)
{
    return equal(record.xxx & WRAPS_KIND, uvec3(0u));
}

bvec3 wraps_clamp(const in uvec4 record)
{
    return equal(record.xxx & WRAPS_KIND, WRAPS_KIND);
}

// Modes that no driver lacks, and that leave its coordinate alone: REPEAT, MIRRORED_REPEAT and CLAMP_TO_EDGE.
bvec3 wraps_are_plain(const in uvec4 record)
{
    const uvec3 wraps =
        uvec3(record.x >> RECORD_WRAP_S_SHIFT, record.x >> RECORD_WRAP_T_SHIFT, record.x >> RECORD_WRAP_R_SHIFT) &
        RECORD_WRAP_MASK;
    return lessThanEqual(wraps, uvec3(RECORD_WRAP_CLAMP_TO_EDGE));
}

// Texels of level 0.
uvec3 record_base_size(const in uvec4 record)
{
    return uvec3(record.y & RECORD_WIDTH_MASK, record.y >> RECORD_HEIGHT_SHIFT, record.z & RECORD_DEPTH_MASK);
}

// Texels of a level; an array's layers come out in the third place for level 0.
ivec3 record_size(const in uvec4 record, const in int level)
{
    return max(ivec3(record_base_size(record) >> uint(level)), ivec3(1));
}

// The view's last mip level.
int record_last_level(const in uvec4 record)
{
    return max(int((record.x >> RECORD_LEVELS_SHIFT) & RECORD_LEVELS_MASK) - 1, 0);
}

// The sampler's own LOD bias, in levels.
float record_bias(const in uvec4 record)
{
    return float(int(record.z) >> RECORD_BIAS_SHIFT) * RECORD_STEP;
}

// The sampler's minimum and maximum LOD.
vec2 record_lod_range(const in uvec4 record)
{
    return vec2(float((record.w >> RECORD_MIN_LOD_SHIFT) & RECORD_LOD_MASK),
                float((record.w >> RECORD_MAX_LOD_SHIFT) & RECORD_LOD_MASK)) *
           RECORD_STEP;
}

// Does tier 1 act on this record?
bool record_moves(const in uvec4 record)
{
    return record_has(record, RECORD_COORDS | RECORD_RECTANGLE);
}

// Are coordinates texels, for GL or for the driver?
bool record_texels(const in uvec4 record)
{
    return record_has(record, RECORD_UNNORMALIZED | RECORD_RECTANGLE);
}

// Does tier 2 filter a lookup with this record in the shader? `conditions` has the bits that are true of the lookup:
// RECORD_FILTER_IF_OFFSET if it has texel offsets, RECORD_FILTER_IF_GATHER if it gathers. Whoever made the record knew
// the levels.
bool record_filters(const in uvec4 record, const in uint conditions)
{
    return record_has(record, RECORD_FILTER | (conditions & (RECORD_FILTER_IF_OFFSET | RECORD_FILTER_IF_GATHER)));
}

// Does tier 2 do anything for this record? RECORD_BIAS counts among the conditions of lookups that tier 1 corrects for
// it.
bool record_acts(const in uvec4 record, const in uint conditions)
{
    return record_has(record, RECORD_COORDS | RECORD_RECTANGLE | RECORD_FILTER |
                                  (conditions & (RECORD_BIAS | RECORD_FILTER_IF_OFFSET | RECORD_FILTER_IF_GATHER)));
}

bool record_pair_has(const in uvec4 record, const in uint bits)
{
    return (record.w & bits) == bits;
}

// The sampler's reduction mode as a VkSamplerReductionMode, from the record's fourth quarter.
uint record_reduction(const in uvec4 rest)
{
    const uint mode = (rest.w >> RECORD_MORE_REDUCTION_SHIFT) & RECORD_MORE_REDUCTION_MASK;
    const uint of_cubic = (rest.w >> RECORD_MORE_CUBIC_REDUCTION_SHIFT) & RECORD_MORE_CUBIC_REDUCTION_MASK;
    return mix(mode, of_cubic, mode == RECORD_MORE_REDUCTION_CUBIC);
}

// Is one of these filters of the sampler cubic, RECORD_MORE_CUBIC_*?
bool record_is_cubic(const in uvec4 rest, const in uint filters)
{
    const bool cubic =
        ((rest.w >> RECORD_MORE_REDUCTION_SHIFT) & RECORD_MORE_REDUCTION_MASK) == RECORD_MORE_REDUCTION_CUBIC;
    return (rest.w & filters) != 0u && cubic;
}

// Some bit of them: there is more than one level.
const uint LEVELS_BEYOND_ONE = (RECORD_LEVELS_MASK - 1u) << RECORD_LEVELS_SHIFT;

// Does the layer offer minima and maxima of this image, which the driver lacks? Of the fourth quarter.
bool image_reduces_as_offered(const in uvec4 image)
{
    const uint offered = RECORD_MORE_NO_MINMAX | RECORD_MORE_REDUCES_FOR_GL;
    return (image.w & offered) == offered;
}

// Does the driver take a minimum or maximum of this pair? Formats need no linear filters for that. Of the fourth
// quarters.
bool pair_reduces_below(const in uvec4 image, const in uvec4 sampler_)
{
    const bool either = (image.w & sampler_.w & (RECORD_MORE_REDUCES_FOR_GL | RECORD_MORE_REDUCES_FOR_VULKAN)) != 0u;
    const bool below = !image_reduces_as_offered(image);
    return either && below;
}

// Does a GL sampler that compares meet an image that is no depth? Of the fourth quarters.
bool pair_compares_nothing(const in uvec4 image, const in uvec4 sampler_)
{
    return (image.w & sampler_.w & RECORD_MORE_NOT_COMPARED) != 0u;
}

// The record of a separate sampler and image, ORed, as the layer would have made it had it known that they meet. Their
// fourth quarters come apart.
uvec4 record_of_pair(const in uvec4 record, const in uvec4 image, const in uvec4 sampler_, const in bool compared,
                     const in bool cube, const in bool gather)
{
    const bool linear = record_has(record, RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR);
    const bool uncompared = pair_compares_nothing(image, sampler_);
    const bool texels = !compared || uncompared;
    const bool blends = linear && texels;
    const bool averages = !pair_reduces_below(image, sampler_);
    const bool averages_linear = linear && averages;
    const bool unfilterable = record_pair_has(record, RECORD_PAIR_UNFILTERABLE) && blends && averages;
    const bool incomplete = record_pair_has(record, RECORD_PAIR_INCOMPLETE) && averages_linear;
    const bool footprint = record_has(record, RECORD_MAG_LINEAR | RECORD_MIN_LINEAR) || gather;
    const bool faces = record_pair_has(record, RECORD_PAIR_NON_SEAMLESS) && cube && footprint;
    const bool no_reduction = (image.w & RECORD_MORE_NO_MINMAX) == 0u || gather;
    const bool reduces = record_reduction(sampler_) != 0u && blends;
    const bool reduced = !no_reduction && reduces && averages;
    const bool bordered = record_pair_has(record, RECORD_PAIR_BORDER | RECORD_PAIR_BORDER_OTHER);
    const bool encoded = record_pair_has(record, RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB);
    const bool levels = record_has(record, LEVELS_BEYOND_ONE);
    const bool by_levels = record_has(record, RECORD_FILTER_IF_MIPS) && levels;
    const bool elsewhere = (image.w & (RECORD_MORE_DEPTH_IN_MASK << RECORD_MORE_DEPTH_IN_SHIFT)) != 0u && compared;
    // Bounds and offsets of tier 1 are level 0's, and that is not what is sampled.
    const bool has_axes = !cube;
    const bool moves = record_has(record, RECORD_COORDS) && has_axes;
    const bool below = (image.w & RECORD_MORE_VIEW_LEAST) != 0u && moves;
    const bool filters = unfilterable || incomplete || faces || reduced || bordered || encoded || by_levels ||
                         elsewhere || below || uncompared;
    const bool offered = image_reduces_as_offered(image) && reduces;
    const bool falls_back = unfilterable && !offered;
    const bool nearest = record_pair_has(record, RECORD_PAIR_TO_NEAREST) && falls_back;
    const bool nearest_level = record_has(record, RECORD_MIP_LINEAR) && nearest;
    const uint without = mix(0u, RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR, nearest) |
                         mix(RECORD_FILTER_IF_OFFSET, 0u, levels) |
                         mix(0u, RECORD_COMPARE_MASK << RECORD_COMPARE_SHIFT, uncompared);
    const uint with = mix(0u, RECORD_MIP_NEAREST, nearest_level) | mix(0u, RECORD_FILTER, filters);
    const uint alone = mix(0u, RECORD_PAIR_NON_SEAMLESS, (sampler_.w & RECORD_MORE_FACES_ALONE) != 0u && cube);
    return uvec4((record.x & ~without) | with, record.y, record.z,
                 (record.w & mix(~RECORD_PAIR_INCOMPLETE, ~0u, incomplete)) | alone);
}

// The same where nothing but nearest filters is filtered in the shader: of images that have no linear ones, and
// integers.
uvec4 record_of_nearest_pair(const in uvec4 record, const in uvec4 image, const in uvec4 sampler_)
{
    const uint linear_bits = RECORD_MAG_LINEAR | RECORD_MIN_LINEAR | RECORD_MIP_LINEAR;
    const uint filters_bits = RECORD_FILTER | RECORD_FILTER_IF_MIPS | RECORD_FILTER_IF_OFFSET | RECORD_FILTER_IF_GATHER;
    const bool averages = !pair_reduces_below(image, sampler_);
    const bool linear = record_has(record, linear_bits) && averages;
    const bool nearest = record_pair_has(record, RECORD_PAIR_UNFILTERABLE | RECORD_PAIR_TO_NEAREST) && linear;
    const bool incomplete = record_pair_has(record, RECORD_PAIR_INCOMPLETE) && linear;
    const bool filters = nearest || incomplete;
    const bool nearest_level = record_has(record, RECORD_MIP_LINEAR) && nearest;
    const uint without = filters_bits | mix(0u, linear_bits, nearest);
    const uint with = mix(0u, RECORD_MIP_NEAREST, nearest_level) | mix(0u, RECORD_FILTER, filters);
    return uvec4((record.x & ~without) | with, record.y, record.z,
                 record.w & mix(~RECORD_PAIR_INCOMPLETE, ~0u, incomplete));
}

#endif
