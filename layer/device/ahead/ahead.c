/* SPDX-License-Identifier: MIT */
/*
 * Starts, runs and ends the workers. They are never cancelled: drivers hold locks while they compile. If a process
 * ends, or unloads the layer, without destroying its device, the workers end first: the driver's own destructors would
 * free what they still use.
 */
#include "ahead/ahead.h"
#include "ahead/helper.h"
#include "device/device.h"
#include "device/held.h"
#include "device/message.h"
#include "objects/track.h"
#include "platform/threads.h"

/* ---- All devices ---- */

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ahead *devices;
static _Atomic(uint32_t) listed_in; /* the process that listed one last */
static bool fork_is_known;
static atomic_bool first_thread_ends_all; /* its exit() runs end_all() first of all */

/*
 * The thread that holds the lock waits for workers under it, so it is not cancelled (pthread_cancel) until it unlocks.
 */
static int lock_devices(void)
{
    const int cancel = thread_uncancelled();
    pthread_mutex_lock(&devices_lock);
    return cancel;
}

static void unlock_devices(int cancel)
{
    pthread_mutex_unlock(&devices_lock);
    thread_cancelled_again(cancel);
}

static bool in_own_process(const struct ahead *a)
{
    return a->process == thread_process();
}

/* Ends the threads of a device. They are joined by one caller only, under the lock of all devices. */
static void end_threads(struct ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    ahead_queue_cancel(&a->queue);
    pthread_cond_broadcast(&a->woken);
    pthread_mutex_unlock(&a->lock);
    for (uint32_t i = 0; i < a->started; i++)
        pthread_join(a->threads[i], NULL);
    a->started = 0;
    helpers_end(a);
}

/*
 * Does nothing in a fork, which has none of the threads, and in which locks may be held for ever; nor while an
 * allocation callback of the program's, which a helper waits for, ends the process: the helper may hold locks of the
 * driver's until the callback returns. Without the layer the driver's own code would hold them there.
 */
static void end_all(void)
{
    if (atomic_load(&listed_in) != thread_process() || helper_requests_here())
        return;
    const int cancel = lock_devices();
    for (struct ahead *a = devices; a; a = a->next) {
        if (in_own_process(a))
            end_threads(a);
    }
    unlock_devices(cancel);
}

/*
 * Drivers make static objects whenever they compile something of a kind for the first time, which are destroyed when
 * the process ends. Where exit() is called on the first thread, which has compiled or made a device, end_all() runs
 * before the first of them is destroyed, whenever it was made: no thread of the layer's is left then.
 *
 * On other threads what was registered last runs first: so end_all() is registered again behind compilations, of the
 * program's own threads and of others; of many, behind the first ones and then ever more rarely. A worker may still use
 * an object that is destroyed first, if the driver has registered it since.
 */
void ahead_compiled(void)
{
    enum { EACH = 32 };
    static _Atomic(uint32_t) compiled;
    const uint32_t before = atomic_fetch_add_explicit(&compiled, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&first_thread_ends_all, memory_order_relaxed) && thread_at_own_exit(end_all))
        atomic_store_explicit(&first_thread_ends_all, true, memory_order_relaxed);
    if (before < EACH || !(before & (before - 1)))
        (void)thread_at_end(end_all);
}

/* In a fork, which has one thread: the lock's holder and the devices' threads do not exist there. */
static void forked(void)
{
    pthread_mutex_init(&devices_lock, NULL);
    devices = NULL;
    atomic_store(&first_thread_ends_all, false); /* its first thread may have been another one before */
}

static void list_device(struct ahead *a)
{
    const int cancel = lock_devices();
    a->next = devices;
    devices = a;
    atomic_store(&listed_in, a->process);
    if (!fork_is_known) {
        fork_is_known = true;
        thread_at_fork(forked);
    }
    unlock_devices(cancel);
    ahead_compiled(); /* of drivers, which are loaded by now */
}

int ahead_pause(struct instance *instance)
{
    const int cancel = thread_uncancelled();
    const int locked = lock_devices();
    for (struct ahead *a = devices; a; a = a->next) {
        if (a->track->device->instance != instance)
            continue;
        pthread_mutex_lock(&a->lock);
        a->paused++;
        while (a->working)
            pthread_cond_wait(&a->quiet, &a->lock);
        pthread_mutex_unlock(&a->lock);
    }
    unlock_devices(locked);
    return cancel;
}

/* ---- One worker ---- */

/* Wakes a worker that rests. Under the lock. True: there was one. */
static bool wake_one(struct ahead *a)
{
    if (!a->resting)
        return false;
    a->resting--;
    a->wakes++;
    pthread_cond_signal(&a->woken);
    return true;
}

static void engage(struct ahead *a);

static void rest(struct ahead *a)
{
    a->resting++;
    while (!a->stop && !a->wakes)
        pthread_cond_wait(&a->woken, &a->lock);
    if (a->wakes)
        a->wakes--;
}

