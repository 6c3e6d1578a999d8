/* SPDX-License-Identifier: MIT */
/* Shapes that no front-end writes: deep calls, crowded functions, groups of decorations, thousands of types. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <spirv/unified1/spirv.h>
#include "auto_layout.h"
#include "spirv/module/inst.h"
#include "spirv_text.h"

static const char head[] = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint Fragment %main \"main\" %in\nOpExecutionMode %main OriginUpperLeft\n";
static const char types[] =
    "OpDecorate %in Location 0\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_in = OpTypePointer Input %v4float\n"
    "%fn = OpTypeFunction %v4float %p_sampled\n%in = OpVariable %p_in Input\n";
static const char decorations[] = "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n";
static const char variable[] = "%t = OpVariable %p_sampled UniformConstant\n";
static const char main_begins[] = "%main = OpFunction %void None %voids\n%first = OpLabel\n"
                                  "%c4 = OpLoad %v4float %in\n%c = OpVectorShuffle %v2float %c4 %c4 0 1\n";
static const char main_ends[] = "OpReturn\nOpFunctionEnd\n";

static const struct spirv_options tier1 = {.tier = 1};

#define WITHOUT_RECORDS(number, below)                                                                                 \
    {                                                                                                                  \
        .binding = (number), .new_binding = (below), .first_record = SPIRV_NO_RECORD, .count = 1                       \
    }
#define SET_WITHOUT_RECORDS(list, length)                                                                              \
    {                                                                                                                  \
        .bindings = (list), .binding_count = (length), .record_binding = SPIRV_NO_RECORD                               \
    }

/* A text that grows; the process ends where there is no memory. */
struct text {
    char *data;
    size_t count, capacity;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->capacity - text->count < 8192) {
        text->capacity = 2 * text->capacity + 16384;
        text->data = realloc(text->data, text->capacity);
        assert_non_null(text->data);
    }
    va_start(arguments, format);
    text->count += (size_t)vsnprintf(text->data + text->count, text->capacity - text->count, format, arguments);
    va_end(arguments);
}

static struct spirv_words assemble(struct text *text)
{
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text->data);
    assert_non_null(words.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, words.words, words.count, "input"));
    free(text->data);
    *text = (struct text){0};
    return words;
}

/* Rewrites with records for everything; what comes out, which is checked, in *output. */
static enum spirv_result rewrite(const struct spirv_words *input, struct spirv_output *output)
{
    static struct auto_layout layout;
    auto_layout(input->words, input->count, 0, &layout);
    enum spirv_result result = spirv_rewrite(input->words, input->count, &layout.layout, &tier1, NULL, output);
    if (result == SPIRV_REWRITTEN)
        assert_true(text_validate(TEXT_VULKAN_1_0, output->words, output->word_count, "output"));
    return result;
}

static uint32_t occurrences(const char *text, const char *what)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

static void add_lookup(struct text *text, const char *pointer, const char *name)
{
    add(text, "%%l%s = OpLoad %%t_sampled %s\n%%w%s = OpLoad %%v4float %%in\n", name, pointer, name);
    add(text, "%%c%s = OpVectorShuffle %%v2float %%w%s %%w%s 0 1\n", name, name, name);
    add(text, "%%r%s = OpImageSampleExplicitLod %%v4float %%l%s %%c%s Lod %%float_0\n", name, name, name);
}

