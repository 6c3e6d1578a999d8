/* SPDX-License-Identifier: MIT */
/*
 * Memory of threads beyond the few words of THREAD_LOCAL (track.h). Those take static space that all libraries of a
 * process share, without which a library is not loaded. So they have 64 bytes in all (tests/unit/tls_test.c), and one
 * of them points to this memory.
 */
#ifndef CLAMPLER_THREAD_MEMORY_THREAD_MEMORY_H
#define CLAMPLER_THREAD_MEMORY_THREAD_MEMORY_H

#include <stddef.h>

enum thread_memory_kind {
    THREAD_SAMPLER_STATES, /* sampling/sampler_state.c */
    THREAD_PAIR,           /* sampling/pair.c */
    THREAD_MEMORY_KINDS
};

/*
 * The calling thread's memory of a kind, always of the same size: zeroed at the thread's first call, freed when it
 * ends. NULL: out of memory.
 */
void *thread_memory(enum thread_memory_kind kind, size_t size);

#endif
