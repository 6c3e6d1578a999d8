/* SPDX-License-Identifier: MIT */
/*
 * VK_LAYER_KHRONOS_validation above the limited driver sees the reduced device and judges calls by it; and programs
 * that keep to what a profile shows are recorded nowhere.
 */
#include "limited_fixture.h"

#include "harness/resources/resources.h"

static void open_validated(struct harness_vulkan *vk, const char *rules)
{
    limited_fixture_open(vk, &(struct limited_fixture_params){.rules = rules, .layers = "validation:limited"});
    harness_messages_reset();
}

/* ---- Calls that are right on the driver and wrong on the reduced device ---- */

static void large_buffer_view(struct harness_vulkan *vk)
{
    struct harness_buffer buffer;
    VkBufferView view;
    harness_buffer_create(vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 65537 * 4, NULL);
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer.buffer,
                                   .format = VK_FORMAT_R32_SFLOAT,
                                   .range = VK_WHOLE_SIZE};
    HARNESS_VK(vkCreateBufferView(vk->device, &info, NULL, &view));
    vkDestroyBufferView(vk->device, view, NULL);
    harness_buffer_destroy(vk, &buffer);
}

static void rgb32_buffer_view(struct harness_vulkan *vk)
{
    struct harness_buffer buffer;
    VkBufferView view;
    harness_buffer_create(vk, &buffer, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 1200, NULL);
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer.buffer,
                                   .format = VK_FORMAT_R32G32B32_SFLOAT,
                                   .range = VK_WHOLE_SIZE};
    HARNESS_VK(vkCreateBufferView(vk->device, &info, NULL, &view));
    vkDestroyBufferView(vk->device, view, NULL);
    harness_buffer_destroy(vk, &buffer);
}

static void biased_sampler(struct harness_vulkan *vk)
{
    VkSamplerCreateInfo info = sampler_info();
    info.mipLodBias = 3;
    vkDestroySampler(vk->device, sampler_create(vk, &info), NULL);
}

static void layout_of_13_uniform_buffers(struct harness_vulkan *vk)
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            .descriptorCount = 13,
                                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayout set = harness_set_layout(vk, &binding, 1);
    vkDestroyPipelineLayout(vk->device, harness_pipeline_layout(vk, &set, 1, 0), NULL);
    vkDestroyDescriptorSetLayout(vk->device, set, NULL);
}

static void wide_image(struct harness_vulkan *vk)
{
    VkImage image;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                              .extent = {4097, 1, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    HARNESS_VK(vkCreateImage(vk->device, &info, NULL, &image));
    vkDestroyImage(vk->device, image, NULL);
}

static void validation_judges_by_the_reduced_device(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        void (*use)(struct harness_vulkan *vk);
    } rows[] = {
        {"include texel-buffer-65536", large_buffer_view},
        {"include no-rgb32-texel-buffer", rgb32_buffer_view},
        {"limit maxSamplerLodBias 2", biased_sampler},
        {"limit maxPerStageDescriptorUniformBuffers 12", layout_of_13_uniform_buffers},
        {"limit maxImageDimension2D 4096", wide_image},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct harness_vulkan vk;
        open_validated(&vk, NULL);
        rows[i].use(&vk);
        assert_int_equal(harness_messages(), 0);
        assert_int_equal(violation_count(&vk), 0);
        harness_vulkan_close(&vk);
        open_validated(&vk, rows[i].rules);
        rows[i].use(&vk);
        assert_true(harness_messages() > 0);
        assert_int_equal(violation_count(&vk), 1);
        harness_vulkan_close(&vk);
    }
}

/* ---- Programs that ask first ---- */

/* Looks at the device, then uses what it shows as far as it goes: borders, buffer views, filters, layouts. */
static void use_what_is_shown(struct harness_vulkan *vk)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_SFLOAT, VK_FORMAT_D16_UNORM};
    VkSamplerCreateInfo info = sampler_info();
    info.mipLodBias = vk->properties.limits.maxSamplerLodBias;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        VkFormatProperties format;
        vkGetPhysicalDeviceFormatProperties(vk->physical, formats[i], &format);
        if (!(format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
            continue;
        bool linear = format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        info.magFilter = info.minFilter = linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
        VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                .descriptorCount = 1,
                                                .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
        struct limited_fixture_texture texture;
        texture_create(vk, &texture, formats[i], NULL);
        VkSampler sampler = sampler_create(vk, &info);
        VkDescriptorSetLayout layout = harness_set_layout(vk, &binding, 1);
        VkDescriptorSet set = harness_set(vk, layout);
        harness_write_image(vk, set, 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler, texture.view);
        vkDestroyPipelineLayout(
            vk->device, harness_pipeline_layout(vk, &layout, 1, vk->properties.limits.maxPushConstantsSize), NULL);
        HARNESS_VK(vkFreeDescriptorSets(vk->device, vk->descriptors, 1, &set));
        vkDestroyDescriptorSetLayout(vk->device, layout, NULL);
        vkDestroySampler(vk->device, sampler, NULL);
        texture_destroy(vk, &texture);
    }
}

static void nothing_is_recorded_of_a_program_that_asks_first(void **state)
{
    (void)state;
    static const char *const profiles[] = {"no-linear-float32",
                                           "no-linear-depth",
                                           "no-custom-border",
                                           "border-limit-24",
                                           "no-border-swizzle",
                                           "no-eds3",
                                           "no-rgb32-texel-buffer",
                                           "texel-buffer-65536",
                                           "no-non-seamless-cube",
                                           "no-mirror-clamp-to-edge",
                                           "storage-records",
                                           "uniform-records",
                                           "mobile",
                                           "vulkan-1.0-minimum"};
    for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        struct harness_vulkan vk;
        limited_fixture_open(&vk,
                             &(struct limited_fixture_params){.profile = profiles[i], .layers = "validation:limited"});
        harness_messages_reset();
        use_what_is_shown(&vk);
        assert_int_equal(harness_messages(), 0);
        assert_int_equal(violation_count(&vk), 0);
        harness_vulkan_close(&vk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validation_judges_by_the_reduced_device),
        cmocka_unit_test(nothing_is_recorded_of_a_program_that_asks_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
