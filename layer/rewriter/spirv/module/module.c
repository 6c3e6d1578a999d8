/* SPDX-License-Identifier: MIT */
/*
 * Reads a module: one pass to count and check, one to fill the tables of ids, sites, calls and types. Everything that
 * is malformed is found here, so that later passes follow ids without checks.
 */
#include "spirv/module/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/site.h"

#define GREATEST_WORD_COUNT (UINT32_MAX / 8) /* keeps every offset in 32 bits, after the rewrite too */

const uint32_t module_no_instruction[1] = {0};

static void *c_reallocate(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

const struct spirv_allocator module_c_allocator = {c_reallocate, NULL};

static enum spirv_result malformed(char *message, const char *what, size_t at)
{
    snprintf(message, MODULE_MESSAGE, "malformed SPIR-V: %s at word %zu", what, at);
    return SPIRV_MALFORMED;
}

static bool is_unique_type(uint32_t opcode)
{
    return (opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeSampledImage) || opcode == SpvOpTypePointer ||
           opcode == SpvOpTypeFunction;
}

/* Checks the frame of every instruction and counts what module_fill() will keep. */
static enum spirv_result module_count(struct module *m, char *message)
{
    for (uint32_t at = HEADER_WORDS; at < m->word_count;) {
        uint32_t opcode = inst_opcode(m->words + at);
        uint32_t count = inst_length(m->words + at);
        uint32_t shape = opcode_shape(opcode);
        if (count == 0 || count > m->word_count - at)
            return malformed(message, "instruction runs over the end", at);
        if (count < (shape & OPCODE_LEAST_MASK))
            return malformed(message, "instruction too short", at);
        if (opcode_may_be_site(opcode))
            m->site_count++;
        else if (opcode == SpvOpFunctionCall)
            m->call_count++;
        else if (is_unique_type(opcode))
            m->type_count++;
        else if (opcode == SpvOpDecorate && m->words[at + 2] == SpvDecorationBinding)
            m->binding_count++;
        at += count;
    }
    return SPIRV_REWRITTEN;
}

/* Does the imported set's name begin with the first `length` characters of `name`? */
static bool import_begins(const uint32_t *words, uint32_t count, const char *name, size_t length)
{
    return count >= 2 + (length + 3) / 4 && memcmp(words + 2, name, length) == 0;
}

static bool is_import_name(const uint32_t *words, uint32_t count, const char *name)
{
    return import_begins(words, count, name, strlen(name) + 1);
}

/* Sets of instructions for debuggers. Khronos' own has a number for each of its revisions, which only add to it. */
static bool is_debug_import(const uint32_t *words, uint32_t count)
{
    static const char name[] = "NonSemantic.Shader.DebugInfo.";
    return is_import_name(words, count, "OpenCL.DebugInfo.100") || import_begins(words, count, name, strlen(name));
}

static void decorate(struct module *m, uint32_t id, uint32_t decoration, uint32_t literal)
{
    struct id_entry *entry = module_id(m, id);
    if (decoration == SpvDecorationDescriptorSet)
        entry->set = literal + 1;
    else if (decoration == SpvDecorationBinding)
        entry->binding = literal + 1;
    else if (decoration == SpvDecorationNonUniform)
        entry->marks |= MARK_NON_UNIFORM;
    else if (decoration == SpvDecorationRelaxedPrecision)
        entry->marks |= MARK_RELAXED, m->relaxed = true;
    else if (decoration == SpvDecorationUniform || decoration == SpvDecorationUniformId)
        entry->marks |= MARK_UNIFORM;
    else if (decoration == SpvDecorationFlat)
        entry->marks |= MARK_FLAT;
    else if (decoration == SpvDecorationBuiltIn)
        entry->marks |= MARK_BUILT_IN | (literal == BUILT_IN_RESOURCE_HEAP  ? MARK_RESOURCE_HEAP
                                         : literal == BUILT_IN_SAMPLER_HEAP ? MARK_SAMPLER_HEAP
                                                                            : 0u);
}

/* Saves the offsets of ArrayStride and Offset decorations, for heap.c. */
static void remember_layout(struct module *m, uint32_t at)
{
    const uint32_t *inst = m->words + at;
    uint32_t opcode = inst_opcode(inst), count = inst_length(inst);
    bool member = opcode == SpvOpMemberDecorate || opcode == OP_MEMBER_DECORATE_ID;
    bool whole = opcode == SpvOpDecorate || opcode == SpvOpDecorateId;
    if (member && count > 4 && (inst[3] == SpvDecorationOffset || inst[3] == DECORATION_OFFSET_ID) &&
        module_id(m, inst[1])->layout == 0)
        module_id(m, inst[1])->layout = at;
    if (whole && count > 3 && (inst[2] == SpvDecorationArrayStride || inst[2] == DECORATION_ARRAY_STRIDE_ID))
        module_id(m, inst[1])->layout = at;
}

/* The section of the logical layout for an instruction before the types; 0: types have begun. */
static uint32_t layout_section(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpExtInstImport:
        return 1;
    case SpvOpMemoryModel:
        return 2;
    case SpvOpEntryPoint:
        return 3;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return 4;
    case SpvOpString:
    case SpvOpSourceExtension:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpName:
    case SpvOpMemberName:
        return 5;
    case SpvOpModuleProcessed:
        return 6;
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
    case SpvOpDecorationGroup:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case OP_MEMBER_DECORATE_ID:
        return 7;
    default:
        return 0;
    }
}

