/* SPDX-License-Identifier: MIT */
/* Immutable samplers and duplicates of set layouts that outlive the program's, made with them. */
#include "layouts/kept_layout.h"
#include "device/device.h"
#include "layouts/layouts.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"

static size_t kept_bytes(uint32_t count)
{
    return sizeof(struct kept_layout) + count * sizeof(struct held_sampler);
}

/*
 * Holds a binding's immutable samplers. Equal neighbours are held once; the layer's own sampler is not held, because it
 * lives as long as the device.
 */
static bool hold_samplers(struct track *track, const VkDescriptorSetLayoutBinding *binding, struct kept_layout *kept)
{
    const VkSampler *samplers = immutable_of(binding);
    for (uint32_t i = 0; samplers && i < binding->descriptorCount; i++) {
        struct held_sampler *held = &kept->samplers[kept->count];
        if (samplers[i] == track->layouts->nearest_sampler || (i && samplers[i] == samplers[i - 1]))
            continue;
        if (!sampler_hold(track, samplers[i], held))
            return false;
        kept->count++;
    }
    return true;
}

/* Section "Pipeline Layouts". Attachments count for resources as well, but are not known here. */
static void count_binding(const VkDescriptorSetLayoutBinding *binding, struct stage_counts *counts)
{
    switch (binding->descriptorType) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
        counts->uniform += binding->descriptorCount;
        break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
        counts->storage += binding->descriptorCount;
        break;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        return;
    default:
        break;
    }
    counts->resources += binding->descriptorCount;
}

static bool is_dynamic(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* False: out of memory. */
static bool count_stages(struct track *track, const VkDescriptorSetLayoutCreateInfo *for_driver,
                         struct kept_layout *kept)
{
    if (!track->device->caps.tight || (for_driver->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT))
        return true;
    kept->after_bind = for_driver->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    kept->counts = object_alloc(track, NULL, LAYOUT_COUNTS * sizeof(*kept->counts));
    if (!kept->counts)
        return false;
    for (uint32_t i = 0; i < for_driver->bindingCount; i++) {
        for (uint32_t stage = 0; stage < LAYOUT_STAGES; stage++) {
            if (for_driver->pBindings[i].stageFlags >> stage & 1)
                count_binding(&for_driver->pBindings[i], &kept->counts[stage]);
        }
        if (!is_dynamic(for_driver->pBindings[i].descriptorType))
            count_binding(&for_driver->pBindings[i], &kept->counts[LAYOUT_STAGES]);
    }
    return true;
}

VkResult layout_keep(struct track *track, VkDescriptorSetLayout layout,
                     const VkDescriptorSetLayoutCreateInfo *for_driver)
{
    struct device *device = track->device;
    uint32_t most = 0;
    for (uint32_t i = 0; i < for_driver->bindingCount; i++)
        most += immutable_of(&for_driver->pBindings[i]) ? for_driver->pBindings[i].descriptorCount : 0;
    if (!most && !device->caps.shader_objects && !track->device->caps.tight)
        return VK_SUCCESS;
    struct kept_layout *kept = object_alloc(track, NULL, kept_bytes(most));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&kept->references, 1);
    kept->most = most;
    VkResult result = count_stages(track, for_driver, kept) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < for_driver->bindingCount && result == VK_SUCCESS; i++)
        result = hold_samplers(track, &for_driver->pBindings[i], kept) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && device->caps.shader_objects)
        result = OR_NULL(device->next.CreateDescriptorSetLayout(device->handle, for_driver, NULL, &kept->duplicate),
                         &kept->duplicate);
    if (result == VK_SUCCESS && !table_insert(&track->layouts->kept, HANDLE_KEY(layout), kept))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        kept_layout_unref(track, kept);
    return result;
}

void layout_unref(struct track *track, VkDescriptorSetLayout layout)
{
    kept_layout_unref(track, table_remove(&track->layouts->kept, HANDLE_KEY(layout)));
}

struct kept_layout *kept_layout_ref(struct track *track, VkDescriptorSetLayout layout)
{
    struct kept_layout *kept = table_find(&track->layouts->kept, HANDLE_KEY(layout));
    if (kept)
        reference_add(&kept->references);
    return kept;
}

void kept_layout_unref(struct track *track, struct kept_layout *kept)
{
    if (!kept || !reference_drop(&kept->references))
        return;
    if (kept->duplicate)
        track->device->next.DestroyDescriptorSetLayout(track->device->handle, kept->duplicate, NULL);
    while (kept->count)
        sampler_release(track, &kept->samplers[--kept->count]);
    object_free(track, NULL, kept->counts, LAYOUT_COUNTS * sizeof(*kept->counts));
    object_free(track, NULL, kept, kept_bytes(kept->most));
}
