/* SPDX-License-Identifier: MIT */
/*
 * The short form of tests, by environment CLAMPLER_TEST_SHORT: on emulated processors and systems, where a device and a
 * draw take many times as long, a test that only repeats does so less often.
 */
#ifndef CLAMPLER_HARNESS_SHORT_H
#define CLAMPLER_HARNESS_SHORT_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool harness_short(void)
{
    const char *set = getenv("CLAMPLER_TEST_SHORT");
    return set && set[0];
}

#endif
