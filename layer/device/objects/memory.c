/* SPDX-License-Identifier: MIT */
/*
 * Acquires and releases slices of device memory. A heap allocates a block from the driver when no block has a long
 * enough run of free units, and keeps one empty block for the next pool. Where a memory type is full the next best one
 * is used.
 */
#include "objects/memory.h"

#include <stdlib.h>

#include "device/held.h"
#include "device/instance.h"
#include "objects/track.h"

enum { BLOCK_BYTES = 1 << 20 };

struct memory_block {
    struct memory_block *next;
    VkBuffer buffer;
    VkDeviceMemory memory;
    char *mapped;
    VkDeviceAddress address;
    struct units units; /* of MEMORY_UNIT bytes */
    uint32_t type;      /* of memory */
};

bool memory_heap_init(struct memory_heap *heap, bool scratch)
{
    *heap = (struct memory_heap){.scratch = scratch};
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

/* ---- Types ---- */

/* Memory types that neither heap may use, or that would be slow. */
#define SPECIAL_TYPES                                                                                                  \
    (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |                                      \
     VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD |                         \
     VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV)

enum { TYPE_RANKS = 3, REST_MOST = 32 };

/*
 * How good a type is, 0 the best; TYPE_RANKS: not at all. The layer writes records and never reads them back. Only the
 * GPU uses scratch memory, so it avoids memory that the host can map. The specification guarantees a coherent
 * host-visible type for buffers (section "Device Memory").
 */
static uint32_t type_rank(VkMemoryPropertyFlags flags, bool scratch)
{
    const VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const bool local = flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    if ((flags & SPECIAL_TYPES) || (!scratch && (flags & seen) != seen))
        return TYPE_RANKS;
    if (scratch)
        return !local ? 2 : flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT ? 1 : 0;
    return local ? 0 : 1;
}

/* Memory of which each device of a group has its own cannot be mapped (VUID-vkMapMemory-memory-00683). */
static bool can_be_mapped(const struct device *device, uint32_t type)
{
    const VkMemoryHeap *heap = &device->memory.memoryHeaps[device->memory.memoryTypes[type].heapIndex];
    return !device->group || !(heap->flags & VK_MEMORY_HEAP_MULTI_INSTANCE_BIT);
}

/* The allowed types, the best first; how many there are. Among equals the driver's own order says which is better. */
static uint32_t order_types(const struct device *device, bool scratch, uint32_t allowed,
                            uint8_t order[VK_MAX_MEMORY_TYPES])
{
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < TYPE_RANKS; rank++) {
        for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++) {
            if ((allowed >> i & 1) && (scratch || can_be_mapped(device, i)) &&
                type_rank(device->memory.memoryTypes[i].propertyFlags, scratch) == rank)
                order[count++] = (uint8_t)i;
        }
    }
    return count;
}

/* Bytes of each heap that are left by the budget of this process, where the program enabled VK_EXT_memory_budget. */
static void read_budget(const struct device *device, VkDeviceSize left[VK_MAX_MEMORY_HEAPS])
{
    const PFN_vkGetPhysicalDeviceMemoryProperties2 query =
        device->caps.memory_budget ? instance_memory2(device->instance, device->physical) : NULL;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                                    .pNext = &budget};
    if (query)
        query(device->physical, &properties);
    for (uint32_t i = 0; i < VK_MAX_MEMORY_HEAPS; i++)
        left[i] = !query                                       ? UINT64_MAX
                  : budget.heapBudget[i] > budget.heapUsage[i] ? budget.heapBudget[i] - budget.heapUsage[i]
                                                               : 0;
}

/* Under the lock; others may read the counts. */
static void count_block(struct memory_heap *heap, struct memory_type *type, bool fallback)
{
    atomic_fetch_add_explicit(&type->blocks, 1, memory_order_relaxed);
    if (fallback)
        atomic_fetch_add_explicit(&heap->fallbacks, 1, memory_order_relaxed);
}

/* Under the lock. */
static void type_was_full(struct memory_type *type)
{
    type->rest = type->next_rest;
    type->next_rest = type->next_rest < REST_MOST / 2 ? 2 * type->next_rest + 1 : REST_MOST;
}

/* ---- Blocks ---- */

static VkBufferUsageFlags buffer_usage(const struct device *device, bool scratch)
{
    const VkBufferUsageFlags records = device->caps.record_storage
                                           ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                           : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copies =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return (scratch ? copies : records) |
           (device->caps.buffer_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0u);
}

/* Memory of one type for a block, mapped unless it is scratch memory. Nothing is kept on failure. */
static VkResult take_memory(struct device *device, bool scratch, uint32_t type, VkDeviceSize bytes,
                            struct memory_block *block)
{
    /* Every lookup reads records: they are the last thing that should move away from the GPU. */
    const VkMemoryPriorityAllocateInfoEXT priority = {.sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
                                                      .priority = scratch ? 0.5f : 1.0f};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = device->caps.memory_priority ? &priority : NULL,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = device->caps.buffer_address ? &flags : flags.pNext,
        .allocationSize = bytes,
        .memoryTypeIndex = type,
    };
    void *mapped = NULL;
    VkResult result = OR_NULL(device->next.AllocateMemory(device->handle, &info, NULL, &block->memory), &block->memory);
    if (result == VK_SUCCESS && !scratch) {
        result = device->next.MapMemory(device->handle, block->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
        if (result != VK_SUCCESS) {
            device->next.FreeMemory(device->handle, block->memory, NULL);
            block->memory = VK_NULL_HANDLE;
        }
    }
    block->mapped = result == VK_SUCCESS ? mapped : NULL;
    block->type = type;
    return result;
}

