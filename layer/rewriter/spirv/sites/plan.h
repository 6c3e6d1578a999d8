/* SPDX-License-Identifier: MIT */
/*
 * Plan: the plan of each site, made before anything is written (plan_sites.h), and functions for the plans of all kinds
 * of sites.
 */
#ifndef CLAMPLER_SPIRV_PLAN_H
#define CLAMPLER_SPIRV_PLAN_H

#include "spirv/write/rewriter.h"
#include "spirv/module/site.h"
#include "spirv/module/trace.h"

enum site_form {
    SITE_ALONE,    /* stays as it is */
    SITE_STRAIGHT, /* one lookup at a selected coordinate, no branch but for the filter's */
    SITE_BRANCH,   /* the program's lookup or fetch, then a branch for records that act */
};

struct site_plan {
    enum site_form form;
    bool filter;     /* tier 2: a branch that filters in the shader */
    bool splits;     /* the block is split here */
    bool last;       /* the last site that splits its block */
    bool batched;    /* written with others of its block (batch.h): a lookup's filter, a fetch */
    bool apart;      /* batched, but its code is its own */
    bool one_record; /* all pixels of a quad are certain to follow the same record */
    bool guarded;  /* the lookup is not executed where the shader filters: sampler and image are separate descriptors */
    bool masked;   /* tier 1: mask words say which axes of the coordinate are saturated */
    bool in_front; /* has gradients, and must not stand behind a branch (options.gradients_in_front) */
    uint32_t source_count;
    struct record_source sources[2];
};

struct plans {
    struct site_plan *list; /* one for each site of the module */
    uint32_t reads;         /* sites that will be rewritten and are no lookups */
    bool masked;            /* some lookup reads mask words */
    uint32_t left_alone;
    const char *left_alone_why; /* the first reason */
    const char *remark;         /* the first remark */
};

/*
 * `plan_leave_alone` counts a site that is not changed although a record may act on it. `plan_remark` reports a part
 * that is missing from a rewritten site. Both keep the first reason, a static string.
 */
void plan_leave_alone(struct rewriter *r, const char *why);
void plan_remark(struct rewriter *r, const char *what);

/* True: the records of all sources can be loaded. Else calls plan_leave_alone(). */
bool plan_sources_usable(struct rewriter *r, const struct site_plan *plan);

/*
 * Can records of images with border texels occur? They require tier 2 with its extras, whose code alone knows of them,
 * and GL view state.
 */
static inline bool plan_knows_borders(const struct rewriter *r)
{
    return r->options->tier >= 2 && r->options->extras && r->options->rectangles;
}

/* True: the function would have too many parameters with a record beside each descriptor. */
bool plan_has_no_room(struct module *m, uint32_t function);

/* The label of the block that continues behind a site that splits its block: the last one has a name that phis know. */
uint32_t plan_merge_label(struct rewriter *r, const struct site *site, const struct site_plan *plan);

#endif
