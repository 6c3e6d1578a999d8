/* SPDX-License-Identifier: MIT */
/*
 * Chapters of the sweep's own: what no driver at hand has and no other test calls. The layer below stands for a driver
 * that has it all: it makes handles of its own, and records nothing while it is muted.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "failures/every.h"
#include "failures/session.h"
#include "harness/drawing/rays.h"
#include "harness/resources/resources.h"
#include "integration/shared/scene.h"
#include "integration_compute.h"
#include "integration_single.h"
#include "newer_vulkan.h"

#define PROC(name) const PFN_vk##name name = (PFN_vk##name)(void (*)(void))vkGetDeviceProcAddr(device, "vk" #name)

static const VkDescriptorSetLayoutBinding binding = {
    .descriptorType = SCENE_COMBINED, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};

/* A device on which every hook is there, but for those of placed descriptors. */
static void open_everything(struct scene *scene)
{
    /* The layer shows commands only of what the program enables. */
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME};
    static const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
    setenv("VK_CLAMPLER_ALPHA_TO_ONE", "R32G32B32A32_SFLOAT", 1);
    setenv("VK_CLAMPLER_TEXEL_BUFFERS", "emulate", 1);
    session_promise(true, false);
    scene_open(scene, &(struct harness_vulkan_params){
                          .device_extensions = extensions, .device_extension_count = 2, .device_next = &features});
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
    unsetenv("VK_CLAMPLER_TEXEL_BUFFERS");
}

static void close_everything(struct scene *scene)
{
    session_promise(false, false);
    scene_close(scene);
}

static void record_newer(VkDevice device, VkCommandBuffer commands, VkPipelineLayout layout, VkPipeline pipeline,
                         VkDescriptorSet set)
{
    PROC(CmdBindDescriptorSets2KHR);
    PROC(CmdPushDescriptorSet2KHR);
    PROC(CmdBeginConditionalRendering2EXT);
    PROC(CmdEndConditionalRenderingEXT);
    PROC(CmdBeginTransformFeedbackEXT);
    PROC(CmdEndTransformFeedbackEXT);
    PROC(CmdBeginTransformFeedback2EXT);
    PROC(CmdEndTransformFeedback2EXT);
    PROC(CmdBindPipelineShaderGroupNV);
    PROC(CmdBeginCustomResolveEXT);
    PROC(CmdBindShadersEXT);
    const VkBindDescriptorSetsInfoKHR bind = {.sType = (VkStructureType)1000545003, /* BIND_DESCRIPTOR_SETS_INFO */
                                              .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
                                              .layout = layout,
                                              .descriptorSetCount = 1,
                                              .pDescriptorSets = &set};
    CmdBindDescriptorSets2KHR(commands, &bind);
    const VkPushDescriptorSetInfoKHR push = {.sType = (VkStructureType)1000545005, /* PUSH_DESCRIPTOR_SET_INFO */
                                             .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
                                             .layout = layout};
    CmdPushDescriptorSet2KHR(commands, &push);
    const VkConditionalRenderingBeginInfo2EXT condition = {.pNext = NULL};
    CmdBeginConditionalRendering2EXT(commands, &condition);
    CmdEndConditionalRenderingEXT(commands);
    CmdBeginTransformFeedbackEXT(commands, 0, 0, NULL, NULL);
    CmdEndTransformFeedbackEXT(commands, 0, 0, NULL, NULL);
    CmdBeginTransformFeedback2EXT(commands, 0, 0, NULL);
    CmdEndTransformFeedback2EXT(commands, 0, 0, NULL);
    CmdBindPipelineShaderGroupNV(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, 0);
    CmdBeginCustomResolveEXT(commands, NULL);
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
    CmdBindShadersEXT(commands, 1, &stage, NULL);
}

/* A pass of two subpasses with nothing in them. */
static void record_subpasses(VkDevice device, VkCommandBuffer commands, VkRenderPass *pass, VkFramebuffer *framebuffer)
{
    PROC(CmdBeginRenderPass2);
    PROC(CmdNextSubpass2);
    PROC(CmdEndRenderPass2);
    const VkSubpassDescription subpasses[2] = {{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS},
                                               {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS}};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 2, .pSubpasses = subpasses};
    HARNESS_VK(vkCreateRenderPass(device, &info, NULL, pass));
    const VkFramebufferCreateInfo framebuffer_info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = *pass, .width = 1, .height = 1, .layers = 1};
    HARNESS_VK(vkCreateFramebuffer(device, &framebuffer_info, NULL, framebuffer));
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = *pass,
                                         .framebuffer = *framebuffer,
                                         .renderArea = {{0, 0}, {1, 1}}};
    const VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    const VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    CmdBeginRenderPass2(commands, &begin, &subpass);
    CmdNextSubpass2(commands, &subpass, &end);
    CmdEndRenderPass2(commands, &end);
}

