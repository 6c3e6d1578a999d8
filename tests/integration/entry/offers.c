/* SPDX-License-Identifier: MIT */
/*
 * The setting `offer` above a device that lacks every extension for samplers: what programs are told, what they may
 * enable, and what reaches the driver. Its twin in sampling/offers.c draws.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/device/vulkan.h"
#include "integration/shared/scene.h"
#include "limited_driver/limited_driver.h"
#include "newer_vulkan.h"

#define ABOVE "validation:clampler:limited"
#define BELOW "clampler:validation:limited"

static const char *const names[] = {
    VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
    VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME,
    VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME,
    VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME,
    VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME,
    VK_EXT_FILTER_CUBIC_EXTENSION_NAME,
    VK_IMG_FILTER_CUBIC_EXTENSION_NAME,
    VK_QCOM_FILTER_CUBIC_WEIGHTS_EXTENSION_NAME,
};
enum { NAMES = sizeof(names) / sizeof(*names) };

/* What may be enabled, as a chain. */
struct features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features core12;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border;
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT swizzle;
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube;
};

static void chain_features(struct features *features)
{
    *features = (struct features){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features->core12},
        .core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features->border},
        .border = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                   .pNext = &features->swizzle},
        .swizzle = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT,
                    .pNext = &features->cube},
        .cube = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT}};
}

static void set_all(struct features *features, VkBool32 value)
{
    features->core.features.samplerAnisotropy = value;
    features->core12.samplerMirrorClampToEdge = features->core12.samplerFilterMinmax = value;
    features->border.customBorderColors = features->border.customBorderColorWithoutFormat = value;
    features->swizzle.borderColorSwizzle = features->swizzle.borderColorSwizzleFromImage = value;
    features->cube.nonSeamlessCubeMap = value;
}

/* `offer` NULL: not set. */
static VkResult try_device(struct harness_vulkan *vk, const char *offer, const char *profile, const char *rules,
                           const struct harness_vulkan_params *params)
{
    harness_vulkan_hold_driver();
    harness_messages_reset();
    setenv("LIMITED_DRIVER_PROFILE", profile, 1);
    setenv("LIMITED_DRIVER_RULES", rules ? rules : "", 1);
    if (offer)
        setenv("VK_CLAMPLER_OFFER", offer, 1);
    const VkResult result = harness_vulkan_try(vk, params);
    unsetenv("VK_CLAMPLER_OFFER");
    unsetenv("LIMITED_DRIVER_RULES");
    unsetenv("LIMITED_DRIVER_PROFILE");
    return result;
}

static void open_bare(struct harness_vulkan *vk, const char *offer, const struct harness_vulkan_params *params)
{
    assert_int_equal(try_device(vk, offer, "bare-samplers", NULL, params), VK_SUCCESS);
}

/* The limited driver records every use of what it hides. */
static void close_quiet(struct harness_vulkan *vk)
{
    const PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(vk->device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    assert_int_equal(get(vk->device, 0, NULL), 0);
    harness_vulkan_close(vk);
    scene_expect_silence();
}

static uint32_t times_listed(const struct harness_vulkan *vk, const char *layer, const char *name)
{
    uint32_t count = 0, times = 0;
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk->physical, layer, &count, NULL));
    VkExtensionProperties *list = harness_alloc(count, sizeof(*list));
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk->physical, layer, &count, list));
    for (uint32_t i = 0; i < count; i++)
        times += strcmp(list[i].extensionName, name) == 0 && list[i].specVersion > 0;
    free(list);
    return times;
}

/* ---- What programs are told ---- */

