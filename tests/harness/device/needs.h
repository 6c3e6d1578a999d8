/* SPDX-License-Identifier: MIT */
/* What a device is asked for and the driver lacks. */
#ifndef CLAMPLER_HARNESS_NEEDS_H
#define CLAMPLER_HARNESS_NEEDS_H

#include <vulkan/vulkan.h>

/*
 * The first extension or feature that a create-info asks for and the physical device lacks, or NULL: the create-info's
 * string, or a static one. The extension VK_CLAMPLER_gl_sampler and structures that the registry does not know are
 * passed over. Ask it of the driver itself, not of the layer: what the layer withholds is no reason to skip a test.
 */
const char *harness_missing(VkPhysicalDevice physical, const VkDeviceCreateInfo *info);

#endif
