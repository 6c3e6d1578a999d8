/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that were asked for before (bytes.c). A descriptor may be copied as long as what it was made of lives, so
 * that whoever asks for the same once more gets a copy of the driver's bytes and of the number: neither is made anew.
 * What it is the same as is compared whole.
 *
 * One table for all devices, with one place for a key. Any thread, without a lock: a place is read between looks at its
 * turn.
 */
#ifndef CLAMPLER_APP_DESCRIPTORS_BYTES_H
#define CLAMPLER_APP_DESCRIPTORS_BYTES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dispatch_map/dispatch_map.h"
#include "sampling/saved_writes.h"

enum {
    BYTES_PLACES_LOG2 = 10,
    BYTES_KEY_MOST = 8, /* words of a key */
    BYTES_WORDS = 19,   /* of a key, and behind it the driver's bytes */
    BYTES_MOST = (BYTES_WORDS - 1) * sizeof(uint64_t),
};

/* What a descriptor is made of, in the manner of one call. Words beyond those that the caller counts are not read. */
struct bytes_key {
    uint64_t device; /* its dispatch key */
    uint64_t gone;   /* gone_count, read before what is behind the handles is looked up */
    uint64_t how;    /* call, type, the program's size of it, layout (bytes_how) */
    uint64_t words[BYTES_KEY_MOST];
};

enum bytes_call { BYTES_GET, BYTES_WRITE };

/* `size` is less than 2^16, and types are: others are not remembered. */
static inline uint64_t bytes_how(enum bytes_call call, uint32_t type, size_t size, uint32_t layout)
{
    return (uint64_t)layout << 32 | (uint64_t)size << 16 | type << 1 | (uint32_t)call;
}

struct bytes_place {
    _Alignas(64) _Atomic(uint64_t) turn; /* grows by two with each descriptor; uneven: one is being written */
    _Atomic(uint64_t) device, gone, how;
    _Atomic(uint64_t) result; /* the number, and above it the size of the driver's bytes */
    _Atomic(uint64_t) words[BYTES_WORDS];
};
extern struct bytes_place bytes_places[1u << BYTES_PLACES_LOG2];

#define BYTES_INLINE static inline __attribute__((always_inline))

/* Halves of words to words, pair by pair. */
BYTES_INLINE void bytes_join(const uint32_t *split, uint32_t count, uint64_t *words)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(&words[i], &split[2 * i], sizeof(words[i]));
}

/* `count` is a constant: what is beyond it is left out when this is compiled, and the rest needs no loop. */
BYTES_INLINE uint64_t bytes_hash(const struct bytes_key *key, uint32_t count)
{
    const uint64_t *words = key->words;
    uint64_t hash = words[0] * UINT64_C(0x9e3779b97f4a7c15);
#define BYTES_HASH(i, factor) hash += (i) < count ? (words[i] ^ words[i] >> 32) * UINT64_C(factor) : 0
    BYTES_HASH(1, 0xc2b2ae3d27d4eb4f);
    BYTES_HASH(2, 0xd6e8feb86659fd93);
    BYTES_HASH(3, 0xff51afd7ed558ccd);
    BYTES_HASH(4, 0xbf58476d1ce4e5b9);
    BYTES_HASH(5, 0x94d049bb133111eb);
    BYTES_HASH(6, 0xa0761d6478bd642f);
    BYTES_HASH(7, 0xe7037ed1a0b428db);
#undef BYTES_HASH
    return hash;
}

/* Acquiring, so that the last look at the turn comes last. */
BYTES_INLINE uint64_t bytes_load(const _Atomic(uint64_t) *word)
{
    return atomic_load_explicit(word, memory_order_acquire);
}

BYTES_INLINE bool bytes_is(const struct bytes_place *place, const struct bytes_key *key, uint32_t count)
{
#define BYTES_SAME(i) ((i) >= count || bytes_load(&place->words[i]) == key->words[i])
    return bytes_load(&place->device) == key->device && bytes_load(&place->gone) == key->gone &&
           bytes_load(&place->how) == key->how && BYTES_SAME(0) && BYTES_SAME(1) && BYTES_SAME(2) && BYTES_SAME(3) &&
           BYTES_SAME(4) && BYTES_SAME(5) && BYTES_SAME(6) && BYTES_SAME(7);
#undef BYTES_SAME
}

