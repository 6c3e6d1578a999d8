/* SPDX-License-Identifier: MIT */
/* What the rewriter does beside the lookups themselves: resolving, renumbering, control flow, bad input, no memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <spirv/unified1/spirv.h>
#include "auto_layout.h"
#include "spirv/module/inst.h"
#include "spirv_text.h"

/* A fragment shader: capabilities and imports, then these, then types and variables, then main. */
static const char entry[] = "OpMemoryModel Logical GLSL450\n"
                            "OpEntryPoint Fragment %main \"main\" %in\n"
                            "OpExecutionMode %main OriginUpperLeft\n"
                            "%file = OpString \"a.hlsl\"\n"
                            "OpName %t \"t\"\nOpName %ts \"ts\"\nOpName %image \"image\"\nOpName %sampler \"sampler\"\n"
                            "OpName %index \"index\"\n";
static const char declarations[] =
    "OpDecorate %in Location 0\n"
    "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
    "OpDecorate %ts DescriptorSet 0\nOpDecorate %ts Binding 3\n"
    "OpDecorate %image DescriptorSet 1\nOpDecorate %image Binding 1\n"
    "OpDecorate %sampler DescriptorSet 1\nOpDecorate %sampler Binding 2\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%bool = OpTypeBool\n"
    "%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%true = OpConstantTrue %bool\n"
    "%float_0 = OpConstant %float 0\n%float_1 = OpConstant %float 1\n"
    "%int_1 = OpConstant %int 1\n%int_2 = OpConstant %int 2\n%uint_4 = OpConstant %uint 4\n"
    "%v2int = OpTypeVector %int 2\n%offset = OpConstantComposite %v2int %int_1 %int_2\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%t_sampler = OpTypeSampler\n%t_array = OpTypeArray %t_sampled %uint_4\n"
    "%p_sampled = OpTypePointer UniformConstant %t_sampled\n%p_array = OpTypePointer UniformConstant %t_array\n"
    "%p_image = OpTypePointer UniformConstant %t_image\n%p_sampler = OpTypePointer UniformConstant %t_sampler\n"
    "%fn = OpTypeFunction %v4float %p_sampled %v2float\n"
    "%p_in = OpTypePointer Input %v4float\n"
    "%t = OpVariable %p_sampled UniformConstant\n%ts = OpVariable %p_array UniformConstant\n"
    "%image = OpVariable %p_image UniformConstant\n%sampler = OpVariable %p_sampler UniformConstant\n"
    "%in = OpVariable %p_in Input\n";
static const char main_begins[] = "%main = OpFunction %void None %voids\n%first = OpLabel\n"
                                  "%c4 = OpLoad %v4float %in\n%c = OpVectorShuffle %v2float %c4 %c4 0 1\n"
                                  "%f = OpCompositeExtract %float %c4 2\n%index = OpConvertFToS %int %f\n";

/* `body` follows main's first instructions; %r and %n keep their names in what is read back. */
static struct spirv_words assembled(const char *capabilities, const char *more_declarations, const char *body)
{
    char text[16384];
    const char *name_r = strstr(body, "%r =") ? "OpName %r \"r\"\n" : "";
    const char *name_n = strstr(body, "%n =") ? "OpName %n \"n\"\n" : "";
    snprintf(text, sizeof(text), "OpCapability Shader\n%s\n%s%s%s%s%s%s%s", capabilities, entry, name_r, name_n,
             declarations, more_declarations, main_begins, body);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(input.words);
    return input;
}

static struct spirv_words fragment_with(const char *capabilities, const char *more_declarations, const char *body)
{
    struct spirv_words input = assembled(capabilities, more_declarations, body);
    assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, "input"));
    return input;
}

static struct spirv_words fragment(const char *capabilities, const char *body)
{
    return fragment_with(capabilities, "", body);
}

static const struct spirv_options tier1 = {.tier = 1};
static const struct spirv_options tier2 = {.tier = 2};

/* Rewrites with records for everything, validates, and gives back what a reader wants to see of it. */
static char *rewritten(const struct spirv_words *input, const struct spirv_options *options, uint32_t lookups)
{
    static struct auto_layout layout;
    auto_layout(input->words, input->count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input->words, input->count, &layout.layout, options, NULL, &output),
                     SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_int_equal(output.rewritten_lookups, lookups);
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
    char *essence = text_essence(output.words, output.word_count);
    assert_non_null(essence);
    free(output.words);
    return essence;
}

static uint32_t occurrences(const char *text, const char *what)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

#define SAMPLE(result, what) "%" result " = OpImageSampleImplicitLod %v4float %" what " %c\n"
#define END "OpReturn\nOpFunctionEnd\n"

