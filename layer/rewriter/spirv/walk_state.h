/* SPDX-License-Identifier: MIT */
/* Walk state: the state of the walk over the functions, for its files. */
#ifndef CLAMPLER_SPIRV_WALK_STATE_H
#define CLAMPLER_SPIRV_WALK_STATE_H

#include "spirv/batch/batch.h"

struct walk {
    uint32_t at;           /* offset of the instruction */
    uint32_t copied;       /* everything before this offset has been written */
    uint32_t site;         /* next one */
    uint32_t label;        /* program's block, 0: none */
    uint32_t function;     /* program's function if it is altered, else 0 */
    bool first_block;      /* the next label is a function's first */
    uint32_t variables_at; /* where in the body the function's own variables go */
    bool batched;          /* in a block with batches whose last part has not begun */
    bool in_run;           /* among instructions that are written in an order of their own */
    bool header_open;      /* in a loop header that is split, whose merge instruction has not been written yet */
    uint32_t head_blocks;  /* labels until the function's second block; 1: in its first, before its first site */
    uint32_t definition;   /* offset of a DebugFunctionDefinition that was written in front of a site; 0: none */
    bool entry;            /* in the function of an entry point, which begins with loads of inputs */
    uint32_t begins_at;    /* its own code, in the body; 0: not seen yet */
    bool head;             /* before the first instruction of a function that is no variable */
    /* Offsets of the position in the program's source that holds here, 0: none. A new block forgets it. */
    uint32_t line;       /* OpLine */
    uint32_t scope;      /* DebugScope */
    uint32_t debug_line; /* DebugLine */
    struct batch batch;
};

/* Writes what comes before `end` and has not been written yet. */
static inline void walk_copy_until(struct rewriter *r, struct walk *walk, uint32_t end)
{
    words_append(r, &r->body, r->m->words + walk->copied, end - walk->copied);
    walk->copied = end;
}

/* Writes everything before the current instruction and leaves the instruction itself out. */
static inline const uint32_t *walk_replace(struct rewriter *r, struct walk *walk)
{
    walk_copy_until(r, walk, walk->at);
    const uint32_t *inst = r->m->words + walk->at;
    walk->copied = walk->at + inst_length(inst);
    return inst;
}

#endif
