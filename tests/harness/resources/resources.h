/* SPDX-License-Identifier: MIT */
/*
 * Buffers, images, samplers, descriptor sets and one-shot command buffers for tests. Every function ends the process on
 * failure (see vulkan.h). Everything made here is destroyed by the caller before harness_vulkan_close.
 */
#ifndef CLAMPLER_HARNESS_RESOURCES_H
#define CLAMPLER_HARNESS_RESOURCES_H

#include "harness/device/vulkan.h"

/* A host-visible, coherent buffer, mapped for its whole life. */
struct harness_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *map;
    VkDeviceSize size; /* bytes */
};

/* `data` may be NULL: the buffer is then zero. */
void harness_buffer_create(struct harness_vulkan *vk, struct harness_buffer *buffer, VkBufferUsageFlags usage,
                           VkDeviceSize size, const void *data);
/* The same, zero, in memory of the device that the host can map, where there is such; slow for the host to read. */
void harness_buffer_create_on_device(struct harness_vulkan *vk, struct harness_buffer *buffer, VkBufferUsageFlags usage,
                                     VkDeviceSize size);
/* Of a buffer with the usage SHADER_DEVICE_ADDRESS, which must be enabled. */
VkDeviceAddress harness_buffer_address(const struct harness_vulkan *vk, const struct harness_buffer *buffer);
void harness_buffer_destroy(struct harness_vulkan *vk, struct harness_buffer *buffer);

/* What an image is; zero in depth, layers or levels counts as 1, zero in usage as sampled and copied both ways. */
struct harness_image_params {
    VkImageViewType type; /* of the view; decides the image's type */
    VkFormat format;
    uint32_t width, height, depth; /* texels of level 0; height is 1 for 1D */
    uint32_t layers;               /* array layers; cubes: faces */
    uint32_t levels;
    VkSampleCountFlagBits samples; /* 0: 1; more: no texels */
    VkImageUsageFlags usage;
    VkImageCreateFlags flags;
    VkImageAspectFlags aspect; /* of the view; 0: by format (depth where there is depth) */
    const void *view_next;     /* chained to VkImageViewCreateInfo */
    const void *image_next;    /* chained to VkImageCreateInfo */
};

/* An optimally tiled image in device memory with one view of all of it, in SHADER_READ_ONLY_OPTIMAL once uploaded. */
struct harness_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    struct harness_image_params params; /* with the zeros replaced */
};

/*
 * `texels`: all of the image, tightly packed: level after level, in each level layer after layer (NULL: contents
 * undefined, layout GENERAL if the usage has STORAGE, else SHADER_READ_ONLY_OPTIMAL). Depth with stencil: both in one.
 */
void harness_image_create(struct harness_vulkan *vk, struct harness_image *image,
                          const struct harness_image_params *params, const void *texels);
void harness_image_destroy(struct harness_vulkan *vk, struct harness_image *image);

/* What the image's view was created with. */
VkImageViewCreateInfo harness_image_view_info(const struct harness_image *image);

/* Bytes of `texels` above; bytes of one texel, or block, of the formats that tests use (others fail). */
size_t harness_image_size(const struct harness_image_params *params);
size_t harness_texel_size(VkFormat format);

/* Copies level `level` of layer `layer` into `texels`, tightly packed; the image is in `layout` before and after. */
void harness_image_read(struct harness_vulkan *vk, const struct harness_image *image, VkImageLayout layout,
                        uint32_t level, uint32_t layer, void *texels);

/* A primary command buffer that has begun, for one submission; harness_submit ends, submits, waits for and frees it. */
VkCommandBuffer harness_begin(struct harness_vulkan *vk);
void harness_submit(struct harness_vulkan *vk, VkCommandBuffer commands);

/* Ends, submits, waits for and frees it, and returns vkEndCommandBuffer's result; on failure it is not submitted. */
VkResult harness_try_submit(struct harness_vulkan *vk, VkCommandBuffer commands);

/* Command buffers of vk->pool, which have not begun. */
void harness_commands(const struct harness_vulkan *vk, VkCommandBufferLevel level, uint32_t count,
                      VkCommandBuffer *commands);

/* Between all that is before and all that is behind. */
void harness_barrier(VkCommandBuffer commands);

VkSampler harness_sampler(struct harness_vulkan *vk, const VkSamplerCreateInfo *info);

/* A set layout; one set of it from vk->descriptors. */
VkDescriptorSetLayout harness_set_layout(struct harness_vulkan *vk, const VkDescriptorSetLayoutBinding *bindings,
                                         uint32_t count);
VkDescriptorSet harness_set(struct harness_vulkan *vk, VkDescriptorSetLayout layout);

/* Writes array element `element` of a binding. Images are in SHADER_READ_ONLY_OPTIMAL, storage images in GENERAL. */
void harness_write_image(struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, uint32_t element,
                         VkDescriptorType type, VkSampler sampler, VkImageView view);
void harness_write_buffer(struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                          VkBuffer buffer);

/* Writes `count` elements from the first on. */
void harness_write_images(const struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                          uint32_t count, const VkDescriptorImageInfo *images);
void harness_write_buffers(const struct harness_vulkan *vk, VkDescriptorSet set, uint32_t binding,
                           VkDescriptorType type, uint32_t count, const VkDescriptorBufferInfo *buffers);

/* A template that updates sets of a layout. */
VkDescriptorUpdateTemplate harness_template(const struct harness_vulkan *vk, VkDescriptorSetLayout layout,
                                            const VkDescriptorUpdateTemplateEntry *entries, uint32_t count);

/* A pipeline layout with push constants of `push_bytes` at offset 0 for all stages (0: none). */
VkPipelineLayout harness_pipeline_layout(struct harness_vulkan *vk, const VkDescriptorSetLayout *sets, uint32_t count,
                                         uint32_t push_bytes);

/* A set layout, a pipeline layout of it alone, and one set; what destroys the two layouts. */
void harness_one_set(struct harness_vulkan *vk, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                     VkDescriptorSetLayout *set_layout, VkPipelineLayout *layout, VkDescriptorSet *set);
void harness_layouts_destroy(const struct harness_vulkan *vk, VkPipelineLayout layout,
                             VkDescriptorSetLayout set_layout);

#endif
