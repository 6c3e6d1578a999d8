/* SPDX-License-Identifier: MIT */
/*
 * Makes records from saved writes, and uploads them. A saved write may name a view or sampler that was destroyed, or
 * whose handle was reused since; its record is arbitrary, which is fine because no shader may use such a descriptor.
 */
#include "descriptors/records.h"
#include "descriptors/descriptors.h"
#include "descriptors/split.h"
#include "descriptors/pool.h"
#include "descriptors/update.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "objects/bitmap.h"
#include "objects/track.h"
#include "record/record.h"
#include "sampling/saved_writes.h"
#include "spirv/spirv.h"

void records_place(struct records *records, const struct set_layout *layout, struct record *memory,
                   uint32_t record_count)
{
    struct record_store *store = &records->store;
    store->briefs = layout->briefs;
    store->brief_count = layout->briefs ? layout->index_count : 0;
    store->count = record_count;
    store->shadow = memory;
    store->written = (VkDescriptorImageInfo *)(void *)(memory + record_count);
    store->each = (struct descriptor_needs *)(void *)(store->written + record_count);
    uint64_t *words = (uint64_t *)(void *)(store->each + record_count);
    store->stale = bitmap_of(record_count, words);
    records->upload.newer = bitmap_of(record_count, words + bitmap_bytes(record_count) / sizeof(*words));
    atomic_init(&records->state, store->stale.words ? RECORDS_LARGE : 0);
    for (uint32_t i = 0; i < record_count; i++)
        store->written[i].imageLayout = NOT_WRITTEN;
}

static pthread_mutex_t *records_lock(struct track *track, const struct records *records)
{
    const uint64_t hash = (uint64_t)(uintptr_t)records * UINT64_C(0x9e3779b97f4a7c15);
    return &track->descriptors->record_locks[(hash >> 32) % RECORD_LOCKS].mutex;
}

void records_turn_begin(struct track *track, const struct records *records, struct held_messages *held)
{
    messages_hold(held);
    pthread_mutex_lock(records_lock(track, records));
}

void records_turn_end(struct track *track, const struct records *records, struct held_messages *held)
{
    pthread_mutex_unlock(records_lock(track, records));
    messages_release(held);
}

/* Call in a turn. */
static void flush_binding(struct track *track, struct records *records, const struct binding *binding)
{
    const uint32_t first = binding->first_record, end = records_end(records, binding);
    for (uint32_t at = first; (at = bitmap_next(&records->store.stale, at, end)) < end; at++) {
        const VkDescriptorImageInfo *written = &records->store.written[at];
        VkDescriptorImageInfo for_driver;
        struct record record = {0};
        /* Samplers: the layout is ignored, and may be any value, even NOT_WRITTEN. VK_NULL_HANDLE: not written. */
        if (written->imageLayout != NOT_WRITTEN || binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
            descriptor_resolve(track, binding->type, written, NULL, false, &for_driver, &record);
        records_put(track, records, binding, at - first, &record);
    }
}

void records_flush_stale(struct track *track, struct records *records, const struct set_layout *layout)
{
    struct held_messages turn, saved;
    records_turn_begin(track, records, &turn);
    saved_writes_begin(track, &saved);
    for (uint32_t b = 0; records_are_stale(records) && b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        const VkDescriptorType saved_as = layout->briefs[binding->binding].saved_as;
        if (saved_as == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || saved_as == VK_DESCRIPTOR_TYPE_SAMPLER)
            flush_binding(track, records, binding);
    }
    bitmap_clear(&records->store.stale);
    records_become(records, 0, RECORDS_STALE);
    saved_writes_end(track, &saved);
    records_turn_end(track, records, &turn);
}

/* ---- On their way to the GPU: each set is uploaded once, and what of it has changed is uploaded again ---- */

bool records_were_uploaded(struct track *track, struct records *records)
{
    const uint32_t state = records_written(records);
    if (state & RECORDS_UPLOADING) {
        pthread_mutex_t *lock = records_lock(track, records);
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    return state & (RECORDS_UPLOADING | RECORDS_UPLOADED);
}

/* The GPU may read bits of other descriptors, which do not change, while words are stored. */
static void upload_masks(struct records *records, const struct record_masks *masks)
{
    struct record_masks *gpu = (struct record_masks *)(void *)records->upload.gpu;
    for (uint32_t axis = 0; axis < sizeof(masks->axes) / sizeof(masks->axes[0]); axis++) {
        if (masks->axes[axis] != records->upload.masks.axes[axis])
            __atomic_store_n(&gpu->axes[axis], masks->axes[axis], __ATOMIC_RELAXED);
    }
    records->upload.masks = *masks;
}

/* Returns how many. */
static uint32_t upload_newer(struct set *set)
{
    struct records *records = &set->records;
    struct record_masks masks = records->upload.masks;
    uint32_t uploaded = 0;
    for (uint32_t b = 0; b < set->layout->binding_count; b++) {
        const struct binding *binding = &set->layout->bindings[b];
        const uint32_t first = binding->first_record;
        if (first == SPIRV_NO_RECORD)
            continue;
        const uint32_t end = records_end(records, binding);
        for (uint32_t at = first; (at = bitmap_next(&records->upload.newer, at, end)) < end; at++, uploaded++) {
            records->upload.gpu[binding_place(binding, at - first)] = records->store.shadow[at];
            if (at - first < binding_bits(binding))
                record_masks_put(&masks, binding->first_bit + (at - first), &records->store.shadow[at]);
        }
    }
    if (set->layout->masks)
        upload_masks(records, &masks);
    bitmap_clear(&records->upload.newer);
    return uploaded;
}

void set_upload(struct track *track, struct set *set)
{
    struct records *records = &set->records;
    records_flush(track, records, set->layout);
    struct held_messages turn;
    records_turn_begin(track, records, &turn);
    const uint32_t state = atomic_load_explicit(&records->state, memory_order_relaxed);
    uint32_t uploaded = 0;
    if (!(state & RECORDS_UPLOADED)) {
        records_announce(records, RECORDS_UPLOADING);
        split_copy(track, records, set->layout, set->place_count, records->upload.gpu);
        uploaded = records->store.count;
    } else if (state & RECORDS_NEWER) {
        uploaded = upload_newer(set);
    }
    if ((state & (RECORDS_UPLOADED | RECORDS_NEWER)) != RECORDS_UPLOADED) {
        records_become(records, RECORDS_UPLOADED, RECORDS_UPLOADING | RECORDS_NEWER);
        count(&track->counters.records_uploaded, uploaded);
        count(&track->counters.sets_uploaded, 1);
    }
    records_turn_end(track, records, &turn);
}
