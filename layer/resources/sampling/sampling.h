/* SPDX-License-Identifier: MIT */
/*
 * Sampling: samplers and their states, images and views, and pairs of both.
 *
 *   sampler.h   samplers of the program, and sampler states as identities (sampler.c, sampler_state.c)
 *   border_index.c        indices of the program's border colours, where the layer offers those
 *   sampler_request.h     the way from a create-info to a sampler (sampler_request.c)
 *   surplus.h   samplers beyond the driver's number (surplus.c)
 *   image.h     images and views (image.c)
 *   pair.h      sampler states that were resolved with views of one key (pair.c)
 *   format.h    features of formats (format.c)
 *   device_needs.h      needs of all pairs of the device (device_needs.c)
 *   saved_writes.h     looking up saved writes of descriptors (saved_writes.c)
 */
#ifndef CLAMPLER_SAMPLING_SAMPLING_H
#define CLAMPLER_SAMPLING_SAMPLING_H

#include "objects/hold.h"
#include "objects/table.h"
#include "objects/track.h"
#include "objects/units.h"
#include "resolve/resolve.h"

enum { STATE_BUCKETS = 4096, SHARED_BUCKETS = 256, SAVED_WRITE_LOCKS = 8 };

/* Sampler states by content. */
struct states {
    pthread_mutex_t lock;
    struct sampler_state_object *buckets[STATE_BUCKETS];
    struct sampler_state_object *of_device; /* each with a reference, until the device goes */
    uint32_t last_id;
    bool wrapped; /* all ids were used once */
};

/* The device's needs (device_needs.h), and the classes of views that they are made from. */
struct device_needs {
    _Atomic(uint64_t) needs;    /* RECORD_NEED_*; in the upper half without those of views of integers */
    struct table by_key;        /* struct view_class by the key of its views; inserted under the lock of states */
    struct view_class *classes; /* the same in a list; under the lock of states */
    uint32_t class_count;
    struct table contents; /* by hash: of the driver's samplers that pairs may have, how many pairs; under that lock */
    _Atomic(uint32_t) samplers, borders;             /* how many there are, and with a custom border colour */
    atomic_bool short_of_samplers, short_of_borders; /* the driver may have no room for all of them */
};

/* The driver's samplers that are alive, and the most of each use (surplus.h). */
struct driver_samplers {
    uint32_t most, most_of_program, most_with_pairs, most_common;
    _Atomic(uint32_t) others, of_program, common; /* `others`: all but common ones */
};

/* Private data of surplus samplers (surplus_objects.c). */
struct private_data {
    pthread_mutex_t lock;
    struct private_slot *slots; /* under the lock */
    atomic_bool any;
};

/* This subsystem's state of one device. */
struct sampling {
    struct states states;
    struct device_needs device_needs;
    pthread_mutex_t pair_lock; /* for making pairs: shared, pair_count, and the lists of states */
    struct table pairs;        /* by state id << 32 | view key */
    uint32_t pair_count;
    struct shared_sampler *shared[SHARED_BUCKETS]; /* by content */
    struct table samplers, images, views, swapchains;
    struct table conversions;                     /* struct conversion by sampler that has one */
    struct holds held_samplers, held_conversions; /* by what compiles with them (sampler_hold) */
    atomic_bool foreign;                          /* some sampler is the driver's with callbacks of its own */
    struct table formats;                         /* by format + 1: struct format_features */
    struct table view_keys; /* of orders of channels (views/view_key.c), under the lock of states */
    uint32_t view_key_count;
    pthread_mutex_t formats_lock;
    struct bare_border *bare_borders; /* under pair_lock (sampler.c) */
    struct units border_indices;      /* of the program's, where the layer gives them (border_index.c) */
    pthread_mutex_t border_index_lock;
    struct driver_samplers driver_samplers;
    _Atomic(uint32_t) surplus; /* samplers that have none of the driver's, alive now */
    struct private_data private_data;
    struct resolve_caps caps_without_border; /* the device's, when no more custom border colours are available */
    struct resolve_caps caps_of_common;      /* when no more samplers are available either */
    uint32_t border_limit;                   /* samplers with a custom border colour that the driver takes */
    _Atomic(uint32_t) border_samplers;       /* alive now, of the program's own and of pairs */
    _Atomic(uint32_t) program_borders;       /* of those, the program's own */
    struct saved_write_lock {
        _Alignas(64) pthread_mutex_t mutex;
    } saved_write_locks[SAVED_WRITE_LOCKS]; /* by thread, for following saved writes of descriptors (saved_writes.h)
                                             */
};

/* False: out of memory. For zeroed state, as those of other subsystems are. */
bool sampling_init(struct track *track);
void sampling_read_limits(struct track *track); /* the driver's, of custom border colours */
void sampling_finish(struct track *track);

#endif
