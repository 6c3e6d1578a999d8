/* SPDX-License-Identifier: MIT */
#include "soak/heap.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/device/environment.h"

static _Atomic uintptr_t layer_first, layer_end;

static int look_at(struct dl_phdr_info *info, size_t size, void *user)
{
    uintptr_t first = UINTPTR_MAX, end = 0;
    (void)size;
    (void)user;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libVkLayer_clampler_gl_sampler"))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t at = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        first = at < first ? at : first;
        end = at + part->p_memsz > end ? at + part->p_memsz : end;
    }
    atomic_store(&layer_first, first);
    atomic_store(&layer_end, end);
    return 1;
}

void heap_find_layer(void)
{
    atomic_store(&layer_end, 0);
    dl_iterate_phdr(look_at, NULL);
}

#if HARNESS_SANITIZED

struct heap_live heap_now(void)
{
    return (struct heap_live){0};
}

#else

/* ---- The layer's blocks ---- */

enum { SLOTS = 1 << 16, NODES = 1 << 20 };

/* A chain for each slot. An empty one is seen without the lock: whoever frees a block has seen that it was taken. */
static struct node {
    const void *block;
    uint32_t next;
} nodes[NODES];
static _Atomic uint32_t slots[SLOTS];
static uint32_t used = 1, unused; /* node 0 is the end of chains */
static int64_t blocks, bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all of these */

static unsigned slot_of(const void *block)
{
    return (unsigned)(((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 48);
}

static void add(void *block)
{
    const unsigned slot = slot_of(block);
    pthread_mutex_lock(&lock);
    const uint32_t node = unused ? unused : used;
    if (node == NODES)
        abort();
    if (unused)
        unused = nodes[node].next;
    else
        used++;
    nodes[node] = (struct node){block, atomic_load(&slots[slot])};
    atomic_store(&slots[slot], node);
    blocks++;
    bytes += (int64_t)malloc_usable_size(block);
    pthread_mutex_unlock(&lock);
}

/* Whether it was the layer's. */
static bool take_out(void *block)
{
    const unsigned slot = slot_of(block);
    uint32_t before = 0, node;
    if (!block || !atomic_load(&slots[slot]))
        return false;
    pthread_mutex_lock(&lock);
    for (node = atomic_load(&slots[slot]); node && nodes[node].block != block; node = nodes[node].next)
        before = node;
    if (node) {
        if (before)
            nodes[before].next = nodes[node].next;
        else
            atomic_store(&slots[slot], nodes[node].next);
        nodes[node] = (struct node){NULL, unused};
        unused = node;
        blocks--;
        bytes -= (int64_t)malloc_usable_size(block);
    }
    pthread_mutex_unlock(&lock);
    return node != 0;
}

static void *took(void *block, const void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    if (block && at < atomic_load(&layer_end) && at >= atomic_load(&layer_first))
        add(block);
    return block;
}

struct heap_live heap_now(void)
{
    const struct mallinfo2 info = mallinfo2();
    pthread_mutex_lock(&lock);
    const struct heap_live live = {blocks, bytes, (int64_t)(info.uordblks + info.hblkhd)};
    pthread_mutex_unlock(&lock);
    return live;
}

/* ---- In front of the C library's, which has its own under these names (glibc's "Replacing malloc") ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc(size_t size)
{
    return took(__libc_malloc(size), __builtin_return_address(0));
}

void *calloc(size_t count, size_t size)
{
    return took(__libc_calloc(count, size), __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return took(__libc_memalign(alignment, size), __builtin_return_address(0));
}

void *realloc(void *block, size_t size)
{
    const bool was = take_out(block);
    void *grown = __libc_realloc(block, size);
    if (!grown && size && was)
        add(block);
    return took(grown, __builtin_return_address(0));
}

void free(void *block)
{
    const int error = errno;
    take_out(block);
    __libc_free(block);
    errno = error;
}

#endif
