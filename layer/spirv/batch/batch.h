/* SPDX-License-Identifier: MIT */
/*
 * Batches: one filter for all lookups of a block. Compilers take a loop apart as often as it stands in the code, and a
 * filter for each of 16 lookups costs them tens of times what the shader costs without. So lookups of one block that do
 * not depend on each other leave their filter to one loop behind them, and what depends on their results moves there.
 *
 *     a = lookup(x, p)              requests = {p, q, ...}
 *     c = f(a)                      if (some record acts)
 *     b = lookup(y, q)                  for (j = 0; j < 2; j++)
 *     d = g(b, c)                           if (record of request j acts)
 *                                               results[j] = filtered or moved lookup, in a switch over x and y
 *                                   if (record of p acts) a = results[0] else a = lookup(x, p)
 *                                   if (record of q acts) b = results[1] else b = lookup(y, q)
 *                                   c = f(a)
 *                                   d = g(b, c)
 *
 * Derivatives are taken where the lookups stood, in front of the loop: within it pixels part, each for as many turns as
 * its own filter has, and not every driver brings helper invocations back before the next turn of the loop around that.
 *
 * The program's own lookups stand behind the loop so that none of their values has to be kept through it; those that
 * follow one record share a branch. On CPUs, which have requests and results in registers, they stand in front.
 *
 * Fetches from texel buffers that branch (texel_buffer.h) share a branch in the same way, in every tier: a fetch in a
 * branch of its own is over before the next one begins, and all wait for memory one after the other.
 */
#ifndef CLAMPLER_SPIRV_BATCH_H
#define CLAMPLER_SPIRV_BATCH_H

#include "spirv/operands/images.h"
#include "spirv/lookup/lookup.h"
#include "spirv/sites/texel_buffer.h"

#define BATCH_MOST IMAGES_MOST /* lookups of one batch: bits of a word */

struct batch_request {
    struct rewriting w;
    uint32_t plain; /* the value where no record acts; 0: not looked up yet */
    uint32_t end;   /* behind it: how many words the body had */
    bool written;
};

/* What is open in the block that is being written. */
struct batch {
    uint32_t count; /* requests */
    struct batch_request requests[BATCH_MOST];
    uint32_t fetch_count;
    struct texel_fetch fetches[TEXEL_GROUP_MOST];
    struct words waiting; /* offsets of instructions that moved behind the batch */
    struct words touched; /* ids whose marks say that something waits for them */
};

enum batch_step {
    BATCH_PASS,  /* the instruction may stay in front of what waits */
    BATCH_WAIT,  /* it has been put among what waits: the caller leaves it out */
    BATCH_CLOSE, /* the batch must be written first */
};

/* Marks the lookups and fetches of blocks in which a batch is worth it; called once all sites are planned. */
void batch_plan(struct rewriter *r);

/* Are the values of requests in memory? */
static inline bool batch_in_arrays(const struct rewriter *r)
{
    return r->options->form == SPIRV_FORM_GPU && !r->no_variables;
}

/* Does anything wait? */
static inline bool batch_is_open(const struct batch *batch)
{
    return batch->count != 0 || batch->fetch_count != 0;
}

static inline bool batch_is_full(const struct batch *batch)
{
    return batch->count == BATCH_MOST || batch->fetch_count == TEXEL_GROUP_MOST;
}

/* What becomes of the instruction at `offset` while something waits. */
enum batch_step batch_meet(struct rewriter *r, struct batch *batch, uint32_t offset);

/* Takes a lookup or a fetch in, whose operands depend on nothing that waits. The batch must have room. */
void batch_add(struct rewriter *r, struct batch *batch, const struct site *site, const struct site_plan *plan);

/*
 * Writes the filters and fetches, and forgets the requests. The caller then writes what waits and calls
 * batch_forget().
 */
void batch_write(struct rewriter *r, struct batch *batch);
void batch_forget(struct rewriter *r, struct batch *batch);
void batch_drop(struct rewriter *r, struct batch *batch);

#endif
