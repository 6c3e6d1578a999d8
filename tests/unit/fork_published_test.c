/* SPDX-License-Identifier: MIT */
/*
 * Processes that are forked while another thread publishes a device, or lists a messenger (layer/device/device): the
 * child, in which that thread is not, can do the same.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/device.h"
#include "device/instance.h"

static atomic_bool locked, may_end;

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

static void *hold(void *lock)
{
    pthread_mutex_lock(lock);
    atomic_store(&locked, true);
    while (!atomic_load(&may_end))
        nap();
    pthread_mutex_unlock(lock);
    return NULL;
}

/* How the child ends if it does this while a thread of its parent has the lock. */
static int status_of_child(pthread_mutex_t *lock, int (*run)(void))
{
    pthread_t thread;
    int status = -1;
    atomic_store(&locked, false);
    atomic_store(&may_end, false);
    assert_int_equal(pthread_create(&thread, NULL, hold, lock), 0);
    while (!atomic_load(&locked))
        nap();
    const pid_t child = fork();
    if (!child) {
        alarm(20);
        _exit(run());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    atomic_store(&may_end, true);
    pthread_join(thread, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void *key = &key; /* what the loader's table would be */
static struct instance instance = {.messenger_lock = PTHREAD_MUTEX_INITIALIZER};
static struct device device;

static int publish_device(void)
{
    return device_publish(&device) && device_of(&key) == &device ? 0 : 1;
}

static void a_child_publishes_a_device(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(&device_map.writers, publish_device), 0);
}

static int lock_messengers(void)
{
    return pthread_mutex_lock(&instance.messenger_lock);
}

static void a_child_lists_messengers(void **state)
{
    (void)state;
    assert_int_equal(status_of_child(&instance.messenger_lock, lock_messengers), 0);
}

static int publish_instance(void **state)
{
    (void)state;
    instance.handle = (VkInstance)(void *)&key;
    device.handle = (VkDevice)(void *)&key;
    return instance_publish(&instance) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_publishes_a_device),
        cmocka_unit_test(a_child_lists_messengers),
    };
    return cmocka_run_group_tests_name("fork_published", tests, publish_instance, NULL);
}
