/* SPDX-License-Identifier: MIT */
/* Where samplers, views and buffers meet layouts: descriptor writes of every kind, and the counts of layouts. */
#include "limited_fixture.h"

#include <stdio.h>

#include "harness/resources/resources.h"

static const char *const push_extension[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};

static struct harness_vulkan open_rules(const char *rules)
{
    struct harness_vulkan vk;
    limited_fixture_open(
        &vk, &(struct limited_fixture_params){.rules = rules, .extensions = push_extension, .extension_count = 1});
    return vk;
}

static VkDescriptorSetLayout layout_create(struct harness_vulkan *vk, const VkDescriptorSetLayoutBinding *bindings,
                                           uint32_t count, VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .flags = flags,
                                            .bindingCount = count,
                                            .pBindings = bindings};
    VkDescriptorSetLayout layout;
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &info, NULL, &layout));
    return layout;
}

/* ---- A sampler and a view in one descriptor ---- */

enum way { WRITE, TEMPLATE, PUSH, PUSH_TEMPLATE, IMMUTABLE, WAYS };
static const char *const way_commands[WAYS] = {"vkUpdateDescriptorSets", "vkUpdateDescriptorSetWithTemplate",
                                               "vkCmdPushDescriptorSetKHR", "vkCmdPushDescriptorSetWithTemplateKHR",
                                               "vkUpdateDescriptorSets"};

static void write_by_template(struct harness_vulkan *vk, enum way way, VkDescriptorSetLayout layout,
                              VkPipelineLayout pipeline_layout, VkDescriptorSet set, VkCommandBuffer commands,
                              const VkDescriptorImageInfo *image)
{
    VkDescriptorUpdateTemplate template;
    VkDescriptorUpdateTemplateEntry entry = {
        .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .stride = sizeof(*image)};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = way == TEMPLATE ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET
                                        : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .descriptorSetLayout = layout,
        .pipelineLayout = pipeline_layout,
    };
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(vk->device, &info, NULL, &template));
    if (way == TEMPLATE)
        vkUpdateDescriptorSetWithTemplate(vk->device, set, template, image);
    else
        HARNESS_PROC(vk, vkCmdPushDescriptorSetWithTemplateKHR)(commands, template, pipeline_layout, 0, image);
    vkDestroyDescriptorUpdateTemplate(vk->device, template, NULL);
}

/* Brings a pair into a set in one of the ways. */
static void combine(struct harness_vulkan *vk, enum way way, VkSampler sampler, VkImageView view)
{
    bool push = way == PUSH || way == PUSH_TEMPLATE;
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            .descriptorCount = 1,
                                            .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
                                            .pImmutableSamplers = way == IMMUTABLE ? &sampler : NULL};
    VkDescriptorSetLayout layout =
        layout_create(vk, &binding, 1, push ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
    VkPipelineLayout pipeline_layout = harness_pipeline_layout(vk, &layout, 1, 0);
    VkDescriptorSet set = push ? VK_NULL_HANDLE : harness_set(vk, layout);
    VkCommandBuffer commands = push ? harness_begin(vk) : VK_NULL_HANDLE;
    VkDescriptorImageInfo image = {way == IMMUTABLE ? VK_NULL_HANDLE : sampler, view,
                                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                  .pImageInfo = &image};
    if (way == TEMPLATE || way == PUSH_TEMPLATE)
        write_by_template(vk, way, layout, pipeline_layout, set, commands, &image);
    else if (push)
        HARNESS_PROC(vk, vkCmdPushDescriptorSetKHR)
    (commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, 1, &write);
    else vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    if (push)
        harness_submit(vk, commands);
    else
        HARNESS_VK(vkFreeDescriptorSets(vk->device, vk->descriptors, 1, &set));
    vkDestroyPipelineLayout(vk->device, pipeline_layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, layout, NULL);
}

