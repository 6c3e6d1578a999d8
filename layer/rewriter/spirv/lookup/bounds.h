/* SPDX-License-Identifier: MIT */
/*
 * Bounds: the fields of a lookup's record that tier 1 reads beside its flags, as values of the code that is being
 * written.
 */
#ifndef CLAMPLER_SPIRV_BOUNDS_H
#define CLAMPLER_SPIRV_BOUNDS_H

#include "spirv/operands/rewriting.h"

/*
 * The values of a record that were loaded in the block that is being written: lookups of one block often follow the
 * same record.
 */
struct known_record {
    const struct site_plan *plan; /* of the first lookup that follows it */
    uint32_t record;              /* first quarter */
    uint32_t rest;                /* fourth quarter */
    struct bounds bounds;
};

#define KNOWN_RECORDS 16u

struct known_records {
    uint32_t label; /* of the block, as the program has it */
    uint32_t count;
    struct known_record list[KNOWN_RECORDS];
};

/*
 * The record's first quarter, of both records for a pair. Must be called where all paths through the program's block
 * come by, because later lookups of the block get the same value.
 */
uint32_t bounds_record(struct rewriting *w);

/*
 * Fills w->bounds. `everywhere`: called where all paths come by, as bounds_record(). Else the values are valid only in
 * the current block, and are not cached.
 */
void bounds_open(struct rewriting *w, bool everywhere);

/* RECORD_MORE_* of the record, of both records for a pair, as a uint loaded here. */
uint32_t bounds_more(struct rewriting *w);

/*
 * bounds_move returns the coordinate `s` along the axes, moved within the bounds. bounds_differ returns a bool: `moved`
 * differs from `s`. bounds_outside returns the same before `s` is moved.
 */
uint32_t bounds_move(struct rewriting *w, uint32_t s);
uint32_t bounds_differ(struct rewriting *w, uint32_t s, uint32_t moved);
uint32_t bounds_outside(struct rewriting *w, uint32_t s);

#endif
