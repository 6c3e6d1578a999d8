/*
 * A second opinion on a module: which lookups the rewriter has to take, counted with SPIRV-Tools' parser instead of the
 * rewriter's own.
 */
#ifndef CORPUS_ELIGIBLE_H
#define CORPUS_ELIGIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv-tools/libspirv.h>

struct eligible {
    uint32_t lookups; /* samples and gathers of 1D, 2D, 3D and rectangle images, arrayed or not */
    uint32_t cubes;   /* the same of cubes, which wrap modes do not touch */
};

/* False if SPIRV-Tools cannot parse the module or memory ran out. */
bool eligible_count(spv_const_context context, const uint32_t *words, size_t word_count, struct eligible *eligible);

#endif