static void expect_told(struct harness_vulkan *vk, bool offered)
{
    struct features features;
    chain_features(&features);
    set_all(&features, offered ? VK_FALSE : VK_TRUE); /* structures that nobody knows stay as they are */
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceVulkan12Properties core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
                                                 .pNext = &border};
    VkPhysicalDeviceSamplerFilterMinmaxProperties minmax = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &core12};
    VkPhysicalDeviceProperties2 alone = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &minmax};
    VkPhysicalDeviceFeatures core;
    VkFormatProperties format;
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(times_listed(vk, NULL, names[i]), offered);
        assert_int_equal(times_listed(vk, "", names[i]), offered);
    }
    assert_int_equal(times_listed(vk, "", VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME),
                     times_listed(vk, NULL, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME));
    vkGetPhysicalDeviceFeatures(vk->physical, &core);
    vkGetPhysicalDeviceFeatures2(vk->physical, &features.core);
    vkGetPhysicalDeviceProperties2(vk->physical, &all);
    vkGetPhysicalDeviceProperties2(vk->physical, &alone);
    const VkPhysicalDeviceLimits *limits = &all.properties.limits;
    assert_int_equal(core.samplerAnisotropy, offered);
    assert_int_equal(features.core.features.samplerAnisotropy, offered);
    assert_int_equal(features.core12.samplerMirrorClampToEdge, offered);
    assert_int_equal(features.core12.samplerFilterMinmax, offered);
    assert_true(limits->maxSamplerAnisotropy >= (offered ? 16.0f : 1.0f));
    assert_true(offered ? limits->maxSamplerLodBias >= 15 : limits->maxSamplerLodBias <= 2);
    vkGetPhysicalDeviceFormatProperties(vk->physical, VK_FORMAT_R32_SFLOAT, &format);
    const VkFormatFeatureFlags filters =
        VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
    assert_int_equal(format.optimalTilingFeatures & filters, offered ? filters : 0);
    vkGetPhysicalDeviceFormatProperties(vk->physical, VK_FORMAT_R32G32B32_SFLOAT, &format);
    assert_int_equal((format.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) != 0, offered);
    vkGetPhysicalDeviceFormatProperties(vk->physical, VK_FORMAT_R8_UINT, &format);
    assert_int_equal(format.optimalTilingFeatures & filters, 0);
    if (!offered)
        return;
    assert_true(features.border.customBorderColors && features.border.customBorderColorWithoutFormat);
    assert_true(features.swizzle.borderColorSwizzle && features.swizzle.borderColorSwizzleFromImage);
    assert_true(features.cube.nonSeamlessCubeMap);
    assert_true(border.maxCustomBorderColorSamplers >= 4000);
    assert_true(core12.filterMinmaxSingleComponentFormats && core12.filterMinmaxImageComponentMapping);
    assert_true(minmax.filterMinmaxSingleComponentFormats && minmax.filterMinmaxImageComponentMapping);
}

static void programs_see_a_device_that_has_all(void **state)
{
    (void)state;
    static const char *const layers[] = {"clampler:limited", ABOVE, BELOW};
    for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
        struct harness_vulkan vk;
        open_bare(&vk, "missing", &(struct harness_vulkan_params){.layers = layers[i]});
        expect_told(&vk, true);
        assert_int_equal(times_listed(&vk, "", VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME), 1);
        close_quiet(&vk);
    }
}

static void without_the_setting_programs_see_the_driver(void **state)
{
    (void)state;
    static const char *const settings[] = {NULL, "none", ""};
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        struct harness_vulkan vk;
        open_bare(&vk, settings[i], &(struct harness_vulkan_params){.layers = "clampler:limited"});
        expect_told(&vk, false);
        assert_null(vk.counters);
        harness_vulkan_close(&vk);
    }
}

/* Swizzles of borders depend on custom colours: alone they are not offered where those are missing. */
static void a_list_offers_what_it_names(void **state)
{
    (void)state;
    static const struct {
        const char *offer, *name;
    } lists[] = {{"custom_border_color", VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME},
                 {"mirror_clamp_to_edge", VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME},
                 {"non_seamless_cube", VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME},
                 {"filter_minmax", VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME},
                 {"filter_cubic", "filter_cubic"},
                 {"border_color_swizzle", NULL},
                 {"anisotropy,lod_bias", NULL},
                 {"linear_filter", NULL}};
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        struct harness_vulkan vk;
        open_bare(&vk, lists[i].offer, &(struct harness_vulkan_params){.layers = "clampler:limited"});
        for (uint32_t n = 0; n < NAMES; n++)
            assert_int_equal(times_listed(&vk, NULL, names[n]), lists[i].name && strstr(names[n], lists[i].name));
        harness_vulkan_close(&vk);
    }
}

/* ---- Cubic filters ---- */

static void ask_cubic(const struct harness_vulkan *vk, VkFormat format, VkImageType type, VkImageViewType view,
                      VkFilterCubicImageViewImageFormatPropertiesEXT *cubic)
{
    const bool cube = view == VK_IMAGE_VIEW_TYPE_CUBE || view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    VkPhysicalDeviceImageViewImageFormatInfoEXT of_view = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT, .imageViewType = view};
    const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                   .pNext = &of_view,
                                                   .format = format,
                                                   .type = type,
                                                   .tiling = VK_IMAGE_TILING_OPTIMAL,
                                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT,
                                                   .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0};
    *cubic = (VkFilterCubicImageViewImageFormatPropertiesEXT){
        .sType = VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT,
        .filterCubic = 7,
        .filterCubicMinmax = 7};
    VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = cubic};
    HARNESS_VK(vkGetPhysicalDeviceImageFormatProperties2(vk->physical, &info, &properties));
    assert_ptr_equal(properties.pNext, cubic);
    assert_ptr_equal(info.pNext, &of_view);
}

