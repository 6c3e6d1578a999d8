#include "spirv/lookup.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/opcodes.h"
#include "record.h"
#include "spirv/batch.h"
#include "spirv/bounds.h"
#include "spirv/filter.h"
#include "spirv/records.h"

#define MOST_BIAS 16.0f /* GL's drivers; spirv_options.most_lod_bias */

uint32_t pad_axes(struct rewriter *r, uint32_t vector, uint32_t axes)
{
    if (axes == 3) {
        return vector;
    }
    uint32_t vec3 = type_vector(r, SCALAR_FLOAT, 3);
    uint32_t zero = constant_float(r, 0.0f);
    return axes == 2 ? VALUE(r, SpvOpCompositeConstruct, vec3, vector, zero)
                     : VALUE(r, SpvOpCompositeConstruct, vec3, vector, zero, zero);
}

uint32_t unpad_axes(struct rewriter *r, uint32_t vector, uint32_t axes)
{
    if (axes == 3) {
        return vector;
    }
    uint32_t type = type_vector(r, SCALAR_FLOAT, axes);
    return axes == 2 ? VALUE(r, SpvOpVectorShuffle, type, vector, vector, 0, 1)
                     : VALUE(r, SpvOpCompositeExtract, type, vector, 0);
}

uint32_t coordinate_component(struct rewriter *r, const struct lookup *l, uint32_t component)
{
    return l->coordinate_size == 1
               ? l->coordinate
               : VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_FLOAT, 1), l->coordinate, component);
}

/* A texel offset as ivec3. */
uint32_t padded_offset(struct rewriter *r, uint32_t offset)
{
    uint32_t type = module_type_of(r->m, offset);
    uint32_t components = lookup_components_of(r->m, type, SpvOpTypeInt);
    uint32_t own = type_vector(r, SCALAR_INT, components);
    uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    uint32_t zero = constant_int(r, 0);
    if (type != own) {
        offset = VALUE(r, SpvOpBitcast, own, offset);
    }
    return components == 3   ? offset
           : components == 2 ? VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero)
                             : VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero, zero);
}

/* A load of an image, sampler or sampled image, repeated where the block it was written in has ended. */
uint32_t opaque_here(struct rewriter *r, uint32_t id)
{
    const uint32_t *inst = module_definition(r->m, id);
    if ((inst[0] & 0xffffu) != SpvOpLoad || r->m->ids[id].note == r->block) {
        return id;
    }
    uint32_t again = write_value(r, SpvOpLoad, inst[1], inst + 3, (inst[0] >> 16) - 3);
    decorate_like(r, again, r->m->ids[id].marks);
    return again;
}

uint32_t sampled_image_here(struct rewriter *r, uint32_t id)
{
    const uint32_t *inst = module_definition(r->m, id);
    if ((inst[0] & 0xffffu) != SpvOpSampledImage) {
        return opaque_here(r, id);
    }
    if (r->m->ids[id].note == r->block) {
        return id;
    }
    uint32_t image = opaque_here(r, inst[3]);
    uint32_t sampler = opaque_here(r, inst[4]);
    uint32_t again = VALUE(r, SpvOpSampledImage, inst[1], image, sampler);
    decorate_like(r, again, r->m->ids[id].marks);
    return again;
}

uint32_t with_texel(struct rewriter *r, const struct lookup *l, uint32_t texel, uint32_t plain)
{
    return l->first == LOOKUP_FIRST ? texel : VALUE(r, SpvOpCompositeInsert, l->result_type, texel, plain, 1);
}

/* Writes a lookup like the given one. `result` 0: a new id, with the old one's decorations. */
static uint32_t write_lookup(struct rewriter *r, const struct lookup *l, uint32_t number, uint32_t coordinate,
                             uint32_t extra, const struct image_operands *o, uint32_t result)
{
    uint32_t words[8 + 2 * IMAGE_OPERAND_BITS];
    uint32_t count = 0;
    uint32_t sampled_image = sampled_image_here(r, l->sampled_image);
    if (result == 0) {
        result = new_id(r);
        decorate_like(r, result, r->m->ids[l->result].marks);
    }
    words[count++] = l->result_type;
    words[count++] = result;
    words[count++] = sampled_image;
    words[count++] = coordinate;
    if (extra != 0) {
        words[count++] = extra;
    }
    if (o->mask != 0) {
        words[count++] = o->mask;
    }
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        if (o->mask >> bit & 1u && lookup_operand_words[bit] != 0) {
            words[count++] = o->value[bit];
            if (bit == OPERAND_GRAD) {
                words[count++] = o->grad_y;
            }
        }
    }
    write_to(r, &r->body, l->first + number, words, count);
    return result;
}

