/* SPDX-License-Identifier: MIT */
/*
 * Block: where the members of a block lie, by the decorations that say so.
 */
#ifndef CLAMPLER_SPIRV_BLOCK_H
#define CLAMPLER_SPIRV_BLOCK_H

#include "spirv/module/module.h"

enum block_word {
    BLOCK_WORD_THERE,   /* some member has it */
    BLOCK_WORD_FREE,    /* no member is there */
    BLOCK_WORD_UNKNOWN, /* what is there cannot be known, or cannot be read as a word */
};

#define BLOCK_PATH_MOST 8u

/* The way to a value that has the word: indices of an access chain. */
struct block_path {
    uint32_t count;
    uint32_t indices[BLOCK_PATH_MOST];
    uint32_t type;  /* of the value: 32 bits, or 64 */
    uint32_t words; /* that it has */
    uint32_t word;  /* which of them it is */
};

/* What does a block, a struct, have in the four bytes from `offset` on? `path` is filled where something is there. */
enum block_word block_find_word(const struct module *m, uint32_t type, uint32_t offset, struct block_path *path);

#endif
