/* SPDX-License-Identifier: MIT */
/*
 * The outputs pass: fragment shaders that write their channels elsewhere. The entry point becomes a function that a new
 * entry point calls, as in alpha_one.c. An output of fewer than four channels keeps its variable; the channels behind
 * it get a variable of their own in the same location:
 *
 *     out float red;  ──►  out float red; layout(component = 1) out vec3 rest;
 *
 * What is read of an input attachment is moved where it is read:
 *
 *     %texel = OpImageRead  ──►  %read = OpImageRead; %texel = moved(%read)
 */
#include "spirv/outputs.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/module.h"

enum { VECTOR = 4, A = 3, FLOAT_ONE = 0x3f800000, HALF_ONE = 0x3c00 };
#define FLOAT_MINUS_ONE 0xbf800000u

/* An entry point: its offset, and its function. */
struct entry {
    uint32_t at, function;
};

/* An output of a location. `variable` 0: the shader has none. */
struct output {
    uint32_t variable, type, channel; /* type of its value, and of a channel */
    uint32_t count, bits;             /* of channels; of each */
    bool integer;
    bool fixed; /* it is declared in a way that cannot be changed */
};

struct location {
    struct output first, second; /* sources of blending */
};

struct input {
    uint32_t variable; /* 0: none */
    bool fixed;
};

/* The parts of the module that are to change. */
struct plan {
    struct entry entry;
    struct location locations[SPIRV_LOCATIONS];
    struct input inputs[SPIRV_INPUTS];
    const char *why;
};

/* ---- The program's module ---- */

static uint32_t string_words(const uint32_t *inst, uint32_t first)
{
    for (uint32_t i = first; i < inst_length(inst); i++) {
        if (!(inst[i] & 0xff000000u))
            return i - first + 1;
    }
    return inst_length(inst) - first;
}

static bool declares(const struct module *m, uint32_t capability)
{
    for (uint32_t at = HEADER_WORDS; at < m->memory_model_at; at += inst_length(m->words + at)) {
        if (inst_opcode(m->words + at) == SpvOpCapability && m->words[at + 1] == capability)
            return true;
    }
    return false;
}

static bool find_entry(const struct module *m, const char *name, struct plan *plan)
{
    uint32_t same = 0;
    struct entry *entry = &plan->entry;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const size_t room = (inst_length(inst) - 3) * sizeof(*inst), length = strlen(name);
        if (inst[1] == SpvExecutionModelFragment && length < room && memcmp(inst + 3, name, length + 1) == 0)
            *entry = (struct entry){at, inst[2]};
    }
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at))
        same += m->words[at + 2] == entry->function;
    if (!entry->at || module_opcode(m, entry->function) != SpvOpFunction)
        plan->why = "it has no such entry point";
    else if (same != 1)
        plan->why = "two entry points have one function";
    else if (declares(m, SpvCapabilityFragmentShaderPixelInterlockEXT) ||
             declares(m, SpvCapabilityFragmentShaderSampleInterlockEXT) ||
             declares(m, SpvCapabilityFragmentShaderShadingRateInterlockEXT))
        plan->why = "it has interlocks";
    return !plan->why;
}

/* The decorations of a variable. */
struct decorations {
    uint32_t location, index, input; /* UINT32_MAX: none */
    bool fixed;
};

static struct decorations decorations_of(const struct module *m, uint32_t variable)
{
    struct decorations found = {UINT32_MAX, 0, UINT32_MAX, false};
    for (uint32_t at = m->names_end; at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        for (uint32_t i = 2; inst_opcode(inst) == SpvOpGroupDecorate && i < inst_length(inst); i++)
            found.fixed |= inst[i] == variable;
        if (inst_opcode(inst) != SpvOpDecorate || inst[1] != variable || inst_length(inst) < 4)
            continue;
        if (inst[2] == SpvDecorationLocation)
            found.location = inst[3];
        else if (inst[2] == SpvDecorationIndex)
            found.index = inst[3];
        else if (inst[2] == SpvDecorationInputAttachmentIndex)
            found.input = inst[3];
        else if (inst[2] == SpvDecorationComponent)
            found.fixed |= inst[3] != 0;
    }
    return found;
}

