/* SPDX-License-Identifier: MIT */
/*
 * The descriptors of lookups in heaps. Bindings are mapped to them, or shaders are changed to look into heaps
 * themselves; in both ways a combined image sampler is a texture and a sampler.
 */
#include <stdlib.h>

#include "harness/lookups/lookup_sets.h"

enum { RESOURCE_BYTES = 1 << 14, SAMPLER_BYTES = 1 << 12 };

/* Are bindings of this number buffers? */
static bool is_buffer(uint32_t binding)
{
    return binding == LOOKUP_INPUTS || binding == LOOKUP_RESULTS;
}

static void map_binding(struct lookup_heaps *h, bool separate, uint32_t binding)
{
    const struct harness_heap_binding *place = &h->places[separate][binding];
    VkShaderDescriptorSetAndBindingMappingInfoEXT *info = &h->mapping[separate];
    const struct harness_heap_place resource = {place->resource, 0}, sampler = {place->sampler, 0};
    if (separate && binding == LOOKUP_SAMPLER)
        h->mappings[separate][info->mappingCount++] = harness_heap_mapping_of_samplers(0, binding, 1, sampler);
    else if (binding != LOOKUP_SAMPLER)
        h->mappings[separate][info->mappingCount++] = harness_heap_mapping(0, binding, 1, resource, sampler);
}

void lookup_heaps_open(struct lookup_vulkan *lookups)
{
    struct lookup_heaps *h = &lookups->heaps;
    harness_heaps_open(&h->heaps, lookups->vk, true, RESOURCE_BYTES, SAMPLER_BYTES);
    h->spare.resource = harness_heaps_take(&h->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1);
    h->spare.sampler = harness_heaps_take(&h->heaps, VK_DESCRIPTOR_TYPE_SAMPLER, 1);
    for (int separate = 0; separate < 2; separate++) {
        h->mapping[separate] = (VkShaderDescriptorSetAndBindingMappingInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
            .pMappings = h->mappings[separate]};
        for (uint32_t binding = 0; binding < LOOKUP_BINDINGS; binding++) {
            const VkDescriptorType type =
                is_buffer(binding) ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
            const uint32_t stride = harness_heap_stride(&h->heaps, type);
            struct harness_heap_binding *place = &h->places[separate][binding];
            *place = (struct harness_heap_binding){.binding = binding};
            place->resource = harness_heap_take(&h->heaps.resources, stride, stride);
            place->sampler = harness_heaps_take(&h->heaps, VK_DESCRIPTOR_TYPE_SAMPLER, 1);
            map_binding(h, separate, binding);
        }
    }
}

void lookup_heaps_close(struct lookup_vulkan *lookups)
{
    harness_heaps_close(&lookups->heaps.heaps);
}

void lookup_heaps_put_image(struct lookup_vulkan *lookups, bool separate, uint32_t binding, VkDescriptorType type,
                            VkSampler sampler, VkImageView view)
{
    struct lookup_heaps *h = &lookups->heaps;
    const struct harness_heap_binding *place = &h->places[separate][binding];
    if (type != VK_DESCRIPTOR_TYPE_SAMPLER)
        harness_heap_put_known_view(&h->heaps, place->resource, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, view);
    if (type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
        harness_heap_put_known_sampler(&h->heaps, place->sampler, sampler);
}

void lookup_heaps_put_buffer(struct lookup_vulkan *lookups, bool separate, uint32_t binding,
                             const struct harness_buffer *buffer)
{
    struct lookup_heaps *h = &lookups->heaps;
    harness_heap_put_range(&h->heaps, h->places[separate][binding].resource, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           harness_buffer_address(lookups->vk, buffer), buffer->size, VK_FORMAT_UNDEFINED);
}

void lookup_heaps_put_spare(struct lookup_vulkan *lookups, VkImageView view, VkSampler sampler)
{
    struct lookup_heaps *h = &lookups->heaps;
    harness_heap_put_known_view(&h->heaps, h->spare.resource, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, view);
    harness_heap_put_known_sampler(&h->heaps, h->spare.sampler, sampler);
}

const VkShaderDescriptorSetAndBindingMappingInfoEXT *lookup_heaps_mapping(const struct lookup_vulkan *lookups,
                                                                          bool separate)
{
    return lookups->vk->sets == HARNESS_SETS_HEAP ? &lookups->heaps.mapping[separate] : NULL;
}

struct harness_spirv lookup_heaps_code(const struct lookup_vulkan *lookups, bool separate, struct harness_spirv code)
{
    if (lookups->vk->sets != HARNESS_SETS_HEAP_UNTYPED)
        return code;
    return harness_heap_shader(&lookups->heaps.heaps, code, lookups->heaps.places[separate], LOOKUP_BINDINGS);
}
