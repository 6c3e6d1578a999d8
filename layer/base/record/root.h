/* SPDX-License-Identifier: MIT */
/*
 * The root: what a shader needs to find records whose numbers descriptors carry (descriptor buffers and heaps), in
 * memory that push constants lead to. Records lie in one table by their numbers. A table that is full is followed by a
 * larger one with the same records, so the root leads to a word that says which is the newest: command buffers in
 * flight may hold the root.
 *
 *   word = address of the table | how many bits its numbers have
 *   number n -> n >> bits == 0 ? record n of the table : record 0
 *
 * Number 0 is a record of zeros, and so is a number that nobody has given: the table has records for all numbers of so
 * many bits, and those that are not taken yet are zero.
 *
 * Shaders and the host agree on this file: layer/rewriter/spirv/embedded writes the loads.
 */
#ifndef CLAMPLER_RECORD_ROOT_H
#define CLAMPLER_RECORD_ROOT_H

#include <stdint.h>

/* The most bits that a number has. */
#define ROOT_NUMBER_BITS 20u
#define ROOT_NUMBERS (1u << ROOT_NUMBER_BITS)

/* Of the word: how many bits; the others are the address, a multiple of a record's size. */
#define ROOT_TABLE_BITS 63u

/*
 * Of heaps: which of the root's addresses are theirs, and behind these how many words of 32 bits each has, beyond which
 * no number is taken. A heap that is not bound has none, and as its address one of memory that can be read. Of
 * descriptor buffers: the address of a set is at its number.
 */
enum { ROOT_RESOURCE_HEAP, ROOT_SAMPLER_HEAP, ROOT_RESOURCE_WORDS, ROOT_SAMPLER_WORDS, ROOT_HEAPS };
#define ROOT_WORDS_OF(heap) ((heap) + ROOT_RESOURCE_WORDS)

struct root {
    uint64_t table;   /* device address of the word that leads to the table */
    uint64_t bases[]; /* device addresses of sets, or of heaps and their lengths */
};

#endif
