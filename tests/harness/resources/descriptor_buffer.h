/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers (VK_EXT_descriptor_buffer) for tests: buffers that hold sets, sets whose descriptors are written
 * as bytes, and the commands that bind them. Devices have harness_vulkan_params::sets HARNESS_SETS_DESCRIPTOR_BUFFER
 * and the feature bufferDeviceAddress. Every function ends the process on failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_DESCRIPTOR_BUFFER_H
#define CLAMPLER_HARNESS_DESCRIPTOR_BUFFER_H

#include "harness/resources/resources.h"

/* What a device has for descriptor buffers. */
struct harness_descriptors {
    struct harness_vulkan *vk;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties;
    PFN_vkGetDescriptorEXT get;
    PFN_vkGetDescriptorSetLayoutSizeEXT layout_size;
    PFN_vkGetDescriptorSetLayoutBindingOffsetEXT binding_offset;
    PFN_vkCmdBindDescriptorBuffersEXT bind;
    PFN_vkCmdSetDescriptorBufferOffsetsEXT set_offsets;
    PFN_vkCmdBindDescriptorBufferEmbeddedSamplersEXT bind_embedded;
};

void harness_descriptors_open(struct harness_descriptors *descriptors, struct harness_vulkan *vk);

/* Bytes of a descriptor of that type, as the device shows them. */
size_t harness_descriptor_size(const struct harness_descriptors *descriptors, VkDescriptorType type);

/* A buffer of sets, which lie one behind the other; both usages of descriptor buffers unless told otherwise. */
struct harness_descriptor_buffer {
    struct harness_buffer buffer;
    VkDeviceAddress address;
    VkBufferUsageFlags usage; /* as it is bound */
    VkDeviceSize used;        /* bytes */
};

#define HARNESS_DESCRIPTOR_USAGES                                                                                      \
    (VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT)

/* `usage`: one or both of those above, which 0 stands for. The GPU may also copy from and to the buffer. */
void harness_descriptor_buffer_create(const struct harness_descriptors *descriptors,
                                      struct harness_descriptor_buffer *buffer, VkBufferUsageFlags usage,
                                      VkDeviceSize size);
/* Near the GPU, as programs have it whose frames are counted, if the host can write there; better not read by the host.
 */
void harness_descriptor_buffer_create_on_device(const struct harness_descriptors *descriptors,
                                                struct harness_descriptor_buffer *buffer, VkDeviceSize size);
void harness_descriptor_buffer_destroy(const struct harness_descriptors *descriptors,
                                       struct harness_descriptor_buffer *buffer);

/* A set layout for descriptor buffers, with `flags` beside that one and a chain. */
VkDescriptorSetLayout harness_descriptor_layout(const struct harness_descriptors *descriptors,
                                                const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                                                VkDescriptorSetLayoutCreateFlags flags, const void *next);

/* A set in a descriptor buffer. It is plain data: nothing is to be destroyed. */
struct harness_descriptor_set {
    const struct harness_descriptors *descriptors;
    VkDescriptorSetLayout layout;
    VkDeviceSize offset, size; /* in the buffer; `size` is the layout's, upper bounds of variable counts included */
    unsigned char *bytes;
};

/* The next free bytes of the buffer, aligned as offsets must be. */
struct harness_descriptor_set harness_descriptor_set_take(const struct harness_descriptors *descriptors,
                                                          struct harness_descriptor_buffer *buffer,
                                                          VkDescriptorSetLayout layout);

/* Where element `element` of a binding is whose descriptors take `stride` bytes each. */
unsigned char *harness_descriptor_at(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                     size_t stride);

/* Makes the bytes of a descriptor. Images are in SHADER_READ_ONLY_OPTIMAL, storage images in GENERAL. */
void harness_descriptor_image(const struct harness_descriptors *descriptors, VkDescriptorType type, VkSampler sampler,
                              VkImageView view, void *bytes);
/* `format` is used by texel buffers. */
void harness_descriptor_range(const struct harness_descriptors *descriptors, VkDescriptorType type,
                              VkDeviceAddress address, VkDeviceSize range, VkFormat format, void *bytes);

/* The same, written to element `element` of a binding of descriptors of that type. */
void harness_descriptor_put_image(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                  VkDescriptorType type, VkSampler sampler, VkImageView view);
void harness_descriptor_put_range(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                  VkDescriptorType type, VkDeviceAddress address, VkDeviceSize range, VkFormat format);

/* Binds buffers, which then have the numbers 0 and on, in the place of those that were bound. */
void harness_descriptor_buffers_bind(const struct harness_descriptors *descriptors, VkCommandBuffer commands,
                                     const struct harness_descriptor_buffer *const *buffers, uint32_t count);

/* Sets number `number` of the layout lies at `offset` in buffer number `buffer`. */
void harness_descriptor_offset(const struct harness_descriptors *descriptors, VkCommandBuffer commands,
                               VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t number, uint32_t buffer,
                               VkDeviceSize offset);

/* Descriptors of commands behind it see what the GPU copied into descriptor buffers. Needs synchronization2. */
void harness_descriptor_barrier(VkCommandBuffer commands);

#endif
