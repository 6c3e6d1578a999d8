/* SPDX-License-Identifier: MIT */
/*
 * One module for each opcode and operand form, rewritten in every tier and form, compared with what stands in golden/
 * and validated. `spirv_golden_test --update` writes golden/ anew; read the difference before committing it.
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

struct golden {
    const char *name;
    const char *image;       /* operands of OpTypeImage */
    const char *instruction; /* what gives %result */
    const char *capabilities;
};

#define F2D "%float 2D 0 0 0 1 Unknown"
#define F2DA "%float 2D 0 1 0 1 Unknown"
#define F1D "%float 1D 0 0 0 1 Unknown"
#define F1DA "%float 1D 0 1 0 1 Unknown"
#define F3D "%float 3D 0 0 0 1 Unknown"
#define FCUBE "%float Cube 0 0 0 1 Unknown"
#define FCUBEA "%float Cube 0 1 0 1 Unknown"
#define DCUBE "%float Cube 1 0 0 1 Unknown"
#define UCUBE "%uint Cube 0 0 0 1 Unknown"
#define D2D "%float 2D 1 0 0 1 Unknown"
#define D2DA "%float 2D 1 1 0 1 Unknown"
#define I2D "%int 2D 0 0 0 1 Unknown"
#define U2D "%uint 2D 0 0 0 1 Unknown"
#define I3D "%int 3D 0 0 0 1 Unknown"
#define FBUFFER "%float Buffer 0 0 0 1 Unknown"
#define BUFFER "OpCapability SampledBuffer\n"
#define SAMPLED1D "OpCapability Sampled1D\n"
#define MINLOD "OpCapability MinLod\n"
#define SPARSE "OpCapability SparseResidency\n"
#define GATHER "OpCapability ImageGatherExtended\n"

