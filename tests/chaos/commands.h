/* SPDX-License-Identifier: MIT */
/*
 * Command buffers of an actor: what is recorded (record.c), submitted, and compared with the model when it is done.
 * Every function belongs to the actor's thread; submissions of a device take turns.
 */
#ifndef CLAMPLER_CHAOS_COMMANDS_H
#define CLAMPLER_CHAOS_COMMANDS_H

#include "chaos/objects.h"

void commands_open(struct actor *actor);
void commands_close(struct actor *actor);

/* Begins one, unless it is recording; what it was doing is waited for. */
void commands_begin(struct actor *actor, unsigned number, struct dice *dice);

/* Submits one that is recording, or may be submitted again. False: it may not, or has nothing. */
bool commands_submit(struct actor *actor, unsigned number, bool again, struct dice *dice);

/* Waits for one that is pending, and compares; for all of them. */
void commands_wait(struct actor *actor, unsigned number);
void commands_wait_all(struct actor *actor);

/* Frees one; resets the pool of all. */
void commands_free(struct actor *actor, unsigned number);
void commands_reset_pool(struct actor *actor);

/*
 * Before a set changes or (`goes`) is no more, or an object goes. Command buffers that are pending with it are waited
 * for. Others are submitted first, or left to be invalid; those with a set that may change while it is bound go on.
 */
void commands_let_go_of_set(struct actor *actor, unsigned set, bool goes, struct dice *dice);
void commands_let_go_of_object(struct actor *actor, enum object_kind kind, struct ref ref, struct dice *dice);

/* ---- Recording (record.c) ---- */

/* A dispatch or a draw; several in a secondary command buffer. False: nothing was recorded. */
bool record_one(struct actor *actor, unsigned number, struct dice *dice);
bool record_secondary(struct actor *actor, unsigned number, struct dice *dice);

/* The same with descriptors in buffers or in heaps, in primary ones; a pipeline for it, in one of its places. */
bool record_placed(struct actor *actor, unsigned number, struct dice *dice);
bool record_placed_pipeline(struct actor *actor, unsigned place, struct dice *dice);

/* Descriptors of a dispatch's lookup: of the view or texel buffer, and of the sampler. */
unsigned record_lookup_view(const struct device *device, const struct dispatch *dispatch, unsigned set,
                            unsigned lookup);
unsigned record_lookup_sampler(const struct device *device, const struct dispatch *dispatch, unsigned set,
                               unsigned lookup);

/* Whether all that a lookup needs lives. */
bool record_lookup_lives(const struct actor *actor, const struct dispatch *dispatch, unsigned set, unsigned lookup);

#endif
