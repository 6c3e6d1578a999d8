/* SPDX-License-Identifier: MIT */
/*
 * Beginning and end of the tables of descriptor pools and update templates. The table of sets is in struct track,
 * because every bind reads it.
 */
#include "descriptors/descriptors.h"

#include "layouts/set_layout.h"
#include "objects/table.h"

/* The types without records on this device. */
static uint32_t passing_types(const struct device *device)
{
    uint32_t types = 0;
    for (uint32_t type = 0; type < 32; type++)
        types |= type_has_records(device, (VkDescriptorType)type) ? 0u : 1u << type;
    return types;
}

bool descriptors_init(struct track *track)
{
    struct descriptors *d = track->descriptors;
    bool locks = true;
    atomic_init(&track->passing, passing_types(track->device));
    for (uint32_t i = 0; i < RECORD_LOCKS; i++)
        locks &= pthread_mutex_init(&d->record_locks[i].mutex, NULL) == 0;
    if (!locks || !table_init(&d->pools) || !table_init(&track->sets) || !table_init(&d->templates))
        return false;
    const bool open = table_open(&track->sets) && table_open(&d->templates);
    if (!open) /* nobody finishes what did not begin */
        descriptors_finish(track);
    return open;
}

void descriptors_finish(struct track *track)
{
    struct descriptors *d = track->descriptors;
    table_finish(&d->pools);
    table_finish(&track->sets);
    table_finish(&d->templates);
    for (uint32_t i = 0; i < RECORD_LOCKS; i++)
        pthread_mutex_destroy(&d->record_locks[i].mutex);
}