/* The value of a variable: a scalar or a vector of numbers. */
static struct output output_of(const struct module *m, uint32_t variable)
{
    struct output output = {.variable = variable, .fixed = true};
    const uint32_t *declared = module_definition(m, variable);
    const uint32_t *pointer = module_definition(m, declared[1]);
    if (inst_opcode(pointer) != SpvOpTypePointer)
        return output;
    output.type = pointer[3];
    const uint32_t *value = module_definition(m, pointer[3]);
    const bool vector = inst_opcode(value) == SpvOpTypeVector;
    output.count = vector ? value[3] : 1;
    output.channel = vector ? value[2] : pointer[3];
    const uint32_t *channel = module_definition(m, output.channel);
    if (inst_opcode(channel) != SpvOpTypeInt && inst_opcode(channel) != SpvOpTypeFloat)
        return output;
    output.integer = inst_opcode(channel) == SpvOpTypeInt;
    output.bits = channel[2];
    output.fixed = (output.bits != 32 && output.bits != 16) || output.count > VECTOR ||
                   (output.bits == 16 && !declares(m, output.integer ? SpvCapabilityInt16 : SpvCapabilityFloat16));
    return output;
}

static bool is_output(const struct module *m, uint32_t id)
{
    const uint32_t *declared = module_definition(m, id);
    return inst_opcode(declared) == SpvOpVariable && declared[3] == SpvStorageClassOutput;
}

static void find_outputs(const struct module *m, struct plan *plan)
{
    const uint32_t *inst = m->words + plan->entry.at;
    for (uint32_t i = 3 + string_words(inst, 3); i < inst_length(inst); i++) {
        if (!is_output(m, inst[i]))
            continue;
        const struct decorations decorated = decorations_of(m, inst[i]);
        struct output output = output_of(m, inst[i]);
        output.fixed |= decorated.fixed;
        if (decorated.location >= SPIRV_LOCATIONS)
            continue;
        struct location *location = &plan->locations[decorated.location];
        struct output *place = decorated.index ? &location->second : &location->first;
        output.fixed |= place->variable != 0; /* several variables of one location */
        *place = output;
    }
}

/* ---- Input attachments ---- */

static bool is_subpass(const struct module *m, uint32_t type)
{
    const uint32_t *image = module_definition(m, type);
    return inst_opcode(image) == SpvOpTypeImage && image[3] == SpvDimSubpassData;
}

/* The input attachment that an OpLoad in a function loads; SPIRV_INPUTS: none. */
static uint32_t input_of_load(const struct plan *plan, const uint32_t *inst)
{
    uint32_t i = 0;
    while (i < SPIRV_INPUTS && !(plan->inputs[i].variable && plan->inputs[i].variable == inst[3]))
        i++;
    return i;
}

/* The input attachment that is read by an instruction, an OpImageRead; SPIRV_INPUTS: none. */
static uint32_t input_of_read(const struct module *m, const struct plan *plan, const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    if (opcode != SpvOpImageRead)
        return SPIRV_INPUTS;
    const uint32_t *image = module_definition(m, inst[3]);
    return inst_opcode(image) == SpvOpLoad ? input_of_load(plan, image) : SPIRV_INPUTS;
}

/* Instructions by which a variable or its image may get out of sight. All of their words are ids. */
static bool takes_values(uint32_t opcode)
{
    return opcode == SpvOpFunctionCall || opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain ||
           opcode == SpvOpCopyObject || opcode == SpvOpStore || opcode == SpvOpPhi || opcode == SpvOpSelect ||
           opcode == SpvOpReturnValue || opcode == SpvOpCompositeConstruct || opcode == SpvOpImageSparseRead;
}

