/* SPDX-License-Identifier: MIT */
/*
 * The outputs pass: fragment shaders whose outputs are changed before blending reads them. The entry point becomes a
 * function that a new entry point calls:
 *
 *     main'() { main(); color = (color.b, color.g * color.a, color.r, 1); second = ...; }
 *
 * So outputs are changed last, wherever the program's code writes them. The program's variables stay. Channels that a
 * location lacks get variables of their own there (Component), and so does a second source (Index). Numbers are made
 * channel by channel of what the program wrote, all read before any is stored. Beside a second source of the layer's
 * other locations are left out (surplus.h).
 *
 *     texel = read(input)            read_texel = read(input)
 *                                    texel = shuffle(read_texel, (0, 1, 0, 1))
 */
#include "spirv/outputs.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"
#include "spirv/module/module.h"
#include "spirv/spirv.h"
#include "spirv/surplus.h"

enum { CHANNELS = 4, ALPHA = 3, SOURCES = 2, NOWHERE = SPIRV_LOCATIONS };

/* SPV_EXT_shader_tile_image; older headers lack it. */
enum { TILE_IMAGE_COLOR_READ_ACCESS = 4166 };

/* From this version on an interface has all global variables of the entry point. */
#define VERSION_WHOLE_INTERFACE 0x00010400u

static const char no_entry[] = "the entry point's function cannot be called: another entry point or interlocks use it";
static const char no_shape[] = "an output is neither a scalar, a vector nor an array of those";
static const char no_kind[] = "an output has another kind of numbers than its attachment, or too few capabilities";
static const char no_width[] = "an output that must be multiplied has less than 32 bits a channel";
static const char no_tile[] = "the shader reads attachments as tile images";
static const char no_second[] = "the shader writes other locations as well, beside which there may be no second source "
                                "for blending, and they cannot "
                                "be left out";
static const char no_input[] = "it is not known which input attachment an instruction reads";

/* An entry point: its offset, and its function. */
struct entry {
    uint32_t at, function;
};

/* A variable, or an element of one, that has some channels of a location. */
struct piece {
    uint32_t variable, type; /* of the value */
    uint32_t component, count;
    bool in_array;
    uint32_t element;
};

/* All that the program writes to a location, by source. */
struct location {
    struct piece pieces[SOURCES][CHANNELS];
    uint32_t count[SOURCES];
    uint32_t channel; /* type of a channel; 0: nothing is written */
    const char *why;  /* it cannot be changed */
    bool integer;
    uint32_t width;
};

struct outputs {
    struct module m;
    struct entry entry;
    struct location locations[SPIRV_LOCATIONS];
    uint32_t only; /* the location of a second source, beside which all others are left out; NOWHERE: all stay */
    struct surplus surplus;
    const struct spirv_outputs *wanted;
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

/* The fragment shader of that name. */
static bool find_entry(const struct module *m, const char *name, struct entry *entry)
{
    entry->at = 0;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const size_t room = (inst_length(inst) - 3) * sizeof(*inst), length = strlen(name);
        if (inst[1] == SpvExecutionModelFragment && length < room && memcmp(inst + 3, name, length + 1) == 0)
            *entry = (struct entry){at, inst[2]};
    }
    return entry->at != 0 && module_opcode(m, entry->function) == SpvOpFunction;
}

/* Entry points may not be called, so no other has the function; interlocks begin and end in entry points alone. */
static bool is_callable(const struct module *m, const struct entry *entry)
{
    uint32_t same = 0;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at))
        same += m->words[at + 2] == entry->function;
    return same == 1 && !declares(m, SpvCapabilityFragmentShaderPixelInterlockEXT) &&
           !declares(m, SpvCapabilityFragmentShaderSampleInterlockEXT) &&
           !declares(m, SpvCapabilityFragmentShaderShadingRateInterlockEXT);
}

/* ---- Decorations ---- */

/* Of a variable; NOWHERE: it has no location. */
struct decorations {
    uint32_t location, component, index, input;
};

static void read_decoration(const uint32_t *inst, struct decorations *decorations)
{
    if (inst_length(inst) < 4)
        return;
    if (inst[2] == SpvDecorationLocation)
        decorations->location = inst[3] < NOWHERE ? inst[3] : NOWHERE;
    else if (inst[2] == SpvDecorationComponent)
        decorations->component = inst[3];
    else if (inst[2] == SpvDecorationIndex)
        decorations->index = inst[3];
    else if (inst[2] == SpvDecorationInputAttachmentIndex)
        decorations->input = inst[3];
}

static void read_own(const struct module *m, uint32_t target, struct decorations *decorations)
{
    for (uint32_t at = m->names_end; at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
        if (inst_opcode(m->words + at) == SpvOpDecorate && m->words[at + 1] == target)
            read_decoration(m->words + at, decorations);
    }
}

static struct decorations decorations_of(const struct module *m, uint32_t variable)
{
    struct decorations decorations = {.location = NOWHERE, .input = UINT32_MAX};
    for (uint32_t at = m->names_end; at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        for (uint32_t i = 2; inst_opcode(inst) == SpvOpGroupDecorate && i < inst_length(inst); i++) {
            if (inst[i] == variable)
                read_own(m, inst[1], &decorations);
        }
    }
    read_own(m, variable, &decorations);
    return decorations;
}

/* ---- Outputs ---- */

