/* SPDX-License-Identifier: MIT */
/* Textures and samplers that are declared at one binding: whose record lookups through them follow. */
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

/* Arrays of four images and four samplers at binding 0, and an image and a sampler at binding 1. */
static const char head[] =
    "OpCapability Shader\nOpCapability SampledImageArrayDynamicIndexing\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in\nOpExecutionMode %main OriginUpperLeft\n"
    "OpDecorate %in Location 0\n"
    "OpDecorate %images DescriptorSet 0\nOpDecorate %images Binding 0\n"
    "OpDecorate %samplers DescriptorSet 0\nOpDecorate %samplers Binding 0\n"
    "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 1\n"
    "OpDecorate %sampler DescriptorSet 0\nOpDecorate %sampler Binding 1\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"
    "%v2int = OpTypeVector %int 2\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
    "%float_0 = OpConstant %float 0\n%int_1 = OpConstant %int 1\n%int_2 = OpConstant %int 2\n"
    "%uint_4 = OpConstant %uint 4\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%t_sampler = OpTypeSampler\n%a_image = OpTypeArray %t_image %uint_4\n%a_sampler = OpTypeArray %t_sampler %uint_4\n"
    "%p_images = OpTypePointer UniformConstant %a_image\n%p_samplers = OpTypePointer UniformConstant %a_sampler\n"
    "%p_image = OpTypePointer UniformConstant %t_image\n%p_sampler = OpTypePointer UniformConstant %t_sampler\n"
    "%p_in = OpTypePointer Input %v4float\n%p_int = OpTypePointer Function %int\n"
    "%images = OpVariable %p_images UniformConstant\n%samplers = OpVariable %p_samplers UniformConstant\n"
    "%image = OpVariable %p_image UniformConstant\n%sampler = OpVariable %p_sampler UniformConstant\n"
    "%in = OpVariable %p_in Input\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%local = OpVariable %p_int Function\n"
    "%c4 = OpLoad %v4float %in\n%c = OpVectorShuffle %v2float %c4 %c4 0 1\n"
    "%f = OpCompositeExtract %float %c4 2\n%index = OpConvertFToS %int %f\nOpStore %local %index\n";

static const char look_up[] = "%l = OpSampledImage %t_sampled %i %s\n"
                              "%r = OpImageSampleExplicitLod %v4float %l %c Lod %float_0\nOpReturn\nOpFunctionEnd\n";

static uint32_t occurrences(const char *text, const char *what)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* How many records the lookup follows: of two the first quarters are ORed. */
static uint32_t records_followed(const char *body, uint32_t tier)
{
    static struct auto_layout layout;
    char text[8192];
    snprintf(text, sizeof(text), "%s%s%s", head, body, look_up);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(input.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, "input"));
    auto_layout(input.words, input.count, 0, &layout);
    const struct spirv_options options = {.tier = tier};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_int_equal(output.rewritten_lookups, 1);
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
    char *essence = text_essence(output.words, output.word_count);
    assert_non_null(essence);
    uint32_t ored = occurrences(essence, "OpBitwiseOr %v4uint");
    free(essence);
    free(output.words);
    free(input.words);
    return 1 + ored;
}

static void expect_records(const char *body, uint32_t records)
{
    for (uint32_t tier = 1; tier <= 2; tier++)
        assert_int_equal(records_followed(body, tier), records);
}

static void both_halves_of_a_descriptor_follow_its_record(void **state)
{
    (void)state;
    expect_records("%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n", 1);
    expect_records("%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n"
                   "%ps = OpAccessChain %p_sampler %samplers %int_2\n%s = OpLoad %t_sampler %ps\n",
                   1);
    expect_records("%pi = OpAccessChain %p_image %images %index\n%i = OpLoad %t_image %pi\n"
                   "%ps = OpAccessChain %p_sampler %samplers %index\n%s = OpLoad %t_sampler %ps\n",
                   1);
}

static void halves_of_two_descriptors_follow_both_records(void **state)
{
    (void)state;
    expect_records("%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n"
                   "%s = OpLoad %t_sampler %sampler\n",
                   2);
    expect_records("%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n"
                   "%ps = OpAccessChain %p_sampler %samplers %int_1\n%s = OpLoad %t_sampler %ps\n",
                   2);
    expect_records("%pi = OpAccessChain %p_image %images %index\n%i = OpLoad %t_image %pi\n"
                   "%ps = OpAccessChain %p_sampler %samplers %int_1\n%s = OpLoad %t_sampler %ps\n",
                   2);
}

