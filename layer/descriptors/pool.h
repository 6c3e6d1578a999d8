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
    bool can_free; /* sets can be freed one by one */
};

/* What some descriptors need, and how many of them each. */
struct need_counts {
    _Atomic(uint32_t) any; /* RECORD_NEED_* that some descriptor has */
    uint32_t counts[RECORD_NEED_KINDS];
};

/*
 * A descriptor's needs have changed: the set's follow. Descriptors that may change after binding may be written by
 * several threads at once (VkDescriptorBindingFlagBits). Pipelines that see them have one tier, so it does no harm that
 * the needs of such a set only grow.
 */
static inline void needs_change(struct need_counts *needs, bool concurrent, uint32_t before, uint32_t after)
{
    if (concurrent) {
        atomic_fetch_or_explicit(&needs->any, after, memory_order_relaxed);
        return;
    }
    uint32_t any = atomic_load_explicit(&needs->any, memory_order_relaxed) | after;
    for (uint32_t more = after & ~before; more; more &= more - 1)
        needs->counts[__builtin_ctz(more)]++;
    for (uint32_t less = before & ~after; less; less &= less - 1) {
        if (--needs->counts[__builtin_ctz(less)] == 0)
            any &= ~(less & -less);
    }
    atomic_store_explicit(&needs->any, any, memory_order_relaxed);
}

/* What the host keeps of a descriptor beside its record's copy. */
struct descriptor_note {
    uint32_t needs;             /* RECORD_NEED_* of the record, bit 31: it is not zero */
    uint32_t half_needs;        /* RECORD_NEED_* of the records of its halves, where they are kept */
    _Atomic(uint32_t) layout;   /* of an image: the VkImageLayout that was written + 1; 0: nothing was */
    _Atomic(VkImageView) view;  /* that was written, by the program's handle; may be gone */
    _Atomic(VkSampler) sampler; /* likewise; of no account where the layout has immutable ones */
};

/* What a note says of the last write. A draw may read the note while another thread writes it (halves.c). */
struct written {
    uint32_t layout;
    VkImageView view;
    VkSampler sampler;
};

static inline struct written note_read(const struct descriptor_note *note)
{
    return (struct written){
        atomic_load_explicit(&note->layout, memory_order_relaxed),
        atomic_load_explicit(&note->view, memory_order_relaxed),
        atomic_load_explicit(&note->sampler, memory_order_relaxed),
    };
}

static inline void note_write(struct descriptor_note *note, struct written written)
{
    atomic_store_explicit(&note->layout, written.layout, memory_order_relaxed);
    atomic_store_explicit(&note->view, written.view, memory_order_relaxed);
    atomic_store_explicit(&note->sampler, written.sampler, memory_order_relaxed);
}

/* What of a set's records is in the GPU's memory (send.h). */
enum sent { SENT_NOTHING, SENT_SOME, SENDING, SENT_ALL };

/* The records of one set, in its memory and on the host. */
struct records {
    uint32_t count;
    bool while_bound;                  /* several threads may write records, or one write and one send them */
    _Atomic(uint32_t) sent;            /* enum sent; never SENT_SOME `while_bound` */
    uint32_t unsent_first, unsent_end; /* SENT_SOME: those that are newer on the host */
    bool concurrent;                   /* several threads may write records: the needs only grow */
    struct need_counts needs;
    _Atomic(uint32_t) halves_wanted; /* 1: whoever notes a write puts the records of its halves, too */
    _Atomic(bool) halves;            /* those of all descriptors are there */
    struct need_counts half_needs;
    struct record *gpu;            /* where shaders read them; write only; NULL: sent by others (push/push.h) */
    struct record *shadow;         /* the newest */
    struct descriptor_note *notes; /* of each of them; right behind the records */
};

/* Bytes of a host copy of records and of the notes. */
static inline size_t shadow_bytes(uint32_t record_count)
{
    return record_count * (sizeof(struct record) + sizeof(struct descriptor_note));
}

/* Bits of 64 that other threads may read meanwhile. */
typedef uint64_t __attribute__((may_alias)) record_word;

static inline void record_copy_shared(struct record *to, const struct record *from)
{
    record_word *out = (record_word *)to;
    const record_word *in = (const record_word *)from;
    for (uint32_t i = 0; i < sizeof(*to) / sizeof(*out); i++)
        __atomic_store_n(&out[i], __atomic_load_n(&in[i], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

struct set {
    VkDescriptorSet handle;
    struct pool *pool;
    struct set *previous, *next;
    struct set_layout *layout; /* referenced */
    struct arena *arena;
    uint32_t first_unit, unit_count; /* of the arena */
    uint32_t place_count;            /* records that its memory has room for */
    uint32_t variable_count;         /* descriptors that this set has of its layout's variable-count binding */
    struct records records;
    _Alignas(struct descriptor_note) struct record shadow[]; /* the notes behind them */
};

static inline struct set *set_find(struct track *track, VkDescriptorSet handle)
{
    return table_find(&track->sets, HANDLE_KEY(handle));
}

#endif
