/* SPDX-License-Identifier: MIT */
// Tier 2: filtering in the shader, texel by texel. OpenGL 4.6 compatibility, sections 8.14.1 to 8.15 and 8.23.
//
// The rewriter puts a loop with one image fetch in place of the lookup:
//
//     plan = filter_plan...(...);
//     i = 0;
//     for (left = filter_left(plan, axes); left != 0; left >>= 1) {
//         tap = filter_tap(s, offset, has_offset, plan, record, axes, i);
//         sum = filter_add(sum, imageFetch(tap.texel, tap.level), border, tap, ...);
//         i += filter_step(plan, axes);
//     }
//
// or one loop in another, over levels (filter_levels_left) and corners (filter_corners_left).

#ifndef FILTER_GLSL
#define FILTER_GLSL

#include "coords.glsl"
#include "cubic.glsl"

// One texel of the footprint. A texel outside the image has `border` set and a texel position that is safe to fetch.
struct Tap {
    ivec3 texel;
    int level;
    float weight;
    bool border;
};

// Shares of texels and of levels have 8 bits, as those of GPUs do (subTexelPrecisionBits). Products of three are exact
// then, so that the weights of a footprint are 1 together: texels that are all 1, or all -1, come to just that.
vec3 filter_shares(const in vec3 fraction)
{
    return roundEven(fraction * 256.0) * 0.00390625;
}

// The square of the longer of the two gradients, in texels.
float filter_rate(const in vec3 dx, const in vec3 dy, const in uvec4 record, const in int axes)
{
    const vec3 scale = mix(vec3(record_base_size(record)), vec3(1.0), bvec3(record_texels(record)));
    const vec3 x = dx * scale;
    const vec3 y = dy * scale;
    const vec3 xx = x * x;
    const vec3 yy = y * y;
    const bool second = axes > 1;
    const bool third = axes > 2;
    const float flat_x = mix(xx.x, xx.x + xx.y, second);
    const float flat_y = mix(yy.x, yy.x + yy.y, second);
    const float all_x = mix(flat_x, flat_x + xx.z, third);
    const float all_y = mix(flat_y, flat_y + yy.z, third);
    return max(all_x, all_y);
}

// Anisotropy: a footprint that is longer than wide is covered by several probes, each as wide as the footprint
// (EXT_texture_filter_anisotropic). `along` is its longer axis, in units of the coordinate.
//
// A cubic filter is made of the same loop: its footprint of four texels along each axis is one of two such blocks as a
// linear one has, and each probe is a block at its own place.
struct Probes {
    vec3 along;
    int count;
    bool cubic;
};

// A plan's filter: nearest, linear, cubic; of a block of a cubic filter PLAN_BLOCK, its number, and PLAN_WEIGHTS for
// each kind of weights before the filter's. A filter that has but one block, where others of the sampler are cubic, has
// none but its first.
const float PLAN_CUBIC = 2.0;
const float PLAN_BLOCK = 3.0;
const float PLAN_WEIGHTS = 8.0;
const float PLAN_NONE = -1.0;

// As many as the footprint is longer than wide, as the sampler allows, and no more than it is texels long: fewer leave
// no texel out then. `rest` is the fourth quarter of the sampler's record, or of that of both in one.
Probes filter_probes(const in vec3 dx, const in vec3 dy, const in uvec4 record, const in uvec4 rest, const in int axes)
{
    const float x = filter_rate(dx, dx, record, axes);
    const float y = filter_rate(dy, dy, record, axes);
    const float longer = sqrt(max(x, y));
    const float shorter = sqrt(min(x, y));
    const float wanted = ceil(min(longer, longer / max(shorter, 1.0e-15)) - 0.001);
    const int most = 1 + int((rest.w >> RECORD_MORE_PROBES_SHIFT) & RECORD_MORE_PROBES_MASK);
    const bool cubic = record_is_cubic(rest, RECORD_MORE_CUBIC_MAG | RECORD_MORE_CUBIC_MIN);
    // What is not a number makes any int of the number.
    return Probes(mix(dx, dy, bvec3(y > x)), mix(clamp(int(min(wanted, 16.0)), 1, most), 1 << axes, cubic), cubic);
}

int filter_probes_left(const in Probes probes)
{
    return (1 << probes.count) - 1;
}

// A probe's level of detail is that of the width.
float filter_probe_lod(const in float lod, const in Probes probes)
{
    return lod - mix(log2(float(probes.count)), 0.0, probes.cubic);
}

vec3 filter_probe_place(const in vec3 s, const in Probes probes, const in int i)
{
    const vec3 place = s + probes.along * (float(i + 1) / float(probes.count + 1) - 0.5);
    const bool apart = !probes.cubic;
    return mix(s, place, bvec3(probes.count > 1 && apart));
}

float filter_probe_share(const in Probes probes)
{
    return mix(1.0 / float(probes.count), 1.0, probes.cubic);
}

// `rest` is the same as of filter_probes.
vec3 filter_probe_plan(const in vec3 plan, const in Probes probes, const in uvec4 rest, const in int i)
{
    const uint weights = (rest.w >> RECORD_MORE_CUBIC_WEIGHTS_SHIFT) & RECORD_MORE_CUBIC_WEIGHTS_MASK;
    const float single = mix(plan.z, PLAN_NONE, i > 0);
    const float block = mix(single, PLAN_BLOCK + PLAN_WEIGHTS * float(weights) + float(i), plan.z == PLAN_CUBIC);
    return vec3(plan.x, plan.y, mix(plan.z, block, probes.cubic));
}

