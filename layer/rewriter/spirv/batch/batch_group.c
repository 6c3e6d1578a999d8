/* SPDX-License-Identifier: MIT */
/*
 * Operands in which the lookups of a batch differ, as arrays of the function: written before the loop or the branch
 * that all lookups share, and read inside by index.
 */
#include "spirv/batch/batch_group.h"

#include <stddef.h>

#include <spirv/unified1/spirv.h>
#include "spirv/sites/records.h"

/* ---- One member's value, and that of the current request ---- */

static void store_element(struct group *g, const struct local_array *array, uint32_t i, uint32_t value)
{
    uint32_t index = constant_uint(g->r, i);
    local_array_store(g->r, array, index, value);
}

uint32_t group_mask(struct group *g, uint32_t i, uint32_t components)
{
    struct rewriter *r = g->r;
    uint32_t is = g->is_member[i];
    if (components == 1)
        return is;
    if (g->masks[i][components] == 0) {
        const uint32_t same[4] = {is, is, is, is};
        uint32_t type = TYPE(r, SpvOpTypeVector, type_bool(r), components);
        g->masks[i][components] = write_value(r, SpvOpCompositeConstruct, type, same, components);
    }
    return g->masks[i][components];
}

uint32_t group_select(struct group *g, uint32_t type, uint32_t components, const uint32_t *values)
{
    uint32_t value = values[0];
    for (uint32_t i = 1; i < g->count; i++) {
        if (values[i] != values[0])
            value = VALUE(g->r, SpvOpSelect, type, group_mask(g, i, components), values[i], value);
    }
    return value;
}

static uint32_t *id_at(struct rewriting *w, size_t offset)
{
    return (uint32_t *)(void *)((char *)w + offset);
}

static void add_field(struct group *g, struct fields *fields, size_t offset, uint32_t type, uint32_t components)
{
    uint32_t first = *id_at(&g->members[0]->w, offset);
    struct field field = {.offset = offset, .type = type, .components = components};
    bool differs = false;
    for (uint32_t i = 1; first != 0 && i < g->count; i++)
        differs |= *id_at(&g->members[i]->w, offset) != first;
    if (!differs)
        return;
    if (g->in_arrays)
        field.array = local_array(g->r, type, g->count);
    fields->list[fields->count++] = field;
}

static uint32_t load_field(struct group *g, const struct field *field)
{
    if (g->in_arrays)
        return local_array_load(g->r, &field->array, g->index);
    uint32_t values[BATCH_MOST] = {*id_at(&g->members[0]->w, field->offset)};
    for (uint32_t i = 1; i < g->count; i++)
        values[i] = *id_at(&g->members[i]->w, field->offset);
    return group_select(g, field->type, field->components, values);
}

/*
 * The image of request `index`: all choices packed into constant words. An array would have to be filled, and read with
 * an index that compilers do not know to be the same everywhere.
 */
static uint32_t write_choice(struct group *g)
{
    struct rewriter *r = g->r;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t bits = 1;
    while (g->images.count > 1u << bits)
        bits++;
    uint32_t each = 32 / bits; /* in a word */
    uint32_t word = 0;
    uint32_t packed = 0;
    for (uint32_t first = 0; first < g->count; first += each) {
        packed = 0;
        for (uint32_t i = first; i < g->count && i < first + each; i++)
            packed |= g->choices[i] << ((i - first) * bits);
        uint32_t constant = constant_uint(r, packed);
        if (first == 0) {
            word = constant;
            continue;
        }
        uint32_t bound = constant_uint(r, first);
        uint32_t before = VALUE(r, SpvOpULessThan, type_bool(r), g->index, bound);
        word = VALUE(r, SpvOpSelect, uint_type, before, word, constant);
    }
    uint32_t count = constant_uint(r, each);
    uint32_t width = constant_uint(r, bits);
    uint32_t mask = constant_uint(r, (1u << bits) - 1);
    uint32_t within = g->count > each ? VALUE(r, SpvOpUMod, uint_type, g->index, count) : g->index;
    uint32_t shift = VALUE(r, SpvOpIMul, uint_type, within, width);
    uint32_t shifted = VALUE(r, SpvOpShiftRightLogical, uint_type, word, shift);
    return VALUE(r, SpvOpBitwiseAnd, uint_type, shifted, mask);
}

/* Do all requests for one image read the same record? They do unless an image is found through an index. */
static bool places_follow_images(const struct group *g, uint32_t source)
{
    for (uint32_t i = 1; i < g->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (g->choices[i] == g->choices[j] && g->members[i]->w.places[source] != g->members[j]->w.places[source])
                return false;
        }
    }
    return true;
}

/* The first request for an image. */
static const struct rewriting *user_of_image(const struct group *g, uint32_t image)
{
    uint32_t i = 0;
    while (g->choices[i] != image)
        i++;
    return &g->members[i]->w;
}

static uint32_t place_of_image(const struct group *g, uint32_t source, uint32_t image)
{
    return user_of_image(g, image)->places[source];
}

/*
 * The distance between the records of the images, if it is the same from each to the next, as often with consecutive
 * bindings; 0: it is not.
 */
