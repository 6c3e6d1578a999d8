/* SPDX-License-Identifier: MIT */
#include "interface.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

enum {
    HEADER = 5,
    TEXT_MOST = 8192,
    DEPTH_MOST = 24,
    PHYSICAL_ADDRESSES = 5347,
    ADDRESSING_64 = 5348,
};

struct reader {
    const uint32_t *words;
    size_t word_count;
    uint32_t bound;
    uint32_t *definition; /* of each id: where its instruction is; 0: none */
    uint32_t *decorated;  /* of each id: where the last instruction that decorates it is; 0: none */
    uint32_t *before;     /* of each word: for those instructions, where the one before is */
    const struct spirv_layout *layout;
};

/* ---- Text ---- */

struct text {
    char at[TEXT_MOST];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->at + text->used, TEXT_MOST - text->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length < TEXT_MOST - text->used ? (size_t)length : TEXT_MOST - text->used - 1;
}

static bool add_line(struct interface *interface, const struct text *text)
{
    if (interface->count == interface->room) {
        const size_t room = interface->room ? 2 * interface->room : 64;
        char **grown = realloc(interface->lines, room * sizeof(*grown));
        if (!grown)
            return false;
        interface->lines = grown;
        interface->room = room;
    }
    char *line = malloc(text->used + 1);
    if (!line)
        return false;
    memcpy(line, text->at, text->used + 1);
    interface->lines[interface->count++] = line;
    return true;
}

/* ---- Words ---- */

static const uint32_t *definition(const struct reader *r, uint32_t id)
{
    static const uint32_t none[8] = {0};
    return id < r->bound && r->definition[id] ? r->words + r->definition[id] : none;
}

static uint32_t opcode(const uint32_t *inst)
{
    return inst[0] & 0xffffu;
}

static uint32_t length(const uint32_t *inst)
{
    return inst[0] >> 16;
}

static bool decorates(uint32_t op)
{
    return op == SpvOpDecorate || op == SpvOpMemberDecorate || op == SpvOpDecorateId || op == SpvOpDecorateString ||
           op == SpvOpMemberDecorateString;
}

