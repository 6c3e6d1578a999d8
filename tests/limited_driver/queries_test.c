/* SPDX-License-Identifier: MIT */
/* Each profile hides what it says, by every name that the query has, and no more than that. */
#include "harness/device/limits.h"
#include "limited_fixture.h"

#include <stdlib.h>

/* A driver's answers by all the names of the queries that the profiles touch. */
struct answers {
    VkPhysicalDeviceFeatures features;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceCustomBorderColorFeaturesEXT custom_border;
    VkPhysicalDeviceBorderColorSwizzleFeaturesEXT border_swizzle;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic_state3;
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceCustomBorderColorPropertiesEXT custom_border_limits;
    VkPhysicalDeviceVulkan12Properties vulkan12_limits;
};

#define INSTANCE_PROC(vk, name) ((PFN_##name)vkGetInstanceProcAddr((vk)->instance, #name))

static void ask_features(const struct harness_vulkan *vk, struct answers *answers)
{
    answers->vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    answers->custom_border.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT;
    answers->border_swizzle.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT;
    answers->dynamic_state3.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT;
    answers->cube.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT;
    answers->vulkan12.pNext = &answers->custom_border;
    answers->custom_border.pNext = &answers->border_swizzle;
    answers->border_swizzle.pNext = &answers->dynamic_state3;
    answers->dynamic_state3.pNext = &answers->cube;
    VkPhysicalDeviceFeatures2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &answers->vulkan12};
    VkPhysicalDeviceFeatures2 alias = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    vkGetPhysicalDeviceFeatures(vk->physical, &answers->features);
    vkGetPhysicalDeviceFeatures2(vk->physical, &chain);
    INSTANCE_PROC(vk, vkGetPhysicalDeviceFeatures2KHR)(vk->physical, &alias);
    assert_memory_equal(&answers->features, &chain.features, sizeof(chain.features));
    assert_memory_equal(&answers->features, &alias.features, sizeof(alias.features));
}

static void ask(const struct harness_vulkan *vk, struct answers *answers)
{
    memset(answers, 0, sizeof(*answers));
    ask_features(vk, answers);
    answers->custom_border_limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT;
    answers->vulkan12_limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    answers->custom_border_limits.pNext = &answers->vulkan12_limits;
    VkPhysicalDeviceProperties2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &answers->custom_border_limits};
    VkPhysicalDeviceProperties2 alias = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vkGetPhysicalDeviceProperties(vk->physical, &answers->properties);
    vkGetPhysicalDeviceProperties2(vk->physical, &chain);
    INSTANCE_PROC(vk, vkGetPhysicalDeviceProperties2KHR)(vk->physical, &alias);
    assert_true(harness_same_limits(&answers->properties.limits, &chain.properties.limits));
    assert_true(harness_same_limits(&answers->properties.limits, &alias.properties.limits));
    assert_int_equal(answers->properties.apiVersion, chain.properties.apiVersion);
    assert_int_equal(answers->properties.apiVersion, alias.properties.apiVersion);
}

/* A format's features by all names of the query, which must agree. */
static VkFormatProperties3 ask_format(const struct harness_vulkan *vk, VkFormat format)
{
    VkFormatProperties3 three = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 two = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &three};
    VkFormatProperties2 alias = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2};
    VkFormatProperties one;
    vkGetPhysicalDeviceFormatProperties(vk->physical, format, &one);
    vkGetPhysicalDeviceFormatProperties2(vk->physical, format, &two);
    INSTANCE_PROC(vk, vkGetPhysicalDeviceFormatProperties2KHR)(vk->physical, format, &alias);
    assert_memory_equal(&one, &two.formatProperties, sizeof(one));
    assert_memory_equal(&one, &alias.formatProperties, sizeof(one));
    assert_int_equal(one.linearTilingFeatures & ~(VkFormatFeatureFlags)three.linearTilingFeatures, 0);
    assert_int_equal(one.optimalTilingFeatures & ~(VkFormatFeatureFlags)three.optimalTilingFeatures, 0);
    assert_int_equal(one.bufferFeatures & ~(VkFormatFeatureFlags)three.bufferFeatures, 0);
    return three;
}

