/* SPDX-License-Identifier: MIT */
/*
 * Records of saved writes, and their way to the GPU. Views and samplers that are gone when a record is made, or whose
 * handles have come again, make no difference: nobody may use such a descriptor.
 */
#include "descriptors/stale.h"
#include "descriptors/descriptors.h"
#include "descriptors/split.h"
#include "descriptors/pool.h"
#include "descriptors/update.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "objects/bitmap.h"
#include "objects/track.h"
#include "sampling/saved_writes.h"
#include "spirv/spirv.h"

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

/* The record behind the last one of a binding: a set may have fewer of its last one than the layout. */
static uint32_t records_end(const struct records *records, const struct binding *binding)
{
    const uint32_t room = binding->first_record < records->count ? records->count - binding->first_record : 0;
    return binding->first_record + (binding->count < room ? binding->count : room);
}

/* In a turn. */
static void flush_binding(struct track *track, struct records *records, const struct binding *binding)
{
    const uint32_t first = binding->first_record, end = records_end(records, binding);
    for (uint32_t at = first; (at = bitmap_next(&records->stale, at, end)) < end; at++) {
        const VkDescriptorImageInfo *written = &records->written[at];
        VkDescriptorImageInfo for_driver;
        struct record record = {0};
        /* A sampler's own layout is ignored, and may be any. Nothing is no sampler. */
        if (written->imageLayout != NOT_WRITTEN || binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
            descriptor_resolve(track, binding->type, written, NULL, false, &for_driver, &record);
        records_put(track, records, binding, at - first, &record);
    }
}

void records_flush_element(struct track *track, struct records *records, const struct set_layout *layout)
{
    struct held_messages turn, notes;
    records_turn_begin(track, records, &turn);
    saved_writes_begin(track, &notes);
    for (uint32_t b = 0; records_are_stale(records) && b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        const VkDescriptorType saved_as = layout->briefs[binding->binding].saved_as;
        if (saved_as == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || saved_as == VK_DESCRIPTOR_TYPE_SAMPLER)
            flush_binding(track, records, binding);
    }
    bitmap_clear(&records->stale);
    atomic_store_explicit(&records->any_stale, false, memory_order_release);
    saved_writes_end(track, &notes);
    records_turn_end(track, records, &turn);
}

/* ---- On their way to the GPU: each set is uploaded once, and what of it has changed is uploaded again ---- */

bool records_were_uploaded(struct track *track, struct records *records)
{
    const uint32_t uploaded = atomic_fetch_or_explicit(&records->uploaded, 0, memory_order_acq_rel);
    if (uploaded == UPLOADING) {
        pthread_mutex_t *lock = records_lock(track, records);
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    return uploaded != UPLOADED_NOTHING;
}

/* Returns how many. */
static uint32_t send_some(struct set *set)
{
    struct records *records = &set->records;
    uint32_t uploaded = 0;
    for (uint32_t b = 0; b < set->layout->binding_count; b++) {
        const struct binding *binding = &set->layout->bindings[b];
        const uint32_t first = binding->first_record;
        if (first == SPIRV_NO_RECORD)
            continue;
        const uint32_t end = records_end(records, binding);
        for (uint32_t at = first; (at = bitmap_next(&records->not_uploaded, at, end)) < end; at++, uploaded++)
            records->gpu[binding_place(binding, at - first)] = records->shadow[at];
    }
    bitmap_clear(&records->not_uploaded);
    return uploaded;
}

void set_send(struct track *track, struct set *set)
{
    struct records *records = &set->records;
    records_flush(track, records, set->layout);
    struct held_messages turn;
    records_turn_begin(track, records, &turn);
    const uint32_t uploaded = atomic_load_explicit(&records->uploaded, memory_order_relaxed);
    if (uploaded == UPLOADED_NOTHING) {
        atomic_exchange_explicit(&records->uploaded, UPLOADING, memory_order_acq_rel);
        split_copy(track, records, set->layout, set->place_count, records->gpu);
        count(&track->counters.records_sent, records->count);
    } else if (uploaded == UPLOADED_SOME) {
        count(&track->counters.records_sent, send_some(set));
    }
    if (uploaded != UPLOADED_ALL) {
        atomic_store_explicit(&records->uploaded, UPLOADED_ALL, memory_order_release);
        count(&track->counters.sets_sent, 1);
    }
    records_turn_end(track, records, &turn);
}