/* By formats and types of views; minima and maxima where the format has those. The driver sees none of the structures.
 */
static void cubic_filters_are_told_by_format_and_view(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        VkImageType type;
        VkImageViewType view;
        bool cubic;
    } rows[] = {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, true},
                {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, true},
                {VK_FORMAT_R16_SFLOAT, VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, true},
                {VK_FORMAT_R16G16_SFLOAT, VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, true},
                {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, false},
                {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, false},
                {VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, false},
                {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, false},
                {VK_FORMAT_D32_SFLOAT, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, false}};
    static const struct {
        const char *layers, *offer, *rules;
    } devices[] = {{BELOW, "missing", NULL},
                   {ABOVE, "missing", NULL},
                   {BELOW, "filter_cubic", NULL},
                   {BELOW, "missing", "hide feature bufferDeviceAddress"}};
    for (size_t d = 0; d < sizeof(devices) / sizeof(*devices); d++) {
        const struct harness_vulkan_params params = {.layers = devices[d].layers};
        const bool blits = !devices[d].rules; /* the feature of a format promises those as well */
        struct harness_vulkan vk;
        assert_int_equal(try_device(&vk, devices[d].offer, "bare-samplers", devices[d].rules, &params), VK_SUCCESS);
        assert_int_equal(times_listed(&vk, NULL, VK_EXT_FILTER_CUBIC_EXTENSION_NAME), blits);
        for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
            const bool view_alone =
                rows[i].view == VK_IMAGE_VIEW_TYPE_CUBE || rows[i].view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
            VkFilterCubicImageViewImageFormatPropertiesEXT cubic;
            VkFormatProperties3 wide = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
            VkFormatProperties2 format = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &wide};
            vkGetPhysicalDeviceFormatProperties2(vk.physical, rows[i].format, &format);
            const VkFormatFeatureFlags bit = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT,
                                       minmax = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT;
            const VkFormatFeatureFlags features = format.formatProperties.optimalTilingFeatures;
            assert_int_equal((features & bit) != 0, blits && (rows[i].cubic || view_alone));
            assert_int_equal((wide.optimalTilingFeatures & bit) != 0, blits && (rows[i].cubic || view_alone));
            if (!blits || !features) /* nobody has the structures; the driver has no such format */
                continue;
            ask_cubic(&vk, rows[i].format, rows[i].type, rows[i].view, &cubic);
            assert_int_equal(cubic.filterCubic, rows[i].cubic);
            assert_int_equal(cubic.filterCubicMinmax, rows[i].cubic && features & minmax);
            assert_true(!rows[i].cubic || !!(features & minmax) == !strcmp(devices[d].offer, "missing"));
        }
        close_quiet(&vk);
    }
}

/* VK_IMG_filter_cubic by its name alone, and weights by their feature. */
static void cubic_filters_have_three_names(void **state)
{
    (void)state;
    static const char *const img = VK_IMG_FILTER_CUBIC_EXTENSION_NAME;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_CUBIC_EXT,
                                      .minFilter = VK_FILTER_CUBIC_EXT};
    for (int weighted = 0; weighted < 2; weighted++) {
        struct harness_vulkan vk;
        VkSampler sampler;
        open_bare(&vk, "filter_cubic",
                  &(struct harness_vulkan_params){.layers = BELOW,
                                                  .device_extensions = &img,
                                                  .device_extension_count = !weighted,
                                                  .filter_cubic = weighted,
                                                  .cubic_weights = weighted});
        VkPhysicalDeviceCubicWeightsFeaturesQCOM weights = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUBIC_WEIGHTS_FEATURES_QCOM};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &weights};
        vkGetPhysicalDeviceFeatures2(vk.physical, &features);
        assert_true(weights.selectableCubicWeights);
        assert_int_equal(vk.cubic_weights, weighted);
        assert_int_equal(vkCreateSampler(vk.device, &info, NULL, &sampler), VK_SUCCESS);
        vkDestroySampler(vk.device, sampler, NULL);
        close_quiet(&vk);
    }
}

/*
 * The feature of a format promises linear blits beside lookups, which the layer filters by buffer device addresses
 * alone: those that the device lacks, and those that an instance of Vulkan 1.0 cannot ask for.
 */
