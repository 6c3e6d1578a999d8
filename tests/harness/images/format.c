/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "harness/images/format.h"

static const struct format formats[LOOKUP_FORMATS] = {
    [LOOKUP_RGBA8] = {"RGBA8", VK_FORMAT_R8G8B8A8_UNORM, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, FORMAT_UNORM, 4, 1, 4, 8,
                      false},
    [LOOKUP_RGBA32F] = {"RGBA32F", VK_FORMAT_R32G32B32A32_SFLOAT, GL_RGBA32F, GL_RGBA, GL_FLOAT, FORMAT_FLOAT, 16, 1, 4,
                        32, false},
    [LOOKUP_RGBA8UI] = {"RGBA8UI", VK_FORMAT_R8G8B8A8_UINT, GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, FORMAT_UINT,
                        4, 1, 4, 8, false},
    [LOOKUP_DEPTH32F] = {"DEPTH32F", VK_FORMAT_D32_SFLOAT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT,
                         FORMAT_DEPTH_FLOAT, 4, 1, 1, 32, false},
    [LOOKUP_DEPTH16] = {"DEPTH16", VK_FORMAT_D16_UNORM, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                        FORMAT_DEPTH_UNORM, 2, 1, 1, 16, false},
    [LOOKUP_DEPTH24] = {"DEPTH24 in D32_SFLOAT", VK_FORMAT_D32_SFLOAT, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT,
                        GL_FLOAT, FORMAT_DEPTH_UNORM, 4, 1, 1, 32, false},
    [LOOKUP_DEPTH32F_STENCIL8] = {"DEPTH32F_STENCIL8", VK_FORMAT_D32_SFLOAT_S8_UINT, GL_DEPTH32F_STENCIL8,
                                  GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, FORMAT_DEPTH_FLOAT, 8, 1, 1, 32,
                                  false},
    [LOOKUP_R8] = {"R8", VK_FORMAT_R8_UNORM, GL_R8, GL_RED, GL_UNSIGNED_BYTE, FORMAT_UNORM, 1, 1, 1, 8, false},
    [LOOKUP_RG8] = {"RG8", VK_FORMAT_R8G8_UNORM, GL_RG8, GL_RG, GL_UNSIGNED_BYTE, FORMAT_UNORM, 2, 1, 2, 8, false},
    [LOOKUP_RGBA8_SNORM] = {"RGBA8_SNORM", VK_FORMAT_R8G8B8A8_SNORM, GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, FORMAT_SNORM, 4,
                            1, 4, 8, false},
    [LOOKUP_SRGB8_ALPHA8] = {"SRGB8_ALPHA8", VK_FORMAT_R8G8B8A8_SRGB, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE,
                             FORMAT_UNORM, 4, 1, 4, 8, true},
    [LOOKUP_R16] = {"R16", VK_FORMAT_R16_UNORM, GL_R16, GL_RED, GL_UNSIGNED_SHORT, FORMAT_UNORM, 2, 1, 1, 16, false},
    [LOOKUP_RGBA16] = {"RGBA16", VK_FORMAT_R16G16B16A16_UNORM, GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, FORMAT_UNORM, 8,
                       1, 4, 16, false},
    [LOOKUP_R16F] = {"R16F", VK_FORMAT_R16_SFLOAT, GL_R16F, GL_RED, GL_HALF_FLOAT, FORMAT_FLOAT, 2, 1, 1, 16, false},
    [LOOKUP_RG16F] = {"RG16F", VK_FORMAT_R16G16_SFLOAT, GL_RG16F, GL_RG, GL_HALF_FLOAT, FORMAT_FLOAT, 4, 1, 2, 16,
                      false},
    [LOOKUP_RGBA16F] = {"RGBA16F", VK_FORMAT_R16G16B16A16_SFLOAT, GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, FORMAT_FLOAT, 8,
                        1, 4, 16, false},
    [LOOKUP_R32F] = {"R32F", VK_FORMAT_R32_SFLOAT, GL_R32F, GL_RED, GL_FLOAT, FORMAT_FLOAT, 4, 1, 1, 32, false},
    [LOOKUP_RG32F] = {"RG32F", VK_FORMAT_R32G32_SFLOAT, GL_RG32F, GL_RG, GL_FLOAT, FORMAT_FLOAT, 8, 1, 2, 32, false},
    [LOOKUP_R8UI] = {"R8UI", VK_FORMAT_R8_UINT, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, FORMAT_UINT, 1, 1, 1, 8,
                     false},
    [LOOKUP_RGBA8I] = {"RGBA8I", VK_FORMAT_R8G8B8A8_SINT, GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, FORMAT_INT, 4, 1, 4, 8,
                       false},
    [LOOKUP_RGBA32UI] = {"RGBA32UI", VK_FORMAT_R32G32B32A32_UINT, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                         FORMAT_UINT, 16, 1, 4, 32, false},
    [LOOKUP_RG32I] = {"RG32I", VK_FORMAT_R32G32_SINT, GL_RG32I, GL_RG_INTEGER, GL_INT, FORMAT_INT, 8, 1, 2, 32, false},
    [LOOKUP_BC1] = {"BC1", VK_FORMAT_BC1_RGBA_UNORM_BLOCK, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 0, 0, FORMAT_COMPRESSED, 8,
                    4, 4, 8, false},
    [LOOKUP_BC1_SRGB] = {"BC1 sRGB", VK_FORMAT_BC1_RGBA_SRGB_BLOCK, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, 0, 0,
                         FORMAT_COMPRESSED, 8, 4, 4, 8, true},
    [LOOKUP_BC3] = {"BC3", VK_FORMAT_BC3_UNORM_BLOCK, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 0, 0, FORMAT_COMPRESSED, 16, 4,
                    4, 8, false},
    [LOOKUP_BC4] = {"BC4", VK_FORMAT_BC4_UNORM_BLOCK, GL_COMPRESSED_RED_RGTC1, 0, 0, FORMAT_COMPRESSED, 8, 4, 1, 8,
                    false},
};

