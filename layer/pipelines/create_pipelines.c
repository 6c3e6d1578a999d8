/* SPDX-License-Identifier: MIT */
/*
 * The hooks that make and destroy pipelines, one creation for all kinds. The program's handle is the plain pipeline;
 * tiers.c compiles the others when a draw first needs them. Where the tier cannot be chosen later (ray tracing,
 * pipelines that the GPU selects), the program's pipeline itself is made at the fixed tier.
 */
#include <stdlib.h>
#include <string.h>

#include "attachments/attachments.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "layouts/pipeline_layout.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"
#include "pipelines/pipeline_binary.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"

/* ---- One pipeline in creation ---- */

struct creation {
    struct pipeline_layout *layout; /* borrowed; NULL: nothing of the layer's in its shaders */
    struct stages stages;
    struct pipeline *pipeline; /* NULL: nothing of the layer's in it at all */
    void *memory;              /* of changed blend state, for the driver's call */
    struct shader_groups groups;
    struct recipe_call whole; /* of what is linked in a fixed tier: its parts are compiled as one */
    bool required;            /* it cannot be made: the program must come with the code first */
};

static void pipeline_delete(struct track *track, struct pipeline *pipeline)
{
    for (uint32_t tier = 1; tier < TIER_COUNT; tier++) {
        VkPipeline below =
            HANDLE_OF(VkPipeline, atomic_load_explicit(&pipeline->tiers.made[tier], memory_order_relaxed));
        if (below && below != pipeline->handle)
            track->device->next.DestroyPipeline(track->device->handle, below, NULL);
    }
    for (struct variant *variant = atomic_load_explicit(&pipeline->variants, memory_order_relaxed), *next; variant;
         variant = next) {
        next = variant->next;
        if (variant->handle)
            track->device->next.DestroyPipeline(track->device->handle, variant->handle, NULL);
        object_free(track, NULL, variant, sizeof(*variant));
    }
    recipe_finish(track, &pipeline->recipe);
    binary_code_unref(track, pipeline->code);
    pipeline_layout_unref(track, pipeline->layout);
    object_free(track, NULL, pipeline, sizeof(*pipeline));
}

static void creation_close(struct track *track, struct creation *creation)
{
    stages_close(track, &creation->stages);
    if (creation->pipeline)
        pipeline_delete(track, creation->pipeline);
    free(creation->memory);
    shader_groups_close(track, &creation->groups);
    recipe_call_close(track, &creation->whole);
    *creation = (struct creation){0};
}

/*
 * What every kind of pipeline starts with. `known` may be NULL. `chain` is that of the create-info. `always`: it is
 * followed for other things than its shaders, whatever its layout is.
 */
static VkResult creation_open(struct track *track, struct pipeline_layout *known, const void *chain,
                              uint32_t stage_count, const VkPipelineShaderStageCreateInfo *stages, bool always,
                              struct creation *creation)
{
    *creation = (struct creation){0};
    const bool records = known && known->records;
    if (!records && !always)
        return VK_SUCCESS;
    VkResult result = stages_open(track, chain, stage_count, stages, &creation->stages);
    if (result != VK_SUCCESS)
        return result;
    if (creation->stages.unknown && records) {
        /* The layer has not seen this code and cannot rewrite it: the program must come back with the words. */
        stages_close(track, &creation->stages);
        return VK_PIPELINE_COMPILE_REQUIRED;
    }
    struct pipeline *pipeline = object_alloc(track, NULL, sizeof(*pipeline));
    if (!pipeline) {
        stages_close(track, &creation->stages);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    creation->layout = records ? known : NULL;
    creation->pipeline = pipeline;
    pipeline->layout = pipeline_layout_ref(known);
    const struct spirv_facts facts = stages_facts(&creation->stages);
    pipeline->follows = records ? needs_followed(&facts) : 0;
    if (records && stages_take_halves(&creation->stages, known)) {
        pipeline->halves = true;
        atomic_store(&track->halves, true);
    }
    pipeline->fixed = !pipeline->follows;
    return VK_SUCCESS;
}

/* Once it is decided whether the tier is fixed: the modules that the program's own pipeline is made of. */
static VkResult creation_stages(struct track *track, struct creation *creation, bool *changed)
{
    struct pipeline *pipeline = creation->pipeline;
    pipeline->fixed_tier = pipeline->fixed ? fixed_tier(track, pipeline->follows) : 0;
    if (!creation->layout)
        return VK_SUCCESS;
    return stages_to_tier(track, &creation->stages, creation->layout, pipeline->fixed_tier, changed);
}

/* A recipe that cannot be made fixes the tier; running out of memory fails the creation. */
static VkResult creation_recipe(struct track *track, struct creation *creation, VkResult recipe_result)
{
    static bool said;
    if (recipe_result != VK_INCOMPLETE)
        return recipe_result;
    creation->pipeline->fixed = true;
    message_once(&said, track->device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle),
                 "a pipeline has a structure in its chain that this layer does not know: its tier is fixed when it is "
                 "created");
    return VK_SUCCESS;
}

