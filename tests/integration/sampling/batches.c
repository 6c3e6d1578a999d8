/* SPDX-License-Identifier: MIT */
/* Lookups that share a filter give what each gives by itself (layer/rewriter/spirv/batch/batch.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integration/shared/scene.h"
#include "integration_batch_alone_0.h"
#include "integration_batch_alone_1.h"
#include "integration_batch_alone_2.h"
#include "integration_batch_alone_3.h"
#include "integration_batch_alone_4.h"
#include "integration_batch_alone_5.h"
#include "integration_batch_alone_6.h"
#include "integration_batch_alone_7.h"
#include "integration_batch_alone_8.h"
#include "integration_batch_optimized_6.h"
#include "integration_batch_separate_0.h"
#include "integration_batch_separate_1.h"
#include "integration_batch_separate_2.h"
#include "integration_batch_separate_3.h"
#include "integration_batch_together_0.h"
#include "integration_batch_together_1.h"
#include "integration_batch_together_2.h"
#include "integration_batch_together_3.h"
#include "integration_batch_together_4.h"
#include "integration_batch_together_5.h"
#include "integration_batch_together_6.h"
#include "integration_batch_together_7.h"
#include "integration_batch_together_8.h"

static const VkDescriptorSetLayoutBinding bindings[] = {
    SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 4),
    SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1),
};
static const VkDescriptorSetLayoutBinding bindings_apart[] = {
    SCENE_BINDING(0, SAMPLED_IMAGE, 4),
    SCENE_BINDING(1, SAMPLED_IMAGE, 1),
    SCENE_BINDING(2, SAMPLER, 5),
};

struct sight {
    float pixels[SCENE_ROWS][SCENE_COLUMNS][4];
};

/* Which sampler unit i has, and the last one. */
struct units {
    enum scene_sampler samplers[5];
};

static void write_units(struct scene *scene, VkDescriptorSet set, const struct units *units, bool separate)
{
    for (uint32_t i = 0; i < 5; i++) {
        const enum scene_texture texture = i & 1 ? SCENE_STEPS : SCENE_RAMP;
        scene_write(scene, set, i / 4, i % 4, separate ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED,
                    units->samplers[i], texture);
        if (separate)
            scene_write(scene, set, 2, i, VK_DESCRIPTOR_TYPE_SAMPLER, units->samplers[i], texture);
    }
}

static const VkPhysicalDeviceFeatures *features; /* of the devices, or NULL */

static void draw_units(struct harness_spirv fragment, bool separate, const char *form, const struct units *units,
                       unsigned tier, struct sight *sight)
{
    struct scene scene;
    struct scene_program program;
    scene_open_with_setting(&scene, "FORM", form, &(struct harness_vulkan_params){.features = features});
    scene_program_create(&scene, &program, fragment, separate ? bindings_apart : bindings, separate ? 3 : 2, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    write_units(&scene, set, units, separate);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, tier);
    memcpy(sight->pixels, scene.pixels, sizeof(sight->pixels));
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void draw(struct harness_spirv fragment, const char *form, const struct units *units, unsigned tier,
                 struct sight *sight)
{
    draw_units(fragment, false, form, units, tier, sight);
}

/* The order of operations is the same, and so is the arithmetic. */
static void compare(const struct sight *together, const struct sight *alone)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            for (unsigned channel = 0; channel < 4; channel++) {
                float a = together->pixels[row][column][channel], b = alone->pixels[row][column][channel];
                if (!(a - b <= 1e-3f && b - a <= 1e-3f))
                    fail_msg("row %u, column %u, channel %u: %g together, %g alone", row, column, channel, (double)a,
                             (double)b);
            }
        }
    }
}

static void both_ways(const struct units *units)
{
    static const char *const forms[] = {"gpu", "cpu"};
    const struct harness_spirv shaders[][2] = {
        {HARNESS_SPIRV(integration_batch_together_0), HARNESS_SPIRV(integration_batch_alone_0)},
        {HARNESS_SPIRV(integration_batch_together_1), HARNESS_SPIRV(integration_batch_alone_1)},
        {HARNESS_SPIRV(integration_batch_together_2), HARNESS_SPIRV(integration_batch_alone_2)},
        {HARNESS_SPIRV(integration_batch_together_3), HARNESS_SPIRV(integration_batch_alone_3)},
        {HARNESS_SPIRV(integration_batch_together_7), HARNESS_SPIRV(integration_batch_alone_7)},
        {HARNESS_SPIRV(integration_batch_together_8), HARNESS_SPIRV(integration_batch_alone_8)},
    };
    for (size_t i = 0; i < 2; i++) {
        for (size_t kind = 0; kind < sizeof(shaders) / sizeof(shaders[0]); kind++) {
            struct sight together, alone;
            draw(shaders[kind][0], forms[i], units, 2, &together);
            draw(shaders[kind][1], forms[i], units, 2, &alone);
            compare(&together, &alone);
        }
    }
}

