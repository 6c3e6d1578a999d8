/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include "target.h"

#include <stdbool.h>
#include <string.h>

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>

/* The header's function is `inline`: this makes the one definition that may be called. */
extern void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

#define HEADER_WORDS 5u
#define BOUND 3u
#define MOST_INSTRUCTIONS 32768u

struct text {
    uint32_t *words;
    size_t count;
    size_t capacity;
    uint64_t *random;
    uint32_t at[MOST_INSTRUCTIONS]; /* where each instruction starts */
    uint32_t instructions;
    uint32_t first_in_functions; /* index of the first instruction of the first function */
};

static uint32_t below(struct text *text, uint32_t limit)
{
    return limit ? fuzz_random(text->random) % limit : 0;
}

static uint16_t opcode_at(const struct text *text, uint32_t index)
{
    return (uint16_t)(text->words[text->at[index]] & 0xFFFFu);
}

static uint32_t length_at(const struct text *text, uint32_t index)
{
    return text->words[text->at[index]] >> 16;
}

/* False if the words do not divide into instructions. */
static bool divide(struct text *text)
{
    text->instructions = 0;
    text->first_in_functions = 0;
    for (size_t at = HEADER_WORDS; at < text->count;) {
        uint32_t length = text->words[at] >> 16;
        if (length == 0 || length > text->count - at || text->instructions == MOST_INSTRUCTIONS)
            return false;
        if (!text->first_in_functions && (text->words[at] & 0xFFFFu) == SpvOpFunction)
            text->first_in_functions = text->instructions;
        text->at[text->instructions++] = (uint32_t)at;
        at += length;
    }
    return text->first_in_functions > 0;
}

static uint32_t result_of(const struct text *text, uint32_t index, uint32_t *type)
{
    bool has_result = false;
    bool has_type = false;
    const uint32_t *words = text->words + text->at[index];

    SpvHasResultAndType((SpvOp)opcode_at(text, index), &has_result, &has_type);
    *type = has_type && length_at(text, index) > 2 ? words[1] : 0;
    if (!has_result || length_at(text, index) <= 1u + has_type)
        return 0;
    return words[1 + has_type];
}

static uint32_t any_in_functions(struct text *text)
{
    return text->first_in_functions + below(text, text->instructions - text->first_in_functions);
}

static uint32_t type_of(const struct text *text, uint32_t id)
{
    uint32_t type;

    for (uint32_t i = 0; i < text->instructions; i++)
        if (result_of(text, i, &type) == id)
            return type;
    return 0;
}

static bool insert(struct text *text, size_t at, const uint32_t *words, size_t count)
{
    if (text->count + count > text->capacity)
        return false;
    memmove(text->words + at + count, text->words + at, (text->count - at) * sizeof(*words));
    memcpy(text->words + at, words, count * sizeof(*words));
    text->count += count;
    return true;
}

static void cut(struct text *text, size_t at, size_t count)
{
    memmove(text->words + at, text->words + at + count, (text->count - at - count) * sizeof(*text->words));
    text->count -= count;
}

/* Another value of the same type in the place of an operand. */
static void swap_operand(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t length = length_at(text, index);
    uint32_t type;
    uint32_t result = result_of(text, index, &type);
    uint32_t first = 1u + (result != 0) + (type != 0);

    if (length <= first)
        return;
    uint32_t *operand = text->words + text->at[index] + first + below(text, length - first);
    uint32_t wanted = type_of(text, *operand);
    uint32_t start = below(text, index + 1);
    for (uint32_t i = 0; wanted && i < index; i++) {
        uint32_t other_type;
        uint32_t other = result_of(text, (start + i) % index, &other_type);
        if (other && other_type == wanted) {
            *operand = other;
            return;
        }
    }
}

/* The same instruction a second time, with a result of its own, which the next use takes. */
static void repeat(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t length = length_at(text, index);
    uint32_t type;
    uint32_t result = result_of(text, index, &type);
    uint32_t copy[64];

    if (length > 64 || !result || !type || opcode_at(text, index) == SpvOpFunction)
        return;
    memcpy(copy, text->words + text->at[index], length * sizeof(*copy));
    copy[2] = text->words[BOUND];
    if (!insert(text, text->at[index] + length, copy, length))
        return;
    text->words[BOUND]++;
    for (size_t at = text->at[index] + 2 * length; at < text->count; at++) {
        if (text->words[at] == result) {
            text->words[at] = copy[2];
            return;
        }
    }
}

