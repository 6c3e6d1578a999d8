/* SPDX-License-Identifier: MIT */
/*
 * Identity: the uint that a function gets with a descriptor parameter whose record index is embedded, and the function
 * that finds the record index from it. For descriptors in sets, identities are those of records.h. For descriptors in
 * heaps:
 *
 *     bit 31      0: through a mapping   bits 24..30 which (IDENTITY_SETS: none), 22..23 enum record_half where only a
 *                                        part of a combined image sampler is meant, 0..21 the element
 *                 1: by untyped pointer  bit 30 the heap, bits 0..29 the record index's word in it
 */
#ifndef CLAMPLER_SPIRV_IDENTITY_H
#define CLAMPLER_SPIRV_IDENTITY_H

#include "spirv/module/trace.h"
#include "spirv/write/writer.h"

#define IDENTITY_SET_SHIFT 24u
#define IDENTITY_SPLIT_SHIFT 31u
#define IDENTITY_SETS 127u                                  /* sets that an identity can name */
#define IDENTITY_NONE (IDENTITY_SETS << IDENTITY_SET_SHIFT) /* no record: reads as zero */

/* Registers a source that an identity names: it is in a set, and its record index can be loaded. */
void identity_passed(struct rewriter *r, const struct record_source *source);

/* The identity of a source where descriptors are in heaps; `parameter`: that of its parameter, if it is from one. */
uint32_t identity_in_heaps(struct rewriter *r, const struct record_source *source, uint32_t parameter);

/*
 * The record index of an identity, 0 for sets with record buffers; `declared`: the parameter's enum record_half. All
 * uints.
 */
uint32_t identity_record_index(struct rewriter *r, uint32_t identity, uint32_t declared);

/* Writes the function that does so, if it was needed. */
void identity_write_function(struct rewriter *r);

#endif
