/* SPDX-License-Identifier: MIT */
/* Threads on POSIX, with functions of Linux and glibc where the system has them. */
#define _GNU_SOURCE /* sched_getaffinity, pthread_setname_np, pthread_getcpuclockid, pthread_condattr_setclock,        \
                       syscall */

#include "platform/threads.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = sizeof(void *) >= 8 ? 8 << 20 : 2 << 20 }; /* compilers recurse: no less than a program's own */
enum { SECOND = 1000 * 1000 * 1000 };                           /* nanoseconds */

/* ---- Workers ---- */

/* The arguments of begin(). */
struct beginning {
    void *(*run)(void *);
    void *user;
    const char *name;
};

/*
 * Signals that the thread's own instructions or calls raise must stay unblocked on every thread: a blocked SIGSYS ends
 * a process whose seccomp filter raises it, and a blocked fault ends one that handles faults.
 */
static void *begin(void *user)
{
    static const int own[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    const struct beginning beginning = *(struct beginning *)user;
    sigset_t set;
    free(user);
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        sigaddset(&set, own[i]);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#ifdef __GLIBC__
    (void)pthread_setname_np(pthread_self(), beginning.name);
#endif
    return beginning.run(beginning.user);
}

/* With all signals but those that starting a thread may raise blocked, which the new one begins with. */
static int create_quietly(pthread_t *thread, const pthread_attr_t *attributes, struct beginning *beginning)
{
    sigset_t others, before;
    sigfillset(&others);
    sigdelset(&others, SIGSYS);
    pthread_sigmask(SIG_BLOCK, &others, &before); /* and never unblocks what the program blocks */
    const int failed = pthread_create(thread, attributes, begin, beginning);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* No signal handler of the program's may run on it, from its first moment on, but for what it does itself. */
bool thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user)
{
    pthread_attr_t attributes;
    size_t stack = 0;
    struct beginning *beginning = malloc(sizeof(*beginning));
    if (!beginning || pthread_attr_init(&attributes)) {
        free(beginning);
        return false;
    }
    *beginning = (struct beginning){run, user, name};
    if (!pthread_attr_getstacksize(&attributes, &stack) && stack < STACK_BYTES)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int failed = create_quietly(thread, &attributes, beginning);
    pthread_attr_destroy(&attributes);
    if (failed)
        free(beginning);
    return !failed;
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

/* Registers a destructor as C++ does for thread_local objects: exit() calls these first, on the calling thread. */
#if defined(__GLIBC__) && defined(__linux__)
extern int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *of_library) __attribute__((weak));

static void call_end(void *object)
{
    void (**end)(void) = object;
    (*end)();
}

bool thread_at_own_exit(void (*end)(void))
{
    static void (*registered)(void); /* one function in all */
    if (!__cxa_thread_atexit_impl || syscall(SYS_gettid) != getpid())
        return false;
    registered = end;
    return __cxa_thread_atexit_impl(call_end, &registered, &registered) == 0;
}
#else
bool thread_at_own_exit(void (*end)(void))
{
    (void)end;
    return false;
}
#endif

int thread_uncancelled(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void thread_cancelled_again(int before)
{
    (void)pthread_setcancelstate(before, NULL);
}

void thread_at_fork(void (*forked)(void))
{
    (void)pthread_atfork(NULL, NULL, forked);
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
