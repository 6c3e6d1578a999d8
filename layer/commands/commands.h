/*
 * Command buffers: what is bound in them, and the tier that a draw needs.
 *
 *   command.h         command buffers (command.c), draws (draw.c), conditional rendering (condition.c)
 *   dynamic_state.h   what the program set that the layer's own draws set, too (dynamic_state.c)
 */
#ifndef CLAMPLER_COMMANDS_COMMANDS_H
#define CLAMPLER_COMMANDS_COMMANDS_H

#include "objects/table.h"
#include "objects/track.h"

struct command;

/* The room's state of one device. */
struct commands {
    struct table pools, buffers;
    pthread_mutex_t lock;  /* spare */
    struct command *spare; /* freed by the program; the memory stays until the device goes */
};

/* False: out of memory. */
bool commands_init(struct track *track);
void commands_finish(struct track *track);

#endif
