/* SPDX-License-Identifier: MIT */
/*
 * Inputs: words in blocks outside of descriptors: push constants, at whose end the layer pushes the root table's
 * address, and shader records. Functions of entry points copy them to variables, so that functions which several entry
 * points call need not know whose blocks to read.
 */
#ifndef CLAMPLER_SPIRV_INPUTS_H
#define CLAMPLER_SPIRV_INPUTS_H

#include "spirv/write/writer.h"

enum input_kind { INPUT_PUSHED, INPUT_SHADER_RECORD, INPUT_KINDS };

/* One word, or two of an address, from a place in a block on. */
struct input {
    enum input_kind kind;
    uint32_t offset, words;
};

/* A cache of results: all sites use the same few inputs. */
#define INPUTS_ASKED 8u

struct input_request {
    struct input input;
    const char *why;
};

/* Zeroed: nothing is needed. */
struct inputs {
    bool planned, known;       /* whether `entries` is complete */
    struct words entries;      /* struct input_entry */
    struct words values;       /* struct input_value */
    struct words heads;        /* functions of entry points, and the offset in the body where their own code begins */
    struct words members;      /* struct reshape_member: members that the program's blocks need */
    uint32_t own[INPUT_KINDS]; /* variable for entry points that have none; 0: not needed */
    struct input_request asked[INPUTS_ASKED];
    uint32_t asked_count;
    struct words own_members[INPUT_KINDS]; /* offsets */
    uint32_t words_of[INPUT_KINDS];        /* type that blocks behind untyped pointers are read as; 0: not needed */
};

/* NULL: every entry point can load it; else the reason why not. */
const char *input_unreachable(struct rewriter *r, const struct input *input);

/* Is the function an entry point's, and may its code need something in front of it? */
bool input_is_entry(const struct rewriter *r, uint32_t function);

/* The code of such a function begins at this place of the body. Functions in order. */
void input_head(struct rewriter *r, uint32_t function, uint32_t at);

/* The input as a value of the current block, a uint or a uvec2. It must be reachable. */
uint32_t input_load(struct rewriter *r, const struct input *input);

/* Writes the loads in front of the code of the entry points. Called after all code that may load inputs was written. */
void input_write_heads(struct rewriter *r);

/* How many variables an entry point's interface needs more, by its number; they are written to `to` if not NULL. */
uint32_t input_interface(const struct rewriter *r, uint32_t entry_point, uint32_t *to);

void input_drop(struct rewriter *r);

#endif
