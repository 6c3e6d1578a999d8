/* SPDX-License-Identifier: MIT */
/* Profiles as text: what rules mean, what is refused, and what a reduced structure looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "profile.h"

static struct profile *parsed(const char *text)
{
    struct profile *profile = profile_create();
    assert_non_null(profile);
    if (!profile_parse(profile, text, "test", "."))
        fail_msg("%s", profile_error(profile));
    profile_finish(profile);
    return profile;
}

static void an_empty_profile_hides_nothing(void **state)
{
    (void)state;
    struct profile *profile = parsed("# nothing; limit maxTexelBufferElements 1\n\n  \t\n");
    VkPhysicalDeviceFeatures features;
    VkPhysicalDeviceLimits limits, before;
    memset(&features, 1, sizeof(features));
    memset(&limits, 0x5a, sizeof(limits));
    before = limits;
    profile_reduce(profile, REGISTRY_FEATURES, &features);
    profile_reduce(profile, REGISTRY_LIMITS, &limits);
    assert_int_equal(features.alphaToOne, 0x01010101);
    assert_memory_equal(&limits, &before, sizeof(limits));
    assert_int_equal(profile_api_version(profile), UINT32_MAX);
    assert_false(profile_hides_extension(profile, "VK_KHR_swapchain"));
    assert_false(profile_hides_command(profile, "vkCmdDraw"));
    profile_destroy(profile);
}

static void wrong_rules_are_refused_with_their_line(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "hide",
        "hide extension",
        "hide extension VK_EXT_no_such_thing",
        "hide feature noSuchFeature",
        "hide feature VkPhysicalDeviceLimits.logicOp",
        "hide format VK_FORMAT_R9_UNORM image BLIT_SRC",
        "hide format VK_FORMAT_R8_UNORM nowhere BLIT_SRC",
        "hide format VK_FORMAT_R8_UNORM image NO_SUCH_BIT",
        "hide format VK_FORMAT_R8_UNORM image",
        "limit noSuchLimit 3",
        "limit maxTexelBufferElements",
        "limit maxTexelBufferElements many",
        "limit maxTexelBufferElements -1",
        "limit maxTexelBufferElements 1 2",
        "limit maxComputeWorkGroupSize 1 2",
        "limit pointClippingBehavior 1",
        "limit logicOp 0",
        "api 2.0",
        "api",
        "include no-such-profile",
        "remove extension VK_KHR_swapchain",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char text[128] = "hide feature logicOp\n";
        strcat(text, texts[i]);
        struct profile *profile = profile_create();
        if (profile_parse(profile, text, "test", "."))
            fail_msg("accepted: %s", texts[i]);
        assert_true(strncmp(texts[i], "include", 7) == 0 || strncmp(profile_error(profile), "test:2: ", 8) == 0);
        profile_destroy(profile);
    }
}

static void a_question_mark_lets_a_name_be_unknown(void **state)
{
    (void)state;
    struct profile *profile = parsed("hide extension ?VK_EXT_of_the_future; hide feature ?futureFeature; "
                                     "limit ?futureLimit 3; hide format ?VK_FORMAT_FUTURE image BLIT_SRC");
    assert_true(profile_hides_extension(profile, "VK_EXT_of_the_future"));
    profile_destroy(profile);
}

static void the_last_rule_for_a_thing_counts(void **state)
{
    (void)state;
    struct profile *profile = parsed("hide extension *; show extension VK_KHR_*; hide extension VK_KHR_swapchain\n"
                                     "hide feature *; show feature robustBufferAccess\n"
                                     "limit maxViewports 5; limit maxViewports 7");
    assert_true(profile_hides_extension(profile, "VK_EXT_custom_border_color"));
    assert_false(profile_hides_extension(profile, "VK_KHR_push_descriptor"));
    assert_true(profile_hides_extension(profile, "VK_KHR_swapchain"));
    assert_false(profile_hides_feature(profile, "robustBufferAccess"));
    assert_true(profile_hides_feature(profile, "samplerMirrorClampToEdge"));
    union profile_value value;
    assert_true(profile_limit(profile, "maxViewports", &value));
    assert_int_equal(value.whole, 7);
    assert_false(profile_limit(profile, "maxColorAttachments", &value));
    profile_destroy(profile);
}

static void limits_only_get_poorer(void **state)
{
    (void)state;
    struct profile *profile = parsed("limit maxTexelBufferElements 100; limit minUniformBufferOffsetAlignment 64\n"
                                     "limit framebufferColorSampleCounts 5; limit viewportBoundsRange -8 8\n"
                                     "limit maxComputeWorkGroupSize 4 5 6; limit maxSamplerLodBias 2.5\n"
                                     "limit minTexelOffset -4; limit strictLines 0");
    VkPhysicalDeviceLimits rich = {
        .maxTexelBufferElements = 1000,
        .minUniformBufferOffsetAlignment = 16,
        .framebufferColorSampleCounts = 0xf,
        .viewportBoundsRange = {-10, 10},
        .maxComputeWorkGroupSize = {9, 9, 9},
        .maxSamplerLodBias = 15,
        .minTexelOffset = -8,
        .maxVertexInputBindings = 3,
    };
    VkPhysicalDeviceLimits poor = {
        .maxTexelBufferElements = 10,
        .minUniformBufferOffsetAlignment = 256,
        .framebufferColorSampleCounts = 0x2,
        .viewportBoundsRange = {-2, 2},
        .maxComputeWorkGroupSize = {1, 9, 1},
        .maxSamplerLodBias = 1,
        .minTexelOffset = -2,
    };
    profile_reduce(profile, REGISTRY_LIMITS, &rich);
    assert_int_equal(rich.maxTexelBufferElements, 100);
    assert_int_equal(rich.minUniformBufferOffsetAlignment, 64);
    assert_int_equal(rich.framebufferColorSampleCounts, 5);
    assert_float_equal(rich.viewportBoundsRange[0], -8, 0);
    assert_float_equal(rich.viewportBoundsRange[1], 8, 0);
    assert_int_equal(rich.maxComputeWorkGroupSize[0], 4);
    assert_int_equal(rich.maxComputeWorkGroupSize[2], 6);
    assert_float_equal(rich.maxSamplerLodBias, 2.5, 0);
    assert_int_equal(rich.minTexelOffset, -4);
    assert_int_equal(rich.maxVertexInputBindings, 3);
    profile_reduce(profile, REGISTRY_LIMITS, &poor);
    assert_int_equal(poor.maxTexelBufferElements, 10);
    assert_int_equal(poor.minUniformBufferOffsetAlignment, 256);
    assert_int_equal(poor.framebufferColorSampleCounts, 0);
    assert_float_equal(poor.viewportBoundsRange[0], -2, 0);
    assert_int_equal(poor.maxComputeWorkGroupSize[0], 1);
    assert_int_equal(poor.maxComputeWorkGroupSize[1], 5);
    assert_float_equal(poor.maxSamplerLodBias, 1, 0);
    assert_int_equal(poor.minTexelOffset, -2);
    profile_destroy(profile);
}

static void features_and_limits_go_from_every_structure_that_has_them(void **state)
{
    (void)state;
    struct profile *profile =
        parsed("hide feature VkPhysicalDeviceSamplerYcbcrConversionFeatures.samplerYcbcrConversion\n"
               "hide feature storageBuffer16BitAccess; limit maxPerSetDescriptors 77");
    VkPhysicalDeviceVulkan11Features all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDevice16BitStorageFeatures storage = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .pNext = &all,
        .storageBuffer16BitAccess = VK_TRUE,
        .storagePushConstant16 = VK_TRUE,
    };
    all.samplerYcbcrConversion = all.storageBuffer16BitAccess = all.multiview = VK_TRUE;
    profile_reduce_chain(profile, &storage);
    assert_false(storage.storageBuffer16BitAccess);
    assert_true(storage.storagePushConstant16);
    assert_false(all.samplerYcbcrConversion);
    assert_false(all.storageBuffer16BitAccess);
    assert_true(all.multiview);

    VkPhysicalDeviceVulkan11Properties core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                               .maxPerSetDescriptors = 1000};
    VkPhysicalDeviceMaintenance3Properties own = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                                  .pNext = &core,
                                                  .maxPerSetDescriptors = 1000};
    profile_reduce_chain(profile, &own);
    assert_int_equal(own.maxPerSetDescriptors, 77);
    assert_int_equal(core.maxPerSetDescriptors, 77);
    profile_destroy(profile);
}

static void a_hidden_extension_takes_its_structures_and_commands_with_it(void **state)
{
    (void)state;
    struct profile *profile =
        parsed("hide extension VK_EXT_custom_border_color VK_EXT_extended_dynamic_state3 ?VK_EXT_shader_object "
               "VK_KHR_sampler_ycbcr_conversion");
    VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, .customBorderColors = VK_TRUE};
    VkPhysicalDeviceCustomBorderColorPropertiesEXT count = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT,
        .pNext = &border,
        .maxCustomBorderColorSamplers = 9};
    profile_reduce_chain(profile, &count);
    assert_false(border.customBorderColors);
    assert_int_equal(count.maxCustomBorderColorSamplers, 0);
    assert_true(profile_hides_feature(profile, "customBorderColorWithoutFormat"));
    assert_true(profile_hides_command(profile, "vkCmdSetColorBlendEnableEXT"));
    /* Vulkan 1.1 has these too. */
    assert_false(profile_hides_feature(profile, "samplerYcbcrConversion"));
    assert_false(profile_hides_command(profile, "vkCreateSamplerYcbcrConversion"));
    assert_true(profile_hides_command(profile, "vkCreateSamplerYcbcrConversionKHR"));
    profile_destroy(profile);
}

