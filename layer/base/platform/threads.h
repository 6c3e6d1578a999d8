/* SPDX-License-Identifier: MIT */
/*
 * Worker threads, their processor time, and timed waits. Locks, conditions and joining are those of pthreads on every
 * system; MinGW-w64's are linked into the DLL. Thread-safe.
 */
#ifndef CLAMPLER_PLATFORM_THREADS_H
#define CLAMPLER_PLATFORM_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Workers ---- */

/*
 * Starts a thread with no less stack than a program's own on which no signal handler of the program's runs but for
 * signals that the thread's own instructions and calls raise (SIGSEGV, SIGSYS); `name`, of at most 15 characters, which
 * stay, is for debuggers. False: it cannot be started. It is joined by pthread_join().
 */
bool thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user);

/* Gives the calling thread the lowest priority. Best effort: it cannot be taken back everywhere. */
void thread_lower_priority(void);

/* On how many processors this process may run; at least 1. */
uint32_t thread_processors(void);

/*
 * Identifies the process that has the layer's threads. The value differs in a fork, which has none of them, and is 0
 * while Windows ends the process, because Windows ends threads first. In both cases locks may be held for ever.
 */
uint32_t thread_process(void);

/*
 * Calls `end` when the process ends or this code is unloaded, so that it can end its threads; false if it cannot be
 * registered. Windows ends threads first, so there it is never called.
 */
bool thread_at_end(void (*end)(void));

/*
 * Calls `end` when exit() is called on this thread, before all that is registered by thread_at_end() and by others, if
 * it is the process's first thread, which the others outlive in no other way; this code stays loaded then. False where
 * it is another thread, or the C library has no such thing (glibc has).
 */
bool thread_at_own_exit(void (*end)(void));

/*
 * Until the second of them pthread_cancel() does not end this thread: because it holds a lock, or other threads use its
 * stack. The value is what was before.
 */
int thread_uncancelled(void);
void thread_cancelled_again(int before);

/* Calls `forked` in every fork from now on, before fork() returns there; Windows has none. */
void thread_at_fork(void (*forked)(void));

/* ---- Time: nanoseconds, of a clock that nobody sets ---- */

int64_t thread_time(void);

/* The processor time of a thread that lives. */
typedef int32_t thread_clock;
thread_clock thread_own_clock(void);
int64_t thread_worked(thread_clock clock); /* 0 if it is not available */

/* A condition for thread_wait_until(). False: the system has none left. */
bool thread_condition_init(pthread_cond_t *condition);

/* pthread_cond_wait(), until thread_time() is `until` at the latest. False: it came so late. */
bool thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until);

#endif
