/* SPDX-License-Identifier: MIT */
/*
 * Arrays of descriptors whose elements differ in everything, under indices that the shader learns when it runs: every
 * lookup follows its own element's record, in every tier.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/shared/scene.h"
#include "integration_arrays_combined.h"
#include "integration_arrays_separate.h"

struct fixture {
    struct scene scene;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
};

/*
 * lavapipe of Mesa 22.3 has dynamic indexing of combined descriptors, but does not say so: validation, which would, is
 * left out there. Of samplers alone it takes the first, with or without the layer.
 */
static bool says_that_it_indexes(void)
{
    struct harness_vulkan vk;
    VkPhysicalDeviceFeatures features;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    vkGetPhysicalDeviceFeatures(vk.physical, &features);
    harness_vulkan_close(&vk);
    return features.shaderSampledImageArrayDynamicIndexing;
}

static void open_fixture(struct fixture *f, struct harness_spirv code, const VkDescriptorSetLayoutBinding *bindings,
                         uint32_t count)
{
    harness_vulkan_hold_driver();
    const bool said = says_that_it_indexes();
    if (!said && getenv("CLAMPLER_TEST_LAYERS")) {
        print_message("the driver does not say that it indexes, and validation would\n");
        skip();
    }
    const VkPhysicalDeviceFeatures features = {.shaderSampledImageArrayDynamicIndexing = said};
    scene_open(&f->scene, &(struct harness_vulkan_params){.layers = said ? NULL : "clampler", .features = &features});
    f->set_layout = harness_set_layout(&f->scene.vk, bindings, count);
    f->layout = harness_pipeline_layout(&f->scene.vk, &f->set_layout, 1, 2 * sizeof(int32_t));
    f->pipeline = harness_graphics_pipeline(&f->scene.vk, &f->scene.target,
                                            &(struct harness_graphics_params){.fragment = code, .layout = f->layout});
    f->set = harness_set(&f->scene.vk, f->set_layout);
}

static void close_fixture(struct fixture *f)
{
    VkDevice device = f->scene.vk.device;
    vkDestroyPipeline(device, f->pipeline, NULL);
    vkDestroyPipelineLayout(device, f->layout, NULL);
    vkDestroyDescriptorSetLayout(device, f->set_layout, NULL);
    scene_close(&f->scene);
}

static void draw(struct fixture *f, int32_t image, int32_t sampler)
{
    const int32_t chosen[2] = {image, sampler};
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdPushConstants(commands, f->layout, VK_SHADER_STAGE_ALL, 0, sizeof(chosen), chosen);
    vkCmdDraw(commands, 3, 1, 0, 0);
    scene_end(&f->scene, commands);
}

static void expect(struct fixture *f, enum scene_sampler first, enum scene_texture texture, enum scene_sampler next,
                   enum scene_texture next_texture)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f->scene, row, row % 3 == 2 ? next : first, row % 3 == 2 ? next_texture : texture);
}

static void combined_elements_follow_their_own_records(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 6);
    static const enum scene_sampler arrays[3][6] = {
        {SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE, SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE},
        {SCENE_EDGE, SCENE_CLAMP, SCENE_BORDER, SCENE_MIRROR, SCENE_GL_EDGE, SCENE_CLAMP},
        {SCENE_MIXED, SCENE_EDGE, SCENE_CLAMP, SCENE_BORDER, SCENE_MIRROR, SCENE_GL_EDGE}};
    struct fixture f;
    open_fixture(&f, HARNESS_SPIRV(integration_arrays_combined), &binding, 1);
    for (unsigned tier = 0; tier < 3; tier++) {
        for (uint32_t i = 0; i < 6; i++)
            scene_write(&f.scene, f.set, 0, i, SCENE_COMBINED, arrays[tier][i], (enum scene_texture)(i % 2));
        for (int32_t i = 0; i < 6; i++) {
            const int32_t next = (i + 1) % 6;
            draw(&f, 0, i);
            scene_expect_tier(&f.scene, tier);
            expect(&f, arrays[tier][i], (enum scene_texture)(i % 2), arrays[tier][next],
                   (enum scene_texture)(next % 2));
        }
    }
    close_fixture(&f);
}

static void separate_elements_meet_in_every_pair(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 2),
                                                            SCENE_BINDING(1, SAMPLER, 3)};
    static const enum scene_sampler arrays[3][3] = {{SCENE_EDGE, SCENE_BORDER, SCENE_GL_EDGE},
                                                    {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR},
                                                    {SCENE_EDGE, SCENE_MIXED, SCENE_CLAMP}};
    struct fixture f;
    harness_vulkan_hold_driver();
    if (!says_that_it_indexes())
        skip();
    open_fixture(&f, HARNESS_SPIRV(integration_arrays_separate), bindings, 2);
    for (uint32_t i = 0; i < 2; i++)
        scene_write(&f.scene, f.set, 0, i, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SCENE_EDGE, (enum scene_texture)i);
    for (unsigned tier = 0; tier < 3; tier++) {
        for (uint32_t i = 0; i < 3; i++)
            scene_write(&f.scene, f.set, 1, i, VK_DESCRIPTOR_TYPE_SAMPLER, arrays[tier][i], SCENE_RAMP);
        for (int32_t image = 0; image < 2; image++)
            for (int32_t i = 0; i < 3; i++) {
                draw(&f, image, i);
                scene_expect_tier(&f.scene, tier);
                expect(&f, arrays[tier][i], (enum scene_texture)image, arrays[tier][(i + 1) % 3],
                       (enum scene_texture)image);
            }
    }
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combined_elements_follow_their_own_records),
        cmocka_unit_test(separate_elements_meet_in_every_pair),
    };
    return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
