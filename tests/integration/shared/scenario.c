/* SPDX-License-Identifier: MIT */
#include "gl/gl_tokens.h"
#include "integration/shared/scenario.h"

#include <string.h>

#include "integration_compute.h"
#include "integration_two_sets.h"
#include "integration_vertex_plain.h"

static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
const struct harness_vulkan_params scenario_params = {
    .device_extensions = extensions, .device_extension_count = 1, .gl_image_view = true};

enum { SETS = 3, MODULES = 3, ROUNDS = 2 };

struct objects {
    VkDevice device;
    const VkAllocationCallbacks *callbacks;
    VkSampler samplers[SCENE_SAMPLERS];
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkBuffer buffer;
    VkDeviceMemory buffer_memory;
    VkDescriptorSetLayout layouts[4]; /* ordinary with an immutable sampler, pushed, of compute, of every kind */
    VkPipelineLayout layout, compute_layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[SETS];
    VkDescriptorUpdateTemplate update;
    VkShaderModule modules[MODULES];
    VkRenderPass pass[2];
    VkImageView target_view;
    VkFramebuffer framebuffer;
    VkPipeline graphics[2], compute;
    VkCommandPool commands_pool;
    VkCommandBuffer commands;
};

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        VkResult try_result = (call);                                                                                  \
        if (try_result != VK_SUCCESS)                                                                                  \
            return try_result;                                                                                         \
    } while (0)

/* The output of a creation that failed is undefined: nothing may be destroyed there. */
#define MAKE(output, call)                                                                                             \
    do {                                                                                                               \
        VkResult make_result = (call);                                                                                 \
        if (make_result != VK_SUCCESS) {                                                                               \
            *(output) = VK_NULL_HANDLE;                                                                                \
            return make_result;                                                                                        \
        }                                                                                                              \
    } while (0)

static VkResult make_samplers(struct objects *o)
{
    for (unsigned i = 0; i < SCENE_SAMPLERS; i++) {
        VkSamplerGLStateCreateInfoCLAMPLER gl;
        VkSamplerCreateInfo info = scene_sampler_info((enum scene_sampler)i, &gl);
        TRY(vkCreateSampler(o->device, &info, o->callbacks, &o->samplers[i]));
    }
    return VK_SUCCESS;
}

static VkResult make_image(struct objects *o)
{
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8_UNORM,
                              .extent = {4, 4, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    MAKE(&o->image, vkCreateImage(o->device, &info, o->callbacks, &o->image));
    vkGetImageMemoryRequirements(o->device, o->image, &needs);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    MAKE(&o->memory, vkAllocateMemory(o->device, &allocate, o->callbacks, &o->memory));
    TRY(vkBindImageMemory(o->device, o->image, o->memory, 0));
    /* Red is what it was, and the layer has a twin of the view to make. */
    static const VkImageViewGLStateCreateInfoCLAMPLER intensity = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = TOKEN_INTENSITY};
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .pNext = &intensity,
                                  .image = o->image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = VK_FORMAT_R8_UNORM,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    return vkCreateImageView(o->device, &view, o->callbacks, &o->view);
}

static VkResult make_buffer(struct scene *scene, struct objects *o)
{
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = sizeof(scene->pixels),
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    MAKE(&o->buffer, vkCreateBuffer(o->device, &info, o->callbacks, &o->buffer));
    vkGetBufferMemoryRequirements(o->device, o->buffer, &needs);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    MAKE(&o->buffer_memory, vkAllocateMemory(o->device, &allocate, o->callbacks, &o->buffer_memory));
    return vkBindBufferMemory(o->device, o->buffer, o->buffer_memory, 0);
}

static VkResult make_set_layout(struct objects *o, VkFlags flags, uint32_t count,
                                const VkDescriptorSetLayoutBinding *bindings, VkDescriptorSetLayout *layout)
{
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .flags = flags,
                                            .bindingCount = count,
                                            .pBindings = bindings};
    return vkCreateDescriptorSetLayout(o->device, &info, o->callbacks, layout);
}

