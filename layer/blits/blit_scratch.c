/* SPDX-License-Identifier: MIT */
/* The pipeline and the memory of blits that the layer filters itself. */
#include <string.h>

#include "blits/blit.h"
#include "commands/command_buffer.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"

#include "blit_shader.h"
#include "objects/memory.h"
#include "objects/units.h"

enum { SLOTS = 4096 };

bool blits_init(struct track *track)
{
    struct blits *blits = track->blits;
    return pthread_mutex_init(&blits->lock, NULL) == 0 && memory_heap_init(&blits->heap, true);
}

void blits_finish(struct track *track)
{
    struct device *device = track->device;
    struct blits *blits = track->blits;
    if (blits->pipeline)
        device->next.DestroyPipeline(device->handle, blits->pipeline, NULL);
    if (blits->layout)
        device->next.DestroyPipelineLayout(device->handle, blits->layout, NULL);
    memory_give(device, &track->heap, &blits->table);
    units_finish(&blits->slots);
    memory_heap_finish(device, &blits->heap);
    pthread_mutex_destroy(&blits->lock);
}

/* ---- The pipeline ---- */

static VkResult create_pipeline(struct track *track, VkShaderModule module, VkPipeline *pipeline)
{
    struct device *device = track->device;
    const uint32_t table[2] = {(uint32_t)track->blits->table.address, (uint32_t)(track->blits->table.address >> 32)};
    const VkSpecializationMapEntry entries[2] = {{0, 0, sizeof(*table)}, {1, sizeof(*table), sizeof(*table)}};
    const VkSpecializationInfo constants = {2, entries, sizeof(table), table};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &constants,
            },
        .layout = track->blits->layout,
    };
    return device->next.CreateComputePipelines(device->handle, track->pipeline_cache, 1, &info, NULL, pipeline);
}

/* What was made before a step failed stays for the next attempt. */
static VkResult make_pipeline(struct track *track, VkPipeline *pipeline)
{
    struct device *device = track->device;
    struct blits *blits = track->blits;
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(blit_shader), .pCode = blit_shader};
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    if (!blits->slots.bits && !units_init(&blits->slots, SLOTS))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!blits->table.block)
        result = memory_take(device, &track->heap, SLOTS * sizeof(VkDeviceAddress), &blits->table);
    if (result == VK_SUCCESS && !blits->layout)
        result = layer_layout_create(track, VK_SHADER_STAGE_COMPUTE_BIT, &blits->layout);
    if (result == VK_SUCCESS)
        result = OR_NULL(device->next.CreateShaderModule(device->handle, &module_info, NULL, &module), &module);
    if (result == VK_SUCCESS)
        result = create_pipeline(track, module, pipeline);
    if (module)
        device->next.DestroyShaderModule(device->handle, module, NULL);
    return result;
}

VkPipeline blits_pipeline(struct track *track, VkResult *error)
{
    struct blits *blits = track->blits;
    VkPipeline pipeline = atomic_load_explicit(&blits->pipeline, memory_order_acquire);
    if (pipeline)
        return pipeline;
    pthread_mutex_lock(&blits->lock);
    pipeline = atomic_load_explicit(&blits->pipeline, memory_order_relaxed);
    if (!pipeline) {
        *error = make_pipeline(track, &pipeline);
        pipeline = *error == VK_SUCCESS ? pipeline : VK_NULL_HANDLE;
        atomic_store_explicit(&blits->pipeline, pipeline, memory_order_release);
    }
    pthread_mutex_unlock(&blits->lock);
    return pipeline;
}

/* ---- Scratch memory ---- */

static void scratch_delete(struct command *command, struct blit_scratch *scratch)
{
    struct blits *blits = command->track->blits;
    memory_give(command->device, &blits->heap, &scratch->slice);
    if (scratch->slot != UNITS_NONE) {
        pthread_mutex_lock(&blits->lock);
        units_give(&blits->slots, scratch->slot, 1);
        pthread_mutex_unlock(&blits->lock);
    }
    object_free(command->track, NULL, scratch, sizeof(*scratch));
}

/* The table says where the memory is before a command that reads it can be submitted. */
static VkResult scratch_open(struct command *command, uint32_t bytes, struct blit_scratch *scratch)
{
    struct blits *blits = command->track->blits;
    VkResult result = memory_take(command->device, &blits->heap, bytes, &scratch->slice);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&blits->lock);
    scratch->slot = units_take(&blits->slots, 1);
    pthread_mutex_unlock(&blits->lock);
    if (scratch->slot == UNITS_NONE)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    memcpy((VkDeviceAddress *)blits->table.mapped + scratch->slot, &scratch->slice.address, sizeof(VkDeviceAddress));
    return VK_SUCCESS;
}

/* The next power of two: a command buffer whose blits grow has few of them. */
static uint32_t rounded(uint32_t bytes)
{
    uint32_t size = MEMORY_UNIT;
    while (size < bytes)
        size *= 2;
    return size;
}

struct blit_scratch *blit_scratch_take(struct command *command, uint32_t bytes)
{
    struct blit_scratch *scratch = command->scratch;
    while (scratch && scratch->slice.size < bytes)
        scratch = scratch->next;
    if (!scratch) {
        scratch = object_alloc(command->track, NULL, sizeof(*scratch));
        if (!scratch) {
            command->error = VK_ERROR_OUT_OF_HOST_MEMORY;
            return NULL;
        }
        scratch->slot = UNITS_NONE;
        VkResult result = scratch_open(command, rounded(bytes), scratch);
        if (result != VK_SUCCESS) {
            scratch_delete(command, scratch);
            command->error = result;
            return NULL;
        }
        scratch->next = command->scratch;
        command->scratch = scratch;
    }
    scratch->used = true;
    return scratch;
}

/* A reset that follows another without a recording in between says nothing about which memory is used. */
void blit_reset(struct command *command)
{
    bool any = false;
    for (const struct blit_scratch *scratch = command->scratch; scratch; scratch = scratch->next)
        any |= scratch->used;
    for (struct blit_scratch **link = &command->scratch; any && *link;) {
        struct blit_scratch *scratch = *link;
        if (scratch->used) {
            scratch->used = false;
            link = &scratch->next;
        } else {
            *link = scratch->next;
            scratch_delete(command, scratch);
        }
    }
}

void blit_finish(struct command *command)
{
    while (command->scratch) {
        struct blit_scratch *scratch = command->scratch;
        command->scratch = scratch->next;
        scratch_delete(command, scratch);
    }
}
