/* SPDX-License-Identifier: MIT */
/*
 * Fragment shaders that write 1 as alpha: which outputs are found, that what is written is valid, and that the new
 * entry point ends with those stores. Also over all compiled shaders, with and without debug information.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv/spirv.h"
#include "spirv_text.h"

struct shader {
    const char *path;
    const char *name;
    enum text_environment environment;
};

static const struct shader shaders[] = {
#include "shader_list.h"
};

#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"             \
    "%v3 = OpTypeVector %float 3\n%v4 = OpTypeVector %float 4\n%u4 = OpTypeVector %uint 4\n"                           \
    "%p_float = OpTypePointer Output %float\n%p_v3 = OpTypePointer Output %v3\n%p_v4 = OpTypePointer Output %v4\n"     \
    "%p_u4 = OpTypePointer Output %u4\n%zero = OpConstantNull %v4\n%zeros = OpConstantNull %u4\n"
#define HEAD(OUTPUTS)                                                                                                  \
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" " OUTPUTS                \
    "\nOpExecutionMode %main OriginUpperLeft\n"
#define MAIN(STORES) "%main = OpFunction %void None %voids\n%first = OpLabel\n" STORES "OpReturn\nOpFunctionEnd\n"

/* An output of 16-bit numbers, halves (%p_h4) or integers (%p_s4). */
#define NARROW(CAPABILITIES, OUTPUT)                                                                                   \
    "OpCapability Shader\nOpCapability StorageInputOutput16\n" CAPABILITIES                                            \
    "OpExtension \"SPV_KHR_16bit_storage\"\nOpMemoryModel Logical GLSL450\n"                                           \
    "OpEntryPoint Fragment %main \"main\" %a\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %a Location 0\n" TYPES \
    "%half = OpTypeFloat 16\n%short = OpTypeInt 16 0\n%h4 = OpTypeVector %half 4\n%s4 = OpTypeVector %short 4\n"       \
    "%p_h4 = OpTypePointer Output %h4\n%p_s4 = OpTypePointer Output %s4\n%a = OpVariable " OUTPUT " Output\n" MAIN("")

static const struct row {
    const char *what, *text;
    uint32_t wanted, integers, found;
} rows[] = {
    {"one of four channels",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %zero\n"), 3, 0,
     1},
    {"the other of two, and integers",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 2\n" TYPES
                   "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_u4 Output\n" MAIN(
                       "OpStore %a %zero\nOpStore %b %zeros\n"),
     7, 4, 5},
    {"numbers of another kind",
     HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_u4 Output\n" MAIN("OpStore %a %zeros\n"), 1, 0,
     0},
    {"no alpha", HEAD("%a") "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v3 Output\n" MAIN(""), 1, 0, 0},
    {"channels apart",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %b Location 0\nOpDecorate %b Component 3\n" TYPES
                   "%a = OpVariable %p_v3 Output\n%b = OpVariable %p_float Output\n" MAIN(""),
     1, 0, 0},
    {"two sources",
     HEAD("%a %b") "OpDecorate %a Location 0\nOpDecorate %a Index 1\nOpDecorate %b Location 0\nOpDecorate %b Index "
                   "0\n" TYPES
                   "%a = OpVariable %p_v4 Output\n%b = OpVariable %p_v4 Output\n" MAIN("OpStore %a %zero\n"),
     1, 0, 1},
    {"a function of two entry points",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a\n"
     "OpEntryPoint Fragment %main \"again\" %a\nOpExecutionMode %main OriginUpperLeft\n"
     "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %zero\n"),
     1, 0, 0},
    {"interlocks",
     "OpCapability Shader\nOpCapability FragmentShaderPixelInterlockEXT\nOpExtension "
     "\"SPV_EXT_fragment_shader_interlock\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a\n"
     "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %main PixelInterlockOrderedEXT\n"
     "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN(
         "OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT\nOpStore %a %zero\n"),
     1, 0, 0},
    {"halves", NARROW("OpCapability Float16\nOpCapability Int16\n", "%p_h4"), 1, 0, 1},
    {"short integers", NARROW("OpCapability Float16\nOpCapability Int16\n", "%p_s4"), 1, 1, 1},
    {"halves that are only stored", NARROW("OpCapability Int16\n", "%p_h4"), 1, 0, 0},
    {"short integers that are only stored", NARROW("OpCapability Float16\n", "%p_s4"), 1, 1, 0},
    {"another stage",
     "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %a\n"
     "OpDecorate %a Location 0\n" TYPES "%a = OpVariable %p_v4 Output\n" MAIN("OpStore %a %zero\n"),
     1, 0, 0},
};

