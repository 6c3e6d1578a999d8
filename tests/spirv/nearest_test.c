/* SPDX-License-Identifier: MIT */
/*
 * Texels of cubes are read through nearest samplers where the program places its descriptors; those of all images are
 * where drivers fetch others (spirv_options.texels_sampled).
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

static const char head[] =
    "OpCapability Shader\nOpCapability SampledImageArrayDynamicIndexing\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in";
static const char declarations[] =
    "\nOpExecutionMode %main OriginUpperLeft\nOpName %k \"k\"\nOpDecorate %in Location 0\nOpDecorate %image "
    "DescriptorSet 0\nOpDecorate %image Binding 0\n"
    "OpDecorate %samplers DescriptorSet 0\nOpDecorate %samplers Binding 1\n"
    "OpDecorate %sampler DescriptorSet 0\nOpDecorate %sampler Binding 2\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%uint = OpTypeInt 32 0\n%v3float = OpTypeVector %float 3\n%v4float = OpTypeVector %float 4\n"
    "%int_2 = OpConstant %int 2\n%uint_5 = OpConstant %uint 5\n%float_0 = OpConstant %float 0\n"
    "%t_image = OpTypeImage %float Cube 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%t_sampler = OpTypeSampler\n%t_array = OpTypeArray %t_sampler %uint_5\n"
    "%p_image = OpTypePointer UniformConstant %t_image\n%p_sampler = OpTypePointer UniformConstant %t_sampler\n"
    "%p_array = OpTypePointer UniformConstant %t_array\n%p_in = OpTypePointer Input %v4float\n"
    "%fn = OpTypeFunction %v4float %v3float %p_sampler\n"
    "%image = OpVariable %p_image UniformConstant\n%samplers = OpVariable %p_array UniformConstant\n"
    "%sampler = OpVariable %p_sampler UniformConstant\n%in = OpVariable %p_in Input\n";

#define LOOK(pointer)                                                                                                  \
    "%i = OpLoad %t_image %image\n%s = OpLoad %t_sampler " pointer "\n%is = OpSampledImage %t_sampled %i %s\n"         \
    "%r = OpImageSampleExplicitLod %v4float %is %c Lod %float_0\n"
#define MAIN                                                                                                           \
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c4 = OpLoad %v4float %in\n"                              \
    "%c = OpVectorShuffle %v3float %c4 %c4 0 1 2\n%w = OpCompositeExtract %float %c4 3\n%k = OpConvertFToS %int %w\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define FUNCTION                                                                                                       \
    "%f = OpFunction %v4float None %fn\n%c = OpFunctionParameter %v3float\n%q = OpFunctionParameter %p_sampler\n"      \
    "%fb = OpLabel\n" LOOK("%q") "OpReturnValue %r\nOpFunctionEnd\n"
#define CALLING                                                                                                        \
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c4 = OpLoad %v4float %in\n"                              \
    "%mc = OpVectorShuffle %v3float %c4 %c4 0 1 2\n%w = OpCompositeExtract %float %c4 3\n%k = OpConvertFToS %int %w\n"

/* The driver's descriptors in the set: images twice, samplers four times. */
static const struct spirv_binding bindings[] = {
    {.count = 1, .scale = 2, .embedded = {.offset = {8, 8, 8}, .stride = 16}},
    {.binding = 1,
     .new_binding = 3,
     .first_record = 1,
     .count = 5,
     .scale = 4,
     .nearest = 1,
     .embedded = {.offset = {40, 40, 40}, .stride = 32}},
    {.binding = 2,
     .new_binding = 2,
     .first_record = 6,
     .count = 1,
     .scale = 4,
     .nearest = 2,
     .embedded = {.offset = {240, 240, 240}, .stride = 32}}};
static const struct spirv_set set = {
    .bindings = bindings, .binding_count = 3, .record_binding = SPIRV_NO_RECORD, .record_count = 7, .embedded = true};
static const struct spirv_layout buffers = {.sets = &set, .set_count = 1, .root_at = 120};

