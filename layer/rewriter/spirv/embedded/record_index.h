/* SPDX-License-Identifier: MIT */
/* Record index: loads the record indices that are embedded in descriptors, and their records. */
#ifndef CLAMPLER_SPIRV_RECORD_INDEX_H
#define CLAMPLER_SPIRV_RECORD_INDEX_H

#include "spirv/module/trace.h"
#include "spirv/write/writer.h"

/* The reason why the record index of such a source cannot be loaded; NULL: it can. */
const char *record_index_unreachable(struct rewriter *r, const struct record_source *source);

/*
 * The record index of a source, a uint: 0 where the descriptor has none, the element is beyond the binding, or the word
 * is no valid index. The first call in a block must be where all paths through the program's block come by, because
 * later lookups of the block get the same value.
 */
uint32_t record_index_of(struct rewriter *r, const struct record_source *source);

/* Another block of the program begins. */
void record_index_forget(struct rewriter *r);

/* Loads a quarter of a record by record index; arguments are uints, the result is a uvec4. */
uint32_t record_load_by_index(struct rewriter *r, uint32_t record_index, uint32_t quarter);

/* ---- For descriptors that are found in other ways ---- */

/* The element of a binding: a value, or (id 0) a constant. */
struct index_element {
    uint32_t id, constant;
    uint32_t inside; /* bool: the value is less than the binding's count; 0: certain */
};

/* The type that the shader has declared: a known enum record_half, or (`id` is not 0) a value. */
struct index_declared {
    uint32_t id;
    enum record_half half;
};

/*
 * The record index of an element of a set's binding. `half` is a uint that selects one of three records; 0: the
 * whole's.
 */
uint32_t record_index_in_set(struct rewriter *r, uint32_t set, const struct spirv_binding *binding,
                             const struct index_declared *declared, const struct index_element *element, uint32_t half);

/* The record index of an element of a mapping; the source has the part. */
uint32_t record_index_in_mapping(struct rewriter *r, const struct record_source *source,
                                 const struct index_element *element);

/*
 * record_index_heap_word(): index of the heap's word in which the descriptor of an untyped pointer has its record
 * index. record_index_in_heap(): that record index; `base` is the index of the heap's base in the root table; 0 if the
 * word is beyond the heap's end. Both are ids of uints.
 */
uint32_t record_index_heap_word(struct rewriter *r, const struct record_source *source);
uint32_t record_index_in_heap(struct rewriter *r, uint32_t base, uint32_t word);

#endif
