/* SPDX-License-Identifier: MIT */
/* Every use of something hidden is recorded, and nothing else is. */
#include "limited_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct harness_vulkan open_rules(const char *rules)
{
    struct harness_vulkan vk;
    limited_fixture_open(&vk, &(struct limited_fixture_params){.rules = rules});
    return vk;
}

/* ---- vkCreateDevice ---- */

static void hidden_features_cannot_be_enabled(void **state)
{
    (void)state;
    char path[] = "/tmp/limited-driver-XXXXXX", line[512] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    setenv("LIMITED_DRIVER_LOG", path, 1);
    VkPhysicalDeviceFeatures features = {.logicOp = VK_TRUE};
    VkPhysicalDeviceFeatures2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = features};
    VkPhysicalDeviceVulkan12Features mirror = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                               .samplerMirrorClampToEdge = VK_TRUE};
    const char *rules = "hide feature logicOp samplerMirrorClampToEdge";
    assert_int_equal(limited_fixture_try(&(struct limited_fixture_params){.rules = rules, .features = &features}),
                     VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(limited_fixture_try(&(struct limited_fixture_params){.rules = rules, .device_next = &chain}),
                     VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(limited_fixture_try(&(struct limited_fixture_params){.rules = rules, .device_next = &mirror}),
                     VK_ERROR_FEATURE_NOT_PRESENT);
    unsetenv("LIMITED_DRIVER_LOG");
    FILE *log = fopen(path, "r");
    assert_non_null(log);
    int lines = 0;
    while (fgets(line, sizeof(line), log))
        lines++;
    fclose(log);
    unlink(path);
    assert_int_equal(lines, 3);
    assert_non_null(strstr(line, "vkCreateDevice"));
    assert_non_null(strstr(line, "samplerMirrorClampToEdge"));
    assert_int_equal(limited_fixture_try(&(struct limited_fixture_params){.features = &features}), VK_SUCCESS);
}

/* ---- Samplers ---- */

static void samplers_show_what_they_use(void **state)
{
    (void)state;
    VkSamplerCreateInfo mirror = sampler_info(), bias = sampler_info(), cube = sampler_info(), mapped = sampler_info();
    VkSamplerCreateInfo anisotropic = sampler_info();
    VkSamplerBorderColorComponentMappingCreateInfoEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT};
    mirror.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    bias.mipLodBias = -2.5f;
    cube.flags = VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT;
    mapped.pNext = &mapping;
    anisotropic.anisotropyEnable = VK_TRUE;
    anisotropic.maxAnisotropy = 8;
    const struct {
        const char *rules;
        const VkSamplerCreateInfo *info;
        enum limited_driver_kind kind;
        const char *name;
    } rows[] = {
        {"hide extension VK_KHR_sampler_mirror_clamp_to_edge; hide feature samplerMirrorClampToEdge", &mirror,
         LIMITED_DRIVER_FEATURE, "samplerMirrorClampToEdge"},
        {"limit maxSamplerLodBias 2", &bias, LIMITED_DRIVER_LIMIT, "maxSamplerLodBias"},
        {"hide extension VK_EXT_non_seamless_cube_map", &cube, LIMITED_DRIVER_FEATURE, "nonSeamlessCubeMap"},
        {"hide extension VK_EXT_border_color_swizzle", &mapped, LIMITED_DRIVER_FEATURE, "borderColorSwizzle"},
        {"hide feature samplerAnisotropy", &anisotropic, LIMITED_DRIVER_FEATURE, "samplerAnisotropy"},
        {"limit maxSamplerAnisotropy 4", &anisotropic, LIMITED_DRIVER_LIMIT, "maxSamplerAnisotropy"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct harness_vulkan vk = open_rules(rows[i].rules);
        VkSamplerCreateInfo plain = sampler_info();
        VkSampler first = sampler_create(&vk, &plain);
        assert_int_equal(violation_count(&vk), 0);
        VkSampler second = sampler_create(&vk, rows[i].info);
        expect_violations(&vk, 1, rows[i].kind, rows[i].name, "vkCreateSampler");
        vkDestroySampler(vk.device, first, NULL);
        vkDestroySampler(vk.device, second, NULL);
        harness_vulkan_close(&vk);
        vk = open_rules(NULL);
        second = sampler_create(&vk, rows[i].info);
        assert_int_equal(violation_count(&vk), 0);
        vkDestroySampler(vk.device, second, NULL);
        harness_vulkan_close(&vk);
    }
}

static void mirror_clamp_to_edge_needs_the_extension_or_the_feature(void **state)
{
    (void)state;
    VkSamplerCreateInfo mirror = sampler_info();
    mirror.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    static const char *const enough[] = {"hide extension VK_KHR_sampler_mirror_clamp_to_edge",
                                         "hide feature samplerMirrorClampToEdge"};
    for (int i = 0; i < 2; i++) {
        struct harness_vulkan vk = open_rules(enough[i]);
        vkDestroySampler(vk.device, sampler_create(&vk, &mirror), NULL);
        assert_int_equal(violation_count(&vk), 0);
        harness_vulkan_close(&vk);
    }
}

static VkSamplerCreateInfo border_sampler_info(VkBorderColor color, const void *next)
{
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = next;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = color;
    return info;
}

static void custom_borders_are_counted_while_they_live(void **state)
{
    (void)state;
    VkSamplerCustomBorderColorCreateInfoEXT color = {.sType =
                                                         VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT};
    VkSamplerCreateInfo custom = border_sampler_info(VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, &color);
    VkSamplerCreateInfo white = border_sampler_info(VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, NULL);
    struct harness_vulkan vk = open_rules("include border-limit-24");
    VkSampler samplers[26];
    for (int i = 0; i < 24; i++)
        samplers[i] = sampler_create(&vk, &custom);
    samplers[24] = sampler_create(&vk, &white);
    vkDestroySampler(vk.device, samplers[23], NULL);
    samplers[23] = sampler_create(&vk, &custom);
    assert_int_equal(violation_count(&vk), 0);
    samplers[25] = sampler_create(&vk, &custom);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxCustomBorderColorSamplers", "vkCreateSampler");
    for (int i = 0; i < 26; i++)
        vkDestroySampler(vk.device, samplers[i], NULL);
    harness_vulkan_close(&vk);
}

static void custom_borders_need_their_features(void **state)
{
    (void)state;
    VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, .format = VK_FORMAT_R8G8B8A8_UNORM};
    VkSamplerCreateInfo custom = border_sampler_info(VK_BORDER_COLOR_FLOAT_CUSTOM_EXT, &color);
    struct harness_vulkan vk = open_rules("hide feature customBorderColorWithoutFormat");
    vkDestroySampler(vk.device, sampler_create(&vk, &custom), NULL);
    assert_int_equal(violation_count(&vk), 0);
    color.format = VK_FORMAT_UNDEFINED;
    vkDestroySampler(vk.device, sampler_create(&vk, &custom), NULL);
    expect_violations(&vk, 1, LIMITED_DRIVER_FEATURE, "customBorderColorWithoutFormat", "vkCreateSampler");
    harness_vulkan_close(&vk);

    limited_fixture_open(&vk, &(struct limited_fixture_params){.profile = "no-custom-border"});
    color.format = VK_FORMAT_R8G8B8A8_UNORM;
    vkDestroySampler(vk.device, sampler_create(&vk, &custom), NULL);
    expect_violations(&vk, 1, LIMITED_DRIVER_FEATURE, "customBorderColors", "vkCreateSampler");
    harness_vulkan_close(&vk);
}

