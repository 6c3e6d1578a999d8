/* SPDX-License-Identifier: MIT */
/* Application-managed descriptors that are asked for again, and so are worth keeping. */
#include "app_descriptors/bytes.h"
#include "sampling/descriptor_cache.h"

/* For each place, hash bits of the last key that was not found there. */
static _Atomic(uint32_t) asked[1u << DESCRIPTOR_CACHE_LOG2];

bool bytes_wanted(const struct descriptor_key *key, uint32_t count, size_t size)
{
    const uint64_t hash = descriptor_hash(key, count);
    _Atomic(uint32_t) *last = &asked[hash >> (64 - DESCRIPTOR_CACHE_LOG2)];
    const uint32_t bits = (uint32_t)(hash >> 16) | 1;
    if (size % sizeof(uint32_t) != 0 || size > (DESCRIPTOR_CACHE_WORDS - count) * sizeof(uint64_t))
        return false;
    if (atomic_load_explicit(last, memory_order_relaxed) == bits)
        return true;
    atomic_store_explicit(last, bits, memory_order_relaxed);
    return false;
}
