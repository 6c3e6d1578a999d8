/* SPDX-License-Identifier: MIT */
/*
 * Records of what was noted, and their way to the GPU. Views and samplers that are gone when a record is made, or whose
 * handles have come again, make no difference: nobody may use such a descriptor.
 */
#include "descriptors/lag.h"
#include "descriptors/descriptors.h"
#include "descriptors/halves.h"
#include "descriptors/pool.h"
#include "descriptors/update.h"
#include "device/held.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "sampling/notes.h"
#include "spirv/spirv.h"

/* Under the lock. */
static void catch_up(struct track *track, struct records *records, const struct binding *binding)
{
    const uint32_t first = binding->first_record;
    for (uint32_t i = first < records->lag_first ? records->lag_first - first : 0;
         i < binding->count && first + i < records->lag_end; i++) {
        const VkDescriptorImageInfo *written = &records->written[first + i];
        VkDescriptorImageInfo below;
        struct record record = {0};
        /* A sampler's own layout is ignored, and may be any. Nothing is no sampler. */
        if (written->imageLayout != NOT_WRITTEN || binding->type == VK_DESCRIPTOR_TYPE_SAMPLER)
            descriptor_resolve(track, binding->type, written, NULL, false, &below, &record);
        records_put(track, records, binding, i, &record);
    }
}

void records_catch_up(struct track *track, struct records *records, const struct set_layout *layout)
{
    struct held_messages held;
    notes_follow_begin(track, &held);
    for (uint32_t b = 0; records_lag(records) && b < layout->binding_count; b++) {
        const struct binding *binding = &layout->bindings[b];
        const VkDescriptorType noted_as = layout->briefs[binding->binding].noted_as;
        if (noted_as == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || noted_as == VK_DESCRIPTOR_TYPE_SAMPLER)
            catch_up(track, records, binding);
    }
    atomic_store_explicit(&records->lags, false, memory_order_release);
    notes_follow_end(track, &held);
}

/* ---- On their way to the GPU: one lock for all sets, each is sent once, and again after it has changed ---- */

bool records_were_sent(struct track *track, struct records *records)
{
    const uint32_t sent = atomic_fetch_or_explicit(&records->sent, 0, memory_order_acq_rel);
    if (sent == SENDING) {
        pthread_mutex_lock(&track->descriptors->send_lock);
        pthread_mutex_unlock(&track->descriptors->send_lock);
    }
    return sent != SENT_NOTHING;
}

static void send_some(struct set *set)
{
    struct records *records = &set->records;
    for (uint32_t b = 0; b < set->layout->binding_count; b++) {
        const struct binding *binding = &set->layout->bindings[b];
        const uint32_t first = binding->first_record;
        for (uint32_t i = 0; first != SPIRV_NO_RECORD && i < binding->count; i++) {
            if (first + i >= records->unsent_first && first + i < records->unsent_end)
                records->gpu[binding_place(binding, i)] = records->shadow[first + i];
        }
    }
}

void set_send(struct track *track, struct set *set)
{
    struct records *records = &set->records;
    records_settle(track, records, set->layout);
    struct held_messages held;
    messages_hold(&held);
    pthread_mutex_lock(&track->descriptors->send_lock);
    const uint32_t sent = atomic_load_explicit(&records->sent, memory_order_relaxed);
    if (sent == SENT_NOTHING) {
        atomic_exchange_explicit(&records->sent, SENDING, memory_order_acq_rel);
        halves_copy(track, records, set->layout, set->place_count, records->gpu);
    } else if (sent == SENT_SOME) {
        send_some(set);
    }
    if (sent != SENT_ALL) {
        atomic_store_explicit(&records->sent, SENT_ALL, memory_order_release);
        count(&track->counters.sets_sent, 1);
    }
    pthread_mutex_unlock(&track->descriptors->send_lock);
    messages_release(&held);
}