static void linear_filters_are_offered_where_blits_can_be(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        uint32_t version;
        bool offered;
    } rows[] = {
        {"", VK_API_VERSION_1_2, true},
        {"hide feature bufferDeviceAddress", VK_API_VERSION_1_2, false},
        {"hide extension VK_KHR_buffer_device_address; hide feature bufferDeviceAddress", VK_API_VERSION_1_1, false},
        {"", VK_API_VERSION_1_0, false}};
    static const char *const offers[] = {"missing", "linear_filter,filter_minmax,texel_buffers"};
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
        const size_t row = i / 2;
        const struct harness_vulkan_params params = {.layers = BELOW, .api_version = rows[row].version};
        struct harness_vulkan vk;
        VkFormatProperties format;
        assert_int_equal(try_device(&vk, offers[i % 2], "bare-samplers", rows[row].rules, &params), VK_SUCCESS);
        vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R32_SFLOAT, &format);
        assert_int_equal((format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0,
                         rows[row].offered);
        /* Neither minima nor texel buffers need addresses. */
        assert_true(format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT);
        vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R32G32B32_SFLOAT, &format);
        assert_true(format.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT);
        close_quiet(&vk);
    }
}

/* What the driver has is left to it, and a device that lacks nothing of the list is not followed. */
static void what_the_driver_has_is_the_drivers(void **state)
{
    (void)state;
    static const char *const lists[] = {"custom_border_color", "mirror_clamp_to_edge", "non_seamless_cube"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        struct harness_vulkan vk;
        if (!harness_driver_has(i == 0 ? names[0] : i == 1 ? names[2] : names[3]))
            continue;
        assert_int_equal(
            try_device(&vk, lists[i], "", NULL, &(struct harness_vulkan_params){.layers = "clampler:limited"}),
            VK_SUCCESS);
        assert_null(vk.counters);
        assert_int_equal(times_listed(&vk, NULL, names[3]), harness_has_extension(&vk, names[3]));
        harness_vulkan_close(&vk);
    }
}

/* 24 colours, or colours with their format only, are lifted; names and structures are the driver's then. */
static void poor_border_colors_are_lifted(void **state)
{
    (void)state;
    static const char *const rules[] = {"limit maxCustomBorderColorSamplers 24",
                                        "hide feature customBorderColorWithoutFormat"};
    if (!harness_driver_has(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME))
        harness_lacking(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME);
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
        VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &border};
        const VkPhysicalDeviceCustomBorderColorFeaturesEXT wanted = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
            .customBorderColors = VK_TRUE,
            .customBorderColorWithoutFormat = VK_TRUE};
        const struct harness_vulkan_params params = {
            .layers = BELOW, .device_extensions = names, .device_extension_count = 1, .device_next = &wanted};
        struct harness_vulkan vk;
        assert_int_equal(try_device(&vk, "missing", "", rules[i], &params), VK_SUCCESS);
        vkGetPhysicalDeviceProperties2(vk.physical, &all);
        assert_true(border.maxCustomBorderColorSamplers >= 4000);
        assert_int_equal(times_listed(&vk, NULL, names[0]), 1);
        assert_non_null(vk.counters);
        close_quiet(&vk);
    }
}

/* ---- Devices ---- */

static void all_of_it_can_be_enabled(void **state)
{
    (void)state;
    static const char *const layers[] = {ABOVE, BELOW};
    for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
        struct features features;
        struct harness_vulkan vk;
        chain_features(&features);
        set_all(&features, VK_TRUE);
        open_bare(&vk, "missing",
                  &(struct harness_vulkan_params){.layers = layers[i],
                                                  .device_extensions = names,
                                                  /* validation of older Vulkan warns of the last one */
                                                  .device_extension_count = i == 0 ? NAMES - 1 : NAMES,
                                                  .device_next = &features});
        assert_non_null(vk.counters);
        close_quiet(&vk);
    }
}

/* The mirror mode and minima by their names alone, as programs of Vulkan 1.0 and 1.1 do; anisotropy in the old form. */
static void names_without_structures_are_enough(void **state)
{
    (void)state;
    static const uint32_t versions[] = {VK_API_VERSION_1_0, VK_API_VERSION_1_1, VK_API_VERSION_1_3};
    const VkPhysicalDeviceFeatures features = {.samplerAnisotropy = VK_TRUE};
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        struct harness_vulkan vk;
        open_bare(&vk, "missing",
                  &(struct harness_vulkan_params){.layers = BELOW,
                                                  .api_version = versions[i],
                                                  .device_extensions = names + 2,
                                                  .device_extension_count = 1,
                                                  .features = &features});
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
        VkSampler sampler;
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
        info.anisotropyEnable = VK_TRUE;
        info.maxAnisotropy = 16;
        HARNESS_VK(vkCreateSampler(vk.device, &info, NULL, &sampler));
        vkDestroySampler(vk.device, sampler, NULL);
        close_quiet(&vk);
    }
}

