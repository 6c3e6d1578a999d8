/* SPDX-License-Identifier: MIT */
/* Descriptors that carry the numbers of their records: the way from push constants to a record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "auto_layout.h"
#include "spirv_text.h"

static const struct spirv_options tier1 = {.tier = 1};

/* Set 0: %t, an array %ts of four; set 1: %image and %sampler. */
static const char declarations[] =
    "OpDecorate %in Location 0\n"
    "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\nOpDecorate %ts DescriptorSet 0\nOpDecorate %ts Binding 3\n"
    "OpDecorate %image DescriptorSet 1\nOpDecorate %image Binding 1\n"
    "OpDecorate %sampler DescriptorSet 1\nOpDecorate %sampler Binding 2\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%uint = OpTypeInt 32 0\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%float_0 = OpConstant %float 0\n%int_0 = OpConstant %int 0\n%int_1 = OpConstant %int 1\n%int_2 = OpConstant %int "
    "2\n"
    "%uint_4 = OpConstant %uint 4\n%zero2 = OpConstantNull %v2float\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%t_sampler = OpTypeSampler\n%t_array = OpTypeArray %t_sampled %uint_4\n"
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_array = OpTypePointer UniformConstant %t_array\n"
    "%p_image = OpTypePointer UniformConstant %t_image\n%p_sampler = OpTypePointer UniformConstant %t_sampler\n"
    "%fn = OpTypeFunction %v4float %p_sampled\n%fn_array = OpTypeFunction %v4float %p_array\n"
    "%p_in = OpTypePointer Input %v4float\n"
    "%t = OpVariable %p_sampled UniformConstant\n%ts = OpVariable %p_array UniformConstant\n"
    "%image = OpVariable %p_image UniformConstant\n%sampler = OpVariable %p_sampler UniformConstant\n"
    "%in = OpVariable %p_in Input\n";

#define BEGIN(name)                                                                                                    \
    "%" name " = OpFunction %void None %voids\n%first_" name " = OpLabel\n%c4_" name " = OpLoad %v4float %in\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define LOOK(n, pointer)                                                                                               \
    "%l" n " = OpLoad %t_sampled " pointer "\n%r" n " = OpImageSampleExplicitLod %v4float %l" n " %zero2 Lod "         \
    "%float_0\n"

struct shader {
    const char *capabilities;
    const char *model;      /* NULL: without addresses */
    const char *interfaces; /* of entry points, to begin with; NULL: that of main alone */
    const char *names, *decorations, *types, *code;
};

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

static struct made made_of(enum text_environment environment, const struct shader *shader,
                           const struct spirv_layout *own, const struct spirv_options *options, bool valid)
{
    static struct auto_layout layout;
    static char text[32768];
    struct made made = {0};
    snprintf(text, sizeof(text), "OpCapability Shader\n%s%s%s%s%s%s%s%s",
             shader->capabilities ? shader->capabilities : "",
             shader->model ? shader->model : "OpMemoryModel Logical GLSL450\n",
             shader->interfaces ? shader->interfaces
                                : "OpEntryPoint Fragment %main \"main\" %in\nOpExecutionMode %main OriginUpperLeft\n",
             shader->names ? shader->names : "", shader->decorations ? shader->decorations : "", declarations,
             shader->types ? shader->types : "", shader->code);
    struct spirv_words input = text_assemble(environment, text);
    assert_non_null(input.words);
    if (valid)
        assert_true(text_validate(environment, input.words, input.count, "input"));
    auto_layout(input.words, input.count, AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_HALVES, &layout);
    made.result = spirv_rewrite(input.words, input.count, own ? own : &layout.layout, options, NULL, &made.output);
    if (made.result == SPIRV_REWRITTEN) {
        assert_true(text_validate(environment, made.output.words, made.output.word_count, "output"));
        made.text = text_disassemble(made.output.words, made.output.word_count);
        assert_non_null(made.text);
    }
    free(input.words);
    return made;
}

static struct made made_in(enum text_environment environment, const struct shader *shader,
                           const struct spirv_layout *own, const struct spirv_options *options)
{
    return made_of(environment, shader, own, options, true);
}

