/* SPDX-License-Identifier: MIT */
/*
 * Saved create-infos: deep copies, with the layer's own duplicates of the objects in them, from which a pipeline is
 * compiled at another tier when the program may have destroyed its objects.
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
#include "objects/pipeline_flags.h"
#include "vulkan_copy.h"

/*
 * Structures about the creating call, or about its code, which have no meaning for a later one. Other structures that
 * name objects are replaced (tests/packaging/create_infos_test.py).
 */
static const VkStructureType left_out[] = {
    VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR,
    VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
    VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
    VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
    VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT,
    VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
    VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
    VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
};
#define LEFT_OUT_COUNT (sizeof(left_out) / sizeof(left_out[0]))

/* Takes out of a deep copy the flags that a later creation by the layer must not have. */
static void strip_flags(void *info)
{
    pipeline_flags_strip(info, pipeline_flags_of_call | VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                   VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                                   VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT |
                                   VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT);
}

/* ---- Stages ---- */

/* The stages as a saved create-info has them: without code in their chains. `chains` is what to free after copying. */
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

static bool keep_modules(const struct stages *stages, struct saved_info_part *part)
{
    part->modules = calloc(stages->count + 1, sizeof(*part->modules));
    part->layouts = calloc(stages->count + 1, sizeof(*part->layouts));
    if (!part->modules || !part->layouts)
        return false;
    part->stage_count = stages->count;
    for (uint32_t i = 0; i < stages->count; i++) {
        part->modules[i] = module_ref(stages->modules[i]);
        part->layouts[i] = pipeline_layout_ref(stages->layouts[i]);
    }
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

/* ---- Parts ---- */

static void part_unref(struct track *track, struct saved_info_part *part)
{
    if (!part || !reference_drop(&part->references))
        return;
    for (uint32_t i = 0; i < part->stage_count; i++) {
        module_unref(track, part->modules[i]);
        pipeline_layout_unref(track, part->layouts[i]);
    }
    free(part->modules);
    free(part->layouts);
    free(part->graphics);
    free(part->compute);
    pipeline_layout_unref(track, part->layout);
    render_pass_unref(track, part->render_pass);
    object_free(track, NULL, part, sizeof(*part));
}

/* The first part of an empty saved create-info, with modules and layout. NULL: out of memory. */
static struct saved_info_part *first_part(struct track *track, const struct stages *stages,
                                          struct pipeline_layout *layout, struct saved_info *saved_info)
{
    *saved_info = (struct saved_info){0};
    struct saved_info_part *part = object_alloc(track, NULL, sizeof(*part));
    if (!part)
        return NULL;
    atomic_init(&part->references, 1);
    part->layout = pipeline_layout_ref(layout);
    saved_info->parts[saved_info->count++] = part;
    return keep_modules(stages, part) ? part : NULL;
}

VkResult saved_info_graphics(struct track *track, const struct graphics_state *state, const struct stages *stages,
                             struct pipeline_layout *layout, struct saved_info *saved_info)
{
    *saved_info = (struct saved_info){0};
    /* Code that only the driver has, or a render pass made by a command that the layer does not hook. */
    if (stages->unseen || (state->info.renderPass && !state->pass))
        return VK_INCOMPLETE;
    VkGraphicsPipelineCreateInfo shallow = state->info;
    VkPipelineShaderStageCreateInfo *bare = calloc(stages->count + 1, sizeof(*bare));
    void **chains = calloc(stages->count + 1, sizeof(*chains));
    void *chain_memory = NULL, *rest = NULL;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    struct saved_info_part *part = first_part(track, stages, layout, saved_info);
    if (!part || !bare || !chains || !bare_stages(stages, bare, chains) ||
        !pnext_copy_without(state->info.pNext, left_out, LEFT_OUT_COUNT, &rest, &chain_memory))
        goto done;
    shallow.pStages = bare;
    shallow.pNext = rest;
    enum copy_result copied;
    part->graphics = copy_VkGraphicsPipelineCreateInfo(&shallow, &copied);
    result = as_vulkan(copied);
    if (result != VK_SUCCESS)
        goto done;
    part->graphics->layout = VK_NULL_HANDLE; /* the pipeline's, when it is compiled */
    part->graphics->basePipelineHandle = VK_NULL_HANDLE;
    part->graphics->basePipelineIndex = -1;
    strip_flags(part->graphics);
    part->flags = pipeline_flags(part->graphics);
    part->brings = state->parts;
    saved_info->whole = !(state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
    if (state->pass) {
        part->render_pass = render_pass_ref(state->pass);
        part->graphics->renderPass = state->pass->duplicate;
    }
done:
    free_chains(chains, chains ? stages->count : 0);
    free(chain_memory);
    free(bare);
    if (result != VK_SUCCESS)
        saved_info_finish(track, saved_info);
    return result;
}

/*
 * The pass that a compute pipeline shades a subpass of (VK_HUAWEI_subpass_shading) becomes the layer's duplicate.
 * VK_INCOMPLETE: it was made by a command that the layer does not know.
 */
static VkResult keep_shaded_pass(struct track *track, struct saved_info_part *part)
{
    VkSubpassShadingPipelineCreateInfoHUAWEI *shaded = pnext_copied(
        (void *)(uintptr_t)part->compute->pNext, VK_STRUCTURE_TYPE_SUBPASS_SHADING_PIPELINE_CREATE_INFO_HUAWEI);
    if (!shaded)
        return VK_SUCCESS;
    part->render_pass = render_pass_ref(render_pass_find(track, shaded->renderPass));
    if (!part->render_pass)
        return VK_INCOMPLETE;
    shaded->renderPass = part->render_pass->duplicate;
    return VK_SUCCESS;
}

VkResult saved_info_compute(struct track *track, const VkComputePipelineCreateInfo *info, const struct stages *stages,
                            struct pipeline_layout *layout, struct saved_info *saved_info)
{
    VkComputePipelineCreateInfo shallow = *info;
    void *stage_chain = NULL, *chain_memory = NULL, *rest = NULL;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    struct saved_info_part *part = first_part(track, stages, layout, saved_info);
    if (!part || !bare_stages(stages, &shallow.stage, &stage_chain) ||
        !pnext_copy_without(info->pNext, left_out, LEFT_OUT_COUNT, &rest, &chain_memory))
        goto done;
    shallow.pNext = rest;
    enum copy_result copied;
    part->compute = copy_VkComputePipelineCreateInfo(&shallow, &copied);
    result = as_vulkan(copied);
    if (result != VK_SUCCESS)
        goto done;
    part->compute->layout = layout->duplicate;
    part->compute->basePipelineHandle = VK_NULL_HANDLE;
    part->compute->basePipelineIndex = -1;
    strip_flags(part->compute);
    result = keep_shaded_pass(track, part);
    saved_info->whole = true; /* of compute there are no libraries that layers may link */
done:
    free(stage_chain);
    free(chain_memory);
    if (result != VK_SUCCESS)
        saved_info_finish(track, saved_info);
    return result;
}

bool saved_info_add(struct saved_info *saved_info, const struct saved_info *library)
{
    uint32_t bringing = 0; /* not those of a link that described nothing itself */
    for (uint32_t i = 0; i < library->count; i++)
        bringing += library->parts[i]->brings != 0;
    if (!library->count || bringing > SAVED_INFO_PARTS - saved_info->count)
        return false;
    for (uint32_t i = 0; i < library->count; i++) {
        if (!library->parts[i]->brings)
            continue;
        reference_add(&library->parts[i]->references);
        saved_info->parts[saved_info->count++] = library->parts[i];
    }
    return true;
}

void saved_info_finish(struct track *track, struct saved_info *saved_info)
{
    for (uint32_t i = 0; i < saved_info->count; i++)
        part_unref(track, saved_info->parts[i]);
    *saved_info = (struct saved_info){0};
}

struct spirv_facts saved_info_facts(const struct saved_info *saved_info)
{
    struct spirv_facts all = {0};
    for (uint32_t i = 0; i < saved_info->count; i++)
        facts_of_modules(saved_info->parts[i]->modules, saved_info->parts[i]->stage_count, &all);
    return all;
}

VkResult saved_info_find_pairs(const struct track *track, const struct saved_info *saved_info,
                               const struct pipeline_layout *layout, struct spirv_pairing *pairing)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < saved_info->count; i++) {
        for (uint32_t j = 0; j < saved_info->parts[i]->stage_count && result == VK_SUCCESS; j++)
            result = module_find_pairs(track, saved_info->parts[i]->modules[j], layout, pairing);
    }
    return result;
}

