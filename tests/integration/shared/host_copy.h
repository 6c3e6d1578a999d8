/* SPDX-License-Identifier: MIT */
/*
 * Copies between host memory and images without a command buffer (VK_EXT_host_image_copy), declared here for headers
 * that are too old for them. Images are in VK_IMAGE_LAYOUT_GENERAL. Functions end the process on failure.
 */
#ifndef CLAMPLER_INTEGRATION_HOST_COPY_H
#define CLAMPLER_INTEGRATION_HOST_COPY_H

#include "harness/drawing/pipeline.h"

#define HOST_COPY_EXTENSION "VK_EXT_host_image_copy"
#define HOST_COPY_SINCE VK_MAKE_API_VERSION(0, 1, 3, 258)  /* of Vulkan */
#define HOST_COPY_FEATURES ((VkStructureType)1000270000)   /* of struct harness_features */
#define HOST_COPY_USAGE ((VkImageUsageFlagBits)0x00400000) /* VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT */

/* A sampled colour image with the usage, in GENERAL without any queue's work; harness_image_destroy ends it. */
void host_copy_create(struct harness_vulkan *vk, struct harness_image *image, VkFormat format, VkExtent3D extent);
/* The layout of a colour image of one level and layer, by the host. */
void host_copy_transition(struct harness_vulkan *vk, VkImage image, VkImageLayout before);
/* All of it, tightly packed. */
void host_copy_to_image(struct harness_vulkan *vk, VkImage image, VkExtent3D extent, const void *texels);
void host_copy_from_image(struct harness_vulkan *vk, VkImage image, VkExtent3D extent, void *texels);

#endif
