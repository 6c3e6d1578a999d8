/* SPDX-License-Identifier: MIT */
/*
 * The alpha_one pass: fragment shaders that write 1 as alpha. The entry point becomes a function that a new entry point
 * calls:
 *
 *     main'() { main(); color.rgb *= color.a; color.a = 1; }
 *
 * (without the product, with it, or with 1 - color.a in it). So alpha is written last, wherever the program's code
 * writes the output.
 */
#include "spirv/spirv.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/module.h"

enum { MOST_ALPHA_ONE = 8, VECTOR = 4, ONE_OF_32_BITS = 0x3f800000, ONE_OF_16_BITS = 0x3c00 };

/* An entry point: its offset, and its function. */
struct entry {
    uint32_t at, function;
};

/* An output, the types of its value and of a channel, and 1 as a constant's word. */
struct alpha_output {
    uint32_t variable, vector, channel, word;
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

/*
 * The fragment shader of that name. Not if another entry point has the same function, which may not be called then, and
 * not with interlocks, which begin and end in entry points alone.
 */
static bool find_entry(const struct module *m, const char *name, struct entry *entry)
{
    uint32_t same = 0;
    entry->at = 0;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const size_t room = (inst_length(inst) - 3) * sizeof(*inst), length = strlen(name);
        if (inst[1] == SpvExecutionModelFragment && length < room && memcmp(inst + 3, name, length + 1) == 0)
            *entry = (struct entry){at, inst[2]};
    }
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at))
        same += m->words[at + 2] == entry->function;
    if (declares(m, SpvCapabilityFragmentShaderPixelInterlockEXT) ||
        declares(m, SpvCapabilityFragmentShaderSampleInterlockEXT) ||
        declares(m, SpvCapabilityFragmentShaderShadingRateInterlockEXT))
        return false;
    return entry->at != 0 && same == 1 && module_opcode(m, entry->function) == SpvOpFunction;
}

/* The location that a variable is decorated to be all of, as the first source of blending; MOST_ALPHA_ONE: none below.
 */
static uint32_t whole_location(const struct module *m, uint32_t variable)
{
    uint32_t location = MOST_ALPHA_ONE;
    for (uint32_t at = m->names_end; at < m->annotations_end && module_search(m, 1); at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        for (uint32_t i = 2; inst_opcode(inst) == SpvOpGroupDecorate && i < inst_length(inst); i++) {
            if (inst[i] == variable) /* groups are not followed */
                return MOST_ALPHA_ONE;
        }
        if (inst_opcode(inst) != SpvOpDecorate || inst[1] != variable || inst_length(inst) < 4)
            continue;
        if (inst[2] == SpvDecorationLocation)
            location = inst[3] < MOST_ALPHA_ONE ? inst[3] : MOST_ALPHA_ONE;
        else if ((inst[2] == SpvDecorationComponent || inst[2] == SpvDecorationIndex) && inst[3] != 0)
            return MOST_ALPHA_ONE;
    }
    return location;
}

/*
 * Whether a variable is an output of four channels of that kind of number; fills *alpha_output. Modules that only load
 * and store numbers of 16 bits (SPV_KHR_16bit_storage) may neither have constants of them nor put one into a vector.
 */
static bool is_vector(const struct module *m, uint32_t variable, bool integer, struct alpha_output *alpha_output)
{
    const uint32_t *declared = module_definition(m, variable);
    if (inst_opcode(declared) != SpvOpVariable || declared[3] != SpvStorageClassOutput)
        return false;
    const uint32_t *pointer = module_definition(m, declared[1]);
    const uint32_t *vector = inst_opcode(pointer) == SpvOpTypePointer ? module_definition(m, pointer[3]) : pointer;
    if (inst_opcode(vector) != SpvOpTypeVector || vector[3] != VECTOR)
        return false;
    const uint32_t *channel = module_definition(m, vector[2]);
    if (inst_opcode(channel) != (integer ? SpvOpTypeInt : SpvOpTypeFloat) || (channel[2] != 32 && channel[2] != 16))
        return false;
    if (channel[2] == 16 && !declares(m, integer ? SpvCapabilityInt16 : SpvCapabilityFloat16))
        return false;
    *alpha_output = (struct alpha_output){variable, vector[1], channel[1],
                                          integer            ? 1
                                          : channel[2] == 32 ? ONE_OF_32_BITS
                                                             : ONE_OF_16_BITS};
    return true;
}