const struct format *format_of(enum lookup_format format)
{
    return &formats[format];
}

bool format_is_depth(enum lookup_format format)
{
    return formats[format].class == FORMAT_DEPTH_UNORM || formats[format].class == FORMAT_DEPTH_FLOAT;
}

bool format_is_integer(enum lookup_format format)
{
    return formats[format].class == FORMAT_UINT || formats[format].class == FORMAT_INT;
}

size_t format_level_size(enum lookup_format format, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers)
{
    const uint32_t side = formats[format].side;
    return (size_t)((width + side - 1) / side) * ((height + side - 1) / side) * depth * layers * formats[format].size;
}

enum reference_kind format_kind(enum lookup_format format, enum format_reading reading)
{
    static const enum reference_kind kinds[] = {
        [FORMAT_UNORM] = REFERENCE_FLOAT,
        [FORMAT_SNORM] = REFERENCE_FLOAT,
        [FORMAT_FLOAT] = REFERENCE_FLOAT,
        [FORMAT_UINT] = REFERENCE_UINT,
        [FORMAT_INT] = REFERENCE_INT,
        [FORMAT_DEPTH_UNORM] = REFERENCE_DEPTH_UNORM,
        [FORMAT_DEPTH_FLOAT] = REFERENCE_DEPTH_FLOAT,
        [FORMAT_COMPRESSED] = REFERENCE_FLOAT,
    };
    return reading == FORMAT_STENCIL ? REFERENCE_UINT : kinds[formats[format].class];
}

/* ---- Numbers ---- */

uint16_t format_half(float value)
{
    int exponent;
    float fraction = frexpf(fabsf(value), &exponent);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    if (fraction <= 0)
        return sign;
    if (exponent < -13) /* subnormal */
        return (uint16_t)(sign | (uint16_t)lrintf(ldexpf(fabsf(value), 24)));
    return (uint16_t)(sign + ((exponent + 14) << 10) + (int)lrintf((fraction * 2 - 1) * 1024));
}

float format_from_half(uint16_t half)
{
    int exponent = half >> 10 & 31;
    float fraction = (float)(half & 1023) / 1024;
    float value = exponent ? ldexpf(1 + fraction, exponent - 15) : ldexpf(fraction, -14);
    return half & 0x8000 ? -value : value;
}

