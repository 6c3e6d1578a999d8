/* SPDX-License-Identifier: MIT */
#include "harness/drawing/passes.h"
#include "harness/drawing/pipeline.h"

#include <stdlib.h>

#include "harness_fullscreen.h"

struct harness_spirv harness_covering_triangle(void)
{
    return HARNESS_SPIRV(harness_fullscreen);
}

VkShaderModule harness_module(struct harness_vulkan *vk, struct harness_spirv code)
{
    VkShaderModule module;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code.bytes, .pCode = code.words};
    HARNESS_VK(vkCreateShaderModule(vk->device, &info, NULL, &module));
    return module;
}

static VkRenderPass create_pass(struct harness_vulkan *vk, VkFormat format)
{
    VkRenderPass pass;
    VkAttachmentDescription attachment = {.format = format,
                                          .samples = VK_SAMPLE_COUNT_1_BIT,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                          .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                          .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &reference};
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags access = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, stages, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, access,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0},
    };
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass,
                                   .dependencyCount = 2,
                                   .pDependencies = dependencies};
    HARNESS_VK(vkCreateRenderPass(vk->device, &info, NULL, &pass));
    return pass;
}

void harness_target_create(struct harness_vulkan *vk, struct harness_target *target, VkFormat format, uint32_t width,
                           uint32_t height)
{
    struct harness_image_params params = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = format,
                                          .width = width,
                                          .height = height,
                                          .usage =
                                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    *target = (struct harness_target){.width = width, .height = height};
    harness_image_create(vk, &target->color, &params, NULL);
    target->pass = create_pass(vk, format);
    target->framebuffer = harness_framebuffer(vk, target->pass, &target->color.view, 1, width, height);
}

void harness_target_destroy(struct harness_vulkan *vk, struct harness_target *target)
{
    vkDestroyFramebuffer(vk->device, target->framebuffer, NULL);
    vkDestroyRenderPass(vk->device, target->pass, NULL);
    harness_image_destroy(vk, &target->color);
    *target = (struct harness_target){0};
}

void harness_target_begin(const struct harness_target *target, VkCommandBuffer commands)
{
    VkClearValue clear = {.color = {.float32 = {0, 0, 0, 0}}};
    VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                  .renderPass = target->pass,
                                  .framebuffer = target->framebuffer,
                                  .renderArea = {{0, 0}, {target->width, target->height}},
                                  .clearValueCount = 1,
                                  .pClearValues = &clear};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void harness_target_end(VkCommandBuffer commands)
{
    vkCmdEndRenderPass(commands);
}

