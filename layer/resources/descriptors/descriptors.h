/* SPDX-License-Identifier: MIT */
/*
 * Descriptor pools and sets, the records beside descriptors, and the functions that write both outside of command
 * buffers.
 *
 *   pool.h                pools, sets and the memory of their records (pool.c)
 *   records.h             a set's records on their way from a write to the GPU (records.c)
 *   save.h                writes that are only saved
 *   update.h              writes and copies (calls.c, update.c, copy.c)
 *   template.h            update templates (template.c)
 *   combination_cache.h   the latest combinations of samplers and views
 *   split.h               records of split samplers of combined image samplers (split.c)
 */
#ifndef CLAMPLER_DESCRIPTORS_DESCRIPTORS_H
#define CLAMPLER_DESCRIPTORS_DESCRIPTORS_H

#include <pthread.h>

#include "objects/table.h"
#include "objects/track.h"

/* Several locks, so that threads that make or upload records of different sets seldom wait for each other. */
enum { RECORD_LOCKS = 16 };

/* This subsystem's state of one device. */
struct descriptors {
    struct table pools, templates; /* the sets are in struct track */
    struct record_lock {
        _Alignas(64) pthread_mutex_t mutex;
    } record_locks[RECORD_LOCKS]; /* of records, by their address (records.h) */
};

/* False: out of memory. */
bool descriptors_init(struct track *track);
void descriptors_finish(struct track *track);

#endif
