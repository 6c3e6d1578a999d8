/* SPDX-License-Identifier: MIT */
/*
 * Covering arrays and random cases: parameters as indices into tables, turned into a case by one function. Greedy, one
 * pair of values after the other: a pair that is not covered yet is completed at random, and of several completions
 * the one that covers most is taken.
 */
#include <stdlib.h>
#include <string.h>

#include "differential/generate.h"

enum parameter {
    PARAMETER_DIMENSION,
    PARAMETER_OPERATION,
    PARAMETER_KIND,
    PARAMETER_STAGE,
    PARAMETER_SEPARATE,
    PARAMETER_WRAP_S,
    PARAMETER_WRAP_T,
    PARAMETER_WRAP_R,
    PARAMETER_FILTERS,
    PARAMETER_FORMAT, /* of the kind */
    PARAMETER_SIZE,
    PARAMETER_LEVELS,
    PARAMETER_BORDER,
    PARAMETER_RANGE,
    PARAMETER_BIAS,
    PARAMETER_COMPARE,
    PARAMETER_FORM,
    PARAMETER_GPU_FORM,
    PARAMETER_VIEW,
    PARAMETERS,
};

static const uint8_t values_of[PARAMETERS] = {
    [PARAMETER_DIMENSION] = LOOKUP_RECTANGLE + 1,
    [PARAMETER_OPERATION] = GENERATE_LOOKUPS,
    [PARAMETER_KIND] = 3,
    [PARAMETER_STAGE] = 3,
    [PARAMETER_SEPARATE] = 2,
    [PARAMETER_WRAP_S] = GENERATE_WRAPS,
    [PARAMETER_WRAP_T] = GENERATE_WRAPS,
    [PARAMETER_WRAP_R] = GENERATE_WRAPS,
    [PARAMETER_FILTERS] = GENERATE_FILTERS,
    [PARAMETER_FORMAT] = 2,
    [PARAMETER_SIZE] = GENERATE_SIZES,
    [PARAMETER_LEVELS] = 2,
    [PARAMETER_BORDER] = GENERATE_BORDERS,
    [PARAMETER_RANGE] = GENERATE_RANGES,
    [PARAMETER_BIAS] = GENERATE_BIASES,
    [PARAMETER_COMPARE] = 8,
    [PARAMETER_FORM] = 2,
    [PARAMETER_GPU_FORM] = 2,
    [PARAMETER_VIEW] = GENERATE_VIEWS,
};

#define MOST_VALUES 16
#define COMPLETIONS 12
#define ATTEMPTS 400

struct point {
    uint8_t value[PARAMETERS];
};

static struct diff_case case_of(const struct point *point, enum family family, uint32_t detail)
{
    static const enum lookup_format formats[3][2] = {
        {LOOKUP_RGBA8, LOOKUP_RGBA32F}, {LOOKUP_RGBA8UI, LOOKUP_RGBA8UI}, {LOOKUP_DEPTH32F, LOOKUP_DEPTH16}};
    const uint8_t *v = point->value;
    const uint32_t *filters = generate_filters[v[PARAMETER_FILTERS]];
    const float *range = generate_ranges[v[PARAMETER_RANGE]], *bias = generate_biases[v[PARAMETER_BIAS]];
    const float *view = generate_views[v[PARAMETER_VIEW]];
    struct diff_case one = {
        .family = family,
        .lookup = {(enum lookup_dimension)v[PARAMETER_DIMENSION], generate_operation(v[PARAMETER_OPERATION]),
                   (enum lookup_kind)v[PARAMETER_KIND], (enum lookup_stage)v[PARAMETER_STAGE], v[PARAMETER_SEPARATE],
                   0},
        .texture = {.format = formats[v[PARAMETER_KIND]][v[PARAMETER_FORMAT]], .levels = v[PARAMETER_LEVELS]},
        .state = generate_state(generate_wraps[v[PARAMETER_WRAP_S]], filters[0], filters[1]),
        .form = v[PARAMETER_FORM] ? LOOKUP_SAMPLER_PRIVATE : LOOKUP_SAMPLER_GL,
    };
    memcpy(one.texture.size, generate_sizes[v[PARAMETER_SIZE]], sizeof(one.texture.size));
    one.state.wrapT = generate_wraps[v[PARAMETER_WRAP_T]];
    one.state.wrapR = generate_wraps[v[PARAMETER_WRAP_R]];
    memcpy(one.state.borderColor.float32, generate_borders[v[PARAMETER_BORDER]], sizeof(generate_borders[0]));
    one.state.minLod = range[0];
    one.state.maxLod = range[1];
    one.state.lodBias = bias[0];
    one.state.unitLodBias = bias[1];
    if (one.lookup.kind == LOOKUP_SHADOW) {
        one.state.compareMode = GL_COMPARE_REF_TO_TEXTURE;
        one.state.compareFunc = GL_NEVER + v[PARAMETER_COMPARE];
    }
    generate_finish(&one, detail);
    one.gpu_form = v[PARAMETER_GPU_FORM];
    if (case_implicit(&one))
        one.pattern = (struct case_pattern){PATTERN_AFFINE, detail, view[0], view[1], view[2], view[3]};
    return one;
}

