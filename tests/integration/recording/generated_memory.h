/* SPDX-License-Identifier: MIT */
/* Memory that generated commands want for themselves (VK_EXT_ and VK_NV_device_generated_commands). */
#ifndef CLAMPLER_INTEGRATION_GENERATED_MEMORY_H
#define CLAMPLER_INTEGRATION_GENERATED_MEMORY_H

#include "newer_vulkan.h"
#include "harness/resources/resources.h"

/* Usages: of the buffer that commands are preprocessed into. That of EXT needs VkBufferUsageFlags2CreateInfoKHR. */
#define GENERATED_PREPROCESS_EXT UINT64_C(0x80000000)
#define GENERATED_PREPROCESS_NV UINT64_C(0x00000100) /* an indirect buffer */

struct generated_memory {
    VkBuffer buffer; /* VK_NULL_HANDLE: none is needed */
    VkDeviceMemory memory;
    VkDeviceAddress address; /* aligned as is required; what it is in the buffer is `offset` */
    VkDeviceSize offset, size;
};

void generated_memory_open(struct harness_vulkan *vk, struct generated_memory *memory,
                           const VkMemoryRequirements *needs, VkFlags64 usage);
void generated_memory_close(struct harness_vulkan *vk, struct generated_memory *memory);

#endif
