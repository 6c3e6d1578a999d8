/* SPDX-License-Identifier: MIT */
/* What formats can do, as the driver says it and as settings want it. */
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

static VkFormatFeatureFlags2 assumed_missing(const struct settings *settings, VkFormat format)
{
    const bool linear = (settings->assume_missing & MISSING_LINEAR_ALL) ||
                        ((settings->assume_missing & MISSING_LINEAR_FLOAT32) && is_float32(format));
    return linear ? VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0;
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
    const VkFormatFeatureFlags2 missing = assumed_missing(&device->instance->settings, format);
    struct format_features features = ask(device, format);
    features.linear &= ~missing;
    features.optimal &= ~missing;
    if ((device->instance->settings.assume_missing & MISSING_RGB32_TEXEL_BUFFER) && is_rgb32(format))
        features.buffer &= ~VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
    return features;
}