/* In one sweep, as memory that is not cached wants it. `size`: a multiple of four. Returns the end of what is written.
 */
BYTES_INLINE char *bytes_copy(const _Atomic(uint64_t) *from, uint32_t size, char *to)
{
    const uint32_t words = size / 8;
    const _Atomic(uint64_t) *end = from + words;
    to += words * sizeof(uint64_t);
    switch (words) {
#define BYTES_COPY(i)                                                                                                  \
    case i: {                                                                                                          \
        const uint64_t word = bytes_load(end - (i));                                                                   \
        memcpy(to - (i) * sizeof(word), &word, sizeof(word));                                                          \
    }                                                                                                                  \
        __attribute__((fallthrough));
        BYTES_COPY(18)
        BYTES_COPY(17)
        BYTES_COPY(16)
        BYTES_COPY(15)
        BYTES_COPY(14)
        BYTES_COPY(13)
        BYTES_COPY(12)
        BYTES_COPY(11)
        BYTES_COPY(10)
        BYTES_COPY(9)
        BYTES_COPY(8)
        BYTES_COPY(7)
        BYTES_COPY(6)
        BYTES_COPY(5)
        BYTES_COPY(4)
        BYTES_COPY(3)
        BYTES_COPY(2)
        BYTES_COPY(1)
#undef BYTES_COPY
    default:
        break;
    }
    if (size & 4) {
        const uint64_t word = bytes_load(end);
        memcpy(to, &word, 4);
        to += 4;
    }
    return to;
}

/*
 * The number, and zeros up to `room` bytes: all bytes of a descriptor follow from what it was made of. Where there is
 * less room, the number alone.
 */
BYTES_INLINE void bytes_end(char *to, uint32_t number, size_t room)
{
    const uint32_t first[4] = {number};
    if (room % sizeof(first) != 0 || room - 1 > 8 * sizeof(first) - 1) {
        memcpy(to, &number, sizeof(number));
        if (room > sizeof(number))
            memset(to + sizeof(number), 0, room - sizeof(number));
        return;
    }
    memcpy(to, first, sizeof(first));
    switch (room / sizeof(first)) { /* as it is with nearly all drivers */
#define BYTES_ZERO(i)                                                                                                  \
    case i:                                                                                                            \
        memset(to + ((i)-1) * sizeof(first), 0, sizeof(first));                                                        \
        __attribute__((fallthrough));
        BYTES_ZERO(8)
        BYTES_ZERO(7)
        BYTES_ZERO(6)
        BYTES_ZERO(5)
        BYTES_ZERO(4)
        BYTES_ZERO(3)
        BYTES_ZERO(2)
#undef BYTES_ZERO
    default:
        break;
    }
}

/*
 * Writes the driver's bytes to `to`, and what ends the descriptor behind them. False: it is not known, or another
 * thread was writing there, and `to` may hold anything. `count`: words of the key, a constant.
 */
BYTES_INLINE bool bytes_find(const struct bytes_key *key, uint32_t count, char *to)
{
    const struct bytes_place *place = &bytes_places[bytes_hash(key, count) >> (64 - BYTES_PLACES_LOG2)];
    const uint64_t turn = bytes_load(&place->turn);
    if ((turn & 1) || !bytes_is(place, key, count))
        return false;
    const uint64_t result = bytes_load(&place->result);
    const uint32_t number = (uint32_t)result;
    if (bytes_load(&place->turn) != turn)
        return false; /* it may be the size of another descriptor, for which there is no room */
    const size_t all = (uint16_t)(key->how >> 16), driver = (size_t)(result >> 32);
    to = bytes_copy(&place->words[count], (uint32_t)driver, to);
    bytes_end(to, number, all > driver ? all - driver : 0);
    return atomic_load_explicit(&place->turn, memory_order_relaxed) == turn;
}

/*
 * Is it worth keeping: was it asked for before, not long ago? What is asked for once costs no more than that question.
 */
bool bytes_wanted(const struct bytes_key *key, uint32_t count, size_t size);

/* Keeps `size` bytes of the driver's and the number. Nothing is kept where another thread is writing. */
void bytes_insert(const struct bytes_key *key, uint32_t count, const void *bytes, size_t size, uint32_t number);

#endif
