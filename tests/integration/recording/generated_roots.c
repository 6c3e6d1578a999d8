/* SPDX-License-Identifier: MIT */
/*
 * Generated commands (VK_EXT_device_generated_commands) beside descriptor buffers: shader objects and layouts have push
 * constants of the layer's behind the program's, and so have the sets of shaders and the layouts that are made for
 * them. A layer below says what the driver is asked (code_layer).
 */
#include <string.h>

#include "integration/layers/code_layer/code.h"
#include "integration/layers/faults.h"
#include "integration/recording/newer_generated.h"
#include "integration/shared/scene.h"
#include "integration_roots_compute.h"

#define CALL(VK, NAME) HARNESS_PROC((VK), vk##NAME)

static struct code_control *control;

static void push_constants_are_those_of_the_shaders(void **state)
{
    (void)state;
    static const char *const extensions[] = {
        VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
        VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
    struct {
        VkStructureType type;
        void *next;
        VkBool32 maintenance5;
    } maintenance5 = {(VkStructureType)1000470000, NULL, VK_TRUE};
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .pNext = &maintenance5,
        .deviceGeneratedCommands = VK_TRUE,
        .dynamicGeneratedPipelineLayout = VK_TRUE};
    VkPhysicalDeviceDescriptorBufferFeaturesEXT buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .pNext = &generated,
        .descriptorBuffer = VK_TRUE};
    VkPhysicalDeviceVulkan13Features rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &buffers, .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features addresses = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                  .pNext = &rendering,
                                                  .bufferDeviceAddress = VK_TRUE};
    VkPhysicalDeviceShaderObjectFeaturesEXT objects = {.sType =
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                                                       .pNext = &addresses,
                                                       .shaderObject = VK_TRUE};
    for (unsigned i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
        scene_skip_without(extensions[i]);
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler:" CODE_LAYER,
                                                             .gl_sampler = true,
                                                             .device_extensions = extensions,
                                                             .device_extension_count = 4,
                                                             .device_next = &objects});
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo placed = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                                    .bindingCount = 2,
                                                    .pBindings = bindings};
    VkDescriptorSetLayout set_layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(vk.device, &placed, NULL, &set_layout));
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(float)};
    const VkShaderCreateInfoEXT shader_info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                               .flags = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT,
                                               .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                               .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                               .codeSize = sizeof(integration_roots_compute),
                                               .pCode = integration_roots_compute,
                                               .pName = "main",
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    VkShaderEXT shader;
    HARNESS_VK(CALL(&vk, CreateShadersEXT)(vk.device, 1, &shader_info, NULL, &shader));
    const uint32_t bytes = atomic_load(&control->pushed);
    assert_true(bytes > sizeof(float)); /* the root is there */

    const VkIndirectExecutionSetShaderLayoutInfoEXT layouts = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout};
    const VkIndirectExecutionSetShaderInfoEXT shaders = {.sType =
                                                             VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
                                                         .shaderCount = 1,
                                                         .pInitialShaders = &shader,
                                                         .pSetLayoutInfos = &layouts,
                                                         .maxShaderCount = 1,
                                                         .pushConstantRangeCount = 1,
                                                         .pPushConstantRanges = &range};
    const VkIndirectExecutionSetCreateInfoEXT set_info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
        .info.pShaderInfo = &shaders};
    VkIndirectExecutionSetEXT set;
    HARNESS_VK(CALL(&vk, CreateIndirectExecutionSetEXT)(vk.device, &set_info, NULL, &set));
    assert_int_equal(atomic_load(&control->set_pushed), bytes);
    assert_int_equal(shaders.pushConstantRangeCount, 1); /* the program's own stays */
    assert_ptr_equal(shaders.pPushConstantRanges, &range);

    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    const VkIndirectCommandsPushConstantTokenEXT pushes = {range};
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {{.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
                                                        .data.pPushConstant = &pushes},
                                                       {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
                                                        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
                                                        .offset = sizeof(float)}};
    const VkIndirectCommandsLayoutCreateInfoEXT commands_info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .pNext = &layout,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = sizeof(float) + sizeof(VkDispatchIndirectCommand),
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT commands;
    HARNESS_VK(CALL(&vk, CreateIndirectCommandsLayoutEXT)(vk.device, &commands_info, NULL, &commands));
    assert_int_equal(atomic_load(&control->layout_pushed), bytes);
    CALL(&vk, DestroyIndirectCommandsLayoutEXT)(vk.device, commands, NULL);
    CALL(&vk, DestroyIndirectExecutionSetEXT)(vk.device, set, NULL);
    CALL(&vk, DestroyShaderEXT)(vk.device, shader, NULL);
    vkDestroyDescriptorSetLayout(vk.device, set_layout, NULL);
    harness_vulkan_close(&vk);
}

int main(void)
{
    control = test_layer_open("code", CODE_CONTROL_SYMBOL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(push_constants_are_those_of_the_shaders)};
    return cmocka_run_group_tests_name("generated_roots", tests, NULL, NULL);
}
