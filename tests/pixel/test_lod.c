/*
 * Implicit level of detail at clamped borders: the level must come from the coordinate before it is clamped, as OpenGL
 * has it. A coordinate that is clamped first has no derivative beyond the texture and samples level 0 there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
#define VIEWS (sizeof views / sizeof views[0])

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

static uint32_t check_dimension(enum lookup_dimension dimension, float anisotropy)
{
    static const uint32_t filters[][2] = {{GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR},
                                          {GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR},
                                          {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST}};
    struct pixel_texture texture;
    struct pixel_case test = {.name = anisotropy > 1 ? "anisotropic" : "implicit level of detail",
                              .lookup = {dimension, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false},
                              .texture = &texture,
                              .tier = -1};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, dimension, LOOKUP_RGBA8, size, 0);
    for (int wrap = 0; wrap < PIXEL_WRAPS; wrap++) {
        for (int filter = 0; filter < 3; filter++) {
            test.state = pixel_state(pixel_wraps[wrap], filters[filter][0], filters[filter][1]);
            test.state.maxAnisotropy = anisotropy;
            failures += check_views(&test);
        }
    }
    pixel_texture_destroy(&pixel, &texture);
    return failures;
}

static void levels_at_borders_are_opengls_in_1d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_1D, 0), 0);
}

static void levels_at_borders_are_opengls_in_2d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D, 0), 0);
}

static void levels_at_borders_are_opengls_in_2d_arrays(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_2D_ARRAY, 0), 0);
}

static void levels_at_borders_are_opengls_in_3d(void **state)
{
    (void)state;
    assert_int_equal(check_dimension(LOOKUP_3D, 0), 0);
}

static void anisotropy_survives_the_clamp(void **state)
{
    (void)state;
    if (!pixel.has_gl || !pixel.gl.anisotropy || !pixel.vk.anisotropy)
        skip();
    assert_int_equal(check_dimension(LOOKUP_2D, 8), 0);
}

/* LOD bias of the sampler, and LOD ranges that leave some levels out. */
static void sampler_biases_and_ranges_hold_at_borders(void **state)
{
    (void)state;
    static const float ranges[][3] = {{0.7f, -1000, 1000}, {-1.2f, -1000, 1000}, {0, 1, 2}, {0.4f, 1.5f, 1000}};
    struct pixel_texture texture;
    struct pixel_case test = {.name = "bias and range",
                              .lookup = {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false},
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

static int open_all(void **state)
{
    (void)state;
    pixel_open(&pixel, 64, true);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    return pixel_close(&pixel) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_at_borders_are_opengls_in_1d),
        cmocka_unit_test(levels_at_borders_are_opengls_in_2d),
        cmocka_unit_test(levels_at_borders_are_opengls_in_2d_arrays),
        cmocka_unit_test(levels_at_borders_are_opengls_in_3d),
        cmocka_unit_test(anisotropy_survives_the_clamp),
        cmocka_unit_test(sampler_biases_and_ranges_hold_at_borders),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
