/* SPDX-License-Identifier: MIT */
#include "coverage.h"

#include <stdint.h>
#include <string.h>

/* Never instrumented itself. */
enum { MOST_COUNTERS = 1 << 17, PLACES = 1 << 16 };

static uint8_t *begin, *end;         /* Clang's counters, of the one program */
static uint8_t places[PLACES];       /* GCC's, by the caller's address */
static uint8_t known[MOST_COUNTERS]; /* bits of the classes that were met */
static size_t met;

void __sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *last);
void __sanitizer_cov_trace_pc(void);

/* Object files call it one after the other; the linker puts their counters into one section. */
void __sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *last)
{
    if (!begin || first < begin)
        begin = first;
    if (!end || last > end)
        end = last;
}

void __sanitizer_cov_trace_pc(void)
{
    const uintptr_t from = (uintptr_t)__builtin_return_address(0);
    uint8_t *place = &places[(from ^ from >> 16) % PLACES];
    *place = (uint8_t)(*place + (*place != UINT8_MAX));
}

static uint8_t *counters(size_t *count)
{
    *count = begin ? (size_t)(end - begin) : PLACES;
    *count = *count < MOST_COUNTERS ? *count : MOST_COUNTERS;
    return begin ? begin : places;
}

void coverage_clear(void)
{
    size_t count;
    uint8_t *all = counters(&count);
    memset(all, 0, count);
}

/* By count: 0, 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. */
static uint8_t class_of[256];

static void make_classes(void)
{
    for (unsigned i = 1; i < 256; i++)
        class_of[i] = i <= 3 ? (uint8_t)(1u << (i - 1)) : i < 8 ? 8 : i < 16 ? 16 : i < 32 ? 32 : i < 128 ? 64 : 128;
}

size_t coverage_new(void)
{
    size_t count, fresh = 0;
    const uint8_t *all = counters(&count);
    if (!class_of[1])
        make_classes();
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        uint64_t eight = 0;
        const size_t rest = count - i < sizeof(eight) ? count - i : sizeof(eight);
        memcpy(&eight, all + i, rest);
        for (size_t k = i; eight != 0; eight >>= 8, k++) {
            const uint8_t class = class_of[eight & 255];
            if (!(class & ~known[k]))
                continue;
            met += known[k] == 0;
            known[k] |= class;
            fresh++;
        }
    }
    return fresh;
}

size_t coverage_met(void)
{
    return met;
}

size_t coverage_all(void)
{
    return begin ? (size_t)(end - begin) : 0;
}
