/* SPDX-License-Identifier: MIT */
/* Decides which blocks are written in batches, and adds their sites to the batch. */
#include "spirv/batch/batch.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"
#include "spirv/sites/records.h"

/* ---- Which sites ---- */

/* Does the code that replaces the lookup loop over texels? */
static bool loops(const struct rewriter *r, uint32_t index)
{
    const struct site_plan *plan = &r->plans->list[index];
    return r->options->tier >= 2 && r->m->sites[index].kind == SITE_LOOKUP && plan->form != SITE_ALONE && plan->filter;
}

/* May the site share code with others? */
static bool may_share(const struct rewriter *r, uint32_t index)
{
    const struct site_plan *plan = &r->plans->list[index];
    struct lookup l;
    if (r->m->sites[index].kind == SITE_TEXEL_FETCH)
        return plan->form == SITE_BRANCH &&
               inst_opcode(r->m->words + r->m->sites[index].offset) == SpvOpImageFetch; /* residency is not shared */
    if (!loops(r, index) || lookup_read(r->m, r->m->sites[index].offset, &l) != LOOKUP_TAKEN)
        return false;
    return l.first == LOOKUP_FIRST && !l.gather && (plan->form == SITE_STRAIGHT || l.implicit);
}

/*
 * Adds a site to its block's batch. Its plain lookup stays in place in every form, because the second lookup, at a
 * moved coordinate, is code that the batch shares.
 */
static void join(struct rewriter *r, uint32_t index)
{
    struct lookup l;
    if (lookup_read(r->m, r->m->sites[index].offset, &l) == LOOKUP_TAKEN && l.implicit)
        r->plans->list[index].form = SITE_BRANCH;
}

/* Does an instruction behind this one in its block take derivatives? */
static bool derivatives_follow(const struct module *m, uint32_t offset)
{
    for (uint32_t at = offset; !module_ends_block(m, at);) {
        at += inst_length(m->words + at);
        const uint32_t opcode = inst_opcode(m->words + at);
        if (opcode_takes_derivatives(opcode) || opcode == SpvOpFunctionEnd)
            return opcode != SpvOpFunctionEnd;
    }
    return false;
}

/* Decides which sites of one block are batched, if any. */
static void plan_block(struct rewriter *r, uint32_t first, uint32_t end)
{
    struct module *m = r->m;
    struct site_plan *plans = r->plans->list;
    uint32_t lookups = 0, fetches = 0, first_loop = end;
    for (uint32_t i = first; i < end; i++) {
        bool shares = may_share(r, i);
        lookups += shares && m->sites[i].kind == SITE_LOOKUP;
        fetches += shares && m->sites[i].kind == SITE_TEXEL_FETCH;
        first_loop = loops(r, i) && i < first_loop ? i : first_loop;
    }
    bool any = lookups > 1 || fetches > 1 || (first_loop != end && derivatives_follow(m, m->sites[first_loop].offset));
    if (!any)
        return;
    module_id(m, m->sites[first].label)->marks |= MARK_BATCHED;
    for (uint32_t i = first; i < end; i++) {
        bool shares = may_share(r, i);
        bool fetch = m->sites[i].kind == SITE_TEXEL_FETCH;
        plans[i].batched = fetch ? shares && fetches > 1 : loops(r, i);
        plans[i].apart = plans[i].batched && !shares;
        plans[i].last = false;
        if (shares && !fetch && lookups > 1)
            join(r, i);
    }
}

void batch_plan(struct rewriter *r)
{
    const struct module *m = r->m;
    for (uint32_t first = 0, end; first < m->site_count; first = end) {
        end = first + 1;
        while (end < m->site_count && m->sites[end].label == m->sites[first].label)
            end++;
        plan_block(r, first, end);
    }
}

/* ---- Adding requests ---- */

static struct batch_request *new_request(struct rewriter *r, struct batch *batch)
{
    if (batch->count == batch->room) {
        const uint32_t room = batch->room != 0 ? BATCH_REQUESTS_MOST : BATCH_MOST;
        const size_t size = room * sizeof(*batch->requests);
        void *memory = r->allocator->reallocate(r->allocator->user, batch->requests, size);
        if (!memory) {
            r->out_of_memory = true;
            return NULL;
        }
        batch->requests = memory;
        batch->room = room;
    }
    return &batch->requests[batch->count++];
}

void batch_add(struct rewriter *r, struct batch *batch, const struct site *site, const struct site_plan *plan)
{
    if (site->kind == SITE_TEXEL_FETCH) {
        texel_fetch_open(r, site, plan, &batch->fetches[batch->fetch_count++]);
        return;
    }
    struct batch_request *request = new_request(r, batch);
    if (!request)
        return;
    *request = (struct batch_request){0};
    lookup_open(r, site, plan, &request->w);
    for (uint32_t i = 0; i < plan->source_count; i++)
        request->w.places[i] = record_place(r, &plan->sources[i]);
    request->plain = batch_in_arrays(r) || plan->apart ? 0 : lookup_unless_filtered(&request->w);
    request->end = r->body.count;
}

void batch_drop(struct rewriter *r, struct batch *batch)
{
    if (batch->requests)
        r->allocator->reallocate(r->allocator->user, batch->requests, 0);
    words_drop(r, &batch->run.instructions);
    words_drop(r, &batch->run.order);
    words_drop(r, &batch->run.ends);
    words_drop(r, &batch->run.touched);
}