/* A scalar or a vector; its scalar's type. */
static bool is_value(const struct module *m, uint32_t type, uint32_t *channel, uint32_t *count)
{
    const uint32_t *inst = module_definition(m, type);
    *channel = inst_opcode(inst) == SpvOpTypeVector ? inst[2] : type;
    *count = inst_opcode(inst) == SpvOpTypeVector ? inst[3] : 1;
    const uint32_t opcode = module_opcode(m, *channel);
    return (opcode == SpvOpTypeFloat || opcode == SpvOpTypeInt) && *count <= CHANNELS &&
           (*count > 1 || *channel == type);
}

/* Modules that only load and store numbers of 16 bits may neither have constants of them nor take vectors apart. */
static bool is_usable(const struct module *m, uint32_t channel)
{
    const uint32_t *type = module_definition(m, channel);
    const bool integer = inst_opcode(type) == SpvOpTypeInt;
    return type[2] == 32 || (type[2] == 16 && declares(m, integer ? SpvCapabilityInt16 : SpvCapabilityFloat16));
}

static void add_piece(const struct module *m, struct location *location, uint32_t source, const struct piece *piece,
                      uint32_t channel)
{
    const uint32_t *type = module_definition(m, channel);
    const bool integer = inst_opcode(type) == SpvOpTypeInt;
    if (location->channel && location->channel != channel)
        location->why = no_shape;
    location->channel = channel;
    location->integer = integer;
    location->width = type[2];
    if (location->count[source] == CHANNELS || piece->component >= CHANNELS ||
        piece->component + piece->count > CHANNELS)
        location->why = no_shape;
    else
        location->pieces[source][location->count[source]++] = *piece;
    if (!is_usable(m, channel))
        location->why = no_kind;
}

static void find_output(struct outputs *o, uint32_t variable)
{
    const struct module *m = &o->m;
    const uint32_t *declared = module_definition(m, variable);
    if (inst_opcode(declared) != SpvOpVariable || declared[3] != SpvStorageClassOutput)
        return;
    const struct decorations at = decorations_of(m, variable);
    const uint32_t *pointer = module_definition(m, declared[1]);
    uint32_t type = inst_opcode(pointer) == SpvOpTypePointer ? pointer[3] : 0, length = 1, channel, count;
    const uint32_t *array = module_definition(m, type);
    const bool in_array = inst_opcode(array) == SpvOpTypeArray;
    bool known = true;
    if (in_array) {
        type = array[2];
        known = module_constant(m, array[3], &length) && module_opcode(m, array[3]) == SpvOpConstant;
    }
    known &= is_value(m, type, &channel, &count);
    const bool block = module_opcode(m, type) == SpvOpTypeStruct; /* whose members may have the locations */
    if (at.location == NOWHERE && !block)
        return;
    for (uint32_t i = block ? 0 : at.location; !known && i < SPIRV_LOCATIONS; i++)
        o->locations[i].why = no_shape;
    for (uint32_t i = 0; known && i < length && at.location + i < SPIRV_LOCATIONS && at.index < SOURCES; i++)
        add_piece(m, &o->locations[at.location + i], at.index,
                  &(struct piece){variable, type, at.component, count, in_array, i}, channel);
}

static void find_locations(struct outputs *o)
{
    const uint32_t *inst = o->m.words + o->entry.at;
    memset(o->locations, 0, sizeof(o->locations));
    for (uint32_t i = 3 + string_words(inst, 3); i < inst_length(inst); i++)
        find_output(o, inst[i]);
}

static bool is_arithmetic(enum spirv_term term)
{
    return term >= SPIRV_TERM_REST && (term < SPIRV_TERM_SECOND || term >= SPIRV_TERM_SECOND_REST);
}

static bool has_arithmetic(const struct spirv_moves *moves)
{
    bool arithmetic = moves->factors != 0;
    for (uint32_t i = 0; i < CHANNELS; i++)
        arithmetic |= is_arithmetic(spirv_moves_second(moves, i));
    return arithmetic;
}

static bool is_alone(const struct outputs *o, uint32_t at)
{
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        if (i != at && (o->locations[i].channel || o->locations[i].why))
            return false;
    }
    return true;
}

/* The variables of all locations but one. False: one of them cannot go, because its shape is not known or it is of
 * both.
 */
static bool find_surplus(const struct outputs *o, uint32_t at, struct surplus *surplus)
{
    const struct location *stays = &o->locations[at];
    for (uint32_t i = 0; i < SPIRV_LOCATIONS * SOURCES; i++) {
        const struct location *location = &o->locations[i / SOURCES];
        if (location->why)
            return false;
        for (uint32_t j = 0; i / SOURCES != at && j < location->count[i % SOURCES]; j++) {
            if (!surplus_add(surplus, location->pieces[i % SOURCES][j].variable))
                return false;
        }
    }
    for (uint32_t i = 0; i < SOURCES * CHANNELS; i++) {
        if (i % CHANNELS < stays->count[i / CHANNELS] &&
            surplus_has(&o->m, surplus, stays->pieces[i / CHANNELS][i % CHANNELS].variable))
            return false;
    }
    return surplus_may_go(&o->m, surplus);
}

/*
 * Drivers may take an output behind maxFragmentDualSrcAttachments for the second source, attachment or not. Where a
 * location gets one, others have no attachment (struct spirv_outputs), and are left out.
 */
static void leave_out(struct outputs *o)
{
    uint32_t seconds = 0, at = NOWHERE;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        if (o->wanted->locations[i].second && o->locations[i].channel)
            at = i, seconds++;
    }
    if (seconds == 1 && !is_alone(o, at) && find_surplus(o, at, &o->surplus))
        o->only = at;
    else
        o->surplus.count = o->surplus.pointer_count = 0;
}

