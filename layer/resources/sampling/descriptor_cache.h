/* SPDX-License-Identifier: MIT */
/*
 * The cache of descriptors' results (descriptor_cache.c): programs write the same few descriptors again and again. The
 * key is everything that a descriptor is made from, and is compared whole; the result is a word and some bytes, of the
 * caller's choice (descriptors/combination_cache.h, app_descriptors/bytes.h).
 *
 * One table for all devices, with one slot for a key. Any thread may read it without a lock: a slot's `turn` is read
 * before and after the slot (a seqlock). A handle in a key is valid as long as no handle was destroyed since
 * (saved_writes.h).
 */
#ifndef CLAMPLER_SAMPLING_DESCRIPTOR_CACHE_H
#define CLAMPLER_SAMPLING_DESCRIPTOR_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/saved_writes.h"

enum {
    DESCRIPTOR_CACHE_LOG2 = 10,
    DESCRIPTOR_KEY_MOST = 8,     /* words of a key */
    DESCRIPTOR_CACHE_WORDS = 19, /* of a key, and behind it the bytes */
};

/* Everything that a descriptor is made from. Words beyond the caller's count are not read. */
struct descriptor_key {
    uint64_t device; /* what tells it from the others that are there */
    uint64_t gone;   /* gone_count, read before what is behind the handles is looked up */
    uint64_t how;    /* it is made of the words */
    uint64_t words[DESCRIPTOR_KEY_MOST];
};

struct descriptor_slot {
    _Alignas(64) _Atomic(uint64_t) turn; /* a seqlock's counter; odd: a descriptor is being written */
    _Atomic(uint64_t) device, gone, how;
    _Atomic(uint64_t) result;
    _Atomic(uint64_t) words[DESCRIPTOR_CACHE_WORDS];
};
extern struct descriptor_slot descriptor_slots[1u << DESCRIPTOR_CACHE_LOG2];

#define CACHE_INLINE static inline __attribute__((always_inline))

/* `count` must be a compile-time constant: then words beyond it cost nothing, and the others need no loop. */
CACHE_INLINE uint64_t descriptor_hash(const struct descriptor_key *key, uint32_t count)
{
    const uint64_t *words = key->words;
    uint64_t hash = words[0] * UINT64_C(0x9e3779b97f4a7c15);
#define CACHE_HASH(i, factor) hash += (i) < count ? (words[i] ^ words[i] >> 32) * UINT64_C(factor) : 0
    CACHE_HASH(1, 0xc2b2ae3d27d4eb4f);
    CACHE_HASH(2, 0xd6e8feb86659fd93);
    CACHE_HASH(3, 0xff51afd7ed558ccd);
    CACHE_HASH(4, 0xbf58476d1ce4e5b9);
    CACHE_HASH(5, 0x94d049bb133111eb);
    CACHE_HASH(6, 0xa0761d6478bd642f);
    CACHE_HASH(7, 0xe7037ed1a0b428db);
#undef CACHE_HASH
    return hash;
}

CACHE_INLINE struct descriptor_slot *descriptor_slot_of(const struct descriptor_key *key, uint32_t count)
{
    return &descriptor_slots[descriptor_hash(key, count) >> (64 - DESCRIPTOR_CACHE_LOG2)];
}

/* Acquiring, so that the last look at the turn comes last. */
CACHE_INLINE uint64_t descriptor_word(const _Atomic(uint64_t) *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

/*
 * The slot that has the key; NULL: none, or another thread is writing there. What is read of it by descriptor_word is
 * good if descriptor_holds says so afterwards. `count`: words of the key, a constant.
 */
CACHE_INLINE const struct descriptor_slot *descriptor_find(const struct descriptor_key *key, uint32_t count,
                                                           uint64_t *turn)
{
    const struct descriptor_slot *slot = descriptor_slot_of(key, count);
    *turn = descriptor_word(&slot->turn);
#define CACHE_SAME(i) ((i) >= count || descriptor_word(&slot->words[i]) == key->words[i])
    return !(*turn & 1) && CACHE_SAME(0) && CACHE_SAME(1) && CACHE_SAME(2) && CACHE_SAME(3) && CACHE_SAME(4) &&
                   CACHE_SAME(5) && CACHE_SAME(6) && CACHE_SAME(7) && descriptor_word(&slot->gone) == key->gone &&
                   descriptor_word(&slot->how) == key->how && descriptor_word(&slot->device) == key->device
               ? slot
               : NULL;
#undef CACHE_SAME
}

CACHE_INLINE bool descriptor_holds(const struct descriptor_slot *slot, uint64_t turn)
{
    return atomic_load_explicit(&slot->turn, memory_order_relaxed) == turn;
}

/* Keeps it for the next time, but where another thread is writing. There is room for the key and `size` bytes. */
void descriptor_insert(const struct descriptor_key *key, uint32_t count, uint64_t result, const void *bytes,
                       size_t size);

#endif
