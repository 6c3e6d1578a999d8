/* SPDX-License-Identifier: MIT */
/*
 * Mappings of bindings to descriptor heaps, for the rewriter and for the driver. The driver never gets GL state or
 * private address modes of embedded samplers; rewritten code has their record indices as constants.
 */
#include "layouts/heap_layout.h"

#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/message.h"
#include "device/app_descriptors.h"
#include "device/structure_chain.h"
#include "layouts/layouts.h"
#include "objects/pnext.h"
#include "objects/track.h"
#include "record/root.h"
#include "record_table/record_table.h"
#include "resolve/resolve.h"
#include "sampling/pair.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"
#include "spirv/spirv.h"
#include "vulkan_copy.h"

struct heap_mappings {
    VkDescriptorSetAndBindingMappingEXT *driver; /* as many as `spirv` has, and the nearest sampler's */
    uint32_t driver_count;
    struct spirv_mapping *spirv;
    struct bare_sampler *embedded;
    struct held_sampler *held; /* what embedded samplers are compiled with */
    uint32_t held_count;
    bool replaced; /* the driver's differ from the program's */
};

void heap_mappings_finish(struct track *track, struct heap_mappings *mappings)
{
    if (!mappings)
        return;
    for (uint32_t i = 0; mappings->held && i < mappings->held_count; i++)
        sampler_release(track, &mappings->held[i]);
    free(mappings->held);
    free(mappings->driver);
    free(mappings->spirv);
    free(mappings->embedded);
    object_free(track, NULL, mappings, sizeof(*mappings));
}

/* ---- As the rewriter gets them ---- */

/* The members that all sources of an index share. */
struct source {
    enum spirv_index_from from;
    uint32_t push_offset, address_offset, index_stride;
};

static struct spirv_embedded embedded(uint32_t base, const struct app_descriptor_size *size, uint32_t offset,
                                      uint32_t stride, const struct source *source)
{
    const uint32_t at = offset + size->size;
    return (struct spirv_embedded){
        .base = base,
        .offset = {at, at, at},
        .stride = stride,
        .index_from = source->from,
        .push_offset = source->push_offset,
        .address_offset = source->address_offset,
        .index_stride = source->index_stride,
    };
}

/* The parts of a mapping whose offsets, strides and sources these are; `packed`: both indices are in one word. */
static void follow(const struct app_descriptors *app_descriptors, uint32_t offset, uint32_t stride,
                   const struct source *source, uint32_t sampler_offset, uint32_t sampler_stride,
                   const struct source *sampler_source, bool packed, struct spirv_mapping *to)
{
    enum { IMAGE_BITS = 20, SAMPLER_BITS = 12 };
    struct source second = packed ? *source : *sampler_source;
    second.index_stride = sampler_source->index_stride;
    to->followed = true;
    to->image = embedded(ROOT_RESOURCE_HEAP, &app_descriptors->heap_image, offset, stride, source);
    to->sampler = embedded(ROOT_SAMPLER_HEAP, &app_descriptors->heap_sampler, offset, stride, source);
    to->combined_sampler =
        embedded(ROOT_SAMPLER_HEAP, &app_descriptors->heap_sampler, sampler_offset, sampler_stride, &second);
    if (packed) {
        to->combined_image_mask = (1u << IMAGE_BITS) - 1;
        to->combined_sampler.index_shift = IMAGE_BITS;
        to->combined_sampler.index_mask = (1u << SAMPLER_BITS) - 1;
    }
}