static bool uses(const struct module *m, const uint32_t *inst, uint32_t variable)
{
    bool used = false;
    for (uint32_t word = 1; variable && word < inst_length(inst); word++) {
        const uint32_t *value = module_definition(m, inst[word]);
        used |= inst[word] == variable || (inst_opcode(value) == SpvOpLoad && value[3] == variable);
    }
    return used;
}

static void find_inputs(const struct module *m, struct plan *plan)
{
    for (uint32_t at = m->annotations_end; at < m->functions_at; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        if (inst_opcode(inst) != SpvOpVariable || inst[3] != SpvStorageClassUniformConstant)
            continue;
        const struct decorations decorated = decorations_of(m, inst[2]);
        if (decorated.input == UINT32_MAX)
            continue;
        const uint32_t *pointer = module_definition(m, inst[1]);
        const bool one = inst_opcode(pointer) == SpvOpTypePointer && is_subpass(m, pointer[3]);
        for (uint32_t i = decorated.input; i < SPIRV_INPUTS; i++) {
            /* An array has all indices from its first on. */
            if (!one || i == decorated.input) {
                plan->inputs[i].fixed |= !one || decorated.fixed || plan->inputs[i].variable != 0;
                plan->inputs[i].variable = inst[2];
            }
        }
    }
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        for (uint32_t i = 0; takes_values(inst_opcode(inst)) && i < SPIRV_INPUTS; i++)
            plan->inputs[i].fixed |= uses(m, inst, plan->inputs[i].variable);
    }
}

/* ---- Whether it can be done ---- */

/* Whether a channel of the location changes. */
static bool changes(const struct spirv_moves *moves, uint32_t channel)
{
    return spirv_moves_select(moves, channel) != SPIRV_SELECT_LEFT ||
           spirv_moves_factor(moves, channel) != SPIRV_TERM_NONE;
}

static const char *location_fault(const struct spirv_moves *moves, const struct location *location, bool integer)
{
    const struct output *first = &location->first;
    if (!first->variable || !spirv_moves_any(moves))
        return NULL;
    if (first->fixed || location->second.fixed)
        return "an output is in a block, an array, a component of its own, or of numbers that cannot be changed";
    if (first->integer != integer)
        return "an output is of other numbers than the attachment";
    if (spirv_moves_products(moves) && (first->bits != 32 || first->integer))
        return "an output of 16 bits or of integers would have to be multiplied";
    if (location->second.variable && (location->second.count != VECTOR || location->second.bits != 32))
        return "the second source has fewer than four channels of 32 bits";
    return NULL;
}

static uint32_t find_all(const struct module *m, const struct spirv_outputs *wanted, struct plan *plan)
{
    uint32_t found = SPIRV_OUTPUTS_ALL;
    if (!find_entry(m, wanted->entry, plan))
        return 0;
    find_outputs(m, plan);
    find_inputs(m, plan);
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const char *why = location_fault(&wanted->locations[i], &plan->locations[i], wanted->integers >> i & 1);
        if (why)
            found &= ~(1u << i);
        plan->why = plan->why ? plan->why : why;
    }
    for (uint32_t i = 0; i < SPIRV_INPUTS; i++) {
        if (!wanted->inputs[i] || !plan->inputs[i].fixed)
            continue;
        found &= ~(1u << (16 + i));
        plan->why = plan->why ? plan->why : "an input attachment is in an array, or passed to a function";
    }
    if (*m->steps == 0) {
        plan->why = "it is too large";
        return 0;
    }
    return found;
}

uint32_t spirv_find_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                            const struct spirv_allocator *allocator, const char **why)
{
    struct module m;
    struct plan plan = {.why = NULL};
    char message[MODULE_MESSAGE];
    allocator = allocator ? allocator : &module_c_allocator;
    if (why)
        *why = NULL;
    const enum spirv_result result = module_index(&m, words, word_count, allocator, message);
    if (result != SPIRV_REWRITTEN) {
        if (why && result != SPIRV_OUT_OF_MEMORY)
            *why = "it cannot be read";
        return 0;
    }
    const uint32_t found = find_all(&m, wanted, &plan);
    module_drop(&m, allocator);
    if (why)
        *why = plan.why;
    return found;
}

