/* SPDX-License-Identifier: MIT */
/* Bindings with several of the driver's descriptors for each of the program's: lengths and indices are multiplied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heap_text.h"
#include "spirv/module/module.h"
#include "spirv/spirv.h"

/* Bindings of set 0: scale 2, 3, 1, and 2 for a binding that is renumbered. */
#define COUNT 64
#define BINDING(number, below, times)                                                                                  \
    {                                                                                                                  \
        .binding = (number), .new_binding = (below), .first_record = SPIRV_NO_RECORD, .count = COUNT, .scale = (times) \
    }
static const struct spirv_binding bindings[] = {BINDING(0, 0, 2), BINDING(1, 1, 3), BINDING(2, 2, 1), BINDING(3, 4, 2)};
static const struct spirv_set set = {.bindings = bindings, .binding_count = 4, .record_binding = SPIRV_NO_RECORD};
static const struct spirv_layout layout = {.sets = &set, .set_count = 1};

static const char head[] = "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in\n"
                           "OpExecutionMode %main OriginUpperLeft\n";
static const char types[] =
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%uint = OpTypeInt 32 0\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%float_0 = OpConstant %float 0\n%int_0 = OpConstant %int 0\n%int_1 = OpConstant %int 1\n%int_3 = OpConstant %int "
    "3\n"
    "%uint_4 = OpConstant %uint 4\n%uint_5 = OpConstant %uint 5\n%uint_30 = OpConstant %uint 30\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t = OpTypeSampledImage %t_image\n"
    "%t_four = OpTypeArray %t %uint_4\n%p_four = OpTypePointer UniformConstant %t_four\n"
    "%p_one = OpTypePointer UniformConstant %t\n%p_in = OpTypePointer Input %v4float\n"
    "%in = OpVariable %p_in Input\n";
static const char main_begins[] = "%main = OpFunction %void None %voids\n%first = OpLabel\n"
                                  "%c4 = OpLoad %v4float %in\n%xy = OpVectorShuffle %v2float %c4 %c4 0 1\n"
                                  "%w = OpCompositeExtract %float %c4 2\n%i = OpConvertFToS %int %w\n";
#define LOOK(n, pointer)                                                                                               \
    "%l" n " = OpLoad %t " pointer "\n%r" n " = OpImageSampleExplicitLod %v4float %l" n " %xy Lod %float_0\n"
#define END "OpReturn\nOpFunctionEnd\n"

struct made {
    enum spirv_result result;
    struct spirv_output output;
    char *text; /* NULL: no output */
};

static void forget(struct made *made)
{
    free(made->text);
    free(made->output.words);
}

/* Text that grows in memory that is large enough. */
static void __attribute__((format(printf, 2, 3))) add(char *text, const char *format, ...)
{
    const size_t capacity = 16384, length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    assert_true((size_t)vsnprintf(text + length, capacity - length, format, arguments) < capacity - length);
    va_end(arguments);
}

/* Compilers write arrays in arrays, and drivers take them; validators do not. */
#define NESTED "%t_nested"