// Level of detail of the unclamped coordinate before any bias: log2 of the longer of the two gradients.
float filter_lod(const in vec3 dx, const in vec3 dy, const in uvec4 record, const in int axes)
{
    return 0.5 * log2(max(filter_rate(dx, dy, record, axes), 1.0e-30));
}

// The last level that the sampler's filter uses.
float filter_last_level(const in uvec4 record)
{
    return float(mix(0, record_last_level(record), record_has(record, RECORD_MIP_NEAREST | RECORD_MIP_LINEAR)));
}

// (level, or the lower one of two; weight of the upper one; linear: 1 or 0). `lambda` is the level of detail behind all
// biases and bounds, which chooses between magnification and minification, `level` what is sampled. Integer images are
// never blended.
vec3 filter_plan_of(const in float lambda, const in float level, const in bool integer, const in uvec4 record)
{
    const bool magnified = lambda <= 0.0;
    const bool blends = !integer;
    const bool linear = record_has(record, magnified ? RECORD_MAG_LINEAR : RECORD_MIN_LINEAR) && blends;
    const bool blended = record_has(record, RECORD_MIP_LINEAR) && blends;
    const float seen = mix(ceil(level - 0.5), level, blended);
    const float whole = floor(seen);
    return vec3(whole, filter_shares(vec3(seen - whole)).x, linear ? 1.0 : 0.0);
}

// `lod` comes without any bias, `biases` are all.
vec3 filter_plan(const in float lod, const in float biases, const in float min_lod, const in bool integer,
                 const in uvec4 record)
{
    const vec2 range = record_lod_range(record);
    const float low = max(range.x, min_lod);
    const float lambda = clamp(lod + biases, low, max(low, range.y));
    return filter_plan_of(lambda, min(lambda, filter_last_level(record)), integer, record);
}

// The same where views may have a least level of detail, which chooses no filter.
vec3 filter_view_plan(const in float lod, const in float biases, const in float min_lod, const in bool integer,
                      const in uvec4 record, const in uvec4 rest, const in uvec4 of_sampler)
{
    const vec2 range = record_lod_range(record);
    const bool joined = least_joined(rest);
    const bool views_alone = joined && (rest.w & RECORD_MORE_SAMPLER_LEAST) == 0u;
    const float low = max(mix(range.x, 0.0, views_alone), min_lod);
    const float lambda = clamp(lod + biases, low, max(low, range.y));
    const vec3 plan = filter_plan_of(lambda, max(min(lambda, filter_last_level(record)), least_of_view(record, rest)),
                                     integer, record);
    const bool cubic = record_is_cubic(of_sampler, mix(RECORD_MORE_CUBIC_MIN, RECORD_MORE_CUBIC_MAG, lambda <= 0.0));
    return vec3(plan.x, plan.y, mix(plan.z, PLAN_CUBIC, plan.z != 0.0 && cubic));
}

// The level that gathers read ("Texel Gathering": minLodInteger is rounded down).
int gathered_level(const in uvec4 rest)
{
    const int joined = int((rest.w >> RECORD_MORE_GATHERED_SHIFT) & RECORD_MORE_GATHERED_MASK);
    const int apart = mix(0, int(uintBitsToFloat(rest.z)), (rest.w & RECORD_MORE_VIEW_LEAST) != 0u);
    return mix(apart, joined, least_joined(rest));
}

// A bit for each tap that is left.
int filter_left(const in vec3 plan, const in int axes)
{
    const int one = 1 << axes;
    const int two = 2 << axes;
    const int whole_level = mix(1, (1 << one) - 1, plan.z != 0.0);
    const int two_levels = mix(3, (1 << two) - 1, plan.z != 0.0);
    return mix(whole_level, two_levels, plan.y > 0.0);
}

// The same of the corners of one level, and of levels, where each has a loop of its own.
int filter_corners_left(const in vec3 plan, const in int axes)
{
    const int corners = 1 << axes;
    return mix(1, (1 << corners) - 1, plan.z != 0.0);
}

int filter_levels_left(const in vec3 plan)
{
    return mix(1, 3, plan.y > 0.0);
}

// How far the number of a tap is from that of the next: a nearest filter has one for each level.
int filter_step(const in vec3 plan, const in int axes)
{
    return mix(1 << axes, 1, plan.z != 0.0);
}

// Mirrors that show no border: OpenGL 4.6, table 8.20, and Vulkan mirror the texel's index.
bvec3 wraps_mirror_indices(const in uvec4 record)
{
    return mix(wraps_have(record, WRAPS_MIRROR), bvec3(false), wraps_have(record, WRAPS_BORDER));
}

// The coordinate in [-1/2, 1/2] as REPEAT leaves it to the footprint, and not negative as the mirrors do;
// MIRRORED_REPEAT's in [0, 1]. A gather shows in which order its texels come: there it stays negative where the index
// is mirrored.
vec3 wrap_place(const in vec3 s, const in uvec4 record, const in bool gathers)
{
    const bvec3 mirrors = wraps_have(record, WRAPS_MIRROR);
    const bvec3 repeats = wraps_repeat(record);
    const vec3 once = s - mix(vec3(1.0), vec3(2.0), mirrors) * roundEven(s * mix(vec3(1.0), vec3(0.5), mirrors));
    const vec3 seen = mix(s, once, repeats);
    const vec3 folded = mix(seen, abs(seen), mirrors);
    return mix(folded, mix(folded, seen, wraps_mirror_indices(record)), bvec3(gathers));
}