static void scan_tells_what_a_module_has(void **state)
{
    (void)state;
    struct spirv_facts facts;
    struct spirv_words none = fragment("", END);
    assert_int_equal(spirv_scan(none.words, none.count, &facts), SPIRV_UNCHANGED);
    assert_false(facts.samples);
    assert_false(facts.offsets);
    assert_false(facts.specialized_sizes);
    assert_int_equal(facts.version, 0x10000);
    struct spirv_words plain = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    assert_int_equal(spirv_scan(plain.words, plain.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.samples);
    assert_false(facts.offsets);
    assert_false(facts.gathers);
    struct spirv_words gather =
        fragment("", "%l = OpLoad %t_sampled %t\n%r = OpImageGather %v4float %l %c %int_1 ConstOffset %offset\n" END);
    assert_int_equal(spirv_scan(gather.words, gather.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.samples);
    assert_true(facts.gathers);
    assert_false(facts.offsets);
    assert_false(facts.biases || facts.drefs || facts.cubes);
    free(gather.words);
    struct spirv_words offset = text_assemble(
        TEXT_VULKAN_1_3,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%u = OpTypeInt 32 0\n%f = OpTypeFloat 32\n"
        "%n = OpSpecConstant %u 3\n%i = OpTypeImage %f 2D 0 0 0 1 Unknown\n%s = OpTypeSampledImage %i\n"
        "%a = OpTypeArray %s %n\n%v = OpTypeVoid\n%fn = OpTypeFunction %v\n%x = OpUndef %s\n%y = OpUndef %f\n"
        "%main = OpFunction %v None %fn\n%l = OpLabel\n"
        "%r = OpImageSampleExplicitLod %f %x %y Lod|ConstOffset %y %y\nOpReturn\nOpFunctionEnd\n");
    assert_non_null(offset.words);
    assert_int_equal(spirv_scan(offset.words, offset.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.offsets);
    assert_true(facts.specialized_sizes);
    assert_int_equal(facts.version, 0x10600);
    struct spirv_words bias =
        fragment("", "%l = OpLoad %t_sampled %t\n%r = OpImageSampleImplicitLod %v4float %l %c Bias %float_0\n" END);
    assert_int_equal(spirv_scan(bias.words, bias.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.biases);
    assert_false(facts.offsets || facts.drefs || facts.cubes);
    struct spirv_words dref =
        fragment_with("", "%cube = OpTypeImage %float Cube 0 0 0 1 Unknown\n",
                      "%l = OpLoad %t_sampled %t\n%r = OpImageSampleDrefImplicitLod %float %l %c %float_0\n" END);
    assert_int_equal(spirv_scan(dref.words, dref.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.drefs && facts.cubes);
    assert_false(facts.offsets || facts.biases);
    /* Words in front of an image's type say nothing of it, whatever they are; cubes of storage are not sampled. */
    for (unsigned i = 0; i < 2; i++) {
        char types[256];
        snprintf(types, sizeof(types),
                 "%%twos = OpConstant %%uint 2\n%%a = OpTypeStruct %%float\n%%b = OpTypeStruct "
                 "%%float\n"
                 "%%cube = OpTypeImage %%float Cube 0 0 0 %u %s\n",
                 i + 1, i ? "Rgba8" : "Unknown");
        struct spirv_words cube = fragment_with("", types, END);
        assert_int_equal(spirv_scan(cube.words, cube.count, &facts), SPIRV_UNCHANGED);
        assert_int_equal(facts.cubes, i == 0);
        free(cube.words);
    }
    /* Images of integers: types and fetches are no lookups of theirs, queries of levels count as some. */
    static const struct {
        const char *body;
        bool integers;
    } of_integers[] = {
        {"%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END, false},
        {"%l = OpLoad %u_sampled %u\n%i = OpImage %u_image %l\n%r = OpImageFetch %v4uint %i %v2int_1\n" END, false},
        {"%l = OpLoad %u_sampled %u\n%r = OpImageSampleImplicitLod %v4uint %l %c\n" END, true},
        {"%l = OpLoad %u_sampled %u\n%r = OpImageGather %v4uint %l %c %int_1\n" END, true},
        {"%l = OpLoad %t_sampled %t\n%r = OpImageSparseSampleImplicitLod %sparse %l %c\n" END, true},
        {"%l = OpLoad %u_sampled %u\n%r = OpImageQueryLod %v2float %l %c\n" END, true},
    };
    for (unsigned i = 0; i < sizeof(of_integers) / sizeof(of_integers[0]); i++) {
        struct spirv_words module =
            assembled("OpCapability SparseResidency\nOpCapability ImageQuery",
                      "%v4uint = OpTypeVector %uint 4\n%v2int_1 = OpConstantComposite %v2int %int_1 %int_1\n"
                      "%u_image = OpTypeImage %uint 2D 0 0 0 1 Unknown\n%u_sampled = OpTypeSampledImage %u_image\n"
                      "%p_u = OpTypePointer UniformConstant %u_sampled\n%u = OpVariable %p_u UniformConstant\n"
                      "%sparse = OpTypeStruct %int %v4float\n",
                      of_integers[i].body);
        assert_int_equal(spirv_scan(module.words, module.count, &facts), SPIRV_UNCHANGED);
        assert_int_equal(facts.integers, of_integers[i].integers);
        free(module.words);
    }
    free(bias.words);
    free(dref.words);
    free(none.words);
    free(plain.words);
    free(offset.words);
}

/*
 * On devices whose limit holds GL's sums there is nothing of it in code that adds no bias to the sampler's: the sum of
 * the two is bounded, and the sampler's may be beyond all bounds.
 */
static void biases_are_made_up_for_below_the_limit_and_in_sums(void **state)
{
    (void)state;
    struct spirv_words own =
        fragment("", "%l = OpLoad %t_sampled %t\n%r = OpImageSampleImplicitLod %v4float %l %c Bias %float_1\n" END);
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    static const struct {
        float limit;
        bool made_up;
    } rows[] = {{0.0f, false}, {2.0f, true}, {15.0f, true}, {16.0f, false}, {31.0f, false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (uint32_t variant = 0; variant < 4; variant++) {
            const struct spirv_options options = {.tier = 1 + (variant & 1u),
                                                  .form = variant & 2u ? SPIRV_FORM_CPU : SPIRV_FORM_GPU,
                                                  .max_lod_bias = rows[i].limit};
            char *text = rewritten(&input, &options, 1);
            assert_int_equal(occurrences(text, "clampler_rest_always") > 0, rows[i].made_up);
            assert_int_equal(occurrences(text, "clampler_bias_rest"), 0);
            free(text);
            text = rewritten(&own, &options, 1);
            assert_true(occurrences(text, "clampler_bias_rest") > 0);
            free(text);
        }
    }
    free(input.words);
    free(own.words);
}

/* A pair is decided once, and its border is the sampler's colour as the image translates it. */
static void extras_are_there_only_where_asked_for(void **state)
{
    (void)state;
    const struct spirv_options with = {.tier = 2, .extras = true};
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    char *plain = rewritten(&input, &tier2, 1);
    char *extras = rewritten(&input, &with, 1);
    static const char *const names[] = {"%clampler_skip_decoding", "%clampler_filter_reduce"};
    for (size_t i = 0; i < 2; i++) {
        assert_null(strstr(plain, names[i]));
        assert_non_null(strstr(extras, names[i]));
    }
    free(plain);
    free(extras);
    free(input.words);
}

/* Others pay nothing for border texels. */
static void borders_are_known_to_extras_of_gl_views_alone(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    for (uint32_t i = 0; i < 4; i++) {
        const struct spirv_options options = {.tier = 2, .extras = i & 1u, .rectangles = i & 2u};
        char *text = rewritten(&input, &options, 1);
        assert_int_equal(strstr(text, "clampler_bordered") != NULL, i == 3);
        free(text);
    }
    free(input.words);
}

static void pairs_are_decided_in_tier_2(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%li = OpLoad %t_image %image\n%ls = OpLoad %t_sampler %sampler\n"
                                            "%l = OpSampledImage %t_sampled %li %ls\n" SAMPLE("r", "l") END);
    char *text = rewritten(&input, &tier1, 1);
    assert_int_equal(occurrences(text, "clampler_record_of_pair"), 0);
    free(text);
    text = rewritten(&input, &tier2, 1);
    assert_true(occurrences(text, "OpFunctionCall %v4uint %clampler_record_of_pair") == 1);
    assert_true(occurrences(text, "OpFunctionCall %v4uint %clampler_pair_border") == 1);
    free(text);
    free(input.words);
}

static void a_module_that_samples_nothing_is_unchanged(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier2, NULL, &output), SPIRV_UNCHANGED);
    assert_null(output.words);
    assert_int_equal(output.word_count, 0);
    assert_string_equal(output.message, "");
    free(input.words);
}

static void a_binding_without_records_is_left_alone(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    const struct spirv_binding binding = {.first_record = SPIRV_NO_RECORD, .count = 1};
    const struct spirv_set set = {.bindings = &binding, .binding_count = 1, .record_binding = 4, .record_count = 1};
    const struct spirv_layout with_set = {.sets = &set, .set_count = 1};
    const struct spirv_layout empty = {.sets = NULL};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &with_set, &tier1, NULL, &output), SPIRV_UNCHANGED);
    assert_int_equal(spirv_rewrite(input.words, input.count, &empty, &tier1, NULL, &output), SPIRV_UNCHANGED);
    free(input.words);
}

static void records_are_followed_up_to_their_limit(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    const struct spirv_binding binding = {.first_record = 0, .count = 1};
    for (uint32_t above = 0; above < 2; above++) {
        const struct spirv_set set = {.bindings = &binding,
                                      .binding_count = 1,
                                      .record_binding = 4,
                                      .record_count = SPIRV_RECORDS_MOST + above,
                                      .storage = true};
        const struct spirv_layout layout = {.sets = &set, .set_count = 1};
        struct spirv_output output;
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout, &tier1, NULL, &output),
                         above ? SPIRV_UNCHANGED : SPIRV_REWRITTEN);
        assert_int_equal(output.rewritten_lookups, 1 - above);
        free(output.words);
    }
    free(input.words);
}

