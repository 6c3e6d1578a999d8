/* SPDX-License-Identifier: MIT */
/*
 * Carried: what the rewriter keeps of descriptors that carry the numbers of their records, and the way to these
 * records: root -> base -> number -> record, and beside it root -> table (layer/base/record/root.h).
 */
#ifndef CLAMPLER_SPIRV_EMBEDDED_H
#define CLAMPLER_SPIRV_EMBEDDED_H

#include "spirv/embedded/inputs.h"
#include "spirv/module/trace.h"
#include "spirv/write/rewriter.h"

/* A number that was loaded in the block that is being taken apart: several of its lookups may follow one record. */
struct known_index {
    struct record_source source;
    uint32_t id;
};

#define KNOWN_INDICES 16u

/* Zeros: nothing was asked for. */
struct embedded {
    struct inputs inputs;

    uint32_t known_count;
    struct known_index known[KNOWN_INDICES];
    struct {
        uint32_t block;               /* as it was when this was written */
        uint32_t records, index_bits; /* pointer to the table, and a uint: numbers have so many bits there */
    } table;
    struct {
        uint32_t block, record_index; /* both as they were when this was written */
        uint32_t first;               /* index of the record's first quarter in the table */
    } last;

    struct words passed; /* what identities name (identity.h) */
    bool passes_bytes;   /* some name bytes in heaps */
    uint32_t function;   /* id of the function that gives the number by identity, 0: not needed */
};

#endif
