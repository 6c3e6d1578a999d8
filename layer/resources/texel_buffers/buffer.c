/* SPDX-License-Identifier: MIT */
/*
 * Buffers that uniform texel buffers may be made of, and memory that they may lie in: with addresses, where the layer
 * loads texels by address. The program's own addresses and their capture and replay are left alone.
 */
#include <stdlib.h>

#include "device/object_names.h"
#include "texel_buffers/allocation.h"
#include "texel_buffers/buffer.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/pnext.h"
#include "objects/resource_flags.h"
#include "objects/table.h"
#include "objects/track.h"
#include "texel_buffers/texel_buffers.h"
#include "texel_view/texel_view.h"

/* Views of 128-bit blocks must not end before the last texel does. */
#define BLOCK_BYTES 16u

struct buffer_plan {
    VkBufferCreateInfo info; /* for the driver */
    struct other_buffer_usage usage;
    bool tracked;
    bool address;
};

struct chained {
    uint32_t type;
    bool foreign;
};
#define ROW(NAME, TYPE, KIND) {(TYPE), (KIND) == ALLOCATION_FOREIGN},
static const struct chained allocation_structures[] = {ALLOCATION_STRUCTURES(ROW)};
static const struct chained buffer_structures[] = {BUFFER_STRUCTURES(ROW)};
#undef ROW
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_foreign(const void *chain, const struct chained *structures, size_t count)
{
    for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
        for (size_t i = 0; i < count; i++) {
            if (structures[i].foreign && (uint32_t)at->sType == structures[i].type)
                return true;
        }
    }
    return false;
}

/* True: the buffer must not change, because it is shared with other processes, or protected. */
static bool is_foreign(const VkBufferCreateInfo *info)
{
    const VkExternalMemoryBufferCreateInfo *shared =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    return (info->flags & VK_BUFFER_CREATE_PROTECTED_BIT) || (shared && shared->handleTypes) ||
           has_foreign(info->pNext, buffer_structures, COUNT(buffer_structures));
}

/* False: out of memory. `plan->info` is the program's own where nothing changes. */
static bool plan_buffer(const struct device *device, const VkBufferCreateInfo *info, struct buffer_plan *plan)
{
    *plan = (struct buffer_plan){.info = *info};
    const VkFlags64 usage = buffer_create_usage(info);
    plan->tracked = usage & VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    if (!plan->tracked || is_foreign(info))
        return true;
    /* A shader can query the length of an array in a storage buffer that is bound whole, and would see that it grew. */
    if (!(usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) && info->size <= TEXEL_VIEW_BYTES &&
        !(info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT))
        plan->info.size = (info->size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    plan->address = device->caps.texel.addresses;
    return !plan->address || (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) ||
           buffer_usage_add(&plan->info, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, &plan->usage);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct buffer_plan plan;
    if (!plan_buffer(device, pCreateInfo, &plan))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    struct buffer *buffer = plan.tracked ? object_alloc(track, pAllocator, sizeof(*buffer)) : NULL;
    VkBuffer created = VK_NULL_HANDLE;
    VkResult result = buffer || !plan.tracked ? device->next.CreateBuffer(handle, &plan.info, pAllocator, &created)
                                              : VK_ERROR_OUT_OF_HOST_MEMORY;
    free(plan.usage.chain);
    if (result == VK_SUCCESS && buffer) {
        *buffer = (struct buffer){pCreateInfo->size, plan.info.size, plan.address};
        result = TRACKED_INSERT(result, track, &track->texel_buffers->buffers, Buffer, created, buffer, pAllocator);
    }
    if (result != VK_SUCCESS) {
        object_free(track, pAllocator, buffer, sizeof(*buffer));
        return result;
    }
    *pBuffer = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyBuffer(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct buffer *known = table_remove(&device->track->texel_buffers->buffers, HANDLE_KEY(buffer));
    object_gone(&device->names, VK_OBJECT_TYPE_BUFFER, HANDLE_KEY(buffer));
    device->next.DestroyBuffer(handle, buffer, pAllocator);
    object_free(device->track, pAllocator, known, sizeof(*known));
}

/* Queries the requirements of the buffer that the layer would make. */
VKAPI_ATTR void VKAPI_CALL hook_GetDeviceBufferMemoryRequirements(VkDevice handle,
                                                                  const VkDeviceBufferMemoryRequirements *pInfo,
                                                                  VkMemoryRequirements2 *pMemoryRequirements)
{
    struct device *device = device_of(handle);
    struct buffer_plan plan;
    VkDeviceBufferMemoryRequirements for_driver = *pInfo;
    if (plan_buffer(device, pInfo->pCreateInfo, &plan))
        for_driver.pCreateInfo = &plan.info; /* else: the least that can be said */
    device->next.GetDeviceBufferMemoryRequirements(handle, &for_driver, pMemoryRequirements);
    free(plan.usage.chain);
}

/* ---- Memory ---- */

/*
 * Can buffers with addresses lie in this memory? Not in memory dedicated to an image, nor in memory that is shared with
 * others, because their buffers would have to be shared as well.
 */
static bool may_hold_addresses(const struct device *device, const VkMemoryAllocateInfo *info)
{
    const VkMemoryDedicatedAllocateInfo *dedicated =
        pnext_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    const VkExportMemoryAllocateInfo *exported = pnext_find(info->pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    const VkMemoryPropertyFlags special = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT;
    return device->caps.texel.addresses && !(dedicated && dedicated->image) && !(exported && exported->handleTypes) &&
           !has_foreign(info->pNext, allocation_structures, COUNT(allocation_structures)) &&
           info->memoryTypeIndex < device->memory.memoryTypeCount &&
           !(device->memory.memoryTypes[info->memoryTypeIndex].propertyFlags & special);
}

VKAPI_ATTR VkResult VKAPI_CALL hook_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *pAllocateInfo,
                                                   const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
    static const VkStructureType replaced[] = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    struct device *device = device_of(handle);
    const VkMemoryAllocateFlagsInfo *given = pnext_find(pAllocateInfo->pNext, replaced[0]);
    if (!may_hold_addresses(device, pAllocateInfo) || (given && (given->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT)))
        return device->next.AllocateMemory(handle, pAllocateInfo, pAllocator, pMemory);
    VkMemoryAllocateFlagsInfo flags = {.sType = replaced[0], .pNext = pAllocateInfo->pNext};
    void *rest, *memory = NULL;
    if (given) {
        if (!pnext_copy_without(pAllocateInfo->pNext, replaced, 1, &rest, &memory))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        flags = *given;
        flags.pNext = rest;
    }
    flags.flags |= VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo for_driver = *pAllocateInfo;
    for_driver.pNext = &flags;
    VkResult result = device->next.AllocateMemory(handle, &for_driver, pAllocator, pMemory);
    free(memory);
    return result;
}
