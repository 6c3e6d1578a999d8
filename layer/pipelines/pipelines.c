/* SPDX-License-Identifier: MIT */
/* Beginning and end of the table of pipelines and the locks under which tiers are compiled. */
#include "pipelines/pipelines.h"
#include "objects/table.h"

enum { TIER_LOCKS = sizeof(((struct pipelines *)0)->tier_locks) / sizeof(pthread_mutex_t) };

bool pipelines_init(struct track *track)
{
    struct pipelines *p = track->pipelines;
    bool done = table_init(&p->pipelines);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        done &= pthread_mutex_init(&p->tier_locks[i], NULL) == 0;
    return done;
}

void pipelines_finish(struct track *track)
{
    struct pipelines *p = track->pipelines;
    table_finish(&p->pipelines);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        pthread_mutex_destroy(&p->tier_locks[i]);
}