static void outputs_are_found_and_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, rows[i].text);
        assert_non_null(input.words);
        assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, rows[i].what));
        struct spirv_alpha_one alpha_one = {.entry = "main", .locations = rows[i].wanted, .integers = rows[i].integers};
        struct spirv_output output;
        const uint32_t found = spirv_find_alpha_one(input.words, input.count, &alpha_one, NULL);
        if (found != rows[i].found)
            print_error("%s: %#x, not %#x\n", rows[i].what, (unsigned)found, (unsigned)rows[i].found);
        assert_int_equal(found, rows[i].found);
        if (found != alpha_one.locations)
            assert_int_equal(spirv_write_alpha_one(input.words, input.count, &alpha_one, NULL, &output),
                             SPIRV_UNSUPPORTED);
        alpha_one.locations = found;
        if (found) {
            assert_int_equal(spirv_write_alpha_one(input.words, input.count, &alpha_one, NULL, &output),
                             SPIRV_REWRITTEN);
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, rows[i].what));
            free(output.words);
        }
        alpha_one.entry = "mai";
        assert_int_equal(spirv_find_alpha_one(input.words, input.count, &alpha_one, NULL), 0);
        free(input.words);
    }
}

/* What is behind the program's functions. */
static void the_entry_point_calls_the_programs_and_stores(void **state)
{
    (void)state;
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, rows[0].text);
    struct spirv_output output;
    assert_int_equal(spirv_write_alpha_one(input.words, input.count,
                                           &(struct spirv_alpha_one){.entry = "main", .locations = 1}, NULL, &output),
                     SPIRV_REWRITTEN);
    char *text = text_disassemble(output.words, output.word_count);
    assert_non_null(text);
    const char *call = strstr(text, "OpFunctionCall");
    assert_non_null(call);
    const char *construct = strstr(call, "OpCompositeConstruct %v4float");
    assert_non_null(construct);
    assert_non_null(strstr(construct, " %float_1\n"));
    assert_non_null(strstr(construct, "OpStore"));
    assert_null(strstr(strstr(text, "OpEntryPoint") + 1, "OpEntryPoint"));
    free(text);
    free(output.words);
    free(input.words);
}

/* By alpha as it was, and by 1 less that; outputs of integers and of 16 bits are not. */
static void colours_are_multiplied_before_alpha_is_written(void **state)
{
    (void)state;
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, rows[0].text);
    for (unsigned rest = 0; rest < 2; rest++) {
        const struct spirv_alpha_one alpha_one = {
            .entry = "main", .locations = 1, .times_alpha = rest ? 0 : 1, .times_rest = rest ? 1 : 0};
        struct spirv_output output;
        assert_int_equal(spirv_find_alpha_one(input.words, input.count, &alpha_one, NULL), 1);
        assert_int_equal(spirv_write_alpha_one(input.words, input.count, &alpha_one, NULL, &output), SPIRV_REWRITTEN);
        assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "a product"));
        char *text = text_disassemble(output.words, output.word_count);
        const char *extract = strstr(text, "OpCompositeExtract %float");
        assert_non_null(extract);
        const char *minus = strstr(extract, "OpFSub %float %float_1"), *times = strstr(extract, "OpFMul");
        assert_int_equal(minus != NULL, rest);
        assert_non_null(times);
        assert_true(!rest || minus < times);
        const char *construct = strstr(times, "OpCompositeConstruct %v4float");
        assert_non_null(construct);
        assert_non_null(strstr(construct, " %float_1\n"));
        free(text);
        free(output.words);
    }
    free(input.words);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct spirv_alpha_one alpha_one = {
            .entry = "main", .locations = 7, .integers = rows[i].integers, .times_alpha = 7};
        input = text_assemble(TEXT_VULKAN_1_0, rows[i].text);
        const bool narrow = strncmp(rows[i].what, "halves", 6) == 0;
        assert_int_equal(spirv_find_alpha_one(input.words, input.count, &alpha_one, NULL),
                         narrow ? 0 : rows[i].found & ~rows[i].integers);
        free(input.words);
    }
}

static void compiled_shaders_stay_valid(void **state)
{
    (void)state;
    static uint32_t words[1 << 18];
    uint32_t written = 0, multiplied = 0;
    for (size_t i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++) {
        FILE *file = fopen(shaders[i].path, "rb");
        assert_non_null(file);
        const size_t count = fread(words, sizeof(*words), sizeof(words) / sizeof(*words), file);
        fclose(file);
        struct spirv_alpha_one alpha_one = {.entry = "main", .locations = 0xff};
        alpha_one.locations = spirv_find_alpha_one(words, count, &alpha_one, NULL);
        struct spirv_output output;
        if (!alpha_one.locations)
            continue;
        assert_int_equal(spirv_write_alpha_one(words, count, &alpha_one, NULL, &output), SPIRV_REWRITTEN);
        assert_true(text_validate(shaders[i].environment, output.words, output.word_count, shaders[i].name));
        free(output.words);
        written++;
        alpha_one.times_rest = alpha_one.locations;
        alpha_one.locations = alpha_one.times_rest = spirv_find_alpha_one(words, count, &alpha_one, NULL);
        if (!alpha_one.locations)
            continue;
        assert_int_equal(spirv_write_alpha_one(words, count, &alpha_one, NULL, &output), SPIRV_REWRITTEN);
        assert_true(text_validate(shaders[i].environment, output.words, output.word_count, shaders[i].name));
        free(output.words);
        multiplied++;
    }
    assert_true(written >= 20);
    assert_true(multiplied >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_found_and_written),
        cmocka_unit_test(the_entry_point_calls_the_programs_and_stores),
        cmocka_unit_test(colours_are_multiplied_before_alpha_is_written),
        cmocka_unit_test(compiled_shaders_stay_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