/* Does another type of memory help? Not where there are too many allocations, nor where the device is lost. */
static bool is_full(VkResult result)
{
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY ||
           result == VK_ERROR_MEMORY_MAP_FAILED;
}

/*
 * From the best type that has it. Types that were full lately, or whose heap has no budget left, come after all others.
 * Under the lock.
 */
static VkResult find_memory(struct device *device, struct memory_heap *heap, const VkMemoryRequirements *wanted,
                            struct memory_block *block)
{
    uint8_t order[VK_MAX_MEMORY_TYPES];
    VkDeviceSize left[VK_MAX_MEMORY_HEAPS];
    const uint32_t count = order_types(device, heap->scratch, wanted->memoryTypeBits, order);
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    uint32_t later = 0;
    read_budget(device, left);
    for (uint32_t i = 0; i < 2 * count; i++) {
        const uint32_t number = order[i % count];
        struct memory_type *type = &heap->types[number];
        const bool waits = type->rest || left[device->memory.memoryTypes[number].heapIndex] < wanted->size;
        if (i < count && waits) {
            later |= 1u << number;
            type->rest -= type->rest ? 1 : 0;
            continue;
        }
        if (i >= count && !(later >> number & 1))
            continue;
        result = take_memory(device, heap->scratch, number, wanted->size, block);
        if (result == VK_SUCCESS) {
            type->next_rest = 0;
            count_block(heap, type, number != order[0]);
            return VK_SUCCESS;
        }
        if (!is_full(result))
            return result;
        type_was_full(type);
    }
    return result;
}

static VkResult create_block(struct device *device, struct memory_heap *heap, uint32_t bytes, struct memory_block **out)
{
    struct memory_block *block = calloc(1, sizeof(*block));
    if (!block)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!units_init(&block->units, bytes / MEMORY_UNIT))
        goto fail;

    /* Records are read by all queues, without transfers of ownership (section "Resource Sharing"). */
    const bool shared = !heap->scratch && device->family_count > 1;
    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = buffer_usage(device, heap->scratch),
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? device->family_count : 0,
        .pQueueFamilyIndices = shared ? device->families : NULL,
    };
    result = OR_NULL(device->next.CreateBuffer(device->handle, &buffer_info, NULL, &block->buffer), &block->buffer);
    if (result != VK_SUCCESS)
        goto fail;
    VkMemoryRequirements requirements;
    device->next.GetBufferMemoryRequirements(device->handle, block->buffer, &requirements);
    result = find_memory(device, heap, &requirements, block);
    if (result != VK_SUCCESS)
        goto fail;
    result = device->next.BindBufferMemory(device->handle, block->buffer, block->memory, 0);
    if (result != VK_SUCCESS)
        goto fail;
    const VkBufferDeviceAddressInfo address_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                    .buffer = block->buffer};
    if (device->caps.buffer_address)
        block->address = device->next.GetBufferDeviceAddress(device->handle, &address_info);
    *out = block;
    return VK_SUCCESS;
fail:
    destroy_block(device, block);
    return result;
}

/* A block for several slices, or, where there is no memory for that, one of this slice's size. */
static VkResult add_block(struct device *device, struct memory_heap *heap, uint32_t size, struct memory_block **block)
{
    VkResult result = create_block(device, heap, size > BLOCK_BYTES ? size : BLOCK_BYTES, block);
    if (size < BLOCK_BYTES && is_full(result))
        result = create_block(device, heap, size, block);
    return result;
}

static bool take_from(struct memory_block *block, uint32_t size, struct memory_slice *slice)
{
    uint32_t first = units_acquire(&block->units, size / MEMORY_UNIT);
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

VkResult memory_acquire(struct device *device, struct memory_heap *heap, uint32_t size, struct memory_slice *slice)
{
    VkResult result = VK_SUCCESS;
    if (size > UINT32_MAX - MEMORY_UNIT)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    size = (size + MEMORY_UNIT - 1) / MEMORY_UNIT * MEMORY_UNIT;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&heap->lock);
    for (struct memory_block *block = heap->blocks; block; block = block->next) {
        if (take_from(block, size, slice))
            goto done;
    }
    struct memory_block *block = NULL;
    result = add_block(device, heap, size, &block);
    if (result == VK_SUCCESS) {
        block->next = heap->blocks;
        heap->blocks = block;
        take_from(block, size, slice);
    }
done:
    pthread_mutex_unlock(&heap->lock);
    messages_release(&held);
    return result_within(result);
}

void memory_release(struct device *device, struct memory_heap *heap, struct memory_slice *slice)
{
    struct memory_block *block = slice->block;
    if (!block)
        return;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&heap->lock);
    units_release(&block->units, (uint32_t)(slice->offset / MEMORY_UNIT), slice->size / MEMORY_UNIT);
    /* One empty block is kept for the next pool; a second one goes back to the driver. */
    if (block->units.taken == 0 && heap->blocks->next) {
        struct memory_block **link = &heap->blocks;
        while (*link != block)
            link = &(*link)->next;
        *link = block->next;
        heap->types[block->type].rest = 0; /* there is room in it again */
        destroy_block(device, block);
    }
    pthread_mutex_unlock(&heap->lock);
    messages_release(&held);
    *slice = (struct memory_slice){0};
}
