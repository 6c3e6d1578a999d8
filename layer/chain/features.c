/*
 * What the layer offers on a device: the one place that says which features and semantics of VK_CLAMPLER_gl_sampler
 * are implemented.
 */
#include "private.h"

#include <stdlib.h>

/* Features that this layer implements, on every device. */
static const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER implemented = {
    .glSampler = VK_TRUE,
    .glImageView = VK_FALSE,
    .glBufferView = VK_TRUE,
    .alphaToOneAttachments = VK_TRUE,
    .linearFilterEmulation = VK_FALSE,
};

/* No driver has these, so the layer does them. */
#define EMULATED                                                                                                       \
    (VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER | VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER |                                    \
     VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER)

/* The sum of all biases that GL programs get, in levels, where the driver's own limit allows. */
#define MAX_TEXTURE_LOD_BIAS 16.0f

void features_offered(const struct instance *instance, VkPhysicalDevice physical,
                      VkPhysicalDeviceGLSamplerFeaturesCLAMPLER *features)
{
    (void)instance;
    (void)physical;
    features->glSampler = implemented.glSampler;
    features->glImageView = implemented.glImageView;
    features->glBufferView = implemented.glBufferView;
    features->alphaToOneAttachments = implemented.alphaToOneAttachments;
    features->linearFilterEmulation = implemented.linearFilterEmulation;
}

static VkFormatProperties format_of(const struct instance *instance, VkPhysicalDevice physical, VkFormat format)
{
    VkFormatProperties properties;
    instance->next.GetPhysicalDeviceFormatProperties(physical, format, &properties);
    return properties;
}

/* Every depth format that can be sampled can be filtered as well. */
static bool filters_depth(const struct instance *instance, VkPhysicalDevice physical)
{
    static const VkFormat formats[] = {VK_FORMAT_D16_UNORM,         VK_FORMAT_X8_D24_UNORM_PACK32,
                                       VK_FORMAT_D32_SFLOAT,        VK_FORMAT_D16_UNORM_S8_UINT,
                                       VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        const VkFormatFeatureFlags tiled = format_of(instance, physical, formats[i]).optimalTilingFeatures;
        if ((tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) &&
            !(tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
            return false;
    }
    return true;
}

/* 0 where the driver has no custom border colours. */
static uint32_t custom_border_colors(const struct instance *instance, VkPhysicalDevice physical)
{
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(instance, physical);
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    VkExtensionProperties *list;
    uint32_t count;
    if (!query || device_extensions(instance, physical, &count, &list) != VK_SUCCESS)
        return 0;
    if (extension_listed(list, count, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME))
        query(physical, &properties);
    free(list);
    return border.maxCustomBorderColorSamplers;
}

void semantics_offered(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *properties)
{
    VkPhysicalDeviceProperties driver;
    instance->next.GetPhysicalDeviceProperties(physical, &driver);
    const float max_bias = driver.limits.maxSamplerLodBias;

    VkGLSemanticFlagsCLAMPLER native = 0;
    if (filters_depth(instance, physical))
        native |= VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER;
    if (max_bias >= MAX_TEXTURE_LOD_BIAS)
        native |= VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER;

    properties->nativeSemantics = native;
    properties->emulatedSemantics = EMULATED;
    properties->maxTextureLodBias = max_bias < MAX_TEXTURE_LOD_BIAS ? max_bias : MAX_TEXTURE_LOD_BIAS;
    properties->maxCustomBorderColors = custom_border_colors(instance, physical);
    texel_semantics(instance, physical, &driver, properties);
}

static void query_features2(PFN_vkGetPhysicalDeviceFeatures2 query, VkPhysicalDevice physical,
                            VkPhysicalDeviceFeatures2 *features)
{
    const struct chain_cut cut = chain_cut(features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER);
    query(physical, features);
    chain_restore(cut);
    opaque_hide_features(instance_of(physical), features->pNext);
    if (cut.node)
        features_offered(instance_of(physical), physical, (void *)cut.node);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                           VkPhysicalDeviceFeatures2 *pFeatures)
{
    query_features2(instance_of(physicalDevice)->next.GetPhysicalDeviceFeatures2, physicalDevice, pFeatures);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFeatures2KHR(VkPhysicalDevice physicalDevice,
                                                              VkPhysicalDeviceFeatures2 *pFeatures)
{
    query_features2(instance_of(physicalDevice)->next.GetPhysicalDeviceFeatures2KHR, physicalDevice, pFeatures);
}
