/* SPDX-License-Identifier: MIT */
/*
 * Helpers: threads of a device that compile for draws while these wait, because compilers need larger stacks than
 * programs may have where they record. A helper starts when one is needed and none rests, so there are as many as
 * threads that have waited at the same time; they live as long as the device.
 *
 * Messages of next layers and drivers, and calls of the program's allocation callbacks, come from the thread that
 * waits, as if it had done the work itself.
 */
#ifndef CLAMPLER_AHEAD_HELPER_H
#define CLAMPLER_AHEAD_HELPER_H

#include "objects/track.h"

struct ahead;

/*
 * Has a helper do the work, and waits. On a thread of the layer's, in a fork, and where no thread can be started, the
 * calling thread does the work. Any thread.
 */
void helper_run(struct track *track, void (*work)(void *user), void *user);

/* True: this thread is a helper's. */
bool helper_is_here(void);

/*
 * On a helper's thread: has the thread that waits for the work make a call, and returns when that has returned. Neither
 * thread holds ahead.lock meanwhile.
 */
void helper_request(void (*call)(void *user), void *user);

/* True: this thread waits for a helper and makes such a call. */
bool helper_requests_here(void);

/*
 * Waits until helpers have finished their errands, and ends them. Under the lock of all devices (ahead.c); `stop` is
 * set.
 */
void helpers_end(struct ahead *ahead);

/* After that, when no thread of the program's waits for one. */
void helpers_free(struct ahead *ahead);

#endif
