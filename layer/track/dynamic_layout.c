/*
 * Pipeline layouts that commands bring in their chains instead of a handle (dynamicPipelineLayout of
 * VK_NV_per_stage_descriptor_set). What the layer records by itself needs a handle: one is made for each content.
 */
#include <stdlib.h>
#include <string.h>

#include "track/track.h"

struct dynamic_layout {
    struct dynamic_layout *next;
    VkPipelineLayout handle;
    bool retired; /* a set layout of it is gone, and its handle may come again for another */
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
    return !known->retired && known->flags == info->flags && known->set_count == info->setLayoutCount &&
           known->range_count == info->pushConstantRangeCount &&
           memcmp(known->sets, info->pSetLayouts, sets_bytes(info)) == 0 &&
           (!info->pushConstantRangeCount || memcmp(known->ranges, info->pPushConstantRanges, ranges_bytes(info)) == 0);
}

/* As the program's own are made, so that it is found by its handle. */
static VkResult create(struct track *track, const VkPipelineLayoutCreateInfo *chained, struct dynamic_layout **out)
{
    struct dynamic_layout *layout = calloc(1, sizeof(*layout) + ranges_bytes(chained));
    VkDescriptorSetLayout *sets = malloc(sets_bytes(chained));
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

VkPipelineLayout dynamic_layout(struct command *command, VkPipelineLayout layout, const void *chain, uint32_t set)
{
    struct track *track = command ? command->track : NULL;
    const VkPipelineLayoutCreateInfo *info =
        layout ? NULL : pnext_find(chain, VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    if (!track || !info || set >= info->setLayoutCount || !set_layout_find(track, info->pSetLayouts[set]))
        return layout;
    pthread_mutex_lock(&track->dynamic_layout_lock);
    struct dynamic_layout *known = atomic_load_explicit(&track->dynamic_layouts, memory_order_relaxed);
    while (known && !same(known, info))
        known = known->next;
    if (!known) {
        VkResult result = create(track, info, &known);
        if (result != VK_SUCCESS) {
            command->error = result;
        } else {
            known->next = atomic_load_explicit(&track->dynamic_layouts, memory_order_relaxed);
            atomic_store_explicit(&track->dynamic_layouts, known, memory_order_relaxed);
        }
    }
    pthread_mutex_unlock(&track->dynamic_layout_lock);
    return known ? known->handle : VK_NULL_HANDLE;
}

void dynamic_layouts_retire(struct track *track, VkDescriptorSetLayout set_layout)
{
    if (!atomic_load_explicit(&track->dynamic_layouts, memory_order_relaxed))
        return;
    pthread_mutex_lock(&track->dynamic_layout_lock);
    for (struct dynamic_layout *layout = atomic_load_explicit(&track->dynamic_layouts, memory_order_relaxed); layout;
         layout = layout->next) {
        for (uint32_t i = 0; i < layout->set_count; i++)
            layout->retired |= layout->sets[i] == set_layout;
    }
    pthread_mutex_unlock(&track->dynamic_layout_lock);
}

void dynamic_layouts_finish(struct track *track)
{
    struct dynamic_layout *layout = atomic_load_explicit(&track->dynamic_layouts, memory_order_relaxed);
    atomic_store_explicit(&track->dynamic_layouts, NULL, memory_order_relaxed);
    while (layout) {
        struct dynamic_layout *next = layout->next;
        hook_DestroyPipelineLayout(track->device->handle, layout->handle, NULL);
        free(layout->sets);
        free(layout);
        layout = next;
    }
}