static void *worker(void *user)
{
    struct ahead *a = user;
    struct held_messages held;
    thread_lower_priority();
    messages_hold_here(&held);
    pthread_mutex_lock(&a->lock);
    while (!a->stop) {
        uint32_t tier;
        struct ahead_item *item = a->paused ? NULL : ahead_queue_pop(&a->queue, &tier);
        if (!item) {
            rest(a);
            continue;
        }
        if (a->queue.first_waiting)
            engage(a);
        struct ahead_work *work = (struct ahead_work *)item; /* its first member */
        a->working++;
        pthread_mutex_unlock(&a->lock);
        work->kind->compile(a->track, item, tier);
        messages_leave(&held);
        ahead_compiled();
        pthread_mutex_lock(&a->lock);
        const bool gone = ahead_queue_done(item);
        pthread_mutex_unlock(&a->lock);
        if (gone) {
            work->kind->release(a->track, item);
            messages_leave(&held);
        }
        pthread_mutex_lock(&a->lock);
        if (--a->working == 0)
            pthread_cond_broadcast(&a->quiet);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static bool start(struct ahead *a)
{
    const bool started = thread_start(&a->threads[a->started], "clampler:tiers", worker, a);
    a->started += started;
    return started;
}

/* Wakes or starts one more worker. Under the lock. */
static void engage(struct ahead *a)
{
    static struct message_place said;
    if (a->stop || wake_one(a) || a->started >= a->most || start(a))
        return;
    a->most = a->started;
    const int cancel = thread_uncancelled(); /* which writing the log may be */
    message_about_once(&said, a->track->device, LOG_INFO, NULL,
                       "no further thread can be started: %u compile tiers ahead of draws", a->started);
    thread_cancelled_again(cancel);
}

/* ---- What the subsystems see ---- */

bool ahead_init(struct track *track)
{
    struct ahead *a = track->ahead;
    const uint32_t others = thread_processors() - 1;
    if (pthread_mutex_init(&a->lock, NULL))
        return false;
    if (pthread_cond_init(&a->woken, NULL)) {
        pthread_mutex_destroy(&a->lock);
        return false;
    }
    if (pthread_cond_init(&a->quiet, NULL)) {
        pthread_cond_destroy(&a->woken);
        pthread_mutex_destroy(&a->lock);
        return false;
    }
    a->track = track;
    a->process = thread_process();
    a->most = others < 1 ? 1 : others > AHEAD_THREADS ? AHEAD_THREADS : others;
    a->on = track->device->instance->settings.tiers == TIERS_AHEAD && !track->device->program_allocates;
    atomic_init(&a->moment, a->on);
    a->begun = true;
    list_device(a);
    return true;
}

void ahead_stop(struct track *track)
{
    struct ahead *a = track->ahead;
    if (!a->begun || !in_own_process(a))
        return;
    const int cancel = lock_devices();
    end_threads(a);
    unlock_devices(cancel);
}

void ahead_finish(struct track *track)
{
    struct ahead *a = track->ahead;
    if (!a->begun || !in_own_process(a))
        return;
    const int cancel = lock_devices();
    end_threads(a);
    struct ahead **link = &devices;
    while (*link != a)
        link = &(*link)->next;
    *link = a->next;
    unlock_devices(cancel);
    helpers_free(a);
    pthread_cond_destroy(&a->quiet);
    pthread_cond_destroy(&a->woken);
    pthread_mutex_destroy(&a->lock);
}

void ahead_resume(struct instance *instance, int cancel)
{
    const int locked = lock_devices();
    for (struct ahead *a = devices; a; a = a->next) {
        if (a->track->device->instance != instance)
            continue;
        pthread_mutex_lock(&a->lock);
        if (--a->paused == 0 && a->queue.first_waiting)
            engage(a);
        pthread_mutex_unlock(&a->lock);
    }
    unlock_devices(locked);
    thread_cancelled_again(cancel);
}

void ahead_raise(struct track *track, uint32_t needs, uint32_t floats)
{
    struct ahead *a = track->ahead;
    if (!a->on)
        return;
    pthread_mutex_lock(&a->lock);
    if (!a->stop && ahead_queue_raise(&a->queue, needs, floats))
        engage(a);
    pthread_mutex_unlock(&a->lock);
}

void ahead_look_again(struct track *track)
{
    struct ahead *a = track->ahead;
    atomic_exchange_explicit(&a->first_draws, false, memory_order_acquire); /* before it looks */
    pthread_mutex_lock(&a->lock);
    if (!a->stop && ahead_queue_drawn(&a->queue))
        engage(a);
    pthread_mutex_unlock(&a->lock);
}

void ahead_add(struct track *track, struct ahead_work *work, uint32_t follows)
{
    struct ahead *a = track->ahead;
    if (a->begun)
        ahead_compiled();
    if (!a->on)
        return;
    pthread_mutex_lock(&a->lock);
    if (ahead_queue_add(&a->queue, &work->item, follows))
        engage(a);
    pthread_mutex_unlock(&a->lock);
}

bool ahead_remove(struct track *track, struct ahead_work *work)
{
    struct ahead *a = track->ahead;
    if (!a->on || !in_own_process(a))
        return true;
    pthread_mutex_lock(&a->lock);
    const bool free_now = ahead_queue_remove(&a->queue, &work->item);
    pthread_mutex_unlock(&a->lock);
    return free_now;
}
