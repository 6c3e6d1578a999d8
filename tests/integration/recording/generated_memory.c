/* SPDX-License-Identifier: MIT */
#include "integration/recording/generated_memory.h"

void generated_memory_open(struct harness_vulkan *vk, struct generated_memory *memory,
                           const VkMemoryRequirements *needs, VkFlags64 usage)
{
    *memory = (struct generated_memory){.size = needs->size};
    if (!needs->size)
        return;
    const VkDeviceSize alignment = needs->alignment ? needs->alignment : 1;
    const VkBufferUsageFlags2CreateInfoKHR usage_2 = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR,
                                                      .usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .pNext = usage & GENERATED_PREPROCESS_EXT ? &usage_2 : NULL,
                                       .size = needs->size + alignment,
                                       .usage = (VkBufferUsageFlags)(usage & ~GENERATED_PREPROCESS_EXT) |
                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    HARNESS_VK(vkCreateBuffer(vk->device, &buffer, NULL, &memory->buffer));
    VkMemoryRequirements own;
    vkGetBufferMemoryRequirements(vk->device, memory->buffer, &own);
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = own.size,
                                       .memoryTypeIndex =
                                           (uint32_t)__builtin_ctz(own.memoryTypeBits & needs->memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(vk->device, &info, NULL, &memory->memory));
    HARNESS_VK(vkBindBufferMemory(vk->device, memory->buffer, memory->memory, 0));
    const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                               .buffer = memory->buffer};
    const VkDeviceAddress first = vkGetBufferDeviceAddress(vk->device, &address);
    memory->address = (first + alignment - 1) / alignment * alignment;
    memory->offset = memory->address - first;
}

void generated_memory_close(struct harness_vulkan *vk, struct generated_memory *memory)
{
    vkDestroyBuffer(vk->device, memory->buffer, NULL);
    vkFreeMemory(vk->device, memory->memory, NULL);
}
