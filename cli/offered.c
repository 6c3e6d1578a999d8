/* SPDX-License-Identifier: MIT */
/* Two instances more, one with offer=missing and one without, and what each shows of a device. */
#include "offered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manifest.h"
#include "settings/settings.h"

enum { DEVICES = 16 };
#define LAST_CORE_FORMAT VK_FORMAT_ASTC_12x12_SRGB_BLOCK

enum { BORDER_COLOR, BORDER_SWIZZLE, MIRROR, CUBE, MINMAX, CUBIC, LINEAR, TEXELS, ANISOTROPY, LOD_BIAS, SAMPLERS };

const char *const offer_names[OFFERS] = {
    [BORDER_COLOR] = "custom_border_color",
    [BORDER_SWIZZLE] = "border_color_swizzle",
    [MIRROR] = "mirror_clamp_to_edge",
    [CUBE] = "non_seamless_cube",
    [MINMAX] = "filter_minmax",
    [CUBIC] = "filter_cubic",
    [LINEAR] = "linear_filter",
    [TEXELS] = "texel_buffers",
    [ANISOTROPY] = "anisotropy",
    [LOD_BIAS] = "lod_bias",
    [SAMPLERS] = "samplers",
};

bool offer_is_asked(unsigned offer, uint32_t setting)
{
    static const uint32_t bits[OFFERS] = {
        [BORDER_COLOR] = OFFER_CUSTOM_BORDER_COLOR,
        [BORDER_SWIZZLE] = OFFER_BORDER_COLOR_SWIZZLE,
        [MIRROR] = OFFER_MIRROR_CLAMP_TO_EDGE,
        [CUBE] = OFFER_NON_SEAMLESS_CUBE,
        [MINMAX] = OFFER_FILTER_MINMAX,
        [CUBIC] = OFFER_FILTER_CUBIC,
        [LINEAR] = OFFER_LINEAR_FILTER,
        [TEXELS] = OFFER_TEXEL_BUFFERS,
        [ANISOTROPY] = OFFER_ANISOTROPY,
        [LOD_BIAS] = OFFER_LOD_BIAS,
        [SAMPLERS] = OFFER_SAMPLERS,
    };
    return setting & (OFFER_MISSING | bits[offer]);
}

const char *offer_remark(unsigned offer, const char *state, const struct offer_facts *facts)
{
    const bool offered = !strcmp(state, "offered"), missing = !strcmp(state, "missing");
    if (offer == ANISOTROPY && offered)
        return "by the shader, or trilinear with anisotropy=trilinear";
    if (offer == CUBE && missing)
        return "stages have no sampler to spare for texels of cubes";
    if (offer == CUBIC && missing)
        return "cubic blits need buffer device addresses";
    if (offer == LINEAR && missing)
        return facts->addresses
                   ? "linear_fallback is not auto"
                   : "linear blits need buffer device addresses; linear_fallback=shader filters lookups alone";
    if (offer == LINEAR && offered && facts->protected_memory)
        return "linear blits of protected images are nearest";
    if (offer == TEXELS && offered && facts->protected_memory && facts->addresses)
        return "addresses do not reach protected buffers, texel_path=views does";
    return "";
}

/* How much a device has of each: more is better. */
struct amounts {
    bool known, lacks_linear;
    uint64_t has[OFFERS];
    struct offer_facts facts;
};

struct queries {
    PFN_vkGetPhysicalDeviceFeatures features;
    PFN_vkGetPhysicalDeviceFeatures2 features2;
    PFN_vkGetPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties2 properties2;
};

static bool listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(list[i].extensionName, name))
            return true;
    }
    return false;
}

/* Devices of Vulkan 1.0 have no queries for the extensions' features: the names count. */
static void read_extensions(const struct queries *query, VkPhysicalDevice device, uint32_t version,
                            const VkExtensionProperties *list, uint32_t count, struct amounts *amounts)
{
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, .nonSeamlessCubeMap = VK_TRUE};
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
        .borderColorSwizzle = VK_TRUE,
        .borderColorSwizzleFromImage = VK_TRUE};
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .customBorderColors = VK_TRUE,
        .customBorderColorWithoutFormat = VK_TRUE};
    VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .samplerMirrorClampToEdge = VK_TRUE,
                                               .samplerFilterMinmax = VK_TRUE};
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceProtectedMemoryFeatures protect = {.sType =
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceCustomBorderColorPropertiesEXT most = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT,
        .maxCustomBorderColorSamplers = UINT32_MAX};
    VkPhysicalDeviceSamplerFilterMinmaxProperties minmax = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    const bool has[] = {
        [BORDER_COLOR] = listed(list, count, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME),
        [BORDER_SWIZZLE] = listed(list, count, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME),
        [MIRROR] = listed(list, count, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME),
        [CUBE] = listed(list, count, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME),
        [MINMAX] = listed(list, count, VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME),
    };
#define CHAIN(head, structure) ((structure).pNext = (head).pNext, (head).pNext = &(structure))
    if (has[BORDER_COLOR])
        CHAIN(features, border), CHAIN(properties, most);
    if (has[BORDER_SWIZZLE])
        CHAIN(features, swizzle);
    if (has[CUBE])
        CHAIN(features, cube);
    if (has[MINMAX])
        CHAIN(properties, minmax);
    if (version >= VK_API_VERSION_1_2)
        CHAIN(features, core12);
    if (version >= VK_API_VERSION_1_2 || listed(list, count, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME))
        CHAIN(features, address);
    CHAIN(features, protect);