static void change_layout(const struct harness_target *target, VkCommandBuffer commands, VkImageLayout from,
                          VkImageLayout to)
{
    const bool drawn = from != VK_IMAGE_LAYOUT_UNDEFINED;
    const VkPipelineStageFlags output = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = drawn ? VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT : 0,
                                          .dstAccessMask = drawn ? VK_ACCESS_TRANSFER_READ_BIT
                                                                 : VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = target->color.image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, output, drawn ? VK_PIPELINE_STAGE_TRANSFER_BIT : output, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

void harness_target_begin_rendering(const struct harness_target *target, VkCommandBuffer commands)
{
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = target->color.view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {target->width, target->height}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &attachment};
    change_layout(target, commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    vkCmdBeginRendering(commands, &info);
}

void harness_target_end_rendering(const struct harness_target *target, VkCommandBuffer commands)
{
    vkCmdEndRendering(commands);
    change_layout(target, commands, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

void harness_target_read(struct harness_vulkan *vk, const struct harness_target *target, void *pixels)
{
    harness_image_read(vk, &target->color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0, 0, pixels);
}

/* That pipelines of the device's kind of sets need. */
static VkPipelineCreateFlags flags_of_sets(const struct harness_vulkan *vk)
{
    return vk->sets == HARNESS_SETS_DESCRIPTOR_BUFFER ? (VkFlags)VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
}

/* Flags that do not fit into the create-info: a chain that ends in `next`. */
static const void *chain_flags(const struct harness_vulkan *vk, VkPipelineCreateFlags2CreateInfoKHR *second,
                               VkPipelineCreateFlags flags, const void *next)
{
    *second = (VkPipelineCreateFlags2CreateInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                    .pNext = next,
                                                    .flags = flags | VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    return harness_sets_are_heaps(vk->sets) ? second : next;
}

/* A pipeline and what it was linked from. */
struct linked {
    struct linked *next;
    VkPipeline pipeline, libraries[4];
};

/* Libraries live as long as what is linked from them; the last one's descriptions are those of the whole. */
/* `rendering`: chained to every part; `vertex_layout`: of that part, zero: the same as the others'. */
static VkPipeline link_pipeline(struct harness_vulkan *vk, const VkGraphicsPipelineCreateInfo *whole,
                                const void *rendering, VkPipelineLayout vertex_layout, VkPipelineCache cache)
{
    enum { PARTS = 4 };
    static const VkGraphicsPipelineLibraryFlagsEXT brings[PARTS] = {
        VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
        VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT};
    struct linked *linked = harness_alloc(1, sizeof(*linked));
    for (unsigned i = 0; i < PARTS; i++) {
        const VkGraphicsPipelineLibraryCreateInfoEXT part = {
            .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
            .pNext = (void *)(uintptr_t)rendering,
            .flags = brings[i]};
        VkGraphicsPipelineCreateInfo info = *whole; /* what is not of the part is ignored, but for its stages */
        VkPipelineCreateFlags2CreateInfoKHR second;
        info.flags |=
            VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
        info.pNext = chain_flags(vk, &second, info.flags, &part);
        if (i == 1 && vertex_layout)
            info.layout = vertex_layout;
        info.stageCount = i == 1 || i == 2;
        info.pStages = info.stageCount ? &whole->pStages[i - 1] : NULL;
        HARNESS_VK(vkCreateGraphicsPipelines(vk->device, cache, 1, &info, NULL, &linked->libraries[i]));
    }
    const VkPipelineLibraryCreateInfoKHR libraries = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                      .libraryCount = PARTS,
                                                      .pLibraries = linked->libraries};
    const VkPipelineCreateFlags flags =
        flags_of_sets(vk) |
        (vk->linking == HARNESS_LIBRARY ? (VkFlags)VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0);
    VkPipelineCreateFlags2CreateInfoKHR second;
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = chain_flags(vk, &second, flags, &libraries),
                                               .flags = flags,
                                               .layout = whole->layout};
    HARNESS_VK(vkCreateGraphicsPipelines(vk->device, cache, 1, &info, NULL, &linked->pipeline));
    linked->next = vk->linked;
    vk->linked = linked;
    return linked->pipeline;
}

VkPipeline harness_whole_pipeline(struct harness_vulkan *vk, const VkGraphicsPipelineCreateInfo *whole,
                                  VkPipelineCache cache)
{
    VkPipeline pipeline;
    VkPipelineCreateFlags2CreateInfoKHR second;
    VkGraphicsPipelineCreateInfo info = *whole;
    info.pNext = chain_flags(vk, &second, whole->flags, whole->pNext);
    HARNESS_VK(vkCreateGraphicsPipelines(vk->device, cache, 1, &info, NULL, &pipeline));
    return pipeline;
}

VkPipeline harness_pipeline_of(struct harness_vulkan *vk, const VkGraphicsPipelineCreateInfo *whole,
                               VkPipelineCache cache)
{
    if (vk->linking == HARNESS_LIBRARY || vk->linking == HARNESS_FAST_LINKED)
        return link_pipeline(vk, whole, whole->pNext, VK_NULL_HANDLE, cache);
    return harness_whole_pipeline(vk, whole, cache);
}

void harness_graphics_pipeline_destroy(struct harness_vulkan *vk, VkPipeline pipeline)
{
    struct linked **place = &vk->linked;
    vkDestroyPipeline(vk->device, pipeline, NULL);
    while (*place && (*place)->pipeline != pipeline)
        place = &(*place)->next;
    struct linked *linked = *place;
    if (!linked)
        return;
    for (unsigned i = 0; i < sizeof(linked->libraries) / sizeof(linked->libraries[0]); i++)
        vkDestroyPipeline(vk->device, linked->libraries[i], NULL);
    *place = linked->next;
    free(linked);
}

VkPipeline harness_graphics_pipeline(struct harness_vulkan *vk, const struct harness_target *target,
                                     const struct harness_graphics_params *params)
{
    bool own_vertex = params->vertex.words != NULL;
    VkShaderModule vertex = harness_module(vk, own_vertex ? params->vertex : HARNESS_SPIRV(harness_fullscreen));
    VkShaderModule fragment = harness_module(vk, params->fragment);
    VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .pNext = params->mapping,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main",
         .pSpecializationInfo = own_vertex ? params->specialization : NULL},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .pNext = params->mapping,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main",
         .pSpecializationInfo = params->specialization},
    };
    VkPipelineVertexInputStateCreateInfo no_input = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = own_vertex ? params->topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    /* The harness' own triangle lies within the clip volume and covers half of it (fullscreen.vert). */
    float scale = own_vertex ? 1 : 2;
    VkViewport viewport = {0, 0, (float)target->width * scale, (float)target->height * scale, 0, 1};
    VkRect2D scissor = {{0, 0}, {target->width, target->height}};
    VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                   .viewportCount = 1,
                                                   .pViewports = &viewport,
                                                   .scissorCount = 1,
                                                   .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                    .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .attachmentCount = 1,
                                                 .pAttachments = &attachment};
    VkPipelineCreateFlags2CreateInfoKHR second;
    VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = chain_flags(vk, &second, params->flags, NULL),
                                         .flags = params->flags | flags_of_sets(vk),
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = params->input ? params->input : &no_input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &viewports,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .layout = params->layout,
                                         .renderPass = target->pass};
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (vk->linking == HARNESS_LIBRARY || vk->linking == HARNESS_FAST_LINKED)
        pipeline = link_pipeline(vk, &info, NULL, params->vertex_layout, params->cache);
    else
        HARNESS_VK(vkCreateGraphicsPipelines(vk->device, params->cache, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(vk->device, vertex, NULL);
    vkDestroyShaderModule(vk->device, fragment, NULL);
    return pipeline;
}

static VkPipeline compute_pipeline(struct harness_vulkan *vk, struct harness_spirv code, VkPipelineLayout layout,
                                   const void *stage_next, const VkSpecializationInfo *specialization)
{
    VkPipeline pipeline;
    VkPipelineCreateFlags2CreateInfoKHR second;
    VkShaderModule module = harness_module(vk, code);
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .pNext = chain_flags(vk, &second, 0, NULL),
                                        .flags = flags_of_sets(vk),
                                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .pNext = stage_next,
                                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                  .module = module,
                                                  .pName = "main",
                                                  .pSpecializationInfo = specialization},
                                        .layout = layout};
    HARNESS_VK(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(vk->device, module, NULL);
    return pipeline;
}

VkPipeline harness_compute_pipeline(struct harness_vulkan *vk, struct harness_spirv code, VkPipelineLayout layout)
{
    return compute_pipeline(vk, code, layout, NULL, NULL);
}

VkPipeline harness_compute_pipeline_mapped(struct harness_vulkan *vk, struct harness_spirv code,
                                           const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping,
                                           const VkSpecializationInfo *specialization)
{
    return compute_pipeline(vk, code, VK_NULL_HANDLE, mapping, specialization);
}