/* Fills `alpha_one` for the locations that are such outputs, and returns their bits. */
static uint32_t find_outputs(const struct module *m, const struct entry *entry, const struct spirv_alpha_one *wanted,
                             struct alpha_output alpha_one[MOST_ALPHA_ONE])
{
    const uint32_t *inst = m->words + entry->at;
    uint32_t found = 0;
    for (uint32_t i = 3 + string_words(inst, 3); i < inst_length(inst); i++) {
        struct alpha_output integer, number;
        const bool integers = is_vector(m, inst[i], true, &integer);
        if (!integers && !is_vector(m, inst[i], false, &number))
            continue;
        const uint32_t location = whole_location(m, inst[i]);
        if (location == MOST_ALPHA_ONE || !(wanted->locations >> location & 1) ||
            (wanted->integers >> location & 1) != integers)
            continue;
        if (((wanted->times_alpha | wanted->times_rest) >> location & 1) && (integers || number.word != ONE_OF_32_BITS))
            continue;
        alpha_one[location] = integers ? integer : number;
        found |= 1u << location;
    }
    if (*m->steps == 0)
        return 0;
    return found;
}

uint32_t spirv_find_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                              const struct spirv_allocator *allocator)
{
    struct module m;
    struct entry entry;
    struct alpha_output alpha_one[MOST_ALPHA_ONE];
    char message[MODULE_MESSAGE];
    allocator = allocator ? allocator : &module_c_allocator;
    if (module_index(&m, words, word_count, allocator, message) != SPIRV_REWRITTEN)
        return 0;
    const uint32_t found = find_entry(&m, wanted->entry, &entry) ? find_outputs(&m, &entry, wanted, alpha_one) : 0;
    module_drop(&m, allocator);
    return found;
}

/* ---- The module that is written ---- */

struct writer {
    uint32_t *words;
    size_t count;
    uint32_t next_id;
};