static void a_linear_sampler_meets_a_format_that_cannot_be_filtered(void **state)
{
    (void)state;
    VkSamplerCreateInfo nearest = sampler_info(), linear = sampler_info(), mipmaps = sampler_info();
    linear.minFilter = VK_FILTER_LINEAR;
    mipmaps.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    for (int way = 0; way < WAYS; way++) {
        struct harness_vulkan vk = open_rules("include no-linear-float32");
        struct limited_fixture_texture hidden, shown;
        texture_create(&vk, &hidden, VK_FORMAT_R32_SFLOAT, NULL);
        texture_create(&vk, &shown, VK_FORMAT_R8G8B8A8_UNORM, NULL);
        VkSampler samplers[3] = {sampler_create(&vk, &nearest), sampler_create(&vk, &linear),
                                 sampler_create(&vk, &mipmaps)};
        combine(&vk, (enum way)way, samplers[0], hidden.view);
        combine(&vk, (enum way)way, samplers[1], shown.view);
        assert_int_equal(violation_count(&vk), 0);
        combine(&vk, (enum way)way, samplers[1], hidden.view);
        expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_LINEAR", way_commands[way]);
        combine(&vk, (enum way)way, samplers[2], hidden.view);
        expect_violations(&vk, 2, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_LINEAR", way_commands[way]);
        for (int i = 0; i < 3; i++)
            vkDestroySampler(vk.device, samplers[i], NULL);
        texture_destroy(&vk, &hidden);
        texture_destroy(&vk, &shown);
        harness_vulkan_close(&vk);
    }
}

static void comparison_needs_no_linear_filter(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("include no-linear-depth");
    struct limited_fixture_texture depth;
    texture_create(&vk, &depth, VK_FORMAT_D32_SFLOAT, NULL);
    VkSamplerCreateInfo info = sampler_info();
    info.magFilter = VK_FILTER_LINEAR;
    VkSampler plain = sampler_create(&vk, &info);
    info.compareEnable = VK_TRUE;
    VkSampler compare = sampler_create(&vk, &info);
    combine(&vk, WRITE, compare, depth.view);
    assert_int_equal(violation_count(&vk), 0);
    combine(&vk, WRITE, plain, depth.view);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_LINEAR", "vkUpdateDescriptorSets");
    vkDestroySampler(vk.device, plain, NULL);
    vkDestroySampler(vk.device, compare, NULL);
    texture_destroy(&vk, &depth);
    harness_vulkan_close(&vk);
}

static void comparison_and_reduction_need_their_own_bits(void **state)
{
    (void)state;
    struct harness_vulkan vk =
        open_rules("hide format * image SAMPLED_IMAGE_DEPTH_COMPARISON SAMPLED_IMAGE_FILTER_MINMAX");
    struct limited_fixture_texture depth;
    texture_create(&vk, &depth, VK_FORMAT_D32_SFLOAT, NULL);
    VkSamplerReductionModeCreateInfo mode = {.sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
                                             .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
    VkSamplerCreateInfo compare = sampler_info(), least = sampler_info();
    compare.compareEnable = VK_TRUE;
    least.pNext = &mode;
    VkSampler samplers[2] = {sampler_create(&vk, &compare), sampler_create(&vk, &least)};
    combine(&vk, WRITE, samplers[0], depth.view);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_DEPTH_COMPARISON", "vkUpdateDescriptorSets");
    combine(&vk, WRITE, samplers[1], depth.view);
    expect_violations(&vk, 2, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_MINMAX", "vkUpdateDescriptorSets");
    vkDestroySampler(vk.device, samplers[0], NULL);
    vkDestroySampler(vk.device, samplers[1], NULL);
    texture_destroy(&vk, &depth);
    harness_vulkan_close(&vk);
}

static void a_border_meets_a_swizzle(void **state)
{
    (void)state;
    const VkComponentMapping turned = {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
                                       VK_COMPONENT_SWIZZLE_B};
    const VkComponentMapping turned_alike = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
                                             VK_COMPONENT_SWIZZLE_ONE};
    const VkComponentMapping same = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_B,
                                     VK_COMPONENT_SWIZZLE_A};
    VkSamplerCreateInfo white = sampler_info(), black = sampler_info(), edge = sampler_info();
    white.addressModeV = black.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    white.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
    black.borderColor = edge.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
    struct harness_vulkan vk = open_rules("include no-border-swizzle");
    struct limited_fixture_texture swizzled, identity, alike;
    texture_create(&vk, &swizzled, VK_FORMAT_R8G8B8A8_UNORM, &turned);
    texture_create(&vk, &alike, VK_FORMAT_R8G8B8A8_UNORM, &turned_alike);
    texture_create(&vk, &identity, VK_FORMAT_R8G8B8A8_UNORM, &same);
    VkSampler samplers[3] = {sampler_create(&vk, &white), sampler_create(&vk, &black), sampler_create(&vk, &edge)};
    combine(&vk, WRITE, samplers[0], swizzled.view);
    combine(&vk, WRITE, samplers[1], identity.view);
    combine(&vk, WRITE, samplers[2], swizzled.view);
    combine(&vk, WRITE, samplers[1], alike.view); /* black with alpha stays what it is */
    assert_int_equal(violation_count(&vk), 0);
    combine(&vk, WRITE, samplers[1], swizzled.view);
    expect_violations(&vk, 1, LIMITED_DRIVER_FEATURE, "borderColorSwizzle", "vkUpdateDescriptorSets");
    for (int i = 0; i < 3; i++)
        vkDestroySampler(vk.device, samplers[i], NULL);
    texture_destroy(&vk, &swizzled);
    texture_destroy(&vk, &alike);
    texture_destroy(&vk, &identity);
    harness_vulkan_close(&vk);
}

static void writes_that_run_over_find_the_next_binding(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("include no-linear-float32");
    struct limited_fixture_texture texture;
    texture_create(&vk, &texture, VK_FORMAT_R32_SFLOAT, NULL);
    VkSamplerCreateInfo info = sampler_info();
    VkSampler nearest = sampler_create(&vk, &info);
    info.magFilter = VK_FILTER_LINEAR;
    VkSampler linear = sampler_create(&vk, &info);
    const VkSampler first[2] = {nearest, nearest}, second[2] = {nearest, linear};
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, VK_SHADER_STAGE_FRAGMENT_BIT, second},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, VK_SHADER_STAGE_FRAGMENT_BIT, first}};
    VkDescriptorSetLayout layout = layout_create(&vk, bindings, 2, 0);
    VkDescriptorSet set = harness_set(&vk, layout);
    VkDescriptorImageInfo image = {VK_NULL_HANDLE, texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkDescriptorImageInfo images[3] = {image, image, image};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = 1,
                                  .dstArrayElement = 0,
                                  .descriptorCount = 3,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                  .pImageInfo = images};
    vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
    assert_int_equal(violation_count(&vk), 0);
    write.dstArrayElement = 1;
    vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
    expect_violations(&vk, 1, LIMITED_DRIVER_FORMAT, "SAMPLED_IMAGE_FILTER_LINEAR", "vkUpdateDescriptorSets");
    HARNESS_VK(vkFreeDescriptorSets(vk.device, vk.descriptors, 1, &set));
    vkDestroyDescriptorSetLayout(vk.device, layout, NULL);
    vkDestroySampler(vk.device, nearest, NULL);
    vkDestroySampler(vk.device, linear, NULL);
    texture_destroy(&vk, &texture);
    harness_vulkan_close(&vk);
}