static uint32_t distance_of_places(const struct group *g, uint32_t source)
{
    uint32_t distance = 0;
    uint32_t before;
    if (!record_place_is_constant(&g->members[0]->w.plan->sources[source], &before))
        return 0;
    for (uint32_t image = 0; image < g->images.count; image++) {
        uint32_t place;
        if (!record_place_is_constant(&user_of_image(g, image)->plan->sources[source], &place) ||
            (image > 1 && place != before + distance) || (image == 1 && place <= before))
            return 0;
        distance = image == 0 ? 0 : place - before;
        before = place;
    }
    return distance;
}

static uint32_t select_place(struct group *g, uint32_t source)
{
    struct rewriter *r = g->r;
    uint32_t place = place_of_image(g, source, 0);
    uint32_t distance = distance_of_places(g, source);
    if (distance != 0) {
        uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
        uint32_t step = constant_uint(r, distance);
        uint32_t from_first = VALUE(r, SpvOpIMul, uint_type, g->images.selector, step);
        return VALUE(r, SpvOpIAdd, uint_type, place, from_first);
    }
    for (uint32_t image = 1; image < g->images.count; image++) {
        uint32_t number = constant_uint(r, image);
        uint32_t own = VALUE(r, SpvOpIEqual, type_bool(r), g->images.selector, number);
        place = VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), own, place_of_image(g, source, image), place);
    }
    return place;
}

#define FIELD(member) offsetof(struct rewriting, member)

void fields_find(struct group *g, struct fields *fields)
{
    struct rewriter *r = g->r;
    const struct lookup *l = &g->members[0]->w.l;
    uint32_t components = lookup_axes_components(l);
    uint32_t axes = type_vector(r, SCALAR_FLOAT, components);
    uint32_t one = type_vector(r, SCALAR_FLOAT, 1);
    uint32_t place_type = type_vector(r, SCALAR_UINT, 1);
    for (uint32_t source = 0; source < g->members[0]->w.plan->source_count; source++) {
        if (!places_follow_images(g, source))
            add_field(g, fields, FIELD(places) + source * sizeof(uint32_t), place_type, 1);
    }
    add_field(g, fields, FIELD(s), axes, components);
    add_field(g, fields, FIELD(dx), axes, components);
    add_field(g, fields, FIELD(dy), axes, components);
    add_field(g, fields, FIELD(reference), one, 1);
    add_field(g, fields, FIELD(offset3), type_vector(r, SCALAR_INT, 3), 3);
    if (l->arrayed)
        add_field(g, fields, FIELD(l.coordinate), module_type_of(r->m, l->coordinate), l->coordinate_size);
    if (l->extra != 0 && !l->dref) { /* compared with: read as reference */
        add_field(g, fields, FIELD(l.extra), module_type_of(r->m, l->extra), 1);
    }
    for (uint32_t bit = 0; bit < IMAGE_OPERAND_BITS; bit++) {
        /* Read as offset3. */
        bool offset = bit == SpvImageOperandsConstOffsetShift || bit == SpvImageOperandsOffsetShift;
        if (l->operands.mask >> bit & 1u && l->operands.value[bit] != 0 && !offset) {
            add_field(g, fields, FIELD(l.operands.value) + bit * sizeof(uint32_t),
                      module_type_of(r->m, l->operands.value[bit]), bit == SpvImageOperandsGradShift ? components : 1);
        }
    }
    if (l->operands.mask & SpvImageOperandsGradMask)
        add_field(g, fields, FIELD(l.operands.grad_y), module_type_of(r->m, l->operands.grad_y), components);
}

void fields_store(struct group *g, const struct fields *fields)
{
    struct rewriter *r = g->r;
    for (uint32_t i = g->count; i-- > 0;) {
        struct batch_request *member = g->members[i];
        uint32_t from = r->body.count;
        for (uint32_t k = 0; k < fields->count; k++) {
            const struct field *field = &fields->list[k];
            store_element(g, &field->array, i, *id_at(&member->w, field->offset));
        }
        if (r->out_of_memory)
            return;
        uint32_t count = r->body.count - from;
        words_move_back(&r->body, from, member->end);
        for (uint32_t k = 0; k < g->batch->count; k++)
            g->batch->requests[k].end += g->batch->requests[k].end > member->end ? count : 0;
    }
}

/* A result with a decoration that all have: what is shared is of relaxed precision only where all members are. */
static uint32_t most_precise_result(const struct group *g)
{
    uint32_t i = 0;
    while (i + 1 < g->count && (module_marks(g->r->m, g->members[i]->w.l.result) & MARK_RELAXED))
        i++;
    return g->members[i]->w.l.result;
}

void fields_load(struct group *g, const struct fields *fields, struct rewriting *w)
{
    *w = g->members[0]->w;
    w->l.result = most_precise_result(g);
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->list[i];
        *id_at(w, field->offset) = load_field(g, field);
    }
    g->images.selector = write_choice(g);
    for (uint32_t source = 0; source < w->plan->source_count; source++) {
        if (places_follow_images(g, source))
            w->places[source] = select_place(g, source);
    }
    w->images = &g->images;
}