/* ---- The module that is written ---- */

struct writer {
    const struct module *m;
    uint32_t *words;
    size_t count;
    uint32_t next_id;
    uint32_t boolean;                    /* the type */
    uint32_t added[2 * SPIRV_LOCATIONS]; /* new variables */
    uint32_t added_count;
};

static void put(struct writer *w, uint32_t opcode, const uint32_t *operands, uint32_t operand_count)
{
    w->words[w->count++] = inst_word0(opcode, operand_count + 1);
    memcpy(w->words + w->count, operands, operand_count * sizeof(*operands));
    w->count += operand_count;
}
#define PUT(W, OPCODE, ...)                                                                                            \
    put((W), (OPCODE), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Generous: a location has at most 4 channels with some 20 instructions each, of 7 words at most. */
enum { WORDS_EACH = 1200, IDS_EACH = 200, WORDS_READ = 5 * 5 + 7, IDS_READ = 6, WORDS_AROUND = 64 };

/* Ids that are declared for one location. */
struct made {
    uint32_t zero, one, minus_one;        /* constants */
    uint32_t rest, rest_type, rest_count; /* the variable of the channels behind the program's */
    uint32_t second, vector;              /* the second source, and its type */
};

/* A type that the module has, by opcode and operands behind the id; else 0. */
static uint32_t declared_type(const struct writer *w, size_t from, size_t to, const uint32_t *words, uint32_t opcode,
                              uint32_t first, uint32_t second)
{
    (void)w;
    for (size_t at = from; at < to; at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        if (inst_opcode(inst) == opcode && (inst_length(inst) < 3 || inst[2] == first) &&
            (inst_length(inst) < 4 || inst[3] == second))
            return inst[1];
    }
    return 0;
}

/* The same, declared if it is missing. `from`: where the types of the new module begin. */
static uint32_t type_of(struct writer *w, size_t from, uint32_t opcode, uint32_t first, uint32_t second)
{
    uint32_t id = declared_type(w, from, w->count, w->words, opcode, first, second);
    if (id)
        return id;
    id = w->next_id++;
    if (opcode == SpvOpTypeBool)
        PUT(w, opcode, id);
    else
        PUT(w, opcode, id, first, second);
    return id;
}

static uint32_t variable_of(struct writer *w, size_t from, uint32_t type)
{
    const uint32_t pointer = type_of(w, from, SpvOpTypePointer, SpvStorageClassOutput, type), id = w->next_id++;
    PUT(w, SpvOpVariable, pointer, id, SpvStorageClassOutput);
    w->added[w->added_count++] = id;
    return id;
}

static uint32_t constant_of(struct writer *w, uint32_t type, uint32_t word)
{
    const uint32_t id = w->next_id++;
    PUT(w, SpvOpConstant, type, id, word);
    return id;
}

/* Types, constants and variables of a location. */
static void declare(struct writer *w, size_t from, const struct spirv_moves *moves, const struct location *location,
                    struct made *made)
{
    const struct output *first = &location->first;
    const uint32_t one = first->integer ? 1 : first->bits == 32 ? FLOAT_ONE : HALF_ONE;
    bool behind = false;
    for (uint32_t i = first->count; i < VECTOR; i++)
        behind |= changes(moves, i);
    made->zero = constant_of(w, first->channel, 0);
    made->one = constant_of(w, first->channel, one);
    if (spirv_moves_clamp(moves) == SPIRV_CLAMP_SNORM)
        made->minus_one = constant_of(w, first->channel, FLOAT_MINUS_ONE);
    if (spirv_moves_products(moves))
        w->boolean = type_of(w, from, SpvOpTypeBool, 0, 0);
    if (behind) {
        made->rest_count = VECTOR - first->count;
        made->rest_type = made->rest_count == 1 ? first->channel
                                                : type_of(w, from, SpvOpTypeVector, first->channel, made->rest_count);
        made->rest = variable_of(w, from, made->rest_type);
    }
    if (moves->second) {
        made->vector = type_of(w, from, SpvOpTypeVector, first->channel, VECTOR);
        made->second = location->second.variable ? location->second.variable : variable_of(w, from, made->vector);
    }
}

/* ---- Values ---- */

/* A location's numbers while its code is written. */
struct values {
    const struct output *output;
    const struct made *made;
    enum spirv_clamp clamp;
    uint32_t source[VECTOR], clamped[VECTOR], second[VECTOR]; /* ids; 0: not made yet */
    uint32_t loaded_second;
};

static uint32_t put_binary(struct writer *w, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t id = w->next_id++;
    PUT(w, opcode, type, id, a, b);
    return id;
}

/* The lesser or greater of two numbers; `other` where `value` is no number. */
static uint32_t put_bound(struct writer *w, uint32_t opcode, uint32_t type, uint32_t value, uint32_t other)
{
    const uint32_t within = put_binary(w, opcode, w->boolean, value, other), id = w->next_id++;
    PUT(w, SpvOpSelect, type, id, within, value, other);
    return id;
}

static uint32_t clamped(struct writer *w, const struct values *v, uint32_t value)
{
    const uint32_t type = v->output->channel;
    if (v->clamp == SPIRV_CLAMP_NONE)
        return value;
    const uint32_t least = v->clamp == SPIRV_CLAMP_SNORM ? v->made->minus_one : v->made->zero;
    return put_bound(w, SpvOpFOrdLessThan, type, put_bound(w, SpvOpFOrdGreaterThan, type, value, least), v->made->one);
}

static uint32_t selected(const struct values *v, enum spirv_select select, uint32_t channel)
{
    if (select == SPIRV_SELECT_ZERO)
        return v->made->zero;
    if (select == SPIRV_SELECT_ONE)
        return v->made->one;
    return v->source[select == SPIRV_SELECT_LEFT ? channel : (uint32_t)(select - SPIRV_SELECT_R)];
}

static uint32_t source_clamped(struct writer *w, struct values *v, uint32_t channel)
{
    if (!v->clamped[channel])
        v->clamped[channel] = clamped(w, v, v->source[channel]);
    return v->clamped[channel];
}

static uint32_t second_clamped(struct writer *w, struct values *v, uint32_t channel)
{
    if (!v->loaded_second)
        return channel == A ? v->made->one : v->made->zero;
    if (!v->second[channel]) {
        const uint32_t id = w->next_id++;
        PUT(w, SpvOpCompositeExtract, v->output->channel, id, v->loaded_second, channel);
        v->second[channel] = clamped(w, v, id);
    }
    return v->second[channel];
}

static uint32_t term_of(struct writer *w, struct values *v, enum spirv_term term)
{
    const uint32_t type = v->output->channel, zero = v->made->zero, one = v->made->one;
    if (term == SPIRV_TERM_ZERO)
        return zero;
    if (term == SPIRV_TERM_ONE)
        return one;
    if (term == SPIRV_TERM_MIN_ZERO || term == SPIRV_TERM_MIN_ONE)
        return put_bound(w, SpvOpFOrdLessThan, type, source_clamped(w, v, A), term == SPIRV_TERM_MIN_ONE ? one : zero);
    const uint32_t number = (uint32_t)(term - SPIRV_TERM_SOURCE), kind = number / 4, channel = number % 4;
    const uint32_t value = kind < 2 ? source_clamped(w, v, channel) : second_clamped(w, v, channel);
    return kind & 1 ? put_binary(w, SpvOpFSub, type, one, value) : value;
}

static uint32_t channel_of(struct writer *w, struct values *v, const struct spirv_moves *moves, uint32_t channel)
{
    const enum spirv_term factor = spirv_moves_factor(moves, channel);
    const uint32_t value = selected(v, spirv_moves_select(moves, channel), channel);
    if (factor == SPIRV_TERM_NONE)
        return value;
    return put_binary(w, SpvOpFMul, v->output->channel, clamped(w, v, value), term_of(w, v, factor));
}

/* Stores channels `from` to `from` + `count` - 1 into a variable. */
static void store(struct writer *w, const uint32_t channels[VECTOR], uint32_t from, uint32_t count, uint32_t type,
                  uint32_t variable)
{
    uint32_t value = channels[from], operands[2 + VECTOR] = {type};
    if (count > 1) {
        operands[1] = value = w->next_id++;
        memcpy(operands + 2, channels + from, count * sizeof(*channels));
        put(w, SpvOpCompositeConstruct, operands, 2 + count);
    }
    PUT(w, SpvOpStore, variable, value);
}

static void write_location(struct writer *w, const struct spirv_moves *moves, const struct location *location,
                           const struct made *made)
{
    const struct output *first = &location->first;
    struct values v = {.output = first, .made = made, .clamp = spirv_moves_clamp(moves)};
    uint32_t channels[VECTOR], seconds[VECTOR];
    const uint32_t loaded = w->next_id++;
    PUT(w, SpvOpLoad, first->type, loaded, first->variable);
    for (uint32_t i = 0; i < VECTOR; i++) {
        v.source[i] = i == A ? made->one : made->zero;
        if (i >= first->count)
            continue;
        v.source[i] = loaded;
        if (first->count > 1) {
            v.source[i] = w->next_id++;
            PUT(w, SpvOpCompositeExtract, first->channel, v.source[i], loaded, i);
        }
    }
    if (location->second.variable && spirv_moves_products(moves)) {
        v.loaded_second = w->next_id++;
        PUT(w, SpvOpLoad, location->second.type, v.loaded_second, location->second.variable);
    }
    for (uint32_t i = 0; i < VECTOR; i++)
        channels[i] = channel_of(w, &v, moves, i);
    for (uint32_t i = 0; i < VECTOR && moves->second; i++) {
        const enum spirv_term term = spirv_moves_second(moves, i);
        seconds[i] = term == SPIRV_TERM_NONE ? second_clamped(w, &v, i) : term_of(w, &v, term);
    }
    store(w, channels, 0, first->count, first->type, first->variable);
    if (made->rest)
        store(w, channels, first->count, made->rest_count, made->rest_type, made->rest);
    if (moves->second)
        store(w, seconds, 0, VECTOR, made->vector, made->second);
}

/* ---- Parts ---- */

static void copy(struct writer *w, uint32_t from, uint32_t to)
{
    memcpy(w->words + w->count, w->m->words + from, (to - from) * sizeof(*w->words));
    w->count += to - from;
}

/* The entry point has the new function and, in its interface, the new variables. */
static void write_entry(struct writer *w, const struct entry *entry, uint32_t function)
{
    const uint32_t *inst = w->m->words + entry->at;
    const size_t at = w->count;
    copy(w, entry->at, entry->at + inst_length(inst));
    w->words[at + 2] = function;
    memcpy(w->words + w->count, w->added, w->added_count * sizeof(*w->added));
    w->count += w->added_count;
    w->words[at] = inst_word0(SpvOpEntryPoint, (uint32_t)(w->count - at));
}

static void rename_modes(struct writer *w, size_t from, const struct entry *entry, uint32_t function)
{
    for (size_t at = from; at < w->count; at += inst_length(w->words + at)) {
        const uint32_t opcode = inst_opcode(w->words + at);
        if ((opcode == SpvOpExecutionMode || opcode == SpvOpExecutionModeId) && w->words[at + 1] == entry->function)
            w->words[at + 1] = function;
    }
}

static void decorate(struct writer *w, const struct plan *plan, const struct made made[SPIRV_LOCATIONS])
{
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const struct location *location = &plan->locations[i];
        if (made[i].rest) {
            PUT(w, SpvOpDecorate, made[i].rest, SpvDecorationLocation, i);
            PUT(w, SpvOpDecorate, made[i].rest, SpvDecorationComponent, location->first.count);
        }
        if (made[i].second && !location->second.variable) {
            PUT(w, SpvOpDecorate, made[i].second, SpvDecorationLocation, i);
            PUT(w, SpvOpDecorate, made[i].second, SpvDecorationIndex, 1);
        }
    }
}

