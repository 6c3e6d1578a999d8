/* SPDX-License-Identifier: MIT */
/*
 * More border colours at a time than the driver has places for: no pixel changes, nothing fails below, and what is
 * destroyed is free again. Runs above the limited driver's profile border-limit-24.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/lookups/lookup.h"
#include "limited_driver/limited_driver.h"

#define SAMPLERS 40u
#define LIMIT 24u
#define GRID 4u

struct crowd {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct harness_image image;
    VkSampler samplers[SAMPLERS];
    uint32_t count;
    struct lookup_input inputs[GRID * GRID];
    float drawn[GRID * GRID * 4];
};

static const struct lookup lookup = {LOOKUP_2D, LOOKUP_LOD, LOOKUP_FLOAT, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE};

static void color_of(uint32_t sampler, float color[4])
{
    for (uint32_t c = 0; c < 4; c++)
        color[c] = (float)((sampler * 37 + c * 59 + 11) % 256) / 255.0f;
}

/* `rules`: what the driver lacks besides, or NULL. */
static void open_crowd(struct crowd *crowd, uint32_t count, const char *rules)
{
    static const uint8_t texels[4 * 4 * 4] = {0};
    const struct lookup_texture texture = {.dimension = LOOKUP_2D,
                                           .format = LOOKUP_RGBA8,
                                           .width = 4,
                                           .height = 4,
                                           .depth = 1,
                                           .layers = 1,
                                           .levels = 1,
                                           .texels = texels};
    harness_messages_reset();
    setenv("LIMITED_DRIVER_PROFILE", "border-limit-24", 1);
    if (rules)
        setenv("LIMITED_DRIVER_RULES", rules, 1);
    setenv("VK_CLAMPLER_LINEAR_FALLBACK", "nearest", 1);
    harness_vulkan_open(&crowd->vk, &(struct harness_vulkan_params){.layers = "clampler:validation:limited",
                                                                    .gl_sampler = true,
                                                                    .sampling_features = true});
    unsetenv("VK_CLAMPLER_LINEAR_FALLBACK");
    unsetenv("LIMITED_DRIVER_RULES");
    crowd->count = count;
    lookup_vulkan_open(&crowd->lookups, &crowd->vk, (struct lookup_grid){GRID, GRID});
    lookup_vulkan_image(&crowd->vk, &crowd->image, &texture);
    for (uint32_t i = 0; i < GRID * GRID; i++)
        crowd->inputs[i] = (struct lookup_input){.p = {1.5f + (float)i, -1, 0, 0}};
}

static void close_crowd(struct crowd *crowd)
{
    struct limited_driver_violation violation;
    PFN_limitedDriverGetViolations violations =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(crowd->vk.device, "vkGetViolationsLIMITED");
    assert_non_null(violations);
    assert_int_equal(violations(crowd->vk.device, 1, &violation), 0);
    harness_image_destroy(&crowd->vk, &crowd->image);
    lookup_vulkan_close(&crowd->lookups);
    harness_vulkan_close(&crowd->vk);
    assert_int_equal(harness_messages(), 0);
    free(crowd);
}

/* `own`: one in so many is the program's own, with a custom colour that it has from Vulkan; 0: none. */
static void create_samplers(struct crowd *crowd, enum lookup_sampler_form form, uint32_t own)
{
    for (uint32_t i = 0; i < crowd->count; i++) {
        const uint32_t wrap = form == LOOKUP_SAMPLER_PRIVATE ? GL_MIRROR_CLAMP_TO_BORDER_EXT : GL_CLAMP_TO_BORDER;
        VkSamplerGLStateCreateInfoCLAMPLER state = {
            .wrapS = wrap, .wrapT = wrap, .minFilter = GL_LINEAR, .magFilter = GL_LINEAR, .maxLod = 1000};
        color_of(i, state.borderColor.float32);
        crowd->samplers[i] =
            lookup_vulkan_sampler(&crowd->vk, &state, own && i % own == 0 ? LOOKUP_SAMPLER_NAIVE : form, false);
    }
}

static void destroy_samplers(struct crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i++)
        vkDestroySampler(crowd->vk.device, crowd->samplers[i], NULL);
}

