/* SPDX-License-Identifier: MIT */
/*
 * A second opinion on modules, by SPIRV-Tools: are they valid, and which lookups does the rewriter have to take?
 *
 * SPIRV-Tools' C header defines an object, so only one file of a program can include it: judge.c.
 */
#ifndef CORPUS_JUDGE_H
#define CORPUS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JUDGE_ENVIRONMENTS 5

/* One judge per thread. */
struct judge {
    struct spv_context_t *contexts[JUDGE_ENVIRONMENTS];
};

struct judge_lookups {
    uint32_t wrapped; /* samples and gathers of 1D, 2D and 3D images, arrayed or not; Vulkan has no rectangle images */
    uint32_t cubes;   /* the same of cubes, all of which tier 2 filters */
    uint32_t compared_cubes;   /* those that compare: tier 1 clamps the value */
    uint32_t bounded_cubes;    /* others that have a bias or a least level of detail: tier 1 bounds it */
    uint32_t biased_cubes;     /* those that a bias acts on: all but gathers */
    uint32_t compared_gathers; /* of cubes */
    uint32_t buffers;          /* fetches from uniform texel buffers, and questions for their size */
};

/* False if memory ran out; the judge may then only be freed. */
bool judge_create(struct judge *judge);
void judge_free(struct judge *judge);

/*
 * SPIRV-Tools' validator for a Vulkan version, as 10 * major + minor (10 .. 13); 0 stands for the oldest version that
 * takes the module's SPIR-V version. `reason` says what is wrong, or is "".
 */
bool judge_is_valid(const struct judge *judge, unsigned vulkan, const uint32_t *words, size_t word_count, char *reason,
                    size_t reason_size);

/* False if SPIRV-Tools cannot parse the module or memory ran out. */
bool judge_count(const struct judge *judge, const uint32_t *words, size_t word_count, struct judge_lookups *lookups);

#endif