static uint32_t lookup_number(const struct lookup *l)
{
    return (l->words[0] & 0xffffu) - l->first;
}

/* Coordinate along the image's axes, without layer, divided. */
static uint32_t axes_coordinate(struct rewriter *r, const struct lookup *l)
{
    uint32_t components = lookup_place_components(l);
    uint32_t type = type_vector(r, SCALAR_FLOAT, components);
    uint32_t s = l->coordinate;
    if (l->coordinate_size != components) {
        static const uint32_t first[] = {0, 1, 2};
        uint32_t operands[5] = {l->coordinate, l->coordinate};
        memcpy(operands + 2, first, sizeof(first));
        s = components == 1 ? coordinate_component(r, l, 0)
                            : write_value(r, SpvOpVectorShuffle, type, operands, 2 + components);
    }
    if (l->projective) {
        uint32_t q = coordinate_component(r, l, l->axes);
        const uint32_t qs[3] = {q, q, q};
        uint32_t divisor = l->axes == 1 ? q : write_value(r, SpvOpCompositeConstruct, type, qs, l->axes);
        s = VALUE(r, SpvOpFDiv, type, s, divisor);
    }
    return s;
}

uint32_t whole_coordinate(struct rewriter *r, const struct lookup *l, uint32_t s)
{
    uint32_t components = lookup_place_components(l);
    if (!l->arrayed) {
        return s;
    }
    uint32_t layer = coordinate_component(r, l, components);
    return VALUE(r, SpvOpCompositeConstruct, type_vector(r, SCALAR_FLOAT, components + 1), s, layer);
}

/* The level in whose texels an offset counts. */
static uint32_t level_of(struct rewriting *w)
{
    uint32_t lod = w->l.operands.value[OPERAND_LOD];
    const uint32_t *inst = module_definition(w->r->m, lod);
    if (!(w->l.operands.mask & 2u) || ((inst[0] & 0xffffu) == SpvOpConstant && inst[3] == 0)) {
        return constant_int(w->r, 0);
    }
    uint32_t none = constant_float(w->r, 0.0f);
    uint32_t limit = lookup_bias_limit(w->r);
    uint32_t most = lookup_most_bias(w->r);
    uint32_t biases = library_call(w->r, LIBRARY_ALL_BIASES, OPERANDS(none, limit, most, w->record));
    return library_call(w->r, LIBRARY_SAMPLED_LEVEL, OPERANDS(lod, biases, w->record));
}

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

uint32_t lookup_bias_limit(struct rewriter *r)
{
    float limit = r->options->max_lod_bias;
    return constant_float(r, limit > 0.0f && limit < most_bias(r) ? limit : most_bias(r));
}

/* Can the record say that the sum of biases is another one than the driver makes, for this lookup's own bias? */
static bool has_own_bias(const struct rewriting *w)
{
    return !w->l.gather && lookup_operand(&w->l, OPERAND_BIAS) != 0;
}

/* What is added to the level of detail so that all biases come out; 0: nothing. */
static uint32_t bias_to_add(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t bias = lookup_operand(&w->l, OPERAND_BIAS);
    if (!has_own_bias(w)) {
        return bias != 0 ? bias : w->bounds.rest;
    }
    uint32_t limit = lookup_bias_limit(r);
    uint32_t most = lookup_most_bias(r);
    return library_call(r, LIBRARY_BIAS_REST, OPERANDS(bias, limit, most, w->record));
}

static uint32_t times(struct rewriting *w, uint32_t vector, uint32_t factor)
{
    uint32_t components = lookup_place_components(&w->l);
    uint32_t opcode = components == 1 ? SpvOpFMul : SpvOpVectorTimesScalar;
    return VALUE(w->r, opcode, type_vector(w->r, SCALAR_FLOAT, components), vector, factor);
}

