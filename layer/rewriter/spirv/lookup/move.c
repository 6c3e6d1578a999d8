/* SPDX-License-Identifier: MIT */
/*
 * Tier 1: looks up at the moved coordinate. With branches the lookup is done again where the record says so; without,
 * it is done once, at a coordinate that is the program's own wherever nothing moves it.
 */
#include "spirv/lookup/move.h"

#include <spirv/unified1/spirv.h>
#include "record/layout.h"
#include "spirv/lookup/bounds.h"
#include "spirv/lookup/sample.h"
#include "spirv/operands/operands.h"
#include "spirv/write/library.h"

void move_normalize(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t scale = w->bounds.scale;
    if (scale == 0)
        return;
    uint32_t vec2 = type_vector(r, SCALAR_FLOAT, 2);
    if (w->l.implicit && w->dx == 0 && !w->plan->one_record) {
        uint32_t bit = constant_uint(r, RECORD_RECTANGLE);
        w->unscaled = w->s;
        w->rectangle = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(w->record, bit));
    }
    uint32_t *const scaled[] = {&w->s, &w->dx, &w->dy, &w->l.operands.value[SpvImageOperandsGradShift],
                                &w->l.operands.grad_y};
    for (uint32_t i = 0; i < sizeof(scaled) / sizeof(scaled[0]); i++)
        *scaled[i] = *scaled[i] != 0 ? VALUE(r, SpvOpFMul, vec2, *scaled[i], scale) : 0;
    w->normalized = true;
    if (lookup_has_offset(&w->l) || lookup_has_four_offsets(&w->l))
        w->record = library_call(r, LIBRARY_RECORD_NORMALIZED, OPERANDS(w->record));
}

void move_open(struct rewriting *w, bool everywhere)
{
    bounds_open(w, everywhere);
    move_normalize(w);
}

void lookup_take_derivatives(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t type = type_vector(r, SCALAR_FLOAT, lookup_axes_components(&w->l));
    uint32_t of = w->unscaled != 0 ? w->unscaled : w->s;
    w->dx = VALUE(r, SpvOpDPdx, type, of);
    w->dy = VALUE(r, SpvOpDPdy, type, of);
    if (of == w->unscaled) {
        w->dx = VALUE(r, SpvOpFMul, type, w->dx, w->bounds.scale);
        w->dy = VALUE(r, SpvOpFMul, type, w->dy, w->bounds.scale);
    }
}

/* The level in whose texels an offset counts. */
static uint32_t level_of(struct rewriting *w)
{
    uint32_t lod = w->l.operands.value[SpvImageOperandsLodShift];
    const uint32_t *inst = module_definition(w->r->m, lod);
    if (!(w->l.operands.mask & SpvImageOperandsLodMask) || (inst_opcode(inst) == SpvOpConstant && inst[3] == 0))
        return constant_int(w->r, 0);
    uint32_t none = constant_float(w->r, 0.0f);
    uint32_t limit = lookup_bias_limit(w->r, w->record);
    uint32_t most = lookup_most_bias(w->r);
    uint32_t biases = library_call(w->r, LIBRARY_ALL_BIASES, OPERANDS(none, limit, most, w->record));
    return library_call(w->r, LIBRARY_SAMPLED_LEVEL, OPERANDS(lod, biases, w->record));
}

/* Each of the four texels is the (i0,j0) of a footprint with its own offset: component 3 of a gather. */
static uint32_t gather_with_four_offsets(struct rewriting *w, uint32_t plain)
{
    struct rewriter *r = w->r;
    bool constant = (w->l.operands.mask & SpvImageOperandsConstOffsetsMask) != 0;
    uint32_t offsets = w->l.operands.value[constant ? SpvImageOperandsConstOffsetsShift : SpvImageOperandsOffsetsShift];
    const uint32_t *array = module_definition(r->m, module_type_of(r->m, offsets));
    uint32_t texel_type = w->l.first == LOOKUP_FIRST ? w->l.result_type : module_definition(r->m, w->l.result_type)[3];
    uint32_t scalar = module_definition(r->m, texel_type)[2];
    uint32_t ivec2 = type_vector(r, SCALAR_INT, 2);
    uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    uint32_t level = constant_int(r, 0);
    uint32_t padded = pad_axes(r, w->s, w->l.axes);
    uint32_t texels[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t zero = constant_int(r, 0);
        uint32_t offset = VALUE(r, SpvOpCompositeExtract, array[2], offsets, i);
        if (array[2] != ivec2)
            offset = VALUE(r, SpvOpBitcast, ivec2, offset);
        offset = VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero);
        uint32_t s3 = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(padded, offset, w->record, level));
        uint32_t s = bounds_move(w, unpad_axes(r, s3, w->l.axes));
        uint32_t gathered = sample_at(w, s, 0);
        texels[i] = w->l.first == LOOKUP_FIRST ? VALUE(r, SpvOpCompositeExtract, scalar, gathered, 3)
                                               : VALUE(r, SpvOpCompositeExtract, scalar, gathered, 1, 3);
    }
    uint32_t texel = write_value(r, SpvOpCompositeConstruct, texel_type, texels, 4);
    return with_texel(r, &w->l, texel, plain);
}

