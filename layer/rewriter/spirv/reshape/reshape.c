/* SPDX-License-Identifier: MIT */
/*
 * Goes over the module once: declarations get new types in front of the variables that have them, functions get other
 * indices, parameters and function types. Old declarations stay.
 */
#include "spirv/reshape/reshape.h"

#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"
#include "spirv/reshape/shapes.h"

static const char whole[] = "an array of descriptors is used as a whole";

/* ---- Indices ---- */

/* A constant of an integer type of 32 or 64 bits, declared in front of the functions. */
static uint32_t integer(struct shapes *s, uint32_t type, uint32_t width, uint64_t value)
{
    struct rewriter *r = &s->r;
    if (width == 32)
        return constant_of(r, type, (uint32_t)value);
    uint32_t id = new_id(r);
    write_to(r, &r->globals, SpvOpConstant, OPERANDS(type, id, (uint32_t)value, (uint32_t)(value >> 32)));
    return id;
}

/* A constant index, times as much; 0 if it is none that can be multiplied before the code runs. */
static uint32_t scaled_constant(struct shapes *s, uint32_t index, const uint32_t *type, uint32_t scale)
{
    struct rewriter *r = &s->r;
    const uint32_t *inst = module_definition(r->m, index);
    const uint32_t width = type[2];
    switch (inst_opcode(inst)) {
    case SpvOpConstantNull:
        return index;
    case SpvOpConstant:
        if (width == 64 && inst_length(inst) == 5)
            return integer(s, inst[1], width, ((uint64_t)inst[4] << 32 | inst[3]) * scale);
        return width == 32  ? integer(s, inst[1], width, (uint64_t)inst[3] * scale)
               : width < 32 ? constant_uint(r, inst[3] * scale)
                            : 0;
    case SpvOpSpecConstant:
    case SpvOpSpecConstantOp: {
        if (width != 32 && width != 64)
            return 0;
        uint32_t factor = integer(s, inst[1], width, scale);
        uint32_t id = new_id(r);
        write_to(r, &r->globals, SpvOpSpecConstantOp, OPERANDS(inst[1], id, SpvOpIMul, index, factor));
        return id;
    }
    default:
        return 0;
    }
}

static uint32_t scaled_index(struct shapes *s, uint32_t index, uint32_t scale)
{
    struct rewriter *r = &s->r;
    uint32_t type_id = module_type_of(r->m, index);
    const uint32_t *type = module_definition(r->m, type_id);
    if (inst_opcode(type) != SpvOpTypeInt || type[2] > 64 || (type[2] > 32 && type[2] < 64)) {
        shape_refuse(s, "the index of an array of descriptors is not known here");
        return index;
    }
    uint32_t product = scaled_constant(s, index, type, scale);
    if (product != 0)
        return product;
    uint32_t width = type[2], value = index;
    if (width < 32) {
        type_id = type_vector(r, type[3] != 0 ? SCALAR_INT : SCALAR_UINT, 1);
        value = VALUE(r, type[3] != 0 ? SpvOpSConvert : SpvOpUConvert, type_id, index);
        width = 32;
    }
    uint32_t factor = integer(s, type_id, width, scale);
    product = VALUE(r, SpvOpIMul, type_id, value, factor);
    decorate_like(r, product, module_marks(r->m, index) & MARK_NON_UNIFORM);
    return product;
}

static void write_chain(struct shapes *s, const uint32_t *inst)
{
    struct rewriter *r = &s->r;
    const struct shape_chain chain = shape_chain(s, inst);
    const uint32_t shape = shape_of(s, inst[chain.base]), count = inst_length(inst);
    const bool scales =
        shape != SHAPE_NONE && shape < SHAPE_MEMBERS && chain.dimensions != 0 && chain.indices >= chain.dimensions;
    const uint32_t last = chain.first_index + chain.dimensions - 1; /* the index of the innermost array */
    const uint32_t index = scales ? scaled_index(s, inst[last], shape) : 0;
    const uint32_t type = shape_type(s, inst[1], shape_of(s, inst[2]));
    const uint32_t walked = chain.base == 4 && shape < SHAPE_MEMBERS ? shape_type(s, inst[3], shape) : 0;
    uint32_t *copy = words_grow(r, &r->body, count);
    if (!copy)
        return;
    memcpy(copy, inst, count * sizeof(uint32_t));
    copy[1] = type;
    if (walked != 0)
        copy[3] = walked;
    if (scales)
        copy[last] = index;
}

/* ---- Functions ---- */

/* Goes over a function's parameters; `at` starts at its OpFunction. False at the end of the head. */
static bool next_parameter(const uint32_t **at)
{
    do {
        *at += inst_length(*at);
    } while (inst_opcode(*at) == SpvOpLine || inst_opcode(*at) == SpvOpNoLine);
    return inst_opcode(*at) == SpvOpFunctionParameter;
}