static void a_constant_index_names_its_record(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("", "%p = OpAccessChain %p_sampled %ts %int_2\n%l = OpLoad %t_sampled %p\n" SAMPLE("r", "l") END);
    char *text = rewritten(&input, &tier1, 1);
    /* t has record 0, ts 1 to 4, four uvec4 each: element 2 begins at 12. */
    assert_non_null(strstr(text, "%clampler_records %uint_0 %uint_12\n"));
    free(text);
    free(input.words);
}

static void a_dynamic_index_is_added_up(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("", "%p = OpAccessChain %p_sampled %ts %index\n%l = OpLoad %t_sampled %p\n" SAMPLE("r", "l") END);
    char *text = rewritten(&input, &tier1, 1);
    assert_non_null(strstr(text, "OpBitcast %uint %index"));
    assert_non_null(strstr(text, "OpShiftLeftLogical %uint"));
    free(text);
    free(input.words);
}

static void a_pair_reads_both_records(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n"
                                            "%l = OpSampledImage %t_sampled %i %s\n" SAMPLE("r", "l") END);
    char *text = rewritten(&input, &tier1, 1);
    assert_non_null(strstr(text, "%clampler_records %uint_0 %uint_0\n"));
    assert_non_null(strstr(text, "%clampler_records %uint_0 %uint_4"));
    assert_int_equal(occurrences(text, "OpBitwiseOr %v4uint"), 1);
    free(text);
    free(input.words);
}

static void a_sampled_image_is_repeated_in_the_blocks_that_use_it(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("OpCapability ImageQuery", "%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n"
                                            "%l = OpSampledImage %t_sampled %i %s\n" SAMPLE("r", "l")
                                                SAMPLE("q", "l") "%lod = OpImageQueryLod %v2float %l %c\n" END);
    char *text = rewritten(&input, &tier1, 2);
    /* The program's own, one in each branch, one for the second lookup, one for the query. */
    assert_int_equal(occurrences(text, "OpSampledImage %"), 5);
    free(text);
    free(input.words);
}

static void copied_objects_are_seen_through(void **state)
{
    (void)state;
    struct spirv_words input = fragment(
        "", "%p = OpCopyObject %p_sampled %t\n%l = OpLoad %t_sampled %p\n%k = OpCopyObject %t_sampled %l\n" SAMPLE(
                "r", "k") END);
    free(rewritten(&input, &tier1, 1));
    free(input.words);
}

static void what_cannot_be_resolved_is_left_alone_and_said(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpUndef %t_sampled\n" SAMPLE("r", "l") END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output), SPIRV_UNCHANGED);
    assert_non_null(strstr(output.message, "1 of 1 lookups left alone"));
    assert_null(output.words);
    free(input.words);
}

static void parameters_bring_their_record_along(void **state)
{
    (void)state;
    struct spirv_words input = fragment(
        "", "%p = OpAccessChain %p_sampled %ts %index\n%x = OpFunctionCall %v4float %outer %p %c\n"
            "%y = OpFunctionCall %v4float %outer %t %c\n" END
            "%outer = OpFunction %v4float None %fn\n%po = OpFunctionParameter %p_sampled\n"
            "%co = OpFunctionParameter %v2float\n%lo = OpLabel\n%ro = OpFunctionCall %v4float %inner %po %co\n"
            "OpReturnValue %ro\nOpFunctionEnd\n"
            "%inner = OpFunction %v4float None %fn\n%pi = OpFunctionParameter %p_sampled\n"
            "%ci = OpFunctionParameter %v2float\n%li = OpLabel\n%si = OpLoad %t_sampled %pi\n"
            "%ri = OpImageSampleExplicitLod %v4float %si %ci Lod %float_0\nOpReturnValue %ri\nOpFunctionEnd\n");
    char *essence = rewritten(&input, &tier1, 1);
    assert_int_equal(occurrences(essence, "OpTypeFunction %v4float %_ptr_UniformConstant"), 1);
    assert_non_null(strstr(essence, "%v2float %uint\n"));
    assert_int_equal(occurrences(essence, "= OpFunctionParameter %uint"), 2);
    assert_non_null(strstr(essence, "OpFunctionCall %v4uint %clampler_record_of"));
    free(essence);
    free(input.words);
}

static void tier_0_renumbers_and_touches_nothing_else(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_RENUMBER, &layout);
    const struct spirv_options tier0 = {.tier = 0};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier0, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.word_count, input.count);
    uint32_t differences = 0;
    for (size_t i = 0; i < input.count; i++) {
        if (output.words[i] != input.words[i]) {
            assert_int_equal(output.words[i], input.words[i] + 1);
            differences++;
        }
    }
    assert_int_equal(differences, 2); /* ts in set 0 and sampler in set 1 */
    free(output.words);
    auto_layout(input.words, input.count, 0, &layout);
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier0, NULL, &output), SPIRV_UNCHANGED);
    free(input.words);
}

static void renumbering_and_records_go_together(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("", "%p = OpAccessChain %p_sampled %ts %index\n%l = OpLoad %t_sampled %p\n" SAMPLE("r", "l") END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_RENUMBER, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output), SPIRV_REWRITTEN);
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "renumbered"));
    char *text = text_essence(output.words, output.word_count);
    assert_non_null(text);
    assert_non_null(strstr(text, "OpDecorate %ts Binding 4\n"));
    assert_non_null(strstr(text, "OpDecorate %clampler_records Binding 3\n"));
    free(text);
    free(output.words);
    free(input.words);
}

static void phis_name_the_block_that_a_split_ends_in(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("", "%l = OpLoad %t_sampled %t\nOpSelectionMerge %m None\nOpBranchConditional %true %a %b\n"
                     "%a = OpLabel\n" SAMPLE("r", "l") "OpBranch %m\n%b = OpLabel\nOpBranch %m\n"
                                                       "%m = OpLabel\n%n = OpPhi %float %float_0 %a %float_1 %b\n" END);
    char *text = rewritten(&input, &tier1, 1);
    const char *phi = strstr(text, "%n = OpPhi %float %float_0");
    const char *result = strstr(text, "%r = OpPhi");
    assert_non_null(phi);
    assert_non_null(result);
    /* The label before %r is the phi's parent now. */
    const char *label = result;
    while (strncmp(label, "= OpLabel", 9) != 0)
        label--;
    while (label[-1] != '\n')
        label--;
    size_t length = strcspn(label, " ");
    assert_int_equal(strncmp(strstr(phi, "_0 %") + 3, label, length), 0);
    free(text);
    free(input.words);
}

