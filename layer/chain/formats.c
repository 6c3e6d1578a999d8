/* What formats can do: as the driver says it, and as programs are told. */
#include "private.h"
#include "vulkan_formats.h"

/* Formats of 32-bit floats: what mobile GPUs cannot filter. */
static bool is_float32(VkFormat format)
{
    return format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_R32G32_SFLOAT ||
           format == VK_FORMAT_R32G32B32_SFLOAT || format == VK_FORMAT_R32G32B32A32_SFLOAT;
}

/* Formats of 96 bits: what many GPUs do not have in texel buffers. */
static bool is_rgb32(VkFormat format)
{
    return format == VK_FORMAT_R32G32B32_SFLOAT || format == VK_FORMAT_R32G32B32_UINT ||
           format == VK_FORMAT_R32G32B32_SINT;
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

struct format_features chain_format_features(const struct device *device, VkFormat format)
{
    const VkFormatFeatureFlags2 missing = assumed_missing(&device->instance->settings, format);
    struct format_features features = ask(device, format);
    features.linear &= ~missing;
    features.optimal &= ~missing;
    if ((device->instance->settings.assume_missing & MISSING_RGB32_TEXEL_BUFFER) && is_rgb32(format))
        features.buffer &= ~VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
    return features;
}

/* ---- What programs are told: every query says the same ---- */

/*
 * What the layer filters in the shader if the setting says so: whatever is sampled as floats. Integers have no linear
 * filter in Vulkan; compressed formats are filtered wherever they can be sampled.
 */
static bool filters_by_itself(const struct instance *instance, VkFormat format)
{
    const bool depth =
        format >= VK_FORMAT_D16_UNORM && format <= VK_FORMAT_D32_SFLOAT_S8_UINT && format != VK_FORMAT_S8_UINT;
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
            (void *)(uintptr_t)find_in_chain(properties->pNext, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3));
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
