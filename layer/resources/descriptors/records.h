/* SPDX-License-Identifier: MIT */
/*
 * The records of one set, or of what was pushed, and the one protocol by which they get from a write to the GPU
 * (records.c).
 *
 *                       records_fall_back                records_flush
 *            .--saved--------------------------> STALE -----------------.
 *            |                                                          v                set_upload
 *   write ---+--made (records_put)----------------------------------> made on the host -----------> UPLOADING
 *            |                                                          | ^                             |
 *            |                                            record_changed| |set_upload                     v
 *            |                                                          v |                         UPLOADED
 *            |                                                         NEWER <--------------------------'
 *            |                 split_needed              split_copy or at once
 *            '--saved write----------------> SPLIT_WANTED --------------------> SPLIT_MADE, and each write from then on
 *
 * Most writes are of descriptors that require no emulation, or whose records no draw reads yet. Such a write is only
 * saved: records of combined image samplers stay zero, and records of separate images and samplers are made from the
 * saved write when they are first needed. Records are uploaded when a draw first reads them, because writing a line of
 * GPU memory takes longer than everything else that a write does. Records of split samplers are made when a draw first
 * reads them (split.h).
 *
 * The protocol's state is one word, `state`. One of two rules says who may change it; records_mode() chooses:
 *
 *   one writer   The writing thread has the set to itself, as Vulkan requires. Threads that record with the set, or
 * copy from it, change the word in a turn (records_turn_begin), under one of a few locks that sets share. SHARED
 * Several threads write different descriptors at once, while others record (update after bind). The word changes in a
 * turn only. A writer first changes the shadow or the saved write, and then reads the word by a read-modify-write that
 * changes nothing. A thread that uploads or splits first sets its bit by a read-modify-write, and then reads shadow and
 * saved writes. So at least one of the two sees the other: a writer that sees the bit writes the GPU's memory or the
 * split sampler's records itself, after the turn. STALE and NEWER are never set.
 */
#ifndef CLAMPLER_DESCRIPTORS_RECORDS_H
#define CLAMPLER_DESCRIPTORS_RECORDS_H

#include <stdatomic.h>

#include "descriptor_type/relaxed.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "need/need.h"
#include "objects/bitmap.h"
#include "objects/track.h"
#include "record/record.h"
#include "spirv/spirv.h"

enum records_state {
    /* Properties of the set, constant. */
    RECORDS_SHARED = 1 << 0,
    RECORDS_OPEN = 1 << 1,      /* what they need is unknown when commands are recorded */
    RECORDS_SPECIAL = 1 << 2,   /* the driver must get writes otherwise than as they are (layout_is_special) */
    RECORDS_NOT_SAVED = 1 << 3, /* a write must look at its binding: saving it may not be enough */
    RECORDS_LARGE = 1 << 11,    /* their bitmaps have words (bitmap.h) */
    /* The records' present state. */
    RECORDS_NEEDED = 1 << 4, /* one writer: some combined image sampler may have a record that is not zero */
    RECORDS_STALE = 1 << 5,  /* the records in store.stale must be made from saved writes */
    RECORDS_UPLOADING = 1 << 6,
    RECORDS_UPLOADED = 1 << 7,
    RECORDS_NEWER = 1 << 8, /* uploaded, and the records in upload.newer have changed on the host since */
    RECORDS_SPLIT_WANTED = 1 << 9,
    RECORDS_SPLIT_MADE = 1 << 10,
};

/* The state that records begin with. `relaxed`: RELAXED_* of the set's bindings with records, its layout, its pool. */
static inline uint32_t records_mode(unsigned relaxed, bool special, bool immutable_combined)
{
    const bool shared = relaxed & RELAXED_THREADS;
    return (shared ? (unsigned)RECORDS_SHARED : 0u) | (relaxed & RELAXED_OPEN ? (unsigned)RECORDS_OPEN : 0u) |
           (special ? (unsigned)RECORDS_SPECIAL : 0u) |
           (shared || special || immutable_combined ? (unsigned)RECORDS_NOT_SAVED : 0u);
}

/* ---- Needs ---- */

/* Counts of a set's descriptors by need. */
struct need_counts {
    _Atomic(uint32_t) any; /* RECORD_NEED_* of all descriptors; if shared, also former ones */
    _Atomic(uint32_t) counts[RECORD_NEED_KINDS];
    /* Bindings with RECORD_NEED_FILTER_IF_UNCOMPARED, as spirv_pairing_bit has them, and former ones. */
    _Atomic(uint64_t) uncompared_bindings;
};

/* Adds 1 or -1 to the count of a need; returns the new count. For the only thread that writes the set. */
static inline uint32_t needs_add(struct need_counts *needs, uint32_t kind, uint32_t difference)
{
    const uint32_t count = atomic_load_explicit(&needs->counts[kind], memory_order_relaxed) + difference;
    atomic_store_explicit(&needs->counts[kind], count, memory_order_relaxed);
    return count;
}

