/* SPDX-License-Identifier: MIT */
/*
 * The state of command buffers, which the subsystems of this floor read and change. layer/recording/recording has the
 * hooks that begin, bind and draw.
 *
 *   command_buffer.h  bindings (command_buffer.c), conditional rendering (condition.c)
 *   pass.h            state of the pass and of blending
 *   dynamic_state.h   the program's dynamic state, which the layer's own draws change (dynamic_state.c)
 */
#ifndef CLAMPLER_COMMANDS_COMMANDS_H
#define CLAMPLER_COMMANDS_COMMANDS_H

#include "objects/table.h"
#include "objects/track.h"

struct command;

/* This subsystem's state of one device. */
struct commands {
    struct table pools, buffers;
    pthread_mutex_t lock;         /* spare */
    struct command *spare;        /* freed by the program; the memory stays until the device goes */
    _Atomic(uint64_t) recordings; /* of command buffers, begun so far, and forgotten (alpha/change.h) */
};

/* False: out of memory. */
bool commands_init(struct track *track);
void commands_finish(struct track *track);

#endif