/* `names` are the ids that keep their names; %a to %d are at the bindings 0 to 3. */
static struct made made_of(const char *capabilities, const char *names, const char *declarations, const char *body)
{
    static const struct spirv_options tier0 = {.tier = 0};
    char text[16384] = "";
    struct made made = {0};
    add(text, "OpCapability Shader\n%s%s", capabilities, head);
    for (const char *name = names; *name; name++)
        add(text, "OpName %%%c \"%c\"\n", *name, *name);
    add(text, "OpDecorate %%in Location 0\n");
    for (const char *name = names; *name; name++) {
        if (*name >= 'a' && *name <= 'd')
            add(text, "OpDecorate %%%c DescriptorSet 0\nOpDecorate %%%c Binding %d\n", *name, *name, *name - 'a');
        if (*name == 'n')
            add(text, "OpDecorate %%n NonUniform\n");
        if (*name == 'B')
            add(text, "OpDecorate %%B Block\nOpMemberDecorate %%B 0 Offset 0\n");
        if (*name == 's')
            add(text, "OpDecorate %%s SpecId 0\n");
    }
    add(text, "%s%s%s%s", types, declarations, main_begins, body);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_1, text);
    assert_non_null(input.words);
    if (!strstr(declarations, NESTED))
        assert_true(text_validate(TEXT_VULKAN_1_1, input.words, input.count, "input"));
    made.result = spirv_rewrite(input.words, input.count, &layout, &tier0, NULL, &made.output);
    if (made.result == SPIRV_REWRITTEN) {
        if (!strstr(declarations, NESTED))
            assert_true(text_validate(TEXT_VULKAN_1_1, made.output.words, made.output.word_count, "output"));
        made.text = text_disassemble(made.output.words, made.output.word_count);
        assert_non_null(made.text);
    } else {
        assert_null(made.output.words);
        assert_int_equal(made.output.word_count, 0);
    }
    free(input.words);
    return made;
}

/* All of these stand in the rewritten module. */
static void expect(const char *capabilities, const char *names, const char *declarations, const char *body,
                   const char *const *lines)
{
    struct made made = made_of(capabilities, names, declarations, body);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_string_equal(made.output.message, "");
    for (; *lines; lines++) {
        if (!strstr(made.text, *lines))
            fail_msg("no \"%s\" in\n%s", *lines, made.text);
    }
    forget(&made);
}

static void refuse(const char *names, const char *declarations, const char *body, const char *message)
{
    struct made made = made_of("", names, declarations, body);
    assert_int_equal(made.result, SPIRV_UNSUPPORTED);
    assert_string_equal(made.output.message, message);
    forget(&made);
}

#define INDEXING "OpExtension \"SPV_EXT_descriptor_indexing\"\n"
#define LINES(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
#define DYNAMIC "OpCapability SampledImageArrayDynamicIndexing\n"

#define A "%a = OpVariable %p_four UniformConstant\n"
#define ONE "%_ptr_UniformConstant_t"

static void constant_lengths_and_indices_are_multiplied(void **state)
{
    (void)state;
    expect("", "atp", A, "%p = OpAccessChain %p_one %a %int_3\n" LOOK("", "%p") END,
           LINES("OpTypeArray %t %uint_8", "%p = OpAccessChain " ONE " %a %int_6"));
    /* 0 stays 0. */
    expect("", "atp", A, "%p = OpInBoundsAccessChain %p_one %a %int_0\n" LOOK("", "%p") END,
           LINES("%uint_8", "%p = OpInBoundsAccessChain " ONE " %a %int_0"));
    /* The binding is looked for by the number that the driver's layout has. */
    expect("", "dtp", "%d = OpVariable %p_four UniformConstant\n",
           "%p = OpAccessChain %p_one %d %int_3\n" LOOK("", "%p") END,
           LINES("OpDecorate %d Binding 4", "OpTypeArray %t %uint_8", "%p = OpAccessChain " ONE " %d %int_6"));
}

static void dynamic_indices_are_multiplied(void **state)
{
    (void)state;
    expect(DYNAMIC, "atip", A, "%p = OpAccessChain %p_one %a %i\n" LOOK("", "%p") END,
           LINES("= OpIMul %int %i %int_2\n", "%p = OpAccessChain " ONE " %a %"));
    /* What may differ between invocations still may. */
    expect(DYNAMIC "OpCapability ShaderNonUniform\nOpCapability SampledImageArrayNonUniformIndexing\n" INDEXING, "atnp",
           A, "%n = OpCopyObject %int %i\n%p = OpAccessChain %p_one %a %n\n" LOOK("", "%p") END,
           LINES("OpDecorate %n NonUniform\nOpDecorate %", "= OpIMul %int %n %int_2\n"));
}

