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

#define JUDGE_ENVIRONMENTS 6
#define JUDGE_NEWEST 3    /* the environment that parses every version */
#define JUDGE_UNIVERSAL 5 /* SPIR-V alone */

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
    uint32_t queries;          /* of levels of detail: tier 2 answers them, and tier 1 where it makes up biases */
    uint32_t fetches;          /* of floats, from images of combined image samplers */
    uint32_t bordered; /* fetches from images that may have border texels, and questions for the size of their levels */
    uint32_t multisampled; /* those of `fetches` that are of multisampled images */
    uint32_t buffers;      /* fetches from uniform texel buffers, and questions for their size */
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

/* What a module is valid for: an environment of SPIRV-Tools, and rules that devices may have on top. */
struct judge_terms {
    unsigned environment; /* index among the judge's */
    bool scalar;          /* blocks as VK_EXT_scalar_block_layout allows them, sizes as VK_KHR_maintenance4 does */
    bool universal;       /* no Vulkan takes it, SPIR-V's own rules do */
};

/*
 * The oldest Vulkan version that takes the module, from the oldest one for its SPIR-V version on, by the plain rules if
 * some version does; behind them SPIR-V's own rules. False, with the reason that the newest Vulkan gives: none takes
 * it.
 */
bool judge_find_terms(const struct judge *judge, const uint32_t *words, size_t word_count, struct judge_terms *terms,
                      char *reason, size_t reason_size);
bool judge_is_valid_in(const struct judge *judge, const struct judge_terms *terms, const uint32_t *words,
                       size_t word_count, char *reason, size_t reason_size);

/* False if SPIRV-Tools cannot parse the module or memory ran out. */
bool judge_count(const struct judge *judge, const uint32_t *words, size_t word_count, struct judge_lookups *lookups);

#endif
