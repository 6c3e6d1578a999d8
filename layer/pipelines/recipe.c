/* SPDX-License-Identifier: MIT */
/*
 * Recipes: what it takes to compile a pipeline again, at another tier, when the program may have destroyed everything
 * that it was made of. A deep copy of the create-info, with the layer's own duplicates of the objects in it.
 */
#include <stdlib.h>
#include <string.h>

#include "attachments/render_pass.h"
#include "device/structure_chain.h"
#include "layouts/pipeline_layout.h"
#include "objects/pnext.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"
#include "modules/shader_module.h"
#include "pipelines/tiers.h"
#include "pipelines/pipeline_blend.h"
#include "vulkan_copy.h"

/* Told about the creation that the program asked for, or made for its code: without meaning for a later one. */
static const VkStructureType left_out[] = {
    VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
    VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
    VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
};
#define LEFT_OUT_COUNT (sizeof(left_out) / sizeof(left_out[0]))

/* Flags that a later creation by the layer must not have; the 64-bit form of them has the same bits. */
static const VkPipelineCreateFlags stripped_flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                                    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                                    VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;

static void strip_flags(VkPipelineCreateFlags *flags, const void *chain)
{
    *flags &= ~stripped_flags;
    VkPipelineCreateFlags2CreateInfoKHR *wide = (VkPipelineCreateFlags2CreateInfoKHR *)(uintptr_t)pnext_find(
        chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    if (wide)
        wide->flags &= ~(VkPipelineCreateFlags2KHR)stripped_flags;
}

/* ---- Stages ---- */

/* The stages as a recipe keeps them: without code in their chains. `chains` is what to free after copying. */
static bool bare_stages(const struct stages *stages, VkPipelineShaderStageCreateInfo *bare, void **chains)
{
    for (uint32_t i = 0; i < stages->count; i++) {
        void *rest;
        bare[i] = stages->infos[i];
        if (!pnext_copy_without(bare[i].pNext, left_out, LEFT_OUT_COUNT, &rest, &chains[i]))
            return false;
        bare[i].pNext = rest;
        bare[i].module = VK_NULL_HANDLE;
    }
    return true;
}

static void free_chains(void **chains, uint32_t chain_count)
{
    for (uint32_t i = 0; chains && i < chain_count; i++)
        free(chains[i]);
    free(chains);
}

static bool keep_modules(const struct stages *stages, struct recipe *recipe)
{
    recipe->modules = calloc(stages->count, sizeof(*recipe->modules));
    if (!recipe->modules)
        return false;
    recipe->stage_count = stages->count;
    for (uint32_t i = 0; i < stages->count; i++)
        recipe->modules[i] = module_ref(stages->modules[i]);
    return true;
}

static VkResult as_vulkan(enum copy_result result)
{
    switch (result) {
    case COPY_OK:
        return VK_SUCCESS;
    case COPY_UNKNOWN_STRUCTURE:
        return VK_INCOMPLETE;
    default:
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
}

/* ---- Both kinds ---- */

VkResult recipe_graphics(struct track *track, const struct graphics_state *state, const struct stages *stages,
                         const struct pipeline_layout *layout, struct recipe *recipe)
{
    *recipe = (struct recipe){0};
    /* Code that only the driver knows, and passes made by a command that the layer does not know. */
    if (stages->unseen || (state->info.renderPass && !state->pass))
        return VK_INCOMPLETE;
    VkGraphicsPipelineCreateInfo shallow = state->info;
    VkPipelineShaderStageCreateInfo *bare = calloc(stages->count, sizeof(*bare));
    void **chains = calloc(stages->count, sizeof(*chains));
    void *chain_memory = NULL, *rest = NULL;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!bare || !chains || !bare_stages(stages, bare, chains) || !keep_modules(stages, recipe) ||
        !pnext_copy_without(state->info.pNext, left_out, LEFT_OUT_COUNT, &rest, &chain_memory))
        goto done;
    shallow.pStages = bare;
    shallow.pNext = rest;
    enum copy_result copied;
    recipe->graphics = copy_VkGraphicsPipelineCreateInfo(&shallow, &copied);
    result = as_vulkan(copied);
    if (result != VK_SUCCESS)
        goto done;
    recipe->graphics->layout = layout->duplicate;
    recipe->graphics->basePipelineHandle = VK_NULL_HANDLE;
    recipe->graphics->basePipelineIndex = -1;
    strip_flags(&recipe->graphics->flags, recipe->graphics->pNext);
    if (state->pass) {
        recipe->render_pass = render_pass_ref(state->pass);
        recipe->graphics->renderPass = state->pass->duplicate;
    }
done:
    free_chains(chains, chains ? stages->count : 0);
    free(chain_memory);
    free(bare);
    if (result != VK_SUCCESS)
        recipe_finish(track, recipe);
    return result;
}

VkResult recipe_compute(struct track *track, const VkComputePipelineCreateInfo *info, const struct stages *stages,
                        const struct pipeline_layout *layout, struct recipe *recipe)
{
    *recipe = (struct recipe){0};
    VkComputePipelineCreateInfo shallow = *info;
    void *stage_chain = NULL, *chain_memory = NULL, *rest = NULL;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!bare_stages(stages, &shallow.stage, &stage_chain) || !keep_modules(stages, recipe) ||
        !pnext_copy_without(info->pNext, left_out, LEFT_OUT_COUNT, &rest, &chain_memory))
        goto done;
    shallow.pNext = rest;
    enum copy_result copied;
    recipe->compute = copy_VkComputePipelineCreateInfo(&shallow, &copied);
    result = as_vulkan(copied);
    if (result != VK_SUCCESS)
        goto done;
    recipe->compute->layout = layout->duplicate;
    recipe->compute->basePipelineHandle = VK_NULL_HANDLE;
    recipe->compute->basePipelineIndex = -1;
    strip_flags(&recipe->compute->flags, recipe->compute->pNext);
done:
    free(stage_chain);
    free(chain_memory);
    if (result != VK_SUCCESS)
        recipe_finish(track, recipe);
    return result;
}

