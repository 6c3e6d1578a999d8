/* SPDX-License-Identifier: MIT */
/*
 * The program destroys immutable samplers, and their YCbCr conversions, with everything that was made of them but the
 * pipelines, whose tiers are compiled afterwards. Drivers look at such samplers when they compile: the limited driver
 * says which are destroyed then, and validation what is left at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/drawing/shader_objects.h"
#include "integration/shared/conversion.h"
#include "integration/shared/parts.h"
#include "integration/shared/scene.h"
#include "limited_driver/limited_driver.h"
#include "integration_immutable_compute.h"
#include "integration_immutable_single.h"

static void open_scene(struct scene *scene, enum harness_linking linking, bool conversions)
{
    static const VkPhysicalDeviceSamplerYcbcrConversionFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
        .samplerYcbcrConversion = VK_TRUE};
    memset(scene, 0, sizeof(*scene));
    setenv("LIMITED_DRIVER_RULES", "hide feature logicOp", 1);
    setenv("VK_CLAMPLER_TIERS", "ahead", 1);
    scene_open_device(scene, &(struct harness_vulkan_params){.layers = "clampler:validation:limited",
                                                             .linking = linking,
                                                             .device_next = conversions ? &features : NULL});
    unsetenv("VK_CLAMPLER_TIERS");
    unsetenv("LIMITED_DRIVER_RULES");
    scene_make(scene, false);
}

static void close_scene(struct scene *scene)
{
    PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(scene->vk.device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    assert_int_equal(get(scene->vk.device, 0, NULL), 0);
    scene_close(scene);
    harness_messages_excuse(EXCUSE_NOTHING);
}

/*
 * A sampler appears that asks for both tiers; until workers have compiled so many, or for a minute, which fails. What
 * validation says meanwhile is heard at a later call, the device's destruction at the latest.
 */
static void compile_ahead(struct scene *scene, uint64_t tiers)
{
    harness_messages_excuse(EXCUSE_SET_LAYOUTS);
    scene_add_sampler(scene, SCENE_MIXED);
    for (unsigned i = 0; i < 12000 && harness_counters(&scene->vk).compiled_ahead < tiers; i++)
        nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
    assert_int_equal(harness_counters(&scene->vk).compiled_ahead, tiers);
}

static VkSampler plain_sampler(struct harness_vulkan *vk)
{
    static const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(vk->device, &info, NULL, &sampler));
    return sampler;
}

static void of_graphics_pipelines(void **state)
{
    (void)state;
    for (enum harness_linking linking = HARNESS_MONOLITHIC; linking <= HARNESS_LIBRARY; linking++) {
        struct scene scene;
        open_scene(&scene, HARNESS_MONOLITHIC, false);
        const char *why = harness_lacks(&scene.vk, linking, HARNESS_SETS_PLAIN);
        if (why) {
            print_message("left out: %s\n", why);
            close_scene(&scene);
            continue;
        }
        scene_close(&scene);
        open_scene(&scene, linking, false);
        VkSampler sampler = plain_sampler(&scene.vk);
        const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                      VK_SHADER_STAGE_FRAGMENT_BIT, &sampler};
        VkDescriptorSetLayout sets = harness_set_layout(&scene.vk, &binding, 1);
        VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, &sets, 1, 0);
        VkPipeline pipeline =
            harness_graphics_pipeline(&scene.vk, &scene.target,
                                      &(struct harness_graphics_params){
                                          .fragment = HARNESS_SPIRV(integration_immutable_single), .layout = layout});
        harness_layouts_destroy(&scene.vk, layout, sets);
        vkDestroySampler(scene.vk.device, sampler, NULL);
        compile_ahead(&scene, 2);
        harness_graphics_pipeline_destroy(&scene.vk, pipeline);
        close_scene(&scene);
    }
}

/* A scene for what is done next, or the test is skipped where the driver has no conversions. */
static void open_with_conversions(struct scene *scene)
{
    open_scene(scene, HARNESS_MONOLITHIC, false);
    const bool has = conversion_descriptors(&scene->vk) != 0;
    close_scene(scene);
    if (!has)
        skip();
    open_scene(scene, HARNESS_MONOLITHIC, true);
}

