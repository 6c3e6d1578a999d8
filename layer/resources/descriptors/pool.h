/* SPDX-License-Identifier: MIT */
/*
 * Pools, sets and the memory of their records (pool.c). Owned by the program's pool. Externally synchronised, as in
 * Vulkan: one thread at a time, except for update-after-bind sets.
 */
#ifndef CLAMPLER_DESCRIPTORS_POOL_H
#define CLAMPLER_DESCRIPTORS_POOL_H

#include "descriptors/descriptors.h"
#include "descriptors/records.h"
#include "layouts/set_layout.h"
#include "objects/memory.h"
#include "objects/table.h"
#include "objects/track.h"
#include "record/record.h"

struct pool {
    VkAllocationCallbacks callbacks; /* the program's, for the sets; pfnAllocation NULL: none */
    struct set *sets;                /* the sets with records or special bindings */
    struct arena *arenas;
    uint32_t record_capacity; /* records that the pool's sizes allow for */
    uint32_t max_sets;
    VkDescriptorPoolCreateFlags flags;
};

struct set {
    struct records records;
    struct set_layout *layout; /* referenced */
    VkDescriptorSet handle;
    struct pool *pool;
    struct set *previous, *next;
    struct arena *arena;
    uint32_t first_unit, unit_count;                        /* of the arena */
    uint32_t place_count;                                   /* records that fit its memory */
    uint32_t variable_count;                                /* descriptors in the variable-count binding */
    _Alignas(VkDescriptorImageInfo) struct record shadow[]; /* and what shadow_bytes has behind them */
};

/* True: every write to such sets must be changed for the driver (driver_write). */
static inline bool layout_is_special(const struct set_layout *layout)
{
    return layout->renumbered || layout->driver_immutable;
}

static inline struct set *set_find(struct track *track, VkDescriptorSet handle)
{
    return table_find(&track->sets, HANDLE_KEY(handle));
}

#endif
