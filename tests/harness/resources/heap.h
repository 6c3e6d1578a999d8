/* SPDX-License-Identifier: MIT */
/*
 * Descriptor heaps (VK_EXT_descriptor_heap) for tests: the two heaps of a device, descriptors that are written into
 * them as bytes, the commands that bind them and push data, and mappings of shaders' bindings. Devices have
 * harness_vulkan_params::sets HARNESS_SETS_HEAP or HARNESS_SETS_HEAP_UNTYPED, and the feature bufferDeviceAddress.
 * Every function ends the process on failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_HEAP_H
#define CLAMPLER_HARNESS_HEAP_H

#include "newer_vulkan.h"
#include "harness/resources/resources.h"

/* One heap: bytes that the host sees, the driver's own behind those of the test. */
struct harness_heap {
    struct harness_buffer buffer;
    unsigned char *bytes;    /* the heap's first */
    VkDeviceAddress address; /* of that */
    VkDeviceSize size, used; /* without the driver's own; bytes that were taken */
    VkDeviceSize reserved;   /* bytes of the driver's own */
};

struct harness_heaps {
    struct harness_vulkan *vk;
    VkPhysicalDeviceDescriptorHeapPropertiesEXT properties;
    struct harness_heap resources, samplers;
    PFN_vkWriteSamplerDescriptorsEXT write_samplers;
    PFN_vkWriteResourceDescriptorsEXT write_resources;
    PFN_vkCmdBindSamplerHeapEXT bind_samplers;
    PFN_vkCmdBindResourceHeapEXT bind_resources;
    PFN_vkCmdPushDataEXT push;
};

/*
 * Two heaps of so many bytes for the test, all ones. The GPU may copy from and to them. `with_records`: the sizes of
 * descriptors are those that the layer shows to programs which ask for them; else the driver's.
 */
void harness_heaps_open(struct harness_heaps *heaps, struct harness_vulkan *vk, bool with_records,
                        VkDeviceSize resource_bytes, VkDeviceSize sampler_bytes);
void harness_heaps_close(struct harness_heaps *heaps);

/* Bytes from a descriptor to the next one of that type, as the device shows them and as OpConstantSizeOfEXT says. */
uint32_t harness_heap_stride(const struct harness_heaps *heaps, VkDescriptorType type);

/* The next free bytes of a heap, at a multiple of `alignment`: their offset. */
uint32_t harness_heap_take(struct harness_heap *heap, VkDeviceSize size, VkDeviceSize alignment);
/* The same for `count` descriptors of that type. */
uint32_t harness_heaps_take(struct harness_heaps *heaps, VkDescriptorType type, uint32_t count);

/* ---- Descriptors, at an offset in the heap that they belong to ---- */

void harness_heap_put_sampler(const struct harness_heaps *heaps, uint32_t offset, const VkSamplerCreateInfo *info);
/* All of an image; in SHADER_READ_ONLY_OPTIMAL, storage images in GENERAL. */
void harness_heap_put_image(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                            const struct harness_image *image);
void harness_heap_put_view(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                           const VkImageViewCreateInfo *view);
void harness_heap_put_resource(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                               VkResourceDescriptorDataEXT data);
/* Buffers; `format` is used by texel buffers. */
void harness_heap_put_range(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                            VkDeviceAddress address, VkDeviceSize range, VkFormat format);

/*
 * The same of what handles of the device were created with, where its sets are heaps: samplers by harness_sampler,
 * views of harness_image_create, and those that were said (heap_known.c).
 */
void harness_heap_put_known_sampler(const struct harness_heaps *heaps, uint32_t offset, VkSampler sampler);
void harness_heap_put_known_view(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                                 VkImageView view);
void harness_known_sampler(struct harness_vulkan *vk, VkSampler sampler, const VkSamplerCreateInfo *info);
void harness_known_view(struct harness_vulkan *vk, VkImageView view, const VkImageViewCreateInfo *info);
/* Valid until the handle comes again. */
const VkSamplerCreateInfo *harness_known_sampler_info(struct harness_vulkan *vk, VkSampler sampler);
const VkImageViewCreateInfo *harness_known_view_info(struct harness_vulkan *vk, VkImageView view);
/* harness_vulkan_close calls it. */
void harness_known_forget(struct harness_vulkan *vk);

/* ---- Commands ---- */

/* Binds both. */
void harness_heaps_bind(const struct harness_heaps *heaps, VkCommandBuffer commands);
void harness_heaps_push(const struct harness_heaps *heaps, VkCommandBuffer commands, uint32_t offset, const void *data,
                        size_t size);
/* Descriptors of commands behind it see what the GPU copied into heaps. Needs synchronization2. */
void harness_heaps_barrier(VkCommandBuffer commands);

/* ---- Mappings ---- */

/* Descriptors at constant offsets: element i of binding number b at offset + (b - binding + i) * stride. */
struct harness_heap_place {
    uint32_t offset, stride;
};
VkDescriptorSetAndBindingMappingEXT harness_heap_mapping(uint32_t set, uint32_t binding, uint32_t binding_count,
                                                         struct harness_heap_place resource,
                                                         struct harness_heap_place sampler);
/* The sampler heap's bindings are those of samplers alone: what stands at `offset` of a mapping is their place then. */
VkDescriptorSetAndBindingMappingEXT harness_heap_mapping_of_samplers(uint32_t set, uint32_t binding,
                                                                     uint32_t binding_count,
                                                                     struct harness_heap_place place);

#endif
