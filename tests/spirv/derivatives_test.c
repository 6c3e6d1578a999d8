/* SPDX-License-Identifier: MIT */
/*
 * Derivatives in blocks with filters: in front of the first loop stands all that takes derivatives and needs no
 * filter's result, whatever stands before it in the program; and nothing else moves that must not.
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
#include "spirv_text.h"

#define IMAGES 5u /* and one more, without a record */

static const char head[] =
    "OpCapability Shader\nOpCapability ImageQuery\nOpCapability SparseResidency\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n"
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %uniforms DescriptorSet 1\nOpDecorate %uniforms Binding 0\n"
    "OpDecorate %buffer DescriptorSet 1\nOpDecorate %buffer Binding 1\nOpDecorate %stored BufferBlock\n"
    "OpMemberDecorate %stored 0 Offset 0\n";
static const char types[] =
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%zero = OpConstant %int 0\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%residency = OpTypeStruct %int %v4float\n%p_sampled = OpTypePointer UniformConstant %t_sampled\n"
    "%p_in = OpTypePointer Input %v2float\n%p_out = OpTypePointer Output %v4float\n"
    "%block = OpTypeStruct %v2float\n%p_block = OpTypePointer Uniform %block\n%p_uniform = OpTypePointer Uniform "
    "%v2float\n"
    "%stored = OpTypeStruct %v4float\n%p_stored = OpTypePointer Uniform %stored\n%p_buffer = OpTypePointer Uniform "
    "%v4float\n"
    "%p_local = OpTypePointer Function %v4float\n%in = OpVariable %p_in Input\n%out = OpVariable %p_out Output\n"
    "%uniforms = OpVariable %p_block Uniform\n%buffer = OpVariable %p_stored Uniform\n";

/* What stands in main; the names of images are %t0 and so on. */
static struct spirv_words module_of(const char *code)
{
    static char text[16384];
    size_t length = (size_t)snprintf(text, sizeof(text), "%s", head);
    for (unsigned i = 0; i <= IMAGES; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length,
                                   "OpDecorate %%t%u DescriptorSet 0\nOpDecorate %%t%u Binding %u\n", i, i, i);
    length += (size_t)snprintf(text + length, sizeof(text) - length, "%s", types);
    for (unsigned i = 0; i <= IMAGES; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length,
                                   "%%t%u = OpVariable %%p_sampled UniformConstant\n", i);
    length += (size_t)snprintf(text + length, sizeof(text) - length,
                               "%%main = OpFunction %%void None %%voids\n%%first = OpLabel\n"
                               "%%local = OpVariable %%p_local Function\n%%c = OpLoad %%v2float %%in\n"
                               "%%at_uniform = OpAccessChain %%p_uniform %%uniforms %%zero\n"
                               "%%at_buffer = OpAccessChain %%p_buffer %%buffer %%zero\n%sOpReturn\nOpFunctionEnd\n",
                               code);
    assert_true(length < sizeof(text));
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(words.words);
    return words;
}

#define LOOK_UP(image, result, coordinate)                                                                             \
    "%l" #result " = OpLoad %t_sampled %t" #image "\n"                                                                 \
    "%" #result " = OpImageSampleImplicitLod %v4float %l" #result " %" #coordinate "\n"

/* Of the rewritten module: how often that stands in front of its first loop, and behind. */
struct found {
    unsigned front, behind;
};

static struct found find(const char *text, const char *what)
{
    struct found found = {0};
    const char *loop = strstr(text, "OpLoopMerge");
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        *(loop && at > loop ? &found.behind : &found.front) += 1;
    return found;
}

/* The module rewritten and disassembled; the caller frees it. */
static char *rewrite(const char *code, enum spirv_form form)
{
    static struct auto_layout layout;
    struct spirv_words input = module_of(code);
    struct spirv_output output;
    auto_layout(input.words, input.count, 0, &layout);
    for (uint32_t i = 0; i < layout.binding_total; i++)
        layout.bindings[i].first_record =
            layout.bindings[i].binding == IMAGES ? SPIRV_NO_RECORD : layout.bindings[i].first_record;
    const struct spirv_options options = {.tier = 2, .form = form};
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
    char *text = text_disassemble(output.words, output.word_count);
    assert_non_null(text);
    free(output.words);
    free(input.words);
    return text;
}

static const enum spirv_form forms[] = {SPIRV_FORM_GPU, SPIRV_FORM_CPU};

static void expect(const char *text, const char *what, unsigned front, unsigned behind)
{
    const struct found found = find(text, what);
    if (found.front != front || found.behind != behind)
        print_error("%s: %u in front of the first loop, %u behind\n%s", what, found.front, found.behind, text);
    assert_int_equal(found.front, front);
    assert_int_equal(found.behind, behind);
}