/* Is it one of two lookups, as the coordinate is? Offsets are asked about behind a branch: they take divisions. */
static bool lookup_chooses(const struct rewriting *w)
{
    bool alone = !w->plan->filter || (w->r->options->tier < 2 && w->plan->one_record);
    return w->plan->form == SITE_BRANCH && alone && w->l.implicit && !lookup_has_offset(&w->l);
}

/* Level of detail as the driver has to be given it: gradients take the place of an implicit one and of its bias. */
static void use_level_of_detail(struct rewriting *w, struct image_operands *o)
{
    struct rewriter *r = w->r;
    uint32_t bias = bias_to_add(w);
    if (o->mask & 2u) {
        if (bias != 0) {
            o->value[OPERAND_LOD] = VALUE(r, SpvOpFAdd, type_vector(r, SCALAR_FLOAT, 1), o->value[OPERAND_LOD], bias);
        }
        return;
    }
    if (w->l.implicit) {
        o->value[OPERAND_GRAD] = w->dx;
        o->grad_y = w->dy;
    }
    if (bias != 0) {
        uint32_t scale = library_call(r, LIBRARY_GRADIENT_SCALE, OPERANDS(bias));
        o->value[OPERAND_GRAD] = times(w, o->value[OPERAND_GRAD], scale);
        o->grad_y = times(w, o->grad_y, scale);
    }
    o->mask = (o->mask & ~1u) | 4u;
}

/* A shader's least level of detail, where it must not choose one. */
static void keep_base_level(struct rewriting *w, struct image_operands *o)
{
    if (o->mask >> OPERAND_MIN_LOD & 1u) {
        uint32_t more = bounds_more(w);
        o->value[OPERAND_MIN_LOD] = library_call(w->r, LIBRARY_LEAST_LOD, OPERANDS(o->value[OPERAND_MIN_LOD], more));
    }
}

static bool view_decides(const struct rewriting *w)
{
    return w->l.dref && w->plan->source_count > 1;
}

uint32_t lookup_seen(struct rewriting *w, uint32_t result)
{
    if (!view_decides(w)) {
        return result;
    }
    uint32_t rest = lookup_record(w, 0, 3);
    uint32_t more = VALUE(w->r, SpvOpCompositeExtract, type_vector(w->r, SCALAR_UINT, 1), rest, 3);
    return library_call(w->r, w->l.gather ? LIBRARY_GATHERED_SEEN : LIBRARY_COMPARED_SEEN, OPERANDS(result, more));
}

/* write_lookup(), and of a comparison what the image's view shows. */
static uint32_t write_seen(struct rewriting *w, uint32_t number, uint32_t coordinate, uint32_t extra,
                           const struct image_operands *o, uint32_t result)
{
    struct rewriter *r = w->r;
    const struct lookup *l = &w->l;
    if (!view_decides(w)) {
        return write_lookup(r, l, number, coordinate, extra, o, result);
    }
    uint32_t looked_up = write_lookup(r, l, number, coordinate, extra, o, 0);
    bool sparse = l->first == LOOKUP_SPARSE_FIRST;
    uint32_t type = sparse ? module_definition(r->m, l->result_type)[3] : l->result_type;
    uint32_t texel = sparse ? VALUE(r, SpvOpCompositeExtract, type, looked_up, 1) : looked_up;
    uint32_t seen = with_texel(r, l, lookup_seen(w, texel), looked_up);
    if (result == 0) {
        return seen;
    }
    WRITE(r, SpvOpCopyObject, l->result_type, result, seen);
    return result;
}

/* A lookup that differs from the program's. */
struct elsewhere {
    uint32_t number, coordinate, extra;
    const struct image_operands *operands;
    uint32_t result; /* 0: a new id */
};

static uint32_t look_up_elsewhere(struct rewriting *w, const void *user)
{
    const struct elsewhere *e = user;
    return write_seen(w, e->number, e->coordinate, e->extra, e->operands, e->result);
}