/*
 * Where an output has another kind of numbers than its attachment, Vulkan leaves undefined what arrives. Drivers take
 * the bits, which translators rely on for their blits: bits are moved, and zeros are the same. Other numbers are not
 * made.
 */
static bool makes_numbers(const struct spirv_moves *moves)
{
    bool makes = moves->factors || moves->second;
    for (uint32_t i = 0; i < CHANNELS; i++)
        makes |= spirv_moves_select(moves, i) == SPIRV_SELECT_ONE;
    return makes;
}

static bool is_left_out(const struct outputs *o, uint32_t at)
{
    return o->only != NOWHERE && o->only != at;
}

/* NULL: the location can be changed so, or there is nothing to change. */
static const char *why_not(const struct outputs *o, uint32_t i)
{
    const struct location *location = &o->locations[i];
    const struct spirv_moves *moves = &o->wanted->locations[i];
    if (!spirv_moves_any(moves) || is_left_out(o, i))
        return NULL;
    if (location->why)
        return location->why;
    if (!location->channel)
        return NULL;
    if (!is_callable(&o->m, &o->entry))
        return no_entry;
    if (location->integer != (o->wanted->integers >> i & 1) && makes_numbers(moves))
        return no_kind;
    if (declares(&o->m, TILE_IMAGE_COLOR_READ_ACCESS))
        return no_tile;
    if (moves->second && o->only != i && !is_alone(o, i))
        return no_second;
    return has_arithmetic(moves) && (location->integer || location->width != 32) ? no_width : NULL;
}

/* ---- Input attachments ---- */

#define INPUT_UNKNOWN UINT32_MAX
enum { MOST_CALLS = 16 };

static uint32_t input_at(const struct outputs *o, uint32_t index)
{
    return index < SPIRV_INPUTS ? o->wanted->inputs[index] : 0;
}

/* The selects of a pointer to an input attachment: of a variable, or of elements of an array that agree. */
static uint32_t input_of_variable(const struct outputs *o, uint32_t variable, bool indexed, uint32_t index_id)
{
    const uint32_t *declared = module_definition(&o->m, variable);
    const uint32_t *pointer = module_definition(&o->m, declared[1]);
    const struct decorations at = decorations_of(&o->m, variable);
    uint32_t index = 0, length = 1;
    if (at.input == UINT32_MAX || inst_opcode(pointer) != SpvOpTypePointer)
        return INPUT_UNKNOWN;
    if (!indexed || module_constant(&o->m, index_id, &index))
        return index < SPIRV_INPUTS ? input_at(o, at.input + index) : 0;
    const uint32_t *array = module_definition(&o->m, pointer[3]);
    if (inst_opcode(array) != SpvOpTypeArray || !module_constant(&o->m, array[3], &length))
        length = SPIRV_INPUTS;
    for (uint32_t i = 1; i < length && i < SPIRV_INPUTS; i++) {
        if (input_at(o, at.input + i) != input_at(o, at.input))
            return INPUT_UNKNOWN;
    }
    return input_at(o, at.input);
}

/* Follows a value to the variable that it is of; parameters to all calls of their function. */
static uint32_t input_of(const struct outputs *o, uint32_t id, uint32_t depth)
{
    const struct module *m = &o->m;
    const uint32_t *inst = module_definition(m, id);
    if (depth == MOST_CALLS || !module_search(m, 1))
        return INPUT_UNKNOWN;
    switch (inst_opcode(inst)) {
    case SpvOpLoad:
    case SpvOpCopyObject:
        return input_of(o, inst[3], depth + 1);
    case SpvOpVariable:
        return input_of_variable(o, id, false, 0);
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        if (inst_length(inst) == 5 && module_opcode(m, inst[3]) == SpvOpVariable)
            return input_of_variable(o, inst[3], true, inst[4]);
        return INPUT_UNKNOWN;
    case SpvOpFunctionParameter: {
        const uint32_t function = module_id(m, id)->function;
        uint32_t call = module_next_call(m, function, 0), all = INPUT_UNKNOWN;
        for (bool first = true; call; call = module_next_call(m, function, call), first = false) {
            const uint32_t one = input_of(o, module_argument(m, call, id), depth + 1);
            if (one == INPUT_UNKNOWN || (!first && one != all))
                return INPUT_UNKNOWN;
            all = one;
        }
        return all;
    }
    default:
        return INPUT_UNKNOWN;
    }
}

/* Whether an instruction reads an input attachment. */
static bool reads_input(const struct module *m, const uint32_t *inst)
{
    const uint32_t *image;
    if (inst_opcode(inst) != SpvOpImageRead || inst_length(inst) < 5)
        return false;
    image = module_definition(m, module_type_of(m, inst[3]));
    return inst_opcode(image) == SpvOpTypeImage && image[IMAGE_DIM] == SpvDimSubpassData;
}

static bool wants_inputs(const struct spirv_outputs *wanted)
{
    for (uint32_t i = 0; i < SPIRV_INPUTS; i++) {
        if (wanted->inputs[i])
            return true;
    }
    return false;
}

/* Whether all reads of inputs are known, and their results are vectors that can be moved. *reads counts them. */
static bool inputs_known(const struct outputs *o, uint32_t *reads)
{
    const struct module *m = &o->m;
    *reads = 0;
    if (!wants_inputs(o->wanted))
        return true;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        uint32_t channel, count;
        if (!reads_input(m, inst))
            continue;
        const uint32_t selects = input_of(o, inst[3], 0);
        if (selects == INPUT_UNKNOWN)
            return false;
        if (selects && (!is_value(m, inst[1], &channel, &count) || count != CHANNELS || !is_usable(m, channel)))
            return false;
        *reads += selects != 0;
    }
    return true;
}