/*
 * needs_change() if several threads may write descriptors of one set at once. Bits are never removed from `any`: a
 * thread that removes the last need of a kind cannot also clear the bit without losing a need that another thread adds
 * meanwhile. records_needs() reads the counts instead.
 */
static inline void needs_change_shared(struct need_counts *needs, uint32_t before, uint32_t after)
{
    for (uint32_t more = after & ~before; more; more &= more - 1)
        atomic_fetch_add_explicit(&needs->counts[__builtin_ctz(more)], 1, memory_order_relaxed);
    for (uint32_t less = before & ~after; less; less &= less - 1)
        atomic_fetch_sub_explicit(&needs->counts[__builtin_ctz(less)], 1, memory_order_relaxed);
    if (after & ~atomic_load_explicit(&needs->any, memory_order_relaxed))
        atomic_fetch_or_explicit(&needs->any, after, memory_order_relaxed);
}

/* Updates a set's needs after those of one descriptor have changed. */
static inline void needs_change(struct need_counts *needs, bool shared, uint32_t before, uint32_t after)
{
    if (shared) {
        needs_change_shared(needs, before, after);
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
    if (before & ~any & RECORD_NEED_FILTER_IF_UNCOMPARED)
        atomic_store_explicit(&needs->uncompared_bindings, 0, memory_order_relaxed);
}

/* The same with the binding of the descriptor. */
static inline void needs_change_in(struct need_counts *needs, bool shared, uint32_t binding, uint32_t before,
                                   uint32_t after)
{
    needs_change(needs, shared, before, after);
    if (after & RECORD_NEED_FILTER_IF_UNCOMPARED)
        atomic_fetch_or_explicit(&needs->uncompared_bindings, spirv_pairing_bit(binding), memory_order_relaxed);
}

/* A descriptor's needs, on the host. */
struct descriptor_needs {
    uint32_t record; /* RECORD_NEED_* of the record, bit 31: it is not zero */
    uint32_t split;  /* RECORD_NEED_* of its two records as a split sampler, if these are made */
};

/* ---- Saved writes ---- */

/*
 * A saved write: the last write to a descriptor, with the program's handles, which may be destroyed since. Members that
 * the descriptor type ignores have any value. Layout NOT_WRITTEN: the descriptor was never written. A draw may read it
 * while another thread writes it (split.c).
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

/* ---- Records ---- */

/* The host's part: saved writes and the records made from them. Members that every write reads come first. */
struct record_store {
    VkDescriptorImageInfo *written;     /* of each of them */
    const struct binding_brief *briefs; /* the layout's */
    uint32_t brief_count;
    uint32_t count;
    struct bitmap stale;
    struct need_counts needs;
    struct record *shadow;         /* the newest, but for those that are stale */
    struct descriptor_needs *each; /* of each of them */
};

/* The GPU's part. */
struct record_upload {
    struct record *gpu; /* write only; NULL: uploaded by others (push/push.h), or never */
    struct bitmap newer;
    struct record_masks masks; /* as they were uploaded, where the layout has some */
};

struct records {
    _Atomic(uint32_t) state; /* enum records_state */
    struct record_store store;
    struct record_upload upload;
    struct need_counts split_needs; /* of split samplers, whose records are in the GPU's memory only */
};

/* Bytes of a host copy of records, and of what is kept of each. */
static inline size_t shadow_bytes(uint32_t record_count)
{
    return record_count * (sizeof(struct record) + sizeof(VkDescriptorImageInfo) + sizeof(struct descriptor_needs)) +
           2 * bitmap_bytes(record_count);
}

/* Divides zeroed memory of shadow_bytes into the members. The layout must live as long as the records. */
void records_place(struct records *records, const struct set_layout *layout, struct record *memory,
                   uint32_t record_count);

/* Words that other threads may read meanwhile. */
typedef uint64_t __attribute__((may_alias)) record_word;

static inline void record_copy_shared(struct record *to, const void *from)
{
    record_word *out = (record_word *)to;
    const record_word *in = from;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < sizeof(*to) / sizeof(*out); i++)
        __atomic_store_n(&out[i], __atomic_load_n(&in[i], __ATOMIC_ACQUIRE), __ATOMIC_RELAXED);
}

/* Place of a record in the buffer; those of the image's and the sampler's half are the next two (split.h). */
static inline uint32_t binding_place(const struct binding *binding, uint32_t element)
{
    return binding->first_place + element * (binding->split ? SPIRV_RECORDS_OF_SPLIT : 1u);
}

/* How many elements of a binding have bits in the set's mask words. */
static inline uint32_t binding_bits(const struct binding *binding)
{
    const uint32_t room = RECORD_MASK_BITS - binding->first_bit;
    return binding->count < room ? binding->count : room;
}

/* The record behind the last one of a binding: a set may have fewer of its last one than the layout. */
static inline uint32_t records_end(const struct records *records, const struct binding *binding)
{
    const uint32_t all = records->store.count;
    const uint32_t room = binding->first_record < all ? all - binding->first_record : 0;
    return binding->first_record + (binding->count < room ? binding->count : room);
}