/*
 * Skips unknown instructions. They belong to the sections in front of the types if the next known instruction does, so
 * that newer annotations do not hide those behind them. Else the types begin with them.
 */
static uint32_t skip_unknown(const struct module *m, uint32_t at)
{
    uint32_t next = at;
    while (next < m->word_count && opcode_shape(inst_opcode(m->words + next)) == 0 &&
           layout_section(inst_opcode(m->words + next)) == 0)
        next += inst_length(m->words + next);
    return next < m->word_count && layout_section(inst_opcode(m->words + next)) != 0 ? next : at;
}

/* Capability Kernel, and those that declare it by themselves: Vulkan has none of them. */
static bool is_of_kernels(uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityKernel:
    case SpvCapabilityVector16:
    case SpvCapabilityFloat16Buffer:
    case SpvCapabilityImageBasic:
    case SpvCapabilityImageReadWrite:
    case SpvCapabilityImageMipmap:
    case SpvCapabilityPipes:
    case SpvCapabilityDeviceEnqueue:
    case SpvCapabilityLiteralSampler:
    case SpvCapabilitySubgroupDispatch:
    case SpvCapabilityNamedBarrier:
    case SpvCapabilityPipeStorage:
        return true;
    default:
        return false;
    }
}

/* Everything before the first type. Returns where that is, or 0 with a message. */
static uint32_t fill_preamble(struct module *m, char *message)
{
    uint32_t at = HEADER_WORDS;
    uint32_t section = 1;
    while (at < m->word_count) {
        const uint32_t *inst = m->words + at;
        uint32_t opcode = inst_opcode(inst);
        uint32_t count = inst_length(inst);
        uint32_t here = layout_section(opcode);
        if (here == 0) {
            const uint32_t next = skip_unknown(m, at);
            if (next == at)
                break;
            at = next;
            continue;
        }
        if (here < section) {
            malformed(message, "instruction out of its section", at);
            return 0;
        }
        section = here;
        if (here == 1)
            m->memory_model_at = at + count;
        if (here == 3) {
            m->entry_points_at = m->entry_points_end == 0 ? at : m->entry_points_at;
            m->entry_points_end = at + count;
        }
        if (here <= 5)
            m->names_end = at + count;
        if ((here == 7 && inst[1] >= m->bound) || (opcode == SpvOpExtInstImport && inst[1] >= m->bound)) {
            malformed(message, "id beyond the bound", at);
            return 0;
        }
        if (m->heaps && here == 7)
            remember_layout(m, at);
        switch (opcode) {
        case SpvOpCapability:
            m->kernel |= is_of_kernels(inst[1]);
            m->heaps |= inst[1] == CAPABILITY_DESCRIPTOR_HEAP;
            break;
        case SpvOpExtInstImport:
            if (is_import_name(inst, count, "GLSL.std.450"))
                m->glsl_import = inst[1];
            else if (is_debug_import(inst, count))
                m->debug_import = inst[1];
            break;
        case SpvOpDecorationGroup:
            module_id(m, inst[1])->definition = at;
            break;
        case SpvOpDecorateId:
        case SpvOpDecorate:
            decorate(m, inst[1], inst[2], count > 3 ? inst[3] : 0);
            if (opcode == SpvOpDecorate && inst[2] == SpvDecorationBinding && count > 3) {
                m->bindings[m->binding_count++] = at;
                module_id(m, inst[1])->group_binding = inst_length(inst) == 4 ? at : 0;
            }
            break;
        case SpvOpGroupDecorate:
            for (uint32_t i = 2; i < count; i++) {
                if (inst[i] >= m->bound) {
                    malformed(message, "id beyond the bound", at);
                    return 0;
                }
                const struct id_entry *group = module_id(m, inst[1]);
                struct id_entry *target = module_id(m, inst[i]);
                target->set = group->set != 0 ? group->set : target->set;
                target->binding = group->binding != 0 ? group->binding : target->binding;
                target->marks |= group->marks;
                target->layout = group->layout != 0 ? group->layout : target->layout;
            }
            break;
        default:
            break;
        }
        at += count;
    }
    if (m->names_end == 0 || m->memory_model_at == 0) {
        malformed(message, "no capability", HEADER_WORDS);
        return 0;
    }
    m->annotations_end = at;
    return at;
}

