/* SPDX-License-Identifier: MIT */
/* Duplicates of set layouts that outlive the program's, made with them on devices that have shader objects. */
#include "layouts/kept_layout.h"
#include "device/device.h"
#include "layouts/layouts.h"
#include "objects/table.h"
#include "objects/track.h"

VkResult layout_keep(struct track *track, VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo *below)
{
    struct device *device = track->device;
    struct kept_layout *kept = object_alloc(track, NULL, sizeof(*kept));
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&kept->references, 1);
    VkResult result = OR_NULL(device->next.CreateDescriptorSetLayout(device->handle, below, NULL, &kept->duplicate),
                              &kept->duplicate);
    if (result == VK_SUCCESS && !table_insert(&track->layouts->kept, HANDLE_KEY(layout), kept))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS)
        kept_layout_unref(track, kept);
    return result;
}

void layout_let_go(struct track *track, VkDescriptorSetLayout layout)
{
    if (track->device->shader_objects)
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
    object_free(track, NULL, kept, sizeof(*kept));
}
