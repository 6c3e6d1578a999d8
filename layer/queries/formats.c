/* SPDX-License-Identifier: MIT */
/* What formats can do, as programs are told: every query says the same. */
#include "device/instance.h"
#include "queries/queries.h"
#include "device/structure_chain.h"
#include "vulkan_formats.h"

/*
 * What the layer filters in the shader if the setting says so: whatever is sampled as floats. Integers have no linear
 * filter in Vulkan; compressed formats are filtered wherever they can be sampled.
 */
static bool filters_by_itself(const struct instance *instance, VkFormat format)
{
    const bool depth = vulkan_format(format)->bits[VULKAN_DEPTH];
    return instance->settings.linear_fallback == FALLBACK_SHADER && (depth || texel_layout_of(format));
}

static VkFormatFeatureFlags with_linear(VkFormatFeatureFlags features)
{
    return features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT ? features | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
                                                          : features;
}

static VkFormatFeatureFlags2 with_linear2(VkFormatFeatureFlags2 features)
{
    return features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT
               ? features | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT
               : features;
}

/* Adds what the layer does to what the driver said; `wide` may be NULL. */
static void promise(const struct instance *instance, VkFormat format, VkFormatProperties *properties,
                    VkFormatProperties3 *wide)
{
    if (texel_promises_format(instance, format)) {
        properties->bufferFeatures |= VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
        if (wide)
            wide->bufferFeatures |= VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
    }
    if (filters_by_itself(instance, format)) {
        properties->linearTilingFeatures = with_linear(properties->linearTilingFeatures);
        properties->optimalTilingFeatures = with_linear(properties->optimalTilingFeatures);
        if (wide) {
            wide->linearTilingFeatures = with_linear2(wide->linearTilingFeatures);
            wide->optimalTilingFeatures = with_linear2(wide->optimalTilingFeatures);
        }
    }
}

static void query_formats2(PFN_vkGetPhysicalDeviceFormatProperties2 query, VkPhysicalDevice physical, VkFormat format,
                           VkFormatProperties2 *properties)
{
    query(physical, format, properties);
    promise(instance_of(physical), format, &properties->formatProperties,
            (void *)(uintptr_t)pnext_find(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3));
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                  VkFormatProperties *pProperties)
{
    const struct instance *instance = instance_of(physicalDevice);
    instance->next.GetPhysicalDeviceFormatProperties(physicalDevice, format, pProperties);
    promise(instance, format, pProperties, NULL);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                   VkFormatProperties2 *pProperties)
{
    query_formats2(instance_of(physicalDevice)->next.GetPhysicalDeviceFormatProperties2, physicalDevice, format,
                   pProperties);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFormatProperties2KHR(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                      VkFormatProperties2 *pProperties)
{
    query_formats2(instance_of(physicalDevice)->next.GetPhysicalDeviceFormatProperties2KHR, physicalDevice, format,
                   pProperties);
}