/* The lookup at another coordinate: not projective, gradients for implicit LOD, its texel offset kept or left out. */
static uint32_t look_up_with(struct rewriting *w, uint32_t s, bool offset, uint32_t result)
{
    struct image_operands o = w->l.operands;
    uint32_t number = lookup_number(&w->l);
    if (!offset) {
        o.mask &= ~(8u | 16u | 32u | 0x10000u);
    }
    if (!w->l.gather) {
        number = (number & 2u) | 1u; /* ExplicitLod, or DrefExplicitLod */
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
    return batch_each_image(w, w->l.result_type, look_up_elsewhere, &e);
}

static uint32_t look_up_at(struct rewriting *w, uint32_t s, uint32_t result)
{
    return look_up_with(w, s, false, result);
}

/* Each of the four texels is the (i0,j0) of a footprint with its own offset: component 3 of a gather. */
static uint32_t gather_with_four_offsets(struct rewriting *w, uint32_t plain)
{
    struct rewriter *r = w->r;
    bool constant = (w->l.operands.mask & 32u) != 0;
    uint32_t offsets = w->l.operands.value[constant ? OPERAND_CONST_OFFSETS : OPERAND_OFFSETS];
    const uint32_t *array = module_definition(r->m, module_type_of(r->m, offsets));
    uint32_t texel_type = w->l.first == LOOKUP_FIRST ? w->l.result_type : module_definition(r->m, w->l.result_type)[3];
    uint32_t scalar = module_definition(r->m, texel_type)[2];
    uint32_t ivec2 = type_vector(r, SCALAR_INT, 2);
    uint32_t ivec3 = type_vector(r, SCALAR_INT, 3);
    uint32_t level = constant_int(r, 0);
    uint32_t place = pad_axes(r, w->s, w->l.axes);
    uint32_t texels[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t zero = constant_int(r, 0);
        uint32_t offset = VALUE(r, SpvOpCompositeExtract, array[2], offsets, i);
        if (array[2] != ivec2) {
            offset = VALUE(r, SpvOpBitcast, ivec2, offset);
        }
        offset = VALUE(r, SpvOpCompositeConstruct, ivec3, offset, zero);
        uint32_t s3 = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(place, offset, w->record, level));
        uint32_t s = bounds_move(w, unpad_axes(r, s3, w->l.axes));
        uint32_t gathered = look_up_at(w, s, 0);
        texels[i] = w->l.first == LOOKUP_FIRST ? VALUE(r, SpvOpCompositeExtract, scalar, gathered, 3)
                                               : VALUE(r, SpvOpCompositeExtract, scalar, gathered, 1, 3);
    }
    uint32_t texel = write_value(r, SpvOpCompositeConstruct, texel_type, texels, 4);
    return with_texel(r, &w->l, texel, plain);
}

/* Coordinate and gradients as the driver takes them, where the image may be a rectangle. */
static void normalize(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t scale = w->bounds.scale;
    if (scale == 0) {
        return;
    }
    uint32_t vec2 = type_vector(r, SCALAR_FLOAT, 2);
    if (w->l.implicit && w->dx == 0 && !w->plan->one_record) {
        uint32_t bit = constant_uint(r, RECORD_RECTANGLE);
        w->texels = w->s;
        w->rectangle = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(w->record, bit));
    }
    uint32_t *const scaled[] = {&w->s, &w->dx, &w->dy, &w->l.operands.value[OPERAND_GRAD], &w->l.operands.grad_y};
    for (uint32_t i = 0; i < sizeof(scaled) / sizeof(scaled[0]); i++) {
        *scaled[i] = *scaled[i] != 0 ? VALUE(r, SpvOpFMul, vec2, *scaled[i], scale) : 0;
    }
    w->normalized = true;
    if (lookup_has_offset(&w->l) || lookup_has_four_offsets(&w->l)) {
        w->record = library_call(r, LIBRARY_RECORD_NORMALIZED, OPERANDS(w->record));
    }
}

/* In tier 2, whose own coordinates are the program's. */
static void open_moved(struct rewriting *w, bool everywhere)
{
    bounds_open(w, everywhere);
    normalize(w);
}

