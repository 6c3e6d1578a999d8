/* SPDX-License-Identifier: MIT */
#include "harness/drawing/shader_objects.h"

static VkShaderCreateInfoEXT shader_info(const struct harness_objects_params *params, const VkPushConstantRange *push,
                                         VkShaderStageFlagBits stage, struct harness_spirv code)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .pNext = params->mapping,
                                   .flags = params->linked ? (VkFlags)VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0,
                                   .stage = stage,
                                   .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.bytes,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = params->set_layout_count,
                                   .pSetLayouts = params->set_layout_count ? params->set_layouts : NULL,
                                   .pushConstantRangeCount = params->push_bytes ? 1 : 0,
                                   .pPushConstantRanges = params->push_bytes ? push : NULL};
}

void harness_objects_create(struct harness_vulkan *vk, struct harness_objects *objects,
                            const struct harness_objects_params *params)
{
    const VkPushConstantRange push = {VK_SHADER_STAGE_ALL, 0, params->push_bytes};
    const bool own_vertex = params->vertex.words != NULL;
    VkShaderCreateInfoEXT infos[2];
    *objects =
        (struct harness_objects){.count = params->compute.words ? 1 : 2,
                                 .own_vertex = own_vertex,
                                 .topology = own_vertex ? params->topology : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    if (params->compute.words) {
        infos[0] = shader_info(params, &push, VK_SHADER_STAGE_COMPUTE_BIT, params->compute);
        infos[0].flags = 0; /* there is nothing to link with */
    } else {
        infos[0] = shader_info(params, &push, VK_SHADER_STAGE_VERTEX_BIT,
                               own_vertex ? params->vertex : harness_covering_triangle());
        infos[1] = shader_info(params, &push, VK_SHADER_STAGE_FRAGMENT_BIT, params->fragment);
    }
    for (uint32_t i = 0; i < objects->count && harness_sets_are_heaps(vk->sets); i++)
        infos[i].flags |= VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT;
    PFN_vkCreateShadersEXT create = HARNESS_PROC(vk, vkCreateShadersEXT);
    for (uint32_t i = 0; i < objects->count; i += params->linked ? 2 : 1)
        HARNESS_VK(create(vk->device, params->linked ? objects->count : 1, infos + i, NULL, objects->shaders + i));
}

void harness_objects_destroy(struct harness_vulkan *vk, struct harness_objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        HARNESS_PROC(vk, vkDestroyShaderEXT)(vk->device, objects->shaders[i], NULL);
    *objects = (struct harness_objects){0};
}

void harness_objects_set_state(const struct harness_vulkan *vk, const struct harness_target *target, float scale,
                               VkPrimitiveTopology topology, VkCommandBuffer commands)
{
    const VkViewport viewport = {0, 0, (float)target->width * scale, (float)target->height * scale, 0, 1};
    const VkRect2D scissor = {{0, 0}, {target->width, target->height}};
    const VkSampleMask sample_mask = ~0u;
    const VkColorComponentFlags mask = 0xf;
    const VkBool32 no = VK_FALSE;
#define SET(NAME, ...) HARNESS_PROC(vk, vkCmdSet##NAME)(commands, __VA_ARGS__)
    SET(ViewportWithCountEXT, 1, &viewport);
    SET(ScissorWithCountEXT, 1, &scissor);
    SET(RasterizerDiscardEnableEXT, VK_FALSE);
    SET(VertexInputEXT, 0, NULL, 0, NULL);
    SET(PrimitiveTopologyEXT, topology);
    SET(PrimitiveRestartEnableEXT, VK_FALSE);
    SET(RasterizationSamplesEXT, VK_SAMPLE_COUNT_1_BIT);
    SET(SampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &sample_mask);
    SET(AlphaToCoverageEnableEXT, VK_FALSE);
    SET(PolygonModeEXT, VK_POLYGON_MODE_FILL);
    SET(CullModeEXT, VK_CULL_MODE_NONE);
    SET(FrontFaceEXT, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    SET(DepthTestEnableEXT, VK_FALSE);
    SET(DepthWriteEnableEXT, VK_FALSE);
    SET(DepthBiasEnableEXT, VK_FALSE);
    SET(StencilTestEnableEXT, VK_FALSE);
    SET(ColorBlendEnableEXT, 0, 1, &no);
    SET(ColorWriteMaskEXT, 0, 1, &mask);
#undef SET
}

void harness_objects_bind(struct harness_vulkan *vk, const struct harness_objects *objects,
                          const struct harness_target *target, VkCommandBuffer commands)
{
    static const VkShaderStageFlagBits graphics[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    static const VkShaderStageFlagBits compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const bool draws = objects->count == 2;
    HARNESS_PROC(vk, vkCmdBindShadersEXT)(commands, objects->count, draws ? graphics : &compute, objects->shaders);
    /* As in harness_graphics_pipeline: the harness' own triangle lies within the clip volume and covers half of it. */
    if (draws)
        harness_objects_set_state(vk, target, objects->own_vertex ? 1 : 2, objects->topology, commands);
}
