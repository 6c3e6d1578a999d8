/* SPDX-License-Identifier: MIT */
/*
 * The workers: how they start, work, rest and end. They are never cancelled: drivers hold locks while they compile.
 * Where a process ends without destroying its device, or the layer is unloaded with it, they end first: a driver whose
 * own end runs meanwhile would take the ground away from under them.
 */
#include "ahead/ahead.h"
#include "device/device.h"
#include "device/message.h"
#include "objects/track.h"
#include "platform/threads.h"

/* ---- All devices with workers ---- */

static pthread_mutex_t devices_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ahead *devices;
static _Atomic(uint32_t) listed_in; /* the process that listed one last */
static bool exit_is_known;

static bool in_own_process(const struct ahead *a)
{
    return a->process == thread_process();
}

/* Ends the workers of a device. They are joined by one caller only, under the lock of all devices. */
static void end_workers(struct ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    ahead_queue_cancel(&a->queue);
    pthread_cond_broadcast(&a->woken);
    pthread_mutex_unlock(&a->lock);
    for (uint32_t i = 0; i < a->started; i++)
        pthread_join(a->threads[i], NULL);
    a->started = 0;
}

/* In a fork there is nobody to wait for, and locks may be held that nobody will give back. */
static void end_all(void)
{
    if (atomic_load(&listed_in) != thread_process())
        return;
    pthread_mutex_lock(&devices_lock);
    for (struct ahead *a = devices; a; a = a->next) {
        if (in_own_process(a))
            end_workers(a);
    }
    pthread_mutex_unlock(&devices_lock);
}

static void list_device(struct ahead *a)
{
    pthread_mutex_lock(&devices_lock);
    a->next = devices;
    devices = a;
    atomic_store(&listed_in, a->process);
    /* Only now: what was registered last runs first, and drivers have registered theirs when they were loaded. */
    if (!exit_is_known)
        exit_is_known = thread_at_end(end_all);
    pthread_mutex_unlock(&devices_lock);
}

/* ---- One worker ---- */

/* One that rests goes on. Under the lock. True: there was one. */
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
    thread_lower_priority();
    pthread_mutex_lock(&a->lock);
    while (!a->stop) {
        uint32_t tier;
        struct ahead_item *item = ahead_queue_take(&a->queue, &tier);
        if (!item) {
            rest(a);
            continue;
        }
        if (a->queue.first_waiting)
            engage(a);
        struct ahead_work *work = (struct ahead_work *)item; /* its first member */
        pthread_mutex_unlock(&a->lock);
        work->kind->compile(a->track, item, tier);
        pthread_mutex_lock(&a->lock);
        if (!ahead_queue_done(item))
            continue;
        pthread_mutex_unlock(&a->lock);
        work->kind->release(a->track, item);
        pthread_mutex_lock(&a->lock);
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

/* Something waits: one more works. Under the lock. */
static void engage(struct ahead *a)
{
    static struct message_place said;
    if (a->stop || wake_one(a) || a->started >= a->most || start(a))
        return;
    a->most = a->started;
    message_about_once(&said, a->track->device, LOG_INFO, NULL,
                       "no further thread can be started: %u compile tiers ahead of draws", a->started);
}

/* ---- What the rooms see ---- */

bool ahead_init(struct track *track)
{
    struct ahead *a = track->ahead;
    if (track->device->instance->settings.tiers != TIERS_AHEAD || track->device->program_callbacks)
        return true;
    if (pthread_mutex_init(&a->lock, NULL))
        return false;
    if (pthread_cond_init(&a->woken, NULL)) {
        pthread_mutex_destroy(&a->lock);
        return false;
    }
    const uint32_t others = thread_processors() - 1;
    a->track = track;
    a->process = thread_process();
    a->most = others < 1 ? 1 : others > AHEAD_THREADS ? AHEAD_THREADS : others;
    atomic_init(&a->moment, 1);
    a->on = true;
    list_device(a);
    return true;
}

void ahead_stop(struct track *track)
{
    struct ahead *a = track->ahead;
    if (!a->on || !in_own_process(a))
        return;
    pthread_mutex_lock(&devices_lock);
    end_workers(a);
    pthread_mutex_unlock(&devices_lock);
}

void ahead_finish(struct track *track)
{
    struct ahead *a = track->ahead;
    if (!a->on || !in_own_process(a))
        return;
    pthread_mutex_lock(&devices_lock);
    end_workers(a);
    struct ahead **link = &devices;
    while (*link != a)
        link = &(*link)->next;
    *link = a->next;
    pthread_mutex_unlock(&devices_lock);
    pthread_cond_destroy(&a->woken);
    pthread_mutex_destroy(&a->lock);
}

void ahead_raise(struct track *track, uint32_t needs)
{
    struct ahead *a = track->ahead;
    if (!a->on)
        return;
    pthread_mutex_lock(&a->lock);
    if (!a->stop && ahead_queue_raise(&a->queue, needs))
        engage(a);
    pthread_mutex_unlock(&a->lock);
}

void ahead_add(struct track *track, struct ahead_work *work, uint32_t follows)
{
    struct ahead *a = track->ahead;
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
