/* SPDX-License-Identifier: MIT */
/*
 * Writing what was met: one thread a place at a time, which an odd turn says. Words are released, so that a reader who
 * has seen one of them sees that turn, or a later one.
 */
#include <string.h>

#include "descriptors/met.h"
#include "objects/track.h"

struct met_place met_places[1u << MET_PLACES_LOG2];

static void put(_Atomic(uint64_t) *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

void met_keep(const struct met_key *key, const struct met *met)
{
    struct met_place *place = met_place(key);
    uint64_t words[MET_RECORD_WORDS], turn = atomic_load_explicit(&place->turn, memory_order_relaxed);
    memcpy(words, &met->record, sizeof(words));
    if ((turn & 1) || !atomic_compare_exchange_strong_explicit(&place->turn, &turn, turn + 1, memory_order_acquire,
                                                               memory_order_relaxed))
        return;
    put(&place->serial, key->serial);
    put(&place->gone, key->gone);
    put(&place->sampler, key->sampler);
    put(&place->view, key->view);
    put(&place->below_sampler, HANDLE_KEY(met->sampler));
    put(&place->below_view, HANDLE_KEY(met->view));
    put(&place->needs, (uint64_t)met->zero << 32 | met->needs);
    for (uint32_t i = 0; i < MET_RECORD_WORDS; i++)
        put(&place->record[i], words[i]);
    put(&place->turn, turn + 2);
}
