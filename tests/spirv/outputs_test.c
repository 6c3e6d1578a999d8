/* SPDX-License-Identifier: MIT */
/*
 * Fragment shaders whose outputs and input attachments are moved. An interpreter runs what is written; its outputs, by
 * location, source and component, must be those that the moves make of the program's, which are read from the run of
 * the program's own module. Every module that is written is valid in every environment that its own is valid in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv/unified1/spirv.h>

#include "interpreter.h"
#include "spirv/outputs.h"
#include "spirv_text.h"

struct shader {
    const char *path;
    const char *name;
    enum text_environment environment;
};

static const struct shader shaders[] = {
#include "shader_list.h"
};
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* ---- Shaders ---- */

#define HEAD(INTERFACE)                                                                                                \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" " INTERFACE              \
    "\nOpExecutionMode %main OriginUpperLeft\n"
#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"             \
    "%int = OpTypeInt 32 1\n%v2 = OpTypeVector %float 2\n%v3 = OpTypeVector %float 3\n%v4 = OpTypeVector %float 4\n"   \
    "%u4 = OpTypeVector %uint 4\n%i2 = OpTypeVector %int 2\n%two = OpConstant %uint 2\n"                               \
    "%array = OpTypeArray %v4 %two\n%pairs = OpTypeArray %v2 %two\n"                                                   \
    "%p_float = OpTypePointer Output %float\n%p_v2 = OpTypePointer Output %v2\n%p_v3 = OpTypePointer Output %v3\n"     \
    "%p_v4 = OpTypePointer Output %v4\n%p_u4 = OpTypePointer Output %u4\n%p_i2 = OpTypePointer Output %i2\n"           \
    "%p_int = OpTypePointer Output %int\n"                                                                             \
    "%p_array = OpTypePointer Output %array\n%p_pairs = OpTypePointer Output %pairs\n"                                 \
    "%k0 = OpConstant %float 0.75\n%k1 = OpConstant %float -0.5\n%k2 = OpConstant %float 1.5\n"                        \
    "%k3 = OpConstant %float 0.25\n%k4 = OpConstant %float -1.75\n%u0 = OpConstant %uint 7\n"                          \
    "%u1 = OpConstant %uint 4000000000\n%i0 = OpConstant %int -3\n%i1 = OpConstant %int 9\n"                           \
    "%c2 = OpConstantComposite %v2 %k0 %k1\n%d2 = OpConstantComposite %v2 %k4 %k2\n"                                   \
    "%c3 = OpConstantComposite %v3 %k1 %k0 %k2\n%c4 = OpConstantComposite %v4 %k0 %k1 %k2 %k3\n"                       \
    "%d4 = OpConstantComposite %v4 %k3 %k4 %k0 %k1\n%cu = OpConstantComposite %u4 %u0 %u1 %two %u0\n"                  \
    "%ci = OpConstantComposite %i2 %i0 %i1\n%ca = OpConstantComposite %array %c4 %d4\n"                                \
    "%cp = OpConstantComposite %pairs %c2 %d2\n"
#define MAIN(STORES) "%main = OpFunction %void None %voids\n%first = OpLabel\n" STORES "OpReturn\nOpFunctionEnd\n"