// Mirrors have a border on their far side only.
bool shows_border(const in bool before, const in bool beyond, const in bool mirrors, const in bool reaches)
{
    const bool straight = !mirrors;
    const bool near = before && straight;
    return (near || beyond) && reaches;
}

// Where the texel of a tap is that is border along the axes `outside`: the texture's own is `inside`. An image with
// border texels has them in front of the texture, `frame` texels of its own, and behind it (bordered.glsl).
ivec3 border_place(const in ivec3 inside, const in bvec3 outside, const in bvec3 before, const in ivec3 texels,
                   const in bool bordered, const in int frame)
{
    return mix(inside, mix(inside, mix(texels, ivec3(-1), before), outside) + frame, bvec3(bordered));
}

// One texel of the footprint around `s` at a level: along each axis the nearest, the upper one, or the lower one of two
// where `lower` is 1. Bounded, so that it converts to int, and that CLAMP's footprint is half border at most.
Tap filter_placed_texel(const in vec3 s, const in ivec3 lower, const in uvec4 record, const in int level,
                        const in float level_weight, const in bool linear, const in int axes, const in bool gathers,
                        const in bool bordered, const in int frame)
{
    const ivec3 texels = record_size(record, level);
    const vec3 size = vec3(texels);
    const vec3 place = wrap_place(s, record, gathers);
    const vec3 u = mix(place * size, place, bvec3(record_texels(record)));
    const bvec3 mirrors = wraps_have(record, WRAPS_MIRROR);
    const bvec3 reaches = wraps_have(record, WRAPS_BORDER);
    const bvec3 repeats = wraps_repeat(record);
    const bvec3 clamps = wraps_clamp(record);
    const vec3 far = size + mix(vec3(2.0), vec3(linear ? 0.5 : -0.5), clamps);
    const vec3 low = mix(vec3(-16777216.0), vec3(linear ? 0.5 : 0.0), clamps);
    // Half a texel at least where a mirror has a border. Else it is the same texel twice that makes up for that.
    const vec3 bounded = mix(low, vec3(1.0), mix(bvec3(false), mirrors, reaches));
    const vec3 near = mix(low, bounded, bvec3(gathers));
    const vec3 exact = min(far, max(near, u + (linear ? 0.5 : 0.0)));
    // A gather shows which texels those are whose shares have 8 bits: at a texel's centre the one before has none.
    const vec3 end = mix(exact, roundEven(exact * 256.0) * 0.00390625, bvec3(gathers));
    const vec3 base = floor(end);
    const vec3 below = vec3(lower);
    const vec3 i = base - below;
    const vec3 shares = abs(below - filter_shares(end - base));
    const bvec3 before = lessThan(i, vec3(0.0));
    const bvec3 beyond = greaterThanEqual(i, size);
    const vec3 around = mix(vec3(0.0), i + size, mix(repeats, bvec3(false), mirrors));
    const vec3 back = mix(around, -1.0 - i, wraps_mirror_indices(record));
    const vec3 seen = mix(i, mix(around, back, bvec3(gathers)), before);
    const bool border_x = shows_border(before.x, beyond.x, mirrors.x, reaches.x);
    const bool border_y = shows_border(before.y, beyond.y, mirrors.y, reaches.y);
    const bool border_z = shows_border(before.z, beyond.z, mirrors.z, reaches.z);
    const bool second = axes > 1;
    const bool third = axes > 2;
    const bool other = border_y && second;
    const bool last = border_z && third;
    const float weight = shares.x * mix(1.0, shares.y, second) * mix(1.0, shares.z, third);
    const bool outside = border_x || other || last;
    // As uint what is not a number, or negative, is a texel as well.
    const ivec3 inside = ivec3(min(uvec3(ivec3(seen)), uvec3(texels - 1)));
    return Tap(border_place(inside, bvec3(border_x, other, last), before, texels, bordered, frame), level,
               level_weight * mix(1.0, weight, linear), mix(outside, false, bordered));
}

Tap filter_texel(const in vec3 s, const in ivec3 lower, const in uvec4 record, const in int level,
                 const in float level_weight, const in bool linear, const in int axes, const in bool gathers)
{
    return filter_placed_texel(s, lower, record, level, level_weight, linear, axes, gathers, false, 0);
}