bool saved_info_lasts(const struct track *track, const struct saved_info *saved_info)
{
    for (uint32_t i = 0; i < saved_info->count; i++) {
        for (uint32_t j = 0; j < saved_info->parts[i]->stage_count; j++) {
            const struct pipeline_layout *layout = saved_info->parts[i]->layouts[j];
            if (layout && !pipeline_layout_lasts(track, layout))
                return false;
        }
    }
    return true;
}

/* ---- Compiling ---- */

/* Stages of all parts, with modules of the tier; *count of them are to be destroyed, whatever is returned. */
static VkResult tier_stages(struct track *track, const struct saved_info *saved_info,
                            const struct pipeline_layout *layout, uint32_t tier, const struct fragment_change *change,
                            VkPipelineShaderStageCreateInfo *stages, uint32_t *count)
{
    for (uint32_t i = 0; i < saved_info->count; i++) {
        const struct saved_info_part *part = saved_info->parts[i];
        const VkPipelineShaderStageCreateInfo *from = part->graphics ? part->graphics->pStages : &part->compute->stage;
        for (uint32_t j = 0; j < part->stage_count; j++, (*count)++) {
            const struct pipeline_layout *own = part->layouts[j] ? part->layouts[j] : layout;
            VkShaderModule *module = &stages[*count].module;
            stages[*count] = from[j];
            const VkResult result =
                from[j].stage == VK_SHADER_STAGE_FRAGMENT_BIT
                    ? module_changed(track, part->modules[j], own, tier, change, from[j].pName, module)
                    : module_driver(track, part->modules[j], own, tier, true, module);
            if (result != VK_SUCCESS)
                return result;
        }
    }
    return VK_SUCCESS;
}

