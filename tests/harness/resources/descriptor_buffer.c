/* SPDX-License-Identifier: MIT */
#include "harness/resources/descriptor_buffer.h"

enum { BUFFERS_MOST = 8 }; /* bound at once */

void harness_descriptors_open(struct harness_descriptors *descriptors, struct harness_vulkan *vk)
{
    *descriptors = (struct harness_descriptors){
        .vk = vk,
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT},
        .get = HARNESS_PROC(vk, vkGetDescriptorEXT),
        .layout_size = HARNESS_PROC(vk, vkGetDescriptorSetLayoutSizeEXT),
        .binding_offset = HARNESS_PROC(vk, vkGetDescriptorSetLayoutBindingOffsetEXT),
        .bind = HARNESS_PROC(vk, vkCmdBindDescriptorBuffersEXT),
        .set_offsets = HARNESS_PROC(vk, vkCmdSetDescriptorBufferOffsetsEXT),
        .bind_embedded = HARNESS_PROC(vk, vkCmdBindDescriptorBufferEmbeddedSamplersEXT),
    };
    /* Beside the extension's own structure the layer shows the sizes that its devices have. */
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &descriptors->properties};
    descriptors->properties.pNext = vk->counters ? &gl : NULL;
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    descriptors->properties.pNext = NULL;
}

size_t harness_descriptor_size(const struct harness_descriptors *descriptors, VkDescriptorType type)
{
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT *has = &descriptors->properties;
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return has->samplerDescriptorSize;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return has->combinedImageSamplerDescriptorSize;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return has->sampledImageDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
        return has->storageImageDescriptorSize;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return has->inputAttachmentDescriptorSize;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: /* robust ones: of devices with robustBufferAccess, which no test has
                                                   */
        return has->uniformTexelBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        return has->storageTexelBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return has->uniformBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return has->storageBufferDescriptorSize;
    default:
        harness_fail("descriptor type %d is not among those that the tests write", (int)type);
    }
}

/* ---- Buffers and sets ---- */

void harness_descriptor_buffer_create(const struct harness_descriptors *descriptors,
                                      struct harness_descriptor_buffer *buffer, VkBufferUsageFlags usage,
                                      VkDeviceSize size)
{
    *buffer = (struct harness_descriptor_buffer){.usage = usage ? usage : (VkFlags)HARNESS_DESCRIPTOR_USAGES};
    harness_buffer_create(descriptors->vk, &buffer->buffer,
                          buffer->usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                              VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                          size, NULL);
    buffer->address = harness_buffer_address(descriptors->vk, &buffer->buffer);
}

void harness_descriptor_buffer_create_on_device(const struct harness_descriptors *descriptors,
                                                struct harness_descriptor_buffer *buffer, VkDeviceSize size)
{
    *buffer = (struct harness_descriptor_buffer){.usage = (VkFlags)HARNESS_DESCRIPTOR_USAGES};
    harness_buffer_create_on_device(descriptors->vk, &buffer->buffer,
                                    buffer->usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, size);
    buffer->address = harness_buffer_address(descriptors->vk, &buffer->buffer);
}

void harness_descriptor_buffer_destroy(const struct harness_descriptors *descriptors,
                                       struct harness_descriptor_buffer *buffer)
{
    harness_buffer_destroy(descriptors->vk, &buffer->buffer);
    *buffer = (struct harness_descriptor_buffer){0};
}

VkDescriptorSetLayout harness_descriptor_layout(const struct harness_descriptors *descriptors,
                                                const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                                                VkDescriptorSetLayoutCreateFlags flags, const void *next)
{
    VkDescriptorSetLayout layout;
    const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                  .pNext = next,
                                                  .flags =
                                                      flags | VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                                  .bindingCount = count,
                                                  .pBindings = bindings};
    HARNESS_VK(vkCreateDescriptorSetLayout(descriptors->vk->device, &info, NULL, &layout));
    return layout;
}

