/* SPDX-License-Identifier: MIT */
/*
 * Pools, sets and the memory of their records (pool.c). Owned by the program's pool and as synchronised as Vulkan wants
 * it: one thread at a time, but for sets that may be written while they are bound.
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
    struct set *sets;                /* those that have records or special bindings */
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
    uint32_t first_unit, unit_count; /* of the arena */
    uint32_t place_count;            /* records that its memory has room for */
    uint32_t variable_count;         /* descriptors that this set has of its layout's variable-count binding */
    _Alignas(VkDescriptorImageInfo) struct record shadow[]; /* and what shadow_bytes has behind them */
};

/* Must the driver get writes to such sets otherwise than as they are, whatever they name (driver_write)? */
static inline bool layout_is_special(const struct set_layout *layout)
{
    return layout->renumbered || layout->driver_immutable;
}

static inline struct set *set_find(struct track *track, VkDescriptorSet handle)
{
    return table_find(&track->sets, HANDLE_KEY(handle));
}

#endif
