/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "harness/resources/heap.h"
#include "harness/resources/resources.h"

static bool find_memory_type(const struct harness_vulkan *vk, uint32_t allowed, VkMemoryPropertyFlags wanted,
                             uint32_t *type)
{
    for (*type = 0; *type < vk->memory.memoryTypeCount; ++*type)
        if ((allowed & (1u << *type)) && (vk->memory.memoryTypes[*type].propertyFlags & wanted) == wanted)
            return true;
    return false;
}

static uint32_t memory_type(const struct harness_vulkan *vk, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    uint32_t type;
    if (find_memory_type(vk, allowed, wanted, &type))
        return type;
    harness_fail("no memory type with properties 0x%x among 0x%x", (unsigned)wanted, allowed);
}

static VkDeviceMemory allocate(struct harness_vulkan *vk, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags wanted, bool addressed)
{
    VkDeviceMemory memory;
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = addressed ? &flags : NULL,
                                 .allocationSize = needs->size,
                                 .memoryTypeIndex = memory_type(vk, needs->memoryTypeBits, wanted)};
    HARNESS_VK(vkAllocateMemory(vk->device, &info, NULL, &memory));
    return memory;
}

#define HOST_MEMORY (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

static void create_buffer(struct harness_vulkan *vk, struct harness_buffer *buffer, VkBufferUsageFlags usage,
                          VkDeviceSize size, const void *data, VkMemoryPropertyFlags preferred)
{
    VkMemoryRequirements needs;
    uint32_t type;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    *buffer = (struct harness_buffer){.size = size};
    HARNESS_VK(vkCreateBuffer(vk->device, &info, NULL, &buffer->buffer));
    vkGetBufferMemoryRequirements(vk->device, buffer->buffer, &needs);
    const bool has = find_memory_type(vk, needs.memoryTypeBits, HOST_MEMORY | preferred, &type);
    buffer->memory = allocate(vk, &needs, has ? HOST_MEMORY | preferred : HOST_MEMORY,
                              usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    HARNESS_VK(vkBindBufferMemory(vk->device, buffer->buffer, buffer->memory, 0));
    HARNESS_VK(vkMapMemory(vk->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->map));
    if (data)
        memcpy(buffer->map, data, (size_t)size);
    else
        memset(buffer->map, 0, (size_t)size);
}

void harness_buffer_create(struct harness_vulkan *vk, struct harness_buffer *buffer, VkBufferUsageFlags usage,
                           VkDeviceSize size, const void *data)
{
    create_buffer(vk, buffer, usage, size, data, 0);
}

void harness_buffer_create_on_device(struct harness_vulkan *vk, struct harness_buffer *buffer, VkBufferUsageFlags usage,
                                     VkDeviceSize size)
{
    create_buffer(vk, buffer, usage, size, NULL, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

VkDeviceAddress harness_buffer_address(const struct harness_vulkan *vk, const struct harness_buffer *buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer->buffer};
    return vkGetBufferDeviceAddress(vk->device, &info);
}

void harness_buffer_destroy(struct harness_vulkan *vk, struct harness_buffer *buffer)
{
    vkDestroyBuffer(vk->device, buffer->buffer, NULL);
    vkFreeMemory(vk->device, buffer->memory, NULL);
    *buffer = (struct harness_buffer){0};
}

size_t harness_texel_size(VkFormat format)
{
    if (format == (VkFormat)1000470000) /* A1B5G5R5_UNORM_PACK16, which older headers lack */
        return 2;
    switch (format) {
    case VK_FORMAT_R8_UNORM:
    case VK_FORMAT_R8_UINT:
    case VK_FORMAT_R8_SINT:
    case VK_FORMAT_R8_SRGB:
        return 1;
    case VK_FORMAT_R8G8_UNORM:
    case VK_FORMAT_R8G8_SRGB:
    case VK_FORMAT_R16_UNORM:
    case VK_FORMAT_R16_SFLOAT:
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_R4G4B4A4_UNORM_PACK16:
    case VK_FORMAT_B4G4R4A4_UNORM_PACK16:
    case VK_FORMAT_A4R4G4B4_UNORM_PACK16:
    case VK_FORMAT_A4B4G4R4_UNORM_PACK16:
    case VK_FORMAT_R5G5B5A1_UNORM_PACK16:
    case VK_FORMAT_B5G5R5A1_UNORM_PACK16:
    case VK_FORMAT_A1R5G5B5_UNORM_PACK16:
    case VK_FORMAT_R5G6B5_UNORM_PACK16:
        return 2;
    case VK_FORMAT_R8G8B8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_R8G8B8A8_SNORM:
    case VK_FORMAT_R8G8B8A8_UINT:
    case VK_FORMAT_R8G8B8A8_SINT:
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
    case VK_FORMAT_A2R10G10B10_UINT_PACK32:
    case VK_FORMAT_A2R10G10B10_SINT_PACK32:
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
    case VK_FORMAT_A2B10G10R10_UINT_PACK32:
    case VK_FORMAT_A2B10G10R10_SINT_PACK32:
    case VK_FORMAT_R16G16_SFLOAT:
    case VK_FORMAT_R32_SFLOAT:
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
    case VK_FORMAT_D32_SFLOAT:
        return 4;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_R16G16B16A16_UNORM:
    case VK_FORMAT_R32G32_SFLOAT:
    case VK_FORMAT_R32G32_UINT:
    case VK_FORMAT_R32G32_SINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: /* in memory: a float, and the stencil in the lowest byte of a word */
    case VK_FORMAT_BC1_RGB_SRGB_BLOCK:
    case VK_FORMAT_BC1_RGBA_UNORM_BLOCK:
    case VK_FORMAT_BC1_RGBA_SRGB_BLOCK:
    case VK_FORMAT_BC4_UNORM_BLOCK:
        return 8;
    case VK_FORMAT_R32G32B32A32_SFLOAT:
    case VK_FORMAT_R32G32B32A32_UINT:
    case VK_FORMAT_R32G32B32A32_SINT:
    case VK_FORMAT_BC3_UNORM_BLOCK:
        return 16;
    default:
        harness_fail("VkFormat %d is not among those that the tests use", (int)format);
    }
}

static uint32_t level_extent(uint32_t base, uint32_t level)
{
    uint32_t extent = base >> level;
    return extent ? extent : 1;
}

static bool has_stencil(VkFormat format)
{
    return format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

/* Texels along a block's side. */
static uint32_t block_side(VkFormat format)
{
    return format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK && format <= VK_FORMAT_BC7_SRGB_BLOCK ? 4 : 1;
}

static VkImageAspectFlags all_aspects(const struct harness_image_params *params)
{
    return params->aspect |
           (has_stencil(params->format) ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
}

static struct harness_image_params with_defaults(const struct harness_image_params *params)
{
    struct harness_image_params full = *params;
    full.height = full.height ? full.height : 1;
    full.depth = full.depth ? full.depth : 1;
    full.layers = full.layers ? full.layers : 1;
    full.levels = full.levels ? full.levels : 1;
    if (!full.usage)
        full.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (!full.aspect)
        full.aspect =
            full.format == VK_FORMAT_D16_UNORM || full.format == VK_FORMAT_D32_SFLOAT || has_stencil(full.format)
                ? VK_IMAGE_ASPECT_DEPTH_BIT
                : VK_IMAGE_ASPECT_COLOR_BIT;
    return full;
}

static size_t level_size(const struct harness_image_params *params, uint32_t level)
{
    const uint32_t side = block_side(params->format);
    return (size_t)((level_extent(params->width, level) + side - 1) / side) *
           ((level_extent(params->height, level) + side - 1) / side) * level_extent(params->depth, level) *
           params->layers * harness_texel_size(params->format);
}

size_t harness_image_size(const struct harness_image_params *given)
{
    struct harness_image_params params = with_defaults(given);
    size_t size = 0;
    for (uint32_t level = 0; level < params.levels; level++)
        size += level_size(&params, level);
    return size;
}

static void barrier(VkCommandBuffer commands, const struct harness_image *image, VkImageLayout before,
                    VkImageLayout after)
{
    VkImageMemoryBarrier info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before == VK_IMAGE_LAYOUT_UNDEFINED ? 0 : VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = before,
        .newLayout = after,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {all_aspects(&image->params), 0, image->params.levels, 0, image->params.layers},
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &info);
}

/* Copies to images start at multiples of 4 and of the texel size: each level starts at a multiple of this. */
#define LEVEL_ALIGNMENT 16u
#define LEVELS_MAX 16u

/* Depth goes to `depth`, the stencil behind all of it: one aspect is copied at a time. */
static void split_stencil(const char *texels, size_t count, char *depth)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(depth + i * 4, texels + i * 8, 4);
        depth[count * 4 + i] = texels[i * 8 + 4];
    }
}

static void upload(struct harness_vulkan *vk, const struct harness_image *image, const void *texels)
{
    const struct harness_image_params *params = &image->params;
    struct harness_buffer staging;
    VkBufferImageCopy regions[2 * LEVELS_MAX];
    const char *source = texels;
    size_t offset = 0;
    uint32_t count = 0;
    if (params->levels > LEVELS_MAX)
        harness_fail("an image of %u levels", params->levels);
    harness_buffer_create(vk, &staging, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          harness_image_size(params) + params->levels * LEVEL_ALIGNMENT, NULL);
    for (uint32_t level = 0; level < params->levels; level++) {
        size_t size = level_size(params, level);
        VkBufferImageCopy region = {.bufferOffset = offset,
                                    .imageSubresource = {params->aspect, level, 0, params->layers},
                                    .imageExtent = {level_extent(params->width, level),
                                                    level_extent(params->height, level),
                                                    level_extent(params->depth, level)}};
        if (has_stencil(params->format)) {
            split_stencil(source, size / 8, (char *)staging.map + offset);
            region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
            regions[count++] = region;
            region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
            region.bufferOffset += size / 2;
        } else {
            memcpy((char *)staging.map + offset, source, size);
        }
        regions[count++] = region;
        source += size;
        offset += (size + LEVEL_ALIGNMENT - 1) / LEVEL_ALIGNMENT * LEVEL_ALIGNMENT;
    }
    VkCommandBuffer commands = harness_begin(vk);
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, staging.buffer, image->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count,
                           regions);
    barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    harness_submit(vk, commands);
    harness_buffer_destroy(vk, &staging);
}

