/* SPDX-License-Identifier: MIT */
/*
 * Locks between threads that follow what was noted of descriptors and threads that destroy the views and samplers noted
 * there. Who follows takes its thread's own, and who destroys takes one after the other.
 */
#include "sampling/notes.h"
#include "device/held.h"
#include "sampling/pair.h"
#include "sampling/sampling.h"

struct gone_count gone_counts[GONE_KINDS];

static pthread_mutex_t *own_lock(struct track *track)
{
    return &track->sampling->note_locks[thread_shard() % NOTE_LOCKS].mutex;
}

void notes_follow_begin(struct track *track, struct held_messages *held)
{
    messages_hold(held);
    pthread_mutex_lock(own_lock(track));
}

void notes_follow_end(struct track *track, struct held_messages *held)
{
    pthread_mutex_unlock(own_lock(track));
    messages_release(held);
}

/*
 * A thread that has found the object holds its lock until it is done with it; a thread that takes it later does
 * not find the object any more.
 */
void notes_forgotten(struct track *track)
{
    gone_add(GONE_HANDLES);
    for (uint32_t i = 0; i < NOTE_LOCKS; i++) {
        pthread_mutex_lock(&track->sampling->note_locks[i].mutex);
        pthread_mutex_unlock(&track->sampling->note_locks[i].mutex);
    }
}