static void write_function(struct shapes *s, const uint32_t *inst)
{
    struct rewriter *r = &s->r;
    const uint32_t *type = module_definition(r->m, inst[4]);
    struct words operands = {0};
    bool other = false;
    if (inst_opcode(type) == SpvOpTypeFunction)
        words_append(r, &operands, type + 2, inst_length(type) - 2);
    uint32_t number = 1;
    for (const uint32_t *at = inst; next_parameter(&at) && number < operands.count; number++) {
        uint32_t own = shape_type(s, at[1], shape_of(s, at[2]));
        other |= own != at[1];
        operands.data[number] = own != at[1] ? own : operands.data[number];
    }
    uint32_t altered =
        other && !r->out_of_memory ? declare_type(r, SpvOpTypeFunction, operands.data, operands.count) : inst[4];
    words_drop(r, &operands);
    uint32_t from = r->body.count;
    words_append(r, &r->body, inst, inst_length(inst));
    if (!r->out_of_memory)
        r->body.data[from + 4] = altered;
}

/* The first call decides the shape of a parameter; all others must have the same. */
static void check_call(struct shapes *s, const uint32_t *inst)
{
    const struct module *m = s->r.m;
    const uint32_t *at = module_definition(m, inst[3]);
    if (inst_opcode(at) != SpvOpFunction)
        return;
    for (uint32_t i = 4; i < inst_length(inst) && next_parameter(&at); i++) {
        if (shape_of(s, inst[i]) != shape_of(s, at[2]))
            shape_refuse(s, "a function takes arrays of descriptors that the driver's layout makes different");
    }
}

/* ---- Other uses ---- */

/* Untyped pointers to arrays are pointers to their first descriptors as well. */
static bool is_loaded_whole(struct shapes *s, const uint32_t *inst)
{
    const uint32_t opcode = module_opcode(s->r.m, inst[1]);
    const bool whole_type = opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray || opcode == SpvOpTypeStruct;
    return whole_type && shape_of(s, inst[3]) != SHAPE_NONE;
}

/* A block is loaded as a whole: leaves added members out. */
static void write_load(struct shapes *s, const uint32_t *inst)
{
    struct rewriter *r = &s->r;
    const uint32_t count = inst_length(inst), shape = shape_of(s, inst[3]);
    const uint32_t *type = module_definition(r->m, inst[1]);
    if (shape < SHAPE_MEMBERS || inst_opcode(type) != SpvOpTypeStruct) {
        shape_refuse(s, whole);
        return;
    }
    uint32_t loaded = write_value(r, SpvOpLoad, shape_type(s, inst[1], shape), inst + 3, count - 3);
    struct words operands = {0};
    words_append(r, &operands, inst + 1, 2);
    for (uint32_t i = 0; i + 2 < inst_length(type); i++) {
        uint32_t member = VALUE(r, SpvOpCompositeExtract, type[2 + i], loaded, i);
        words_append(r, &operands, &member, 1);
    }
    if (!r->out_of_memory)
        write_to(r, &r->body, SpvOpCompositeConstruct, operands.data, operands.count);
    words_drop(r, &operands);
}

static void write_with_type(struct shapes *s, const uint32_t *inst)
{
    const uint32_t type = shape_type(s, inst[1], shape_of(s, inst[2])), count = inst_length(inst);
    uint32_t *copy = words_grow(&s->r, &s->r.body, count);
    if (copy) {
        memcpy(copy, inst, count * sizeof(uint32_t));
        copy[1] = type;
    }
}

static void refuse_operands(struct shapes *s, const uint32_t *inst, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < inst_length(inst); i++) {
        if (shape_of(s, inst[i]) != SHAPE_NONE)
            shape_refuse(s, whole);
    }
}

static void write_instruction(struct shapes *s, const uint32_t *inst)
{
    const uint32_t count = inst_length(inst);
    switch (inst_opcode(inst)) {
    case SpvOpFunction:
        write_function(s, inst);
        return;
    case SpvOpFunctionParameter:
    case SpvOpCopyObject:
        write_with_type(s, inst);
        return;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case OP_UNTYPED_ACCESS_CHAIN:
    case OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
        write_chain(s, inst);
        return;
    case SpvOpLoad:
        if (is_loaded_whole(s, inst)) {
            write_load(s, inst);
            return;
        }
        break;
    case SpvOpFunctionCall:
        check_call(s, inst);
        break;
    case SpvOpPhi:
    case SpvOpSelect:
        refuse_operands(s, inst, 3, count);
        break;
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        refuse_operands(s, inst, 3, 4);
        break;
    case OP_UNTYPED_PTR_ACCESS_CHAIN:
    case OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN:
        refuse_operands(s, inst, 4, 5);
        break;
    case SpvOpStore:
    case SpvOpCopyMemory:
        refuse_operands(s, inst, 1, 3);
        break;
    case SpvOpReturnValue:
        refuse_operands(s, inst, 1, 2);
        break;
    default:
        break;
    }
    words_append(&s->r, &s->r.body, inst, count);
}

/* ---- The module ---- */

static bool is_hoisted(const struct module *m, const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    return (opcode == SpvOpTypeInt || opcode == SpvOpTypeVector) && (module_id(m, inst[1])->marks & MARK_HOISTED);
}

