/* SPDX-License-Identifier: MIT */
/* Pipeline layouts, with the place of each set's records for the rewriter. */
#include <stdlib.h>

#include "device/device.h"
#include "device/message.h"
#include "layouts/heap_layout.h"
#include "layouts/kept_layout.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "layouts/layouts.h"
#include "objects/table.h"
#include "objects/track.h"
#include "spirv/spirv.h"

static void unref_layout(struct track *track, struct pipeline_layout *layout)
{
    for (uint32_t i = 0; layout->kept && i < layout->set_count; i++) {
        kept_layout_unref(track, layout->kept[i]);
        layout->kept[i] = NULL;
    }
}

void pipeline_layout_unref(struct track *track, struct pipeline_layout *layout)
{
    if (!layout || !reference_drop(&layout->references))
        return;
    if (layout->duplicate)
        track->device->next.DestroyPipelineLayout(track->device->handle, layout->duplicate, NULL);
    for (uint32_t i = 0; layout->sets && i < layout->set_count; i++)
        set_layout_unref(track, layout->sets[i]);
    unref_layout(track, layout);
    heap_mappings_finish(track, layout->mappings);
    free(layout->sets);
    free(layout->kept);
    free(layout->spirv_sets);
    object_free(track, NULL, layout, sizeof(*layout));
}

void pipeline_layout_binds_only(struct track *track, VkPipelineLayout handle)
{
    struct pipeline_layout *layout = pipeline_layout_find(track, handle);
    if (layout)
        unref_layout(track, layout);
}

struct pipeline_layout *pipeline_layout_create(struct track *track)
{
    struct pipeline_layout *layout = object_alloc(track, NULL, sizeof(*layout));
    if (layout)
        atomic_init(&layout->references, 1);
    return layout;
}

struct pipeline_layout *pipeline_layout_ref(struct pipeline_layout *layout)
{
    if (layout)
        reference_add(&layout->references);
    return layout;
}

bool pipeline_layout_fill(struct track *track, uint32_t set_count, const VkDescriptorSetLayout *sets,
                          struct pipeline_layout *layout)
{
    layout->set_count = set_count;
    layout->sets = calloc(set_count + 1, sizeof(*layout->sets));
    layout->kept = calloc(set_count + 1, sizeof(*layout->kept));
    layout->spirv_sets = calloc(set_count + 1, sizeof(*layout->spirv_sets));
    if (!layout->sets || !layout->kept || !layout->spirv_sets)
        return false;
    for (uint32_t i = 0; i < set_count; i++) {
        struct set_layout *set = set_layout_ref(set_layout_find(track, sets[i]));
        layout->sets[i] = set;
        layout->kept[i] = kept_layout_ref(track, sets[i]);
        layout->immutable |= layout->kept[i] && layout->kept[i]->count;
        layout->spirv_sets[i].record_binding = SPIRV_NO_RECORD;
        if (!set)
            continue;
        layout->spirv_sets[i] = (struct spirv_set){
            .bindings = set->spirv_bindings,
            .binding_count = set->binding_count,
            .record_binding = set->record_binding,
            .record_count = set->place_count,
            .storage = set->storage,
            .nearest = set->nearest_binding == SPIRV_NO_RECORD ? 0 : set->nearest_binding + 1,
            .embedded = set->app_descriptors,
        };
        if (set->app_descriptors && !set->by_stage)
            layout->model = BINDING_BUFFERS;
        layout->records = true;
        layout->split |= set->split;
        layout->masks |= set->masks;
        layout->renumbered |= set->renumbered;
    }
    layout->spirv = (struct spirv_layout){.sets = layout->spirv_sets, .set_count = set_count};
    if (layout->model == BINDING_BUFFERS)
        layout->spirv.root_at = track->device->caps.app_descriptors.root_at;
    return true;
}

static bool exceeds(uint64_t all, uint64_t own, uint32_t limit)
{
    return all > limit && all - own <= limit; /* else the program does so itself */
}

/* One of the layout's counts; `after_bind`: sets that may change after they are bound are counted as well. */
static bool fits(const struct pipeline_layout *layout, uint32_t which, bool after_bind,
                 const struct stage_counts *limits)
{
    struct stage_counts all = {0}, own = {0};
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct kept_layout *kept = layout->kept[i];
        if (!kept || !kept->counts || (kept->after_bind && !after_bind))
            continue;
        all.uniform += kept->counts[which].uniform;
        all.storage += kept->counts[which].storage;
        all.resources += kept->counts[which].resources;
        if (layout->spirv_sets[i].record_binding == SPIRV_NO_RECORD)
            continue;
        *(layout->spirv_sets[i].storage ? &own.storage : &own.uniform) += 1;
        own.resources++;
    }
    return !exceeds(all.uniform, own.uniform, limits->uniform) && !exceeds(all.storage, own.storage, limits->storage) &&
           !exceeds(all.resources, own.resources, limits->resources);
}