/* `locations`: those that can be changed, of floats or integers; `multiplied`: of those, by products. */
static const struct row {
    const char *what, *text;
    uint32_t locations, integers, multiplied;
} rows[] = {
    {"four channels",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %c4\n"), 0xff, 0,
     0xff},
    {"three channels",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v3 Output\n" MAIN("OpStore %a %c3\n"), 0xff, 0,
     0xff},
    {"two channels",
     HEAD("%a") "OpDecorate %a Location 1\n" TYPES "%a = OpVariable %p_v2 Output\n" MAIN("OpStore %a %c2\n"), 0xff, 0,
     0xff},
    {"one channel",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_float Output\n" MAIN("OpStore %a %k2\n"), 0xff,
     0, 0xff},
    {"a channel in the middle",
     HEAD("%a") "OpDecorate %a Location 0\nOpDecorate %a Component 1\n" TYPES
                "%a = OpVariable %p_float Output\n" MAIN("OpStore %a %k2\n"),
     0xff, 0, 0xff},
    {"channels apart",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 0\nOpDecorate %b Component 2\n" TYPES
                   "%a = OpVariable %p_float Output\n%b = OpVariable %p_v2 Output\n" MAIN(
                       "OpStore %a %k3\nOpStore %b %c2\n"),
     0xff, 0, 0xff},
    {"an array",
     HEAD("%a") "OpDecorate %a Location 1\n" TYPES "%a = OpVariable %p_array Output\n" MAIN("OpStore %a %ca\n"), 0xff,
     0, 0xff},
    {"an array of pairs at a component",
     HEAD("%a") "OpDecorate %a Location 0\nOpDecorate %a Component 2\n" TYPES
                "%a = OpVariable %p_pairs Output\n" MAIN("OpStore %a %cp\n"),
     0xff, 0, 0xff},
    {"two sources",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %a Index 0\nOpDecorate %b Location 0\nOpDecorate %b Index "
                   "1\n" TYPES "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v4 Output\n" MAIN(
                       "OpStore %a %c4\nOpStore %b %d4\n"),
     0xff, 0, 0xff},
    {"a second source of two channels",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 0\nOpDecorate %b Index 1\n" TYPES
                   "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v2 Output\n" MAIN(
                       "OpStore %a %d4\nOpStore %b %c2\n"),
     0xff, 0, 0xff},
    {"a group of decorations",
     HEAD("%a") "OpDecorate %group Location 2\n%group = OpDecorationGroup\nOpGroupDecorate %group %a\n" TYPES
                "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %d4\n"),
     0xff, 0, 0xff},
    {"outputs of three locations, by chains",
     HEAD(
         "%a %b %c") "OpDecorate %a Location 1\nOpDecorate %b Location 0\nOpDecorate %c Location 3\n" TYPES
                     "%zero = OpConstant %int 0\n%one = OpConstant %int 1\n"
                     "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v4 Output\n%c = OpVariable %p_array "
                     "Output\n" MAIN(
                         "OpStore %a %c4\nOpStore %b %d4\nOpStore %c %ca\n%e = OpAccessChain %p_float %a %one\n"
                         "OpStore %e %k2\n%f = OpAccessChain %p_v4 %c %one\n%g = OpAccessChain %p_float %f %zero\n"
                         "OpStore %g %k1\n%h = OpLoad %float %e\n%j = OpAccessChain %p_float %b %one\nOpStore %j %h\n"),
     0xff, 0, 0xff},
    {"an output of which there is a second pointer, beside another",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 1\n" TYPES
                   "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v4 Output\n" MAIN(
                       "OpStore %a %d4\n%to = OpCopyObject %p_v4 %b\nOpStore %to %c4\n"),
     0xff, 0, 0xff},
    {"an output that is copied from another",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 1\n" TYPES
                   "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v4 Output\n" MAIN(
                       "OpStore %a %d4\nOpCopyMemory %b %a\n"),
     0xff, 0, 0xff},
    {"unsigned integers",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_u4 Output\n" MAIN("OpStore %a %cu\n"), 0xff, 1,
     0xfe},
    {"two integers beside floats",
     HEAD("%a %b") "OpDecorate %a Location 1\nOpDecorate %b Location 0\n" TYPES
                   "%a = OpVariable %p_i2 Output\n%b = OpVariable %p_v4 Output\n" MAIN(
                       "OpStore %a %ci\nOpStore %b %c4\n"),
     0xff, 2, 0xfd},
    {"integers for an attachment of floats",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_u4 Output\n" MAIN("OpStore %a %cu\n"), 0xfe, 0,
     0xfe},
    {"a function that writes an output, and others that return early",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n%write = OpFunction %void None "
                "%voids\n%inside = OpLabel\nOpStore %a %c4\n"
                "OpReturn\nOpFunctionEnd\n" MAIN("%call = OpFunctionCall %void %write\n"),
     0xff, 0, 0xff},
    {"a shader that discards",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n%main = OpFunction %void None "
                "%voids\n%first = OpLabel\nOpStore %a %c4\nOpKill\n"
                "OpFunctionEnd\n",
     0xff, 0, 0xff},
    {"depth and a colour",
     HEAD("%a %z") "OpExecutionMode %main DepthReplacing\nOpDecorate %a Location 0\nOpDecorate %z BuiltIn "
                   "FragDepth\n" TYPES "%a = OpVariable %p_v4 Output\n%z = OpVariable %p_float Output\n" MAIN(
                       "OpStore %a %c4\nOpStore %z %k3\n"),
     0xff, 0, 0xff},
    {"two entry points",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a\n"
     "OpEntryPoint Fragment %other \"other\" %b\nOpExecutionMode %main OriginUpperLeft\n"
     "OpExecutionMode %other OriginUpperLeft\nOpDecorate %a Location 0\nOpDecorate %b Location 0\n" TYPES
     "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v3 Output\n" MAIN(
         "OpStore %a %c4\n") "%other = OpFunction %void None %voids\n%label = OpLabel\nOpStore %b %c3\nOpReturn\n"
                             "OpFunctionEnd\n",
     0xff, 0, 0xff},
    {"a function of two entry points",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a\n"
     "OpEntryPoint Fragment %main \"again\" %a\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n" TYPES
     "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %c4\n"),
     0xfe, 0, 0xfe},
    {"no output", HEAD("") TYPES MAIN(""), 0xff, 0, 0xff},
};

