/* SPDX-License-Identifier: MIT */
/*
 * The cache of descriptors' bytes (bytes.c). A descriptor may be copied as long as the objects it was made from live.
 * So a program that gets the same descriptor again receives a copy of the driver's bytes and of the record index.
 */
#ifndef CLAMPLER_APP_DESCRIPTORS_BYTES_H
#define CLAMPLER_APP_DESCRIPTORS_BYTES_H

#include <string.h>

#include "dispatch_map/dispatch_map.h"
#include "sampling/descriptor_cache.h"

enum { BYTES_MOST = (DESCRIPTOR_CACHE_WORDS - 1) * sizeof(uint64_t) };

enum bytes_call { BYTES_GET, BYTES_WRITE };

/*
 * The word `how` of a key: the call, the type, the program's size of it, the layout. `size` is less than 2^16 - 1, and
 * types are less than 2^15: others are not cached.
 */
static inline uint64_t bytes_how(enum bytes_call call, uint32_t type, size_t size, uint32_t layout)
{
    return (uint64_t)layout << 32 | (uint64_t)size << 16 | type << 1 | (uint32_t)call;
}

/* Combines pairs of 32-bit words to 64-bit words. */
CACHE_INLINE void bytes_join(const uint32_t *split, uint32_t count, uint64_t *words)
{
    for (uint32_t i = 0; i < count; i++)
        memcpy(&words[i], &split[2 * i], sizeof(words[i]));
}

/*
 * In ascending order without gaps, which is fast in write-combined memory. `size`: a multiple of four. Returns the end
 * of what is written.
 */
CACHE_INLINE char *bytes_copy(const _Atomic(uint64_t) *from, uint32_t size, char *to)
{
    const uint32_t words = size / 8;
    const _Atomic(uint64_t) *end = from + words;
    to += words * sizeof(uint64_t);
    switch (words) {
#define BYTES_COPY(i)                                                                                                  \
    case i: {                                                                                                          \
        const uint64_t word = descriptor_word(end - (i));                                                              \
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
        const uint64_t word = descriptor_word(end);
        memcpy(to, &word, 4);
        to += 4;
    }
    return to;
}

/*
 * The record index, and zeros up to `room` bytes: so all bytes of a descriptor are defined. Where there is less room,
 * the record index alone.
 */
CACHE_INLINE void bytes_end(char *to, uint32_t record_index, size_t room)
{
    const uint32_t first[4] = {record_index};
    if (room % sizeof(first) != 0 || room - 1 > 8 * sizeof(first) - 1) {
        memcpy(to, &record_index, sizeof(record_index));
        if (room > sizeof(record_index))
            memset(to + sizeof(record_index), 0, room - sizeof(record_index));
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
 * Writes the driver's bytes to `to`, and the descriptor's end behind them. False: the key is not in the cache, or
 * another thread was writing there, and `to` may hold anything. `count`: words of the key, a constant.
 */
CACHE_INLINE bool bytes_find(const struct descriptor_key *key, uint32_t count, char *to)
{
    uint64_t turn;
    const struct descriptor_slot *slot = descriptor_find(key, count, &turn);
    if (!slot)
        return false;
    const uint64_t result =
        descriptor_word(&slot->result); /* the record index, and above it the size of the driver's bytes */
    const uint32_t record_index = (uint32_t)result;
    if (!descriptor_holds(slot, turn))
        return false; /* it may be the size of another descriptor, for which there is no room */
    const size_t all = (uint16_t)(key->how >> 16), driver = (size_t)(result >> 32);
    to = bytes_copy(&slot->words[count], (uint32_t)driver, to);
    bytes_end(to, record_index, all > driver ? all - driver : 0);
    return descriptor_holds(slot, turn);
}

/*
 * True: the key was looked up before, not long ago, and should be inserted. Descriptors that are looked up once cost no
 * more than this.
 */
bool bytes_wanted(const struct descriptor_key *key, uint32_t count, size_t size);

/* Inserts `size` bytes of the driver's and the record index. */
static inline void bytes_insert(const struct descriptor_key *key, uint32_t count, const void *bytes, size_t size,
                                uint32_t record_index)
{
    descriptor_insert(key, count, (uint64_t)size << 32 | record_index, bytes, size);
}

#endif