/* An input attachment's channels: constants of the type of its channels are made in front of functions. */
struct input_made {
    uint32_t channel, zero, one;
};

static void write_read(struct writer *w, const uint32_t *inst, uint32_t selects, const struct input_made *made)
{
    const size_t at = w->count;
    const uint32_t read = w->next_id++;
    uint32_t operands[2 + VECTOR] = {inst[1], inst[2]}, extracted[VECTOR] = {0};
    memcpy(w->words + at, inst, inst_length(inst) * sizeof(*inst));
    w->count += inst_length(inst);
    w->words[at + 2] = read;
    for (uint32_t i = 0; i < VECTOR; i++) {
        const uint32_t select = selects >> 3 * i & 7;
        const uint32_t from = select == SPIRV_SELECT_LEFT ? i : select - SPIRV_SELECT_R;
        if (select == SPIRV_SELECT_ZERO || select == SPIRV_SELECT_ONE) {
            operands[2 + i] = select == SPIRV_SELECT_ONE ? made->one : made->zero;
            continue;
        }
        if (!extracted[from]) {
            extracted[from] = w->next_id++;
            PUT(w, SpvOpCompositeExtract, made->channel, extracted[from], read, from);
        }
        operands[2 + i] = extracted[from];
    }
    put(w, SpvOpCompositeConstruct, operands, 2 + VECTOR);
}