/* Section 8.24 of OpenGL: from sRGB's component to a linear one. */
static float srgb_to_linear(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

/* ---- Decoding ---- */

static void decode_channel(const struct format *format, const uint8_t *bytes, int channel, union reference_color *color)
{
    const uint8_t *at = bytes + (size_t)channel * format->bits / 8;
    uint16_t half = 0;
    uint32_t word = 0;
    memcpy(&half, at, format->bits >= 16 ? sizeof(half) : 0);
    memcpy(&word, at, format->bits >= 32 ? sizeof(word) : 0);
    switch (format->class) {
    case FORMAT_UNORM:
    case FORMAT_DEPTH_UNORM:
        if (format->bits == 32) /* DEPTH24 travels as a float */
            memcpy(&color->f[channel], &word, sizeof(word));
        else
            color->f[channel] = format->bits == 8 ? (float)*at / 255 : (float)half / 65535;
        break;
    case FORMAT_SNORM:
        color->f[channel] = fmaxf((float)(int8_t)*at / 127, -1);
        break;
    case FORMAT_UINT:
        color->u[channel] = format->bits == 8 ? *at : word;
        break;
    case FORMAT_INT:
        color->i[channel] = format->bits == 8 ? (int8_t)*at : (int32_t)word;
        break;
    default:
        if (format->bits == 16)
            color->f[channel] = format_from_half(half);
        else
            memcpy(&color->f[channel], &word, sizeof(word));
        break;
    }
}

static void decode_srgb(union reference_color *color)
{
    for (int c = 0; c < 3; c++)
        color->f[c] = srgb_to_linear(color->f[c]);
}

static void decode_texel(const struct format *format, enum format_reading reading, const uint8_t *bytes,
                         union reference_color *color)
{
    bool integer = format->class == FORMAT_UINT || format->class == FORMAT_INT || reading == FORMAT_STENCIL;
    *color = (union reference_color){.u = {0, 0, 0, 1}};
    if (!integer)
        color->f[3] = 1;
    if (reading == FORMAT_STENCIL) {
        color->u[0] = bytes[4];
        return;
    }
    for (int c = 0; c < format->channels; c++)
        decode_channel(format, bytes, c, color);
    if (format->srgb && reading == FORMAT_AS_IT_IS)
        decode_srgb(color);
}

static void decode_565(uint32_t word, float color[3])
{
    color[0] = (float)(word >> 11 & 31) / 31;
    color[1] = (float)(word >> 5 & 63) / 63;
    color[2] = (float)(word & 31) / 31;
}

/* BC1's colours 0 and 1; blocks of these tests have no others. */
static void decode_color_block(const uint8_t *bytes, uint32_t place, union reference_color *color)
{
    uint32_t chosen = (uint32_t)bytes[4 + place / 4] >> (2 * (place % 4)) & 1u;
    decode_565((uint32_t)(bytes[2 * chosen] | bytes[2 * chosen + 1] << 8), color->f);
}

/* The same of a block of one channel (BC3's alpha, BC4's red). */
static float decode_channel_block(const uint8_t *bytes, uint32_t place)
{
    uint64_t bits = 0;
    for (int i = 0; i < 6; i++)
        bits |= (uint64_t)bytes[2 + i] << (8 * i);
    return (float)bytes[bits >> (3 * place) & 1u] / 255;
}

static void decode_from_block(enum lookup_format format, enum format_reading reading, const uint8_t *block,
                              uint32_t place, union reference_color *color)
{
    *color = (union reference_color){.f = {0, 0, 0, 1}};
    if (format == LOOKUP_BC4) {
        color->f[0] = decode_channel_block(block, place);
    } else if (format == LOOKUP_BC3) {
        decode_color_block(block + 8, place, color);
        color->f[3] = decode_channel_block(block, place);
    } else {
        decode_color_block(block, place, color);
    }
    if (formats[format].srgb && reading == FORMAT_AS_IT_IS)
        decode_srgb(color);
}

void format_decode(enum lookup_format format, enum format_reading reading, uint32_t width, uint32_t height,
                   uint32_t depth_and_layers, const void *bytes, union reference_color *texels)
{
    const struct format *about = &formats[format];
    const uint32_t side = about->side, across = (width + side - 1) / side, down = (height + side - 1) / side;
    for (uint32_t z = 0; z < depth_and_layers; z++)
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++) {
                size_t block = ((size_t)z * down + y / side) * across + x / side;
                const uint8_t *at = (const uint8_t *)bytes + block * about->size;
                if (side > 1)
                    decode_from_block(format, reading, at, y % side * side + x % side, texels);
                else
                    decode_texel(about, reading, at, texels);
                texels++;
            }
}

