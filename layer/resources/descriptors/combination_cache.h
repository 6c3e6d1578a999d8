/* SPDX-License-Identifier: MIT */
/* The latest combinations of samplers and views, kept in the cache of descriptors (sampling/descriptor_cache.h). */
#ifndef CLAMPLER_DESCRIPTORS_COMBINATION_CACHE_H
#define CLAMPLER_DESCRIPTORS_COMBINATION_CACHE_H

#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/descriptor_cache.h"
#include "sampling/saved_writes.h"

struct combination {
    VkSampler sampler; /* as the driver gets it */
    VkImageView view;
    struct record record; /* here, if `slot` is NULL */
    uint32_t needs;       /* RECORD_NEED_* */
    bool zero;            /* the record is zero */
    const struct descriptor_slot
        *slot; /* the record is here, valid if combination_holds() is true after it was copied */
    uint64_t turn;
};

/* In the cache: sampler and view of the key, the driver's, the record. */
enum { COMBINATION_KEY = 2, COMBINATION_BYTES = offsetof(struct combination, record) + sizeof(struct record) };
_Static_assert(COMBINATION_BYTES <= (DESCRIPTOR_CACHE_WORDS - COMBINATION_KEY) * sizeof(uint64_t), "there is room");
_Static_assert(offsetof(struct combination, record) == 2 * sizeof(uint64_t), "handles have 64 bits");

/* The key of a sampler in a descriptor of its own: no view that the layer knows has this handle. */
#define COMBINATION_ALONE TABLE_REMOVED

CACHE_INLINE void combination_key(const struct track *track, VkSampler sampler, uint64_t view,
                                  struct descriptor_key *key)
{
    key->device = atomic_load_explicit(&track->serial, memory_order_relaxed);
    key->gone = gone_count(GONE_HANDLES);
    key->how = UINT64_MAX; /* unlike every app-managed descriptor (app_descriptors/bytes.h) */
    key->words[0] = HANDLE_KEY(sampler);
    key->words[1] = view;
}

/* False: not in the cache, or another thread is writing the slot. */
CACHE_INLINE bool combination_find(const struct descriptor_key *key, struct combination *combination)
{
    const struct descriptor_slot *slot = descriptor_find(key, COMBINATION_KEY, &combination->turn);
    if (!slot)
        return false;
    const uint64_t needs = descriptor_word(&slot->result);
    combination->sampler = HANDLE_OF(VkSampler, descriptor_word(&slot->words[COMBINATION_KEY]));
    combination->view = HANDLE_OF(VkImageView, descriptor_word(&slot->words[COMBINATION_KEY + 1]));
    combination->needs = (uint32_t)needs;
    combination->zero = needs >> 32;
    combination->slot = slot;
    return descriptor_holds(slot, combination->turn);
}

/* The source for record_copy_shared(); the copy is valid if combination_holds() is true afterwards. */
static inline const void *combination_record(const struct combination *combination)
{
    return combination->slot ? (const void *)&combination->slot->words[COMBINATION_KEY + 2] : &combination->record;
}

static inline bool combination_holds(const struct combination *combination)
{
    return !combination->slot || descriptor_holds(combination->slot, combination->turn);
}

static inline void combination_insert(const struct descriptor_key *key, const struct combination *combination)
{
    descriptor_insert(key, COMBINATION_KEY, (uint64_t)combination->zero << 32 | combination->needs, combination,
                      COMBINATION_BYTES);
}

#endif
