/* SPDX-License-Identifier: MIT */
/* Block: finds the members of a block by their Offset and stride decorations. */
#ifndef CLAMPLER_SPIRV_BLOCK_H
#define CLAMPLER_SPIRV_BLOCK_H

#include "spirv/module/module.h"

enum block_word {
    BLOCK_WORD_THERE,   /* some member has it */
    BLOCK_WORD_FREE,    /* no member is there */
    BLOCK_WORD_UNKNOWN, /* the decorations do not say it, or it cannot be read as a word */
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

/* Finds the member of a block, a struct, that has the four bytes from `offset` on. `path` is filled if there is one. */
enum block_word block_find_word(const struct module *m, uint32_t type, uint32_t offset, struct block_path *path);

#endif