static void samplers_and_allocations_are_counted_while_they_live(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxSamplerAllocationCount 2; limit maxMemoryAllocationCount 1");
    VkSamplerCreateInfo info = sampler_info();
    VkSampler samplers[3];
    for (int i = 0; i < 2; i++)
        samplers[i] = sampler_create(&vk, &info);
    assert_int_equal(violation_count(&vk), 0);
    samplers[2] = sampler_create(&vk, &info);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxSamplerAllocationCount", "vkCreateSampler");
    for (int i = 0; i < 3; i++)
        vkDestroySampler(vk.device, samplers[i], NULL);
    struct limited_fixture_texture first, second;
    texture_create(&vk, &first, VK_FORMAT_R8_UNORM, NULL);
    texture_destroy(&vk, &first);
    texture_create(&vk, &first, VK_FORMAT_R8_UNORM, NULL);
    assert_int_equal(violation_count(&vk), 1);
    texture_create(&vk, &second, VK_FORMAT_R8_UNORM, NULL);
    expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, "maxMemoryAllocationCount", "vkAllocateMemory");
    texture_destroy(&vk, &first);
    texture_destroy(&vk, &second);
    harness_vulkan_close(&vk);
}

/* ---- Buffers and images ---- */

static VkBuffer buffer_create(struct harness_vulkan *vk, VkDeviceSize size, VkBufferUsageFlags usage,
                              VkDeviceMemory *memory)
{
    VkBuffer buffer;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    HARNESS_VK(vkCreateBuffer(vk->device, &info, NULL, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(vk->device, buffer, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits & (1u << type)))
        type++;
    VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    HARNESS_VK(vkAllocateMemory(vk->device, &allocate, NULL, memory));
    HARNESS_VK(vkBindBufferMemory(vk->device, buffer, *memory, 0));
    return buffer;
}

static void buffer_view_of(struct harness_vulkan *vk, VkFormat format, VkDeviceSize buffer_size, VkDeviceSize range)
{
    VkDeviceMemory memory;
    VkBufferView view;
    VkBuffer buffer = buffer_create(vk, buffer_size, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, &memory);
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = buffer, .format = format, .range = range};
    HARNESS_VK(vkCreateBufferView(vk->device, &info, NULL, &view));
    vkDestroyBufferView(vk->device, view, NULL);
    vkDestroyBuffer(vk->device, buffer, NULL);
    vkFreeMemory(vk->device, memory, NULL);
}

