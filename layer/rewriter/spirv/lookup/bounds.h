/* SPDX-License-Identifier: MIT */
/*
 * Bounds: what tier 1 takes from a lookup's record beside its flags, as values of the code that is being written.
 */
#ifndef CLAMPLER_SPIRV_BOUNDS_H
#define CLAMPLER_SPIRV_BOUNDS_H

#include "spirv/operands/rewriting.h"

/* What is known of a record in the block that is being taken apart: lookups of one block often follow the same. */
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
 * The record's first quarter, of both records for a pair. To be called where every path of the program's block comes
 * by: later lookups of the block are given the same value.
 */
uint32_t bounds_record(struct rewriting *w);

/* Fills w->bounds. `everywhere`: called where every path comes by, as bounds_record(). Else the values hold in the
 * block that is being written alone, and nothing is remembered. */
void bounds_open(struct rewriting *w, bool everywhere);

/* RECORD_MORE_* of the record, of both records for a pair, as a uint loaded here. */
uint32_t bounds_more(struct rewriting *w);

/*
 * bounds_move gives the coordinate `s` along the axes, moved within the bounds. bounds_differ tells, as a bool, whether
 * that coordinate, `moved`, is another one than `s`. bounds_outside tells the same before anything is moved.
 */
uint32_t bounds_move(struct rewriting *w, uint32_t s);
uint32_t bounds_differ(struct rewriting *w, uint32_t s, uint32_t moved);
uint32_t bounds_outside(struct rewriting *w, uint32_t s);

#endif