/*
 * What every kind of pipeline ends with before the driver makes it: its recipe is made or not needed, so the tier of
 * its modules is known. *stages, the program's own, are replaced if the driver gets others. On failure nothing is kept.
 */
static VkResult creation_finish(struct track *track, struct creation *creation, VkResult recipe_result,
                                const VkPipelineShaderStageCreateInfo **stages)
{
    bool changed = false;
    VkResult result = creation_recipe(track, creation, recipe_result);
    if (result == VK_SUCCESS)
        result = creation_stages(track, creation, &changed);
    if (result != VK_SUCCESS)
        creation_close(track, creation);
    else if (changed)
        *stages = creation->stages.infos;
    return result;
}

/* The driver has made the program's pipeline. */
static VkResult creation_adopt(struct track *track, struct creation *creation, VkPipeline handle)
{
    struct pipeline *pipeline = creation->pipeline;
    pipeline->handle = handle;
    atomic_store_explicit(&pipeline->tiers.made[pipeline->fixed_tier], HANDLE_KEY(handle), memory_order_relaxed);
    if (!table_insert(&track->pipelines->pipelines, HANDLE_KEY(handle), pipeline))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    creation->pipeline = NULL;
    count(&track->counters.pipelines[tier_told(pipeline->fixed_tier)], 1);
    /* Not TIER_EXTRAS, which hardly any pipeline ever needs. */
    bool eager = track->device->instance->settings.tiers == TIERS_EAGER && !pipeline->fixed;
    for (uint32_t tier = 1; eager && tier <= TIER_FILTER; tier++) {
        VkResult ignored;
        pipeline_tier(track, pipeline, tier, &ignored);
    }
    return VK_SUCCESS;
}

