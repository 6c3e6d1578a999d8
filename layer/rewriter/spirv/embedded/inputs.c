/* SPDX-License-Identifier: MIT */
/* Finds each entry point's blocks, and writes the loads at the beginning of its function. */
#include "spirv/embedded/inputs.h"

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/block.h"
#include "spirv/embedded/embedded.h"
#include "spirv/module/opcodes.h"
#include "spirv/reshape/reshape.h"

#define VERSION_1_4 0x00010400u
#define BLOCK_WORDS_MOST 1024u /* more than anything can be pushed */

struct input_entry {
    uint32_t function, model;
    uint32_t variables[INPUT_KINDS]; /* 0: none of the program's */
};

struct input_value {
    uint32_t kind, offset, words;
    uint32_t variable; /* that it is taken into */
};

enum {
    ENTRY_WORDS = sizeof(struct input_entry) / sizeof(uint32_t),
    VALUE_WORDS = sizeof(struct input_value) / sizeof(uint32_t),
    HEAD_WORDS = 2,
    WORDS_A_STEP = 16, /* that are moved in the time of a step */
};

static const uint32_t storage_classes[INPUT_KINDS] = {SpvStorageClassPushConstant,
                                                      SpvStorageClassShaderRecordBufferKHR};

static struct input_entry *entry_at(const struct rewriter *r, uint32_t i)
{
    return (struct input_entry *)(void *)(r->embedded->inputs.entries.data + i);
}

static struct input_value *value_at(const struct rewriter *r, uint32_t i)
{
    return (struct input_value *)(void *)(r->embedded->inputs.values.data + i);
}

/* ---- Which blocks an entry point has ---- */

/* INPUT_KINDS: it is no such variable. */
static enum input_kind kind_of(const struct module *m, uint32_t id)
{
    const uint32_t *variable = module_definition(m, id);
    uint32_t kind = 0;
    if (inst_opcode(variable) != SpvOpVariable && inst_opcode(variable) != OP_UNTYPED_VARIABLE)
        return INPUT_KINDS;
    while (kind < INPUT_KINDS && variable[3] != storage_classes[kind])
        kind++;
    return (enum input_kind)kind;
}

/* False if it is another one than before. */
static bool add_input(const struct module *m, uint32_t id, struct input_entry *entry)
{
    const enum input_kind kind = kind_of(m, id);
    if (kind == INPUT_KINDS)
        return true;
    bool same = entry->variables[kind] == 0 || entry->variables[kind] == id;
    entry->variables[kind] = id;
    return same;
}

static bool ends_string(uint32_t word)
{
    return (word & 0xffu) == 0 || (word & 0xff00u) == 0 || (word & 0xff0000u) == 0 || (word & 0xff000000u) == 0;
}

/* From SPIR-V 1.4 on the interface names them. */
static bool find_in_interface(const struct module *m, const uint32_t *inst, struct input_entry *entry)
{
    const uint32_t count = inst_length(inst);
    uint32_t at = 3; /* the name */
    bool one = true;
    while (at < count && !ends_string(inst[at]))
        at++;
    for (at++; at < count; at++)
        one &= add_input(m, inst[at], entry);
    return one;
}

/* Does an instruction hand on a pointer to a whole block, or copy it? */
static bool passes_on(const struct module *m, const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    const bool copies = opcode == SpvOpStore || opcode == SpvOpCopyMemory;
    const bool passes = copies || opcode == SpvOpFunctionCall || opcode == SpvOpPhi || opcode == SpvOpSelect ||
                        opcode == SpvOpReturnValue;
    const uint32_t end = copies ? 3 : inst_length(inst);
    bool found = false;
    for (uint32_t i = 1; passes && i < end && !found; i++)
        found = kind_of(m, inst[i]) != INPUT_KINDS;
    return found;
}

/* Reads one function: its blocks, and its calls, which are appended to `reached` once. */
static bool look_into(struct rewriter *r, uint32_t function, struct words *reached, struct input_entry *entry)
{
    struct module *m = r->m;
    uint32_t at = module_id(m, function)->definition;
    bool known = true;
    for (; known && at < m->word_count && inst_opcode(m->words + at) != SpvOpFunctionEnd && module_search(m, 1);
         at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst);
        known = !passes_on(m, inst);
        if (opcode == SpvOpFunctionCall && module_opcode(m, inst[3]) == SpvOpFunction &&
            !(module_id(m, inst[3])->marks & MARK_REACHED)) {
            module_id(m, inst[3])->marks |= MARK_REACHED;
            words_append(r, reached, &inst[3], 1);
        } else if (opcode == SpvOpLoad || opcode == SpvOpCopyObject || opcode_chain_base(opcode) != 0) {
            known &= add_input(m, inst[opcode_chain_base(opcode) != 0 ? opcode_chain_base(opcode) : 3], entry);
        }
    }
    return known;
}

