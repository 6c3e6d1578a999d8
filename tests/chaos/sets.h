/* SPDX-License-Identifier: MIT */
/*
 * Descriptor pools and sets of an actor, and what is written to them (writes.c), each with the model beside it. Every
 * function belongs to the actor's thread. Command buffers that do not survive a change are submitted before it, or are
 * invalid behind it.
 */
#ifndef CLAMPLER_CHAOS_SETS_H
#define CLAMPLER_CHAOS_SETS_H

#include "chaos/chaos.h"

/* Pools: sets of the first and the last can be freed; sets of the last may change after they are bound. */
void sets_make_pool(struct actor *actor, unsigned pool);
void sets_reset_pool(struct actor *actor, unsigned pool, bool destroy, struct dice *dice);

/* Allocates a set of a layout that lives, where there is room; frees one. False: nothing was done. */
bool sets_allocate(struct actor *actor, struct dice *dice);
bool sets_free(struct actor *actor, unsigned place, struct dice *dice);

/* A set of that key, which is made if need be; SETS if that cannot be. */
unsigned sets_of_key(struct actor *actor, struct key key, struct dice *dice);

/* Whether descriptors need not be valid, and whether the set may be written while it is bound. */
static inline bool set_is_partial(struct key key)
{
    return key.flavour == FLAVOUR_PARTIAL || key.flavour == FLAVOUR_AFTER_BIND || key_is_placed(key);
}

/* What is read is what it has when a command buffer is submitted, not when it was bound. */
static inline bool set_changes_late(struct key key)
{
    return key.flavour == FLAVOUR_AFTER_BIND || key_is_placed(key);
}

/* Its layout is still there, so that it may be written. */
bool set_may_be_written(const struct actor *actor, const struct set *set);

/* ---- Contents ---- */

/* Chooses something for a descriptor of a key. False if there is nothing that lives. */
bool content_choose(struct actor *actor, struct key key, unsigned descriptor, enum mood mood, struct dice *dice,
                    struct content *content, struct descriptor_info *info);

/* Whether all that a descriptor shows lives. */
bool content_lives(const struct actor *actor, struct key key, unsigned descriptor, const struct content *content);

/* ---- Writes ---- */

/*
 * One call with several writes and copies; one with a template; writes by the actor's thread and by another one, to
 * different descriptors of a set with bindings that may be written so. False: nothing was done.
 */
bool sets_update(struct actor *actor, struct dice *dice);
bool sets_update_with_template(struct actor *actor, struct dice *dice);
bool sets_update_by_two(struct actor *actor, struct dice *dice);

/* Writes what does not live in a set. False if it cannot be. */
bool sets_complete(struct actor *actor, unsigned place, struct dice *dice);

#endif
