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
    "OpCapability Shader\nOpCapability ImageQuery\nOpCapability SparseResidency\nOpCapability SampledBuffer\n"
    "OpCapability ShaderNonUniform\nOpExtension \"SPV_EXT_descriptor_indexing\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n"
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\nOpDecorate %uniforms DescriptorSet 1\nOpDecorate %uniforms Binding 0\n"
    "OpDecorate %buffer DescriptorSet 1\nOpDecorate %buffer Binding 1\nOpDecorate %stored BufferBlock\n"
    "OpMemberDecorate %stored 0 Offset 0\nOpDecorate %texels DescriptorSet 0\nOpDecorate %texels Binding 9\n";
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
    "%v2int = OpTypeVector %int 2\n%offset = OpConstantComposite %v2int %zero %zero\n%one = OpConstant %float 1\n"
    "%t_buffer = OpTypeImage %float Buffer 0 0 0 1 Unknown\n%p_texels = OpTypePointer UniformConstant %t_buffer\n"
    "%texels = OpVariable %p_texels UniformConstant\n"
    "%uniforms = OpVariable %p_block Uniform\n%buffer = OpVariable %p_stored Uniform\n";

struct text {
    size_t length;
    char data[32768];
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->data + text->length, sizeof(text->data) - text->length, format, arguments);
    va_end(arguments);
    assert_true(text->length < sizeof(text->data));
}

/* What stands in main; the names of images are %t0 and so on. */
static struct spirv_words module_of(const char *decorations, const char *code)
{
    static struct text text;
    text.length = 0;
    add(&text, "%s%s", head, decorations);
    for (unsigned i = 0; i <= IMAGES; i++)
        add(&text, "OpDecorate %%t%u DescriptorSet 0\nOpDecorate %%t%u Binding %u\n", i, i, i);
    add(&text, "%s", types);
    for (unsigned i = 0; i <= IMAGES; i++)
        add(&text, "%%t%u = OpVariable %%p_sampled UniformConstant\n", i);
    add(&text,
        "%%main = OpFunction %%void None %%voids\n%%first = OpLabel\n"
        "%%local = OpVariable %%p_local Function\n%%c = OpLoad %%v2float %%in\n"
        "%%at_uniform = OpAccessChain %%p_uniform %%uniforms %%zero\n"
        "%%at_buffer = OpAccessChain %%p_buffer %%buffer %%zero\n%sOpReturn\nOpFunctionEnd\n",
        code);
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text.data);
    assert_non_null(words.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, words.words, words.count, "input"));
    return words;
}

#define LOOK_UP(image, result, coordinate)                                                                             \
    "%l" #result " = OpLoad %t_sampled %t" #image "\n"                                                                 \
    "%" #result " = OpImageSampleImplicitLod %v4float %l" #result " %" #coordinate "\n"

/* Of the rewritten module: how often that stands in front of the first border, and behind. */
struct found {
    unsigned front, behind;
};

static struct found find_by(const char *text, const char *what, const char *border)
{
    struct found found = {0};
    const char *first = strstr(text, border);
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        *(first && at > first ? &found.behind : &found.front) += 1;
    return found;
}

/* The border is its first loop. */
static struct found find(const char *text, const char *what)
{
    return find_by(text, what, "OpLoopMerge");
}

/* The module rewritten and disassembled; the caller frees it. */
static char *rewrite_decorated(const char *decorations, const char *code, enum spirv_form form)
{
    static struct auto_layout layout;
    struct spirv_words input = module_of(decorations, code);
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

static char *rewrite(const char *code, enum spirv_form form)
{
    return rewrite_decorated("", code, form);
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

static void add_lookups(struct text *code, unsigned count, const char *const *operands, unsigned kinds)
{
    for (unsigned i = 0; i < count; i++)
        add(code,
            "%%l%u = OpLoad %%t_sampled %%t%u\n"
            "%%r%u = OpImageSample%s %%v4float %%l%u %%c %s\nOpStore %%out %%r%u\n",
            i, i % IMAGES, i, strstr(operands[i % kinds], "Lod ") ? "ExplicitLod" : "ImplicitLod", i,
            operands[i % kinds], i);
}

static const char *const groups[] = {"", "Bias %one", "ConstOffset %offset", "Lod %one"};

/*
 * More lookups than share a filter, of one kind and of four: three loops, and one or two for each kind. What the
 * program looks up itself is stored where some record acts, and else is not; at explicit levels it takes no
 * derivatives.
 */
static void all_of_many_stand_in_front(void **state)
{
    (void)state;
    for (unsigned kinds = 1; kinds <= 4; kinds += 3) {
        struct text code = {.length = 0};
        add_lookups(&code, 70, groups, kinds);
        const unsigned implicit = 70 - (kinds == 4 ? 70 / 4 : 0);
        for (int i = 0; i < 2; i++) {
            const bool stored = forms[i] == SPIRV_FORM_GPU;
            char *text = rewrite(code.data, forms[i]);
            assert_true(find(text, "DontUnroll").behind >= (kinds == 4 ? 4u : 3u));
            expect(text, "OpDPdx", implicit, 0);
            expect(text, "OpDPdy", implicit, 0);
            expect(text, "= OpImageSampleImplicitLod", stored ? 2 * implicit : implicit, 0);
            free(text);
        }
    }
}

/* Fetches from texel buffers, which have loops of their own, are more than share one: a lookup stands behind them. */
static void lookups_stand_in_front_of_fetches_that_share_a_loop(void **state)
{
    (void)state;
    struct text code = {.length = 0};
    add(&code, "%s", LOOK_UP(0, r0, c));
    for (unsigned i = 0; i < 40; i++)
        add(&code, "%%b%u = OpLoad %%t_buffer %%texels\n%%f%u = OpImageFetch %%v4float %%b%u %%zero\n", i, i, i);
    add(&code, "%s", LOOK_UP(1, r1, c) "OpStore %out %r0\nOpStore %out %r1\n");
    for (unsigned i = 0; i < 40; i++)
        add(&code, "OpStore %%out %%f%u\n", i);
    for (int i = 0; i < 2; i++) {
        char *text = rewrite(code.data, forms[i]);
        expect(text, "OpDPdx", 2, 0);
        expect(text, "OpImageSampleImplicitLod", forms[i] == SPIRV_FORM_GPU ? 4 : 2, 0);
        free(text);
    }
}

/* One of several follows a record that differs within a quad: none that takes derivatives is in a branch on records. */
static void quads_that_part_look_up_in_front_of_branches(void **state)
{
    (void)state;
    struct text code = {.length = 0};
    add_lookups(&code, 8, groups, 2);
    for (int i = 0; i < 2; i++) {
        char *text = rewrite_decorated("OpDecorate %l3 NonUniform\n", code.data, forms[i]);
        const struct found found = find_by(text, "= OpImageSampleImplicitLod", "OpSelectionMerge");
        assert_int_equal(found.front, 8);
        assert_int_equal(found.behind, 0);
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
        cmocka_unit_test(lookups_stand_in_front_of_fetches_that_share_a_loop),
        cmocka_unit_test(quads_that_part_look_up_in_front_of_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
