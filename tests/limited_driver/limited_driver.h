/* SPDX-License-Identifier: MIT */
/*
 * The limited driver, VK_LAYER_CLAMPLER_TEST_limited_driver: what a test reads of it. README.md says how to load it.
 *
 * Whatever uses something that the profile hides, or that is destroyed, is a violation: printed, kept in a list, and
 * readable through
 *
 *     PFN_limitedDriverGetViolations get =
 *         (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(device, "vkGetViolationsLIMITED");
 *
 * or, where there is no device (vkCreateDevice was refused), with the physical device:
 *
 *     PFN_limitedDriverGetPhysicalDeviceViolations get = (PFN_limitedDriverGetPhysicalDeviceViolations)
 *         vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceViolationsLIMITED");
 *
 * Both are NULL where the layer is not loaded. There is one list an instance; it goes with vkDestroyInstance.
 */
#ifndef LIMITED_DRIVER_H
#define LIMITED_DRIVER_H

#include <vulkan/vulkan_core.h>

enum limited_driver_kind {
    LIMITED_DRIVER_EXTENSION, /* name: the device extension */
    LIMITED_DRIVER_FEATURE,   /* name: the member of the feature structure */
    LIMITED_DRIVER_FORMAT,    /* name: the format feature, as in profiles (SAMPLED_IMAGE_FILTER_LINEAR) */
    LIMITED_DRIVER_LIMIT,     /* name: the limit */
    LIMITED_DRIVER_OBJECT,    /* name: the type of an object that is destroyed ("VkSampler") */
};

struct limited_driver_violation {
    enum limited_driver_kind kind;
    char name[64];    /* what is hidden, or destroyed */
    char command[64]; /* the command that used it */
    char text[256];   /* for people */
};

/*
 * Copies up to `capacity` violations, the oldest first, and returns how many there have been; `violations` may be NULL
 * if capacity is 0. The first 1,024 are kept, all are counted. Thread-safe.
 */
typedef uint32_t(VKAPI_PTR *PFN_limitedDriverGetViolations)(VkDevice device, uint32_t capacity,
                                                            struct limited_driver_violation *violations);
typedef uint32_t(VKAPI_PTR *PFN_limitedDriverGetPhysicalDeviceViolations)(VkPhysicalDevice physical, uint32_t capacity,
                                                                          struct limited_driver_violation *violations);

#endif