static void a_lower_version_takes_its_structures_and_commands_with_it(void **state)
{
    (void)state;
    struct profile *profile = parsed("api 1.0; hide extension VK_KHR_sampler_ycbcr_conversion");
    assert_int_equal(profile_api_version(profile), VK_API_VERSION_1_0);
    assert_true(profile_hides_feature(profile, "samplerYcbcrConversion"));
    assert_true(profile_hides_command(profile, "vkCreateSamplerYcbcrConversion"));
    assert_true(profile_hides_command(profile, "vkCmdBeginRendering"));
    assert_false(profile_hides_command(profile, "vkCmdBeginRenderingKHR"));
    assert_false(profile_hides_command(profile, "vkCmdDraw"));
    assert_false(profile_hides_command(profile, "vkCommandOfTheFuture"));
    profile_destroy(profile);
}

static void format_features_go_by_pattern_and_tiling(void **state)
{
    (void)state;
    struct profile *profile = parsed("hide format VK_FORMAT_R32*_SFLOAT optimal SAMPLED_IMAGE_FILTER_*\n"
                                     "hide format * buffer *; show format VK_FORMAT_R8_UNORM buffer VERTEX_BUFFER");
    uint64_t linear = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    VkFormat format = VK_FORMAT_R32G32_SFLOAT;
    assert_true(profile_hidden_format_features(profile, format, PROFILE_OPTIMAL) & linear);
    assert_false(profile_hidden_format_features(profile, format, PROFILE_OPTIMAL) &
                 VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT);
    assert_int_equal(profile_hidden_format_features(profile, format, PROFILE_LINEAR), 0);
    assert_int_equal(profile_hidden_format_features(profile, VK_FORMAT_R32G32_UINT, PROFILE_OPTIMAL), 0);
    assert_int_equal(profile_hidden_format_features(profile, VK_FORMAT_D32_SFLOAT, PROFILE_OPTIMAL), 0);
    assert_int_equal(profile_hidden_format_features(profile, VK_FORMAT_R8_UNORM, PROFILE_BUFFER),
                     ~(uint64_t)VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT);
    assert_int_equal(profile_hidden_format_features(profile, VK_FORMAT_G8B8G8R8_422_UNORM, PROFILE_BUFFER), UINT64_MAX);
    profile_destroy(profile);
}