void recipe_finish(struct track *track, struct recipe *recipe)
{
    for (uint32_t i = 0; recipe->modules && i < recipe->stage_count; i++)
        module_unref(track, recipe->modules[i]);
    free(recipe->modules);
    free(recipe->graphics);
    free(recipe->compute);
    render_pass_unref(track, recipe->render_pass);
    *recipe = (struct recipe){0};
}

/* ---- Compiling ---- */

VkResult recipe_compile(struct track *track, const struct recipe *recipe, const struct pipeline_layout *layout,
                        uint32_t tier, const struct pipeline_blend *blend, uint32_t mask, VkPipeline *pipeline)
{
    struct device *device = track->device;
    VkPipelineShaderStageCreateInfo *stages = calloc(recipe->stage_count, sizeof(*stages));
    VkResult result = stages ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkPipelineShaderStageCreateInfo *from =
        recipe->graphics ? recipe->graphics->pStages : &recipe->compute->stage;
    uint32_t made = 0;
    for (; made < recipe->stage_count && result == VK_SUCCESS; made++) {
        stages[made] = from[made];
        result = module_below(track, recipe->modules[made], layout, tier, true, &stages[made].module);
    }
    if (result == VK_SUCCESS && recipe->graphics) {
        VkGraphicsPipelineCreateInfo info = *recipe->graphics;
        void *memory = NULL;
        info.pStages = stages;
        if (blend && !pipeline_blend_apply(blend, mask, &info, &memory))
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        if (result == VK_SUCCESS)
            result =
                device->next.CreateGraphicsPipelines(device->handle, track->pipeline_cache, 1, &info, NULL, pipeline);
        free(memory);
    } else if (result == VK_SUCCESS) {
        VkComputePipelineCreateInfo info = *recipe->compute;
        info.stage = stages[0];
        result = device->next.CreateComputePipelines(device->handle, track->pipeline_cache, 1, &info, NULL, pipeline);
    }
    while (made-- > 0)
        device->next.DestroyShaderModule(device->handle, stages[made].module, NULL);
    free(stages);
    return result;
}
