/* SPDX-License-Identifier: MIT */
/*
 * The root table of application-managed descriptors (descriptor buffers and heaps): the addresses by which a shader
 * finds a record from the record index in a descriptor. Its own address is in push constants. Records lie in one array
 * by record index. An array that is full is replaced by a larger one with the same records. So the root table has the
 * address of a word with the newest array's address, because command buffers in flight keep the root table.
 *
 *   word = address of the array | bits of a record index
 *   index n -> n >> bits == 0 ? record n of the array : record 0
 *
 * Index 0 is a record of zeros, and so is every index that is not in use: the array has a record for each index of so
 * many bits.
 *
 * Shaders and the host agree on this file: layer/rewriter/spirv/embedded writes the loads.
 */
#ifndef CLAMPLER_RECORD_ROOT_H
#define CLAMPLER_RECORD_ROOT_H

#include <stdint.h>

/* The most bits that a record index has. */
#define ROOT_INDEX_BITS 20u
#define ROOT_INDICES (1u << ROOT_INDEX_BITS)

/* Of the word: how many bits; the others are the address, a multiple of a record's size. */
#define ROOT_TABLE_BITS 63u

/*
 * `bases` of heaps: the addresses of both, and behind these the size of each in words of 32 bits, beyond which no
 * record index is read. A heap that is not bound has size 0 and the address of readable memory. `bases` of descriptor
 * buffers: the address of each set, by set number.
 */
enum { ROOT_RESOURCE_HEAP, ROOT_SAMPLER_HEAP, ROOT_RESOURCE_WORDS, ROOT_SAMPLER_WORDS, ROOT_HEAPS };
#define ROOT_WORDS_OF(heap) ((heap) + ROOT_RESOURCE_WORDS)

struct root {
    uint64_t table;   /* device address of the word with the array's address */
    uint64_t bases[]; /* device addresses of sets, or of heaps and their lengths */
};

#endif
