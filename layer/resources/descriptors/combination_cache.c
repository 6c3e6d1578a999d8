/* SPDX-License-Identifier: MIT */
/*
 * Inserting a combination: one thread a place at a time, which an uneven turn says. Words are released, so that a
 * reader who has seen one of them sees that turn, or a later one.
 */
#include <string.h>

#include "descriptors/combination_cache.h"
#include "objects/track.h"

struct combination_slot combination_slots[1u << COMBINATION_SLOTS_LOG2];

static void put(_Atomic(uint64_t) *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

void combination_insert(const struct combination_key *key, const struct combination *combination)
{
    struct combination_slot *place = combination_slot(key);
    uint64_t words[COMBINATION_RECORD_WORDS], turn = atomic_load_explicit(&place->turn, memory_order_relaxed);
    memcpy(words, &combination->record, sizeof(words));
    if ((turn & 1) || !atomic_compare_exchange_strong_explicit(&place->turn, &turn, turn + 1, memory_order_acquire,
                                                               memory_order_relaxed))
        return;
    put(&place->serial, key->serial);
    put(&place->gone, key->gone);
    put(&place->sampler, key->sampler);
    put(&place->view, key->view);
    put(&place->driver_sampler_handle, HANDLE_KEY(combination->sampler));
    put(&place->driver_view, HANDLE_KEY(combination->view));
    put(&place->needs, (uint64_t)combination->zero << 32 | combination->needs);
    for (uint32_t i = 0; i < COMBINATION_RECORD_WORDS; i++)
        put(&place->record[i], words[i]);
    put(&place->turn, turn + 2);
}
