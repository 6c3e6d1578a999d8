/* SPDX-License-Identifier: MIT */
/* Beginning and end of the table of modules and the cache of rewritten ones. */
#include "modules/modules.h"
#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"

bool modules_init(struct track *track)
{
    struct modules *m = track->modules;
    m->cache = table_init(&m->modules) ? module_cache_create() : NULL;
    return m->cache;
}

void modules_finish(struct track *track)
{
    module_cache_destroy(track, track->modules->cache);
    table_finish(&track->modules->modules);
}
