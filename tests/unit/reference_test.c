/* SPDX-License-Identifier: MIT */
/*
 * The reference sampler against values computed by hand from OpenGL 4.6 compatibility section 8.14 and
 * EXT_texture_mirror_clamp, and against what a real OpenGL gave.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

#define NEAREST REFERENCE_NEAREST
#define LINEAR REFERENCE_LINEAR

/* Four texels .1 .2 .3 .4 in red; the border is white. */
static const union reference_color ramp[4] = {
    {.f = {.1f, 0, 0, 1}}, {.f = {.2f, 0, 0, 1}}, {.f = {.3f, 0, 0, 1}}, {.f = {.4f, 0, 0, 1}}};

static struct reference_texture ramp_1d(void)
{
    return (struct reference_texture){.target = REFERENCE_1D,
                                      .kind = REFERENCE_FLOAT,
                                      .levels = 1,
                                      .layers = 1,
                                      .level = {{.width = 4, .height = 1, .depth = 1, .texels = ramp}}};
}

static struct reference_sampler sampler_of(uint32_t wrap, uint32_t filter)
{
    return (struct reference_sampler){.wrap = {wrap, wrap, wrap},
                                      .min_filter = filter,
                                      .mag_filter = filter,
                                      .min_lod = -1000,
                                      .max_lod = 1000,
                                      .border = {.f = {1, 1, 1, 1}}};
}

static struct reference_result sample_1d(uint32_t wrap, uint32_t filter, float u, int32_t offset)
{
    struct reference_texture texture = ramp_1d();
    struct reference_sampler sampler = sampler_of(wrap, filter);
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {u / 4}, .offset = {offset}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    return result;
}

static void assert_near(float value, float expected)
{
    assert_float_equal(value, expected, 1e-5f);
}

/* A coordinate in texels and the red that the lookup gives there. */
struct wrap_row {
    uint32_t wrap, filter;
    float u, red;
};

#define W 1.0f /* border */
static const struct wrap_row wrap_rows[] = {
    /* Nearest. */
    {REFERENCE_CLAMP, NEAREST, -3.5f, .1f},
    {REFERENCE_CLAMP, NEAREST, 0, .1f},
    {REFERENCE_CLAMP, NEAREST, 3.9f, .4f},
    {REFERENCE_CLAMP, NEAREST, 4, .4f},
    {REFERENCE_CLAMP, NEAREST, 99, .4f},
    {REFERENCE_CLAMP_TO_EDGE, NEAREST, -1.5f, .1f},
    {REFERENCE_CLAMP_TO_EDGE, NEAREST, 2.5f, .3f},
    {REFERENCE_CLAMP_TO_EDGE, NEAREST, 4.5f, .4f},
    {REFERENCE_CLAMP_TO_BORDER, NEAREST, -.1f, W},
    {REFERENCE_CLAMP_TO_BORDER, NEAREST, .1f, .1f},
    {REFERENCE_CLAMP_TO_BORDER, NEAREST, 3.9f, .4f},
    {REFERENCE_CLAMP_TO_BORDER, NEAREST, 4, W},
    {REFERENCE_REPEAT, NEAREST, 5.5f, .2f},
    {REFERENCE_REPEAT, NEAREST, -.5f, .4f},
    {REFERENCE_REPEAT, NEAREST, -4.5f, .4f},
    {REFERENCE_MIRRORED_REPEAT, NEAREST, -.5f, .1f},
    {REFERENCE_MIRRORED_REPEAT, NEAREST, 4.5f, .4f},
    {REFERENCE_MIRRORED_REPEAT, NEAREST, 7.5f, .1f},
    {REFERENCE_MIRRORED_REPEAT, NEAREST, 8.5f, .1f},
    {REFERENCE_MIRRORED_REPEAT, NEAREST, -5.5f, .3f},
    {REFERENCE_MIRROR_CLAMP, NEAREST, -.5f, .1f},
    {REFERENCE_MIRROR_CLAMP, NEAREST, -2.5f, .3f},
    {REFERENCE_MIRROR_CLAMP, NEAREST, 4, .4f},
    {REFERENCE_MIRROR_CLAMP, NEAREST, -17, .4f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, NEAREST, -1.5f, .2f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, NEAREST, -8, .4f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, NEAREST, 8, .4f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, NEAREST, -3.5f, .4f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, NEAREST, -4.5f, W},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, NEAREST, 4.1f, W},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, NEAREST, .1f, .1f},
    /* Linear: half border at most under CLAMP, all of it under CLAMP_TO_BORDER. */
    {REFERENCE_CLAMP, LINEAR, -5, .55f},
    {REFERENCE_CLAMP, LINEAR, 0, .55f},
    {REFERENCE_CLAMP, LINEAR, .25f, .1f * .75f + .25f},
    {REFERENCE_CLAMP, LINEAR, 1, .15f},
    {REFERENCE_CLAMP, LINEAR, 4, .7f},
    {REFERENCE_CLAMP, LINEAR, 44, .7f},
    {REFERENCE_CLAMP_TO_EDGE, LINEAR, 0, .1f},
    {REFERENCE_CLAMP_TO_EDGE, LINEAR, 1.75f, .225f},
    {REFERENCE_CLAMP_TO_EDGE, LINEAR, 5, .4f},
    {REFERENCE_CLAMP_TO_BORDER, LINEAR, 0, .55f},
    {REFERENCE_CLAMP_TO_BORDER, LINEAR, -.5f, W},
    {REFERENCE_CLAMP_TO_BORDER, LINEAR, -.25f, .1f * .25f + .75f},
    {REFERENCE_CLAMP_TO_BORDER, LINEAR, 4.5f, W},
    {REFERENCE_REPEAT, LINEAR, 0, .25f},
    {REFERENCE_REPEAT, LINEAR, 4, .25f},
    {REFERENCE_REPEAT, LINEAR, -.25f, .1f * .25f + .4f * .75f},
    {REFERENCE_MIRRORED_REPEAT, LINEAR, 0, .1f},
    {REFERENCE_MIRRORED_REPEAT, LINEAR, 4.25f, .4f},
    {REFERENCE_MIRRORED_REPEAT, LINEAR, -1, .15f},
    {REFERENCE_MIRRORED_REPEAT, LINEAR, 9, .15f},
    {REFERENCE_MIRROR_CLAMP, LINEAR, 0, .1f},
    {REFERENCE_MIRROR_CLAMP, LINEAR, -.625f, .1125f},
    {REFERENCE_MIRROR_CLAMP, LINEAR, -3.75f, .4f * .75f + .25f},
    {REFERENCE_MIRROR_CLAMP, LINEAR, 4, .7f},
    {REFERENCE_MIRROR_CLAMP, LINEAR, -9, .7f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, LINEAR, 0, .1f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, LINEAR, -1, .15f},
    {REFERENCE_MIRROR_CLAMP_TO_EDGE, LINEAR, -4, .4f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, 0, .1f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, -4, .7f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, -4.25f, .4f * .25f + .75f},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, 4.5f, W},
    {REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, -7, W},
};

