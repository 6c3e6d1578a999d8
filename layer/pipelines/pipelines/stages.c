/* SPDX-License-Identifier: MIT */
/* The stages of a pipeline that is being created: finds their code, and replaces it by code of another tier. */
#include <stdlib.h>
#include <string.h>

#include "device/structure_chain.h"
#include "layouts/heap_layout.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "objects/pnext.h"
#include "objects/track.h"
#include "modules/shader_module.h"
#include "pipelines/pipeline_binary.h"
#include "pipelines/tiers.h"
#include "spirv/spirv.h"

/*
 * Code may be inline in the stage's chain (VK_KHR_maintenance5, graphics pipeline libraries), named by an identifier
 * alone (VK_EXT_shader_module_identifier), or behind the binaries that the pipeline is made from.
 */
static VkResult find_code(struct track *track, struct stages *stages, const struct binary_code *binary, uint32_t index)
{
    const VkPipelineShaderStageCreateInfo *info = &stages->infos[index];
    if (info->module) {
        stages->modules[index] = module_ref(module_find(track, info->module));
        stages->unseen |= !stages->modules[index];
        return VK_SUCCESS;
    }
    const VkShaderModuleCreateInfo *code = pnext_find(info->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *identifier =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    if (code) {
        stages->modules[index] = module_create(track, code->pCode, code->codeSize / sizeof(uint32_t));
        module_identify(track, VK_NULL_HANDLE, code, stages->modules[index]);
        return stages->modules[index] ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (binary && index < binary->count && binary->stages[index].stage == info->stage)
        stages->modules[index] = module_ref(binary->stages[index].module);
    else if (identifier)
        stages->modules[index] = module_identified(track, identifier->pIdentifier, identifier->identifierSize);
    stages->identified[index] = stages->modules[index];
    stages->unseen |= !stages->modules[index];
    stages->unknown |= identifier && identifier->identifierSize && !stages->modules[index];
    return VK_SUCCESS;
}

static VkResult open_stage(struct track *track, struct stages *stages, const struct binary_code *binary, uint32_t index)
{
    VkResult result = find_code(track, stages, binary, index);
    if (result == VK_SUCCESS && stages->model == BINDING_HEAPS) {
        const struct shader_module *module = stages->modules[index];
        stages->layouts[index] = heap_layout_of_stage(track, module && module->facts.cubes, &stages->infos[index].pNext,
                                                      &stages->mapped[index], &result);
    }
    return result;
}

VkResult stages_open(struct track *track, const void *chain, enum binding_model model, uint32_t stage_count,
                     const VkPipelineShaderStageCreateInfo *infos, struct stages *stages)
{
    const struct binary_code *binary;
    *stages = (struct stages){.count = stage_count, .model = model};
    stages->compiled = binary_code_chained(track, chain, &binary);
    stages->infos = calloc(stage_count + 1, sizeof(*stages->infos));
    stages->modules = calloc(stage_count + 1, sizeof(*stages->modules));
    stages->replaced = calloc(stage_count + 1, sizeof(*stages->replaced));
    stages->chains = calloc(stage_count + 1, sizeof(*stages->chains));
    stages->identified = calloc(stage_count + 1, sizeof(*stages->identified));
    stages->layouts = calloc(stage_count + 1, sizeof(*stages->layouts));
    stages->mapped = calloc(stage_count + 1, sizeof(*stages->mapped));
    VkResult result = VK_SUCCESS;
    if (!stages->infos || !stages->modules || !stages->replaced || !stages->chains || !stages->identified ||
        !stages->layouts || !stages->mapped)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < stage_count && result == VK_SUCCESS; i++) {
        stages->infos[i] = infos[i];
        result = open_stage(track, stages, binary, i);
    }
    if (result != VK_SUCCESS)
        stages_close(track, stages);
    return result;
}

VkResult stages_to_tier(struct track *track, struct stages *stages, const struct pipeline_layout *layout, uint32_t tier,
                        bool *changed)
{
    static const VkStructureType code[] = {
        VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
    };
    for (uint32_t i = 0; i < stages->count && !stages->compiled; i++) {
        *changed |= stages->mapped[i].used;
        if (!stages->modules[i])
            continue;
        VkResult result = module_driver(track, stages->modules[i], stages->layouts[i] ? stages->layouts[i] : layout,
                                        tier, stages->identified[i], &stages->replaced[i]);
        if (result != VK_SUCCESS)
            return result;
        if (!stages->replaced[i])
            continue;
        *changed = true;
        if (!stages->infos[i].module) {
            void *rest;
            if (!pnext_copy_without(stages->infos[i].pNext, code, 2, &rest, &stages->chains[i]))
                return VK_ERROR_OUT_OF_HOST_MEMORY;
            stages->infos[i].pNext = rest;
        }
        stages->infos[i].module = stages->replaced[i];
    }
    return VK_SUCCESS;
}

void facts_of_modules(struct shader_module *const *modules, uint32_t module_count, struct spirv_facts *all)
{
    for (uint32_t i = 0; i < module_count; i++) {
        if (modules[i])
            spirv_facts_add(all, &modules[i]->facts);
    }
}

struct spirv_facts stages_facts(const struct stages *stages)
{
    struct spirv_facts all = {0};
    facts_of_modules(stages->modules, stages->count, &all);
    return all;
}

VkResult stages_find_pairs(const struct track *track, const struct stages *stages, const struct pipeline_layout *layout,
                           struct spirv_pairing *pairing)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < stages->count && result == VK_SUCCESS; i++)
        result = module_find_pairs(track, stages->modules[i], layout, pairing);
    return result;
}

void stages_close(struct track *track, struct stages *stages)
{
    for (uint32_t i = 0; i < stages->count; i++) {
        if (stages->modules)
            module_unref(track, stages->modules[i]);
        if (stages->replaced && stages->replaced[i])
            track->device->next.DestroyShaderModule(track->device->handle, stages->replaced[i], NULL);
        if (stages->chains)
            free(stages->chains[i]);
        if (stages->layouts)
            pipeline_layout_unref(track, stages->layouts[i]);
        if (stages->mapped)
            heap_chain_finish(&stages->mapped[i]);
    }
    free(stages->layouts);
    free(stages->mapped);
    free(stages->infos);
    free(stages->modules);
    free(stages->replaced);
    free(stages->chains);
    free(stages->identified);
    *stages = (struct stages){0};
}