/* As drivers have it: the same name twice is one, and features without their extension are features. */
static void odd_requests_get_what_drivers_give(void **state)
{
    (void)state;
    const char *const twice[] = {names[0], names[0], names[2], names[2], names[0]};
    struct features features;
    struct harness_vulkan vk;
    open_bare(&vk, "missing",
              &(struct harness_vulkan_params){
                  .layers = "clampler:limited", .device_extensions = twice, .device_extension_count = 5});
    close_quiet(&vk);
    chain_features(&features);
    set_all(&features, VK_TRUE);
    open_bare(&vk, "missing", &(struct harness_vulkan_params){.layers = "clampler:limited", .device_next = &features});
    close_quiet(&vk);
    /* Not offered: the driver's own refusal. */
    assert_int_equal(try_device(&vk, "custom_border_color", "bare-samplers", NULL,
                                &(struct harness_vulkan_params){.layers = "clampler:limited",
                                                                .device_extensions = names + 3,
                                                                .device_extension_count = 1}),
                     VK_ERROR_EXTENSION_NOT_PRESENT);
    chain_features(&features);
    features.core12.samplerMirrorClampToEdge = VK_TRUE;
    assert_int_equal(
        try_device(&vk, "custom_border_color", "bare-samplers", NULL,
                   &(struct harness_vulkan_params){.layers = "clampler:limited", .device_next = &features}),
        VK_ERROR_FEATURE_NOT_PRESENT);
}

/* The mirror mode and minima are Vulkan 1.2's as well: a driver may have the feature and not the extension's name. */
static void a_name_beside_the_drivers_own_feature(void **state)
{
    (void)state;
    static const char rules[] = "hide extension VK_KHR_sampler_mirror_clamp_to_edge VK_EXT_sampler_filter_minmax";
    const char *const asked[] = {names[2], names[4], names[2], names[4]};
    for (int i = 0; i < 3; i++) { /* names, names and features, features */
        VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .samplerMirrorClampToEdge = VK_TRUE,
                                                   .samplerFilterMinmax = VK_TRUE};
        const VkSamplerReductionModeCreateInfo least = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                        .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
        const struct harness_vulkan_params params = {.layers = BELOW,
                                                     .device_extensions = asked,
                                                     .device_extension_count = i < 2 ? 4 : 0,
                                                     .device_next = i > 0 ? &core12 : NULL};
        struct harness_vulkan vk;
        assert_int_equal(try_device(&vk, "missing", "", rules, &params), VK_SUCCESS);
        assert_int_equal(times_listed(&vk, NULL, names[2]), 1);
        assert_int_equal(times_listed(&vk, NULL, names[4]), 1);
        VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
        VkSampler sampler;
        info.pNext = &least;
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
        HARNESS_VK(vkCreateSampler(vk.device, &info, NULL, &sampler));
        vkDestroySampler(vk.device, sampler, NULL);
        close_quiet(&vk);
    }
}

static void a_device_group_has_it_too(void **state)
{
    (void)state;
    struct features features;
    struct harness_vulkan vk;
    open_bare(&vk, "missing", &(struct harness_vulkan_params){.layers = BELOW});
    chain_features(&features);
    set_all(&features, VK_TRUE);
    const VkDeviceGroupDeviceCreateInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
                                                 .pNext = &features,
                                                 .physicalDeviceCount = 1,
                                                 .pPhysicalDevices = &vk.physical};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = vk.family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &group,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = NAMES,
                                     .ppEnabledExtensionNames = names};
    VkDevice device;
    HARNESS_VK(vkCreateDevice(vk.physical, &info, NULL, &device));
    vkDestroyDevice(device, NULL);
    close_quiet(&vk);
}

/* Those of subsampled images are the driver's: it gets a sampler without what it lacks, and a message says so once. */
static void subsampled_samplers_are_the_drivers(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    const VkPhysicalDeviceCustomBorderColorFeaturesEXT wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .customBorderColors = VK_TRUE,
        .customBorderColorWithoutFormat = VK_TRUE};
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor.float32 = {0.25f, 0.5f, 0.75f, 1}};
    open_bare(&vk, "missing",
              &(struct harness_vulkan_params){.layers = "clampler:limited",
                                              .device_extensions = names,
                                              .device_extension_count = 1,
                                              .device_next = &wanted});
    for (int i = 0; i < 3; i++) {
        VkSamplerCreateInfo info = scene_sampler_info(i == 0 ? SCENE_EDGE : SCENE_BORDER, NULL);
        VkSampler sampler;
        info.flags = VK_SAMPLER_CREATE_SUBSAMPLED_BIT_EXT;
        info.pNext = &color;
        info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
        HARNESS_VK(vkCreateSampler(vk.device, &info, NULL, &sampler));
        vkDestroySampler(vk.device, sampler, NULL);
        assert_int_equal(harness_layer_messages(), i > 0); /* no edge shows a border */
    }
    harness_messages_reset();
    close_quiet(&vk);
}