static void every_wrap_mode_reads_its_texels(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(wrap_rows) / sizeof(*wrap_rows); i++) {
        const struct wrap_row *row = &wrap_rows[i];
        struct reference_result result = sample_1d(row->wrap, row->filter, row->u, 0);
        if (fabsf(result.rgba.f[0] - row->red) > 1e-5f)
            print_error("wrap 0x%X filter 0x%X u %g\n", row->wrap, row->filter, (double)row->u);
        assert_near(result.rgba.f[0], row->red);
        assert_true(result.low.f[0] <= result.rgba.f[0] && result.high.f[0] >= result.rgba.f[0]);
        assert_true(result.high.f[0] - result.low.f[0] < 0.005f || row->filter == NEAREST);
        /* GL wraps after it has added the offset. */
        struct reference_result moved = sample_1d(row->wrap, row->filter, row->u - 3, 3);
        assert_near(moved.rgba.f[0], row->red);
    }
}

/*
 * 64 samples of s from -2 to 2. NVIDIA's OpenGL 4.6 (580.159) gave .113 .100 .100 .100 .100 .113 around s = 0: the
 * border does not bleed in at the mirror line. llvmpipe (22.3.6) gave .113 .213 .438 .438 .213 .113, which is a mode of
 * drivers'.
 */
static void mirror_clamp_agrees_with_a_real_opengl(void **unused)
{
    (void)unused;
    static const float seen[6] = {.113f, .100f, .100f, .100f, .100f, .113f};
    static const float seen_to_line[6] = {.113f, .213f, .438f, .438f, .213f, .113f};
    for (int i = 0; i < 6; i++) {
        float s = -2.0f + ((float)(29 + i) + 0.5f) * 4.0f / 64.0f;
        struct reference_result result = sample_1d(REFERENCE_MIRROR_CLAMP, LINEAR, s * 4, 0);
        assert_float_equal(result.rgba.f[0], seen[i], 0.0006f);
        result = sample_1d(REFERENCE_MIRROR_CLAMP_TO_LINE, LINEAR, s * 4, 0);
        assert_float_equal(result.rgba.f[0], seen_to_line[i], 0.0006f);
        result = sample_1d(REFERENCE_MIRROR_CLAMP_TO_BORDER_AND_LINE, LINEAR, s * 4, 0);
        assert_float_equal(result.rgba.f[0], seen_to_line[i], 0.0006f);
    }
}