/* Each function calls the next one, which stands behind it. */
static void records_travel_through_any_number_of_calls(void **state)
{
    enum { LEVELS = 300 };
    (void)state;
    struct text text = {0};
    add(&text, "%s%s%s%s%s", head, decorations, types, variable, main_begins);
    add(&text, "%%r = OpFunctionCall %%v4float %%f0 %%t\n%s", main_ends);
    for (uint32_t i = 0; i < LEVELS; i++) {
        char name[16], pointer[16];
        snprintf(name, sizeof(name), "_%u", i);
        snprintf(pointer, sizeof(pointer), "%%p%u", i);
        add(&text, "%%f%u = OpFunction %%v4float None %%fn\n%s = OpFunctionParameter %%p_sampled\n%%b%u = OpLabel\n", i,
            pointer, i);
        if (i + 1 < LEVELS)
            add(&text, "%%r_%u = OpFunctionCall %%v4float %%f%u %s\n", i, i + 1, pointer);
        else
            add_lookup(&text, pointer, name);
        add(&text, "OpReturnValue %%r_%u\nOpFunctionEnd\n", i);
    }
    struct spirv_words input = assemble(&text);
    struct spirv_output output;
    assert_int_equal(rewrite(&input, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    char *essence = text_essence(output.words, output.word_count);
    assert_non_null(essence);
    assert_int_equal(occurrences(essence, "= OpFunctionParameter %uint"), LEVELS);
    free(essence);
    free(output.words);
    free(input.words);
}

/* A function of many descriptors: each is looked up, or (`next`) handed on to a function that does. */
static struct spirv_words crowded(uint32_t parameters, bool next)
{
    struct text text = {0};
    add(&text, "%s%s%s%%many = OpTypeFunction %%v4float", head, decorations, types);
    for (uint32_t i = 0; i < parameters; i++)
        add(&text, " %%p_sampled");
    add(&text, "\n%s%s", variable, main_begins);
    add_lookup(&text, "%t", "_own");
    add(&text, "%%r = OpFunctionCall %%v4float %%f");
    for (uint32_t i = 0; i < parameters; i++)
        add(&text, " %%t");
    add(&text, "\n%s%%f = OpFunction %%v4float None %%many\n", main_ends);
    for (uint32_t i = 0; i < parameters; i++)
        add(&text, "%%p%u = OpFunctionParameter %%p_sampled\n", i);
    add(&text, "%%b = OpLabel\n");
    for (uint32_t i = 0; i < parameters; i++) {
        char name[16], pointer[16];
        snprintf(name, sizeof(name), "_%u", i);
        snprintf(pointer, sizeof(pointer), "%%p%u", i);
        if (next)
            add(&text, "%%r_%u = OpFunctionCall %%v4float %%g %s\n", i, pointer);
        else
            add_lookup(&text, pointer, name);
    }
    add(&text, "OpReturnValue %%r_0\nOpFunctionEnd\n");
    if (next) {
        add(&text, "%%g = OpFunction %%v4float None %%fn\n%%pg = OpFunctionParameter %%p_sampled\n%%bg = OpLabel\n");
        add_lookup(&text, "%pg", "g");
        add(&text, "OpReturnValue %%rg\nOpFunctionEnd\n");
    }
    return assemble(&text);
}

static void functions_without_room_for_records_are_left_alone_and_said(void **state)
{
    (void)state;
    static const struct {
        uint32_t parameters, lookups;
        bool next;
        const char *message;
    } cases[] = {
        {127, 128, false, ""},
        {128, 1, false, "128 of 129 lookups left alone: its function has no room for records beside its parameters"},
        {255, 1, false, "255 of 256 lookups left alone: its function has no room for records beside its parameters"},
        {127, 2, true, ""},
        {128, 2, true, "a descriptor is passed on by a function that has no room for a record beside it"},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct spirv_words input = crowded(cases[i].parameters, cases[i].next);
        struct spirv_output output;
        assert_int_equal(rewrite(&input, &output), SPIRV_REWRITTEN);
        assert_string_equal(output.message, cases[i].message);
        assert_int_equal(output.rewritten_lookups, cases[i].lookups);
        free(output.words);
        free(input.words);
    }
}

/*
 * OpCooperativeMatrixPerElementOp gives a function its parameters, too. SPIRV-Tools before 2024 do not know the word,
 * so that a call with one operand more in front becomes the instruction: its words are those of a call but for the
 * order of two.
 */
static void functions_for_each_element_are_left_alone_and_said(void **state)
{
    enum { PER_ELEMENT = 5369 };
    static struct auto_layout layout;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct spirv_words input = crowded(3, i);
        struct spirv_output output;
        bool found = false;
        for (size_t at = 5; at < input.count && !found; at += inst_length(input.words + at)) {
            uint32_t *inst = input.words + at;
            found = inst_opcode(inst) == SpvOpFunctionCall;
            if (found) {
                const uint32_t function = inst[3];
                inst[0] = inst[0] >> 16 << 16 | PER_ELEMENT;
                inst[3] = inst[4];
                inst[4] = function;
            }
        }
        assert_true(found);
        auto_layout(input.words, input.count, 0, &layout);
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output),
                         SPIRV_REWRITTEN);
        assert_string_equal(
            output.message,
            i ? "a descriptor is passed on by a function that has no room for a record beside it"
              : "3 of 4 lookups left alone: its function has no room for records beside its parameters");
        assert_int_equal(output.rewritten_lookups, i ? 2 : 1);
        free(output.words);
        free(input.words);
    }
}

