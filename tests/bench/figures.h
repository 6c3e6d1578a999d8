/* SPDX-License-Identifier: MIT */
/*
 * The figures that the benchmark reports: what each is, what it must be, and where it came out. One thread.
 */
#ifndef CLAMPLER_BENCH_FIGURES_H
#define CLAMPLER_BENCH_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/pairs.h"

/* Sets a figure by its key (figures.c has the list); the note says in the manner of printf how it came about. */
void figure_set(const char *key, double value, const char *note, ...) __attribute__((format(printf, 3, 4)));

/* Figures whose key begins with the prefix are not measured, and why. */
void figure_lacking(const char *prefix, const char *why);

/* Whether every figure was measured, or it was said why not; prints those of which neither holds. */
bool figures_whole(void);

/* What a figure must be at most or at least; 0 where it is only reported. */
double figure_bound(const char *key);
void figure_bound_set(const char *key, double bound); /* where it hangs on the device */

/* One more number beside the figures, without a bound: it explains one of them. The key is copied. */
void figure_beside(const char *key, const char *unit, double value, const char *note, ...)
    __attribute__((format(printf, 4, 5)));

/* A condition of the run, for the head of the table: device, driver, mode … Both are copied. */
void figure_condition(const char *name, const char *value, ...) __attribute__((format(printf, 2, 3)));

/* Whether every figure that was measured is within its bound; `all`: and every figure with a bound was measured. */
bool figures_met(bool all);

/* The table, to standard output. */
void figures_print(void);

/*
 * The same as JSON: each key with its number (null: not measured) at the top, then "figures" with unit, bound and
 * whether it is met, "beside" and "conditions".
 */
void figures_write(const char *path);

#endif