/*
 * Programs never see less than Vulkan's required limits, even if the driver has no more and records take some of them
 * (layer/entry/queries/limits.c).
 */
static bool fits_limits(const struct track *track, const struct pipeline_layout *layout)
{
    const VkPhysicalDeviceLimits *limits = &track->device->properties.limits;
    const struct stage_counts stage = {limits->maxPerStageDescriptorUniformBuffers,
                                       limits->maxPerStageDescriptorStorageBuffers, limits->maxPerStageResources},
                              all = {limits->maxDescriptorSetUniformBuffers, limits->maxDescriptorSetStorageBuffers,
                                     UINT32_MAX};
    bool fit = true;
    for (uint32_t i = 0; i < LAYOUT_COUNTS; i++) {
        const bool of_all = i == LAYOUT_STAGES;
        fit &= fits(layout, i, false, of_all ? &all : &stage) &&
               fits(layout, i, true, &track->layouts->after_bind[of_all]);
    }
    return fit;
}

VkResult pipeline_layout_check(const struct track *track, const struct pipeline_layout *layout, const char *call)
{
    if (!track->device->caps.tight || !layout->records || fits_limits(track, layout))
        return VK_SUCCESS;
    message_about(track->device, LOG_ERROR, NULL,
                  "%s: a stage sees as many buffers or resources as the driver has, so that none is left for the "
                  "records of its sets",
                  call);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Layouts with a root have all push constants, for all stages. */
VkPipelineLayoutCreateInfo pipeline_layout_driver(const struct track *track, const VkPipelineLayoutCreateInfo *program,
                                                  bool rooted)
{
    VkPipelineLayoutCreateInfo info = *program;
    if (rooted) {
        info.pushConstantRangeCount = 1;
        info.pPushConstantRanges = &track->layouts->pushes;
    }
    return info;
}

VKAPI_ATTR VkResult VKAPI_CALL hook_CreatePipelineLayout(VkDevice handle, const VkPipelineLayoutCreateInfo *pCreateInfo,
                                                         const VkAllocationCallbacks *pAllocator,
                                                         VkPipelineLayout *pPipelineLayout)
{
    struct device *device = device_of(handle);
    struct track *track = device->track;
    struct pipeline_layout *layout = pipeline_layout_create(track);
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    layout->rooted = layouts_rooted(track);
    const VkPipelineLayoutCreateInfo info = pipeline_layout_driver(track, pCreateInfo, layout->rooted);
    VkPipelineLayout created = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    if (!pipeline_layout_fill(track, pCreateInfo->setLayoutCount, pCreateInfo->pSetLayouts, layout))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        result = pipeline_layout_check(track, layout, "vkCreatePipelineLayout");
    if (result == VK_SUCCESS && (layout->records || device->caps.rgbx_attachments))
        result =
            OR_NULL(device->next.CreatePipelineLayout(handle, &info, NULL, &layout->duplicate), &layout->duplicate);
    if (result == VK_SUCCESS)
        result = device->next.CreatePipelineLayout(handle, &info, pAllocator, &created);
    result =
        TRACKED_INSERT(result, track, &track->layouts->pipeline_layouts, PipelineLayout, created, layout, pAllocator);
    if (result != VK_SUCCESS) {
        pipeline_layout_unref(track, layout);
        return result;
    }
    *pPipelineLayout = created;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL hook_DestroyPipelineLayout(VkDevice handle, VkPipelineLayout layout,
                                                      const VkAllocationCallbacks *pAllocator)
{
    struct device *device = device_of(handle);
    struct pipeline_layout *known = table_remove(&device->track->layouts->pipeline_layouts, HANDLE_KEY(layout));
    device->next.DestroyPipelineLayout(handle, layout, pAllocator);
    pipeline_layout_unref(device->track, known);
}

VkResult layer_layout_create(struct track *track, VkShaderStageFlags stages, VkPipelineLayout *layout)
{
    const VkPushConstantRange pushed = {stages, 0,
                                        track->device->caps.app_descriptors.buffers
                                            ? track->device->caps.app_descriptors.push_bytes
                                            : track->device->properties.limits.maxPushConstantsSize / 4 * 4};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &pushed};
    return OR_NULL(track->device->next.CreatePipelineLayout(track->device->handle, &info, NULL, layout), layout);
}
