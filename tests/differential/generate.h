/* SPDX-License-Identifier: MIT */
/* The generators of cases: deterministic, all of them. */
#ifndef CLAMPLER_DIFFERENTIAL_GENERATE_H
#define CLAMPLER_DIFFERENTIAL_GENERATE_H

#include "differential/case.h"

/* Every family but PAIRS and RANDOM: wrap modes and lookups, view state and border colours, filters and levels. */
void generate_families(struct case_list *list);
void generate_view_families(struct case_list *list);
void generate_filter_families(struct case_list *list);

/* A covering array: every pair of values of two parameters that some lookup allows, `times` with other details. */
void generate_pairs(struct case_list *list, uint32_t times);

void generate_random(struct case_list *list, uint32_t seed, uint32_t count);

/* Likewise, of every parameter that a case has. */
void generate_combinations(struct case_list *list, uint32_t seed, uint32_t count);

/* Keeps about one in `stride` cases of each family, at least `least` of each: the short form. */
void generate_thin(struct case_list *list, uint32_t stride, uint32_t least);

/* A generator of pseudo-random numbers: xorshift. State is never 0. */
uint32_t generate_number(uint32_t *state, uint32_t below);

/* ---- Parameters, shared by the generators ---- */

/* Operations that look up, by number: all but queries of levels and fetches, which have families of their own. */
#define GENERATE_LOOKUPS (LOOKUP_OPERATIONS - 2)
static inline enum lookup_operation generate_operation(uint32_t number)
{
    return (enum lookup_operation)(number < LOOKUP_QUERY_LOD ? number : number + 2);
}

#define GENERATE_WRAPS 8
#define GENERATE_FILTERS 12
#define GENERATE_SIZES 5
#define GENERATE_BORDERS 5
#define GENERATE_RANGES 6
#define GENERATE_BIASES 5
#define GENERATE_VIEWS 7
extern const uint32_t generate_wraps[GENERATE_WRAPS];
extern const uint32_t generate_filters[GENERATE_FILTERS][2]; /* minification, magnification */
extern const uint32_t generate_sizes[GENERATE_SIZES][3];
extern const float generate_borders[GENERATE_BORDERS][4];
extern const float generate_ranges[GENERATE_RANGES][2];
extern const float generate_biases[GENERATE_BIASES][2]; /* the sampler's, the texture unit's */
extern const float generate_views[GENERATE_VIEWS][4];   /* texels, stretch, turn, middle */

/* GL's defaults, all axes wrapped alike, an orange border. */
VkSamplerGLStateCreateInfoCLAMPLER generate_state(uint32_t wrap, uint32_t min_filter, uint32_t mag_filter);

/* A case of a family with defaults; sizes, border, form and pattern are chosen by generate_add. */
struct diff_case generate_case(enum family family, enum lookup_dimension dimension, enum lookup_operation operation);

/*
 * Adds a case if it is possible: sizes where it has none, borders (but for `detail` 0, and integers) and forms in turn.
 */
void generate_add(struct case_list *list, struct diff_case one, uint32_t detail);

/* Completes a case whose lookup, texture and state are chosen: comparison, pattern by `detail`. */
void generate_finish(struct diff_case *one, uint32_t detail);

/* Whether a lookup of these parameters exists and means the same on both sides. */
bool generate_possible(const struct diff_case *one);

#endif
