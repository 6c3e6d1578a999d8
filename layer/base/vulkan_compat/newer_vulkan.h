/* SPDX-License-Identifier: MIT */
/*
 * What the layer uses of Vulkan headers newer than 1.3.239, declared for headers that are older, each part guarded by
 * the header's own macro. newer_vulkan.xml says the same to scripts/generate/generate_vulkan.py; the two change
 * together.
 *
 * Names are those of the extension that brought them, so that they exist under every header: newer ones keep them as
 * other names of the core's.
 *
 * What belongs to commands or to pipelines stands in the headers below; here is what is left. This one is included.
 */
#ifndef CLAMPLER_NEWER_VULKAN_H
#define CLAMPLER_NEWER_VULKAN_H

#include <vulkan/vulkan_core.h>

#include "newer_vulkan_addresses.h"
#include "newer_vulkan_commands.h"
#include "newer_vulkan_generated.h"
#include "newer_vulkan_heaps.h"
#include "newer_vulkan_pipelines.h"

#ifndef VK_EXT_image_sliced_view_of_3d
#define VK_EXT_image_sliced_view_of_3d 1
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT ((VkStructureType)1000418001)
typedef struct VkImageViewSlicedCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t sliceOffset;
    uint32_t sliceCount;
} VkImageViewSlicedCreateInfoEXT;
#endif

#ifndef VK_KHR_extended_flags
#define VK_KHR_extended_flags 1
#define VK_KHR_EXTENDED_FLAGS_EXTENSION_NAME "VK_KHR_extended_flags"
#define VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR ((VkStructureType)1000668000)
#define VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000668001)
#define VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR ((VkStructureType)1000668002)
#define VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR ((VkStructureType)1000668003)
#define VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR ((VkStructureType)1000668005)
typedef VkFlags64 VkFormatFeatureFlags4KHR;
typedef VkFlags64 VkImageCreateFlags2KHR;
typedef VkFlags64 VkImageUsageFlags2KHR;
typedef struct VkFormatProperties4KHR {
    VkStructureType sType;
    void *pNext;
    VkFormatFeatureFlags4KHR linearTilingFeatures;
    VkFormatFeatureFlags4KHR optimalTilingFeatures;
    VkFormatFeatureFlags4KHR bufferFeatures;
} VkFormatProperties4KHR;
typedef struct VkImageCreateFlags2CreateInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkImageCreateFlags2KHR flags;
} VkImageCreateFlags2CreateInfoKHR;
typedef struct VkImageUsageFlags2CreateInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkImageUsageFlags2KHR usage;
} VkImageUsageFlags2CreateInfoKHR;
typedef struct VkImageViewUsage2CreateInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkImageUsageFlags2KHR usage;
} VkImageViewUsage2CreateInfoKHR;
typedef struct VkImageStencilUsage2CreateInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkImageUsageFlags2KHR stencilUsage;
} VkImageStencilUsage2CreateInfoKHR;
#endif

#ifndef VK_EXT_layer_settings
#define VK_EXT_layer_settings 1
#define VK_EXT_LAYER_SETTINGS_SPEC_VERSION 2
#define VK_EXT_LAYER_SETTINGS_EXTENSION_NAME "VK_EXT_layer_settings"
#define VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT ((VkStructureType)1000496000)
typedef enum VkLayerSettingTypeEXT {
    VK_LAYER_SETTING_TYPE_BOOL32_EXT = 0,
    VK_LAYER_SETTING_TYPE_INT32_EXT = 1,
    VK_LAYER_SETTING_TYPE_INT64_EXT = 2,
    VK_LAYER_SETTING_TYPE_UINT32_EXT = 3,
    VK_LAYER_SETTING_TYPE_UINT64_EXT = 4,
    VK_LAYER_SETTING_TYPE_FLOAT32_EXT = 5,
    VK_LAYER_SETTING_TYPE_FLOAT64_EXT = 6,
    VK_LAYER_SETTING_TYPE_STRING_EXT = 7,
    VK_LAYER_SETTING_TYPE_MAX_ENUM_EXT = 0x7FFFFFFF
} VkLayerSettingTypeEXT;
typedef struct VkLayerSettingEXT {
    const char *pLayerName;
    const char *pSettingName;
    VkLayerSettingTypeEXT type;
    uint32_t valueCount;
    const void *pValues;
} VkLayerSettingEXT;
typedef struct VkLayerSettingsCreateInfoEXT {
    VkStructureType sType;
    const void *pNext;
    uint32_t settingCount;
    const VkLayerSettingEXT *pSettings;
} VkLayerSettingsCreateInfoEXT;
#endif

#endif
