/* SPDX-License-Identifier: MIT */
/* Features and semantics of VK_CLAMPLER_gl_sampler on a device: the one list of those that are implemented. */
#include <stdlib.h>

#include "device/instance.h"
#include "device/structure_chain.h"
#include "queries/queries.h"
#include "resolve/resolve.h"
#include "vulkan_clampler.h"

/* Features that this layer implements, on every device. */
static const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER implemented = {
    .glSampler = VK_TRUE,
    .glImageView = VK_TRUE,
    .glBufferView = VK_TRUE,
    .alphaToOneAttachments = VK_TRUE,
    .linearFilterEmulation = VK_TRUE,
};

/* No driver has these as OpenGL has them, so the layer does them. */
#define EMULATED                                                                                                       \
    (VK_GL_SEMANTIC_CLAMP_BIT_CLAMPLER | VK_GL_SEMANTIC_MIRROR_CLAMP_BIT_CLAMPLER |                                    \
     VK_GL_SEMANTIC_MIRROR_CLAMP_TO_BORDER_BIT_CLAMPLER | VK_GL_SEMANTIC_SRGB_DECODE_SKIP_BIT_CLAMPLER |               \
     VK_GL_SEMANTIC_RECTANGLE_BIT_CLAMPLER | VK_GL_SEMANTIC_ALPHA_TO_ONE_BIT_CLAMPLER |                                \
     VK_GL_SEMANTIC_CHANNEL_ORDER_BIT_CLAMPLER)

/* Some drivers have these; the layer does them on the others. */
#define EITHER                                                                                                         \
    (VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER | VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER |                            \
     VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER | VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER |                           \
     VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER | VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER)

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

/* Every one of the formats that can be sampled can be filtered as well. */
static bool filters_all(const struct instance *instance, VkPhysicalDevice physical, const VkFormat *formats,
                        size_t format_count)
{
    for (size_t i = 0; i < format_count; i++) {
        const VkFormatFeatureFlags tiled = format_of(instance, physical, formats[i]).optimalTilingFeatures;
        if ((tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) &&
            !(tiled & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
            return false;
    }
    return true;
}

static VkGLSemanticFlagsCLAMPLER native_filters(const struct instance *instance, VkPhysicalDevice physical)
{
    static const VkFormat depths[] = {VK_FORMAT_D16_UNORM,         VK_FORMAT_X8_D24_UNORM_PACK32,
                                      VK_FORMAT_D32_SFLOAT,        VK_FORMAT_D16_UNORM_S8_UINT,
                                      VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
    /* OpenGL's filterable formats that Vulkan does not require drivers to filter. */
    static const VkFormat colors[] = {
        VK_FORMAT_R16_UNORM,        VK_FORMAT_R16G16_UNORM,  VK_FORMAT_R16G16B16A16_UNORM,
        VK_FORMAT_R16_SNORM,        VK_FORMAT_R16G16_SNORM,  VK_FORMAT_R16G16B16A16_SNORM,
        VK_FORMAT_R32_SFLOAT,       VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT,
        VK_FORMAT_R32G32B32_SFLOAT,
    };
    VkGLSemanticFlagsCLAMPLER native = 0;
    if (filters_all(instance, physical, depths, sizeof(depths) / sizeof(*depths)))
        native |= VK_GL_SEMANTIC_LINEAR_DEPTH_BIT_CLAMPLER;
    if (filters_all(instance, physical, colors, sizeof(colors) / sizeof(*colors)))
        native |= VK_GL_SEMANTIC_LINEAR_FILTER_BIT_CLAMPLER;
    return native;
}

/* Of extensions that the layer enables for itself (device_plan/want_sampler.c). */
static VkGLSemanticFlagsCLAMPLER native_extensions(const struct instance *instance, VkPhysicalDevice physical)
{
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(instance, physical);
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT};
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT};
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkExtensionProperties *list;
    uint32_t count;
    if (!query || device_extensions(instance, physical, &count, &list) != VK_SUCCESS)
        return 0;
    if (extension_listed(list, count, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME)) {
        border.pNext = features.pNext;
        features.pNext = &border;
    }
    if (extension_listed(list, count, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME)) {
        swizzle.pNext = features.pNext;
        features.pNext = &swizzle;
    }
    if (extension_listed(list, count, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME)) {
        cube.pNext = features.pNext;
        features.pNext = &cube;
    }
    free(list);
    query(physical, &features);
    return (border.customBorderColors ? VK_GL_SEMANTIC_BORDER_COLOR_BIT_CLAMPLER : 0) |
           (swizzle.borderColorSwizzle ? VK_GL_SEMANTIC_BORDER_SWIZZLE_BIT_CLAMPLER : 0) |
           (cube.nonSeamlessCubeMap ? VK_GL_SEMANTIC_NON_SEAMLESS_CUBE_BIT_CLAMPLER : 0);
}

void semantics_offered(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *properties)
{
    VkPhysicalDeviceProperties driver;
    instance->next.GetPhysicalDeviceProperties(physical, &driver);

    VkGLSemanticFlagsCLAMPLER native = native_filters(instance, physical) | native_extensions(instance, physical);
    if (resolve_lod_bias_is_native(driver.limits.maxSamplerLodBias))
        native |= VK_GL_SEMANTIC_LOD_BIAS_BIT_CLAMPLER;

    properties->nativeSemantics = native;
    properties->emulatedSemantics = EMULATED | (EITHER & ~native);
    properties->maxTextureLodBias = resolve_most_lod_bias(driver.limits.maxSamplerLodBias);
    properties->maxCustomBorderColors = UINT32_MAX; /* the shader places those beyond the driver's limit */
    texel_semantics(instance, physical, &driver, properties);
}

static void query_features2(PFN_vkGetPhysicalDeviceFeatures2 query, VkPhysicalDevice physical,
                            VkPhysicalDeviceFeatures2 *features)
{
    const struct offers offers = offers_of(instance_of(physical), physical);
    struct offers_cut unknown;
    const struct chain_cut cut = chain_cut(features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER);
    offers_cut(&offers, features, &unknown);
    query(physical, features);
    offers_restore(&unknown);
    chain_restore(cut);
    opaque_hide_features(instance_of(physical), physical, features->pNext);
    offers_show_features(&offers, &features->features, features->pNext);
    if (cut.node)
        features_offered(instance_of(physical), physical, (void *)cut.node);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                                          VkPhysicalDeviceFeatures *pFeatures)
{
    const struct instance *instance = instance_of(physicalDevice);
    const struct offers offers = offers_of(instance, physicalDevice);
    instance->next.GetPhysicalDeviceFeatures(physicalDevice, pFeatures);
    offers_show_features(&offers, pFeatures, NULL);
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
