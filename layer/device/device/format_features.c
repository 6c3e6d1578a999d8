/* SPDX-License-Identifier: MIT */
/* Features of formats, by the driver and by settings. */
#include "device/device.h"
#include "vulkan_formats.h"

/* Formats of 32-bit floats: what mobile GPUs cannot filter. */
static bool is_float32(VkFormat format)
{
    const struct vulkan_format *known = vulkan_format(format);
    return known->number == VULKAN_NUMBER_SFLOAT && known->bits[VULKAN_R] == 32;
}

/* Formats of 96 bits: what many GPUs do not have in texel buffers. */
static bool is_rgb32(VkFormat format)
{
    const uint8_t *bits = vulkan_format(format)->bits;
    return bits[VULKAN_R] == 32 && bits[VULKAN_B] == 32 && !bits[VULKAN_A];
}

struct format_features format_features_missing(const struct settings *settings, VkFormat format)
{
    const bool linear = (settings->assume_missing & MISSING_LINEAR_ALL) ||
                        ((settings->assume_missing & MISSING_LINEAR_FLOAT32) && is_float32(format));
    const bool texels = (settings->assume_missing & MISSING_RGB32_TEXEL_BUFFER) && is_rgb32(format);
    const VkFormatFeatureFlags2 image = linear ? VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0;
    return (struct format_features){
        .linear = image,
        .optimal = image,
        .buffer = texels ? VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT : 0,
    };
}

/* Asks with VkFormatProperties3, which has bits beyond the first 31, where the device is sure to know it. */
static struct format_features ask(const struct device *device, VkFormat format)
{
    const struct instance *instance = device->instance;
    VkFormatProperties3 wide = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &wide};
    if (instance_version_with(instance, &device->properties) >= VK_API_VERSION_1_3) {
        instance->next.GetPhysicalDeviceFormatProperties2(device->physical, format, &properties);
        return (struct format_features){wide.linearTilingFeatures, wide.optimalTilingFeatures, wide.bufferFeatures};
    }
    instance->next.GetPhysicalDeviceFormatProperties(device->physical, format, &properties.formatProperties);
    return (struct format_features){properties.formatProperties.linearTilingFeatures,
                                    properties.formatProperties.optimalTilingFeatures,
                                    properties.formatProperties.bufferFeatures};
}

struct format_features device_format_features(const struct device *device, VkFormat format)
{
    const struct format_features missing = format_features_missing(&device->instance->settings, format);
    struct format_features features = ask(device, format);
    features.linear &= ~missing.linear;
    features.optimal &= ~missing.optimal;
    features.buffer &= ~missing.buffer;
    return features;
}
