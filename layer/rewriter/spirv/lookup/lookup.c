/* SPDX-License-Identifier: MIT */
/*
 * Writes a lookup's new code in one of the forms that are drawn above the functions here. Its plan chooses one; each is
 * put together from the pieces in filter.c, move.c and sample.c.
 */
#include "spirv/lookup/lookup.h"

#include <spirv/unified1/spirv.h>
#include "record/layout.h"
#include "spirv/lookup/bounds.h"
#include "spirv/lookup/filter.h"
#include "spirv/lookup/move.h"
#include "spirv/lookup/sample.h"
#include "spirv/operands/operands.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"

/* The conditional bits of a record that this lookup makes true. */
static uint32_t record_conditions(const struct rewriting *w)
{
    bool offsets = lookup_has_offset(&w->l) || lookup_has_four_offsets(&w->l);
    return (offsets ? RECORD_FILTER_IF_OFFSET : 0u) | (w->l.gather ? RECORD_FILTER_IF_GATHER : 0u) |
           (lookup_has_own_bias(w) || (w->l.cube && lookup_makes_up_bias(w->r, &w->l)) ? RECORD_BIAS : 0u);
}

uint32_t lookup_filters(struct rewriting *w)
{
    uint32_t conditions = constant_uint(w->r, record_conditions(w));
    return library_call(w->r, LIBRARY_RECORD_FILTERS, OPERANDS(w->record, conditions));
}

uint32_t lookup_acts(struct rewriting *w)
{
    uint32_t conditions = constant_uint(w->r, record_conditions(w));
    return library_call(w->r, LIBRARY_RECORD_ACTS, OPERANDS(w->record, conditions));
}

uint32_t lookup_filter_or_move(struct rewriting *w, uint32_t plain)
{
    struct rewriter *r = w->r;
    uint32_t filters = lookup_filters(w);
    uint32_t filter = new_id(r);
    uint32_t move = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, filters, filter, move, merge);
    begin_block(r, filter);
    uint32_t filtered = filter_write(w, plain);
    uint32_t filter_end = r->label;
    write_branch(r, merge);
    begin_block(r, move);
    uint32_t other = move_again(w, plain);
    uint32_t move_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, filtered, filter_end, other, move_end);
}

/* Ends a branch: the id of the program's lookup becomes the phi of both sides. */
static void merge_results(struct rewriting *w, uint32_t merge, uint32_t plain, uint32_t before, uint32_t other)
{
    lookup_merge(w, merge, w->l.result, plain, before, other);
}

/*
 * Branch form:
 *
 *     r = lookup(...)               plain = lookup(...)
 *                                   if (record acts) {
 *                                       if (record filters)         (tier 2)
 *                                           a = filtered
 *                                       else if (coordinate moved)  (implicit LOD; else always)
 *                                           a = lookup(moved, Grad)
 *                                   }
 *                                   r = phi(plain, a)
 */
static void rewrite_branch(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t plain = sample_plain(w, 0);
    uint32_t condition = w->plan->filter ? lookup_acts(w) : move_condition(w);
    uint32_t before = r->label;
    uint32_t acts = new_id(r);
    uint32_t merge = lookup_merge_label(w);
    write_selection(r, condition, acts, merge, merge);
    begin_block(r, acts);
    uint32_t result = w->plan->filter ? lookup_filter_or_move(w, plain) : move_again(w, plain);
    merge_results(w, merge, plain, before, result);
}

/*
 * Straight form: one lookup. Implicit LOD becomes gradients, of the coordinate as it was. Tier 2 branches behind it.
 */
static void rewrite_straight(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t plain = move_straight(w, w->plan->filter ? 0 : w->l.result, true);
    if (!w->plan->filter)
        return;
    uint32_t filters = lookup_filters(w);
    uint32_t before = r->label;
    uint32_t filter = new_id(r);
    uint32_t merge = lookup_merge_label(w);
    write_selection(r, filters, filter, merge, merge);
    begin_block(r, filter);
    uint32_t filtered = filter_write(w, plain);
    merge_results(w, merge, plain, before, filtered);
}

/*
 * The lookup if the shader does not filter it: all of tier 1 that needs no branch. `everywhere` as for bounds_open().
 */
static uint32_t look_up_once(struct rewriting *w, bool everywhere)
{
    return lookup_branches(w) ? sample_plain(w, 0) : move_straight(w, 0, everywhere);
}

