/* SPDX-License-Identifier: MIT */
/*
 * Number: the numbers of records that descriptors carry, and the records that they lead to.
 */
#ifndef CLAMPLER_SPIRV_RECORD_INDEX_H
#define CLAMPLER_SPIRV_RECORD_INDEX_H

#include "spirv/module/trace.h"
#include "spirv/write/writer.h"

/* Why the number of such a source cannot be loaded; NULL: it can. */
const char *record_index_unreachable(struct rewriter *r, const struct record_source *source);

/*
 * The number of a source's record, a uint: 0 where the descriptor has none, the index is beyond the binding, or what is
 * there can be no number. To be asked for the first time in a block where every path of the program's block comes by:
 * later lookups of the block are given the same value.
 */
uint32_t record_index_of(struct rewriter *r, const struct record_source *source);

/* Another block of the program begins. */
void record_index_forget(struct rewriter *r);

/* Loads a quarter of a record by its number; all are uints, the result is a uvec4. */
uint32_t record_load_by_index(struct rewriter *r, uint32_t record_index, uint32_t quarter);

/* ---- For those who find the descriptor in another way ---- */

/* Which element of a binding: a value, or (id 0) a constant. */
struct index_element {
    uint32_t id, constant;
    uint32_t inside; /* bool: the value is less than the binding's count; 0: certain */
};

/* What the shader has declared: known, or (`id` is not 0) a value of enum record_half. */
struct index_declared {
    uint32_t id;
    enum record_half half;
};

/* The number of an element of a set's binding. `half` is a uint, which record of the three it is; 0: the whole's. */
uint32_t record_index_in_set(struct rewriter *r, uint32_t set, const struct spirv_binding *binding,
                             const struct index_declared *declared, const struct index_element *element, uint32_t half);

/* That of an element of a mapping; the source says which of its parts is looked for. */
uint32_t record_index_in_mapping(struct rewriter *r, const struct record_source *source,
                                 const struct index_element *element);

/* The word in a heap where an untyped pointer's descriptor has its number, and the number there; uints. */
uint32_t record_index_heap_word(struct rewriter *r, const struct record_source *source);
uint32_t record_index_in_heap(struct rewriter *r, uint32_t base, uint32_t word);

#endif
