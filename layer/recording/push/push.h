/* SPDX-License-Identifier: MIT */
/*
 * Push descriptors of a command buffer, and their memory. One thread at a time, as command buffers are recorded.
 *
 *   push.h       the interface of this subsystem (push.c)
 *   push_set.h   push sets that became sets, where a push set has no room for records (push_set.c)
 */
#ifndef CLAMPLER_PUSH_PUSH_H
#define CLAMPLER_PUSH_PUSH_H

#include "commands/command_buffer.h"
#include "descriptors/records.h"

struct push_state {
    struct push_state *next;
    uint32_t point, set;             /* its place */
    struct set_layout *layout;       /* referenced */
    VkPipelineLayout program_layout; /* of the last push */
    bool used;                       /* since the last reset */
    bool dirty;                      /* the newest records were not pushed (converted: descriptors) */
    struct records records;
    struct push_descriptor *descriptors; /* converted only: all that was pushed, by binding and element */
    uint32_t descriptor_count;
    struct push_pool *pools; /* converted only */
};

/* RECORD_NEED_* of what was pushed. */
static inline uint32_t push_needs(struct track *track, struct push_state *push)
{
    records_flush(track, &push->records, push->layout);
    return records_needs(&push->records);
}

/* Another set was bound in this place, which replaces the pushed descriptors. */
static inline void push_unbind(struct bound_set *slot)
{
    slot->push = NULL;
}

/*
 * Pushes the newest records for a draw, or binds the whole set where it was converted. `layout` is compatible with
 * everything that is bound. False, with command->error set: there was no memory for it.
 */
bool push_flush(struct command *command, struct push_state *push, VkPipelineLayout layout);

/* Forgets all pushed descriptors and reuses their memory: after vkBeginCommandBuffer and resets. */
void push_reset(struct command *command);
void push_finish(struct command *command);

#endif
