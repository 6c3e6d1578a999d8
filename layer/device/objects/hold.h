/* SPDX-License-Identifier: MIT */
/*
 * Delays the destruction of driver's objects that the program destroys while the layer still compiles with them, until
 * the last holder drops them. Any thread; objects are held when layouts are made, never while commands are recorded.
 */
#ifndef CLAMPLER_OBJECTS_HOLD_H
#define CLAMPLER_OBJECTS_HOLD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "objects/table.h"

/* The holds of one object type, by handle. */
struct holds {
    pthread_mutex_t lock;
    struct table held;
};

/* False: out of memory. */
bool holds_init(struct holds *holds);
void holds_finish(struct holds *holds);

/* Adds a holder of a live object. False: out of memory, and nothing is held. */
bool hold_take(struct holds *holds, uint64_t handle);

/* Removes a holder. Returns how often the caller must destroy the object: as often as the program has meanwhile. */
uint32_t hold_drop(struct holds *holds, uint64_t handle);

/* The program destroys it. True: it has holders, of which the last one will destroy it; false: it has none. */
bool hold_postpone(struct holds *holds, uint64_t handle);

#endif