/* Halves: they are moved where the module may take vectors of them apart, and never multiplied. */
#define HALVES(CAPABILITIES)                                                                                           \
    "OpCapability Shader\nOpCapability StorageInputOutput16\n" CAPABILITIES                                            \
    "OpExtension \"SPV_KHR_16bit_storage\"\nOpMemoryModel Logical GLSL450\n"                                           \
    "OpEntryPoint Fragment %main \"main\" %a\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n" TYPES \
    "%half = OpTypeFloat 16\n%h2 = OpTypeVector %half 2\n%p_h2 = OpTypePointer Output %h2\n"                           \
    "%a = OpVariable %p_h2 Output\n" MAIN("")
static const struct row halves[] = {
    {"halves", HALVES("OpCapability Float16\n"), 0xff, 0, 0xfe},
    {"halves that are only stored", HALVES(""), 0xfe, 0, 0xfe},
};

/* ---- Running ---- */

/* The channels of each location and source; `has`: that some variable has them. */
struct result {
    uint32_t value[SPIRV_LOCATIONS][2][4];
    bool has[SPIRV_LOCATIONS][2][4];
    bool killed;
};

struct place {
    uint32_t location, component, index;
};

static void read_place(const struct interpreter *in, uint32_t id, struct place *place)
{
    for (size_t at = 5; at < in->word_count; at += in->words[at] >> 16) {
        const uint32_t *inst = in->words + at;
        if ((inst[0] & 0xffff) == SpvOpGroupDecorate && inst[2] == id)
            read_place(in, inst[1], place);
        if ((inst[0] & 0xffff) != SpvOpDecorate || inst[1] != id)
            continue;
        if (inst[2] == SpvDecorationLocation)
            place->location = inst[3];
        if (inst[2] == SpvDecorationComponent)
            place->component = inst[3];
        if (inst[2] == SpvDecorationIndex)
            place->index = inst[3];
    }
}

static void read_output(const struct interpreter *in, const uint32_t *variable, struct result *result)
{
    struct place place = {.location = UINT32_MAX};
    const uint32_t *pointer = in->words + in->definition[variable[1]];
    const uint32_t *type = in->words + in->definition[pointer[3]];
    const bool array = (type[0] & 0xffff) == SpvOpTypeArray;
    const uint32_t *value = in->value[variable[2]] + 2; /* behind the words of a pointer */
    const uint32_t size = in->size[variable[2]] - 2, each = array ? size / 2 : size;
    read_place(in, variable[2], &place);
    for (uint32_t i = 0; place.location != UINT32_MAX && i < size; i++) {
        const uint32_t location = place.location + i / each, component = place.component + i % each;
        assert_false(result->has[location][place.index][component]);
        result->has[location][place.index][component] = true;
        result->value[location][place.index][component] = value[i];
    }
}