/* After the driver's call, for all pipelines of it. Pipelines that cannot be kept are destroyed. */
static VkResult adopt_all(struct track *track, struct creation *creations, uint32_t pipeline_count, VkResult result,
                          const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < pipeline_count; i++) {
        if (!pipelines[i])
            continue;
        if (!creations[i].pipeline) {
            count(&track->counters.pipelines[0], 1);
        } else if (creation_adopt(track, &creations[i], pipelines[i]) != VK_SUCCESS) {
            track->device->next.DestroyPipeline(track->device->handle, pipelines[i], callbacks);
            pipelines[i] = VK_NULL_HANDLE;
            result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    return result;
}

/* One call for pipelines of one kind. */
struct creation_call {
    struct device *device;
    VkPipelineCache cache;
    uint32_t count;
    const void *infos; /* the program's */
    const VkAllocationCallbacks *callbacks;
    VkPipeline *pipelines;
};

struct kind {
    size_t info_size; /* of one create-info */
    /* Opens a creation; makes of `info`, a copy of the program's, what goes down. */
    VkResult (*open)(struct track *track, void *info, struct creation *creation);
    VkResult (*create)(const struct creation_call *call, const void *infos); /* calls the next layer */
};

/* What create-infos of all kinds begin with. */
struct info_head {
    VkStructureType sType;
    const void *pNext;
    VkPipelineCreateFlags flags;
};

/* Binaries that will be made of a pipeline are packed with the program's code, which may be gone by then. */
static VkResult keep_code(struct track *track, const struct info_head *head, struct creation *creation)
{
    const struct stages *stages = &creation->stages;
    if (!creation->pipeline || !(pipeline_create_flags(head->flags, head->pNext) & pipeline_captured))
        return VK_SUCCESS;
    creation->pipeline->code = binary_code_create(track, stages->count, stages->infos, stages->modules);
    return creation->pipeline->code ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/*
 * Some pipelines of the call are `required`; the others are made one by one, so none is derived from another of the
 * call, which would be no more than a hint.
 */
static VkResult create_others(const struct kind *kind, const struct creation_call *call, char *infos,
                              const struct creation *creations)
{
    VkResult result = VK_PIPELINE_COMPILE_REQUIRED;
    for (uint32_t i = 0; i < call->count; i++) {
        struct info_head *head = (struct info_head *)(void *)(infos + i * kind->info_size);
        struct creation_call one = *call;
        one.count = 1;
        one.pipelines = &call->pipelines[i];
        head->flags &= ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_DERIVATIVE_BIT;
        const VkResult made = creations[i].required ? VK_PIPELINE_COMPILE_REQUIRED : kind->create(&one, head);
        if (made < 0)
            result = made;
        if (made != VK_SUCCESS &&
            (pipeline_create_flags(head->flags, head->pNext) & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT))
            break;
    }
    return result;
}

static VkResult create_all(const struct kind *kind, const struct creation_call *call)
{
    struct track *track = call->device->track;
    char *infos = calloc(call->count, kind->info_size);
    struct creation *creations = calloc(call->count, sizeof(*creations));
    VkResult result = infos && creations ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    /* What a call that fails leaves unwritten must not be taken for a pipeline of it. */
    memset(call->pipelines, 0, call->count * sizeof(*call->pipelines));
    if (result == VK_SUCCESS)
        memcpy(infos, call->infos, call->count * kind->info_size);
    bool some_required = false;
    for (uint32_t i = 0; i < call->count && result == VK_SUCCESS; i++) {
        result = kind->open(track, infos + i * kind->info_size, &creations[i]);
        creations[i].required = result == VK_PIPELINE_COMPILE_REQUIRED;
        some_required |= creations[i].required;
        if (creations[i].required)
            result = VK_SUCCESS;
        if (result == VK_SUCCESS)
            result = keep_code(track, (const struct info_head *)(void *)(infos + i * kind->info_size), &creations[i]);
    }
    if (result == VK_SUCCESS) {
        result = some_required ? create_others(kind, call, infos, creations) : kind->create(call, infos);
        result = adopt_all(track, creations, call->count, result, call->callbacks, call->pipelines);
    }
    for (uint32_t i = 0; creations && i < call->count; i++)
        creation_close(track, &creations[i]);
    free(creations);
    free(infos);
    return result;
}

/* ---- Graphics ---- */

/* Pipelines that the GPU selects; the second is VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT. */
static const VkFlags64 unexchangeable = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV | UINT64_C(0x4000000000);

/* Pipelines that no draw of the layer's can exchange; those of shader groups have code of others in them. */
static bool must_be_fixed(const struct graphics_state *state)
{
    const bool selected = (state->flags & unexchangeable) && !(state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
    return selected || pnext_find(state->info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
}

/* The libraries that a create-info names; NULL: none. */
static const VkPipelineLibraryCreateInfoKHR *libraries_of(const VkGraphicsPipelineCreateInfo *info)
{
    return pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
}

/* The blend state of a pipeline that is linked is that of the library which brings the fragment output. */
static void inherit_blend(struct track *track, const VkGraphicsPipelineCreateInfo *info, struct pipeline_blend *blend)
{
    const VkPipelineLibraryCreateInfoKHR *libraries = libraries_of(info);
    for (uint32_t i = 0; libraries && i < libraries->libraryCount && !blend->affected; i++) {
        const struct pipeline *library = pipeline_find(track, libraries->pLibraries[i]);
        if (library)
            *blend = library->blend;
    }
}

/* The layout of a pipeline; where a link names none, that of the library which has the most sets. */
static struct pipeline_layout *layout_of(struct track *track, const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineLibraryCreateInfoKHR *libraries = info->layout ? NULL : libraries_of(info);
    struct pipeline_layout *layout = pipeline_layout_find(track, info->layout);
    for (uint32_t i = 0; libraries && i < libraries->libraryCount; i++) {
        const struct pipeline *library = pipeline_find(track, libraries->pLibraries[i]);
        if (library && library->layout && (!layout || library->layout->set_count > layout->set_count))
            layout = library->layout;
    }
    return layout;
}

/*
 * The program's own pipeline gets the layer's dynamic states in two cases: nothing can be compiled later, or
 * attachments without alpha have been seen, so that a variant would be needed sooner or later. A link that takes its
 * blend state from a library cannot get them: `output` says that it has it itself.
 */
static VkResult add_dynamic_blend(struct track *track, bool output, VkGraphicsPipelineCreateInfo *info,
                                  struct creation *creation)
{
    static bool said;
    struct pipeline_blend *blend = &creation->pipeline->blend;
    if (blend->plain_is_dynamic || !blend->parts)
        return VK_SUCCESS;
    if (output && blend->parts == blend->layer_dynamic) {
        blend->plain_is_dynamic = true;
        return pipeline_blend_apply(blend, 0, info, &creation->memory) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    message_once(&said, track->device->instance, LOG_WARN, VK_OBJECT_TYPE_DEVICE, HANDLE_KEY(track->device->handle),
                 "blend state must change that cannot be dynamic, and a pipeline cannot be compiled again (it has "
                 "parts that this layer does not know): attachments without alpha are blended with the alpha that "
                 "is in memory");
    blend->parts = 0;
    return VK_SUCCESS;
}

/* What a link has of its own is in the recipe; adds what its libraries are made of, and reads what their shaders do. */
static VkResult inherit_parts(struct track *track, const VkGraphicsPipelineCreateInfo *info, struct creation *creation)
{
    const VkPipelineLibraryCreateInfoKHR *libraries = libraries_of(info);
    struct pipeline *pipeline = creation->pipeline;
    for (uint32_t i = 0; i < libraries->libraryCount; i++) {
        const struct pipeline *library = pipeline_find(track, libraries->pLibraries[i]);
        if (!library || !recipe_add(&pipeline->recipe, &library->recipe)) {
            recipe_finish(track, &pipeline->recipe);
            return VK_INCOMPLETE;
        }
    }
    const struct spirv_facts facts = recipe_facts(&pipeline->recipe);
    pipeline->follows = creation->layout ? needs_followed(&facts) : 0;
    pipeline->halves = creation->layout && recipe_takes_halves(&pipeline->recipe, creation->layout);
    if (pipeline->halves)
        atomic_store(&track->halves, true);
    return VK_SUCCESS;
}

/* Whether tiers or variants of it will have to be compiled, by it or by what is linked with it. */
static bool wants_recipe(const struct pipeline *pipeline, const struct graphics_state *state)
{
    return state->linked || (state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || pipeline->follows ||
           (pipeline->blend.parts && !pipeline->blend.plain_is_dynamic);
}

/*
 * Libraries hold plain code, which serves where a draw can choose. What has one tier for good is compiled of their
 * parts instead of being linked. Flags that strip_flags() takes from recipes are those of this creation again.
 */
static VkResult compile_as_one(struct track *track, struct creation *creation, VkGraphicsPipelineCreateInfo *info)
{
    const struct pipeline *pipeline = creation->pipeline;
    const VkResult result =
        recipe_call_open(track, &pipeline->recipe, pipeline->layout, pipeline->fixed_tier, &creation->whole);
    if (result != VK_SUCCESS)
        return result;
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (feedback)
        feedback->pPipelineCreationFeedback->flags = 0; /* none */
    for (uint32_t i = 0; feedback && i < feedback->pipelineStageCreationFeedbackCount; i++)
        feedback->pPipelineStageCreationFeedbacks[i].flags = 0;
    creation->whole.info.flags |= info->flags & (VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
                                                 VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT);
    *info = creation->whole.info;
    return VK_SUCCESS;
}

/* `info` is what goes down, `state` what may be read of it. */
static VkResult open_graphics_state(struct track *track, struct graphics_state *state,
                                    VkGraphicsPipelineCreateInfo *info, struct creation *creation)
{
    struct pipeline_blend blend;
    const bool library = state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    pipeline_blend_read(track, state, &blend);
    inherit_blend(track, &state->info, &blend);
    VkResult result = creation_open(track, layout_of(track, &state->info), state->info.pNext, state->info.stageCount,
                                    state->info.pStages, library || blend.affected != 0, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    struct pipeline *pipeline = creation->pipeline;
    pipeline->blend = blend;
    const bool final = must_be_fixed(state) || (!pipeline->layout && !library);
    /* What binaries are made of, or made from, must not depend on what the program has done before. */
    const bool binaries = creation->stages.compiled || (state->flags & pipeline_captured);
    const bool dynamic = !binaries && state->output && blend.parts == blend.layer_dynamic &&
                         atomic_load(&track->attachments->alpha_seen);
    if (final || dynamic)
        result = add_dynamic_blend(track, state->output, info, creation);
    state->info.pDynamicState = info->pDynamicState; /* its tiers have the layer's dynamic states as well */
    if (result == VK_SUCCESS && creation->layout)
        result = shader_groups_open(track, info->pNext, pipeline, &creation->groups);
    const bool whole = final && state->linked && creation->layout && !creation->groups.groups;
    if (result == VK_SUCCESS && final && state->linked && !whole)
        result = VK_INCOMPLETE;
    else if (result == VK_SUCCESS && (!final || whole) && wants_recipe(pipeline, state))
        result = recipe_graphics(track, state, &creation->stages, pipeline->layout, &pipeline->recipe);
    if (result == VK_SUCCESS && state->linked)
        result = inherit_parts(track, &state->info, creation);
    if (result == VK_INCOMPLETE && add_dynamic_blend(track, state->output, info, creation) != VK_SUCCESS)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_INCOMPLETE && state->linked && creation->layout) {
        /* What it is linked from was made at the fixed tier, or has code that the layer has not seen. */
        pipeline->follows = UINT32_MAX;
        pipeline->halves = atomic_load(&track->halves);
    }
    if (library && result == VK_SUCCESS)
        pipeline->follows = 0; /* no draw uses it; what is linked with it has tiers */
    pipeline->fixed = final || library || !pipeline->follows;
    const bool complete = result == VK_SUCCESS;
    result = creation_finish(track, creation, result, &info->pStages);
    if (result == VK_SUCCESS)
        result = shader_groups_to_tier(track, &creation->groups, pipeline, &info->pNext);
    if (result == VK_SUCCESS && complete && whole)
        result = compile_as_one(track, creation, info);
    return result;
}

static VkResult open_graphics(struct track *track, void *info, struct creation *creation)
{
    struct graphics_state state;
    if (!graphics_state_open(track, info, &state))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = open_graphics_state(track, &state, info, creation);
    graphics_state_close(&state);
    return result;
}

static VkResult create_graphics(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateGraphicsPipelines(call->device->handle, call->cache, call->count, infos,
                                                      call->callbacks, call->pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache pipelineCache,
                                                            uint32_t createInfoCount,
                                                            const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                                            const VkAllocationCallbacks *pAllocator,
                                                            VkPipeline *pPipelines)
{
    static const struct kind kind = {sizeof(*pCreateInfos), open_graphics, create_graphics};
    return create_all(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                     pAllocator, pPipelines});
}

/* ---- Compute ---- */

static VkResult open_compute(struct track *track, void *below, struct creation *creation)
{
    VkComputePipelineCreateInfo *info = below;
    VkResult result =
        creation_open(track, pipeline_layout_find(track, info->layout), info->pNext, 1, &info->stage, false, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    struct pipeline *pipeline = creation->pipeline;
    if (pipeline_create_flags(info->flags, info->pNext) & (unexchangeable | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR))
        pipeline->fixed = true;
    if (!pipeline->fixed)
        result = recipe_compute(track, info, &creation->stages, creation->layout, &pipeline->recipe);
    const VkPipelineShaderStageCreateInfo *stage = &info->stage;
    result = creation_finish(track, creation, result, &stage);
    if (stage != &info->stage)
        info->stage = *stage;
    return result;
}

static VkResult create_compute(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateComputePipelines(call->device->handle, call->cache, call->count, infos,
                                                     call->callbacks, call->pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateComputePipelines(VkDevice handle, VkPipelineCache pipelineCache,
                                                           uint32_t createInfoCount,
                                                           const VkComputePipelineCreateInfo *pCreateInfos,
                                                           const VkAllocationCallbacks *pAllocator,
                                                           VkPipeline *pPipelines)
{
    static const struct kind kind = {sizeof(*pCreateInfos), open_compute, create_compute};
    return create_all(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                     pAllocator, pPipelines});
}

/* Of a pipeline that is made later: of the code that it will have. */
VKAPI_ATTR void VKAPI_CALL hook_GetPipelineIndirectMemoryRequirementsNV(VkDevice handle,
                                                                        const VkComputePipelineCreateInfo *pCreateInfo,
                                                                        VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    VkComputePipelineCreateInfo info = *pCreateInfo;
    struct creation creation = {0};
    if (open_compute(device->track, &info, &creation) != VK_SUCCESS)
        info = *pCreateInfo;
    device->next.GetPipelineIndirectMemoryRequirementsNV(handle, &info, pMemoryRequirements);
    creation_close(device->track, &creation);
}

/* ---- Ray tracing: the GPU picks shaders itself, so the tier is fixed ---- */

/* `*stages` is replaced where the pipeline gets other code than the program's. */
static VkResult open_rays(struct track *track, VkPipelineLayout layout, const void *chain, uint32_t stage_count,
                          const VkPipelineShaderStageCreateInfo **stages, bool libraries, struct creation *creation)
{
    VkResult result =
        creation_open(track, pipeline_layout_find(track, layout), chain, stage_count, *stages, false, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    if (libraries) {
        creation->pipeline->follows = UINT32_MAX;
        creation->pipeline->halves = atomic_load(&track->halves);
    }
    creation->pipeline->fixed = true;
    return creation_finish(track, creation, VK_SUCCESS, stages);
}

static VkResult open_rays_khr(struct track *track, void *below, struct creation *creation)
{
    VkRayTracingPipelineCreateInfoKHR *info = below;
    const bool libraries = info->pLibraryInfo && info->pLibraryInfo->libraryCount > 0;
    return open_rays(track, info->layout, info->pNext, info->stageCount, &info->pStages, libraries, creation);
}

static VkResult create_rays_khr(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateRayTracingPipelinesKHR(call->device->handle, VK_NULL_HANDLE, call->cache,
                                                           call->count, infos, call->callbacks, call->pipelines);
}

/*
 * Not deferred even if the program asks for it: the rewritten modules live only during this call. The specification
 * lets an implementation do so and say VK_OPERATION_NOT_DEFERRED_KHR.
 */
VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRayTracingPipelinesKHR(
    VkDevice handle, VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache, uint32_t createInfoCount,
    const VkRayTracingPipelineCreateInfoKHR *pCreateInfos, const VkAllocationCallbacks *pAllocator,
    VkPipeline *pPipelines)
{
    static const struct kind kind = {sizeof(*pCreateInfos), open_rays_khr, create_rays_khr};
    const VkResult result = create_all(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount,
                                                                      pCreateInfos, pAllocator, pPipelines});
    return result == VK_SUCCESS && deferredOperation ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

static VkResult open_rays_nv(struct track *track, void *below, struct creation *creation)
{
    VkRayTracingPipelineCreateInfoNV *info = below;
    return open_rays(track, info->layout, info->pNext, info->stageCount, &info->pStages, false, creation);
}

static VkResult create_rays_nv(const struct creation_call *call, const void *infos)
{
    return call->device->next.CreateRayTracingPipelinesNV(call->device->handle, call->cache, call->count, infos,
                                                          call->callbacks, call->pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateRayTracingPipelinesNV(VkDevice handle, VkPipelineCache pipelineCache,
                                                                uint32_t createInfoCount,
                                                                const VkRayTracingPipelineCreateInfoNV *pCreateInfos,
                                                                const VkAllocationCallbacks *pAllocator,
                                                                VkPipeline *pPipelines)
{
    static const struct kind kind = {sizeof(*pCreateInfos), open_rays_nv, create_rays_nv};
    return create_all(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                     pAllocator, pPipelines});
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyPipeline(VkDevice handle, VkPipeline pipeline,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct pipeline *known = table_remove(&device->track->pipelines->pipelines, HANDLE_KEY(pipeline));
    if (known)
        pipeline_delete(device->track, known);
    device->next.DestroyPipeline(handle, pipeline, pAllocator);
}