bool module_ends_block(const struct module *m, uint32_t at)
{
    uint32_t shape = opcode_shape(inst_opcode(m->words + at));
    if (shape != 0)
        return shape & OPCODE_ENDS_BLOCK;
    uint32_t next = at + inst_length(m->words + at), opcode = SpvOpNop;
    for (; next < m->word_count; next += inst_length(m->words + next)) {
        opcode = inst_opcode(m->words + next);
        if (opcode != SpvOpLine && opcode != SpvOpNoLine)
            break;
    }
    return opcode == SpvOpLabel || opcode == SpvOpFunctionEnd;
}

/*
 * The result of an instruction, 0: none. An unknown instruction counts as one with a result if it begins with a type
 * and an id that is not defined yet.
 */
static uint32_t result_of(const struct module *m, uint32_t at)
{
    const uint32_t *inst = m->words + at;
    uint32_t shape = opcode_shape(inst_opcode(inst));
    if (shape & OPCODE_HAS_RESULT)
        return inst[shape & OPCODE_HAS_TYPE ? 2 : 1];
    bool data = shape == 0 && inst_length(inst) >= 3 && opcode_is_type(module_opcode(m, inst[1])) &&
                inst[2] < m->bound && module_id(m, inst[2])->definition == 0;
    return data ? inst[2] : 0;
}

/* True: an unknown instruction counts as the id's definition, but may only use the id. */
static bool is_guessed(const struct module *m, uint32_t id)
{
    return module_id(m, id)->definition != 0 && opcode_shape(module_opcode(m, id)) == 0;
}

/* The state of indexing functions between instructions. */
struct position {
    uint32_t function; /* id, 0: outside */
    uint32_t label;    /* id of the open block, 0: none */
    uint32_t parameter;
};