/* ---- Finding ---- */

/* New variables. */
enum { NEW_INTERFACE = SPIRV_LOCATIONS * SOURCES * CHANNELS };

/* Most words of each part, but for the program's; and most ids. Fewer than these by far are used. */
enum {
    WORDS_ANNOTATIONS = NEW_INTERFACE * 12,
    WORDS_GLOBALS = 2048,
    WORDS_BODY = SPIRV_LOCATIONS * 1536,
    WORDS_READ = 9,
    WORDS_SURPLUS = SURPLUS_MOST * 4,
    IDS_MOST = SPIRV_LOCATIONS * 1024,
};

static enum spirv_result outputs_open(struct outputs *o, const uint32_t *words, size_t word_count,
                                      const struct spirv_outputs *wanted, const struct spirv_allocator *allocator,
                                      char *message)
{
    o->wanted = wanted;
    o->only = NOWHERE;
    o->surplus.count = o->surplus.pointer_count = 0;
    const enum spirv_result result = module_index(&o->m, words, word_count, allocator, message);
    if (result != SPIRV_REWRITTEN)
        return result;
    if (find_entry(&o->m, wanted->entry, &o->entry)) {
        find_locations(o);
        leave_out(o);
        return SPIRV_REWRITTEN;
    }
    module_drop(&o->m, allocator);
    return SPIRV_UNSUPPORTED;
}

/* Searches that are done here are done twice more where the module is written. */
static uint32_t find(const struct outputs *o, uint32_t *reads, const char **why)
{
    const uint64_t steps = *o->m.steps;
    uint32_t found = 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const char *one = why_not(o, i);
        *why = *why ? *why : one;
        found |= one ? 0 : 1u << i;
    }
    if (inputs_known(o, reads))
        found |= SPIRV_OUTPUTS_ALL & ~0xffffu;
    else
        *why = *why ? *why : no_input;
    for (uint32_t i = 0; i < SPIRV_INPUTS; i++) {
        if (!o->wanted->inputs[i])
            found |= 1u << (16 + i);
    }
    if (*o->m.steps == 0 || (steps - *o->m.steps) * 2 >= *o->m.steps) { /* results must not be used */
        *why = "the module is too large to be searched";
        return 0;
    }
    if (inst_length(o->m.words + o->entry.at) + NEW_INTERFACE > UINT16_MAX ||
        o->m.free_end - o->m.free_id < IDS_MOST + 2 * *reads) {
        *why = "the module has too many ids";
        return 0;
    }
    return found;
}

/* The locations that one variable of four channels writes. */
static uint32_t whole_locations(const struct outputs *o)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const struct location *location = &o->locations[i];
        whole |= location->count[0] == 1 && location->pieces[0][0].count == CHANNELS ? 1u << i : 0;
    }
    return whole;
}

uint32_t spirv_find_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                            const struct spirv_allocator *allocator, const char **why)
{
    struct outputs o;
    char message[MODULE_MESSAGE];
    const char *reason = NULL;
    uint32_t reads, found = 0;
    allocator = allocator ? allocator : &module_c_allocator;
    const enum spirv_result result = outputs_open(&o, words, word_count, wanted, allocator, message);
    if (result == SPIRV_REWRITTEN) {
        found = find(&o, &reads, &reason);
        module_drop(&o.m, allocator);
    } else if (result != SPIRV_OUT_OF_MEMORY) {
        reason = result == SPIRV_UNSUPPORTED ? "no fragment shader has that name" : "the module cannot be read";
    }
    if (why)
        *why = reason;
    return found;
}

/* ---- The module that is written ---- */

/* A run of words: those behind the program's types and constants, or those behind its functions. */
struct part {
    uint32_t *words;
    size_t count;
};

struct writer {
    const struct outputs *o;
    uint32_t next_id;
    struct part annotations, globals, body, out;
    uint32_t variables[NEW_INTERFACE], variable_count;
    struct {
        uint32_t key[4], id; /* of types and constants that are new */
    } made[256];
    uint32_t made_count;
};