/* Such a module is not valid: it must be named as malformed, and end. */
static void calls_of_what_is_no_function_are_refused(void **state)
{
    static struct auto_layout layout;
    struct text text = {0};
    (void)state;
    add(&text, "%s%s%s%s%s", head, decorations, types, variable, main_begins);
    add(&text, "%%called = OpFunctionCall %%v4float %%f %%t\n%s", main_ends);
    add(&text, "%%f = OpFunction %%v4float None %%fn\n%%p = OpFunctionParameter %%p_sampled\n%%begin = OpLabel\n"
               "%%l = OpLoad %%t_sampled %%p\n%%z2 = OpCompositeConstruct %%v2float %%float_0 %%float_0\n"
               "%%s = OpImageSampleExplicitLod %%v4float %%l %%z2 Lod %%float_0\n"
               "%%n = OpFunctionCall %%void %%p\nOpReturnValue %%s\nOpFunctionEnd\n");
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text.data);
    struct spirv_output output;
    assert_non_null(words.words);
    auto_layout(words.words, words.count, 0, &layout);
    assert_int_equal(spirv_rewrite(words.words, words.count, &layout.layout, &tier1, NULL, &output), SPIRV_MALFORMED);
    assert_non_null(strstr(output.message, "call of something that is no function"));
    free(words.words);
    free(text.data);
}

/*
 * What a mask says and what stands behind it must agree, and all of it be known: the lookup is left alone otherwise,
 * and said. The words of a lookup with one operand or two are changed by hand, as no assembler writes them.
 */