static void narrow_and_wide_indices_are_multiplied(void **state)
{
    (void)state;
    static const char wide[] = DYNAMIC "OpCapability Int64\nOpCapability Int16\n";
    expect(wide, "atkp", "%long = OpTypeInt 64 0\n%k = OpConstant %long 3\n" A,
           "%p = OpAccessChain %p_one %a %k\n" LOOK("", "%p") END, LINES("%p = OpAccessChain " ONE " %a %ulong_6"));
    expect(wide, "atkp", "%long = OpTypeInt 64 0\n" A,
           "%k = OpSConvert %long %i\n%p = OpAccessChain %p_one %a %k\n" LOOK("", "%p") END,
           LINES("= OpIMul %ulong %k %ulong_2\n"));
    expect(wide, "atkp", "%short = OpTypeInt 16 1\n" A,
           "%k = OpSConvert %short %i\n%p = OpAccessChain %p_one %a %k\n" LOOK("", "%p") END,
           LINES("= OpSConvert %int %k\n", "= OpIMul %int %"));
    expect(wide, "atkp", "%short = OpTypeInt 16 0\n%k = OpConstant %short 3\n" A,
           "%p = OpAccessChain %p_one %a %k\n" LOOK("", "%p") END, LINES("%p = OpAccessChain " ONE " %a %uint_6"));
}

static void specialized_lengths_and_indices_are_multiplied(void **state)
{
    (void)state;
    static const char spec[] = "%s = OpSpecConstant %uint 4\n%t_spec = OpTypeArray %t %s\n"
                               "%p_spec = OpTypePointer UniformConstant %t_spec\n"
                               "%a = OpVariable %p_spec UniformConstant\n";
    expect("", "atsp", spec, "%p = OpAccessChain %p_one %a %int_3\n" LOOK("", "%p") END,
           LINES("OpSpecConstantOp %uint IMul %s %uint_2\n", "%p = OpAccessChain " ONE " %a %int_6"));
    expect("", "atsp", "%s = OpSpecConstant %uint 3\n" A, "%p = OpAccessChain %p_one %a %s\n" LOOK("", "%p") END,
           LINES("OpTypeArray %t %uint_8", "OpSpecConstantOp %uint IMul %s %uint_2\n"));
}

/* Of arrays in arrays the innermost are longer: so each element is at twice its number. */
static void innermost_arrays_are_multiplied(void **state)
{
    (void)state;
    static const char nested[] = "%t_nested = OpTypeArray %t_four %uint_5\n"
                                 "%p_nested = OpTypePointer UniformConstant %t_nested\n"
                                 "%a = OpVariable %p_nested UniformConstant\n";
    expect(DYNAMIC, "atip", nested, "%p = OpAccessChain %p_one %a %i %int_3\n" LOOK("", "%p") END,
           LINES("OpTypeArray %t %uint_8", "OpTypeArray %_arr_t_uint_8 %uint_5",
                 "%p = OpAccessChain " ONE " %a %i %int_6"));
    /* In two steps. */
    expect(
        DYNAMIC, "atiqp", nested,
        "%q = OpAccessChain %p_four %a %i\n%p = OpAccessChain %p_one %q %int_3\n" LOOK("", "%p") END,
        LINES("%q = OpAccessChain %_ptr_UniformConstant__arr_t_uint_8 %a %i", "%p = OpAccessChain " ONE " %q %int_6"));
}

static void variables_of_one_type_have_types_of_their_own(void **state)
{
    (void)state;
    expect("", "abctpq", A "%b = OpVariable %p_four UniformConstant\n%c = OpVariable %p_four UniformConstant\n",
           "%p = OpAccessChain %p_one %a %int_3\n" LOOK("1", "%p") "%q = OpAccessChain %p_one %b %int_3\n" LOOK(
               "2", "%q") "%z = OpAccessChain %p_one %c %int_3\n" LOOK("3", "%z") END,
           LINES("OpTypeArray %t %uint_8", "OpTypeArray %t %uint_12", "%a %int_6", "%b %int_9", "%c %int_3"));
}

