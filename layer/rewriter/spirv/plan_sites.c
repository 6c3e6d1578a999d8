/* SPDX-License-Identifier: MIT */
/*
 * Plans each site of a module before anything is written: its form, and the record that it follows. A function
 * parameter's record needs one more parameter in every call; a worklist finds these.
 */
#include "spirv/plan_sites.h"

#include <spirv/unified1/spirv.h>
#include "spirv/batch/batch.h"
#include "spirv/embedded/record_index.h"
#include "spirv/passes.h"

/* A parameter that a source leads to takes a record, if its function has room for it. */
static void take_record(struct rewriter *r, uint32_t parameter, struct words *pending)
{
    struct module *m = r->m;
    struct id_entry *entry = module_id(m, parameter);
    if (entry->marks & MARK_TAKES_RECORD)
        return;
    if (plan_has_no_room(m, entry->function)) {
        plan_remark(r, "a descriptor is passed on by a function that has no room for a record beside it");
        return;
    }
    entry->marks |= MARK_TAKES_RECORD;
    module_id(m, entry->function)->marks |= MARK_ALTERED;
    words_append(r, pending, &parameter, 1);
}

/* Parameters hand their records on to the functions that they are passed to, until no call adds another parameter. */
static void take_records_through_calls(struct rewriter *r, struct words *pending)
{
    struct module *m = r->m;
    while (pending->count != 0 && !r->out_of_memory) {
        uint32_t parameter = pending->data[--pending->count];
        uint32_t function = module_id(m, parameter)->function;
        for (uint32_t call = module_next_call(m, function, 0); call != 0 && module_search(m, 1);
             call = module_next_call(m, function, call)) {
            struct record_source source;
            trace_descriptor(m, r->layout, module_argument(m, call, parameter), &source);
            if (source.origin == ORIGIN_PARAMETER)
                take_record(r, source.parameter, pending);
            else if (source.origin == ORIGIN_UNKNOWN)
                plan_remark(r, "a descriptor that is passed to a function cannot be known from the code");
            else if (source.embedded && record_index_unreachable(r, &source))
                plan_remark(r, "the record index of a descriptor that is passed to a function cannot be loaded");
        }
    }
}

uint32_t plan_sites(struct rewriter *r)
{
    struct module *m = r->m;
    uint32_t rewritten = 0;
    struct words pending = {0}; /* parameters that take a record, whose calls are not processed yet */
    struct site_plan *last = NULL;
    uint32_t last_label = 0;
    for (uint32_t i = 0; i < m->site_count; i++) {
        const struct pass *pass = &passes[m->sites[i].kind];
        struct site_plan *plan = &r->plans->list[i];
        plan->form = SITE_ALONE;
        if (!pass->plan(r, &m->sites[i], plan)) {
            plan->form = SITE_ALONE;
            continue;
        }
        rewritten++;
        r->plans->reads += !pass->samples;
        for (uint32_t j = 0; j < plan->source_count; j++) {
            if (plan->sources[j].origin == ORIGIN_PARAMETER)
                take_record(r, plan->sources[j].parameter, &pending);
        }
        if (plan->splits) {
            module_id(m, m->sites[i].label)->marks |= MARK_SPLIT;
            if (last && last_label != m->sites[i].label)
                last->last = true;
            last = plan;
            last_label = m->sites[i].label;
        }
    }
    if (last)
        last->last = true;
    batch_plan(r);
    take_records_through_calls(r, &pending);
    words_drop(r, &pending);
    return rewritten;
}
