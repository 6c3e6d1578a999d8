/* SPDX-License-Identifier: MIT */
/* Follows pointers back to the variables whose types change, and declares the types that they get. */
#include "spirv/reshape/shapes.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"
#include "spirv/module/trace.h"

#define DEEPEST_ARRAY 16u
#define DEEPEST_TYPE 32u

void shape_refuse(struct shapes *s, const char *why)
{
    s->unsupported = s->unsupported ? s->unsupported : why;
}

static bool is_array(const struct module *m, uint32_t type)
{
    uint32_t opcode = module_opcode(m, type);
    return opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray;
}

static uint32_t dimensions_of(const struct module *m, uint32_t type)
{
    uint32_t dimensions = 0;
    for (; is_array(m, type) && dimensions < DEEPEST_ARRAY; dimensions++)
        type = module_definition(m, type)[2];
    return dimensions;
}

static uint32_t pointee_of(const struct module *m, uint32_t pointer_type)
{
    const uint32_t *pointer = module_definition(m, pointer_type);
    return inst_opcode(pointer) == SpvOpTypePointer ? pointer[3] : 0;
}

struct shape_chain shape_chain(const struct shapes *s, const uint32_t *inst)
{
    const struct module *m = s->r.m;
    const uint32_t opcode = inst_opcode(inst);
    struct shape_chain chain = {.base = opcode_chain_base(opcode)};
    if (opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain)
        chain.dimensions = dimensions_of(m, pointee_of(m, module_type_of(m, inst[chain.base])));
    else if (opcode == OP_UNTYPED_ACCESS_CHAIN || opcode == OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN)
        chain.dimensions = dimensions_of(m, inst[3]);
    else
        return (struct shape_chain){0};
    chain.first_index = chain.base + 1;
    chain.indices = inst_length(inst) - chain.first_index;
    return chain;
}

/* ---- Values ---- */

/* The binding with this number in the driver's layout. */
static const struct spirv_binding *driver_binding(const struct shapes *s, uint32_t set, uint32_t number)
{
    const struct spirv_layout *layout = s->r.layout;
    const struct spirv_binding *binding = trace_binding(layout, set, number);
    if (set >= layout->set_count || (binding && binding->new_binding == number) ||
        !module_search(s->r.m, layout->sets[set].binding_count))
        return binding;
    for (uint32_t i = 0; i < layout->sets[set].binding_count; i++) {
        binding = &layout->sets[set].bindings[i];
        if (binding->new_binding == number)
            return binding;
    }
    return NULL;
}

static uint32_t shape_of_variable(const struct shapes *s, uint32_t id)
{
    const struct module *m = s->r.m;
    const struct id_entry *entry = module_id(m, id);
    for (uint32_t i = 0; i < s->members->count; i += RESHAPE_MEMBER_WORDS) {
        if (s->members->data[i] == id)
            return SHAPE_MEMBERS | i;
    }
    const uint32_t *inst = module_definition(m, id);
    const uint32_t type = inst_opcode(inst) == SpvOpVariable ? pointee_of(m, inst[1])
                          : inst_length(inst) > 4            ? inst[4]
                                                             : 0;
    if (entry->set == 0 || dimensions_of(m, type) == 0)
        return SHAPE_NONE;
    const struct spirv_binding *binding = driver_binding(s, entry->set - 1, entry->binding - 1);
    return binding && binding->scale > 1 && binding->scale < SHAPE_MEMBERS ? binding->scale : SHAPE_NONE;
}

/* The pointer that a value is computed from, within the same arrays or struct; 0: none. */
static uint32_t made_of(const struct shapes *s, uint32_t id)
{
    const struct module *m = s->r.m;
    const uint32_t *inst = module_definition(m, id);
    switch (inst_opcode(inst)) {
    case SpvOpCopyObject:
        return inst[3];
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case OP_UNTYPED_ACCESS_CHAIN:
    case OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN: {
        const struct shape_chain chain = shape_chain(s, inst);
        return chain.indices == 0 || chain.indices < chain.dimensions ? inst[chain.base] : 0;
    }
    case SpvOpFunctionParameter: {
        uint32_t call = module_next_call(m, module_id(m, id)->function, 0);
        return call != 0 ? module_argument(m, call, id) : 0;
    }
    default:
        return 0;
    }
}