static struct result run(const uint32_t *words, size_t count)
{
    struct interpreter in;
    struct result result;
    memset(&result, 0, sizeof(result));
    interpreter_run(&in, words, count, NULL, NULL);
    if (in.stuck)
        print_error("the interpreter does not know: %s\n", in.stuck);
    assert_null(in.stuck);
    result.killed = in.killed;
    /* Outputs of the first entry point, which is the one that runs. */
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t *inst = words + at;
        if ((inst[0] & 0xffff) != SpvOpEntryPoint)
            continue;
        for (uint32_t i = 3 + 2; i < inst[0] >> 16; i++) { /* "main" has two words */
            const uint32_t *variable = words + in.definition[inst[i]];
            if ((variable[0] & 0xffff) == SpvOpVariable && variable[3] == SpvStorageClassOutput)
                read_output(&in, variable, &result);
        }
        break;
    }
    interpreter_free(&in);
    return result;
}

/* ---- The moves themselves ---- */

static float number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float clamped(float value, enum spirv_clamp clamp)
{
    const float least = clamp == SPIRV_CLAMP_SNORM ? -1.0f : 0.0f;
    return clamp == SPIRV_CLAMP_NONE ? value : value < least ? least : value > 1.0f ? 1.0f : value;
}

/* The program's channel, and what stands for one that it does not write. */
static uint32_t written(const struct result *program, uint32_t location, uint32_t source, uint32_t channel,
                        bool integer)
{
    if (program->has[location][source][channel])
        return program->value[location][source][channel];
    return channel < 3 ? 0 : integer ? 1 : bits_of(1.0f);
}

static float made_term(const struct result *program, uint32_t location, enum spirv_term term, enum spirv_clamp clamp)
{
    if (term <= SPIRV_TERM_ONE)
        return term == SPIRV_TERM_ONE ? 1.0f : 0.0f;
    if (term >= SPIRV_TERM_MIN_ZERO) {
        const float alpha = clamped(number(written(program, location, 0, 3, false)), clamp);
        const float bound = term == SPIRV_TERM_MIN_ONE ? 1.0f : 0.0f;
        return alpha < bound ? alpha : bound;
    }
    const uint32_t at = term - SPIRV_TERM_SOURCE;
    const float value = clamped(number(written(program, location, at / 8, at % 4, false)), clamp);
    return at / 4 % 2 ? clamped(1.0f - value, clamp) : value;
}

static bool is_computed(enum spirv_term term)
{
    return (term >= SPIRV_TERM_REST && term < SPIRV_TERM_SECOND) || term >= SPIRV_TERM_SECOND_REST;
}

/* Compares a channel; false: it is left. */
static bool expected(const struct result *program, uint32_t location, const struct spirv_moves *moves, uint32_t source,
                     uint32_t channel, bool integer, uint32_t *value)
{
    const enum spirv_clamp clamp = spirv_moves_clamp(moves);
    if (source == 1) {
        const enum spirv_term term = spirv_moves_second(moves, channel);
        if (term == SPIRV_TERM_NONE)
            return false;
        const float made = made_term(program, location, term, is_computed(term) ? clamp : SPIRV_CLAMP_NONE);
        *value = !integer ? bits_of(made) : 0;
        return true;
    }
    const enum spirv_select select = spirv_moves_select(moves, channel);
    const enum spirv_term factor = spirv_moves_factor(moves, channel);
    if (select == SPIRV_SELECT_LEFT && factor == SPIRV_TERM_NONE)
        return false;
    *value = select == SPIRV_SELECT_ZERO ? 0
             : select == SPIRV_SELECT_ONE
                 ? integer ? 1 : bits_of(1.0f)
                 : written(program, location, 0, select == SPIRV_SELECT_LEFT ? channel : (uint32_t)select - 1, integer);
    if (factor != SPIRV_TERM_NONE)
        *value = bits_of(clamped(number(*value), clamp) * made_term(program, location, factor, clamp));
    return true;
}

