/* SPDX-License-Identifier: MIT */
/*
 * Whose the live memory of this process's heap is: the program has malloc() and its kin itself, in front of the C
 * library's, and knows by the return address what the layer's library took. Any thread may call anything. All is 0
 * where a sanitizer has the heap.
 */
#ifndef CLAMPLER_SOAK_HEAP_H
#define CLAMPLER_SOAK_HEAP_H

#include <stdint.h>

struct heap_live {
    int64_t layer_blocks, layer_bytes; /* taken by the layer's own calls, whoever frees them */
    int64_t all_bytes;                 /* of the whole process */
};

/* Finds where the layer's library is: after each vkCreateInstance, as loaders unload it when the last one goes. */
void heap_find_layer(void);

struct heap_live heap_now(void);

#endif