/* Where each pixel of a quad multiplies its coordinate, the driver would take the derivatives of the products. */
static uint32_t or_rectangle(struct rewriting *w, uint32_t condition)
{
    return w->rectangle == 0 ? condition
           : condition == 0  ? w->rectangle
                             : VALUE(w->r, SpvOpLogicalOr, type_bool(w->r), w->rectangle, condition);
}

/* Must the driver look up again, where the coordinate may have moved from `s` to `place`? */
static uint32_t lookup_differs(struct rewriting *w, uint32_t s, uint32_t place, uint32_t record)
{
    struct rewriter *r = w->r;
    uint32_t differs = bounds_moved(w, s, place);
    uint32_t bits = (has_own_bias(w) ? RECORD_BIAS : 0u) | (w->plan->filter && w->normalized ? RECORD_RECTANGLE : 0u);
    if (bits != 0) {
        uint32_t mask = constant_uint(r, bits);
        uint32_t has = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(record, mask));
        differs = VALUE(r, SpvOpLogicalOr, type_bool(r), has, differs);
    }
    if (!has_own_bias(w) && w->bounds.always != 0) {
        differs = VALUE(r, SpvOpLogicalOr, type_bool(r), w->bounds.always, differs);
    }
    return or_rectangle(w, differs);
}

/*
 * Tier 1's part of a branch that others take as well: the lookup at the moved coordinate, for implicit LOD only if it
 * moved and the plain one is at hand.
 */
static uint32_t look_up_moved(const struct rewriting *program, uint32_t plain)
{
    struct rewriting copy = *program, *w = &copy;
    struct rewriter *r = w->r;
    if (w->l.cube && !lookup_minds_bias(r, &w->l)) {
        return plain;
    }
    if (w->plan->filter) {
        open_moved(w, false);
    }
    if (lookup_has_four_offsets(&w->l)) {
        return gather_with_four_offsets(w, plain);
    }
    uint32_t s = w->s;
    if (lookup_has_offset(&w->l)) {
        uint32_t level = level_of(w);
        uint32_t s3 = pad_axes(r, w->s, w->l.axes);
        s3 = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(s3, w->offset3, w->record, level));
        s = unpad_axes(r, s3, w->l.axes);
    }
    if (w->l.cube) {
        return look_up_at(w, s, 0);
    }
    uint32_t place = bounds_move(w, s);
    if (!w->l.implicit || plain == 0) {
        return look_up_at(w, place, 0);
    }
    uint32_t differs = lookup_differs(w, s, place, program->record);
    uint32_t before = r->label;
    uint32_t again = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, differs, again, merge, merge);
    begin_block(r, again);
    uint32_t result = look_up_at(w, place, 0);
    uint32_t end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, plain, before, result, end);
}

static uint32_t merge_label(struct rewriting *w)
{
    return plan_merge_label(w->r, w->site, w->plan);
}

/* Ends the branch at `merge`, where the program's own result is what came from either side. */
static void merge_into(struct rewriting *w, uint32_t merge, uint32_t result, uint32_t plain, uint32_t before,
                       uint32_t other)
{
    struct rewriter *r = w->r;
    uint32_t behind = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    WRITE(r, SpvOpPhi, w->l.result_type, result, plain, before, other, behind);
}

/* ... where the program's own result is what came. */
static void merge_results(struct rewriting *w, uint32_t merge, uint32_t plain, uint32_t before, uint32_t other)
{
    merge_into(w, merge, w->l.result, plain, before, other);
}

void lookup_take_derivatives(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t type = type_vector(r, SCALAR_FLOAT, lookup_place_components(&w->l));
    uint32_t of = w->s;
    if (r->options->fault == SPIRV_FAULT_DERIVATIVE_AFTER && !w->l.cube) {
        if (w->bounds.box == 0) {
            bounds_open(w, false);
        }
        of = bounds_move(w, w->s);
    } else if (w->texels != 0) {
        of = w->texels;
    }
    w->dx = VALUE(r, SpvOpDPdx, type, of);
    w->dy = VALUE(r, SpvOpDPdy, type, of);
    if (of == w->texels) {
        w->dx = VALUE(r, SpvOpFMul, type, w->dx, w->bounds.scale);
        w->dy = VALUE(r, SpvOpFMul, type, w->dy, w->bounds.scale);
    }
}

