/* SPDX-License-Identifier: MIT */
/*
 * Sending: the records of a set get to memory that the GPU reads when a draw first follows them. Until then writes of
 * descriptors change the host's copy only, because every line that goes to a GPU's own memory takes longer than all
 * else that a write does. (send.c)
 */
#ifndef CLAMPLER_DESCRIPTORS_SEND_H
#define CLAMPLER_DESCRIPTORS_SEND_H

#include "descriptors/halves.h"
#include "descriptors/lag.h"
#include "descriptors/pool.h"
#include "objects/track.h"

/* Must a draw that follows records call set_send? */
static inline bool records_unsent(const struct records *records)
{
    return records->gpu &&
           (atomic_load_explicit(&records->sent, memory_order_acquire) != SENT_ALL || records_lag(records));
}

/*
 * For the thread that has just changed the shadow of a set that other threads may write or send at the same time, and
 * that was not sent: must it write to the GPU's memory itself? If somebody is sending, waits until that is done. Either
 * set_send sees the shadow, or this thread sees set_send, because both change the same word.
 */
bool records_were_sent(struct track *track, struct records *records);

/* Notes that a record of the shadow is newer than the GPU's, or writes it there. */
static inline void record_changed(struct track *track, struct records *records, const struct binding *binding,
                                  uint32_t element, uint32_t index)
{
    const uint32_t sent = atomic_load_explicit(&records->sent, memory_order_acquire);
    if (records->while_bound) {
        if (sent == SENT_ALL || records_were_sent(track, records))
            records->gpu[binding_place(binding, element)] = records->shadow[index];
        return;
    }
    if (sent == SENT_NOTHING)
        return;
    if (sent == SENT_ALL) {
        records->unsent_first = index;
        records->unsent_end = index + 1;
        atomic_store_explicit(&records->sent, SENT_SOME, memory_order_relaxed);
        return;
    }
    records->unsent_first = index < records->unsent_first ? index : records->unsent_first;
    records->unsent_end = index >= records->unsent_end ? index + 1 : records->unsent_end;
}

/* Before a draw that follows the set's records. Locks; any thread that may record with the set. */
void set_send(struct track *track, struct set *set);

#endif
