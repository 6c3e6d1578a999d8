/* SPDX-License-Identifier: MIT */
// The blit of a tile, linear for formats that the driver cannot filter, or cubic: texels of the source lie in memory as
// they were copied out of the image, texels of the target are written there as they will be copied into the other one.
// Formats are data, so one pipeline serves every pair; what it needs is found through an address that is compiled in,
// so it has no descriptors and no push constants, and binding it disturbs nothing of the program's but the pipeline.
//
// Specification, "Image Copies with Scaling": which source coordinate a texel has. layer/recording/blits/blit.h mirrors
// the structures.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "cubic.glsl"

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint TABLE_LOW = 0u;
layout(constant_id = 1) const uint TABLE_HIGH = 0u;

// enum texel_kind
const uint UNORM = 0u, SNORM = 1u, USCALED = 2u, SSCALED = 3u, FLOAT = 4u, SRGB = 5u, SHARED_EXPONENT = 6u;

struct Texels {
    uint first_word; // in Scratch.words
    uint bytes;      // of a texel
    uint kind;
    uint unused;
    uvec4 bits;  // of R, G, B, A; 0: not there
    uvec4 shift; // where each begins in the texel
};

struct Parameters {
    Texels source, target;
    ivec4 level_size;    // of the source image's level: where coordinates are clamped
    ivec4 box_origin;    // first texel of the source that was copied
    ivec4 box_size;      // texels copied, rows tightly packed
    ivec4 tile_origin;   // first texel of the target
    ivec4 tile_size;     // texels of the target
    ivec4 source_first;  // srcOffsets[0]
    ivec4 source_second; // srcOffsets[1]
    ivec4 target_first;  // dstOffsets[0]
    ivec4 target_second; // dstOffsets[1]
    uint group_texels;   // texels of a row that fill whole words, at most 4
    uint group_words;    // words that they fill
    uint row_groups;     // groups in a row of the target
    uint cubic;          // 0: linear, else 1 + VkCubicFilterWeightsQCOM
};

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Scratch
{
    Parameters parameters;
    uint words[];
};

// The scratch memory of each command buffer that blits.
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Table
{
    uvec2 scratch[];
};

// ---- Numbers ----

uint mask_of(uint bits)
{
    return bits >= 32u ? 0xffffffffu : (1u << bits) - 1u;
}

// Floats of 16, 11 and 10 bits: five bits of exponent, a sign if there are 16.
float small_float(uint raw, uint bits)
{
    uint fraction_bits = bits == 16u ? 10u : bits - 5u;
    uint exponent = raw >> fraction_bits & 31u, fraction = raw & mask_of(fraction_bits);
    uint sign_bit = bits == 16u ? (raw & 0x8000u) << 16 : 0u;
    if (exponent == 0u)
        return uintBitsToFloat(sign_bit | floatBitsToUint(float(fraction) * exp2(-14.0 - float(fraction_bits))));
    uint wide = exponent == 31u ? 255u : exponent + 112u;
    return uintBitsToFloat(sign_bit | wide << 23 | fraction << (23u - fraction_bits));
}

// To the nearest, ties to even. What is too large becomes infinity with a sign, the largest number without one.
uint to_small_float(float value, uint bits)
{
    uint fraction_bits = bits == 16u ? 10u : bits - 5u;
    uint wide = floatBitsToUint(value), infinity = 31u << fraction_bits;
    uint sign_bit = bits == 16u ? wide >> 16 & 0x8000u : 0u;
    uint magnitude = wide & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return infinity | 1u << (fraction_bits - 1u); // not a number
    if (bits != 16u && (wide >> 31) != 0u)
        return 0u;
    if (magnitude == 0x7f800000u)
        return sign_bit | infinity;
    uint drop = 23u - fraction_bits, significand, result;
    if (magnitude < 113u << 23) { // below the smallest normal number
        uint exponent = magnitude >> 23;
        if (exponent + 1u + fraction_bits < 113u)
            return sign_bit;
        drop += 113u - exponent;
        significand = (magnitude & 0x7fffffu) | 0x800000u;
        if (drop > 31u)
            return sign_bit;
    } else {
        significand = magnitude - (112u << 23);
    }
    uint rest = significand & mask_of(drop), half_way = 1u << (drop - 1u);
    result = significand >> drop;
    if (rest > half_way || (rest == half_way && (result & 1u) != 0u))
        result++;
    return result < infinity ? sign_bit | result : sign_bit | (bits == 16u ? infinity : infinity - 1u);
}

