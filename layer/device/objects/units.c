/* SPDX-License-Identifier: MIT */
/*
 * A bitmap with a cursor: a search for a run begins where the last one ended, so that it does not look at full words
 * again and again. Callers lock.
 */
#include "objects/units.h"

#include <stdlib.h>
#include <string.h>

static uint32_t word_count(const struct units *units)
{
    return (units->count + 63) / 64;
}

bool units_init(struct units *units, uint32_t count)
{
    *units = (struct units){.count = count};
    units->bits = calloc(word_count(units), sizeof(uint64_t));
    return units->bits != NULL;
}

void units_finish(struct units *units)
{
    free(units->bits);
    *units = (struct units){0};
}

static bool is_taken(const struct units *units, uint32_t unit)
{
    return units->bits[unit / 64] >> (unit % 64) & 1;
}

static void set_taken(struct units *units, uint32_t first, uint32_t run, bool taken)
{
    for (uint32_t unit = first; unit < first + run;) {
        uint32_t bit = unit % 64, span = 64 - bit;
        if (span > first + run - unit)
            span = first + run - unit;
        uint64_t mask = (span == 64 ? UINT64_MAX : (UINT64_C(1) << span) - 1) << bit;
        if (taken)
            units->bits[unit / 64] |= mask;
        else
            units->bits[unit / 64] &= ~mask;
        unit += span;
    }
}

/* First free run within [from, to), skipping full words at a time. */
static uint32_t find_run(const struct units *units, uint32_t from, uint32_t to, uint32_t run)
{
    uint32_t length = 0;
    for (uint32_t unit = from; unit < to;) {
        if (unit % 64 == 0 && units->bits[unit / 64] == UINT64_MAX) {
            length = 0;
            unit += 64;
            continue;
        }
        length = is_taken(units, unit) ? 0 : length + 1;
        unit++;
        if (length == run)
            return unit - run;
    }
    return UNITS_NONE;
}

uint32_t units_acquire(struct units *units, uint32_t run)
{
    if (run > units->count - units->taken)
        return UNITS_NONE;
    uint32_t first = find_run(units, units->cursor, units->count, run);
    if (first == UNITS_NONE)
        first = find_run(units, 0, units->count, run);
    if (first == UNITS_NONE)
        return UNITS_NONE;
    set_taken(units, first, run, true);
    units->taken += run;
    units->cursor = first + run < units->count ? first + run : 0;
    return first;
}

bool units_are_taken(const struct units *units, uint32_t unit)
{
    return unit < units->count && is_taken(units, unit);
}

bool units_claim(struct units *units, uint32_t unit)
{
    if (unit >= units->count || is_taken(units, unit))
        return false;
    set_taken(units, unit, 1, true);
    units->taken++;
    return true;
}

void units_release(struct units *units, uint32_t first, uint32_t run)
{
    set_taken(units, first, run, false);
    units->taken -= run;
}

void units_release_all(struct units *units)
{
    memset(units->bits, 0, word_count(units) * sizeof(uint64_t));
    units->taken = 0;
    units->cursor = 0;
}