uint32_t shape_of(struct shapes *s, uint32_t id)
{
    const struct module *m = s->r.m;
    uint32_t shape = SHAPE_NONE, steps = 0;
    for (uint32_t at = id; at != 0 && at < m->bound; at = made_of(s, at)) {
        if (module_id(m, at)->shape != 0) {
            shape = module_id(m, at)->shape - 1;
            break;
        }
        steps++;
        const uint32_t opcode = module_opcode(m, at);
        const bool variable = opcode == SpvOpVariable || opcode == OP_UNTYPED_VARIABLE;
        shape = variable ? shape_of_variable(s, at) : SHAPE_NONE;
        module_id(m, at)->shape = shape + 1; /* of all but variables for now, so that circles end */
    }
    for (uint32_t at = id; steps != 0; at = made_of(s, at), steps--)
        module_id(m, at)->shape = shape + 1;
    return shape;
}

/* ---- Types ---- */

/* Declares a type of the module here if the module declares it further down. */
static void hoist(struct shapes *s, uint32_t type)
{
    struct module *m = s->r.m;
    const uint32_t *inst = module_definition(m, type);
    struct id_entry *entry = module_id(m, type);
    if (s->into != &s->declarations || entry->definition < s->at || (entry->marks & MARK_HOISTED))
        return;
    entry->marks |= MARK_HOISTED;
    if (inst_opcode(inst) == SpvOpTypeVector)
        hoist(s, inst[2]);
    words_append(&s->r, s->into, inst, inst_length(inst));
}

static uint32_t declare(struct shapes *s, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    uint32_t id = new_id(&s->r);
    uint32_t *words = words_grow(&s->r, s->into, count + 2);
    if (words) {
        words[0] = inst_word0(opcode, count + 2);
        words[1] = id;
        for (uint32_t i = 0; i < count; i++)
            words[2 + i] = operands[i];
    }
    return id;
}

/* The length of an array, as a constant, times as much. */
static uint32_t scaled_length(struct shapes *s, uint32_t length, uint32_t scale)
{
    struct rewriter *r = &s->r;
    const uint32_t *inst = module_definition(r->m, length);
    const uint32_t *type = module_definition(r->m, module_type_of(r->m, length));
    const uint32_t opcode = inst_opcode(inst);
    if (opcode == SpvOpConstant && inst_opcode(type) == SpvOpTypeInt && type[2] <= 64) {
        uint64_t value = type[2] > 32 && inst_length(inst) > 4 ? (uint64_t)inst[4] << 32 | inst[3] : inst[3];
        const uint32_t sign = type[3] != 0, bits = type[2] > sign ? type[2] - sign : 0;
        uint32_t id = new_id(r);
        if (value > UINT32_MAX || bits == 0 || (value * scale) >> (bits - 1) >> 1 != 0)
            shape_refuse(s, "an array of descriptors is too long for the type of its length");
        const uint32_t operands[] = {inst[1], id, (uint32_t)(value * scale), (uint32_t)(value * scale >> 32)};
        write_to(r, s->into, SpvOpConstant, operands, type[2] > 32 ? 4 : 3);
        return id;
    }
    if (inst_opcode(type) != SpvOpTypeInt || type[2] != 32 ||
        (opcode != SpvOpSpecConstant && opcode != SpvOpSpecConstantOp)) {
        shape_refuse(s, "the length of an array of descriptors is not known here");
        return length;
    }
    uint32_t factor = new_id(r), id = new_id(r);
    write_to(r, s->into, SpvOpConstant, OPERANDS(inst[1], factor, scale));
    write_to(r, s->into, SpvOpSpecConstantOp, OPERANDS(inst[1], id, SpvOpIMul, length, factor));
    return id;
}

/* Copies a type's decorations to its clone. */
static void decorate_clone(struct shapes *s, uint32_t type, uint32_t clone)
{
    struct rewriter *r = &s->r;
    const struct module *m = r->m;
    for (uint32_t at = m->names_end; at < m->annotations_end && !r->out_of_memory && module_search(m, 1);
         at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst), count = inst_length(inst);
        if (opcode == SpvOpGroupDecorate) {
            for (uint32_t i = 2; i < count; i++) {
                if (inst[i] == type)
                    write_to(r, &r->annotations, opcode, OPERANDS(inst[1], clone));
            }
        } else if (opcode == SpvOpGroupMemberDecorate) {
            for (uint32_t i = 2; i + 1 < count; i += 2) {
                if (inst[i] == type)
                    write_to(r, &r->annotations, opcode, OPERANDS(inst[1], clone, inst[i + 1]));
            }
        } else if (opcode != SpvOpDecorationGroup && inst[1] == type) {
            uint32_t from = r->annotations.count;
            words_append(r, &r->annotations, inst, count);
            if (!r->out_of_memory)
                r->annotations.data[from + 1] = clone;
        }
    }
}

