/* SPDX-License-Identifier: MIT */
/* Every wrap mode with every pair of filters in every dimension, with explicit levels of detail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pixel/pixel.h"

static struct pixel pixel;
static const uint32_t odd_size[3] = {13, 7, 5};

static uint32_t check_filters(struct pixel_case *test)
{
    uint32_t failures = 0;
    for (int wrap = 0; wrap < PIXEL_WRAPS; wrap++) {
        for (int filter = 0; filter < PIXEL_FILTERS; filter++) {
            test->state = pixel_state(pixel_wraps[wrap], pixel_filters[filter][0], pixel_filters[filter][1]);
            failures += !pixel_check(&pixel, test);
        }
    }
    return failures;
}

static uint32_t check_dimension(enum lookup_dimension dimension, enum lookup_format format)
{
    struct pixel_texture texture;
    struct pixel_case test = {.name = "wrap mode",
                              .lookup = {dimension, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
                              .texture = &texture,
                              .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, dimension, format, odd_size, 0);
    pixel_scatter(&pixel, &texture, &test.lookup);
    for (int form = LOOKUP_SAMPLER_GL; form <= LOOKUP_SAMPLER_PRIVATE; form++) {
        test.form = (enum lookup_sampler_form)form;
        failures += check_filters(&test);
    }
    pixel_texture_destroy(&pixel, &texture);
    return failures;
}

static void one_dimensional_textures_wrap_as_specified(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_1D, LOOKUP_RGBA8), 0);
}

static void one_dimensional_arrays_wrap_s_and_never_the_layer(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_1D_ARRAY, LOOKUP_RGBA8), 0);
}

static void two_dimensional_textures_wrap_as_specified(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D, LOOKUP_RGBA8), 0);
}

static void float_textures_wrap_as_specified(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D, LOOKUP_RGBA32F), 0);
}

static void two_dimensional_arrays_wrap_s_and_t_and_never_the_layer(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D_ARRAY, LOOKUP_RGBA8), 0);
}

static void three_dimensional_textures_wrap_as_specified(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_3D, LOOKUP_RGBA8), 0);
}

/* Texel coordinates: Vulkan allows only the clamping modes, one level and equal filters. */
static void unnormalised_coordinates_clamp_in_texels(void **state)
{
    (void)state;
    static const uint32_t wraps[] = {GL_CLAMP, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER},
                          filters[] = {GL_NEAREST, GL_LINEAR};
    struct pixel_texture texture;
    struct pixel_case test = {
        .name = "texel coordinates",
        .lookup = {LOOKUP_RECTANGLE, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
        .texture = &texture,
        .form = LOOKUP_SAMPLER_PRIVATE,
        .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, LOOKUP_RECTANGLE, LOOKUP_RGBA8, odd_size, 1);
    for (int i = 0; i < 6; i++) {
        test.state = pixel_state(wraps[i % 3], filters[i / 3], filters[i / 3]);
        test.state.wrapR = GL_CLAMP_TO_EDGE;
        pixel_scatter(&pixel, &texture, &test.lookup);
        for (uint32_t input = 0; input < pixel.grid.width * pixel.grid.height; input++)
            pixel.inputs[input].extra[0] = 0;
        failures += !pixel_check(&pixel, &test);
    }
    pixel_texture_destroy(&pixel, &texture);
    assert_int_equal(failures, 0);
}

static void each_axis_has_a_mode_of_its_own(void **state)
{
    (void)state;
    struct pixel_texture texture;
    struct pixel_case test = {.name = "modes by axis",
                              .lookup = {LOOKUP_3D, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
                              .texture = &texture,
                              .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, LOOKUP_3D, LOOKUP_RGBA8, odd_size, 0);
    pixel_scatter(&pixel, &texture, &test.lookup);
    for (uint32_t i = 0; i < PIXEL_WRAPS * 6; i++) {
        const uint32_t *filters = pixel_filters[i % 6];
        test.state = pixel_state(pixel_wraps[i % PIXEL_WRAPS], filters[0], filters[1]);
        test.state.wrapT = pixel_wraps[(i * 3 + 1 + i / PIXEL_WRAPS) % PIXEL_WRAPS];
        test.state.wrapR = pixel_wraps[(i * 5 + 2 + i / PIXEL_WRAPS) % PIXEL_WRAPS];
        failures += !pixel_check(&pixel, &test);
    }
    pixel_texture_destroy(&pixel, &texture);
    assert_int_equal(failures, 0);
}

/* Integer textures are never filtered; their border is zero here, in floats and integers alike. */
static void integer_textures_wrap_without_a_filter(void **state)
{
    (void)state;
    struct pixel_texture texture;
    struct pixel_case test = {.name = "integer texture",
                              .lookup = {LOOKUP_2D, LOOKUP_LOD, LOOKUP_UINT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
                              .texture = &texture,
                              .tier = -1};
    uint32_t failures = 0;
    if (!lookup_exists(&test.lookup))
        fail();
    pixel_texture_create(&pixel, &texture, LOOKUP_2D, LOOKUP_RGBA8UI, odd_size, 0);
    pixel_scatter(&pixel, &texture, &test.lookup);
    for (int wrap = 0; wrap < PIXEL_WRAPS; wrap++) {
        test.state = pixel_state(pixel_wraps[wrap], GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
        test.state.borderColor = (VkClearColorValue){.uint32 = {0, 0, 0, 0}};
        failures += !pixel_check(&pixel, &test);
    }
    pixel_texture_destroy(&pixel, &texture);
    assert_int_equal(failures, 0);
}

/* Seamless cubes are filtered across their faces whatever the wrap modes are (section 8.14.2): no record, no cost. */
static void seamless_cubes_are_left_alone(void **state)
{
    (void)state;
    static const uint32_t wraps[] = {GL_CLAMP, GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_REPEAT};
    struct pixel_texture texture;
    struct pixel_case test = {
        .name = "cube",
        .lookup = {LOOKUP_CUBE, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
        .texture = &texture,
        .tier = 0};
    uint32_t failures = 0;
    if (!pixel.has_gl)
        skip();
    glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    pixel_texture_create(&pixel, &texture, LOOKUP_CUBE, LOOKUP_RGBA8, odd_size, 0);
    pixel_scatter(&pixel, &texture, &test.lookup);
    for (int i = 0; i < 6; i++) {
        test.state = pixel_state(wraps[i % 3], i < 3 ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
        test.state.cubeMapSeamless = VK_TRUE;
        failures += !pixel_check(&pixel, &test);
    }
    pixel_texture_destroy(&pixel, &texture);
    glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_dimensional_textures_wrap_as_specified),
        cmocka_unit_test(one_dimensional_arrays_wrap_s_and_never_the_layer),
        cmocka_unit_test(two_dimensional_textures_wrap_as_specified),
        cmocka_unit_test(float_textures_wrap_as_specified),
        cmocka_unit_test(two_dimensional_arrays_wrap_s_and_t_and_never_the_layer),
        cmocka_unit_test(three_dimensional_textures_wrap_as_specified),
        cmocka_unit_test(unnormalised_coordinates_clamp_in_texels),
        cmocka_unit_test(each_axis_has_a_mode_of_its_own),
        cmocka_unit_test(integer_textures_wrap_without_a_filter),
        cmocka_unit_test(seamless_cubes_are_left_alone),
    };
    return PIXEL_RUN("wrap", tests, &pixel, 64, false);
}
