/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: combined image samplers with YCbCr conversions, each of which may take several of the driver's
 * descriptors, beside those of samplers with OpenGL's modes, of which no conversion has any.
 */
#include <string.h>

#include "integration/descriptor_scene.h"
#include "integration_descriptor_conversions.h"

enum { SIDE = 4, PLANE = SIDE * SIDE, CHROMA = PLANE / 4 * 2, RED = 153 };

static const VkFormat format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;

struct conversion {
    VkSamplerYcbcrConversion handle;
    VkSampler sampler;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    uint32_t descriptors; /* that one takes */
};

static uint32_t count_descriptors(const struct harness_vulkan *vk)
{
    VkSamplerYcbcrConversionImageFormatProperties counts = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &counts};
    const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                   .format = format,
                                                   .type = VK_IMAGE_TYPE_2D,
                                                   .tiling = VK_IMAGE_TILING_OPTIMAL,
                                                   .usage =
                                                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    return vkGetPhysicalDeviceImageFormatProperties2(vk->physical, &info, &properties) == VK_SUCCESS
               ? counts.combinedImageSamplerDescriptorCount
               : 0;
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkImageLayout before, VkImageLayout after)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before ? VK_ACCESS_TRANSFER_WRITE_BIT : 0,
        .dstAccessMask = before ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = before,
        .newLayout = after,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

static void create_image(struct harness_vulkan *vk, struct conversion *c)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {SIDE, SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    const VkBufferImageCopy regions[] = {
        {0, 0, 0, {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1}, {0, 0, 0}, {SIDE, SIDE, 1}},
        {PLANE, 0, 0, {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1}, {0, 0, 0}, {SIDE / 2, SIDE / 2, 1}}};
    uint8_t texels[PLANE + CHROMA];
    VkMemoryRequirements needs;
    struct harness_buffer staging;
    HARNESS_VK(vkCreateImage(vk->device, &info, NULL, &c->image));
    vkGetImageMemoryRequirements(vk->device, c->image, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(vk->device, &allocate, NULL, &c->memory));
    HARNESS_VK(vkBindImageMemory(vk->device, c->image, c->memory, 0));
    memset(texels, 30, PLANE);
    for (unsigned i = 0; i < CHROMA; i++)
        texels[PLANE + i] = i % 2 ? RED : 60;
    harness_buffer_create(vk, &staging, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(texels), texels);
    VkCommandBuffer commands = harness_begin(vk);
    change_layout(commands, c->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, staging.buffer, c->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 2, regions);
    change_layout(commands, c->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    harness_submit(vk, commands);
    harness_buffer_destroy(vk, &staging);
}

/* Of colours as they are: red is the second of each chroma texel. */
static void open_conversion(struct harness_vulkan *vk, struct conversion *c)
{
    const VkSamplerYcbcrConversionCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
                                                     .format = format,
                                                     .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY,
                                                     .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
                                                     .chromaFilter = VK_FILTER_NEAREST};
    VkSamplerYcbcrConversionInfo with = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = &with,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    c->descriptors = count_descriptors(vk);
    HARNESS_VK(vkCreateSamplerYcbcrConversion(vk->device, &info, NULL, &c->handle));
    with.conversion = c->handle;
    c->sampler = harness_sampler(vk, &sampler);
    create_image(vk, c);
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &with,
                                        .image = c->image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = format,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(vk->device, &view, NULL, &c->view));
}

static void close_conversion(struct harness_vulkan *vk, struct conversion *c)
{
    vkDestroyImageView(vk->device, c->view, NULL);
    vkDestroyImage(vk->device, c->image, NULL);
    vkFreeMemory(vk->device, c->memory, NULL);
    vkDestroySampler(vk->device, c->sampler, NULL);
    vkDestroySamplerYcbcrConversion(vk->device, c->handle, NULL);
}

/* An array of two of them, then one and three others. */
static void conversions_beside_other_samplers(void **state)
{
    (void)state;
    const VkPhysicalDeviceSamplerYcbcrConversionFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
        .samplerYcbcrConversion = VK_TRUE};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct conversion c;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.next = &features});
    if (!count_descriptors(&f.scene.vk)) {
        print_message("the driver has no images of two planes\n");
        descriptor_scene_close(&f);
        skip();
    }
    open_conversion(&f.scene.vk, &c);
    const VkSampler immutable[2] = {c.sampler, c.sampler};
    VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                               SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                               SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
    bindings[0].pImmutableSamplers = immutable;
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_conversions), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t size = c.descriptors * harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    const VkDescriptorImageInfo image = {c.sampler, c.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                         .type = SCENE_COMBINED,
                                         .data.pCombinedImageSampler = &image};
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < 2; i++)
            f.descriptors.get(f.scene.vk.device, &info, size, harness_descriptor_at(&set, 0, i, size));
        for (unsigned row = 2; row < SCENE_ROWS; row++)
            descriptor_scene_write(&f, &set, row == 2 ? 2 : 5, row == 2 ? 0 : row - 3, SCENE_COMBINED, rows[row],
                                   descriptor_scene_texture(row));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_tier(&f);
        for (unsigned row = 2; row < SCENE_ROWS; row++)
            scene_expect_row(&f.scene, row, rows[row], descriptor_scene_texture(row));
        for (unsigned i = 0; i < 2 * SCENE_COLUMNS; i++)
            assert_float_equal(f.scene.pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0], RED / 255.0f, 1.0f / 255.0f);
    }
    descriptor_program_destroy(&f, &program);
    close_conversion(&f.scene.vk, &c);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_beside_other_samplers),
    };
    return cmocka_run_group_tests_name("descriptor_conversions", tests, NULL, NULL);
}