/* A copy of the value by OpCopyObject, which some of the later uses take. */
static void copy_value(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t type;
    uint32_t result = result_of(text, index, &type);
    size_t after = text->at[index] + length_at(text, index);

    if (!result || !type || opcode_at(text, index) == SpvOpFunction)
        return;
    const uint32_t copy[4] = {4u << 16 | SpvOpCopyObject, type, text->words[BOUND], result};
    if (!insert(text, after, copy, 4))
        return;
    text->words[BOUND]++;
    for (size_t at = after + 4; at < text->count; at++)
        if (text->words[at] == result && below(text, 2))
            text->words[at] = copy[2];
}

/* Where a scalar's or vector's type is declared; 0: it is none of them. */
static uint32_t find_numbers(const struct text *text, uint32_t type)
{
    for (uint32_t i = 0; i < text->first_in_functions; i++) {
        if (opcode_at(text, i) >= SpvOpTypeInt && opcode_at(text, i) <= SpvOpTypeVector &&
            text->words[text->at[i] + 1] == type)
            return text->at[i];
    }
    return 0;
}

/* The opcode of the type of a scalar's or a vector's numbers. */
static uint16_t numbers_of(const struct text *text, uint32_t type)
{
    uint32_t at = find_numbers(text, type);
    if (at != 0 && (text->words[at] & 0xFFFFu) == SpvOpTypeVector)
        at = find_numbers(text, text->words[at + 2]);
    return at != 0 ? (uint16_t)(text->words[at] & 0xFFFFu) : 0;
}

/* Arithmetic with a value, whose result some of the later uses take. */
static void insert_arithmetic(struct text *text)
{
    static const uint16_t floats[] = {SpvOpFAdd, SpvOpFSub, SpvOpFMul, SpvOpFNegate};
    static const uint16_t integers[] = {SpvOpIAdd, SpvOpBitwiseXor, SpvOpIMul, SpvOpNot};
    uint32_t index = any_in_functions(text), type;
    const uint32_t result = result_of(text, index, &type);
    const size_t after = text->at[index] + length_at(text, index);
    if (!result || !type || opcode_at(text, index) == SpvOpFunction || opcode_at(text, index) == SpvOpPhi ||
        opcode_at(text, index) == SpvOpFunctionParameter || opcode_at(text, index) == SpvOpVariable)
        return;
    const uint16_t numbers = numbers_of(text, type);
    if (numbers != SpvOpTypeFloat && numbers != SpvOpTypeInt)
        return;
    const uint32_t which = below(text, 4), length = which == 3 ? 4 : 5;
    const uint16_t opcode = numbers == SpvOpTypeFloat ? floats[which] : integers[which];
    const uint32_t words[5] = {length << 16 | opcode, type, text->words[BOUND], result, result};
    if (!insert(text, after, words, length))
        return;
    text->words[BOUND]++;
    for (size_t at = after + length; at < text->count; at++) {
        if (text->words[at] == result && below(text, 4) == 0)
            text->words[at] = words[2];
    }
}

/* Another value for a constant of 32 bits. */
static void change_constant(struct text *text)
{
    const float values[] = {0, 0.25f, 0.5f, 1, -1, 2, -3, 17, 1e6f};
    const uint32_t index = below(text, text->first_in_functions);
    for (uint32_t i = index; i < text->first_in_functions; i++) {
        uint32_t *words = text->words + text->at[i];
        if (opcode_at(text, i) != SpvOpConstant || length_at(text, i) != 4)
            continue;
        if (numbers_of(text, words[1]) == SpvOpTypeFloat)
            memcpy(&words[3], &values[below(text, sizeof(values) / sizeof(values[0]))], sizeof(*words));
        else
            words[3] = below(text, 5);
        return;
    }
}

