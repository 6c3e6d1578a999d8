/* SPDX-License-Identifier: MIT */
/*
 * Writing descriptors that were asked for: one thread a place at a time, which an uneven turn says. Words are released,
 * so that a reader who has seen one of them sees that turn, or a later one.
 */
#include "app_descriptors/bytes.h"

struct bytes_place bytes_places[1u << BYTES_PLACES_LOG2];

/* Of what was last asked for at each place and was not there: bits of its hash. */
static _Atomic(uint32_t) asked[1u << BYTES_PLACES_LOG2];

bool bytes_wanted(const struct bytes_key *key, uint32_t count, size_t size)
{
    const uint64_t hash = bytes_hash(key, count);
    _Atomic(uint32_t) *last = &asked[hash >> (64 - BYTES_PLACES_LOG2)];
    const uint32_t bits = (uint32_t)(hash >> 16) | 1;
    if (size % sizeof(uint32_t) != 0 || size > (BYTES_WORDS - count) * sizeof(uint64_t))
        return false;
    if (atomic_load_explicit(last, memory_order_relaxed) == bits)
        return true;
    atomic_store_explicit(last, bits, memory_order_relaxed);
    return false;
}

static void put(_Atomic(uint64_t) *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

void bytes_insert(const struct bytes_key *key, uint32_t count, const void *bytes, size_t size, uint32_t number)
{
    struct bytes_place *place = &bytes_places[bytes_hash(key, count) >> (64 - BYTES_PLACES_LOG2)];
    uint64_t words[BYTES_WORDS] = {0}, turn = atomic_load_explicit(&place->turn, memory_order_relaxed);
    memcpy(words, key->words, count * sizeof(words[0]));
    memcpy(&words[count], bytes, size);
    if ((turn & 1) || !atomic_compare_exchange_strong_explicit(&place->turn, &turn, turn + 1, memory_order_acquire,
                                                               memory_order_relaxed))
        return;
    put(&place->device, key->device);
    put(&place->gone, key->gone);
    put(&place->how, key->how);
    put(&place->result, (uint64_t)size << 32 | number);
    for (size_t i = 0; i < count + (size + sizeof(words[0]) - 1) / sizeof(words[0]); i++)
        put(&place->words[i], words[i]);
    put(&place->turn, turn + 2);
}