// The texel that filter_texel gives of a linear footprint, of block `block` of a cubic one.
Tap filter_cubic_texel(const in vec3 s, const in ivec3 lower, const in uvec4 record, const in int level,
                       const in float level_weight, const in int block, const in int weights, const in int axes,
                       const in bool bordered, const in int frame)
{
    const ivec3 texels = record_size(record, level);
    const vec3 size = vec3(texels);
    const vec3 place = wrap_place(s, record, false);
    const vec3 u = mix(place * size, place, bvec3(record_texels(record)));
    const bvec3 mirrors = wraps_have(record, WRAPS_MIRROR);
    const bvec3 reaches = wraps_have(record, WRAPS_BORDER);
    const bvec3 repeats = wraps_repeat(record);
    const bvec3 clamps = wraps_clamp(record);
    const bvec3 once_to_border = mix(bvec3(false), mirrors, reaches); // EXT_texture_mirror_clamp bounds the coordinate
    const vec3 far = size + mix(mix(vec3(3.0), vec3(1.0), once_to_border), vec3(0.5), clamps);
    const vec3 low = mix(vec3(-16777216.0), vec3(0.5), clamps);
    const vec3 near = mix(low, vec3(1.0), once_to_border);
    const vec3 end = min(far, max(near, u + 0.5));
    const vec3 base = floor(end);
    const vec3 o = vec3(2 * ivec3(block & 1, (block >> 1) & 1, (block >> 2) & 1) - lower);
    const vec3 i = base - 1.0 + o;
    const vec3 shares = cubic_shares(filter_shares(end - base), o, weights);
    const vec3 around = i - size * floor(i / size);
    const vec3 twice = i - 2.0 * size * floor(i / (2.0 * size));
    const vec3 back = mix(twice, 2.0 * size - 1.0 - twice, greaterThanEqual(twice, size));
    const vec3 once = mix(i, mix(i, -1.0 - i, mirrors), lessThan(i, vec3(0.0)));
    const vec3 folded = mix(once, mix(around, back, mirrors), repeats);
    const bvec3 before = lessThan(folded, vec3(0.0));
    const bvec3 beyond = greaterThanEqual(folded, size);
    const bool border_x = shows_border(before.x, beyond.x, mirrors.x, reaches.x);
    const bool border_y = shows_border(before.y, beyond.y, mirrors.y, reaches.y);
    const bool border_z = shows_border(before.z, beyond.z, mirrors.z, reaches.z);
    const bool second = axes > 1;
    const bool third = axes > 2;
    const bool other = border_y && second;
    const bool last = border_z && third;
    const float weight = shares.x * mix(1.0, shares.y, second) * mix(1.0, shares.z, third);
    const bool outside = border_x || other || last;
    // As uint what is not a number is a texel as well.
    const ivec3 inside = ivec3(min(uvec3(ivec3(max(folded, vec3(0.0)))), uvec3(texels - 1)));
    return Tap(border_place(inside, bvec3(border_x, other, last), before, texels, bordered, frame), level,
               level_weight * weight, mix(outside, false, bordered));
}

// Where a nearest sampler reads the texel of a tap, and at which level of detail.
vec3 filter_texel_centre(const in Tap tap, const in uvec4 record)
{
    return (vec3(tap.texel) + 0.5) / vec3(record_size(record, tap.level));
}

float filter_texel_lod(const in Tap tap)
{
    return float(tap.level);
}

// A corner of the plan's lower or upper footprint, if its filter has that. The texel offset belongs to the coordinate.
Tap filter_placed_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                         const in uvec4 record, const in int axes, const in int corner, const in bool upper,
                         const in bool bordered, const in int frame)
{
    // A level of detail that is not a number makes any int of the plan.
    const int level = int(min(uint(int(plan.x) + mix(0, 1, upper)), uint(record_last_level(record))));
    const vec3 place = mix(s, fold_offset(s, offset, record, level), bvec3(has_offset));
    return filter_placed_texel(place, ivec3(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1), record, level,
                               mix(1.0 - plan.y, plan.y, upper), plan.z != 0.0, axes, false, bordered, frame);
}

Tap filter_own_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                      const in uvec4 record, const in int axes, const in int corner, const in bool upper)
{
    return filter_placed_corner(s, offset, has_offset, plan, record, axes, corner, upper, false, 0);
}

// Any corner: nearest filters have corner 0 alone, and the others weigh nothing.
Tap filter_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                  const in uvec4 record, const in int axes, const in int corner, const in bool upper)
{
    const Tap tap = filter_own_corner(s, offset, has_offset, plan, record, axes, corner, upper);
    const bool first = corner == 0;
    return Tap(tap.texel, tap.level, mix(0.0, tap.weight, plan.z != 0.0 || first), tap.border);
}

// The tap that the same corner has of a plan's block of a cubic filter, or `tap` where the plan is of another filter.
Tap filter_block_or(const in Tap tap, const in vec3 s, const in ivec3 offset, const in bool has_offset,
                    const in vec3 plan, const in uvec4 record, const in int axes, const in int corner,
                    const in bool upper, const in bool bordered, const in int frame)
{
    const vec3 place = mix(s, fold_offset(s, offset, record, tap.level), bvec3(has_offset));
    const int block = int(plan.z - PLAN_BLOCK);
    const Tap cubic =
        filter_cubic_texel(place, ivec3(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1), record, tap.level,
                           mix(1.0 - plan.y, plan.y, upper), block & 7, block >> 3, axes, bordered, frame);
    const bool blocks = plan.z >= PLAN_BLOCK;
    const float one = mix(tap.weight, 0.0, plan.z == PLAN_NONE);
    return Tap(mix(tap.texel, cubic.texel, bvec3(blocks)), tap.level, mix(one, cubic.weight, blocks),
               mix(tap.border, cubic.border, blocks));
}

