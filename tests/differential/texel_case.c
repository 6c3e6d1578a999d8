/* SPDX-License-Identifier: MIT */
#include "differential/texel_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "harness/device/vulkan.h"

/* ---- Rows ---- */

#define ROW(gl, base, vk, components, bits, kind)                                                                      \
    {                                                                                                                  \
#gl, GL_##gl, GL_##base, VK_FORMAT_##vk, components, bits, KIND_##kind                                         \
    }
#define NORMALISED(gl8, gl16, base, vk8, vk16, components)                                                             \
    ROW(gl8, base, vk8##_UNORM, components, 8, UNORM), ROW(gl16, base, vk16##_UNORM, components, 16, UNORM)
#define FLOATS(gl16, gl32, base, vk16, vk32, components)                                                               \
    ROW(gl16, base, vk16##_SFLOAT, components, 16, FLOAT), ROW(gl32, base, vk32##_SFLOAT, components, 32, FLOAT)
#define INTEGERS(gl, suffix, base, vk8, vk16, vk32, components)                                                        \
    ROW(gl##8I##suffix, base, vk8##_SINT, components, 8, SINT),                                                        \
        ROW(gl##8UI##suffix, base, vk8##_UINT, components, 8, UINT),                                                   \
        ROW(gl##16I##suffix, base, vk16##_SINT, components, 16, SINT),                                                 \
        ROW(gl##16UI##suffix, base, vk16##_UINT, components, 16, UINT),                                                \
        ROW(gl##32I##suffix, base, vk32##_SINT, components, 32, SINT),                                                 \
        ROW(gl##32UI##suffix, base, vk32##_UINT, components, 32, UINT)

const struct texel_row texel_rows[] = {
    NORMALISED(R8, R16, RED, R8, R16, 1),
    FLOATS(R16F, R32F, RED, R16, R32, 1),
    INTEGERS(R, , RED, R8, R16, R32, 1),
    NORMALISED(RG8, RG16, RG, R8G8, R16G16, 2),
    FLOATS(RG16F, RG32F, RG, R16G16, R32G32, 2),
    INTEGERS(RG, , RG, R8G8, R16G16, R32G32, 2),
    ROW(RGB32F, RGB, R32G32B32_SFLOAT, 3, 32, FLOAT),
    ROW(RGB32I, RGB, R32G32B32_SINT, 3, 32, SINT),
    ROW(RGB32UI, RGB, R32G32B32_UINT, 3, 32, UINT),
    NORMALISED(RGBA8, RGBA16, RGBA, R8G8B8A8, R16G16B16A16, 4),
    FLOATS(RGBA16F, RGBA32F, RGBA, R16G16B16A16, R32G32B32A32, 4),
    INTEGERS(RGBA, , RGBA, R8G8B8A8, R16G16B16A16, R32G32B32A32, 4),
    NORMALISED(ALPHA8, ALPHA16, ALPHA, R8, R16, 1),
    FLOATS(ALPHA16F_ARB, ALPHA32F_ARB, ALPHA, R16, R32, 1),
    INTEGERS(ALPHA, _EXT, ALPHA, R8, R16, R32, 1),
    NORMALISED(LUMINANCE8, LUMINANCE16, LUMINANCE, R8, R16, 1),
    FLOATS(LUMINANCE16F_ARB, LUMINANCE32F_ARB, LUMINANCE, R16, R32, 1),
    INTEGERS(LUMINANCE, _EXT, LUMINANCE, R8, R16, R32, 1),
    NORMALISED(LUMINANCE8_ALPHA8, LUMINANCE16_ALPHA16, LUMINANCE_ALPHA, R8G8, R16G16, 2),
    FLOATS(LUMINANCE_ALPHA16F_ARB, LUMINANCE_ALPHA32F_ARB, LUMINANCE_ALPHA, R16G16, R32G32, 2),
    INTEGERS(LUMINANCE_ALPHA, _EXT, LUMINANCE_ALPHA, R8G8, R16G16, R32G32, 2),
    NORMALISED(INTENSITY8, INTENSITY16, INTENSITY, R8, R16, 1),
    FLOATS(INTENSITY16F_ARB, INTENSITY32F_ARB, INTENSITY, R16, R32, 1),
    INTEGERS(INTENSITY, _EXT, INTENSITY, R8, R16, R32, 1),
};
const uint32_t texel_row_count = sizeof(texel_rows) / sizeof(texel_rows[0]);

bool texel_is_legacy(const struct texel_row *row)
{
    return row->base == GL_ALPHA || row->base == GL_LUMINANCE || row->base == GL_LUMINANCE_ALPHA ||
           row->base == GL_INTENSITY;
}

enum texel_class texel_class_of(const struct texel_row *row)
{
    return row->kind == KIND_SINT ? CLASS_SINT : row->kind == KIND_UINT ? CLASS_UINT : CLASS_FLOAT;
}

uint32_t texel_row_bytes(const struct texel_row *row)
{
    return (uint32_t)row->components * row->bits / 8;
}

/* ---- Generation ---- */

static uint32_t scrambled(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void texel_add(struct texel_cases *list, struct texel_case one)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        list->cases = realloc(list->cases, list->capacity * sizeof(*list->cases));
        if (!list->cases)
            harness_fail("out of memory");
    }
    one.seed = scrambled(one.seed + (uint32_t)list->count);
    list->cases[list->count++] = one;
}

/* Texels beside every limit that a driver may have, and what OpenGL's programs use at most. */
static const uint32_t sizes[] = {1, 2, 3, 7, 255, 65535, 65536, 65537, (1u << 20) + 3};
/* Multiples of 16, which is as far as drivers' alignments usually go; RGB32 texels are never aligned to their size. */
static const uint32_t offsets[] = {0, 16, 48, 80, 256, 4096 + 64};

static void generate_row(struct texel_cases *list, uint16_t row, uint32_t seed)
{
    const uint32_t size = texel_row_bytes(&texel_rows[row]);
    const struct texel_case plain = {.row = row, .elements = 300, .seed = seed, .gl_state = true};
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct texel_case one = plain;
        one.elements = sizes[i];
        texel_add(list, one);
        one.whole = true;
        one.offset = offsets[i % (sizeof(offsets) / sizeof(offsets[0]))];
        one.tail = size - 1;
        one.gl_state = i & 1;
        texel_add(list, one);
    }
    for (unsigned i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        struct texel_case one = plain;
        one.offset = offsets[i];
        one.behind = 64 + i;
        texel_add(list, one);
        one.elements = 65537 + i;
        one.tail = i % size;
        texel_add(list, one);
    }
    /* Emulated views begin at any component. */
    for (unsigned i = 0; i < 2; i++) {
        struct texel_case one = plain;
        one.offset = (5 + 2 * i) * (size < 4 ? size : 4);
        one.elements = i == 0 ? 65541 : 77;
        texel_add(list, one);
    }
    for (unsigned stage = 0; stage < STAGES; stage++) {
        struct texel_case one = plain;
        one.stage = (uint8_t)stage;
        texel_add(list, one);
        one.elements = 70001;
        one.offset = 16;
        texel_add(list, one);
    }
    for (unsigned form = 1; form < FORMS; form++) {
        struct texel_case one = plain;
        one.form = (uint8_t)form;
        one.elements = 65540;
        one.offset = 32;
        texel_add(list, one);
    }
}

static void generate_random(struct texel_cases *list, uint32_t seed, uint32_t count)
{
    uint32_t state = seed * 2654435761u + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t r[7];
        for (unsigned j = 0; j < 7; j++)
            r[j] = state = scrambled(state + 0x9e3779b9u);
        struct texel_case one = {
            .row = (uint16_t)(r[0] % texel_row_count),
            .stage = (uint8_t)(r[1] % STAGES),
            .elements = 1 + r[2] % (r[3] % 4 == 0 ? 200000u : 5000u),
            .offset = 16 * (r[4] % 100),
            .whole = r[5] & 1,
            .gl_state = r[5] & 2,
            .seed = r[6],
        };
        one.tail = (r[5] >> 8) % texel_row_bytes(&texel_rows[one.row]);
        one.behind = one.whole ? 0 : r[5] >> 16 & 255;
        texel_add(list, one);
    }
}

void texel_generate(struct texel_cases *list, uint32_t seed, uint32_t random, uint32_t stride)
{
    for (uint16_t row = 0; row < texel_row_count; row++)
        generate_row(list, row, seed);
    generate_random(list, seed, random);
    size_t kept = 0;
    for (size_t i = 0; stride > 1 && i < list->count; i++) {
        const struct texel_case one = list->cases[i];
        const bool first = i == 0 || (list->cases[i - 1].row != one.row && i + random < list->count);
        if (first || (i + one.row) % stride == 0)
            list->cases[kept++] = one;
    }
    list->count = stride > 1 ? kept : list->count;
}

void texel_describe(const struct texel_case *one, char *text, size_t size)
{
    static const char *const stages[] = {"compute",  "vertex",       "fragment",
                                         "geometry", "tess control", "tess evaluation"};
    static const char *const forms[] = {"", ", array", ", array by a uniform value", ", array by a non-uniform value"};
    snprintf(text, size, "%s, %u texels at byte %u, %u bytes of tail, %u behind%s%s, %s%s", texel_rows[one->row].name,
             one->elements, one->offset, one->tail, one->behind, one->whole ? ", whole" : "",
             one->gl_state ? ", GL state" : "", stages[one->stage], forms[one->form]);
}

/* ---- Contents ---- */

void texel_indices(const struct texel_case *one, int32_t indices[TEXEL_INDICES], uint32_t *inside)
{
    const uint32_t n = one->elements;
    const uint32_t outside[] = {n,           n + 1,       n * 2,       n + 65536,  0xffffffffu,
                                0x80000000u, 0x7fffffffu, 0xfffffff0u, 0xffff0000u};
    const uint32_t known[] = {0, 1, 2, 3, n - 1, n - 2, n - 3, n - 4, n / 2, 65535, 65536, 65537, 21845, 21846, 16384};
    const uint32_t last = TEXEL_INDICES - sizeof(outside) / sizeof(outside[0]);
    uint32_t count = 0, state = one->seed;
    for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i] < n)
            indices[count++] = (int32_t)known[i];
    while (count < last) {
        state = scrambled(state + 1);
        indices[count++] = (int32_t)(state % n);
    }
    *inside = count;
    for (unsigned i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) /* n * 2 may wrap around, never below n here */
        indices[count++] = (int32_t)outside[i];
}

size_t texel_buffer_bytes(const struct texel_case *one)
{
    return (size_t)one->offset + (size_t)one->elements * texel_row_bytes(&texel_rows[one->row]) + one->tail +
           one->behind;
}

void texel_fill(const struct texel_case *one, void *bytes)
{
    enum { PERIOD = 65537 * 4 }; /* no power of two: a texel that is read in the wrong place differs */
    static uint8_t pattern[PERIOD];
    static uint32_t filled;
    if (filled != one->seed) {
        uint32_t state = one->seed;
        for (uint32_t i = 0; i < PERIOD; i += 4) {
            state = state * 1664525u + 1013904223u;
            const uint32_t word = scrambled(state ^ i);
            memcpy(pattern + i, &word, 4);
        }
        filled = one->seed;
    }
    uint8_t *to = bytes;
    for (size_t left = texel_buffer_bytes(one); left;) {
        const size_t piece = left < PERIOD ? left : PERIOD;
        memcpy(to, pattern, piece);
        to += piece;
        left -= piece;
    }
}

/* ---- The specification ---- */

static float half_value(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
    const float sign = half & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31)
        return mantissa ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf(1.0f + (float)mantissa / 1024.0f, (int)exponent - 15)
                            : ldexpf((float)mantissa / 1024.0f, -14));
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* One component as the shader sees it, from its field in memory. */
static uint32_t component(const struct texel_row *row, uint32_t field)
{
    const uint32_t most = row->bits == 32 ? UINT32_MAX : (1u << row->bits) - 1;
    switch (row->kind) {
    case KIND_UNORM:
        return float_bits((float)((double)field / most));
    case KIND_FLOAT:
        return row->bits == 16 ? float_bits(half_value(field)) : field;
    case KIND_SINT:
        return row->bits == 32 || field <= most / 2 ? field : field - most - 1;
    default:
        return field;
    }
}

static void by_base(const struct texel_row *row, const uint32_t c[4], uint32_t one, uint32_t bits[4])
{
    switch (row->base) {
    case GL_ALPHA:
        memcpy(bits, (uint32_t[]){0, 0, 0, c[0]}, 16);
        break;
    case GL_LUMINANCE:
        memcpy(bits, (uint32_t[]){c[0], c[0], c[0], one}, 16);
        break;
    case GL_LUMINANCE_ALPHA:
        memcpy(bits, (uint32_t[]){c[0], c[0], c[0], c[1]}, 16);
        break;
    case GL_INTENSITY:
        memcpy(bits, (uint32_t[]){c[0], c[0], c[0], c[0]}, 16);
        break;
    default:
        memcpy(bits, (uint32_t[]){c[0], c[1], c[2], row->components == 4 ? c[3] : one}, 16);
        break;
    }
}

void texel_expected(const struct texel_case *one, const void *bytes, int32_t index, uint32_t bits[4])
{
    const struct texel_row *row = &texel_rows[one->row];
    const uint32_t unit = texel_class_of(row) == CLASS_FLOAT ? float_bits(1.0f) : 1;
    uint32_t c[4] = {0, 0, 0, 0};
    if ((uint32_t)index < one->elements) {
        const uint8_t *texel = (const uint8_t *)bytes + one->offset + (size_t)(uint32_t)index * texel_row_bytes(row);
        for (unsigned i = 0; i < row->components; i++) {
            uint32_t field = 0;
            memcpy(&field, texel + i * row->bits / 8u, row->bits / 8u);
            c[i] = component(row, field);
        }
    }
    by_base(row, c, unit, bits);
}

bool texel_same(const struct texel_case *one, const uint32_t expected[4], const uint32_t found[4])
{
    const struct texel_row *row = &texel_rows[one->row];
    for (unsigned i = 0; i < 4; i++) {
        float e, f;
        memcpy(&e, &expected[i], sizeof(e));
        memcpy(&f, &found[i], sizeof(f));
        const bool rounded = row->kind == KIND_UNORM && fabsf(e - f) <= 1e-6f;
        const bool no_numbers = row->kind == KIND_FLOAT && isnan(e) && isnan(f);
        if (expected[i] != found[i] && !rounded && !no_numbers)
            return false;
    }
    return true;
}
