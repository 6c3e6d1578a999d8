/* SPDX-License-Identifier: MIT */
// Uniform texel buffers that the driver cannot view as they are: where their words are, and what a texel reads as.
// OpenGL 4.6, section 8.9 and table 8.18 (compatibility: with ALPHA, LUMINANCE, LUMINANCE_ALPHA and INTENSITY).
//
// The record is the first half of struct texel_record (layer/base/record/record.h): flags, elements, and two words that
// say where texel 0 is. The rewriter writes the fetches and loads themselves:
//
//     f0 = imageFetch(texel_coordinate(index, record, 0));
//     if (texel_emulated(record)) {
//         words = texel_words(f0, imageFetch(... 1), imageFetch(... 2), index, record);    (views)
//         words = texel_loads(index, record) ? loads(texel_address, texel_load_word) : words;   (addresses)
//         result = texel_bits_...(words, index, record);
//     }
//
// and where code may branch, before that
//
//     if (texel_is_rgb(record)) {
//         pair, word = loads(texel_rgb_address, texel_rgb_pair), loads(texel_rgb_address, texel_rgb_word);
//         result = texel_rgb_bits(pair, word, index, record);
//     }

#ifndef TEXEL_BUFFER_GLSL
#define TEXEL_BUFFER_GLSL

#include "../layer/base/record/layout.h"

uint texel_path(const in uvec4 record)
{
    return record.x & TEXEL_PATH_MASK;
}

uint texel_width(const in uvec4 record)
{
    return (record.x >> TEXEL_WIDTH_SHIFT) & TEXEL_WIDTH_MASK;
}

uint texel_type(const in uvec4 record)
{
    return (record.x >> TEXEL_TYPE_SHIFT) & TEXEL_TYPE_MASK;
}

uint texel_components(const in uvec4 record)
{
    return ((record.x >> TEXEL_COMPONENTS_SHIFT) & TEXEL_COMPONENTS_MASK) + 1u;
}

// Is anything asked of the shader?
bool texel_emulated(const in uvec4 record)
{
    return (record.x & RECORD_OTHER) != 0u;
}

// Are its three words, by address, red, green and blue, with nothing to be done to them?
bool texel_is_rgb(const in uvec4 record)
{
    return (record.x & TEXEL_RGB) != 0u;
}

// Bytes of a texel.
uint texel_size(const in uvec4 record)
{
    return texel_width(record) == TEXEL_WIDTH_PACKED ? 4u : texel_components(record) << texel_width(record);
}

// Negative indices are large ones.
bool texel_inside(const in uint index, const in uvec4 record)
{
    return index < record.y;
}

// textureSize.
uint texel_count(const in uint driver_count, const in uvec4 record)
{
    return texel_emulated(record) ? record.y : driver_count;
}

// What of a fetch hangs on the record alone, so that several fetches with one record do it once: bytes from one texel
// to the next, bytes before texel 0, the shift from words to what the driver's view holds, and the number of a texel's
// last word. Indices of the driver's own views are words here; by address the view is not looked at, and all is zero.
uvec4 texel_steps(const in uvec4 record)
{
    const uint path = texel_path(record);
    const bool words = texel_emulated(record) && (path == TEXEL_PATH_WORDS || path == TEXEL_PATH_BLOCKS);
    const bool address = texel_emulated(record) && path == TEXEL_PATH_ADDRESS;
    const uint size = texel_size(record);
    return words ? uvec4(size, record.z, path == TEXEL_PATH_BLOCKS ? 2u : 0u, max(size >> 2, 1u) - 1u)
                 : uvec4(address ? 0u : 4u, 0u, 0u, 0u);
}

// The word of the driver's view at which the texel begins. An index outside is texel 0's: something that is safe to
// fetch. Outside of a view that is the driver's own it stays outside.
uint texel_word(const in uint index, const in uvec4 record)
{
    const uvec4 steps = texel_steps(record);
    const uint safe = texel_inside(index, record) || !texel_emulated(record) ? index : 0u;
    return (steps.y + safe * steps.x) >> 2;
}

// Where the driver's view is fetched for word `k` of the texel; beyond the last word: that one again.
int texel_coordinate(const in uint index, const in uvec4 record, const in uint k)
{
    const uvec4 steps = texel_steps(record);
    const uint place = (texel_word(index, record) + min(k, steps.w)) >> steps.z;
    return int(texel_emulated(record) ? place : index);
}

