/* SPDX-License-Identifier: MIT */
/*
 * In the copy of the layer: what the linker puts in the place of the C library's functions that may run out of memory,
 * wherever the layer calls them (CMakeLists.txt has the list).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "failures/control.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int file, const char *mode);
ssize_t __real___getdelim(char **line, size_t *size, int delimiter, FILE *file);
ssize_t __real_getline(char **line, size_t *size, FILE *file);
void *__real_dlopen(const char *path, int flags);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user);
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __real_pthread_attr_init(pthread_attr_t *attributes);
int __real_pthread_condattr_init(pthread_condattr_t *attributes);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int file, const char *mode);
ssize_t __wrap___getdelim(char **line, size_t *size, int delimiter, FILE *file);
ssize_t __wrap_getline(char **line, size_t *size, FILE *file);
void *__wrap_dlopen(const char *path, int flags);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __wrap_pthread_attr_init(pthread_attr_t *attributes);
int __wrap_pthread_condattr_init(pthread_condattr_t *attributes);

/* What is asked of the program on another thread is the driver's allocation. */
void __real_helper_request(void (*call)(void *user), void *user);
void __wrap_helper_request(void (*call)(void *user), void *user);

struct asked {
    void (*call)(void *user);
    void *user;
};

static void run_asked(void *user)
{
    const struct asked *asked = user;
    failures_driver(1);
    asked->call(asked->user);
    failures_driver(-1);
}

void __wrap_helper_request(void (*call)(void *user), void *user)
{
    __real_helper_request(run_asked, &(struct asked){call, user});
}

/*
 * What the layer keeps for a thread until it ends may run out as anything may, but does not count as left: a run and
 * the next are on one thread.
 */
void *__real_thread_memory(unsigned kind, size_t size);
void *__wrap_thread_memory(unsigned kind, size_t size);
static _Thread_local bool for_thread;

void *__wrap_thread_memory(unsigned kind, size_t size)
{
    for_thread = true;
    void *memory = __real_thread_memory(kind, size);
    for_thread = false;
    return memory;
}

static bool fails(const char *function)
{
    if (!failures_allocation(function))
        return false;
    errno = ENOMEM;
    return true;
}

static void *took(void *memory, const char *function)
{
    if (!for_thread)
        failures_took(memory, function);
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails("malloc") ? NULL : took(__real_malloc(size), "malloc");
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails("calloc") ? NULL : took(__real_calloc(count, size), "calloc");
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (size && fails("realloc"))
        return NULL;
    failures_gave(memory);
    void *grown = __real_realloc(memory, size);
    failures_took(grown || !size ? grown : memory, "realloc");
    return grown;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails("aligned_alloc") ? NULL : took(__real_aligned_alloc(alignment, size), "aligned_alloc");
}

void __wrap_free(void *memory)
{
    failures_gave(memory);
    __real_free(memory);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fails("fopen") ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int file, const char *mode)
{
    return fails("fdopen") ? NULL : __real_fdopen(file, mode);
}

ssize_t __wrap___getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return fails("getdelim") ? -1 : __real___getdelim(line, size, delimiter, file);
}

ssize_t __wrap_getline(char **line, size_t *size, FILE *file)
{
    return fails("getline") ? -1 : __real_getline(line, size, file);
}

void *__wrap_dlopen(const char *path, int flags)
{
    return fails("dlopen") ? NULL : __real_dlopen(path, flags);
}

struct worker {
    void *(*run)(void *);
    void *user;
};

static void *work(void *memory)
{
    const struct worker worker = *(struct worker *)memory;
    __real_free(memory);
    failures_worker();
    return worker.run(worker.user);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user)
{
    struct worker *worker = failures_allocation("pthread_create") ? NULL : __real_malloc(sizeof(*worker));
    if (!worker)
        return EAGAIN;
    *worker = (struct worker){run, user};
    const int failed = __real_pthread_create(thread, attributes, work, worker);
    if (failed)
        __real_free(worker);
    return failed;
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    return failures_allocation("pthread_mutex_init") ? ENOMEM : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    return failures_allocation("pthread_cond_init") ? ENOMEM : __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_attr_init(pthread_attr_t *attributes)
{
    return failures_allocation("pthread_attr_init") ? ENOMEM : __real_pthread_attr_init(attributes);
}

int __wrap_pthread_condattr_init(pthread_condattr_t *attributes)
{
    return failures_allocation("pthread_condattr_init") ? ENOMEM : __real_pthread_condattr_init(attributes);
}
