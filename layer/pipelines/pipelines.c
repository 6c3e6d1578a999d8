/* SPDX-License-Identifier: MIT */
/* Beginning and end of the table of pipelines and the locks under which tiers are compiled. */
#include "pipelines/pipelines.h"
#include "objects/table.h"

enum { TIER_LOCKS = sizeof(((struct pipelines *)0)->tier_locks) / sizeof(pthread_mutex_t) };

bool pipelines_init(struct track *track)
{
    struct pipelines *p = track->pipelines;
    bool done = table_init(&p->pipelines) && table_init(&p->shader_objects);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        done &= pthread_mutex_init(&p->tier_locks[i], NULL) == 0;
    return done;
}

void pipelines_finish(struct track *track)
{
    struct pipelines *p = track->pipelines;
    table_finish(&p->pipelines);
    table_finish(&p->shader_objects);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        pthread_mutex_destroy(&p->tier_locks[i]);
}

/* Objects are far enough apart that neighbours have different locks. */
pthread_mutex_t *tier_lock(struct track *track, const void *object)
{
    return &track->pipelines->tier_locks[(uintptr_t)object / 64 % TIER_LOCKS];
}
