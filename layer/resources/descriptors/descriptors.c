/* SPDX-License-Identifier: MIT */
/*
 * Beginning and end of the tables of descriptor pools and update templates. The table of sets is in struct track,
 * because every bind reads it.
 */
#include "descriptors/descriptors.h"

#include "objects/table.h"

bool descriptors_init(struct track *track)
{
    struct descriptors *d = track->descriptors;
    bool locks = true;
    for (uint32_t i = 0; i < RECORD_LOCKS; i++)
        locks &= pthread_mutex_init(&d->record_locks[i].mutex, NULL) == 0;
    return locks && table_init(&d->pools) && table_init(&track->sets) && table_init(&d->templates);
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
