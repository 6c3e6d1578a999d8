/* SPDX-License-Identifier: MIT */
#include "harness/drawing/pipeline_parts.h"

enum {
    INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    BEFORE = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
};

VkPipeline pipeline_of_parts(const struct pipeline_parts *of, VkFlags brings, bool library, bool optimized,
                             const VkPipeline *libraries, uint32_t count)
{
    const bool rendering = of->pass->params.style == BLENDING_DYNAMIC;
    const VkFormat format = of->format;
    const uint32_t width = of->pass->params.width, height = of->pass->params.height;
    const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                   .colorAttachmentCount = brings & OUTPUT ? 1 : 0,
                                                   .pColorAttachmentFormats = brings & OUTPUT ? &format : NULL};
    const bool passes = brings & (BEFORE | FRAGMENT | OUTPUT);
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
        .pNext = rendering && passes ? (void *)(uintptr_t)&formats : NULL,
        .flags = brings};
    const VkPipelineLibraryCreateInfoKHR linked = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
                                                   .pNext = brings ? &part : NULL,
                                                   .libraryCount = count,
                                                   .pLibraries = libraries};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkViewport viewport = {0, 0, 2 * (float)width, 2 * (float)height, 0, 1};
    const VkRect2D scissor = {{0, 0}, {width, height}};
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
    static const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = of->state};
    VkPipelineShaderStageCreateInfo stages[2];
    uint32_t stage_count = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (brings & (i ? FRAGMENT : BEFORE))
            stages[stage_count++] = (VkPipelineShaderStageCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
                .module = of->modules[i],
                .pName = "main"};
    }
    const VkPipelineCreateFlags kept =
        library ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT
                : 0;
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = count ? (const void *)&linked : &part,
        .flags = kept | (optimized && count ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0),
        .stageCount = stage_count,
        .pStages = stage_count ? stages : NULL,
        .pVertexInputState = brings & INPUT ? &input : NULL,
        .pInputAssemblyState = brings & INPUT ? &assembly : NULL,
        .pViewportState = brings & BEFORE ? &viewports : NULL,
        .pRasterizationState = brings & BEFORE ? &raster : NULL,
        .pMultisampleState = brings & (FRAGMENT | OUTPUT) ? &samples : NULL,
        .pDepthStencilState = brings & FRAGMENT ? &depth : NULL,
        .pColorBlendState = brings & OUTPUT ? &blend : NULL,
        .layout = !library || (brings & (BEFORE | FRAGMENT)) ? of->layout : VK_NULL_HANDLE,
        .renderPass = passes ? of->pass->pass : VK_NULL_HANDLE};
    VkPipeline pipeline;
    HARNESS_VK(vkCreateGraphicsPipelines(of->vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}
