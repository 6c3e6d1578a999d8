/* SPDX-License-Identifier: MIT */
/*
 * Pipelines that are linked from libraries have tiers like others: the create-infos of the libraries are merged to one,
 * and compiled as one pipeline. Each state comes from the part that it belongs to (specification, section "Graphics
 * Pipelines": vertex input, pre-rasterization, fragment shader, fragment output).
 */
#include <stdlib.h>
#include <string.h>

#include "device/structure_chain.h"
#include "objects/pnext.h"
#include "objects/pipeline_flags.h"
#include "pipelines/tiers.h"

enum {
    VERTEX_INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    PRE_RASTERIZATION = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT_SHADER = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    FRAGMENT_OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    ALL_PARTS = VERTEX_INPUT | PRE_RASTERIZATION | FRAGMENT_SHADER | FRAGMENT_OUTPUT,
};

/* ---- Dynamic states ---- */

/* The parts whose state it is; a library's list counts for those alone. States not listed here may be of any part. */
static VkFlags parts_of(VkDynamicState state)
{
    switch ((uint32_t)state) {
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
        return VERTEX_INPUT;
    case VK_DYNAMIC_STATE_VIEWPORT:
    case VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT:
    case VK_DYNAMIC_STATE_SCISSOR:
    case VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT:
    case VK_DYNAMIC_STATE_LINE_WIDTH:
    case VK_DYNAMIC_STATE_LINE_STIPPLE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
    case VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE:
    case VK_DYNAMIC_STATE_CULL_MODE:
    case VK_DYNAMIC_STATE_FRONT_FACE:
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
    case VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT:
    case VK_DYNAMIC_STATE_POLYGON_MODE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT:
    case VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT:
    case VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT:
    case VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT:
    case VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT:
    case VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT:
    case VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT:
        return PRE_RASTERIZATION;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_OP:
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
        return FRAGMENT_SHADER;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
        return FRAGMENT_OUTPUT;
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT:
        return FRAGMENT_SHADER | FRAGMENT_OUTPUT;
    default:
        return ALL_PARTS;
    }
}

static bool listed(const VkPipelineDynamicStateCreateInfo *list, VkDynamicState state)
{
    for (uint32_t i = 0; i < list->dynamicStateCount; i++) {
        if (list->pDynamicStates[i] == state)
            return true;
    }
    return false;
}

static bool link_dynamic(const struct saved_info *saved_info, struct linked_libraries *linked_libraries)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < saved_info->count; i++)
        most += saved_info->parts[i]->graphics->pDynamicState
                    ? saved_info->parts[i]->graphics->pDynamicState->dynamicStateCount
                    : 0;
    linked_libraries->states = calloc(most + 1, sizeof(*linked_libraries->states));
    if (!linked_libraries->states)
        return false;
    linked_libraries->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .pDynamicStates = linked_libraries->states};
    for (uint32_t i = 0; i < saved_info->count; i++) {
        const struct saved_info_part *part = saved_info->parts[i];
        const VkPipelineDynamicStateCreateInfo *dynamic = part->graphics->pDynamicState;
        for (uint32_t j = 0; dynamic && j < dynamic->dynamicStateCount; j++) {
            const VkDynamicState state = dynamic->pDynamicStates[j];
            if ((part->brings & parts_of(state)) && !listed(&linked_libraries->dynamic, state))
                linked_libraries->states[linked_libraries->dynamic.dynamicStateCount++] = state;
        }
    }
    linked_libraries->info.pDynamicState =
        linked_libraries->dynamic.dynamicStateCount ? &linked_libraries->dynamic : NULL;
    return true;
}

/* ---- Chains ---- */

enum { TYPES_MOST = 64 };

/*
 * Adds the structures of a part's chain that no part before it had. A structure in two parts is the same in both,
 * except robustness, which is merged further down.
 */
static bool link_chain(const VkGraphicsPipelineCreateInfo *part, VkStructureType types[TYPES_MOST], uint32_t *count,
                       VkBaseOutStructure **last, void **memory)
{
    void *rest;
    if (!pnext_copy_without(part->pNext, types, *count, &rest, memory))
        return false;
    (*last)->pNext = rest;
    while ((*last)->pNext) {
        *last = (*last)->pNext;
        if (*count < TYPES_MOST)
            types[(*count)++] = (*last)->sType;
    }
    return true;
}

/* The part that describes the attachments comes first: others may describe fewer of them. */
static bool link_chains(const struct saved_info *saved_info, struct linked_libraries *linked_libraries)
{
    VkStructureType types[TYPES_MOST] = {VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT};
    uint32_t count = 1;
    VkBaseOutStructure head = {.pNext = NULL}, *last = &head;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < saved_info->count; i++) {
            const struct saved_info_part *part = saved_info->parts[i];
            const bool output = part->brings & FRAGMENT_OUTPUT;
            if (output == (round == 0) &&
                !link_chain(part->graphics, types, &count, &last, &linked_libraries->chains[i]))
                return false;
        }
    }
    linked_libraries->info.pNext = head.pNext;
    return true;
}

/* ---- Robustness ---- */

