/* SPDX-License-Identifier: MIT */
/* Uniform texel buffers: the ways to emulate those that the driver lacks, and their queries. */
#include <stdlib.h>

#include "device/instance.h"
#include "queries/queries.h"
#include "texel_view/texel_view.h"
#include "vulkan_clampler.h"

/* A driver's limit of this or more is enough for GL programs, and counts as native. */
#define LARGE_ENOUGH (1u << 27)
/* The least maxTexelBufferElements that Vulkan allows. */
#define REQUIRED_ELEMENTS 65536u

bool lists_addresses(const struct instance *instance, VkPhysicalDevice physical,
                     const VkPhysicalDeviceProperties *properties, const VkExtensionProperties *list, uint32_t count)
{
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(instance, physical);
    const uint32_t version = instance_version_with(instance, properties);
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &address};
    /* Before Vulkan 1.1 buffer device addresses need several other extensions, so they are not used. */
    if (!query || version < VK_API_VERSION_1_1 ||
        (version < VK_API_VERSION_1_2 && !extension_listed(list, count, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME)))
        return false;
    query(physical, &features);
    return address.bufferDeviceAddress;
}

static bool has_addresses(const struct instance *instance, VkPhysicalDevice physical,
                          const VkPhysicalDeviceProperties *properties)
{
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    if (instance_version_with(instance, properties) < VK_API_VERSION_1_2 &&
        device_extensions(instance, physical, &count, &list) != VK_SUCCESS)
        return false;
    const bool addresses = lists_addresses(instance, physical, properties, list, count);
    free(list);
    return addresses;
}

static VkFormatFeatureFlags buffer_features(const struct instance *instance, VkPhysicalDevice physical, VkFormat format)
{
    VkFormatProperties properties;
    instance->next.GetPhysicalDeviceFormatProperties(physical, format, &properties);
    return properties.bufferFeatures;
}

/* Every format of GL's table with components of 8 or 16 bits. */
static bool has_narrow(const struct instance *instance, VkPhysicalDevice physical)
{
    for (VkFormat format = VK_FORMAT_R8_UNORM; format <= VK_FORMAT_R16G16B16A16_SFLOAT; format++) {
        if (texel_view_is_listed(format) &&
            !(buffer_features(instance, physical, format) & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT))
            return false;
    }
    return true;
}

/*
 * Measured, RGB32: on a GPU (H200) loads take 0.5 to 1.0 of a native fetch's time, by how far apart neighbours read,
 * and three fetches through a view 0.75 to 1.5; on a CPU driver 2.3 and 1.15, where both sides of every branch are
 * executed.
 */
void texel_caps_of(const struct instance *instance, VkPhysicalDevice physical,
                   const VkPhysicalDeviceProperties *properties, struct texel_caps *caps)
{
    const struct settings *settings = &instance->settings;
    const bool cpu = properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const bool addresses = has_addresses(instance, physical, properties);
    *caps = (struct texel_caps){
        .max_elements = properties->limits.maxTexelBufferElements,
        .alignment =
            properties->limits.minTexelBufferOffsetAlignment ? properties->limits.minTexelBufferOffsetAlignment : 1,
    };
    if ((settings->assume_missing & MISSING_LARGE_TEXEL_BUFFER) && caps->max_elements > REQUIRED_ELEMENTS)
        caps->max_elements = REQUIRED_ELEMENTS;
    switch (settings->texel_path) {
    case TEXEL_PATHS_VIEWS:
        break;
    case TEXEL_PATHS_ADDRESSES:
        caps->addresses = caps->addresses_first = addresses;
        break;
    default:
        caps->addresses = addresses && (!cpu || caps->max_elements < LARGE_ENOUGH);
        caps->addresses_first = caps->addresses && !cpu;
        break;
    }
    caps->views = !caps->addresses_first;
    caps->narrow = caps->addresses || caps->max_elements < LARGE_ENOUGH || !has_narrow(instance, physical);
}

static bool has_rgb32(const struct instance *instance, VkPhysicalDevice physical)
{
    static const VkFormat formats[] = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SINT};
    if (instance->settings.assume_missing & MISSING_RGB32_TEXEL_BUFFER)
        return false;
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        if (!(buffer_features(instance, physical, formats[i]) & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT))
            return false;
    }
    return true;
}

void texel_semantics(const struct instance *instance, VkPhysicalDevice physical,
                     const VkPhysicalDeviceProperties *properties,
                     VkPhysicalDeviceGLSamplerPropertiesCLAMPLER *semantics)
{
    struct texel_caps caps;
    texel_caps_of(instance, physical, properties, &caps);
    semantics->maxTexelBufferElements = texel_view_reach(&caps);
    semantics->emulatedSemantics |= VK_GL_SEMANTIC_LEGACY_TEXEL_BUFFER_BIT_CLAMPLER;
    if (has_rgb32(instance, physical))
        semantics->nativeSemantics |= VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER;
    else
        semantics->emulatedSemantics |= VK_GL_SEMANTIC_RGB32_TEXEL_BUFFER_BIT_CLAMPLER;
    if (caps.max_elements >= LARGE_ENOUGH)
        semantics->nativeSemantics |= VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER;
    else if (semantics->maxTexelBufferElements > caps.max_elements)
        semantics->emulatedSemantics |= VK_GL_SEMANTIC_LARGE_TEXEL_BUFFER_BIT_CLAMPLER;
}

void texel_raise_limit(const struct instance *instance, VkPhysicalDevice physical,
                       VkPhysicalDeviceProperties *properties)
{
    struct texel_caps caps;
    if (!texel_emulates(instance, physical))
        return;
    texel_caps_of(instance, physical, properties, &caps);
    const VkDeviceSize reach = texel_view_reach(&caps);
    if (reach > properties->limits.maxTexelBufferElements)
        properties->limits.maxTexelBufferElements = reach < UINT32_MAX ? (uint32_t)reach : UINT32_MAX;
}

bool texel_emulates(const struct instance *instance, VkPhysicalDevice physical)
{
    return instance->settings.texel_buffers == TEXEL_BUFFERS_EMULATE ||
           offers_of(instance, physical).offered & OFFER_TEXEL_BUFFERS;
}

bool texel_lacks(const struct instance *instance, VkPhysicalDevice physical,
                 const VkPhysicalDeviceProperties *properties)
{
    struct texel_caps caps;
    texel_caps_of(instance, physical, properties, &caps);
    return caps.max_elements < LARGE_ENOUGH || !has_rgb32(instance, physical) || !has_narrow(instance, physical);
}