static void lookups_that_are_all_filtered_in_the_shader(void **state)
{
    static const struct units units = {{SCENE_MIXED, SCENE_MIXED, SCENE_MIXED, SCENE_MIXED, SCENE_MIXED}};
    (void)state;
    both_ways(&units);
}

static void lookups_of_which_some_are_filtered_some_moved_and_some_plain(void **state)
{
    static const struct units units = {{SCENE_CLAMP, SCENE_MIXED, SCENE_EDGE, SCENE_MIRROR, SCENE_MIXED}};
    (void)state;
    both_ways(&units);
}

/*
 * Records of one image have places of their own there, each of which is computed; in optimized code two lookups read
 * one image through one pointer.
 */
static void images_that_are_found_through_an_index(void **state)
{
    static const VkPhysicalDeviceFeatures indexing = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE};
    static const struct units units = {{SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR, SCENE_MIXED, SCENE_MIXED}};
    static const char *const forms[] = {"gpu", "cpu"};
    (void)state;
    features = &indexing;
    for (size_t i = 0; i < 2; i++) {
        struct sight together, optimized, alone;
        draw(HARNESS_SPIRV(integration_batch_together_6), forms[i], &units, 2, &together);
        draw(HARNESS_SPIRV(integration_batch_optimized_6), forms[i], &units, 2, &optimized);
        draw(HARNESS_SPIRV(integration_batch_alone_6), forms[i], &units, 2, &alone);
        compare(&together, &alone);
        compare(&optimized, &alone);
    }
    features = NULL;
}

/* CPU drivers are given filters without loops for these (layer/rewriter/spirv/write/loops.h). */
static void many_lookups_in_blocks_of_their_own_and_in_functions(void **state)
{
    static const struct units units[] = {
        {{SCENE_MIXED, SCENE_MIXED, SCENE_MIXED, SCENE_MIXED, SCENE_MIXED}},
        {{SCENE_CLAMP, SCENE_MIXED, SCENE_EDGE, SCENE_MIRROR, SCENE_MIXED}},
    };
    const struct harness_spirv shaders[][2] = {
        {HARNESS_SPIRV(integration_batch_together_4), HARNESS_SPIRV(integration_batch_alone_4)},
        {HARNESS_SPIRV(integration_batch_together_5), HARNESS_SPIRV(integration_batch_alone_5)},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (size_t kind = 0; kind < 2; kind++) {
            struct sight together, alone;
            draw(shaders[kind][0], "cpu", &units[i], 2, &together);
            draw(shaders[kind][1], "cpu", &units[i], 2, &alone);
            compare(&together, &alone);
        }
    }
}

/* Where sampler and image are descriptors of their own each lookup has a guard in its place. */
static void separate_descriptors_give_what_combined_ones_give(void **state)
{
    static const struct units units = {{SCENE_CLAMP, SCENE_MIXED, SCENE_EDGE, SCENE_MIRROR, SCENE_MIXED}};
    static const char *const forms[] = {"gpu", "cpu"};
    const struct harness_spirv shaders[][2] = {
        {HARNESS_SPIRV(integration_batch_separate_0), HARNESS_SPIRV(integration_batch_together_0)},
        {HARNESS_SPIRV(integration_batch_separate_1), HARNESS_SPIRV(integration_batch_together_1)},
        {HARNESS_SPIRV(integration_batch_separate_2), HARNESS_SPIRV(integration_batch_together_2)},
        {HARNESS_SPIRV(integration_batch_separate_3), HARNESS_SPIRV(integration_batch_together_3)},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (size_t kind = 0; kind < 4; kind++) {
            struct sight separate, combined;
            draw_units(shaders[kind][0], true, forms[i], &units, 2, &separate);
            draw(shaders[kind][1], forms[i], &units, 2, &combined);
            compare(&separate, &combined);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_that_are_all_filtered_in_the_shader),
        cmocka_unit_test(lookups_of_which_some_are_filtered_some_moved_and_some_plain),
        cmocka_unit_test(many_lookups_in_blocks_of_their_own_and_in_functions),
        cmocka_unit_test(separate_descriptors_give_what_combined_ones_give),
        cmocka_unit_test(images_that_are_found_through_an_index), /* the last: it may be skipped in its midst */
    };
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