static void a_nearest_tie_accepts_both_neighbours(void **unused)
{
    (void)unused;
    struct reference_result tie = sample_1d(REFERENCE_CLAMP_TO_EDGE, NEAREST, 2, 0);
    assert_near(tie.rgba.f[0], .3f);
    assert_near(tie.low.f[0], .2f);
    assert_near(tie.high.f[0], .3f);
    struct reference_result close = sample_1d(REFERENCE_CLAMP_TO_EDGE, NEAREST, 2 - 1 / 600.0f, 0);
    assert_near(close.rgba.f[0], .2f);
    assert_near(close.high.f[0], .3f);
    struct reference_result clear = sample_1d(REFERENCE_CLAMP_TO_EDGE, NEAREST, 2 - 1 / 400.0f, 0);
    assert_near(clear.low.f[0], .2f);
    assert_near(clear.high.f[0], .2f);
    /* The border at exactly s = 1 of CLAMP_TO_BORDER; never under CLAMP. */
    assert_near(sample_1d(REFERENCE_CLAMP_TO_BORDER, NEAREST, 4, 0).low.f[0], .4f);
    assert_near(sample_1d(REFERENCE_CLAMP, NEAREST, 4, 0).high.f[0], .4f);
}

static void a_linear_range_is_the_coordinates_uncertainty(void **unused)
{
    (void)unused;
    struct reference_result slope = sample_1d(REFERENCE_CLAMP_TO_EDGE, LINEAR, 2, 0); /* .25, rising .1 a texel */
    assert_near(slope.low.f[0], .25f - .1f / 512);
    assert_near(slope.high.f[0], .25f + .1f / 512);
    /* At a kink the extreme is the texel itself. */
    struct reference_result kink = sample_1d(REFERENCE_MIRRORED_REPEAT, LINEAR, 3.5f, 0);
    assert_near(kink.high.f[0], .4f);
    assert_near(kink.low.f[0], .4f - .1f / 512);
    struct reference_result valley = sample_1d(REFERENCE_MIRROR_CLAMP_TO_BORDER, LINEAR, 3.5f + 1 / 2000.0f, 0);
    assert_near(valley.low.f[0], .4f - .1f / 512 + .1f / 2000);
    assert_near(valley.high.f[0], .4f + .6f / 512 + .6f / 2000);
    /* Far outside nothing moves. */
    struct reference_result flat = sample_1d(REFERENCE_CLAMP, LINEAR, 12, 0);
    assert_near(flat.low.f[0], .7f);
    assert_near(flat.high.f[0], .7f);
}

static void strange_coordinates_do_no_harm(void **unused)
{
    (void)unused;
    static const uint32_t wraps[] = {0x2900, 0x2901, 0x812D, 0x812F, 0x8370, 0x8742, 0x8743, 0x8912};
    static const float strange[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e10f, 5e9f, -1e7f};
    for (size_t w = 0; w < 8; w++)
        for (size_t i = 0; i < sizeof(strange) / sizeof(*strange); i++)
            for (uint32_t filter = NEAREST; filter <= LINEAR; filter++) {
                struct reference_result result = sample_1d(wraps[w], filter, strange[i], 0);
                bool repeats = wraps[w] == REFERENCE_REPEAT || wraps[w] == REFERENCE_MIRRORED_REPEAT;
                assert_int_equal(result.undefined, isnan(strange[i]) || repeats);
                union reference_color any = {.f = {NAN, 7, 7, 7}};
                assert_int_equal(reference_accepts(&result, REFERENCE_FLOAT, &any, 0, 15), result.undefined);
            }
    assert_near(sample_1d(REFERENCE_CLAMP, LINEAR, INFINITY, 0).rgba.f[0], .7f);
    assert_near(sample_1d(REFERENCE_CLAMP_TO_BORDER, NEAREST, -INFINITY, 0).rgba.f[0], W);
    assert_near(sample_1d(REFERENCE_MIRROR_CLAMP, NEAREST, -INFINITY, 0).rgba.f[0], .4f);
}

/* A 2D texture of 3 x 2 texels, value x + 10 y. */
static const union reference_color grid[6] = {{.f = {0}},  {.f = {1}},  {.f = {2}},
                                              {.f = {10}}, {.f = {11}}, {.f = {12}}};

