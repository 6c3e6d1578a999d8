/* SPDX-License-Identifier: MIT */
/*
 * Threads of the program's that are cancelled (pthread_cancel) while they wait for a worker of the layer's, under the
 * lock of all devices (layer/device/ahead): they go when they have given it back, so that other threads make and end
 * devices.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "ahead/ahead.h"
#include "fake_driver.h"
#include "track/subsystems.h"

struct device device;
static struct instance instance;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

/* ---- A device with a worker that compiles until it is told to stop ---- */

struct fixture {
    struct subsystems subsystems;
    struct track track;
    struct ahead_work work;
};

static atomic_bool compiles, may_end;

static void compile(struct track *of, struct ahead_item *item, uint32_t tier)
{
    (void)of, (void)item, (void)tier;
    atomic_store(&compiles, true);
    while (!atomic_load(&may_end))
        nap();
}

static void release_nothing(struct track *of, struct ahead_item *item)
{
    (void)of, (void)item;
}

static const struct ahead_kind kind = {compile, release_nothing};

static void open_fixture(struct fixture *f)
{
    instance.settings.tiers = TIERS_AHEAD;
    device.instance = &instance;
    atomic_store(&compiles, false);
    atomic_store(&may_end, false);
    *f = (struct fixture){.track = {.device = &device, SUBSYSTEMS_OF(f->subsystems)}, .work = {.kind = &kind}};
    assert_true(ahead_init(&f->track));
    ahead_raise(&f->track, UINT32_MAX, UINT32_MAX);
    ahead_add(&f->track, &f->work, UINT32_MAX);
    while (!atomic_load(&compiles))
        nap();
}

/* ---- What waits for it ---- */

static struct fixture one;
static atomic_bool went_on;

static void finish(void)
{
    ahead_finish(&one.track);
}

static void stop_workers(void)
{
    ahead_stop(&one.track);
}

static void pause_and_go_on(void)
{
    const int cancel = ahead_pause(&instance);
    nanosleep(&(struct timespec){.tv_nsec = 1}, NULL); /* which cancels where that is allowed */
    ahead_resume(&instance, cancel);
}

static void *wait_for_worker(void *user)
{
    (*(void (**)(void))user)();
    pthread_testcancel();
    atomic_store(&went_on, true);
    return NULL;
}

/* While somebody waits for the worker. */
static bool waits(void)
{
    pthread_mutex_lock(&one.subsystems.ahead.lock);
    const bool found = one.subsystems.ahead.stop || one.subsystems.ahead.paused;
    pthread_mutex_unlock(&one.subsystems.ahead.lock);
    return found;
}

static void a_thread_that_waits_is_cancelled_behind_the_lock(void **state)
{
    (void)state;
    void (*const rows[])(void) = {pause_and_go_on, stop_workers, finish};
    alarm(60);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        pthread_t thread;
        void *result = NULL;
        struct fixture other;
        void (*row)(void) = rows[i];
        open_fixture(&one);
        assert_int_equal(pthread_create(&thread, NULL, wait_for_worker, &row), 0);
        while (!waits() && !atomic_load(&went_on))
            nap();
        assert_int_equal(pthread_cancel(thread), 0);
        atomic_store(&may_end, true);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_ptr_equal(result, PTHREAD_CANCELED);
        assert_false(atomic_load(&went_on));
        open_fixture(&other); /* the lock is free, and workers work */
        atomic_store(&may_end, true);
        ahead_finish(&other.track);
        if (row != finish)
            ahead_finish(&one.track);
    }
    alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_that_waits_is_cancelled_behind_the_lock)};
    return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