/* One sampler that shaders look up with, and in another set one with a conversion. */
static void with_conversions(void **state)
{
    (void)state;
    struct scene scene;
    struct conversion conversion;
    open_with_conversions(&scene);
    conversion_open(&scene.vk, &conversion, NULL);
    VkSampler samplers[2] = {plain_sampler(&scene.vk)};
    HARNESS_VK(vkCreateSampler(scene.vk.device, &conversion.sampler_info, NULL, &samplers[1]));
    VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &samplers[0]},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutBinding converted = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                    VK_SHADER_STAGE_COMPUTE_BIT, &samplers[1]};
    VkDescriptorSetLayout sets[2] = {harness_set_layout(&scene.vk, bindings, 2),
                                     harness_set_layout(&scene.vk, &converted, 1)};
    VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, sets, 2, 0);
    VkPipeline pipeline = harness_compute_pipeline(&scene.vk, HARNESS_SPIRV(integration_immutable_compute), layout);
    vkDestroyPipelineLayout(scene.vk.device, layout, NULL);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyDescriptorSetLayout(scene.vk.device, sets[i], NULL);
        vkDestroySampler(scene.vk.device, samplers[i], NULL);
    }
    conversion_close(&scene.vk, &conversion);
    compile_ahead(&scene, 2);
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    close_scene(&scene);
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment, VkSystemAllocationScope scope)
{
    (void)user;
    (void)scope;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

/* No driver here ever asks for it. */
static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *memory, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    (void)user;
    (void)memory;
    (void)size;
    (void)alignment;
    (void)scope;
    return NULL;
}

static VKAPI_ATTR void VKAPI_CALL release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/*
 * What is destroyed with callbacks goes at once, a sampler or its conversion: nothing is compiled with it but at draws.
 */
static void with_callbacks(bool of_conversion)
{
    struct scene scene;
    struct conversion conversion;
    const VkAllocationCallbacks callbacks = {NULL, allocate, reallocate, release, NULL, NULL};
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    if (of_conversion) {
        open_with_conversions(&scene);
        conversion_open(&scene.vk, &conversion, &callbacks);
        info = conversion.sampler_info;
    } else {
        open_scene(&scene, HARNESS_MONOLITHIC, false);
    }
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(scene.vk.device, &info, of_conversion ? NULL : &callbacks, &sampler));
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutBinding unused = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                 VK_SHADER_STAGE_COMPUTE_BIT, &sampler};
    VkPipeline pipelines[2];
    for (unsigned i = 0; i < 2; i++) {
        VkDescriptorSetLayout sets[2] = {harness_set_layout(&scene.vk, bindings, 2),
                                         i ? harness_set_layout(&scene.vk, &unused, 1) : VK_NULL_HANDLE};
        VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, sets, 1 + i, 0);
        pipelines[i] = harness_compute_pipeline(&scene.vk, HARNESS_SPIRV(integration_immutable_compute), layout);
        vkDestroyPipelineLayout(scene.vk.device, layout, NULL);
        for (unsigned set = 0; set <= i; set++)
            vkDestroyDescriptorSetLayout(scene.vk.device, sets[set], NULL);
    }
    vkDestroySampler(scene.vk.device, sampler, of_conversion ? NULL : &callbacks);
    if (of_conversion)
        conversion_close(&scene.vk, &conversion);
    compile_ahead(&scene, 2); /* of the other pipeline */
    nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
    assert_int_equal(harness_counters(&scene.vk).compiled_ahead, 2);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPipeline(scene.vk.device, pipelines[i], NULL);
    close_scene(&scene);
}

static void of_samplers_with_callbacks(void **state)
{
    (void)state;
    with_callbacks(false);
}

static void of_conversions_with_callbacks(void **state)
{
    (void)state;
    with_callbacks(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_graphics_pipelines),
        cmocka_unit_test(with_conversions),
        cmocka_unit_test(of_samplers_with_callbacks),
        cmocka_unit_test(of_conversions_with_callbacks),
    };
    return cmocka_run_group_tests_name("immutable samplers", tests, NULL, NULL);
}