static void write_declarations(struct shapes *s)
{
    struct rewriter *r = &s->r;
    const struct module *m = r->m;
    s->into = &s->declarations;
    for (s->at = m->annotations_end; s->at < m->functions_at && !r->out_of_memory;
         s->at += inst_length(m->words + s->at)) {
        const uint32_t *inst = m->words + s->at;
        const uint32_t count = inst_length(inst);
        if (is_hoisted(m, inst))
            continue;
        const bool untyped = inst_opcode(inst) == OP_UNTYPED_VARIABLE;
        const uint32_t shape = untyped || inst_opcode(inst) == SpvOpVariable ? shape_of(s, inst[2]) : SHAPE_NONE;
        const uint32_t place = untyped ? 4 : 1; /* of the type that changes */
        const bool changes = shape != SHAPE_NONE && count > place;
        const uint32_t type = changes ? shape_type(s, inst[place], shape) : 0;
        const uint32_t from = s->declarations.count;
        words_append(r, &s->declarations, inst, count);
        s->changed |= changes;
        if (changes && !r->out_of_memory)
            s->declarations.data[from + place] = type;
    }
    s->into = &r->globals;
}

static enum spirv_result put_together(struct shapes *s, struct spirv_output *output)
{
    struct rewriter *r = &s->r;
    const struct module *m = r->m;
    const struct words head = {.data = (uint32_t *)(uintptr_t)m->words, .count = m->annotations_end};
    const struct words *const sections[] = {&head, &r->annotations, &s->declarations, &r->globals, &r->body};
    size_t total = 0;
    for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        total += sections[i]->count;
    uint32_t *words = r->allocator->reallocate(r->allocator->user, NULL, total * sizeof(uint32_t));
    if (!words)
        return SPIRV_OUT_OF_MEMORY;
    uint32_t *to = words;
    for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        if (sections[i]->count != 0)
            memcpy(to, sections[i]->data, sections[i]->count * sizeof(uint32_t));
        to += sections[i]->count;
    }
    words[HEADER_BOUND] = module_bound_with(m, r->next_id);
    output->words = words;
    output->word_count = total;
    return SPIRV_REWRITTEN;
}

static enum spirv_result write_module(struct shapes *s, struct spirv_output *output)
{
    struct rewriter *r = &s->r;
    write_declarations(s);
    if (!s->changed && !r->out_of_memory)
        return SPIRV_UNCHANGED;
    words_grow(r, &r->body, r->m->word_count - r->m->functions_at + 1); /* a module may have no function */
    r->body.count = 0;
    for (uint32_t at = r->m->functions_at; at < r->m->word_count && !r->out_of_memory && !s->unsupported;
         at += inst_length(r->m->words + at))
        write_instruction(s, r->m->words + at);
    if (r->next_id > r->m->free_end || *r->m->steps == 0)
        words_exceed(r, r->next_id > r->m->free_end ? "ids" : "steps");
    if (r->exceeds)
        shape_refuse(s, "making it fit takes more than a module of its size may");
    else if (r->out_of_memory)
        return SPIRV_OUT_OF_MEMORY;
    if (s->unsupported) {
        snprintf(output->message, sizeof(output->message), "%s", s->unsupported);
        return SPIRV_UNSUPPORTED;
    }
    return put_together(s, output);
}

static enum spirv_result reshape_module(struct module *m, const struct spirv_layout *layout,
                                        const struct words *members, const struct spirv_allocator *allocator,
                                        struct spirv_output *output)
{
    struct types types = {0};
    struct constants constants = {0};
    struct shapes s = {
        .r = {.m = m,
              .layout = layout,
              .allocator = allocator,
              .next_id = m->free_id,
              .most_words = spirv_most_words(m->word_count),
              .types = &types,
              .constants = &constants},
        .members = members,
    };
    for (uint32_t i = 0; i < m->entry_count; i++)
        m->entries[i].shape = m->entries[i].clones = 0;
    enum spirv_result result = write_module(&s, output);
    words_drop(&s.r, &s.r.annotations);
    words_drop(&s.r, &s.r.globals);
    words_drop(&s.r, &s.r.body);
    words_drop(&s.r, &s.declarations);
    words_drop(&s.r, &s.clones);
    types_drop(&s.r);
    return result;
}

bool reshape_needed(const struct spirv_layout *layout)
{
    bool scales = false;
    for (uint32_t i = 0; i < layout->set_count && !scales; i++) {
        for (uint32_t j = 0; j < layout->sets[i].binding_count && !scales; j++)
            scales = layout->sets[i].bindings[j].scale > 1;
    }
    return scales;
}

enum spirv_result reshape(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                          const struct words *members, const struct spirv_allocator *allocator,
                          struct spirv_output *output)
{
    struct module m;
    enum spirv_result result = module_index(&m, words, word_count, allocator, output->message);
    if (result != SPIRV_REWRITTEN)
        return result;
    result = m.kernel ? SPIRV_UNCHANGED : reshape_module(&m, layout, members, allocator, output);
    module_drop(&m, allocator);
    return result;
}
