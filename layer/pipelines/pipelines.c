/* SPDX-License-Identifier: MIT */
/* Beginning and end of the table of pipelines and the locks under which tiers are made, and how they are made once. */
#include "pipelines/pipelines.h"
#include "objects/table.h"

enum { TIER_LOCKS = sizeof(((struct pipelines *)0)->tier_locks) / sizeof(pthread_mutex_t) };

bool pipelines_init(struct track *track)
{
    struct pipelines *p = track->pipelines;
    bool done = table_init(&p->pipelines) && table_init(&p->binaries);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        done &= pthread_mutex_init(&p->tier_locks[i], NULL) == 0;
    return done;
}

void pipelines_finish(struct track *track)
{
    struct pipelines *p = track->pipelines;
    table_finish(&p->pipelines);
    table_finish(&p->binaries);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        pthread_mutex_destroy(&p->tier_locks[i]);
}

/* Objects are far enough apart that neighbours have different locks. */
pthread_mutex_t *tier_lock(struct track *track, const void *object)
{
    return &track->pipelines->tier_locks[(uintptr_t)object / 64 % TIER_LOCKS];
}

uint64_t tier_made(struct track *track, struct tiers *tiers, uint32_t tier, void *owner,
                   VkResult (*make)(struct track *track, void *owner, uint32_t tier, uint64_t *made), VkResult *error)
{
    uint64_t made = atomic_load_explicit(&tiers->made[tier], memory_order_acquire);
    *error = VK_SUCCESS;
    if (made)
        return made;
    pthread_mutex_t *lock = tier_lock(track, owner);
    pthread_mutex_lock(lock);
    made = atomic_load_explicit(&tiers->made[tier], memory_order_relaxed);
    *error = atomic_load_explicit(&tiers->failed[tier], memory_order_relaxed);
    if (!made && *error == VK_SUCCESS) {
        *error = make(track, owner, tier, &made);
        atomic_store_explicit(&tiers->failed[tier], *error, memory_order_relaxed);
        atomic_store_explicit(&tiers->made[tier], made, memory_order_release);
    }
    pthread_mutex_unlock(lock);
    return made;
}