/* The conditional bits of a record that this lookup makes true. */
static uint32_t record_conditions(const struct rewriting *w)
{
    bool offsets = lookup_has_offset(&w->l) || lookup_has_four_offsets(&w->l);
    return (offsets ? RECORD_FILTER_IF_OFFSET : 0u) | (w->l.gather ? RECORD_FILTER_IF_GATHER : 0u) |
           (has_own_bias(w) || (w->l.cube && lookup_makes_up_bias(w->r, &w->l)) ? RECORD_BIAS : 0u);
}

/*
 * The program's own lookup. A comparison's reference may have been clamped, and a coordinate multiplied: that is then
 * no longer to be divided. Behind a branch that pixels of one quad may take apart implicit derivatives become
 * gradients.
 */
static uint32_t write_plain(struct rewriting *w, uint32_t result)
{
    uint32_t number = lookup_number(&w->l);
    uint32_t coordinate = w->l.coordinate;
    bool gradients = w->plan->guarded && w->l.implicit && !w->plan->one_record;
    if (w->normalized || (w->l.projective && (w->l.dref || gradients))) {
        coordinate = w->s;
        number &= ~4u;
    }
    uint32_t extra = w->l.dref ? w->reference : w->l.extra;
    struct image_operands o = w->l.operands;
    if (gradients) {
        coordinate = whole_coordinate(w->r, &w->l, w->s);
        number |= 1u;
        use_level_of_detail(w, &o);
    }
    keep_base_level(w, &o);
    return write_seen(w, number, coordinate, extra, &o, result);
}

/* Does tier 1 have anything to do for this lookup? As few questions as possible: every lookup pays for them. */
static uint32_t move_condition(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (!lookup_chooses(w)) {
        enum library_name asks = has_own_bias(w) ? LIBRARY_BIAS_OR_COORDINATE_MOVES : LIBRARY_RECORD_MOVES;
        return or_rectangle(w, library_call(r, asks, OPERANDS(w->record)));
    }
    uint32_t moves = w->l.cube ? 0 : bounds_moves(w, w->s);
    uint32_t bias = w->bounds.always;
    if (has_own_bias(w)) {
        uint32_t bit = constant_uint(r, RECORD_BIAS);
        bias = library_call(r, LIBRARY_RECORD_HAS, OPERANDS(w->record, bit));
    }
    moves = moves == 0 ? bias : bias == 0 ? moves : VALUE(r, SpvOpLogicalOr, type_bool(r), bias, moves);
    return or_rectangle(w, moves);
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
    uint32_t other = look_up_moved(w, plain);
    uint32_t move_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, filtered, filter_end, other, move_end);
}

/*
 * Implicit LOD in tier 1: another lookup where the coordinate moves. Derivatives and the program's own lookup need all
 * pixels of a quad. Where a vote makes the branch that of all of them together, either lookup stands on its side of it,
 * and who is inside the texture pays for a test; else both stand in front of the branch.
 *
 *     r = lookup(s)                 if (any(moves(s)))              a = lookup(s), gradients of s
 *                                       a = lookup(moved s, Grad)   if (moves(s))
 *                                   else                                b = lookup(moved s, Grad)
 *                                       b = lookup(s)               r = phi(a, b)
 *                                   r = phi(a, b)
 */
