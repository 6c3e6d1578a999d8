/* SPDX-License-Identifier: MIT */
/*
 * Finds the nearest sampler of a site, and declares variables for it: in descriptor buffers an array at the binding of
 * the program's sampler that counts the driver's descriptors.
 */
#include "spirv/sites/nearest.h"

#include <spirv/unified1/spirv.h>
#include "spirv/carried/carried.h"
#include "spirv/carried/identity.h"
#include "spirv/carried/index.h"
#include "spirv/reshape/reshape.h"
#include "spirv/sites/records.h"

#define MOST_CALLS 1024u /* that a sampler is handed on through */

/* ---- Where a sampler comes from ---- */

/* All calls of a function, whatever they lead to. */
struct calls {
    uint32_t left;               /* that may still be looked at */
    struct record_source source; /* of the first one that is no parameter; ORIGIN_UNKNOWN: none yet */
    bool differs;                /* others lead to other bindings, or there are too many */
};

static void follow_calls(const struct rewriter *r, uint32_t parameter, struct calls *calls)
{
    const uint32_t function = r->m->ids[parameter].function;
    for (uint32_t call = module_next_call(r->m, function, 0); call != 0 && !calls->differs;
         call = module_next_call(r->m, function, call)) {
        const uint32_t argument = module_argument(r->m, call, parameter);
        struct record_source source = {.origin = ORIGIN_NONE};
        if (calls->left-- == 0)
            calls->differs = true;
        if (argument != 0)
            trace_descriptor(r->m, r->layout, argument, &source);
        if (source.origin == ORIGIN_PARAMETER && !calls->differs)
            follow_calls(r, source.parameter, calls);
        else if (calls->source.origin == ORIGIN_UNKNOWN)
            calls->source = source;
        else
            calls->differs |= source.origin != calls->source.origin || source.set != calls->source.set ||
                              source.binding != calls->source.binding;
    }
}

/* The descriptor of a sampler, or one that a parameter may stand for; `only`: all are of its binding. */
static struct record_source known_source(const struct rewriter *r, const struct record_source *sampler, bool *only)
{
    struct calls calls = {.left = MOST_CALLS, .source = {.origin = ORIGIN_UNKNOWN}};
    *only = true;
    if (sampler->origin != ORIGIN_PARAMETER)
        return *sampler;
    follow_calls(r, sampler->parameter, &calls);
    *only = !calls.differs;
    return calls.source;
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
        words_append(r, &r->carried->inputs.members, member, RESHAPE_MEMBER_WORDS);
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

/*
 * Which element of its binding a sampler is; all are of that binding. Where the code does not show it, the identity
 * that comes with a parameter does: the number of a record in its set.
 */
static uint32_t element_of(struct rewriter *r, const struct record_source *sampler, const struct spirv_binding *binding)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (sampler->origin == ORIGIN_PARAMETER) {
        uint32_t mask = constant_uint(r, (1u << IDENTITY_SET_SHIFT) - 1);
        uint32_t first = constant_uint(r, binding->first_record);
        uint32_t record = VALUE(r, SpvOpBitwiseAnd, uint_type, record_identity(r, sampler), mask);
        return VALUE(r, SpvOpISub, uint_type, record, first);
    }
    uint32_t index = dynamic_index(r, sampler, 1), first = sampler->first - binding->first_record;
    return index != 0 ? add_constant(r, index, first) : constant_uint(r, first);
}

static struct nearest beside(struct rewriter *r, const struct record_source *sampler, const struct record_source *known)
{
    const struct spirv_binding *binding = known->binding;
    if (binding->nearest == 0 || binding->count > UINT32_MAX / binding->scale)
        return (struct nearest){0};
    const uint32_t variable = variable_at(r, known->set, binding->new_binding, binding->count * binding->scale);
    const uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassUniformConstant, type_sampler(r));
    if (binding->count == 1)
        return (struct nearest){variable, pointer, constant_uint(r, binding->nearest), false};
    uint32_t element = element_of(r, sampler, binding);
    uint32_t scale = constant_uint(r, binding->scale);
    element = VALUE(r, SpvOpIMul, type_vector(r, SCALAR_UINT, 1), element, scale);
    return (struct nearest){variable, pointer, add_constant(r, element, binding->nearest), is_non_uniform(r, sampler)};
}

/* ---- Everywhere ---- */

struct nearest nearest_sampler(struct rewriter *r, const struct site_plan *plan)
{
    const struct record_source *sampler = &plan->sources[plan->source_count - 1];
    const struct spirv_heaps *heaps = &r->layout->heaps;
    bool only;
    if (trace_is_in_heaps(r->layout))
        return (struct nearest){
            .variable = heaps->nearest != 0 ? variable_at(r, heaps->nearest_set, heaps->nearest - 1, 0) : 0};
    const struct record_source known = known_source(r, sampler, &only);
    if (known.origin != ORIGIN_SET)
        return (struct nearest){0};
    if (known.carried)
        return only ? beside(r, sampler, &known) : (struct nearest){0};
    const uint32_t nearest = r->layout->sets[known.set].nearest;
    return (struct nearest){.variable = nearest != 0 ? variable_at(r, known.set, nearest - 1, 0) : 0};
}

uint32_t nearest_load(struct rewriter *r, const struct nearest *nearest)
{
    uint32_t pointer = nearest->variable;
    const uint32_t marks = nearest->non_uniform ? MARK_NON_UNIFORM : 0;
    if (nearest->pointer != 0) {
        pointer = VALUE(r, SpvOpAccessChain, nearest->pointer, nearest->variable, nearest->index);
        decorate_like(r, pointer, marks);
    }
    uint32_t sampler = VALUE(r, SpvOpLoad, type_sampler(r), pointer);
    decorate_like(r, sampler, marks);
    return sampler;
}
