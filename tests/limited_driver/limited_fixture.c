/* SPDX-License-Identifier: MIT */
#include "limited_fixture.h"

#include <stdlib.h>

static void set_or_clear(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* For the queries' older names. */
static const char *const instance_extensions[] = {VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME};

static struct harness_vulkan_params harness_params(const struct limited_fixture_params *params)
{
    set_or_clear("LIMITED_DRIVER_PROFILE", params->profile);
    set_or_clear("LIMITED_DRIVER_RULES", params->rules);
    return (struct harness_vulkan_params){
        .layers = params->layers ? params->layers : "limited",
        .instance_extensions = instance_extensions,
        .instance_extension_count = 1,
        .device_extensions = params->extensions,
        .device_extension_count = params->extension_count,
        .device_next = params->device_next,
        .features = params->features,
    };
}

void limited_fixture_open(struct harness_vulkan *vk, const struct limited_fixture_params *params)
{
    struct harness_vulkan_params harness = harness_params(params);
    harness_vulkan_open(vk, &harness);
    if (strstr(harness.layers, "limited"))
        assert_int_equal(violation_count(vk), 0);
}

VkResult limited_fixture_try(const struct limited_fixture_params *params)
{
    struct harness_vulkan vk;
    struct harness_vulkan_params harness = harness_params(params);
    VkResult result = harness_vulkan_try(&vk, &harness);
    if (result == VK_SUCCESS)
        harness_vulkan_close(&vk);
    return result;
}

static PFN_limitedDriverGetViolations reader(const struct harness_vulkan *vk)
{
    PFN_limitedDriverGetViolations get =
        (PFN_limitedDriverGetViolations)vkGetDeviceProcAddr(vk->device, "vkGetViolationsLIMITED");
    assert_non_null(get);
    return get;
}

uint32_t violation_count(const struct harness_vulkan *vk)
{
    return reader(vk)(vk->device, 0, NULL);
}

void expect_violations(const struct harness_vulkan *vk, uint32_t count, enum limited_driver_kind kind, const char *name,
                       const char *command)
{
    struct limited_driver_violation list[64];
    assert_true(count >= 1 && count <= 64);
    assert_int_equal(reader(vk)(vk->device, 64, list), count);
    assert_int_equal(list[count - 1].kind, kind);
    assert_string_equal(list[count - 1].name, name);
    assert_string_equal(list[count - 1].command, command);
}

void texture_create(struct harness_vulkan *vk, struct limited_fixture_texture *texture, VkFormat format,
                    const VkComponentMapping *components)
{
    bool depth = format >= VK_FORMAT_D16_UNORM && format <= VK_FORMAT_D32_SFLOAT;
    VkImageCreateInfo image = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = format,
                               .extent = {8, 8, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    HARNESS_VK(vkCreateImage(vk->device, &image, NULL, &texture->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(vk->device, texture->image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits & (1u << type)))
        type++;
    VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    HARNESS_VK(vkAllocateMemory(vk->device, &memory, NULL, &texture->memory));
    HARNESS_VK(vkBindImageMemory(vk->device, texture->image, texture->memory, 0));
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = texture->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    if (components)
        view.components = *components;
    HARNESS_VK(vkCreateImageView(vk->device, &view, NULL, &texture->view));
}

void texture_destroy(struct harness_vulkan *vk, struct limited_fixture_texture *texture)
{
    vkDestroyImageView(vk->device, texture->view, NULL);
    vkDestroyImage(vk->device, texture->image, NULL);
    vkFreeMemory(vk->device, texture->memory, NULL);
}

VkSamplerCreateInfo sampler_info(void)
{
    return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                 .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                 .maxLod = VK_LOD_CLAMP_NONE};
}

VkSampler sampler_create(struct harness_vulkan *vk, const VkSamplerCreateInfo *info)
{
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(vk->device, info, NULL, &sampler));
    return sampler;
}
