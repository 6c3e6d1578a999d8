/* SPDX-License-Identifier: MIT */
/*
 * Pipeline layouts that commands chain instead of naming a handle (dynamicPipelineLayout of
 * VK_NV_per_stage_descriptor_set). Commands of the layer's own need a handle: one is made for each content.
 */
#include <stdlib.h>
#include <string.h>

#include "device/structure_chain.h"
#include "device/held.h"
#include "layouts/pipeline_layout.h"
#include "layouts/set_layout.h"
#include "layouts/layouts.h"
#include "objects/track.h"

struct dynamic_layout {
    _Atomic(struct dynamic_layout *) next; /* not changed while threads walk the list, not even when it is retired */
    struct dynamic_layout *next_retired;
    VkPipelineLayout handle;
    VkPipelineLayoutCreateFlags flags;
    uint32_t set_count, range_count;
    VkDescriptorSetLayout *sets;
    VkPushConstantRange ranges[];
};

static size_t sets_bytes(const VkPipelineLayoutCreateInfo *info)
{
    return info->setLayoutCount * sizeof(*info->pSetLayouts);
}

static size_t ranges_bytes(const VkPipelineLayoutCreateInfo *info)
{
    return info->pushConstantRangeCount * sizeof(*info->pPushConstantRanges);
}

static bool same(const struct dynamic_layout *known, const VkPipelineLayoutCreateInfo *info)
{
    return known->flags == info->flags && known->set_count == info->setLayoutCount &&
           known->range_count == info->pushConstantRangeCount &&
           (!info->setLayoutCount || memcmp(known->sets, info->pSetLayouts, sets_bytes(info)) == 0) &&
           (!info->pushConstantRangeCount || memcmp(known->ranges, info->pPushConstantRanges, ranges_bytes(info)) == 0);
}

/* As the program's own are made, so that it is found by its handle. */
static VkResult create(struct track *track, const VkPipelineLayoutCreateInfo *chained, struct dynamic_layout **out)
{
    struct dynamic_layout *layout = calloc(1, sizeof(*layout) + ranges_bytes(chained));
    VkDescriptorSetLayout *sets = malloc(sets_bytes(chained) + 1); /* there may be none */
    VkPipelineLayoutCreateInfo info = *chained;
    info.pNext = NULL; /* of the command's structure */
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (layout && sets)
        result = hook_CreatePipelineLayout(track->device->handle, &info, NULL, &layout->handle);
    if (result != VK_SUCCESS) {
        free(layout);
        free(sets);
        return result;
    }
    pipeline_layout_binds_only(track, layout->handle);
    if (info.setLayoutCount)
        memcpy(sets, info.pSetLayouts, sets_bytes(&info));
    if (info.pushConstantRangeCount)
        memcpy(layout->ranges, info.pPushConstantRanges, ranges_bytes(&info));
    layout->flags = info.flags;
    layout->set_count = info.setLayoutCount;
    layout->range_count = info.pushConstantRangeCount;
    layout->sets = sets;
    *out = layout;
    return VK_SUCCESS;
}

/* Walks without the lock: layouts are complete before they are listed, and none is freed before the device. */
static struct dynamic_layout *find(struct track *track, const VkPipelineLayoutCreateInfo *info)
{
    struct dynamic_layout *layout = atomic_load_explicit(&track->layouts->dynamic, memory_order_acquire);
    while (layout && !same(layout, info))
        layout = atomic_load_explicit(&layout->next, memory_order_acquire);
    return layout;
}

/* Under the lock, which is taken to add layouts and to take them off, another thread may have added this one. */
static VkResult find_or_create(struct track *track, const VkPipelineLayoutCreateInfo *info, struct dynamic_layout **out)
{
    VkResult result = VK_SUCCESS;
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&track->layouts->dynamic_lock);
    *out = find(track, info);
    if (!*out) {
        result = create(track, info, out);
        if (result == VK_SUCCESS) {
            struct dynamic_layout *first = atomic_load_explicit(&track->layouts->dynamic, memory_order_relaxed);
            atomic_init(&(*out)->next, first);
            atomic_store_explicit(&track->layouts->dynamic, *out, memory_order_release);
        }
    }
    pthread_mutex_unlock(&track->layouts->dynamic_lock);
    messages_release(&held);
    return result;
}

VkPipelineLayout dynamic_layout(struct track *track, VkPipelineLayout layout, const void *chain, uint32_t set,
                                VkResult *error)
{
    const VkPipelineLayoutCreateInfo *info =
        layout ? NULL : pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    const bool any = set == DYNAMIC_LAYOUT_ANY;
    if (!info || (!any && (set >= info->setLayoutCount || !set_layout_find(track, info->pSetLayouts[set]))))
        return layout;
    struct dynamic_layout *known = find(track, info);
    VkResult result = known ? VK_SUCCESS : find_or_create(track, info, &known);
    if (result != VK_SUCCESS)
        *error = result;
    return known ? known->handle : VK_NULL_HANDLE;
}

static bool holds(const struct dynamic_layout *layout, VkDescriptorSetLayout set_layout)
{
    for (uint32_t i = 0; i < layout->set_count; i++) {
        if (layout->sets[i] == set_layout)
            return true;
    }
    return false;
}

/* The driver may give the set layout's handle to another one, so no search must find pipeline layouts that have it. */
void dynamic_layouts_retire(struct track *track, VkDescriptorSetLayout set_layout)
{
    if (!atomic_load_explicit(&track->layouts->dynamic, memory_order_relaxed))
        return;
    pthread_mutex_lock(&track->layouts->dynamic_lock);
    _Atomic(struct dynamic_layout *) *link = &track->layouts->dynamic;
    for (struct dynamic_layout *layout; (layout = atomic_load_explicit(link, memory_order_relaxed));) {
        if (!holds(layout, set_layout)) {
            link = &layout->next;
            continue;
        }
        atomic_store_explicit(link, atomic_load_explicit(&layout->next, memory_order_relaxed), memory_order_release);
        layout->next_retired = track->layouts->retired_dynamic;
        track->layouts->retired_dynamic = layout;
    }
    pthread_mutex_unlock(&track->layouts->dynamic_lock);
}

static void destroy(struct track *track, struct dynamic_layout *layout)
{
    hook_DestroyPipelineLayout(track->device->handle, layout->handle, NULL);
    free(layout->sets);
    free(layout);
}

void dynamic_layouts_finish(struct track *track)
{
    struct dynamic_layout *layout = atomic_load_explicit(&track->layouts->dynamic, memory_order_relaxed);
    atomic_store_explicit(&track->layouts->dynamic, NULL, memory_order_relaxed);
    while (layout) {
        struct dynamic_layout *next = atomic_load_explicit(&layout->next, memory_order_relaxed);
        destroy(track, layout);
        layout = next;
    }
    while (track->layouts->retired_dynamic) {
        layout = track->layouts->retired_dynamic;
        track->layouts->retired_dynamic = layout->next_retired;
        destroy(track, layout);
    }
}