static void lookups_with_operands_that_nobody_knows_are_left_alone(void **state)
{
    (void)state;
    enum { BIAS = 1, CONST_OFFSET = 8, MIN_LOD = 128, BEYOND = 1 << 17, MASK_AT = 5 };
    static const struct {
        const char *operands; /* as assembled */
        uint32_t mask;        /* as it is then */
        bool taken;
    } cases[] = {
        {"Bias %float_0", BIAS, true},
        {"Bias %float_0", BEYOND, false},
        {"Bias %float_0", BIAS | BEYOND, false},
        {"Bias %float_0", 1u << 31, false},
        {"Bias %float_0", BIAS | MIN_LOD, false}, /* one word is missing */
        {"Bias %float_0", BIAS | CONST_OFFSET, false},
        {"Bias|MinLod %float_0 %float_0", BIAS | MIN_LOD, true},
        {"Bias|MinLod %float_0 %float_0", BIAS, false}, /* one is too many */
        {"Bias|MinLod %float_0 %float_0", MIN_LOD, false},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct auto_layout layout;
        struct spirv_output output;
        struct text text = {0};
        add(&text, "OpCapability MinLod\n%s%s%s%s%s%%l = OpLoad %%t_sampled %%t\n", head, decorations, types, variable,
            main_begins);
        add(&text, "%%r = OpImageSampleImplicitLod %%v4float %%l %%c %s\n%s", cases[i].operands, main_ends);
        struct spirv_words words = assemble(&text);
        for (size_t at = 5; at < words.count; at += inst_length(words.words + at)) {
            if (inst_opcode(words.words + at) == SpvOpImageSampleImplicitLod)
                words.words[at + MASK_AT] = cases[i].mask;
        }
        auto_layout(words.words, words.count, 0, &layout);
        assert_int_equal(spirv_rewrite(words.words, words.count, &layout.layout, &tier1, NULL, &output),
                         cases[i].taken ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_int_equal(output.rewritten_lookups, cases[i].taken ? 1 : 0);
        assert_string_equal(output.message,
                            cases[i].taken ? ""
                                           : "1 of 1 lookups left alone: its operands or types are not known here");
        free(output.words);
        free(words.words);
    }
}

/* Levels and offsets of fetches of other widths than 32 bits, which SPIRV-Tools of 2023 let pass in Vulkan's modules.
 */
static void fetches_with_operands_of_other_widths_are_left_alone(void **state)
{
    (void)state;
    static const struct spirv_options bordered = {.tier = 2, .extras = true, .rectangles = true};
    static const struct {
        const char *operands;
        bool taken;
    } cases[] = {
        {"Lod|ConstOffset %zero %offset", true},
        {"Lod %short_0", false},
        {"Lod %long_0", false},
        {"Lod|ConstOffset %zero %short_offset", false}, /* as many bits as one integer of 32 has */
        {"Lod|ConstOffset %zero %long_offset", false},
        {"Lod|ConstOffset %zero %zero", false}, /* one axis is missing */
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct auto_layout layout;
        struct spirv_output output;
        struct text text = {0};
        add(&text, "OpCapability Int16\nOpCapability Int64\n%s%s%s%s", head, decorations, types, variable);
        add(&text, "%%short = OpTypeInt 16 1\n%%long = OpTypeInt 64 1\n%%zero = OpConstant %%int 0\n"
                   "%%short_0 = OpConstant %%short 0\n%%long_0 = OpConstant %%long 0\n"
                   "%%v2int = OpTypeVector %%int 2\n%%v2short = OpTypeVector %%short 2\n"
                   "%%v2long = OpTypeVector %%long 2\n%%offset = OpConstantComposite %%v2int %%zero %%zero\n"
                   "%%short_offset = OpConstantComposite %%v2short %%short_0 %%short_0\n"
                   "%%long_offset = OpConstantComposite %%v2long %%long_0 %%long_0\n");
        add(&text, "%s%%l = OpLoad %%t_sampled %%t\n%%i = OpImage %%t_image %%l\n%%at = OpConvertFToS %%v2int %%c\n",
            main_begins);
        add(&text, "%%r = OpImageFetch %%v4float %%i %%at %s\n%s", cases[i].operands, main_ends);
        struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text.data);
        free(text.data);
        assert_non_null(words.words);
        auto_layout(words.words, words.count, 0, &layout);
        assert_int_equal(spirv_rewrite(words.words, words.count, &layout.layout, &bordered, NULL, &output),
                         cases[i].taken ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_string_equal(output.message,
                            cases[i].taken ? ""
                                           : "1 of 1 lookups left alone: its operands or types are not known here");
        free(output.words);
        free(words.words);
    }
}

/* Biases, levels and gradients of 16 bits (SPV_AMD_gpu_shader_half_float_fetch) or of 64. */
static void lookups_with_levels_of_other_widths_are_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *lookup, *operands;
        bool taken;
    } cases[] = {
        {"Implicit", "Bias|MinLod %float_0 %float_0", true},
        {"Explicit", "Lod %float_0", true},
        {"Explicit", "Grad|MinLod %c %c %float_0", true},
        {"Implicit", "Bias %half_0", false},
        {"Implicit", "MinLod %half_0", false},
        {"Implicit", "Bias|MinLod %float_0 %double_0", false},
        {"Explicit", "Lod %half_0", false},
        {"Explicit", "Grad %half_c %half_c", false},
        {"Explicit", "Grad %c %double_c", false},
        {"Explicit", "Grad %double_c %c", false},
        {"Explicit", "Grad|MinLod %c %c %half_0", false},
    };
    for (unsigned i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const struct spirv_options options = {.tier = 1 + i % 2};
        const bool taken = cases[i / 2].taken;
        static struct auto_layout layout;
        struct spirv_output output;
        struct text text = {0};
        add(&text, "OpCapability MinLod\nOpCapability Float16\nOpCapability Float64\n%s%s%s%s", head, decorations,
            types, variable);
        add(&text, "%%half = OpTypeFloat 16\n%%double = OpTypeFloat 64\n%%half_0 = OpConstant %%half 0\n"
                   "%%double_0 = OpConstant %%double 0\n%%v2half = OpTypeVector %%half 2\n"
                   "%%v2double = OpTypeVector %%double 2\n");
        add(&text, "%s%%l = OpLoad %%t_sampled %%t\n%%half_c = OpFConvert %%v2half %%c\n", main_begins);
        add(&text, "%%double_c = OpFConvert %%v2double %%c\n%%r = OpImageSample%sLod %%v4float %%l %%c %s\n%s",
            cases[i / 2].lookup, cases[i / 2].operands, main_ends);
        struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text.data);
        free(text.data);
        assert_non_null(words.words);
        auto_layout(words.words, words.count, 0, &layout);
        assert_int_equal(spirv_rewrite(words.words, words.count, &layout.layout, &options, NULL, &output),
                         taken ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_string_equal(output.message,
                            taken ? "" : "1 of 1 lookups left alone: its operands or types are not known here");
        free(output.words);
        free(words.words);
    }
}

