/* SPDX-License-Identifier: MIT */
/*
 * What samplers and views came to when they were met last: programs write the same few pairs again and again. (met.c)
 *
 * One table for all devices, with one place for a key. Any thread, without a lock: a place is read between looks at its
 * turn. Handles are good as long as none was destroyed since (sampling/notes.h).
 */
#ifndef CLAMPLER_DESCRIPTORS_MET_H
#define CLAMPLER_DESCRIPTORS_MET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/notes.h"

enum { MET_PLACES_LOG2 = 10, MET_RECORD_WORDS = sizeof(struct record) / sizeof(uint64_t) };

struct met_key {
    uint64_t serial; /* of the device */
    uint64_t gone;   /* gone_count, read before what is behind the handles is looked up */
    uint64_t sampler, view;
};

/* Where a sampler is met in a descriptor of its own: no view that the layer knows has this handle. */
#define MET_ALONE TABLE_REMOVED

struct met {
    VkSampler sampler; /* as the driver gets it */
    VkImageView view;
    uint32_t needs;                /* RECORD_NEED_* */
    bool zero;                     /* the record is zero */
    const struct met_place *where; /* the record is there, if met_holds says so after it was copied; NULL: it is here */
    uint64_t turn;
    struct record record;
};

struct met_place {
    _Alignas(64) _Atomic(uint64_t) turn; /* grows by two with each pair; odd: one is being written */
    _Atomic(uint64_t) serial, gone, sampler, view;
    _Atomic(uint64_t) below_sampler, below_view, needs; /* needs: above them whether the record is zero */
    _Atomic(uint64_t) record[MET_RECORD_WORDS];
};
extern struct met_place met_places[1u << MET_PLACES_LOG2];

static inline struct met_key met_key(const struct track *track, VkSampler sampler, uint64_t view)
{
    return (struct met_key){atomic_load_explicit(&track->serial, memory_order_relaxed), gone_count(GONE_HANDLES),
                            HANDLE_KEY(sampler), view};
}

static inline struct met_place *met_place(const struct met_key *key)
{
    const uint64_t hash =
        key->sampler * UINT64_C(0x9e3779b97f4a7c15) + (key->view ^ key->view >> 32) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return &met_places[hash >> (64 - MET_PLACES_LOG2)];
}

/* Acquiring, so that the last look at the turn comes last. */
static inline uint64_t met_load(const _Atomic(uint64_t) *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

/* False: it is not known, or another thread is writing there. */
static inline __attribute__((always_inline)) bool met_find(const struct met_key *key, struct met *met)
{
    const struct met_place *place = met_place(key);
    const uint64_t turn = met_load(&place->turn);
    if ((turn & 1) || met_load(&place->sampler) != key->sampler || met_load(&place->view) != key->view ||
        met_load(&place->gone) != key->gone || met_load(&place->serial) != key->serial)
        return false;
    const uint64_t needs = met_load(&place->needs);
    met->sampler = HANDLE_OF(VkSampler, met_load(&place->below_sampler));
    met->view = HANDLE_OF(VkImageView, met_load(&place->below_view));
    met->needs = (uint32_t)needs;
    met->zero = needs >> 32;
    met->where = place;
    met->turn = turn;
    return met_load(&place->turn) == turn;
}

/* What record_copy_shared copies; it is good if met_holds says so afterwards. */
static inline const void *met_record(const struct met *met)
{
    return met->where ? (const void *)met->where->record : &met->record;
}

static inline bool met_holds(const struct met *met)
{
    return !met->where || atomic_load_explicit(&met->where->turn, memory_order_relaxed) == met->turn;
}

/* Keeps it for the next time, but where another thread is writing. */
void met_keep(const struct met_key *key, const struct met *met);

#endif