static const struct golden goldens[] = {
    {"implicit_1d", F1D, "OpImageSampleImplicitLod %v4float %image_sampler %c1", SAMPLED1D},
    {"implicit_1d_array", F1DA, "OpImageSampleImplicitLod %v4float %image_sampler %c2", SAMPLED1D},
    {"implicit_2d", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2", ""},
    {"implicit_2d_wide_coordinate", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c4", ""},
    {"implicit_2d_array", F2DA, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_3d", F3D, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_cube", FCUBE, "OpImageSampleImplicitLod %v4float %image_sampler %c3", ""},
    {"implicit_cube_array", FCUBEA, "OpImageSampleImplicitLod %v4float %image_sampler %c4",
     "OpCapability SampledCubeArray\n"},
    {"explicit_grad_cube", FCUBE, "OpImageSampleExplicitLod %v4float %image_sampler %c3 Grad %c3 %c3", ""},
    {"explicit_lod_cube_uint", UCUBE, "OpImageSampleExplicitLod %v4uint %image_sampler %c3 Lod %f", ""},
    {"dref_implicit_cube", DCUBE, "OpImageSampleDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"gather_cube", FCUBE, "OpImageGather %v4float %image_sampler %c3 %int_3", ""},
    {"dref_gather_cube", DCUBE, "OpImageDrefGather %v4float %image_sampler %c3 %f", ""},
    {"implicit_int", I2D, "OpImageSampleImplicitLod %v4int %image_sampler %c2", ""},
    {"implicit_uint", U2D, "OpImageSampleImplicitLod %v4uint %image_sampler %c2", ""},
    {"implicit_bias", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 Bias %f", ""},
    {"implicit_const_offset", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 ConstOffset %offset2", ""},
    {"implicit_const_offset_1d", F1D, "OpImageSampleImplicitLod %v4float %image_sampler %c1 ConstOffset %int_3",
     SAMPLED1D},
    {"implicit_const_offset_uint", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 ConstOffset %uoffset2",
     ""},
    {"implicit_min_lod", F2D, "OpImageSampleImplicitLod %v4float %image_sampler %c2 MinLod %f", MINLOD},
    {"implicit_bias_const_offset_min_lod", F3D,
     "OpImageSampleImplicitLod %v4float %image_sampler %c3 Bias|ConstOffset|MinLod %f %offset3 %f", MINLOD},
    {"explicit_lod", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %f", ""},
    {"explicit_lod_zero", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod %float_0", ""},
    {"explicit_lod_array", F2DA, "OpImageSampleExplicitLod %v4float %image_sampler %c3 Lod %f", ""},
    {"explicit_lod_int_3d", I3D, "OpImageSampleExplicitLod %v4int %image_sampler %c3 Lod %f", ""},
    {"explicit_lod_const_offset", F2D,
     "OpImageSampleExplicitLod %v4float %image_sampler %c2 Lod|ConstOffset %f %offset2", ""},
    {"explicit_grad", F2D, "OpImageSampleExplicitLod %v4float %image_sampler %c2 Grad %c2 %c2", ""},
    {"explicit_grad_const_offset_min_lod", F2D,
     "OpImageSampleExplicitLod %v4float %image_sampler %c2 Grad|ConstOffset|MinLod %c2 %c2 %offset2 %f", MINLOD},
    {"dref_implicit", D2D, "OpImageSampleDrefImplicitLod %float %image_sampler %c2 %f", ""},
    {"dref_implicit_array", D2DA, "OpImageSampleDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"dref_implicit_bias_const_offset", D2D,
     "OpImageSampleDrefImplicitLod %float %image_sampler %c2 %f Bias|ConstOffset %f %offset2", ""},
    {"dref_explicit_lod", D2D, "OpImageSampleDrefExplicitLod %float %image_sampler %c2 %f Lod %f", ""},
    {"dref_explicit_grad", D2D, "OpImageSampleDrefExplicitLod %float %image_sampler %c2 %f Grad %c2 %c2", ""},
    {"proj_implicit", F2D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c3", ""},
    {"proj_implicit_1d", F1D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c2", SAMPLED1D},
    {"proj_implicit_3d", F3D, "OpImageSampleProjImplicitLod %v4float %image_sampler %c4", ""},
    {"proj_implicit_bias_const_offset", F2D,
     "OpImageSampleProjImplicitLod %v4float %image_sampler %c4 Bias|ConstOffset %f %offset2", ""},
    {"proj_explicit_lod", F2D, "OpImageSampleProjExplicitLod %v4float %image_sampler %c3 Lod %f", ""},
    {"proj_explicit_grad", F2D, "OpImageSampleProjExplicitLod %v4float %image_sampler %c3 Grad %c2 %c2", ""},
    {"proj_dref_implicit", D2D, "OpImageSampleProjDrefImplicitLod %float %image_sampler %c3 %f", ""},
    {"proj_dref_explicit_lod", D2D, "OpImageSampleProjDrefExplicitLod %float %image_sampler %c3 %f Lod %f", ""},
    {"gather", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3", ""},
    {"gather_array", F2DA, "OpImageGather %v4float %image_sampler %c3 %int_3", ""},
    {"gather_uint", U2D, "OpImageGather %v4uint %image_sampler %c2 %uint_1", ""},
    {"gather_const_offset", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 ConstOffset %offset2", ""},
    {"gather_offset", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 Offset %dynamic_offset", GATHER},
    {"gather_const_offsets", F2D, "OpImageGather %v4float %image_sampler %c2 %int_3 ConstOffsets %offsets", GATHER},
    {"dref_gather", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f", ""},
    {"dref_gather_const_offset", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f ConstOffset %offset2", ""},
    {"dref_gather_const_offsets", D2D, "OpImageDrefGather %v4float %image_sampler %c2 %f ConstOffsets %offsets",
     GATHER},
    {"sparse_implicit", F2D, "OpImageSparseSampleImplicitLod %sparse_v4float %image_sampler %c2", SPARSE},
    {"sparse_implicit_bias_const_offset_min_lod", F2D,
     "OpImageSparseSampleImplicitLod %sparse_v4float %image_sampler %c2 Bias|ConstOffset|MinLod %f %offset2 %f",
     SPARSE MINLOD},
    {"sparse_explicit_lod", F2D, "OpImageSparseSampleExplicitLod %sparse_v4float %image_sampler %c2 Lod %f", SPARSE},
    {"sparse_explicit_grad", F3D, "OpImageSparseSampleExplicitLod %sparse_v4float %image_sampler %c3 Grad %c3 %c3",
     SPARSE},
    {"sparse_dref_implicit", D2D, "OpImageSparseSampleDrefImplicitLod %sparse_float %image_sampler %c2 %f", SPARSE},
    {"sparse_dref_explicit_lod", D2D, "OpImageSparseSampleDrefExplicitLod %sparse_float %image_sampler %c2 %f Lod %f",
     SPARSE},
    {"sparse_gather", F2D, "OpImageSparseGather %sparse_v4float %image_sampler %c2 %int_3", SPARSE},
    {"sparse_gather_const_offsets", F2D,
     "OpImageSparseGather %sparse_v4float %image_sampler %c2 %int_3 ConstOffsets %offsets", SPARSE GATHER},
    {"sparse_dref_gather", D2D, "OpImageSparseDrefGather %sparse_v4float %image_sampler %c2 %f", SPARSE},
    {"fetch", F2D, "OpImageFetch %v4float %image_only %ic2 Lod %int_3", ""},
    {"query_lod", F2D, "OpImageQueryLod %v2float %image_sampler %c2", "OpCapability ImageQuery\n"},
    {"fetch_buffer", FBUFFER, "OpImageFetch %v4float %image_only %index", BUFFER},
    {"fetch_buffer_int", "%int Buffer 0 0 0 1 Unknown", "OpImageFetch %v4int %image_only %index", BUFFER},
    {"fetch_buffer_uint", "%uint Buffer 0 0 0 1 Unknown", "OpImageFetch %v4uint %image_only %uindex", BUFFER},
    {"query_size_buffer", FBUFFER, "OpImageQuerySize %int %image_only", BUFFER "OpCapability ImageQuery\n"},
};
#define GOLDEN_COUNT (sizeof(goldens) / sizeof(goldens[0]))

static const char before_types[] =
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in\n"
    "OpExecutionMode %main OriginUpperLeft\n"
    "OpName %main \"main\"\nOpName %result \"result\"\nOpName %texture \"texture\"\nOpName %c1 \"c1\"\n"
    "OpName %c2 \"c2\"\nOpName %c3 \"c3\"\nOpName %c4 \"c4\"\nOpName %f \"f\"\nOpName %image_sampler "
    "\"image_sampler\"\n"
    "OpDecorate %in Location 0\n"
    "OpDecorate %texture DescriptorSet 0\n"
    "OpDecorate %texture Binding 0\n"
    "OpDecorate %result RelaxedPrecision\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"
    "%v2float = OpTypeVector %float 2\n%v3float = OpTypeVector %float 3\n%v4float = OpTypeVector %float 4\n"
    "%v2int = OpTypeVector %int 2\n%v3int = OpTypeVector %int 3\n%v4int = OpTypeVector %int 4\n"
    "%v2uint = OpTypeVector %uint 2\n%v4uint = OpTypeVector %uint 4\n"
    "%sparse_v4float = OpTypeStruct %int %v4float\n%sparse_float = OpTypeStruct %int %float\n"
    "%float_0 = OpConstant %float 0\n%int_3 = OpConstant %int 3\n%int_n2 = OpConstant %int -2\n"
    "%uint_1 = OpConstant %uint 1\n%uint_4 = OpConstant %uint 4\n"
    "%offset2 = OpConstantComposite %v2int %int_3 %int_n2\n"
    "%offset3 = OpConstantComposite %v3int %int_3 %int_n2 %int_3\n"
    "%uoffset2 = OpConstantComposite %v2uint %uint_1 %uint_4\n"
    "%four_offsets = OpTypeArray %v2int %uint_4\n"
    "%offsets = OpConstantComposite %four_offsets %offset2 %offset2 %offset2 %offset2\n";

static const char after_types[] = "%sampled_image = OpTypeSampledImage %image\n"
                                  "%texture_pointer = OpTypePointer UniformConstant %sampled_image\n"
                                  "%texture = OpVariable %texture_pointer UniformConstant\n"
                                  "%in_pointer = OpTypePointer Input %v4float\n"
                                  "%in = OpVariable %in_pointer Input\n"
                                  "%main = OpFunction %void None %voids\n"
                                  "%first = OpLabel\n"
                                  "%c4 = OpLoad %v4float %in\n"
                                  "%c1 = OpCompositeExtract %float %c4 0\n"
                                  "%c2 = OpVectorShuffle %v2float %c4 %c4 0 1\n"
                                  "%c3 = OpVectorShuffle %v3float %c4 %c4 0 1 2\n"
                                  "%f = OpCompositeExtract %float %c4 3\n"
                                  "%ic2 = OpConvertFToS %v2int %c2\n"
                                  "%dynamic_offset = OpConvertFToS %v2int %c2\n"
                                  "%image_sampler = OpLoad %sampled_image %texture\n"
                                  "%image_only = OpImage %image %image_sampler\n";

/* Texel buffers are loaded as plain images. */
static const char after_buffer_types[] = "%texture_pointer = OpTypePointer UniformConstant %image\n"
                                         "%texture = OpVariable %texture_pointer UniformConstant\n"
                                         "%in_pointer = OpTypePointer Input %v4float\n"
                                         "%in = OpVariable %in_pointer Input\n"
                                         "%main = OpFunction %void None %voids\n"
                                         "%first = OpLabel\n"
                                         "%c4 = OpLoad %v4float %in\n"
                                         "%c1 = OpCompositeExtract %float %c4 0\n"
                                         "%c2 = OpVectorShuffle %v2float %c4 %c4 0 1\n"
                                         "%c3 = OpVectorShuffle %v3float %c4 %c4 0 1 2\n"
                                         "%f = OpCompositeExtract %float %c4 3\n"
                                         "%index = OpConvertFToS %int %f\n"
                                         "%uindex = OpConvertFToU %uint %f\n"
                                         "%image_sampler = OpLoad %image %texture\n"
                                         "%image_only = OpCopyObject %image %image_sampler\n";

static const char last_lines[] = "OpReturn\nOpFunctionEnd\n";

#define TEXEL_PATHS (SPIRV_TEXEL_VIEWS | SPIRV_TEXEL_ADDRESSES | SPIRV_TEXEL_NARROW)

static const struct {
    const char *name;
    struct spirv_options options;
} variants[] = {
    {"tier 1", {.tier = 1, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    {"tier 1, votes",
     {.tier = 1, .form = SPIRV_FORM_GPU, .votes = true, .rectangles = true, .texel_paths = TEXEL_PATHS}},
    {"tier 1, CPU form", {.tier = 1, .form = SPIRV_FORM_CPU, .texel_paths = TEXEL_PATHS}},
    {"tier 2", {.tier = 2, .form = SPIRV_FORM_GPU, .texel_paths = TEXEL_PATHS}},
    {"tier 2, CPU form", {.tier = 2, .form = SPIRV_FORM_CPU, .texel_paths = TEXEL_PATHS}},
};
#define VARIANT_COUNT (sizeof(variants) / sizeof(variants[0]))

static bool update;

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (file && text)
        text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

static void compare(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.spvasm", GOLDEN_FOLDER, name);
    if (update) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
        assert_int_equal(fclose(file), 0);
        return;
    }
    char *expected = read_file(path);
    assert_non_null(expected);
    if (strcmp(expected, text) != 0) {
        size_t at = 0;
        while (expected[at] == text[at])
            at++;
        fprintf(stderr, "%s: differs from\n%.200s\nhere:\n%.200s\n", path, expected + at, text + at);
    }
    bool same = strcmp(expected, text) == 0;
    free(expected);
    assert_true(same);
}

static void rewrites_as_in_golden(void **state)
{
    const struct golden *golden = *state;
    char module[8192];
    snprintf(module, sizeof(module), "OpCapability Shader\n%s%s%%image = OpTypeImage %s\n%s%%result = %s\n%s",
             golden->capabilities, before_types, golden->image,
             strstr(golden->image, "Buffer") ? after_buffer_types : after_types, golden->instruction, last_lines);
    struct spirv_words input = text_assemble(TEXT_VULKAN_1_0, module);
    assert_non_null(input.words);
    assert_true(text_validate(TEXT_VULKAN_1_0, input.words, input.count, golden->name));
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length =
        (size_t)sprintf(text, "; %%result = %s\n; %%image = OpTypeImage %s\n", golden->instruction, golden->image);
    char *before = NULL;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct auto_layout layout;
        auto_layout(input.words, input.count, 0, &layout);
        struct spirv_output output;
        enum spirv_result result =
            spirv_rewrite(input.words, input.count, &layout.layout, &variants[i].options, NULL, &output);
        length += (size_t)sprintf(text + length, "\n; %s\n", variants[i].name);
        assert_true(result == SPIRV_REWRITTEN || result == SPIRV_UNCHANGED);
        assert_string_equal(output.message, "");
        if (result == SPIRV_UNCHANGED) {
            assert_null(output.words);
            length += (size_t)sprintf(text + length, "; unchanged\n");
            continue;
        }
        assert_int_equal(output.rewritten_lookups + output.rewritten_reads, 1);
        assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, golden->name));
        char *essence = text_essence(output.words, output.word_count);
        assert_non_null(essence);
        bool same = before && strcmp(before, essence) == 0;
        length += (size_t)sprintf(text + length, "%s", same ? "; the same\n" : essence);
        free(before);
        before = essence;
        free(output.words);
    }
    free(before);
    compare(golden->name, text);
    free(text);
    free(input.words);
}

int main(int argc, char **argv)
{
    update = argc > 1 && strcmp(argv[1], "--update") == 0;
    static struct CMUnitTest tests[GOLDEN_COUNT];
    static char names[GOLDEN_COUNT][96];
    for (size_t i = 0; i < GOLDEN_COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "%s_rewrites_as_in_golden", goldens[i].name);
        tests[i] = (struct CMUnitTest){names[i], rewrites_as_in_golden, NULL, NULL, (void *)(uintptr_t)&goldens[i]};
    }
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