/* Where images may have border texels queries get another coordinate, of its own type or not at all. */
static void queries_take_coordinates_of_any_length_and_of_32_bits(void **state)
{
    (void)state;
    static const struct spirv_options bordered = {.tier = 2, .extras = true, .rectangles = true};
    static const struct {
        const char *coordinate;
        bool taken;
    } cases[] = {{"%c", true}, {"%c3", true}, {"%c4", true}, {"%half_c", false}};
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct auto_layout layout;
        struct spirv_output output;
        struct text text = {0};
        add(&text, "OpCapability ImageQuery\nOpCapability Float16\n%s%s%s%s", head, decorations, types, variable);
        add(&text, "%%half = OpTypeFloat 16\n%%v2half = OpTypeVector %%half 2\n%%v3float = OpTypeVector %%float 3\n");
        add(&text, "%s%%l = OpLoad %%t_sampled %%t\n%%half_c = OpFConvert %%v2half %%c\n", main_begins);
        add(&text, "%%c3 = OpVectorShuffle %%v3float %%c4 %%c4 0 1 2\n%%r = OpImageQueryLod %%v2float %%l %s\n%s",
            cases[i].coordinate, main_ends);
        /* The newest spirv-val takes no such coordinate. */
        struct spirv_words words = cases[i].taken ? assemble(&text) : text_assemble(TEXT_VULKAN_1_0, text.data);
        assert_non_null(words.words);
        auto_layout(words.words, words.count, 0, &layout);
        assert_int_equal(spirv_rewrite(words.words, words.count, &layout.layout, &bordered, NULL, &output),
                         cases[i].taken ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_string_equal(output.message,
                            cases[i].taken ? ""
                                           : "1 of 1 lookups left alone: its operands or types are not known here");
        bool moved = false;
        for (size_t at = 5; at < output.word_count; at += inst_length(output.words + at)) {
            const uint32_t *inst = output.words + at;
            if (inst_opcode(inst) == SpvOpImageQueryLod)
                moved = inst[4] >= words.words[3]; /* an id that the program does not have */
        }
        assert_int_equal(moved, cases[i].taken);
        free(output.words);
        free(words.words);
        if (!cases[i].taken)
            free(text.data);
    }
}

/* Variables of several sets get their Binding from one group. */
static void groups_of_decorations_are_renumbered(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* One target moves, by a decoration of its own; the other stays. */
        "OpDecorate %g Binding 1\n%g = OpDecorationGroup\nOpGroupDecorate %g %a %b\n"
        "OpDecorate %a DescriptorSet 0\nOpDecorate %b DescriptorSet 1\nOpDecorate %z DescriptorSet 1\n"
        "OpDecorate %z Binding 2\n",
        /* Both move; the group is used twice. */
        "OpDecorate %g Binding 1\n%g = OpDecorationGroup\nOpGroupDecorate %g %a\nOpGroupDecorate %g %b\n"
        "OpDecorate %a DescriptorSet 0\nOpDecorate %b DescriptorSet 2\nOpDecorate %z DescriptorSet 1\n"
        "OpDecorate %z Binding 0\n",
        /* The set stands in the group, the number does not. */
        "OpDecorate %g DescriptorSet 0\n%g = OpDecorationGroup\nOpGroupDecorate %g %a %b\n"
        "OpDecorate %a Binding 0\nOpDecorate %b Binding 1\nOpDecorate %z DescriptorSet 1\nOpDecorate %z Binding 2\n",
    };
    static const char *const expected[][3] = {
        {"OpDecorate %a Binding 2", "OpDecorate %b Binding 1", "OpDecorate %z Binding 3"},
        {"OpDecorate %a Binding 2", "OpDecorate %b Binding 2", "OpDecorate %z Binding 1"},
        {"OpDecorate %a Binding 0", "OpDecorate %b Binding 2", "OpDecorate %z Binding 3"},
    };
    static const struct spirv_binding first[] = {WITHOUT_RECORDS(0, 0), WITHOUT_RECORDS(1, 2)};
    static const struct spirv_binding second[] = {WITHOUT_RECORDS(0, 1), WITHOUT_RECORDS(1, 1), WITHOUT_RECORDS(2, 3)};
    static const struct spirv_set sets[] = {SET_WITHOUT_RECORDS(first, 2), SET_WITHOUT_RECORDS(second, 3),
                                            SET_WITHOUT_RECORDS(first, 2)};
    static const struct spirv_layout layout = {.sets = sets, .set_count = 3};
    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct text text = {0};
        add(&text, "%sOpName %%a \"a\"\nOpName %%b \"b\"\nOpName %%z \"z\"\n%s%s", head, texts[i], types);
        add(&text, "%%a = OpVariable %%p_sampled UniformConstant\n%%b = OpVariable %%p_sampled UniformConstant\n"
                   "%%z = OpVariable %%p_sampled UniformConstant\n");
        add(&text, "%s%s", main_begins, main_ends);
        struct spirv_words input = assemble(&text);
        for (uint32_t tier = 0; tier < 2; tier++) {
            struct spirv_output output;
            const struct spirv_options options = {.tier = tier};
            assert_int_equal(spirv_rewrite(input.words, input.count, &layout, &options, NULL, &output),
                             SPIRV_REWRITTEN);
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
            char *all = text_disassemble(output.words, output.word_count);
            assert_non_null(all);
            for (unsigned j = 0; j < 3; j++)
                assert_int_equal(occurrences(all, expected[i][j]), 1);
            assert_int_equal(occurrences(all, " Binding "), 3);
            free(all);
            free(output.words);
        }
        free(input.words);
    }
}