static void put(struct part *part, uint32_t opcode, const uint32_t *operands, uint32_t operand_count)
{
    part->words[part->count++] = inst_word0(opcode, operand_count + 1);
    memcpy(part->words + part->count, operands, operand_count * sizeof(*operands));
    part->count += operand_count;
}
#define PUT(PART, OPCODE, ...)                                                                                         \
    put((PART), (OPCODE), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void copy(struct part *part, const uint32_t *words, size_t count)
{
    memcpy(part->words + part->count, words, count * sizeof(*words));
    part->count += count;
}

/* ---- Types and constants ---- */

/* A type of the program's with these operands, or a new one: a type must not be declared twice. */
static uint32_t type_of(struct writer *w, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    const struct module *m = &w->o->m;
    const uint32_t key[4] = {opcode, count > 0 ? operands[0] : 0, count > 1 ? operands[1] : 0, 0};
    for (uint32_t i = 0; i < w->made_count; i++) {
        if (memcmp(w->made[i].key, key, sizeof(key)) == 0)
            return w->made[i].id;
    }
    for (uint32_t at = m->annotations_end; at < m->functions_at; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        if (inst_opcode(inst) == opcode && inst_length(inst) == count + 2 &&
            memcmp(inst + 2, operands, count * sizeof(*operands)) == 0)
            return inst[1];
    }
    uint32_t words[4] = {w->next_id++};
    memcpy(words + 1, operands, count * sizeof(*operands));
    put(&w->globals, opcode, words, count + 1);
    memcpy(w->made[w->made_count].key, key, sizeof(key));
    return w->made[w->made_count++].id = words[0];
}
#define TYPE(W, OPCODE, ...)                                                                                           \
    type_of((W), (OPCODE), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t constant_of(struct writer *w, uint32_t type, uint32_t word)
{
    const uint32_t key[4] = {SpvOpConstant, type, word, 1};
    for (uint32_t i = 0; i < w->made_count; i++) {
        if (memcmp(w->made[i].key, key, sizeof(key)) == 0)
            return w->made[i].id;
    }
    PUT(&w->globals, SpvOpConstant, type, w->next_id, word);
    memcpy(w->made[w->made_count].key, key, sizeof(key));
    return w->made[w->made_count++].id = w->next_id++;
}

/* -1, 0 or 1 in the type of a channel. */
static uint32_t number_of(struct writer *w, uint32_t channel, int32_t number)
{
    const uint32_t *type = module_definition(&w->o->m, channel);
    if (inst_opcode(type) == SpvOpTypeInt)
        return constant_of(w, channel, (uint32_t)number);
    const uint32_t one = type[2] == 16 ? 0x3c00 : 0x3f800000, sign = type[2] == 16 ? 0x8000 : 0x80000000;
    return constant_of(w, channel, number == 0 ? 0 : number < 0 ? one | sign : one);
}

/* ---- Loads ---- */

static uint32_t value(struct writer *w, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t id = w->next_id++;
    PUT(&w->body, opcode, type, id, a, b);
    return id;
}

static uint32_t pointer_to(struct writer *w, const struct piece *piece)
{
    if (!piece->in_array)
        return piece->variable;
    const uint32_t pointer = TYPE(w, SpvOpTypePointer, SpvStorageClassOutput, piece->type);
    const uint32_t integer = TYPE(w, SpvOpTypeInt, 32, 1), index = constant_of(w, integer, piece->element);
    return value(w, SpvOpAccessChain, pointer, piece->variable, index);
}

/* The channels that a location has from the program, by source; 0: none. */
struct loaded {
    uint32_t channel[SOURCES][CHANNELS];
    uint32_t pointers[SOURCES][CHANNELS]; /* of pieces */
};

static void load(struct writer *w, const struct location *location, uint32_t source, struct loaded *loaded)
{
    for (uint32_t i = 0; i < location->count[source]; i++) {
        const struct piece *piece = &location->pieces[source][i];
        const uint32_t pointer = pointer_to(w, piece), whole = w->next_id++;
        loaded->pointers[source][i] = pointer;
        PUT(&w->body, SpvOpLoad, piece->type, whole, pointer);
        for (uint32_t j = 0; j < piece->count; j++)
            loaded->channel[source][piece->component + j] =
                piece->count == 1 ? whole : value(w, SpvOpCompositeExtract, location->channel, whole, j);
    }
}

/* ---- Numbers ---- */

static uint32_t channel_of(struct writer *w, const struct location *location, const struct loaded *loaded,
                           uint32_t source, uint32_t channel)
{
    const uint32_t id = loaded->channel[source][channel];
    return id ? id : number_of(w, location->channel, channel == ALPHA);
}

/* `a` if the comparison with the bound holds, else the bound: no number becomes the bound. */
static uint32_t bounded(struct writer *w, uint32_t channel, uint32_t compare, uint32_t a, uint32_t bound)
{
    const uint32_t boolean = type_of(w, SpvOpTypeBool, (const uint32_t[]){0}, 0),
                   holds = value(w, compare, boolean, a, bound);
    const uint32_t id = w->next_id++;
    PUT(&w->body, SpvOpSelect, channel, id, holds, a, bound);
    return id;
}

static uint32_t clamped(struct writer *w, uint32_t channel, enum spirv_clamp clamp, uint32_t a)
{
    if (clamp == SPIRV_CLAMP_NONE)
        return a;
    const uint32_t least = number_of(w, channel, clamp == SPIRV_CLAMP_SNORM ? -1 : 0);
    a = bounded(w, channel, SpvOpFOrdGreaterThan, a, least);
    return bounded(w, channel, SpvOpFOrdLessThan, a, number_of(w, channel, 1));
}

static uint32_t term_of(struct writer *w, const struct location *location, const struct loaded *loaded,
                        enum spirv_clamp clamp, enum spirv_term term)
{
    const uint32_t type = location->channel;
    if (term <= SPIRV_TERM_ONE)
        return number_of(w, type, term == SPIRV_TERM_ONE);
    if (term >= SPIRV_TERM_MIN_ZERO) {
        const uint32_t alpha = clamped(w, type, clamp, channel_of(w, location, loaded, 0, ALPHA));
        return bounded(w, type, SpvOpFOrdLessThan, alpha, number_of(w, type, term == SPIRV_TERM_MIN_ONE));
    }
    const uint32_t at = term - SPIRV_TERM_SOURCE;
    const uint32_t a = clamped(w, type, clamp, channel_of(w, location, loaded, at >= 2 * CHANNELS, at % CHANNELS));
    if (at / CHANNELS % 2 == 0)
        return a;
    return clamped(w, type, clamp, value(w, SpvOpFSub, type, number_of(w, type, 1), a));
}

static uint32_t first_source(struct writer *w, const struct location *location, const struct loaded *loaded,
                             const struct spirv_moves *moves, uint32_t channel)
{
    const enum spirv_select select = spirv_moves_select(moves, channel);
    const enum spirv_term factor = spirv_moves_factor(moves, channel);
    const enum spirv_clamp clamp = spirv_moves_clamp(moves);
    const uint32_t type = location->channel;
    if (select == SPIRV_SELECT_LEFT && factor == SPIRV_TERM_NONE)
        return loaded->channel[0][channel];
    uint32_t a = select >= SPIRV_SELECT_ZERO
                     ? number_of(w, type, select == SPIRV_SELECT_ONE)
                     : channel_of(w, location, loaded, 0,
                                  select == SPIRV_SELECT_LEFT ? channel : (uint32_t)select - SPIRV_SELECT_R);
    if (factor == SPIRV_TERM_NONE)
        return a;
    a = clamped(w, type, clamp, a);
    return value(w, SpvOpFMul, type, a, term_of(w, location, loaded, clamp, factor));
}

static uint32_t second_source(struct writer *w, const struct location *location, const struct loaded *loaded,
                              const struct spirv_moves *moves, uint32_t channel)
{
    const enum spirv_term term = spirv_moves_second(moves, channel);
    if (term == SPIRV_TERM_NONE)
        return loaded->channel[1][channel];
    /* Numbers that are only moved need no clamp: blending does that. */
    return term_of(w, location, loaded, is_arithmetic(term) ? spirv_moves_clamp(moves) : SPIRV_CLAMP_NONE, term);
}

/* ---- Stores ---- */

/* `count` channels as one value: a scalar, or a vector of `type`. */
static uint32_t construct(struct writer *w, uint32_t type, const uint32_t *channels, uint32_t count)
{
    uint32_t words[2 + CHANNELS] = {type, 0};
    if (count == 1)
        return channels[0];
    words[1] = w->next_id++;
    memcpy(words + 2, channels, count * sizeof(*channels));
    put(&w->body, SpvOpCompositeConstruct, words, 2 + count);
    return words[1];
}

/* A new variable for the channels from `first` on, which the location has in none. */
static void store_new(struct writer *w, const struct location *location, uint32_t at, uint32_t source, uint32_t first,
                      uint32_t count, const uint32_t *channels)
{
    const uint32_t type = count == 1 ? location->channel : TYPE(w, SpvOpTypeVector, location->channel, count);
    const uint32_t pointer = TYPE(w, SpvOpTypePointer, SpvStorageClassOutput, type), variable = w->next_id++;
    PUT(&w->globals, SpvOpVariable, pointer, variable, SpvStorageClassOutput);
    PUT(&w->annotations, SpvOpDecorate, variable, SpvDecorationLocation, at);
    if (first)
        PUT(&w->annotations, SpvOpDecorate, variable, SpvDecorationComponent, first);
    if (source)
        PUT(&w->annotations, SpvOpDecorate, variable, SpvDecorationIndex, source);
    w->variables[w->variable_count++] = variable;
    const uint32_t whole = construct(w, type, channels + first, count);
    PUT(&w->body, SpvOpStore, variable, whole);
}

/* Stores what changes: pieces of which a channel changes, and channels that no piece has. */
static void store(struct writer *w, uint32_t at, uint32_t source, const struct loaded *loaded,
                  const uint32_t channels[CHANNELS])
{
    const struct location *location = &w->o->locations[at];
    for (uint32_t i = 0; i < location->count[source]; i++) {
        const struct piece *piece = &location->pieces[source][i];
        const uint32_t *now = channels + piece->component;
        if (memcmp(now, loaded->channel[source] + piece->component, piece->count * sizeof(*now)) == 0)
            continue;
        const uint32_t whole = construct(w, piece->type, now, piece->count);
        PUT(&w->body, SpvOpStore, loaded->pointers[source][i], whole);
    }
    for (uint32_t first = 0, end; first < CHANNELS; first = end) {
        for (end = first; end < CHANNELS && channels[end] && !loaded->channel[source][end];)
            end++;
        if (end > first)
            store_new(w, location, at, source, first, end - first, channels);
        else
            end++;
    }
}

static bool is_changed(const struct outputs *o, uint32_t at)
{
    return o->locations[at].channel && spirv_moves_any(&o->wanted->locations[at]) && !is_left_out(o, at);
}

static void write_location(struct writer *w, uint32_t at)
{
    const struct location *location = &w->o->locations[at];
    const struct spirv_moves *moves = &w->o->wanted->locations[at];
    struct loaded loaded = {.channel = {{0}}};
    uint32_t first[CHANNELS], second[CHANNELS];
    load(w, location, 0, &loaded);
    load(w, location, 1, &loaded);
    for (uint32_t i = 0; i < CHANNELS; i++) {
        first[i] = first_source(w, location, &loaded, moves, i);
        second[i] = second_source(w, location, &loaded, moves, i);
        /* A second source that is new has all channels. */
        if (moves->second && !location->count[1] && !second[i])
            second[i] = number_of(w, location->channel, 0);
    }
    store(w, at, 0, &loaded, first);
    if (moves->second)
        store(w, at, 1, &loaded, second);
}

/* ---- The sections ---- */

/* The result of a read of an input attachment, moved: zeros and ones are a second vector. */
static void write_read(struct writer *w, const uint32_t *inst, uint32_t selects)
{
    uint32_t channel, count, constants = inst[2], moved[4];
    is_value(&w->o->m, inst[1], &channel, &count);
    const uint32_t read = w->next_id++;
    const size_t at = w->out.count;
    copy(&w->out, inst, inst_length(inst));
    w->out.words[at + 2] = constants = read;
    for (uint32_t i = 0; i < CHANNELS; i++) {
        const uint32_t select = selects >> 3 * i & 7;
        moved[i] = select == SPIRV_SELECT_LEFT   ? i
                   : select == SPIRV_SELECT_ZERO ? CHANNELS
                   : select == SPIRV_SELECT_ONE  ? CHANNELS + 1
                                                 : select - SPIRV_SELECT_R;
        if (moved[i] >= CHANNELS)
            constants = 0;
    }
    if (!constants) {
        const uint32_t key[4] = {SpvOpConstantComposite, inst[1], 0, 2};
        for (uint32_t i = 0; i < w->made_count; i++)
            constants = memcmp(w->made[i].key, key, sizeof(key)) == 0 ? w->made[i].id : constants;
    }
    PUT(&w->out, SpvOpVectorShuffle, inst[1], inst[2], read, constants, moved[0], moved[1], moved[2], moved[3]);
}

/* The second vector of all reads of a type: they must stand in front of the functions. */
static void declare_constants(struct writer *w, const uint32_t *inst)
{
    uint32_t channel, count;
    const uint32_t key[4] = {SpvOpConstantComposite, inst[1], 0, 2};
    is_value(&w->o->m, inst[1], &channel, &count);
    for (uint32_t i = 0; i < w->made_count; i++) {
        if (memcmp(w->made[i].key, key, sizeof(key)) == 0)
            return;
    }
    const uint32_t zero = number_of(w, channel, 0), one = number_of(w, channel, 1);
    PUT(&w->globals, SpvOpConstantComposite, inst[1], w->next_id, zero, one, zero, one);
    memcpy(w->made[w->made_count].key, key, sizeof(key));
    w->made[w->made_count++].id = w->next_id++;
}

static void write_body(struct writer *w, uint32_t function)
{
    const struct entry *entry = &w->o->entry;
    const uint32_t *program = module_definition(&w->o->m, entry->function);
    PUT(&w->body, SpvOpFunction, program[1], function, SpvFunctionControlMaskNone, program[4]);
    PUT(&w->body, SpvOpLabel, w->next_id++);
    PUT(&w->body, SpvOpFunctionCall, program[1], w->next_id++, entry->function);
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        if (is_changed(w->o, i))
            write_location(w, i);
    }
    w->body.words[w->body.count++] = inst_word0(SpvOpReturn, 1);
    w->body.words[w->body.count++] = inst_word0(SpvOpFunctionEnd, 1);
}

/* Before version 1.4 of SPIR-V the interface has inputs and outputs alone. */
static void write_interface(struct writer *w, uint32_t function)
{
    const struct module *m = &w->o->m;
    const uint32_t *inst = m->words + w->o->entry.at;
    const uint32_t first = 3 + string_words(inst, 3);
    const size_t at = w->out.count;
    copy(&w->out, inst, first);
    for (uint32_t i = first; i < inst_length(inst); i++) {
        if (m->words[HEADER_VERSION] >= VERSION_WHOLE_INTERFACE || !surplus_has(m, &w->o->surplus, inst[i]))
            copy(&w->out, inst + i, 1);
    }
    copy(&w->out, w->variables, w->variable_count);
    w->out.words[at] = inst_word0(SpvOpEntryPoint, (uint32_t)(w->out.count - at));
    if (function)
        w->out.words[at + 2] = function;
}

/* The entry point gets the new function and variables; its name and debug information stay with the program's. */
static void write_entry(struct writer *w, uint32_t function)
{
    const struct module *m = &w->o->m;
    const struct entry *entry = &w->o->entry;
    uint32_t at = entry->at + inst_length(m->words + entry->at);
    copy(&w->out, m->words, entry->at);
    write_interface(w, function);
    for (; at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst);
        const size_t to = w->out.count;
        if (surplus_drops(&w->o->surplus, inst))
            continue;
        copy(&w->out, inst, inst_length(inst));
        if (function && (opcode == SpvOpExecutionMode || opcode == SpvOpExecutionModeId) && inst[1] == entry->function)
            w->out.words[to + 1] = function;
    }
}

