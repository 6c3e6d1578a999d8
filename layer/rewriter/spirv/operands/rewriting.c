/* SPDX-License-Identifier: MIT */
/*
 * Properties of the lookup that is being written, for the files in layer/rewriter/spirv/lookup: its record, its biases,
 * its merge block.
 */
#include "spirv/operands/rewriting.h"

#include <spirv/unified1/spirv.h>
#include "spirv/sites/records.h"
#include "spirv/write/library.h"

#define MOST_BIAS 16.0f /* GL's drivers; spirv_options.most_lod_bias */

bool lookup_makes_up_bias(const struct rewriter *r, const struct lookup *l)
{
    return r->options->max_lod_bias > 0.0f && r->options->max_lod_bias < MOST_BIAS && !l->gather;
}

static float most_bias(const struct rewriter *r)
{
    return r->options->most_lod_bias > 0.0f ? r->options->most_lod_bias : MOST_BIAS;
}

uint32_t lookup_most_bias(struct rewriter *r)
{
    return constant_float(r, most_bias(r));
}

uint32_t lookup_bias_limit(struct rewriter *r, uint32_t record)
{
    const float limit = r->options->max_lod_bias, own = r->options->own_lod_bias;
    const uint32_t held = constant_float(r, limit > 0.0f && limit < most_bias(r) ? limit : most_bias(r));
    if (!(own > limit))
        return held;
    const uint32_t plain = constant_float(r, own);
    return library_call(r, LIBRARY_BIAS_LIMIT, OPERANDS(held, plain, record));
}

bool lookup_tier1_acts(const struct rewriter *r, const struct lookup *l)
{
    return !l->cube || l->dref || lookup_operand(l, SpvImageOperandsMinLodShift) != 0 || lookup_minds_bias(r, l);
}

uint32_t lookup_record(struct rewriting *w, uint32_t source, uint32_t quarter)
{
    return w->places[source] != 0 ? load_record_at(w->r, &w->plan->sources[source], w->places[source], quarter)
                                  : load_quarter(w->r, w->plan, source, quarter);
}

uint32_t lookup_decided_record(struct rewriting *w, uint32_t record)
{
    struct rewriter *r = w->r;
    if (!w->plan->filter || w->plan->source_count == 1)
        return record;
    bool fixed = r->options->tier < 2; /* for every record */
    /* Where the driver filters no sampler compares (RECORD_NEED_FILTER_IF_UNCOMPARED), or every lookup through it does.
     */
    bool texels = r->options->extras || r->options->filter == SPIRV_FILTER_TEXELS;
    uint32_t none = constant_null(r, type_vector(r, SCALAR_UINT, 4));
    uint32_t image = fixed || texels || w->l.dref ? lookup_record(w, 0, 3) : none;
    uint32_t sampler = fixed || texels || w->l.cube ? lookup_record(w, 1, 3) : none;
    if (fixed)
        return library_call(r, LIBRARY_RECORD_OF_NEAREST_PAIR, OPERANDS(record, image, sampler));
    uint32_t compared = constant_bool(r, w->l.dref);
    uint32_t cube = constant_bool(r, w->l.cube);
    uint32_t gather = constant_bool(r, w->l.gather);
    return library_call(r, LIBRARY_RECORD_OF_PAIR, OPERANDS(record, image, sampler, compared, cube, gather));
}

uint32_t with_texel(struct rewriter *r, const struct lookup *l, uint32_t texel, uint32_t plain)
{
    return l->first == LOOKUP_FIRST ? texel : VALUE(r, SpvOpCompositeInsert, l->result_type, texel, plain, 1);
}

bool lookup_view_decides(const struct rewriting *w)
{
    return w->l.dref && w->plan->source_count > 1;
}

uint32_t lookup_view(struct rewriting *w)
{
    uint32_t rest = lookup_record(w, 0, 3);
    return VALUE(w->r, SpvOpCompositeExtract, type_vector(w->r, SCALAR_UINT, 1), rest, 3);
}

/* Views with GL state alone have a value of comparisons that fail. */
bool lookup_is_seen(const struct rewriting *w)
{
    return lookup_view_decides(w) || (w->l.dref && w->r->options->rectangles);
}

uint32_t lookup_seen(struct rewriting *w, uint32_t result)
{
    if (!lookup_is_seen(w))
        return result;
    if (lookup_view_decides(w)) {
        uint32_t image = lookup_record(w, 0, 3);
        return library_call(w->r, w->l.gather ? LIBRARY_GATHERED_SEEN : LIBRARY_COMPARED_SEEN, OPERANDS(result, image));
    }
    uint32_t border = lookup_record(w, 0, 1);
    return library_call(w->r, w->l.gather ? LIBRARY_GATHERED_OR_FAIL : LIBRARY_COMPARED_OR_FAIL,
                        OPERANDS(result, w->record, border));
}

uint32_t lookup_merge_label(struct rewriting *w)
{
    return plan_merge_label(w->r, w->site, w->plan);
}

void lookup_merge(struct rewriting *w, uint32_t merge, uint32_t result, uint32_t plain, uint32_t before, uint32_t other)
{
    struct rewriter *r = w->r;
    uint32_t behind = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    WRITE(r, SpvOpPhi, w->l.result_type, result, plain, before, other, behind);
}