static void put(struct spirv_words *to, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    to->words[to->count++] = inst_word0(opcode, count + 1);
    memcpy(to->words + to->count, operands, count * sizeof(uint32_t));
    to->count += count;
}
#define PUT(to, opcode, ...)                                                                                           \
    put(to, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* As many functions with a lookup as types of functions, all distinct; too many to write as text. */
static struct spirv_words many_types(uint32_t functions)
{
    enum { VOID = 1, FLOAT, V2, V4, IMAGE, SAMPLED, POINTER, VARIABLE, ZERO, PLACE, FIRST };
    struct spirv_words m = {malloc((200 + 60 * (size_t)functions) * sizeof(uint32_t)), 5};
    const uint32_t header[5] = {0x07230203, 0x10000, 0, FIRST + 8 * functions, 0};
    assert_non_null(m.words);
    memcpy(m.words, header, sizeof(header));
    PUT(&m, 17, 1);               /* OpCapability Shader */
    PUT(&m, 17, 5);               /* Linkage: no entry point is needed */
    PUT(&m, 14, 0, 1);            /* OpMemoryModel Logical GLSL450 */
    PUT(&m, 71, VARIABLE, 34, 0); /* OpDecorate DescriptorSet */
    PUT(&m, 71, VARIABLE, 33, 0); /* Binding */
    PUT(&m, 19, VOID);            /* OpTypeVoid */
    PUT(&m, 22, FLOAT, 32);       /* OpTypeFloat */
    PUT(&m, 23, V2, FLOAT, 2);    /* OpTypeVector */
    PUT(&m, 23, V4, FLOAT, 4);
    PUT(&m, 25, IMAGE, FLOAT, 1, 0, 0, 0, 1, 0); /* OpTypeImage */
    PUT(&m, 27, SAMPLED, IMAGE);                 /* OpTypeSampledImage */
    PUT(&m, 32, POINTER, 0, SAMPLED);            /* OpTypePointer UniformConstant */
    PUT(&m, 43, FLOAT, ZERO, 0);                 /* OpConstant */
    PUT(&m, 44, V2, PLACE, ZERO, ZERO);          /* OpConstantComposite */
    for (uint32_t i = 0, id = FIRST; i < functions; i++, id += 8) {
        PUT(&m, 30, id, FLOAT);               /* OpTypeStruct */
        PUT(&m, 33, id + 1, V4, POINTER, id); /* OpTypeFunction */
    }
    PUT(&m, 59, POINTER, VARIABLE, 0); /* OpVariable UniformConstant */
    for (uint32_t i = 0, id = FIRST; i < functions; i++, id += 8) {
        PUT(&m, 54, V4, id + 2, 0, id + 1); /* OpFunction */
        PUT(&m, 55, POINTER, id + 3);       /* OpFunctionParameter */
        PUT(&m, 55, id, id + 4);
        PUT(&m, 248, id + 5);                            /* OpLabel */
        PUT(&m, 61, SAMPLED, id + 6, id + 3);            /* OpLoad */
        PUT(&m, 88, V4, id + 7, id + 6, PLACE, 2, ZERO); /* OpImageSampleExplicitLod Lod */
        PUT(&m, 254, id + 7);                            /* OpReturnValue */
        put(&m, 56, header, 0);                          /* OpFunctionEnd */
    }
    return m;
}

#ifdef _WIN32 /* where processor time is counted by the hundredth of a second */
#define CLOCK CLOCK_MONOTONIC
#else
#define CLOCK CLOCK_THREAD_CPUTIME_ID
#endif

/* Seconds of this thread that rewriting takes: the least of a few times. */
static double seconds_of(uint32_t functions)
{
    struct spirv_words input = many_types(functions);
    static struct auto_layout layout;
    double least = 1e9;
    auto_layout(input.words, input.count, 0, &layout);
    for (int i = 0; i < 3; i++) {
        struct timespec begin, end;
        struct spirv_output output;
        clock_gettime(CLOCK, &begin);
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output),
                         SPIRV_REWRITTEN);
        clock_gettime(CLOCK, &end);
        assert_int_equal(output.rewritten_lookups, functions);
        double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
        least = seconds < least ? seconds : least;
        free(output.words);
    }
    free(input.words);
    return least;
}

