/* SPDX-License-Identifier: MIT */
/*
 * The sets in which push descriptors are kept where a push set has no slot left for records. push.c calls this for
 * states whose layout was converted: all pushed descriptors are saved by binding and element, and each draw after a
 * change acquires a fresh set from pools of the command buffer.
 */
#include "push/push_set.h"

#include <string.h>

#include "commands/command_buffer.h"
#include "descriptors/update.h"
#include "device/structure_chain.h"
#include "descriptor_type/descriptor_type.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "push/push.h"
#include "spirv/spirv.h"

enum { POOL_SETS = 32 };

struct push_descriptor {
    bool valid;
    VkDescriptorType type;
    union {
        VkDescriptorImageInfo image;
        VkDescriptorBufferInfo buffer;
        VkBufferView texel_buffer;
        VkAccelerationStructureKHR structure;
        VkAccelerationStructureNV structure_nv;
    } info;
};

struct push_pool {
    struct push_pool *next;
    VkDescriptorPool pool;
    uint32_t used; /* sets */
};

/* ---- What is pushed ---- */

static uint32_t descriptors_of(const struct set_layout *layout)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < layout->binding_count; i++)
        total += layout->bindings[i].count;
    return total;
}

bool push_sets_init(struct track *track, struct push_state *push)
{
    push->descriptor_count = descriptors_of(push->layout);
    push->descriptors = object_alloc(track, NULL, push->descriptor_count * sizeof(*push->descriptors));
    return push->descriptors;
}

void push_sets_finish(struct track *track, struct push_state *push)
{
    const struct device *device = track->device;
    while (push->pools) {
        struct push_pool *pool = push->pools;
        push->pools = pool->next;
        device->next.DestroyDescriptorPool(device->handle, pool->pool, NULL);
        object_free(track, NULL, pool, sizeof(*pool));
    }
    object_free(track, NULL, push->descriptors, push->descriptor_count * sizeof(*push->descriptors));
    push->descriptors = NULL;
    push->descriptor_count = 0;
}

void push_sets_reset(const struct device *device, struct push_state *push)
{
    for (struct push_pool *pool = push->pools; pool; pool = pool->next) {
        if (pool->used)
            device->next.ResetDescriptorPool(device->handle, pool->pool, 0);
        pool->used = 0;
    }
}

void push_sets_clear(struct push_state *push)
{
    if (push->descriptors)
        memset(push->descriptors, 0, push->descriptor_count * sizeof(*push->descriptors));
}

/* An acceleration structure of a write, which has them in its chain. False: it is not there, or something else is. */
static bool keep_structure(const VkWriteDescriptorSet *write, uint32_t from, struct push_descriptor *to)
{
    const VkWriteDescriptorSetAccelerationStructureKHR *khr =
        pnext_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
    const VkWriteDescriptorSetAccelerationStructureNV *nv =
        pnext_find(write->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV);
    const bool is_khr = write->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    const bool is_nv = write->descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV;
    if (is_khr && khr && from < khr->accelerationStructureCount)
        to->info.structure = khr->pAccelerationStructures[from];
    else if (is_nv && nv && from < nv->accelerationStructureCount)
        to->info.structure_nv = nv->pAccelerationStructures[from];
    else
        return false;
    return true;
}

/* Saves one descriptor for the driver: the element of a binding, and the index of its info in the write. */
static void keep_descriptor(struct track *track, const VkWriteDescriptorSet *write, uint32_t from,
                            const struct binding *binding, uint32_t element, struct push_descriptor *to)
{
    struct record record;
    to->valid = true;
    to->type = write->descriptorType;
    switch (descriptor_type_infos(write->descriptorType)) {
    case INFO_IMAGES:
        to->info.image = write->pImageInfo[from];
        if (binding->first_record != SPIRV_NO_RECORD)
            descriptor_resolve(track, write->descriptorType, &write->pImageInfo[from],
                               binding->immutable ? &binding->immutable[element] : NULL, binding->immutable_native,
                               &to->info.image, &record);
        break;
    case INFO_BUFFERS:
        to->info.buffer = write->pBufferInfo[from];
        break;
    case INFO_TEXEL_BUFFERS:
        to->info.texel_buffer = write->pTexelBufferView[from];
        break;
    case INFO_CHAINED:
        to->valid = keep_structure(write, from, to);
        break;
    }
}

