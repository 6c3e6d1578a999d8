/* SPDX-License-Identifier: MIT */
/* What physical-device queries answer: the driver's answer less what the profile hides, by every name of the query. */
#include <stdlib.h>
#include <string.h>

#include "layer.h"

/* ---- Extensions ---- */

VKAPI_ATTR VkResult hook_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                                            uint32_t *count, VkExtensionProperties *properties)
{
    struct instance *instance = instance_of(physical);
    if (layer && !strcmp(layer, LIMITED_DRIVER_NAME)) {
        *count = 0;
        return VK_SUCCESS;
    }
    uint32_t total = 0;
    VkResult result = instance->next.EnumerateDeviceExtensionProperties(physical, layer, &total, NULL);
    if (result != VK_SUCCESS)
        return result;
    VkExtensionProperties *all = calloc(total ? total : 1, sizeof(*all));
    if (!all)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = instance->next.EnumerateDeviceExtensionProperties(physical, layer, &total, all);
    uint32_t kept = 0;
    for (uint32_t i = 0; result >= 0 && i < total; i++)
        if (!profile_hides_extension(instance->profile, all[i].extensionName))
            all[kept++] = all[i];
    if (result >= 0 && !properties) {
        *count = kept;
    } else if (result >= 0) {
        if (kept > *count)
            result = VK_INCOMPLETE;
        else
            *count = kept;
        memcpy(properties, all, *count * sizeof(*all));
    }
    free(all);
    return result;
}

/* ---- Features and properties ---- */

VKAPI_ATTR void hook_GetPhysicalDeviceFeatures(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *features)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceFeatures(physical, features);
    profile_reduce(instance->profile, REGISTRY_FEATURES, features);
}

VKAPI_ATTR void hook_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceFeatures2(physical, features);
    profile_reduce(instance->profile, REGISTRY_FEATURES, &features->features);
    profile_reduce_chain(instance->profile, features->pNext);
}

static void reduce_properties(const struct profile *profile, VkPhysicalDeviceProperties *properties)
{
    uint32_t version = profile_api_version(profile);
    if (properties->apiVersion > version)
        properties->apiVersion = version | VK_API_VERSION_PATCH(properties->apiVersion);
    profile_reduce(profile, REGISTRY_LIMITS, &properties->limits);
    profile_reduce(profile, REGISTRY_SPARSE_PROPERTIES, &properties->sparseProperties);
}

VKAPI_ATTR void hook_GetPhysicalDeviceProperties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceProperties(physical, properties);
    reduce_properties(instance->profile, properties);
}

VKAPI_ATTR void hook_GetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *properties)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceProperties2(physical, properties);
    reduce_properties(instance->profile, &properties->properties);
    profile_reduce_chain(instance->profile, properties->pNext);
}

/* ---- Formats ---- */

static void reduce_format(const struct profile *profile, VkFormat format, VkFormatProperties *properties)
{
    properties->linearTilingFeatures &=
        (VkFormatFeatureFlags)~profile_hidden_format_features(profile, format, PROFILE_LINEAR);
    properties->optimalTilingFeatures &=
        (VkFormatFeatureFlags)~profile_hidden_format_features(profile, format, PROFILE_OPTIMAL);
    properties->bufferFeatures &=
        (VkFormatFeatureFlags)~profile_hidden_format_features(profile, format, PROFILE_BUFFER);
}

VKAPI_ATTR void hook_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                       VkFormatProperties *properties)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceFormatProperties(physical, format, properties);
    reduce_format(instance->profile, format, properties);
}

