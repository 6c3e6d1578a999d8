/* SPDX-License-Identifier: MIT */
/*
 * Records: loads of records, and identities, which name a parameter's record to a function: set in bits 24..30, record
 * in bits 0..23, and bit 31 for a combined image sampler that has two more records for splitting it. (Descriptors in
 * heaps: embedded/identity.h.)
 */
#ifndef CLAMPLER_SPIRV_RECORDS_H
#define CLAMPLER_SPIRV_RECORDS_H

#include "spirv/sites/plan.h"
#include "spirv/write/writer.h"

/* The record buffer of one set, declared when a lookup first needs it. */
struct record_buffer {
    uint32_t variable; /* id, 0: not declared */
    uint32_t pointer;  /* type of a pointer to a uvec4 in it */
    bool by_parameter; /* some call passes an identity in this set */
    uint32_t masks;    /* mask words, loaded where the current function begins; 0: not loaded */
};

struct record_loads {
    struct record_buffer *buffers; /* one for each set of the layout */
    uint32_t function;             /* id of the function that loads a record by identity, 0: not needed */
    struct words nearest;          /* variables of nearest samplers (nearest.c) */
};

/* A uvec4 with the first quarter of the record: flags, size, bias, LOD range. Of both records, ORed, for a pair. */
uint32_t load_record(struct rewriter *r, const struct site_plan *plan);

/* A uvec4 with a quarter of one of the site's records: 0 the combined or the image's one, 1 the sampler's. */
uint32_t load_quarter(struct rewriter *r, const struct site_plan *plan, uint32_t source, uint32_t quarter);

/* Do two plans follow the same records, as far as the code shows? */
bool plan_same_records(const struct site_plan *a, const struct site_plan *b);

/*
 * load_quarter() in two steps, for code of several lookups: record_place() gives where a source's record is, as a uint,
 * and load_record_at() loads from there. The latter reads from `source` only the set, or that the uint is an identity
 * or a record index.
 */
uint32_t record_place(struct rewriter *r, const struct record_source *source);
bool record_place_is_constant(const struct record_source *source, uint32_t *place);
uint32_t load_record_at(struct rewriter *r, const struct record_source *source, uint32_t place, uint32_t quarter);

/* The bit of a site's descriptor in the mask words of its set; RECORD_MASK_BITS: none. */
uint32_t record_mask_bit(const struct site_plan *plan);

/*
 * Writes loads of the mask words that sites before `end` of the program's words will need, at the beginning of a
 * function; `first_site` is its first one. Masks then gives those of a site's set, a uvec4.
 */
void record_masks_load(struct rewriter *r, uint32_t first_site, uint32_t end);
uint32_t record_masks_of(const struct rewriter *r, const struct site_plan *plan);

/* The identity of a descriptor's record, as a value of the current block. */
uint32_t record_identity(struct rewriter *r, const struct record_source *source);

/* The id of the parameter that carries a parameter's record. */
uint32_t record_parameter(struct rewriter *r, uint32_t parameter);

/* Writes the function that loads by identity, if it was needed. */
void write_record_function(struct rewriter *r);

#endif