/* Vulkan allows samplers with a conversion nothing but the names of what is offered, which the driver does not get. */
static void conversions_take_the_names_of_what_is_offered(void **state)
{
    (void)state;
    VkPhysicalDeviceSamplerYcbcrConversionFeatures has = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
    const VkFormat format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
    VkFormatProperties properties;
    struct harness_vulkan vk;
    open_bare(&vk, "missing", &(struct harness_vulkan_params){.layers = "clampler:limited"});
    vkGetPhysicalDeviceFeatures2(vk.physical, &all);
    vkGetPhysicalDeviceFormatProperties(vk.physical, format, &properties);
    harness_vulkan_close(&vk);
    if (!has.samplerYcbcrConversion ||
        !(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT)) {
        print_message("no YCbCr conversions of this format\n");
        skip();
    }
    const VkPhysicalDeviceVulkan12Features core12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &has, .samplerFilterMinmax = VK_TRUE};
    const VkPhysicalDeviceCustomBorderColorFeaturesEXT wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .pNext = (void *)(uintptr_t)&core12,
        .customBorderColors = VK_TRUE,
        .customBorderColorWithoutFormat = VK_TRUE};
    open_bare(&vk, "missing",
              &(struct harness_vulkan_params){
                  .layers = BELOW, .device_extensions = names, .device_extension_count = 1, .device_next = &wanted});
    const VkSamplerYcbcrConversionCreateInfo conversion_info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = format,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601,
        .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
        .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT,
        .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT};
    VkSamplerYcbcrConversion conversion;
    HARNESS_VK(vkCreateSamplerYcbcrConversion(vk.device, &conversion_info, NULL, &conversion));
    const VkSamplerYcbcrConversionInfo converted = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                                    .conversion = conversion};
    const VkSamplerReductionModeCreateInfo average = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                                      .pNext = &converted};
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .pNext = &average};
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_EDGE, NULL);
    VkSampler sampler;
    info.pNext = &color;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    info.magFilter = info.minFilter = VK_FILTER_NEAREST;
    HARNESS_VK(vkCreateSampler(vk.device, &info, NULL, &sampler));
    vkDestroySampler(vk.device, sampler, NULL);
    vkDestroySamplerYcbcrConversion(vk.device, conversion, NULL);
    close_quiet(&vk);
}

/* The program's structures are its own: nothing in them is written to. */
static void the_programs_structures_stay_as_they_are(void **state)
{
    (void)state;
    struct features features, before;
    struct harness_vulkan vk;
    chain_features(&features);
    set_all(&features, VK_TRUE);
    before = features;
    open_bare(&vk, "missing",
              &(struct harness_vulkan_params){.layers = "clampler:limited",
                                              .device_extensions = names,
                                              .device_extension_count = NAMES,
                                              .device_next = &features});
    assert_memory_equal(&features, &before, sizeof(features));
    close_quiet(&vk);
}

/* ---- As an implicit layer ---- */

/* A folder for XDG_DATA_HOME, in which loaders of all versions look for implicit layers. */
static void make_data_home(char *home, size_t size)
{
    char program[512], path[1024], manifests[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    assert_true(length > 0);
    program[length] = '\0';
    snprintf(manifests, sizeof(manifests), "%s/../../json/implicit", dirname(program));
    assert_int_equal(access(manifests, R_OK), 0);
    snprintf(home, size, "/tmp/offers-XXXXXX");
    assert_non_null(mkdtemp(home));
    snprintf(path, sizeof(path), "%s/vulkan", home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/vulkan/implicit_layer.d", home);
    assert_int_equal(symlink(manifests, path), 0);
}

static void remove_data_home(const char *home)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/vulkan/implicit_layer.d", home);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/vulkan", home);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(home), 0);
}

