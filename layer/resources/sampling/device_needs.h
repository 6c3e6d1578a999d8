/* SPDX-License-Identifier: MIT */
/*
 * The device's needs: the needs of all pairs of a sampler state and a view that the device has had (device_needs.c).
 * Draws use them where the records of a set are not known while they are recorded, because descriptors may be written
 * later (update-after-bind). They only grow; on a device without GL state they are 0.
 *
 * A pair that finds no room for its sampler in the driver has greater needs, and it is made at a write, perhaps after
 * the draw was recorded. So all pairs have those needs as well from the time on when the driver may not have room for
 * all.
 *
 * Any thread. Read without a lock; grows under the lock of sampler states.
 */
#ifndef CLAMPLER_SAMPLING_DEVICE_NEEDS_H
#define CLAMPLER_SAMPLING_DEVICE_NEEDS_H

#include <stdatomic.h>

#include "ahead/ahead.h"
#include "need/need.h"
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampling.h"

struct sampler_state_object;
struct view;

/*
 * Beside RECORD_NEED_*: shaders that take combined image samplers apart filter, because some sampler of one may have
 * been chosen for the image that it stands beside (pair_split).
 */
#define DEVICE_NEEDS_SPLIT_FILTER (1u << 31)
_Static_assert(RECORD_NEED_KINDS <= 31, "no need has that bit");

/* The device's needs of views of all kinds, and of all but views of integers, in one word. */
static inline uint64_t device_needs_word(const struct track *track)
{
    return atomic_load_explicit(&track->sampling->device_needs.needs, memory_order_relaxed);
}

/* The part of the word for a shader that follows these needs: RECORD_NEED_* and DEVICE_NEEDS_SPLIT_FILTER.
 */
static inline uint32_t device_needs_of(uint64_t word, uint32_t follows)
{
    return (uint32_t)(follows & NEEDS_OF_INTEGERS ? word : word >> 32);
}

/* RECORD_NEED_* that some descriptor of the device may have, and DEVICE_NEEDS_SPLIT_FILTER. */
static inline uint32_t device_needs_now(const struct track *track)
{
    return (uint32_t)device_needs_word(track);
}

/*
 * Needs as such a word; `integers`: of a view of integers. Those of its border (RECORD_MORE_BORDERED) are in both
 * parts: shaders that fetch texels or ask for sizes need not look up anything.
 */
static inline uint64_t device_needs_in_word(uint32_t needs, bool integers)
{
    const uint32_t of_border = RECORD_NEED_COORDS_IF_FETCH | RECORD_NEED_VIEW_EXTRAS;
    const uint32_t fetched = needs & RECORD_NEED_COORDS_IF_FETCH ? needs & of_border : 0;
    return needs | (uint64_t)(integers ? fetched : needs) << 32;
}

/* Adds the needs of such a word. */
static inline void device_needs_raise_word(struct track *track, uint64_t added)
{
    uint64_t known = device_needs_word(track);
    const bool rises = added & ~known;
    if (rises)
        known = atomic_fetch_or_explicit(&track->sampling->device_needs.needs, added, memory_order_relaxed) | added;
    /* Another thread that has raised the needs may not have set this yet. */
    if (!atomic_load_explicit(&track->may_emulate, memory_order_relaxed) &&
        needs_tier((uint32_t)known) != TIER_PASSTHROUGH)
        atomic_store_explicit(&track->may_emulate, true, memory_order_relaxed);
    if (rises)
        ahead_raise(track, (uint32_t)known, (uint32_t)(known >> 32));
}

/* Adds needs of texel buffers and input attachments, and of other than views. */
static inline void device_needs_raise(struct track *track, uint32_t needs)
{
    device_needs_raise_word(track, device_needs_in_word(needs, false));
}

/* Adds the needs of a new sampler state; under the lock of states. */
void device_needs_of_state(struct track *track, const struct sampler_state_object *state);

/* One that goes leaves the driver room; likewise. The needs stay. */
void device_needs_forget_state(struct track *track, const struct sampler_state_object *state);

/*
 * Adds the needs of all states where the driver may have no room for the samplers of their pairs, since the program has
 * one more of its own. Takes the lock of states if that was not known.
 */
void device_needs_of_room(struct track *track);

/* Adds the needs of a new view that may be sampled. Takes the lock of states if its class is new. */
void device_needs_of_view(struct track *track, const struct view *view);

bool device_needs_init(struct device_needs *device_needs);
void device_needs_finish(struct device_needs *device_needs);

#endif