// Tap `i` of a plan that may be of a block of a cubic filter.
Tap filter_placed_block_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                            const in uvec4 record, const in int axes, const in int i, const in bool bordered,
                            const in int frame)
{
    const bool upper = i >= 1 << axes;
    const Tap tap = filter_placed_corner(s, offset, has_offset, plan, record, axes, i, upper, bordered, frame);
    return filter_block_or(tap, s, offset, has_offset, plan, record, axes, i, upper, bordered, frame);
}

Tap filter_block_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                     const in uvec4 record, const in int axes, const in int i)
{
    return filter_placed_block_tap(s, offset, has_offset, plan, record, axes, i, false, 0);
}

// Any corner of such a plan.
Tap filter_block_corner(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                        const in uvec4 record, const in int axes, const in int corner, const in bool upper)
{
    const Tap tap = filter_corner(s, offset, has_offset, plan, record, axes, corner, upper);
    return filter_block_or(tap, s, offset, has_offset, plan, record, axes, corner, upper, false, 0);
}

// Tap `i` of the plan: the corners of the lower level's footprint first, then the upper level's.
Tap filter_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
               const in uvec4 record, const in int axes, const in int i)
{
    return filter_own_corner(s, offset, has_offset, plan, record, axes, i, i >= 1 << axes);
}

// The same for what most lookups are: of two axes, of numbers that are blended, without an offset. What that decides is
// left out when the library is built.
float filter_flat_lod(const in vec2 dx, const in vec2 dy, const in uvec4 record)
{
    return filter_lod(vec3(dx.x, dx.y, 0.0), vec3(dy.x, dy.y, 0.0), record, 2);
}

vec3 filter_flat_plan(const in float lod, const in float biases, const in float min_lod, const in uvec4 record)
{
    return filter_plan(lod, biases, min_lod, false, record);
}

int filter_flat_left(const in vec3 plan)
{
    return filter_left(plan, 2);
}

int filter_flat_step(const in vec3 plan)
{
    return filter_step(plan, 2);
}

Tap filter_flat_corner(const in vec2 s, const in vec3 plan, const in uvec4 record, const in int corner,
                       const in bool upper)
{
    return filter_corner(vec3(s.x, s.y, 0.0), ivec3(0), false, plan, record, 2, corner, upper);
}

Tap filter_flat_tap(const in vec2 s, const in vec3 plan, const in uvec4 record, const in int i)
{
    return filter_tap(vec3(s.x, s.y, 0.0), ivec3(0), false, plan, record, 2, i);
}

// A lookup of the driver's at a level, where the driver can filter: at the edge wherever the footprint reaches beyond
// it. Most lookups are inside, and branch around what is to be done beyond.
struct Edge {
    vec3 place; // with the texel offset
    vec3 size;
    float lod;
    float weight;
    bool beyond; // the coordinate is another one, or the footprint may have a part in the border
};

// Beyond the edge: the driver's coordinate, and the share of the footprint that is inside.
struct Beyond {
    vec3 s;
    float inside;
};

const float EDGE_FAR = 1.0e30; // beyond any coordinate that repeats

// The record's size is the driver's own unit where its sampler has texel coordinates.
bool edge_divides(const in uvec4 record)
{
    return (record.x & (RECORD_RECTANGLE | RECORD_UNNORMALIZED)) == RECORD_RECTANGLE;
}

vec3 edge_texels(const in vec3 place, const in vec3 size, const in uvec4 record)
{
    return place * mix(size, vec3(1.0), bvec3(record_texels(record)));
}

bool edge_beyond(const in vec3 place, const in vec3 size, const in uvec4 record, const in int axes)
{
    const vec3 middle = size * 0.5;
    const bvec3 plain = wraps_are_plain(record);
    const vec3 far = mix(mix(middle - 0.5, vec3(EDGE_FAR), plain), vec3(-1.0), bvec3(edge_divides(record)));
    const bvec3 beyond = greaterThan(abs(edge_texels(place, size, record) - middle), far);
    const bool second = axes > 1;
    const bool third = axes > 2;
    const bool other = beyond.y && second;
    const bool last = beyond.z && third;
    return beyond.x || other || last;
}

// How much of the footprint around `u`, in texels, is border along each axis: beyond the edge a footprint consists of
// the edge texel and the border. A mirror has no border on its near side. CLAMP's footprint is half border at most, and
// under a nearest filter never border at all.
vec3 edge_shares(const in vec3 u, const in vec3 size, const in uvec4 record, const in bool linear)
{
    const bvec3 mirrors = wraps_have(record, WRAPS_MIRROR);
    const bvec3 reaches = wraps_have(record, WRAPS_BORDER);
    const bvec3 clamps = wraps_clamp(record);
    const vec3 near = mix(clamp(0.5 - u, vec3(0.0), vec3(1.0)), vec3(0.0), mirrors);
    const vec3 far = clamp(u - (size - 0.5), vec3(0.0), vec3(1.0));
    const vec3 shares = min(near + far, mix(vec3(1.0), vec3(0.5), clamps));
    const vec3 outside = mix(mix(vec3(0.0), vec3(1.0), lessThan(u, vec3(0.0))), vec3(1.0), greaterThanEqual(u, size));
    const vec3 texels = mix(outside, vec3(0.0), clamps);
    return mix(vec3(0.0), mix(texels, filter_shares(shares), bvec3(linear)), reaches);
}