static void texel_buffers_have_a_format_and_a_size(void **state)
{
    (void)state;
    struct harness_vulkan vk;
    limited_fixture_open(&vk, &(struct limited_fixture_params){.profile = "no-rgb32-texel-buffer:texel-buffer-65536"});
    buffer_view_of(&vk, VK_FORMAT_R32G32B32A32_SFLOAT, 65536 * 16, VK_WHOLE_SIZE);
    buffer_view_of(&vk, VK_FORMAT_R8_UNORM, 70000, 65536);
    assert_int_equal(violation_count(&vk), 0);
    buffer_view_of(&vk, VK_FORMAT_R32G32B32A32_SFLOAT, 65537 * 16, VK_WHOLE_SIZE);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxTexelBufferElements", "vkCreateBufferView");
    buffer_view_of(&vk, VK_FORMAT_R16_UINT, 65537 * 2, 65537 * 2);
    expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, "maxTexelBufferElements", "vkCreateBufferView");
    buffer_view_of(&vk, VK_FORMAT_R32G32B32_SFLOAT, 1200, VK_WHOLE_SIZE);
    expect_violations(&vk, 3, LIMITED_DRIVER_FORMAT, "UNIFORM_TEXEL_BUFFER", "vkCreateBufferView");
    harness_vulkan_close(&vk);
}

static VkImageCreateInfo image_info(VkFormat format, uint32_t width, uint32_t layers, VkImageUsageFlags usage)
{
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = format,
                               .extent = {width, width, 1},
                               .mipLevels = 1,
                               .arrayLayers = layers,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .usage = usage};
}

static void make_image(struct harness_vulkan *vk, const VkImageCreateInfo *info)
{
    VkImage image;
    HARNESS_VK(vkCreateImage(vk->device, info, NULL, &image));
    vkDestroyImage(vk->device, image, NULL);
}

static void images_have_a_size_and_usages(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxImageDimension2D 64; limit maxImageDimensionCube 32; "
                                          "limit maxImageArrayLayers 8; "
                                          "hide format VK_FORMAT_R8G8B8A8_UNORM optimal STORAGE_IMAGE");
    VkImageCreateInfo info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 64, 8, VK_IMAGE_USAGE_SAMPLED_BIT);
    make_image(&vk, &info);
    assert_int_equal(violation_count(&vk), 0);
    info.extent.width = 65;
    make_image(&vk, &info);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxImageDimension2D", "vkCreateImage");
    info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 33, 6, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    make_image(&vk, &info);
    expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, "maxImageDimensionCube", "vkCreateImage");
    info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 4, 9, VK_IMAGE_USAGE_SAMPLED_BIT);
    make_image(&vk, &info);
    expect_violations(&vk, 3, LIMITED_DRIVER_LIMIT, "maxImageArrayLayers", "vkCreateImage");
    info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 4, 1, VK_IMAGE_USAGE_STORAGE_BIT);
    make_image(&vk, &info);
    expect_violations(&vk, 4, LIMITED_DRIVER_FORMAT, "STORAGE_IMAGE", "vkCreateImage");
    info.tiling = VK_IMAGE_TILING_LINEAR;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    make_image(&vk, &info);
    assert_int_equal(violation_count(&vk), 4);
    harness_vulkan_close(&vk);
}