static uint32_t channel_type(const struct module *m, uint32_t type)
{
    const uint32_t *vector = module_definition(m, type);
    return inst_opcode(vector) == SpvOpTypeVector && vector[3] == VECTOR ? vector[2] : 0;
}

/* The reads of moved inputs: their number, and the constants that they need. */
static uint32_t count_reads(const struct module *m, const struct plan *plan, const struct spirv_outputs *wanted)
{
    uint32_t count = 0;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t input = input_of_read(m, plan, m->words + at);
        count += input < SPIRV_INPUTS && wanted->inputs[input] != 0;
    }
    return count;
}

static void write_functions(struct writer *w, const struct plan *plan, const struct spirv_outputs *wanted,
                            const struct input_made inputs[SPIRV_INPUTS])
{
    const struct module *m = w->m;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t input = input_of_read(m, plan, inst);
        if (input < SPIRV_INPUTS && wanted->inputs[input] && channel_type(m, inst[1]))
            write_read(w, inst, wanted->inputs[input], &inputs[input]);
        else
            copy(w, at, at + inst_length(inst));
    }
}

static void declare_inputs(struct writer *w, const struct plan *plan, const struct spirv_outputs *wanted,
                           struct input_made made[SPIRV_INPUTS])
{
    const struct module *m = w->m;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t input = input_of_read(m, plan, inst);
        if (input >= SPIRV_INPUTS || !wanted->inputs[input] || made[input].channel)
            continue;
        made[input].channel = channel_type(m, inst[1]);
        const uint32_t *channel = module_definition(m, made[input].channel);
        const bool integer = inst_opcode(channel) == SpvOpTypeInt;
        made[input].zero = constant_of(w, made[input].channel, 0);
        made[input].one = constant_of(w, made[input].channel, integer ? 1 : channel[2] == 16 ? HALF_ONE : FLOAT_ONE);
    }
}

