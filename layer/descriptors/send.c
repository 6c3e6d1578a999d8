/* SPDX-License-Identifier: MIT */
/* Records of sets on their way to the GPU. One lock for all sets: a set is sent once, and again after it has changed.
 */
#include "descriptors/send.h"

#include "descriptors/descriptors.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "spirv/spirv.h"

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
}