/* A bias for a lookup with an implicit level, or a level for one that has one: a float constant of the module's. */
static void give_level(struct text *text)
{
    uint32_t constant = 0;
    for (uint32_t i = 0; i < text->first_in_functions; i++) {
        if (opcode_at(text, i) == SpvOpConstant && (constant == 0 || below(text, 3) == 0) &&
            numbers_of(text, text->words[text->at[i] + 1]) == SpvOpTypeFloat)
            constant = text->words[text->at[i] + 2];
    }
    for (uint32_t i = any_in_functions(text); constant && i < text->instructions; i++) {
        const uint16_t opcode = opcode_at(text, i);
        const uint32_t bare = opcode == SpvOpImageSampleImplicitLod || opcode == SpvOpImageSampleProjImplicitLod ? 5
                              : opcode == SpvOpImageSampleDrefImplicitLod                                        ? 6
                                                                                                                 : 0;
        if (bare == 0 || length_at(text, i) != bare)
            continue;
        const bool explicit = below(text, 2);
        const uint32_t operands[2] = {explicit ? SpvImageOperandsLodMask : SpvImageOperandsBiasMask, constant};
        if (insert(text, text->at[i] + bare, operands, 2))
            text->words[text->at[i]] = (bare + 2) << 16 | (opcode + explicit);
        return;
    }
}

/* The block in two; phis that named it name the second half. */
static void split_block(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t label = index;
    uint32_t fresh = text->words[BOUND];

    while (label > text->first_in_functions && opcode_at(text, label) != SpvOpLabel)
        label--;
    switch (opcode_at(text, index)) {
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
    case SpvOpLabel:
    case SpvOpPhi:
    case SpvOpVariable:
        return;
    default:
        break;
    }
    const uint32_t middle[4] = {2u << 16 | SpvOpBranch, fresh, 2u << 16 | SpvOpLabel, fresh};
    uint32_t old = text->words[text->at[label] + 1];
    for (uint32_t i = text->first_in_functions; i < text->instructions; i++)
        for (uint32_t j = 4; opcode_at(text, i) == SpvOpPhi && j < length_at(text, i); j += 2)
            if (text->words[text->at[i] + j] == old)
                text->words[text->at[i] + j] = fresh;
    if (insert(text, text->at[index], middle, 4))
        text->words[BOUND]++;
}

/* Neighbours change places. */
static void swap_neighbours(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t copy[64];

    if (index + 1 >= text->instructions || length_at(text, index) > 64)
        return;
    uint32_t *first = text->words + text->at[index];
    uint32_t length = length_at(text, index);
    uint32_t next = length_at(text, index + 1);
    memcpy(copy, first, length * sizeof(*copy));
    memmove(first, first + length, next * sizeof(*first));
    memcpy(first + next, copy, length * sizeof(*copy));
}

static void remove_one(struct text *text)
{
    uint32_t index = below(text, text->instructions);

    cut(text, text->at[index], length_at(text, index));
}

/* An instruction that changes nothing, or a decoration that compilers write. */
static void insert_harmless(struct text *text)
{
    uint32_t index = any_in_functions(text);
    uint32_t id = 1 + below(text, text->words[BOUND]);
    const uint32_t nop[1] = {1u << 16 | SpvOpNop};
    const uint32_t no_line[1] = {1u << 16 | SpvOpNoLine};
    const uint32_t relaxed[3] = {3u << 16 | SpvOpDecorate, id, SpvDecorationRelaxedPrecision};
    const uint32_t nonuniform[3] = {3u << 16 | SpvOpDecorate, id, SpvDecorationNonUniform};
    uint32_t annotation = 0;

    switch (below(text, 4)) {
    case 0:
        insert(text, text->at[index], nop, 1);
        return;
    case 1:
        insert(text, text->at[index], no_line, 1);
        return;
    default:
        break;
    }
    while (annotation < text->first_in_functions && opcode_at(text, annotation) != SpvOpDecorate)
        annotation++;
    insert(text, text->at[annotation], below(text, 2) ? relaxed : nonuniform, 3);
}