static void write_module(struct writer *w, const struct plan *plan, const struct spirv_outputs *wanted)
{
    const struct module *m = w->m;
    const struct entry *entry = &plan->entry;
    const uint32_t *program = module_definition(m, entry->function);
    const uint32_t function = w->next_id++;
    struct made made[SPIRV_LOCATIONS];
    struct input_made inputs[SPIRV_INPUTS];
    memset(made, 0, sizeof(made));
    memset(inputs, 0, sizeof(inputs));
    /* Declarations first, in their place behind where the entry point and decorations will grow. */
    struct writer types = *w;
    types.words = w->words + m->functions_at + WORDS_AROUND + SPIRV_LOCATIONS * 16;
    types.count = 0;
    memcpy(types.words, m->words + m->annotations_end, (m->functions_at - m->annotations_end) * sizeof(*w->words));
    types.count = m->functions_at - m->annotations_end;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        if (plan->locations[i].first.variable && spirv_moves_any(&wanted->locations[i]))
            declare(&types, 0, &wanted->locations[i], &plan->locations[i], &made[i]);
    }
    declare_inputs(&types, plan, wanted, inputs);
    w->next_id = types.next_id;
    w->boolean = types.boolean;
    w->added_count = types.added_count;
    memcpy(w->added, types.added, sizeof(w->added));
    copy(w, 0, entry->at);
    write_entry(w, entry, function);
    const size_t modes = w->count;
    copy(w, entry->at + inst_length(m->words + entry->at), m->annotations_end);
    rename_modes(w, modes, entry, function);
    decorate(w, plan, made);
    memmove(w->words + w->count, types.words, types.count * sizeof(*w->words));
    w->count += types.count;
    write_functions(w, plan, wanted, inputs);
    PUT(w, SpvOpFunction, program[1], function, SpvFunctionControlMaskNone, program[4]);
    PUT(w, SpvOpLabel, w->next_id++);
    PUT(w, SpvOpFunctionCall, program[1], w->next_id++, entry->function);
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        if (made[i].one)
            write_location(w, &wanted->locations[i], &plan->locations[i], &made[i]);
    }
    w->words[w->count++] = inst_word0(SpvOpReturn, 1);
    w->words[w->count++] = inst_word0(SpvOpFunctionEnd, 1);
    w->words[HEADER_BOUND] = module_bound_with(m, w->next_id);
}

