/* SPDX-License-Identifier: MIT */
/*
 * Beginning and end of what this room keeps for a device: the table of framebuffers, and what fills alpha, by format
 * and sample count. Called by layer/entry/track alone.
 */
#include "alpha/alpha.h"
#include "alpha/fill.h"
#include "objects/table.h"

bool alpha_init(struct track *track)
{
    struct alpha *a = track->alpha;
    return pthread_mutex_init(&a->fill_lock, NULL) == 0 && table_init(&a->fills) && table_init(&a->framebuffers);
}

void alpha_finish(struct track *track)
{
    struct alpha *a = track->alpha;
    fill_finish(track);
    table_finish(&a->fills);
    table_finish(&a->framebuffers);
    pthread_mutex_destroy(&a->fill_lock);
}
