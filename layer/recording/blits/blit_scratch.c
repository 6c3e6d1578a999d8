/* SPDX-License-Identifier: MIT */
/* The pipeline and the memory of blits that the layer filters itself. */
#include <string.h>

#include "ahead/helper.h"
#include "blits/blit.h"
#include "commands/command_buffer.h"
#include "layouts/pipeline_layout.h"
#include "objects/track.h"

#include "blit_shader.h"
#include "objects/memory.h"
#include "objects/units.h"

enum { SLOTS = 4096 }; /* of a table */

bool blits_init(struct track *track)
{
    struct blits *blits = track->blits;
    return pthread_mutex_init(&blits->lock, NULL) == 0 && memory_heap_init(&blits->heap, true);
}

/* Destroys the parts that were made. */
static void table_delete(struct track *track, struct blit_table *table)
{
    struct device *device = track->device;
    if (table->pipeline)
        device->next.DestroyPipeline(device->handle, table->pipeline, NULL);
    if (table->layout)
        device->next.DestroyPipelineLayout(device->handle, table->layout, NULL);
    memory_release(device, &track->heap, &table->addresses);
    units_finish(&table->slots);
    object_free(track, NULL, table, sizeof(*table));
}

void blits_finish(struct track *track)
{
    struct device *device = track->device;
    struct blits *blits = track->blits;
    while (blits->tables) {
        struct blit_table *table = blits->tables;
        blits->tables = table->next;
        table_delete(track, table);
    }
    memory_heap_finish(device, &blits->heap);
    pthread_mutex_destroy(&blits->lock);
}

/* ---- Tables ---- */

static VkResult create_pipeline(struct track *track, VkShaderModule module, struct blit_table *table)
{
    struct device *device = track->device;
    const VkDeviceAddress address = table->addresses.address;
    const uint32_t split[2] = {(uint32_t)address, (uint32_t)(address >> 32)};
    const VkSpecializationMapEntry entries[2] = {{0, 0, sizeof(*split)}, {1, sizeof(*split), sizeof(*split)}};
    const VkSpecializationInfo constants = {2, entries, sizeof(split), split};
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
        .layout = table->layout,
    };
    return OR_NULL(
        device->next.CreateComputePipelines(device->handle, track->pipeline_cache, 1, &info, NULL, &table->pipeline),
        &table->pipeline);
}

static VkResult fill_table(struct track *track, struct blit_table *table)
{
    struct device *device = track->device;
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(blit_shader), .pCode = blit_shader};
    VkShaderModule module = VK_NULL_HANDLE;
    if (!units_init(&table->slots, SLOTS))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = memory_acquire(device, &track->heap, SLOTS * sizeof(VkDeviceAddress), &table->addresses);
    if (result == VK_SUCCESS)
        result = layer_layout_create(track, VK_SHADER_STAGE_COMPUTE_BIT, &table->layout);
    if (result == VK_SUCCESS)
        result = OR_NULL(device->next.CreateShaderModule(device->handle, &module_info, NULL, &module), &module);
    if (result == VK_SUCCESS)
        result = create_pipeline(track, module, table);
    if (module)
        device->next.DestroyShaderModule(device->handle, module, NULL);
    return result;
}

/* In no list yet. */
static VkResult table_create(struct track *track, struct blit_table **out)
{
    struct blit_table *table = object_alloc(track, NULL, sizeof(*table));
    VkResult result = table ? fill_table(track, table) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        *out = table;
    else if (table)
        table_delete(track, table);
    return result;
}

/* Under the lock. */
static bool take_slot(struct blits *blits, struct blit_scratch *scratch)
{
    for (struct blit_table *table = blits->tables; table; table = table->next) {
        scratch->slot = table->slots.taken < SLOTS ? units_acquire(&table->slots, 1) : UNITS_NONE;
        if (scratch->slot == UNITS_NONE)
            continue;
        scratch->table = table;
        return true;
    }
    return false;
}

/* The arguments of run_making(), which a helper calls. */
struct making {
    struct track *track;
    struct blit_table *table;
    VkResult result;
};

static void run_making(void *user)
{
    struct making *making = user;
    making->result = table_create(making->track, &making->table);
}

/* Finds a slot in any table. `more`, unless NULL, is put in front of the tables first. */
static bool find_slot(struct blits *blits, struct blit_table *more, struct blit_scratch *scratch)
{
    pthread_mutex_lock(&blits->lock);
    if (more) {
        more->next = blits->tables;
        blits->tables = more;
    }
    const bool found = take_slot(blits, scratch);
    pthread_mutex_unlock(&blits->lock);
    return found;
}

/* Threads that find no slot at the same time make a table each. */
static VkResult slot_open(struct track *track, struct blit_scratch *scratch)
{
    bool found = find_slot(track->blits, NULL, scratch);
    while (!found) {
        struct making making = {track, NULL, VK_SUCCESS};
        helper_run(track, run_making, &making); /* blits are recorded on stacks without room for a compiler */
        if (making.result != VK_SUCCESS)
            return making.result;
        found = find_slot(track->blits, making.table, scratch); /* other threads may have taken all of its slots */
    }
    return VK_SUCCESS;
}

/* ---- Scratch memory ---- */

static void scratch_delete(struct command *command, struct blit_scratch *scratch)
{
    struct blits *blits = command->track->blits;
    memory_release(command->device, &blits->heap, &scratch->slice);
    if (scratch->table) {
        pthread_mutex_lock(&blits->lock);
        units_release(&scratch->table->slots, scratch->slot, 1);
        pthread_mutex_unlock(&blits->lock);
    }
    object_free(command->track, NULL, scratch, sizeof(*scratch));
}

/* The memory's address is in the table before a command that reads it can be submitted. */
static VkResult scratch_open(struct command *command, uint32_t bytes, struct blit_scratch *scratch)
{
    VkResult result = memory_acquire(command->device, &command->track->blits->heap, bytes, &scratch->slice);
    if (result == VK_SUCCESS)
        result = slot_open(command->track, scratch);
    if (result == VK_SUCCESS)
        memcpy((VkDeviceAddress *)scratch->table->addresses.mapped + scratch->slot, &scratch->slice.address,
               sizeof(VkDeviceAddress));
    return result;
}

/* The next power of two: a command buffer whose blits grow has few of them. */
static uint32_t rounded(uint32_t bytes)
{
    uint32_t size = MEMORY_UNIT;
    while (size < bytes)
        size *= 2;
    return size;
}

struct blit_scratch *blit_scratch_acquire(struct command *command, uint32_t bytes)
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
