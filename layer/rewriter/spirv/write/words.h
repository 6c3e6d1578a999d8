/* SPDX-License-Identifier: MIT */
/*
 * Words: growing arrays of them, and instructions as words.
 */
#ifndef CLAMPLER_SPIRV_WORDS_H
#define CLAMPLER_SPIRV_WORDS_H

#include "spirv/write/rewriter.h"

/* A limit is exceeded: the result will not be used. */
void words_exceed(struct rewriter *r, const char *what);

/* Makes room for `count` more words than there is; false if there is no memory, remembered. */
bool words_enlarge(struct rewriter *r, struct words *words, uint32_t count);

/* `count` words at the end of a section; NULL if there is no memory. */
static inline uint32_t *words_grow(struct rewriter *r, struct words *words, uint32_t count)
{
    if (r->out_of_memory || (count > words->capacity - words->count && !words_enlarge(r, words, count)))
        return NULL;
    uint32_t *place = words->data + words->count;
    words->count += count;
    return place;
}

void words_append(struct rewriter *r, struct words *words, const uint32_t *data, uint32_t count);
void words_drop(struct rewriter *r, struct words *words);

/* Moves the words from `from` to the end to `to`, in front of what was there. */
void words_move_back(struct words *words, uint32_t from, uint32_t to);

static inline uint32_t new_id(struct rewriter *r)
{
    return r->next_id++;
}

/* Writes one instruction into `section`: opcode and the words behind it. */
void write_to(struct rewriter *r, struct words *section, uint32_t opcode, const uint32_t *operands, uint32_t count);

#define OPERANDS(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define WRITE(r, opcode, ...) write_to(r, &(r)->body, opcode, OPERANDS(__VA_ARGS__))

#endif