static const char *fill_control_flow(struct module *m, struct position *position, uint32_t at)
{
    const uint32_t *inst = m->words + at;
    switch (inst_opcode(inst)) {
    case SpvOpFunction:
        if (position->function != 0)
            return "function inside a function";
        if (m->functions_end != 0)
            return "function behind a graph";
        m->functions_at = m->functions_at == 0 ? at : m->functions_at;
        position->function = inst[2];
        position->parameter = 0;
        break;
    case SpvOpFunctionParameter:
        if (position->function == 0 || position->label != 0)
            return "parameter outside a function's head";
        module_id(m, inst[2])->function = position->function;
        module_id(m, inst[2])->index = position->parameter++;
        break;
    case SpvOpFunctionEnd:
        if (position->function == 0 || position->label != 0)
            return "function ends in a block or without a beginning";
        position->function = 0;
        break;
    case SpvOpLabel:
        if (position->function == 0 || position->label != 0)
            return "label outside a function or inside a block";
        position->label = inst[1];
        module_id(m, inst[1])->loop_merge = 0;
        break;
    case SpvOpFunctionCall:
        if (position->label == 0)
            return "call outside a block";
        if (inst[3] >= m->bound)
            return "call of an id beyond the bound";
        if (module_id(m, inst[3])->definition != 0 && module_opcode(m, inst[3]) != SpvOpFunction)
            return "call of something that is no function";
        m->calls[m->call_count++] = (struct call){at, position->function, module_id(m, inst[3])->last_call};
        module_id(m, inst[3])->last_call = m->call_count;
        break;
    case OP_COOPERATIVE_MATRIX_PER_ELEMENT_OP: /* calls a function for each element, with operands of its own behind it
                                                */
        if (inst[4] >= m->bound)
            return "function beyond the bound";
        module_id(m, inst[4])->marks |= MARK_ROOM_KNOWN | MARK_NO_ROOM;
        break;
    case SpvOpLoopMerge:
        if (position->label == 0)
            return "loop merge outside a block";
        module_id(m, position->label)->marks |= MARK_LOOP | (inst[2] == position->label ? MARK_SELF_LOOP : 0);
        module_id(m, position->label)->loop_merge = at;
        break;
    default:
        break;
    }
    return NULL;
}

/*
 * A loop header ends in a conditional branch into two blocks of the loop: its merge instruction is the branch's merge
 * too, and there is no other place for it once the header is split. Front-ends do not write that, optimizers do.
 */
static void mark_whole_header(struct module *m, uint32_t label, uint32_t at)
{
    const uint32_t *merge = m->words + module_id(m, label)->loop_merge;
    const uint32_t *branch = m->words + at;
    if (inst_opcode(branch) == SpvOpBranchConditional) {
        bool leaves = branch[2] == merge[1] || branch[2] == merge[2] || branch[3] == merge[1] ||
                      branch[3] == merge[2] || branch[2] == branch[3];
        module_id(m, label)->marks |= leaves ? 0 : MARK_WHOLE;
    }
}

/* SPV_ARM_graph: graphs and their entry points stand behind all functions. */
static bool begins_graphs(uint32_t opcode)
{
    return opcode == OP_GRAPH_ENTRY_POINT || opcode == OP_GRAPH;
}

/* Types, constants, variables and functions. */
static enum spirv_result fill_body(struct module *m, uint32_t at, char *message)
{
    struct position position = {0, 0, 0};
    while (at < m->word_count) {
        const uint32_t *inst = m->words + at;
        uint32_t opcode = inst_opcode(inst);
        uint32_t id = result_of(m, at);
        if (id != 0 || (opcode_shape(opcode) & OPCODE_HAS_RESULT)) {
            if (id == 0 || id >= m->bound)
                return malformed(message, "id beyond the bound", at);
            if (module_id(m, id)->definition != 0 && !is_guessed(m, id))
                return malformed(message, "id defined twice", at);
            module_id(m, id)->definition = at;
            module_id(m, id)->group_binding = 0; /* it is no group */
        }
        if (is_unique_type(opcode)) {
            m->types[m->type_count++] = at;
        } else if (opcode >= SpvOpFunction) {
            if (begins_graphs(opcode) && m->functions_end == 0) {
                m->functions_at = m->functions_at == 0 ? at : m->functions_at;
                m->functions_end = at;
            }
            const char *wrong = fill_control_flow(m, &position, at);
            if (wrong)
                return malformed(message, wrong, at);
            enum site_kind kind;
            if (site_is(m, inst, &kind)) {
                if (position.label == 0)
                    return malformed(message, "lookup outside a block", at);
                m->sites[m->site_count++] = (struct site){at, position.label, kind};
            } else if (module_ends_block(m, at)) {
                if (position.label == 0)
                    return malformed(message, "branch outside a block", at);
                if (module_id(m, position.label)->marks & MARK_LOOP)
                    mark_whole_header(m, position.label, at);
                position.label = 0;
            }
        }
        at += inst_length(inst);
    }
    if (position.function != 0)
        return malformed(message, "function without an end", at);
    m->functions_at = m->functions_at == 0 ? m->word_count : m->functions_at;
    m->functions_end = m->functions_end == 0 ? m->word_count : m->functions_end;
    return SPIRV_REWRITTEN;
}

