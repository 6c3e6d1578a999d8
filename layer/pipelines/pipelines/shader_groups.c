/* SPDX-License-Identifier: MIT */
/*
 * Groups of shaders that a graphics pipeline has beside its own stages (VK_NV_device_generated_commands): the GPU
 * selects among them, so all get code of the pipeline's tier.
 */
#include <stdlib.h>
#include <string.h>

#include "device/structure_chain.h"
#include "layouts/pipeline_layout.h"
#include "objects/pnext.h"
#include "objects/track.h"
#include "pipelines/tiers.h"
#include "spirv/spirv.h"

VkResult shader_groups_open(struct track *track, const void *chain, struct pipeline *pipeline,
                            struct shader_groups *groups)
{
    *groups = (struct shader_groups){0};
    const VkGraphicsPipelineShaderGroupsCreateInfoNV *info =
        pnext_find(chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
    if (!info)
        return VK_SUCCESS;
    groups->info = *info;
    groups->groups = calloc(info->groupCount + 1, sizeof(*groups->groups));
    groups->stages = calloc(info->groupCount + 1, sizeof(*groups->stages));
    VkResult result = groups->groups && groups->stages ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->groupCount && result == VK_SUCCESS; i++) {
        struct stages *stages = &groups->stages[i];
        groups->groups[i] = info->pGroups[i];
        result = stages_open(track, chain, pipeline->layout->model, info->pGroups[i].stageCount,
                             info->pGroups[i].pStages, stages);
        const struct spirv_facts facts = stages_facts(stages);
        pipeline->follows |= pipeline_layout_follows(pipeline->layout, &facts);
        if (result == VK_SUCCESS)
            result = stages_find_pairs(track, stages, pipeline->layout, &pipeline->pairing);
    }
    for (uint32_t i = 0; i < info->pipelineCount; i++) {
        const struct pipeline *other = pipeline_find(track, info->pPipelines[i]);
        pipeline->follows |= other ? other->follows : 0;
        pipeline->pairing.splits |= other && other->pairing.splits;
        for (uint32_t set = 0; other && set < SPIRV_PAIRED_SETS; set++)
            pipeline->pairing.uncompared[set] |= other->pairing.uncompared[set];
    }
    if (pipeline->pairing.splits)
        atomic_store(&track->split, true);
    return result;
}

VkResult shader_groups_to_tier(struct track *track, struct shader_groups *groups, const struct pipeline *pipeline,
                               const void **chain)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV};
    bool changed = false;
    void *rest;
    for (uint32_t i = 0; groups->groups && i < groups->info.groupCount; i++) {
        const VkResult result =
            stages_to_tier(track, &groups->stages[i], pipeline->layout, pipeline->fixed_tier, &changed);
        if (result != VK_SUCCESS)
            return result;
        groups->groups[i].pStages = groups->stages[i].infos;
    }
    if (!changed)
        return VK_SUCCESS;
    if (!pnext_copy_without(*chain, replaced, 1, &rest, &groups->chain))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    groups->info.pNext = rest;
    groups->info.pGroups = groups->groups;
    *chain = &groups->info;
    return VK_SUCCESS;
}

void shader_groups_close(struct track *track, struct shader_groups *groups)
{
    for (uint32_t i = 0; groups->stages && i < groups->info.groupCount; i++)
        stages_close(track, &groups->stages[i]);
    free(groups->groups);
    free(groups->stages);
    free(groups->chain);
    *groups = (struct shader_groups){0};
}