static VkResult make_layouts(struct objects *o)
{
    const VkDescriptorSetLayoutBinding ordinary[] = {
        SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
        {3, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, &o->samplers[SCENE_CLAMP]},
    };
    const VkDescriptorSetLayoutBinding compute[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    TRY(make_set_layout(o, 0, 2, ordinary, &o->layouts[0]));
    TRY(make_set_layout(o, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, 1, ordinary, &o->layouts[1]));
    TRY(make_set_layout(o, 0, 2, compute, &o->layouts[2]));
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 2, .pSetLayouts = o->layouts};
    TRY(vkCreatePipelineLayout(o->device, &info, o->callbacks, &o->layout));
    info.setLayoutCount = 1;
    info.pSetLayouts = &o->layouts[2];
    return vkCreatePipelineLayout(o->device, &info, o->callbacks, &o->compute_layout);
}

static VkResult make_sets(struct scene *scene, struct objects *o)
{
    const VkDescriptorPoolSize sizes[] = {
        {SCENE_COMBINED, SETS}, {VK_DESCRIPTOR_TYPE_SAMPLER, SETS}, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS}};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = SETS,
                                       .poolSizeCount = 3,
                                       .pPoolSizes = sizes};
    const VkDescriptorSetLayout layouts[SETS] = {o->layouts[0], o->layouts[0], o->layouts[2]};
    TRY(vkCreateDescriptorPool(o->device, &pool, o->callbacks, &o->pool));
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = o->pool,
                                            .descriptorSetCount = SETS,
                                            .pSetLayouts = layouts};
    TRY(vkAllocateDescriptorSets(o->device, &allocate, o->sets));

    const VkDescriptorUpdateTemplateEntry entry = {0, 0, 1, SCENE_COMBINED, 0, sizeof(VkDescriptorImageInfo)};
    VkDescriptorUpdateTemplateCreateInfo update = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                                   .descriptorUpdateEntryCount = 1,
                                                   .pDescriptorUpdateEntries = &entry,
                                                   .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
                                                   .descriptorSetLayout = o->layouts[0]};
    TRY(vkCreateDescriptorUpdateTemplate(o->device, &update, o->callbacks, &o->update));
    const VkDescriptorImageInfo info = scene_info(scene, SCENE_CLAMP, SCENE_STEPS);
    vkUpdateDescriptorSetWithTemplate(o->device, o->sets[0], o->update, &info);
    harness_write_image(&scene->vk, o->sets[1], 0, 0, SCENE_COMBINED, o->samplers[SCENE_EDGE], o->view);
    harness_write_image(&scene->vk, o->sets[2], 0, 0, SCENE_COMBINED, o->samplers[SCENE_CLAMP],
                        scene->textures[SCENE_RAMP].view);
    harness_write_buffer(&scene->vk, o->sets[2], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, o->buffer);
    return VK_SUCCESS;
}

static VkResult make_passes(struct scene *scene, struct objects *o)
{
    VkAttachmentDescription attachment = {.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    VkSubpassDescription2 subpass2 = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    VkRenderPassCreateInfo2 info2 = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass2};
    TRY(vkCreateRenderPass(o->device, &info, o->callbacks, &o->pass[0]));
    TRY(vkCreateRenderPass2(o->device, &info2, o->callbacks, &o->pass[1]));
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = scene->target.color.image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    TRY(vkCreateImageView(o->device, &view, o->callbacks, &o->target_view));
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = o->pass[0],
                                                 .attachmentCount = 1,
                                                 .pAttachments = &o->target_view,
                                                 .width = SCENE_COLUMNS,
                                                 .height = SCENE_ROWS,
                                                 .layers = 1};
    MAKE(&o->framebuffer, vkCreateFramebuffer(o->device, &framebuffer, o->callbacks, &o->framebuffer));
    return VK_SUCCESS;
}

