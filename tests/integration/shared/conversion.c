/* SPDX-License-Identifier: MIT */
#include "integration/shared/conversion.h"

#include <string.h>

enum { SIDE = 4, PLANE = SIDE * SIDE, CHROMA = PLANE / 4 * 2 };

static const VkFormat format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;

uint32_t conversion_descriptors(const struct harness_vulkan *vk)
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
        texels[PLANE + i] = i % 2 ? CONVERSION_RED : 60;
    harness_buffer_create(vk, &staging, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(texels), texels);
    VkCommandBuffer commands = harness_begin(vk);
    change_layout(commands, c->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, staging.buffer, c->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 2, regions);
    change_layout(commands, c->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    harness_submit(vk, commands);
    harness_buffer_destroy(vk, &staging);
}

void conversion_open(struct harness_vulkan *vk, struct conversion *c, const VkAllocationCallbacks *callbacks)
{
    const VkSamplerYcbcrConversionCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
                                                     .format = format,
                                                     .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY,
                                                     .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
                                                     .chromaFilter = VK_FILTER_NEAREST};
    c->callbacks = callbacks;
    c->descriptors = conversion_descriptors(vk);
    HARNESS_VK(vkCreateSamplerYcbcrConversion(vk->device, &info, callbacks, &c->handle));
    create_image(vk, c);
    c->with = (VkSamplerYcbcrConversionInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                             .conversion = c->handle};
    c->sampler_info = (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                            .pNext = &c->with,
                                            .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                            .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                            .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    c->view_info = (VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                           .pNext = &c->with,
                                           .image = c->image,
                                           .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                           .format = format,
                                           .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
}

void conversion_close(struct harness_vulkan *vk, struct conversion *c)
{
    vkDestroyImage(vk->device, c->image, NULL);
    vkFreeMemory(vk->device, c->memory, NULL);
    vkDestroySamplerYcbcrConversion(vk->device, c->handle, c->callbacks);
}
