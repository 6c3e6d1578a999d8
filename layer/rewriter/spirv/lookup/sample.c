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

/* The parts of the instruction that samples, where they are not the program's. */
struct sampling {
    uint32_t number, coordinate, extra;
    const struct image_operands *operands;
    uint32_t result; /* 0: a new id */
};

static void write_lookup(struct rewriter *r, const struct lookup *l, const struct sampling *s, uint32_t sampled_image,
                         uint32_t result)
{
    const struct image_operands *o = s->operands;
    uint32_t words[8 + 2 * IMAGE_OPERAND_BITS];
    uint32_t count = 0;
    words[count++] = l->result_type;
    words[count++] = result;
    words[count++] = sampled_image;
    words[count++] = s->coordinate;
    if (s->extra != 0)
        words[count++] = s->extra;
    if (o->mask != 0)
        words[count++] = o->mask;
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (o->mask >> bit & 1u && lookup_operand_words[bit] != 0) {
            words[count++] = o->value[bit];
            if (bit == SpvImageOperandsGradShift)
                words[count++] = o->grad_y;
        }
    }
    write_to(r, &r->body, l->first + s->number, words, count);
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

static uint32_t new_id_like(struct rewriter *r, uint32_t marks)
{
    uint32_t id = new_id(r);
    decorate_like(r, id, marks);
    return id;
}

/* Writes the lookup, and for comparisons the channel that the image's view shows. */
static uint32_t write_seen(struct rewriting *w, const void *user)
{
    const struct sampling *s = user;
    struct rewriter *r = w->r;
    const struct lookup *l = &w->l;
    const uint32_t marks = module_id(r->m, l->result)->marks;
    const uint32_t sampled_image = sampled_image_here(r, l->sampled_image);
    if (!lookup_is_seen(w)) {
        uint32_t result = s->result != 0 ? s->result : new_id_like(r, marks);
        write_lookup(r, l, s, sampled_image, result);
        return result;
    }
    uint32_t looked_up = new_id_like(r, marks & MARK_NON_UNIFORM);
    write_lookup(r, l, s, sampled_image, looked_up);
    bool sparse = l->first == LOOKUP_SPARSE_FIRST;
    uint32_t type = sparse ? module_definition(r->m, l->result_type)[3] : l->result_type;
    uint32_t texel = sparse ? VALUE(r, SpvOpCompositeExtract, type, looked_up, 1) : looked_up;
    uint32_t seen = with_texel(r, l, lookup_seen(w, texel), looked_up);
    if (s->result == 0)
        return seen;
    WRITE(r, SpvOpCopyObject, l->result_type, s->result, seen);
    return s->result;
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
    const struct sampling sampling = {
        .number = number,
        .coordinate = whole_coordinate(w->r, &w->l, s),
        .extra = w->reference != 0 ? w->reference : w->l.extra,
        .operands = &o,
        .result = result,
    };
    return images_each(w, w->l.result_type, write_seen, &sampling);
}

uint32_t sample_at(struct rewriting *w, uint32_t s, uint32_t result)
{
    return sample_with(w, s, false, result);
}

uint32_t sample_with_own_derivatives(struct rewriting *w, uint32_t s, uint32_t result)
{
    struct image_operands o = w->l.operands;
    keep_base_level(w, &o);
    const struct sampling sampling = {
        .number = lookup_number(&w->l) & ~LOOKUP_PROJECTIVE,
        .coordinate = whole_coordinate(w->r, &w->l, s),
        .extra = w->l.dref ? w->reference : w->l.extra,
        .operands = &o,
        .result = result,
    };
    return write_seen(w, &sampling);
}

uint32_t sample_plain(struct rewriting *w, uint32_t result)
{
    struct image_operands o = w->l.operands;
    struct sampling sampling = {
        .number = lookup_number(&w->l),
        .coordinate = w->l.coordinate,
        .extra = w->l.dref ? w->reference : w->l.extra,
        .operands = &o,
        .result = result,
    };
    bool gradients = w->plan->guarded && w->l.implicit && !w->plan->one_record;
    if (w->normalized || (w->l.projective && (w->l.dref || gradients))) {
        sampling.coordinate = w->s;
        sampling.number &= ~LOOKUP_PROJECTIVE;
    }
    if (gradients) {
        sampling.coordinate = whole_coordinate(w->r, &w->l, w->s);
        sampling.number |= LOOKUP_EXPLICIT;
        use_level_of_detail(w, &o);
    }
    keep_base_level(w, &o);
    return write_seen(w, &sampling);
}
