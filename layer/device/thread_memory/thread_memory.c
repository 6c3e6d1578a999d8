/* SPDX-License-Identifier: MIT */
/*
 * One pointer for each thread, which is also the value of a key whose destructor frees the memory when the thread ends.
 * The destructor's code stays as long as the process, because the layer stays loaded (library_keep_own).
 */
#include "thread_memory/thread_memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "objects/track.h"

struct thread_memories {
    void *of[THREAD_MEMORY_KINDS];
};

static THREAD_LOCAL struct thread_memories *memories;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;

/* Other destructors may come later, and make calls of Vulkan: the thread then begins anew. */
static void free_all(void *value)
{
    struct thread_memories *ending = value;
    for (unsigned i = 0; i < THREAD_MEMORY_KINDS; i++)
        free(ending->of[i]);
    free(ending);
    memories = NULL;
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, free_all) == 0;
}

static struct thread_memories *begin(void)
{
    pthread_once(&key_once, make_key);
    if (!has_key)
        return NULL;
    struct thread_memories *own = calloc(1, sizeof(*own));
    if (own && pthread_setspecific(key, own)) {
        free(own);
        own = NULL;
    }
    memories = own;
    return own;
}

void *thread_memory(enum thread_memory_kind kind, size_t size)
{
    struct thread_memories *own = memories ? memories : begin();
    if (own && !own->of[kind])
        own->of[kind] = calloc(1, size);
    return own ? own->of[kind] : NULL;
}
