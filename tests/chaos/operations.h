/* SPDX-License-Identifier: MIT */
/*
 * The random program as plain data. A file has a line for what it runs on ("seed 1 devices 1 threads 1") and one for
 * each operation: its name, the device, the actor ("-" for those of the device itself) and its number in hexadecimal.
 * "more" behind the first line: also with what came later to the chaos, graphics shader objects and placed descriptors,
 * without which the same numbers do what they did before; "lookups": also with what came after that, fetches, queried
 * levels, and views of some levels; "capabilities": with cubic filters, textures' states, orders of channels and, where
 * the limited driver is among the layers, the extensions that the layer offers, and a small window of the GPU's memory.
 * Lines that begin with # say something to the reader.
 */
#ifndef CLAMPLER_CHAOS_OPERATIONS_H
#define CLAMPLER_CHAOS_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation_kind {
    OPERATION_SAMPLER, /* these destroy what is at some place, and make another one there, most times */
    OPERATION_VIEW,
    OPERATION_TEXEL_VIEW,
    OPERATION_LAYOUT,
    OPERATION_TEMPLATE,
    OPERATION_PIPELINE,
    OPERATION_RETIRED, /* destroys what the actor has of the shared store's retired objects */
    OPERATION_ALLOCATE,
    OPERATION_FREE,
    OPERATION_RESET_POOL,
    OPERATION_DESTROY_POOL,
    OPERATION_UPDATE,
    OPERATION_UPDATE_WITH_TEMPLATE,
    OPERATION_UPDATE_BY_TWO, /* two threads write different descriptors of one set at once, where they may */
    OPERATION_RECORD,
    OPERATION_SECONDARY,
    OPERATION_SUBMIT,
    OPERATION_SUBMIT_AGAIN,
    OPERATION_WAIT,
    OPERATION_FREE_COMMANDS,
    OPERATION_RESET_COMMANDS,
    OPERATION_PLACED_PIPELINE, /* of descriptor buffers and heaps */
    OPERATION_PLACED_SET,
    OPERATION_PLACED_UPDATE,
    OPERATION_PLACED_RECORD,
    OPERATION_PLACED_ANEW, /* buffers or heaps go, and others come */
    OPERATION_FLAGGED, /* from here on from dice of their own: a pipeline in a call with others, with flags of creation
                        */
    OPERATION_BINARY,  /* shader objects of binaries that a device with other features made */
    OPERATION_LINK,    /* these need nothing of what there is (apart.h) */
    OPERATION_FILL,
    OPERATION_GUEST,
    OPERATION_ORDER,
    OPERATION_COMPARE,
    OPERATION_SHARE,  /* the device's own: makes or retires something of the shared store */
    OPERATION_WINDOW, /* likewise: fills a small window of the GPU's memory, or gives back some of it */
    OPERATIONS,
};

struct operation {
    uint8_t kind;
    uint8_t device;
    int8_t actor; /* -1: the device's own */
    uint32_t number;
};

struct operations {
    uint64_t seed;
    unsigned devices, threads; /* of each device */
    bool more, lookups, capabilities;
    size_t count;
    struct operation *list; /* owned: free() */
};

const char *operation_name(enum operation_kind kind);

/* `count` operations from a seed; first come those that make a few objects of each kind. */
void operations_generate(struct operations *operations, uint64_t seed, unsigned devices, unsigned threads, bool more,
                         bool lookups, bool capabilities, size_t count);

/* False, with a message: the file cannot be read or written, or is none. */
bool operations_read(struct operations *operations, const char *path);
bool operations_write(const struct operations *operations, const char *path, const char *comment);

#endif
