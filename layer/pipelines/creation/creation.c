/* SPDX-License-Identifier: MIT */
/* Creation and destruction, for all kinds of pipelines. */
#include "creation/creation.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ahead/ahead.h"
#include "device/device.h"
#include "device/held.h"
#include "device/message.h"
#include "device/object_names.h"
#include "device/structure_chain.h"
#include "layouts/heap_layout.h"
#include "layouts/pipeline_layout.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_binary.h"
#include "pipelines/pipeline_blend.h"
#include "objects/pipeline_flags.h"
#include "pipelines/pipelines.h"
#include "pipelines/tiers.h"
#include "sampling/device_needs.h"

/* ---- One pipeline ---- */

static void destroy_made(struct track *track, uint64_t made)
{
    track->device->next.DestroyPipeline(track->device->handle, HANDLE_OF(VkPipeline, made), NULL);
}

static void pipeline_delete(struct track *track, struct pipeline *pipeline)
{
    for (uint32_t tier = 1; tier < TIER_COUNT; tier++) {
        const uint64_t made = atomic_load_explicit(&pipeline->tiers[tier].made, memory_order_relaxed);
        if (made && !pipeline->tiers[tier].borrowed)
            destroy_made(track, made);
    }
    variants_free(track, &pipeline->variants, destroy_made);
    saved_info_finish(track, &pipeline->saved_info);
    binary_code_unref(track, pipeline->code);
    pipeline_layout_unref(track, pipeline->layout);
    object_free(track, NULL, pipeline, sizeof(*pipeline));
}

/* ---- Functions that workers call ---- */

static struct pipeline *pipeline_of(struct ahead_item *item)
{
    return (struct pipeline *)(void *)((char *)item - offsetof(struct pipeline, ahead.item));
}

static void compile_ahead(struct track *track, struct ahead_item *item, uint32_t tier)
{
    struct pipeline *pipeline = pipeline_of(item);
    VkResult ignored;
    pipeline_tier(track, pipeline, tier, atomic_load_explicit(&pipeline->drawn_key, memory_order_relaxed), TIER_AHEAD,
                  &ignored);
}

static void release(struct track *track, struct ahead_item *item)
{
    pipeline_delete(track, pipeline_of(item));
}

static const struct ahead_kind pipelines_kind = {compile_ahead, release};

void creation_close(struct track *track, struct creation *creation)
{
    stages_close(track, &creation->stages);
    if (creation->pipeline)
        pipeline_delete(track, creation->pipeline);
    free(creation->memory);
    shader_groups_close(track, &creation->groups);
    saved_info_call_close(track, &creation->whole);
    pipeline_flags_finish(&creation->others);
    *creation = (struct creation){0};
}

