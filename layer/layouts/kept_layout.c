/* SPDX-License-Identifier: MIT */
/* Immutable samplers and duplicates of set layouts that outlive the program's, made with them. */
#include "layouts/kept_layout.h"
#include "device/device.h"
#include "layouts/layouts.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampler.h"

static const VkSampler *immutable_of(const VkDescriptorSetLayoutBinding *binding)
{
    const bool takes_samplers = binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                                binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    return takes_samplers ? binding->pImmutableSamplers : NULL;
}

static size_t kept_bytes(uint32_t count)
{
    return sizeof(struct kept_layout) + count * sizeof(struct held_sampler);
}

/* Those of neighbours that are alike are held once. */
static bool hold_samplers(struct track *track, const VkDescriptorSetLayoutBinding *binding, struct kept_layout *kept)
{
    const VkSampler *samplers = immutable_of(binding);
    for (uint32_t i = 0; samplers && i < binding->descriptorCount; i++) {
        struct held_sampler *held = &kept->samplers[kept->count];
        if (i && samplers[i] == samplers[i - 1])
            continue;
        if (!sampler_hold(track, samplers[i], held))
            return false;
        kept->count++;
    }
    return true;
}

VkResult layout_keep(struct track *track, VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo *below)
{
    struct device *device = track->device;
    uint32_t most = 0;
    for (uint32_t i = 0; i < below->bindingCount; i++)
        most += immutable_of(&below->pBindings[i]) ? below->pBindings[i].descriptorCount : 0;
    if (!most && !device->shader_objects)
        return VK_SUCCESS;
    struct kept_layout *kept = object_alloc(track, NULL, kept_bytes(most));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&kept->references, 1);
    kept->most = most;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < below->bindingCount && result == VK_SUCCESS; i++)
        result = hold_samplers(track, &below->pBindings[i], kept) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS && device->shader_objects)
        result = OR_NULL(device->next.CreateDescriptorSetLayout(device->handle, below, NULL, &kept->duplicate),
                         &kept->duplicate);
    if (result == VK_SUCCESS && !table_insert(&track->layouts->kept, HANDLE_KEY(layout), kept))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        kept_layout_unref(track, kept);
    return result;
}

void layout_let_go(struct track *track, VkDescriptorSetLayout layout)
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
        sampler_let_go(track, &kept->samplers[--kept->count]);
    object_free(track, NULL, kept, kept_bytes(kept->most));
}