/* Pushes by template: what is pushed, and how, goes with the caller's scene. */
struct pushed {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorUpdateTemplate update;
};

static void record_pushes(struct scene *scene, VkCommandBuffer commands, struct pushed *pushed)
{
    const VkDevice device = scene->vk.device;
    PROC(CmdPushDescriptorSetWithTemplate2KHR);
    const VkDescriptorSetLayoutCreateInfo set_layout = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                        .flags =
                                                            VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                                        .bindingCount = 1,
                                                        .pBindings = &binding};
    HARNESS_VK(vkCreateDescriptorSetLayout(device, &set_layout, NULL, &pushed->set_layout));
    pushed->layout = harness_pipeline_layout(&scene->vk, &pushed->set_layout, 1, 0);
    const VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, SCENE_COMBINED, 0, sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo update = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = pushed->layout};
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(device, &update, NULL, &pushed->update));
    const VkDescriptorImageInfo image = scene_info(scene, SCENE_CLAMP, SCENE_RAMP);
    const VkPushDescriptorSetWithTemplateInfoKHR info = {
        .sType = (VkStructureType)1000545006, /* PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO */
        .descriptorUpdateTemplate = pushed->update,
        .layout = pushed->layout,
        .pData = &image};
    CmdPushDescriptorSetWithTemplate2KHR(commands, &info);
}

static void every_command_is_recorded(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    open_everything(&scene);
    const VkDevice device = scene.vk.device;
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    scene_write(&scene, set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_RAMP);
    struct harness_buffer buffer;
    harness_buffer_create(&scene.vk, &buffer, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 64, NULL);

    PROC(CmdBeginRendering);
    PROC(CmdEndRendering2EXT);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    session_promise(true, true);
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .layerCount = 1};
    CmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 1, &set, 0, NULL);
    const struct every with = {scene.textures[0].image, buffer.buffer, program.pipeline, program.layout};
    every_command(device, commands, &with);
    const VkRenderingEndInfoEXT end = {.sType = (VkStructureType)1000619003}; /* RENDERING_END_INFO */
    CmdEndRendering2EXT(commands, &end);
    record_newer(device, commands, program.layout, program.pipeline, set);
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    struct pushed pushed;
    record_subpasses(device, commands, &pass, &framebuffer);
    record_pushes(&scene, commands, &pushed);
    session_promise(true, false);
    HARNESS_VK(vkEndCommandBuffer(commands));
    vkDestroyDescriptorUpdateTemplate(device, pushed.update, NULL);
    vkDestroyPipelineLayout(device, pushed.layout, NULL);
    vkDestroyDescriptorSetLayout(device, pushed.set_layout, NULL);
    vkDestroyFramebuffer(device, framebuffer, NULL);
    vkDestroyRenderPass(device, pass, NULL);
    vkFreeCommandBuffers(device, scene.vk.pool, 1, &commands);

    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 1);
    scene_expect_row(&scene, 0, SCENE_CLAMP, SCENE_RAMP);
    harness_buffer_destroy(&scene.vk, &buffer);
    scene_program_destroy(&scene, &program);
    close_everything(&scene);
}

/* ---- Threads of the layer's own ---- */

static void tiers_are_compiled_by_threads_or_by_draws(void **state)
{
    (void)state;
    struct scene scene;
    struct scene_program program;
    scene_open_with_setting(&scene, "TIERS", "ahead", NULL);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_single), &binding, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    for (unsigned i = 0; i < 2; i++) {
        const enum scene_sampler sampler = i ? SCENE_MIXED : SCENE_CLAMP;
        scene_write(&scene, set, 0, 0, SCENE_COMBINED, sampler, SCENE_RAMP);
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        scene_expect_row(&scene, 0, sampler, SCENE_RAMP);
    }
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