static void enabled_features_that_are_hidden_are_found(void **state)
{
    (void)state;
    struct profile *profile = parsed("hide feature logicOp nonSeamlessCubeMap");
    VkPhysicalDeviceFeatures features = {.alphaToOne = VK_TRUE};
    assert_null(profile_hidden_feature_in(profile, REGISTRY_FEATURES, &features));
    features.logicOp = VK_TRUE;
    assert_string_equal(profile_hidden_feature_in(profile, REGISTRY_FEATURES, &features), "logicOp");
    VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT cube = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, .nonSeamlessCubeMap = VK_TRUE};
    assert_string_equal(profile_hidden_feature_in(profile, profile_structure(cube.sType), &cube), "nonSeamlessCubeMap");
    profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_profile_hides_nothing),
        cmocka_unit_test(wrong_rules_are_refused_with_their_line),
        cmocka_unit_test(a_question_mark_lets_a_name_be_unknown),
        cmocka_unit_test(the_last_rule_for_a_thing_counts),
        cmocka_unit_test(limits_only_get_poorer),
        cmocka_unit_test(features_and_limits_go_from_every_structure_that_has_them),
        cmocka_unit_test(a_hidden_extension_takes_its_structures_and_commands_with_it),
        cmocka_unit_test(a_lower_version_takes_its_structures_and_commands_with_it),
        cmocka_unit_test(format_features_go_by_pattern_and_tiling),
        cmocka_unit_test(enabled_features_that_are_hidden_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
