/* SPDX-License-Identifier: MIT */
/* The planted faults (tests/faults): where each must show, and where it may. */
#ifndef CLAMPLER_DIFFERENTIAL_FAULTS_H
#define CLAMPLER_DIFFERENTIAL_FAULTS_H

#include "differential/case.h"

struct fault {
    const char *name;                                        /* of its folder */
    enum family family;                                      /* must fail */
    bool (*may_show)(int tier, const struct diff_case *one); /* of a case that this tier drew; nothing else may fail */
    bool plain; /* by code that some drivers cannot have: the suite is skipped there (harness_ends_by_plain_lookups) */
};

/* NULL if there is no such fault. */
const struct fault *fault_find(const char *name);

#endif