Beyond filter_edge_beyond(const in vec3 place, const in vec3 size, const in vec3 plan, const in uvec4 record,
                          const in int axes)
{
    const bvec3 repeats = wraps_repeat(record);
    const bvec3 mirrors = wraps_have(record, WRAPS_MIRROR);
    const bool texels = record_has(record, RECORD_UNNORMALIZED);
    const vec3 scaled = edge_texels(place, size, record);
    const vec3 u = mix(scaled, abs(scaled), mirrors);
    const vec3 edge = clamp(u, vec3(RECORD_HALF_TEXEL), size - 0.5);
    const vec3 own = place / mix(vec3(1.0), size, bvec3(edge_divides(record)));
    const vec3 folded = mix(own, abs(own), mirrors);
    // A product with a size and a quotient by it may be another coordinate: what is inside stays as it is.
    const vec3 inner = mix(folded, edge / mix(size, vec3(1.0), bvec3(texels)), notEqual(edge, u));
    const vec3 shares = 1.0 - edge_shares(u, size, record, plan.z != 0.0);
    const bool second = axes > 1;
    const bool third = axes > 2;
    return Beyond(mix(inner, own, repeats), shares.x * mix(1.0, shares.y, second) * mix(1.0, shares.z, third));
}

// Which level of detail makes a sampler whose own bias is `bias` take the filter of the plan at a level. Where the two
// filters differ, the one for minification is found at level 0 through a sampler that takes the nearest level.
float edge_lod(const in vec3 plan, const in uvec4 record, const in int level, const in float bias)
{
    const bool magnifies_linear = record_has(record, RECORD_MAG_LINEAR);
    const bool linear = plan.z != 0.0;
    const float base = mix(0.25, -0.25, magnifies_linear == linear);
    return mix(base, float(level), level > 0) - bias;
}

Edge edge_at(const in vec3 place, const in vec3 size, const in uvec4 record, const in int axes, const in float lod,
             const in float weight)
{
    return Edge(place, size, lod, weight, edge_beyond(place, size, record, axes));
}

// The lower or the upper level of a plan.
Edge filter_edge(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in vec3 plan,
                 const in uvec4 record, const in int axes, const in float bias, const in bool upper)
{
    // A level of detail that is not a number makes any int of the plan.
    const int level = int(min(uint(int(plan.x) + mix(0, 1, upper)), uint(record_last_level(record))));
    const vec3 place = mix(s, fold_offset(s, offset, record, level), bvec3(has_offset));
    return edge_at(place, vec3(record_size(record, level)), record, axes, edge_lod(plan, record, level, bias),
                   mix(1.0 - plan.y, plan.y, upper));
}

Edge filter_flat_edge(const in vec2 s, const in vec3 plan, const in uvec4 record, const in float bias,
                      const in bool upper)
{
    return filter_edge(vec3(s.x, s.y, 0.0), ivec3(0), false, plan, record, 2, bias, upper);
}

// The same of a view of one level.
Edge filter_flat_base_edge(const in vec2 s, const in vec3 plan, const in uvec4 record, const in float bias)
{
    return edge_at(vec3(s.x, s.y, 0.0), vec3(record_base_size(record)), record, 2, edge_lod(plan, record, 0, bias),
                   1.0);
}

// The edge's texel and the border, by their shares. Both may be infinite where they have none.
vec4 filter_edge_texel(const in vec4 edge, const in uvec4 border, const in float inside)
{
    const vec4 colour = uintBitsToFloat(border);
    const vec4 both = edge * inside + colour * (1.0 - inside);
    return mix(mix(both, edge, bvec4(inside >= 1.0)), colour, bvec4(inside <= 0.0));
}

// The plan of a view of one level, from the gradients: which of the two filters it is takes no logarithm.
vec3 filter_flat_base_plan(const in vec2 dx, const in vec2 dy, const in float biases, const in float min_lod,
                           const in uvec4 record)
{
    const vec2 range = record_lod_range(record);
    const float rate = filter_rate(vec3(dx.x, dx.y, 0.0), vec3(dy.x, dy.y, 0.0), record, 2);
    const bool slow = rate <= exp2(-2.0 * biases);
    const bool bounded = range.y <= 0.0;
    const bool reached = max(range.x, min_lod) <= 0.0;
    const bool either = slow || bounded;
    const bool magnified = either && reached;
    const bool linear = record_has(record, magnified ? RECORD_MAG_LINEAR : RECORD_MIN_LINEAR);
    return vec3(0.0, 0.0, linear ? 1.0 : 0.0);
}

// Is the texel of a gather the lower one of its axis?
ivec3 gather_lower(const in int i)
{
    return ivec3(1 - (((i + 1) >> 1) & 1), i >> 1, 1);
}

// Tap `i` of a gather, in the order of the result: (i0,j1), (i1,j1), (i1,j0), (i0,j0). The footprint is the linear one
// whatever the filters are. With four offsets every tap is the (i0,j0) of a footprint of its own.
Tap gather_placed_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in bool own_offset,
                      const in uvec4 record, const in int level, const in int i, const in bool bordered,
                      const in int frame)
{
    const ivec3 lower = mix(gather_lower(i), ivec3(1), bvec3(own_offset));
    const vec3 place = mix(s, fold_offset(s, offset, record, level), bvec3(has_offset));
    return filter_placed_texel(place, lower, record, level, 1.0, true, 2, true, bordered, frame);
}

