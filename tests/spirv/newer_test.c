/* SPDX-License-Identifier: MIT */
/*
 * Instructions that are newer than the headers of the build, or than every grammar: a lookup whose coordinate one of
 * them makes, or that stands behind a block that one of them ends, is rewritten like any other. They are put in the
 * place of instructions that every assembler knows; where this machine's SPIRV-Tools know them, the results are
 * validated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "auto_layout.h"
#include "spirv/module/inst.h"
#include "spirv/module/opcodes.h"
#include "spirv/outputs.h"
#include "spirv_text.h"

/* A fragment shader with one lookup; what stands before its coordinate, %coordinate, and in what block, is the case's.
 */
#define HEAD(extensions) HEAD_WITH(extensions, "")
#define HEAD_WITH(extensions, variables)                                                                               \
    "OpCapability Shader\n" extensions "OpMemoryModel Logical GLSL450\n"                                               \
    "OpEntryPoint Fragment %main \"main\" %in %out %t" variables "\nOpExecutionMode %main OriginUpperLeft\n"           \
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"             \
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n"             \
    "%uint_0 = OpConstant %uint 0\n%bool = OpTypeBool\n"                                                               \
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"                     \
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_in = OpTypePointer Input %v2float\n"                    \
    "%p_out = OpTypePointer Output %v4float\n%in = OpVariable %p_in Input\n%out = OpVariable %p_out Output\n"          \
    "%t = OpVariable %p_sampled UniformConstant\n"
#define MAIN "%main = OpFunction %void None %voids\n%first = OpLabel\n%c = OpLoad %v2float %in\n"
#define LOOKUP                                                                                                         \
    "%s = OpLoad %t_sampled %t\n%r = OpImageSampleExplicitLod %v4float %s %coordinate Lod %float_0\n"                  \
    "OpStore %out %r\nOpReturn\nOpFunctionEnd\n"

static struct spirv_words assembled(const char *text)
{
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_3, text);
    assert_non_null(words.words);
    return words;
}

/* Gives the only instruction of `words` that has the opcode and the length another opcode. */
static void replace(struct spirv_words *words, uint32_t opcode, uint32_t length, uint32_t by)
{
    uint32_t found = 0;
    for (size_t at = 5; at < words->count; at += inst_length(words->words + at)) {
        if (inst_opcode(words->words + at) == opcode && inst_length(words->words + at) == length) {
            words->words[at] = length << 16 | by;
            found++;
        }
    }
    assert_int_equal(found, 1);
}

/* How often an opcode stands in a module. */
static uint32_t occurrences(const uint32_t *words, size_t count, uint32_t opcode)
{
    uint32_t found = 0;
    for (size_t at = 5; at < count; at += inst_length(words + at))
        found += inst_opcode(words + at) == opcode;
    return found;
}

/*
 * In both tiers the lookup is rewritten, nothing is said but of what reads through samplers itself (images_test.c), and
 * the instruction is there as often as it was.
 */
static void rewritten(const struct spirv_words *words, uint32_t opcode, bool validate)
{
    static struct auto_layout layout;
    auto_layout(words->words, words->count, 0, &layout);
    for (uint32_t tier = 1; tier <= 2; tier++) {
        struct spirv_options options = {.tier = tier};
        struct spirv_output output;
        enum spirv_result result = spirv_rewrite(words->words, words->count, &layout.layout, &options, NULL, &output);
        const bool said = output.message[0] != '\0';
        if (result != SPIRV_REWRITTEN || output.rewritten_lookups != 1 || said != opcode_is_drivers(opcode))
            fail_msg("opcode %u, tier %u: result %d, %u lookups, \"%s\"", opcode, tier, (int)result,
                     output.rewritten_lookups, output.message);
        assert_int_equal(occurrences(output.words, output.word_count, opcode),
                         occurrences(words->words, words->count, opcode));
        if (validate)
            assert_true(text_validate(TEXT_VULKAN_1_3, output.words, output.word_count, "output"));
        free(output.words);
    }
}