/* The names stand in no manifest: where the layer is not in the chain, nothing of them is left. */
static void an_implicit_layer_offers_unless_it_is_disabled(void **state)
{
    (void)state;
    static const struct {
        const char *enable, *disable;
        bool there;
    } rows[] = {{"1", NULL, true}, {"1", "1", false}, {NULL, NULL, false}};
    char home[64];
    char *before = getenv("XDG_DATA_HOME") ? strdup(getenv("XDG_DATA_HOME")) : NULL;
    make_data_home(home, sizeof(home));
    setenv("XDG_DATA_HOME", home, 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const bool there = rows[i].there;
        struct features features;
        struct harness_vulkan vk;
        if (rows[i].enable)
            setenv("CLAMPLER_ENABLE", rows[i].enable, 1);
        if (rows[i].disable)
            setenv("CLAMPLER_DISABLE", rows[i].disable, 1);
        open_bare(&vk, "missing", &(struct harness_vulkan_params){.layers = "limited"});
        expect_told(&vk, there);
        assert_int_equal(times_listed(&vk, NULL, VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME), there);
        if (there)
            close_quiet(&vk);
        else
            harness_vulkan_close(&vk);

        chain_features(&features);
        set_all(&features, VK_TRUE);
        const struct harness_vulkan_params all = {
            .layers = "limited", .device_extensions = names, .device_extension_count = NAMES, .device_next = &features};
        assert_int_equal(try_device(&vk, "missing", "bare-samplers", NULL, &all),
                         there ? VK_SUCCESS : VK_ERROR_EXTENSION_NOT_PRESENT);
        if (there)
            close_quiet(&vk);
        chain_features(&features);
        features.core12.samplerMirrorClampToEdge = VK_TRUE;
        features.core12.pNext = NULL;
        const struct harness_vulkan_params one = {.layers = "limited", .device_next = &features};
        assert_int_equal(try_device(&vk, "missing", "bare-samplers", NULL, &one),
                         there ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        if (there)
            close_quiet(&vk);
        unsetenv("CLAMPLER_ENABLE");
        unsetenv("CLAMPLER_DISABLE");
    }
    if (before)
        setenv("XDG_DATA_HOME", before, 1);
    else
        unsetenv("XDG_DATA_HOME");
    free(before);
    remove_data_home(home);
}

/* ---- Indices of border colours, for descriptor heaps ---- */

static const VkSamplerCustomBorderColorCreateInfoEXT a_color = {
    .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    .customBorderColor.float32 = {0.25f, 0.5f, 0.75f, 1}};

/*
 * Descriptors of lavapipe's size have no room for record indices, so that heaps are hidden beside `offer`
 * (docs/limits.md). Here the driver shows smaller ones; none is written.
 */
static void open_heaps(struct harness_vulkan *vk)
{
    static const char rules[] = "limit ?VkPhysicalDeviceDescriptorHeapPropertiesEXT.samplerDescriptorSize 16;"
                                "limit ?VkPhysicalDeviceDescriptorHeapPropertiesEXT.imageDescriptorSize 32";
    static const VkPhysicalDeviceCustomBorderColorFeaturesEXT wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
        .customBorderColors = VK_TRUE,
        .customBorderColorWithoutFormat = VK_TRUE};
    assert_int_equal(try_device(vk, "missing", "bare-samplers", rules,
                                &(struct harness_vulkan_params){.layers = "clampler:limited",
                                                                .sets = HARNESS_SETS_HEAP,
                                                                .device_extensions = names,
                                                                .device_extension_count = 1,
                                                                .device_next = &wanted}),
                     VK_SUCCESS);
}

static uint32_t most_border_colors(const struct harness_vulkan *vk)
{
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &border};
    vkGetPhysicalDeviceProperties2(vk->physical, &all);
    return border.maxCustomBorderColorSamplers;
}

/* With an index of its own, and without. */
static void create_with_index(struct harness_vulkan *vk, uint32_t index)
{
    VkSamplerCustomBorderColorCreateInfoEXT color = a_color;
    const VkSamplerCustomBorderColorIndexCreateInfoEXT chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT, .pNext = &color, .index = index};
    VkSamplerCreateInfo info = scene_sampler_info(SCENE_BORDER, NULL);
    VkSampler sampler;
    info.pNext = &chained;
    info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    HARNESS_VK(vkCreateSampler(vk->device, &info, NULL, &sampler));
    vkDestroySampler(vk->device, sampler, NULL);
}