static void compare(const struct row *row, const struct spirv_outputs *wanted, const struct result *program,
                    const struct result *moved)
{
    for (uint32_t i = 0; i < SPIRV_LOCATIONS * 8; i++) {
        const uint32_t location = i / 8, source = i / 4 % 2, channel = i % 4;
        bool any = false;
        uint32_t value = program->value[location][source][channel];
        for (uint32_t j = 0; j < 8; j++)
            any |= program->has[location][j / 4][j % 4];
        const bool set = any && expected(program, location, &wanted->locations[location], source, channel,
                                         row->integers >> location & 1, &value);
        const bool has = moved->has[location][source][channel];
        if ((set || program->has[location][source][channel]) &&
            (!has || number(moved->value[location][source][channel]) != number(value)) &&
            (!has || moved->value[location][source][channel] != value)) {
            print_error("%s: location %u, source %u, channel %u: %#x, not %#x\n", row->what, location, source, channel,
                        has ? moved->value[location][source][channel] : 0, value);
            fail();
        }
    }
}

/* ---- Tests ---- */

static uint32_t seed = 1;

static uint32_t random_below(uint32_t bound)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % bound;
}

static struct spirv_outputs random_outputs(uint32_t integers, uint32_t locations, uint32_t multiplied)
{
    struct spirv_outputs wanted = {.entry = "main", .integers = integers};
    const uint32_t dense = 1 + random_below(3);
    const uint32_t second = random_below(2) ? SPIRV_LOCATIONS : random_below(4); /* of all, or of one */
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        struct spirv_moves *moves = &wanted.locations[i];
        for (uint32_t j = 0; (locations >> i & 1) && j < 4; j++) {
            moves->channels |= random_below(dense) ? 0 : random_below(7) << 3 * j;
            if (!(multiplied >> i & 1))
                continue;
            moves->factors |= random_below(2) ? 0 : random_below(SPIRV_TERMS) << 5 * j;
            moves->second |=
                dense == 1 && (second == SPIRV_LOCATIONS || second == i) ? random_below(SPIRV_TERMS) << 5 * j : 0;
        }
        moves->channels |= (multiplied >> i & 1) && (locations >> i & 1) ? random_below(3) << 12 : 0;
    }
    return wanted;
}

static bool any_moves(const struct spirv_outputs *wanted, const struct result *program)
{
    for (uint32_t i = 0; i < SPIRV_LOCATIONS * 8; i++) {
        if (program->has[i / 8][i / 4 % 2][i % 4] && spirv_moves_any(&wanted->locations[i / 8]))
            return true;
    }
    return false;
}

static uint32_t locations_of(const struct result *program)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS * 8; i++)
        written |= program->has[i / 8][i / 4 % 2][i % 4] ? 1u << i / 8 : 0;
    return written;
}

/* Locations that get a second source beside another location. */
static uint32_t beside_others(const struct spirv_outputs *wanted, const struct result *program)
{
    const uint32_t written = locations_of(program);
    uint32_t second = 0;
    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++)
        second |= wanted->locations[i].second && (written & ~(1u << i)) ? written & 1u << i : 0;
    return second;
}

/* Outputs that stay beside a second source: of pointers that are copied, and arrays that are of its location as well.
 */
static bool stays(const struct row *row, uint32_t second)
{
    return (strcmp(row->what, "an output of which there is a second pointer, beside another") == 0 && second == 1) ||
           strncmp(row->what, "an array", 8) == 0 ||
           (strcmp(row->what, "outputs of three locations, by chains") == 0 && second >= 8);
}

/* The same, but for one beside which all others can be left out. */
static uint32_t refused_beside(const struct row *row, const struct spirv_outputs *wanted, const struct result *program)
{
    const uint32_t beside = beside_others(wanted, program);
    return (beside & (beside - 1)) || stays(row, beside) ? beside : 0;
}