/* Of a filter and what the program takes itself, in an order that has the filter first. */
static void the_programs_own_stand_in_front(void **state)
{
    (void)state;
    static const char code[] = LOOK_UP(0, r0, c) LOOK_UP(
        5, own,
        c) "%query = OpImageQueryLod %v2float %lown %c\n%dx = OpDPdx %v2float %c\n%width = OpFwidth %v2float %c\n"
           "%sum = OpFAdd %v4float %r0 %own\n%more = OpVectorShuffle %v4float %query %dx 0 1 2 3\n"
           "%most = OpFAdd %v4float %sum %more\nOpStore %out %most\n";
    for (int i = 0; i < 2; i++) {
        char *text = rewrite(code, forms[i]);
        expect(text, "OpDPdx", 2, 0);
        expect(text, "OpFwidth", 1, 0);
        expect(text, "OpImageQueryLod", 1, 0);
        expect(text, "OpImageSampleImplicitLod", forms[i] == SPIRV_FORM_GPU ? 2 : 1, 0);
        free(text);
    }
}

/*
 * Behind a uniform that is loaded, a lookup that depends on another, a gather and a sparse lookup with filters of their
 * own: all but the dependent one.
 */
static void what_depends_on_a_filter_alone_stands_behind(void **state)
{
    (void)state;
    static const char code[] =
        LOOK_UP(0, r0, c) "%u = OpLoad %v2float %at_uniform\n%s = OpFMul %v2float %c %u\n" LOOK_UP(
            1, r1,
            s) "%xy = OpVectorShuffle %v2float %r0 %r1 0 5\n" LOOK_UP(2, r2,
                                                                      xy) "%l3 = OpLoad %t_sampled %t3\n%gathered = "
                                                                          "OpImageGather %v4float %l3 %c %zero\n"
                                                                          "%l4 = OpLoad %t_sampled %t4\n%sparse = "
                                                                          "OpImageSparseSampleImplicitLod %residency "
                                                                          "%l4 %s\n" LOOK_UP(5, own, s) LOOK_UP(
                                                                              4, r4,
                                                                              s) "%of_sparse = OpCompositeExtract "
                                                                                 "%v4float %sparse 1\n%s1 = OpFAdd "
                                                                                 "%v4float %r1 %r2\n"
                                                                                 "%s2 = OpFAdd %v4float %gathered "
                                                                                 "%of_sparse\n%s3 = OpFAdd %v4float "
                                                                                 "%own %r4\n%s4 = OpFAdd %v4float %s1 "
                                                                                 "%s2\n"
                                                                                 "%s5 = OpFAdd %v4float %s3 "
                                                                                 "%s4\nOpStore %out %s5\n";
    for (int i = 0; i < 2; i++) {
        char *text = rewrite(code, forms[i]);
        expect(text, "OpDPdx", 4, 1);
        expect(text, "OpDPdy", 4, 1);
        expect(text, "OpImageSparseSampleImplicitLod", forms[i] == SPIRV_FORM_GPU ? 1 : 0, 0); /* else by gradients */
        free(text);
    }
}

/* A store that others may see, and what is loaded behind it, stay in their order; so do stores of variables. */
static void what_may_not_move_does_not(void **state)
{
    (void)state;
    static const char code[] = LOOK_UP(0, r0, c) "OpStore %at_buffer %r0\n%back = OpLoad %v4float %at_buffer\n"
                                                 "%xy = OpVectorShuffle %v2float %back %back 0 1\n" LOOK_UP(
                                                     1, r1, xy) "%dx = OpDPdx %v2float %c\nOpStore %out %r1\n";
    static const char local[] = LOOK_UP(0, r0, c) "OpStore %local %r0\n%back = OpLoad %v4float %local\n"
                                                  "%xy = OpVectorShuffle %v2float %back %back 0 1\n" LOOK_UP(
                                                      1, r1, xy) "%dx = OpDPdx %v2float %c\nOpStore %out %r1\n";
    for (int i = 0; i < 2; i++) {
        char *text = rewrite(code, forms[i]);
        expect(text, "OpDPdx", 1, 2);
        free(text);
        text = rewrite(local, forms[i]);
        expect(text, "OpDPdx", 2, 1);
        free(text);
    }
}

/* More lookups than share a filter. */
static void all_of_many_stand_in_front(void **state)
{
    (void)state;
    static char code[16384];
    size_t length = 0;
    for (unsigned i = 0; i < 70; i++)
        length += (size_t)snprintf(code + length, sizeof(code) - length,
                                   "%%l%u = OpLoad %%t_sampled %%t%u\n"
                                   "%%r%u = OpImageSampleImplicitLod %%v4float %%l%u %%c\nOpStore %%out %%r%u\n",
                                   i, i % IMAGES, i, i, i);
    assert_true(length < sizeof(code));
    for (int i = 0; i < 2; i++) {
        char *text = rewrite(code, forms[i]);
        expect(text, "OpDPdx", 70, 0);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_programs_own_stand_in_front),
        cmocka_unit_test(what_depends_on_a_filter_alone_stands_behind),
        cmocka_unit_test(what_may_not_move_does_not),
        cmocka_unit_test(all_of_many_stand_in_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
