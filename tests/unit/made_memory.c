/* SPDX-License-Identifier: MIT */
#include "made_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static _Alignas(4096) char blocks[MADE_BLOCKS][MADE_BLOCK_BYTES];

/* A handle is a place's number and one more. */
static struct {
    bool buffers[MADE_BLOCKS], memories[MADE_BLOCKS];
    VkDeviceMemory bound[MADE_BLOCKS]; /* by buffer */
} made;

void made_memory_open(struct device *known)
{
    memset(&made, 0, sizeof(made));
    known->memory.memoryTypeCount = 1;
    known->memory.memoryTypes[0].propertyFlags =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

static uintptr_t take(bool *taken)
{
    uintptr_t place = 0;
    while (place < MADE_BLOCKS && taken[place])
        place++;
    assert_true(place < MADE_BLOCKS);
    taken[place] = true;
    return place + 1;
}

static void drop(bool *taken, uintptr_t handle)
{
    if (!handle)
        return;
    assert_true(handle <= MADE_BLOCKS && taken[handle - 1]);
    taken[handle - 1] = false;
}

static char *block_of(VkDeviceMemory memory)
{
    assert_true((uintptr_t)memory <= MADE_BLOCKS && made.memories[(uintptr_t)memory - 1]);
    return blocks[(uintptr_t)memory - 1];
}

VKAPI_ATTR VkResult VKAPI_CALL made_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    (void)handle, (void)callbacks;
    assert_true(info->size <= MADE_BLOCK_BYTES);
    *buffer = (VkBuffer)take(made.buffers);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL made_buffer_drop(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    drop(made.buffers, (uintptr_t)buffer);
}

VKAPI_ATTR void VKAPI_CALL made_buffer_needs(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs)
{
    (void)handle, (void)buffer;
    *needs = (VkMemoryRequirements){MADE_BLOCK_BYTES, 1, 1};
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    (void)handle, (void)callbacks;
    assert_true(info->allocationSize <= MADE_BLOCK_BYTES);
    *memory = (VkDeviceMemory)take(made.memories);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL made_memory_drop(VkDevice handle, VkDeviceMemory memory,
                                            const VkAllocationCallbacks *callbacks)
{
    (void)handle, (void)callbacks;
    drop(made.memories, (uintptr_t)memory);
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory_bind(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                                VkDeviceSize offset)
{
    (void)handle;
    assert_int_equal(offset, 0);
    made.bound[(uintptr_t)buffer - 1] = memory;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL made_memory_map(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset,
                                               VkDeviceSize size, VkMemoryMapFlags flags, void **mapped)
{
    (void)handle, (void)size, (void)flags;
    *mapped = block_of(memory) + offset;
    return VK_SUCCESS;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL made_buffer_address(VkDevice handle, const VkBufferDeviceAddressInfo *info)
{
    (void)handle;
    return (VkDeviceAddress)(uintptr_t)block_of(made.bound[(uintptr_t)info->buffer - 1]);
}