static VkImageType image_type(VkImageViewType type)
{
    switch (type) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_3D:
        return VK_IMAGE_TYPE_3D;
    default:
        return VK_IMAGE_TYPE_2D;
    }
}

VkImageViewCreateInfo harness_image_view_info(const struct harness_image *image)
{
    const struct harness_image_params *params = &image->params;
    return (VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .pNext = params->view_next,
                                   .image = image->image,
                                   .viewType = params->type,
                                   .format = params->format,
                                   .subresourceRange = {params->aspect, 0, params->levels, 0, params->layers}};
}

void harness_image_create(struct harness_vulkan *vk, struct harness_image *image,
                          const struct harness_image_params *given, const void *texels)
{
    VkMemoryRequirements needs;
    struct harness_image_params params = with_defaults(given);
    bool cube = params.type == VK_IMAGE_VIEW_TYPE_CUBE || params.type == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .pNext = params.image_next,
                              .flags = params.flags | (cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0u),
                              .imageType = image_type(params.type),
                              .format = params.format,
                              .extent = {params.width, params.height, params.depth},
                              .mipLevels = params.levels,
                              .arrayLayers = params.layers,
                              .samples = params.samples ? params.samples : VK_SAMPLE_COUNT_1_BIT,
                              .tiling = VK_IMAGE_TILING_OPTIMAL,
                              .usage = params.usage};
    *image = (struct harness_image){.params = params};
    HARNESS_VK(vkCreateImage(vk->device, &info, NULL, &image->image));
    vkGetImageMemoryRequirements(vk->device, image->image, &needs);
    image->memory = allocate(vk, &needs, 0, false);
    HARNESS_VK(vkBindImageMemory(vk->device, image->image, image->memory, 0));

    const VkImageViewCreateInfo view = harness_image_view_info(image);
    HARNESS_VK(vkCreateImageView(vk->device, &view, NULL, &image->view));
    harness_known_view(vk, image->view, &view);
    image->params.view_next = image->params.image_next = NULL;
    if (texels) {
        upload(vk, image, texels);
    } else {
        VkCommandBuffer commands = harness_begin(vk);
        barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED,
                params.usage & VK_IMAGE_USAGE_STORAGE_BIT   ? VK_IMAGE_LAYOUT_GENERAL
                : params.usage & VK_IMAGE_USAGE_SAMPLED_BIT ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
                                                            : VK_IMAGE_LAYOUT_GENERAL);
        harness_submit(vk, commands);
    }
}

