/* SPDX-License-Identifier: MIT */
/* Plans lookups: the form of each, and whether all pixels of a quad follow one record. */
#include "spirv/lookup/lookup.h"

#include <spirv/unified1/spirv.h>
#include "record/record.h"
#include "spirv/module/uniform.h"
#include "spirv/sites/records.h"

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

/*
 * Does tier 1 need nothing of the record but which axes are saturated? The operands that others bring are corrected by
 * what records say of biases, levels, sizes and depth.
 */
static bool plan_masked(const struct rewriter *r, const struct lookup *l, const struct site_plan *plan)
{
    const uint32_t corrected = SpvImageOperandsBiasMask | SpvImageOperandsMinLodMask;
    return r->options->masks && r->options->tier == 1 && !l->cube && !l->dref && !lookup_has_offset(l) &&
           !lookup_has_four_offsets(l) && !(l->operands.mask & corrected) && record_mask_bit(plan) < RECORD_MASK_BITS;
}

static bool plan_form(struct rewriter *r, const struct lookup *l, const struct site *site, struct site_plan *plan)
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
    plan->masked = plan_masked(r, l, plan);
    r->plans->masked |= plan->masked;
    plan->filter = filter;
    plan->splits = filter || !straight;
    plan->one_record = follows_one_record(r->m, plan, l->sampled_image);
    plan->in_front = r->options->gradients_in_front && lookup_operand(l, SpvImageOperandsGradShift) != 0;
    /* The sampler of a combined descriptor is made for its image. */
    plan->guarded = filter && guarded && !plan->in_front;
    return true;
}

bool lookup_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
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
    return plan_sources_usable(r, plan) && plan_form(r, &l, site, plan);
}

bool lookup_plan_drivers(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    const uint32_t count = trace_sampled_image(r->m, r->layout, r->m->words[site->offset + 3], plan->sources);
    for (uint32_t i = 0; i < count; i++) {
        if (plan->sources[i].origin == ORIGIN_NONE)
            return false;
    }
    plan_leave_alone(r, "it reads through a sampler as only the driver can (docs/limits.md)");
    return false;
}