static void read_mapping(const struct app_descriptors *app_descriptors, const VkDescriptorSetAndBindingMappingEXT *from,
                         struct spirv_mapping *to)
{
    *to = (struct spirv_mapping){.set = from->descriptorSet,
                                 .first_binding = from->firstBinding,
                                 .binding_count = from->bindingCount,
                                 .resources = from->resourceMask};
    switch (from->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT: {
        const VkDescriptorMappingSourceConstantOffsetEXT *s = &from->sourceData.constantOffset;
        const struct source none = {.from = SPIRV_INDEX_NONE};
        follow(app_descriptors, s->heapOffset, s->heapArrayStride, &none, s->samplerHeapOffset,
               s->samplerHeapArrayStride, &none, false, to);
        break;
    }
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT: {
        const VkDescriptorMappingSourcePushIndexEXT *s = &from->sourceData.pushIndex;
        const struct source image = {SPIRV_INDEX_PUSHED, s->pushOffset, 0, s->heapIndexStride};
        const struct source sampler = {SPIRV_INDEX_PUSHED, s->samplerPushOffset, 0, s->samplerHeapIndexStride};
        follow(app_descriptors, s->heapOffset, s->heapArrayStride, &image, s->samplerHeapOffset,
               s->samplerHeapArrayStride, &sampler, s->useCombinedImageSamplerIndex, to);
        break;
    }
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT: {
        const VkDescriptorMappingSourceIndirectIndexEXT *s = &from->sourceData.indirectIndex;
        const struct source image = {SPIRV_INDEX_INDIRECT, s->pushOffset, s->addressOffset, s->heapIndexStride};
        const struct source sampler = {SPIRV_INDEX_INDIRECT, s->samplerPushOffset, s->samplerAddressOffset,
                                       s->samplerHeapIndexStride};
        follow(app_descriptors, s->heapOffset, s->heapArrayStride, &image, s->samplerHeapOffset,
               s->samplerHeapArrayStride, &sampler, s->useCombinedImageSamplerIndex, to);
        break;
    }
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT: {
        const VkDescriptorMappingSourceIndirectIndexArrayEXT *s = &from->sourceData.indirectIndexArray;
        const struct source image = {SPIRV_INDEX_INDIRECT_ARRAY, s->pushOffset, s->addressOffset, s->heapIndexStride};
        const struct source sampler = {SPIRV_INDEX_INDIRECT_ARRAY, s->samplerPushOffset, s->samplerAddressOffset,
                                       s->samplerHeapIndexStride};
        follow(app_descriptors, s->heapOffset, 0, &image, s->samplerHeapOffset, 0, &sampler,
               s->useCombinedImageSamplerIndex, to);
        break;
    }
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT: {
        const VkDescriptorMappingSourceShaderRecordIndexEXT *s = &from->sourceData.shaderRecordIndex;
        const struct source image = {SPIRV_INDEX_SHADER_RECORD, s->shaderRecordOffset, 0, s->heapIndexStride};
        const struct source sampler = {SPIRV_INDEX_SHADER_RECORD, s->samplerShaderRecordOffset, 0,
                                       s->samplerHeapIndexStride};
        follow(app_descriptors, s->heapOffset, s->heapArrayStride, &image, s->samplerHeapOffset,
               s->samplerHeapArrayStride, &sampler, s->useCombinedImageSamplerIndex, to);
        break;
    }
    default: /* buffers alone */
        break;
    }
}

/* True: the stride of an array of such descriptors, and of no others, leaves no room for record indices. */
static bool lies_too_close(const struct spirv_embedded *part, const struct app_descriptor_size *size,
                           uint32_t resources, uint32_t own)
{
    return resources && !(resources & ~own) && part->stride && part->stride < size->size * size->scale;
}

/* Warns where descriptors overlap each other's record indices, so that their records are wrong. */
static void check_strides(struct track *track, const struct spirv_mapping *mapping)
{
    static struct message_place said;
    const uint32_t combined = VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT;
    const uint32_t samplers = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    const uint32_t images = combined | VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT |
                            VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT |
                            VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT;
    const struct app_descriptors *app_descriptors = &track->device->caps.app_descriptors;
    const struct app_descriptor_size *size = NULL;
    uint32_t stride = mapping->image.stride;
    if (!mapping->followed)
        return;
    if (lies_too_close(&mapping->image, &app_descriptors->heap_image, mapping->resources, images))
        size = &app_descriptors->heap_image;
    else if (lies_too_close(&mapping->sampler, &app_descriptors->heap_sampler, mapping->resources, samplers))
        size = &app_descriptors->heap_sampler;
    else if (lies_too_close(&mapping->combined_sampler, &app_descriptors->heap_sampler, mapping->resources & combined,
                            combined))
        size = &app_descriptors->heap_sampler, stride = mapping->combined_sampler.stride;
    if (size)
        message_about_once(
            &said, track->device, LOG_WARN, NULL,
            "a mapping of set %u, binding %u, has elements of arrays every %u bytes, but descriptors need %u "
            "(as VkPhysicalDeviceDescriptorHeapPropertiesEXT says beside "
            "VkPhysicalDeviceGLSamplerPropertiesCLAMPLER): neighbours lose their records",
            mapping->set, mapping->first_binding, stride, size->size * size->scale);
}