static VkResult make_modules(struct objects *o)
{
    const struct harness_spirv code[MODULES] = {HARNESS_SPIRV(integration_vertex_plain),
                                                HARNESS_SPIRV(integration_two_sets),
                                                HARNESS_SPIRV(integration_compute)};
    for (unsigned i = 0; i < MODULES; i++) {
        VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code[i].bytes, .pCode = code[i].words};
        TRY(vkCreateShaderModule(o->device, &info, o->callbacks, &o->modules[i]));
    }
    return VK_SUCCESS;
}

static VkResult make_pipelines(struct scene *scene, struct objects *o)
{
    VkPipelineShaderStageCreateInfo stages[MODULES];
    static const VkShaderStageFlagBits kinds[MODULES] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT,
                                                         VK_SHADER_STAGE_COMPUTE_BIT};
    for (unsigned i = 0; i < MODULES; i++)
        stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = kinds[i],
                                                      .module = o->modules[i],
                                                      .pName = "main"};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, 2 * SCENE_COLUMNS, 2 * SCENE_ROWS, 0, 1};
    const VkRect2D scissor = {{0, 0}, {SCENE_COLUMNS, SCENE_ROWS}};
    const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                         .viewportCount = 1,
                                                         .pViewports = &viewport,
                                                         .scissorCount = 1,
                                                         .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                              VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                          .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &attachment};
    const VkGraphicsPipelineCreateInfo graphics = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                                   .stageCount = 2,
                                                   .pStages = stages,
                                                   .pVertexInputState = &input,
                                                   .pInputAssemblyState = &assembly,
                                                   .pViewportState = &viewports,
                                                   .pRasterizationState = &raster,
                                                   .pMultisampleState = &samples,
                                                   .pColorBlendState = &blend,
                                                   .layout = o->layout,
                                                   .renderPass = scene->target.pass};
    const VkGraphicsPipelineCreateInfo infos[2] = {graphics, graphics};
    const VkComputePipelineCreateInfo compute = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stages[2], .layout = o->compute_layout};
    TRY(vkCreateGraphicsPipelines(o->device, VK_NULL_HANDLE, 2, infos, o->callbacks, o->graphics));
    return vkCreateComputePipelines(o->device, VK_NULL_HANDLE, 1, &compute, o->callbacks, &o->compute);
}

/* Tiers 0, 1 and 2 of a draw, tier 1 of a dispatch, ordinary and pushed sets. */
static VkResult record(struct scene *scene, struct objects *o)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = scene->vk.family};
    TRY(vkCreateCommandPool(o->device, &pool, o->callbacks, &o->commands_pool));
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = o->commands_pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    TRY(vkAllocateCommandBuffers(o->device, &allocate, &o->commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    TRY(vkBeginCommandBuffer(o->commands, &begin));
    PFN_vkCmdPushDescriptorSetKHR push = HARNESS_PROC(&scene->vk, vkCmdPushDescriptorSetKHR);
    vkCmdBindPipeline(o->commands, VK_PIPELINE_BIND_POINT_COMPUTE, o->compute);
    vkCmdBindDescriptorSets(o->commands, VK_PIPELINE_BIND_POINT_COMPUTE, o->compute_layout, 0, 1, &o->sets[2], 0, NULL);
    vkCmdDispatch(o->commands, 1, 1, 1);
    harness_target_begin(&scene->target, o->commands);
    static const enum scene_sampler pushed[] = {SCENE_EDGE, SCENE_MIXED};
    vkCmdBindPipeline(o->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, o->graphics[1]);
    vkCmdBindDescriptorSets(o->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, o->layout, 0, 1, &o->sets[0], 0, NULL);
    for (unsigned i = 0; i < 2; i++) {
        const VkDescriptorImageInfo info = scene_info(scene, pushed[i], SCENE_RAMP);
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .descriptorCount = 1,
                                            .descriptorType = SCENE_COMBINED,
                                            .pImageInfo = &info};
        push(o->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, o->layout, 1, 1, &write);
        vkCmdDraw(o->commands, 3, 1, 0, 0);
    }
    harness_target_end(o->commands);
    return vkEndCommandBuffer(o->commands);
}

