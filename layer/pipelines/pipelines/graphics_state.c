/* SPDX-License-Identifier: MIT */
/*
 * Removes everything that Vulkan ignores from a copy of a graphics pipeline's create-info, in this order: parts that it
 * does not describe, state that rasterizer discard or missing attachments disable, and members that switches or dynamic
 * states disable.
 */
#include "pipelines/graphics_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "attachments/attachments.h"
#include "attachments/render_pass.h"
#include "device/structure_chain.h"
#include "objects/pnext.h"
#include "objects/table.h"
#include "objects/track.h"
#include "objects/pipeline_flags.h"
#include "pipelines/pipelines.h"

bool graphics_state_is_dynamic(const struct graphics_state *state, VkDynamicState dynamic)
{
    const VkPipelineDynamicStateCreateInfo *all = state->info.pDynamicState;
    for (uint32_t i = 0; all && i < all->dynamicStateCount; i++) {
        if (all->pDynamicStates[i] == dynamic)
            return true;
    }
    return false;
}

/* ---- Parts ---- */

enum {
    VERTEX_INPUT = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    PRE_RASTERIZATION = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    FRAGMENT_SHADER = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    FRAGMENT_OUTPUT = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    SHADERS = PRE_RASTERIZATION | FRAGMENT_SHADER,
    ALL_PARTS = VERTEX_INPUT | SHADERS | FRAGMENT_OUTPUT,
};

/* VkGraphicsPipelineLibraryCreateInfoEXT: without it all parts, or none where there are libraries. */
static void read_parts(struct graphics_state *state)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT *parts =
        pnext_find(state->info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    const VkPipelineLibraryCreateInfoKHR *libraries =
        pnext_find(state->info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    state->flags = pipeline_flags(&state->info);
    state->linked = libraries && libraries->libraryCount > 0;
    if (parts)
        state->parts = parts->flags;
    else if (!state->linked && !(state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR))
        state->parts = ALL_PARTS;
}

static VkShaderStageFlags all_stages(const VkGraphicsPipelineCreateInfo *info)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->stageCount; i++)
        stages |= (VkShaderStageFlags)info->pStages[i].stage;
    return stages;
}

/* Removes the state of parts that are not described here. */
static void drop_parts(struct graphics_state *state)
{
    VkGraphicsPipelineCreateInfo *info = &state->info;
    if (!(state->parts & SHADERS)) {
        info->stageCount = 0;
        info->pStages = NULL;
        if (!state->linked)
            info->layout = VK_NULL_HANDLE;
    }
    const VkShaderStageFlags stages = all_stages(info);
    /* Mesh shaders and their like take no vertices. */
    const bool vertices =
        (state->parts & VERTEX_INPUT) && (!(state->parts & PRE_RASTERIZATION) || (stages & VK_SHADER_STAGE_VERTEX_BIT));
    if (!vertices || graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
        info->pVertexInputState = NULL;
    if (!vertices)
        info->pInputAssemblyState = NULL;
    if (!(state->parts & PRE_RASTERIZATION)) {
        info->pViewportState = NULL;
        info->pRasterizationState = NULL;
    }
    if (!(state->parts & PRE_RASTERIZATION) ||
        !(stages & (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)))
        info->pTessellationState = NULL;
    if (!(state->parts & (FRAGMENT_SHADER | FRAGMENT_OUTPUT)))
        info->pMultisampleState = NULL;
    if (!(state->parts & FRAGMENT_SHADER))
        info->pDepthStencilState = NULL;
    if (!(state->parts & FRAGMENT_OUTPUT))
        info->pColorBlendState = NULL;
    if (!(state->parts & (SHADERS | FRAGMENT_OUTPUT)))
        info->renderPass = VK_NULL_HANDLE;
}

/* ---- Rasterizer discard and attachments ---- */

static bool discards(const struct graphics_state *state)
{
    return state->info.pRasterizationState && state->info.pRasterizationState->rasterizerDiscardEnable &&
           !graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
}

static void read_formats(struct graphics_state *state, const VkPipelineRenderingCreateInfo *rendering)
{
    for (uint32_t i = 0; rendering && i < rendering->colorAttachmentCount && i < COLOR_ATTACHMENTS; i++)
        state->formats[state->format_count++] = rendering->pColorAttachmentFormats[i];
    for (uint32_t i = 0; i < state->format_count; i++)
        state->color |= state->formats[i] != VK_FORMAT_UNDEFINED;
    state->depth = rendering && (rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                                 rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED);
}

static void read_subpass(struct graphics_state *state, const struct subpass_facts *subpass)
{
    for (; state->output && state->format_count < subpass->color_count; state->format_count++)
        state->formats[state->format_count] =
            subpass->colors[state->format_count] < state->pass->attachment_count
                ? state->pass->attachments[subpass->colors[state->format_count]].format
                : VK_FORMAT_UNDEFINED;
    state->color = subpass->color;
    state->depth = subpass->depth;
}

static void read_attachments(const struct track *track, struct graphics_state *state)
{
    const VkGraphicsPipelineCreateInfo *info = &state->info;
    state->pass =
        info->renderPass ? table_find(&track->attachments->render_passes, HANDLE_KEY(info->renderPass)) : NULL;
    if (state->pass && info->subpass < state->pass->subpass_count)
        read_subpass(state, &state->pass->subpasses[info->subpass]);
    else if (!info->renderPass && state->output)
        read_formats(state, pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO));
    else if (!info->renderPass)
        state->depth = true; /* the formats come with another library */
}

