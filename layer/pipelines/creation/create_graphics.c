/* SPDX-License-Identifier: MIT */
/* Graphics pipelines, libraries and pipelines that are linked from them. */
#include <stdlib.h>

#include "attachments/attachments.h"
#include "creation/creation.h"
#include "device/device.h"
#include "device/message.h"
#include "device/structure_chain.h"
#include "layouts/pipeline_layout.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/graphics_state.h"
#include "pipelines/pipeline_binary.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"
#include "spirv/spirv.h"

/* True: draws cannot exchange the pipeline; one with shader groups contains code of others. */
static bool must_be_fixed(const struct graphics_state *state)
{
    const bool selected =
        (state->flags & creation_unexchangeable) && !(state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
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
    for (uint32_t i = 0; libraries && i < libraries->libraryCount && !blend->affected && !blend->orders; i++) {
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
 * The program's own pipeline gets the layer's dynamic states in two cases: nothing can be compiled later, or there were
 * attachments without alpha before, so that a variant will probably be needed. A link that takes its blend state from a
 * library cannot get them. `output`: the create-info has blend state itself.
 */
static VkResult add_dynamic_blend(struct track *track, bool output, VkGraphicsPipelineCreateInfo *info,
                                  struct creation *creation)
{
    static struct message_place said;
    struct pipeline_blend *blend = &creation->pipeline->blend;
    if (blend->passthrough_is_dynamic || !blend->parts)
        return VK_SUCCESS;
    if (output && blend->parts == blend->layer_dynamic) {
        const bool applied = pipeline_blend_apply(blend, 0, info, &creation->memory);
        blend->passthrough_is_dynamic = true;
        return applied ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    message_about_once(
        &said, track->device, LOG_WARN, NULL,
        "blend state must change that cannot be dynamic, and a pipeline cannot be compiled again (it has "
        "parts that this layer does not know): attachments without alpha are blended with the alpha that "
        "is in memory");
    blend->parts = 0;
    blend->unchanged = true;
    return VK_SUCCESS;
}

/* The saved create-info has the link's own parts; adds those of its libraries, and reads the facts of their shaders. */
static VkResult inherit_parts(struct track *track, const VkGraphicsPipelineCreateInfo *info, struct creation *creation)
{
    const VkPipelineLibraryCreateInfoKHR *libraries = libraries_of(info);
    struct pipeline *pipeline = creation->pipeline;
    for (uint32_t i = 0; i < libraries->libraryCount; i++) {
        const struct pipeline *library = pipeline_find(track, libraries->pLibraries[i]);
        if (!library || !saved_info_add(&pipeline->saved_info, &library->saved_info)) {
            saved_info_finish(track, &pipeline->saved_info);
            return VK_INCOMPLETE;
        }
    }
    const struct spirv_facts facts = saved_info_facts(&pipeline->saved_info);
    pipeline->follows = creation->layout ? pipeline_layout_follows(creation->layout, &facts) : 0;
    const VkResult result =
        creation->layout ? saved_info_find_pairs(track, &pipeline->saved_info, creation->layout, &pipeline->pairing)
                         : VK_SUCCESS;
    if (pipeline->pairing.splits)
        atomic_store(&track->split, true);
    return result;
}

/* True: tiers or variants will have to be compiled of it, or of a pipeline that is linked with it. */
static bool wants_saved_info(const struct pipeline *pipeline, const struct graphics_state *state)
{
    return state->linked || (state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || pipeline->follows ||
           pipeline->blend.orders || pipeline->blend.written.all ||
           (pipeline->blend.parts && !pipeline->blend.passthrough_is_dynamic);
}

/*
 * Libraries have passthrough code. So a pipeline with a fixed tier is compiled from the parts of its libraries instead
 * of being linked, with the flags of this call, which saved create-infos lack.
 */
static VkResult compile_as_one(struct track *track, struct creation *creation, VkGraphicsPipelineCreateInfo *info)
{
    const struct pipeline *pipeline = creation->pipeline;
    const VkResult result =
        saved_info_call_open(track, &pipeline->saved_info, pipeline->layout, pipeline->fixed_tier, &creation->whole);
    if (result != VK_SUCCESS)
        return result;
    if (!saved_info_call_add_flags(&creation->whole, &creation->whole.info, creation->flags & pipeline_flags_of_call))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *info = creation->whole.info;
    return VK_SUCCESS;
}

/* `info` is the driver's create-info, `state` its members that Vulkan does not ignore. */
static VkResult open_graphics_state(struct track *track, struct graphics_state *state,
                                    VkGraphicsPipelineCreateInfo *info, struct creation *creation)
{
    struct pipeline_blend blend;
    const bool library = state->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    pipeline_blend_read(track, state, &blend);
    inherit_blend(track, &state->info, &blend);
    VkResult result = creation_open(track, layout_of(track, &state->info), &state->info, state->info.stageCount,
                                    state->info.pStages, library || blend.affected != 0 || blend.orders, creation);
    if (result != VK_SUCCESS || !creation->pipeline)
        return result;
    struct pipeline *pipeline = creation->pipeline;
    pipeline->blend = blend;
    const bool final = must_be_fixed(state) || (!pipeline->layout && !library);
    /* Pipelines that give binaries, or are made from them, must not depend on what the program has done before. */
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
    else if (result == VK_SUCCESS && (!final || whole) && wants_saved_info(pipeline, state))
        result = saved_info_graphics(track, state, &creation->stages, pipeline->layout, &pipeline->saved_info);
    if (result == VK_SUCCESS && state->linked)
        result = inherit_parts(track, &state->info, creation);
    if (result == VK_SUCCESS && !library)
        pipeline_order_confirm(&pipeline->saved_info, saved_info_facts(&pipeline->saved_info).reads_inputs,
                               &pipeline->blend);
    if (result != VK_SUCCESS || (final && !library))
        pipeline->blend.written.all = 0;
    else if (!library) /* libraries' states are checked when they are linked */
        pipeline_blend_confirm(&pipeline->saved_info, &pipeline->blend);
    if (result == VK_INCOMPLETE && add_dynamic_blend(track, state->output, info, creation) != VK_SUCCESS)
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_INCOMPLETE && state->linked && creation->layout) {
        /* Its libraries were made at the fixed tier, or have code that the layer does not know. */
        pipeline->follows = UINT32_MAX;
        pipeline->pairing.splits = atomic_load(&track->split);
        spirv_pairing_unknown(&pipeline->pairing);
    }
    if (library && result == VK_SUCCESS)
        pipeline->follows = 0; /* no draw uses it; pipelines that are linked with it have tiers */
    pipeline->fixed = final || library || !pipeline->follows;
    const bool complete = result == VK_SUCCESS;
    result = creation_finish(track, creation, result, &info->pStages);
    if (result == VK_SUCCESS)
        result = shader_groups_to_tier(track, &creation->groups, pipeline, &info->pNext);
    /* Binaries are captured from a pipeline that was compiled as one. */
    if (result == VK_SUCCESS && complete && whole && !creation->stages.compiled)
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
    static const struct creation_kind kind = {sizeof(*pCreateInfos), open_graphics, create_graphics};
    return creation_run(&kind, &(struct creation_call){device_of(handle), pipelineCache, createInfoCount, pCreateInfos,
                                                       pAllocator, pPipelines});
}
