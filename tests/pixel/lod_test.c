/* SPDX-License-Identifier: MIT */
/*
 * Implicit level of detail at clamped borders: the level must come from the coordinate before it is clamped, as OpenGL
 * has it. A coordinate that is clamped first has no derivative beyond the texture and samples level 0 there.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pixel/pixel.h"

static struct pixel pixel;
static const uint32_t size[3] = {64, 32, 16};

static const struct {
    float texels, stretch, turn;
} views[] = {
    {0.7f, 1, 0}, {1.0f, 1, 0}, {2.0f, 1, 0}, {4.0f, 1, 0}, {3.0f, 1, 0.6f}, {2.0f, 4, 0}, {1.5f, 3, 1.0f},
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

static uint32_t check_views(struct pixel_case *test)
{
    uint32_t failures = 0;
    for (size_t view = 0; view < VIEWS; view++) {
        pixel_affine(&pixel, test->texture, &test->lookup, views[view].texels, views[view].stretch, views[view].turn,
                     0.5f);
        failures += !pixel_check(&pixel, test);
    }
    return failures;
}

static uint32_t check_dimension(enum lookup_dimension dimension)
{
    static const uint32_t filters[][2] = {{GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
                                          {GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
                                          {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST}};
    struct pixel_texture texture;
    struct pixel_case test = {
        .name = "implicit level of detail",
        .lookup = {dimension, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
        .texture = &texture,
        .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, dimension, LOOKUP_RGBA8, size, 0);
    for (int wrap = 0; wrap < PIXEL_WRAPS; wrap++) {
        for (int filter = 0; filter < 3; filter++) {
            test.state = pixel_state(pixel_wraps[wrap], filters[filter][0], filters[filter][1]);
            failures += check_views(&test);
        }
    }
    pixel_texture_destroy(&pixel, &texture);
    return failures;
}

static void levels_at_borders_are_opengls_in_1d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_1D), 0);
}

static void levels_at_borders_are_opengls_in_2d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D), 0);
}

static void levels_at_borders_are_opengls_in_2d_arrays(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D_ARRAY), 0);
}

static void levels_at_borders_are_opengls_in_3d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_3D), 0);
}

/*
 * How far a filter reaches beyond an edge under anisotropy is the implementation's choice
 * (EXT_texture_filter_anisotropic), so colours at borders may differ; the level may not. Every level has a brightness
 * of its own in red and no green, the border is green and nothing else: green tells how much of the border is in a
 * value, and what is left of red the level.
 */
#define BRIGHTNESS(level) (0.9f - 0.1f * (float)(level))
#define ANISOTROPY_LEVELS 7

static void create_level_texture(struct pixel_texture *texture)
{
    struct lookup_texture about = {
        .dimension = LOOKUP_2D, .format = LOOKUP_RGBA32F, .width = 64, .height = 64, .levels = ANISOTROPY_LEVELS};
    float(*texels)[4] = harness_alloc(lookup_texel_count(&about), sizeof(*texels));
    size_t index = 0;
    for (uint32_t level = 0; level < about.levels; level++)
        for (uint32_t i = 0; i < (64u >> level) * (64u >> level); i++, index++)
            texels[index][0] = BRIGHTNESS(level);
    about.texels = texels;
    *texture = (struct pixel_texture){.texture = about};
    lookup_vulkan_image(&pixel.vk, &texture->vulkan, &about);
    texture->gl = lookup_gl_image(&pixel.gl, &about, 0);
    lookup_reference_open(&texture->reference, &about);
    texture->texture.texels = NULL;
    free(texels);
}

/* The level that a value comes from, or -1 where all of it is border. */
static float level_in(const float value[4])
{
    float texture = 1 - value[1];
    return texture < 0.02f ? -1 : (0.9f - value[0] / texture) / 0.1f;
}

/* Counts the values whose level is not OpenGL's; `beyond` counts those compared where the coordinate is clamped. */
static uint32_t count_other_levels(uint32_t *beyond)
{
    uint32_t misses = 0;
    for (uint32_t i = 0; i < pixel.grid.width * pixel.grid.height; i++) {
        const float *p = pixel.inputs[i].p;
        float vulkan = level_in(pixel.got + (size_t)i * 4), opengl = level_in(pixel.drawn + (size_t)i * 4);
        if (vulkan < -0.5f || opengl < -0.5f)
            continue;
        *beyond += p[0] < 0 || p[0] > 1 || p[1] < 0 || p[1] > 1;
        if (fabsf(vulkan - opengl) > 0.02f && misses++ < 4)
            printf("  at %g, %g: level %g, OpenGL's is %g\n", (double)p[0], (double)p[1], (double)vulkan,
                   (double)opengl);
    }
    return misses;
}

/*
 * Whether the driver's own textureGrad minds its gradients under anisotropy. Mesa 22.3's llvmpipe does not: it samples
 * level 0 whatever they say, in Vulkan and OpenGL alike, so nothing that hands gradients on can be right there.
 */
