/* SPDX-License-Identifier: MIT */
/*
 * Finds the nearest sampler of a site, and declares variables for it: in descriptor buffers an array at the binding of
 * the program's sampler that counts the driver's descriptors.
 */
#include "spirv/sites/nearest.h"

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/embedded.h"
#include "spirv/embedded/identity.h"
#include "spirv/embedded/index.h"
#include "spirv/reshape/reshape.h"
#include "spirv/sites/records.h"

#define MOST_CALLS 1024u /* through which a sampler is passed */

/* ---- Where a sampler comes from ---- */

/* The bindings that a sampler value may come from. */
struct origins {
    uint32_t left; /* limit of calls to follow */
    uint32_t count;
    struct record_source sources[NEAREST_MOST];
    bool others; /* it may also come from elsewhere, or from more than NEAREST_MOST */
};

static void add_origin(struct origins *origins, const struct record_source *source)
{
    bool known = false;
    for (uint32_t i = 0; i < origins->count; i++)
        known |= source->set == origins->sources[i].set && source->binding == origins->sources[i].binding;
    if (source->origin != ORIGIN_SET || (!known && origins->count == NEAREST_MOST))
        origins->others = true;
    else if (!known)
        origins->sources[origins->count++] = *source;
}

static void find_origins(const struct rewriter *r, const struct record_source *sampler, struct origins *origins)
{
    if (sampler->origin != ORIGIN_PARAMETER) {
        add_origin(origins, sampler);
        return;
    }
    const uint32_t function = module_id(r->m, sampler->parameter)->function;
    for (uint32_t call = module_next_call(r->m, function, 0); call != 0 && origins->left != 0;
         call = module_next_call(r->m, function, call)) {
        const uint32_t argument = module_argument(r->m, call, sampler->parameter);
        struct record_source source = {.origin = ORIGIN_NONE};
        origins->left--;
        if (!module_search(r->m, 1))
            origins->left = 0;
        if (argument != 0)
            trace_descriptor(r->m, r->layout, argument, &source);
        find_origins(r, &source, origins);
    }
    origins->others |= origins->left == 0;
}

/* ---- Variables ---- */

struct variable {
    uint32_t set, binding, id;
};

enum { VARIABLE_WORDS = sizeof(struct variable) / sizeof(uint32_t) };

/* The variable at a binding, 0: there is none yet. */
static uint32_t find_variable(const struct rewriter *r, uint32_t set, uint32_t binding)
{
    const struct words *all = &r->records->nearest;
    for (uint32_t i = 0; i < all->count; i += VARIABLE_WORDS) {
        if (all->data[i] == set && all->data[i + 1] == binding)
            return all->data[i + 2];
    }
    return 0;
}

/* `count`: of an array; 0: it is none. */
static uint32_t variable_at(struct rewriter *r, uint32_t set, uint32_t binding, uint32_t count)
{
    uint32_t id = find_variable(r, set, binding);
    if (id != 0)
        return id;
    uint32_t type = type_sampler(r);
    if (count != 0) {
        uint32_t length = constant_uint(r, count);
        type = TYPE(r, SpvOpTypeArray, type, length);
    }
    uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassUniformConstant, type);
    id = new_id(r);
    write_to(r, &r->globals, SpvOpVariable, OPERANDS(pointer, id, SpvStorageClassUniformConstant));
    write_name(r, id, "clampler_nearest");
    write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationDescriptorSet, set));
    write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(id, SpvDecorationBinding, binding));
    const struct variable made = {set, binding, id};
    words_append(r, &r->records->nearest, (const uint32_t[]){made.set, made.binding, made.id}, VARIABLE_WORDS);
    if (count != 0) { /* its length is the driver's already */
        const uint32_t member[RESHAPE_MEMBER_WORDS] = {id, RESHAPE_KEEPS, 0};
        words_append(r, &r->embedded->inputs.members, member, RESHAPE_MEMBER_WORDS);
    }
    return id;
}

uint32_t nearest_interface(const struct rewriter *r, uint32_t *to)
{
    const struct words *all = &r->records->nearest;
    for (uint32_t i = 0; to && i < all->count; i += VARIABLE_WORDS)
        *to++ = all->data[i + 2];
    return all->count / VARIABLE_WORDS;
}

/* ---- In descriptor buffers ---- */

static bool is_non_uniform(const struct rewriter *r, const struct record_source *source)
{
    bool any = source->origin == ORIGIN_PARAMETER && (module_marks(r->m, source->parameter) & MARK_NON_UNIFORM);
    for (uint32_t i = 0; i < source->step_count; i++)
        any |= module_marks(r->m, source->steps[i].index) & MARK_NON_UNIFORM;
    return any;
}