struct harness_descriptor_set harness_descriptor_set_take(const struct harness_descriptors *descriptors,
                                                          struct harness_descriptor_buffer *buffer,
                                                          VkDescriptorSetLayout layout)
{
    const VkDeviceSize alignment = descriptors->properties.descriptorBufferOffsetAlignment;
    struct harness_descriptor_set set = {
        .descriptors = descriptors, .layout = layout, .offset = (buffer->used + alignment - 1) / alignment * alignment};
    descriptors->layout_size(descriptors->vk->device, layout, &set.size);
    if (set.offset + set.size > buffer->buffer.size)
        harness_fail("a descriptor buffer of %llu bytes is too small", (unsigned long long)buffer->buffer.size);
    set.bytes = (unsigned char *)buffer->buffer.map + set.offset;
    buffer->used = set.offset + set.size;
    return set;
}

unsigned char *harness_descriptor_at(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                     size_t stride)
{
    VkDeviceSize offset;
    set->descriptors->binding_offset(set->descriptors->vk->device, set->layout, binding, &offset);
    return set->bytes + offset + element * stride;
}

/* ---- Descriptors ---- */

void harness_descriptor_image(const struct harness_descriptors *descriptors, VkDescriptorType type, VkSampler sampler,
                              VkImageView view, void *bytes)
{
    const VkDescriptorImageInfo image = {
        sampler, view,
        type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type};
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER)
        info.data.pSampler = &sampler;
    else
        info.data.pCombinedImageSampler = &image; /* as all other members that are of images */
    descriptors->get(descriptors->vk->device, &info, harness_descriptor_size(descriptors, type), bytes);
}

void harness_descriptor_range(const struct harness_descriptors *descriptors, VkDescriptorType type,
                              VkDeviceAddress address, VkDeviceSize range, VkFormat format, void *bytes)
{
    const VkDescriptorAddressInfoEXT about = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, .address = address, .range = range, .format = format};
    const VkDescriptorGetInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data.pStorageBuffer = &about};
    descriptors->get(descriptors->vk->device, &info, harness_descriptor_size(descriptors, type), bytes);
}

void harness_descriptor_put_image(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                  VkDescriptorType type, VkSampler sampler, VkImageView view)
{
    const size_t size = harness_descriptor_size(set->descriptors, type);
    harness_descriptor_image(set->descriptors, type, sampler, view, harness_descriptor_at(set, binding, element, size));
}

void harness_descriptor_put_range(const struct harness_descriptor_set *set, uint32_t binding, uint32_t element,
                                  VkDescriptorType type, VkDeviceAddress address, VkDeviceSize range, VkFormat format)
{
    const size_t size = harness_descriptor_size(set->descriptors, type);
    harness_descriptor_range(set->descriptors, type, address, range, format,
                             harness_descriptor_at(set, binding, element, size));
}

/* ---- Commands ---- */

void harness_descriptor_buffers_bind(const struct harness_descriptors *descriptors, VkCommandBuffer commands,
                                     const struct harness_descriptor_buffer *const *buffers, uint32_t count)
{
    VkDescriptorBufferBindingInfoEXT infos[BUFFERS_MOST];
    if (count > BUFFERS_MOST)
        harness_fail("%u descriptor buffers at once", count);
    for (uint32_t i = 0; i < count; i++)
        infos[i] = (VkDescriptorBufferBindingInfoEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                      .address = buffers[i]->address,
                                                      .usage = buffers[i]->usage};
    descriptors->bind(commands, count, infos);
}

void harness_descriptor_offset(const struct harness_descriptors *descriptors, VkCommandBuffer commands,
                               VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t number, uint32_t buffer,
                               VkDeviceSize offset)
{
    descriptors->set_offsets(commands, point, layout, number, 1, &buffer, &offset);
}

void harness_descriptor_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                     .dstAccessMask = VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT};
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(commands, &info);
}
