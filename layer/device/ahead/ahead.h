/* SPDX-License-Identifier: MIT */
/*
 * Room: the layer's threads of a device. Workers compile tiers before a draw needs them (tiers=ahead): what waits for
 * them, and in which order, is decided in queue.h; what compiling is, by the subsystems that add items. There is a
 * worker less than the process has cores, at least one; each starts when something waits and none rests, and lives as
 * long as the device. They run at the lowest priority. Helpers (helper.h) do what draws need at once.
 *
 * All of them block the signals that are meant for the program, and end before the driver's device goes, or the
 * process, or the layer's code: whoever ends them waits for no more than what is being compiled. What is said on them
 * reaches the program on its own threads (device/held.h).
 *
 * No worker is started with tiers=lazy or tiers=eager, nor where the driver would call the program's own allocation
 * callbacks from it: Vulkan promises programs that these come from the threads of their calls. What helpers allocate is
 * asked of the program by the threads that wait for them (program_allocator.h).
 *
 * All of it for any thread.
 */
#ifndef CLAMPLER_AHEAD_AHEAD_H
#define CLAMPLER_AHEAD_AHEAD_H

#include <pthread.h>

#include "ahead/queue.h"
#include "objects/track.h"

enum { AHEAD_THREADS = 16 }; /* at most */

/* What is to be done with items of one kind; called by workers, without a lock. */
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
    _Atomic(uint32_t) moment; /* submissions until now, from 1 on; 0 where there are no workers */
    pthread_mutex_t lock;     /* for all below */
    pthread_cond_t woken;     /* `wakes` rose, or `stop` is set */
    struct ahead_queue queue;
    pthread_t threads[AHEAD_THREADS];
    uint32_t most, started;
    uint32_t resting, wakes;  /* workers who wait, and how many of those that waited shall go on */
    uint32_t working, paused; /* who compile; how many want that nobody begins to */
    pthread_cond_t quiet;     /* `working` is 0 */
    struct helper *helpers, *resting_helpers;
    bool helpers_ended;
    bool stop;
    struct track *track;
    struct ahead *next; /* device (ahead.c) */
};

/* False: out of memory, or no lock is to be had. */
bool ahead_init(struct track *track);
void ahead_finish(struct track *track);

/* Ends all threads; what waited is dropped. What is added later waits for nothing, and draws do their own work. */
void ahead_stop(struct track *track);

/*
 * Waits until no worker of the instance's devices compiles, and keeps them from it until all who did so go on. Between
 * the two the thread is not cancelled (pthread_cancel); the value is the second one's.
 */
int ahead_pause(struct instance *instance);
void ahead_go_on(struct instance *instance, int cancel);

/* The device's needs have risen to these as well. */
void ahead_raise(struct track *track, uint32_t needs);

/* A pipeline or shader object has come whose shaders follow these needs. */
void ahead_add(struct track *track, struct ahead_work *work, uint32_t follows);

/* The driver may have compiled something: threads must end before what it may have registered for the process's end. */
void ahead_compiled(void);

/* It goes. False: a worker is at it and will release it; the caller must not touch it any more. */
bool ahead_remove(struct track *track, struct ahead_work *work);

/* Something was submitted: draws from here on are later than those before. */
static inline void ahead_submitted(struct track *track)
{
    if (track->ahead->on)
        atomic_fetch_add_explicit(&track->ahead->moment, 1, memory_order_relaxed);
}

/* The item is drawn with. Writes once a submission at most, because all threads that record read what lies beside. */
static inline bool ahead_drawn(const struct track *track, struct ahead_work *work)
{
    const uint32_t moment = atomic_load_explicit(&track->ahead->moment, memory_order_relaxed);
    if (atomic_load_explicit(&work->item.drawn, memory_order_relaxed) == moment)
        return false;
    atomic_store_explicit(&work->item.drawn, moment, memory_order_relaxed);
    return true;
}

#endif