static void border_colors_are_registered(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    scene_skip_lacking("none", HARNESS_MONOLITHIC, HARNESS_SETS_HEAP, NULL, 0);
    open_heaps(&vk);
    const PFN_vkRegisterCustomBorderColorEXT add =
        (PFN_vkRegisterCustomBorderColorEXT)vkGetDeviceProcAddr(vk.device, "vkRegisterCustomBorderColorEXT");
    const PFN_vkUnregisterCustomBorderColorEXT drop =
        (PFN_vkUnregisterCustomBorderColorEXT)vkGetDeviceProcAddr(vk.device, "vkUnregisterCustomBorderColorEXT");
    const uint32_t most = most_border_colors(&vk);
    assert_true(add && drop);
    assert_true(most >= 4000);

    /* Wanted indices: each that is free and below the limit. */
    static const VkResult taken = VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;
    const struct {
        uint32_t index;
        VkResult result;
    } wanted[] = {{7, VK_SUCCESS},   {7, taken},    {0, VK_SUCCESS},    {most - 1, VK_SUCCESS},
                  {most - 1, taken}, {most, taken}, {UINT32_MAX, taken}};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        uint32_t index = wanted[i].index;
        assert_int_equal(add(vk.device, &a_color, VK_TRUE, &index), wanted[i].result);
        assert_int_equal(index, wanted[i].index);
    }
    create_with_index(&vk, 7);

    /* Any index: as many as are left, each once. */
    uint8_t *seen = harness_alloc(most, 1);
    memset(seen, 0, most);
    seen[0] = seen[7] = seen[most - 1] = 1;
    uint32_t index = UINT32_MAX;
    for (uint32_t i = 3; i < most; i++) {
        assert_int_equal(add(vk.device, &a_color, VK_FALSE, &index), VK_SUCCESS);
        assert_true(index < most && !seen[index]);
        seen[index] = 1;
    }
    free(seen);
    assert_int_equal(add(vk.device, &a_color, VK_FALSE, &index), VK_ERROR_TOO_MANY_OBJECTS);
    drop(vk.device, 7);
    assert_int_equal(add(vk.device, &a_color, VK_FALSE, &index), VK_SUCCESS);
    assert_int_equal(index, 7);
    drop(vk.device, 7);
    assert_int_equal(add(vk.device, &a_color, VK_TRUE, &index), VK_SUCCESS);
    assert_int_equal(harness_layer_messages(), 0);

    /* Indices that nobody registered. */
    drop(vk.device, 7);
    drop(vk.device, 7);
    drop(vk.device, most);
    drop(vk.device, UINT32_MAX);
    assert_int_equal(harness_layer_messages(), 3);
    harness_messages_reset();
    assert_int_equal(add(vk.device, &a_color, VK_FALSE, &index), VK_SUCCESS);
    assert_int_equal(index, 7);
    close_quiet(&vk);
}

/*
 * Heaps and border colours bring the commands together. (With heaps alone Mesa's drivers answer for themselves, and
 * some drivers give a function for every name that they know.)
 */
static void border_colors_are_not_registered_without_heaps(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const bool answered = vkGetDeviceProcAddr(vk.device, "vkRegisterCustomBorderColorEXT") ||
                          vkGetDeviceProcAddr(vk.device, "vkUnregisterCustomBorderColorEXT");
    harness_vulkan_close(&vk);
    if (answered) {
        print_message("the driver gives commands of extensions that are not enabled\n");
        skip();
    }
    open_bare(&vk, "missing",
              &(struct harness_vulkan_params){
                  .layers = "clampler:limited", .device_extensions = names, .device_extension_count = 1});
    assert_non_null(vk.counters);
    assert_null(vkGetDeviceProcAddr(vk.device, "vkRegisterCustomBorderColorEXT"));
    assert_null(vkGetDeviceProcAddr(vk.device, "vkUnregisterCustomBorderColorEXT"));
    close_quiet(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_see_a_device_that_has_all),
        cmocka_unit_test(without_the_setting_programs_see_the_driver),
        cmocka_unit_test(a_list_offers_what_it_names),
        cmocka_unit_test(cubic_filters_are_told_by_format_and_view),
        cmocka_unit_test(cubic_filters_have_three_names),
        cmocka_unit_test(linear_filters_are_offered_where_blits_can_be),
        cmocka_unit_test(what_the_driver_has_is_the_drivers),
        cmocka_unit_test(poor_border_colors_are_lifted),
        cmocka_unit_test(all_of_it_can_be_enabled),
        cmocka_unit_test(names_without_structures_are_enough),
        cmocka_unit_test(odd_requests_get_what_drivers_give),
        cmocka_unit_test(a_name_beside_the_drivers_own_feature),
        cmocka_unit_test(a_device_group_has_it_too),
        cmocka_unit_test(subsampled_samplers_are_the_drivers),
        cmocka_unit_test(conversions_take_the_names_of_what_is_offered),
        cmocka_unit_test(the_programs_structures_stay_as_they_are),
        cmocka_unit_test(an_implicit_layer_offers_unless_it_is_disabled),
        cmocka_unit_test(border_colors_are_not_registered_without_heaps),
        cmocka_unit_test(border_colors_are_registered),
    };
    return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