static void arrays_without_a_length_keep_their_type(void **state)
{
    (void)state;
    expect("OpCapability RuntimeDescriptorArray\n" INDEXING, "atp",
           "%t_runtime = OpTypeRuntimeArray %t\n%p_runtime = OpTypePointer UniformConstant %t_runtime\n"
           "%a = OpVariable %p_runtime UniformConstant\n",
           "%p = OpAccessChain %p_one %a %uint_30\n" LOOK("", "%p") END,
           LINES("%a = OpVariable %_ptr_UniformConstant__runtimearr_t", "%p = OpAccessChain " ONE " %a %uint_60"));
}

static void what_is_no_array_stays_as_it_is(void **state)
{
    (void)state;
    struct made made = made_of("", "a", "%a = OpVariable %p_one UniformConstant\n", LOOK("", "%a") END);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    made = made_of("", "c", "%c = OpVariable %p_four UniformConstant\n",
                   "%z = OpAccessChain %p_one %c %int_3\n" LOOK("", "%z") END);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
}

/* Mutable descriptors are declared as anything. */
static void arrays_of_blocks_are_multiplied(void **state)
{
    (void)state;
    expect("OpCapability UniformBufferArrayDynamicIndexing\n", "aipB",
           "%B = OpTypeStruct %v4float\n%t_blocks = OpTypeArray %B %uint_4\n"
           "%p_blocks = OpTypePointer Uniform %t_blocks\n%p_v4 = OpTypePointer Uniform %v4float\n"
           "%a = OpVariable %p_blocks Uniform\n",
           "%p = OpAccessChain %p_v4 %a %i %int_0\n%v = OpLoad %v4float %p\n" END,
           LINES("= OpIMul %int %i %int_2\n", "%uint_8"));
}

#define TAKES(name)                                                                                                    \
    "%" name " = OpFunction %v4float None %fn\n%q = OpFunctionParameter %p_four\n%b" name " = OpLabel\n"               \
    "%y = OpAccessChain %p_one %q %int_3\n%ly = OpLoad %t %y\n"                                                        \
    "%ry = OpImageSampleExplicitLod %v4float %ly %zero2 Lod %float_0\nOpReturnValue %ry\nOpFunctionEnd\n"
#define FN "%zero2 = OpConstantNull %v2float\n%fn = OpTypeFunction %v4float %p_four\n"

static void functions_take_arrays_of_other_types(void **state)
{
    (void)state;
    expect("", "atqf", FN A, "%x = OpFunctionCall %v4float %f %a\n" END TAKES("f"),
           LINES("OpTypeFunction %v4float %_ptr_UniformConstant__arr_t_uint_8",
                 "%q = OpFunctionParameter %_ptr_UniformConstant__arr_t_uint_8", " %q %int_6"));
    /* Through a function in between, and of an inner array. */
    expect(DYNAMIC, "atqfgi",
           FN "%t_nested = OpTypeArray %t_four %uint_5\n%p_nested = OpTypePointer UniformConstant %t_nested\n"
              "%a = OpVariable %p_nested UniformConstant\n",
           "%inner = OpAccessChain %p_four %a %i\n%x = OpFunctionCall %v4float %g %inner\n" END
           "%g = OpFunction %v4float None %fn\n%qg = OpFunctionParameter %p_four\n%bg = OpLabel\n"
           "%xg = OpFunctionCall %v4float %f %qg\nOpReturnValue %xg\nOpFunctionEnd\n" TAKES("f"),
           LINES("%g = OpFunction %v4float None %", "%q = OpFunctionParameter %_ptr_UniformConstant__arr_t_uint_8",
                 " %q %int_6"));
    refuse("actqf", FN A "%c = OpVariable %p_four UniformConstant\n",
           "%x = OpFunctionCall %v4float %f %a\n%y1 = OpFunctionCall %v4float %f %c\n" END TAKES("f"),
           "a function takes arrays of descriptors that the driver's layout makes different");
}

static void arrays_that_are_used_whole_are_refused(void **state)
{
    (void)state;
    refuse("at", A, "%whole = OpLoad %t_four %a\n%l = OpCompositeExtract %t %whole 1\n" END,
           "an array of descriptors is used as a whole");
}

