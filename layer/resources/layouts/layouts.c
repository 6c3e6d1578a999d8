/* SPDX-License-Identifier: MIT */
/*
 * Makes and frees this subsystem's state, with the nearest sampler that set layouts hold, and decides which descriptor
 * types have records.
 */
#include <stdlib.h>
#include <string.h>

#include "layouts/layouts.h"
#include "device/instance.h"
#include "device/app_descriptors.h"
#include "layouts/heap_layout.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/surplus.h"

bool layouts_init(struct track *track)
{
    struct layouts *l = track->layouts;
    l->nearest_info = (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                            .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                            .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                            .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                            .maxLod = VK_LOD_CLAMP_NONE};
    l->pushes = (VkPushConstantRange){VK_SHADER_STAGE_ALL, 0, track->device->caps.app_descriptors.push_bytes};
    return pthread_mutex_init(&l->dynamic_lock, NULL) == 0 && table_init(&l->set_layouts) &&
           table_init(&l->pipeline_layouts) && table_init(&l->kept);
}

/* It stands behind every sampler in descriptor buffers (app_descriptors/descriptor.c). */
static void take_nearest_bytes(struct track *track)
{
    const struct device *device = track->device;
    struct layouts *l = track->layouts;
    const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                         .type = VK_DESCRIPTOR_TYPE_SAMPLER,
                                         .data.pSampler = &l->nearest_sampler};
    const uint32_t size = device->caps.app_descriptors.sizes[APP_SAMPLER].size;
    l->nearest_bytes = calloc(1, size + 1);
    if (l->nearest_bytes)
        device->next.GetDescriptorEXT(device->handle, &info, size, l->nearest_bytes);
}

/* Drivers without such sets have no limits of them. Resources of all stages have none. */
static void limits_after_bind(const VkPhysicalDeviceDescriptorIndexingProperties *driver,
                              struct stage_counts after_bind[2])
{
    after_bind[0] = (struct stage_counts){driver->maxPerStageDescriptorUpdateAfterBindUniformBuffers,
                                          driver->maxPerStageDescriptorUpdateAfterBindStorageBuffers,
                                          driver->maxPerStageUpdateAfterBindResources};
    after_bind[1] = (struct stage_counts){driver->maxDescriptorSetUpdateAfterBindUniformBuffers,
                                          driver->maxDescriptorSetUpdateAfterBindStorageBuffers, UINT32_MAX};
    if (!driver->maxPerStageUpdateAfterBindResources)
        memset(after_bind, 0xff, 2 * sizeof(*after_bind));
}

/*
 * Draws whose shaders find records in descriptor buffers push the root by the push layout. Shaders read cubes texel by
 * texel with the nearest sampler (layer/rewriter/spirv/lookup/filter_tap.c); without it the filter of cubes is not
 * exact.
 */
VkResult layouts_open(struct track *track)
{
    const struct device *device = track->device;
    struct layouts *l = track->layouts;
    limits_after_bind(&device->caps.indexing, l->after_bind);
    if (device->caps.app_descriptors.buffers) {
        const VkResult result = layer_layout_create(track, VK_SHADER_STAGE_ALL, &l->push_layout);
        if (result != VK_SUCCESS)
            return result;
    }
    heap_layout_open(track); /* without it pipelines with heaps have the driver's own semantics */
    if (device->caps.room_for_sampler && driver_sampler_acquire(track, SAMPLER_COMMON) &&
        OR_NULL(device->next.CreateSampler(device->handle, &l->nearest_info, NULL, &l->nearest_sampler),
                &l->nearest_sampler) != VK_SUCCESS)
        driver_sampler_release(track, SAMPLER_COMMON);
    if (l->nearest_sampler && device->caps.app_descriptors.buffers)
        take_nearest_bytes(track);
    return VK_SUCCESS;
}

void layouts_finish(struct track *track)
{
    struct layouts *l = track->layouts;
    const struct device *device = track->device;
    dynamic_layouts_finish(track);
    pipeline_layout_unref(track, l->heap_layout);
    if (l->push_layout)
        device->next.DestroyPipelineLayout(device->handle, l->push_layout, NULL);
    if (l->nearest_sampler)
        device->next.DestroySampler(device->handle, l->nearest_sampler, NULL);
    free(l->nearest_bytes);
    table_finish(&l->set_layouts);
    table_finish(&l->pipeline_layouts);
    table_finish(&l->kept);
    pthread_mutex_destroy(&l->dynamic_lock);
}

bool type_has_records(const struct device *device, VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return true;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return device->caps.texel_buffers;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return device->caps.rgbx_attachments;
    default:
        return false;
    }
}