void harness_image_destroy(struct harness_vulkan *vk, struct harness_image *image)
{
    vkDestroyImageView(vk->device, image->view, NULL);
    vkDestroyImage(vk->device, image->image, NULL);
    vkFreeMemory(vk->device, image->memory, NULL);
    *image = (struct harness_image){0};
}

void harness_image_read(struct harness_vulkan *vk, const struct harness_image *image, VkImageLayout layout,
                        uint32_t level, uint32_t layer, void *texels)
{
    struct harness_buffer buffer;
    VkExtent3D extent = {level_extent(image->params.width, level), level_extent(image->params.height, level),
                         level_extent(image->params.depth, level)};
    size_t size = (size_t)extent.width * extent.height * extent.depth * harness_texel_size(image->params.format);
    VkBufferImageCopy region = {.imageSubresource = {image->params.aspect, level, layer, 1}, .imageExtent = extent};
    harness_buffer_create(vk, &buffer, VK_BUFFER_USAGE_TRANSFER_DST_BIT, size, NULL);
    VkCommandBuffer commands = harness_begin(vk);
    barrier(commands, image, layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.buffer, 1, &region);
    if (layout != VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
        barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, layout);
    VkMemoryBarrier host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &host, 0, NULL, 0,
                         NULL);
    harness_submit(vk, commands);
    memcpy(texels, buffer.map, size);
    harness_buffer_destroy(vk, &buffer);
}

