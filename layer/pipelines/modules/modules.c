/* SPDX-License-Identifier: MIT */
/* Makes and frees the table of modules, of rewritten ones, and of those that have identifiers. */
#include "modules/lru.h"
#include "modules/modules.h"
#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"

bool modules_init(struct track *track)
{
    return table_init(&track->modules->modules) && module_cache_init(track) && identifiers_init(track);
}

void modules_finish(struct track *track)
{
    lru_finish(track, &track->modules->identified);
    lru_finish(track, &track->modules->cache);
    table_finish(&track->modules->modules);
}