static VkResult run(struct scene *scene, struct objects *o)
{
    TRY(make_samplers(o));
    TRY(make_image(o));
    TRY(make_buffer(scene, o));
    TRY(make_layouts(o));
    TRY(make_sets(scene, o));
    TRY(make_passes(scene, o));
    TRY(make_modules(o));
    TRY(make_pipelines(scene, o));
    return record(scene, o);
}

static void destroy(struct objects *o)
{
    const VkAllocationCallbacks *callbacks = o->callbacks;
    vkDestroyCommandPool(o->device, o->commands_pool, callbacks);
    vkDestroyFramebuffer(o->device, o->framebuffer, callbacks);
    vkDestroyImageView(o->device, o->target_view, callbacks);
    for (unsigned i = 0; i < 2; i++) {
        vkDestroyPipeline(o->device, o->graphics[i], callbacks);
        vkDestroyRenderPass(o->device, o->pass[i], callbacks);
    }
    vkDestroyPipeline(o->device, o->compute, callbacks);
    for (unsigned i = 0; i < MODULES; i++)
        vkDestroyShaderModule(o->device, o->modules[i], callbacks);
    vkDestroyDescriptorUpdateTemplate(o->device, o->update, callbacks);
    vkDestroyDescriptorPool(o->device, o->pool, callbacks);
    vkDestroyPipelineLayout(o->device, o->layout, callbacks);
    vkDestroyPipelineLayout(o->device, o->compute_layout, callbacks);
    for (unsigned i = 0; i < 4; i++)
        vkDestroyDescriptorSetLayout(o->device, o->layouts[i], callbacks);
    vkDestroyBuffer(o->device, o->buffer, callbacks);
    vkFreeMemory(o->device, o->buffer_memory, callbacks);
    vkDestroyImageView(o->device, o->view, callbacks);
    vkDestroyImage(o->device, o->image, callbacks);
    vkFreeMemory(o->device, o->memory, callbacks);
    for (unsigned i = 0; i < SCENE_SAMPLERS; i++)
        vkDestroySampler(o->device, o->samplers[i], callbacks);
}

VkResult scenario_run(struct scene *scene, const VkAllocationCallbacks *callbacks, bool anything_goes)
{
    struct objects o;
    memset(&o, 0, sizeof(o));
    o.device = scene->vk.device;
    o.callbacks = callbacks;
    scene_mark(scene);
    VkResult result = run(scene, &o);
    if (result == VK_SUCCESS) {
        VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &o.commands};
        HARNESS_VK(vkQueueSubmit(scene->vk.queue, 1, &submit, VK_NULL_HANDLE));
        HARNESS_VK(vkQueueWaitIdle(scene->vk.queue));
    }
    scene_take(scene);
    destroy(&o);
    if (result == VK_SUCCESS && !anything_goes) {
        harness_target_read(&scene->vk, &scene->target, scene->pixels);
        assert_int_equal(scene->drew[1], 2);
        assert_int_equal(scene->drew[2], 1);
        scene_expect_row(scene, 0, SCENE_CLAMP, SCENE_STEPS);
        scene_expect_row(scene, 5, SCENE_MIXED, SCENE_RAMP);
    }
    return result;
}

VkResult scenario_create_device(struct scene *scene, const VkAllocationCallbacks *callbacks)
{
    static const char *const names[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    VkDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceGLSamplerFeaturesCLAMPLER gl = {.sType =
                                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER,
                                                    .pNext = &twelve,
                                                    .glSampler = VK_TRUE};
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = scene->vk.family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &gl,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 2,
                               .ppEnabledExtensionNames = names};
    TRY(vkCreateDevice(scene->vk.physical, &info, callbacks, &device));
    vkDestroyDevice(device, callbacks);
    return VK_SUCCESS;
}
