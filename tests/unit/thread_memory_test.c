/* SPDX-License-Identifier: MIT */
/* Memory of threads (layer/device/thread_memory/thread_memory.c): a thread's own, zeroed, and freed when it ends. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "thread_memory/thread_memory.h"

enum { THREADS = 16, TIMES = 8, BYTES = 700 };

/* ---- The C library, counted (--wrap) ---- */

/*
 * Windows' threads have blocks of their own, which are linked in and come this way, too: those of the layer's sizes
 * count, and are known again when they are freed. No more are there at a time than threads have.
 */
static _Atomic(void *) blocks[THREADS * (THREAD_MEMORY_KINDS + 1)];
static _Atomic(uint32_t) allocated, freed;
static _Atomic(bool) full;
void *__real_calloc(size_t count, size_t size);
void __real_free(void *memory);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *memory);

static bool exchange(void *from, void *to)
{
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        void *expected = from;
        if (atomic_compare_exchange_strong(&blocks[i], &expected, to))
            return true;
    }
    return false;
}

void *__wrap_calloc(size_t count, size_t size)
{
    const bool counts = count * size == BYTES || count * size == THREAD_MEMORY_KINDS * sizeof(void *);
    void *memory = counts && full ? NULL : __real_calloc(count, size);
    if (memory && counts)
        allocated += exchange(NULL, memory);
    return memory;
}

void __wrap_free(void *memory)
{
    if (memory)
        freed += exchange(memory, NULL);
    __real_free(memory);
}

/* ---- Threads ---- */

static pthread_barrier_t all_there;
static _Atomic(uint32_t) wrong;

static bool is_filled(const unsigned char *memory, unsigned char with)
{
    for (size_t i = 0; i < BYTES; i++) {
        if (memory[i] != with)
            return false;
    }
    return true;
}

static void *use(void *user)
{
    const unsigned char own = (unsigned char)(uintptr_t)user;
    for (unsigned kind = 0; kind < THREAD_MEMORY_KINDS; kind++) {
        unsigned char *memory = thread_memory(kind, BYTES);
        wrong += !memory || !is_filled(memory, 0);
        memset(memory, (unsigned char)(own + kind), BYTES);
    }
    pthread_barrier_wait(&all_there);
    for (unsigned kind = 0; kind < THREAD_MEMORY_KINDS; kind++)
        wrong += !is_filled(thread_memory(kind, BYTES), (unsigned char)(own + kind));
    return NULL;
}

static void every_thread_has_its_own_until_it_ends(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (unsigned time = 0; time < TIMES; time++) {
        for (uintptr_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, use, (void *)(i * THREAD_MEMORY_KINDS + 1)), 0);
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(wrong, 0);
        assert_int_equal(allocated, (time + 1) * THREADS * (THREAD_MEMORY_KINDS + 1));
        assert_int_equal(freed, allocated);
    }
    pthread_barrier_destroy(&all_there);
}

/* What other destructors of the thread do when the layer's has run: they may make calls of Vulkan. */
static pthread_key_t late;

static void use_late(void *user)
{
    static _Atomic(uint32_t) rounds;
    wrong += !thread_memory(0, BYTES) || !is_filled(thread_memory(0, BYTES), 0);
    memset(thread_memory(0, BYTES), 1, BYTES);
    if (++rounds < 2)
        pthread_setspecific(late, user);
}

static void *end_late(void *user)
{
    pthread_setspecific(late, user);
    thread_memory(0, BYTES);
    return NULL;
}

static void what_comes_behind_the_end_begins_anew(void **state)
{
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_key_create(&late, use_late), 0);
    assert_int_equal(pthread_create(&thread, NULL, end_late, &late), 0);
    pthread_join(thread, NULL);
    assert_int_equal(wrong, 0);
    assert_int_equal(freed, allocated);
    pthread_key_delete(late);
}

static void *use_nothing(void *user)
{
    (void)user;
    wrong += thread_memory(0, BYTES) != NULL;
    full = false;
    wrong += thread_memory(0, BYTES) == NULL;
    return NULL;
}

static void where_memory_ran_out_it_is_asked_for_again(void **state)
{
    pthread_t thread;
    (void)state;
    full = true;
    assert_int_equal(pthread_create(&thread, NULL, use_nothing, NULL), 0);
    pthread_join(thread, NULL);
    full = false;
    assert_int_equal(wrong, 0);
    assert_int_equal(freed, allocated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_has_its_own_until_it_ends),
        cmocka_unit_test(what_comes_behind_the_end_begins_anew),
        cmocka_unit_test(where_memory_ran_out_it_is_asked_for_again),
    };
    return cmocka_run_group_tests_name("thread_memory", tests, NULL, NULL);
}