/* A lookup's coordinate is the result of `opcode`, which has `words` words. */
static void coordinate_of(uint32_t opcode, uint32_t words)
{
    char text[4096];
    int length = snprintf(text, sizeof(text), "%s", HEAD("") TYPES MAIN "%coordinate = OpCompositeConstruct %v2float");
    for (uint32_t i = 3; i < words; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %%float_0");
    snprintf(text + length, sizeof(text) - (size_t)length, "\n%s", LOOKUP);
    struct spirv_words module = assembled(text);
    replace(&module, SpvOpCompositeConstruct, words, opcode);
    rewritten(&module, opcode, false);
    free(module.words);
}

/* Instructions of later versions and of extensions begin here. */
#define FIRST_OF_EXTENSIONS 4096u

/* Those that the rewriter reads itself: pointers into descriptors and heaps, and terminators. */
static bool has_a_meaning(uint32_t opcode)
{
    return (opcode >= OP_TYPE_UNTYPED_POINTER && opcode <= 4426) || opcode == OP_BUFFER_POINTER ||
           opcode == OP_CONSTANT_SIZE_OF || opcode == 5126;
}

static void coordinates_come_from_every_instruction_of_extensions(void **state)
{
    (void)state;
    uint32_t tried = 0;
    for (uint32_t opcode = FIRST_OF_EXTENSIONS; opcode < OPCODE_SHAPE_COUNT; opcode++) {
        uint32_t shape = opcode_shape(opcode);
        if ((shape & OPCODE_HAS_TYPE) == 0 || (shape & OPCODE_HAS_RESULT) == 0 || has_a_meaning(opcode))
            continue;
        coordinate_of(opcode, shape & OPCODE_LEAST_MASK);
        tried++;
    }
    assert_true(tried > 300);
}

static void an_unknown_instruction_with_a_type_and_a_new_id_is_data(void **state)
{
    (void)state;
    for (uint32_t opcode = OPCODE_SHAPE_COUNT; opcode < OPCODE_SHAPE_COUNT + 8; opcode++) {
        assert_int_equal(opcode_shape(opcode), 0);
        coordinate_of(opcode, 3);
        coordinate_of(opcode, 12);
    }
    coordinate_of(65535, 5);
}

/* An instruction that only names a type and an id that is defined further down is not taken for its definition. */
static void an_unknown_instruction_may_name_what_comes_later(void **state)
{
    (void)state;
    struct spirv_words module = assembled(
        HEAD("") TYPES MAIN "OpCopyMemory %v2float %coordinate\n%coordinate = OpFAdd %v2float %c %c\n" LOOKUP);
    replace(&module, SpvOpCopyMemory, 3, 65535);
    rewritten(&module, 65535, false);
    free(module.words);
}

static void blocks_end_with_terminators_that_no_list_has(void **state)
{
    (void)state;
    static const uint32_t unknown[] = {OPCODE_SHAPE_COUNT, 40000, 65535};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        struct spirv_words module =
            assembled(HEAD("") TYPES MAIN "%x = OpFOrdEqual %bool %float_0 %float_0\nOpSelectionMerge %go None\n"
                                          "OpBranchConditional %x %stop %go\n%stop = OpLabel\nOpReturnValue %x\n"
                                          "%go = OpLabel\n%coordinate = OpFAdd %v2float %c %c\n" LOOKUP);
        replace(&module, SpvOpReturnValue, 2, unknown[i]);
        rewritten(&module, unknown[i], false);
        free(module.words);
    }
}

/* Modules of today's assemblers: skipped where this machine's is older. */
static void newest_modules_are_valid_when_rewritten(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t opcode;
    } cases[] = {
        {HEAD("OpCapability AbortKHR\nOpExtension \"SPV_KHR_abort\"\n") TYPES MAIN
         "%x = OpFOrdEqual %bool %float_0 %float_0\nOpSelectionMerge %go None\nOpBranchConditional %x %stop %go\n"
         "%stop = OpLabel\nOpAbortKHR %uint %uint_0\n%go = OpLabel\n%coordinate = OpFAdd %v2float %c %c\n" LOOKUP,
         5121},
        {HEAD("OpCapability ReplicatedCompositesEXT\nOpExtension \"SPV_EXT_replicated_composites\"\n") TYPES MAIN
         "%coordinate = OpCompositeConstructReplicateEXT %v2float %float_0\n" LOOKUP,
         4463},
        {HEAD("OpCapability ReplicatedCompositesEXT\nOpExtension \"SPV_EXT_replicated_composites\"\n") TYPES
         "%coordinate = OpConstantCompositeReplicateEXT %v2float %float_0\n" MAIN LOOKUP,
         4461},
        {HEAD("OpCapability FMAKHR\nOpExtension \"SPV_KHR_fma\"\n") TYPES MAIN
         "%coordinate = OpFmaKHR %v2float %c %c %c\n" LOOKUP,
         4427},
        {HEAD("OpCapability PoisonFreezeKHR\nOpExtension \"SPV_KHR_poison_freeze\"\n") TYPES MAIN
         "%coordinate = OpFreezeKHR %v2float %c\n" LOOKUP,
         5159},
    };
    uint32_t judged = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct spirv_words module = text_assemble(TEXT_VULKAN_1_3, cases[i].text);
        if (!module.words)
            continue;
        assert_true(text_validate(TEXT_VULKAN_1_3, module.words, module.count, "input"));
        rewritten(&module, cases[i].opcode, true);
        free(module.words);
        judged++;
    }
    printf("newer_test: %u of %zu modules are known to this machine's SPIRV-Tools\n", judged,
           sizeof(cases) / sizeof(cases[0]));
    if (judged == 0)
        skip();
}