static void drop_undrawn(const struct track *track, struct graphics_state *state)
{
    VkGraphicsPipelineCreateInfo *info = &state->info;
    const bool discard = discards(state);
    state->output = (state->parts & FRAGMENT_OUTPUT) && !discard;
    read_attachments(track, state);
    if (discard) {
        info->pViewportState = NULL;
        info->pMultisampleState = NULL;
    }
    if (discard || !state->depth)
        info->pDepthStencilState = NULL;
    if (discard || !state->color)
        info->pColorBlendState = NULL;
}

/* ---- Switches and dynamic states ---- */

/* Pointers in chains that Vulkan ignores where a state is dynamic. */
static const struct {
    VkStructureType type;
    VkDynamicState dynamic;
    size_t pointer; /* offset */
} dynamic_pointers[] = {
    {VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT,
     offsetof(VkPipelineDiscardRectangleStateCreateInfoEXT, pDiscardRectangles)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV, VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV,
     offsetof(VkPipelineViewportWScalingStateCreateInfoNV, pViewportWScalings)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV, VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV,
     offsetof(VkPipelineViewportExclusiveScissorStateCreateInfoNV, pExclusiveScissors)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV,
     VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV,
     offsetof(VkPipelineViewportShadingRateImageStateCreateInfoNV, pShadingRatePalettes)},
    {VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV,
     offsetof(VkPipelineCoverageModulationStateCreateInfoNV, pCoverageModulationTable)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV, VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
     offsetof(VkPipelineViewportSwizzleStateCreateInfoNV, pViewportSwizzles)},
    {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT, VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT,
     offsetof(VkPipelineViewportDepthClampControlCreateInfoEXT, pDepthClampRange)},
};

/* Formats and sample counts count with the fragment output interface and without a render pass; a view mask may. */
static void drop_formats(const struct graphics_state *state, void *chain)
{
    VkPipelineRenderingCreateInfo *rendering = pnext_copied(chain, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    VkAttachmentSampleCountInfoAMD *counts = pnext_copied(chain, VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
    if (state->output && !state->info.renderPass)
        return;
    if (rendering) {
        rendering->colorAttachmentCount = 0;
        rendering->pColorAttachmentFormats = NULL;
        rendering->depthAttachmentFormat = rendering->stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
    }
    if (counts) {
        counts->colorAttachmentCount = 0;
        counts->pColorAttachmentSamples = NULL;
    }
}

/* Removes what a switch turns off, or a dynamic state replaces as a whole. */
static void drop_disabled(const struct graphics_state *state, void *chain)
{
    VkPipelineSampleLocationsStateCreateInfoEXT *locations =
        pnext_copied(chain, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
    VkPipelineCoverageModulationStateCreateInfoNV *modulation =
        pnext_copied(chain, VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV);
    VkPipelineViewportDepthClampControlCreateInfoEXT *clamp =
        pnext_copied(chain, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT);
    VkPipelineViewportCoarseSampleOrderStateCreateInfoNV *order =
        pnext_copied(chain, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV);
    if (clamp && clamp->depthClampMode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
        clamp->pDepthClampRange = NULL;
    if (order && graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV)) {
        order->sampleOrderType = VK_COARSE_SAMPLE_ORDER_TYPE_DEFAULT_NV; /* all of it is dynamic, the count too */
        order->customSampleOrderCount = 0;
        order->pCustomSampleOrders = NULL;
    }
    if (locations && ((!locations->sampleLocationsEnable &&
                       !graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT)) ||
                      graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT))) {
        locations->sampleLocationsInfo.sampleLocationGridSize = (VkExtent2D){0, 0};
        locations->sampleLocationsInfo.sampleLocationsCount = 0;
        locations->sampleLocationsInfo.pSampleLocations = NULL;
    }
    if (modulation && !modulation->coverageModulationTableEnable &&
        !graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV))
        modulation->pCoverageModulationTable = NULL;
}

