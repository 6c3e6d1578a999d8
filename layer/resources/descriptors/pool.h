/* SPDX-License-Identifier: MIT */
/*
 * Pools, sets and the memory of their records (pool.c). Owned by the program's pool and as synchronised as Vulkan wants
 * it: one thread at a time, but for sets that may be written while they are bound.
 */
#ifndef CLAMPLER_DESCRIPTORS_POOL_H
#define CLAMPLER_DESCRIPTORS_POOL_H

#include "descriptors/descriptors.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "objects/bitmap.h"
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
    bool can_free;   /* sets can be freed one by one */
    bool host_only;  /* sets are never bound, so that their records need no memory of the GPU's */
    bool by_threads; /* several threads may write a set at once (descriptor_type/relaxed.h) */
};

/* What some descriptors need, and how many of them each. */
struct need_counts {
    _Atomic(uint32_t) any; /* RECORD_NEED_* that some descriptor has; written by threads: that one has had */
    _Atomic(uint32_t) counts[RECORD_NEED_KINDS];
};

/* One more (1) or one less (-1) of a kind, by the only thread that may; how many there are now. */
static inline uint32_t needs_add(struct need_counts *needs, uint32_t kind, uint32_t difference)
{
    const uint32_t count = atomic_load_explicit(&needs->counts[kind], memory_order_relaxed) + difference;
    atomic_store_explicit(&needs->counts[kind], count, memory_order_relaxed);
    return count;
}

/*
 * The same where several threads write descriptors of one set at once. `any` only grows there: who takes the last need
 * of a kind away cannot take its bit away as well without losing one that comes meanwhile. needs_any() looks at the
 * counts.
 */
static inline void needs_change_by_threads(struct need_counts *needs, uint32_t before, uint32_t after)
{
    for (uint32_t more = after & ~before; more; more &= more - 1)
        atomic_fetch_add_explicit(&needs->counts[__builtin_ctz(more)], 1, memory_order_relaxed);
    for (uint32_t less = before & ~after; less; less &= less - 1)
        atomic_fetch_sub_explicit(&needs->counts[__builtin_ctz(less)], 1, memory_order_relaxed);
    if (after & ~atomic_load_explicit(&needs->any, memory_order_relaxed))
        atomic_fetch_or_explicit(&needs->any, after, memory_order_relaxed);
}

/* A descriptor's needs have changed: the set's follow. */
static inline void needs_change(struct need_counts *needs, bool by_threads, uint32_t before, uint32_t after)
{
    if (by_threads) {
        needs_change_by_threads(needs, before, after);
        return;
    }
    uint32_t any = atomic_load_explicit(&needs->any, memory_order_relaxed) | after;
    for (uint32_t more = after & ~before; more; more &= more - 1)
        needs_add(needs, (uint32_t)__builtin_ctz(more), 1);
    for (uint32_t less = before & ~after; less; less &= less - 1) {
        if (needs_add(needs, (uint32_t)__builtin_ctz(less), UINT32_MAX) == 0)
            any &= ~(less & -less);
    }
    atomic_store_explicit(&needs->any, any, memory_order_relaxed);
}

/* RECORD_NEED_* that some descriptor has. What a thread has written that the caller does not know of may be missing. */
static inline uint32_t needs_any(const struct need_counts *needs, bool by_threads)
{
    uint32_t any = atomic_load_explicit(&needs->any, memory_order_relaxed);
    for (uint32_t kinds = by_threads ? any : 0; kinds; kinds &= kinds - 1) {
        if (atomic_load_explicit(&needs->counts[__builtin_ctz(kinds)], memory_order_relaxed) == 0)
            any &= ~(kinds & -kinds);
    }
    return any;
}

/* What the host keeps of a descriptor's needs. */
struct descriptor_needs {
    uint32_t record; /* RECORD_NEED_* of the record, bit 31: it is not zero */
    uint32_t split;  /* RECORD_NEED_* of the records of both when it is split, where they are kept */
};

/*
 * What was last written to a descriptor, by the program's handles, which may be gone; what the type ignores may be
 * anything. This layout: nothing was written. A draw may read it while another thread writes it (split.c).
 */
#define NOT_WRITTEN VK_IMAGE_LAYOUT_MAX_ENUM

