/* SPDX-License-Identifier: MIT */
/*
 * Shader modules: the code of the program's shaders, and rewritten code.
 *
 *   shader_module.h  modules as they are counted (shader_module.c), by their identifiers (identifiers.c), rewritten for
 *                    a tier of a pipeline or shader object, by content (module_cache.c), dumped and validated
 * (inspect.c) code_key.h       a hash of what layouts and code depend on packed_code.h    binaries with the SPIR-V of
 * stages behind them lru.h            tables with a limit of bytes
 */
#ifndef CLAMPLER_MODULES_MODULES_H
#define CLAMPLER_MODULES_MODULES_H

#include "modules/lru.h"
#include "objects/table.h"
#include "objects/track.h"

/* This subsystem's state of one device. */
struct modules {
    struct table modules;  /* struct shader_module */
    struct lru cache;      /* of rewritten modules, by content */
    struct lru identified; /* modules by their identifiers */
};

/* False: out of memory. */
bool modules_init(struct track *track);
void modules_finish(struct track *track);

#endif
