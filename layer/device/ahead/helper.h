/* SPDX-License-Identifier: MIT */
/*
 * Helpers: threads of a device that do what a draw needs at once and what takes the stack of a compiler, while the
 * draw waits: programs record on stacks that are as large as recording needs. A helper starts when one is needed and
 * none rests, so there are as many as threads that have waited at once; they live as long as the device.
 *
 * What layers below and drivers say meanwhile is said by the thread that waits, and memory is asked of the program
 * there, as if it had done the work itself.
 */
#ifndef CLAMPLER_AHEAD_HELPER_H
#define CLAMPLER_AHEAD_HELPER_H

#include "objects/track.h"

struct ahead;

/*
 * Has a helper do the work, and waits. On a thread of the layer's, in a fork, and where no thread can be started, it is
 * done on the calling thread. Any thread.
 */
void helper_run(struct track *track, void (*work)(void *user), void *user);

/* Whether this thread is a helper's. */
bool helper_is_here(void);

/*
 * On a helper's thread: what the work may have done only by the thread that waits for it. That thread is made to call
 * it, and this returns when it has. No lock of the helper's is held meanwhile.
 */
void helper_request(void (*call)(void *user), void *user);

/* Whether this thread waits for a helper and does what was asked. */
bool helper_requests_here(void);

/* Waits until helpers have done what they do, and ends them. Under the lock of all devices; the subsystem has `stop`
 * set. */
void helpers_end(struct ahead *ahead);

/* After that, when no thread of the program's waits for one. */
void helpers_free(struct ahead *ahead);

#endif
