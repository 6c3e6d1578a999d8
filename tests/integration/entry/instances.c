/* SPDX-License-Identifier: MIT */
/* Instances and devices that come and go in one process, one after the other and at once. */
#include "harness/device/short.h"
#include "integration/shared/scene.h"
#include "integration_single.h"

/*
 * The loader opens and closes the layer's library with each instance. What a library keeps to itself of the process,
 * thread-local storage above all, must not add up.
 */
static void instances_come_and_go_many_times(void **state)
{
    (void)state;
    const unsigned times = harness_short() ? 10 : 150;
    harness_vulkan_hold_driver();
    for (unsigned i = 0; i < times; i++) {
        struct harness_vulkan vk;
        harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = i % 3 != 0});
        harness_vulkan_close(&vk);
    }
}

/* Two devices of one instance's driver, each with state of its own. */
static void two_devices_at_once_do_not_meet(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    static const enum scene_sampler samplers[2] = {SCENE_CLAMP, SCENE_EDGE};
    struct scene scenes[2];
    struct scene_program programs[2];
    VkDescriptorSet sets[2];
    for (unsigned i = 0; i < 2; i++) {
        scene_open(&scenes[i], NULL);
        scene_program_create(&scenes[i], &programs[i], HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
        sets[i] = harness_set(&scenes[i].vk, programs[i].set_layout);
        scene_write(&scenes[i], sets[i], 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
    }
    for (unsigned round = 0; round < 4; round++) {
        unsigned i = round % 2;
        scene_draw(&scenes[i], programs[i].pipeline, programs[i].layout, 1, &sets[i]);
        scene_expect_tier(&scenes[i], 1 - i);
        scene_expect_row(&scenes[i], 3, samplers[i], SCENE_STEPS);
    }
    scene_program_destroy(&scenes[0], &programs[0]);
    scene_close(&scenes[0]);
    scene_draw(&scenes[1], programs[1].pipeline, programs[1].layout, 1, &sets[1]);
    scene_expect_tier(&scenes[1], 0);
    scene_expect_row(&scenes[1], 3, SCENE_EDGE, SCENE_STEPS);
    scene_program_destroy(&scenes[1], &programs[1]);
    scene_close(&scenes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_come_and_go_many_times),
        cmocka_unit_test(two_devices_at_once_do_not_meet),
    };
    return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