/* Front-ends that keep variables in memory load an index anew for each array. */
static void an_index_that_is_written_twice_is_one_index(void **state)
{
    (void)state;
    expect_records("%a = OpLoad %int %local\n%pi = OpAccessChain %p_image %images %a\n%i = OpLoad %t_image %pi\n"
                   "%b = OpLoad %int %local\n%ps = OpAccessChain %p_sampler %samplers %b\n%s = OpLoad %t_sampler %ps\n",
                   1);
    expect_records("%a = OpLoad %int %local\n%a1 = OpIAdd %int %a %int_1\n"
                   "%pi = OpAccessChain %p_image %images %a1\n%i = OpLoad %t_image %pi\n"
                   "%b = OpLoad %int %local\n%b1 = OpIAdd %int %b %int_1\n"
                   "%ps = OpAccessChain %p_sampler %samplers %b1\n%s = OpLoad %t_sampler %ps\n",
                   1);
    expect_records("%a = OpCompositeExtract %float %c4 3\n%a1 = OpConvertFToU %uint %a\n"
                   "%pi = OpAccessChain %p_image %images %a1\n%i = OpLoad %t_image %pi\n"
                   "%b = OpCompositeExtract %float %c4 3\n%b1 = OpConvertFToU %uint %b\n"
                   "%ps = OpAccessChain %p_sampler %samplers %b1\n%s = OpLoad %t_sampler %ps\n",
                   1);
}

static void indices_that_may_differ_are_two(void **state)
{
    (void)state;
    expect_records("%a = OpLoad %int %local\n%pi = OpAccessChain %p_image %images %a\n%i = OpLoad %t_image %pi\n"
                   "OpStore %local %int_2\n"
                   "%b = OpLoad %int %local\n%ps = OpAccessChain %p_sampler %samplers %b\n%s = OpLoad %t_sampler %ps\n",
                   2);
    expect_records("%a = OpLoad %int %local\n%a1 = OpIAdd %int %a %int_1\n"
                   "%pi = OpAccessChain %p_image %images %a1\n%i = OpLoad %t_image %pi\n"
                   "%b = OpLoad %int %local\n%b1 = OpIAdd %int %b %int_2\n"
                   "%ps = OpAccessChain %p_sampler %samplers %b1\n%s = OpLoad %t_sampler %ps\n",
                   2);
    expect_records("%a = OpCompositeExtract %float %c4 3\n%a1 = OpConvertFToU %uint %a\n"
                   "%pi = OpAccessChain %p_image %images %a1\n%i = OpLoad %t_image %pi\n"
                   "%b = OpCompositeExtract %float %c4 2\n%b1 = OpConvertFToU %uint %b\n"
                   "%ps = OpAccessChain %p_sampler %samplers %b1\n%s = OpLoad %t_sampler %ps\n",
                   2);
}

/* The rewritten module as a reader wants to see it, where halves have records of their own; the caller frees it. */
static char *with_halves(const char *body, bool *takes)
{
    static struct auto_layout layout;
    static const struct spirv_options options = {.tier = 1};
    char text[8192];
    snprintf(text, sizeof(text), "%s%s%s", head, body, look_up);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(input.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, "input"));
    auto_layout(input.words, input.count, AUTO_LAYOUT_HALVES, &layout);
    struct spirv_output output;
    struct spirv_pairing pairing = {0};
    assert_int_equal(spirv_find_pairs(input.words, input.count, &layout.layout, NULL, &pairing), SPIRV_UNCHANGED);
    *takes = pairing.splits;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
    char *essence = text_essence(output.words, output.word_count);
    assert_non_null(essence);
    free(output.words);
    free(input.words);
    return essence;
}

/* Binding 0 has four descriptors of three records, binding 1 one: its records are the 12th to the 14th. */
static void halves_have_records_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool takes;
        const char *records[2]; /* index of the first quarter of each */
    } cases[] = {
        {"%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n", false, {"%uint_0 %uint_48\n", ""}},
        {"%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n"
         "%ps = OpAccessChain %p_sampler %samplers %int_2\n%s = OpLoad %t_sampler %ps\n",
         false,
         {"%uint_0 %uint_24\n", ""}},
        {"%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n%s = OpLoad %t_sampler %sampler\n",
         true,
         {"%uint_0 %uint_28\n", "%uint_0 %uint_56\n"}},
        {"%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n"
         "%ps = OpAccessChain %p_sampler %samplers %int_1\n%s = OpLoad %t_sampler %ps\n",
         true,
         {"%uint_0 %uint_28\n", "%uint_0 %uint_20\n"}},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool takes;
        char *text = with_halves(cases[i].body, &takes);
        assert_int_equal(takes, cases[i].takes);
        assert_non_null(strstr(text, cases[i].records[0]));
        assert_non_null(strstr(text, cases[i].records[1]));
        assert_int_equal(occurrences(text, "OpBitwiseOr %v4uint"), cases[i].takes);
        free(text);
    }
}

/* Only the whole descriptor's record knows which view was chosen for its sampler, and fetches read that view. */
static void fetches_follow_the_whole_descriptor(void **state)
{
    (void)state;
    static const struct {
        const char *body, *record;
    } cases[] = {
        {"%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %samplers_1\n", "%uint_0 %uint_48\n"},
        {"%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n%s = OpLoad %t_sampler %samplers_1\n",
         "%uint_0 %uint_24\n"},
    };
    static const char fetch[] = "%at = OpConvertFToS %v2int %c\n%texel = OpImageFetch %v4float %i %at Lod %int_1\n";
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char body[1024];
        bool takes;
        snprintf(body, sizeof(body), "%%samplers_1 = OpAccessChain %%p_sampler %%samplers %%int_1\n%s%s", cases[i].body,
                 fetch);
        char *text = with_halves(body, &takes);
        assert_true(takes);
        assert_non_null(strstr(text, cases[i].record));
        free(text);
    }
}

