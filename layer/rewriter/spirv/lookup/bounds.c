/* SPDX-License-Identifier: MIT */
/*
 * Tier 1's arithmetic: reads a record's bounds, tests whether a coordinate is between them, and moves it there. Values
 * that were loaded in a block are reused in it.
 */
#include "spirv/lookup/bounds.h"

#include <spirv/unified1/spirv.h>
#include "spirv/operands/operands.h"
#include "spirv/sites/records.h"
#include "spirv/write/library.h"

/* Quarters of a record. */
enum { QUARTER_BOX = 2, QUARTER_REST = 3 };

/* ---- Records that are known already ---- */

/* The values of the lookup's record that were loaded, perhaps none yet; NULL: the cache is full. */
static struct known_record *known(struct rewriting *w)
{
    struct known_records *all = w->r->known;
    if (all->label != w->site->label) {
        all->label = w->site->label;
        all->count = 0;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        if (plan_same_records(all->list[i].plan, w->plan))
            return &all->list[i];
    }
    if (all->count == KNOWN_RECORDS)
        return NULL;
    struct known_record *record = &all->list[all->count++];
    *record = (struct known_record){.plan = w->plan};
    return record;
}

uint32_t bounds_record(struct rewriting *w)
{
    struct known_record *record = known(w);
    if (!record)
        return load_record(w->r, w->plan);
    if (record->record == 0)
        record->record = load_record(w->r, w->plan);
    return record->record;
}

/* ---- Bounds ---- */

uint32_t bounds_more(struct rewriting *w)
{
    uint32_t type = type_vector(w->r, SCALAR_UINT, 1);
    uint32_t more = 0;
    if (w->bounds.quarter != 0)
        return VALUE(w->r, SpvOpCompositeExtract, type, w->bounds.quarter, 3);
    for (uint32_t i = 0; i < w->plan->source_count; i++) {
        uint32_t rest = lookup_record(w, i, QUARTER_REST);
        uint32_t own = VALUE(w->r, SpvOpCompositeExtract, type, rest, 3);
        more = more == 0 ? own : VALUE(w->r, SpvOpBitwiseOr, type, more, own);
    }
    return more;
}

static void open_box(struct rewriting *w, struct known_record *k)
{
    struct rewriter *r = w->r;
    uint32_t box = lookup_record(w, 0, QUARTER_BOX);
    if (w->plan->source_count > 1) {
        uint32_t other = lookup_record(w, 1, QUARTER_BOX);
        box = library_call(r, LIBRARY_PAIR_BOUNDS, OPERANDS(w->record, box, other));
    }
    k->bounds.box = library_call(r, LIBRARY_RECORD_BOUNDS, OPERANDS(box));
}

static void open_rest(struct rewriting *w, struct known_record *k)
{
    struct rewriter *r = w->r;
    k->rest = lookup_record(w, 0, QUARTER_REST);
    if (w->plan->source_count > 1) {
        uint32_t other = lookup_record(w, 1, QUARTER_REST);
        uint32_t box = lookup_record(w, 0, QUARTER_BOX);
        uint32_t volume = constant_bool(r, w->l.axes == 3);
        k->rest = library_call(r, LIBRARY_PAIR_REST, OPERANDS(w->record, box, k->rest, other, volume));
    }
}

/* Rectangle textures are two-dimensional and have no layers. */
static bool may_be_rectangle(const struct rewriter *r, const struct lookup *l)
{
    return r->options->rectangles && l->axes == 2 && !l->arrayed && !l->cube;
}

/* Which axes are saturated, by the mask words. */
static void open_masks(struct rewriting *w)
{
    static const enum library_name names[] = {LIBRARY_MASKS_SATURATE_1, LIBRARY_MASKS_SATURATE_2,
                                              LIBRARY_MASKS_SATURATE_3};
    struct rewriter *r = w->r;
    uint32_t masks = record_masks_of(r, w->plan);
    uint32_t bit = constant_uint(r, 1u << record_mask_bit(w->plan));
    w->bounds.saturated = library_call(r, names[w->l.axes - 1], OPERANDS(masks, bit));
}

void bounds_open(struct rewriting *w, bool everywhere)
{
    struct rewriter *r = w->r;
    if (w->plan->masked) {
        open_masks(w);
        return;
    }
    struct known_record own = {.plan = w->plan};
    struct known_record *found = everywhere ? known(w) : NULL;
    struct known_record *k = found ? found : &own;
    bool third = w->l.axes == 3;
    bool scale = may_be_rectangle(r, &w->l);
    bool bias = lookup_makes_up_bias(r, &w->l);
    if (k->bounds.box == 0 && !w->l.cube)
        open_box(w, k);
    if (k->rest == 0 && (third || scale || bias))
        open_rest(w, k);
    if (k->bounds.third == 0 && third)
        k->bounds.third = library_call(r, LIBRARY_RECORD_THIRD, OPERANDS(k->rest));
    if (k->bounds.scale == 0 && scale)
        k->bounds.scale = library_call(r, LIBRARY_RECORD_SCALE, OPERANDS(k->rest));
    if (k->bounds.rest == 0 && bias) {
        uint32_t bits = VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_UINT, 1), k->rest, 2);
        k->bounds.rest = VALUE(r, SpvOpBitcast, type_vector(r, SCALAR_FLOAT, 1), bits);
        k->bounds.always = library_call(r, LIBRARY_REST_ALWAYS, OPERANDS(k->rest));
    }
    w->bounds = k->bounds;
    w->bounds.quarter = k->rest;
}

uint32_t bounds_move(struct rewriting *w, uint32_t s)
{
    static const enum library_name names[] = {LIBRARY_BOUNDED_1, LIBRARY_BOUNDED_2};
    static const enum library_name by_masks[] = {LIBRARY_SATURATED_1, LIBRARY_SATURATED_2, LIBRARY_SATURATED_3};
    if (w->bounds.saturated != 0)
        return library_call(w->r, by_masks[w->l.axes - 1], OPERANDS(s, w->bounds.saturated));
    if (w->l.axes == 3)
        return library_call(w->r, LIBRARY_BOUNDED_3, OPERANDS(s, w->bounds.box, w->bounds.third));
    return library_call(w->r, names[w->l.axes - 1], OPERANDS(s, w->bounds.box));
}

uint32_t bounds_differ(struct rewriting *w, uint32_t s, uint32_t moved)
{
    struct rewriter *r = w->r;
    if (w->l.axes == 1)
        return VALUE(r, SpvOpFUnordNotEqual, type_bool(r), moved, s);
    uint32_t bools = TYPE(r, SpvOpTypeVector, type_bool(r), w->l.axes);
    uint32_t differs = VALUE(r, SpvOpFUnordNotEqual, bools, moved, s);
    return VALUE(r, SpvOpAny, type_bool(r), differs);
}

uint32_t bounds_outside(struct rewriting *w, uint32_t s)
{
    static const enum library_name names[] = {LIBRARY_MOVES_1, LIBRARY_MOVES_2};
    if (w->bounds.saturated != 0)
        return bounds_differ(w, s, bounds_move(w, s));
    if (w->l.axes == 3)
        return library_call(w->r, LIBRARY_MOVES_3, OPERANDS(s, w->bounds.box, w->bounds.third));
    return library_call(w->r, names[w->l.axes - 1], OPERANDS(s, w->bounds.box));
}
