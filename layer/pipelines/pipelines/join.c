/* SPDX-License-Identifier: MIT */
/*
 * Pipelines that are linked from libraries have tiers like others: what the libraries were made of is joined to one
 * create-info, and compiled as one pipeline. Each state comes from the part that it belongs to (specification, section
 * "Graphics Pipelines": vertex input, pre-rasterization, fragment shader, fragment output).
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

static bool join_dynamic(const struct recipe *recipe, struct joined *joined)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < recipe->count; i++)
        most += recipe->parts[i]->graphics->pDynamicState ? recipe->parts[i]->graphics->pDynamicState->dynamicStateCount
                                                          : 0;
    joined->states = calloc(most + 1, sizeof(*joined->states));
    if (!joined->states)
        return false;
    joined->dynamic = (VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                         .pDynamicStates = joined->states};
    for (uint32_t i = 0; i < recipe->count; i++) {
        const struct recipe_part *part = recipe->parts[i];
        const VkPipelineDynamicStateCreateInfo *dynamic = part->graphics->pDynamicState;
        for (uint32_t j = 0; dynamic && j < dynamic->dynamicStateCount; j++) {
            const VkDynamicState state = dynamic->pDynamicStates[j];
            if ((part->brings & parts_of(state)) && !listed(&joined->dynamic, state))
                joined->states[joined->dynamic.dynamicStateCount++] = state;
        }
    }
    joined->info.pDynamicState = joined->dynamic.dynamicStateCount ? &joined->dynamic : NULL;
    return true;
}

/* ---- Chains ---- */

enum { TYPES_MOST = 64 };

/*
 * Adds what a part has in its chain and no part before it had. Structures that two parts have say the same in both, but
 * for robustness, which is joined below.
 */
static bool join_chain(const VkGraphicsPipelineCreateInfo *part, VkStructureType types[TYPES_MOST], uint32_t *count,
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

/* The part that describes the attachments comes first: others may have said less of them. */
static bool join_chains(const struct recipe *recipe, struct joined *joined)
{
    VkStructureType types[TYPES_MOST] = {VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT};
    uint32_t count = 1;
    VkBaseOutStructure head = {.pNext = NULL}, *last = &head;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < recipe->count; i++) {
            const struct recipe_part *part = recipe->parts[i];
            const bool output = part->brings & FRAGMENT_OUTPUT;
            if (output == (round == 0) && !join_chain(part->graphics, types, &count, &last, &joined->chains[i]))
                return false;
        }
    }
    joined->info.pNext = head.pNext;
    return true;
}

/* ---- Robustness ---- */

static const VkPipelineRobustnessCreateInfoEXT *robustness_of(const void *chain)
{
    return pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
}

/* What the part that describes vertex inputs says of them. It has no stage of its own, so that stays with the whole. */
static VkPipelineRobustnessBufferBehaviorEXT join_vertex_robustness(const struct recipe *recipe, struct joined *joined)
{
    const VkPipelineRobustnessCreateInfoEXT *said = NULL;
    for (uint32_t i = 0; i < recipe->count && !said; i++) {
        if (recipe->parts[i]->brings & VERTEX_INPUT)
            said = robustness_of(recipe->parts[i]->graphics->pNext);
    }
    if (!said)
        return VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    joined->robustness = (VkPipelineRobustnessCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .pNext = joined->info.pNext,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .vertexInputs = said->vertexInputs,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT,
    };
    joined->info.pNext = &joined->robustness;
    return said->vertexInputs;
}

/*
 * What a create-info says of robustness holds for its own part (VkPipelineRobustnessCreateInfo), so each of the part's
 * stages says it, unless it has something to say itself. Stages take precedence over the whole: what is said of vertex
 * inputs by the part that describes them goes with them. Where that is nothing, what the vertex shader's part says of
 * them is kept, because drivers that fetch vertices in the shader look for it there.
 */
static bool join_robustness(const struct recipe *recipe, VkPipelineShaderStageCreateInfo *stages, struct joined *joined)
{
    const VkPipelineRobustnessBufferBehaviorEXT vertex_inputs = join_vertex_robustness(recipe, joined);
    uint32_t most = 0;
    for (uint32_t i = 0; i < recipe->count; i++)
        most += recipe->parts[i]->stage_count;
    joined->stage_robustness = calloc(most + 1, sizeof(*joined->stage_robustness));
    if (!joined->stage_robustness)
        return false;
    VkPipelineRobustnessCreateInfoEXT *next = joined->stage_robustness;
    for (uint32_t i = 0; i < recipe->count; i++) {
        const VkPipelineRobustnessCreateInfoEXT *said = robustness_of(recipe->parts[i]->graphics->pNext);
        for (uint32_t j = 0; j < recipe->parts[i]->stage_count; j++, stages++) {
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

static void join_states(const struct recipe_part *part, VkGraphicsPipelineCreateInfo *info)
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

bool recipe_join(const struct recipe *recipe, VkPipelineShaderStageCreateInfo *stages, struct joined *joined)
{
    *joined = (struct joined){
        .info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .basePipelineIndex = -1},
    };
    VkFlags64 flags = 0;
    for (uint32_t i = 0; i < recipe->count; i++) {
        join_states(recipe->parts[i], &joined->info);
        flags |= recipe->parts[i]->flags;
    }
    /* Among the chains is a structure of wide flags where some part has one, which tells the form; all have its bits.
     */
    if (!join_dynamic(recipe, joined) || !join_chains(recipe, joined) || !join_robustness(recipe, stages, joined) ||
        !pipeline_flags_replace(&joined->info, flags, &joined->flags)) {
        joined_finish(joined);
        return false;
    }
    return true;
}

void joined_finish(struct joined *joined)
{
    for (uint32_t i = 0; i < RECIPE_PARTS; i++)
        free(joined->chains[i]);
    pipeline_flags_finish(&joined->flags);
    free(joined->states);
    free(joined->stage_robustness);
    *joined = (struct joined){.states = NULL};
}
