/* SPDX-License-Identifier: MIT */
/*
 * Writes the instruction that samples, with the operands of the program's or with other ones: explicit gradients where
 * it stands behind a branch, the bias that the driver lacks, the base level.
 */
#include "spirv/lookup/sample.h"

#include <spirv/unified1/spirv.h>
#include "spirv/lookup/bounds.h"
#include "spirv/operands/images.h"
#include "spirv/operands/operands.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

/* Writes a lookup like the given one. `result` 0: a new id, with decorations as `marks` has them. */
static uint32_t write_lookup(struct rewriter *r, const struct lookup *l, uint32_t number, uint32_t coordinate,
                             uint32_t extra, const struct image_operands *o, uint32_t result, uint32_t marks)
{
    uint32_t words[8 + 2 * IMAGE_OPERAND_BITS];
    uint32_t count = 0;
    uint32_t sampled_image = sampled_image_here(r, l->sampled_image);
    if (result == 0) {
        result = new_id(r);
        decorate_like(r, result, marks);
    }
    words[count++] = l->result_type;
    words[count++] = result;
    words[count++] = sampled_image;
    words[count++] = coordinate;
    if (extra != 0)
        words[count++] = extra;
    if (o->mask != 0)
        words[count++] = o->mask;
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (o->mask >> bit & 1u && lookup_operand_words[bit] != 0) {
            words[count++] = o->value[bit];
            if (bit == SpvImageOperandsGradShift)
                words[count++] = o->grad_y;
        }
    }
    write_to(r, &r->body, l->first + number, words, count);
    return result;
}

static uint32_t lookup_number(const struct lookup *l)
{
    return (inst_opcode(l->words)) - l->first;
}

/* The difference between the program's biases and the driver's, to be added to the level of detail; 0: none. */
static uint32_t bias_to_add(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t bias = lookup_operand(&w->l, SpvImageOperandsBiasShift);
    if (!lookup_has_own_bias(w))
        return bias != 0 ? bias : w->bounds.rest;
    uint32_t limit = lookup_bias_limit(r, w->record);
    uint32_t most = lookup_most_bias(r);
    return library_call(r, LIBRARY_BIAS_REST, OPERANDS(bias, limit, most, w->record));
}

static uint32_t times(struct rewriting *w, uint32_t vector, uint32_t factor)
{
    uint32_t components = lookup_axes_components(&w->l);
    uint32_t opcode = components == 1 ? SpvOpFMul : SpvOpVectorTimesScalar;
    return VALUE(w->r, opcode, type_vector(w->r, SCALAR_FLOAT, components), vector, factor);
}

/* Level of detail as the driver has to be given it: gradients take the place of an implicit one and of its bias. */
static void use_level_of_detail(struct rewriting *w, struct image_operands *o)
{
    struct rewriter *r = w->r;
    uint32_t bias = bias_to_add(w);
    if (o->mask & SpvImageOperandsLodMask) {
        if (bias != 0) {
            o->value[SpvImageOperandsLodShift] =
                VALUE(r, SpvOpFAdd, type_vector(r, SCALAR_FLOAT, 1), o->value[SpvImageOperandsLodShift], bias);
        }
        return;
    }
    if (w->l.implicit) {
        o->value[SpvImageOperandsGradShift] = w->dx;
        o->grad_y = w->dy;
    }
    if (bias != 0) {
        uint32_t scale = library_call(r, LIBRARY_GRADIENT_SCALE, OPERANDS(bias));
        o->value[SpvImageOperandsGradShift] = times(w, o->value[SpvImageOperandsGradShift], scale);
        o->grad_y = times(w, o->grad_y, scale);
    }
    o->mask = (o->mask & ~(uint32_t)SpvImageOperandsBiasMask) | SpvImageOperandsGradMask;
}

/* Removes a shader's least level of detail from samplers without mipmaps. */
static void keep_base_level(struct rewriting *w, struct image_operands *o)
{
    if (o->mask >> SpvImageOperandsMinLodShift & 1u) {
        uint32_t more = bounds_more(w);
        o->value[SpvImageOperandsMinLodShift] =
            library_call(w->r, LIBRARY_LEAST_LOD, OPERANDS(o->value[SpvImageOperandsMinLodShift], more));
    }
}