uint32_t lookup_not_filtered(struct rewriting *w)
{
    return look_up_once(w, false);
}

/* The same for lookup_branches(), too: with the branch. */
static uint32_t look_up_not_filtered(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (move_chooses(w)) {
        struct rewriting moved = *w;
        uint32_t result = new_id(r);
        move_open(&moved, false);
        move_choice(&moved, result);
        return result;
    }
    uint32_t plain = lookup_not_filtered(w);
    if (!lookup_branches(w))
        return plain;
    uint32_t acts = lookup_acts(w);
    uint32_t before = r->label;
    uint32_t move = new_id(r);
    uint32_t merge = new_id(r);
    uint32_t result = new_id(r);
    write_selection(r, acts, move, merge, merge);
    begin_block(r, move);
    uint32_t moved = move_again(w, plain);
    lookup_merge(w, merge, result, plain, before, moved);
    return result;
}

/*
 * Guarded form: where the record filters, the driver may be unable to filter this image with this sampler, so the
 * lookup is not executed there. All pixels of a quad are on one side of the branch, or the lookup has gradients.
 *
 *     if (record filters)
 *         a = filtered
 *     else
 *         b = lookup, moved if the record says so
 *     r = phi(a, b)
 */
static void rewrite_guarded(struct rewriting *w)
{
    struct rewriter *r = w->r;
    struct rewriting filtering = *w;
    uint32_t filters = lookup_filters(w);
    uint32_t filter = new_id(r);
    uint32_t look = new_id(r);
    uint32_t merge = lookup_merge_label(w);
    write_selection(r, filters, filter, look, merge);
    begin_block(r, filter);
    if (w->l.implicit && w->dx == 0)
        lookup_take_derivatives(&filtering);
    uint32_t filtered = filter_write(&filtering, 0);
    uint32_t filter_end = r->label;
    write_branch(r, merge);
    begin_block(r, look);
    uint32_t looked_up = look_up_not_filtered(w);
    merge_results(w, merge, filtered, filter_end, looked_up);
}

static void prepare_reference(struct rewriting *w)
{
    struct rewriter *r = w->r;
    w->reference = w->l.extra;
    if (w->l.projective) {
        uint32_t q = coordinate_component(r, &w->l, w->l.axes);
        w->reference = VALUE(r, SpvOpFDiv, type_vector(r, SCALAR_FLOAT, 1), w->l.extra, q);
    }
    w->reference = library_call(r, LIBRARY_CLAMP_REFERENCE, OPERANDS(w->reference, w->record));
}

void lookup_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct rewriting *w)
{
    *w = (struct rewriting){.r = r, .site = site, .plan = plan};
    lookup_read(r->m, site->offset, &w->l);
    for (uint32_t i = 0; i < plan->source_count; i++)
        w->places[i] = plan->sources[i].embedded ? record_place(r, &plan->sources[i]) : 0;
    w->record = plan->masked ? 0 : lookup_decided_record(w, bounds_record(w));
    w->s = axes_coordinate(r, &w->l);
    if (!plan->filter) {
        bounds_open(w, true);
        move_normalize(w);
    }
    if (w->l.implicit && !(move_chooses(w) && r->votes))
        lookup_take_derivatives(w);
    if (w->l.dref)
        prepare_reference(w);
    if (lookup_has_offset(&w->l)) {
        uint32_t constant = lookup_operand(&w->l, SpvImageOperandsConstOffsetShift);
        w->offset3 = padded_offset(r, constant != 0 ? constant : lookup_operand(&w->l, SpvImageOperandsOffsetShift));
    }
}

void lookup_write(struct rewriting *w)
{
    if (w->plan->guarded)
        rewrite_guarded(w);
    else if (w->plan->form == SITE_STRAIGHT)
        rewrite_straight(w);
    else if (move_chooses(w))
        move_choice(w, w->l.result);
    else
        rewrite_branch(w);
}

void lookup_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct rewriting w;
    lookup_open(r, site, plan, &w);
    lookup_write(&w);
}

uint32_t lookup_unless_filtered(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (!w->plan->guarded)
        return look_up_once(w, true);
    uint32_t filters = lookup_filters(w);
    uint32_t none = constant_null(r, w->l.result_type);
    uint32_t before = r->label;
    uint32_t look = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, filters, merge, look, merge);
    begin_block(r, look);
    uint32_t plain = lookup_not_filtered(w);
    uint32_t look_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, none, before, plain, look_end);
}