static void write_choice(struct rewriting *w, uint32_t result)
{
    struct rewriter *r = w->r;
    uint32_t condition = move_condition(w);
    uint32_t plain = r->votes ? 0 : write_plain(w, 0);
    uint32_t before = r->label;
    uint32_t moves = new_id(r);
    uint32_t merge = result == w->l.result ? merge_label(w) : new_id(r);
    uint32_t stays = r->votes ? new_id(r) : merge;
    if (r->votes) {
        r->voted = true;
        condition = VALUE(r, SpvOpSubgroupAnyKHR, type_bool(r), condition);
    }
    write_selection(r, condition, moves, stays, merge);
    begin_block(r, moves);
    if (r->votes) {
        lookup_take_derivatives(w);
    }
    uint32_t moved = look_up_at(w, w->l.cube ? w->s : bounds_move(w, w->s), 0);
    if (r->votes) {
        write_branch(r, merge);
        uint32_t end = r->label;
        begin_block(r, stays);
        plain = write_plain(w, 0);
        merge_into(w, merge, result, moved, end, plain);
    } else {
        merge_into(w, merge, result, plain, before, moved);
    }
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
    uint32_t plain = write_plain(w, 0);
    uint32_t condition = w->plan->filter ? lookup_acts(w) : move_condition(w);
    uint32_t before = r->label;
    uint32_t acts = new_id(r);
    uint32_t merge = merge_label(w);
    write_selection(r, condition, acts, merge, merge);
    begin_block(r, acts);
    uint32_t result = w->plan->filter ? lookup_filter_or_move(w, plain) : look_up_moved(w, plain);
    merge_results(w, merge, plain, before, result);
}

/*
 * The coordinate for a lookup that keeps its texel offset, which the driver adds behind the coordinate: the place that
 * the record gives to coordinate and offset together, less the offset. The given one where nothing moves.
 */
static uint32_t place_less_offset(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t level = level_of(w);
    uint32_t s = pad_axes(r, w->s, w->l.axes);
    uint32_t sum = library_call(r, LIBRARY_FOLD_OFFSET, OPERANDS(s, w->offset3, w->record, level));
    uint32_t moved = bounds_move(w, unpad_axes(r, sum, w->l.axes));
    uint32_t place = pad_axes(r, moved, w->l.axes);
    place = library_call(r, LIBRARY_UNFOLD_OFFSET, OPERANDS(s, sum, place, w->offset3, w->record, level));
    return unpad_axes(r, place, w->l.axes);
}

/* One lookup, at a coordinate that is the given one for a record that moves nothing. */
static uint32_t write_straight(struct rewriting *w, uint32_t result, bool everywhere)
{
    if (w->l.cube && !lookup_minds_bias(w->r, &w->l)) {
        return write_plain(w, result);
    }
    struct rewriting moved = *w;
    if (w->plan->filter) {
        open_moved(&moved, everywhere);
    }
    if (lookup_has_offset(&w->l)) {
        return look_up_with(&moved, place_less_offset(&moved), true, result);
    }
    return look_up_at(&moved, w->l.cube ? moved.s : bounds_move(&moved, moved.s), result);
}

/*
 * Straight form: one lookup. Implicit LOD becomes gradients, of the coordinate as it was. Tier 2 branches behind it.
 */
static void rewrite_straight(struct rewriting *w)
{
    struct rewriter *r = w->r;
    uint32_t plain = write_straight(w, w->plan->filter ? 0 : w->l.result, true);
    if (!w->plan->filter) {
        return;
    }
    uint32_t filters = lookup_filters(w);
    uint32_t before = r->label;
    uint32_t filter = new_id(r);
    uint32_t merge = merge_label(w);
    write_selection(r, filters, filter, merge, merge);
    begin_block(r, filter);
    uint32_t filtered = filter_write(w, plain);
    merge_results(w, merge, plain, before, filtered);
}

/* The lookup where nothing filters it: all of tier 1 but for what branches. `everywhere` as for bounds_open(). */
static uint32_t write_unfiltered(struct rewriting *w, bool everywhere)
{
    return lookup_branches(w) ? write_plain(w, 0) : write_straight(w, 0, everywhere);
}

uint32_t lookup_unguarded(struct rewriting *w)
{
    return write_unfiltered(w, false);
}