static bool driver_minds_gradients(struct pixel_texture *texture)
{
    static const struct lookup lookup = {LOOKUP_2D, LOOKUP_GRAD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE};
    VkSamplerGLStateCreateInfoCLAMPLER gl = pixel_state(GL_CLAMP_TO_EDGE, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
    gl.maxAnisotropy = 8;
    VkSampler sampler = lookup_vulkan_sampler(&pixel.vk, &gl, LOOKUP_SAMPLER_NAIVE, false);
    /* The coordinate is the same everywhere: only the gradients can tell the level. */
    for (uint32_t i = 0; i < pixel.grid.width * pixel.grid.height; i++)
        pixel.inputs[i] =
            (struct lookup_input){.p = {0.4f, 0.4f, 0, 0}, .dx = {8.0f / 64, 0, 0, 0}, .dy = {0, 8.0f / 64, 0, 0}};
    lookup_vulkan_run(&pixel.vulkan, &lookup, texture->vulkan.view, sampler, pixel.inputs, pixel.got);
    vkDestroySampler(pixel.vk.device, sampler, NULL);
    return fabsf(level_in(pixel.got) - 3) < 0.02f;
}

static void anisotropic_levels_at_borders_are_opengls(void **state)
{
    (void)state;
    static const struct lookup lookup = {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false,
                                         0,         LOOKUP_ALONE};
    struct pixel_texture texture;
    uint32_t misses = 0, beyond = 0;
    if (!pixel.has_gl || !pixel.gl.anisotropy || !pixel.vk.anisotropy)
        skip();
    create_level_texture(&texture);
    /* There the layer samples clamped lookups isotropically: the level is right where the footprint is a
       square along the axes. */
    bool square_only = !driver_minds_gradients(&texture);
    uint32_t drawn = 0;
    VkSamplerGLStateCreateInfoCLAMPLER gl = pixel_state(GL_CLAMP, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
    gl.maxAnisotropy = 8;
    gl.borderColor = (VkClearColorValue){.float32 = {0, 1, 0, 0}};
    VkSampler sampler = lookup_vulkan_sampler(&pixel.vk, &gl, LOOKUP_SAMPLER_GL, false);
    GLuint gl_sampler = harness_gl_sampler(&pixel.gl, &gl, HARNESS_GL_BORDER_FLOAT);
    struct clampler_counters before = harness_counters(&pixel.vk);
    for (size_t view = 0; view < VIEWS; view++) {
        if (square_only && (views[view].stretch != 1 || views[view].turn != 0))
            continue;
        drawn++;
        pixel_affine(&pixel, &texture, &lookup, views[view].texels, views[view].stretch, views[view].turn, 0.5f);
        lookup_vulkan_run(&pixel.vulkan, &lookup, texture.vulkan.view, sampler, pixel.inputs, pixel.got);
        lookup_gl_run(&pixel.opengl, &lookup, texture.gl, gl_sampler, pixel.inputs, pixel.drawn);
        misses += count_other_levels(&beyond);
    }
    assert_int_equal(harness_counters(&pixel.vk).draws[1] - before.draws[1], drawn);
    vkDestroySampler(pixel.vk.device, sampler, NULL);
    pixel.gl.DeleteSamplers(1, &gl_sampler);
    pixel_texture_destroy(&pixel, &texture);
    assert_int_equal(misses, 0);
    assert_true(beyond > (square_only ? 100u : 1000u));
}

/* LOD bias of the sampler, and LOD ranges that leave some levels out. */
static void sampler_biases_and_ranges_hold_at_borders(void **state)
{
    (void)state;
    static const float ranges[][3] = {{0.7f, -1000, 1000}, {-1.2f, -1000, 1000}, {0, 1, 2}, {0.4f, 1.5f, 1000}};
    struct pixel_texture texture;
    struct pixel_case test = {
        .name = "bias and range",
        .lookup = {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
        .texture = &texture,
        .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, LOOKUP_2D, LOOKUP_RGBA8, size, 0);
    for (int wrap = 0; wrap < PIXEL_WRAPS; wrap++) {
        for (int range = 0; range < 4; range++) {
            test.state = pixel_state(pixel_wraps[wrap], GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
            test.state.lodBias = ranges[range][0];
            test.state.minLod = ranges[range][1];
            test.state.maxLod = ranges[range][2];
            test.lookup.operation = range % 2 ? LOOKUP_BIAS : LOOKUP_IMPLICIT;
            failures += check_views(&test);
        }
    }
    pixel_texture_destroy(&pixel, &texture);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_at_borders_are_opengls_in_1d),
        cmocka_unit_test(levels_at_borders_are_opengls_in_2d),
        cmocka_unit_test(levels_at_borders_are_opengls_in_2d_arrays),
        cmocka_unit_test(levels_at_borders_are_opengls_in_3d),
        cmocka_unit_test(anisotropic_levels_at_borders_are_opengls),
        cmocka_unit_test(sampler_biases_and_ranges_hold_at_borders),
    };
    return PIXEL_RUN("lod", tests, &pixel, 64, true);
}
