/* SPDX-License-Identifier: MIT */
/*
 * Locks of debug builds, which include this in front of every source of the layer (layer/CMakeLists.txt). A thread that
 * locks a mutex twice, unlocks one that it does not hold, or destroys one that is locked, ends the process with the
 * place in the code.
 */
#ifndef CLAMPLER_PLATFORM_POSIX_CHECKED_LOCKS_H
#define CLAMPLER_PLATFORM_POSIX_CHECKED_LOCKS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as sources define it that come to the system's headers only now */
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int lock_checked(int result, const char *call, const char *file, int line)
{
    if (result == 0)
        return result;
    fprintf(stderr, "clampler: %s:%d: %s: error %d\n", file, line, call, result);
    abort();
}

/* The result is the caller's: memory may run out. */
static inline int lock_init_checked(pthread_mutex_t *lock, const pthread_mutexattr_t *given)
{
    pthread_mutexattr_t attributes;
    if (given || pthread_mutexattr_init(&attributes))
        return pthread_mutex_init(lock, given);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    const int result = pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result;
}

#define pthread_mutex_init(lock, attributes) lock_init_checked(lock, attributes)
#define pthread_mutex_lock(lock) lock_checked(pthread_mutex_lock(lock), "pthread_mutex_lock", __FILE__, __LINE__)
#define pthread_mutex_unlock(lock) lock_checked(pthread_mutex_unlock(lock), "pthread_mutex_unlock", __FILE__, __LINE__)
#define pthread_mutex_destroy(lock)                                                                                    \
    lock_checked(pthread_mutex_destroy(lock), "pthread_mutex_destroy", __FILE__, __LINE__)

#ifdef PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#undef PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_MUTEX_INITIALIZER PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#endif

#endif
