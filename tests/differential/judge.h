/* SPDX-License-Identifier: MIT */
/* The judgement of one case: who drew it right, and who is to blame where they differ. */
#ifndef CLAMPLER_DIFFERENTIAL_JUDGE_H
#define CLAMPLER_DIFFERENTIAL_JUDGE_H

#include "differential/deviations.h"
#include "differential/voices.h"

enum verdict {
    VERDICT_PASSED,
    VERDICT_DEVIATING, /* the layer is right or does what its driver does, and a known deviation of a driver shows */
    VERDICT_FAILED,
};

/* Values of one kind: how many, how far the worst of them is beyond what is allowed, and which that is. */
struct judged {
    uint32_t count, worst;
    double excess;
};

struct judgement {
    enum verdict verdict;
    int tier;                            /* the one that drew */
    bool by_driver;                      /* tier 2, by the driver's own filter */
    bool wrong_tier;                     /* another should have */
    bool reference_alone;                /* OpenGL cannot express the case here */
    bool has_reference;                  /* the reference sampler models the case */
    struct judged failed;                /* values that nothing excuses */
    struct judged gl_deviates;           /* values where OpenGL alone is off */
    struct judged vulkan_deviates;       /* values where the Vulkan driver is off, layer or not */
    uint32_t within_specification;       /* values that are not ideal but allowed */
    const struct deviation *gl, *vulkan; /* the entries that excuse */
    uint32_t first;                      /* the first value that failed or deviates */
    char why[200];                       /* a failure in words */
};

/* What was drawn, for pictures; overwritten by the next case. */
struct judge_pictures {
    float vulkan[VOICES_VALUES * 4], gl[VOICES_VALUES * 4];
    struct reference_result expected[VOICES_VALUES];
    bool has_gl, has_reference;
};

/* Draws and judges a case, which facts_adapt has let through. */
void judge(struct voices *voices, const struct diff_case *one, struct judge_pictures *pictures,
           struct judgement *judgement);

/*
 * How many of the values drawn for `one`, whose inputs are in voices->inputs, are outside what the specification
 * allows, and the worst of them.
 */
struct judged judge_against_reference(struct voices *voices, const struct diff_case *one, const float *rgba);

#endif