/* Replaces a chain by a copy without what is ignored in it. */
static bool drop_chained(struct graphics_state *state, uint32_t index, const void **chain)
{
    void *copy;
    if (!pnext_copy_without(*chain, NULL, 0, &copy, &state->chains[index]))
        return false;
    for (size_t i = 0; i < sizeof(dynamic_pointers) / sizeof(dynamic_pointers[0]); i++) {
        unsigned char *structure = pnext_copied(copy, dynamic_pointers[i].type);
        if (structure && graphics_state_is_dynamic(state, dynamic_pointers[i].dynamic))
            memset(structure + dynamic_pointers[i].pointer, 0, sizeof(void *));
    }
    drop_formats(state, copy);
    drop_disabled(state, copy);
    *chain = copy;
    return true;
}

static bool drop_viewports(struct graphics_state *state, uint32_t chain)
{
    VkPipelineViewportStateCreateInfo *viewports = &state->viewports;
    if (!state->info.pViewportState)
        return true;
    *viewports = *state->info.pViewportState;
    state->info.pViewportState = viewports;
    if (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_VIEWPORT) ||
        graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
        viewports->pViewports = NULL;
    if (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_SCISSOR) ||
        graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
        viewports->pScissors = NULL;
    return drop_chained(state, chain, &viewports->pNext);
}

static bool drop_samples(struct graphics_state *state, uint32_t chain)
{
    VkPipelineMultisampleStateCreateInfo *samples = &state->samples;
    if (!state->info.pMultisampleState)
        return true;
    *samples = *state->info.pMultisampleState;
    state->info.pMultisampleState = samples;
    if (graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
        samples->pSampleMask = NULL;
    return drop_chained(state, chain, &samples->pNext);
}

/*
 * With these three states dynamic nothing of the attachments is read, unless advanced operations may be used: those
 * need the feature, or a fourth state.
 */
static bool attachments_are_ignored(const struct track *track, const struct graphics_state *state)
{
    return graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) &&
           graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) &&
           graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) &&
           (!track->device->caps.coherent_advanced_blend ||
            graphics_state_is_dynamic(state, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT));
}

static void drop_blend(const struct track *track, struct graphics_state *state)
{
    /* Valid memory for readers of ignored members, such as validation layers of 2023. */
    static const VkPipelineColorBlendAttachmentState unread[64];
    VkPipelineColorBlendStateCreateInfo *blend = &state->blend;
    if (!state->info.pColorBlendState || !attachments_are_ignored(track, state))
        return;
    *blend = *state->info.pColorBlendState;
    blend->pAttachments = blend->attachmentCount <= sizeof(unread) / sizeof(*unread) ? unread : NULL;
    state->info.pColorBlendState = blend;
}

bool graphics_state_open(const struct track *track, const VkGraphicsPipelineCreateInfo *program,
                         struct graphics_state *state)
{
    *state = (struct graphics_state){.info = *program};
    read_parts(state);
    drop_parts(state);
    drop_undrawn(track, state);
    drop_blend(track, state);
    if (drop_chained(state, 0, &state->info.pNext) && drop_viewports(state, 1) && drop_samples(state, 2))
        return true;
    graphics_state_close(state);
    return false;
}

void graphics_state_close(struct graphics_state *state)
{
    for (uint32_t i = 0; i < GRAPHICS_CHAINS; i++)
        free(state->chains[i]);
    *state = (struct graphics_state){.flags = 0};
}