/*
 * The condition, or true for rectangles: their coordinate was multiplied pixel by pixel, so a lookup with implicit LOD
 * would take the derivatives of the products, and must be replaced by one with the right gradients.
 */
static uint32_t or_rectangle(struct rewriting *w, uint32_t condition)
{
    return w->rectangle == 0 ? condition
           : condition == 0  ? w->rectangle
                             : VALUE(w->r, SpvOpLogicalOr, type_bool(w->r), w->rectangle, condition);
}

/* Must the driver look up again, where the coordinate may have moved from `s` to `moved`? */
static uint32_t lookup_differs(struct rewriting *w, uint32_t s, uint32_t moved, uint32_t record)
{
    struct rewriter *r = w->r;
    uint32_t differs = bounds_differ(w, s, moved);
    uint32_t bits =
        (lookup_has_own_bias(w) ? RECORD_BIAS : 0u) | (w->plan->filter && w->normalized ? RECORD_RECTANGLE : 0u);
    if (bits != 0) {
        uint32_t mask = constant_uint(r, bits);
        uint32_t has = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(record, mask));
        differs = VALUE(r, SpvOpLogicalOr, type_bool(r), has, differs);
    }
    if (!lookup_has_own_bias(w) && w->bounds.always != 0)
        differs = VALUE(r, SpvOpLogicalOr, type_bool(r), w->bounds.always, differs);
    return or_rectangle(w, differs);
}

uint32_t move_again(const struct rewriting *program, uint32_t plain)
{
    struct rewriting copy = *program, *w = &copy;
    struct rewriter *r = w->r;
    if (w->l.cube && !lookup_minds_bias(r, &w->l))
        return plain;
    if (w->plan->filter)
        move_open(w, false);
    if (lookup_has_four_offsets(&w->l))
        return gather_with_four_offsets(w, plain);
    uint32_t s = w->s;
    if (lookup_has_offset(&w->l)) {
        uint32_t level = level_of(w);
        uint32_t s3 = pad_axes(r, w->s, w->l.axes);
        s3 = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(s3, w->offset3, w->record, level));
        s = unpad_axes(r, s3, w->l.axes);
    }
    if (w->l.cube)
        return sample_at(w, s, 0);
    uint32_t moved = bounds_move(w, s);
    if (!w->l.implicit || plain == 0)
        return sample_at(w, moved, 0);
    uint32_t differs = lookup_differs(w, s, moved, program->record);
    uint32_t before = r->label;
    uint32_t again = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, differs, again, merge, merge);
    begin_block(r, again);
    uint32_t result = sample_at(w, moved, 0);
    uint32_t end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, plain, before, result, end);
}

bool move_chooses(const struct rewriting *w)
{
    bool alone = !w->plan->filter || (w->r->options->tier < 2 && w->plan->one_record);
    return w->plan->form == SITE_BRANCH && alone && w->l.implicit && !lookup_has_offset(&w->l);
}

uint32_t move_condition(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (!move_chooses(w)) {
        enum library_name test = lookup_has_own_bias(w) ? LIBRARY_BIAS_OR_COORDINATE_MOVES : LIBRARY_RECORD_MOVES;
        return or_rectangle(w, library_call(r, test, OPERANDS(w->record)));
    }
    uint32_t moves = w->l.cube ? 0 : bounds_outside(w, w->s);
    uint32_t bias = w->bounds.always;
    if (lookup_has_own_bias(w)) {
        uint32_t bit = constant_uint(r, RECORD_BIAS);
        bias = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(w->record, bit));
    }
    moves = moves == 0 ? bias : bias == 0 ? moves : VALUE(r, SpvOpLogicalOr, type_bool(r), bias, moves);
    return or_rectangle(w, moves);
}

/*
 * bool, one for the subgroup: some pixel needs the gradients, because it may be minified. The derivatives are not those
 * that the gradients are: compilers would take them once for both, and execute both sides of the short branch behind.
 */
