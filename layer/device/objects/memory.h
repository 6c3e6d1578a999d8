/* SPDX-License-Identifier: MIT */
/*
 * Device memory of the layer's own. Record memory: host-visible and coherent, mapped for its whole life. Scratch
 * memory: near the GPU and not mapped, for copies and the layer's own shaders.
 *
 * A heap owns a few large blocks (one VkBuffer and one VkDeviceMemory each, so that drivers' limits on the number of
 * allocations never matter) and hands out slices to descriptor pools and command buffers. Thread-safe; called
 * when pools and rings are made or grow, never per descriptor.
 */
#ifndef CLAMPLER_OBJECTS_MEMORY_H
#define CLAMPLER_OBJECTS_MEMORY_H

#include <pthread.h>

#include "device/device.h"
#include "objects/units.h"

struct memory_block;

/*
 * The state of a memory type. One that was full is skipped for some blocks, which go to the next best type, and for
 * more of them each time it is full again.
 */
struct memory_type {
    uint32_t rest;            /* blocks until it is tried again */
    uint32_t next_rest;       /* the rest after that */
    _Atomic(uint64_t) blocks; /* that were taken from it; only grows */
};

struct memory_heap {
    pthread_mutex_t lock;
    bool scratch;
    struct memory_block *blocks;
    struct memory_type types[VK_MAX_MEMORY_TYPES];
    _Atomic(uint64_t) fallbacks; /* blocks that were not taken from the best type that allows them; only grows */
};

struct memory_slice {
    struct memory_block *block; /* NULL: no slice */
    VkBuffer buffer;
    VkDeviceSize offset;     /* in the buffer, a multiple of MEMORY_UNIT */
    uint32_t size;           /* bytes, a multiple of MEMORY_UNIT */
    void *mapped;            /* address of `offset`; may be write-combined: write only; NULL in scratch memory */
    VkDeviceAddress address; /* of `offset`; 0 where device->caps.buffer_address is false */
};

enum { MEMORY_UNIT = 4096 };

bool memory_heap_init(struct memory_heap *heap, bool scratch);

/* All slices must have been given back. */
void memory_heap_finish(struct device *device, struct memory_heap *heap);

/*
 * VK_SUCCESS with a slice of at least `size` bytes, or an error that any command may return (result_within), with
 * nothing kept. Memory near the GPU comes first, then what else the host can see (or, of scratch memory, anything):
 * GPUs without a resizable BAR have 256 MiB of the first kind, which all programs share.
 */
VkResult memory_acquire(struct device *device, struct memory_heap *heap, uint32_t size, struct memory_slice *slice);

/* Accepts an empty slice. The GPU must be done with it. */
void memory_release(struct device *device, struct memory_heap *heap, struct memory_slice *slice);

#endif
