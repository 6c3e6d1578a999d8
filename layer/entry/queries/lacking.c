/* SPDX-License-Identifier: MIT */
/* The parts of the setting `offer` that each device lacks, queried once. */
#include <stdatomic.h>
#include <stdlib.h>

#include "device/instance.h"
#include "queries/offers.h"
#include "queries/queries.h"
#include "resolve/resolve.h"
#include "settings/settings.h"

/* All structures of features and properties that a device is asked for. */
struct device_has {
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle;
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube;
    VkPhysicalDeviceVulkan12Features core12;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border_limit;
    VkPhysicalDeviceSamplerFilterMinmaxProperties minmax;
    VkPhysicalDeviceProperties2 properties;
};

static void chain(void *head, void *structure)
{
    ((VkBaseOutStructure *)structure)->pNext = ((VkBaseOutStructure *)head)->pNext;
    ((VkBaseOutStructure *)head)->pNext = structure;
}

/* `listed`: the offers whose extension the driver lists. */
static void ask(const struct instance *instance, VkPhysicalDevice physical, uint32_t listed, bool core12,
                struct device_has *has)
{
    const PFN_vkGetPhysicalDeviceFeatures2 features2 = instance_features2(instance, physical);
    const PFN_vkGetPhysicalDeviceProperties2 properties2 = instance_properties2(instance, physical);
    *has = (struct device_has){
        .border = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT},
        .swizzle = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT},
        .cube = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT},
        .core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
        .border_limit = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT},
        .minmax = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES},
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2},
    };
    if (listed & OFFER_CUSTOM_BORDER_COLOR) {
        chain(&has->features, &has->border);
        chain(&has->properties, &has->border_limit);
    }
    if (listed & OFFER_BORDER_COLOR_SWIZZLE)
        chain(&has->features, &has->swizzle);
    if (listed & OFFER_NON_SEAMLESS_CUBE)
        chain(&has->features, &has->cube);
    if (listed & OFFER_FILTER_MINMAX)
        chain(&has->properties, &has->minmax);
    if (core12)
        chain(&has->features, &has->core12);
    if (features2)
        features2(physical, &has->features);
    else
        instance->next.GetPhysicalDeviceFeatures(physical, &has->features.features);
    if (properties2)
        properties2(physical, &has->properties);
    else
        instance->next.GetPhysicalDeviceProperties(physical, &has->properties.properties);
}

/* Of those that the driver lists: what it does not have in full. */
static uint32_t poor(const struct device_has *has, bool core12)
{
    uint32_t lacks = 0;
    if (!has->border.customBorderColors || !has->border.customBorderColorWithoutFormat ||
        has->border_limit.maxCustomBorderColorSamplers < OFFERED_BORDER_COLORS)
        lacks |= OFFER_CUSTOM_BORDER_COLOR;
    if (!has->swizzle.borderColorSwizzle || !has->swizzle.borderColorSwizzleFromImage)
        lacks |= OFFER_BORDER_COLOR_SWIZZLE;
    if (!has->cube.nonSeamlessCubeMap)
        lacks |= OFFER_NON_SEAMLESS_CUBE;
    if (core12 && !has->core12.samplerMirrorClampToEdge)
        lacks |= OFFER_MIRROR_CLAMP_TO_EDGE;
    if ((core12 && !has->core12.samplerFilterMinmax) || !has->minmax.filterMinmaxSingleComponentFormats ||
        !has->minmax.filterMinmaxImageComponentMapping)
        lacks |= OFFER_FILTER_MINMAX;
    return lacks;
}

/* By assume_missing: the driver's names stay. */
static uint32_t assumed(const struct settings *settings)
{
    const uint32_t missing = settings->assume_missing;
    return (missing & MISSING_CUSTOM_BORDER_COLOR ? OFFER_CUSTOM_BORDER_COLOR : 0u) |
           (missing & MISSING_BORDER_COLOR_SWIZZLE ? OFFER_BORDER_COLOR_SWIZZLE : 0u) |
           (missing & MISSING_MIRROR_CLAMP_TO_EDGE ? OFFER_MIRROR_CLAMP_TO_EDGE : 0u) |
           (missing & MISSING_NON_SEAMLESS_CUBE ? OFFER_NON_SEAMLESS_CUBE : 0u) |
           (missing & MISSING_LOD_BIAS ? OFFER_LOD_BIAS : 0u) |
           (missing & MISSING_FILTER_CUBIC ? OFFER_FILTER_CUBIC : 0u) |
           (missing & (MISSING_SAMPLERS | MISSING_PAIR_SAMPLERS) ? OFFER_SAMPLERS : 0u);
}