/* What the driver has of the layout's waits until nothing is compiled with it any more. */
static void samplers_go_before_what_is_compiled_with_them(void **state)
{
    (void)state;
    struct scene scene;
    scene_open_with_setting(&scene, "TIERS", "ahead", NULL);
    const VkDevice device = scene.vk.device;
    static const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(device, &info, NULL, &sampler));
    VkDescriptorSetLayoutBinding immutable = binding;
    immutable.pImmutableSamplers = &sampler;
    VkDescriptorSetLayout sets = harness_set_layout(&scene.vk, &immutable, 1);
    VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, &sets, 1, 0);
    VkPipeline pipeline = harness_graphics_pipeline(
        &scene.vk, &scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(integration_single), .layout = layout});
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, sets, NULL);
    vkDestroySampler(device, sampler, NULL);
    PROC(CreateSamplerYcbcrConversion);
    PROC(DestroySamplerYcbcrConversion);
    const VkSamplerYcbcrConversionCreateInfo converts = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO, .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM};
    VkSamplerYcbcrConversion conversion;
    if (CreateSamplerYcbcrConversion(device, &converts, NULL, &conversion) != VK_SUCCESS)
        conversion = VK_NULL_HANDLE; /* Debian 12's driver makes none */
    DestroySamplerYcbcrConversion(device, conversion, NULL);
    scene_add_sampler(&scene, SCENE_MIXED);
    harness_graphics_pipeline_destroy(&scene.vk, pipeline);
    scene_close(&scene);
}

/* ---- Objects ---- */

/* More names than the first table has room for. */
static void objects_get_names_and_lose_them(void **state)
{
    (void)state;
    static const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    struct harness_vulkan vk;
    VkSampler samplers[40];
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    const VkDevice device = vk.device;
    PROC(SetDebugUtilsObjectNameEXT);
    for (unsigned i = 0; i < 40; i++) {
        HARNESS_VK(vkCreateSampler(device, &sampler_info, NULL, &samplers[i]));
        const VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                    .objectType = VK_OBJECT_TYPE_SAMPLER,
                                                    .objectHandle = (uint64_t)samplers[i],
                                                    .pObjectName = "sampler"};
        HARNESS_VK(SetDebugUtilsObjectNameEXT(device, &info));
    }
    for (unsigned i = 0; i < 40; i++)
        vkDestroySampler(device, samplers[i], NULL);
    harness_vulkan_close(&vk);
}

/* Of samplers whose handles are the layer's own (sampling/surplus.h), and of others. */
static void objects_get_private_data_and_tags(void **state)
{
    (void)state;
    static const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    static const VkPrivateDataSlotCreateInfo slot_info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    const VkPhysicalDevicePrivateDataFeatures feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, .privateData = VK_TRUE};
    static const char *const markers[] = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME};
    struct harness_vulkan vk;
    VkSampler samplers[40];
    VkPrivateDataSlot slots[2];
    uint64_t data = 0;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler"});
    const bool marks = harness_has_extension(&vk, markers[0]);
    harness_vulkan_close(&vk);
    setenv("VK_CLAMPLER_ASSUME_MISSING", "samplers", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler",
                                                             .gl_sampler = true,
                                                             .device_extensions = markers,
                                                             .device_extension_count = marks,
                                                             .device_next = &feature});
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    const VkDevice device = vk.device;
    PROC(SetDebugUtilsObjectTagEXT);
    PROC(DebugMarkerSetObjectNameEXT);
    PROC(DebugMarkerSetObjectTagEXT);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_VK(vkCreatePrivateDataSlot(device, &slot_info, NULL, &slots[i]));
    for (unsigned i = 0; i < 40; i++) {
        HARNESS_VK(vkCreateSampler(device, &sampler_info, NULL, &samplers[i]));
        const uint64_t handle = (uint64_t)samplers[i];
        const VkDebugUtilsObjectTagInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
                                                   .objectType = VK_OBJECT_TYPE_SAMPLER,
                                                   .objectHandle = handle,
                                                   .tagSize = sizeof(data),
                                                   .pTag = &data};
        HARNESS_VK(SetDebugUtilsObjectTagEXT(device, &info));
        const VkDebugMarkerObjectNameInfoEXT name = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
                                                     .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_SAMPLER_EXT,
                                                     .object = handle,
                                                     .pObjectName = "sampler"};
        const VkDebugMarkerObjectTagInfoEXT tag = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
                                                   .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_SAMPLER_EXT,
                                                   .object = handle,
                                                   .tagSize = sizeof(data),
                                                   .pTag = &data};
        if (marks) {
            HARNESS_VK(DebugMarkerSetObjectNameEXT(device, &name));
            HARNESS_VK(DebugMarkerSetObjectTagEXT(device, &tag));
        }
        HARNESS_VK(vkSetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, handle, slots[i % 2], i));
        vkGetPrivateData(device, VK_OBJECT_TYPE_SAMPLER, handle, slots[i % 2], &data);
        assert_int_equal(data, i);
    }
    for (unsigned i = 0; i < 40; i++)
        vkDestroySampler(device, samplers[i], NULL);
    for (unsigned i = 0; i < 2; i++)
        vkDestroyPrivateDataSlot(device, slots[i], NULL);
    harness_vulkan_close(&vk);
}