/* ---- Buffers ---- */

static void write_buffer(struct harness_vulkan *vk, VkDescriptorType type, VkBuffer buffer, VkDeviceSize offset,
                         VkDeviceSize range)
{
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayout layout = layout_create(vk, &binding, 1, 0);
    VkDescriptorSet set = harness_set(vk, layout);
    VkDescriptorBufferInfo info = {buffer, offset, range};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pBufferInfo = &info};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    HARNESS_VK(vkFreeDescriptorSets(vk->device, vk->descriptors, 1, &set));
    vkDestroyDescriptorSetLayout(vk->device, layout, NULL);
}

static void buffers_keep_to_ranges_and_alignments(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxUniformBufferRange 1024; limit maxStorageBufferRange 2048; "
                                          "limit minUniformBufferOffsetAlignment 256; "
                                          "limit minStorageBufferOffsetAlignment 128");
    struct harness_buffer buffer;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    harness_buffer_create(&vk, &buffer, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 4096,
                          NULL);
    write_buffer(&vk, uniform, buffer.buffer, 3072, VK_WHOLE_SIZE);
    write_buffer(&vk, storage, buffer.buffer, 128, 2048);
    assert_int_equal(violation_count(&vk), 0);
    write_buffer(&vk, uniform, buffer.buffer, 256, 1025);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxUniformBufferRange", "vkUpdateDescriptorSets");
    write_buffer(&vk, uniform, buffer.buffer, 128, 16);
    expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, "minUniformBufferOffsetAlignment", "vkUpdateDescriptorSets");
    write_buffer(&vk, storage, buffer.buffer, 0, VK_WHOLE_SIZE);
    expect_violations(&vk, 3, LIMITED_DRIVER_LIMIT, "maxStorageBufferRange", "vkUpdateDescriptorSets");
    write_buffer(&vk, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, buffer.buffer, 64, 16);
    expect_violations(&vk, 4, LIMITED_DRIVER_LIMIT, "minStorageBufferOffsetAlignment", "vkUpdateDescriptorSets");
    harness_buffer_destroy(&vk, &buffer);
    harness_vulkan_close(&vk);
}