static bool find_in_functions(struct rewriter *r, struct input_entry *entry)
{
    struct words reached = {0};
    bool known = module_opcode(r->m, entry->function) == SpvOpFunction;
    if (known) {
        module_id(r->m, entry->function)->marks |= MARK_REACHED;
        words_append(r, &reached, &entry->function, 1);
    }
    for (uint32_t i = 0; known && i < reached.count; i++)
        known = look_into(r, reached.data[i], &reached, entry);
    for (uint32_t i = 0; i < reached.count; i++)
        module_id(r->m, reached.data[i])->marks &= ~(uint32_t)MARK_REACHED;
    words_drop(r, &reached);
    return known;
}

static void plan(struct rewriter *r)
{
    const struct module *m = r->m;
    struct inputs *inputs = &r->embedded->inputs;
    bool any = false;
    inputs->planned = inputs->known = true;
    for (uint32_t at = m->annotations_end; at < m->functions_at && !any; at += inst_length(m->words + at)) {
        const uint32_t opcode = inst_opcode(m->words + at);
        any = (opcode == SpvOpVariable || opcode == OP_UNTYPED_VARIABLE) && kind_of(m, m->words[at + 2]) != INPUT_KINDS;
    }
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        struct input_entry entry = {.function = inst[2], .model = inst[1]};
        inputs->known &=
            !any || (find_in_functions(r, &entry) && (m->version < VERSION_1_4 || find_in_interface(m, inst, &entry)));
        words_append(r, &inputs->entries, (const uint32_t *)(const void *)&entry, ENTRY_WORDS);
    }
}

/* ---- The words of them that can be loaded ---- */

/* Its pointer has no type: all of its words can be read. */
static bool is_untyped(const struct module *m, uint32_t variable)
{
    return module_opcode(m, variable) == OP_UNTYPED_VARIABLE;
}

/* The type of a block, usually a struct; 0: it has none. */
static uint32_t block_of(const struct module *m, uint32_t variable)
{
    if (is_untyped(m, variable))
        return inst_length(module_definition(m, variable)) > 4 ? module_definition(m, variable)[4] : 0;
    const uint32_t *pointer = module_definition(m, module_type_of(m, variable));
    return inst_opcode(pointer) == SpvOpTypePointer ? pointer[3] : 0;
}

static bool traces_rays(uint32_t model)
{
    return model >= SpvExecutionModelRayGenerationKHR && model <= SpvExecutionModelCallableKHR;
}

static const char *unreachable_in(const struct rewriter *r, const struct input_entry *entry, const struct input *input)
{
    const uint32_t variable = entry->variables[input->kind];
    if (variable == 0)
        return input->kind == INPUT_SHADER_RECORD && !traces_rays(entry->model) ? "it has no shader record" : NULL;
    for (uint32_t i = 0; i < input->words && !is_untyped(r->m, variable); i++) {
        struct block_path path;
        if (block_find_word(r->m, block_of(r->m, variable), input->offset + 4 * i, &path) == BLOCK_WORD_UNKNOWN)
            return input->kind == INPUT_PUSHED ? "its push constants have no word where one is needed"
                                               : "its shader record has no word where one is needed";
    }
    return NULL;
}

const char *input_unreachable(struct rewriter *r, const struct input *input)
{
    struct inputs *inputs = &r->embedded->inputs;
    if (!inputs->planned)
        plan(r);
    if (!inputs->known)
        return "its push constants cannot be known from the code";
    for (uint32_t i = 0; i < inputs->asked_count; i++) {
        const struct input *asked = &inputs->asked[i].input;
        if (asked->kind == input->kind && asked->offset == input->offset && asked->words == input->words)
            return inputs->asked[i].why;
    }
    const char *why = input->offset % 4 != 0 ? "the push constants that it needs are not whole words" : NULL;
    for (uint32_t i = 0; i < inputs->entries.count && !why && module_search(r->m, 1); i += ENTRY_WORDS)
        why = unreachable_in(r, entry_at(r, i), input);
    if (inputs->asked_count < INPUTS_ASKED)
        inputs->asked[inputs->asked_count++] = (struct input_request){*input, why};
    return why;
}

/* ---- Code ---- */

bool input_is_entry(const struct rewriter *r, uint32_t function)
{
    const struct words *entries = &r->embedded->inputs.entries;
    bool found = false;
    for (uint32_t i = 0; i < entries->count && !found && module_search(r->m, 1); i += ENTRY_WORDS)
        found = entry_at(r, i)->function == function;
    return found;
}

void input_head(struct rewriter *r, uint32_t function, uint32_t at)
{
    const uint32_t head[HEAD_WORDS] = {function, at};
    words_append(r, &r->embedded->inputs.heads, head, HEAD_WORDS);
}