/* The text of the rewritten module; the caller frees it. */
static char *rewritten_of(const char *dimension, const struct spirv_options *options, enum text_environment environment,
                          const struct spirv_layout *layout, const char *code)
{
    static char text[8192];
    struct spirv_output output;
    const char *interface = environment == TEXT_VULKAN_1_1 ? "" : " %image %samplers %sampler";
    snprintf(text, sizeof(text), "%s%s%s%s", head, interface, declarations, code);
    memcpy(strstr(text, "Cube"), dimension, strlen(dimension));
    struct spirv_words input = text_assemble(environment, text);
    assert_non_null(input.words);
    assert_true(text_validate(environment, input.words, input.count, "input"));
    assert_int_equal(spirv_rewrite(input.words, input.count, layout, options, NULL, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_true(text_validate(environment, output.words, output.word_count, "output"));
    char *made = text_disassemble(output.words, output.word_count);
    assert_non_null(made);
    free(output.words);
    free(input.words);
    return made;
}

static char *rewritten(enum text_environment environment, const struct spirv_layout *layout, const char *code)
{
    static const struct spirv_options tier2 = {.tier = 2};
    return rewritten_of("Cube", &tier2, environment, layout, code);
}

static void expect(const char *made, const char *what)
{
    if (!strstr(made, what))
        fail_msg("no \"%s\" in\n%s", what, made);
}

/* The nearest sampler is another element of the same binding in the driver's layout. */
static void descriptor_buffers_have_one_behind_each(void **state)
{
    (void)state;
    const enum text_environment environments[] = {TEXT_VULKAN_1_1, TEXT_VULKAN_1_1_SPIRV_1_4};
    for (int i = 0; i < 2; i++) {
        char *made = rewritten(environments[i], &buffers, MAIN LOOK("%sampler") END);
        expect(made, "OpDecorate %clampler_nearest DescriptorSet 0\n");
        expect(made, "OpDecorate %clampler_nearest Binding 2\n");
        expect(made, "%clampler_nearest = OpVariable %_ptr_UniformConstant__arr_");
        expect(made, "= OpAccessChain %_ptr_UniformConstant_");
        expect(made, " %clampler_nearest %uint_2\n");
        free(made);
    }
}

static void indices_are_multiplied_once(void **state)
{
    (void)state;
    char *made =
        rewritten(TEXT_VULKAN_1_1, &buffers, MAIN "%p = OpAccessChain %p_sampler %samplers %int_2\n" LOOK("%p") END);
    expect(made, "OpDecorate %clampler_nearest Binding 3\n");
    expect(made, "%uint_20 = OpConstant %uint 20\n");
    expect(made, "= OpIMul %uint %uint_2 %uint_4\n");
    expect(made, "OpAccessChain %_ptr_UniformConstant_");
    free(made);
    made = rewritten(TEXT_VULKAN_1_1, &buffers, MAIN "%p = OpAccessChain %p_sampler %samplers %k\n" LOOK("%p") END);
    expect(made, "= OpIMul %uint %");
    expect(made, "= OpIMul %int %k %int_4"); /* the program's own index, which the layout multiplies */
    free(made);
}

/* Which element a parameter is, its identity tells. */
static void parameters_have_theirs(void **state)
{
    (void)state;
    char *made = rewritten(TEXT_VULKAN_1_1, &buffers,
                           CALLING "%p = OpAccessChain %p_sampler %samplers %k\n"
                                   "%x = OpFunctionCall %v4float %f %mc %p\n"
                                   "%p2 = OpAccessChain %p_sampler %samplers %int_2\n"
                                   "%y = OpFunctionCall %v4float %f %mc %p2\n" END FUNCTION);
    expect(made, "OpDecorate %clampler_nearest Binding 3\n");
    assert_null(strstr(made, "OpSwitch"));
    free(made);
    /* Of several bindings each has its own. */
    made = rewritten(TEXT_VULKAN_1_1, &buffers,
                     CALLING "%p = OpAccessChain %p_sampler %samplers %k\n"
                             "%x = OpFunctionCall %v4float %f %mc %p\n"
                             "%y = OpFunctionCall %v4float %f %mc %sampler\n" END FUNCTION);
    expect(made, "OpDecorate %clampler_nearest Binding 2\n");
    expect(made, "OpDecorate %clampler_nearest_0 Binding 3\n");
    expect(made, "= OpISub %uint %");
    expect(made, " %uint_6\n");
    expect(made, "OpSwitch %");
    free(made);
}

static void bindings_without_one_use_their_own(void **state)
{
    (void)state;
    struct spirv_binding own[3];
    memcpy(own, bindings, sizeof(own));
    own[2].nearest = 0;
    struct spirv_set own_set = set;
    own_set.bindings = own;
    struct spirv_layout layout = buffers;
    layout.sets = &own_set;
    char *made = rewritten(TEXT_VULKAN_1_1, &layout, MAIN LOOK("%sampler") END);
    assert_null(strstr(made, "clampler_nearest"));
    free(made);
}

/* In heaps it is mapped to a binding that nobody else has; parameters need nothing more. */
static void heaps_have_an_embedded_one(void **state)
{
    (void)state;
    const struct spirv_mapping mapping = {.binding_count = 3,
                                          .resources = SPIRV_RESOURCE_SAMPLER | SPIRV_RESOURCE_SAMPLED_IMAGE,
                                          .followed = true,
                                          .image = {.offset = {32, 32, 32}, .stride = 64},
                                          .sampler = {.base = 1, .offset = {16, 16, 16}, .stride = 32}};
    struct spirv_layout layout = {.root_at = 120,
                                  .mappings = &mapping,
                                  .mapping_count = 1,
                                  .heaps = {.image_size = 64, .sampler_size = 32, .nearest_set = 4, .nearest = 8}};
    static const char calls[] =
        CALLING "%p = OpAccessChain %p_sampler %samplers %k\n%x = OpFunctionCall %v4float %f %mc %p\n"
                "%y = OpFunctionCall %v4float %f %mc %sampler\n" END FUNCTION;
    const enum text_environment environments[] = {TEXT_VULKAN_1_1, TEXT_VULKAN_1_1_SPIRV_1_4};
    for (int i = 0; i < 2; i++) {
        char *made = rewritten(environments[i], &layout, calls);
        expect(made, "OpDecorate %clampler_nearest DescriptorSet 4\n");
        expect(made, "OpDecorate %clampler_nearest Binding 7\n");
        free(made);
    }
    layout.heaps.nearest = 0;
    char *made = rewritten(TEXT_VULKAN_1_1, &layout, calls);
    assert_null(strstr(made, "clampler_nearest"));
    free(made);
}

/* ---- All images ---- */

static void where_drivers_fetch_other_texels_all_are_sampled(void **state)
{
    (void)state;
    static const char *const dimensions[] = {"2D  ", "3D  "};
    static const struct spirv_binding plain[] = {{.count = 1},
                                                 {.binding = 1, .new_binding = 1, .first_record = 1, .count = 5},
                                                 {.binding = 2, .new_binding = 2, .first_record = 6, .count = 1}};
    struct spirv_set beside = {
        .bindings = plain, .binding_count = 3, .record_binding = 3, .record_count = 7, .storage = true, .nearest = 5};
    const struct spirv_layout layout = {.sets = &beside, .set_count = 1};
    for (int i = 0; i < 2 * 2 * 2; i++) {
        const struct spirv_options options = {
            .tier = 2, .form = i / 2 % 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU, .texels_sampled = true};
        const struct spirv_options fetching = {.tier = 2, .form = options.form};
        const char *code = MAIN LOOK("%sampler") END;
        beside.nearest = i / 4 ? 0 : 5;
        char *made = rewritten_of(dimensions[i % 2], &options, TEXT_VULKAN_1_1, &layout, code);
        if (beside.nearest) {
            expect(made, "OpDecorate %clampler_nearest Binding 4\n");
            assert_null(strstr(made, "OpImageFetch"));
        } else {
            expect(made, "OpImageFetch");
            assert_null(strstr(made, "clampler_nearest"));
        }
        free(made);
        made = rewritten_of(dimensions[i % 2], &fetching, TEXT_VULKAN_1_1, &layout, code);
        expect(made, "OpImageFetch");
        free(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptor_buffers_have_one_behind_each),
        cmocka_unit_test(indices_are_multiplied_once),
        cmocka_unit_test(parameters_have_theirs),
        cmocka_unit_test(bindings_without_one_use_their_own),
        cmocka_unit_test(heaps_have_an_embedded_one),
        cmocka_unit_test(where_drivers_fetch_other_texels_all_are_sampled),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
