/* SPDX-License-Identifier: MIT */
/* Comparing limits, whose structure has gaps that drivers leave as they find them. */
#ifndef HARNESS_LIMITS_H
#define HARNESS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <vulkan/vulkan_core.h>

static inline bool harness_same_limits(const VkPhysicalDeviceLimits *a, const VkPhysicalDeviceLimits *b)
{
    /* The member behind each gap, and the end of what lies before it. */
    static const size_t runs[][2] = {
        {0, offsetof(VkPhysicalDeviceLimits, maxSamplerAllocationCount) + sizeof(a->maxSamplerAllocationCount)},
        {offsetof(VkPhysicalDeviceLimits, bufferImageGranularity),
         offsetof(VkPhysicalDeviceLimits, viewportSubPixelBits) + sizeof(a->viewportSubPixelBits)},
        {offsetof(VkPhysicalDeviceLimits, minMemoryMapAlignment),
         offsetof(VkPhysicalDeviceLimits, standardSampleLocations) + sizeof(a->standardSampleLocations)},
        {offsetof(VkPhysicalDeviceLimits, optimalBufferCopyOffsetAlignment), sizeof(*a)},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
        same &= memcmp((const char *)a + runs[i][0], (const char *)b + runs[i][0], runs[i][1] - runs[i][0]) == 0;
    return same;
}

#endif
