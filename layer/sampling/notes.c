/* SPDX-License-Identifier: MIT */
/*
 * One lock between threads that follow what was noted of descriptors and threads that destroy the views and samplers
 * noted there. Following is rare: where shaders take combined image samplers apart, and in some copies.
 */
#include "sampling/notes.h"
#include "sampling/sampling.h"

struct gone_count gone_counts[GONE_KINDS];

void notes_follow_begin(struct track *track)
{
    pthread_mutex_lock(&track->sampling->note_lock);
}

void notes_follow_end(struct track *track)
{
    pthread_mutex_unlock(&track->sampling->note_lock);
}

/*
 * A thread that has found the object holds the lock until it is done with it; a thread that takes the lock later does
 * not find the object any more.
 */
void notes_forgotten(struct track *track)
{
    gone_add(GONE_HANDLES);
    pthread_mutex_lock(&track->sampling->note_lock);
    pthread_mutex_unlock(&track->sampling->note_lock);
}
