/* SPDX-License-Identifier: MIT */
/*
 * An allocator of runs of equal units out of a fixed count, for blocks of device memory and for the arenas of
 * descriptor pools. Free neighbours are one run, because the state is a bitmap. Not thread-safe.
 */
#ifndef CLAMPLER_OBJECTS_UNITS_H
#define CLAMPLER_OBJECTS_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#define UNITS_NONE UINT32_MAX

struct units {
    uint64_t *bits; /* one bit a unit: 1 is taken */
    uint32_t count;
    uint32_t taken;
    uint32_t cursor; /* where the next search starts */
};

/* False if memory runs out. */
bool units_init(struct units *units, uint32_t count);
void units_finish(struct units *units);

/* First unit of a free run of `run` units (at least 1), or UNITS_NONE. */
uint32_t units_acquire(struct units *units, uint32_t run);
/* Takes this unit. False if it is taken, or there is none. */
bool units_claim(struct units *units, uint32_t unit);
/* True: there is such a unit, and it is taken. */
bool units_are_taken(const struct units *units, uint32_t unit);
void units_release(struct units *units, uint32_t first, uint32_t run);
void units_release_all(struct units *units);

#endif
