/* SPDX-License-Identifier: MIT */
/*
 * Batches: one filter for all lookups of a block. Compilers take a loop apart as often as it stands in the code, and a
 * filter for each of 16 lookups costs them tens of times what the shader costs without. So lookups of one block that do
 * not depend on each other leave their filter to one loop behind them, and what depends on their results moves there.
 *
 *     a = lookup(x, p)              requests = {p, q, ...}
 *     c = f(a)                      results = {lookup(x, p), lookup(y, q), ...}
 *     b = lookup(y, q)              if (some record acts)
 *     d = g(b, c)                       for (j = 0; j < 2; j++)
 *                                           if (record of request j acts)
 *                                               results[j] = filtered or moved lookup, in a switch over x and y
 *                                   a = results[0]
 *                                   b = results[1]
 *                                   c = f(a)
 *                                   d = g(b, c)
 *
 * Derivatives are taken where the lookups stood, in front of the loop: within it pixels part, each for as many turns as
 * its own filter has, and not every driver brings helper invocations back before the next turn of the loop around that.
 * Behind the loop SPIR-V has them together again only where all invocations were when it began (2.2.5, "Uniform Control
 * Flow"; docs/limits.md). So a block with a filter and any derivatives behind it is written in runs:
 * instructions that may be moved past each other. In front of the first loop of a run stands all that depends on none,
 * lookups of the program's and other derivatives included; then a batch; then what needs its results alone; and so on.
 *
 *     a = filtered lookup(s)        dx, dy = derivatives of s
 *     b = lookup(a)                 c = lookup(t)
 *     c = lookup(t)                 d = dFdx(t)
 *     d = dFdx(t)                   a = batch(dx, dy)
 *                                   b = lookup(a)
 *
 * The program's own lookups take derivatives, too. GPUs have results in memory, and get them stored there in front of
 * the loop, in the branch for "some record acts": none of their values has to be kept in a register through it. On
 * CPUs, which have requests and results in registers, they stand in front of the branch.
 *
 * Fetches from texel buffers that branch (texel_buffer.h) share a branch in the same way, in every tier: a fetch in a
 * branch of its own is over before the next one begins, and all wait for memory one after the other.
 */
#ifndef CLAMPLER_SPIRV_BATCH_H
#define CLAMPLER_SPIRV_BATCH_H

#include "spirv/operands/images.h"
#include "spirv/lookup/lookup.h"
#include "spirv/sites/texel_buffer.h"

#define BATCH_MOST IMAGES_MOST   /* lookups that share code: bits of a word */
#define BATCH_REQUESTS_MOST 256u /* lookups of one batch, and fetches */

struct batch_request {
    struct rewriting w;
    uint32_t plain; /* the plain lookup's value; 0: not written yet */
    uint32_t end;   /* the body's words when it was added */
    uint32_t group; /* index + 1 of the first request that shares its code; 0: not known yet */
    bool lone;      /* the only one of its group */
    /* Of several in arrays: */
    uint32_t acts;              /* bool: the record does */
    struct local_array results; /* of the group that begins here */
};

/*
 * A run of instructions, and the order in which they are written: by ranks. Instructions of rank n are behind n
 * batches.
 */
#define RUN_WORDS 3u /* of each instruction in `instructions` */
enum { RUN_OFFSET, RUN_SITE, RUN_RANK };

struct batch_run {
    struct words instructions; /* offset, first site at or behind it, rank; in the program's order */
    struct words order;        /* of its instructions: indices into `instructions` */
    struct words ends;         /* of each rank: the count of instructions in it and in lower ranks */
    struct words touched;      /* ids whose ranks are known while the order is found */
    uint32_t ranks;
    uint32_t site; /* the first behind the run */
};

/* The batch of the block that is being written: requests that wait. */
struct batch {
    uint32_t count, room; /* requests */
    struct batch_request *requests;
    uint32_t fetch_count;
    struct texel_fetch fetches[BATCH_REQUESTS_MOST];
    struct batch_run run;
};

/* Marks the lookups and fetches of blocks in which a batch is worth it; called once all sites are planned. */
void batch_plan(struct rewriter *r);

/* Are the values of requests in memory? */
static inline bool batch_in_arrays(const struct rewriter *r)
{
    return r->options->form == SPIRV_FORM_GPU && !r->no_variables;
}

/* True: requests wait to be written. */
static inline bool batch_is_open(const struct batch *batch)
{
    return batch->count != 0 || batch->fetch_count != 0;
}

static inline bool batch_is_full(const struct batch *batch)
{
    return batch->count == BATCH_REQUESTS_MOST || batch->fetch_count == BATCH_REQUESTS_MOST;
}

/*
 * Fills batch->run with the instructions from `at` on, which must be the batched site `site`, up to an instruction that
 * must not move.
 */
void batch_order(struct rewriter *r, struct batch *batch, uint32_t at, uint32_t site);

/* Adds a lookup or a fetch, whose result batch_write() writes. The batch must not be full. */
void batch_add(struct rewriter *r, struct batch *batch, const struct site *site, const struct site_plan *plan);

/* Writes the filters and fetches, and forgets the requests. */
void batch_write(struct rewriter *r, struct batch *batch);
void batch_drop(struct rewriter *r, struct batch *batch);

#endif
