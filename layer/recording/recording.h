/* SPDX-License-Identifier: MIT */
/*
 * Recording: command buffers begin, bind, draw and end (command_buffers.c, draw.c). It calls all rooms that take part
 * in that: descriptors that are pushed, attachments without alpha, blits.
 */
#ifndef CLAMPLER_RECORDING_RECORDING_H
#define CLAMPLER_RECORDING_RECORDING_H

#include "commands/command_buffer.h"

/*
 * Brings the tier and what was pushed up to date before a draw or dispatch, where something was bound since the last.
 * False, with command->error set: what was pushed cannot be made current, so the draw must not reach the driver.
 */
bool draw_prepare(struct command *command, struct bind_point *point);

/* Frees the spare command buffers' memory, at the end of the device. */
void recording_finish(struct track *track);

#endif
