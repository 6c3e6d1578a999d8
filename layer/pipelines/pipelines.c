/* SPDX-License-Identifier: MIT */
/*
 * Beginning and end of the tables of modules and pipelines, the cache of rewritten modules and the locks under which
 * tiers are compiled.
 */
#include "pipelines/pipelines.h"
#include "objects/table.h"
#include "pipelines/shader_module.h"

enum { TIER_LOCKS = sizeof(((struct pipelines *)0)->tier_locks) / sizeof(pthread_mutex_t) };

bool pipelines_init(struct track *track)
{
    struct pipelines *p = track->pipelines;
    bool done = table_init(&p->modules) && table_init(&p->pipelines);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        done &= pthread_mutex_init(&p->tier_locks[i], NULL) == 0;
    p->module_cache = done ? module_cache_create() : NULL;
    return p->module_cache;
}

void pipelines_finish(struct track *track)
{
    struct pipelines *p = track->pipelines;
    module_cache_destroy(track, p->module_cache);
    table_finish(&p->modules);
    table_finish(&p->pipelines);
    for (size_t i = 0; i < TIER_LOCKS; i++)
        pthread_mutex_destroy(&p->tier_locks[i]);
}