static void put(struct writer *w, uint32_t opcode, const uint32_t *operands, uint32_t operand_count)
{
    w->words[w->count++] = inst_word0(opcode, operand_count + 1);
    memcpy(w->words + w->count, operands, operand_count * sizeof(*operands));
    w->count += operand_count;
}
#define PUT(W, OPCODE, ...)                                                                                            \
    put((W), (OPCODE), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* The words that PUT adds: constants, and the function around its outputs. */
enum { WORDS_EACH = 4 + 4 + 5 + 5 + 5 + 6 + 3, WORDS_AROUND = 5 + 2 + 4 + 1 + 1 };

/* The entry point gets the new function; its name and debug information stay with the program's function. */
static void name_entry(const struct module *m, struct writer *w, const struct entry *entry, uint32_t function)
{
    w->words[entry->at + 2] = function;
    for (uint32_t at = m->entry_points_end; at < m->annotations_end; at += inst_length(w->words + at)) {
        const uint32_t opcode = inst_opcode(w->words + at);
        if ((opcode == SpvOpExecutionMode || opcode == SpvOpExecutionModeId) && w->words[at + 1] == entry->function)
            w->words[at + 1] = function;
    }
}

/* A colour times its own alpha, or times `minuend` minus that. */
static uint32_t put_product(struct writer *w, const struct alpha_output *alpha_output, uint32_t color, uint32_t minuend)
{
    uint32_t factor = w->next_id++;
    PUT(w, SpvOpCompositeExtract, alpha_output->channel, factor, color, VECTOR - 1);
    if (minuend) {
        const uint32_t rest = w->next_id++;
        PUT(w, SpvOpFSub, alpha_output->channel, rest, minuend, factor);
        factor = rest;
    }
    const uint32_t product = w->next_id++;
    PUT(w, SpvOpVectorTimesScalar, alpha_output->vector, product, color, factor);
    return product;
}

static void write_module(const struct module *m, const struct entry *entry, const struct spirv_alpha_one *wanted,
                         const struct alpha_output alpha_one[MOST_ALPHA_ONE], struct writer *w)
{
    const uint32_t *program = module_definition(m, entry->function);
    const uint32_t found = wanted->locations;
    uint32_t constants[MOST_ALPHA_ONE] = {0};
    const uint32_t function = w->next_id++;
    memcpy(w->words, m->words, m->functions_at * sizeof(*w->words));
    w->count = m->functions_at;
    name_entry(m, w, entry, function);
    for (uint32_t i = 0; found >> i; i++) {
        if (found >> i & 1)
            PUT(w, SpvOpConstant, alpha_one[i].channel, constants[i] = w->next_id++, alpha_one[i].word);
    }
    memcpy(w->words + w->count, m->words + m->functions_at, (m->word_count - m->functions_at) * sizeof(*w->words));
    w->count += m->word_count - m->functions_at;
    PUT(w, SpvOpFunction, program[1], function, SpvFunctionControlMaskNone, program[4]);
    PUT(w, SpvOpLabel, w->next_id++);
    PUT(w, SpvOpFunctionCall, program[1], w->next_id++, entry->function);
    for (uint32_t i = 0; found >> i; i++) {
        if (!(found >> i & 1))
            continue;
        uint32_t color = w->next_id++;
        PUT(w, SpvOpLoad, alpha_one[i].vector, color, alpha_one[i].variable);
        if ((wanted->times_alpha | wanted->times_rest) >> i & 1)
            color = put_product(w, &alpha_one[i], color, wanted->times_rest >> i & 1 ? constants[i] : 0);
        const uint32_t changed = w->next_id++;
        PUT(w, SpvOpCompositeInsert, alpha_one[i].vector, changed, constants[i], color, VECTOR - 1);
        PUT(w, SpvOpStore, alpha_one[i].variable, changed);
    }
    w->words[w->count++] = inst_word0(SpvOpReturn, 1);
    w->words[w->count++] = inst_word0(SpvOpFunctionEnd, 1);
    w->words[HEADER_BOUND] = module_bound_with(m, w->next_id);
}

enum spirv_result spirv_write_alpha_one(const uint32_t *words, size_t word_count, const struct spirv_alpha_one *wanted,
                                        const struct spirv_allocator *allocator, struct spirv_output *output)
{
    struct module m;
    struct entry entry;
    struct alpha_output alpha_one[MOST_ALPHA_ONE];
    memset(output, 0, sizeof(*output));
    allocator = allocator ? allocator : &module_c_allocator;
    enum spirv_result result = module_index(&m, words, word_count, allocator, output->message);
    if (result != SPIRV_REWRITTEN)
        return result;
    const uint32_t found = find_entry(&m, wanted->entry, &entry) ? find_outputs(&m, &entry, wanted, alpha_one) : 0;
    if (found != wanted->locations || m.free_end - m.free_id < MOST_ALPHA_ONE * WORDS_EACH) {
        result = SPIRV_UNSUPPORTED;
    } else {
        const size_t most = word_count + WORDS_AROUND + MOST_ALPHA_ONE * WORDS_EACH;
        struct writer w = {.words = allocator->reallocate(allocator->user, NULL, most * sizeof(*words)),
                           .next_id = m.free_id};
        if (w.words)
            write_module(&m, &entry, wanted, alpha_one, &w);
        else
            result = SPIRV_OUT_OF_MEMORY;
        output->words = w.words;
        output->word_count = w.count;
    }
    module_drop(&m, allocator);
    return result;
}
