/* SPDX-License-Identifier: MIT */
/*
 * Locks between threads that read saved writes of descriptors and threads that destroy the views and samplers in them.
 * A reader takes its thread's own lock; a destroying thread takes all locks one after the other.
 */
#include "sampling/saved_writes.h"
#include "device/held.h"
#include "sampling/pair.h"
#include "sampling/sampling.h"

struct gone_count gone_counts[GONE_KINDS];

static pthread_mutex_t *own_lock(struct track *track)
{
    return &track->sampling->saved_write_locks[thread_shard() % SAVED_WRITE_LOCKS].mutex;
}

void saved_writes_begin(struct track *track, struct held_messages *held)
{
    messages_hold(held);
    pthread_mutex_lock(own_lock(track));
}

void saved_writes_end(struct track *track, struct held_messages *held)
{
    pthread_mutex_unlock(own_lock(track));
    messages_release(held);
}

/*
 * A thread that has found the object holds its lock until it is done with it; a thread that takes it later does
 * not find the object any more.
 */
void saved_writes_forget(struct track *track)
{
    gone_add(GONE_HANDLES);
    for (uint32_t i = 0; i < SAVED_WRITE_LOCKS; i++) {
        pthread_mutex_lock(&track->sampling->saved_write_locks[i].mutex);
        pthread_mutex_unlock(&track->sampling->saved_write_locks[i].mutex);
    }
}
