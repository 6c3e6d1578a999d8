/*
 * Plan: what becomes of each lookup, decided before anything is written. A block that is split needs to be known before
 * its successors' OpPhi are written, and a parameter that takes a record before its function's calls are.
 */
#ifndef CLAMPLER_SPIRV_PLAN_H
#define CLAMPLER_SPIRV_PLAN_H

#include "spirv/trace.h"

struct rewriter;

enum site_form {
    SITE_ALONE,    /* stays as it is */
    SITE_STRAIGHT, /* one lookup at a selected coordinate, no branch but for the filter's */
    SITE_BRANCH,   /* the plain lookup, then a branch that looks up again */
};

struct site_plan {
    enum site_form form;
    bool filter; /* tier 2: a branch that filters in the shader */
    bool splits; /* the block is split here */
    bool last;   /* the last site that splits its block */
    uint32_t source_count;
    struct record_source sources[2];
};

/* Fills r->plans and the marks of blocks, parameters and functions; returns how many lookups will be rewritten. */
uint32_t plan_sites(struct rewriter *r);

#endif