static void axes_wrap_by_themselves(void **unused)
{
    (void)unused;
    struct reference_texture texture = {.target = REFERENCE_2D, .levels = 1, .layers = 1, .level = {{3, 2, 1, grid}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP_TO_EDGE, LINEAR);
    sampler.wrap[0] = REFERENCE_REPEAT;
    sampler.wrap[1] = REFERENCE_CLAMP;
    sampler.border.f[0] = 100;
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {0, 1.25f}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], (12 + 10) / 4.0f + 50); /* texels 2 and 0 of row 1, half border */
    lookup.coordinate[0] = 1.5f / 3;
    lookup.coordinate[1] = 0.5f;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 6);
    assert_near(result.low.f[0], 6 - 11 / 512.0f); /* both coordinates at the low end */
    assert_near(result.high.f[0], 6 + 11 / 512.0f);
}

static void three_axes_are_filtered(void **unused)
{
    (void)unused;
    static const union reference_color cube[8] = {{.f = {1}}, {.f = {2}}, {.f = {3}}, {.f = {4}},
                                                  {.f = {5}}, {.f = {6}}, {.f = {7}}, {.f = {8}}};
    struct reference_texture texture = {.target = REFERENCE_3D, .levels = 1, .layers = 1, .level = {{2, 2, 2, cube}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, LINEAR);
    sampler.border.f[0] = 0;
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {.5f, .5f, .5f}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 4.5f);
    lookup.coordinate[0] = lookup.coordinate[1] = lookup.coordinate[2] = 2;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 1); /* an eighth of texel 8 */
}

static void layers_are_rounded_and_clamped(void **unused)
{
    (void)unused;
    static const struct {
        float layer, value;
    } rows[] = {{0, 1}, {.4f, 1}, {.6f, 2}, {1.5f, 3}, {.5f, 1}, {2.4f, 3}, {9, 3}, {-3, 1}, {NAN, 1}};
    static const union reference_color texels[3] = {{.f = {1}}, {.f = {2}}, {.f = {3}}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int two = 0; two < 2; two++) {
            struct reference_texture texture = {.target = two ? REFERENCE_2D_ARRAY : REFERENCE_1D_ARRAY,
                                                .levels = 1,
                                                .layers = 3,
                                                .level = {{1, 1, 1, texels}}};
            struct reference_sampler sampler = sampler_of(REFERENCE_REPEAT, LINEAR);
            struct reference_lookup lookup = {.operation = REFERENCE_LOD, .layer = rows[i].layer};
            struct reference_result result;
            reference_sample(&texture, &sampler, &lookup, NULL, &result);
            assert_near(result.rgba.f[0], rows[i].value);
        }
}

static void rectangles_take_texels(void **unused)
{
    (void)unused;
    struct reference_texture texture = {
        .target = REFERENCE_RECTANGLE, .levels = 1, .layers = 1, .level = {{3, 2, 1, grid}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, LINEAR);
    sampler.border.f[0] = 0;
    struct reference_lookup lookup = {.operation = REFERENCE_GRAD, .coordinate = {9, 1}, .ddx = {4, 0}, .ddy = {0, 1}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], (2 + 12) / 4.0f);
    assert_near(result.lod, 2);
}

/* Four levels of a 1D texture, each of one value: 0, 1, 2, 3. */
static struct reference_texture levels_1d(void)
{
    static const union reference_color level[4][8] = {
        {{.f = {0}}},
        {{.f = {1}}, {.f = {1}}, {.f = {1}}, {.f = {1}}},
        {{.f = {2}}, {.f = {2}}},
        {{.f = {3}}},
    };
    struct reference_texture texture = {.target = REFERENCE_1D, .levels = 4, .layers = 1};
    for (int i = 0; i < 4; i++)
        texture.level[i] = (struct reference_level){8 >> i, 1, 1, level[i]};
    return texture;
}

