/* SPDX-License-Identifier: MIT */
/*
 * Memory that belongs to the program's instance or device, from the program's allocation callbacks where it gave some
 * (specification, "Host Memory"). Zeroed. NULL if there is none.
 */
#ifndef CLAMPLER_DEVICE_ALLOCATE_H
#define CLAMPLER_DEVICE_ALLOCATE_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan_core.h>

static inline void *allocate(const VkAllocationCallbacks *callbacks, size_t size, VkSystemAllocationScope scope)
{
    if (!callbacks)
        return calloc(1, size);
    void *memory = callbacks->pfnAllocation(callbacks->pUserData, size, _Alignof(max_align_t), scope);
    return memory ? memset(memory, 0, size) : NULL;
}

static inline void release(const VkAllocationCallbacks *callbacks, void *memory)
{
    if (!callbacks)
        free(memory);
    else if (memory)
        callbacks->pfnFree(callbacks->pUserData, memory);
}

#endif