static const char single_block_loop[] =
    "%l = OpLoad %t_sampled %t\nOpBranch %h\n"
    "%h = OpLabel\n%n = OpPhi %float %float_0 %first %g %h\n%d = OpCompositeConstruct %v2float %n %n\n"
    "%r = OpImageSampleImplicitLod %v4float %l %d\n%g = OpCompositeExtract %float %r 0\n"
    "%q = OpFOrdLessThan %bool %g %float_1\nOpLoopMerge %m %h None\nOpBranchConditional %q %h %m\n"
    "%m = OpLabel\n%z = OpPhi %float %g %h\n" END;

static void a_loop_of_one_block_is_split(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", single_block_loop);
    free(rewritten(&input, &tier1, 1));
    free(rewritten(&input, &tier2, 1));
    free(input.words);
}

static void a_loop_header_keeps_its_phis_and_merge(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("", "%l = OpLoad %t_sampled %t\nOpBranch %h\n"
                     "%h = OpLabel\n%n = OpPhi %float %float_0 %first %g %k\n" SAMPLE(
                         "r", "l") "%g = OpCompositeExtract %float %r 0\n%q = OpFOrdLessThan %bool %g %float_1\n"
                                   "OpLoopMerge %m %k None\nOpBranchConditional %q %b %m\n%b = OpLabel\nOpBranch %k\n"
                                   "%k = OpLabel\n" SAMPLE("r2", "l") "OpBranch %h\n%m = OpLabel\n" END);
    char *text = rewritten(&input, &tier1, 2);
    const char *phi = strstr(text, "%n = OpPhi");
    assert_non_null(phi);
    assert_int_equal(strncmp(strchr(phi, '\n') + 1, "OpLoopMerge", 11), 0);
    free(text);
    free(rewritten(&input, &tier2, 2));
    free(input.words);
}

/*
 * Newer versions of SPIR-V ask for a selection merge in such a header, so newer validators refuse it; programs have
 * modules of before. What was refused is rewritten the same, and only not validated.
 */
static void a_header_that_cannot_be_split_gets_the_form_without_a_branch(void **state)
{
    (void)state;
    struct spirv_words input =
        assembled("", "",
                  "%l = OpLoad %t_sampled %t\nOpBranch %h\n%h = OpLabel\n" SAMPLE(
                      "r", "l") "%g = OpCompositeExtract %float %r 0\n%q = OpFOrdLessThan %bool %g %float_1\n"
                                "OpLoopMerge %m %k None\nOpBranchConditional %q %a %b\n"
                                "%a = OpLabel\nOpBranch %m\n%b = OpLabel\nOpBranch %k\n"
                                "%k = OpLabel\nOpBranch %h\n%m = OpLabel\n" END);
    const bool allowed = text_validate(TEXT_VULKAN_1_0, input.words, input.count, "input");
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_int_equal(output.rewritten_lookups, 1);
    assert_true(!allowed || text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "whole header"));
    char *text = text_essence(output.words, output.word_count);
    assert_non_null(text);
    assert_non_null(strstr(text, "%r = OpImageSampleExplicitLod"));
    free(text);
    free(output.words);
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier2, NULL, &output), SPIRV_REWRITTEN);
    assert_non_null(strstr(output.message, "loop header"));
    assert_true(!allowed || text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "whole header"));
    free(output.words);
    free(input.words);
}

static void the_import_that_is_there_is_used(void **state)
{
    (void)state;
    struct spirv_words input =
        fragment("%glsl = OpExtInstImport \"GLSL.std.450\"", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier2, NULL, &output), SPIRV_REWRITTEN);
    char *text = text_disassemble(output.words, output.word_count);
    assert_non_null(text);
    assert_int_equal(occurrences(text, "OpExtInstImport"), 1);
    free(text);
    free(output.words);
    free(input.words);
}

/*
 * A module with one lookup, or what it is given, decorated NonUniform; `word` is where an instruction with opcode
 * `of` names it. The assembler's text has no place for it.
 */
static struct spirv_words fragment_decorated(const char *body, uint32_t of, uint32_t word)
{
    struct spirv_words input =
        fragment("OpCapability ShaderNonUniform\nOpCapability SampledImageArrayNonUniformIndexing\n"
                 "OpExtension \"SPV_EXT_descriptor_indexing\"",
                 body);
    uint32_t id = 0;
    size_t at = 5;
    size_t annotation = 0;
    for (; at < input.count; at += inst_length(input.words + at)) {
        uint32_t opcode = inst_opcode(input.words + at);
        annotation = opcode == 71 ? at : annotation;
        id = opcode == of ? input.words[at + word] : id;
    }
    uint32_t *words = malloc((input.count + 3) * sizeof(uint32_t));
    assert_non_null(words);
    memcpy(words, input.words, annotation * sizeof(uint32_t));
    words[annotation] = inst_word0(71, 3);
    words[annotation + 1] = id;
    words[annotation + 2] = 5300; /* NonUniform */
    memcpy(words + annotation + 3, input.words + annotation, (input.count - annotation) * sizeof(uint32_t));
    free(input.words);
    return (struct spirv_words){words, input.count + 3};
}

static void decorations_go_with_the_new_lookups(void **state)
{
    (void)state;
    struct spirv_words decorated = fragment_decorated("%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END, 87, 2);
    char *text = rewritten(&decorated, &tier1, 1);
    assert_int_equal(occurrences(text, " NonUniform\n"), 3 /* the result and two lookups */);
    free(text);
    free(decorated.words);
}

/* What differs within a quad may be the image, the sampler, or what is made of both: each says so by itself. */
static void any_part_of_a_pair_may_differ_in_a_quad(void **state)
{
    (void)state;
    static const struct spirv_options rectangles = {.tier = 1, .rectangles = true};
    static const char *const loads[] = {"%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n",
                                        "%s = OpLoad %t_sampler %sampler\n%i = OpLoad %t_image %image\n"};
    static const struct {
        unsigned loads;
        uint32_t of; /* the last such instruction is decorated */
        bool differs;
    } rows[] = {
        {0, SpvOpImageSampleImplicitLod, false}, /* the result */
        {0, SpvOpLoad, true},
        {1, SpvOpLoad, true},
        {0, SpvOpSampledImage, true},
    };
    uint32_t asked[sizeof(rows) / sizeof(rows[0])];
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char body[512];
        snprintf(body, sizeof(body), "%s%%l = OpSampledImage %%t_sampled %%i %%s\n%s", loads[rows[i].loads],
                 "%r = OpImageSampleImplicitLod %v4float %l %c\n" END);
        struct spirv_words decorated = fragment_decorated(body, rows[i].of, 2);
        char *text = rewritten(&decorated, &rectangles, 1);
        asked[i] = occurrences(text, "%clampler_record_has");
        assert_int_equal(asked[i] > asked[0], rows[i].differs);
        free(text);
        free(decorated.words);
    }
}