float from_srgb(float value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

float to_srgb(float value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
}

float decode_component(uint raw, uint bits, uint kind, bool alpha)
{
    int signed_raw = int(raw << (32u - bits)) >> (32u - bits);
    if (kind == SNORM)
        return max(float(signed_raw) / float(mask_of(bits - 1u)), -1.0);
    if (kind == USCALED)
        return float(raw);
    if (kind == SSCALED)
        return float(signed_raw);
    if (kind == FLOAT)
        return bits == 32u ? uintBitsToFloat(raw) : small_float(raw, bits);
    float value = float(raw) / float(mask_of(bits));
    return kind == SRGB && !alpha ? from_srgb(value) : value;
}

uint encode_component(float value, uint bits, uint kind, bool alpha)
{
    if (kind == FLOAT)
        return bits == 32u ? floatBitsToUint(value) : to_small_float(value, bits);
    if (isnan(value))
        return 0u;
    float top = float(mask_of(bits - 1u));
    if (kind == SNORM)
        return uint(int(floor(clamp(value, -1.0, 1.0) * top + 0.5))) & mask_of(bits);
    if (kind == USCALED)
        return uint(clamp(value, 0.0, float(mask_of(bits))));
    if (kind == SSCALED)
        return uint(int(clamp(value, -top - 1.0, top))) & mask_of(bits);
    value = clamp(value, 0.0, 1.0);
    if (kind == SRGB && !alpha)
        value = to_srgb(value);
    return uint(value * float(mask_of(bits)) + 0.5);
}

// Section "Conversion From RGB to Shared Exponent" of the specification: nine bits of fraction, bias 15.
uint to_shared_exponent(vec3 color)
{
    color = mix(clamp(color, 0.0, 65408.0), vec3(0.0), isnan(color));
    float largest = max(color.r, max(color.g, color.b));
    int exponent = max(-16, int(floatBitsToUint(largest) >> 23) - 127) + 16;
    if (floor(largest * exp2(float(24 - exponent)) + 0.5) == 512.0)
        exponent++;
    uvec3 fraction = uvec3(floor(color * exp2(float(24 - exponent)) + 0.5));
    return fraction.r | fraction.g << 9 | fraction.b << 18 | uint(exponent) << 27;
}

// ---- Texels ----

vec4 decode(uvec4 raw, Texels format)
{
    if (format.kind == SHARED_EXPONENT)
        return vec4(vec3(raw.x & 511u, raw.x >> 9 & 511u, raw.x >> 18 & 511u) * exp2(float(raw.x >> 27) - 24.0), 1.0);
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    for (uint c = 0u; c < 4u; c++) {
        uint bits = format.bits[c], shift = format.shift[c];
        if (bits != 0u)
            color[c] = decode_component(raw[shift >> 5] >> (shift & 31u) & mask_of(bits), bits, format.kind, c == 3u);
    }
    return color;
}

uvec4 encode(vec4 color, Texels format)
{
    if (format.kind == SHARED_EXPONENT)
        return uvec4(to_shared_exponent(color.rgb), 0u, 0u, 0u);
    uvec4 raw = uvec4(0u);
    for (uint c = 0u; c < 4u; c++) {
        uint bits = format.bits[c], shift = format.shift[c];
        if (bits != 0u)
            raw[shift >> 5] |= encode_component(color[c], bits, format.kind, c == 3u) << (shift & 31u);
    }
    return raw;
}

vec4 source_texel(Scratch scratch, ivec3 at)
{
    Texels format = scratch.parameters.source;
    ivec3 box = scratch.parameters.box_size.xyz;
    at = clamp(at, ivec3(0), scratch.parameters.level_size.xyz - 1) - scratch.parameters.box_origin.xyz;
    uint byte = uint((at.z * box.y + at.y) * box.x + at.x) * format.bytes;
    uint word = format.first_word + (byte >> 2), shift = (byte & 3u) * 8u;
    uvec4 raw = uvec4(0u);
    for (uint i = 0u; i * 4u < format.bytes; i++) {
        raw[i] = scratch.words[word + i] >> shift;
        if (shift != 0u)
            raw[i] |= scratch.words[word + i + 1u] << (32u - shift);
    }
    return decode(raw, format);
}

// ---- Coordinates ----

// The lower of the two source texels that a target texel lies between, and the weight of the upper one: of
// u = (x + 1/2 - x_dst0) * (x_src1 - x_src0) / (x_dst1 - x_dst0) + x_src0, less the half texel. In integers: no size of
// an image loses a bit. layer/recording/blits/blit_axis.c has the same.
void place(int x, int source_first, int source_second, int target_first, int target_second, out int lower,
           out float weight)
{
    int source = abs(source_second - source_first), target = abs(target_second - target_first);
    int twice = target_second > target_first ? 2 * (x - target_first) + 1 : 2 * (target_first - x) - 1;
    int quotient = twice * source / (2 * target), rest = twice * source % (2 * target);
    if (source_second >= source_first) {
        rest -= target;
        lower = source_first + quotient;
    } else {
        rest = target - rest;
        lower = source_first - quotient - 1;
    }
    if (rest < 0) {
        rest += 2 * target;
        lower--;
    }
    weight = float(rest) / float(2 * target);
}

// A weight of zero takes nothing, not even infinity.
vec4 blend(vec4 lower, vec4 upper, float weight)
{
    return weight == 0.0 ? lower : lower * (1.0 - weight) + upper * weight;
}

// Of one slice or layer: volumes have no cubic blits.
vec4 filtered_cubically(Scratch scratch, ivec3 low, vec2 weight)
{
    int weights = int(scratch.parameters.cubic) - 1;
    vec4 sum = vec4(0.0);
    for (int y = -1; y < 3; y++) {
        for (int x = -1; x < 3; x++) {
            vec2 shares = cubic_shares(vec3(weight, 0.0), vec3(x, y, 0), weights).xy;
            if (shares.x * shares.y != 0.0)
                sum += source_texel(scratch, low + ivec3(x, y, 0)) * (shares.x * shares.y);
        }
    }
    return sum;
}

vec4 filtered(Scratch scratch, ivec3 target)
{
    ivec3 low;
    vec3 weight;
    for (int axis = 0; axis < 3; axis++) {
        int lower;
        float upper_weight;
        place(target[axis], scratch.parameters.source_first[axis], scratch.parameters.source_second[axis],
              scratch.parameters.target_first[axis], scratch.parameters.target_second[axis], lower, upper_weight);
        low[axis] = lower;
        weight[axis] = upper_weight;
    }
    if (scratch.parameters.cubic != 0u)
        return filtered_cubically(scratch, low, weight.xy);
    vec4 slices[2];
    for (int z = 0; z < 2; z++) {
        vec4 rows[2];
        for (int y = 0; y < 2; y++)
            rows[y] = blend(source_texel(scratch, low + ivec3(0, y, z)), source_texel(scratch, low + ivec3(1, y, z)),
                            weight.x);
        slices[z] = blend(rows[0], rows[1], weight.y);
        if (weight.z == 0.0)
            return slices[0];
    }
    return blend(slices[0], slices[1], weight.z);
}

void main()
{
    Scratch scratch = Scratch(Table(uvec2(TABLE_LOW, TABLE_HIGH)).scratch[gl_WorkGroupID.z]);
    uint group = gl_GlobalInvocationID.x, line = gl_WorkGroupID.y;
    if (group >= scratch.parameters.row_groups)
        return;
    ivec3 size = scratch.parameters.tile_size.xyz;
    uint bytes = scratch.parameters.target.bytes, group_words = scratch.parameters.group_words;
    uint words[4] = uint[4](0u, 0u, 0u, 0u);
    for (uint i = 0u; i < scratch.parameters.group_texels; i++) {
        ivec3 at = ivec3(int(group * scratch.parameters.group_texels + i), int(line) % size.y, int(line) / size.y);
        if (at.x >= size.x)
            break;
        uvec4 raw = encode(filtered(scratch, scratch.parameters.tile_origin.xyz + at), scratch.parameters.target);
        for (uint part = 0u; part * 4u < bytes; part++) {
            uint byte = i * bytes + part * 4u, word = byte >> 2, shift = (byte & 3u) * 8u;
            words[word] |= raw[part] << shift;
            if (shift != 0u && word + 1u < group_words)
                words[word + 1u] |= raw[part] >> (32u - shift);
        }
    }
    uint first = scratch.parameters.target.first_word + (line * scratch.parameters.row_groups + group) * group_words;
    for (uint i = 0u; i < group_words; i++)
        scratch.words[first + i] = words[i];
}
