/* SPDX-License-Identifier: MIT */
/*
 * One lock between threads that follow what was noted of descriptors and threads that destroy the views and samplers
 * noted there. Following is rare: where shaders take combined image samplers apart, and in some copies.
 */
#include "sampling/notes.h"
#include "device/held.h"
#include "sampling/sampling.h"

struct gone_count gone_counts[GONE_KINDS];

void notes_follow_begin(struct track *track, struct held_messages *held)
{
    messages_hold(held);
    pthread_mutex_lock(&track->sampling->note_lock);
}

void notes_follow_end(struct track *track, struct held_messages *held)
{
    pthread_mutex_unlock(&track->sampling->note_lock);
    messages_release(held);
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
