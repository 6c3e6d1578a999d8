/* SPDX-License-Identifier: MIT */
/* Growing arrays of words. If memory runs out the rewriter's out_of_memory is set, and later writes do nothing. */
#include "spirv/write/words.h"

#include <string.h>

#define LONGEST_INSTRUCTION 0xffffu

void words_exceed(struct rewriter *r, const char *what)
{
    r->exceeds = r->exceeds ? r->exceeds : what;
    r->out_of_memory = true;
}

bool words_enlarge(struct rewriter *r, struct words *words, uint32_t count)
{
    if ((uint64_t)words->count + count > r->most_words) {
        words_exceed(r, "words");
        return false;
    }
    uint64_t capacity = (uint64_t)words->capacity * 2;
    if (capacity < (uint64_t)words->count + count + 256)
        capacity = (uint64_t)words->count + count + 256;
    uint32_t *data = NULL;
    if (capacity <= UINT32_MAX / sizeof(uint32_t))
        data = r->allocator->reallocate(r->allocator->user, words->data, (size_t)capacity * sizeof(uint32_t));
    if (!data) {
        r->out_of_memory = true;
        return false;
    }
    words->data = data;
    words->capacity = (uint32_t)capacity;
    return true;
}

void words_append(struct rewriter *r, struct words *words, const uint32_t *data, uint32_t count)
{
    uint32_t *place = count != 0 ? words_grow(r, words, count) : NULL;
    if (place)
        memcpy(place, data, count * sizeof(uint32_t));
}

static void reverse(uint32_t *first, uint32_t *end)
{
    while (first < end) {
        uint32_t word = *first;
        *first++ = *--end;
        *end = word;
    }
}

void words_move_back(struct words *words, uint32_t from, uint32_t to)
{
    uint32_t *data = words->data, few[256];
    const size_t count = words->count - from;
    if (count <= sizeof(few) / sizeof(few[0])) {
        memcpy(few, data + from, count * sizeof(few[0]));
        memmove(data + to + count, data + to, (from - to) * sizeof(few[0]));
        memcpy(data + to, few, count * sizeof(few[0]));
        return;
    }
    reverse(data + to, data + from);
    reverse(data + from, data + words->count);
    reverse(data + to, data + words->count);
}

void words_drop(struct rewriter *r, struct words *words)
{
    if (words->data)
        r->allocator->reallocate(r->allocator->user, words->data, 0);
    memset(words, 0, sizeof(*words));
}

void write_to(struct rewriter *r, struct words *section, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    if (count >= LONGEST_INSTRUCTION)
        words_exceed(r, "words in an instruction");
    uint32_t *place = words_grow(r, section, count + 1);
    if (place) {
        place[0] = inst_word0(opcode, count + 1);
        memcpy(place + 1, operands, count * sizeof(uint32_t));
    }
}