/* `change`: of the fragment shader, whatever its name. */
static VkResult open_call(struct track *track, const struct saved_info *saved_info,
                          const struct pipeline_layout *layout, uint32_t tier, const struct fragment_change *change,
                          struct saved_info_call *call)
{
    *call = (struct saved_info_call){.made = 0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < saved_info->count; i++)
        most += saved_info->parts[i]->stage_count;
    call->stages = calloc(most + 1, sizeof(*call->stages));
    VkResult result = call->stages ? tier_stages(track, saved_info, layout, tier, change, call->stages, &call->made)
                                   : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && saved_info->count > 1 &&
        !saved_info_link(saved_info, call->stages, &call->linked_libraries))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS || !saved_info->parts[0]->graphics)
        return result;
    call->info = saved_info->count > 1 ? call->linked_libraries.info : *saved_info->parts[0]->graphics;
    call->info.stageCount = call->made;
    call->info.pStages = call->stages;
    call->info.layout = layout->duplicate;
    return VK_SUCCESS;
}

VkResult saved_info_call_open(struct track *track, const struct saved_info *saved_info,
                              const struct pipeline_layout *layout, uint32_t tier, struct saved_info_call *call)
{
    static const struct fragment_change none;
    return open_call(track, saved_info, layout, tier, &none, call);
}

bool saved_info_call_add_flags(struct saved_info_call *call, void *info, VkFlags64 flags)
{
    return !flags || pipeline_flags_replace(info, pipeline_flags(info) | flags, &call->flags);
}

void saved_info_call_close(struct track *track, struct saved_info_call *call)
{
    while (call->made-- > 0)
        track->device->next.DestroyShaderModule(track->device->handle, call->stages[call->made].module, NULL);
    free(call->stages);
    linked_libraries_finish(&call->linked_libraries);
    pipeline_flags_finish(&call->flags);
    *call = (struct saved_info_call){.made = 0};
}

VkResult saved_info_compile(struct track *track, const struct saved_info *saved_info,
                            const struct pipeline_layout *layout, uint32_t tier, const struct pipeline_blend *blend,
                            uint32_t key, VkFlags64 flags, VkPipeline *pipeline)
{
    const struct device *device = track->device;
    if (!saved_info->whole)
        return VK_ERROR_UNKNOWN;
    struct saved_info_call call;
    void *memory = NULL;
    const struct written_alpha written = pipeline_blend_written(blend ? key : 0);
    const struct order_variant *variant = blend && key_is_order(key) ? order_variant_find(track, key) : NULL;
    struct fragment_change change = {.alpha_one = {.locations = written.all,
                                                   .integers = blend ? blend->integers : 0,
                                                   .times_alpha = written.times_alpha,
                                                   .times_rest = written.times_rest}};
    if (variant && order_variant_moves(variant)) {
        change.moves = true;
        change.outputs = order_variant_outputs(variant);
    }
    VkResult result = open_call(track, saved_info, layout, tier, &change, &call);
    if (result == VK_SUCCESS && saved_info->parts[0]->graphics) {
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
        if (saved_info_call_add_flags(&call, &call.info, flags) &&
            (!blend || (variant ? pipeline_order_apply(variant, &call.info, &memory)
                                : pipeline_blend_apply(blend, key, &call.info, &memory))))
            result = device->next.CreateGraphicsPipelines(device->handle, track->pipeline_cache, 1, &call.info, NULL,
                                                          pipeline);
    } else if (result == VK_SUCCESS) {
        VkComputePipelineCreateInfo info = *saved_info->parts[0]->compute;
        info.stage = call.stages[0];
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
        if (saved_info_call_add_flags(&call, &info, flags))
            result =
                device->next.CreateComputePipelines(device->handle, track->pipeline_cache, 1, &info, NULL, pipeline);
    }
    free(memory);
    saved_info_call_close(track, &call);
    return result;
}
