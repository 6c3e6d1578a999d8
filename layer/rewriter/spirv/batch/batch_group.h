/* SPDX-License-Identifier: MIT */
/*
 * Batch group: requests of a batch that share code, and the values of theirs that differ from request to request.
 *
 * GPUs have them in arrays: there are too many for registers. CPU drivers vectorise over pixels, where an array's
 * element is gathered lane by lane and keeps the optimiser from seeing what it holds: selecting costs less.
 */
#ifndef CLAMPLER_SPIRV_BATCH_GROUP_H
#define CLAMPLER_SPIRV_BATCH_GROUP_H

#include "spirv/batch/batch.h"
#include "spirv/operands/images.h"

struct group {
    struct rewriter *r;
    struct batch *batch;
    uint32_t count;
    struct batch_request *members[BATCH_MOST];
    struct images images;
    uint32_t choices[BATCH_MOST];   /* index in `images` */
    bool in_arrays;                 /* values that differ are in memory, not selected from all values */
    uint32_t index;                 /* of the loop */
    uint32_t is_member[BATCH_MOST]; /* bool: the index is that of the member */
    uint32_t masks[BATCH_MOST][5];  /* the same as vectors, where they were needed */
    uint32_t values[BATCH_MOST];    /* the results */
};

/* The condition of a selection between values of that type for one member. */
uint32_t group_mask(struct group *g, uint32_t i, uint32_t components);

/* The value of the current request's member; a group has at least one. */
uint32_t group_select(struct group *g, uint32_t type, uint32_t components, const uint32_t *values);

/* A field of struct rewriting that holds an id. */
struct field {
    size_t offset; /* in struct rewriting */
    uint32_t type;
    uint32_t components;
    struct local_array array; /* if they are used */
};

#define FIELDS_MOST (IMAGE_OPERAND_BITS + 12u)

struct fields {
    uint32_t count;
    struct field list[FIELDS_MOST];
};

/* Finds the operands that the shared code reads and in which the members differ. */
void fields_find(struct group *g, struct fields *fields);

/*
 * Fills the arrays, each element directly behind its lookup. If they were filled in one place, all values of all
 * members would be live until there, which makes compilers slow.
 */
void fields_store(struct group *g, const struct fields *fields);

/* The rewriting whose values are those of request `index`. */
void fields_load(struct group *g, const struct fields *fields, struct rewriting *w);

#endif