/* Eight times as many take eight times as long; 64 times if each is compared with all others. */
static void distinct_function_types_cost_no_more_by_the_type(void **state)
{
    (void)state;
    double few = seconds_of(4000), many = seconds_of(32000);
    print_message("4,000 types: %.1f ms; 32,000: %.1f ms\n", few * 1e3, many * 1e3);
    assert_true(many < 24 * few);
}

/* Whatever number a binding has: ids keep it plus 1, and layouts have a number that means none. */
static void the_highest_numbers_of_bindings_are_numbers(void **state)
{
    static const uint32_t record_indices[] = {0, 65536, UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof(record_indices) / sizeof(*record_indices); i++) {
        struct text text = {0};
        char wanted[64];
        add(&text, "%sOpDecorate %%t DescriptorSet 0\nOpDecorate %%t Binding %u\n%s%s%s", head, record_indices[i],
            types, variable, main_begins);
        add_lookup(&text, "%t", "_own");
        add(&text, "%s", main_ends);
        struct spirv_words input = assemble(&text);
        struct spirv_output output;
        assert_int_equal(rewrite(&input, &output), SPIRV_REWRITTEN);
        assert_int_equal(output.rewritten_lookups, 1);
        assert_string_equal(output.message, "");
        char *whole = text_disassemble(output.words, output.word_count);
        assert_non_null(whole);
        snprintf(wanted, sizeof(wanted), "Binding %u\n", record_indices[i]);
        assert_int_equal(occurrences(whole, wanted), 1);
        snprintf(wanted, sizeof(wanted), "Binding %u\n",
                 record_indices[i] < UINT32_MAX - 1 ? record_indices[i] + 1 : record_indices[i] - 1);
        assert_int_equal(occurrences(whole, wanted), 1);
        free(whole);
        free(output.words);
        free(input.words);
    }
}

/*
 * Pairs must be made in the block of their lookups, also where they are copied first: a lookup in front of the copies
 * ends the block. Of every kind: a pair that is made, one that is loaded, an image and a sampler.
 */
