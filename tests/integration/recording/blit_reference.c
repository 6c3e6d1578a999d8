/* SPDX-License-Identifier: MIT */
#include "integration/recording/blit_reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* clang-format off */
#define ONE(NAME, BYTES, NUMBERS, R) {VK_FORMAT_##NAME, #NAME, BYTES, NUMBERS_##NUMBERS, {R}, {0}}
#define ROW2(NAME, BYTES, NUMBERS, B) {VK_FORMAT_##NAME, #NAME, BYTES, NUMBERS_##NUMBERS, {B, B}, {0, B}}
#define ROW3(NAME, BYTES, NUMBERS, B) {VK_FORMAT_##NAME, #NAME, BYTES, NUMBERS_##NUMBERS, {B, B, B}, {0, B, 2 * B}}
#define ROW4(NAME, BYTES, NUMBERS, B) {VK_FORMAT_##NAME, #NAME, BYTES, NUMBERS_##NUMBERS, {B, B, B, B}, {0, B, 2 * B, 3 * B}}
const struct blit_format blit_formats[] = {
    ONE(R8_UNORM, 1, UNORM, 8),
    ONE(R8_SNORM, 1, SNORM, 8),
    ONE(R8_SRGB, 1, SRGB, 8),
    ROW2(R8G8_UNORM, 2, UNORM, 8),
    ROW2(R8G8_SNORM, 2, SNORM, 8),
    ROW3(R8G8B8_UNORM, 3, UNORM, 8),
    ROW4(R8G8B8A8_UNORM, 4, UNORM, 8),
    ROW4(R8G8B8A8_SNORM, 4, SNORM, 8),
    ROW4(R8G8B8A8_SRGB, 4, SRGB, 8),
    {VK_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, NUMBERS_UNORM, {8, 8, 8, 8}, {16, 8, 0, 24}},
    {VK_FORMAT_B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 4, NUMBERS_SRGB, {8, 8, 8, 8}, {16, 8, 0, 24}},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, "R5G6B5", 2, NUMBERS_UNORM, {5, 6, 5}, {11, 5, 0}},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, "A1R5G5B5", 2, NUMBERS_UNORM, {5, 5, 5, 1}, {10, 5, 0, 15}},
    {VK_FORMAT_B4G4R4A4_UNORM_PACK16, "B4G4R4A4", 2, NUMBERS_UNORM, {4, 4, 4, 4}, {4, 8, 12, 0}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "A2B10G10R10", 4, NUMBERS_UNORM, {10, 10, 10, 2}, {0, 10, 20, 30}},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, "A2R10G10B10", 4, NUMBERS_UNORM, {10, 10, 10, 2}, {20, 10, 0, 30}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "B10G11R11", 4, NUMBERS_FLOAT, {11, 11, 10}, {0, 11, 22}},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "E5B9G9R9", 4, NUMBERS_SHARED, {9, 9, 9}, {0, 9, 18}},
    ONE(R16_UNORM, 2, UNORM, 16),
    ONE(R16_SNORM, 2, SNORM, 16),
    ONE(R16_SFLOAT, 2, FLOAT, 16),
    ROW2(R16G16_UNORM, 4, UNORM, 16),
    ROW2(R16G16_SFLOAT, 4, FLOAT, 16),
    ROW3(R16G16B16_SFLOAT, 6, FLOAT, 16),
    ROW4(R16G16B16A16_UNORM, 8, UNORM, 16),
    ROW4(R16G16B16A16_SNORM, 8, SNORM, 16),
    ROW4(R16G16B16A16_SFLOAT, 8, FLOAT, 16),
    ONE(R32_SFLOAT, 4, FLOAT, 32),
    ROW2(R32G32_SFLOAT, 8, FLOAT, 32),
    ROW3(R32G32B32_SFLOAT, 12, FLOAT, 32),
    ROW4(R32G32B32A32_SFLOAT, 16, FLOAT, 32),
};
/* clang-format on */
const uint32_t blit_format_count = sizeof(blit_formats) / sizeof(blit_formats[0]);

const struct blit_format *blit_format(VkFormat format)
{
    for (uint32_t i = 0; i < blit_format_count; i++) {
        if (blit_formats[i].format == format)
            return &blit_formats[i];
    }
    return NULL;
}

/* ---- Texels ---- */

