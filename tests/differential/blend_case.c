/* SPDX-License-Identifier: MIT */
#include "differential/blend_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#define RGBA (VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT)

const float blend_clear_color[4] = {0.3f, 0.6f, 0.2f, 0.25f};
const uint32_t blend_clear_integers[4] = {70, 150, 50, 66};
const float blend_constants[4] = {0.35f, 0.6f, 0.15f, 0.45f};

static const struct blend_family_info families[BLEND_FAMILIES] = {
    [BLEND_UNORM8] = {"UNORM8", VK_FORMAT_R8G8B8A8_UNORM, 4, GL_RGB8, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 255},
    [BLEND_SRGB8] = {"sRGB", VK_FORMAT_R8G8B8A8_SRGB, 4, GL_SRGB8, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 255},
    [BLEND_RGB10] = {"RGB10", VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, GL_RGB10, GL_RGB10_A2, GL_RGBA,
                     GL_UNSIGNED_INT_2_10_10_10_REV, 1023},
    [BLEND_FLOAT16] = {"FLOAT16", VK_FORMAT_R16G16B16A16_SFLOAT, 8, GL_RGB16F, GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT,
                       1024},
    [BLEND_UINT8] = {"UINT8", VK_FORMAT_R8G8B8A8_UINT, 4, GL_RGB8UI, GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 0},
    [BLEND_SPECIAL16] = {"SPECIAL16", VK_FORMAT_R16G16B16A16_SFLOAT, 8, GL_RGB16F, GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT,
                         0},
};

const struct blend_family_info *blend_family(enum blend_family family)
{
    return &families[family];
}

/* ---- The list ---- */

static const VkBlendOp ops[] = {VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_OP_MIN,
                                VK_BLEND_OP_MAX};
enum { OPS = sizeof(ops) / sizeof(ops[0]), MASKS = 16, LOGIC_OPS = 16, SHORT_STRIDE = 61 };

bool blend_reads_second(const struct blend_draw *draw)
{
    return draw->blends &&
           (draw->source >= VK_BLEND_FACTOR_SRC1_COLOR || draw->destination >= VK_BLEND_FACTOR_SRC1_COLOR);
}

bool blend_has_numbers(enum blend_family family)
{
    return family != BLEND_UINT8 && family != BLEND_SPECIAL16;
}

static bool has_halves(enum blend_family family)
{
    return family == BLEND_FLOAT16 || family == BLEND_SPECIAL16;
}

/* Logic operations are for numbers that are no floats, and not for sRGB (OpenGL 4.6, section 17.3.9). */
static bool has_logic(enum blend_family family)
{
    return family == BLEND_UNORM8 || family == BLEND_UINT8;
}

struct blend_draw *blend_draws(enum blend_family family, bool full, size_t *count)
{
    const size_t most = (size_t)BLEND_FACTORS * BLEND_FACTORS * OPS + MASKS + LOGIC_OPS;
    struct blend_draw *draws = calloc(most, sizeof(*draws));
    size_t used = 0, seen = 0;
    if (!draws)
        abort();
    for (size_t op = 0; op < OPS && blend_has_numbers(family); op++) {
        for (uint32_t s = 0; s < BLEND_FACTORS; s++) {
            for (uint32_t d = 0; d < BLEND_FACTORS; d++) {
                const bool no_factors = ops[op] == VK_BLEND_OP_MIN || ops[op] == VK_BLEND_OP_MAX;
                const bool reads_alpha = s == VK_BLEND_FACTOR_DST_ALPHA || s == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
                if (no_factors && (s != VK_BLEND_FACTOR_DST_ALPHA || d != s))
                    continue;
                if (!full && seen++ % SHORT_STRIDE && !(reads_alpha && d == VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA))
                    continue;
                draws[used++] = (struct blend_draw){family, true,  (VkBlendFactor)s, (VkBlendFactor)d, ops[op],
                                                    RGBA,   false, VK_LOGIC_OP_COPY};
            }
        }
    }
    for (VkColorComponentFlags mask = 0; mask < MASKS; mask += full ? 1 : 5)
        draws[used++] = (struct blend_draw){.family = family, .mask = mask};
    for (uint32_t op = 0; op < LOGIC_OPS && has_logic(family); op += full ? 1 : 3)
        draws[used++] = (struct blend_draw){.family = family, .mask = RGBA, .logic = true, .logic_op = (VkLogicOp)op};
    *count = used;
    return draws;
}