VkResult creation_open(struct track *track, struct pipeline_layout *known, const void *info, uint32_t stage_count,
                       const VkPipelineShaderStageCreateInfo *stages, bool always, struct creation *creation)
{
    const void *chain = pipeline_info_head(info).pNext;
    *creation = (struct creation){.flags = pipeline_flags(info)};
    if (!known && track->device->caps.app_descriptors.heaps)
        known = heap_layout_of_pipeline(track, creation->flags);
    const bool records = known && known->records;
    if (!records && !always)
        return VK_SUCCESS;
    VkResult result =
        stages_open(track, chain, known ? known->model : BINDING_SETS, stage_count, stages, &creation->stages);
    if (result != VK_SUCCESS)
        return result;
    if (creation->stages.unknown && records) {
        /*
         * The layer does not know this code and cannot rewrite it: the program must create the pipeline again with its
         * SPIR-V.
         */
        stages_close(track, &creation->stages);
        return VK_PIPELINE_COMPILE_REQUIRED;
    }
    struct spirv_pairing pairing = {0};
    if (records)
        result = stages_find_pairs(track, &creation->stages, known, &pairing);
    struct pipeline *pipeline = result == VK_SUCCESS ? object_alloc(track, NULL, sizeof(*pipeline)) : NULL;
    if (!pipeline) {
        stages_close(track, &creation->stages);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    creation->layout = records ? known : NULL;
    creation->pipeline = pipeline;
    pipeline->layout = pipeline_layout_ref(known);
    const struct spirv_facts facts = stages_facts(&creation->stages);
    pipeline->follows = records ? pipeline_layout_follows(known, &facts) : 0;
    pipeline->pairing = pairing;
    if (pairing.splits)
        atomic_store(&track->split, true);
    pipeline->fixed = !pipeline->follows;
    return VK_SUCCESS;
}

/* After the tier is known to be fixed or not: makes the modules of the program's own pipeline. */
static VkResult creation_stages(struct track *track, struct creation *creation, bool *changed)
{
    struct pipeline *pipeline = creation->pipeline;
    pipeline->fixed_tier = pipeline->fixed ? fixed_tier(track, pipeline->follows) : 0;
    if (!creation->layout)
        return VK_SUCCESS;
    return stages_to_tier(track, &creation->stages, creation->layout, pipeline->fixed_tier, changed);
}

/* A saved create-info that cannot be made fixes the tier; running out of memory fails the creation. */
static VkResult creation_saved_info(struct track *track, struct creation *creation, VkResult saved_info_result)
{
    static struct message_place said;
    if (saved_info_result != VK_INCOMPLETE)
        return saved_info_result;
    creation->pipeline->fixed = true;
    message_about_once(
        &said, track->device, LOG_WARN, NULL,
        "a pipeline has a structure in its chain that this layer does not know: its tier is fixed when it is "
        "created");
    return VK_SUCCESS;
}

VkResult creation_finish(struct track *track, struct creation *creation, VkResult saved_info_result,
                         const VkPipelineShaderStageCreateInfo **stages)
{
    bool changed = false;
    VkResult result = creation_saved_info(track, creation, saved_info_result);
    if (result == VK_SUCCESS)
        result = creation_stages(track, creation, &changed);
    if (result != VK_SUCCESS)
        creation_close(track, creation);
    else if (changed)
        *stages = creation->stages.infos;
    return result;
}

/* Compiles tiers and variants in the call that creates the pipeline, with that call's flags. */
static void make_at_creation(struct track *track, struct pipeline *pipeline, VkFlags64 flags)
{
    const enum setting_tiers tiers = track->device->instance->settings.tiers;
    const enum tier_cause cause =
        flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT ? TIER_IF_CACHED : TIER_AT_CREATION;
    const struct pipeline_blend *blend = &pipeline->blend;
    VkResult ignored;
    /* Not those behind TIER_FILTER_LEVELS, which hardly any pipeline ever needs. */
    const uint32_t other =
        pipeline->follows & device_needs_of(device_needs_word(track), pipeline->follows) & RECORD_NEED_BOUNDS
            ? TIER_CLAMP
            : TIER_CLAMP_BOUNDS;
    for (uint32_t tier = 1; tiers == TIERS_EAGER && !pipeline->fixed && tier <= TIER_FILTER_LEVELS; tier++) {
        if (tier != other)
            pipeline_tier(track, pipeline, tier, 0, cause, &ignored);
    }
    if (blend->written.all && blend->at_once && tiers != TIERS_LAZY)
        pipeline_tier(track, pipeline, pipeline->fixed_tier, pipeline_blend_key(blend, blend->affected, blend->written),
                      cause, &ignored);
}

/* After the driver has made the program's pipeline. */
static VkResult creation_adopt(struct track *track, struct creation *creation, VkPipeline handle)
{
    struct pipeline *pipeline = creation->pipeline;
    pipeline->handle = handle;
    atomic_init(&pipeline->lives, HANDLE_KEY(handle));
    struct tier_slot *own = &pipeline->tiers[pipeline->fixed_tier];
    own->borrowed = true;
    atomic_store_explicit(&own->made, HANDLE_KEY(handle), memory_order_relaxed);
    if (!table_insert(&track->pipelines->pipelines, HANDLE_KEY(handle), pipeline))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    creation->pipeline = NULL;
    count(&track->counters.pipelines[tier_reported(pipeline->fixed_tier)], 1);
    if (pipeline->saved_info.whole)
        make_at_creation(track, pipeline, creation->flags);
    pipeline->ahead.kind = &pipelines_kind;
    if (!pipeline->fixed && pipeline_layout_lasts(track, pipeline->layout) &&
        saved_info_lasts(track, &pipeline->saved_info))
        ahead_add(track, &pipeline->ahead, pipeline->follows);
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

/* Keeps the program's code for binaries that will be captured, because the program may destroy it before. */
static VkResult keep_code(struct track *track, struct creation *creation)
{
    const struct stages *stages = &creation->stages;
    if (!creation->pipeline || !(creation->flags & pipeline_captured))
        return VK_SUCCESS;
    creation->pipeline->code = binary_code_create(track, stages->count, stages->infos, stages->modules);
    return creation->pipeline->code ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/*
 * Some pipelines of the call are `required`; the others are made one by one, so none is derived from another of the
 * call, which is a hint only.
 */
static VkResult create_others(const struct creation_kind *kind, const struct creation_call *call, char *infos,
                              struct creation *creations)
{
    VkResult result = VK_PIPELINE_COMPILE_REQUIRED;
    for (uint32_t i = 0; i < call->count; i++) {
        void *info = infos + i * kind->info_size;
        const VkFlags64 flags = pipeline_flags(info);
        struct creation_call one = *call;
        VkResult made = VK_PIPELINE_COMPILE_REQUIRED;
        one.count = 1;
        one.pipelines = &call->pipelines[i];
        if (!creations[i].required)
            made = pipeline_flags_replace(info, flags & ~(VkFlags64)VK_PIPELINE_CREATE_DERIVATIVE_BIT,
                                          &creations[i].others)
                       ? kind->create(&one, info)
                       : VK_ERROR_OUT_OF_HOST_MEMORY;
        if (made < 0)
            result = made;
        if (made != VK_SUCCESS && (flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT))
            break;
    }
    return result;
}

/*
 * Clears the feedback: the driver may not be called, or for another pipeline than the program's
 * (VkPipelineCreationFeedback: without VALID_BIT no other bit has a meaning).
 */
static void clear_feedback(const void *info)
{
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        pnext_find(pipeline_info_head(info).pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (!feedback)
        return;
    *feedback->pPipelineCreationFeedback = (VkPipelineCreationFeedback){.flags = 0};
    for (uint32_t i = 0; i < feedback->pipelineStageCreationFeedbackCount; i++)
        feedback->pPipelineStageCreationFeedbacks[i] = (VkPipelineCreationFeedback){.flags = 0};
}

VkResult creation_run(const struct creation_kind *kind, const struct creation_call *call)
{
    struct track *track = call->device->track;
    char *infos = calloc(call->count, kind->info_size);
    struct creation *creations = calloc(call->count, sizeof(*creations));
    VkResult result = infos && creations ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    messages_report_left(call->device->instance);
    /* A failed call may not write all handles, and an old value must not be taken for a pipeline. */
    memset(call->pipelines, 0, call->count * sizeof(*call->pipelines));
    if (result == VK_SUCCESS)
        memcpy(infos, call->infos, call->count * kind->info_size);
    bool some_required = false;
    for (uint32_t i = 0; i < call->count; i++)
        clear_feedback((const char *)call->infos + i * kind->info_size);
    for (uint32_t i = 0; i < call->count && result == VK_SUCCESS; i++) {
        result = result_within(kind->open(track, infos + i * kind->info_size, &creations[i]));
        creations[i].required = result == VK_PIPELINE_COMPILE_REQUIRED;
        some_required |= creations[i].required;
        if (creations[i].required)
            result = VK_SUCCESS;
        if (result == VK_SUCCESS)
            result = keep_code(track, &creations[i]);
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

/* ---- The end ---- */

VKAPI_ATTR void VKAPI_CALL hook_DestroyPipeline(VkDevice handle, VkPipeline pipeline,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct pipeline *known = table_remove(&device->track->pipelines->pipelines, HANDLE_KEY(pipeline));
    object_gone(&device->names, VK_OBJECT_TYPE_PIPELINE, HANDLE_KEY(pipeline));
    if (known)
        atomic_store_explicit(&known->lives, 0, memory_order_relaxed);
    if (known && ahead_remove(device->track, &known->ahead))
        pipeline_delete(device->track, known);
    device->next.DestroyPipeline(handle, pipeline, pAllocator);
}