static uint32_t get_bits(const uint8_t *texel, uint32_t shift, uint32_t bits)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < bits; i++)
        value |= (uint32_t)(texel[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
    return value;
}

static void put_bits(uint8_t *texel, uint32_t shift, uint32_t bits, uint32_t value)
{
    for (uint32_t i = 0; i < bits; i++) {
        texel[(shift + i) / 8] = (uint8_t)(texel[(shift + i) / 8] & ~(1u << (shift + i) % 8));
        texel[(shift + i) / 8] = (uint8_t)(texel[(shift + i) / 8] | (value >> i & 1) << (shift + i) % 8);
    }
}

/* Bits of the fraction of a float, and whether it has a sign. */
static uint32_t fraction_bits(uint32_t bits)
{
    return bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
}

static double small_float(uint32_t raw, uint32_t bits)
{
    uint32_t fraction = fraction_bits(bits), exponent_bits = bits == 32 ? 8 : 5;
    int bias = (1 << (exponent_bits - 1)) - 1;
    bool negative = bits >= 16 && raw >> (bits - 1);
    int exponent = (int)(raw >> fraction & ((1u << exponent_bits) - 1));
    double mantissa = raw & ((1u << fraction) - 1);
    double value = exponent ? ldexp(mantissa + ldexp(1, (int)fraction), exponent - bias - (int)fraction)
                            : ldexp(mantissa, 1 - bias - (int)fraction);
    return negative ? -value : value;
}

static double to_linear(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double to_srgb(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

/* A component as the number that is stored: sRGB is not decoded. */
static double stored(const struct blit_format *format, const uint8_t *texel, unsigned c)
{
    uint32_t bits = format->bits[c], raw = get_bits(texel, format->shift[c], bits);
    switch (format->numbers) {
    case NUMBERS_SHARED:
        return ldexp(raw, (int)get_bits(texel, 27, 5) - 24);
    case NUMBERS_FLOAT:
        return small_float(raw, bits);
    case NUMBERS_SNORM: {
        double top = (1u << (bits - 1)) - 1;
        double value = raw >> (bits - 1) ? (double)raw - (double)(1u << bits) : raw;
        return fmax(value / top, -1);
    }
    default:
        return raw / (double)((1u << bits) - 1);
    }
}

static void decode(const struct blit_format *format, const uint8_t *texel, double value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        value[c] = format->bits[c] ? stored(format, texel, c) : c == 3;
        if (format->numbers == NUMBERS_SRGB && format->bits[c] && c < 3)
            value[c] = to_linear(value[c]);
    }
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t random_float(uint32_t bits, uint32_t *state)
{
    uint32_t fraction = fraction_bits(bits), bias = bits == 32 ? 127 : 15;
    uint32_t sign = bits >= 16 ? (next_random(state) & 1) << (bits - 1) : 0;
    return sign | (bias - 3 + next_random(state) % 5) << fraction | (next_random(state) & ((1u << fraction) - 1));
}

void blit_texture_fill(struct blit_texture *texture, uint32_t seed)
{
    const struct blit_format *format = texture->format;
    size_t count = (size_t)texture->size[0] * (size_t)texture->size[1] * (size_t)texture->size[2];
    for (size_t i = 0; i < count; i++) {
        uint8_t *texel = texture->texels + i * format->bytes;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t bits = format->bits[c];
            uint32_t value = format->numbers == NUMBERS_FLOAT && bits ? random_float(bits, &seed) : next_random(&seed);
            if (bits)
                put_bits(texel, format->shift[c], bits, value);
        }
        if (format->numbers == NUMBERS_SHARED)
            put_bits(texel, 27, 5, 12 + next_random(&seed) % 5);
    }
}

/* ---- The blit ---- */

static int32_t clamp(int32_t value, int32_t low, int32_t end)
{
    return value < low ? low : value >= end ? end - 1 : value;
}

/* The first texel that may be read along an axis, and the one after the last. */
static int32_t bound(const struct blit_texture *source, const struct blit_offsets *offsets, unsigned axis,
                     bool region_edge, int32_t *end)
{
    int32_t a = offsets->source[0][axis], b = offsets->source[1][axis];
    *end = region_edge ? (a < b ? b : a) : source->size[axis];
    return region_edge ? (a < b ? a : b) : 0;
}

/* How much a texel counts that lies `i` behind the lower of the two around the coordinate. */
static double share_of(uint32_t cubic, double t, int32_t i)
{
    /* The specification's matrices ("Texel Cubic Filtering"); it prints the last number of the second one as 1. */
    static const struct {
        double divisor, powers[4][4];
    } kinds[] = {{2, {{0, 2, 0, 0}, {-1, 0, 1, 0}, {2, -5, 4, -1}, {-1, 3, -3, 1}}},
                 {2, {{0, 2, 0, 0}, {-2, 0, 2, 0}, {4, -4, 2, -2}, {-2, 2, -2, 2}}},
                 {6, {{1, 4, 1, 0}, {-3, 0, 3, 0}, {3, -6, 3, 0}, {-1, 3, -3, 1}}},
                 {18, {{1, 16, 1, 0}, {-9, 0, 9, 0}, {15, -36, 27, -6}, {-7, 21, -21, 7}}}};
    double share = 0;
    if (!cubic)
        return i == 0 ? 1 - t : i == 1 ? t : 0;
    for (int power = 3; power >= 0; power--)
        share = share * t + kinds[cubic - 1].powers[power][i + 1];
    return share / kinds[cubic - 1].divisor;
}

void blit_expected(const struct blit_texture *source, const struct blit_offsets *offsets, const int32_t at[3],
                   bool region_edge, double expected[4])
{
    int32_t base[3];
    double weight[3];
    for (unsigned i = 0; i < 3; i++) {
        double scale = ((double)offsets->source[1][i] - offsets->source[0][i]) /
                       ((double)offsets->target[1][i] - offsets->target[0][i]);
        double u = (at[i] + 0.5 - offsets->target[0][i]) * scale + offsets->source[0][i];
        base[i] = (int32_t)floor(u - 0.5);
        weight[i] = u - 0.5 - floor(u - 0.5);
        if (i == 2 && source->layers) {
            base[i] = (int32_t)floor(u);
            weight[i] = 0;
        }
    }
    memset(expected, 0, 4 * sizeof(*expected));
    for (unsigned n = 0; n < 64; n++) {
        int32_t texel[3];
        double share = 1, value[4];
        for (unsigned i = 0; i < 3; i++) {
            int32_t behind = (int32_t)(n >> 2 * i & 3) - 1;
            int32_t end, low = bound(source, offsets, i, region_edge, &end);
            texel[i] = clamp(base[i] + behind, low, end);
            share *= share_of(i < 2 ? offsets->cubic : 0, weight[i], behind);
        }
        if (share == 0)
            continue;
        size_t index = ((size_t)texel[2] * (size_t)source->size[1] + (size_t)texel[1]) * (size_t)source->size[0] +
                       (size_t)texel[0];
        decode(source->format, source->texels + index * source->format->bytes, value);
        for (unsigned c = 0; c < 4; c++)
            expected[c] += share * value[c];
    }
}

/* The stored value nearest to a number, and how far from it a right one may be. */
static double storable(const struct blit_format *format, unsigned c, const double expected[4], double *tolerance)
{
    const double arithmetic = 6e-6;
    double value = expected[c], largest = fmax(fmax(expected[0], expected[1]), expected[2]);
    uint32_t bits = format->bits[c];
    int exponent;
    switch (format->numbers) {
    case NUMBERS_UNORM:
        *tolerance = 0.501 / ((1u << bits) - 1) + arithmetic;
        return fmin(fmax(value, 0), 1);
    case NUMBERS_SRGB:
        *tolerance = 0.501 / 255 + 4 * arithmetic;
        value = fmin(fmax(value, 0), 1);
        return c < 3 ? to_srgb(value) : value;
    case NUMBERS_SNORM:
        *tolerance = 0.501 / ((1u << (bits - 1)) - 1) + arithmetic;
        return fmin(fmax(value, -1), 1);
    case NUMBERS_SHARED:
        frexp(fmax(largest, ldexp(1, -15)), &exponent);
        *tolerance = ldexp(0.501, exponent - 9) + arithmetic;
        return fmax(value, 0);
    default:
        value = bits < 16 ? fmax(value, 0) : value;
        *tolerance = fmax(fabs(value), ldexp(1, -14)) * ldexp(1, -(int)fraction_bits(bits) - 1) * 1.001 + arithmetic;
        return value;
    }
}

bool blit_agrees(const struct blit_format *format, const uint8_t *texel, const double expected[4], double slack,
                 unsigned *channel, double *found)
{
    for (unsigned c = 0; c < 4; c++) {
        double tolerance;
        if (!format->bits[c])
            continue;
        double wanted = storable(format, c, expected, &tolerance);
        *channel = c;
        *found = stored(format, texel, c);
        if (!(fabs(*found - wanted) <= tolerance + slack))
            return false;
    }
    return true;
}