static uint32_t occurrences(const char *text, const char *what)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* How many lines have both? */
static uint32_t lines_with(const char *text, const char *first, const char *second)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, first); at; at = strstr(at + 1, first)) {
        const char *other = strstr(at, second);
        count += other && other <= strchr(at, '\n');
    }
    return count;
}

static void expect_line(const struct made *made, const char *line)
{
    if (!strstr(made->text, line))
        fail_msg("no \"%s\" in\n%s", line, made->text);
}

/* The root is read once, at the beginning of main; each number once. */
static void a_number_is_loaded_once_for_a_lookup(void **state)
{
    (void)state;
    const struct shader shader = {.code = BEGIN("main") LOOK("", "%t") END};
    for (uint32_t tier = 1; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &options);
        assert_int_equal(made.result, SPIRV_REWRITTEN);
        assert_string_equal(made.output.message, "");
        assert_int_equal(made.output.rewritten_lookups, 1);
        expect_line(&made, "OpMemoryModel PhysicalStorageBuffer64 GLSL450");
        expect_line(&made, "OpCapability PhysicalStorageBufferAddresses");
        assert_int_equal(occurrences(made.text, " PushConstant\n"), 1);
        assert_int_equal(occurrences(made.text, "Offset 248"), 1);
        assert_int_equal(occurrences(made.text, "OpStore %clampler_input "), 1);
        assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 1);
        assert_int_equal(occurrences(made.text, " Binding "), 4);
        forget(&made);
    }
}

/* No block is given what another one has loaded, on whose way it may not lie. */
static void each_block_loads_its_own_numbers(void **state)
{
    (void)state;
    const struct shader shader = {
        .types = "%bool = OpTypeBool\n",
        .code = BEGIN("main") "%x = OpCompositeExtract %float %c4_main 0\n%less = OpFOrdLessThan %bool %x %float_0\n"
                              "OpSelectionMerge %end None\nOpBranchConditional %less %one %other\n"
                              "%one = OpLabel\n" LOOK("1", "%t") "OpBranch %end\n"
                                                                 "%other = OpLabel\n" LOOK("2", "%t")
                                                                     LOOK("3", "%t") "OpBranch %end\n"
                                                                                     "%end = OpLabel\n" LOOK("4", "%t")
                                                                                         END};
    for (uint32_t tier = 1; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &options);
        assert_int_equal(made.result, SPIRV_REWRITTEN);
        assert_int_equal(made.output.rewritten_lookups, 4);
        assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 3);
        forget(&made);
    }
}

static void numbers_are_not_followed_without_a_root(void **state)
{
    (void)state;
    const struct shader shader = {.code = BEGIN("main") LOOK("", "%t") END};
    const struct spirv_binding binding = {.count = 1, .scale = 2, .embedded = {.offset = {16}, .stride = 32}};
    const struct spirv_set set = {.bindings = &binding,
                                  .binding_count = 1,
                                  .record_binding = SPIRV_NO_RECORD,
                                  .record_count = 1,
                                  .embedded = true};
    struct spirv_layout layout = {.sets = &set, .set_count = 1};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    assert_string_equal(made.output.message, "");
    layout.root_at = 8;
    made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    forget(&made);
    struct spirv_binding uneven = binding;
    uneven.embedded.offset[HALF_BOTH] = 18;
    const struct spirv_set uneven_set = {.bindings = &uneven,
                                         .binding_count = 1,
                                         .record_binding = SPIRV_NO_RECORD,
                                         .record_count = 1,
                                         .embedded = true};
    layout.sets = &uneven_set;
    made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    assert_non_null(strstr(made.output.message, "its descriptors do not lie at whole words"));
}

/* Offsets and strides in words, as constants where the element is one. */
static void elements_are_found(void **state)
{
    (void)state;
    struct shader shader = {.code = BEGIN("main") "%p = OpAccessChain %p_sampled %ts %int_2\n" LOOK("", "%p") END};
    /* Binding 0 has one descriptor of 32 bytes; so the third one's number of binding 3 is at 32 + 2 * 32 + 16. */
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    expect_line(&made, " %uint_28\n");
    forget(&made);
    shader.capabilities = "OpCapability SampledImageArrayDynamicIndexing\n";
    shader.code = BEGIN("main") "%w = OpCompositeExtract %float %c4_main 2\n%i = OpConvertFToS %int %w\n"
                                "%p = OpAccessChain %p_sampled %ts %i\n" LOOK("", "%p") END;
    made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_int_equal(occurrences(made.text, "= OpULessThan %bool %"), 1); /* of the index */
    assert_int_equal(occurrences(made.text, "= OpIEqual %bool %"), 1);    /* of the number's bits that no table has */
    expect_line(&made, "%uint_8");
    expect_line(&made, "%uint_12");
    forget(&made);
}