/* Where the result of an instruction that stands in front of functions is; 0: it has none that matters here. */
static uint32_t result_at(uint32_t op)
{
    if (op >= SpvOpTypeVoid && op <= SpvOpTypePipe)
        return 1;
    if ((op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable || op == SpvOpUndef)
        return 2;
    switch (op) {
    case SpvOpTypeAccelerationStructureKHR:
    case SpvOpTypeRayQueryKHR:
        return 1;
    default:
        return 0;
    }
}

static bool index_words(struct reader *r)
{
    r->bound = r->words[3];
    r->definition = calloc(r->bound, sizeof(*r->definition));
    r->decorated = calloc(r->bound, sizeof(*r->decorated));
    r->before = calloc(r->word_count, sizeof(*r->before));
    if (!r->definition || !r->decorated || !r->before)
        return false;
    for (size_t at = HEADER; at < r->word_count && opcode(r->words + at) != SpvOpFunction;
         at += length(r->words + at)) {
        const uint32_t *inst = r->words + at;
        const uint32_t result = result_at(opcode(inst));
        if (result && inst[result] < r->bound)
            r->definition[inst[result]] = (uint32_t)at;
        if (decorates(opcode(inst)) && inst[1] < r->bound) {
            r->before[at] = r->decorated[inst[1]];
            r->decorated[inst[1]] = (uint32_t)at;
        }
    }
    return true;
}

/* The first operand of a decoration, or `otherwise`. */
static uint32_t decoration(const struct reader *r, uint32_t id, uint32_t wanted, uint32_t otherwise)
{
    for (uint32_t at = id < r->bound ? r->decorated[id] : 0; at; at = r->before[at]) {
        const uint32_t *inst = r->words + at;
        if (opcode(inst) == SpvOpDecorate && inst[2] == wanted)
            return length(inst) > 3 ? inst[3] : 0;
    }
    return otherwise;
}

/* ---- Descriptions ---- */

static void say_constant(const struct reader *r, uint32_t id, struct text *text)
{
    const uint32_t *inst = definition(r, id);
    const uint32_t number = decoration(r, id, SpvDecorationSpecId, UINT32_MAX);
    if (number != UINT32_MAX)
        say(text, "specialized %u", number);
    else if (opcode(inst) == SpvOpConstant)
        for (uint32_t i = 3; i < length(inst); i++)
            say(text, "%s%u", i > 3 ? ":" : "", inst[i]);
    else
        say(text, "?");
}

static int by_words(const void *a, const void *b)
{
    const uint32_t *x = *(const uint32_t *const *)a, *y = *(const uint32_t *const *)b;
    const uint32_t count = length(x) < length(y) ? length(x) : length(y);
    for (uint32_t i = 2; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return length(x) < length(y) ? -1 : length(x) > length(y);
}

/* All decorations of an id, or of one of its members, but for its place among descriptors. */
static void say_decorations(const struct reader *r, uint32_t id, uint32_t member, struct text *text)
{
    const uint32_t *found[64];
    size_t count = 0;
    for (uint32_t at = id < r->bound ? r->decorated[id] : 0; at && count < 64; at = r->before[at]) {
        const uint32_t *inst = r->words + at;
        const bool of_member = opcode(inst) == SpvOpMemberDecorate || opcode(inst) == SpvOpMemberDecorateString;
        if (of_member != (member != UINT32_MAX) || (of_member && inst[2] != member) ||
            (!of_member && (inst[2] == SpvDecorationDescriptorSet || inst[2] == SpvDecorationBinding)))
            continue;
        found[count++] = inst;
    }
    qsort(found, count, sizeof(found[0]), by_words);
    for (size_t i = 0; i < count; i++) {
        const uint32_t first = member != UINT32_MAX ? 3 : 2;
        say(text, " +%u", found[i][first]);
        for (uint32_t j = first + 1; j < length(found[i]); j++) {
            say(text, ",");
            if (opcode(found[i]) == SpvOpDecorateId)
                say_constant(r, found[i][j], text);
            else
                say(text, "%u", found[i][j]);
        }
    }
}

static void say_type(const struct reader *r, uint32_t id, uint32_t scale, uint32_t depth, struct text *text);

static bool is_array(uint32_t op)
{
    return op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray;
}

/* Bindings with several of the driver's descriptors multiply their innermost array. */
static void say_array(const struct reader *r, const uint32_t *inst, uint32_t scale, uint32_t depth, struct text *text)
{
    const bool innermost = !is_array(opcode(definition(r, inst[2])));
    const uint32_t *constant = opcode(inst) == SpvOpTypeArray ? definition(r, inst[3]) : NULL;
    if (!constant)
        say(text, "[]");
    else if (innermost && scale > 1)
        if (opcode(constant) == SpvOpConstant)
            say(text, "[%u]", constant[3] * scale);
        else
            say(text, "[?]");
    else {
        say(text, "[");
        say_constant(r, inst[3], text);
        say(text, "]");
    }
    say_decorations(r, inst[1], UINT32_MAX, text);
    say_type(r, inst[2], innermost ? 1 : scale, depth, text);
}

static void say_struct(const struct reader *r, const uint32_t *inst, uint32_t depth, struct text *text)
{
    say(text, "{");
    say_decorations(r, inst[1], UINT32_MAX, text);
    for (uint32_t i = 2; i < length(inst); i++) {
        say(text, i > 2 ? "; " : "");
        say_type(r, inst[i], 1, depth, text);
        say_decorations(r, inst[1], i - 2, text);
    }
    say(text, "}");
}

static void say_type(const struct reader *r, uint32_t id, uint32_t scale, uint32_t depth, struct text *text)
{
    const uint32_t *inst = definition(r, id);
    if (depth > DEPTH_MOST) {
        say(text, "...");
        return;
    }
    switch (opcode(inst)) {
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        say_array(r, inst, scale, depth + 1, text);
        return;
    case SpvOpTypeStruct:
        say_struct(r, inst, depth + 1, text);
        return;
    case SpvOpTypePointer: /* which may lead in a circle */
        say(text, "pointer %u", inst[2]);
        return;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        say(text, "%u x ", inst[3]);
        say_type(r, inst[2], 1, depth + 1, text);
        return;
    case SpvOpTypeSampledImage:
        say(text, "sampled ");
        say_type(r, inst[2], 1, depth + 1, text);
        return;
    case SpvOpTypeImage:
        say(text, "image of ");
        say_type(r, inst[2], 1, depth + 1, text);
        for (uint32_t i = 3; i < length(inst); i++)
            say(text, " %u", inst[i]);
        return;
    default:
        say(text, "t%u", opcode(inst));
        for (uint32_t i = 2; i < length(inst); i++)
            say(text, " %u", inst[i]);
    }
}

/* Where the driver has a binding of the program's. */
static const struct spirv_binding *find_binding(const struct spirv_layout *layout, uint32_t set, uint32_t binding)
{
    for (uint32_t i = 0; layout && set < layout->set_count && i < layout->sets[set].binding_count; i++)
        if (layout->sets[set].bindings[i].binding == binding)
            return &layout->sets[set].bindings[i];
    return NULL;
}

static bool read_push(struct interface *interface, const struct reader *r, uint32_t type)
{
    const uint32_t *inst = definition(r, type);
    struct text text = {0};
    if (opcode(inst) != SpvOpTypeStruct) {
        say(&text, "pushed ");
        say_type(r, type, 1, 0, &text);
        return add_line(interface, &text);
    }
    for (uint32_t i = 2; i < length(inst); i++) {
        text.used = 0;
        say(&text, "pushed ");
        say_type(r, inst[i], 1, 0, &text);
        say_decorations(r, type, i - 2, &text);
        if (!add_line(interface, &text))
            return false;
    }
    return true;
}

/* "input" and "output" stand with the entry points that name them. */
static bool read_variable(struct interface *interface, const struct reader *r, const uint32_t *inst)
{
    const uint32_t pointee = definition(r, inst[1])[3], storage = inst[3];
    const uint32_t set = decoration(r, inst[2], SpvDecorationDescriptorSet, UINT32_MAX);
    uint32_t binding = decoration(r, inst[2], SpvDecorationBinding, UINT32_MAX);
    struct text text = {0};
    if (storage == SpvStorageClassPushConstant)
        return read_push(interface, r, pointee);
    if (storage == SpvStorageClassInput || storage == SpvStorageClassOutput || storage == SpvStorageClassPrivate)
        return true;
    const struct spirv_binding *there = find_binding(r->layout, set, binding);
    if (there)
        binding = there->new_binding;
    if (set != UINT32_MAX)
        say(&text, "resource set %u binding %u: ", set, binding);
    say(&text, "class %u ", storage);
    say_type(r, pointee, there ? there->scale : 1, 0, &text);
    say_decorations(r, inst[2], UINT32_MAX, &text);
    return add_line(interface, &text);
}

static const char *entry_name(const struct reader *r, uint32_t function)
{
    for (size_t at = HEADER; at < r->word_count; at += length(r->words + at))
        if (opcode(r->words + at) == SpvOpEntryPoint && r->words[at + 2] == function)
            return (const char *)(r->words + at + 3);
    return "";
}

static bool read_entry(struct interface *interface, const struct reader *r, const uint32_t *inst)
{
    const char *name = (const char *)(inst + 3);
    struct text text = {0};
    say(&text, "entry point %u %s", inst[1], name);
    if (!add_line(interface, &text))
        return false;
    for (uint32_t i = 3 + (uint32_t)strlen(name) / 4 + 1; i < length(inst); i++) {
        const uint32_t *variable = definition(r, inst[i]);
        if (opcode(variable) != SpvOpVariable ||
            (variable[3] != SpvStorageClassInput && variable[3] != SpvStorageClassOutput))
            continue;
        text.used = 0;
        say(&text, "%s of %u %s: ", variable[3] == SpvStorageClassInput ? "input" : "output", inst[1], name);
        say_type(r, definition(r, variable[1])[3], 1, 0, &text);
        say_decorations(r, inst[i], UINT32_MAX, &text);
        if (!add_line(interface, &text))
            return false;
    }
    return true;
}

static bool read_mode(struct interface *interface, const struct reader *r, const uint32_t *inst)
{
    struct text text = {0};
    say(&text, "mode %u of %s:", inst[2], entry_name(r, inst[1]));
    for (uint32_t i = 3; i < length(inst); i++) {
        say(&text, " ");
        if (opcode(inst) == SpvOpExecutionModeId)
            say_constant(r, inst[i], &text);
        else
            say(&text, "%u", inst[i]);
    }
    return add_line(interface, &text);
}

static bool read_specialized(struct interface *interface, const struct reader *r, const uint32_t *inst)
{
    const uint32_t number = decoration(r, inst[2], SpvDecorationSpecId, UINT32_MAX);
    struct text text = {0};
    if (number == UINT32_MAX)
        return true;
    say(&text, "specialized %u: ", number);
    say_type(r, inst[1], 1, 0, &text);
    say(&text, " = %u", opcode(inst));
    for (uint32_t i = 3; i < length(inst); i++)
        say(&text, " %u", inst[i]);
    return add_line(interface, &text);
}

static bool read_instruction(struct interface *interface, const struct reader *r, const uint32_t *inst)
{
    struct text text = {0};
    switch (opcode(inst)) {
    case SpvOpCapability:
        say(&text, "capability %u", inst[1]);
        return add_line(interface, &text);
    case SpvOpExtension:
        say(&text, "extension %s", (const char *)(inst + 1));
        return add_line(interface, &text);
    case SpvOpMemoryModel:
        say(&text, "memory model %u", inst[2]);
        if (!add_line(interface, &text))
            return false;
        text.used = 0;
        say(&text, "addresses %u", inst[1]);
        return inst[1] == SpvAddressingModelLogical || add_line(interface, &text);
    case SpvOpEntryPoint:
        return read_entry(interface, r, inst);
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return read_mode(interface, r, inst);
    case SpvOpSpecConstant:
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
        return read_specialized(interface, r, inst);
    case SpvOpVariable:
        return read_variable(interface, r, inst);
    default:
        return true;
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool interface_read(struct interface *interface, const uint32_t *words, size_t word_count,
                    const struct spirv_layout *layout)
{
    struct reader r = {.words = words, .word_count = word_count, .layout = layout};
    struct text text = {0};
    memset(interface, 0, sizeof(*interface));
    say(&text, "version %x", words[1]);
    bool good = index_words(&r) && add_line(interface, &text);
    for (size_t at = HEADER; good && at < word_count && opcode(words + at) != SpvOpFunction; at += length(words + at))
        good = read_instruction(interface, &r, words + at);
    free(r.definition);
    free(r.decorated);
    free(r.before);
    if (good)
        qsort(interface->lines, interface->count, sizeof(*interface->lines), by_text);
    return good;
}

void interface_free(struct interface *interface)
{
    for (size_t i = 0; i < interface->count; i++)
        free(interface->lines[i]);
    free(interface->lines);
    memset(interface, 0, sizeof(*interface));
}

/* ---- Comparison ---- */

static bool is_layers_binding(const struct spirv_layout *layout, uint32_t set, uint32_t binding)
{
    if (!layout)
        return false;
    if (layout->heaps.nearest && set == layout->heaps.nearest_set && binding == layout->heaps.nearest - 1)
        return true;
    return set < layout->set_count && (layout->sets[set].record_binding == binding ||
                                       (layout->sets[set].nearest && layout->sets[set].nearest - 1 == binding));
}

/* May the layer add this? */
static bool may_be_added(const char *line, const struct spirv_layout *layout)
{
    unsigned set, binding, number;
    if (sscanf(line, "resource set %u binding %u", &set, &binding) == 2)
        return is_layers_binding(layout, set, binding);
    if (!strncmp(line, "pushed ", 7))
        return layout && layout->root_at != 0;
    if (sscanf(line, "capability %u", &number) == 1)
        return number == PHYSICAL_ADDRESSES || number == SpvCapabilitySubgroupVoteKHR;
    if (sscanf(line, "addresses %u", &number) == 1)
        return number == ADDRESSING_64;
    return !strcmp(line, "extension SPV_KHR_physical_storage_buffer") ||
           !strcmp(line, "extension SPV_KHR_subgroup_vote");
}

bool interface_kept(const struct interface *before, const struct interface *after, const struct spirv_layout *layout,
                    char *difference, size_t size)
{
    size_t i = 0, j = 0;
    while (i < before->count || j < after->count) {
        const int order = i == before->count ? 1 : j == after->count ? -1 : strcmp(before->lines[i], after->lines[j]);
        if (order == 0) {
            i++, j++;
        } else if (order < 0) {
            snprintf(difference, size, "the interface lacks: %s", before->lines[i]);
            return false;
        } else if (may_be_added(after->lines[j], layout)) {
            j++;
        } else {
            snprintf(difference, size, "new in the interface: %s", after->lines[j]);
            return false;
        }
    }
    return true;
}