static void make_swapchain(VkDevice device)
{
    PROC(CreateSwapchainKHR);
    PROC(CreateSharedSwapchainsKHR);
    PROC(DestroySwapchainKHR);
    PROC(GetSwapchainImagesKHR);
    const VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                           .minImageCount = 2,
                                           .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                           .imageExtent = {8, 8},
                                           .imageArrayLayers = 1,
                                           .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    VkSwapchainKHR swapchain;
    HARNESS_VK(CreateSwapchainKHR(device, &info, NULL, &swapchain));
    uint32_t count = 2;
    VkImage images[2] = {VK_NULL_HANDLE};
    HARNESS_VK(GetSwapchainImagesKHR(device, swapchain, &count, images));
    DestroySwapchainKHR(device, swapchain, NULL);
    const VkSwapchainCreateInfoKHR infos[2] = {info, info};
    VkSwapchainKHR swapchains[2];
    HARNESS_VK(CreateSharedSwapchainsKHR(device, 2, infos, NULL, swapchains));
    for (unsigned i = 0; i < 2; i++)
        DestroySwapchainKHR(device, swapchains[i], NULL);
}

static void make_rays(VkDevice device, VkPipelineLayout layout, VkShaderModule module)
{
    PROC(CreateRayTracingPipelinesKHR);
    PROC(CreateRayTracingPipelinesNV);
    const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                   .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                   .module = module,
                                                   .pName = "main"};
    const VkRayTracingShaderGroupCreateInfoKHR group = {.sType =
                                                            VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
                                                        .closestHitShader = VK_SHADER_UNUSED_KHR,
                                                        .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                    .stageCount = 1,
                                                    .pStages = &stage,
                                                    .groupCount = 1,
                                                    .pGroups = &group,
                                                    .layout = layout};
    const VkRayTracingShaderGroupCreateInfoNV group_nv = {.sType =
                                                              VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_NV,
                                                          .closestHitShader = VK_SHADER_UNUSED_KHR,
                                                          .anyHitShader = VK_SHADER_UNUSED_KHR,
                                                          .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoNV info_nv = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_NV,
                                                      .stageCount = 1,
                                                      .pStages = &stage,
                                                      .groupCount = 1,
                                                      .pGroups = &group_nv,
                                                      .layout = layout};
    const VkRayTracingPipelineCreateInfoKHR infos[2] = {info, info};
    VkPipeline pipelines[3];
    HARNESS_VK(CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 2, infos, NULL, pipelines));
    HARNESS_VK(CreateRayTracingPipelinesNV(device, VK_NULL_HANDLE, 1, &info_nv, NULL, &pipelines[2]));
    for (unsigned i = 0; i < 3; i++)
        vkDestroyPipeline(device, pipelines[i], NULL);
}

static void make_shader_objects(VkDevice device, VkDescriptorSetLayout layout)
{
    PROC(CreateShadersEXT);
    PROC(DestroyShaderEXT);
    PROC(GetShaderBinaryDataEXT);
    const VkShaderCreateInfoEXT info = {.sType = (VkStructureType)1000482002, /* SHADER_CREATE_INFO_EXT */
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(integration_compute),
                                        .pCode = integration_compute,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &layout};
    const VkShaderCreateInfoEXT infos[2] = {info, info};
    VkShaderEXT shaders[2];
    size_t size = 0;
    HARNESS_VK(CreateShadersEXT(device, 2, infos, NULL, shaders));
    HARNESS_VK(GetShaderBinaryDataEXT(device, shaders[0], &size, NULL));
    for (unsigned i = 0; i < 2; i++)
        DestroyShaderEXT(device, shaders[i], NULL);
}