static void declare_variable(struct rewriter *r, uint32_t type, uint32_t variable, uint32_t storage, const char *name)
{
    uint32_t pointer = TYPE(r, SpvOpTypePointer, storage, type);
    write_to(r, &r->globals, SpvOpVariable, OPERANDS(pointer, variable, storage));
    write_name(r, variable, name);
}

/* The variable that an input is taken into. */
static uint32_t variable_of(struct rewriter *r, const struct input *input, uint32_t type)
{
    struct words *values = &r->embedded->inputs.values;
    for (uint32_t i = 0; i < values->count; i += VALUE_WORDS) {
        const struct input_value *value = value_at(r, i);
        if (value->kind == input->kind && value->offset == input->offset && value->words == input->words)
            return value->variable;
    }
    const struct input_value value = {input->kind, input->offset, input->words, new_id(r)};
    words_append(r, values, (const uint32_t *)(const void *)&value, VALUE_WORDS);
    declare_variable(r, type, value.variable, SpvStorageClassPrivate, "clampler_input");
    return value.variable;
}

uint32_t input_load(struct rewriter *r, const struct input *input)
{
    uint32_t type = type_vector(r, SCALAR_UINT, input->words);
    return VALUE(r, SpvOpLoad, type, variable_of(r, input, type));
}

/* The number of an own block's member. */
static uint32_t own_member(struct rewriter *r, enum input_kind kind, uint32_t offset)
{
    struct words *members = &r->embedded->inputs.own_members[kind];
    uint32_t record_index = 0;
    while (record_index < members->count && members->data[record_index] != offset)
        record_index++;
    if (record_index == members->count)
        words_append(r, members, &offset, 1);
    if (r->embedded->inputs.own[kind] == 0)
        r->embedded->inputs.own[kind] = new_id(r);
    return record_index;
}

/* The number of the member that is added to the block of a variable of the program's. */
static uint32_t added_member(struct rewriter *r, uint32_t variable, uint32_t offset)
{
    struct words *members = &r->embedded->inputs.members;
    uint32_t record_index = inst_length(module_definition(r->m, block_of(r->m, variable))) - 2;
    for (uint32_t i = 0; i < members->count; i += RESHAPE_MEMBER_WORDS) {
        const struct reshape_member *member = (const struct reshape_member *)(const void *)(members->data + i);
        if (member->variable == variable && member->offset == offset)
            return record_index;
        record_index += member->variable == variable;
    }
    const uint32_t member[RESHAPE_MEMBER_WORDS] = {variable, type_vector(r, SCALAR_UINT, 1), offset};
    words_append(r, members, member, RESHAPE_MEMBER_WORDS);
    return record_index;
}

static uint32_t load_path(struct rewriter *r, enum input_kind kind, uint32_t variable, const struct block_path *path)
{
    uint32_t operands[1 + BLOCK_PATH_MOST] = {variable};
    for (uint32_t i = 0; i < path->count; i++)
        operands[1 + i] = constant_uint(r, path->indices[i]);
    uint32_t type = TYPE(r, SpvOpTypePointer, storage_classes[kind], path->type);
    uint32_t pointer = write_value(r, SpvOpAccessChain, type, operands, 1 + path->count);
    uint32_t value = VALUE(r, SpvOpLoad, path->type, pointer);
    uint32_t words = type_vector(r, SCALAR_UINT, path->words);
    if (path->type != words)
        value = VALUE(r, SpvOpBitcast, words, value);
    return path->words == 1 ? value
                            : VALUE(r, SpvOpCompositeExtract, type_vector(r, SCALAR_UINT, 1), value, path->word);
}

/*
 * Through an untyped pointer, as if the block were an array of words. The block gets a member for it, if it can, so
 * that drivers know how much of it is read.
 */
static uint32_t load_untyped(struct rewriter *r, enum input_kind kind, uint32_t variable, uint32_t offset)
{
    struct block_path path;
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    if (block_find_word(r->m, block_of(r->m, variable), offset, &path) == BLOCK_WORD_FREE)
        added_member(r, variable, offset);
    if (r->embedded->inputs.words_of[kind] == 0) {
        uint32_t length = constant_uint(r, BLOCK_WORDS_MOST);
        r->embedded->inputs.words_of[kind] = TYPE(r, SpvOpTypeArray, uint_type, length);
        write_to(r, &r->annotations, SpvOpDecorate,
                 OPERANDS(r->embedded->inputs.words_of[kind], SpvDecorationArrayStride, 4));
    }
    uint32_t index = constant_uint(r, offset / 4);
    uint32_t pointer = VALUE(r, OP_UNTYPED_ACCESS_CHAIN, module_type_of(r->m, variable),
                             r->embedded->inputs.words_of[kind], variable, index);
    return VALUE(r, SpvOpLoad, uint_type, pointer);
}