/* ---- Embedded samplers ---- */

/* Where a mapping names its embedded sampler, or NULL. */
static const VkSamplerCreateInfo **embedded_of(VkDescriptorSetAndBindingMappingEXT *mapping)
{
    switch (mapping->source) {
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT:
        return &mapping->sourceData.constantOffset.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT:
        return &mapping->sourceData.pushIndex.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT:
        return &mapping->sourceData.indirectIndex.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_ARRAY_EXT:
        return &mapping->sourceData.indirectIndexArray.pEmbeddedSampler;
    case VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT:
        return &mapping->sourceData.shaderRecordIndex.pEmbeddedSampler;
    default:
        return NULL;
    }
}

static VkResult embed(struct track *track, VkDescriptorSetAndBindingMappingEXT *mapping, struct bare_sampler *embedded,
                      struct heap_mappings *mappings, struct spirv_mapping *spirv)
{
    const VkSamplerCreateInfo **named = embedded_of(mapping);
    if (!named || !*named)
        return VK_SUCCESS;
    const VkResult result = sampler_make_bare(track, *named, true, embedded);
    if (result != VK_SUCCESS)
        return result;
    /* It is compiled with later, when the program may have destroyed the conversion. */
    if (!sampler_hold_bare(track, *named, &mappings->held[mappings->held_count++]))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    mappings->replaced |= embedded->driver != *named;
    *named = embedded->driver;
    spirv->sampler.record_indices = spirv->combined_sampler.record_indices = &embedded->record_index;
    if (embedded->opaque) /* of a YCbCr conversion: what lies behind the image's descriptor is that of another plane */
        spirv->followed = false;
    return VK_SUCCESS;
}

/* A set, and a binding behind those that are mapped in it; false: there is none that drivers can be expected to know.
 */
static bool free_binding(const struct heap_mappings *mappings, uint32_t *set, uint32_t *binding)
{
    enum { SETS = 32 };
    for (*set = 0; *set < SETS; ++*set) {
        uint64_t end = 0;
        for (uint32_t i = 0; i < mappings->driver_count; i++) {
            const VkDescriptorSetAndBindingMappingEXT *m = &mappings->driver[i];
            const uint64_t behind = (uint64_t)m->firstBinding + m->bindingCount;
            end = m->descriptorSet == *set && behind > end ? behind : end;
        }
        *binding = (uint32_t)end;
        if (end < UINT16_MAX)
            return true;
    }
    return false;
}

/* Embeds the nearest sampler, which reads texels of cubes. */
static void embed_nearest(struct track *track, struct heap_mappings *mappings, struct spirv_heaps *heaps)
{
    uint32_t set, binding;
    if (!free_binding(mappings, &set, &binding))
        return;
    mappings->driver[mappings->driver_count++] = (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .descriptorSet = set,
        .firstBinding = binding,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        .sourceData.constantOffset.pEmbeddedSampler = &track->layouts->nearest_info,
    };
    heaps->nearest_set = set;
    heaps->nearest = binding + 1;
    mappings->replaced = true;
}

/* ---- Layouts ---- */

