/* SPDX-License-Identifier: MIT */
/*
 * Takes and gives back slices of device memory. A heap asks the driver for a block when no block has a long enough run
 * of free units, and keeps one empty block for the next pool.
 */
#include "objects/memory.h"

#include <stdlib.h>

#include "objects/track.h"

enum { BLOCK_BYTES = 1 << 20 };

struct memory_block {
    struct memory_block *next;
    VkBuffer buffer;
    VkDeviceMemory memory;
    char *mapped;
    VkDeviceAddress address;
    struct units units; /* of MEMORY_UNIT bytes */
};

bool memory_heap_init(struct memory_heap *heap, bool scratch)
{
    heap->scratch = scratch;
    heap->blocks = NULL;
    return pthread_mutex_init(&heap->lock, NULL) == 0;
}

static void destroy_block(struct device *device, struct memory_block *block)
{
    device->next.DestroyBuffer(device->handle, block->buffer, NULL);
    device->next.FreeMemory(device->handle, block->memory, NULL); /* unmaps */
    units_finish(&block->units);
    free(block);
}

void memory_heap_finish(struct device *device, struct memory_heap *heap)
{
    while (heap->blocks) {
        struct memory_block *block = heap->blocks;
        heap->blocks = block->next;
        destroy_block(device, block);
    }
    pthread_mutex_destroy(&heap->lock);
}

/*
 * Memory close to the GPU if there is such. The specification guarantees a coherent host-visible type for buffers
 * (section "Device Memory"). The layer writes records and never reads them back from here.
 */
static uint32_t pick_memory_type(const struct device *device, bool scratch, uint32_t allowed)
{
    const VkMemoryPropertyFlags needed =
        scratch ? 0 : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags wanted[] = {needed | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, needed};
    for (unsigned w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
            VkMemoryPropertyFlags flags = device->memory.memoryTypes[i].propertyFlags;
            bool special = flags & (VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                    VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT);
            if ((allowed >> i & 1) && (flags & wanted[w]) == wanted[w] && !special)
                return i;
        }
    }
    return UINT32_MAX;
}

static VkBufferUsageFlags buffer_usage(const struct device *device, bool scratch)
{
    const VkBufferUsageFlags records = device->record_storage
                                           ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                           : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copies =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return (scratch ? copies : records) | (device->buffer_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0u);
}

/* The addressed and the mapped side of memory that is bound. */
static VkResult open_block(struct device *device, bool scratch, struct memory_block *block)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = block->buffer};
    if (device->buffer_address)
        block->address = device->next.GetBufferDeviceAddress(device->handle, &info);
    void *mapped = NULL;
    VkResult result =
        scratch ? VK_SUCCESS : device->next.MapMemory(device->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    block->mapped = mapped;
    return result;
}

static VkResult create_block(struct device *device, bool scratch, uint32_t size, struct memory_block **out)
{
    struct memory_block *block = calloc(1, sizeof(*block));
    if (!block)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint32_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!units_init(&block->units, bytes / MEMORY_UNIT))
        goto fail;

    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = buffer_usage(device, scratch),
    };
    result = OR_NULL(device->next.CreateBuffer(device->handle, &buffer_info, NULL, &block->buffer), &block->buffer);
    if (result != VK_SUCCESS)
        goto fail;
    VkMemoryRequirements requirements;
    device->next.GetBufferMemoryRequirements(device->handle, block->buffer, &requirements);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocate_info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = device->buffer_address ? &flags : NULL,
        .allocationSize = requirements.size,
        .memoryTypeIndex = pick_memory_type(device, scratch, requirements.memoryTypeBits),
    };
    result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (allocate_info.memoryTypeIndex == UINT32_MAX)
        goto fail;
    result = OR_NULL(device->next.AllocateMemory(device->handle, &allocate_info, NULL, &block->memory), &block->memory);
    if (result != VK_SUCCESS)
        goto fail;
    result = device->next.BindBufferMemory(device->handle, block->buffer, block->memory, 0);
    if (result != VK_SUCCESS)
        goto fail;
    result = open_block(device, scratch, block);
    if (result != VK_SUCCESS)
        goto fail;
    *out = block;
    return VK_SUCCESS;
fail:
    destroy_block(device, block);
    return result;
}

static bool take_from(struct memory_block *block, uint32_t size, struct memory_slice *slice)
{
    uint32_t first = units_take(&block->units, size / MEMORY_UNIT);
    if (first == UNITS_NONE)
        return false;
    *slice = (struct memory_slice){
        .block = block,
        .buffer = block->buffer,
        .offset = (VkDeviceSize)first * MEMORY_UNIT,
        .size = size,
        .mapped = block->mapped ? block->mapped + (size_t)first * MEMORY_UNIT : NULL,
        .address = block->address ? block->address + (VkDeviceSize)first * MEMORY_UNIT : 0,
    };
    return true;
}

VkResult memory_take(struct device *device, struct memory_heap *heap, uint32_t size, struct memory_slice *slice)
{
    VkResult result = VK_SUCCESS;
    if (size > UINT32_MAX - MEMORY_UNIT)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    size = (size + MEMORY_UNIT - 1) / MEMORY_UNIT * MEMORY_UNIT;
    pthread_mutex_lock(&heap->lock);
    for (struct memory_block *block = heap->blocks; block; block = block->next) {
        if (take_from(block, size, slice))
            goto done;
    }
    struct memory_block *block = NULL;
    result = create_block(device, heap->scratch, size, &block);
    if (result == VK_SUCCESS) {
        block->next = heap->blocks;
        heap->blocks = block;
        take_from(block, size, slice);
    }
done:
    pthread_mutex_unlock(&heap->lock);
    return result;
}

void memory_give(struct device *device, struct memory_heap *heap, struct memory_slice *slice)
{
    struct memory_block *block = slice->block;
    if (!block)
        return;
    pthread_mutex_lock(&heap->lock);
    units_give(&block->units, (uint32_t)(slice->offset / MEMORY_UNIT), slice->size / MEMORY_UNIT);
    /* One empty block is kept for the next pool; a second one goes back to the driver. */
    if (block->units.taken == 0 && heap->blocks->next) {
        struct memory_block **link = &heap->blocks;
        while (*link != block)
            link = &(*link)->next;
        *link = block->next;
        destroy_block(device, block);
    }
    pthread_mutex_unlock(&heap->lock);
    *slice = (struct memory_slice){0};
}
