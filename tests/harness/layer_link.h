/* SPDX-License-Identifier: MIT */
/* What the loader chains for a layer of the tests when an instance or a device is made: the next layer. */
#ifndef CLAMPLER_HARNESS_LAYER_LINK_H
#define CLAMPLER_HARNESS_LAYER_LINK_H

#include <stdint.h>

#include <vulkan/vulkan.h>

#include <vulkan/vk_layer.h>

/* NULL: none is there. The layer steps on in it before it calls the next one, as Vulkan-Loader's documents say. */
static inline VkLayerInstanceCreateInfo *layer_link_of_instance(const VkInstanceCreateInfo *info)
{
    VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link &&
           (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    return link;
}

static inline VkLayerDeviceCreateInfo *layer_link_of_device(const VkDeviceCreateInfo *info)
{
    VkLayerDeviceCreateInfo *link = (void *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    return link;
}

#endif