/* ---- Layouts ---- */

static VkDescriptorSetLayout layout_of(struct harness_vulkan *vk, VkDescriptorType type, uint32_t count,
                                       VkShaderStageFlags stages)
{
    VkDescriptorSetLayoutBinding binding = {.descriptorType = type, .descriptorCount = count, .stageFlags = stages};
    return layout_create(vk, &binding, 1, 0);
}

static void pipeline_layouts_keep_to_each_count(void **state)
{
    (void)state;
    static const struct {
        VkDescriptorType type;
        const char *stage_limit, *set_limit;
    } rows[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLER, "maxPerStageDescriptorSamplers", "maxDescriptorSetSamplers"},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, "maxPerStageDescriptorSamplers", "maxDescriptorSetSamplers"},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, "maxPerStageDescriptorSampledImages",
         "maxDescriptorSetSampledImages"},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, "maxPerStageDescriptorSampledImages",
         "maxDescriptorSetSampledImages"},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, "maxPerStageDescriptorStorageImages", "maxDescriptorSetStorageImages"},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, "maxPerStageDescriptorUniformBuffers", "maxDescriptorSetUniformBuffers"},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, "maxPerStageDescriptorUniformBuffers",
         "maxDescriptorSetUniformBuffersDynamic"},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, "maxPerStageDescriptorStorageBuffers", "maxDescriptorSetStorageBuffers"},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, "maxPerStageDescriptorStorageBuffers",
         "maxDescriptorSetStorageBuffersDynamic"},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, "maxPerStageResources", "maxDescriptorSetStorageBuffers"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char rules[200];
        snprintf(rules, sizeof(rules), "limit %s 2; limit %s 3", rows[i].stage_limit, rows[i].set_limit);
        struct harness_vulkan vk = open_rules(rules);
        VkDescriptorSetLayout one = layout_of(&vk, rows[i].type, 1, VK_SHADER_STAGE_VERTEX_BIT);
        VkDescriptorSetLayout two = layout_of(&vk, rows[i].type, 2, VK_SHADER_STAGE_FRAGMENT_BIT);
        const VkDescriptorSetLayout fits[2] = {one, two}, set[3] = {one, one, two};
        VkPipelineLayout layouts[3];
        layouts[0] = harness_pipeline_layout(&vk, fits, 2, 0);
        assert_int_equal(violation_count(&vk), 0);
        layouts[1] = harness_pipeline_layout(&vk, set, 3, 0);
        expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, rows[i].set_limit, "vkCreatePipelineLayout");
        VkDescriptorSetLayout three = layout_of(&vk, rows[i].type, 3, VK_SHADER_STAGE_ALL);
        layouts[2] = harness_pipeline_layout(&vk, &three, 1, 0);
        expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, rows[i].stage_limit, "vkCreatePipelineLayout");
        for (int l = 0; l < 3; l++)
            vkDestroyPipelineLayout(vk.device, layouts[l], NULL);
        vkDestroyDescriptorSetLayout(vk.device, one, NULL);
        vkDestroyDescriptorSetLayout(vk.device, two, NULL);
        vkDestroyDescriptorSetLayout(vk.device, three, NULL);
        harness_vulkan_close(&vk);
    }
}