static void reduce_format_chain(const struct profile *profile, VkFormat format, void *chain)
{
    uint64_t optimal = profile_hidden_format_features(profile, format, PROFILE_OPTIMAL);
    for (VkBaseOutStructure *structure = chain; structure; structure = structure->pNext) {
        if (structure->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3) {
            VkFormatProperties3 *properties = (VkFormatProperties3 *)structure;
            properties->linearTilingFeatures &= ~profile_hidden_format_features(profile, format, PROFILE_LINEAR);
            properties->optimalTilingFeatures &= ~optimal;
            properties->bufferFeatures &= ~profile_hidden_format_features(profile, format, PROFILE_BUFFER);
        } else if (structure->sType == VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT) {
            VkDrmFormatModifierPropertiesListEXT *list = (VkDrmFormatModifierPropertiesListEXT *)structure;
            for (uint32_t i = 0; list->pDrmFormatModifierProperties && i < list->drmFormatModifierCount; i++)
                list->pDrmFormatModifierProperties[i].drmFormatModifierTilingFeatures &= (VkFormatFeatureFlags)~optimal;
        } else if (structure->sType == VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT) {
            VkDrmFormatModifierPropertiesList2EXT *list = (VkDrmFormatModifierPropertiesList2EXT *)structure;
            for (uint32_t i = 0; list->pDrmFormatModifierProperties && i < list->drmFormatModifierCount; i++)
                list->pDrmFormatModifierProperties[i].drmFormatModifierTilingFeatures &= ~optimal;
        }
    }
}

VKAPI_ATTR void hook_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physical, VkFormat format,
                                                        VkFormatProperties2 *properties)
{
    struct instance *instance = instance_of(physical);
    instance->next.GetPhysicalDeviceFormatProperties2(physical, format, properties);
    reduce_format(instance->profile, format, &properties->formatProperties);
    reduce_format_chain(instance->profile, format, properties->pNext);
}

/* ---- Images ---- */

/* Whether a usage needs a hidden feature; views of another format may be allowed more than the image's own format. */
static bool image_hidden(const struct profile *profile, VkFormat format, VkImageTiling tiling, VkImageUsageFlags usage,
                         VkImageCreateFlags flags)
{
    if (flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT)
        return false;
    return (format_features_of_usage(usage) &
            profile_hidden_format_features(profile, format, profile_tiling(tiling))) != 0;
}

static uint32_t least(const struct profile *profile, const char *limit, uint32_t number)
{
    union profile_value value;
    return profile_limit(profile, limit, &value) && value.whole < number ? (uint32_t)value.whole : number;
}

static void reduce_image(const struct profile *profile, VkImageType type, VkImageCreateFlags flags,
                         VkImageFormatProperties *properties)
{
    const char *limit = type == VK_IMAGE_TYPE_1D                      ? "maxImageDimension1D"
                        : type == VK_IMAGE_TYPE_3D                    ? "maxImageDimension3D"
                        : flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT ? "maxImageDimensionCube"
                                                                      : "maxImageDimension2D";
    VkExtent3D *extent = &properties->maxExtent;
    extent->width = least(profile, limit, extent->width);
    extent->height = least(profile, limit, extent->height);
    extent->depth = least(profile, limit, extent->depth);
    properties->maxArrayLayers = least(profile, "maxImageArrayLayers", properties->maxArrayLayers);
    uint32_t longest = extent->width > extent->height ? extent->width : extent->height;
    longest = longest > extent->depth ? longest : extent->depth;
    uint32_t levels = 0;
    while (longest >> levels)
        levels++;
    if (properties->maxMipLevels > levels)
        properties->maxMipLevels = levels;
}

VKAPI_ATTR VkResult hook_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                                VkImageType type, VkImageTiling tiling,
                                                                VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                                VkImageFormatProperties *properties)
{
    struct instance *instance = instance_of(physical);
    VkResult result =
        instance->next.GetPhysicalDeviceImageFormatProperties(physical, format, type, tiling, usage, flags, properties);
    if (result == VK_SUCCESS && image_hidden(instance->profile, format, tiling, usage, flags)) {
        memset(properties, 0, sizeof(*properties));
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (result == VK_SUCCESS)
        reduce_image(instance->profile, type, flags, properties);
    return result;
}

VKAPI_ATTR VkResult hook_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice physical,
                                                                 const VkPhysicalDeviceImageFormatInfo2 *info,
                                                                 VkImageFormatProperties2 *properties)
{
    struct instance *instance = instance_of(physical);
    VkResult result = instance->next.GetPhysicalDeviceImageFormatProperties2(physical, info, properties);
    if (result == VK_SUCCESS && image_hidden(instance->profile, info->format, info->tiling, info->usage, info->flags)) {
        memset(&properties->imageFormatProperties, 0, sizeof(properties->imageFormatProperties));
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (result == VK_SUCCESS)
        reduce_image(instance->profile, info->type, info->flags, &properties->imageFormatProperties);
    return result;
}
