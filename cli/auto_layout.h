/* SPDX-License-Identifier: MIT */
/*
 * A layout for a module that comes without one: every sampler, sampled image and combined image sampler that the module
 * declares gets records, in binding order, and each set's record buffer is its highest binding + 1. For tests, tools,
 * fuzzing and benchmarks; the layer builds its layouts from set layouts.
 */
#ifndef CLAMPLER_AUTO_LAYOUT_H
#define CLAMPLER_AUTO_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "spirv/spirv.h"

#define AUTO_LAYOUT_SETS 32
#define AUTO_LAYOUT_BINDINGS 512 /* of all sets together; what goes beyond has no records */

/* The arrays belong to the caller and are pointed into by `layout`: do not copy the structure. */
struct auto_layout {
    struct spirv_layout layout;
    struct spirv_set sets[AUTO_LAYOUT_SETS];
    struct spirv_binding bindings[AUTO_LAYOUT_BINDINGS];
    struct spirv_mapping mappings[AUTO_LAYOUT_BINDINGS];
    uint32_t binding_total;
    uint32_t beyond; /* variables without records, because there are more sets or bindings than that */
};

enum auto_layout_options {
    AUTO_LAYOUT_STORAGE = 1,   /* records in storage buffers */
    AUTO_LAYOUT_NEAREST = 4,   /* each set has a nearest sampler, behind everything else */
    AUTO_LAYOUT_HALVES = 8,    /* combined image samplers have records for their halves */
    AUTO_LAYOUT_RENUMBER = 2,  /* the highest binding of each set moves up by one and the records take its number */
    AUTO_LAYOUT_EMBEDDED = 16, /* descriptors carry the numbers of their records: no buffers, and halves as asked for */
    AUTO_LAYOUT_SCALED =
        32, /* each binding with records has two of the driver's descriptors for each of the program's */
    AUTO_LAYOUT_MASKS = 128, /* records in buffers begin with mask words, of the first combined image samplers */
    AUTO_LAYOUT_HEAPS = 64,  /* bindings are mapped to descriptor heaps, most by an index, pushed or in memory */
};

#define AUTO_LAYOUT_ROOT_AT 248u /* the root's address in push constants, where descriptors carry numbers */

/*
 * Reads the decorations and types of a module; never fails: of a module that does not parse, and if memory runs out, an
 * empty layout. A runtime or specialized array counts as 64 descriptors. Modules that look into heaps themselves get
 * AUTO_LAYOUT_HEAPS whatever is asked for.
 */
void auto_layout(const uint32_t *words, size_t word_count, unsigned options, struct auto_layout *result);

#endif