/* write_lookup(), and for comparisons the channel that the image's view shows. */
static uint32_t write_seen(struct rewriting *w, uint32_t number, uint32_t coordinate, uint32_t extra,
                           const struct image_operands *o, uint32_t result)
{
    struct rewriter *r = w->r;
    const struct lookup *l = &w->l;
    const uint32_t marks = module_id(r->m, l->result)->marks;
    if (!lookup_is_seen(w))
        return write_lookup(r, l, number, coordinate, extra, o, result, marks);
    uint32_t looked_up = write_lookup(r, l, number, coordinate, extra, o, 0, marks & MARK_NON_UNIFORM);
    bool sparse = l->first == LOOKUP_SPARSE_FIRST;
    uint32_t type = sparse ? module_definition(r->m, l->result_type)[3] : l->result_type;
    uint32_t texel = sparse ? VALUE(r, SpvOpCompositeExtract, type, looked_up, 1) : looked_up;
    uint32_t seen = with_texel(r, l, lookup_seen(w, texel), looked_up);
    if (result == 0)
        return seen;
    WRITE(r, SpvOpCopyObject, l->result_type, result, seen);
    return result;
}

/* A lookup that differs from the program's. */
struct elsewhere {
    uint32_t number, coordinate, extra;
    const struct image_operands *operands;
    uint32_t result; /* 0: a new id */
};

static uint32_t sample_elsewhere(struct rewriting *w, const void *user)
{
    const struct elsewhere *e = user;
    return write_seen(w, e->number, e->coordinate, e->extra, e->operands, e->result);
}

uint32_t sample_with(struct rewriting *w, uint32_t s, bool offset, uint32_t result)
{
    struct image_operands o = w->l.operands;
    uint32_t number = lookup_number(&w->l);
    if (!offset)
        o.mask &= ~(LOOKUP_OFFSET_MASK | LOOKUP_FOUR_OFFSETS_MASK);
    if (!w->l.gather) {
        number = (number & LOOKUP_DREF) | LOOKUP_EXPLICIT;
        use_level_of_detail(w, &o);
        keep_base_level(w, &o);
    }
    const struct elsewhere e = {
        .number = number,
        .coordinate = whole_coordinate(w->r, &w->l, s),
        .extra = w->reference != 0 ? w->reference : w->l.extra,
        .operands = &o,
        .result = result,
    };
    return images_each(w, w->l.result_type, sample_elsewhere, &e);
}

uint32_t sample_at(struct rewriting *w, uint32_t s, uint32_t result)
{
    return sample_with(w, s, false, result);
}

uint32_t sample_with_own_derivatives(struct rewriting *w, uint32_t s, uint32_t result)
{
    struct image_operands o = w->l.operands;
    keep_base_level(w, &o);
    uint32_t coordinate = whole_coordinate(w->r, &w->l, s);
    uint32_t extra = w->l.dref ? w->reference : w->l.extra;
    return write_seen(w, lookup_number(&w->l) & ~LOOKUP_PROJECTIVE, coordinate, extra, &o, result);
}

uint32_t sample_plain(struct rewriting *w, uint32_t result)
{
    uint32_t number = lookup_number(&w->l);
    uint32_t coordinate = w->l.coordinate;
    bool gradients = w->plan->guarded && w->l.implicit && !w->plan->one_record;
    if (w->normalized || (w->l.projective && (w->l.dref || gradients))) {
        coordinate = w->s;
        number &= ~LOOKUP_PROJECTIVE;
    }
    uint32_t extra = w->l.dref ? w->reference : w->l.extra;
    struct image_operands o = w->l.operands;
    if (gradients) {
        coordinate = whole_coordinate(w->r, &w->l, w->s);
        number |= LOOKUP_EXPLICIT;
        use_level_of_detail(w, &o);
    }
    keep_base_level(w, &o);
    return write_seen(w, number, coordinate, extra, &o, result);
}
