/* SPDX-License-Identifier: MIT */
/*
 * The layer's threads of one device. Workers compile tiers before a draw needs them (tiers=ahead). queue.h has the
 * order of their work; the subsystems that add items define how each is compiled. There is one worker less than the
 * process has cores, at least one. Each starts when an item waits and no worker rests, lives as long as the device, and
 * runs at the lowest priority. Helpers (helper.h) compile for draws that wait.
 *
 * All threads block the program's signals, and end before the driver's device, the process, or the layer's code does:
 * the thread that ends them waits for the compilations that run, and for no others. Their messages reach the program on
 * its own threads (device/held.h).
 *
 * No worker is started with tiers=lazy or tiers=eager, nor where the driver would call the program's own allocation
 * callbacks from it: Vulkan promises programs that these come from the threads of their calls. Helpers' allocations are
 * made by the threads that wait for them (program_allocator.h).
 *
 * Any thread may call these functions.
 */
#ifndef CLAMPLER_AHEAD_AHEAD_H
#define CLAMPLER_AHEAD_AHEAD_H

#include <pthread.h>

#include "ahead/queue.h"
#include "objects/track.h"

enum { AHEAD_THREADS = 16 }; /* at most */

/* The functions of one kind of items; workers call them without a lock. */
struct ahead_kind {
    void (*compile)(struct track *track, struct ahead_item *item, uint32_t tier);
    void (*release)(struct track *track, struct ahead_item *item); /* frees one that was removed meanwhile */
};

/* An item and its kind, which is set before it is added. */
struct ahead_work {
    struct ahead_item item;
    const struct ahead_kind *kind;
};

/* This subsystem's state of one device. */
struct ahead {
    bool begun;               /* ahead_init() has done its work */
    bool on;                  /* there may be workers; does not change */
    uint32_t process;         /* whose threads they are: a fork has none */
    _Atomic(uint32_t) moment; /* submissions so far, from 1 on; 0 where there are no workers */
    atomic_bool first_draws;  /* since the last submission something was drawn for the first time */
    pthread_mutex_t lock;     /* for all members behind it */
    pthread_cond_t woken;     /* `wakes` rose, or `stop` is set */
    struct ahead_queue queue;
    pthread_t threads[AHEAD_THREADS];
    uint32_t most, started;
    uint32_t resting, wakes;  /* workers that wait, and how many of them shall go on */
    uint32_t working, paused; /* workers that compile; calls of ahead_pause() that last */
    pthread_cond_t quiet;     /* `working` is 0 */
    struct helper *helpers, *resting_helpers;
    bool helpers_ended;
    bool stop;
    struct track *track;
    struct ahead *next; /* device (ahead.c) */
};

/* False: out of memory. */
bool ahead_init(struct track *track);
void ahead_finish(struct track *track);

/* Ends all threads, and drops the items that wait. Draws then compile on their own threads. */
void ahead_stop(struct track *track);

/*
 * Waits until no worker of the instance's devices compiles, and keeps them from it until the matching ahead_resume().
 * Between the two the thread is not cancelled (pthread_cancel); the value is the second one's.
 */
int ahead_pause(struct instance *instance);
void ahead_resume(struct instance *instance, int cancel);

/* The device's needs have risen to these as well; `floats`: those but of views of integers. */
void ahead_raise(struct track *track, uint32_t needs, uint32_t floats);

/* A pipeline or shader object has come whose shaders follow these needs. */
void ahead_add(struct track *track, struct ahead_work *work, uint32_t follows);

/*
 * The driver may have compiled, and registered destructors for the process's end: the threads must end before these
 * run.
 */
void ahead_compiled(void);

/* Removes it. False: a worker compiles it and will release it; the caller must not touch it any more. */
bool ahead_remove(struct track *track, struct ahead_work *work);

/* Something was drawn for the first time: may more be compiled? */
void ahead_look_again(struct track *track);

/* Called at each submission: later draws have a later moment. */
static inline void ahead_submitted(struct track *track)
{
    if (!track->ahead->on)
        return;
    atomic_fetch_add_explicit(&track->ahead->moment, 1, memory_order_relaxed);
    if (atomic_load_explicit(&track->ahead->first_draws, memory_order_relaxed))
        ahead_look_again(track);
}

/* A draw uses the item. Writes at most once a submission, because all threads that record read the same cache line. */
static inline bool ahead_drawn(const struct track *track, struct ahead_work *work)
{
    const uint32_t moment = atomic_load_explicit(&track->ahead->moment, memory_order_relaxed);
    const uint32_t last = atomic_load_explicit(&work->item.drawn, memory_order_relaxed);
    if (last == moment)
        return false;
    atomic_store_explicit(&work->item.drawn, moment, memory_order_relaxed);
    if (!last)
        atomic_store_explicit(&track->ahead->first_draws, true, memory_order_release);
    return true;
}

#endif