static void open_full(struct harness_vulkan *vk, struct answers *answers)
{
    limited_fixture_open(vk, &(struct limited_fixture_params){0});
    ask(vk, answers);
}

static void open_profile(struct harness_vulkan *vk, const char *profile, struct answers *answers)
{
    limited_fixture_open(vk, &(struct limited_fixture_params){.profile = profile});
    if (answers)
        ask(vk, answers);
}

/* ---- What there must be to hide ---- */

static void without_a_profile_the_driver_is_what_it_is(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers with, without;
    limited_fixture_open(&vk, &(struct limited_fixture_params){.layers = "none"});
    ask(&vk, &without);
    VkFormatProperties3 format_without = ask_format(&vk, VK_FORMAT_R32G32B32A32_SFLOAT);
    assert_null(vkGetDeviceProcAddr(vk.device, "vkGetViolationsLIMITED"));
    harness_vulkan_close(&vk);
    open_full(&vk, &with);
    VkFormatProperties3 format_with = ask_format(&vk, VK_FORMAT_R32G32B32A32_SFLOAT);
    harness_vulkan_close(&vk);
    assert_memory_equal(&with.features, &without.features, sizeof(with.features));
    assert_true(harness_same_limits(&with.properties.limits, &without.properties.limits));
    assert_memory_equal(&with.properties.sparseProperties, &without.properties.sparseProperties,
                        sizeof(with.properties.sparseProperties));
    assert_int_equal(format_with.optimalTilingFeatures, format_without.optimalTilingFeatures);
    assert_true(with.custom_border.customBorderColors && with.border_swizzle.borderColorSwizzle);
    assert_true(with.dynamic_state3.extendedDynamicState3ColorBlendEquation && with.cube.nonSeamlessCubeMap);
    assert_true(with.vulkan12.samplerMirrorClampToEdge);
    assert_true(with.custom_border_limits.maxCustomBorderColorSamplers > 24);
    assert_true(with.properties.limits.maxTexelBufferElements > 65536);
}

/* ---- Profile by profile ---- */

static void no_linear_float32_hides_the_filter_of_float32_alone(void **state)
{
    (void)state;
    struct harness_vulkan full, vk;
    static const VkFormat hidden[] = {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT};
    static const VkFormat kept[] = {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT};
    const VkFormatFeatureFlags2 bit = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    limited_fixture_open(&full, &(struct limited_fixture_params){0});
    open_profile(&vk, "no-linear-float32", NULL);
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        VkFormatProperties3 has = ask_format(&full, hidden[i]), left = ask_format(&vk, hidden[i]);
        assert_true(has.optimalTilingFeatures & bit);
        assert_int_equal(left.optimalTilingFeatures, has.optimalTilingFeatures & ~bit);
        assert_int_equal(left.linearTilingFeatures, has.linearTilingFeatures & ~bit);
        assert_int_equal(left.bufferFeatures, has.bufferFeatures);
    }
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        assert_int_equal(ask_format(&vk, kept[i]).optimalTilingFeatures,
                         ask_format(&full, kept[i]).optimalTilingFeatures);
    harness_vulkan_close(&vk);
    harness_vulkan_close(&full);
}

static void no_linear_depth_hides_the_filter_of_depth_alone(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    const VkFormatFeatureFlags2 bit = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    open_profile(&vk, "no-linear-depth", NULL);
    VkFormatFeatureFlags2 depth = ask_format(&vk, VK_FORMAT_D32_SFLOAT).optimalTilingFeatures;
    assert_true(depth & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT);
    assert_false(depth & bit);
    assert_false(ask_format(&vk, VK_FORMAT_D16_UNORM).optimalTilingFeatures & bit);
    assert_false(ask_format(&vk, VK_FORMAT_D32_SFLOAT_S8_UINT).optimalTilingFeatures & bit);
    assert_true(ask_format(&vk, VK_FORMAT_R32_SFLOAT).optimalTilingFeatures & bit);
    harness_vulkan_close(&vk);
}