/* An image that is a descriptor of its own has the view that decodes. */
static void fetches_of_images_alone_stay(void **state)
{
    (void)state;
    static struct auto_layout layout;
    static const struct spirv_options options = {.tier = 2};
    char text[8192];
    snprintf(text, sizeof(text), "%s%s%s", head,
             "%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler %sampler\n%at = OpConvertFToS %v2int %c\n"
             "%texel = OpImageFetch %v4float %i %at Lod %int_1\n",
             look_up);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(input.words);
    auto_layout(input.words, input.count, 0, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups, 1);
    assert_int_equal(output.rewritten_reads, 0);
    free(output.words);
    free(input.words);
}

/* Set 0 has images and samplers at binding 0 and 1. Which bindings have samplers that some lookup does not compare? */
static void plain_lookups_are_known_by_binding(void **state)
{
    (void)state;
    static const char image[] = "%i = OpLoad %t_image %image\n", own[] = "%s = OpLoad %t_sampler %sampler\n";
    static const char element[] = "%ps = OpAccessChain %p_sampler %samplers %index\n%s = OpLoad %t_sampler %ps\n";
    static const char other[] = "%pi = OpAccessChain %p_image %images %int_2\n%i = OpLoad %t_image %pi\n";
    static const char compared[] = "%l = OpSampledImage %t_sampled %i %s\n"
                                   "%r = OpImageSampleDrefExplicitLod %float %l %c %float_0 Lod %float_0\nOpReturn\n"
                                   "OpFunctionEnd\n";
    static const char gathered[] = "%l = OpSampledImage %t_sampled %i %s\n%r = OpImageGather %v4float %l %c %int_1\n"
                                   "OpReturn\nOpFunctionEnd\n";
    static const char passed[] = "%r = OpFunctionCall %v4float %look %i %s %c\nOpReturn\nOpFunctionEnd\n"
                                 "%look = OpFunction %v4float None %looks\n%image_p = OpFunctionParameter %t_image\n"
                                 "%sampler_p = OpFunctionParameter %t_sampler\n%c_p = OpFunctionParameter %v2float\n"
                                 "%look_first = OpLabel\n%l = OpSampledImage %t_sampled %image_p %sampler_p\n"
                                 "%texel = OpImageSampleExplicitLod %v4float %l %c_p Lod %float_0\n"
                                 "OpReturnValue %texel\nOpFunctionEnd\n";
    static const struct {
        const char *image, *sampler, *lookup;
        uint64_t plain;
        bool whole; /* one binding: the layout's combined image sampler, or a pair */
    } cases[] = {
        {image, element, look_up, 1, false}, {image, element, gathered, 1, false}, {image, element, compared, 0, false},
        {other, own, look_up, 2, false},     {other, own, compared, 0, false},     {other, own, passed, 2, false},
        {image, element, passed, 1, false},  {image, own, look_up, 0, true},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static struct auto_layout layout;
        const char *at = strstr(head, "%main = OpFunction");
        char text[8192];
        snprintf(text, sizeof(text), "%.*s%%looks = OpTypeFunction %%v4float %%t_image %%t_sampler %%v2float\n%s%s%s%s",
                 (int)(at - head), head, at, cases[i].image, cases[i].sampler, cases[i].lookup);
        struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, text);
        assert_non_null(input.words);
        assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, "input"));
        auto_layout(input.words, input.count, AUTO_LAYOUT_HALVES, &layout);
        struct spirv_pairing pairing = {0};
        assert_int_equal(spirv_find_pairs(input.words, input.count, &layout.layout, NULL, &pairing), SPIRV_UNCHANGED);
        if (pairing.uncompared[0] != cases[i].plain)
            fail_msg("case %u: bindings 0x%llx", i, (unsigned long long)pairing.uncompared[0]);
        assert_int_equal(pairing.splits, !cases[i].whole);
        free(input.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_halves_of_a_descriptor_follow_its_record),
        cmocka_unit_test(halves_of_two_descriptors_follow_both_records),
        cmocka_unit_test(an_index_that_is_written_twice_is_one_index),
        cmocka_unit_test(indices_that_may_differ_are_two),
        cmocka_unit_test(halves_have_records_of_their_own),
        cmocka_unit_test(fetches_follow_the_whole_descriptor),
        cmocka_unit_test(fetches_of_images_alone_stay),
        cmocka_unit_test(plain_lookups_are_known_by_binding),
    };
    return cmocka_run_group_tests_name("halves", tests, NULL, NULL);
}