static void check(const struct row *row, const struct spirv_words *input, const struct result *program,
                  const struct spirv_outputs *wanted, uint32_t *moved)
{
    struct spirv_output output, again;
    const char *why = "unset";
    const uint32_t beside = refused_beside(row, wanted, program), only = beside ? 0 : beside_others(wanted, program);
    struct result kept = *program;
    struct spirv_outputs kept_moves = *wanted;
    for (uint32_t i = 0; only && i < SPIRV_LOCATIONS; i++) {
        if (only >> i & 1)
            continue;
        memset(kept.has[i], 0, sizeof(kept.has[i]));
        kept_moves.locations[i] = (struct spirv_moves){0};
    }
    assert_int_equal(spirv_find_outputs(input->words, input->count, wanted, NULL, &why), SPIRV_OUTPUTS_ALL & ~beside);
    assert_int_equal(why != NULL, beside != 0);
    const enum spirv_result result = spirv_write_outputs(input->words, input->count, wanted, NULL, &output);
    if (beside) {
        assert_int_equal(result, SPIRV_UNSUPPORTED);
        return;
    }
    assert_int_equal(result, any_moves(&kept_moves, &kept) ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
    if (result != SPIRV_REWRITTEN) {
        assert_null(output.words);
        return;
    }
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, row->what));
    const struct result ran = run(output.words, output.word_count);
    assert_int_equal(ran.killed, program->killed);
    if (!ran.killed)
        compare(row, &kept_moves, &kept, &ran);
    assert_int_equal(locations_of(&ran) & ~locations_of(&kept), 0);
    assert_int_equal(spirv_write_outputs(input->words, input->count, wanted, NULL, &again), SPIRV_REWRITTEN);
    assert_int_equal(again.word_count, output.word_count);
    assert_memory_equal(again.words, output.words, output.word_count * sizeof(*output.words));
    free(output.words);
    free(again.words);
    ++*moved;
}

static void outputs_are_what_moves_make_of_the_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, rows[i].text);
        uint32_t moved = 0;
        assert_non_null(input.words);
        assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, rows[i].what));
        const struct result program = run(input.words, input.count);
        for (uint32_t j = 0; j < 150; j++) {
            const struct spirv_outputs wanted = random_outputs(rows[i].integers, rows[i].locations, rows[i].multiplied);
            check(&rows[i], &input, &program, &wanted, &moved);
        }
        assert_true(moved > 50 || strcmp(rows[i].what, "no output") == 0 || rows[i].locations != 0xff);
        free(input.words);
    }
}

static void locations_that_cannot_be_changed_are_named(const struct row *row)
{
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, row->text);
    assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, row->what));
    for (uint32_t products = 0; products < 2; products++) {
        struct spirv_outputs wanted = {.entry = "main", .integers = row->integers};
        struct spirv_output output;
        const char *why = NULL;
        const uint32_t can = products ? row->multiplied & row->locations : row->locations;
        for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++)
            wanted.locations[i] =
                (struct spirv_moves){.channels = SPIRV_SELECT_ONE, .factors = products ? SPIRV_TERM_REST : 0};
        assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), 0xff0000 | can);
        assert_int_equal(why != NULL, can != 0xff);
        const enum spirv_result result = spirv_write_outputs(input.words, input.count, &wanted, NULL, &output);
        assert_int_equal(result == SPIRV_UNSUPPORTED, can != 0xff);
        if (result == SPIRV_REWRITTEN)
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, row->what));
        free(output.words);
        wanted.entry = "mai";
        assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), 0);
        assert_non_null(why);
        assert_int_equal(spirv_write_outputs(input.words, input.count, &wanted, NULL, &output), SPIRV_UNSUPPORTED);
    }
    free(input.words);
}

static void all_locations_are_found_but_those_that_cannot_be_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        locations_that_cannot_be_changed_are_named(&rows[i]);
    for (size_t i = 0; i < COUNT(halves); i++)
        locations_that_cannot_be_changed_are_named(&halves[i]);
}

static void bits_are_moved_to_attachments_of_another_kind(void **state)
{
    (void)state;
    static const char text[] =
        HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_u4 Output\n" MAIN("OpStore %a %cu\n");
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
    struct spirv_outputs wanted = {.entry = "main"}; /* an attachment of floats */
    const char *why = NULL;
    struct spirv_output output;
    assert_non_null(input.words);
    const struct result program = run(input.words, input.count);
    wanted.locations[0].channels = SPIRV_SELECT_G | SPIRV_SELECT_ZERO << 3 | SPIRV_SELECT_R << 6;
    assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), SPIRV_OUTPUTS_ALL);
    assert_int_equal(spirv_write_outputs(input.words, input.count, &wanted, NULL, &output), SPIRV_REWRITTEN);
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "another kind"));
    const struct result moved = run(output.words, output.word_count);
    assert_int_not_equal(program.value[0][0][0], program.value[0][0][1]);
    assert_int_equal(moved.value[0][0][0], program.value[0][0][1]);
    assert_int_equal(moved.value[0][0][1], 0);
    assert_int_equal(moved.value[0][0][2], program.value[0][0][0]);
    free(output.words);
    wanted.locations[0].channels = SPIRV_SELECT_ONE;
    assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), SPIRV_OUTPUTS_ALL & ~1u);
    assert_non_null(why);
    free(input.words);
}