static void no_custom_border_hides_both_border_extensions(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "no-custom-border", &answers);
    assert_false(harness_has_extension(&vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME));
    assert_false(harness_has_extension(&vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME));
    assert_true(harness_has_extension(&vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME));
    assert_false(answers.custom_border.customBorderColors);
    assert_false(answers.custom_border.customBorderColorWithoutFormat);
    assert_false(answers.border_swizzle.borderColorSwizzle);
    assert_int_equal(answers.custom_border_limits.maxCustomBorderColorSamplers, 0);
    assert_true(answers.cube.nonSeamlessCubeMap);
    harness_vulkan_close(&vk);
}

static void border_limit_24_leaves_the_extension(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "border-limit-24", &answers);
    assert_true(harness_has_extension(&vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME));
    assert_true(answers.custom_border.customBorderColors);
    assert_int_equal(answers.custom_border_limits.maxCustomBorderColorSamplers, 24);
    harness_vulkan_close(&vk);
}

static void no_border_swizzle_leaves_custom_borders(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "no-border-swizzle", &answers);
    assert_false(harness_has_extension(&vk, VK_EXT_BORDER_COLOR_SWIZZLE_EXTENSION_NAME));
    assert_false(answers.border_swizzle.borderColorSwizzle || answers.border_swizzle.borderColorSwizzleFromImage);
    assert_true(answers.custom_border.customBorderColors);
    harness_vulkan_close(&vk);
}

static void no_eds3_hides_the_extension_and_its_commands(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "no-eds3", &answers);
    assert_false(harness_has_extension(&vk, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME));
    assert_true(harness_has_extension(&vk, VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME));
    assert_false(answers.dynamic_state3.extendedDynamicState3ColorBlendEquation);
    assert_null(vkGetDeviceProcAddr(vk.device, "vkCmdSetColorBlendEquationEXT"));
    assert_non_null(vkGetDeviceProcAddr(vk.device, "vkCmdDraw"));
    harness_vulkan_close(&vk);
}

static void no_rgb32_texel_buffer_leaves_vertex_buffers(void **state)
{
    (void)state;
    struct harness_vulkan full, vk;
    static const VkFormat formats[] = {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32_UINT};
    limited_fixture_open(&full, &(struct limited_fixture_params){0});
    open_profile(&vk, "no-rgb32-texel-buffer", NULL);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        assert_true(ask_format(&full, formats[i]).bufferFeatures & VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT);
        VkFormatFeatureFlags2 left = ask_format(&vk, formats[i]).bufferFeatures;
        assert_false(left &
                     (VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT));
        assert_true(left & VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT);
    }
    assert_true(ask_format(&vk, VK_FORMAT_R32G32B32A32_SFLOAT).bufferFeatures &
                VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT);
    harness_vulkan_close(&vk);
    harness_vulkan_close(&full);
}

static void texel_buffer_65536_lowers_one_limit(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers full, answers;
    open_full(&vk, &full);
    harness_vulkan_close(&vk);
    open_profile(&vk, "texel-buffer-65536", &answers);
    assert_int_equal(answers.properties.limits.maxTexelBufferElements, 65536);
    answers.properties.limits.maxTexelBufferElements = full.properties.limits.maxTexelBufferElements;
    assert_true(harness_same_limits(&answers.properties.limits, &full.properties.limits));
    harness_vulkan_close(&vk);
}

static void no_non_seamless_cube_hides_extension_and_feature(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "no-non-seamless-cube", &answers);
    assert_false(harness_has_extension(&vk, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME));
    assert_false(answers.cube.nonSeamlessCubeMap);
    harness_vulkan_close(&vk);
}

static void no_mirror_clamp_to_edge_hides_extension_and_feature(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "no-mirror-clamp-to-edge", &answers);
    assert_false(harness_has_extension(&vk, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME));
    assert_false(answers.vulkan12.samplerMirrorClampToEdge);
    assert_true(answers.vulkan12.timelineSemaphore);
    harness_vulkan_close(&vk);
}

