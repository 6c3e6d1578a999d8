/* SPDX-License-Identifier: MIT */
/*
 * Inserts descriptors into the cache. One thread writes a slot at a time: its turn is odd meanwhile. Words are stored
 * with release order, so that a reader that sees one of them also sees that turn, or a later one.
 */
#include "sampling/descriptor_cache.h"

#include <string.h>

struct descriptor_slot descriptor_slots[1u << DESCRIPTOR_CACHE_LOG2];

static void put(_Atomic(uint64_t) *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

void descriptor_insert(const struct descriptor_key *key, uint32_t count, uint64_t result, const void *bytes,
                       size_t size)
{
    struct descriptor_slot *slot = descriptor_slot_of(key, count);
    uint64_t words[DESCRIPTOR_CACHE_WORDS] = {0}, turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
    memcpy(words, key->words, count * sizeof(words[0]));
    memcpy(&words[count], bytes, size);
    if ((turn & 1) || !atomic_compare_exchange_strong_explicit(&slot->turn, &turn, turn + 1, memory_order_acquire,
                                                               memory_order_relaxed))
        return;
    put(&slot->device, key->device);
    put(&slot->gone, key->gone);
    put(&slot->how, key->how);
    put(&slot->result, result);
    for (size_t i = 0; i < count + (size + sizeof(words[0]) - 1) / sizeof(words[0]); i++)
        put(&slot->words[i], words[i]);
    put(&slot->turn, turn + 2);
}
