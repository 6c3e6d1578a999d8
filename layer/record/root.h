/* SPDX-License-Identifier: MIT */
/*
 * The root: what a shader needs to find records whose numbers descriptors carry (descriptor buffers and heaps), in
 * memory that push constants lead to. Numbers lead to records through a directory of chunks, so that records can be
 * added while command buffers are in flight that hold the directory's address.
 *
 *   number n -> directory[n >> ROOT_CHUNK_SHIFT] -> record n & ROOT_CHUNK_MASK of that chunk
 *
 * Number 0 is a record of zeros. A number that nobody has given leads to zeros as well: those from ROOT_NUMBERS on are
 * taken for 0, and chunks that are not there yet stand in the directory as one of zeros.
 *
 * Shaders and the host agree on this file: layer/spirv/carried writes the loads.
 */
#ifndef CLAMPLER_RECORD_ROOT_H
#define CLAMPLER_RECORD_ROOT_H

#include <stdint.h>

#define ROOT_CHUNK_SHIFT 10u
#define ROOT_CHUNK_RECORDS (1u << ROOT_CHUNK_SHIFT)
#define ROOT_CHUNK_MASK (ROOT_CHUNK_RECORDS - 1u)
#define ROOT_CHUNKS 1024u
#define ROOT_NUMBERS (ROOT_CHUNKS << ROOT_CHUNK_SHIFT)

/*
 * Of heaps: which of the root's addresses are theirs, and behind these how many words of 32 bits each has, beyond which
 * no number is taken. A heap that is not bound has none, and as its address one of memory that can be read. Of
 * descriptor buffers: the address of a set is at its number.
 */
enum { ROOT_RESOURCE_HEAP, ROOT_SAMPLER_HEAP, ROOT_RESOURCE_WORDS, ROOT_SAMPLER_WORDS, ROOT_HEAPS };
#define ROOT_WORDS_OF(heap) ((heap) + ROOT_RESOURCE_WORDS)

struct root {
    uint64_t directory; /* device address of uint64_t[ROOT_CHUNKS], the addresses of chunks */
    uint64_t bases[];   /* device addresses of sets, or of heaps and their lengths */
};

#endif