/* Ids that are decorated RelaxedPrecision and arguments of a call. */
static uint32_t relaxed_arguments(const struct spirv_output *output, uint32_t *calls)
{
    static bool relaxed[4096];
    uint32_t found = 0;
    assert_true(output->words[3] < 4096);
    memset(relaxed, 0, sizeof(relaxed));
    for (size_t at = 5; at < output->word_count; at += output->words[at] >> 16) {
        const uint32_t *inst = output->words + at, opcode = inst[0] & 0xffff;
        if (opcode == SpvOpDecorate && inst[2] == SpvDecorationRelaxedPrecision)
            relaxed[inst[1]] = true;
        *calls += opcode == SpvOpFunctionCall;
        for (uint32_t i = 4; opcode == SpvOpFunctionCall && i < inst[0] >> 16; i++)
            found += relaxed[inst[i]];
    }
    return found;
}

/*
 * NVIDIA's compiler gives up where a value that it made 16 bits of is an argument (seen with driver 580, at coordinates
 * of OpenGL ES): a function takes bits that were another type's in between.
 */
static void functions_get_no_relaxed_values(void **state)
{
    (void)state;
    static const char *const lookups[] = {
        SAMPLE("r", "l"),
        "%r = OpImageSampleImplicitLod %v4float %l %c Bias %f\n",
        "%r = OpImageSampleExplicitLod %v4float %l %c Lod %f\n",
        "%r = OpImageSampleExplicitLod %v4float %l %c Grad %c %c\n",
        "%r = OpImageGather %v4float %l %c %int_1\n",
        "%r = OpImageSampleProjImplicitLod %v4float %l %c4\n",
    };
    for (uint32_t i = 0; i < 8 * sizeof(lookups) / sizeof(lookups[0]); i++) {
        char text[16384];
        snprintf(
            text, sizeof(text),
            "OpCapability Shader\n%s%s%s%s%%p = OpAccessChain %%p_sampled %%ts %%index\n%%l = OpLoad %%t_sampled %%p\n"
            "%s" END,
            entry,
            "OpDecorate %c4 RelaxedPrecision\nOpDecorate %c RelaxedPrecision\nOpDecorate %f RelaxedPrecision\n"
            "OpDecorate %index RelaxedPrecision\n",
            declarations, main_begins, lookups[i / 8]);
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_1, text);
        static struct auto_layout layout;
        struct spirv_options options = {
            .tier = 1 + i % 2, .form = i & 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU, .gradients_in_front = i & 4};
        struct spirv_output output;
        uint32_t calls = 0;
        assert_non_null(input.words);
        auto_layout(input.words, input.count, 0, &layout);
        assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &options, NULL, &output),
                         SPIRV_REWRITTEN);
        assert_int_equal(output.rewritten_lookups, 1);
        assert_true(text_validate(TEXT_VULKAN_1_1, output.words, output.word_count, "output"));
        assert_int_equal(relaxed_arguments(&output, &calls), 0);
        assert_true(calls != 0);
        free(output.words);
        free(input.words);
    }
}

/*
 * The pixels of a quad may see rectangles of different sizes: derivatives are those of the program's coordinate, scaled
 * afterwards, and a rectangle is looked up with them wherever it lies.
 */
static void rectangles_of_a_quad_have_sizes_of_their_own(void **state)
{
    (void)state;
    static const char *const lookups[] = {
        "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END,
        "%l = OpLoad %t_sampled %t\n%r = OpImageSampleImplicitLod %v4float %l %c ConstOffset %offset\n" END,
    };
    for (uint32_t i = 0; i < 12; i++) {
        const char *body = lookups[i & 1u];
        bool votes = i & 2u, apart = i < 8, cpu = i & 4u;
        const struct spirv_options options = {
            .tier = 1, .rectangles = true, .votes = votes, .form = cpu ? SPIRV_FORM_CPU : SPIRV_FORM_GPU};
        struct spirv_words input = apart ? fragment_decorated(body, 61, 2) : fragment("", body);
        char *text = rewritten(&input, &options, 1);
        bool branches = !cpu || (i & 1u);
        /* Another vote asks the derivatives of half the coordinate whether it is magnified. */
        assert_int_equal(occurrences(text, "OpDPdx"), votes && !cpu && !(i & 1u) ? 2 : 1);
        assert_int_equal(occurrences(text, "= OpFMul %v2float"), apart ? 3 : 1); /* the coordinate, derivatives */
        assert_int_equal(occurrences(text, "= OpLogicalOr %bool") > 0, apart && branches);
        free(text);
        free(input.words);
    }
}

static void code_behind_a_split_keeps_its_line(void **state)
{
    (void)state;
    struct spirv_words input = fragment(
        "", "%l = OpLoad %t_sampled %t\nOpLine %file 7 1\n" SAMPLE("r", "l") "OpNoLine\n" SAMPLE("n", "l") END);
    char *text = rewritten(&input, &tier1, 2);
    assert_int_equal(occurrences(text, " 7 1\n"), 2);
    const char *result = strstr(text, "%r = OpPhi");
    assert_non_null(result);
    assert_int_equal(strncmp(strchr(result, '\n') + 1, "OpLine", 6), 0);
    free(text);
    free(input.words);
}

static void opencl_debug_information_stays_valid(void **state)
{
    (void)state;
    struct spirv_words input = fragment_with(
        "%d = OpExtInstImport \"OpenCL.DebugInfo.100\"",
        "%src = OpExtInst %void %d DebugSource %file\n%unit = OpExtInst %void %d DebugCompilationUnit 1 4 %src HLSL\n"
        "%dt = OpExtInst %void %d DebugTypeFunction FlagIsPublic %void\n"
        "%df = OpExtInst %void %d DebugFunction %file %dt %src 1 1 %unit %file FlagIsPublic 1 %main\n"
        "%di = OpExtInst %void %d DebugFunction %file %dt %src 1 1 %unit %file FlagIsPublic 1 %inner\n",
        "%scope = OpExtInst %void %d DebugScope %df\n%x = OpFunctionCall %v4float %inner %t %c\n"
        "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") SAMPLE("n", "l") END
        "%inner = OpFunction %v4float None %fn\n%pi = OpFunctionParameter %p_sampled\n"
        "%ci = OpFunctionParameter %v2float\n%li = OpLabel\n%si = OpLoad %t_sampled %pi\n"
        "%ri = OpImageSampleExplicitLod %v4float %si %ci Lod %float_0\nOpReturnValue %ri\nOpFunctionEnd\n");
    char *text = rewritten(&input, &tier1, 3);
    assert_int_equal(occurrences(text, "DebugScope"), 3);
    free(text);
    free(rewritten(&input, &tier2, 3));
    free(input.words);
}

