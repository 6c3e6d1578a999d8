/* SPDX-License-Identifier: MIT */
/* Format features for programs, the same in every query. */
#include "format/format.h"
#include "blend/blend.h"
#include "device/device.h"
#include "device/instance.h"
#include "device/structure_chain.h"
#include "newer_vulkan.h"
#include "queries/queries.h"
#include "texel_view/texel_view.h"
#include "vulkan_clampler.h"
#include "vulkan_formats.h"

/*
 * True: the layer can filter the format in the shader, that is, it is sampled as floats. Integers have no linear filter
 * in Vulkan, and formats with planes are sampled by YCbCr conversions.
 */
static bool can_filter(VkFormat format)
{
    const struct vulkan_format *known = vulkan_format(format);
    return known->bits[VULKAN_DEPTH] || known->compressed || texel_layout_of(format);
}

#define CUBIC VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT

/* Added to every tiling of a format that can be sampled; lost by every tiling before. */
struct filters {
    VkFormatFeatureFlags2 added, lost;
};

/* Cubic filters are offered where there are linear ones, which the fallback of a format leaves alone. */
static VkFormatFeatureFlags2 with(VkFormatFeatureFlags2 features, struct filters filters)
{
    features &= ~filters.lost;
    if (!(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT))
        return features;
    if (!((features | filters.added) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        filters.added &= ~CUBIC;
    return features | filters.added;
}

/*
 * Of colours: a comparison has no cubic filter, and no query tells it from a lookup of depth. And not of compressed
 * ones, whose texels no blit of the layer's reads. The driver may have such filters, by VK_IMG_filter_cubic alone, but
 * the layer's are in their place.
 */
static struct filters cubic_of(VkFormat format)
{
    return texel_layout_of(format) ? (struct filters){.added = CUBIC} : (struct filters){.lost = CUBIC};
}

static struct filters filters_of(const struct instance *instance, VkPhysicalDevice physical, VkFormat format)
{
    const uint32_t offered = offers_of(instance, physical).offered;
    struct filters filters = offered & OFFER_FILTER_CUBIC ? cubic_of(format) : (struct filters){.added = 0};
    if (!can_filter(format))
        return filters;
    if (linear_fallback_unasked(instance, physical) == FALLBACK_SHADER)
        filters.added |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    if (offered & OFFER_FILTER_MINMAX)
        filters.added |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    return filters;
}

VkFormatFeatureFlags2 format_features_shown(const struct instance *instance, VkPhysicalDevice physical, VkFormat format,
                                            VkImageTiling tiling)
{
    VkFormatProperties driver;
    instance->next.GetPhysicalDeviceFormatProperties(physical, format, &driver);
    const struct filters filters = filters_of(instance, physical, format);
    return tiling == VK_IMAGE_TILING_OPTIMAL  ? with(driver.optimalTilingFeatures, filters)
           : tiling == VK_IMAGE_TILING_LINEAR ? with(driver.linearTilingFeatures, filters)
                                              : 0;
}

/* Adds the layer's features to the driver's, in all structures of the program's chain. */
static void promise(const struct instance *instance, VkPhysicalDevice physical, VkFormat format,
                    VkFormatProperties *properties, const void *chain)
{
    const struct filters filters = filters_of(instance, physical, format);
    VkFormatProperties3 *wide = (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
    VkFormatProperties4KHR *wider = (void *)(uintptr_t)pnext_find(chain, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR);
    if (texel_emulates(instance, physical) && texel_view_is_listed(format)) {
        properties->bufferFeatures |= VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
        if (wide)
            wide->bufferFeatures |= VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
        if (wider)
            wider->bufferFeatures |= VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
    }
    if (filters.added | filters.lost) {
        properties->linearTilingFeatures = (VkFormatFeatureFlags)with(properties->linearTilingFeatures, filters);
        properties->optimalTilingFeatures = (VkFormatFeatureFlags)with(properties->optimalTilingFeatures, filters);
        if (wide) {
            wide->linearTilingFeatures = with(wide->linearTilingFeatures, filters);
            wide->optimalTilingFeatures = with(wide->optimalTilingFeatures, filters);
        }
        if (wider) {
            wider->linearTilingFeatures = with(wider->linearTilingFeatures, filters);
            wider->optimalTilingFeatures = with(wider->optimalTilingFeatures, filters);
        }
    }
}

bool formats_lack_linear(const struct instance *instance, VkPhysicalDevice physical)
{
    const VkFormatFeatureFlags sampled = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
                               linear = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    for (VkFormat format = VK_FORMAT_R4G4_UNORM_PACK8; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++) {
        VkFormatProperties properties;
        if (!can_filter(format))
            continue;
        instance->next.GetPhysicalDeviceFormatProperties(physical, format, &properties);
        const VkFormatFeatureFlags tiled =
            properties.optimalTilingFeatures &
            ~(VkFormatFeatureFlags)format_features_missing(&instance->settings, format).optimal;
        if ((tiled & sampled) && !(tiled & linear))
            return true;
    }
    return false;
}

enum setting_linear_fallback linear_fallback_unasked(const struct instance *instance, VkPhysicalDevice physical)
{
    const enum setting_linear_fallback setting = instance->settings.linear_fallback;
    return setting == FALLBACK_AUTO && offers_of(instance, physical).offered & OFFER_LINEAR_FILTER ? FALLBACK_SHADER
                                                                                                   : setting;
}

/*
 * Every factor that reads the destination reads its own channel there, or a constant. With more channels those of alpha
 * may lie in a colour, which no equation of the driver reads for another one.
 */
static bool has_one_channel(VkFormat format)
{
    const uint32_t channels = format_info(format).bits & (FORMAT_R | FORMAT_G | FORMAT_B | FORMAT_A);
    return channels && !(channels & (channels - 1));
}

/* `driver`: the next layer's features of the format. */
static void gl_features(const struct instance *instance, VkFormat format, const VkFormatProperties *driver,
                        VkGLSamplerFormatPropertiesCLAMPLER *answer)
{
    const struct format_features missing = format_features_missing(&instance->settings, format);
    const VkFormatFeatureFlags2 images = driver->optimalTilingFeatures & ~missing.optimal;
    const VkFormatFeatureFlags2 buffers = driver->bufferFeatures & ~missing.buffer;
    answer->nativeFeatures = answer->emulatedFeatures = 0;
    if ((images & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) && (images & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        answer->nativeFeatures |= VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER;
    else if ((images & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) && can_filter(format))
        answer->emulatedFeatures |= VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER;
    if (buffers & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT)
        answer->nativeFeatures |= VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER;
    else if (texel_view_is_listed(format))
        answer->emulatedFeatures |= VK_GL_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT_CLAMPLER;
    if ((images & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) && blend_format(format))
        answer->emulatedFeatures |= VK_GL_FORMAT_FEATURE_ALPHA_TO_ONE_BIT_CLAMPLER;
    if (images & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)
        answer->emulatedFeatures |= VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BIT_CLAMPLER;
    if ((images & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) && has_one_channel(format))
        answer->emulatedFeatures |= VK_GL_FORMAT_FEATURE_CHANNEL_ORDER_BLEND_BIT_CLAMPLER;
}

static void query_formats2(PFN_vkGetPhysicalDeviceFormatProperties2 query, VkPhysicalDevice physical, VkFormat format,
                           VkFormatProperties2 *properties)
{
    const struct chain_cut cut = chain_cut(properties, VK_STRUCTURE_TYPE_GL_SAMPLER_FORMAT_PROPERTIES_CLAMPLER);
    query(physical, format, properties);
    chain_restore(cut);
    if (cut.node)
        gl_features(instance_of(physical), format, &properties->formatProperties, (void *)cut.node);
    promise(instance_of(physical), physical, format, &properties->formatProperties, properties->pNext);
}

VKAPI_ATTR void VKAPI_CALL hook_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                  VkFormatProperties *pProperties)
{
    const struct instance *instance = instance_of(physicalDevice);
    instance->next.GetPhysicalDeviceFormatProperties(physicalDevice, format, pProperties);
    promise(instance, physicalDevice, format, pProperties, NULL);
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
