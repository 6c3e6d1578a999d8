/* SPDX-License-Identifier: MIT */
/*
 * Saved writes of descriptors name views and samplers that other threads may destroy, and drivers reuse handles
 * (saved_writes.c). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_SAVED_WRITES_H
#define CLAMPLER_SAMPLING_SAVED_WRITES_H

#include <stdatomic.h>
#include <stdint.h>

#include "objects/track.h"

/*
 * A saved write may outlive the views and samplers that it names, which other threads may destroy. Such an object is
 * looked up and used between saved_writes_begin and saved_writes_end. Destroying one calls saved_writes_forget, after
 * the object has left its table and before it is freed.
 */
void saved_writes_begin(struct track *track, struct held_messages *held);
void saved_writes_end(struct track *track, struct held_messages *held);
void saved_writes_forget(struct track *track);

/*
 * Counts of destroyed objects, for caches whose keys are handles: an entry stores the count, and is invalid when the
 * count has changed. The count grows before a driver can reuse a handle. It is enough to read it before the handles are
 * looked up, because a program does not destroy objects that a call uses.
 */
enum gone {
    GONE_HANDLES, /* views and samplers, the layer's own as well, and devices */
    GONE_IMAGES,  /* images, and devices */
    GONE_KINDS
};
struct gone_count {
    _Alignas(64) _Atomic(uint64_t) count;
};
extern struct gone_count gone_counts[GONE_KINDS];

static inline uint64_t gone_count(enum gone kind)
{
    return atomic_load_explicit(&gone_counts[kind].count, memory_order_acquire);
}
/*
 * Called before the driver destroys the object, and after it has left its table: a thread that reads the new count does
 * not find the object.
 */
static inline void gone_add(enum gone kind)
{
    atomic_fetch_add_explicit(&gone_counts[kind].count, 1, memory_order_release);
}

#endif