static enum spirv_result module_fill(struct module *m, char *message)
{
    m->site_count = m->call_count = m->type_count = m->binding_count = 0;
    uint32_t at = fill_preamble(m, message);
    return at == 0 ? SPIRV_MALFORMED : fill_body(m, at, message);
}

enum spirv_result module_index(struct module *m, const uint32_t *words, size_t word_count,
                               const struct spirv_allocator *allocator, char *message)
{
    memset(m, 0, sizeof(*m));
    if (word_count < HEADER_WORDS || words[HEADER_MAGIC] != SpvMagicNumber)
        return malformed(message, "no SPIR-V header", 0);
    if (word_count > GREATEST_WORD_COUNT || words[HEADER_BOUND] == 0 || words[HEADER_BOUND] > MODULE_GREATEST_BOUND)
        return malformed(message, "unreasonable size or bound", HEADER_BOUND);
    m->words = words;
    m->word_count = (uint32_t)word_count;
    m->version = words[HEADER_VERSION];
    m->bound = words[HEADER_BOUND];
    enum spirv_result result = module_count(m, message);
    if (result != SPIRV_REWRITTEN)
        return result;
    struct id_plan plan;
    ids_plan(m, &plan);
    size_t ids = ids_bytes(&plan);
    size_t sites = m->site_count * sizeof(*m->sites);
    size_t calls = m->call_count * sizeof(*m->calls);
    size_t types = m->type_count * sizeof(*m->types);
    size_t bindings = m->binding_count * sizeof(*m->bindings);
    char *memory =
        allocator->reallocate(allocator->user, NULL, sizeof(*m->steps) + ids + sites + calls + types + bindings);
    if (!memory)
        return SPIRV_OUT_OF_MEMORY;
    m->memory = memory;
    m->steps = (uint64_t *)(void *)memory;
    *m->steps = spirv_most_steps(word_count);
    memory += sizeof(*m->steps);
    ids_place(m, &plan, memory);
    m->sites = (struct site *)(void *)(memory + ids);
    m->calls = (struct call *)(void *)(memory + ids + sites);
    m->types = (uint32_t *)(void *)(memory + ids + sites + calls);
    m->bindings = (uint32_t *)(void *)(memory + ids + sites + calls + types);
    result = module_fill(m, message);
    if (result != SPIRV_REWRITTEN)
        module_drop(m, allocator);
    return result;
}

void module_drop(struct module *m, const struct spirv_allocator *allocator)
{
    if (m->memory) {
        allocator->reallocate(allocator->user, m->memory, 0);
        m->memory = NULL;
    }
}

uint32_t module_type_of(const struct module *m, uint32_t id)
{
    const uint32_t *inst = module_definition(m, id);
    uint32_t shape = opcode_shape(inst_opcode(inst));
    bool guessed = shape == 0 && inst != module_no_instruction;
    return guessed || (shape & OPCODE_HAS_TYPE) ? inst[1] : 0;
}

bool module_constant(const struct module *m, uint32_t id, uint32_t *value)
{
    const uint32_t *inst = module_definition(m, id);
    const uint32_t *type = module_definition(m, module_type_of(m, id));
    if (inst_opcode(inst) != SpvOpConstant || inst_opcode(type) != SpvOpTypeInt || type[2] > 32)
        return false;
    *value = inst[3];
    return true;
}
