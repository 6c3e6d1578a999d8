/* SPDX-License-Identifier: MIT */
/*
 * Recording: command buffers begin, bind, draw and end (command_buffers.c, draw.c), execute commands that the device
 * generates (generated.c), and are submitted (submit.c); barriers that cover what the layer reads (barriers.c). It
 * calls the other subsystems of this floor: push descriptors, attachments without alpha, blits.
 */
#ifndef CLAMPLER_RECORDING_RECORDING_H
#define CLAMPLER_RECORDING_RECORDING_H

#include "commands/command_buffer.h"

/*
 * Before a draw or dispatch after which bindings changed: binds the tier that it needs, and pushes records. False, with
 * command->error set: pushed descriptors could not be written, so the draw must not reach the driver.
 *
 * `generated`: before commands that the device generates (generated.c). Their pipeline is bound in its fixed tier,
 * whatever the records need: the GPU may select it, or has read it while it preprocessed the commands.
 */
bool draw_prepare(struct command *command, struct bind_point *point, bool generated);

/* Looks up the needs of the bound or pushed set, and whether its records must be uploaded. */
void bound_look_up(struct track *track, struct bound_set *bound);

/* Frees the spare command buffers' memory, at the end of the device. */
void recording_finish(struct track *track);

#endif
