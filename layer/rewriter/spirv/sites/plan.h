/* SPDX-License-Identifier: MIT */
/*
 * Plan: what becomes of each site, decided before anything is written (plan_sites.h), and what the plans of all kinds
 * of sites share.
 */
#ifndef CLAMPLER_SPIRV_PLAN_H
#define CLAMPLER_SPIRV_PLAN_H

#include "spirv/write/rewriter.h"
#include "spirv/module/trace.h"

enum site_form {
    SITE_ALONE,    /* stays as it is */
    SITE_STRAIGHT, /* one lookup at a selected coordinate, no branch but for the filter's */
    SITE_BRANCH,   /* the plain lookup or fetch, then a branch that does more where the record asks for it */
};

struct site_plan {
    enum site_form form;
    bool filter;     /* tier 2: a branch that filters in the shader */
    bool splits;     /* the block is split here */
    bool last;       /* the last site that splits its block */
    bool batched;    /* written with others of its block (batch.h): a lookup's filter, a fetch */
    bool apart;      /* batched, but its code is its own */
    bool one_record; /* all pixels of a quad are certain to follow the same record */
    bool guarded;    /* what filters does not look up: sampler and image are descriptors of their own */
    bool in_front;   /* has gradients, and must not stand behind a branch (options.gradients_in_front) */
    uint32_t source_count;
    struct record_source sources[2];
};

struct plans {
    struct site_plan *list; /* one for each site of the module */
    uint32_t reads;         /* sites that will be rewritten and are no lookups */
    uint32_t left_alone;
    const char *left_alone_why; /* the first reason */
    const char *remark;         /* the first thing that was left out otherwise */
};

/*
 * `plan_leave_alone` counts a site that stays as it is although a record may ask for something, `plan_remark` notes
 * what is not done for one that is rewritten all the same; both keep the first reason, a static string.
 */
void plan_leave_alone(struct rewriter *r, const char *why);
void plan_remark(struct rewriter *r, const char *what);

/* Can the records of all sources be loaded? Says why not. */
bool plan_sources_usable(struct rewriter *r, const struct site_plan *plan);

/* Has the function as many parameters as it may, were records to travel beside all that are descriptors? */
bool plan_has_no_room(struct module *m, uint32_t function);

/* The label of the block that continues behind a site that splits its block: the last one has a name that phis know. */
uint32_t plan_merge_label(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