/* OpenCL's instructions for debuggers may stand before and between phis, which a header that is split keeps. */
static void scopes_for_debuggers_stay_among_the_phis_of_a_header(void **state)
{
    (void)state;
    static const char scope[] = "%%%s = OpExtInst %%void %%d DebugScope %%df\n";
    for (uint32_t i = 0; i < 8; i++) {
        const struct spirv_options options = {.tier = i / 4 + 1};
        char before[64] = "", between[64] = "", body[2048];
        if (i & 1u)
            snprintf(before, sizeof(before), scope, "scope");
        if (i & 2u)
            snprintf(between, sizeof(between), scope, "inner");
        snprintf(body, sizeof(body),
                 "OpBranch %%header\n%%header = OpLabel\n%s%%j = OpPhi %%float %%float_0 %%first %%k %%header\n"
                 "%s%%m = OpPhi %%float %%float_1 %%first %%j %%header\n%%l = OpLoad %%t_sampled %%t\n"
                 "%%r = OpImageSampleImplicitLod %%v4float %%l %%c\n%%k = OpFAdd %%float %%j %%float_1\n"
                 "%%more = OpFOrdLessThan %%bool %%k %%m\nOpLoopMerge %%done %%header None\n"
                 "OpBranchConditional %%more %%header %%done\n%%done = OpLabel\n" END,
                 before, between);
        struct spirv_words input = fragment_with(
            "%d = OpExtInstImport \"OpenCL.DebugInfo.100\"",
            "%src = OpExtInst %void %d DebugSource %file\n"
            "%unit = OpExtInst %void %d DebugCompilationUnit 1 4 %src HLSL\n"
            "%dt = OpExtInst %void %d DebugTypeFunction FlagIsPublic %void\n"
            "%df = OpExtInst %void %d DebugFunction %file %dt %src 1 1 %unit %file FlagIsPublic 1 %main\n",
            body);
        char *text = rewritten(&input, &options, 1);
        assert_true(occurrences(text, "OpPhi") > 2); /* it is split */
        assert_true((occurrences(text, "DebugScope") != 0) == ((i & 3u) != 0));
        free(text);
        free(input.words);
    }
}

/* Makes one revision of the set for debuggers another. */
static void set_debug_revision(uint32_t *words, size_t count, const char *revision)
{
    static const char name[] = "NonSemantic.Shader.DebugInfo.";
    const size_t length = sizeof(name) - 1, name_words = (length + 3) / 4;
    size_t at = 0;
    while (at + name_words < count && memcmp(words + at, name, length) != 0)
        at++;
    assert_true(at + name_words < count);
    memcpy((char *)(words + at) + length, revision, strlen(revision));
}

/* Later revisions, which this machine's SPIRV-Tools need not know, are rewritten as the first one is. */
static void expect_the_same_with_a_later_revision(const struct spirv_words *input, const struct spirv_options *options)
{
    static struct auto_layout auto_made;
    const struct spirv_layout *layout = &auto_made.layout;
    struct spirv_output first, later;
    auto_layout(input->words, input->count, 0, &auto_made);
    assert_int_equal(spirv_rewrite(input->words, input->count, layout, options, NULL, &first), SPIRV_REWRITTEN);
    set_debug_revision(input->words, input->count, "102");
    assert_int_equal(spirv_rewrite(input->words, input->count, layout, options, NULL, &later), SPIRV_REWRITTEN);
    set_debug_revision(input->words, input->count, "100");
    set_debug_revision(later.words, later.word_count, "100");
    assert_int_equal(first.word_count, later.word_count);
    assert_memory_equal(first.words, later.words, first.word_count * sizeof(*first.words));
    free(first.words);
    free(later.words);
}

/* DebugFunctionDefinition may stand in a function's first block alone, of which lookups leave the part in front of
 * them. */
static void definitions_for_debuggers_stay_in_the_first_block(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "%l = OpLoad %t_sampled %t\n" SAMPLE("r",
                                             "l") "%dd = OpExtInst %void %d DebugFunctionDefinition %df %main\n" END,
        "%l = OpLoad %t_sampled %t\n%k = OpLoad %t_sampled %t\n" SAMPLE("r", "l")
            SAMPLE("n", "k") "%dd = OpExtInst %void %d DebugFunctionDefinition %df %main\n" END,
        "%dd = OpExtInst %void %d DebugFunctionDefinition %df %main\n%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END,
    };
    uint32_t splits = 0;
    for (uint32_t i = 0; i < 12; i++) {
        const struct spirv_options options = {.tier = i / 6 + 1, .form = i & 1u ? SPIRV_FORM_CPU : SPIRV_FORM_GPU};
        struct spirv_words input = fragment_with(
            "OpExtension \"SPV_KHR_non_semantic_info\"\n%d = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"",
            "%src = OpExtInst %void %d DebugSource %file\n%unit = OpExtInst %void %d DebugCompilationUnit %uint_4 "
            "%uint_4 %src "
            "%uint_4\n%dt = OpExtInst %void %d DebugTypeFunction %uint_4 %void\n"
            "%df = OpExtInst %void %d DebugFunction %file %dt %src %uint_4 %uint_4 %unit %file %uint_4 %uint_4\n",
            bodies[i / 2 % 3]);
        char *text = rewritten(&input, &options, i / 2 % 3 == 1 ? 2 : 1);
        assert_int_equal(occurrences(text, "DebugFunctionDefinition"), 1);
        const char *label = strstr(strstr(text, "OpFunction %void None"), "OpLabel");
        const char *second = strstr(label + 1, "OpLabel");
        assert_true(!second || strstr(text, "DebugFunctionDefinition") < second);
        splits += second != NULL;
        expect_the_same_with_a_later_revision(&input, &options);
        free(text);
        free(input.words);
    }
    assert_int_equal(splits, 9); /* all but tier 1 for CPUs */
}

/* What tier 1 makes of a module with this kind of layout, which the caller frees. */
static char *valid_text_in_tier_1(enum text_environment environment, const struct spirv_words *input, unsigned kind,
                                  const char *what)
{
    static struct auto_layout layout;
    auto_layout(input->words, input->count, kind, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input->words, input->count, &layout.layout, &tier1, NULL, &output), SPIRV_REWRITTEN);
    assert_true(text_validate(environment, output.words, output.word_count, what));
    char *text = text_disassemble(output.words, output.word_count);
    assert_non_null(text);
    free(output.words);
    return text;
}

/*
 * Records are read by addresses that are two words: below SPIR-V 1.5 that needs SPV_KHR_physical_storage_buffer, also
 * where the module has the capability by the extension before it.
 */
static void modules_with_addresses_of_their_own_get_the_extension(void **state)
{
    (void)state;
    static const char *const heads[] = {
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n",
        "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
        "OpExtension \"SPV_EXT_physical_storage_buffer\"\nOpMemoryModel PhysicalStorageBuffer64 GLSL450\n",
        "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
        "OpExtension \"SPV_KHR_physical_storage_buffer\"\nOpMemoryModel PhysicalStorageBuffer64 GLSL450\n",
        "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
        "OpExtension \"SPV_EXT_physical_storage_buffer\"\nOpExtension \"SPV_KHR_physical_storage_buffer\"\n"
        "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n",
    };
    static const unsigned kinds[] = {AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_SCALED, AUTO_LAYOUT_HEAPS};
    for (size_t i = 0; i < 2 * sizeof(heads) / sizeof(heads[0]); i++) {
        char source[4096];
        snprintf(source, sizeof(source),
                 "%sOpEntryPoint GLCompute %%a \"a\"\nOpExecutionMode %%a LocalSize 1 1 1\n"
                 "OpDecorate %%t DescriptorSet 0\nOpDecorate %%t Binding 0\n"
                 "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n"
                 "%%v2float = OpTypeVector %%float 2\n%%v4float = OpTypeVector %%float 4\n"
                 "%%zero = OpConstant %%float 0\n%%c = OpConstantComposite %%v2float %%zero %%zero\n"
                 "%%image = OpTypeImage %%float 2D 0 0 0 1 Unknown\n%%sampled = OpTypeSampledImage %%image\n"
                 "%%pointer = OpTypePointer UniformConstant %%sampled\n%%t = OpVariable %%pointer UniformConstant\n"
                 "%%a = OpFunction %%void None %%fn\n%%la = OpLabel\n%%x = OpLoad %%sampled %%t\n"
                 "%%r = OpImageSampleExplicitLod %%v4float %%x %%c Lod %%zero\nOpReturn\nOpFunctionEnd\n",
                 heads[i / 2]);
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_1, source);
        assert_non_null(input.words);
        char *text = valid_text_in_tier_1(TEXT_VULKAN_1_1, &input, kinds[i % 2], "addresses");
        assert_non_null(strstr(text, "= OpBitcast %_ptr_PhysicalStorageBuffer_"));
        assert_int_equal(occurrences(text, "OpExtension \"SPV_KHR_physical_storage_buffer\""), 1);
        assert_int_equal(occurrences(text, "OpCapability PhysicalStorageBufferAddresses"), 1);
        free(text);
        free(input.words);
    }
}

