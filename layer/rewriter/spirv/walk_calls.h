/* SPDX-License-Identifier: MIT */
/*
 * Walk calls: functions that take records beside their parameters, and calls of these.
 */
#ifndef CLAMPLER_SPIRV_WALK_CALLS_H
#define CLAMPLER_SPIRV_WALK_CALLS_H

#include "spirv/walk_state.h"

/* A function that takes records: its type has a uint more for each parameter that a record travels beside. */
void walk_altered_function(struct rewriter *r, struct walk *walk);

/* The parameters for these, behind the function's own. */
void walk_record_parameters(struct rewriter *r, struct walk *walk);

/* A call of such a function, with the identities of the records that it takes. */
void walk_call(struct rewriter *r, struct walk *walk);

#endif