static const VkPipelineRobustnessCreateInfoEXT *robustness_of(const void *chain)
{
    return pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
}

/*
 * The robustness of vertex inputs, from the part that describes them. That part has no stage, so it stays in the
 * create-info's own chain.
 */
static VkPipelineRobustnessBufferBehaviorEXT link_vertex_robustness(const struct saved_info *saved_info,
                                                                    struct linked_libraries *linked_libraries)
{
    const VkPipelineRobustnessCreateInfoEXT *said = NULL;
    for (uint32_t i = 0; i < saved_info->count && !said; i++) {
        if (saved_info->parts[i]->brings & VERTEX_INPUT)
            said = robustness_of(saved_info->parts[i]->graphics->pNext);
    }
    if (!said)
        return VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    linked_libraries->robustness = (VkPipelineRobustnessCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .pNext = linked_libraries->info.pNext,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .vertexInputs = said->vertexInputs,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT,
    };
    linked_libraries->info.pNext = &linked_libraries->robustness;
    return said->vertexInputs;
}

/*
 * Robustness in a create-info's chain holds for its own part (VkPipelineRobustnessCreateInfo). So it is chained to each
 * of the part's stages that has none itself, because stages take precedence over the create-info. Robustness of vertex
 * inputs comes from the part that describes them; if that has none, from the vertex shader's part, because drivers that
 * fetch vertices in the shader look for it there.
 */
static bool link_robustness(const struct saved_info *saved_info, VkPipelineShaderStageCreateInfo *stages,
                            struct linked_libraries *linked_libraries)
{
    const VkPipelineRobustnessBufferBehaviorEXT vertex_inputs = link_vertex_robustness(saved_info, linked_libraries);
    uint32_t most = 0;
    for (uint32_t i = 0; i < saved_info->count; i++)
        most += saved_info->parts[i]->stage_count;
    linked_libraries->stage_robustness = calloc(most + 1, sizeof(*linked_libraries->stage_robustness));
    if (!linked_libraries->stage_robustness)
        return false;
    VkPipelineRobustnessCreateInfoEXT *next = linked_libraries->stage_robustness;
    for (uint32_t i = 0; i < saved_info->count; i++) {
        const VkPipelineRobustnessCreateInfoEXT *said = robustness_of(saved_info->parts[i]->graphics->pNext);
        for (uint32_t j = 0; j < saved_info->parts[i]->stage_count; j++, stages++) {
            if (!said || robustness_of(stages->pNext))
                continue;
            *next = *said;
            next->pNext = stages->pNext;
            if (vertex_inputs != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT)
                next->vertexInputs = vertex_inputs;
            stages->pNext = next++;
        }
    }
    return true;
}

/* ---- All ---- */

static void link_states(const struct saved_info_part *part, VkGraphicsPipelineCreateInfo *info)
{
    const VkGraphicsPipelineCreateInfo *from = part->graphics;
    if (part->brings & VERTEX_INPUT) {
        info->pVertexInputState = from->pVertexInputState;
        info->pInputAssemblyState = from->pInputAssemblyState;
    }
    if (part->brings & PRE_RASTERIZATION) {
        info->pTessellationState = from->pTessellationState;
        info->pViewportState = from->pViewportState;
        info->pRasterizationState = from->pRasterizationState;
    }
    if (part->brings & FRAGMENT_SHADER)
        info->pDepthStencilState = from->pDepthStencilState;
    if ((part->brings & FRAGMENT_OUTPUT) || !info->pMultisampleState)
        info->pMultisampleState = from->pMultisampleState ? from->pMultisampleState : info->pMultisampleState;
    if (part->brings & FRAGMENT_OUTPUT)
        info->pColorBlendState = from->pColorBlendState;
    if (from->renderPass) {
        info->renderPass = from->renderPass;
        info->subpass = from->subpass;
    }
}

bool saved_info_link(const struct saved_info *saved_info, VkPipelineShaderStageCreateInfo *stages,
                     struct linked_libraries *linked_libraries)
{
    *linked_libraries = (struct linked_libraries){
        .info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .basePipelineIndex = -1},
    };
    VkFlags64 flags = 0;
    for (uint32_t i = 0; i < saved_info->count; i++) {
        link_states(saved_info->parts[i], &linked_libraries->info);
        flags |= saved_info->parts[i]->flags;
    }
    /* Among the chains is a structure of wide flags where some part has one, which tells the form; all have its bits.
     */
    if (!link_dynamic(saved_info, linked_libraries) || !link_chains(saved_info, linked_libraries) ||
        !link_robustness(saved_info, stages, linked_libraries) ||
        !pipeline_flags_replace(&linked_libraries->info, flags, &linked_libraries->flags)) {
        linked_libraries_finish(linked_libraries);
        return false;
    }
    return true;
}

void linked_libraries_finish(struct linked_libraries *linked_libraries)
{
    for (uint32_t i = 0; i < SAVED_INFO_PARTS; i++)
        free(linked_libraries->chains[i]);
    pipeline_flags_finish(&linked_libraries->flags);
    free(linked_libraries->states);
    free(linked_libraries->stage_robustness);
    *linked_libraries = (struct linked_libraries){.states = NULL};
}