uint texel_pick(const in uvec4 block, const in uint component)
{
    const uint low = component == 0u ? block.x : block.y;
    const uint high = component == 2u ? block.z : block.w;
    return component < 2u ? low : high;
}

// The texel's words out of what was fetched at texel_coordinate() of 0, 1 and 2; a native texel's components.
uvec4 texel_words(const in uvec4 f0, const in uvec4 f1, const in uvec4 f2, const in uint index, const in uvec4 record)
{
    const uvec4 steps = texel_steps(record);
    const uint mask = (1u << steps.z) - 1u; // 0: words, 3: blocks of four
    const uvec3 place = (uvec3(texel_word(index, record)) + min(uvec3(0u, 1u, 2u), uvec3(steps.w))) & mask;
    const uvec4 words = uvec4(texel_pick(f0, place.x), texel_pick(f1, place.y), texel_pick(f2, place.z), 0u);
    return texel_path(record) == TEXEL_PATH_NATIVE ? f0 : words;
}

// Byte of the texel within its first word. Only texels of less than a word do not begin at one.
uint texel_byte(const in uint index, const in uvec4 record)
{
    return (record.z + index * texel_size(record)) & 3u;
}

// By address: word `k` of the texel, counted from texel_address().
uint texel_load_word(const in uint index, const in uvec4 record, const in uint k)
{
    const uint size = texel_size(record);
    return (((record.z & 3u) + index * size) >> 2) + min(k, max(size >> 2, 1u) - 1u);
}

// Is the texel loaded from memory?
bool texel_loads(const in uint index, const in uvec4 record)
{
    return texel_emulated(record) && texel_path(record) == TEXEL_PATH_ADDRESS && texel_inside(index, record);
}

// Does it have a fourth word?
bool texel_loads_four(const in uvec4 record)
{
    return texel_size(record) == 16u;
}

// The address that words are counted from.
uvec2 texel_address(const in uvec4 record)
{
    return uvec2(record.z & ~3u, record.w);
}

// RGB32 by address, where texel_is_rgb(): of three words two always make an aligned pair, and two loads take less than
// three. Places are counted from texel_rgb_address(), which is aligned as a pair is. An index outside is texel 0's.
uvec2 texel_rgb_address(const in uvec4 record)
{
    return uvec2(record.z & ~7u, record.w);
}

uint texel_rgb_first(const in uint index, const in uvec4 record)
{
    return ((record.z >> 2) & 1u) + 3u * (texel_inside(index, record) ? index : 0u);
}

// The number of the pair, and that of the word: the texel's first or its last one.
uint texel_rgb_pair(const in uint index, const in uvec4 record)
{
    return (texel_rgb_first(index, record) + 1u) >> 1;
}

uint texel_rgb_word(const in uint index, const in uvec4 record)
{
    const uint first = texel_rgb_first(index, record);
    return (first & 1u) != 0u ? first : first + 2u;
}

// What a fetch returns, of both loads. `one` is the bits of 1.
uvec4 texel_rgb_bits(const in uvec2 pair, const in uint word, const in uint one, const in uint index,
                     const in uvec4 record)
{
    const bool word_first = (texel_rgb_first(index, record) & 1u) != 0u;
    const uvec4 rgb = uvec4(word_first ? word : pair.x, word_first ? pair.x : pair.y, word_first ? pair.y : word, one);
    return texel_inside(index, record) ? rgb : uvec4(0u, 0u, 0u, one);
}

// Components as they lie in memory, zero-extended; what a texel does not have is anything.
uvec4 texel_fields(const in uvec4 words, const in uint index, const in uvec4 record)
{
    const uint width = texel_width(record);
    const uint low = words.x >> (texel_byte(index, record) << 3);
    const bool shared_exponents = texel_type(record) == TEXEL_TYPE_FLOAT;
    const uvec4 bytes = uvec4(low, low >> 8, low >> 16, low >> 24) & 0xffu;
    const uvec4 halves = uvec4(low & 0xffffu, low >> 16, words.y & 0xffffu, words.y >> 16);
    const uvec4 tens = uvec4(low, low >> 10, low >> 20, low >> 30) & uvec4(0x3ffu, 0x3ffu, 0x3ffu, 3u);
    // 11, 11 and 10 bits: halves without a sign, cut short.
    const uvec4 elevens = uvec4((low & 0x7ffu) << 4, ((low >> 11) & 0x7ffu) << 4, (low >> 22) << 5, 0u);
    return width == TEXEL_WIDTH_8    ? bytes
           : width == TEXEL_WIDTH_16 ? halves
           : width == TEXEL_WIDTH_32 ? words
           : shared_exponents        ? elevens
                                     : tens;
}