static void filters_choose_levels(void **unused)
{
    (void)unused;
    /* The value is the level of detail as the filter sees it. */
    static const struct {
        uint32_t min_filter;
        float min_lod, max_lod, sampler_bias, lod, value, low, high;
    } rows[] = {
        {LINEAR, -1000, 1000, 0, 2.7f, 0, 0, 0},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, -1, 0, 0, 0},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, .4f, 0, 0, 0},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, .5f, 0, 0, 1},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, .6f, 1, 1, 1},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, 2.5f, 2, 2, 3},
        {REFERENCE_NEAREST_MIPMAP_NEAREST, -1000, 1000, 0, 77, 3, 3, 3},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, -1000, 1000, 0, 1.25f, 1.25f, 1.25f - 1 / 128.0f, 1.25f + 1 / 128.0f},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, -1000, 1000, 0, 9, 3, 3, 3},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, -1000, 1000, 0, 3, 3, 3 - 1 / 128.0f, 3},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, 0, 1.5f, 0, 9, 1.5f, 1.5f, 1.5f},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, 2.25f, 1000, 0, 1, 2.25f, 2.25f, 2.25f},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, 3, 1, 0, 2.5f, 2.5f, 2.5f - 1 / 128.0f, 2.5f + 1 / 128.0f}, /* swapped */
        {REFERENCE_LINEAR_MIPMAP_LINEAR, -1000, 1000, 1.5f, 1, 2.5f, 2.5f - 1 / 128.0f, 2.5f + 1 / 128.0f},
        {REFERENCE_LINEAR_MIPMAP_LINEAR, -1000, 1000, 99, -15, 1, 1 - 1 / 128.0f, 1 + 1 / 128.0f}, /* 16 at most */
    };
    struct reference_texture texture = levels_1d();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct reference_sampler sampler = sampler_of(REFERENCE_REPEAT, NEAREST);
        sampler.min_filter = rows[i].min_filter;
        sampler.min_lod = rows[i].min_lod;
        sampler.max_lod = rows[i].max_lod;
        sampler.lod_bias = rows[i].sampler_bias;
        struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {.3f}, .lod = rows[i].lod};
        struct reference_result result;
        reference_sample(&texture, &sampler, &lookup, NULL, &result);
        assert_near(result.rgba.f[0], rows[i].value);
        assert_near(result.low.f[0], rows[i].low);
        assert_near(result.high.f[0], rows[i].high);
    }
}

static void derivatives_give_the_level_of_detail(void **unused)
{
    (void)unused;
    struct reference_texture texture = {.target = REFERENCE_2D, .levels = 1, .layers = 1, .level = {{3, 2, 1, grid}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, NEAREST);
    struct reference_lookup lookup = {.operation = REFERENCE_GRAD, .ddx = {3 / 3.0f, 4 / 2.0f}, .ddy = {1, 0}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.lod, log2f(5)); /* the longer of (3, 4) and (3, 0) texels */
    lookup.bias = 1;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.lod, log2f(5)); /* only implicit lookups have a bias in the shader */
    lookup.operation = REFERENCE_IMPLICIT;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.lod, log2f(5) + 1);
    sampler.lod_bias = -.5f;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.lod, log2f(5) + .5f);
}

static void computed_levels_have_a_range_too(void **unused)
{
    (void)unused;
    struct reference_texture texture = levels_1d();
    struct reference_sampler sampler = sampler_of(REFERENCE_REPEAT, NEAREST);
    sampler.min_filter = REFERENCE_LINEAR_MIPMAP_LINEAR;
    struct reference_lookup lookup = {.operation = REFERENCE_IMPLICIT, .ddx = {4 / 8.0f}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 2);
    assert_near(result.low.f[0], 2 - 1 / 64.0f);
    assert_near(result.high.f[0], 2 + 1 / 64.0f);
    /* max(3, 3) <= rho <= 3 + 3 in two dimensions; here the 1D texture is one axis of them. */
    static const union reference_color flat[16] = {{.f = {0}}},
                                       one[4] = {{.f = {1}}, {.f = {1}}, {.f = {1}}, {.f = {1}}}, two[1] = {{.f = {2}}};
    struct reference_texture square = {
        .target = REFERENCE_2D, .levels = 3, .layers = 1, .level = {{4, 4, 1, flat}, {2, 2, 1, one}, {1, 1, 1, two}}};
    struct reference_precision loose = reference_hardware;
    loose.approximate_rho = true;
    loose.lod = 0;
    lookup = (struct reference_lookup){.operation = REFERENCE_IMPLICIT, .ddx = {1.5f / 4, 1.5f / 4}};
    reference_sample(&square, &sampler, &lookup, &loose, &result);
    assert_near(result.rgba.f[0], log2f(sqrtf(4.5f)));
    assert_near(result.low.f[0], log2f(1.5f));
    assert_near(result.high.f[0], log2f(3));
}