VkCommandBuffer harness_begin(struct harness_vulkan *vk)
{
    VkCommandBuffer commands;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = vk->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    HARNESS_VK(vkAllocateCommandBuffers(vk->device, &info, &commands));
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

VkResult harness_try_submit(struct harness_vulkan *vk, VkCommandBuffer commands)
{
    VkResult result = vkEndCommandBuffer(commands);
    if (result == VK_SUCCESS) {
        VkSubmitInfo info = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
        HARNESS_VK(vkQueueSubmit(vk->queue, 1, &info, VK_NULL_HANDLE));
        HARNESS_VK(vkQueueWaitIdle(vk->queue));
    }
    vkFreeCommandBuffers(vk->device, vk->pool, 1, &commands);
    return result;
}

void harness_submit(struct harness_vulkan *vk, VkCommandBuffer commands)
{
    HARNESS_VK(harness_try_submit(vk, commands));
}

VkSampler harness_sampler(struct harness_vulkan *vk, const VkSamplerCreateInfo *info)
{
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(vk->device, info, NULL, &sampler));
    harness_known_sampler(vk, sampler, info);
    return sampler;
}

VkDescriptorSetLayout harness_set_layout(struct harness_vulkan *vk, const VkDescriptorSetLayoutBinding *bindings,
                                         uint32_t count)
{
    VkDescriptorSetLayout layout;
    VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(vk->device, &info, NULL, &layout));
    return layout;
}

VkDescriptorSet harness_set(struct harness_vulkan *vk, VkDescriptorSetLayout layout)
{
    VkDescriptorSet set;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = vk->descriptors,
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    HARNESS_VK(vkAllocateDescriptorSets(vk->device, &info, &set));
    return set;
}

void harness_write_image(struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, uint32_t element,
                         VkDescriptorType type, VkSampler sampler, VkImageView view)
{
    VkDescriptorImageInfo image = {sampler, view,
                                   type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_LAYOUT_GENERAL
                                                                            : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .dstArrayElement = element,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = &image};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
}

void harness_write_buffer(struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                          VkBuffer buffer)
{
    VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = set,
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pBufferInfo = &info};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
}

static void write_set(const struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                      uint32_t count, const VkDescriptorImageInfo *images, const VkDescriptorBufferInfo *buffers)
{
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = binding,
                                        .descriptorCount = count,
                                        .descriptorType = type,
                                        .pImageInfo = images,
                                        .pBufferInfo = buffers};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
}

void harness_write_images(const struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                          uint32_t count, const VkDescriptorImageInfo *images)
{
    write_set(vk, set, binding, type, count, images, NULL);
}

void harness_write_buffers(const struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding,
                           VkDescriptorType type, uint32_t count, const VkDescriptorBufferInfo *buffers)
{
    write_set(vk, set, binding, type, count, NULL, buffers);
}

VkDescriptorUpdateTemplate harness_template(const struct harness_vulkan *vk, VkDescriptorSetLayout layout,
                                            const VkDescriptorUpdateTemplateEntry *entries, uint32_t count)
{
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = layout};
    VkDescriptorUpdateTemplate made;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(vk->device, &info, NULL, &made));
    return made;
}

void harness_commands(const struct harness_vulkan *vk, VkCommandBufferLevel level, uint32_t count,
                      VkCommandBuffer *commands)
{
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = vk->pool,
                                              .level = level,
                                              .commandBufferCount = count};
    HARNESS_VK(vkAllocateCommandBuffers(vk->device, &info, commands));
}

void harness_barrier(VkCommandBuffer commands)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

VkPipelineLayout harness_pipeline_layout(struct harness_vulkan *vk, const VkDescriptorSetLayout *sets, uint32_t count,
                                         uint32_t push_bytes)
{
    VkPipelineLayout layout;
    VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_bytes};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = count,
                                       .pSetLayouts = sets,
                                       .pushConstantRangeCount = push_bytes ? 1 : 0,
                                       .pPushConstantRanges = &range};
    HARNESS_VK(vkCreatePipelineLayout(vk->device, &info, NULL, &layout));
    return layout;
}

void harness_one_set(struct harness_vulkan *vk, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                     VkDescriptorSetLayout *set_layout, VkPipelineLayout *layout, VkDescriptorSet *set)
{
    *set_layout = harness_set_layout(vk, bindings, count);
    *layout = harness_pipeline_layout(vk, set_layout, 1, 0);
    *set = harness_set(vk, *set_layout);
}

void harness_layouts_destroy(const struct harness_vulkan *vk, VkPipelineLayout layout, VkDescriptorSetLayout set_layout)
{
    vkDestroyPipelineLayout(vk->device, layout, NULL);
    vkDestroyDescriptorSetLayout(vk->device, set_layout, NULL);
}
