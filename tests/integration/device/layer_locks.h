/* SPDX-License-Identifier: MIT */
/*
 * Locks of the layer's that are held, for tests of what must not run under one: the test's own pthread functions stand
 * in the place of the C library's for the layer as well. The executable needs ENABLE_EXPORTS and dl. With sanitizers,
 * which have theirs, nothing is held.
 */
#ifndef CLAMPLER_INTEGRATION_LAYER_LOCKS_H
#define CLAMPLER_INTEGRATION_LAYER_LOCKS_H

#include <stdbool.h>

/* Finds the layer, which is loaded. Locks that are taken from here on are counted. */
void layer_locks_begin(void);

/* By the calling thread. */
unsigned layer_locks_held(void);

/* Is that within the layer's code, which layer_locks_begin() has found? */
bool layer_has(const void *code);

#endif