/* Else the result of the driver's list of extensions. */
static VkResult find_lacking(const struct instance *instance, VkPhysicalDevice physical, uint32_t wanted,
                             struct offers *offers)
{
    struct device_has has;
    VkExtensionProperties *list;
    uint32_t count, listed, lacking;
    VkPhysicalDeviceProperties properties;
    const VkResult result = device_extensions(instance, physical, &count, &list);
    if (result != VK_SUCCESS)
        return result;
    offers->absent = offers_unlisted(list, count);
    listed = offers_of_extensions(~offers->absent);
    instance->next.GetPhysicalDeviceProperties(physical, &properties);
    const bool addresses = lists_addresses(instance, physical, &properties, list, count);
    free(list);
    const bool core12 = instance_version_with(instance, &properties) >= VK_API_VERSION_1_2;
    const bool has_queries = instance_features2(instance, physical) && instance_properties2(instance, physical);
    ask(instance, physical, listed, core12, &has);
    lacking = has_queries ? poor(&has, core12) : 0; /* Vulkan 1.0 has no query: what is listed counts as there */
    lacking |= offers_of_extensions(offers->absent);
    if (!has.features.features.samplerAnisotropy)
        lacking |= OFFER_ANISOTROPY;
    if (!resolve_lod_bias_is_native(properties.limits.maxSamplerLodBias))
        lacking |= OFFER_LOD_BIAS;
    if (properties.limits.maxSamplerAllocationCount < OFFERED_SAMPLERS)
        lacking |= OFFER_SAMPLERS;
    /* The feature of a format promises linear blits as well, which the layer filters by addresses. */
    if (wanted & OFFER_LINEAR_FILTER && addresses && instance->settings.linear_fallback == FALLBACK_AUTO &&
        formats_lack_linear(instance, physical))
        lacking |= OFFER_LINEAR_FILTER;
    if (wanted & OFFER_TEXEL_BUFFERS && texel_lacks(instance, physical, &properties))
        lacking |= OFFER_TEXEL_BUFFERS;
    lacking |= assumed(&instance->settings);
    if (!addresses) /* for blits, which the feature of a format promises with lookups */
        lacking &= ~(uint32_t)OFFER_FILTER_CUBIC;
    offers->offered = lacking & wanted;
    return VK_SUCCESS;
}

static uint32_t wanted_of(const struct settings *settings)
{
    return settings->offer & OFFER_MISSING ? UINT32_MAX & ~(uint32_t)OFFER_MISSING : settings->offer;
}

/* Texels of cubes, which no fetch reads. */
static uint32_t cannot(const struct instance *instance, VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties properties;
    instance->next.GetPhysicalDeviceProperties(physical, &properties);
    return limits_have_room_for_sampler(&properties.limits) ? 0 : OFFER_NON_SEAMLESS_CUBE;
}

static VkResult find(const struct instance *instance, VkPhysicalDevice physical, struct offers *offers)
{
    const VkResult result = find_lacking(instance, physical, wanted_of(&instance->settings), offers);
    if (result != VK_SUCCESS)
        return result;
    offers->offered &= ~cannot(instance, physical);
    /* Swizzles of borders depend on custom colours, the driver's or offered ones. */
    if (offers_of_extensions(offers->absent) & OFFER_CUSTOM_BORDER_COLOR & ~offers->offered)
        offers->offered &= ~(uint32_t)OFFER_BORDER_COLOR_SWIZZLE;
    offers->absent &= offers_extensions(offers->offered);
    return VK_SUCCESS;
}

/* ---- Remembered for each device ---- */

#define OFFERS_KNOWN (1u << 31)

/*
 * Two threads may ask at once, and find the same. Beyond the room, every query of the program's does, and so does the
 * next one where memory ran out.
 */
struct offers offers_of(const struct instance *constant, VkPhysicalDevice physical)
{
    struct instance *instance = (struct instance *)(uintptr_t)constant;
    struct instance_offer *place = instance->offers, *const end = place + sizeof(instance->offers) / sizeof(*place);
    if (!wanted_of(&instance->settings))
        return (struct offers){.result = VK_SUCCESS};
    for (; place < end; place++) {
        VkPhysicalDevice empty = VK_NULL_HANDLE;
        if (atomic_compare_exchange_strong(&place->physical, &empty, physical) || empty == physical)
            break;
    }
    const uint32_t known = place < end ? atomic_load_explicit(&place->offered, memory_order_acquire) : 0;
    if (known & OFFERS_KNOWN)
        return (struct offers){known & ~OFFERS_KNOWN, atomic_load_explicit(&place->absent, memory_order_relaxed),
                               VK_SUCCESS};
    struct offers offers = {.result = VK_SUCCESS};
    offers.result = find(instance, physical, &offers);
    if (offers.result == VK_SUCCESS && place < end) {
        atomic_store_explicit(&place->absent, offers.absent, memory_order_relaxed);
        atomic_store_explicit(&place->offered, offers.offered | OFFERS_KNOWN, memory_order_release);
    }
    return offers;
}
