/* SPDX-License-Identifier: MIT */
/*
 * Makes and frees the tables of samplers, states, images, views and formats, and reads the driver's limit of custom
 * border colours.
 */
#include "sampling/sampling.h"
#include "device/instance.h"
#include "objects/hold.h"
#include "objects/table.h"
#include "objects/units.h"
#include "sampling/format.h"
#include "sampling/device_needs.h"
#include "sampling/saved_writes.h"
#include "sampling/sampler.h"
#include "sampling/surplus.h"

bool sampling_init(struct track *track)
{
    struct sampling *s = track->sampling;
    bool locks = true;
    for (uint32_t i = 0; i < SAVED_WRITE_LOCKS; i++)
        locks &= pthread_mutex_init(&s->saved_write_locks[i].mutex, NULL) == 0;
    return locks && sampler_states_init(&s->states) && device_needs_init(&s->device_needs) &&
           pthread_mutex_init(&s->pair_lock, NULL) == 0 && pthread_mutex_init(&s->formats_lock, NULL) == 0 &&
           table_init(&s->pairs) && table_init(&s->samplers) && table_init(&s->images) && table_init(&s->views) &&
           pthread_mutex_init(&s->border_index_lock, NULL) == 0 &&
           (!track->device->caps.border_indices ||
            units_init(&s->border_indices, track->device->caps.border_indices)) &&
           table_init(&s->swapchains) && table_init(&s->formats) && table_init(&s->view_keys) &&
           table_init(&s->conversions) && holds_init(&s->held_samplers) && holds_init(&s->held_conversions) &&
           private_data_init(&s->private_data);
}

/* The extension says how many at once; without it there are none. */
void sampling_read_limits(struct track *track)
{
    struct sampling *s = track->sampling;
    const struct device *device = track->device;
    s->caps_without_border = device->caps.resolve;
    s->caps_without_border.custom_border_color = false;
    s->caps_without_border.border_full = true;
    s->caps_of_common = s->caps_without_border;
    s->caps_of_common.samplers_full = true;
    driver_samplers_init(track);
    VkPhysicalDeviceCustomBorderColorPropertiesEXT border = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &border};
    const PFN_vkGetPhysicalDeviceProperties2 query = instance_properties2(device->instance, device->physical);
    if (device->caps.resolve.custom_border_color && query)
        query(device->physical, &properties);
    s->border_limit = border.maxCustomBorderColorSamplers;
}

void sampling_finish(struct track *track)
{
    struct sampling *s = track->sampling;
    gone_add(GONE_HANDLES);
    gone_add(GONE_IMAGES);
    sampler_states_release(track);
    bare_borders_finish(track);
    formats_finish(track);
    conversions_finish(track);
    holds_finish(&s->held_samplers);
    holds_finish(&s->held_conversions);
    private_data_finish(&s->private_data);
    table_finish(&s->pairs);
    table_finish(&s->samplers);
    table_finish(&s->images);
    table_finish(&s->views);
    table_finish(&s->swapchains);
    table_finish(&s->formats);
    table_finish(&s->view_keys);
    for (uint32_t i = 0; i < SAVED_WRITE_LOCKS; i++)
        pthread_mutex_destroy(&s->saved_write_locks[i].mutex);
    units_finish(&s->border_indices);
    pthread_mutex_destroy(&s->border_index_lock);
    pthread_mutex_destroy(&s->formats_lock);
    pthread_mutex_destroy(&s->pair_lock);
    device_needs_finish(&s->device_needs);
    sampler_states_finish(&s->states);
}