static void interlocks_and_blocks_are_left(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "OpCapability Shader\nOpCapability FragmentShaderPixelInterlockEXT\nOpExtension "
        "\"SPV_EXT_fragment_shader_interlock\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" "
        "%a\n"
        "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main PixelInterlockOrderedEXT\n"
        "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN(
            "OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT\nOpStore %a %c4\n"),
        HEAD("%a") "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 0\n" TYPES
                   "%block = OpTypeStruct %v4\n%p_block = OpTypePointer Output %block\n%a = OpVariable %p_block "
                   "Output\n" MAIN("")};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, texts[i]);
        struct spirv_outputs wanted = {.entry = "main", .locations = {{.channels = SPIRV_SELECT_G}}};
        const char *why = NULL;
        assert_non_null(input.words);
        assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), SPIRV_OUTPUTS_ALL & ~1u);
        assert_non_null(why);
        wanted.locations[0].channels = 0;
        assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why), SPIRV_OUTPUTS_ALL);
        free(input.words);
    }
}

/* ---- Input attachments ---- */

#define SUBPASS_TYPES                                                                                                  \
    "%zero = OpConstant %int 0\n%one = OpConstant %int 1\n%at = OpConstantComposite %i2 %zero %zero\n"                 \
    "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%p_image = OpTypePointer UniformConstant %image\n"       \
    "%images = OpTypeArray %image %two\n%p_images = OpTypePointer UniformConstant %images\n"                           \
    "%in = OpVariable %p_image UniformConstant\n%more = OpVariable %p_images UniformConstant\n"                        \
    "%a = OpVariable %p_v4 Output\n%takes = OpTypeFunction %v4 %image\n"
#define INPUTS(BODY)                                                                                                   \
    "OpCapability Shader\nOpCapability InputAttachment\nOpMemoryModel Logical GLSL450\n"                               \
    "OpEntryPoint Fragment %main \"main\" %a\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n"       \
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\nOpDecorate %in InputAttachmentIndex 2\n"                \
    "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 1\nOpDecorate %more InputAttachmentIndex 3\n" TYPES    \
        SUBPASS_TYPES BODY

/* The attachment that each reads, INPUT_NONE: that is not known. */
enum { INPUT_NONE = 100 };
static const struct {
    const char *what, *text;
    uint32_t index;
} inputs[] = {
    {"a variable", INPUTS(MAIN("%i = OpLoad %image %in\n%t = OpImageRead %v4 %i %at\nOpStore %a %t\n")), 2},
    {"an element",
     INPUTS(MAIN("%e = OpAccessChain %p_image %more %one\n%i = OpLoad %image %e\n%t = OpImageRead %v4 %i %at\n"
                 "OpStore %a %t\n")),
     4},
    {"a parameter",
     INPUTS("%f = OpFunction %v4 None %takes\n%g = OpFunctionParameter %image\n%l = OpLabel\n"
            "%t = OpImageRead %v4 %g %at\nOpReturnValue %t\nOpFunctionEnd\n" MAIN(
                "%i = OpLoad %image %in\n%r = OpFunctionCall %v4 %f %i\nOpStore %a %r\n")),
     2},
    {"a parameter that is of two",
     INPUTS("%f = OpFunction %v4 None %takes\n%g = OpFunctionParameter %image\n%l = OpLabel\n"
            "%t = OpImageRead %v4 %g %at\nOpReturnValue %t\nOpFunctionEnd\n" MAIN(
                "%i = OpLoad %image %in\n%r = OpFunctionCall %v4 %f %i\n%e = OpAccessChain %p_image %more %one\n"
                "%j = OpLoad %image %e\n%s = OpFunctionCall %v4 %f %j\n%q = OpFAdd %v4 %r %s\nOpStore %a %q\n")),
     INPUT_NONE},
};