/* The element of its binding, for a sampler that the code names. */
static uint32_t element_shown(struct rewriter *r, const struct record_source *sampler,
                              const struct spirv_binding *binding)
{
    const uint32_t index = dynamic_index(r, sampler, 1), first = sampler->first - binding->first_record;
    return index != 0 ? add_constant(r, index, first) : constant_uint(r, first);
}

/*
 * The element of its binding, for a parameter, from its identity: the set, and the index of a record in it. 0 if the
 * sampler is of another binding; `*inside` is a bool for that.
 */
static uint32_t element_named(struct rewriter *r, uint32_t identity, const struct record_source *origin,
                              uint32_t *inside)
{
    const struct spirv_binding *binding = origin->binding;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t begin = constant_uint(r, origin->set << IDENTITY_SET_SHIFT | binding->first_record);
    uint32_t count = constant_uint(r, binding->count);
    uint32_t none = constant_uint(r, 0);
    uint32_t element = VALUE(r, SpvOpISub, uint_type, identity, begin);
    *inside = VALUE(r, SpvOpULessThan, type_bool(r), element, count);
    return VALUE(r, SpvOpSelect, uint_type, *inside, element, none);
}

/* Behind element `element` of the binding. */
static struct nearest_place place_behind(struct rewriter *r, const struct record_source *origin, uint32_t element,
                                         bool non_uniform)
{
    const struct spirv_binding *binding = origin->binding;
    struct nearest_place place = {
        .variable = variable_at(r, origin->set, binding->new_binding, binding->count * binding->scale)};
    place.pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassUniformConstant, type_sampler(r));
    place.non_uniform = non_uniform && binding->count > 1;
    place.index = constant_uint(r, binding->nearest);
    if (binding->count > 1) {
        uint32_t scale = constant_uint(r, binding->scale);
        element = VALUE(r, SpvOpIMul, type_vector(r, SCALAR_UINT, 1), element, scale);
        place.index = add_constant(r, element, binding->nearest);
    }
    return place;
}

static struct nearest beside(struct rewriter *r, const struct record_source *sampler, const struct origins *origins)
{
    struct nearest nearest = {0};
    const bool named = sampler->origin == ORIGIN_PARAMETER, non_uniform = is_non_uniform(r, sampler);
    bool all = !origins->others;
    for (uint32_t i = 0; i < origins->count; i++) {
        const struct spirv_binding *binding = origins->sources[i].binding;
        all &= binding->nearest != 0 && binding->count <= UINT32_MAX / binding->scale;
    }
    if (!all)
        return nearest;
    nearest.count = origins->count;
    const uint32_t identity = named ? record_identity(r, sampler) : 0;
    for (uint32_t i = 0; i < origins->count; i++) {
        const struct record_source *origin = &origins->sources[i];
        uint32_t inside = 0;
        const uint32_t element =
            named ? element_named(r, identity, origin, &inside) : element_shown(r, sampler, origin->binding);
        nearest.places[i] = place_behind(r, origin, element, non_uniform);
        if (origins->count > 1) {
            uint32_t number = constant_uint(r, i);
            nearest.selector =
                i == 0 ? number
                       : VALUE(r, SpvOpSelect, type_vector(r, SCALAR_UINT, 1), inside, number, nearest.selector);
        }
    }
    return nearest;
}

/* ---- Everywhere ---- */

static struct nearest at_binding(struct rewriter *r, uint32_t set, uint32_t binding)
{
    return (struct nearest){.count = 1, .places = {{.variable = variable_at(r, set, binding, 0)}}};
}

struct nearest nearest_sampler(struct rewriter *r, const struct site_plan *plan)
{
    const struct record_source *sampler = &plan->sources[plan->source_count - 1];
    const struct spirv_heaps *heaps = &r->layout->heaps;
    struct origins origins = {.left = MOST_CALLS};
    if (trace_is_in_heaps(r->layout))
        return heaps->nearest != 0 ? at_binding(r, heaps->nearest_set, heaps->nearest - 1) : (struct nearest){0};
    find_origins(r, sampler, &origins);
    if (origins.count == 0 || origins.sources[0].embedded)
        return beside(r, sampler, &origins);
    for (uint32_t i = 0; i < origins.count; i++) {
        const uint32_t set = origins.sources[i].set, nearest = r->layout->sets[set].nearest;
        if (nearest != 0)
            return at_binding(r, set, nearest - 1);
    }
    return (struct nearest){0};
}

uint32_t nearest_load(struct rewriter *r, const struct nearest_place *place)
{
    uint32_t pointer = place->variable;
    const uint32_t marks = place->non_uniform ? MARK_NON_UNIFORM : 0;
    if (place->pointer != 0) {
        pointer = VALUE(r, SpvOpAccessChain, place->pointer, place->variable, place->index);
        decorate_like(r, pointer, marks);
    }
    uint32_t sampler = VALUE(r, SpvOpLoad, type_sampler(r), pointer);
    decorate_like(r, sampler, marks);
    return sampler;
}