static inline VkDescriptorImageInfo written_read(const VkDescriptorImageInfo *written)
{
    return (VkDescriptorImageInfo){
        .sampler = __atomic_load_n(&written->sampler, __ATOMIC_RELAXED),
        .imageView = __atomic_load_n(&written->imageView, __ATOMIC_RELAXED),
        .imageLayout = __atomic_load_n(&written->imageLayout, __ATOMIC_RELAXED),
    };
}

static inline void written_put(VkDescriptorImageInfo *written, const VkDescriptorImageInfo *info)
{
    __atomic_store_n(&written->sampler, info->sampler, __ATOMIC_RELAXED);
    __atomic_store_n(&written->imageView, info->imageView, __ATOMIC_RELAXED);
    __atomic_store_n(&written->imageLayout, info->imageLayout, __ATOMIC_RELAXED);
}

/* What of a set's records is in the GPU's memory (stale.h). */
enum uploaded { UPLOADED_NOTHING, UPLOADED_SOME, UPLOADING, UPLOADED_ALL };

/* The records of one set, in its memory and on the host. What every write reads comes first. */
struct records {
    VkDescriptorImageInfo *written;     /* of each of them */
    const struct binding_brief *briefs; /* the layout's */
    uint32_t brief_count;
    uint32_t count;
    _Atomic(bool) any_needs; /* some combined image sampler may have a record that is not zero */
    _Atomic(bool) any_stale; /* some are to be made of what was written: those of `stale` (stale.h) */
    bool by_threads;         /* several threads may write records, or one write and one send them */
    bool open;               /* what they need is unknown when commands are recorded */
    bool special;            /* of a set: layout_is_special */
    bool notes;              /* nothing of the like: a saved write may be all that a write or copy comes to */
    struct bitmap stale;
    _Atomic(uint32_t) split_wanted; /* 1: a thread that saves a write makes the records of the split sampler, too */
    _Atomic(uint32_t) uploaded;     /* enum uploaded; never UPLOADED_SOME `by_threads` */
    struct need_counts needs;
    struct bitmap not_uploaded; /* UPLOADED_SOME: those that are newer on the host */
    struct record *gpu;    /* where shaders read them; write only; NULL: uploaded by others (push/push.h), or never */
    struct record *shadow; /* the newest, but for those that are stale */
    struct descriptor_needs *each; /* of each of them */
    _Atomic(bool) split;           /* those of all descriptors are there */
    struct need_counts split_needs;
};

/* Bytes of a host copy of records, and of what is kept of each. */
static inline size_t shadow_bytes(uint32_t record_count)
{
    return record_count * (sizeof(struct record) + sizeof(VkDescriptorImageInfo) + sizeof(struct descriptor_needs)) +
           2 * bitmap_bytes(record_count);
}

/* Gives zeroed memory of shadow_bytes its parts: nothing is written. The layout stays as long as the records. */
static inline void shadow_place(struct records *records, const struct set_layout *layout, struct record *memory,
                                uint32_t record_count)
{
    records->briefs = layout->briefs;
    records->brief_count = layout->briefs ? layout->index_count : 0;
    records->count = record_count;
    records->shadow = memory;
    records->written = (VkDescriptorImageInfo *)(void *)(memory + record_count);
    records->each = (struct descriptor_needs *)(void *)(records->written + record_count);
    uint64_t *words = (uint64_t *)(void *)(records->each + record_count);
    records->stale = bitmap_of(record_count, words);
    records->not_uploaded = bitmap_of(record_count, words + bitmap_bytes(record_count) / sizeof(*words));
    for (uint32_t i = 0; i < record_count; i++)
        records->written[i].imageLayout = NOT_WRITTEN;
}

/* Bits of 64 that other threads may read meanwhile. */
typedef uint64_t __attribute__((may_alias)) record_word;

static inline void record_copy_shared(struct record *to, const void *from)
{
    record_word *out = (record_word *)to;
    const record_word *in = from;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < sizeof(*to) / sizeof(*out); i++)
        __atomic_store_n(&out[i], __atomic_load_n(&in[i], __ATOMIC_ACQUIRE), __ATOMIC_RELAXED);
}

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