static uint32_t with_members(struct shapes *s, uint32_t type, uint32_t first)
{
    struct rewriter *r = &s->r;
    const uint32_t *inst = module_definition(r->m, type);
    const struct words *members = s->members;
    const uint32_t variable = members->data[first];
    struct words operands = {0};
    words_append(r, &operands, inst + 2, inst_length(inst) - 2);
    for (uint32_t i = first; i < members->count; i += RESHAPE_MEMBER_WORDS) {
        if (members->data[i] == variable) {
            hoist(s, members->data[i + 1]);
            words_append(r, &operands, &members->data[i + 1], 1);
        }
    }
    uint32_t clone = declare(s, SpvOpTypeStruct, operands.data, operands.count);
    decorate_clone(s, type, clone);
    uint32_t number = inst_length(inst) - 2;
    for (uint32_t i = first; i < members->count; i += RESHAPE_MEMBER_WORDS) {
        if (members->data[i] == variable)
            write_to(r, &r->annotations, SpvOpMemberDecorate,
                     OPERANDS(clone, number++, SpvDecorationOffset, members->data[i + 2]));
    }
    words_drop(r, &operands);
    return clone;
}

static uint32_t clone_array(struct shapes *s, uint32_t type, uint32_t scale)
{
    const uint32_t *array = module_definition(s->r.m, type);
    const bool innermost = !is_array(s->r.m, array[2]), runtime = inst_opcode(array) == SpvOpTypeRuntimeArray;
    const uint32_t element = innermost ? array[2] : shape_type(s, array[2], scale);
    if ((runtime || !innermost) && element == array[2])
        return type;
    const uint32_t operands[] = {element, runtime ? 0 : innermost ? scaled_length(s, array[3], scale) : array[3]};
    const uint32_t clone =
        runtime ? declare(s, SpvOpTypeRuntimeArray, &element, 1) : declare(s, SpvOpTypeArray, operands, 2);
    decorate_clone(s, type, clone);
    return clone;
}

static uint32_t make_clone(struct shapes *s, uint32_t type, uint32_t shape)
{
    const struct module *m = s->r.m;
    const uint32_t *inst = module_definition(m, type);
    if (inst_opcode(inst) == SpvOpTypePointer) {
        const uint32_t operands[] = {inst[2], shape_type(s, inst[3], shape)};
        return operands[1] == inst[3] ? type : declare(s, SpvOpTypePointer, operands, 2);
    }
    if (shape >= SHAPE_MEMBERS)
        return inst_opcode(inst) == SpvOpTypeStruct ? with_members(s, type, shape & ~SHAPE_MEMBERS) : type;
    return is_array(m, type) ? clone_array(s, type, shape) : type;
}

uint32_t shape_type(struct shapes *s, uint32_t type, uint32_t shape)
{
    const struct clone *clones = (const struct clone *)(const void *)s->clones.data;
    enum { CLONE_WORDS = sizeof(struct clone) / sizeof(uint32_t) };
    if (shape == SHAPE_NONE || s->unsupported || s->r.out_of_memory || type >= s->r.m->bound)
        return type;
    for (uint32_t i = module_id(s->r.m, type)->clones; i != 0; i = clones[i - 1].next) {
        if (clones[i - 1].shape == shape)
            return clones[i - 1].id;
    }
    if (++s->depth > DEEPEST_TYPE)
        shape_refuse(s, "the type of an array of descriptors is not known here");
    const uint32_t id = make_clone(s, type, shape);
    s->depth--;
    const uint32_t clone[CLONE_WORDS] = {type, shape, id, module_id(s->r.m, type)->clones};
    words_append(&s->r, &s->clones, clone, CLONE_WORDS);
    module_id(s->r.m, type)->clones = s->r.out_of_memory ? 0 : s->clones.count / CLONE_WORDS;
    return id;
}