static bool is_lookup(uint16_t opcode)
{
    return (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageDrefGather) ||
           (opcode >= SpvOpImageSparseSampleImplicitLod && opcode <= SpvOpImageSparseDrefGather);
}

/* Another opcode, mask or operand for a lookup. */
static void change_lookup(struct text *text)
{
    uint32_t start = any_in_functions(text);
    uint32_t index = start;

    while (!is_lookup(opcode_at(text, index))) {
        index = index + 1 < text->instructions ? index + 1 : text->first_in_functions;
        if (index == start)
            return;
    }
    uint32_t *words = text->words + text->at[index];
    uint32_t length = length_at(text, index);
    switch (below(text, 4)) {
    case 0:
        words[0] = (words[0] & 0xFFFF0000u) | (opcode_at(text, index) ^ below(text, 8));
        break;
    case 1: /* without its last operands */
        if (length > 5) {
            uint32_t rest = 5 + below(text, length - 5);
            words[0] = rest << 16 | opcode_at(text, index);
            cut(text, text->at[index] + rest, length - rest);
        }
        break;
    case 2:
        if (length > 5)
            words[5 + below(text, length - 5)] = 1u << below(text, 16);
        break;
    default:
        words[3 + below(text, length > 3 ? length - 3 : 1)] = 1 + below(text, text->words[BOUND]);
        break;
    }
}

/* Decorations, constants, types and modes get other numbers. */
static void change_declaration(struct text *text)
{
    static const uint32_t interesting[] = {0, 1, 2, 3, 4, 7, 16, 31, 32, 511, 512, 65535, 0x7FFFFFFF, 0xFFFFFFFF};
    uint32_t index = below(text, text->first_in_functions);
    uint32_t length = length_at(text, index);

    if (length < 2)
        return;
    uint32_t *word = text->words + text->at[index] + 1 + below(text, length - 1);
    switch (below(text, 3)) {
    case 0:
        *word = interesting[below(text, sizeof(interesting) / sizeof(interesting[0]))];
        break;
    case 1:
        *word = 1 + below(text, text->words[BOUND]);
        break;
    default:
        *word += below(text, 5) - 2u;
        break;
    }
}

static void change_version(struct text *text)
{
    text->words[1] = 0x00010000u | below(text, 7) << 8;
}

/* One word anywhere. */
static void change_word(struct text *text)
{
    size_t at = below(text, (uint32_t)text->count);

    text->words[at] = below(text, 2) ? text->words[at] ^ 1u << below(text, 32) : below(text, 400);
}

static void truncate_text(struct text *text)
{
    if (text->count > HEADER_WORDS)
        text->count = HEADER_WORDS + below(text, (uint32_t)(text->count - HEADER_WORDS));
}

static void change_once(struct text *text)
{
    static void (*const careful[])(struct text *) = {
        swap_operand,
        swap_operand,
        copy_value,
        copy_value,
        split_block,
        split_block,
        repeat,
        repeat,
        swap_neighbours,
        insert_harmless,
        insert_harmless,
        change_lookup,
        change_lookup,
        change_declaration,
        remove_one,
        insert_arithmetic,
        insert_arithmetic,
        insert_arithmetic,
        change_constant,
        change_constant,
        give_level,
        give_level,
        insert_arithmetic,
        copy_value,
        split_block,
    };
    const uint32_t kinds = sizeof(careful) / sizeof(careful[0]);
    uint32_t choice = below(text, 100);

    if (choice == 0)
        truncate_text(text);
    else if (choice < 2)
        change_version(text);
    else if (choice < 5)
        change_word(text);
    else
        careful[below(text, kinds)](text);
}

size_t mutate_module(uint32_t *words, size_t count, size_t capacity, uint64_t *random)
{
    static struct text text; /* large; fuzzing has one thread */

    text.words = words;
    text.count = count;
    text.capacity = capacity;
    text.random = random;
    uint32_t changes = 1 + below(&text, 4);
    for (uint32_t i = 0; i < changes && text.count > 0; i++) {
        if (text.count > HEADER_WORDS && divide(&text))
            change_once(&text);
        else
            change_word(&text);
    }
    return text.count;
}