#undef CHAIN
    if (version >= VK_API_VERSION_1_1 && query->features2 && query->properties2) {
        query->features2(device, &features);
        query->properties2(device, &properties);
    }
    amounts->facts = (struct offer_facts){address.bufferDeviceAddress, protect.protectedMemory};
    const uint32_t colors = most.maxCustomBorderColorSamplers < 4000 ? most.maxCustomBorderColorSamplers : 4000;
    amounts->has[BORDER_COLOR] = !has[BORDER_COLOR] || !border.customBorderColors
                                     ? 0
                                     : 1 + colors + (border.customBorderColorWithoutFormat ? 4000u : 0u);
    amounts->has[BORDER_SWIZZLE] =
        has[BORDER_SWIZZLE] ? swizzle.borderColorSwizzle + swizzle.borderColorSwizzleFromImage : 0;
    amounts->has[MIRROR] = has[MIRROR] && core12.samplerMirrorClampToEdge;
    amounts->has[CUBE] = has[CUBE] && cube.nonSeamlessCubeMap;
    amounts->has[MINMAX] = has[MINMAX] && core12.samplerFilterMinmax ? 1 + minmax.filterMinmaxSingleComponentFormats +
                                                                           minmax.filterMinmaxImageComponentMapping
                                                                     : 0;
    amounts->has[CUBIC] = listed(list, count, VK_EXT_FILTER_CUBIC_EXTENSION_NAME);
}

static void read_rest(const struct vulkan *vk, const struct device_facts *facts, const struct queries *query,
                      struct amounts *amounts)
{
    const VkFormatFeatureFlags linear = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    VkPhysicalDeviceFeatures features;
    VkPhysicalDeviceProperties properties;
    query->features(facts->handle, &features);
    query->properties(facts->handle, &properties);
    amounts->has[ANISOTROPY] = features.samplerAnisotropy;
    amounts->has[LOD_BIAS] = properties.limits.maxSamplerLodBias >= 15.0f;
    amounts->has[SAMPLERS] = properties.limits.maxSamplerAllocationCount;
    amounts->has[TEXELS] = properties.limits.maxTexelBufferElements;
    for (VkFormat format = VK_FORMAT_R4G4_UNORM_PACK8; format <= LAST_CORE_FORMAT; format++) {
        VkGLSamplerFormatPropertiesCLAMPLER gl;
        const VkFormatProperties has = vulkan_format_properties(vk, facts, format, &gl);
        amounts->has[LINEAR] += (has.optimalTilingFeatures & linear) != 0;
        amounts->lacks_linear |= gl.emulatedFeatures & VK_GL_FORMAT_FEATURE_LINEAR_FILTER_BIT_CLAMPLER &&
                                 !(has.optimalTilingFeatures & linear);
        amounts->has[TEXELS] += (has.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) != 0;
    }
}

static void read_device(const struct vulkan *vk, const struct device_facts *facts, struct amounts *amounts)
{
#define QUERY(NAME) (PFN_vkGetPhysicalDevice##NAME) vk->get(vk->instance, "vkGetPhysicalDevice" #NAME)
    const struct queries query = {QUERY(Features), QUERY(Features2), QUERY(Properties), QUERY(Properties2)};
#undef QUERY
    uint32_t count = 0;
    VkExtensionProperties *list = vulkan_extensions(vk, facts->handle, &count);
    if (!list || !query.features || !query.properties) {
        free(list);
        return;
    }
    read_extensions(&query, facts->handle, facts->properties.apiVersion, list, count, amounts);
    read_rest(vk, facts, &query, amounts);
    amounts->known = true;
    free(list);
}

/* Of the same devices, in the same order. */
static void read_with(const struct vulkan *vk, const char *offer, const struct device_facts *devices, unsigned count,
                      struct amounts *amounts)
{
    static const char name[] = "VK_CLAMPLER_GL_SAMPLER_OFFER";
    const char *value = getenv(name);
    char *before = value ? strdup(value) : NULL;
    struct vulkan *other = malloc(sizeof(*other));
    struct device_facts found[DEVICES];
    memset(amounts, 0, count * sizeof(*amounts));
    setenv(name, offer, 1);
    if (other)
        *other = *vk;
    if (other && vulkan_start(other, MANIFEST_LAYER) == VK_SUCCESS) {
        const unsigned there = vulkan_devices(other, found, DEVICES);
        for (unsigned i = 0; i < count && i < there; i++) {
            if (!strcmp(found[i].properties.deviceName, devices[i].properties.deviceName))
                read_device(other, &found[i], &amounts[i]);
        }
        vulkan_stop(other);
    }
    if (before)
        setenv(name, before, 1);
    else
        unsetenv(name);
    free(before);
    free(other);
}

void offered_find(const struct vulkan *vk, const struct device_facts *devices, unsigned count, struct offered *offered)
{
    struct amounts with[DEVICES], without[DEVICES];
    read_with(vk, "missing", devices, count, with);
    read_with(vk, "none", devices, count, without);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned o = 0; o < OFFERS; o++) {
            const uint64_t more = with[i].has[o], less = without[i].has[o];
            offered[i].state[o] = !with[i].known || !without[i].known              ? NULL
                                  : more > less                                    ? "offered"
                                  : !more || (o == LINEAR && with[i].lacks_linear) ? "missing"
                                                                                   : "native";
            offered[i].remark[o] = offered[i].state[o] ? offer_remark(o, offered[i].state[o], &with[i].facts) : "";
        }
    }
}
