/* SPDX-License-Identifier: MIT */
/*
 * What samplers and views came to last: programs write the same few pairs again and again.
 * (combination_cache.c)
 *
 * One table for all devices, with one place for a key. Any thread, without a lock: a place is read between looks at its
 * turn. Handles are good as long as none was destroyed since (sampling/saved_writes.h).
 */
#ifndef CLAMPLER_DESCRIPTORS_COMBINATION_CACHE_H
#define CLAMPLER_DESCRIPTORS_COMBINATION_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/saved_writes.h"

enum { COMBINATION_SLOTS_LOG2 = 10, COMBINATION_RECORD_WORDS = sizeof(struct record) / sizeof(uint64_t) };

struct combination_key {
    uint64_t serial; /* of the device */
    uint64_t gone;   /* gone_count, read before what is behind the handles is looked up */
    uint64_t sampler, view;
};

/* The key of a sampler in a descriptor of its own: no view that the layer knows has this handle. */
#define COMBINATION_ALONE TABLE_REMOVED

struct combination {
    VkSampler sampler; /* as the driver gets it */
    VkImageView view;
    uint32_t needs; /* RECORD_NEED_* */
    bool zero;      /* the record is zero */
    const struct combination_slot
        *where; /* the record is there, if combination_holds says so after it was copied; NULL: it is here */
    uint64_t turn;
    struct record record;
};

struct combination_slot {
    _Alignas(64) _Atomic(uint64_t) turn; /* grows by two with each pair; uneven: one is being written */
    _Atomic(uint64_t) serial, gone, sampler, view;
    _Atomic(uint64_t) driver_sampler_handle, driver_view, needs; /* needs: above them whether the record is zero */
    _Atomic(uint64_t) record[COMBINATION_RECORD_WORDS];
};
extern struct combination_slot combination_slots[1u << COMBINATION_SLOTS_LOG2];

static inline struct combination_key combination_key(const struct track *track, VkSampler sampler, uint64_t view)
{
    return (struct combination_key){atomic_load_explicit(&track->serial, memory_order_relaxed),
                                    gone_count(GONE_HANDLES), HANDLE_KEY(sampler), view};
}

static inline struct combination_slot *combination_slot(const struct combination_key *key)
{
    const uint64_t hash =
        key->sampler * UINT64_C(0x9e3779b97f4a7c15) + (key->view ^ key->view >> 32) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return &combination_slots[hash >> (64 - COMBINATION_SLOTS_LOG2)];
}

/* Acquiring, so that the last look at the turn comes last. */
static inline uint64_t combination_load(const _Atomic(uint64_t) *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

/* False: it is not known, or another thread is writing there. */
static inline __attribute__((always_inline)) bool combination_find(const struct combination_key *key,
                                                                   struct combination *combination)
{
    const struct combination_slot *place = combination_slot(key);
    const uint64_t turn = combination_load(&place->turn);
    if ((turn & 1) || combination_load(&place->sampler) != key->sampler ||
        combination_load(&place->view) != key->view || combination_load(&place->gone) != key->gone ||
        combination_load(&place->serial) != key->serial)
        return false;
    const uint64_t needs = combination_load(&place->needs);
    combination->sampler = HANDLE_OF(VkSampler, combination_load(&place->driver_sampler_handle));
    combination->view = HANDLE_OF(VkImageView, combination_load(&place->driver_view));
    combination->needs = (uint32_t)needs;
    combination->zero = needs >> 32;
    combination->where = place;
    combination->turn = turn;
    return combination_load(&place->turn) == turn;
}

/* What record_copy_shared copies; it is good if combination_holds says so afterwards. */
static inline const void *combination_record(const struct combination *combination)
{
    return combination->where ? (const void *)combination->where->record : &combination->record;
}

static inline bool combination_holds(const struct combination *combination)
{
    return !combination->where ||
           atomic_load_explicit(&combination->where->turn, memory_order_relaxed) == combination->turn;
}

/* Keeps it for the next time, but where another thread is writing. */
void combination_insert(const struct combination_key *key, const struct combination *combination);

#endif