static void ask_for_memory(VkDevice device, VkPipelineLayout layout, VkShaderModule module)
{
    PROC(GetDeviceImageMemoryRequirements);
    PROC(GetDeviceImageSparseMemoryRequirements);
    PROC(GetDeviceImageSubresourceLayoutKHR);
    PROC(GetDeviceBufferMemoryRequirements);
    PROC(GetGeneratedCommandsMemoryRequirementsEXT);
    PROC(GetGeneratedCommandsMemoryRequirementsNV);
    PROC(GetPipelineIndirectMemoryRequirementsNV);
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    const VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                     .imageType = VK_IMAGE_TYPE_2D,
                                     .format = VK_FORMAT_R8G8B8A8_SRGB,
                                     .extent = {4, 4, 1},
                                     .mipLevels = 1,
                                     .arrayLayers = 1,
                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                     .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkDeviceImageMemoryRequirements of_image = {.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
                                                      .pCreateInfo = &image};
    GetDeviceImageMemoryRequirements(device, &of_image, &needs);
    uint32_t count = 0;
    GetDeviceImageSparseMemoryRequirements(device, &of_image, &count, NULL);
    const VkImageSubresource2EXT first = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_EXT,
                                          .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}};
    const VkDeviceImageSubresourceInfoKHR part = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_SUBRESOURCE_INFO_KHR, .pCreateInfo = &image, .pSubresource = &first};
    VkSubresourceLayout2EXT places = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_EXT};
    GetDeviceImageSubresourceLayoutKHR(device, &part, &places);
    const VkBufferCreateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
    const VkDeviceBufferMemoryRequirements of_buffer = {.sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
                                                        .pCreateInfo = &buffer};
    GetDeviceBufferMemoryRequirements(device, &of_buffer, &needs);
    const VkGeneratedCommandsMemoryRequirementsInfoEXT generated = {.pNext = NULL};
    GetGeneratedCommandsMemoryRequirementsEXT(device, &generated, &needs);
    const VkGeneratedCommandsMemoryRequirementsInfoNV generated_nv = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_NV};
    GetGeneratedCommandsMemoryRequirementsNV(device, &generated_nv, &needs);
    const VkComputePipelineCreateInfo compute = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                 .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                           .module = module,
                                                           .pName = "main"},
                                                 .layout = layout};
    GetPipelineIndirectMemoryRequirementsNV(device, &compute, &needs);
}

static void objects_that_drivers_lack_are_made(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
    struct scene scene;
    open_everything(&scene);
    const VkDevice device = scene.vk.device;
    PROC(GetDescriptorSetLayoutSupport);
    PROC(QueueSubmit2);
    VkDescriptorSetLayout set_layout = harness_set_layout(&scene.vk, bindings, 2);
    VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, &set_layout, 1, 0);
    VkShaderModule module = harness_module(&scene.vk, HARNESS_SPIRV(integration_compute));
    make_swapchain(device);
    make_rays(device, layout, module);
    make_shader_objects(device, set_layout);
    ask_for_memory(device, layout, module);
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    GetDescriptorSetLayoutSupport(device, &info, &support);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    HARNESS_VK(vkEndCommandBuffer(commands));
    const VkCommandBufferSubmitInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                              .commandBuffer = commands};
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &buffer};
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    HARNESS_VK(vkCreateFence(device, &fence_info, NULL, &fence));
    HARNESS_VK(QueueSubmit2(scene.vk.queue, 1, &submit, fence));
    HARNESS_VK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
    vkDestroyFence(device, fence, NULL);
    vkFreeCommandBuffers(device, scene.vk.pool, 1, &commands);
    vkDestroyShaderModule(device, module, NULL);
    vkDestroyPipelineLayout(device, layout, NULL);
    vkDestroyDescriptorSetLayout(device, set_layout, NULL);
    close_everything(&scene);
}

/* ---- Queries ---- */

/* The layer's own answer to a name: the loader leads programs around some of them. */
static PFN_vkVoidFunction of_layer(VkInstance instance, const char *name)
{
    static const char file[] = "libVkLayer_clampler_gl_sampler.so";
    VkNegotiateLayerInterface negotiate = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT, .loaderLayerInterfaceVersion = 2};
    char path[2048];
    snprintf(path, sizeof(path), "%s", getenv("CLAMPLER_LAYER_PATH"));
    path[strcspn(path, ":")] = '\0';
    snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", file);
    void *object = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    PFN_vkNegotiateLoaderLayerInterfaceVersion begin = NULL;
    if (object)
        *(void **)&begin = dlsym(object, "vkNegotiateLoaderLayerInterfaceVersion");
    if (!begin || begin(&negotiate) != VK_SUCCESS)
        harness_fail("the layer is not loaded from %s", path);
    dlclose(object);
    return negotiate.pfnGetInstanceProcAddr(instance, name);
}