static void records_profiles_move_the_balance_of_uniform_buffers(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    const VkPhysicalDeviceLimits *limits = &answers.properties.limits;
    open_profile(&vk, "storage-records", &answers);
    assert_true(limits->maxPerStageDescriptorUniformBuffers < limits->maxBoundDescriptorSets + 12);
    assert_int_equal(answers.vulkan12_limits.maxPerStageDescriptorUpdateAfterBindUniformBuffers, 12);
    harness_vulkan_close(&vk);
    open_profile(&vk, "uniform-records", &answers);
    assert_true(limits->maxPerStageDescriptorUniformBuffers >= limits->maxBoundDescriptorSets + 12);
    harness_vulkan_close(&vk);
}

static void mobile_is_a_phone(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    open_profile(&vk, "mobile", &answers);
    assert_int_equal(VK_API_VERSION_MINOR(answers.properties.apiVersion), 1);
    assert_int_equal(answers.properties.limits.maxTexelBufferElements, 65536);
    assert_int_equal(answers.properties.limits.maxBoundDescriptorSets, 4);
    assert_int_equal(answers.properties.limits.minUniformBufferOffsetAlignment, 64);
    assert_false(answers.features.geometryShader || answers.features.dualSrcBlend);
    assert_true(answers.features.independentBlend);
    assert_false(harness_has_extension(&vk, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME));
    assert_true(harness_has_extension(&vk, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME));
    assert_null(vkGetDeviceProcAddr(vk.device, "vkCmdBeginRendering"));
    VkFormatProperties three;
    vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R32G32B32A32_SFLOAT, &three);
    assert_false(three.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT);
    assert_true(three.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    harness_vulkan_close(&vk);
}

static void vulkan_1_0_minimum_is_what_the_specification_requires(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    uint32_t count = 0;
    open_profile(&vk, "vulkan-1.0-minimum", &answers);
    assert_int_equal(VK_API_VERSION_MINOR(answers.properties.apiVersion), 0);
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, NULL));
    assert_int_equal(count, 0);
    VkPhysicalDeviceFeatures only = {.robustBufferAccess = VK_TRUE};
    only.textureCompressionBC = answers.features.textureCompressionBC;
    assert_memory_equal(&answers.features, &only, sizeof(only));
    assert_int_equal(answers.properties.limits.maxPerStageDescriptorStorageBuffers, 4);
    assert_int_equal(answers.properties.limits.maxComputeWorkGroupSize[2], 64);
    assert_float_equal(answers.properties.limits.maxSamplerLodBias, 2, 0);
    assert_int_equal(answers.properties.limits.minTexelGatherOffset, 0);
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R8G8B8A8_UNORM, &properties);
    assert_true(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    assert_int_equal(properties.linearTilingFeatures, 0);
    vkGetPhysicalDeviceFormatProperties(vk.physical, VK_FORMAT_R16_UNORM, &properties);
    assert_int_equal(properties.optimalTilingFeatures, 0);
    assert_int_equal(properties.bufferFeatures, VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT);
    harness_vulkan_close(&vk);
}

/* ---- Images, lists, mistakes ---- */

static void image_queries_know_of_hidden_usages_and_limits(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    VkImageFormatProperties one;
    limited_fixture_open(
        &vk, &(struct limited_fixture_params){.rules = "hide format VK_FORMAT_R8G8B8A8_UNORM image STORAGE_IMAGE; "
                                                       "limit maxImageDimension2D 100; limit maxImageArrayLayers 7"});
    VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                                             .type = VK_IMAGE_TYPE_2D,
                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageFormatProperties2 two = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    HARNESS_VK(vkGetPhysicalDeviceImageFormatProperties2(vk.physical, &info, &two));
    HARNESS_VK(vkGetPhysicalDeviceImageFormatProperties(vk.physical, info.format, info.type, info.tiling, info.usage, 0,
                                                        &one));
    assert_memory_equal(&one, &two.imageFormatProperties, sizeof(one));
    assert_int_equal(one.maxExtent.width, 100);
    assert_int_equal(one.maxMipLevels, 7);
    assert_int_equal(one.maxArrayLayers, 7);
    info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    assert_int_equal(vkGetPhysicalDeviceImageFormatProperties2(vk.physical, &info, &two),
                     VK_ERROR_FORMAT_NOT_SUPPORTED);
    assert_int_equal(INSTANCE_PROC(&vk, vkGetPhysicalDeviceImageFormatProperties2KHR)(vk.physical, &info, &two),
                     VK_ERROR_FORMAT_NOT_SUPPORTED);
    assert_int_equal(
        vkGetPhysicalDeviceImageFormatProperties(vk.physical, info.format, info.type, info.tiling, info.usage, 0, &one),
        VK_ERROR_FORMAT_NOT_SUPPORTED);
    harness_vulkan_close(&vk);
}