Tap gather_tap(const in vec3 s, const in ivec3 offset, const in bool has_offset, const in bool own_offset,
               const in uvec4 record, const in int level, const in int i)
{
    return gather_placed_tap(s, offset, has_offset, own_offset, record, level, i, false, 0);
}

int gather_pick_int(const in ivec4 texel, const in int c)
{
    return mix(mix(mix(texel.w, texel.z, c == 2), texel.y, c == 1), texel.x, c == 0);
}

ivec3 gather_offset(const in ivec4 x, const in ivec4 y, const in int i)
{
    return ivec3(gather_pick_int(x, i), gather_pick_int(y, i), 0);
}

// Array layer: nearest even, never outside (8.14.2).
int filter_layer(const in float layer, const in uvec4 record)
{
    const int last = max(int(record.z & RECORD_DEPTH_MASK), 1) - 1;
    return clamp(int(clamp(roundEven(layer), 0.0, float(last))), 0, last); // the outer one for what is not a number
}

uint border_channel(const in uvec4 colour, const in uint selector, const in uint one)
{
    const uint constant = selector * one; // RECORD_BORDER_ONE or RECORD_BORDER_ZERO
    const uint r = mix(constant, colour.x, selector == RECORD_BORDER_R);
    const uint g = mix(r, colour.y, selector == RECORD_BORDER_G);
    const uint b = mix(g, colour.z, selector == RECORD_BORDER_B);
    return mix(b, colour.w, selector == RECORD_BORDER_A);
}

// A border colour within the bounds of an image's channels, of which blue's (of floats) or alpha's (of integers) may be
// others. What is not a number is 0.
uvec4 border_within(const in uvec4 colour, const in uvec4 bounds)
{
    const uint kind = (bounds.x >> RECORD_BORDER_KIND_SHIFT) & RECORD_BORDER_KIND_MASK;
    const uvec4 number = mix(colour, uvec4(0u), greaterThan(colour & 0x7fffffffu, uvec4(0x7f800000u)));
    const vec4 most = uintBitsToFloat(uvec4(bounds.z, bounds.z, bounds.w, bounds.z));
    const uvec4 floats = floatBitsToUint(min(max(uintBitsToFloat(number), vec4(uintBitsToFloat(bounds.y))), most));
    const uvec4 most_whole = uvec4(bounds.z, bounds.z, bounds.z, bounds.w);
    const uvec4 unsigned_ones = min(colour, most_whole);
    const uvec4 signed_ones = uvec4(min(max(ivec4(colour), ~ivec4(most_whole)), ivec4(most_whole)));
    return mix(mix(floats, unsigned_ones, bvec4(kind == RECORD_BORDER_KIND_UINT)), signed_ones,
               bvec4(kind == RECORD_BORDER_KIND_SINT));
}

// The border of a separate sampler and image, from the second halves of their records. `one` is the bits of 1 in the
// type of the lookup's texels; a comparison sees the depth itself.
uvec4 pair_border(const in uvec4 colour, const in uvec4 translation, const in uint one, const in bool compared)
{
    const uvec4 c = border_within(colour, translation);
    const uint selectors = translation.x;
    const uvec4 selected =
        uvec4(border_channel(c, selectors & RECORD_BORDER_SELECTOR_MASK, one),
              border_channel(c, (selectors >> RECORD_BORDER_SELECTOR_BITS) & RECORD_BORDER_SELECTOR_MASK, one),
              border_channel(c, (selectors >> 2 * RECORD_BORDER_SELECTOR_BITS) & RECORD_BORDER_SELECTOR_MASK, one),
              border_channel(c, (selectors >> 3 * RECORD_BORDER_SELECTOR_BITS) & RECORD_BORDER_SELECTOR_MASK, one));
    return mix(selected, c, bvec4(compared));
}

// VkCompareOp: bit 0 less, bit 1 equal, bit 2 greater. What is not a number is not equal to anything. Without a compare
// mode the texel itself comes out (GL: undefined).
float filter_compare(const in float texel, const in float reference, const in uvec4 record)
{
    const uint mode = (record.x >> RECORD_COMPARE_SHIFT) & RECORD_COMPARE_MASK;
    const uint op = mode - 1u;
    const uint order =
        mix(0u, 1u, reference < texel) | mix(0u, 2u, reference == texel) | mix(0u, 4u, reference > texel);
    const bool unordered = order == 0u;
    const bool differs = (op & 5u) == 5u;
    const bool unequal = unordered && differs;
    return mix(mix(0.0, 1.0, (op & order) != 0u || unequal), texel, mode == 0u);
}

// The number that a texel's 8 bits were before they were decoded from sRGB. The fit by roots is off by less than 1/90
// of a step of 1/255 for each of the 256 numbers, and is much less code than powers are.
vec4 encode_srgb(const in vec4 c)
{
    const vec4 root2 = sqrt(c);
    const vec4 root4 = sqrt(root2);
    const vec4 root8 = sqrt(root4);
    const vec4 curved = 0.642969 * root2 + 0.711411 * root4 - 0.336576 * root8 - 0.017768 * c;
    return floor(mix(c * 12.92, curved, greaterThan(c, vec4(0.0031308))) * 255.0 + 0.5) / 255.0;
}