/* ---- Outputs that are left out ---- */

/* The type of a private variable, or of a pointer into one, in the place of an output's. */
static uint32_t private_pointer(struct writer *w, uint32_t pointer)
{
    return TYPE(w, SpvOpTypePointer, SpvStorageClassPrivate, module_definition(&w->o->m, pointer)[3]);
}

/* Types of chains stand in front of the functions. */
static void declare_private_pointers(struct writer *w)
{
    for (uint32_t i = 0; i < w->o->surplus.pointer_count; i++)
        private_pointer(w, w->o->surplus.pointers[i]);
}

/* Types, constants and variables of the program. Private variables stand where their outputs were. */
static void write_globals(struct writer *w)
{
    const struct module *m = &w->o->m;
    for (uint32_t at = m->annotations_end; at < m->functions_at; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        if (inst_opcode(inst) != SpvOpVariable || !surplus_has(m, &w->o->surplus, inst[2])) {
            copy(&w->out, inst, inst_length(inst));
            continue;
        }
        const uint32_t pointer = w->next_id++;
        PUT(&w->out, SpvOpTypePointer, pointer, SpvStorageClassPrivate, module_definition(m, inst[1])[3]);
        const size_t to = w->out.count;
        copy(&w->out, inst, inst_length(inst));
        w->out.words[to + 1] = pointer;
        w->out.words[to + 3] = SpvStorageClassPrivate;
    }
}

