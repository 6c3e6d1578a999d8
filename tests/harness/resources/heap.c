/* SPDX-License-Identifier: MIT */
#include "harness/resources/heap.h"

#include <string.h>

static VkDeviceSize round_up(VkDeviceSize size, VkDeviceSize to)
{
    return (size + to - 1) / to * to;
}

static void create(struct harness_vulkan *vk, struct harness_heap *heap, VkDeviceSize size, VkDeviceSize reserved,
                   VkDeviceSize alignment)
{
    *heap = (struct harness_heap){.size = round_up(size, 256), .reserved = reserved};
    harness_buffer_create(vk, &heap->buffer,
                          VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT | (VkFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                          heap->size + reserved + alignment, NULL);
    const VkDeviceAddress begins = harness_buffer_address(vk, &heap->buffer);
    heap->address = round_up(begins, alignment);
    heap->bytes = (unsigned char *)heap->buffer.map + (heap->address - begins);
    memset(heap->bytes, 0xff, (size_t)heap->size);
}

void harness_heaps_open(struct harness_heaps *heaps, struct harness_vulkan *vk, bool with_records,
                        VkDeviceSize resource_bytes, VkDeviceSize sampler_bytes)
{
    *heaps = (struct harness_heaps){
        .vk = vk,
        .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT},
        .write_samplers = HARNESS_PROC(vk, vkWriteSamplerDescriptorsEXT),
        .write_resources = HARNESS_PROC(vk, vkWriteResourceDescriptorsEXT),
        .bind_samplers = HARNESS_PROC(vk, vkCmdBindSamplerHeapEXT),
        .bind_resources = HARNESS_PROC(vk, vkCmdBindResourceHeapEXT),
        .push = HARNESS_PROC(vk, vkCmdPushDataEXT),
    };
    /* Beside the extension's own structure the layer shows the sizes that its devices have. */
    VkPhysicalDeviceGLSamplerPropertiesCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_PROPERTIES_CLAMPLER};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &heaps->properties};
    heaps->properties.pNext = with_records && vk->counters ? &gl : NULL;
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    heaps->properties.pNext = NULL;
    create(vk, &heaps->resources, resource_bytes, heaps->properties.minResourceHeapReservedRange,
           heaps->properties.resourceHeapAlignment);
    create(vk, &heaps->samplers, sampler_bytes, heaps->properties.minSamplerHeapReservedRangeWithEmbedded,
           heaps->properties.samplerHeapAlignment);
}

void harness_heaps_close(struct harness_heaps *heaps)
{
    harness_buffer_destroy(heaps->vk, &heaps->resources.buffer);
    harness_buffer_destroy(heaps->vk, &heaps->samplers.buffer);
    *heaps = (struct harness_heaps){0};
}

static bool is_range(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/* What descriptors of the type are aligned to, and their size before that. */
static VkDeviceSize alignment_of(const struct harness_heaps *heaps, VkDescriptorType type, VkDeviceSize *size)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *has = &heaps->properties;
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER) {
        *size = has->samplerDescriptorSize;
        return has->samplerDescriptorAlignment;
    }
    *size = is_range(type) ? has->bufferDescriptorSize : has->imageDescriptorSize;
    return is_range(type) ? has->bufferDescriptorAlignment : has->imageDescriptorAlignment;
}

uint32_t harness_heap_stride(const struct harness_heaps *heaps, VkDescriptorType type)
{
    VkDeviceSize size;
    const VkDeviceSize alignment = alignment_of(heaps, type, &size);
    return (uint32_t)round_up(size, alignment);
}

uint32_t harness_heap_take(struct harness_heap *heap, VkDeviceSize size, VkDeviceSize alignment)
{
    const VkDeviceSize offset = round_up(heap->used, alignment);
    if (offset + size > heap->size)
        harness_fail("a heap of %llu bytes is too small", (unsigned long long)heap->size);
    heap->used = offset + size;
    return (uint32_t)offset;
}

uint32_t harness_heaps_take(struct harness_heaps *heaps, VkDescriptorType type, uint32_t count)
{
    VkDeviceSize size;
    const VkDeviceSize alignment = alignment_of(heaps, type, &size);
    return harness_heap_take(type == VK_DESCRIPTOR_TYPE_SAMPLER ? &heaps->samplers : &heaps->resources,
                             (VkDeviceSize)count * harness_heap_stride(heaps, type), alignment);
}

/* ---- Descriptors ---- */