/* Elements are the same where all indices are: each has its number, loaded once. */
static void elements_with_other_indices_have_other_numbers(void **state)
{
    (void)state;
#define INDICES                                                                                                        \
    "%x = OpCompositeExtract %float %c4_main 2\n%y = OpCompositeExtract %float %c4_main 3\n"                           \
    "%i = OpConvertFToS %int %x\n%j = OpConvertFToS %int %y\n"
#define TWO(first, second)                                                                                             \
    BEGIN("main")                                                                                                      \
    INDICES "%p1 = OpAccessChain %p_sampled " first "\n%p2 = OpAccessChain %p_sampled " second "\n" LOOK("1", "%p1")   \
        LOOK("2", "%p2") END
    static const struct {
        const char *code;
        uint32_t record_indices;
    } cases[] = {
        {TWO("%ts %i", "%ts %i"), 1},
        {TWO("%ts %i", "%ts %j"), 2},
        {TWO("%ts %int_1", "%ts %i"), 2},
        {TWO("%ts %int_1", "%ts %int_2"), 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct shader shader = {.capabilities = "OpCapability SampledImageArrayDynamicIndexing\n",
                                      .code = cases[i].code};
        struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
        assert_int_equal(made.result, SPIRV_REWRITTEN);
        assert_int_equal(made.output.rewritten_lookups, 2);
        assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), cases[i].record_indices);
        forget(&made);
    }
}

static void halves_have_the_numbers_behind(void **state)
{
    (void)state;
    const struct shader shader = {
        .code = BEGIN("main") "%l1 = OpLoad %t_sampled %t\n%i = OpImage %t_image %l1\n"
                              "%s = OpLoad %t_sampler %sampler\n"
                              "%l = OpSampledImage %t_sampled %i %s\n"
                              "%r = OpImageSampleExplicitLod %v4float %l %zero2 Lod %float_0\n" END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 2);
    expect_line(&made, "= OpBitwiseOr %v4uint");
    /* The record of the image alone is behind that of the pair. */
    assert_int_equal(lines_with(made.text, "= OpIAdd %uint ", " %uint_1\n"), 1);
    forget(&made);
}

static void numbers_of_the_layout_are_chosen(void **state)
{
    (void)state;
    static const uint32_t record_indices[] = {5, 5, 9, 9};
    const struct spirv_binding binding = {
        .binding = 3, .new_binding = 3, .count = 4, .embedded = {.record_indices = record_indices}};
    const struct spirv_set set = {.bindings = &binding,
                                  .binding_count = 1,
                                  .record_binding = SPIRV_NO_RECORD,
                                  .record_count = 4,
                                  .embedded = true};
    const struct spirv_layout layout = {.sets = &set, .set_count = 1, .root_at = 120};
    const struct shader shader = {
        .capabilities = "OpCapability SampledImageArrayDynamicIndexing\n",
        .code = BEGIN("main") "%w = OpCompositeExtract %float %c4_main 2\n%i = OpConvertFToS %int %w\n"
                              "%p = OpAccessChain %p_sampled %ts %i\n" LOOK("", "%p") END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_int_equal(occurrences(made.text, "= OpUGreaterThanEqual "), 1);
    assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 0);
    forget(&made);
}

#define PUSH_NAMES "OpName %push \"push\"\nOpName %block \"block\"\n"
#define PUSH_DECORATIONS(offset)                                                                                       \
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset " offset "\n"
#define PUSH_TYPES                                                                                                     \
    "%block = OpTypeStruct %v4float %float\n%p_block = OpTypePointer PushConstant %block\n"                            \
    "%p_push = OpTypePointer PushConstant %float\n%push = OpVariable %p_block PushConstant\n"

