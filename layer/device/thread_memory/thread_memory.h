/* SPDX-License-Identifier: MIT */
/*
 * Memory of threads: what a thread remembers beyond the few words that hot paths read (THREAD_LOCAL in track.h). Those
 * take room that all libraries of a process share, and where it is used up a library is not loaded; so they have 64
 * bytes in all (tests/unit/tls_test.c), and everything else is here, behind one of them.
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
 * The calling thread's memory of a kind, always of the same size: zeroed when the thread asks for it first, freed when
 * it ends. NULL: there is none to be had.
 */
void *thread_memory(enum thread_memory_kind kind, size_t size);

#endif