/* Every sampler in turn, all of them alive; returns of how many the driver showed the border, in tiers 0 and 1. */
static uint64_t draw_all(struct crowd *crowd)
{
    struct clampler_counters before = harness_counters(&crowd->vk);
    for (uint32_t i = 0; i < crowd->count; i++) {
        float color[4];
        color_of(i, color);
        lookup_vulkan_run(&crowd->lookups, &lookup, crowd->image.view, crowd->samplers[i], crowd->inputs, crowd->drawn);
        for (uint32_t value = 0; value < GRID * GRID * 4; value++)
            assert_true(fabsf(crowd->drawn[value] - color[value % 4]) < 1e-5f);
    }
    struct clampler_counters after = harness_counters(&crowd->vk);
    const uint64_t placed = after.draws[2] - before.draws[2];
    assert_int_equal(after.draws[0] - before.draws[0] + after.draws[1] - before.draws[1] + placed, crowd->count);
    return crowd->count - placed;
}

/* Of each sampler by what the layer says of it; how many the shader places must be those that the driver did not draw.
 */
static void expect_reasons(struct crowd *crowd, uint64_t native)
{
    char text[320];
    uint64_t placed = 0;
    PFN_clamplerGetPairReason reason =
        (PFN_clamplerGetPairReason)vkGetDeviceProcAddr(crowd->vk.device, CLAMPLER_GET_PAIR_REASON);
    assert_non_null(reason);
    for (uint32_t i = 0; i < crowd->count; i++) {
        assert_int_equal(reason(crowd->vk.device, crowd->samplers[i], crowd->image.view, text, sizeof(text)),
                         VK_SUCCESS);
        placed += strstr(text, "the shader places it") != NULL;
    }
    assert_int_equal(placed, crowd->count - native);
}

static void forty_border_colors_show_where_twenty_four_fit(void **state)
{
    struct crowd *crowd = harness_alloc(1, sizeof(*crowd));
    (void)state;
    open_crowd(crowd, SAMPLERS, NULL);
    if (crowd->vk.custom_border_color) {
        create_samplers(crowd, LOOKUP_SAMPLER_GL, 0);
        uint64_t native = draw_all(crowd);
        assert_true(native > 0 && native <= LIMIT);
        assert_int_equal(draw_all(crowd), native); /* drawing takes no further places */
        expect_reasons(crowd, native);
        destroy_samplers(crowd);
        /* What was destroyed is free: as many again, not fewer. */
        create_samplers(crowd, LOOKUP_SAMPLER_GL, 0);
        assert_int_equal(draw_all(crowd), native);
        destroy_samplers(crowd);
        /* The program's own take places as well. */
        create_samplers(crowd, LOOKUP_SAMPLER_GL, 4);
        assert_int_equal(draw_all(crowd), native);
        destroy_samplers(crowd);
        /* So do those of private address modes, which are as many, and give them back. */
        for (int again = 0; again < 2; again++) {
            create_samplers(crowd, LOOKUP_SAMPLER_PRIVATE, 0);
            assert_int_equal(draw_all(crowd), native);
            expect_reasons(crowd, native);
            destroy_samplers(crowd);
        }
    }
    close_crowd(crowd);
}

/*
 * A program's own samplers have their colours from the driver. With a format that it cannot filter each needs another
 * one, nearest: as many as there is room for.
 */
static void what_takes_the_place_of_the_programs_own_counts(void **state)
{
    enum { OWN = 20 };
    struct crowd *crowd = harness_alloc(1, sizeof(*crowd));
    (void)state;
    open_crowd(crowd, OWN, "hide format VK_FORMAT_R8G8B8A8_UNORM image SAMPLED_IMAGE_FILTER_LINEAR");
    for (int again = 0; again < 3 && crowd->vk.custom_border_color; again++) {
        create_samplers(crowd, LOOKUP_SAMPLER_NAIVE, 0);
        assert_int_equal(draw_all(crowd), LIMIT - OWN);
        expect_reasons(crowd, LIMIT - OWN);
        destroy_samplers(crowd);
    }
    close_crowd(crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forty_border_colors_show_where_twenty_four_fit),
                                       cmocka_unit_test(what_takes_the_place_of_the_programs_own_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