static void update_after_bind_has_limits_of_its_own(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxPerStageDescriptorSamplers 1; "
                                          "limit maxPerStageDescriptorUpdateAfterBindSamplers 3");
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER, .descriptorCount = 2, .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    VkDescriptorSetLayout after =
        layout_create(&vk, &binding, 1, VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT);
    VkDescriptorSetLayout plain = layout_of(&vk, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT);
    const VkDescriptorSetLayout fits[2] = {after, plain}, many[2] = {after, after};
    VkPipelineLayout first = harness_pipeline_layout(&vk, fits, 2, 0);
    assert_int_equal(violation_count(&vk), 0);
    VkPipelineLayout second = harness_pipeline_layout(&vk, many, 2, 0);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxPerStageDescriptorUpdateAfterBindSamplers",
                      "vkCreatePipelineLayout");
    vkDestroyPipelineLayout(vk.device, first, NULL);
    vkDestroyPipelineLayout(vk.device, second, NULL);
    vkDestroyDescriptorSetLayout(vk.device, after, NULL);
    vkDestroyDescriptorSetLayout(vk.device, plain, NULL);
    harness_vulkan_close(&vk);
}

static void layouts_keep_to_sets_constants_and_pushes(void **state)
{
    (void)state;
    struct harness_vulkan vk = open_rules("limit maxBoundDescriptorSets 2; limit maxPushConstantsSize 64; "
                                          "limit maxPushDescriptors 4; limit maxPerSetDescriptors 8");
    VkDescriptorSetLayout small = layout_of(&vk, VK_DESCRIPTOR_TYPE_SAMPLER, 8, VK_SHADER_STAGE_ALL);
    const VkDescriptorSetLayout sets[3] = {small, small, small};
    VkPipelineLayout layouts[3];
    layouts[0] = harness_pipeline_layout(&vk, sets, 2, 64);
    assert_int_equal(violation_count(&vk), 0);
    layouts[1] = harness_pipeline_layout(&vk, sets, 3, 0);
    expect_violations(&vk, 1, LIMITED_DRIVER_LIMIT, "maxBoundDescriptorSets", "vkCreatePipelineLayout");
    layouts[2] = harness_pipeline_layout(&vk, sets, 1, 68);
    expect_violations(&vk, 2, LIMITED_DRIVER_LIMIT, "maxPushConstantsSize", "vkCreatePipelineLayout");
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .descriptorCount = 5, .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
    VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    vkGetDescriptorSetLayoutSupport(vk.device, &info, &support);
    assert_false(support.supported);
    VkDescriptorSetLayout pushed = layout_create(&vk, &binding, 1, info.flags);
    expect_violations(&vk, 3, LIMITED_DRIVER_LIMIT, "maxPushDescriptors", "vkCreateDescriptorSetLayout");
    binding.descriptorCount = 9;
    VkDescriptorSetLayout large = layout_create(&vk, &binding, 1, 0);
    expect_violations(&vk, 4, LIMITED_DRIVER_LIMIT, "maxPerSetDescriptors", "vkCreateDescriptorSetLayout");
    for (int i = 0; i < 3; i++)
        vkDestroyPipelineLayout(vk.device, layouts[i], NULL);
    vkDestroyDescriptorSetLayout(vk.device, small, NULL);
    vkDestroyDescriptorSetLayout(vk.device, pushed, NULL);
    vkDestroyDescriptorSetLayout(vk.device, large, NULL);
    harness_vulkan_close(&vk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_sampler_meets_a_format_that_cannot_be_filtered),
        cmocka_unit_test(comparison_needs_no_linear_filter),
        cmocka_unit_test(comparison_and_reduction_need_their_own_bits),
        cmocka_unit_test(a_border_meets_a_swizzle),
        cmocka_unit_test(writes_that_run_over_find_the_next_binding),
        cmocka_unit_test(buffers_keep_to_ranges_and_alignments),
        cmocka_unit_test(pipeline_layouts_keep_to_each_count),
        cmocka_unit_test(update_after_bind_has_limits_of_its_own),
        cmocka_unit_test(layouts_keep_to_sets_constants_and_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
