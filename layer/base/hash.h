/* SPDX-License-Identifier: MIT */
/*
 * Hash: the layer's one hash of content, for tables whose keys are content. Tables whose keys are handles have their
 * own (objects/table.h). Pure. Messages and names of dumped files show its values, so it stays as it is. The high bits
 * are mixed better than the low ones.
 */
#ifndef CLAMPLER_HASH_H
#define CLAMPLER_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from `hash`: the count of the words, or an earlier hash. */
static inline uint64_t hash_words(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
    return hash;
}

#endif
