/* SPDX-License-Identifier: MIT */
/*
 * Coverage: which edges of the instrumented code an input went over, and how often, in classes. Counters come from
 * Clang (inline-8bit-counters) or GCC (trace-pc); code that is not instrumented has none.
 */
#ifndef FUZZ_COVERAGE_H
#define FUZZ_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

void coverage_clear(void);

/* How many classes of counts nobody has had before; they are remembered. */
size_t coverage_new(void);

/* Edges that were met so far, and how many there are. */
size_t coverage_met(void);
size_t coverage_all(void);

#endif
