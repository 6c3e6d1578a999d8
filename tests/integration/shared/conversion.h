/* SPDX-License-Identifier: MIT */
/*
 * An image of two planes that is looked up through a YCbCr conversion: of colours as they are, so that red is the
 * second of each chroma texel. Devices have the feature samplerYcbcrConversion.
 */
#ifndef CLAMPLER_INTEGRATION_CONVERSION_H
#define CLAMPLER_INTEGRATION_CONVERSION_H

#include "harness/resources/resources.h"

enum { CONVERSION_RED = 153 }; /* of 255, everywhere */

/* The create-infos name each other. It must not move. */
struct conversion {
    VkSamplerYcbcrConversion handle;
    const VkAllocationCallbacks *callbacks; /* of the handle; NULL: none */
    VkSamplerYcbcrConversionInfo with;
    VkSamplerCreateInfo sampler_info;
    VkImageViewCreateInfo view_info;
    VkImage image;
    VkDeviceMemory memory;
    uint32_t descriptors; /* of the driver's, that one takes */
};

/* How many of its descriptors one takes; 0: the driver has no such images. */
uint32_t conversion_descriptors(const struct harness_vulkan *vk);

void conversion_open(struct harness_vulkan *vk, struct conversion *c, const VkAllocationCallbacks *callbacks);
void conversion_close(struct harness_vulkan *vk, struct conversion *c);

#endif
