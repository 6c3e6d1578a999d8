/* SPDX-License-Identifier: MIT */
/*
 * Carried: what the rewriter keeps of descriptors that carry the numbers of their records, and the way to these
 * records: root -> base -> number -> directory -> record (layer/record/root.h).
 */
#ifndef CLAMPLER_SPIRV_CARRIED_H
#define CLAMPLER_SPIRV_CARRIED_H

#include "spirv/module/trace.h"
#include "spirv/write/rewriter.h"

/* A number that was loaded in the block that is being taken apart: several of its lookups may follow one record. */
struct known_number {
    struct record_source source;
    uint32_t id;
};

#define KNOWN_NUMBERS 16u

/* Zeros: nothing was asked for. */
struct carried {
    /* Push constants (pushed.h). */
    bool planned;
    const char *unreachable; /* why the root cannot be reached; NULL: it can */
    struct words entries;    /* for each entry point its function, and the variable of its push constants */
    struct words heads;      /* functions of entry points, and the place in the body where their own code begins */
    struct words members;    /* struct reshape_member, to be added to the program's push constants */
    uint32_t own;            /* variable of push constants for entry points that have none; 0: not needed */
    bool own_declared;
    uint32_t root; /* variable with the root's address, a uvec2; 0: not declared */

    /* Numbers (number.h). */
    struct words passed; /* bindings that identities name: set, place in its bindings */
    uint32_t function;   /* id of the function that gives the number by identity, 0: not needed */
    uint32_t known_count;
    struct known_number known[KNOWN_NUMBERS];
    struct {
        uint32_t block, number; /* both as they were when this was written */
        uint32_t chunk, first;  /* pointer to the number's chunk, and index of the record's first quarter in it */
    } last;
};

#endif