/* Whether the shader has anything that changes. */
static bool has_any(const struct module *m, const struct plan *plan, const struct spirv_outputs *wanted)
{
    bool any = count_reads(m, plan, wanted) != 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++)
        any |= plan->locations[i].first.variable && spirv_moves_any(&wanted->locations[i]);
    return any;
}

enum spirv_result spirv_write_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                                      const struct spirv_allocator *allocator, struct spirv_output *output)
{
    struct module m;
    struct plan plan = {.why = NULL};
    memset(output, 0, sizeof(*output));
    allocator = allocator ? allocator : &module_c_allocator;
    enum spirv_result result = module_index(&m, words, word_count, allocator, output->message);
    if (result != SPIRV_REWRITTEN)
        return result;
    const uint32_t found = find_all(&m, wanted, &plan);
    const uint32_t reads = found == SPIRV_OUTPUTS_ALL ? count_reads(&m, &plan, wanted) : 0;
    const uint64_t ids = (uint64_t)SPIRV_LOCATIONS * IDS_EACH + (uint64_t)reads * IDS_READ + SPIRV_INPUTS * 2;
    if (found != SPIRV_OUTPUTS_ALL || m.free_end - m.free_id < ids) {
        result = SPIRV_UNSUPPORTED;
    } else if (!has_any(&m, &plan, wanted)) {
        result = SPIRV_UNCHANGED;
    } else {
        const size_t most =
            2 * word_count + 4 * WORDS_AROUND + SPIRV_LOCATIONS * (size_t)WORDS_EACH + reads * (size_t)WORDS_READ;
        struct writer w = {.m = &m,
                           .words = allocator->reallocate(allocator->user, NULL, most * sizeof(*words)),
                           .next_id = m.free_id};
        if (w.words)
            write_module(&w, &plan, wanted);
        else
            result = SPIRV_OUT_OF_MEMORY;
        output->words = w.words;
        output->word_count = w.count;
    }
    module_drop(&m, allocator);
    return result;
}
