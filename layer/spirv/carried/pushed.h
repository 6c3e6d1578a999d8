/* SPDX-License-Identifier: MIT */
/*
 * Pushed: the root's address, which the layer pushes behind the program's own push constants. Functions of entry points
 * take it from there into a variable, so that functions which several of them call need not know whose push constants
 * to read.
 */
#ifndef CLAMPLER_SPIRV_PUSHED_H
#define CLAMPLER_SPIRV_PUSHED_H

#include "spirv/write/writer.h"

/* NULL: the root can be reached from every entry point; else why not. Finds it out at the first call. */
const char *pushed_unreachable(struct rewriter *r);

/* Is the function an entry point's, and needs its code something in front of it? */
bool pushed_is_entry(const struct rewriter *r, uint32_t function);

/* The code of such a function begins at this place of the body. Functions in order. */
void pushed_head(struct rewriter *r, uint32_t function, uint32_t at);

/* Loads the root's address in the current block: a uvec2. */
uint32_t pushed_root(struct rewriter *r);

/* Writes what stands in front of the code of the entry points; behind all that may ask for the root. */
void pushed_write_heads(struct rewriter *r);

/* How many variables an entry point's interface needs more, by its number; written to `variables` if not NULL. */
#define PUSHED_VARIABLES 2u
uint32_t pushed_interface(const struct rewriter *r, uint32_t entry_point, uint32_t variables[PUSHED_VARIABLES]);

void pushed_drop(struct rewriter *r);

#endif
