/* SPDX-License-Identifier: MIT */
/*
 * Lookups with gradients of the program's own: a rewritten shader executes each of them once, at a coordinate that was
 * chosen, and in front of every branch of the rewriter's where the driver asks for that (gradients_in_front).
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

#include "auto_layout.h"
#include "spirv/module/inst.h"
#include "spirv_text.h"

struct form {
    const char *name;
    const char *image;       /* operands of OpTypeImage */
    const char *instruction; /* with %%l for the sampled image */
};

static const struct form forms[] = {
    {"1D", "%float 1D 0 0 0 1 Unknown", "OpImageSampleExplicitLod %v4float %l %c1 Grad %c1 %c1"},
    {"3D", "%float 3D 0 0 0 1 Unknown", "OpImageSampleExplicitLod %v4float %l %c3 Grad %c3 %c3"},
    {"cube", "%float Cube 0 0 0 1 Unknown", "OpImageSampleExplicitLod %v4float %l %c3 Grad %c3 %c3"},
    {"compared", "%float 2D 1 0 0 1 Unknown", "OpImageSampleDrefExplicitLod %float %l %c2 %c1 Grad %c2 %c2"},
    {"compared cube", "%float Cube 1 0 0 1 Unknown", "OpImageSampleDrefExplicitLod %float %l %c3 %c1 Grad %c3 %c3"},
    {"divided", "%float 3D 0 0 0 1 Unknown", "OpImageSampleProjExplicitLod %v4float %l %c4 Grad %c3 %c3"},
    {"divided and compared", "%float 2D 1 0 0 1 Unknown",
     "OpImageSampleProjDrefExplicitLod %float %l %c3 %c1 Grad %c2 %c2"},
    {"offset", "%float 2D 0 0 0 1 Unknown",
     "OpImageSampleExplicitLod %v4float %l %c2 Grad|ConstOffset %c2 %c2 %offset"},
    {"divided, compared and offset", "%float 2D 1 0 0 1 Unknown",
     "OpImageSampleProjDrefExplicitLod %float %l %c3 %c1 Grad|ConstOffset %c2 %c2 %offset"},
};
#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))

/* The same lookup twice, of one image or of one after the other, as one descriptor each or as two. */
static void write_module(const struct form *form, bool separate, char *text, size_t size)
{
    static const char combined[] = "%i = OpLoad %t_sampled %a\n%j = OpLoad %t_sampled %b\n";
    static const char apart[] = "%ia = OpLoad %t_image %a\n%sa = OpLoad %t_sampler %s\n"
                                "%i = OpSampledImage %t_sampled %ia %sa\n"
                                "%ib = OpLoad %t_image %b\n%sb = OpLoad %t_sampler %s\n"
                                "%j = OpSampledImage %t_sampled %ib %sb\n";
    char first[200], second[200];
    const char *rest = strstr(form->instruction, "%l") + 2;
    const int before = (int)(strlen(form->instruction) - strlen(rest) - 2);
    snprintf(first, sizeof(first), "%%r = %.*s%%i%s\n", before, form->instruction, rest);
    snprintf(second, sizeof(second), "%%q = %.*s%%j%s\n", before, form->instruction, rest);
    snprintf(text, size,
             "OpCapability Shader\nOpCapability Sampled1D\nOpMemoryModel Logical GLSL450\n"
             "OpEntryPoint Fragment %%main \"main\" %%in\nOpExecutionMode %%main OriginUpperLeft\n"
             "OpDecorate %%in Location 0\n"
             "OpDecorate %%a DescriptorSet 0\nOpDecorate %%a Binding 0\n"
             "OpDecorate %%b DescriptorSet 0\nOpDecorate %%b Binding 1\n"
             "OpDecorate %%s DescriptorSet 0\nOpDecorate %%s Binding 2\n"
             "%%void = OpTypeVoid\n%%voids = OpTypeFunction %%void\n%%float = OpTypeFloat 32\n%%int = OpTypeInt 32 1\n"
             "%%v2float = OpTypeVector %%float 2\n%%v3float = OpTypeVector %%float 3\n"
             "%%v4float = OpTypeVector %%float 4\n%%v2int = OpTypeVector %%int 2\n%%int_3 = OpConstant %%int 3\n"
             "%%offset = OpConstantComposite %%v2int %%int_3 %%int_3\n"
             "%%t_image = OpTypeImage %s\n%%t_sampled = OpTypeSampledImage %%t_image\n%%t_sampler = OpTypeSampler\n"
             "%%p_image = OpTypePointer UniformConstant %s\n%%p_sampler = OpTypePointer UniformConstant %%t_sampler\n"
             "%%p_in = OpTypePointer Input %%v4float\n"
             "%%a = OpVariable %%p_image UniformConstant\n%%b = OpVariable %%p_image UniformConstant\n"
             "%%s = OpVariable %%p_sampler UniformConstant\n%%in = OpVariable %%p_in Input\n"
             "%%main = OpFunction %%void None %%voids\n%%first = OpLabel\n%%c4 = OpLoad %%v4float %%in\n"
             "%%c1 = OpCompositeExtract %%float %%c4 0\n%%c2 = OpVectorShuffle %%v2float %%c4 %%c4 0 1\n"
             "%%c3 = OpVectorShuffle %%v3float %%c4 %%c4 0 1 2\n%s%s%sOpReturn\nOpFunctionEnd\n",
             form->image, separate ? "%t_image" : "%t_sampled", separate ? apart : combined, first, second);
}

