/* SPDX-License-Identifier: MIT */
/*
 * Embedded: the rewriter's state for record indices that are embedded in application-managed descriptors. Code finds a
 * record so: root table -> base of the set or heap -> record index -> record, and root table -> array of records
 * (layer/base/record/root.h).
 */
#ifndef CLAMPLER_SPIRV_EMBEDDED_H
#define CLAMPLER_SPIRV_EMBEDDED_H

#include "spirv/embedded/inputs.h"
#include "spirv/module/trace.h"
#include "spirv/write/rewriter.h"

/* A record index that was loaded in the block that is being written: several of its lookups may follow one record. */
struct known_index {
    struct record_source source;
    uint32_t id;
};

#define KNOWN_INDICES 16u

/* Zeroed: nothing is needed. */
struct embedded {
    struct inputs inputs;

    uint32_t known_count;
    struct known_index known[KNOWN_INDICES];
    struct {
        uint32_t block;               /* r->block when the next two were written */
        uint32_t records, index_bits; /* pointer to the array, and a uint: the bits of a record index */
    } table;
    struct {
        uint32_t block, record_index; /* both at the time when the next was written */
        uint32_t first;               /* index of the record's first quarter in the array */
    } last;

    struct words passed; /* the sources that identities name (identity.h) */
    bool passes_bytes;   /* some name bytes in heaps */
    uint32_t function;   /* id of the function that returns the record index of an identity, 0: not needed */
};

#endif
