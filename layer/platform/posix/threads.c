/* SPDX-License-Identifier: MIT */
/* Threads on POSIX; what Linux and glibc have beyond it is asked for where it is there. */
#define _GNU_SOURCE /* sched_getaffinity, pthread_setname_np, pthread_getcpuclockid, pthread_condattr_setclock */

#include "platform/threads.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = sizeof(void *) >= 8 ? 8 << 20 : 2 << 20 }; /* compilers recurse: no less than a program's own */
enum { SECOND = 1000 * 1000 * 1000 };                           /* nanoseconds */

/* ---- Workers ---- */

/* No signal handler of the program's may run on it, from its first moment on. */
bool thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    size_t stack = 0;
    sigfillset(&all);
    if (pthread_attr_init(&attributes))
        return false;
    if (!pthread_attr_getstacksize(&attributes, &stack) && stack < STACK_BYTES)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(thread, &attributes, run, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failed)
        return false;
#ifdef __GLIBC__
    (void)pthread_setname_np(*thread, name);
#else
    (void)name;
#endif
    return true;
}

void thread_lower_priority(void)
{
#ifdef __linux__
    const struct sched_param none = {.sched_priority = 0};
    (void)sched_setscheduler(0, SCHED_BATCH, &none);
    (void)setpriority(PRIO_PROCESS, 0, 19); /* of the calling thread */
#endif
}

uint32_t thread_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (!sched_getaffinity(0, sizeof(set), &set))
        return (uint32_t)CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

uint32_t thread_process(void)
{
    return (uint32_t)getpid();
}

bool thread_at_end(void (*end)(void))
{
    return atexit(end) == 0;
}

/* ---- Time ---- */

static int64_t clock_now(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) ? 0 : (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

int64_t thread_time(void)
{
    return clock_now(CLOCK_MONOTONIC);
}

thread_clock thread_own_clock(void)
{
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) ? CLOCK_MONOTONIC : clock;
}

int64_t thread_worked(thread_clock clock)
{
    return clock_now(clock);
}

bool thread_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes))
        return false;
    const bool done =
        !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) && !pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return done;
}

bool thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until)
{
    const struct timespec at = {.tv_sec = (time_t)(until / SECOND), .tv_nsec = (long)(until % SECOND)};
    return pthread_cond_timedwait(condition, lock, &at) == 0;
}
