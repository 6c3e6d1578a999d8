/* SPDX-License-Identifier: MIT */
/*
 * Saved writes of descriptors names views and samplers that other threads may destroy, and handles come again
 * (saved_writes.c). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_SAVED_WRITES_H
#define CLAMPLER_SAMPLING_SAVED_WRITES_H

#include <stdatomic.h>
#include <stdint.h>

#include "objects/track.h"

/*
 * Notes outlive the views and samplers that they name, which other threads may destroy. Looking such an object up and
 * using it happens between saved_writes_begin and saved_writes_end. Destroying one calls saved_writes_forget, after the
 * object has left its table and before it is freed.
 */
void saved_writes_begin(struct track *track, struct held_messages *held);
void saved_writes_end(struct track *track, struct held_messages *held);
void saved_writes_forget(struct track *track);

/*
 * Whoever remembers something by handles, whatever the device, remembers the count as well: it grows before a driver
 * may give a handle out anew. It is void when the count is another one. Reading it first, and looking the handles up
 * after, is enough: a program does not destroy what it uses in a call.
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
/* Before the driver destroys one, and after it has left its table: who reads the new count finds it there no more. */
static inline void gone_add(enum gone kind)
{
    atomic_fetch_add_explicit(&gone_counts[kind].count, 1, memory_order_release);
}

#endif