/* ---- The state ---- */

static inline bool records_are(const struct records *records, uint32_t bits)
{
    return atomic_load_explicit(&records->state, memory_order_relaxed) & bits;
}

/* Call from the one writer, or in a turn. */
static inline void records_become(struct records *records, uint32_t set, uint32_t cleared)
{
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_relaxed);
    atomic_store_explicit(&records->state, (state & ~cleared) | set, memory_order_release);
}

/* Call in a turn, before reading a shadow and saved writes that other threads may write meanwhile. */
static inline void records_announce(struct records *records, uint32_t bits)
{
    atomic_fetch_or_explicit(&records->state, bits, memory_order_acq_rel);
}

/*
 * The state after the calling thread has written the shadow or a saved write; the thread must act on it: see SHARED
 * above.
 */
static inline uint32_t records_written(struct records *records)
{
    return records_are(records, RECORDS_SHARED) ? atomic_fetch_or_explicit(&records->state, 0, memory_order_acq_rel)
                                                : atomic_load_explicit(&records->state, memory_order_relaxed);
}

/*
 * Locks a set's records. Threads that may record with the same set take turns in making stale records, uploading
 * records, and making the records of split samplers. Inside a turn call saved_writes_begin() (sampling/saved_writes.h),
 * never the other way round. Different sets usually have different locks.
 */
void records_turn_begin(struct track *track, const struct records *records, struct held_messages *held);
void records_turn_end(struct track *track, const struct records *records, struct held_messages *held);

/* ---- From saved writes to records ---- */

static inline bool records_are_stale(const struct records *records)
{
    return atomic_load_explicit(&records->state, memory_order_acquire) & RECORDS_STALE;
}

/* Makes the stale records. Takes the lock if there are any. For threads that may write the set or record with it. */
void records_flush_stale(struct track *track, struct records *records, const struct set_layout *layout);
static inline void records_flush(struct track *track, struct records *records, const struct set_layout *layout)
{
    if (records_are_stale(records))
        records_flush_stale(track, records, layout);
}

/* Sets the records of descriptors stale whose writes were just saved. For the one writer. */
static inline void records_fall_back(struct records *records, uint32_t first, uint32_t count)
{
    if (count == 1)
        bitmap_set(&records->store.stale, first);
    else
        bitmap_set_run(&records->store.stale, first, count);
    if (!records_are(records, RECORDS_STALE))
        records_become(records, RECORDS_STALE, 0);
}

/* RECORD_NEED_* of all descriptors. Writes of other threads that do not happen before the call may be missing. */
static inline uint32_t records_needs(const struct records *records)
{
    const struct need_counts *needs = &records->store.needs;
    uint32_t any = atomic_load_explicit(&needs->any, memory_order_relaxed);
    for (uint32_t kinds = records_are(records, RECORDS_SHARED) ? any : 0; kinds; kinds &= kinds - 1) {
        if (atomic_load_explicit(&needs->counts[__builtin_ctz(kinds)], memory_order_relaxed) == 0)
            any &= ~(kinds & -kinds);
    }
    return any;
}

/* Bindings with a sampler that has RECORD_NEED_FILTER_IF_UNCOMPARED, those of split samplers as well. */
static inline uint64_t records_uncompared_bindings(const struct records *records)
{
    return atomic_load_explicit(&records->store.needs.uncompared_bindings, memory_order_relaxed) |
           atomic_load_explicit(&records->split_needs.uncompared_bindings, memory_order_relaxed);
}

/* ---- Uploads ---- */

/* True: a draw that reads records must call set_upload(). */
static inline bool records_not_uploaded(const struct records *records)
{
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_acquire);
    return records->upload.gpu && (state & (RECORDS_UPLOADED | RECORDS_NEWER | RECORDS_STALE)) != RECORDS_UPLOADED;
}

/*
 * True: the calling thread, which has just changed the shadow of shared records, must write the GPU's memory itself. If
 * another thread is uploading, waits until that is done.
 */
bool records_were_uploaded(struct track *track, struct records *records);

/* A record of the shadow has changed: it must be uploaded again. */
static inline void record_changed(struct track *track, struct records *records, const struct binding *binding,
                                  uint32_t element, uint32_t index)
{
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_acquire);
    if (state & RECORDS_SHARED) {
        if ((state & RECORDS_UPLOADED) || records_were_uploaded(track, records))
            records->upload.gpu[binding_place(binding, element)] = records->store.shadow[index];
    } else if (state & RECORDS_UPLOADED) {
        bitmap_set(&records->upload.newer, index);
        if (!(state & RECORDS_NEWER))
            records_become(records, RECORDS_NEWER, 0);
    }
}

struct set;

/* Call before a draw that reads the set's records. Locks; any thread that may record with the set. */
void set_upload(struct track *track, struct set *set);

#endif