static void the_programs_push_constants_get_a_member_more(void **state)
{
    (void)state;
    struct shader shader = {
        .names = PUSH_NAMES,
        .decorations = PUSH_DECORATIONS("16"),
        .types = PUSH_TYPES,
        .code = BEGIN("main") "%x = OpAccessChain %p_push %push %int_1\n%y = OpLoad %float %x\n" LOOK("", "%t") END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_string_equal(made.output.message, "");
    assert_int_equal(occurrences(made.text, " PushConstant\n"), 1);
    expect_line(&made, "= OpTypeStruct %v4float %float %uint %uint\n");
    expect_line(&made, " 2 Offset 248\n");
    expect_line(&made, " 3 Offset 252\n");
    expect_line(&made, "%push %uint_2\n");
    forget(&made);
    /* Taken as a whole, it is as it was. */
    shader.code = BEGIN("main") "%y = OpLoad %block %push\n%z = OpCompositeExtract %float %y 1\n" LOOK("", "%t") END;
    made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    expect_line(&made, "= OpCompositeConstruct %block %");
    forget(&made);
    /* What is not used is left alone. */
    shader.code = BEGIN("main") LOOK("", "%t") END;
    made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_int_equal(occurrences(made.text, " PushConstant\n"), 2);
    expect_line(&made, "%clampler_block = ");
    forget(&made);
}

/* What a group decorates members with is that of the same members of the struct in its place. */
static void members_keep_what_groups_give_them(void **state)
{
    (void)state;
    const struct shader shader = {
        .names = PUSH_NAMES "OpName %group \"group\"\n",
        .decorations = PUSH_DECORATIONS("16") "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup\n"
                                              "OpGroupMemberDecorate %group %block 1\n",
        .types = PUSH_TYPES,
        .code = BEGIN("main") "%x = OpAccessChain %p_push %push %int_1\n%y = OpLoad %float %x\n" LOOK("", "%t") END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    expect_line(&made, "= OpTypeStruct %v4float %float %uint %uint\n");
    assert_int_equal(occurrences(made.text, "OpGroupMemberDecorate %group %"), 2); /* the program's, and the other's */
    uint32_t second = 0;
    for (const char *at = strstr(made.text, "OpGroupMemberDecorate"); at; at = strstr(at + 1, "OpGroupMemberDecorate"))
        second += memcmp(strchr(at, '\n') - 2, " 1", 2) == 0;
    assert_int_equal(second, 2);
    forget(&made);
}

/* The words of a block by their bytes, through whatever has them. */
static void words_are_read_through_what_the_program_has_there(void **state)
{
    (void)state;
    static const struct {
        const char *capabilities, *decorations, *types, *line;
        enum spirv_result result;
    } cases[] = {
        {"", "OpMemberDecorate %block 1 Offset 240\n", "%block = OpTypeStruct %float %v4float\n",
         "%push %uint_1 %uint_2\n", SPIRV_REWRITTEN},
        {"", "OpMemberDecorate %block 1 Offset 16\nOpDecorate %many ArrayStride 8\n",
         "%many = OpTypeArray %v2float %uint_30\n%block = OpTypeStruct %float %many\n",
         "%push %uint_1 %uint_29 %uint_1\n", SPIRV_REWRITTEN},
        {"",
         "OpMemberDecorate %block 1 Offset 240\nOpMemberDecorate %block 1 ColMajor\n"
         "OpMemberDecorate %block 1 MatrixStride 8\n",
         "%matrix = OpTypeMatrix %v2float 2\n%block = OpTypeStruct %float %matrix\n", "%push %uint_1 %uint_1 %uint_0\n",
         SPIRV_REWRITTEN},
        {"OpCapability Int64\n", "OpMemberDecorate %block 1 Offset 248\n",
         "%long = OpTypeInt 64 0\n%block = OpTypeStruct %float %long\n", "= OpBitcast %v2uint %", SPIRV_REWRITTEN},
        /* One of the two words, and room for the other. */
        {"", "OpMemberDecorate %block 1 Offset 252\n", "%block = OpTypeStruct %float %uint\n", " 2 Offset 248\n",
         SPIRV_REWRITTEN},
        {"",
         "OpMemberDecorate %block 1 Offset 244\nOpMemberDecorate %inner 0 Offset 0\nOpMemberDecorate %inner 1 Offset "
         "4\n"
         "OpMemberDecorate %inner 2 Offset 8\n",
         "%inner = OpTypeStruct %float %float %int\n%block = OpTypeStruct %float %inner\n", "%push %uint_1 %uint_2\n",
         SPIRV_REWRITTEN},
        /* An address, alone and in a struct. */
        {"", "OpMemberDecorate %block 1 Offset 248\n",
         "%address = OpTypePointer PhysicalStorageBuffer %float\n%block = OpTypeStruct %float %address\n",
         "= OpBitcast %v2uint %", SPIRV_REWRITTEN},
        {"",
         "OpMemberDecorate %block 1 Offset 240\nOpMemberDecorate %inner 0 Offset 0\nOpMemberDecorate %inner 1 Offset "
         "8\n",
         "%address = OpTypePointer PhysicalStorageBuffer %float\n%inner = OpTypeStruct %address %address\n"
         "%block = OpTypeStruct %float %inner\n",
         "%push %uint_1 %uint_1\n", SPIRV_REWRITTEN},
        /* Half a word, and what lies between members. */
        {"OpCapability StoragePushConstant16\n", "OpMemberDecorate %block 1 Offset 248\n",
         "%half = OpTypeFloat 16\n%block = OpTypeStruct %float %half\n", NULL, SPIRV_UNCHANGED},
        {"",
         "OpMemberDecorate %block 1 Offset 240\nOpMemberDecorate %inner 0 Offset 0\nOpMemberDecorate %inner 1 Offset "
         "16\n",
         "%inner = OpTypeStruct %float %float\n%block = OpTypeStruct %float %inner\n", NULL, SPIRV_UNCHANGED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char decorations[512], types[512];
        snprintf(decorations, sizeof(decorations), "OpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\n%s",
                 cases[i].decorations);
        snprintf(types, sizeof(types),
                 "%%uint_30 = OpConstant %%uint 30\n%s%%p_block = OpTypePointer PushConstant %%block\n"
                 "%%p_push = OpTypePointer PushConstant %%float\n%%push = OpVariable %%p_block PushConstant\n",
                 cases[i].types);
        const bool addresses = strstr(types, "PhysicalStorageBuffer");
        const struct shader shader = {.capabilities = addresses ? "OpCapability PhysicalStorageBufferAddresses\n"
                                                                  "OpExtension \"SPV_KHR_physical_storage_buffer\"\n"
                                                                : cases[i].capabilities,
                                      .model = addresses ? "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n" : NULL,
                                      .names = PUSH_NAMES,
                                      .decorations = decorations,
                                      .types = types,
                                      .code = BEGIN("main") "%x = OpAccessChain %p_push %push %int_0\n"
                                                            "%y = OpLoad %float %x\n" LOOK("", "%t") END};
        struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &tier1);
        assert_int_equal(made.result, cases[i].result);
        assert_string_equal(made.output.message, cases[i].line
                                                     ? ""
                                                     : "1 of 1 lookups left alone: its push constants have no "
                                                       "word where one is needed");
        if (cases[i].line)
            expect_line(&made, cases[i].line);
        forget(&made);
    }
}

/* From SPIR-V 1.4 on each interface has the new variables that its code uses. */
static void each_entry_point_reads_its_own_push_constants(void **state)
{
    (void)state;
    static const char both[] =
        "%look = OpFunction %v4float None %fn\n%p = OpFunctionParameter %p_sampled\n%b = OpLabel\n" LOOK("_p", "%p")
            LOOK("_t", "%t") "OpReturnValue %r_p\nOpFunctionEnd\n";
    char code[4096];
    snprintf(code, sizeof(code), "%s%s%s%s",
             BEGIN("main") "%x = OpAccessChain %p_push %push %int_1\n%y = OpLoad %float %x\n"
                           "%z = OpFunctionCall %v4float %look %t\n" END,
             BEGIN("second") "%x2 = OpAccessChain %p_push %push2 %int_1\n%y2 = OpLoad %float %x2\n"
                             "%z2 = OpFunctionCall %v4float %look %t\n" END,
             BEGIN("third") "%z3 = OpFunctionCall %v4float %look %t\n" END, both);
    const struct shader shader = {
        .interfaces = "OpEntryPoint Fragment %main \"main\" %in %push %t\n"
                      "OpEntryPoint Fragment %second \"second\" %in %push2 %t\n"
                      "OpEntryPoint Fragment %third \"third\" %in %t\n"
                      "OpExecutionMode %main OriginUpperLeft\nOpExecutionMode %second OriginUpperLeft\n"
                      "OpExecutionMode %third OriginUpperLeft\n",
        .names = "OpName %push \"push\"\nOpName %push2 \"push2\"\nOpName %in \"in\"\nOpName %t \"t\"\n",
        .decorations = PUSH_DECORATIONS("16"),
        .types = PUSH_TYPES "%push2 = OpVariable %p_block PushConstant\n",
        .code = code,
    };
    struct made made = made_in(TEXT_VULKAN_1_2, &shader, NULL, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_string_equal(made.output.message, "");
    assert_int_equal(made.output.rewritten_lookups, 2);
    expect_line(&made, "\"main\" %in %push %t %clampler_input\n");
    expect_line(&made, "\"second\" %in %push2 %t %clampler_input\n");
    expect_line(&made, "\"third\" %in %t %clampler_input %clampler_block\n");
    assert_int_equal(occurrences(made.text, "OpStore %clampler_input "), 3);
    forget(&made);
}

/* The identity says where the descriptor is, and a function which number that has. */
static void functions_take_identities(void **state)
{
    (void)state;
    const struct shader shader = {
        .capabilities = "OpCapability SampledImageArrayDynamicIndexing\n",
        .code = BEGIN(
            "main") "%x = OpFunctionCall %v4float %look %t\n%y = OpFunctionCall %v4float %element %ts\n" END
                    "%look = OpFunction %v4float None %fn\n%p = OpFunctionParameter %p_sampled\n%b = OpLabel\n" LOOK(
                        "_p", "%p") "OpReturnValue %r_p\nOpFunctionEnd\n"
                                    "%element = OpFunction %v4float None %fn_array\n%ps = OpFunctionParameter "
                                    "%p_array\n%bs = OpLabel\n"
                                    "%w = OpLoad %v4float %in\n%f = OpCompositeExtract %float %w 2\n%i = OpConvertFToS "
                                    "%int %f\n"
                                    "%q = OpAccessChain %p_sampled %ps %i\n" LOOK(
                                        "_q", "%q") "OpReturnValue %r_q\nOpFunctionEnd\n"};
    for (uint32_t tier = 1; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        struct made made = made_in(TEXT_VULKAN_1_1, &shader, NULL, &options);
        assert_int_equal(made.result, SPIRV_REWRITTEN);
        assert_string_equal(made.output.message, "");
        assert_int_equal(made.output.rewritten_lookups, 2);
        expect_line(&made, "%clampler_number_of = OpFunction %uint");
        assert_int_equal(occurrences(made.text, "= OpFunctionCall %uint %clampler_number_of"), 1);
        /* One for each binding, none that is read without its own branch. */
        assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 2);
        forget(&made);
    }
}

/* ---- Mappings ---- */

static const struct spirv_mapping by_record = {
    .set = 0,
    .first_binding = 0,
    .binding_count = 1,
    .resources = SPIRV_RESOURCE_COMBINED,
    .followed = true,
    .image = {.offset = {64, 64, 64},
              .stride = 64,
              .index_from = SPIRV_INDEX_SHADER_RECORD,
              .push_offset = 20,
              .index_stride = 64},
    .combined_sampler = {.base = 1, .offset = {32, 32, 32}, .stride = 32},
};
static const struct spirv_layout heaps_by_record = {
    .root_at = 248, .mappings = &by_record, .mapping_count = 1, .heaps = {.image_size = 64}};

#define RAYS "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n"
#define RAY_ENTRY(more) "OpEntryPoint RayGenerationKHR %main \"main\" %t" more "\n"
#define RECORD_LINE "its shader record has no word where one is needed"

/* An index that lies in the shader record: in a block for it, or in the program's own. */
static void indices_are_read_from_shader_records(void **state)
{
    (void)state;
    static const struct {
        const char *interfaces, *offset, *line;
    } cases[] = {
        {RAY_ENTRY(""), "0", "= OpVariable %_ptr_ShaderRecordBuffer"},
        {RAY_ENTRY(" %record"), "16", "%record %uint_1 %uint_1\n"},
        {RAY_ENTRY(" %record"), "32", "OpMemberDecorate %_struct_"},
        {RAY_ENTRY(" %record"), "18", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char decorations[256];
        bool own = i == 0;
        snprintf(
            decorations, sizeof(decorations),
            "OpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\nOpMemberDecorate %%block 1 Offset %s\n",
            cases[i].offset);
        const struct shader shader = {
            .capabilities = RAYS,
            .interfaces = cases[i].interfaces,
            .names = own ? NULL : "OpName %record \"record\"\n",
            .decorations = own ? NULL : decorations,
            .types =
                own ? NULL
                    : "%block = OpTypeStruct %float %v4float\n%p_block = OpTypePointer ShaderRecordBufferKHR %block\n"
                      "%p_word = OpTypePointer ShaderRecordBufferKHR %float\n"
                      "%record = OpVariable %p_block ShaderRecordBufferKHR\n",
            .code = own ? "%main = OpFunction %void None %voids\n%first = OpLabel\n" LOOK("", "%t") END
                        : "%main = OpFunction %void None %voids\n%first = OpLabel\n"
                          "%x = OpAccessChain %p_word %record %int_0\n%y = OpLoad %float %x\n" LOOK("", "%t") END,
        };
        /* Offset 18 is none that validators take. */
        struct made made = made_of(TEXT_VULKAN_1_2, &shader, &heaps_by_record, &tier1, cases[i].line != NULL);
        assert_int_equal(made.result, cases[i].line ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_string_equal(made.output.message, cases[i].line ? "" : "1 of 1 lookups left alone: " RECORD_LINE);
        if (cases[i].line)
            expect_line(&made, cases[i].line);
        forget(&made);
    }
}

static void shaders_without_a_shader_record_are_left_alone(void **state)
{
    (void)state;
    const struct shader shader = {.code = BEGIN("main") LOOK("", "%t") END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, &heaps_by_record, &tier1);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    assert_string_equal(made.output.message, "1 of 1 lookups left alone: it has no shader record");
}

/* Of a combined image sampler both parts are looked for. */
static void mapped_image_samplers_have_two_records(void **state)
{
    (void)state;
    struct spirv_mapping mapping = by_record;
    mapping.image.index_from = SPIRV_INDEX_NONE;
    struct spirv_layout layout = {
        .root_at = 248, .mappings = &mapping, .mapping_count = 1, .heaps = {.image_size = 64}};
    const struct shader shader = {.code = BEGIN("main") LOOK("", "%t") END};
    struct made made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_REWRITTEN);
    assert_int_equal(lines_with(made.text, "= OpLoad %uint %", "Aligned 4"), 2);
    expect_line(&made, "= OpBitwiseOr %v4uint");
    forget(&made);
    /* What is no descriptor in a heap, or mapped by others, is left alone without a word. */
    mapping.followed = false;
    made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    assert_string_equal(made.output.message, "");
    mapping.followed = true;
    mapping.resources = SPIRV_RESOURCE_SAMPLER;
    made = made_in(TEXT_VULKAN_1_1, &shader, &layout, &tier1);
    assert_int_equal(made.result, SPIRV_UNCHANGED);
    assert_string_equal(made.output.message, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_loaded_once_for_a_lookup),
        cmocka_unit_test(each_block_loads_its_own_numbers),
        cmocka_unit_test(numbers_are_not_followed_without_a_root),
        cmocka_unit_test(elements_are_found),
        cmocka_unit_test(elements_with_other_indices_have_other_numbers),
        cmocka_unit_test(halves_have_the_numbers_behind),
        cmocka_unit_test(numbers_of_the_layout_are_chosen),
        cmocka_unit_test(the_programs_push_constants_get_a_member_more),
        cmocka_unit_test(members_keep_what_groups_give_them),
        cmocka_unit_test(words_are_read_through_what_the_program_has_there),
        cmocka_unit_test(each_entry_point_reads_its_own_push_constants),
        cmocka_unit_test(functions_take_identities),
        cmocka_unit_test(indices_are_read_from_shader_records),
        cmocka_unit_test(shaders_without_a_shader_record_are_left_alone),
        cmocka_unit_test(mapped_image_samplers_have_two_records),
    };
    return cmocka_run_group_tests_name("carried", tests, NULL, NULL);
}
