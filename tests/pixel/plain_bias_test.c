/* SPDX-License-Identifier: MIT */
/*
 * Biases of plain samplers where the layer's own have less: with assume_missing=lod_bias programs see the driver's
 * limit, so that samplers without GL state may exceed what the layer gives to the driver.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pixel/pixel.h"

static struct pixel pixel;

static uint32_t check_biases(bool separate, uint32_t mode, int tier)
{
    static const uint32_t size[3] = {64, 32, 1};
    static const float biases[] = {-5.25f, -2.75f, 1.5f, 3.25f, 5.75f};
    struct pixel_texture texture;
    struct pixel_case test = {
        .name = "bias of a plain sampler",
        .lookup = {LOOKUP_2D, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_COMPUTE, separate, 0, LOOKUP_ALONE},
        .texture = &texture,
        .form = LOOKUP_SAMPLER_PRIVATE,
        .tier = tier};
    uint32_t failures = 0;
    pixel_texture_create(&pixel, &texture, LOOKUP_2D, LOOKUP_RGBA8, size, 0);
    pixel_scatter(&pixel, &texture, &test.lookup);
    for (size_t i = 0; i < sizeof(biases) / sizeof(biases[0]); i++) {
        test.state = pixel_state(mode, GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR);
        test.state.lodBias = biases[i];
        failures += !pixel_check(&pixel, &test);
    }
    pixel_texture_destroy(&pixel, &texture);
    return failures;
}

/* MIRROR_CLAMP with levels is filtered in the shader, which adds the bias itself. */
static void the_filter_has_all_of_a_plain_samplers_bias(void **state)
{
    (void)state;
    assert_int_equal(check_biases(true, GL_MIRROR_CLAMP_EXT, 2), 0);
    assert_int_equal(check_biases(false, GL_MIRROR_CLAMP_EXT, 2), 0);
}

/* The driver's sampler has the bias, and nothing is added to it. */
static void moved_coordinates_leave_the_bias_to_the_driver(void **state)
{
    (void)state;
    assert_int_equal(check_biases(true, GL_CLAMP, 1), 0);
    assert_int_equal(check_biases(false, GL_CLAMP, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_filter_has_all_of_a_plain_samplers_bias),
        cmocka_unit_test(moved_coordinates_leave_the_bias_to_the_driver),
    };
    setenv("VK_CLAMPLER_ASSUME_MISSING", "lod_bias", 1);
    return PIXEL_RUN("plain_bias", tests, &pixel, 64, false);
}
