/* SPDX-License-Identifier: MIT */
/*
 * Processes that are forked while another thread holds a lock of all devices or instances (layer/device/ahead,
 * layer/device/dispatch_map): the child, in which that thread is not, can make its own.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "ahead/ahead.h"
#include "ahead/helper.h"
#include "dispatch_map/dispatch_map.h"
#include "fake_driver.h"
#include "platform/threads.h"
#include "track/subsystems.h"

struct device device;
static struct instance instance;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

/* ---- A worker that compiles until it is told to stop: whoever ends it holds the lock of all devices ---- */

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

static void *end(void *user)
{
    ahead_finish(user);
    return NULL;
}

static void note(void *user)
{
    *(pthread_t *)user = pthread_self();
}

/* Makes a device of its own, has a helper do something, and ends it. */
static int childs_own_device(void)
{
    static struct subsystems own_rooms;
    static struct track own = {.device = &device, SUBSYSTEMS_OF(own_rooms)};
    pthread_t helper = pthread_self();
    alarm(20);
    if (!ahead_init(&own))
        return 1;
    helper_run(&own, note, &helper);
    ahead_finish(&own);
    ahead_finish(&track); /* its parent's: nothing to end */
    return pthread_equal(helper, pthread_self()) ? 2 : 0;
}

static int status_of(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void a_child_makes_its_own_while_another_thread_ends_a_device(void **state)
{
    (void)state;
    static struct ahead_work work = {.kind = &kind};
    pthread_t ending;
    instance.settings.tiers = TIERS_AHEAD;
    device.instance = &instance;
    assert_true(ahead_init(&track));
    ahead_raise(&track, UINT32_MAX, UINT32_MAX);
    ahead_add(&track, &work, UINT32_MAX);
    while (!atomic_load(&compiles))
        nap();
    assert_int_equal(pthread_create(&ending, NULL, end, &track), 0);
    for (bool stops = false; !stops; nap()) { /* then the lock of all devices is held until the worker ends */
        pthread_mutex_lock(&subsystems.ahead.lock);
        stops = subsystems.ahead.stop;
        pthread_mutex_unlock(&subsystems.ahead.lock);
    }
    const pid_t child = fork();
    if (!child)
        _exit(childs_own_device());
    const int status = status_of(child);
    atomic_store(&may_end, true);
    pthread_join(ending, NULL);
    assert_int_equal(status, 0);
}

/* ---- A map that another thread writes to ---- */

static struct dispatch_map map = DISPATCH_MAP_INITIALIZER;

static void forget_writer(void)
{
    dispatch_map_forked(&map);
}

static void *write_for_long(void *user)
{
    (void)user;
    pthread_mutex_lock(&map.writers);
    atomic_store(&compiles, true);
    while (!atomic_load(&may_end))
        nap();
    pthread_mutex_unlock(&map.writers);
    return NULL;
}

static void a_child_writes_to_a_map_that_another_thread_wrote_to(void **state)
{
    (void)state;
    pthread_t thread;
    int key, object;
    atomic_store(&compiles, false);
    atomic_store(&may_end, false);
    thread_at_fork(forget_writer);
    assert_int_equal(pthread_create(&thread, NULL, write_for_long, NULL), 0);
    while (!atomic_load(&compiles))
        nap();
    const pid_t child = fork();
    if (!child) {
        alarm(20);
        _exit(dispatch_map_insert(&map, &key, &object) && dispatch_map_find(&map, &key) == &object ? 0 : 1);
    }
    const int status = status_of(child);
    atomic_store(&may_end, true);
    pthread_join(thread, NULL);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_makes_its_own_while_another_thread_ends_a_device),
        cmocka_unit_test(a_child_writes_to_a_map_that_another_thread_wrote_to),
    };
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