static void views_answer_for_their_own_format(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("hide format VK_FORMAT_R8G8B8A8_SRGB optimal SAMPLED_IMAGE; "
                                          "hide feature imageCubeArray");
    struct limited_fixture_texture texture;
    VkImageCreateInfo info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 6, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    HARNESS_VK(vkCreateImage(vk.device, &info, NULL, &texture.image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(vk.device, texture.image, &needs);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size};
    HARNESS_VK(vkAllocateMemory(vk.device, &allocate, NULL, &texture.memory));
    HARNESS_VK(vkBindImageMemory(vk.device, texture.image, texture.memory, 0));
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = texture.image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(vk.device, &view, NULL, &texture.view));
    vkDestroyImageView(vk.device, texture.view, NULL);
    assert_int_equal(violation_count(&vk), 0);
    view.format = VK_FORMAT_R8G8B8A8_SRGB;
    HARNESS_VK(vkCreateImageView(vk.device, &view, NULL, &texture.view));
    vkDestroyImageView(vk.device, texture.view, NULL);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE", "vkCreateImageView");
    view.format = VK_FORMAT_R8G8B8A8_UNORM;
    view.viewType = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    view.subresourceRange.layerCount = 6;
    HARNESS_VK(vkCreateImageView(vk.device, &view, NULL, &texture.view));
    expect_violations(&vk, 2, LIMITED_DRIVER_FEATURE, "imageCubeArray", "vkCreateImageView");
    texture_destroy(&vk, &texture);
    harness_vulkan_close(&vk);
}

/* ---- What becomes of a violation ---- */

static void both_readers_see_the_same_list(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxSamplerLodBias 0");
    VkSamplerCreateInfo info = sampler_info();
    info.mipLodBias = 1;
    vkDestroySampler(vk.device, sampler_create(&vk, &info), NULL);
    PFN_limitedDriverGetPhysicalDeviceViolations get =
        (PFN_limitedDriverGetPhysicalDeviceViolations)vkGetInstanceProcAddr(vk.instance,
                                                                            "vkGetPhysicalDeviceViolationsLIMITED");
    assert_non_null(get);
    struct limited_driver_violation entry;
    assert_int_equal(get(vk.physical, 1, &entry), 1);
    assert_string_equal(entry.name, "maxSamplerLodBias");
    assert_int_equal(get(vk.physical, 0, NULL), 1);
    harness_vulkan_close(&vk);
}

static void a_violation_aborts_where_that_is_wanted(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        VkSamplerCreateInfo info = sampler_info();
        info.mipLodBias = 1;
        setenv("LIMITED_DRIVER_ABORT", "1", 1);
        setenv("LIMITED_DRIVER_RULES", "limit maxSamplerLodBias 0", 1);
        struct harness_vulkan vk;
        signal(SIGABRT, SIG_DFL);
        harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "limited"});
        sampler_create(&vk, &info);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_features_cannot_be_enabled),
        cmocka_unit_test(samplers_show_what_they_use),
        cmocka_unit_test(mirror_clamp_to_edge_needs_the_extension_or_the_feature),
        cmocka_unit_test(custom_borders_are_counted_while_they_live),
        cmocka_unit_test(custom_borders_need_their_features),
        cmocka_unit_test(samplers_and_allocations_are_counted_while_they_live),
        cmocka_unit_test(texel_buffers_have_a_format_and_a_size),
        cmocka_unit_test(images_have_a_size_and_usages),
        cmocka_unit_test(views_answer_for_their_own_format),
        cmocka_unit_test(both_readers_see_the_same_list),
        cmocka_unit_test(a_violation_aborts_where_that_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