static uint32_t move_needs_gradients(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t vec2 = type_vector(r, SCALAR_FLOAT, 2);
    uint32_t half = VALUE(r, SpvOpVectorTimesScalar, vec2, w->s, constant_float(r, 0.5f));
    uint32_t dx = VALUE(r, SpvOpDPdx, vec2, half);
    uint32_t dy = VALUE(r, SpvOpDPdy, vec2, half);
    uint32_t more = bounds_more(w);
    uint32_t magnifies = library_call(r, LIBRARY_MAGNIFIES, OPERANDS(dx, dy, more));
    uint32_t needs = or_rectangle(w, VALUE(r, SpvOpLogicalNot, type_bool(r), magnifies));
    return VALUE(r, SpvOpSubgroupAnyKHR, type_bool(r), needs);
}

/*
 * The lookup at the moved coordinate, on that side of a vote's branch. GPUs take twice as long for one with gradients
 * as for one that takes its own derivatives, which has the same result where nothing is minified.
 *
 *     if (any(minified(s)))
 *         a = lookup(moved s, Grad)
 *     else
 *         b = lookup(moved s)
 *     phi(a, b)
 */
static uint32_t move_voted(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (w->l.axes != 2 || w->l.cube || lookup_has_own_bias(w)) {
        lookup_take_derivatives(w);
        return sample_at(w, w->l.cube ? w->s : bounds_move(w, w->s), 0);
    }
    uint32_t moved = bounds_move(w, w->s);
    uint32_t needs = move_needs_gradients(w);
    uint32_t with = new_id(r);
    uint32_t without = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, needs, with, without, merge);
    begin_block(r, with);
    lookup_take_derivatives(w);
    uint32_t minified = sample_at(w, moved, 0);
    uint32_t with_end = r->label;
    write_branch(r, merge);
    begin_block(r, without);
    uint32_t magnified = sample_with_own_derivatives(w, moved, 0);
    uint32_t without_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, minified, with_end, magnified, without_end);
}

/*
 * Implicit LOD in tier 1: another lookup where the coordinate moves. Derivatives and the program's own lookup need all
 * pixels of a quad. With a vote the whole subgroup takes one side of the branch, so each lookup is on its side, and
 * lookups inside the texture cost one test; else both are in front of the branch.
 *
 *     r = lookup(s)                 if (any(moves(s)))              a = lookup(s), gradients of s
 *                                       a = move_voted(s)           if (moves(s))
 *                                   else                                b = lookup(moved s, Grad)
 *                                       b = lookup(s)               r = phi(a, b)
 *                                   r = phi(a, b)
 */
void move_choice(struct rewriting *w, uint32_t result)
{
    struct rewriter *r = w->r;
    uint32_t condition = move_condition(w);
    uint32_t plain = r->votes ? 0 : sample_plain(w, 0);
    uint32_t before = r->label;
    uint32_t moves = new_id(r);
    uint32_t merge = result == w->l.result ? lookup_merge_label(w) : new_id(r);
    uint32_t stays = r->votes ? new_id(r) : merge;
    if (r->votes) {
        r->voted = true;
        condition = VALUE(r, SpvOpSubgroupAnyKHR, type_bool(r), condition);
    }
    write_selection(r, condition, moves, stays, merge);
    begin_block(r, moves);
    uint32_t moved = r->votes ? move_voted(w) : sample_at(w, w->l.cube ? w->s : bounds_move(w, w->s), 0);
    if (r->votes) {
        write_branch(r, merge);
        uint32_t end = r->label;
        begin_block(r, stays);
        plain = sample_plain(w, 0);
        lookup_merge(w, merge, result, moved, end, plain);
    } else {
        lookup_merge(w, merge, result, plain, before, moved);
    }
}

/*
 * The coordinate for a lookup that keeps its texel offset. The driver adds the offset, so this is the moved sum of
 * coordinate and offset, less the offset; if it does not move, the given coordinate.
 */
static uint32_t moved_less_offset(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t level = level_of(w);
    uint32_t s = pad_axes(r, w->s, w->l.axes);
    uint32_t sum = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(s, w->offset3, w->record, level));
    uint32_t moved = bounds_move(w, unpad_axes(r, sum, w->l.axes));
    uint32_t padded = pad_axes(r, moved, w->l.axes);
    padded = library_call(r, LIBRARY_UNFOLD_OFFSET, OPERANDS(s, sum, padded, w->offset3, w->record, level));
    return unpad_axes(r, padded, w->l.axes);
}

uint32_t move_straight(struct rewriting *w, uint32_t result, bool everywhere)
{
    if (w->l.cube && !lookup_minds_bias(w->r, &w->l))
        return sample_plain(w, result);
    struct rewriting moved = *w;
    if (w->plan->filter)
        move_open(&moved, everywhere);
    if (lookup_has_offset(&w->l))
        return sample_with(&moved, moved_less_offset(&moved), true, result);
    return sample_at(&moved, w->l.cube ? moved.s : bounds_move(&moved, moved.s), result);
}
