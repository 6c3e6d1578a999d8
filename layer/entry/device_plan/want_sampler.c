/* SPDX-License-Identifier: MIT */
/* Features for samplers and views, which the layer enables for itself where the driver has them. */
#include "device/instance.h"
#include "device_plan/device_plan.h"

/*
 * Chains VkPhysicalDeviceVulkan12Features where the program does not: the names of promoted extensions do not enable
 * their features. The structure must not stand beside those that it contains, nor contradict the names of extensions.
 */
static void want_core12(struct device_plan *plan, uint32_t version)
{
    static const VkStructureType contained[] = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
    };
    static const char *const names[] = {
        VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,         VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME,
        VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME,         VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME,
        VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
    };
    bool free_to = version >= VK_API_VERSION_1_2;
    for (size_t i = 0; i < sizeof(contained) / sizeof(*contained); i++)
        free_to &= !device_plan_chained(plan, contained[i]);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        free_to &= !device_plan_enables(plan, names[i]);
    if (!free_to)
        return;
    plan->core12_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    device_plan_prepend(plan, &plan->core12_features);
}

/* VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: a feature of Vulkan 1.2, or an extension that has none. */
static void want_mirror_clamp_to_edge(struct device_plan *plan, const struct device *device, bool core)
{
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(device->instance, device->physical);
    const enum wanted_extension extension = WANTED_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE;
    const VkStructureType type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    const VkPhysicalDeviceVulkan12Features *given = device_plan_chained(plan, type);
    VkPhysicalDeviceVulkan12Features *enabled = device_plan_copied(plan, type);
    VkPhysicalDeviceVulkan12Features supported = {.sType = type};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &supported};

    if (core && query && enabled) {
        query(device->physical, &features);
        if (supported.samplerMirrorClampToEdge)
            enabled->samplerMirrorClampToEdge = VK_TRUE;
        plan->caps.resolve.mirror_clamp_to_edge = enabled->samplerMirrorClampToEdge;
    } else if (core && given) {
        plan->caps.resolve.mirror_clamp_to_edge = given->samplerMirrorClampToEdge;
    } else if (!given && device_plan_available(plan, extension)) {
        device_plan_add(plan, extension);
        plan->caps.resolve.mirror_clamp_to_edge = true;
    }
}

/* Minimum and maximum filters: a feature of Vulkan 1.2, or an extension that has none. */
static void want_minmax(struct device_plan *plan, const struct device *device, uint32_t version)
{
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(device->instance, device->physical);
    const PFN_vkGetPhysicalDeviceFeatures2 query_features = instance_features2(device->instance, device->physical);
    const VkStructureType core12 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    const enum wanted_extension extension = WANTED_EXT_SAMPLER_FILTER_MINMAX;
    const VkPhysicalDeviceVulkan12Features *given = device_plan_chained(plan, core12);
    VkPhysicalDeviceVulkan12Features *enabled = device_plan_copied(plan, core12);
    VkPhysicalDeviceVulkan12Features supported = {.sType = core12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &supported};
    VkPhysicalDeviceSamplerFilterMinmaxProperties minmax = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &minmax};
    if (!query || !query_features)
        return;
    if (enabled) {
        query_features(device->physical, &features);
        enabled->samplerFilterMinmax |= supported.samplerFilterMinmax;
        plan->caps.resolve.sampler_filter_minmax = enabled->samplerFilterMinmax;
    } else if (given && given->samplerFilterMinmax) {
        plan->caps.resolve.sampler_filter_minmax = true;
    } else if (device_plan_enables(plan, VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME) ||
               (!given && version < VK_API_VERSION_1_2 && device_plan_available(plan, extension))) {
        device_plan_add(plan, extension);
        plan->caps.resolve.sampler_filter_minmax = true;
    }
    if (!plan->caps.resolve.sampler_filter_minmax)
        return;
    query(device->physical, &properties);
    plan->caps.resolve.minmax_swizzle = minmax.filterMinmaxImageComponentMapping;
}

static void want_image_format_list(struct device_plan *plan, uint32_t version)
{
    plan->caps.image_format_list = version >= VK_API_VERSION_1_2;
    if (plan->caps.image_format_list || version < VK_API_VERSION_1_1 ||
        !device_plan_available(plan, WANTED_KHR_IMAGE_FORMAT_LIST))
        return;
    device_plan_add(plan, WANTED_KHR_IMAGE_FORMAT_LIST);
    plan->caps.image_format_list = true;
}

void want_sampler(struct device_plan *plan, const struct device *device, uint32_t version)
{
    want_core12(plan, version);
    want_mirror_clamp_to_edge(plan, device, version >= VK_API_VERSION_1_2);
    /* Borders follow the view's swizzle, which the sampler names where the driver does not read it from the image. */
    if (want_feature(plan, device, FEATURE_BORDER_COLOR))
        want_feature(plan, device, FEATURE_BORDER_SWIZZLE);
    want_feature(plan, device, FEATURE_CUBE_FACES);
    want_minmax(plan, device, version);
    want_image_format_list(plan, version);
}