static VkHostAddressRangeEXT range_at(const struct harness_heaps *heaps, const struct harness_heap *heap,
                                      uint32_t offset, VkDescriptorType type)
{
    VkDeviceSize size;
    alignment_of(heaps, type, &size);
    if (offset + size > heap->size)
        harness_fail("a descriptor at %u in a heap of %llu bytes", offset, (unsigned long long)heap->size);
    return (VkHostAddressRangeEXT){heap->bytes + offset, (size_t)size};
}

void harness_heap_put_sampler(const struct harness_heaps *heaps, uint32_t offset, const VkSamplerCreateInfo *info)
{
    const VkHostAddressRangeEXT range = range_at(heaps, &heaps->samplers, offset, VK_DESCRIPTOR_TYPE_SAMPLER);
    HARNESS_VK(heaps->write_samplers(heaps->vk->device, 1, info, &range));
}

void harness_heap_put_resource(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                               VkResourceDescriptorDataEXT data)
{
    const VkHostAddressRangeEXT range = range_at(heaps, &heaps->resources, offset, type);
    const VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT, .type = type, .data = data};
    HARNESS_VK(heaps->write_resources(heaps->vk->device, 1, &info, &range));
}

void harness_heap_put_view(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                           const VkImageViewCreateInfo *view)
{
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = view,
                                            .layout = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                                          ? VK_IMAGE_LAYOUT_GENERAL
                                                          : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    harness_heap_put_resource(heaps, offset, type, (VkResourceDescriptorDataEXT){.pImage = &image});
}

void harness_heap_put_image(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                            const struct harness_image *image)
{
    const VkImageViewCreateInfo view = harness_image_view_info(image);
    harness_heap_put_view(heaps, offset, type, &view);
}

void harness_heap_put_range(const struct harness_heaps *heaps, uint32_t offset, VkDescriptorType type,
                            VkDeviceAddress address, VkDeviceSize range, VkFormat format)
{
    const VkDeviceAddressRangeEXT addresses = {address, range};
    const VkTexelBufferDescriptorInfoEXT texels = {
        .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT, .format = format, .addressRange = addresses};
    harness_heap_put_resource(heaps, offset, type,
                              is_range(type) ? (VkResourceDescriptorDataEXT){.pAddressRange = &addresses}
                                             : (VkResourceDescriptorDataEXT){.pTexelBuffer = &texels});
}

/* ---- Commands ---- */

static VkBindHeapInfoEXT binding_of(const struct harness_heap *heap)
{
    return (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                               .heapRange = {heap->address, heap->size + heap->reserved},
                               .reservedRangeOffset = heap->size,
                               .reservedRangeSize = heap->reserved};
}

void harness_heaps_bind(const struct harness_heaps *heaps, VkCommandBuffer commands)
{
    const VkBindHeapInfoEXT resources = binding_of(&heaps->resources), samplers = binding_of(&heaps->samplers);
    heaps->bind_resources(commands, &resources);
    heaps->bind_samplers(commands, &samplers);
}

void harness_heaps_push(const struct harness_heaps *heaps, VkCommandBuffer commands, uint32_t offset, const void *data,
                        size_t size)
{
    const VkPushDataInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = offset, .data = {data, size}};
    heaps->push(commands, &info);
}

void harness_heaps_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                     .dstAccessMask = VK_ACCESS_2_RESOURCE_HEAP_READ_BIT_EXT |
                                                      VK_ACCESS_2_SAMPLER_HEAP_READ_BIT_EXT};
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(commands, &dependency);
}

/* ---- Mappings ---- */

VkDescriptorSetAndBindingMappingEXT harness_heap_mapping(uint32_t set, uint32_t binding, uint32_t binding_count,
                                                         struct harness_heap_place resource,
                                                         struct harness_heap_place sampler)
{
    return (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .descriptorSet = set,
        .firstBinding = binding,
        .bindingCount = binding_count,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        .sourceData.constantOffset = {.heapOffset = resource.offset,
                                      .heapArrayStride = resource.stride,
                                      .samplerHeapOffset = sampler.offset,
                                      .samplerHeapArrayStride = sampler.stride}};
}

VkDescriptorSetAndBindingMappingEXT harness_heap_mapping_of_samplers(uint32_t set, uint32_t binding,
                                                                     uint32_t binding_count,
                                                                     struct harness_heap_place place)
{
    VkDescriptorSetAndBindingMappingEXT mapping = harness_heap_mapping(set, binding, binding_count, place, place);
    mapping.resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    return mapping;
}