/* One module, two entry points, in the SPIR-V that lists every global. */
static void every_entry_point_lists_the_records(void **state)
{
    (void)state;
    struct spirv_words input = text_assemble(
        TEXT_VULKAN_1_2,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %a \"a\" %t\nOpEntryPoint GLCompute %b \"b\" %t\n"
        "OpExecutionMode %a LocalSize 1 1 1\nOpExecutionMode %b LocalSize 1 1 1\n"
        "OpDecorate %t DescriptorSet 2\nOpDecorate %t Binding 5\n"
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2\n"
        "%v4float = OpTypeVector %float 4\n%zero = OpConstant %float 0\n%c = OpConstantComposite %v2float %zero %zero\n"
        "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n"
        "%pointer = OpTypePointer UniformConstant %sampled\n%t = OpVariable %pointer UniformConstant\n"
        "%a = OpFunction %void None %fn\n%la = OpLabel\n%x = OpLoad %sampled %t\n"
        "%r = OpImageSampleExplicitLod %v4float %x %c Lod %zero\nOpReturn\nOpFunctionEnd\n"
        "%b = OpFunction %void None %fn\n%lb = OpLabel\nOpReturn\nOpFunctionEnd\n");
    assert_non_null(input.words);
    for (unsigned storage = 0; storage <= AUTO_LAYOUT_STORAGE; storage++) {
        char *text = valid_text_in_tier_1(TEXT_VULKAN_1_2, &input, storage, "two entry points");
        assert_int_equal(occurrences(text, "%clampler_records\nOp"), 2);
        assert_int_equal(occurrences(text, storage ? "NonWritable" : "Block"), 1);
        free(text);
    }
    free(input.words);
}

static const char kernel[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical32 OpenCL\n"
    "%void = OpTypeVoid\n%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%i = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n%s = OpTypeSampler\n%si = OpTypeSampledImage %i\n"
    "%zero = OpConstantNull %float\n%c = OpConstantNull %v2float\n"
    "%fn = OpTypeFunction %void %i %s\n%f = OpFunction %void None %fn\n%pi = OpFunctionParameter %i\n"
    "%ps = OpFunctionParameter %s\n%l = OpLabel\n%x = OpSampledImage %si %pi %ps\n"
    "%r = OpImageSampleExplicitLod %v4float %x %c Lod %zero\nOpReturn\nOpFunctionEnd\n";

static void kernels_are_unchanged(void **state)
{
    (void)state;
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, kernel);
    assert_non_null(input.words);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier2, NULL, &output), SPIRV_UNCHANGED);
    free(input.words);
}

/* A module with everything that allocates: parameters, pairs, arrays, loops, offsets. */
static struct spirv_words rich_module(void)
{
    struct spirv_words input =
        fragment("%glsl = OpExtInstImport \"GLSL.std.450\"",
                 "%p = OpAccessChain %p_sampled %ts %index\n%x = OpFunctionCall %v4float %inner %p %c\n"
                 "%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n%l2 = OpSampledImage %t_sampled %i %s\n"
                 "%r2 = OpImageSampleImplicitLod %v4float %l2 %c Bias|ConstOffset %f %offset\n"
                 "%r3 = OpImageGather %v4float %l2 %c %int_1\n"
                 "%l = OpLoad %t_sampled %t\nOpBranch %h\n"
                 "%h = OpLabel\n%n = OpPhi %float %float_0 %first %g %h\n%d = OpCompositeConstruct %v2float %n %n\n"
                 "%r = OpImageSampleImplicitLod %v4float %l %d\n%g = OpCompositeExtract %float %r 0\n"
                 "%q = OpFOrdLessThan %bool %g %float_1\nOpLoopMerge %m %h None\nOpBranchConditional %q %h %m\n"
                 "%m = OpLabel\n%z = OpPhi %float %g %h\n" END
                 "%inner = OpFunction %v4float None %fn\n%pi = OpFunctionParameter %p_sampled\n"
                 "%ci = OpFunctionParameter %v2float\n%li = OpLabel\n%si = OpLoad %t_sampled %pi\n"
                 "%ri = OpImageSampleExplicitLod %v4float %si %ci Lod %float_0\nOpReturnValue %ri\nOpFunctionEnd\n");
    return input;
}

struct failing_memory {
    int left; /* allocations until one fails; negative: none does */
    int live;
};

static void *failing_reallocate(void *user, void *memory, size_t size)
{
    struct failing_memory *failing = user;
    if (size == 0) {
        failing->live -= memory != NULL;
        free(memory);
        return NULL;
    }
    if (failing->left == 0)
        return NULL;
    failing->left--;
    void *result = realloc(memory, size);
    failing->live += !memory && result;
    return result;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct spirv_words input = rich_module();
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_RENUMBER, &layout);
    for (uint32_t tier = 0; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        int failed = 0;
        for (int fail_at = 0;; fail_at++) {
            struct failing_memory failing = {fail_at, 0};
            const struct spirv_allocator allocator = {failing_reallocate, &failing};
            struct spirv_output output;
            enum spirv_result result =
                spirv_rewrite(input.words, input.count, &layout.layout, &options, &allocator, &output);
            if (result == SPIRV_REWRITTEN) {
                assert_int_equal(failing.live, 1);
                allocator.reallocate(&failing, output.words, 0);
                break;
            }
            assert_int_equal(result, SPIRV_OUT_OF_MEMORY);
            assert_int_equal(failing.live, 0);
            assert_null(output.words);
            failed++;
            assert_true(failed < 1000);
        }
        assert_true(failed >= (tier == 0 ? 2 : 5));
    }
    free(input.words);
}

static void check_survives(const uint32_t *words, size_t count, const struct auto_layout *layout)
{
    for (uint32_t tier = 0; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier, .form = tier == 1 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU};
        struct spirv_output output;
        enum spirv_result result = spirv_rewrite(words, count, &layout->layout, &options, NULL, &output);
        assert_true((result == SPIRV_REWRITTEN) == (output.words != NULL));
        assert_true(result != SPIRV_MALFORMED || output.message[0] != '\0');
        free(output.words);
    }
}