static void write_instruction(struct writer *w, const uint32_t *inst)
{
    const size_t to = w->out.count;
    copy(&w->out, inst, inst_length(inst));
    if (w->o->surplus.count && surplus_is_chain(&w->o->m, &w->o->surplus, inst))
        w->out.words[to + 1] = private_pointer(w, inst[1]);
}

/* ---- The module ---- */

static void write_module(struct writer *w)
{
    const struct module *m = &w->o->m;
    const bool inputs = wants_inputs(w->o->wanted);
    uint32_t function = 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS && !function; i++)
        function = is_changed(w->o, i) ? w->next_id++ : 0;
    if (function)
        write_body(w, function);
    for (uint32_t at = m->functions_at; inputs && at < m->word_count; at += inst_length(m->words + at)) {
        if (reads_input(m, m->words + at) && input_of(w->o, m->words[at + 3], 0))
            declare_constants(w, m->words + at);
    }
    declare_private_pointers(w);
    write_entry(w, function);
    copy(&w->out, w->annotations.words, w->annotations.count);
    write_globals(w);
    copy(&w->out, w->globals.words, w->globals.count);
    for (uint32_t at = m->functions_at; at < m->functions_end; at += inst_length(m->words + at)) {
        const uint32_t selects = inputs && reads_input(m, m->words + at) ? input_of(w->o, m->words[at + 3], 0) : 0;
        if (selects)
            write_read(w, m->words + at, selects);
        else
            write_instruction(w, m->words + at);
    }
    copy(&w->out, w->body.words, w->body.count);
    copy(&w->out, m->words + m->functions_end, m->word_count - m->functions_end); /* graphs */
    w->out.words[HEADER_BOUND] = module_bound_with(m, w->next_id);
}

