/* SPDX-License-Identifier: MIT */
/* Chance from one number, the same everywhere. A struct dice belongs to one thread at a time. */
#ifndef CLAMPLER_CHAOS_DICE_H
#define CLAMPLER_CHAOS_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline struct dice dice_of(uint64_t number)
{
    return (struct dice){number * 0x9e3779b97f4a7c15u + 0x7f4a7c15u};
}

/* 0 to bound - 1. */
static inline uint32_t dice_below(struct dice *dice, uint32_t bound)
{
    uint64_t mixed = dice->state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(((mixed ^ (mixed >> 31)) >> 32) * bound >> 32);
}

static inline bool dice_one_in(struct dice *dice, uint32_t chances)
{
    return dice_below(dice, chances) == 0;
}

#endif
