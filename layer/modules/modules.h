/* SPDX-License-Identifier: MIT */
/*
 * Shader modules: the code of the program's shaders, and what it is rewritten to.
 *
 *   shader_module.h  modules as they are counted (shader_module.c), rewritten for a tier of a pipeline or shader
 * object, by content (module_cache.c), and looked into (inspect.c)
 */
#ifndef CLAMPLER_MODULES_MODULES_H
#define CLAMPLER_MODULES_MODULES_H

#include "objects/table.h"
#include "objects/track.h"

struct module_cache;

/* The room's state of one device. */
struct modules {
    struct table modules; /* struct shader_module */
    struct module_cache *cache;
};

/* False: out of memory. */
bool modules_init(struct track *track);
void modules_finish(struct track *track);

#endif