/* An array of samplers that is loaded whole and copied to another declaration of its type is followed. */
static void copies_to_equal_types_are_followed(void **state)
{
    (void)state;
    struct spirv_words module = assembled(HEAD_WITH(
        "", " %ts") "OpDecorate %ts DescriptorSet 0\nOpDecorate %ts Binding 1\n" TYPES
                    "%two = OpConstant %uint 2\n%a = OpTypeArray %t_sampled %two\n%b = OpTypeArray %t_sampled %two\n"
                    "%p_a = OpTypePointer UniformConstant %a\n%ts = OpVariable %p_a UniformConstant\n" MAIN
                    "%l = OpLoad %a %ts\n%m = OpCopyLogical %b %l\n%s = OpCompositeExtract %t_sampled %m 1\n"
                    "%r = OpImageSampleExplicitLod %v4float %s %c Lod %float_0\nOpStore %out %r\nOpReturn\n"
                    "OpFunctionEnd\n");
    rewritten(&module, SpvOpCopyLogical, true);
    free(module.words);
}

/* SPV_ARM_graph: graphs stand behind all functions, also behind those that are added. */
static void graphs_stay_behind_functions(void **state)
{
    (void)state;
    struct spirv_words module = text_assemble(
        TEXT_VULKAN_1_3,
        "OpCapability Shader\nOpCapability GraphARM\nOpCapability TensorsARM\nOpCapability VulkanMemoryModel\n"
        "OpExtension \"SPV_ARM_graph\"\nOpExtension \"SPV_ARM_tensors\"\nOpMemoryModel Logical Vulkan\n"
        "OpEntryPoint Fragment %main \"main\" %in %out %t %a %b\nOpExecutionMode %main OriginUpperLeft\n"
        "OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding "
        "0\n"
        "OpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 1\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding "
        "2\n" TYPES
        "%one = OpConstant %uint 1\n%sizes = OpTypeArray %uint %one\n%shape = OpConstantComposite %sizes %one\n"
        "%tensor = OpTypeTensorARM %float %one %shape\n%p_tensor = OpTypePointer UniformConstant %tensor\n"
        "%a = OpVariable %p_tensor UniformConstant\n%b = OpVariable %p_tensor UniformConstant\n"
        "%graph_type = OpTypeGraphARM 1 %tensor %tensor\n" MAIN "%coordinate = OpFAdd %v2float %c %c\n" LOOKUP
        "OpGraphEntryPointARM %graph \"graph\" %a %b\n%graph = OpGraphARM %graph_type\n"
        "%g = OpGraphInputARM %tensor %uint_0\nOpGraphSetOutputARM %g %uint_0\nOpGraphEndARM\n");
    if (!module.words)
        skip(); /* this machine's SPIRV-Tools do not know them */
    assert_true(text_validate(TEXT_VULKAN_1_3, module.words, module.count, "input"));
    rewritten(&module, OP_GRAPH, true);
    const struct spirv_alpha_one ones = {.entry = "main", .locations = 1};
    struct spirv_output output;
    assert_int_equal(spirv_write_alpha_one(module.words, module.count, &ones, NULL, &output), SPIRV_REWRITTEN);
    assert_true(text_validate(TEXT_VULKAN_1_3, output.words, output.word_count, "alpha"));
    free(output.words);
    free(module.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_come_from_every_instruction_of_extensions),
        cmocka_unit_test(an_unknown_instruction_with_a_type_and_a_new_id_is_data),
        cmocka_unit_test(an_unknown_instruction_may_name_what_comes_later),
        cmocka_unit_test(blocks_end_with_terminators_that_no_list_has),
        cmocka_unit_test(newest_modules_are_valid_when_rewritten),
        cmocka_unit_test(copies_to_equal_types_are_followed),
        cmocka_unit_test(graphs_stay_behind_functions),
    };
    return cmocka_run_group_tests_name("spirv_newer", tests, NULL, NULL);
}
