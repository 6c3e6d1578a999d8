/* SPDX-License-Identifier: MIT */
/* Performs operations: on devices that are open (devices.h), by one thread for each actor where there are several. */
#ifndef CLAMPLER_CHAOS_ACTORS_H
#define CLAMPLER_CHAOS_ACTORS_H

#include "chaos/chaos.h"
#include "chaos/operations.h"

void actor_open(struct actor *actor, struct device *device, unsigned number);
void actor_close(struct actor *actor);

/* From here on the process says at which operation it crashes, unless a sanitizer does. */
void actors_note_crashes(void);

/* All of them in order; those of different actors at the same time. `checked`: a validation message is a failure. */
void actors_perform(struct device *devices, const struct operations *operations, bool checked, bool verbose);

#endif
