/* SPDX-License-Identifier: MIT */
/*
 * A bitmap in two levels: a bit for each element, and a bit for each of up to 64 blocks that has one set, so that a
 * search costs as much as there are set bits. For one thread at a time.
 */
#ifndef CLAMPLER_OBJECTS_BITMAP_H
#define CLAMPLER_OBJECTS_BITMAP_H

#include <stddef.h>
#include <stdint.h>

struct bitmap {
    uint64_t blocks; /* up to 64 elements: a bit for each */
    uint64_t *words; /* NULL: there are no more than that */
    uint32_t shift;  /* what a block has, as a power of two */
};

/* Blocks are whole words, except where each has one. */
static inline uint32_t bitmap_shift(uint32_t count)
{
    if (count <= 64)
        return 0;
    const uint32_t least = 26 - (uint32_t)__builtin_clz(count - 1);
    return least > 6 ? least : 6;
}

/* Bytes of zeroed memory that it needs beside itself, aligned as words are: whole blocks. */
static inline size_t bitmap_bytes(uint32_t count)
{
    const uint32_t shift = bitmap_shift(count);
    return shift ? ((size_t)((count - 1) >> shift) + 1) << shift >> 3 : 0;
}

static inline struct bitmap bitmap_of(uint32_t count, uint64_t *memory)
{
    const uint32_t shift = bitmap_shift(count);
    return (struct bitmap){.words = shift ? memory : NULL, .shift = shift};
}

static inline void bitmap_set(struct bitmap *bitmap, uint32_t index)
{
    if (!bitmap->words) {
        bitmap->blocks |= UINT64_C(1) << index;
        return;
    }
    bitmap->words[index / 64] |= UINT64_C(1) << index % 64;
    bitmap->blocks |= UINT64_C(1) << (index >> bitmap->shift);
}

static inline void bitmap_set_run(struct bitmap *bitmap, uint32_t first, uint32_t count)
{
    for (uint32_t i = first, end = first + count, step; i < end; i += step) {
        const uint32_t bit = bitmap->words ? i % 64 : i;
        step = 64 - bit < end - i ? 64 - bit : end - i;
        const uint64_t bits = (step < 64 ? (UINT64_C(1) << step) - 1 : ~UINT64_C(0)) << bit;
        if (bitmap->words)
            bitmap->words[i / 64] |= bits;
        bitmap->blocks |= bitmap->words ? UINT64_C(1) << (i >> bitmap->shift) : bits;
    }
}

static inline uint64_t bitmap_from(uint64_t bits, uint32_t first)
{
    return first < 64 ? bits & (~UINT64_C(0) << first) : 0;
}

/* The first set bit from `from` on and before `end`; `end`: none. */
static inline uint32_t bitmap_next(const struct bitmap *bitmap, uint32_t from, uint32_t end)
{
    uint32_t first = from >> bitmap->shift;
    for (uint64_t blocks = bitmap_from(bitmap->blocks, first); blocks && from < end; blocks &= blocks - 1) {
        const uint32_t block = (uint32_t)__builtin_ctzll(blocks);
        if (block != first)
            from = block << bitmap->shift;
        if (!bitmap->words)
            return from < end ? from : end;
        for (uint32_t word = from / 64, last = ((block + 1) << bitmap->shift) / 64; word < last && word * 64 < end;
             word++) {
            const uint64_t bits = bitmap_from(bitmap->words[word], word == from / 64 ? from % 64 : 0);
            const uint32_t found = bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : end;
            if (bits)
                return found < end ? found : end;
        }
        first = 64;
    }
    return end;
}

static inline void bitmap_clear(struct bitmap *bitmap)
{
    const uint32_t words = bitmap->words ? (1u << bitmap->shift) / 64 : 0;
    for (uint64_t blocks = bitmap->blocks; words && blocks; blocks &= blocks - 1) {
        uint64_t *block = bitmap->words + (size_t)(uint32_t)__builtin_ctzll(blocks) * words;
        for (uint32_t i = 0; i < words; i++)
            block[i] = 0;
    }
    bitmap->blocks = 0;
}

#endif