/* ---- Contents ---- */

/* A fraction between 0.25 and 0.75 with 8 bits. */
static uint8_t fill_byte(uint32_t random, uint32_t level, int channel)
{
    return (uint8_t)(70 + 12 * (level % 5) + (random >> (8 * channel) & 63));
}

static float fill_depth(enum lookup_format format, uint32_t random)
{
    /* Exact in float, as compare values are: equality can be asked for. 24 bits hold no such numbers but 0 and 1. */
    return (float)(13 + random % 41) / 64.0f + (format == LOOKUP_DEPTH24 ? 1.0f / 128 : 0);
}

static void fill_block(enum lookup_format format, uint32_t random, uint32_t level, uint8_t *bytes)
{
    /* Colour 0 is greater than colour 1, which makes it a block without transparent texels. */
    const uint32_t red = 9 + level % 5 + (random & 3), green = 20 + (random >> 2 & 15), blue = 10 + (random >> 6 & 7);
    const uint32_t first = (red + 2) << 11 | green << 5 | blue, second = red << 11 | (green + 6) << 5 | (blue + 3);
    uint8_t *color = format == LOOKUP_BC3 ? bytes + 8 : bytes;
    memset(bytes, 0, formats[format].size);
    if (format != LOOKUP_BC4) {
        color[0] = (uint8_t)first, color[1] = (uint8_t)(first >> 8);
        color[2] = (uint8_t)second, color[3] = (uint8_t)(second >> 8);
        for (int i = 0; i < 4; i++)
            color[4 + i] = (uint8_t)(random >> (8 * i)) & 0x55;
    }
    if (format == LOOKUP_BC3 || format == LOOKUP_BC4) {
        uint64_t bits = 0;
        for (int i = 0; i < 16; i++)
            bits |= (uint64_t)(random >> (i + 7) & 1) << (3 * i);
        bytes[0] = (uint8_t)(150 + (random >> 10 & 31)),
        bytes[1] = (uint8_t)(80 + 8 * (level % 5) + (random >> 5 & 15));
        for (int i = 0; i < 6; i++)
            bytes[2 + i] = (uint8_t)(bits >> (8 * i));
    }
}

static void fill_channel(const struct format *format, uint32_t random, uint32_t level, int c, uint8_t *at)
{
    const uint8_t byte = fill_byte(random, level, c);
    const float fraction = 0.25f + 0.05f * (float)(level % 5) + (float)(random >> (8 * c) & 255) / 1024.0f;
    if (format->class == FORMAT_UINT || format->class == FORMAT_INT) {
        /* Below 2^24: results travel as floats. */
        int32_t value = format->bits == 8 ? byte : (int32_t)(byte * 4099u);
        value = format->class == FORMAT_INT ? (byte & 1 ? value : -value) / 2 : value;
        memcpy(at, &value, format->bits / 8);
    } else if (format->bits == 8) {
        *at = format->class == FORMAT_SNORM ? (uint8_t)(byte - 128) : byte;
    } else if (format->bits == 16) {
        uint16_t half = format->class == FORMAT_FLOAT ? format_half(fraction) : (uint16_t)(fraction * 65535);
        memcpy(at, &half, sizeof(half));
    } else {
        memcpy(at, &fraction, sizeof(fraction));
    }
}

void format_fill(enum lookup_format format, uint32_t random, uint32_t level, void *bytes)
{
    const struct format *about = &formats[format];
    float depth = fill_depth(format, random);
    uint16_t depth16 = (uint16_t)(depth * 65535.0f);
    uint32_t stencil = fill_byte(random, level, 1);
    if (about->side > 1) {
        fill_block(format, random, level, bytes);
    } else if (!format_is_depth(format)) {
        for (int c = 0; c < about->channels; c++)
            fill_channel(about, random, level, c, (uint8_t *)bytes + (size_t)c * about->bits / 8);
    } else if (format == LOOKUP_DEPTH16) {
        memcpy(bytes, &depth16, sizeof(depth16));
    } else {
        memcpy(bytes, &depth, sizeof(depth));
        if (format == LOOKUP_DEPTH32F_STENCIL8)
            memcpy((uint8_t *)bytes + 4, &stencil, sizeof(stencil));
    }
}