static void extension_lists_follow_the_rules_of_counted_queries(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    VkExtensionProperties some[3];
    uint32_t all = 0, count = 3;
    open_profile(&vk, "no-custom-border", NULL);
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &all, NULL));
    assert_int_equal(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, some), VK_INCOMPLETE);
    assert_int_equal(count, 3);
    VkExtensionProperties *list = calloc(all + 1, sizeof(*list));
    count = all + 1;
    HARNESS_VK(vkEnumerateDeviceExtensionProperties(vk.physical, NULL, &count, list));
    assert_int_equal(count, all);
    free(list);
    harness_vulkan_close(&vk);
}

static VkResult create_instance_only(void)
{
    const char *const layer = "VK_LAYER_CLAMPLER_TEST_limited_driver";
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .enabledLayerCount = 1, .ppEnabledLayerNames = &layer};
    VkInstance instance;
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result == VK_SUCCESS)
        vkDestroyInstance(instance, NULL);
    return result;
}

static void a_wrong_profile_makes_no_instance(void **state)
{
    (void)state;
    setenv("LIMITED_DRIVER_PROFILE", "no-custom-border:no-eds3", 1);
    unsetenv("LIMITED_DRIVER_RULES");
    assert_int_equal(create_instance_only(), VK_SUCCESS);
    setenv("LIMITED_DRIVER_PROFILE", "no-such-profile", 1);
    assert_int_equal(create_instance_only(), VK_ERROR_INITIALIZATION_FAILED);
    unsetenv("LIMITED_DRIVER_PROFILE");
    setenv("LIMITED_DRIVER_RULES", "hide feature typo", 1);
    assert_int_equal(create_instance_only(), VK_ERROR_INITIALIZATION_FAILED);
}

static void profiles_and_rules_add_up(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    struct answers answers;
    limited_fixture_open(&vk,
                         &(struct limited_fixture_params){.profile = "no-eds3:texel-buffer-65536",
                                                          .rules = "show extension VK_EXT_extended_dynamic_state3; "
                                                                   "hide feature logicOp"});
    ask(&vk, &answers);
    assert_true(harness_has_extension(&vk, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME));
    assert_int_equal(answers.properties.limits.maxTexelBufferElements, 65536);
    assert_false(answers.features.logicOp);
    harness_vulkan_close(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_profile_the_driver_is_what_it_is),
        cmocka_unit_test(no_linear_float32_hides_the_filter_of_float32_alone),
        cmocka_unit_test(no_linear_depth_hides_the_filter_of_depth_alone),
        cmocka_unit_test(no_custom_border_hides_both_border_extensions),
        cmocka_unit_test(border_limit_24_leaves_the_extension),
        cmocka_unit_test(no_border_swizzle_leaves_custom_borders),
        cmocka_unit_test(no_eds3_hides_the_extension_and_its_commands),
        cmocka_unit_test(no_rgb32_texel_buffer_leaves_vertex_buffers),
        cmocka_unit_test(texel_buffer_65536_lowers_one_limit),
        cmocka_unit_test(no_non_seamless_cube_hides_extension_and_feature),
        cmocka_unit_test(no_mirror_clamp_to_edge_hides_extension_and_feature),
        cmocka_unit_test(records_profiles_move_the_balance_of_uniform_buffers),
        cmocka_unit_test(mobile_is_a_phone),
        cmocka_unit_test(vulkan_1_0_minimum_is_what_the_specification_requires),
        cmocka_unit_test(image_queries_know_of_hidden_usages_and_limits),
        cmocka_unit_test(extension_lists_follow_the_rules_of_counted_queries),
        cmocka_unit_test(a_wrong_profile_makes_no_instance),
        cmocka_unit_test(profiles_and_rules_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
