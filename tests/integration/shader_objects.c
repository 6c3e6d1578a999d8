/* SPDX-License-Identifier: MIT */
/*
 * Shader objects (VK_EXT_shader_object): no pipeline that could be exchanged, so they are made at the fixed tier.
 * Without the validation layer: the one of Debian 12 does not know the extension. Skipped where the driver lacks it.
 */
#include <string.h>

#include "generated/newer_vulkan.h"
#include "integration/scene.h"
#include "integration_shader_object.h"

/* VkPhysicalDeviceShaderObjectFeaturesEXT, for headers without it. */
struct shader_object_features {
    VkStructureType sType;
    void *pNext;
    VkBool32 shaderObject;
};

typedef void(VKAPI_PTR *bind_shaders)(VkCommandBuffer commands, uint32_t stage_count,
                                      const VkShaderStageFlagBits *stages, const VkShaderEXT *shaders);

static bool driver_has_shader_objects(void)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    bool has = harness_has_extension(&vk, VK_EXT_SHADER_OBJECT_EXTENSION_NAME);
    harness_vulkan_close(&vk);
    return has;
}

static VkShaderEXT create_shader(struct scene *scene, VkDescriptorSetLayout set_layout)
{
    const struct harness_spirv code = HARNESS_SPIRV(integration_shader_object);
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = code.bytes,
        .pCode = code.words,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout,
    };
    PFN_vkCreateShadersEXT create = (PFN_vkCreateShadersEXT)vkGetDeviceProcAddr(scene->vk.device, "vkCreateShadersEXT");
    VkShaderEXT shader = VK_NULL_HANDLE;
    assert_non_null(create);
    assert_int_equal(create(scene->vk.device, 1, &info, NULL, &shader), VK_SUCCESS);
    return shader;
}

static void dispatch(struct scene *scene, VkShaderEXT shader, VkPipelineLayout layout, VkDescriptorSet set)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    bind_shaders bind = (bind_shaders)vkGetDeviceProcAddr(scene->vk.device, "vkCmdBindShadersEXT");
    VkCommandBuffer commands = harness_begin(&scene->vk);
    bind(commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(&scene->vk, commands);
}

static void shader_objects_follow_records(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    static const char *const extensions[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    struct shader_object_features features = {.sType = (VkStructureType)1000482000, .shaderObject = VK_TRUE};
    if (!driver_has_shader_objects())
        skip();
    struct scene scene;
    scene_open(&scene, &(struct harness_vulkan_params){.layers = "clampler",
                                                       .device_extensions = extensions,
                                                       .device_extension_count = 1,
                                                       .device_next = &features});
    VkDescriptorSetLayout set_layout = harness_set_layout(&scene.vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, &set_layout, 1, 0);
    VkDescriptorSet set = harness_set(&scene.vk, set_layout);
    struct harness_buffer pixels;
    harness_buffer_create(&scene.vk, &pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, sizeof(scene.pixels), NULL);
    harness_write_buffer(&scene.vk, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pixels.buffer);

    uint64_t rewritten = harness_counters(&scene.vk).modules_rewritten;
    VkShaderEXT shader = create_shader(&scene, set_layout);
    assert_int_equal(harness_counters(&scene.vk).modules_rewritten, rewritten + 1);

    static const enum scene_sampler samplers[] = {SCENE_CLAMP, SCENE_EDGE, SCENE_MIRROR};
    for (unsigned i = 0; i < 3; i++) {
        scene_write(&scene, set, 0, 0, SCENE_COMBINED, samplers[i], SCENE_STEPS);
        memset(pixels.map, 0, sizeof(scene.pixels));
        dispatch(&scene, shader, layout, set);
        memcpy(scene.pixels, pixels.map, sizeof(scene.pixels));
        for (unsigned row = 0; row < SCENE_ROWS; row++)
            scene_expect_row(&scene, row, samplers[i], SCENE_STEPS);
    }
    PFN_vkDestroyShaderEXT destroy = (PFN_vkDestroyShaderEXT)vkGetDeviceProcAddr(scene.vk.device, "vkDestroyShaderEXT");
    destroy(scene.vk.device, shader, NULL);
    harness_buffer_destroy(&scene.vk, &pixels);
    vkDestroyPipelineLayout(scene.vk.device, layout, NULL);
    vkDestroyDescriptorSetLayout(scene.vk.device, set_layout, NULL);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shader_objects_follow_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
