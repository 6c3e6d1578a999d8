/* SPDX-License-Identifier: MIT */
/*
 * Number: the numbers of records that descriptors carry, and the records that they lead to.
 */
#ifndef CLAMPLER_SPIRV_NUMBER_H
#define CLAMPLER_SPIRV_NUMBER_H

#include "spirv/module/trace.h"
#include "spirv/write/writer.h"

/* Why the number of such a source cannot be loaded; NULL: it can. */
const char *number_unreachable(struct rewriter *r, const struct record_source *source);

/*
 * The number of a source's record, a uint: 0 where the descriptor has none, the index is beyond the binding, or what is
 * there can be no number. To be asked for the first time in a block where every path of the program's block comes by:
 * later lookups of the block are given the same value.
 */
uint32_t number_of(struct rewriter *r, const struct record_source *source);

/* Another block of the program begins. */
void number_forget(struct rewriter *r);

/* Loads a quarter of a record by its number; all are uints, the result is a uvec4. */
uint32_t number_load(struct rewriter *r, uint32_t number, uint32_t quarter);

/* An identity (records.h) that travels beside a parameter names this source. */
void number_passed(struct rewriter *r, const struct record_source *source);

/*
 * The number of an identity's record, 0 for those of other sets: `set` and `record` are what the identity consists of,
 * `declared` what the parameter is (enum record_half). All are uints.
 */
uint32_t number_by_identity(struct rewriter *r, uint32_t set, uint32_t record, uint32_t declared);

/* Writes the function that does it, if it was needed. */
void number_write_function(struct rewriter *r);

#endif