/* One allocation: the module's words, and behind them the parts that are written first. */
static enum spirv_result write_parts(const struct outputs *o, uint32_t reads, const struct spirv_allocator *allocator,
                                     struct spirv_output *output)
{
    const size_t parts = WORDS_ANNOTATIONS + WORDS_GLOBALS + WORDS_BODY;
    const size_t most = o->m.word_count + NEW_INTERFACE + WORDS_SURPLUS + parts + (size_t)reads * WORDS_READ;
    uint32_t *words = allocator->reallocate(allocator->user, NULL, (most + parts) * sizeof(*words));
    if (!words)
        return SPIRV_OUT_OF_MEMORY;
    struct writer w = {.o = o, .next_id = o->m.free_id};
    w.out.words = words;
    w.annotations.words = words + most;
    w.globals.words = w.annotations.words + WORDS_ANNOTATIONS;
    w.body.words = w.globals.words + WORDS_GLOBALS;
    write_module(&w);
    /* The parts' room is given back; where that fails the words stay where they are. */
    uint32_t *kept = allocator->reallocate(allocator->user, words, w.out.count * sizeof(*words));
    output->words = kept ? kept : words;
    output->word_count = w.out.count;
    return SPIRV_REWRITTEN;
}

/* `whole`: the locations that must be written by one variable of four channels. */
static enum spirv_result write_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                                       uint32_t whole, const struct spirv_allocator *allocator,
                                       struct spirv_output *output)
{
    struct outputs o;
    const char *why = NULL;
    uint32_t reads;
    memset(output, 0, sizeof(*output));
    enum spirv_result result = outputs_open(&o, words, word_count, wanted, allocator, output->message);
    if (result != SPIRV_REWRITTEN)
        return result;
    const uint32_t found = find(&o, &reads, &why);
    bool changed = reads != 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++)
        changed |= is_changed(&o, i);
    if (found != SPIRV_OUTPUTS_ALL || (whole & ~whole_locations(&o)))
        result = SPIRV_UNSUPPORTED;
    else
        result = changed ? write_parts(&o, reads, allocator, output) : SPIRV_UNCHANGED;
    module_drop(&o.m, allocator);
    return result;
}

enum spirv_result spirv_write_outputs(const uint32_t *words, size_t word_count, const struct spirv_outputs *wanted,
                                      const struct spirv_allocator *allocator, struct spirv_output *output)
{
    return write_outputs(words, word_count, wanted, 0, allocator ? allocator : &module_c_allocator, output);
}

/* ---- Alpha 1 ---- */

/* The same as moves: colours times a factor, and 1 in the place of alpha. */
static struct spirv_outputs outputs_of(const struct spirv_alpha_one *wanted)
{
    struct spirv_outputs outputs = {.entry = wanted->entry, .integers = wanted->integers};
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const enum spirv_term factor = wanted->times_alpha >> i & 1  ? SPIRV_TERM_SOURCE + ALPHA
                                       : wanted->times_rest >> i & 1 ? SPIRV_TERM_REST + ALPHA
                                                                     : SPIRV_TERM_NONE;
        if (!(wanted->locations >> i & 1))
            continue;
        outputs.locations[i].channels = SPIRV_SELECT_ONE << 3 * ALPHA;
        for (uint32_t j = 0; j < ALPHA; j++)
            outputs.locations[i].factors |= (uint32_t)factor << 5 * j;
    }
    return outputs;
}

uint32_t spirv_find_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                              const struct spirv_allocator *allocator)
{
    struct outputs o;
    char message[MODULE_MESSAGE];
    const struct spirv_outputs outputs = outputs_of(wanted);
    const char *why = NULL;
    uint32_t reads;
    allocator = allocator ? allocator : &module_c_allocator;
    if (outputs_open(&o, words, word_count, &outputs, allocator, message) != SPIRV_REWRITTEN)
        return 0;
    uint32_t found = find(&o, &reads, &why) & wanted->locations;
    found &= whole_locations(&o);
    module_drop(&o.m, allocator);
    return found;
}

enum spirv_result spirv_write_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                                        const struct spirv_allocator *allocator, struct spirv_output *output)
{
    const struct spirv_outputs outputs = outputs_of(wanted);
    return write_outputs(words, word_count, &outputs, wanted->locations, allocator ? allocator : &module_c_allocator,
                         output);
}