/* ---- Texels ---- */

static uint16_t half_of(float value)
{
    int exponent;
    const float fraction = frexpf(value, &exponent); /* 0.5 … 1 */
    if (value == 0.0f)
        return 0;
    return (uint16_t)((uint32_t)(exponent + 14) << 10 | ((uint32_t)(fraction * 2048.0f) & 1023u));
}

static float float_of(uint16_t half)
{
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    const float sign = half & 0x8000u ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf((float)(fraction | 1024u), (int)exponent - 25) : ldexpf((float)fraction, -24));
}

void blend_texels(enum blend_family family, void *texels)
{
    uint32_t state = 7;
    for (uint32_t i = 0; i < BLEND_PIXELS; i++) {
        uint32_t channels[4];
        for (uint32_t c = 0; c < 4; c++) {
            state = state * 1664525u + 1013904223u;
            channels[c] = state >> 22;
        }
        for (uint32_t c = 0; c < 4; c++) {
            if (family == BLEND_RGB10)
                continue;
            if (has_halves(family)) /* beyond 1, too */
                ((uint16_t *)texels)[i * 4 + c] = half_of((float)channels[c] / 512.0f);
            else
                ((uint8_t *)texels)[i * 4 + c] = (uint8_t)(channels[c] >> 2);
        }
        if (family == BLEND_RGB10)
            ((uint32_t *)texels)[i] = channels[0] | channels[1] << 10 | channels[2] << 20 | (channels[3] >> 8) << 30;
    }
}

void blend_decode(enum blend_family family, const void *pixels, uint32_t index, float rgba[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        if (family == BLEND_RGB10) {
            const uint32_t word = ((const uint32_t *)pixels)[index];
            rgba[c] = c == 3 ? (float)(word >> 30) / 3.0f : (float)(word >> 10 * c & 1023u) / 1023.0f;
        } else if (has_halves(family)) {
            rgba[c] = float_of(((const uint16_t *)pixels)[index * 4 + c]);
        } else {
            const uint8_t byte = ((const uint8_t *)pixels)[index * 4 + c];
            rgba[c] = family == BLEND_UINT8 ? (float)byte : (float)byte / 255.0f;
        }
    }
}

void blend_set_alpha_one(enum blend_family family, void *pixels)
{
    for (uint32_t i = 0; i < BLEND_PIXELS; i++) {
        if (family == BLEND_RGB10)
            ((uint32_t *)pixels)[i] |= 3u << 30;
        else if (has_halves(family))
            ((uint16_t *)pixels)[i * 4 + 3] = half_of(1.0f);
        else
            ((uint8_t *)pixels)[i * 4 + 3] = family == BLEND_UINT8 ? 1 : 255;
    }
}

/* ---- The specification (sections 17.3.6 and 17.3.7 of OpenGL 4.6, "Blending" of Vulkan) ---- */

struct inputs {
    float source[4], second[4], destination[4];
};

/* As shaders/tests/blend_source.frag gives them. */
float blend_source_alpha(uint32_t index)
{
    const float x = (float)(index % BLEND_SIZE), y = (float)(index / BLEND_SIZE);
    return fmodf(x * 7.0f + y * 3.0f, 16.0f) / 15.0f;
}

static void read_sources(uint32_t index, struct inputs *in)
{
    const float x = (float)(index % BLEND_SIZE), y = (float)(index / BLEND_SIZE);
    in->source[0] = x / 15.0f;
    in->source[1] = y / 15.0f;
    in->source[2] = (15.0f - x) / 15.0f;
    in->source[3] = blend_source_alpha(index);
    in->second[0] = 1.0f - in->source[3];
    for (uint32_t c = 0; c < 3; c++)
        in->second[c + 1] = 1.0f - in->source[c];
}

