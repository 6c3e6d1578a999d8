/* SPDX-License-Identifier: MIT */
/*
 * The demo's table: for each wrap mode and filter the greatest difference to OpenGL, with the layer and without.
 */
#ifndef CLAMPLER_DEMO_TABLE_H
#define CLAMPLER_DEMO_TABLE_H

#include <stdbool.h>

#include "harness/lookups/lookup.h"

#define TABLE_WRAPS 8
#define TABLE_FILTERS 5
#define TABLE_CELLS (TABLE_WRAPS * TABLE_FILTERS)

struct table_cell {
    const char *wrap;     /* GL's name without GL_ */
    const char *filter;   /* "NEAREST", or minification and magnification filter where they differ */
    double with_layer;    /* 1/255 */
    double without_layer; /* 1/255 */
    bool reference; /* measured against the reference sampler: this OpenGL does not follow the specification here */
};

struct table {
    struct table_cell cells[TABLE_CELLS]; /* row by row: all filters of a wrap mode together */
};

/* Samples a 16 x 16 texture with a coloured border on all three, magnified and minified. */
void table_measure(struct table *table, struct harness_gl *gl, struct harness_vulkan *layered,
                   struct harness_vulkan *plain);

/* To standard output, and as the JSON file of the README. */
void table_print(const struct table *table);
void table_write(const struct table *table, const char *path);

#endif
