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
    return pthread_mutex_init(&d->send_lock, NULL) == 0 && table_init(&d->pools) && table_init(&track->sets) &&
           table_init(&d->templates);
}

void descriptors_finish(struct track *track)
{
    struct descriptors *d = track->descriptors;
    table_finish(&d->pools);
    table_finish(&track->sets);
    table_finish(&d->templates);
    pthread_mutex_destroy(&d->send_lock);
}
