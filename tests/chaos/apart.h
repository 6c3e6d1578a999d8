/* SPDX-License-Identifier: MIT */
/*
 * Operations that need nothing of what an actor has: each makes what it needs, compares, and leaves nothing behind.
 * Those that draw have the queue of their device meanwhile. False: the device has none of it.
 */
#ifndef CLAMPLER_CHAOS_APART_H
#define CLAMPLER_CHAOS_APART_H

#include "chaos/chaos.h"

/*
 * A pipeline of libraries in any form, of which some may be linked into one first, draws to an attachment without
 * alpha: as a whole one does where alpha is 1 and not written (apart_link.c).
 */
bool apart_link(struct actor *actor, struct dice *dice);

/*
 * Such a pipeline, or a whole one, draws to an attachment whose channels are kept in another order: what one draws to
 * an attachment as Vulkan has it, in other places (apart_link.c).
 */
bool apart_order(struct actor *actor, struct dice *dice);

/* Comparisons of a depth texture give 1, or the value of the texture's that is given where they fail (apart_compare.c).
 */
bool apart_compare(struct actor *actor, struct dice *dice);

/*
 * A render pass of many attachments and many resolves, with alpha and without, all cleared; or an uncompressed view,
 * without alpha, of a level of a compressed image, which must be filled for it and nothing beside it (apart_fill.c).
 */
bool apart_fill(struct actor *actor, struct dice *dice);

/*
 * The manners of a guest (apart_guest.c): the program's allocation callbacks get everything back, commands of
 * extensions that are not enabled have no addresses, a messenger's callback calls Vulkan, a child that is forked while
 * a device is made goes on with the device that it has.
 */
bool apart_guest(struct actor *actor, struct dice *dice);

#endif