static VkResult read_mappings(struct track *track, const VkShaderDescriptorSetAndBindingMappingInfoEXT *info,
                              bool nearest, struct pipeline_layout *layout)
{
    const uint32_t count = info ? info->mappingCount : 0;
    struct heap_mappings *m = object_alloc(track, NULL, sizeof(*m));
    layout->mappings = m;
    if (!m)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    m->driver = calloc((size_t)count + 1, sizeof(*m->driver));
    m->spirv = calloc((size_t)count + 1, sizeof(*m->spirv));
    m->embedded = calloc((size_t)count + 1, sizeof(*m->embedded));
    m->held = calloc((size_t)count + 1, sizeof(*m->held));
    if (!m->driver || !m->spirv || !m->embedded || !m->held)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        m->driver[i] = info->pMappings[i];
        read_mapping(&track->device->caps.app_descriptors, &m->driver[i], &m->spirv[i]);
        check_strides(track, &m->spirv[i]);
        result = embed(track, &m->driver[i], &m->embedded[i], m, &m->spirv[i]);
    }
    for (uint32_t i = 0; i < m->held_count; i++)
        layout->immutable |= m->held[i].conversion != VK_NULL_HANDLE;
    layout->spirv.mappings = m->spirv;
    layout->spirv.mapping_count = m->driver_count = count;
    if (nearest)
        embed_nearest(track, m, &layout->spirv.heaps);
    return result;
}

static struct pipeline_layout *create(struct track *track)
{
    const struct app_descriptors *app_descriptors = &track->device->caps.app_descriptors;
    struct pipeline_layout *layout = pipeline_layout_create(track);
    if (!layout || !pipeline_layout_fill(track, 0, NULL, layout)) {
        pipeline_layout_unref(track, layout);
        return NULL;
    }
    layout->records = true;
    layout->model = BINDING_HEAPS;
    layout->spirv.root_at = app_descriptors->heap_root_at;
    layout->spirv.heaps = (struct spirv_heaps){
        .image_size = app_descriptors->heap_image.size * app_descriptors->heap_image.scale,
        .sampler_size = app_descriptors->heap_sampler.size * app_descriptors->heap_sampler.scale,
        .buffer_size = app_descriptors->heap_buffer,
        .image_index_offset = app_descriptors->heap_image.size,
        .sampler_index_offset = app_descriptors->heap_sampler.size,
        .image_base = ROOT_RESOURCE_HEAP,
        .sampler_base = ROOT_SAMPLER_HEAP,
    };
    return layout;
}

bool heap_layout_open(struct track *track)
{
    if (!track->device->caps.app_descriptors.heaps)
        return true;
    track->layouts->heap_layout = create(track);
    return track->layouts->heap_layout && record_table_open(track) == VK_SUCCESS;
}

struct pipeline_layout *heap_layout_of_pipeline(struct track *track, VkFlags64 flags)
{
    return flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT ? track->layouts->heap_layout : NULL;
}

struct pipeline_layout *heap_layout_of_stage(struct track *track, bool cubes, const void **chain,
                                             struct heap_chain *replaced, VkResult *result)
{
    static const VkStructureType mapping[] = {VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *info = pnext_find(*chain, mapping[0]);
    const bool nearest = cubes && track->device->caps.app_descriptors.heap_embeds;
    *result = VK_SUCCESS;
    if ((!info || !info->mappingCount) && !nearest)
        return pipeline_layout_ref(track->layouts->heap_layout);
    struct pipeline_layout *layout = create(track);
    *result = layout ? read_mappings(track, info, nearest, layout) : VK_ERROR_OUT_OF_HOST_MEMORY;
    void *rest = NULL;
    if (*result == VK_SUCCESS && layout->mappings->replaced) {
        if (pnext_copy_without(*chain, mapping, 1, &rest, &replaced->memory)) {
            replaced->used = true;
            replaced->info =
                (VkShaderDescriptorSetAndBindingMappingInfoEXT){.sType = mapping[0],
                                                                .pNext = rest,
                                                                .mappingCount = layout->mappings->driver_count,
                                                                .pMappings = layout->mappings->driver};
            *chain = &replaced->info;
        } else {
            *result = VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    if (*result == VK_SUCCESS)
        return layout;
    pipeline_layout_unref(track, layout);
    return NULL;
}

void heap_chain_finish(struct heap_chain *chain)
{
    free(chain->memory);
    *chain = (struct heap_chain){0};
}