void push_sets_keep(struct track *track, struct push_state *push, const VkWriteDescriptorSet *write)
{
    struct write_run run = {0};
    while (write_next_run(push->layout, write, &run)) {
        struct push_descriptor *to = push->descriptors + run.element;
        for (const struct binding *b = push->layout->bindings; b != run.binding; b++)
            to += b->count;
        for (uint32_t i = 0; !binding_stands(run.binding) && i < run.count; i++)
            keep_descriptor(track, write, run.first + i, run.binding, run.element + i, &to[i]);
    }
}

/* ---- Sets ---- */

static void write_descriptor(struct device *device, VkDescriptorSet set, const struct binding *binding,
                             uint32_t element, const struct push_descriptor *from)
{
    const VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &from->info.structure,
    };
    const VkWriteDescriptorSetAccelerationStructureNV structures_nv = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_NV,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &from->info.structure_nv,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .pNext = from->type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR  ? (const void *)&structures
                 : from->type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV ? &structures_nv
                                                                              : NULL,
        .dstSet = set,
        .dstBinding = binding->new_binding,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = from->type,
        .pImageInfo = &from->info.image,
        .pBufferInfo = &from->info.buffer,
        .pTexelBufferView = &from->info.texel_buffer,
    };
    device->next.UpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
}

/*
 * Writes all pushed descriptors into a fresh set. Immutable samplers of SAMPLER bindings are there whatever was pushed:
 * the layer's own writes, and the layout's, which must not be written.
 */
static void fill_set(struct track *track, struct push_state *push, VkDescriptorSet set)
{
    const struct push_descriptor *from = push->descriptors;
    write_standing(track, NULL, push->layout, 0, set, emit_update, track->device);
    for (uint32_t b = 0; b < push->layout->binding_count; b++) {
        const struct binding *binding = &push->layout->bindings[b];
        for (uint32_t i = 0; i < binding->count; i++, from++) {
            if (from->valid)
                write_descriptor(track->device, set, binding, i, from);
        }
    }
}

static bool add_pool(struct command *command, struct push_state *push)
{
    enum { TYPES = 16 };
    VkDescriptorPoolSize sizes[TYPES] = {
        {.type = push->layout->storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
         .descriptorCount = POOL_SETS}};
    uint32_t size_count = 1;
    if (push->layout->nearest_binding != SPIRV_NO_RECORD)
        sizes[size_count++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_SAMPLER, POOL_SETS};
    for (uint32_t b = 0; b < push->layout->binding_count; b++) {
        uint32_t s = 0;
        while (s < size_count && sizes[s].type != push->layout->bindings[b].type)
            s++;
        if (s == TYPES)
            break;
        if (s == size_count)
            sizes[size_count++].type = push->layout->bindings[b].type;
        sizes[s].descriptorCount += POOL_SETS * push->layout->bindings[b].count;
    }
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = POOL_SETS,
        .poolSizeCount = size_count,
        .pPoolSizes = sizes,
    };
    struct push_pool *pool = object_alloc(command->track, NULL, sizeof(*pool));
    VkResult result =
        pool ? command->device->next.CreateDescriptorPool(command->device->handle, &info, NULL, &pool->pool)
             : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        object_free(command->track, NULL, pool, sizeof(*pool));
        command->error = result;
        return false;
    }
    pool->next = push->pools;
    push->pools = pool;
    return true;
}

VkDescriptorSet push_sets_acquire(struct command *command, struct push_state *push)
{
    struct push_pool *pool = push->pools;
    while (pool && pool->used == POOL_SETS)
        pool = pool->next;
    if (!pool && !add_pool(command, push))
        return VK_NULL_HANDLE;
    if (!pool)
        pool = push->pools;
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &push->layout->duplicate,
    };
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkResult result = OR_NULL(command->device->next.AllocateDescriptorSets(command->device->handle, &info, &set), &set);
    if (result != VK_SUCCESS) {
        command->error = result;
        return VK_NULL_HANDLE;
    }
    pool->used++;
    fill_set(command->track, push, set);
    return set;
}