/* Texel 0 magnified differs from texel 0 minified by the filter: at u = 1 nearest gives .2, linear .15. */
static void the_two_filters_switch_over_at_zero(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t mag, min;
        enum reference_operation operation;
        float lod; /* LOD: given; IMPLICIT: by the derivative */
        bool switch_over;
        float value, low, high;
    } rows[] = {
        {NEAREST, LINEAR, REFERENCE_LOD, 0, false, .2f, .1f, .2f},
        {NEAREST, LINEAR, REFERENCE_LOD, .004f, false, .15f, .15f - .1f / 512, .15f + .1f / 512},
        /* The last of 8 bits of the level of detail: either filter. */
        {NEAREST, LINEAR, REFERENCE_LOD, .003f, false, .15f, .1f, .2f},
        {LINEAR, NEAREST, REFERENCE_LOD, 0, false, .15f, .15f - .1f / 512, .15f + .1f / 512},
        {LINEAR, NEAREST, REFERENCE_LOD, -4, false, .15f, .15f - .1f / 512, .15f + .1f / 512},
        {LINEAR, NEAREST, REFERENCE_LOD, 4, false, .2f, .1f, .2f},
        /* Computed: both filters within the tolerance. */
        {NEAREST, LINEAR, REFERENCE_IMPLICIT, 0, false, .2f, .1f, .2f},
        {LINEAR, NEAREST, REFERENCE_IMPLICIT, 0, false, .15f, .1f, .2f},
        {LINEAR, NEAREST, REFERENCE_IMPLICIT, -.1f, false, .15f, .15f - .1f / 512, .15f + .1f / 512},
        {LINEAR, REFERENCE_NEAREST_MIPMAP_NEAREST, REFERENCE_IMPLICIT, -.1f, false, .15f, .15f - .1f / 512,
         .15f + .1f / 512},
        /* The switch-over point that 8.15 allows for these filters. */
        {LINEAR, REFERENCE_NEAREST_MIPMAP_NEAREST, REFERENCE_LOD, .25f, true, .2f, .1f, .2f},
        {NEAREST, REFERENCE_LINEAR_MIPMAP_NEAREST, REFERENCE_LOD, .25f, true, .15f, .15f - .1f / 512, .15f + .1f / 512},
    };
    struct reference_texture texture = ramp_1d();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, rows[i].mag);
        sampler.min_filter = rows[i].min;
        struct reference_lookup lookup = {.operation = rows[i].operation,
                                          .coordinate = {1 / 4.0f},
                                          .lod = rows[i].lod,
                                          .ddx = {exp2f(rows[i].lod) / 4}};
        struct reference_precision precision = reference_hardware;
        precision.switch_over = rows[i].switch_over;
        struct reference_result result;
        reference_sample(&texture, &sampler, &lookup, &precision, &result);
        assert_near(result.rgba.f[0], rows[i].value);
        assert_near(result.low.f[0], rows[i].low);
        assert_near(result.high.f[0], rows[i].high);
    }
}

/* u is taken in texels of the level: an offset is a texel of the level that is sampled, not of the base. */
static void offsets_are_texels_of_the_sampled_level(void **unused)
{
    (void)unused;
    static const union reference_color base[4] = {{.f = {0}}, {.f = {0}}, {.f = {0}}, {.f = {0}}},
                                       half[2] = {{.f = {5}}, {.f = {6}}};
    struct reference_texture texture = {
        .target = REFERENCE_1D, .levels = 2, .layers = 1, .level = {{4, 1, 1, base}, {2, 1, 1, half}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, NEAREST);
    sampler.min_filter = REFERENCE_NEAREST_MIPMAP_NEAREST;
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {.25f}, .lod = 1, .offset = {1}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 6);
}

static void comparison_comes_before_filtering(void **unused)
{
    (void)unused;
    static const union reference_color depths[4] = {{.f = {.1f}}, {.f = {.5f}}, {.f = {.5f}}, {.f = {.9f}}};
    static const struct {
        uint32_t func;
        float reference, u, passes;
    } rows[] = {
        {0x0203, .5f, 1, .5f},  /* LEQUAL: .5 <= .1 fails, .5 <= .5 passes */
        {0x0201, .5f, 3, .5f},  /* LESS: .5 < .5 fails, .5 < .9 passes */
        {0x0204, .5f, 1, .5f},  /* GREATER */
        {0x0206, .5f, 2, 1},    /* GEQUAL */
        {0x0202, .5f, 2, 1},    /* EQUAL */
        {0x0205, .5f, 2, 0},    /* NOTEQUAL */
        {0x0200, .5f, 2, 0},    /* NEVER */
        {0x0207, .5f, 2, 1},    /* ALWAYS */
        {0x0203, .95f, 4, .5f}, /* the border, 1, passes */
        {0x0203, 7.0f, 4, .5f}, /* clamped to 1, which the border still equals */
        {0x0203, -7.0f, 2, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct reference_texture texture = {.target = REFERENCE_1D,
                                            .kind = REFERENCE_DEPTH_UNORM,
                                            .levels = 1,
                                            .layers = 1,
                                            .level = {{4, 1, 1, depths}}};
        struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, LINEAR);
        sampler.compare = true;
        sampler.compare_func = rows[i].func;
        struct reference_lookup lookup = {
            .operation = REFERENCE_LOD, .coordinate = {rows[i].u / 4}, .reference = rows[i].reference};
        struct reference_result result;
        reference_sample(&texture, &sampler, &lookup, NULL, &result);
        assert_near(result.rgba.f[0], rows[i].passes);
    }
    /* Floating-point depth is compared as it is. */
    struct reference_texture texture = {
        .target = REFERENCE_1D, .kind = REFERENCE_DEPTH_FLOAT, .levels = 1, .layers = 1, .level = {{4, 1, 1, depths}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, LINEAR);
    sampler.compare = true;
    sampler.compare_func = 0x0203;
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {1}, .reference = 7};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_near(result.rgba.f[0], 0);
}