/* One word of an entry point's block: from the program's member, or from an added one. */
static uint32_t load_word(struct rewriter *r, const struct input_entry *entry, enum input_kind kind, uint32_t offset)
{
    uint32_t variable = entry->variables[kind];
    struct block_path path = {.count = 1, .type = type_vector(r, SCALAR_UINT, 1), .words = 1};
    if (variable != 0 && is_untyped(r->m, variable))
        return load_untyped(r, kind, variable, offset);
    if (variable == 0) {
        path.indices[0] = own_member(r, kind, offset);
        variable = r->embedded->inputs.own[kind];
    } else if (block_find_word(r->m, block_of(r->m, variable), offset, &path) == BLOCK_WORD_FREE) {
        path = (struct block_path){.count = 1, .type = type_vector(r, SCALAR_UINT, 1), .words = 1};
        path.indices[0] = added_member(r, variable, offset);
    }
    return load_path(r, kind, variable, &path);
}

static void write_head(struct rewriter *r, const struct input_entry *entry)
{
    const uint32_t count = r->embedded->inputs.values.count;
    for (uint32_t i = 0; i < count; i += VALUE_WORDS) {
        const struct input_value value = *value_at(r, i);
        uint32_t loaded = load_word(r, entry, (enum input_kind)value.kind, value.offset);
        if (value.words > 1) {
            uint32_t more = load_word(r, entry, (enum input_kind)value.kind, value.offset + 4);
            loaded = VALUE(r, SpvOpCompositeConstruct, type_vector(r, SCALAR_UINT, 2), loaded, more);
        }
        WRITE(r, SpvOpStore, value.variable, loaded);
    }
}

/* layout(push_constant) uniform { layout(offset = ...) uint ...; }, or likewise a shader record. */
static void declare_own(struct rewriter *r, enum input_kind kind)
{
    const struct words *members = &r->embedded->inputs.own_members[kind];
    struct words types = {0};
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    for (uint32_t i = 0; i < members->count; i++)
        words_append(r, &types, &uint_type, 1);
    uint32_t block = r->out_of_memory ? 0 : declare_type(r, SpvOpTypeStruct, types.data, types.count);
    words_drop(r, &types);
    write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(block, SpvDecorationBlock));
    for (uint32_t i = 0; i < members->count; i++)
        write_to(r, &r->annotations, SpvOpMemberDecorate, OPERANDS(block, i, SpvDecorationOffset, members->data[i]));
    declare_variable(r, block, r->embedded->inputs.own[kind], storage_classes[kind], "clampler_block");
}

void input_write_heads(struct rewriter *r)
{
    const struct inputs *inputs = &r->embedded->inputs;
    /* From the last to the first, so that earlier places stay valid. */
    for (uint32_t i = inputs->heads.count; i != 0 && inputs->values.count != 0 && !r->out_of_memory; i -= HEAD_WORDS) {
        const uint32_t *head = inputs->heads.data + i - HEAD_WORDS;
        const uint32_t from = r->body.count;
        uint32_t entry = 0;
        while (entry_at(r, entry)->function != head[0])
            entry += ENTRY_WORDS;
        if (!module_search(r->m, entry + (from - head[1]) / WORDS_A_STEP))
            break;
        write_head(r, entry_at(r, entry));
        if (!r->out_of_memory)
            words_move_back(&r->body, from, head[1]);
    }
    for (uint32_t kind = 0; kind < INPUT_KINDS; kind++) {
        if (inputs->own[kind] != 0)
            declare_own(r, (enum input_kind)kind);
    }
}

uint32_t input_interface(const struct rewriter *r, uint32_t entry_point, uint32_t *to)
{
    const struct inputs *inputs = &r->embedded->inputs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < inputs->values.count; i += VALUE_WORDS, count++) {
        if (to)
            to[count] = value_at(r, i)->variable;
    }
    for (uint32_t kind = 0; kind < INPUT_KINDS && count != 0; kind++) {
        if (inputs->own[kind] == 0 || entry_at(r, entry_point * ENTRY_WORDS)->variables[kind] != 0)
            continue;
        if (to)
            to[count] = inputs->own[kind];
        count++;
    }
    return count;
}

void input_drop(struct rewriter *r)
{
    struct inputs *inputs = &r->embedded->inputs;
    words_drop(r, &inputs->entries);
    words_drop(r, &inputs->values);
    words_drop(r, &inputs->heads);
    words_drop(r, &inputs->members);
    for (uint32_t kind = 0; kind < INPUT_KINDS; kind++)
        words_drop(r, &inputs->own_members[kind]);
}