struct count {
    uint32_t lookups;       /* with gradients */
    uint32_t behind_branch; /* of them: within a selection or a loop */
};

static bool has_gradients(const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    bool compares = opcode == SpvOpImageSampleDrefExplicitLod || opcode == SpvOpImageSampleProjDrefExplicitLod;
    bool explicit_level = opcode == SpvOpImageSampleExplicitLod || opcode == SpvOpImageSampleProjExplicitLod;
    const uint32_t mask = compares ? 6 : 5;
    return (compares || explicit_level) && inst_length(inst) > mask && (inst[mask] & SpvImageOperandsGradMask);
}

static struct count count_gradients(const uint32_t *words, size_t word_count)
{
    uint32_t merges[64], depth = 0;
    struct count count = {0, 0};
    for (size_t at = 5; at < word_count; at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        const uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpSelectionMerge || opcode == SpvOpLoopMerge) {
            assert_true(depth < 64);
            merges[depth++] = inst[1];
        }
        while (opcode == SpvOpLabel && depth != 0 && merges[depth - 1] == inst[1])
            depth--;
        count.lookups += has_gradients(inst);
        count.behind_branch += has_gradients(inst) && depth != 0;
    }
    return count;
}

static struct count rewrite_and_count(const struct form *form, bool separate, const struct spirv_options *options)
{
    static struct auto_layout layout;
    static char text[8192];
    write_module(form, separate, text, sizeof(text));
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_1, text);
    assert_non_null(input.words);
    assert_true(text_validate(TEXT_VULKAN_1_1, input.words, input.count, form->name));
    auto_layout(input.words, input.count, AUTO_LAYOUT_NEAREST, &layout);
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(input.words, input.count, &layout.layout, options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups, 2);
    assert_true(text_validate(TEXT_VULKAN_1_1, output.words, output.word_count, form->name));
    struct count count = count_gradients(output.words, output.word_count);
    free(output.words);
    free(input.words);
    return count;
}

/* Every form of options. */
static void check_options(bool in_front, bool separate)
{
    for (uint32_t i = 0; i < 3 * 2 * 2 * FORM_COUNT; i++) {
        const struct form *form = &forms[i / 12];
        const struct spirv_options options = {.tier = i % 3 ? 2 : 1,
                                              .extras = i % 3 == 2,
                                              .form = i / 3 % 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU,
                                              .votes = i / 6 % 2,
                                              .gradients_in_front = in_front};
        bool cube = strstr(form->image, "Cube") != NULL, compares = strstr(form->instruction, "Dref") != NULL;
        if (options.tier == 1 && cube && !compares)
            continue; /* tier 1 has nothing to do there */
        struct count count = rewrite_and_count(form, separate, &options);
        if (count.lookups != 2 || (in_front && count.behind_branch != 0)) {
            fail_msg("%s, %s, options %u: %u lookups with gradients, %u behind branches", form->name,
                     separate ? "separate" : "combined", i % 12, count.lookups, count.behind_branch);
        }
    }
}

static void each_lookup_is_executed_once(void **state)
{
    (void)state;
    check_options(false, false);
    check_options(false, true);
}

static void none_stands_behind_a_branch_where_the_driver_breaks_there(void **state)
{
    (void)state;
    check_options(true, false);
    check_options(true, true);
}

/* The guard of separate descriptors is the branch that the option takes away. */
static void separate_descriptors_are_guarded_elsewhere(void **state)
{
    const struct spirv_options options = {.tier = 2, .form = SPIRV_FORM_GPU};
    (void)state;
    struct count count = rewrite_and_count(&forms[1], true, &options);
    assert_int_equal(count.behind_branch, count.lookups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lookup_is_executed_once),
        cmocka_unit_test(none_stands_behind_a_branch_where_the_driver_breaks_there),
        cmocka_unit_test(separate_descriptors_are_guarded_elsewhere),
    };
    return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