// Channels that sRGB leaves alone, one bit each: of a combined record, and of an image's border translation.
uint srgb_plain(const in uvec4 record)
{
    return record.w >> RECORD_SRGB_PLAIN_SHIFT;
}

uint srgb_plain_of_pair(const in uvec4 translation)
{
    const uvec4 selectors = (uvec4(translation.x) >> uvec4(0u, 3u, 6u, 9u)) & RECORD_BORDER_SELECTOR_MASK;
    const uint plain = (selectors.x == RECORD_BORDER_A ? 1u : 0u) | (selectors.y == RECORD_BORDER_A ? 2u : 0u) |
                       (selectors.z == RECORD_BORDER_A ? 4u : 0u) | (selectors.w == RECORD_BORDER_A ? 8u : 0u);
    return mix(plain, 0u, (translation.x & RECORD_BORDER_ALPHA_IN_COLOR) != 0u);
}

bool record_encodes(const in uvec4 record)
{
    return record_pair_has(record, RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB);
}

vec4 skip_decoding(const in vec4 texel, const in uint plain)
{
    return mix(encode_srgb(texel), texel, notEqual(uvec4(plain) & uvec4(1u, 2u, 4u, 8u), uvec4(0u)));
}

vec4 filter_texel_float(const in vec4 texel, const in uvec4 border, const in bool outside)
{
    return mix(texel, uintBitsToFloat(border), bvec4(outside));
}

// Integers that are sampled with a linear filter make the texture incomplete (8.17).
ivec4 filter_texel_int(const in ivec4 texel, const in uvec4 border, const in bool outside, const in uvec4 record)
{
    const ivec4 seen = mix(texel, ivec4(border), bvec4(outside));
    return mix(seen, ivec4(0, 0, 0, 1), bvec4(record_pair_has(record, RECORD_PAIR_INCOMPLETE)));
}

uvec4 filter_texel_uint(const in uvec4 texel, const in uvec4 border, const in bool outside, const in uvec4 record)
{
    return uvec4(filter_texel_int(ivec4(texel), border, outside, record));
}

// What the first texel joins: reduction modes (VkSamplerReductionMode) take the least or the greatest of the texels
// that have a share.
vec4 filter_none(const in uint reduction)
{
    return vec4(uintBitsToFloat(mix(mix(0xff800000u, 0x7f800000u, reduction == 1u), 0u, reduction == 0u)));
}

// A texel without a share may be infinite.
vec4 filter_add(const in vec4 sum, const in vec4 texel, const in float weight)
{
    return mix(sum, sum + texel * weight, bvec4(weight != 0.0));
}

vec4 filter_reduce(const in vec4 sum, const in vec4 texel, const in float weight, const in uint reduction)
{
    const vec4 reduced = mix(max(sum, texel), min(sum, texel), bvec4(reduction == 1u));
    const vec4 blended = mix(reduced, sum + texel * weight, bvec4(reduction == 0u));
    return mix(sum, blended, bvec4(weight != 0.0));
}

float filter_add_result(const in float sum, const in float result, const in float weight)
{
    return sum + result * weight;
}

bvec4 gather_place(const in int i)
{
    return equal(ivec4(i), ivec4(0, 1, 2, 3));
}

float gather_pick_float(const in vec4 texel, const in int c)
{
    return mix(mix(mix(texel.w, texel.z, c == 2), texel.y, c == 1), texel.x, c == 0);
}

// What a fetch from a combined image sampler gives: sRGB is decoded whatever the sampler, by the driver's view or here.
vec4 decode_srgb(const in vec4 c)
{
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec4(2.4)), greaterThan(c, vec4(0.04045)));
}

vec4 fetched_seen(const in vec4 texel, const in uvec4 record)
{
    const bool encoded = (record.w & (RECORD_PAIR_SRGB_SKIP | RECORD_PAIR_SRGB)) == RECORD_PAIR_SRGB_SKIP;
    const bvec4 decoded = equal(uvec4(srgb_plain(record)) & uvec4(1u, 2u, 4u, 8u), uvec4(0u));
    return mix(texel, decode_srgb(texel), mix(bvec4(false), decoded, bvec4(encoded)));
}

// The depth that is compared of a separate image's texel. `more` is the fourth word of the image's fourth quarter.
vec4 texel_depth(const in vec4 texel, const in uint more)
{
    const uint channel = (more >> RECORD_MORE_DEPTH_IN_SHIFT) & RECORD_MORE_DEPTH_IN_MASK;
    return vec4(gather_pick_float(texel, int(channel)));
}

vec4 gather_add_float(const in vec4 sum, const in vec4 texel, const in int component, const in int i)
{
    return mix(sum, vec4(gather_pick_float(texel, component)), gather_place(i));
}

ivec4 gather_add_int(const in ivec4 sum, const in ivec4 texel, const in int component, const in int i)
{
    return mix(sum, ivec4(gather_pick_int(texel, component)), gather_place(i));
}

uvec4 gather_add_uint(const in uvec4 sum, const in uvec4 texel, const in int component, const in int i)
{
    return uvec4(gather_add_int(ivec4(sum), ivec4(texel), component, i));
}

vec4 gather_add_result(const in vec4 sum, const in float result, const in int i)
{
    return mix(sum, vec4(result), gather_place(i));
}

#endif