static void integers_are_never_filtered(void **unused)
{
    (void)unused;
    static const union reference_color base[2] = {{.u = {5, 0, 0, 1}}, {.u = {4000000000u, 1, 2, 3}}},
                                       small[1] = {{.u = {9, 9, 9, 9}}};
    struct reference_texture texture = {.target = REFERENCE_1D,
                                        .kind = REFERENCE_UINT,
                                        .levels = 2,
                                        .layers = 1,
                                        .level = {{2, 1, 1, base}, {1, 1, 1, small}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, LINEAR);
    sampler.min_filter = REFERENCE_LINEAR_MIPMAP_LINEAR;
    struct reference_lookup lookup = {.operation = REFERENCE_LOD, .coordinate = {1}, .lod = .3f};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_int_equal(result.rgba.u[0], 4000000000u);
    assert_true(reference_accepts(&result, REFERENCE_UINT, &base[1], 0, 15));
    assert_false(reference_accepts(&result, REFERENCE_UINT, &base[0], 1e9f, 1));
    lookup.coordinate[0] = .5f; /* a tie: the range is that of unsigned numbers */
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_int_equal(result.low.u[0], 5);
    assert_int_equal(result.high.u[0], 4000000000u);
    texture.kind = REFERENCE_INT;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    assert_int_equal(result.low.i[0], (int32_t)4000000000u);
    assert_int_equal(result.high.i[0], 5);
}

static void gathers_take_the_linear_footprint(void **unused)
{
    (void)unused;
    struct reference_texture texture = {.target = REFERENCE_2D, .levels = 1, .layers = 1, .level = {{3, 2, 1, grid}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP, NEAREST);
    sampler.border.f[0] = 77;
    struct reference_lookup lookup = {.operation = REFERENCE_GATHER, .coordinate = {1.2f / 3, 1.1f / 2}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    static const float inside[4] = {10, 11, 1, 0};
    assert_memory_equal(result.rgba.f, inside, sizeof(inside));
    lookup.coordinate[0] = 9; /* clamped to N: the border is the right neighbour, nearest filter or not */
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    static const float outside[4] = {12, 77, 77, 2};
    assert_memory_equal(result.rgba.f, outside, sizeof(outside));
    lookup.coordinate[0] = 1.2f / 3;
    lookup.offset[0] = 1;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    static const float moved[4] = {11, 12, 2, 1};
    assert_memory_equal(result.rgba.f, moved, sizeof(moved));
    lookup.has_offsets = true;
    static const int32_t offsets[4][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}};
    memcpy(lookup.offsets, offsets, sizeof(offsets));
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    static const float each[4] = {0, 1, 10, 77};
    assert_memory_equal(result.rgba.f, each, sizeof(each));
}

/* Gathers along the first axis of the grid: left and right of the lower texels. */
static struct reference_result gather_row(uint32_t wrap, float u)
{
    struct reference_texture texture = {.target = REFERENCE_2D, .levels = 1, .layers = 1, .level = {{3, 2, 1, grid}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP_TO_EDGE, LINEAR);
    sampler.wrap[0] = wrap;
    sampler.border.f[0] = 77;
    struct reference_lookup lookup = {.operation = REFERENCE_GATHER, .coordinate = {u / 3, 1.1f / 2}};
    struct reference_result result;
    reference_sample(&texture, &sampler, &lookup, NULL, &result);
    return result;
}

static void gathers_at_the_mirror_line(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t wrap;
        float left, right;
    } rows[] = {
        {REFERENCE_MIRROR_CLAMP, 0, 1}, /* the coordinate is half a texel: texels 0 and 1 */
        {REFERENCE_MIRROR_CLAMP_TO_BORDER, 0, 1}, {REFERENCE_MIRROR_CLAMP_TO_EDGE, 0, 0}, /* texel -1 is mirrored */
        {REFERENCE_MIRRORED_REPEAT, 0, 0},        {REFERENCE_CLAMP, 77, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct reference_result result = gather_row(rows[i].wrap, .1f);
        assert_near(result.rgba.f[3], rows[i].left);
        assert_near(result.rgba.f[2], rows[i].right);
        assert_near(result.high.f[2], rows[i].right);
        assert_near(result.low.f[2], rows[i].right);
    }
}

/* OpenGL 4.6 mirrors the texel's number (table 8.20), EXT_texture_mirror_clamp the coordinate. */
static void gathers_of_the_mirrored_side_have_one_order(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t wrap;
        float left, right;
    } rows[] = {
        {REFERENCE_MIRRORED_REPEAT, 1, 0},
        {REFERENCE_MIRROR_CLAMP_TO_EDGE, 1, 0},
        {REFERENCE_MIRROR_CLAMP, 0, 1},
        {REFERENCE_MIRROR_CLAMP_TO_BORDER, 0, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct reference_result result = gather_row(rows[i].wrap, -1.2f);
        assert_near(result.low.f[3], rows[i].left);
        assert_near(result.high.f[3], rows[i].left);
        assert_near(result.low.f[2], rows[i].right);
        assert_near(result.high.f[2], rows[i].right);
    }
}

static void gathers_take_a_component(void **unused)
{
    (void)unused;
    static const union reference_color texel[1] = {{.f = {1, 2, 3, 4}}};
    struct reference_texture texture = {.target = REFERENCE_2D, .levels = 1, .layers = 1, .level = {{1, 1, 1, texel}}};
    struct reference_sampler sampler = sampler_of(REFERENCE_CLAMP_TO_EDGE, LINEAR);
    for (uint32_t component = 0; component < 4; component++) {
        struct reference_lookup lookup = {.operation = REFERENCE_GATHER, .component = component};
        struct reference_result result;
        reference_sample(&texture, &sampler, &lookup, NULL, &result);
        for (int i = 0; i < 4; i++)
            assert_near(result.rgba.f[i], (float)component + 1);
    }
}

/* Whatever the coordinate, values at coordinates within the precision are in the range. */
static void neighbouring_coordinates_stay_in_the_range(void **unused)
{
    (void)unused;
    static const uint32_t wraps[] = {0x2900, 0x2901, 0x812D, 0x812F, 0x8370, 0x8742, 0x8743, 0x8912};
    srand(7);
    for (int i = 0; i < 20000; i++) {
        uint32_t wrap = wraps[rand() % 8], filter = rand() & 1 ? NEAREST : LINEAR;
        /* Multiples of 1/1024 meet all the kinks and steps. */
        float u = (float)(rand() % 16384 - 8192) / 1024.0f;
        float near = u + (float)(rand() % 3 - 1) / 1024.0f;
        struct reference_result result = sample_1d(wrap, filter, u, 0), other = sample_1d(wrap, filter, near, 0);
        assert_true(reference_accepts(&result, REFERENCE_FLOAT, &other.rgba, 1e-6f, 15));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_wrap_mode_reads_its_texels),
        cmocka_unit_test(mirror_clamp_agrees_with_a_real_opengl),
        cmocka_unit_test(a_nearest_tie_accepts_both_neighbours),
        cmocka_unit_test(a_linear_range_is_the_coordinates_uncertainty),
        cmocka_unit_test(strange_coordinates_do_no_harm),
        cmocka_unit_test(axes_wrap_by_themselves),
        cmocka_unit_test(three_axes_are_filtered),
        cmocka_unit_test(layers_are_rounded_and_clamped),
        cmocka_unit_test(rectangles_take_texels),
        cmocka_unit_test(filters_choose_levels),
        cmocka_unit_test(derivatives_give_the_level_of_detail),
        cmocka_unit_test(computed_levels_have_a_range_too),
        cmocka_unit_test(the_two_filters_switch_over_at_zero),
        cmocka_unit_test(offsets_are_texels_of_the_sampled_level),
        cmocka_unit_test(comparison_comes_before_filtering),
        cmocka_unit_test(integers_are_never_filtered),
        cmocka_unit_test(gathers_take_the_linear_footprint),
        cmocka_unit_test(gathers_at_the_mirror_line),
        cmocka_unit_test(gathers_of_the_mirrored_side_have_one_order),
        cmocka_unit_test(gathers_take_a_component),
        cmocka_unit_test(neighbouring_coordinates_stay_in_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
