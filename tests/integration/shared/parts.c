/* SPDX-License-Identifier: MIT */
#include "integration/shared/parts.h"

#include <string.h>

#include "integration_fullscreen.h"

static VkPipelineShaderStageCreateInfo make_stage(struct scene *scene, VkShaderStageFlagBits stage,
                                                  struct harness_spirv code)
{
    return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                             .stage = stage,
                                             .module = harness_module(&scene->vk, code),
                                             .pName = "main"};
}

void parts_open(struct scene *scene, struct parts *parts, struct harness_spirv fragment, VkPipelineLayout layout)
{
    memset(parts, 0, sizeof(*parts));
    parts->stages[0] = make_stage(scene, VK_SHADER_STAGE_VERTEX_BIT, HARNESS_SPIRV(integration_fullscreen));
    parts->stages[1] = make_stage(scene, VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
    parts->input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    parts->assembly =
        (VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    parts->viewport = (VkViewport){0, 0, 2 * SCENE_COLUMNS, 2 * SCENE_ROWS, 0, 1}; /* what the triangle wants */
    parts->scissor = (VkRect2D){{0, 0}, {SCENE_COLUMNS, SCENE_ROWS}};
    parts->viewports =
        (VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                            .viewportCount = 1,
                                            .pViewports = &parts->viewport,
                                            .scissorCount = 1,
                                            .pScissors = &parts->scissor};
    parts->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    parts->samples =
        (VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                               .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    parts->attachment.colorWriteMask = 0xf;
    parts->blend =
        (VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                              .attachmentCount = 1,
                                              .pAttachments = &parts->attachment};
    parts->dynamic_state = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .pDynamicStates = parts->dynamic};
    parts->info = (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                                 .stageCount = 2,
                                                 .pStages = parts->stages,
                                                 .pVertexInputState = &parts->input,
                                                 .pInputAssemblyState = &parts->assembly,
                                                 .pViewportState = &parts->viewports,
                                                 .pRasterizationState = &parts->raster,
                                                 .pMultisampleState = &parts->samples,
                                                 .pColorBlendState = &parts->blend,
                                                 .layout = layout,
                                                 .renderPass = scene->target.pass};
}

void parts_close(struct scene *scene, struct parts *parts)
{
    for (unsigned i = 0; i < PARTS_STAGES; i++)
        vkDestroyShaderModule(scene->vk.device, parts->stages[i].module, NULL);
    memset(parts, 0, sizeof(*parts));
}

void parts_add_stage(struct scene *scene, struct parts *parts, VkShaderStageFlagBits stage, struct harness_spirv code)
{
    parts->stages[parts->info.stageCount++] = make_stage(scene, stage, code);
}

void parts_add_dynamic(struct parts *parts, VkDynamicState state)
{
    parts->dynamic[parts->dynamic_state.dynamicStateCount++] = state;
    parts->info.pDynamicState = &parts->dynamic_state;
}

void parts_set_vertex(struct scene *scene, struct parts *parts, struct harness_spirv code)
{
    vkDestroyShaderModule(scene->vk.device, parts->stages[0].module, NULL);
    parts->stages[0] = make_stage(scene, VK_SHADER_STAGE_VERTEX_BIT, code);
}

VkPipeline parts_create(struct scene *scene, const struct parts *parts)
{
    VkPipeline pipeline;
    HARNESS_VK(vkCreateGraphicsPipelines(scene->vk.device, VK_NULL_HANDLE, 1, &parts->info, NULL, &pipeline));
    return pipeline;
}