static void copies_of_pairs_are_made_again(void **state)
{
    (void)state;
    static const struct spirv_options all[] = {
        {.tier = 1, .form = SPIRV_FORM_GPU, .votes = true},
        {.tier = 1, .form = SPIRV_FORM_CPU},
        {.tier = 2, .form = SPIRV_FORM_GPU, .votes = true},
        {.tier = 2, .form = SPIRV_FORM_GPU, .filter = SPIRV_FILTER_LEVELS},
        {.tier = 2, .form = SPIRV_FORM_CPU},
        {.tier = 2, .form = SPIRV_FORM_CPU, .extras = true},
    };
    struct text text = {0};
    add(&text, "%sOpDecorate %%u DescriptorSet 0\nOpDecorate %%u Binding 1\nOpDecorate %%v DescriptorSet 0\n", head);
    add(&text, "OpDecorate %%v Binding 2\nOpDecorate %%kept RelaxedPrecision\n%s%s%s", decorations, types, variable);
    add(&text,
        "%%sampler = OpTypeSampler\n%%p_image = OpTypePointer UniformConstant %%t_image\n"
        "%%p_sampler = OpTypePointer UniformConstant %%sampler\n%%u = OpVariable %%p_image UniformConstant\n"
        "%%v = OpVariable %%p_sampler UniformConstant\n%s",
        main_begins);
    add(&text, "%%i = OpLoad %%t_image %%u\n%%s = OpLoad %%sampler %%v\n%%l = OpLoad %%t_sampled %%t\n"
               "%%j = OpSampledImage %%t_sampled %%i %%s\n%%jc = OpCopyObject %%t_sampled %%j\n"
               "%%r0 = OpImageSampleImplicitLod %%v4float %%l %%c\n");
    add(&text,
        "%%k = OpCopyObject %%t_sampled %%j\n%%kept = OpCopyObject %%t_sampled %%k\n"
        "%%r1 = OpImageSampleImplicitLod %%v4float %%kept %%c\n%%jd = OpCopyObject %%t_sampled %%jc\n%%lc = "
        "OpCopyObject %%t_sampled %%l\n"
        "%%r2 = OpImageSampleImplicitLod %%v4float %%lc %%c\n%%ic = OpCopyObject %%t_image %%i\n"
        "%%sc = OpCopyObject %%sampler %%s\n%%m = OpSampledImage %%t_sampled %%ic %%sc\n"
        "%%r3 = OpImageSampleImplicitLod %%v4float %%m %%c\n%%r4 = OpImageSampleImplicitLod %%v4float %%jd %%c\n%s",
        main_ends);
    struct spirv_words input = assemble(&text);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_HALVES | AUTO_LAYOUT_NEAREST, &layout);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct spirv_output output;
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &all[i], NULL, &output),
                         SPIRV_REWRITTEN);
        assert_string_equal(output.message, "");
        assert_int_equal(output.rewritten_lookups, 5);
        assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
        free(output.words);
    }
    free(input.words);
}

/* OpenCL's modules, and those that say so by another capability alone, are left alone with a message. */
static void modules_of_kernels_are_left_alone_with_a_message(void **state)
{
    (void)state;
    static const char *const capabilities[] = {"Kernel", "Vector16", "Pipes", "NamedBarrier", "ImageBasic"};
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
        struct text text = {0};
        add(&text, "OpCapability %s\n%s%s%s%s%s", capabilities[i], head, decorations, types, variable, main_begins);
        add_lookup(&text, "%t", "_only");
        add(&text, "%s", main_ends);
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_3, text.data);
        struct spirv_output output;
        assert_non_null(input.words);
        assert_int_equal(rewrite(&input, &output), SPIRV_UNCHANGED);
        assert_string_equal(output.message, "all lookups left alone: the module has kernels");
        free(input.words);
        free(text.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_pairs_are_made_again),
        cmocka_unit_test(modules_of_kernels_are_left_alone_with_a_message),
        cmocka_unit_test(records_travel_through_any_number_of_calls),
        cmocka_unit_test(functions_without_room_for_records_are_left_alone_and_said),
        cmocka_unit_test(functions_for_each_element_are_left_alone_and_said),
        cmocka_unit_test(calls_of_what_is_no_function_are_refused),
        cmocka_unit_test(lookups_with_operands_that_nobody_knows_are_left_alone),
        cmocka_unit_test(fetches_with_operands_of_other_widths_are_left_alone),
        cmocka_unit_test(lookups_with_levels_of_other_widths_are_left_alone),
        cmocka_unit_test(queries_take_coordinates_of_any_length_and_of_32_bits),
        cmocka_unit_test(groups_of_decorations_are_renumbered),
        cmocka_unit_test(the_highest_numbers_of_bindings_are_numbers),
        cmocka_unit_test(distinct_function_types_cost_no_more_by_the_type),
    };
    return cmocka_run_group_tests_name("odd", tests, NULL, NULL);
}