/* The same with what branches. */
static uint32_t write_moved(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (lookup_chooses(w)) {
        struct rewriting moved = *w;
        uint32_t result = new_id(r);
        open_moved(&moved, false);
        write_choice(&moved, result);
        return result;
    }
    uint32_t plain = lookup_unguarded(w);
    if (!lookup_branches(w)) {
        return plain;
    }
    uint32_t acts = lookup_acts(w);
    uint32_t before = r->label;
    uint32_t move = new_id(r);
    uint32_t merge = new_id(r);
    uint32_t result = new_id(r);
    write_selection(r, acts, move, merge, merge);
    begin_block(r, move);
    uint32_t moved = look_up_moved(w, plain);
    merge_into(w, merge, result, plain, before, moved);
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
    uint32_t merge = merge_label(w);
    write_selection(r, filters, filter, look, merge);
    begin_block(r, filter);
    if (w->l.implicit && w->dx == 0) {
        lookup_take_derivatives(&filtering);
    }
    uint32_t filtered = filter_write(&filtering, 0);
    uint32_t filter_end = r->label;
    write_branch(r, merge);
    begin_block(r, look);
    uint32_t looked_up = write_moved(w);
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

bool lookup_tier1_acts(const struct rewriter *r, const struct lookup *l)
{
    return !l->cube || l->dref || lookup_operand(l, OPERAND_MIN_LOD) != 0 || lookup_minds_bias(r, l);
}

uint32_t lookup_record(struct rewriting *w, uint32_t source, uint32_t quarter)
{
    return w->places[source] != 0 ? load_record_at(w->r, &w->plan->sources[source], w->places[source], quarter)
                                  : load_quarter(w->r, w->plan, source, quarter);
}

uint32_t lookup_decided_record(struct rewriting *w, uint32_t record)
{
    struct rewriter *r = w->r;
    if (!w->plan->filter || w->plan->source_count == 1) {
        return record;
    }
    bool fixed = r->options->tier < 2; /* whatever it meets */
    uint32_t none = constant_null(r, type_vector(r, SCALAR_UINT, 4));
    uint32_t image = fixed || r->options->extras ? lookup_record(w, 0, 3) : none;
    uint32_t sampler = fixed || r->options->extras || w->l.cube ? lookup_record(w, 1, 3) : none;
    if (fixed) {
        return library_call(r, LIBRARY_RECORD_OF_NEAREST_PAIR, OPERANDS(record, image, sampler));
    }
    uint32_t compared = constant_bool(r, w->l.dref);
    uint32_t cube = constant_bool(r, w->l.cube);
    uint32_t gather = constant_bool(r, w->l.gather);
    return library_call(r, LIBRARY_RECORD_OF_PAIR, OPERANDS(record, image, sampler, compared, cube, gather));
}

void lookup_open(struct rewriter *r, const struct site *site, const struct site_plan *plan, struct rewriting *w)
{
    *w = (struct rewriting){.r = r, .site = site, .plan = plan};
    lookup_read(r->m, site->offset, &w->l);
    w->record = lookup_decided_record(w, bounds_record(w));
    w->s = axes_coordinate(r, &w->l);
    if (!plan->filter) {
        bounds_open(w, true);
        normalize(w);
    }
    if (w->l.implicit && !plan->late_derivatives && !(lookup_chooses(w) && r->votes)) {
        lookup_take_derivatives(w);
    }
    if (w->l.dref) {
        prepare_reference(w);
    }
    if (lookup_has_offset(&w->l)) {
        uint32_t constant = lookup_operand(&w->l, OPERAND_CONST_OFFSET);
        w->offset3 = padded_offset(r, constant != 0 ? constant : lookup_operand(&w->l, OPERAND_OFFSET));
    }
}

void lookup_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct rewriting w;
    lookup_open(r, site, plan, &w);
    if (plan->guarded) {
        rewrite_guarded(&w);
    } else if (plan->form == SITE_STRAIGHT) {
        rewrite_straight(&w);
    } else if (lookup_chooses(&w)) {
        write_choice(&w, w.l.result);
    } else {
        rewrite_branch(&w);
    }
}

uint32_t lookup_unfiltered(struct rewriting *w)
{
    struct rewriter *r = w->r;
    if (!w->plan->guarded) {
        return write_unfiltered(w, true);
    }
    uint32_t filters = lookup_filters(w);
    uint32_t none = constant_null(r, w->l.result_type);
    uint32_t before = r->label;
    uint32_t look = new_id(r);
    uint32_t merge = new_id(r);
    write_selection(r, filters, merge, look, merge);
    begin_block(r, look);
    uint32_t plain = lookup_unguarded(w);
    uint32_t look_end = r->label;
    write_branch(r, merge);
    begin_block(r, merge);
    return VALUE(r, SpvOpPhi, w->l.result_type, none, before, plain, look_end);
}
