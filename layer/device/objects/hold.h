/* SPDX-License-Identifier: MIT */
/*
 * Driver's objects that the program may destroy while something of the layer's still compiles with them: their
 * destruction waits for the last holder. Any thread; taken when layouts are made, never where commands are recorded.
 */
#ifndef CLAMPLER_OBJECTS_HOLD_H
#define CLAMPLER_OBJECTS_HOLD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "objects/table.h"

/* Those of one object type, by handle. */
struct holds {
    pthread_mutex_t lock;
    struct table held;
};

/* False: no lock is to be had. */
bool holds_init(struct holds *holds);
void holds_finish(struct holds *holds);

/* One holder more of an object that lives. False: out of memory, and nothing is held. */
bool hold_take(struct holds *holds, uint64_t handle);

/* One holder fewer. Returns how often the caller is to destroy the object: as often as that has waited. */
uint32_t hold_drop(struct holds *holds, uint64_t handle);

/* The program destroys it. True: it has holders, and the last of them will; false: nobody needs it. */
bool hold_postpone(struct holds *holds, uint64_t handle);

#endif
