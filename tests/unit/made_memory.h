/* SPDX-License-Identifier: MIT */
/*
 * A driver's buffers and memory, made up for tests of single subsystems: a few blocks of the host's, as many as are
 * alive at a time, and buffers at their beginning. Device addresses are the host's. One thread.
 */
#ifndef CLAMPLER_TESTS_MADE_MEMORY_H
#define CLAMPLER_TESTS_MADE_MEMORY_H

#include "device/device.h"

enum { MADE_BLOCKS = 4, MADE_BLOCK_BYTES = 1 << 22 };

/* All blocks are free, and the device has one type of memory, which the host sees. Before each test. */
void made_memory_open(struct device *known);

/* In the initializer of the test's dispatch. */
#define MADE_MEMORY                                                                                                    \
    .CreateBuffer = made_buffer, .DestroyBuffer = made_buffer_drop, .GetBufferMemoryRequirements = made_buffer_needs,  \
    .AllocateMemory = made_memory, .FreeMemory = made_memory_drop, .BindBufferMemory = made_memory_bind,               \
    .MapMemory = made_memory_map, .GetBufferDeviceAddress = made_buffer_address

VKAPI_ATTR VkResult VKAPI_CALL made_buffer(VkDevice handle, const VkBufferCreateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkBuffer *buffer);
VKAPI_ATTR void VKAPI_CALL made_buffer_drop(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *callbacks);
VKAPI_ATTR void VKAPI_CALL made_buffer_needs(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs);
VKAPI_ATTR VkResult VKAPI_CALL made_memory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                           const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory);
VKAPI_ATTR void VKAPI_CALL made_memory_drop(VkDevice handle, VkDeviceMemory memory,
                                            const VkAllocationCallbacks *callbacks);
VKAPI_ATTR VkResult VKAPI_CALL made_memory_bind(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory,
                                                VkDeviceSize offset);
VKAPI_ATTR VkResult VKAPI_CALL made_memory_map(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset,
                                               VkDeviceSize size, VkMemoryMapFlags flags, void **mapped);
VKAPI_ATTR VkDeviceAddress VKAPI_CALL made_buffer_address(VkDevice handle, const VkBufferDeviceAddressInfo *info);

#endif
