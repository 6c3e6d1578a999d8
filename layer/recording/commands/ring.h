/* SPDX-License-Identifier: MIT */
/*
 * Memory that the GPU reads and that lives as long as a recording: records of push descriptors, and root tables. It is
 * acquired piece by piece and reused after a reset. One thread at a time, as command buffers are recorded.
 */
#ifndef CLAMPLER_COMMANDS_RING_H
#define CLAMPLER_COMMANDS_RING_H

#include "commands/command_buffer.h"

struct ring_piece {
    VkDescriptorBufferInfo where;
    VkDeviceAddress address; /* 0 where device->caps.buffer_address is false */
    void *mapped;            /* write only */
};

/* A piece that starts where buffers in descriptors may. False with command->error set if there is no memory. */
bool ring_acquire(struct command *command, uint32_t bytes, struct ring_piece *piece);

/* After vkBeginCommandBuffer and resets: all pieces may be used again. */
void ring_reset(struct command *command);
void ring_finish(struct command *command);

#endif