static float factor_value(VkBlendFactor factor, const struct inputs *in, uint32_t c)
{
    switch (factor) {
    case VK_BLEND_FACTOR_ZERO:
        return 0;
    case VK_BLEND_FACTOR_ONE:
        return 1;
    case VK_BLEND_FACTOR_SRC_COLOR:
        return in->source[c];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
        return 1 - in->source[c];
    case VK_BLEND_FACTOR_DST_COLOR:
        return in->destination[c];
    case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
        return 1 - in->destination[c];
    case VK_BLEND_FACTOR_SRC_ALPHA:
        return in->source[3];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
        return 1 - in->source[3];
    case VK_BLEND_FACTOR_DST_ALPHA:
        return in->destination[3];
    case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
        return 1 - in->destination[3];
    case VK_BLEND_FACTOR_CONSTANT_COLOR:
        return blend_constants[c];
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return 1 - blend_constants[c];
    case VK_BLEND_FACTOR_CONSTANT_ALPHA:
        return blend_constants[3];
    case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return 1 - blend_constants[3];
    case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? 1 : fminf(in->source[3], 1 - in->destination[3]);
    case VK_BLEND_FACTOR_SRC1_COLOR:
        return in->second[c];
    case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
        return 1 - in->second[c];
    case VK_BLEND_FACTOR_SRC1_ALPHA:
        return in->second[3];
    default:
        return 1 - in->second[3];
    }
}

float blend_linear(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float value)
{
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1.0f / 2.4f) - 0.055f;
}

static float equation(const struct blend_draw *draw, const struct inputs *in, uint32_t c)
{
    const float s = in->source[c], d = in->destination[c];
    const float sf = factor_value(c == 3 ? draw->destination : draw->source, in, c);
    const float df = factor_value(c == 3 ? draw->source : draw->destination, in, c);
    switch (draw->op) {
    case VK_BLEND_OP_ADD:
        return s * sf + d * df;
    case VK_BLEND_OP_SUBTRACT:
        return s * sf - d * df;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return d * df - s * sf;
    case VK_BLEND_OP_MIN:
        return fminf(s, d);
    default:
        return fmaxf(s, d);
    }
}

void blend_reference(const struct blend_case *one, uint32_t index, const float before[4], float after[4])
{
    const bool srgb = one->draw.family == BLEND_SRGB8, fixed = !has_halves(one->draw.family);
    struct inputs in;
    read_sources(index, &in);
    for (uint32_t c = 0; c < 4; c++)
        in.destination[c] = c == 3 && !one->alpha ? 1.0f : c < 3 && srgb ? blend_linear(before[c]) : before[c];
    for (uint32_t c = 0; c < 4; c++) {
        float value = one->draw.blends ? equation(&one->draw, &in, c) : in.source[c];
        if (fixed)
            value = fminf(fmaxf(value, 0.0f), 1.0f);
        if (srgb && c < 3)
            value = to_srgb(value);
        after[c] = one->draw.mask >> c & 1 ? value : before[c];
    }
    if (!one->alpha)
        after[3] = 1.0f;
}

/* ---- Words ---- */

void blend_describe(const struct blend_case *one, char *text, size_t size)
{
    static const char *const factors[BLEND_FACTORS] = {"ZERO",
                                                       "ONE",
                                                       "SRC_COLOR",
                                                       "ONE_MINUS_SRC_COLOR",
                                                       "DST_COLOR",
                                                       "ONE_MINUS_DST_COLOR",
                                                       "SRC_ALPHA",
                                                       "ONE_MINUS_SRC_ALPHA",
                                                       "DST_ALPHA",
                                                       "ONE_MINUS_DST_ALPHA",
                                                       "CONSTANT_COLOR",
                                                       "ONE_MINUS_CONSTANT_COLOR",
                                                       "CONSTANT_ALPHA",
                                                       "ONE_MINUS_CONSTANT_ALPHA",
                                                       "SRC_ALPHA_SATURATE",
                                                       "SRC1_COLOR",
                                                       "ONE_MINUS_SRC1_COLOR",
                                                       "SRC1_ALPHA",
                                                       "ONE_MINUS_SRC1_ALPHA"};
    static const char *const equations[] = {"ADD", "SUBTRACT", "REVERSE_SUBTRACT", "MIN", "MAX"};
    static const char *const contents[BLEND_CONTENTS] = {"uploaded", "cleared", "drawn"};
    const struct blend_draw *draw = &one->draw;
    int used = snprintf(text, size, "%s %s, %s, ", blend_family(draw->family)->name, one->alpha ? "RGBA" : "RGBX",
                        contents[one->contents]);
    text += used;
    size -= (size_t)used;
    if (draw->logic)
        snprintf(text, size, "logic operation %d", (int)draw->logic_op);
    else if (draw->blends)
        snprintf(text, size, "%s, %s, %s", factors[draw->source], factors[draw->destination], equations[draw->op]);
    else
        snprintf(text, size, "write mask %x", (unsigned)draw->mask);
}