#define OF_LAYER(instance, name) const PFN_vk##name name = (PFN_vk##name)of_layer(instance, "vk" #name)

static void queries_of_every_kind(void **state)
{
    (void)state;
    static const char layer[] = "VK_LAYER_CLAMPLER_gl_sampler";
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler", .gl_sampler = true});
    OF_LAYER(VK_NULL_HANDLE, EnumerateInstanceExtensionProperties);
    OF_LAYER(VK_NULL_HANDLE, EnumerateInstanceLayerProperties);
    OF_LAYER(VK_NULL_HANDLE, EnumerateDeviceLayerProperties);
    uint32_t count = 0;
    VkLayerProperties layers[4];
    VkExtensionProperties extensions[512];
    HARNESS_VK(EnumerateInstanceExtensionProperties(layer, &count, NULL));
    HARNESS_VK(EnumerateInstanceExtensionProperties(layer, &count, extensions));
    count = 4;
    HARNESS_VK(EnumerateInstanceLayerProperties(&count, layers));
    count = 4;
    HARNESS_VK(EnumerateDeviceLayerProperties(vk.physical, &count, layers));
    count = 512;
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, extensions));
    assert_true(count > 1);

    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkFormatProperties format;
    VkFormatProperties2 format2 = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                         VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER};
    const VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, .pNext = &gl};
    const VkPhysicalDeviceImageFormatInfo2 image_info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                         .pNext = &list, /* is copied without the other */
                                                         .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                         .type = VK_IMAGE_TYPE_2D,
                                                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageFormatProperties2 image_format = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    vkGetPhysicalDeviceFeatures2(vk.physical, &features);
    vkGetPhysicalDeviceProperties(vk.physical, &properties.properties);
    vkGetPhysicalDeviceProperties2(vk.physical, &properties);
    vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R32G32B32_SFLOAT, &format);
    vkGetPhysicalDeviceFormatProperties2(vk.physical, VK_FORMAT_R32G32B32_SFLOAT, &format2);
    vkGetPhysicalDeviceImageFormatProperties2(vk.physical, &image_info, &image_format);
    const PFN_vkGetPhysicalDeviceDescriptorSizeEXT descriptor_size =
        (PFN_vkGetPhysicalDeviceDescriptorSizeEXT)vkGetInstanceProcAddr(vk.instance,
                                                                        "vkGetPhysicalDeviceDescriptorSizeEXT");
    if (descriptor_size && harness_has_extension(&vk, VK_EXT_DESCRIPTOR_HEAP_EXTENSION_NAME))
        assert_true(descriptor_size(vk.physical, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) > 0);
    harness_vulkan_close(&vk);

    /* Vulkan 1.0 has the newer queries under another name. */
    static const char *const queries[] = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "clampler",
                                                             .api_version = VK_API_VERSION_1_0,
                                                             .instance_extensions = queries,
                                                             .instance_extension_count = 1,
                                                             .gl_sampler = true});
#define OLD(name) ((PFN_vk##name##KHR)vkGetInstanceProcAddr(vk.instance, "vk" #name "KHR"))
    OLD(GetPhysicalDeviceFeatures2)(vk.physical, &features);
    OLD(GetPhysicalDeviceProperties2)(vk.physical, &properties);
    OLD(GetPhysicalDeviceFormatProperties2)(vk.physical, VK_FORMAT_R32G32B32_SFLOAT, &format2);
    OLD(GetPhysicalDeviceImageFormatProperties2)(vk.physical, &image_info, &image_format);
#undef OLD
    harness_vulkan_close(&vk);
}

int chapter_commands_of_every_kind(void);
int chapter_commands_of_every_kind(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_recorded),
        cmocka_unit_test(tiers_are_compiled_by_threads_or_by_draws),
        cmocka_unit_test(samplers_go_before_what_is_compiled_with_them),
        cmocka_unit_test(objects_get_names_and_lose_them),
        cmocka_unit_test(objects_get_private_data_and_tags),
        cmocka_unit_test(objects_that_drivers_lack_are_made),
        cmocka_unit_test(queries_of_every_kind),
    };
    return cmocka_run_group_tests_name("commands_of_every_kind", tests, NULL, NULL);
}