static void reads_of_input_attachments_are_moved(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(inputs); i++) {
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, inputs[i].text);
        struct spirv_outputs wanted = {.entry = "main"};
        struct spirv_output output;
        const char *why = NULL;
        const struct row row = {.what = inputs[i].what};
        assert_non_null(input.words);
        assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, inputs[i].what));
        wanted.inputs[0] = SPIRV_SELECT_ONE; /* of another attachment */
        assert_int_equal(spirv_find_outputs(input.words, input.count, &wanted, NULL, &why) == SPIRV_OUTPUTS_ALL, true);
        assert_int_equal(spirv_write_outputs(input.words, input.count, &wanted, NULL, &output), SPIRV_UNCHANGED);
        const struct result program = run(input.words, input.count);
        for (uint32_t j = 0; j < 50; j++) {
            struct result moved_too = program;
            const uint32_t index = inputs[i].index == INPUT_NONE ? 2 : inputs[i].index;
            wanted = (struct spirv_outputs){.entry = "main"};
            for (uint32_t k = 0; k < 4; k++) {
                const uint32_t select = random_below(7);
                wanted.inputs[index] |= select << 3 * k;
                moved_too.value[0][0][k] = select == SPIRV_SELECT_LEFT   ? program.value[0][0][k]
                                           : select == SPIRV_SELECT_ZERO ? 0
                                           : select == SPIRV_SELECT_ONE  ? bits_of(1.0f)
                                                                         : program.value[0][0][select - 1];
            }
            if (!wanted.inputs[index])
                continue;
            const bool known = inputs[i].index != INPUT_NONE;
            const uint32_t found = spirv_find_outputs(input.words, input.count, &wanted, NULL, &why);
            assert_int_equal(found, known ? SPIRV_OUTPUTS_ALL : SPIRV_OUTPUTS_ALL & ~(1u << (16 + index)));
            assert_int_equal(why != NULL, !known);
            const enum spirv_result result = spirv_write_outputs(input.words, input.count, &wanted, NULL, &output);
            assert_int_equal(result, known ? SPIRV_REWRITTEN : SPIRV_UNSUPPORTED);
            if (!known)
                continue;
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, inputs[i].what));
            const struct result ran = run(output.words, output.word_count);
            compare(&row, &(struct spirv_outputs){.entry = "main"}, &moved_too, &ran);
            free(output.words);
        }
        free(input.words);
    }
}

/* ---- Compiled shaders ---- */

static void compiled_shaders_stay_valid(void **state)
{
    (void)state;
    static uint32_t words[1 << 18];
    uint32_t moved = 0;
    for (size_t i = 0; i < COUNT(shaders); i++) {
        FILE *file = fopen(shaders[i].path, "rb");
        assert_non_null(file);
        const size_t count = fread(words, sizeof(*words), sizeof(words) / sizeof(*words), file);
        fclose(file);
        for (uint32_t j = 0; j < 8; j++) {
            struct spirv_outputs wanted = random_outputs(0, 0xff, 1);
            struct spirv_output output;
            if (spirv_find_outputs(words, count, &wanted, NULL, NULL) != SPIRV_OUTPUTS_ALL ||
                spirv_write_outputs(words, count, &wanted, NULL, &output) != SPIRV_REWRITTEN)
                continue;
            assert_true(text_validate(shaders[i].environment, output.words, output.word_count, shaders[i].name));
            free(output.words);
            moved++;
        }
    }
    print_message("%u modules\n", moved);
    assert_true(moved >= 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_what_moves_make_of_the_programs),
        cmocka_unit_test(all_locations_are_found_but_those_that_cannot_be_changed),
        cmocka_unit_test(bits_are_moved_to_attachments_of_another_kind),
        cmocka_unit_test(interlocks_and_blocks_are_left),
        cmocka_unit_test(reads_of_input_attachments_are_moved),
        cmocka_unit_test(compiled_shaders_stay_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
