/* SPDX-License-Identifier: MIT */
/*
 * Parts: a long list of cases is run by several processes, as many at a time as there are cores, sixteen at most.
 * llvmpipe of Mesa 22.3 frees memory twice when it throws away shader variants (in swrast_dri.so, below glDrawArrays),
 * which some thousands of cases in one process bring about.
 */
#ifndef CLAMPLER_DIFFERENTIAL_PARTS_H
#define CLAMPLER_DIFFERENTIAL_PARTS_H

#include "differential/generate.h"
#include "differential/report.h"

/* What came of some cases. */
struct part_outcome {
    char driver[600], gl[500];  /* what drew: for people */
    uint32_t unexplained;       /* failures that no planted fault explains; without a fault, all */
    uint32_t messages, excused; /* of the validation layer */
    uint32_t violations;        /* of the profile */
    bool no_plain;              /* harness_ends_by_plain_lookups() */
    struct report report;       /* `driver` and `gl` point at those above */
};

/* Runs some cases of a list into an outcome that is zero; `first`: they are the first ones. */
typedef void (*part_function)(const struct case_list *cases, bool first, const void *user,
                              struct part_outcome *outcome);

/*
 * Runs all cases, short lists in this process; ends the process if a part does not come to its end. Streams that `run`
 * writes to should be line buffered.
 */
void parts_run(const struct case_list *list, part_function run, const void *user, struct part_outcome *outcome);

#endif