static void draw_point(struct point *point, uint32_t *random)
{
    for (int p = 0; p < PARAMETERS; p++)
        point->value[p] = (uint8_t)generate_number(random, values_of[p]);
}

uint32_t generate_number(uint32_t *state, uint32_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)(((uint64_t)*state * below) >> 32);
}

static bool possible(const struct point *point)
{
    struct diff_case one = case_of(point, FAMILY_PAIRS, 0);
    return generate_possible(&one);
}

struct coverage {
    bool covered[PARAMETERS][PARAMETERS][MOST_VALUES][MOST_VALUES]; /* first parameter below the second */
};

static uint32_t count_new(const struct coverage *coverage, const struct point *point)
{
    uint32_t count = 0;
    for (int a = 0; a < PARAMETERS; a++)
        for (int b = a + 1; b < PARAMETERS; b++)
            count += !coverage->covered[a][b][point->value[a]][point->value[b]];
    return count;
}

static void cover(struct coverage *coverage, const struct point *point)
{
    for (int a = 0; a < PARAMETERS; a++)
        for (int b = a + 1; b < PARAMETERS; b++)
            coverage->covered[a][b][point->value[a]][point->value[b]] = true;
}

/* The best of some completions of one pair; false if none is possible, as far as many attempts can tell. */
static bool complete(const struct coverage *coverage, const int parameter[2], const uint8_t value[2], uint32_t *random,
                     struct point *best)
{
    uint32_t most = 0;
    for (int attempt = 0, found = 0; attempt < ATTEMPTS && found < COMPLETIONS; attempt++) {
        struct point point;
        draw_point(&point, random);
        point.value[parameter[0]] = value[0];
        point.value[parameter[1]] = value[1];
        if (!possible(&point))
            continue;
        found++;
        uint32_t count = count_new(coverage, &point);
        if (count > most) {
            most = count;
            *best = point;
        }
    }
    return most > 0;
}

void generate_pairs(struct case_list *list, uint32_t times)
{
    struct coverage *coverage = harness_alloc(1, sizeof(*coverage));
    uint32_t random = 0x2545f491u;
    struct point best;
    for (int a = 0; a < PARAMETERS; a++)
        for (int b = a + 1; b < PARAMETERS; b++)
            for (uint8_t x = 0; x < values_of[a]; x++)
                for (uint8_t y = 0; y < values_of[b]; y++) {
                    if (coverage->covered[a][b][x][y] ||
                        !complete(coverage, (const int[2]){a, b}, (const uint8_t[2]){x, y}, &random, &best))
                        continue;
                    cover(coverage, &best);
                    for (uint32_t i = 0; i < times; i++) {
                        struct diff_case one = case_of(&best, FAMILY_PAIRS, (uint32_t)list->count + i * 7);
                        case_add(list, &one);
                    }
                }
    free(coverage);
}

void generate_random(struct case_list *list, uint32_t seed, uint32_t count)
{
    uint32_t random = seed * 2654435761u + 1;
    random = random ? random : 1;
    while (count) {
        struct point point;
        draw_point(&point, &random);
        if (!possible(&point))
            continue;
        struct diff_case one = case_of(&point, FAMILY_RANDOM, generate_number(&random, 1u << 20));
        case_add(list, &one);
        count--;
    }
}