// Greatest value of each unsigned normalised component.
uvec4 texel_field_masks(const in uvec4 record)
{
    const uint width = texel_width(record);
    return width == TEXEL_WIDTH_8    ? uvec4(0xffu)
           : width == TEXEL_WIDTH_16 ? uvec4(0xffffu)
           : width == TEXEL_WIDTH_32 ? uvec4(0xffffffffu)
                                     : uvec4(0x3ffu, 0x3ffu, 0x3ffu, 3u);
}

uvec4 texel_sign_extended(const in uvec4 fields, const in uvec4 masks)
{
    const uvec4 signs = masks ^ (masks >> 1u);
    return (fields ^ signs) - signs;
}

uint texel_select(const in uvec4 components, const in uint one, const in uint selector)
{
    return selector < 2u ? selector * one : texel_pick(components, selector - 2u);
}

// Four selectors of three bits: 0 zero, 1 one, 2 to 5 a component.
uvec4 texel_swizzled(const in uvec4 components, const in uint one, const in uvec4 record)
{
    const uvec4 selectors = (record.xxxx >> uvec4(TEXEL_SWIZZLE_SHIFT, TEXEL_SWIZZLE_SHIFT + TEXEL_SELECTOR_BITS,
                                                  TEXEL_SWIZZLE_SHIFT + 2u * TEXEL_SELECTOR_BITS,
                                                  TEXEL_SWIZZLE_SHIFT + 3u * TEXEL_SELECTOR_BITS)) &
                            TEXEL_SELECTOR_MASK;
    return uvec4(texel_select(components, one, selectors.x), texel_select(components, one, selectors.y),
                 texel_select(components, one, selectors.z), texel_select(components, one, selectors.w));
}

// A texel's channels, zeros outside, with the view's swizzle. `one` is the bits of 1.
uvec4 texel_channels(const in uvec4 components, const in uint one, const in uint index, const in uvec4 record)
{
    return texel_swizzled(texel_inside(index, record) ? components : uvec4(0u), one, record);
}

// What a fetch returns, as 32-bit patterns, where all formats that are read by words have components of 32 bits.
uvec4 texel_bits_wide(const in uvec4 words, const in uint one, const in uint index, const in uvec4 record)
{
    return texel_channels(words, one, index, record);
}

// Factors that make fractions of normalised components.
vec4 texel_unorm_scale(const in uvec4 record)
{
    return 1.0 / vec4(texel_field_masks(record));
}

vec4 texel_snorm_scale(const in uvec4 record)
{
    return 1.0 / vec4(texel_field_masks(record) >> 1u);
}

// The same with formats of all widths: for samplerBuffer.
uvec4 texel_bits_float(const in uvec4 words, const in uint index, const in uvec4 record)
{
    const uint type = texel_type(record);
    const uvec4 fields = texel_fields(words, index, record);
    const vec4 unorm = vec4(fields) * texel_unorm_scale(record);
    const vec4 snorm = max(
        vec4(ivec4(texel_sign_extended(fields, texel_field_masks(record)))) * texel_snorm_scale(record), vec4(-1.0));
    const vec4 halves = vec4(unpackHalf2x16(fields.x).x, unpackHalf2x16(fields.y).x, unpackHalf2x16(fields.z).x,
                             unpackHalf2x16(fields.w).x);
    const bool raw = texel_path(record) == TEXEL_PATH_NATIVE || texel_width(record) == TEXEL_WIDTH_32;
    const uvec4 decoded = floatBitsToUint(type == TEXEL_TYPE_UNORM ? unorm : type == TEXEL_TYPE_SNORM ? snorm : halves);
    return texel_channels(raw ? words : decoded, 0x3f800000u, index, record);
}

// And for isamplerBuffer and usamplerBuffer.
uvec4 texel_bits_int(const in uvec4 words, const in uint index, const in uvec4 record)
{
    const uvec4 fields = texel_fields(words, index, record);
    const uvec4 extended =
        texel_type(record) == TEXEL_TYPE_SINT ? texel_sign_extended(fields, texel_field_masks(record)) : fields;
    const bool raw = texel_path(record) == TEXEL_PATH_NATIVE || texel_width(record) == TEXEL_WIDTH_32;
    return texel_channels(raw ? words : extended, 1u, index, record);
}

#endif