static const char untyped[] =
    "OpCapability Shader\nOpCapability UntypedPointersKHR\nOpCapability DescriptorHeapEXT\n"
    "OpExtension \"SPV_KHR_untyped_pointers\"\nOpExtension \"SPV_EXT_descriptor_heap\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %four\n"
    "OpExecutionMode %main LocalSize 1 1 1\n"
    "OpDecorate %fours ArrayStride 64\nOpDecorate %four DescriptorSet 0\nOpDecorate %four Binding 0\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n"
    "%u_2 = OpConstant %uint 2\n%u_4 = OpConstant %uint 4\n%c = OpConstantComposite %v2float %float_0 %float_0\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%fours = OpTypeArray %t_sampled %u_4\n"
    "%p = OpTypeUntypedPointerKHR UniformConstant\n%four = OpUntypedVariableKHR %p UniformConstant %fours\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\n"
    "%element = OpUntypedAccessChainKHR %p %fours %four %u_2\n"
    "%l = OpLoad %t_sampled %element\n%texel = OpImageSampleExplicitLod %v4float %l %c Lod %float_0\n"
    "%first_one = OpLoad %t_sampled %four\n%r = OpImageSampleExplicitLod %v4float %first_one %c Lod %float_0\n"
    "OpReturn\nOpFunctionEnd\n";

/* The variable has another type, and chains walk down that; what lies at its beginning still does. */
static void untyped_pointers_reach_other_elements(void **state)
{
    (void)state;
    struct spirv_words input = heap_assemble(untyped);
    assert_non_null(input.words);
    const struct spirv_options tier0 = {.tier = 0};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout, &tier0, NULL, &output), SPIRV_REWRITTEN);
    assert_true(heap_validate(output.words, output.word_count, "output"));
    struct module m;
    char message[MODULE_MESSAGE];
    assert_int_equal(module_index(&m, output.words, output.word_count, &module_c_allocator, message), SPIRV_REWRITTEN);
    const uint32_t *chain = NULL, *variable = NULL;
    for (uint32_t at = m.annotations_end; at < m.word_count; at += inst_length(m.words + at)) {
        /* OpUntypedAccessChainKHR and OpUntypedVariableKHR, which older headers do not have. */
        chain = inst_opcode(m.words + at) == 4419 ? m.words + at : chain;
        variable = inst_opcode(m.words + at) == 4418 ? m.words + at : variable;
    }
    assert_non_null(chain);
    assert_non_null(variable);
    uint32_t length = 0, index = 0;
    assert_true(module_constant(&m, module_definition(&m, variable[4])[3], &length));
    assert_true(module_constant(&m, chain[5], &index));
    assert_int_equal(length, 8);
    assert_int_equal(index, 4);
    assert_int_equal(chain[3], variable[4]);
    assert_int_not_equal(module_id(&m, variable[4])->layout, 0); /* its ArrayStride */
    module_drop(&m, &module_c_allocator);
    free(output.words);
    free(input.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_lengths_and_indices_are_multiplied),
        cmocka_unit_test(dynamic_indices_are_multiplied),
        cmocka_unit_test(narrow_and_wide_indices_are_multiplied),
        cmocka_unit_test(specialized_lengths_and_indices_are_multiplied),
        cmocka_unit_test(innermost_arrays_are_multiplied),
        cmocka_unit_test(variables_of_one_type_have_types_of_their_own),
        cmocka_unit_test(arrays_without_a_length_keep_their_type),
        cmocka_unit_test(what_is_no_array_stays_as_it_is),
        cmocka_unit_test(arrays_of_blocks_are_multiplied),
        cmocka_unit_test(functions_take_arrays_of_other_types),
        cmocka_unit_test(arrays_that_are_used_whole_are_refused),
        cmocka_unit_test(untyped_pointers_reach_other_elements),
    };
    return cmocka_run_group_tests_name("scaled", tests, NULL, NULL);
}