static void truncated_modules_do_no_harm(void **state)
{
    (void)state;
    struct spirv_words input = rich_module();
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_RENUMBER, &layout);
    for (size_t count = 0; count < input.count; count++) {
        /* A copy of just that size, so that a sanitizer sees what is read behind it. */
        uint32_t *words = malloc(count * sizeof(uint32_t) + 1);
        assert_non_null(words);
        memcpy(words, input.words, count * sizeof(uint32_t));
        check_survives(words, count, &layout);
        free(words);
    }
    free(input.words);
}

static void damaged_words_do_no_harm(void **state)
{
    (void)state;
    struct spirv_words input = rich_module();
    static struct auto_layout layout;
    auto_layout(input.words, input.count, AUTO_LAYOUT_RENUMBER, &layout);
    const uint32_t damage[] = {0, 1, 2, 0xffffffffu, 0x7fffffffu, 0x10001u, 60, input.words[3] - 1, input.words[3]};
    for (size_t i = 0; i < input.count; i++) {
        uint32_t kept = input.words[i];
        for (size_t j = 0; j < sizeof(damage) / sizeof(damage[0]); j++) {
            input.words[i] = damage[j];
            check_survives(input.words, input.count, &layout);
            input.words[i] = kept ^ (1u << (j * 3 % 32));
            check_survives(input.words, input.count, &layout);
        }
        input.words[i] = kept;
    }
    free(input.words);
}

/* Votes are for modules of fragment shaders, rectangles for devices that can have any. */
static void votes_and_rectangles_are_there_where_they_are_wanted(void **state)
{
    (void)state;
    static const struct spirv_options votes = {.tier = 1, .votes = true, .max_lod_bias = 4.0f};
    static const struct spirv_options both = {.tier = 1, .votes = true, .rectangles = true};
    static const struct spirv_options cpu = {.tier = 1, .form = SPIRV_FORM_CPU, .votes = true};
    const struct {
        const struct spirv_options *options;
        const char *offset;
        uint32_t votes, scales, lookups;
    } rows[] = {
        {&tier1, "", 0, 0, 2},
        /* Who moves, and whom gradients show of these. */
        {&votes, "", 2, 0, 3},
        {&both, "", 2, 1, 3},
        {&votes, " Bias %float_1", 1, 0, 2},
        {&cpu, "", 0, 0, 1},
        /* Offsets are asked about by the record first. */
        {&votes, " ConstOffset %offset", 0, 0, 2},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char body[256];
        snprintf(body, sizeof(body),
                 "%%l = OpLoad %%t_sampled %%t\n%%r = OpImageSampleImplicitLod %%v4float %%l %%c%s\n" END,
                 rows[i].offset);
        struct spirv_words input = fragment("", body);
        char *text = rewritten(&input, rows[i].options, 1);
        assert_int_equal(occurrences(text, "OpSubgroupAnyKHR"), rows[i].votes);
        assert_int_equal(occurrences(text, "OpFunctionCall %v2float %clampler_record_scale"), rows[i].scales);
        assert_int_equal(occurrences(text, "OpImageSample"), rows[i].lookups);
        free(text);
        free(input.words);
    }
}

static void malformed_modules_are_named(void **state)
{
    (void)state;
    struct spirv_words input = fragment("", "%l = OpLoad %t_sampled %t\n" SAMPLE("r", "l") END);
    static struct auto_layout layout;
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    struct spirv_facts facts;
    assert_int_equal(spirv_rewrite(input.words, input.count - 1, &layout.layout, &tier1, NULL, &output),
                     SPIRV_MALFORMED);
    assert_string_not_equal(output.message, "");
    assert_null(output.words);
    assert_int_equal(spirv_scan(input.words, 4, &facts), SPIRV_MALFORMED);
    assert_int_equal(spirv_rewrite(input.words, 4, &layout.layout, &tier1, NULL, &output), SPIRV_MALFORMED);
    input.words[3] = 0xfffffff0u;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &tier1, NULL, &output), SPIRV_MALFORMED);
    input.words[0] = 0x03022307u;
    assert_int_equal(spirv_scan(input.words, input.count, &facts), SPIRV_MALFORMED);
    assert_false(facts.samples);
    free(input.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scan_tells_what_a_module_has),
        cmocka_unit_test(a_module_that_samples_nothing_is_unchanged),
        cmocka_unit_test(biases_are_made_up_for_below_the_limit_and_in_sums),
        cmocka_unit_test(extras_are_there_only_where_asked_for),
        cmocka_unit_test(borders_are_known_to_extras_of_gl_views_alone),
        cmocka_unit_test(pairs_are_decided_in_tier_2),
        cmocka_unit_test(a_binding_without_records_is_left_alone),
        cmocka_unit_test(records_are_followed_up_to_their_limit),
        cmocka_unit_test(a_constant_index_names_its_record),
        cmocka_unit_test(a_dynamic_index_is_added_up),
        cmocka_unit_test(a_pair_reads_both_records),
        cmocka_unit_test(a_sampled_image_is_repeated_in_the_blocks_that_use_it),
        cmocka_unit_test(copied_objects_are_seen_through),
        cmocka_unit_test(what_cannot_be_resolved_is_left_alone_and_said),
        cmocka_unit_test(parameters_bring_their_record_along),
        cmocka_unit_test(tier_0_renumbers_and_touches_nothing_else),
        cmocka_unit_test(renumbering_and_records_go_together),
        cmocka_unit_test(phis_name_the_block_that_a_split_ends_in),
        cmocka_unit_test(a_loop_of_one_block_is_split),
        cmocka_unit_test(a_loop_header_keeps_its_phis_and_merge),
        cmocka_unit_test(a_header_that_cannot_be_split_gets_the_form_without_a_branch),
        cmocka_unit_test(the_import_that_is_there_is_used),
        cmocka_unit_test(decorations_go_with_the_new_lookups),
        cmocka_unit_test(any_part_of_a_pair_may_differ_in_a_quad),
        cmocka_unit_test(functions_get_no_relaxed_values),
        cmocka_unit_test(rectangles_of_a_quad_have_sizes_of_their_own),
        cmocka_unit_test(code_behind_a_split_keeps_its_line),
        cmocka_unit_test(opencl_debug_information_stays_valid),
        cmocka_unit_test(scopes_for_debuggers_stay_among_the_phis_of_a_header),
        cmocka_unit_test(definitions_for_debuggers_stay_in_the_first_block),
        cmocka_unit_test(modules_with_addresses_of_their_own_get_the_extension),
        cmocka_unit_test(every_entry_point_lists_the_records),
        cmocka_unit_test(kernels_are_unchanged),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(truncated_modules_do_no_harm),
        cmocka_unit_test(damaged_words_do_no_harm),
        cmocka_unit_test(votes_and_rectangles_are_there_where_they_are_wanted),
        cmocka_unit_test(malformed_modules_are_named),
    };
    return cmocka_run_group_tests_name("rewrite", tests, NULL, NULL);
}
