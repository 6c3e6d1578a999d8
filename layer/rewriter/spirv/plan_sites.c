/* SPDX-License-Identifier: MIT */
/*
 * Plans each site of a module before anything is written: its form, and the record that it follows. A function
 * parameter's record needs one more parameter in every call; a worklist finds these.
 */
#include "spirv/plan_sites.h"

#include <spirv/unified1/spirv.h>
#include "spirv/batch/batch.h"
#include "spirv/embedded/record_index.h"
#include "spirv/lookup/lod_query.h"
#include "spirv/module/uniform.h"
#include "spirv/sites/image_fetch.h"
#include "spirv/sites/input.h"
#include "spirv/sites/texel_buffer.h"

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

/* The same where NonUniform decorations are not required: true if the code proves it. */
static bool leads_to_one_record(const struct module *m, const struct site_plan *plan)
{
    bool one = true;
    for (uint32_t i = 0; i < plan->source_count; i++) {
        one &= plan->sources[i].origin != ORIGIN_PARAMETER;
        for (uint32_t k = 0; one && k < plan->sources[i].step_count; k++)
            one = value_is_uniform(m, plan->sources[i].steps[k].index);
    }
    return one;
}

/* Are all pixels of a quad certain to follow the same record? */
static bool follows_one_record(const struct module *m, const struct site_plan *plan, uint32_t sampled_image)
{
    if (m->heaps)
        return leads_to_one_record(m, plan);
    const uint32_t *inst = module_definition(m, sampled_image);
    uint32_t marks = module_marks(m, sampled_image);
    if (inst_opcode(inst) == SpvOpSampledImage)
        marks |= module_marks(m, inst[3]) | module_marks(m, inst[4]);
    for (uint32_t i = 0; i < plan->source_count; i++) {
        for (uint32_t k = 0; k < plan->sources[i].step_count; k++)
            marks |= module_marks(m, plan->sources[i].steps[k].index);
    }
    return !(marks & MARK_NON_UNIFORM);
}

/* SPV_AMD_texture_gather_bias_lod: code of the layer's gathers from the base level. */
static bool gathers_level(const struct lookup *l)
{
    const uint32_t level = SpvImageOperandsBiasMask | SpvImageOperandsLodMask | SpvImageOperandsMinLodMask;
    return l->gather && (l->operands.mask & level);
}

static bool plan_lookup_form(struct rewriter *r, const struct lookup *l, const struct site *site,
                             struct site_plan *plan)
{
    bool four_offsets = lookup_has_four_offsets(l), offset = lookup_has_offset(l);
    bool gather_offsets = four_offsets || (l->gather && offset);
    bool by_derivatives = l->implicit && (offset || l->projective || r->options->form == SPIRV_FORM_GPU);
    bool straight = !gather_offsets && !by_derivatives;
    if (l->cube) { /* cubes are never moved; a branch only where the bias needs one */
        straight = !lookup_minds_bias(r, l) || (straight && lookup_makes_up_bias(r, l));
    }
    bool guarded = plan->source_count > 1;
    bool filter = r->options->tier >= 2;
    if (module_marks(r->m, site->label) & MARK_WHOLE) {
        if (gather_offsets || (l->implicit && (offset || l->projective))) {
            plan_leave_alone(r, "it stands in a loop header that cannot be split");
            return false;
        }
        if (filter)
            plan_remark(r, "no filter in a loop header that cannot be split");
        straight = true;
        filter = false;
    }
    if (gathers_level(l)) {
        if (gather_offsets) {
            plan_leave_alone(r, "it gathers with offsets from a level of its own (docs/limits.md)");
            return false;
        }
        if (filter)
            plan_remark(r, "no filter for a gather from a level of its own (docs/limits.md)");
        filter = false;
    }
    plan->form = straight ? SITE_STRAIGHT : SITE_BRANCH;
    plan->filter = filter;
    plan->splits = filter || !straight;
    plan->one_record = follows_one_record(r->m, plan, l->sampled_image);
    plan->in_front = r->options->gradients_in_front && lookup_operand(l, SpvImageOperandsGradShift) != 0;
    /* The sampler of a combined descriptor is made for its image. */
    plan->guarded = filter && guarded && !plan->in_front;
    return true;
}

static bool plan_lookup(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    struct lookup l;
    enum lookup_kind kind = lookup_read(r->m, site->offset, &l);
    if (kind == LOOKUP_STRANGE)
        plan_leave_alone(r, "its operands or types are not known here");
    if (kind != LOOKUP_TAKEN)
        return false;
    if (r->options->tier < 2 && !lookup_tier1_acts(r, &l))
        return false;
    plan->source_count = trace_sampled_image(r->m, r->layout, l.sampled_image, plan->sources);
    return plan_sources_usable(r, plan) && plan_lookup_form(r, &l, site, plan);
}

/* The site is not changed; a message says so if the layout has a record for its descriptor. */
static void say_drivers(struct rewriter *r, const struct site *site)
{
    struct record_source sources[2];
    const uint32_t count = trace_sampled_image(r->m, r->layout, r->m->words[site->offset + 3], sources);
    for (uint32_t i = 0; i < count; i++) {
        if (sources[i].origin == ORIGIN_NONE)
            return;
    }
    plan_leave_alone(r, "it reads through a sampler as only the driver can (docs/limits.md)");
}

static bool plan_site(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    switch (site->kind) {
    case SITE_LOOKUP:
        return plan_lookup(r, site, plan);
    case SITE_LOD_QUERY:
        return lod_query_plan(r, site, plan);
    case SITE_TEXEL_FETCH:
    case SITE_TEXEL_COUNT:
        return texel_buffer_plan(r, site, plan);
    case SITE_IMAGE_FETCH:
        return image_fetch_plan(r, site, plan);
    case SITE_INPUT_READ:
        return input_plan(r, site, plan);
    case SITE_DRIVERS:
        say_drivers(r, site);
        return false;
    }
    return false;
}

uint32_t plan_sites(struct rewriter *r)
{
    struct module *m = r->m;
    uint32_t rewritten = 0;
    struct words pending = {0}; /* parameters that take a record, whose calls are not processed yet */
    struct site_plan *last = NULL;
    uint32_t last_label = 0;
    for (uint32_t i = 0; i < m->site_count; i++) {
        struct site_plan *plan = &r->plans->list[i];
        plan->form = SITE_ALONE;
        if (!plan_site(r, &m->sites[i], plan)) {
            plan->form = SITE_ALONE;
            continue;
        }
        rewritten++;
        r->plans->reads += !site_samples(m->sites[i].kind);
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
