/* SPDX-License-Identifier: MIT */
/*
 * What becomes of every instruction that has an image, a sampler or both among its operands: it is rewritten, it is
 * said why not, or nothing that OpenGL decides is read by it. Instructions that a newer list has need a row here.
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
#include "spirv/module/site.h"
#include "spirv_text.h"

/* What becomes of an instruction. */
enum fate {
    LOOKUP = 1,  /* rewritten */
    TEXEL_FETCH, /* rewritten for uniform texel buffers, and combined image samplers, whose view may not decode sRGB */
    TEXEL_COUNT, /* likewise */
    INPUT_READ,  /* rewritten for input attachments; else it reads a storage image */
    LOD_QUERY,   /* rewritten */
    LEVEL_SIZE,  /* rewritten where the image may have border texels */
    SAID,        /* left alone with a message */
    SOURCE,      /* makes or takes apart what the others read: followed */
    QUERY,       /* of an image */
    NO_SAMPLER,  /* storage images, tile images, fragments of multisampled images */
    OF_KERNELS,  /* or by handles that have no binding: lookups through them are left alone with a message */
};

static const struct {
    uint32_t opcode;
    enum fate fate;
} rows[] = {
    {SpvOpSampledImage, SOURCE},
    {SpvOpImageSampleImplicitLod, LOOKUP},
    {SpvOpImageSampleExplicitLod, LOOKUP},
    {SpvOpImageSampleDrefImplicitLod, LOOKUP},
    {SpvOpImageSampleDrefExplicitLod, LOOKUP},
    {SpvOpImageSampleProjImplicitLod, LOOKUP},
    {SpvOpImageSampleProjExplicitLod, LOOKUP},
    {SpvOpImageSampleProjDrefImplicitLod, LOOKUP},
    {SpvOpImageSampleProjDrefExplicitLod, LOOKUP},
    {SpvOpImageFetch, TEXEL_FETCH},
    {SpvOpImageGather, LOOKUP},
    {SpvOpImageDrefGather, LOOKUP},
    {SpvOpImageRead, INPUT_READ},
    {SpvOpImageWrite, NO_SAMPLER},
    {SpvOpImage, SOURCE},
    {SpvOpImageQueryFormat, QUERY},
    {SpvOpImageQueryOrder, QUERY},
    {SpvOpImageQuerySizeLod, LEVEL_SIZE},
    {SpvOpImageQuerySize, TEXEL_COUNT},
    {SpvOpImageQueryLod, LOD_QUERY},
    {SpvOpImageQueryLevels, QUERY},
    {SpvOpImageQuerySamples, QUERY},
    {SpvOpImageSparseSampleImplicitLod, LOOKUP},
    {SpvOpImageSparseSampleExplicitLod, LOOKUP},
    {SpvOpImageSparseSampleDrefImplicitLod, LOOKUP},
    {SpvOpImageSparseSampleDrefExplicitLod, LOOKUP},
    {SpvOpImageSparseSampleProjImplicitLod, LOOKUP}, /* these four are reserved */
    {SpvOpImageSparseSampleProjExplicitLod, LOOKUP},
    {SpvOpImageSparseSampleProjDrefImplicitLod, LOOKUP},
    {SpvOpImageSparseSampleProjDrefExplicitLod, LOOKUP},
    {SpvOpImageSparseFetch, TEXEL_FETCH},
    {SpvOpImageSparseGather, LOOKUP},
    {SpvOpImageSparseDrefGather, LOOKUP},
    {SpvOpImageSparseTexelsResident, NO_SAMPLER},
    {SpvOpImageSparseRead, NO_SAMPLER},
    {4160 /* OpColorAttachmentReadEXT */, NO_SAMPLER},
    {4161 /* OpDepthAttachmentReadEXT */, NO_SAMPLER},
    {4162 /* OpStencilAttachmentReadEXT */, NO_SAMPLER},
    {4480 /* OpImageSampleWeightedQCOM */, SAID},
    {4481 /* OpImageBoxFilterQCOM */, SAID},
    {4482 /* OpImageBlockMatchSSDQCOM */, SAID},
    {4483 /* OpImageBlockMatchSADQCOM */, SAID},
    {4500 /* OpImageBlockMatchWindowSSDQCOM */, SAID},
    {4501 /* OpImageBlockMatchWindowSADQCOM */, SAID},
    {4502 /* OpImageBlockMatchGatherSSDQCOM */, SAID},
    {4503 /* OpImageBlockMatchGatherSADQCOM */, SAID},
    {4545 /* OpImageGatherQCOM */, SAID},
    {5011 /* OpFragmentMaskFetchAMD */, NO_SAMPLER},
    {5012 /* OpFragmentFetchAMD */, NO_SAMPLER},
    {5283 /* OpImageSampleFootprintNV */, SAID},
    {6529 /* OpConvertHandleToImageINTEL */, OF_KERNELS},
    {6530 /* OpConvertHandleToSamplerINTEL */, OF_KERNELS},
    {6531 /* OpConvertHandleToSampledImageINTEL */, OF_KERNELS},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static enum fate fate_of(uint32_t opcode)
{
    enum fate fate = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        if (rows[i].opcode != opcode)
            continue;
        assert_int_equal(fate, 0);
        fate = rows[i].fate;
    }
    return fate;
}

static void every_instruction_with_images_has_its_row(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t opcode = 0; opcode < OPCODE_SHAPE_COUNT; opcode++) {
        const enum fate fate = fate_of(opcode);
        if (!(opcode_shape(opcode) & OPCODE_READS_IMAGES) != !fate)
            fail_msg("opcode %u: a row if images are among its operands, and else none", opcode);
        found += fate != 0;
        assert_int_equal(opcode_lookup(opcode) >= 0, fate == LOOKUP);
        assert_int_equal(opcode_is_drivers(opcode), fate == SAID);
        assert_int_equal(opcode_may_be_site(opcode), fate >= LOOKUP && fate <= SAID);
    }
    assert_int_equal(found, ROWS);
}

/* ---- Modules ---- */

#define HEAD(capabilities)                                                                                             \
    "OpCapability Shader\nOpCapability SampledBuffer\n" capabilities "OpMemoryModel Logical GLSL450\n"                 \
    "OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n"                           \
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\n"                                                          \
    "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\nOpDecorate %s DescriptorSet 0\nOpDecorate %s Binding 1\n" \
    "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 2\n"                                                         \
    "OpDecorate %x DescriptorSet 0\nOpDecorate %x Binding 3\n"                                                         \
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"             \
    "%int = OpTypeInt 32 1\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"                      \
    "%v2int = OpTypeVector %int 2\n%v4uint = OpTypeVector %uint 4\n%pair_type = OpTypeStruct %int %v4float\n"          \
    "%float_0 = OpConstant %float 0\n%float_1 = OpConstant %float 1\n%int_0 = OpConstant %int 0\n"                     \
    "%int_1 = OpConstant %int 1\n%uint_2 = OpConstant %uint 2\n%ints = OpConstantComposite %v2int %int_1 %int_0\n"     \
    "%uints = OpConstantComposite %v4uint %uint_2 %uint_2 %uint_2 %uint_2\n"                                           \
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_pair = OpTypeSampledImage %t_image\n"                        \
    "%t_images = OpTypeArray %t_image %uint_2\n"                                                                       \
    "%t_sampler = OpTypeSampler\n%t_texels = OpTypeImage %float Buffer 0 0 0 1 Unknown\n"                              \
    "%p_image = OpTypePointer UniformConstant %t_images\n%p_pair = OpTypePointer UniformConstant %t_pair\n"            \
    "%p_sampler = OpTypePointer UniformConstant %t_sampler\n%p_texels = OpTypePointer UniformConstant %t_texels\n"     \
    "%p_in = OpTypePointer Input %v2float\n%p_out = OpTypePointer Output %v4float\n"                                   \
    "%p_one = OpTypePointer UniformConstant %t_image\n"                                                                \
    "%in = OpVariable %p_in Input\n%out = OpVariable %p_out Output\n%t = OpVariable %p_image UniformConstant\n"        \
    "%s = OpVariable %p_sampler UniformConstant\n%b = OpVariable %p_pair UniformConstant\n"                            \
    "%x = OpVariable %p_texels UniformConstant\n"                                                                      \
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c = OpLoad %v2float %in\n"                               \
    "%combined = OpLoad %t_pair %b\n%sampler = OpLoad %t_sampler %s\n%at = OpAccessChain %p_one %t %int_1\n"           \
    "%image = OpLoad %t_image %at\n%pair = OpSampledImage %t_pair %image %sampler\n%texels = OpLoad %t_texels %x\n"
#define END "OpReturn\nOpFunctionEnd\n"

static struct spirv_words assembled(const char *text)
{
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(words.words);
    return words;
}

/* How often an opcode stands in a module. */
static uint32_t count_of(const uint32_t *words, size_t count, uint32_t opcode)
{
    uint32_t found = 0;
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at))
        found += inst_opcode(words + at) == opcode;
    return found;
}

/* Rewrites in both tiers and forms; what comes out is valid where the input is. */
struct judged {
    uint32_t lookups, reads; /* expected */
    const char *message;     /* a part of it in tier 2; NULL: none */
    const char *message_1;   /* the same in tier 1 */
    uint32_t kept;           /* an opcode that stays once; 0: none */
    bool valid;
};

static void judge(const struct spirv_words *module, const struct judged *expected)
{
    static struct auto_layout layout;
    auto_layout(module->words, module->count, AUTO_LAYOUT_STORAGE, &layout);
    if (expected->valid)
        assert_true(text_validate(TEXT_VULKAN_1_0, module->words, module->count, "input"));
    for (uint32_t i = 0; i < 8; i++) {
        const struct spirv_options options = {.tier = 1 + i % 2,
                                              .form = i & 2 ? SPIRV_FORM_GPU : SPIRV_FORM_CPU,
                                              .texel_paths = i & 4 ? SPIRV_TEXEL_VIEWS : SPIRV_TEXEL_NARROW};
        const char *const message = options.tier == 2 ? expected->message : expected->message_1;
        struct spirv_output output;
        const enum spirv_result result =
            spirv_rewrite(module->words, module->count, &layout.layout, &options, NULL, &output);
        const bool rewritten = expected->lookups + expected->reads != 0;
        assert_int_equal(result, rewritten ? SPIRV_REWRITTEN : SPIRV_UNCHANGED);
        assert_int_equal(output.rewritten_lookups, expected->lookups);
        assert_int_equal(output.rewritten_reads, expected->reads);
        if (message)
            assert_non_null(strstr(output.message, message));
        else
            assert_string_equal(output.message, "");
        if (rewritten && expected->kept)
            assert_int_equal(count_of(output.words, output.word_count, expected->kept), 1);
        if (rewritten && expected->valid)
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
        free(output.words);
    }
}

static void judge_text(const char *text, const struct judged *expected)
{
    struct spirv_words module = assembled(text);
    judge(&module, expected);
    free(module.words);
}

/* ---- What is said ---- */

static const char only_driver[] = "it reads through a sampler as only the driver can";

/* Instructions that older tools do not know, written in the place of another one. */
static struct spirv_words with_opcode(uint32_t opcode, const char *image, const char *before)
{
    char text[8192];
    int length = snprintf(text, sizeof(text), "%s%s%%y = OpCompositeConstruct %%v4float", HEAD(""), before);
    for (uint32_t i = 3; i < (opcode_shape(opcode) & OPCODE_LEAST_MASK); i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %s", image);
    snprintf(text + length, sizeof(text) - (size_t)length, "\n%s", END);
    struct spirv_words module = assembled(text);
    for (size_t at = HEADER_WORDS; at < module.count; at += inst_length(module.words + at)) {
        if (inst_opcode(module.words + at) == SpvOpCompositeConstruct)
            module.words[at] = inst_length(module.words + at) << 16 | opcode;
    }
    assert_int_equal(count_of(module.words, module.count, opcode), 1);
    return module;
}

static void what_only_drivers_read_is_said(void **state)
{
    (void)state;
    static const char *const images[] = {"%pair", "%combined"};
    static const char lookup[] = "%r = OpImageSampleImplicitLod %v4float %combined %c\n";
    uint32_t said = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t k = 0; k < 4 && rows[i].fate == SAID; k++, said++) {
            struct spirv_words module = with_opcode(rows[i].opcode, images[k % 2], k < 2 ? "" : lookup);
            struct spirv_facts facts;
            assert_int_equal(spirv_scan(module.words, module.count, &facts), SPIRV_UNCHANGED);
            assert_true(facts.samples); /* else no pipeline with it alone asks for what says so */
            judge(&module,
                  &(struct judged){.lookups = k < 2 ? 0 : 1, .message = only_driver, .message_1 = only_driver});
            free(module.words);
        }
    }
    assert_int_equal(said, 40);
}

/* Else the layer would hand the module over as it is. Input attachments have types of their own: golden_test.c. */
static void a_site_without_others_is_found_by_the_scan(void **state)
{
    (void)state;
    uint32_t found = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        if (!opcode_may_be_site(rows[i].opcode) || rows[i].fate == INPUT_READ)
            continue;
        struct spirv_words module = with_opcode(rows[i].opcode, "%combined", "");
        struct spirv_facts facts;
        assert_int_equal(spirv_scan(module.words, module.count, &facts), SPIRV_UNCHANGED);
        if (!spirv_follows_records(&facts))
            fail_msg("opcode %u: spirv_scan() finds nothing that follows records", rows[i].opcode);
        free(module.words);
        found++;
    }
    assert_true(found > SITE_KINDS);
}

/* Descriptors that no record may belong to are not worth a word. */
static void what_has_no_record_is_not_said(void **state)
{
    (void)state;
    const struct spirv_layout nothing = {0};
    const struct spirv_options options = {.tier = 2};
    struct spirv_words module = with_opcode(OP_IMAGE_SAMPLE_FOOTPRINT, "%combined", "");
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(module.words, module.count, &nothing, &options, NULL, &output), SPIRV_UNCHANGED);
    assert_string_equal(output.message, "");
    free(module.words);
}

/* SPV_AMD_texture_gather_bias_lod: tier 1 moves the coordinate, tier 2 does not filter; offsets are left alone. */
static void gathers_from_a_level_of_their_own_are_not_filtered(void **state)
{
    (void)state;
    static const char no_filter[] = "no filter for a gather from a level of its own",
                      alone[] = "it gathers with offsets from a level of its own";
    judge_text(
        HEAD("OpCapability ImageGatherBiasLodAMD\nOpExtension \"SPV_AMD_texture_gather_bias_lod\"\n") "%r = "
                                                                                                      "OpImageGather "
                                                                                                      "%v4float "
                                                                                                      "%combined %c "
                                                                                                      "%int_0 Lod "
                                                                                                      "%float_1\n" END,
        &(struct judged){.lookups = 1, .message = no_filter, .kept = SpvOpImageGather});
    judge_text(
        HEAD("OpCapability ImageGatherBiasLodAMD\nOpExtension \"SPV_AMD_texture_gather_bias_lod\"\n") "%r = "
                                                                                                      "OpImageGather "
                                                                                                      "%v4float %pair "
                                                                                                      "%c %int_0 Bias "
                                                                                                      "%float_1\n" END,
        &(struct judged){.lookups = 1, .message = no_filter, .kept = SpvOpImageGather});
    judge_text(
        HEAD("OpCapability ImageGatherBiasLodAMD\nOpExtension \"SPV_AMD_texture_gather_bias_lod\"\n") "%r = "
                                                                                                      "OpImageGather "
                                                                                                      "%v4float "
                                                                                                      "%combined %c "
                                                                                                      "%int_0 "
                                                                                                      "Lod|ConstOffset "
                                                                                                      "%float_1 "
                                                                                                      "%ints\n" END,
        &(struct judged){.message = alone, .message_1 = alone});
}

/* ---- What is rewritten ---- */

static void sparse_fetches_of_texel_buffers_are_rewritten(void **state)
{
    (void)state;
    judge_text(HEAD("OpCapability SparseResidency\n") "%r = OpImageSparseFetch %pair_type %texels %int_1\n%v = "
                                                      "OpCompositeExtract %v4float %r 1\n"
                                                      "OpStore %out %v\n" END,
               &(struct judged){.reads = 1, .kept = SpvOpImageSparseFetch, .valid = true});
    judge_text(HEAD("OpCapability SparseResidency\n") "%a = OpImageFetch %v4float %texels %int_1\n%r = "
                                                      "OpImageSparseFetch %pair_type %texels %int_1\n"
                                                      "%f = OpImageFetch %v4float %texels %int_0\n%v = "
                                                      "OpCompositeExtract %v4float %r 1\n"
                                                      "%d = OpFAdd %v4float %a %v\n%e = OpFAdd %v4float %d %f\nOpStore "
                                                      "%out %e\n" END,
               &(struct judged){.reads = 3, .kept = SpvOpImageSparseFetch, .valid = true});
}

/* The first component is the index. */
static void fetches_by_an_index_in_a_vector_are_rewritten(void **state)
{
    (void)state;
    judge_text(HEAD("") "%r = OpImageFetch %v4float %texels %ints\nOpStore %out %r\n" END,
               &(struct judged){.reads = 1, .valid = true});
    judge_text(HEAD("") "%r = OpImageFetch %v4float %texels %uints\nOpStore %out %r\n" END,
               &(struct judged){.reads = 1, .valid = true});
}

/* Arrays that are loaded whole, also behind what splits their block. */
static void images_out_of_loaded_arrays_are_followed(void **state)
{
    (void)state;
    judge_text(HEAD("") "%all = OpLoad %t_images %t\n%one = OpCompositeExtract %t_image %all 1\n"
                        "%p = OpSampledImage %t_pair %one %sampler\n"
                        "%r = OpImageSampleImplicitLod %v4float %p %c\nOpStore %out %r\n" END,
               &(struct judged){.lookups = 1, .valid = true});
    judge_text(HEAD("") "%all = OpLoad %t_images %t\n%one = OpCompositeExtract %t_image %all 1\n"
                        "%two = OpCompositeExtract %t_image %all 0\n%p = OpSampledImage %t_pair %one %sampler\n"
                        "%r = OpImageSampleImplicitLod %v4float %p %c\nOpStore %out %r\n"
                        "%p2 = OpSampledImage %t_pair %two %sampler\n"
                        "%r2 = OpImageSampleImplicitLod %v4float %p2 %c\nOpStore %out %r2\n"
                        "%three = OpCompositeExtract %t_image %all 0\n%p3 = OpSampledImage %t_pair %three %sampler\n"
                        "%r3 = OpImageSampleImplicitLod %v4float %p3 %c\nOpStore %out %r3\n" END,
               &(struct judged){.lookups = 3, .valid = true});
    /* Literals beyond the array are not valid, and no record's. */
    judge_text(HEAD("") "%all = OpLoad %t_images %t\n%one = OpCompositeExtract %t_image %all 1 0\n"
                        "%p = OpSampledImage %t_pair %one %sampler\n"
                        "%r = OpImageSampleImplicitLod %v4float %p %c\nOpStore %out %r\n" END,
               &(struct judged){.message = "cannot be known", .message_1 = "cannot be known"});
}

/* Texels of 64 bits (SPV_EXT_shader_image_int64) are not followed (docs/limits.md). */
static void texels_of_64_bits_are_said(void **state)
{
    (void)state;
    static const char unknown[] = "its operands or types are not known here";
    static const char text[] =
        "OpCapability Shader\nOpCapability Int64\nOpCapability Int64ImageEXT\n"
        "OpExtension \"SPV_EXT_shader_image_int64\"\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint Fragment %main \"main\" %in\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n"
        "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n%void = OpTypeVoid\n%voids = OpTypeFunction %void\n"
        "%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2\n%long = OpTypeInt 64 0\n"
        "%v4long = OpTypeVector %long 4\n%t_image = OpTypeImage %long 2D 0 0 0 1 Unknown\n"
        "%t_pair = OpTypeSampledImage %t_image\n%p_pair = OpTypePointer UniformConstant %t_pair\n"
        "%p_in = OpTypePointer Input %v2float\n%in = OpVariable %p_in Input\n%t = OpVariable %p_pair UniformConstant\n"
        "%main = OpFunction %void None %voids\n%first = OpLabel\n%c = OpLoad %v2float %in\n"
        "%p = OpLoad %t_pair %t\n%r = OpImageSampleImplicitLod %v4long %p %c\n" END;
    judge_text(text, &(struct judged){.message = unknown, .message_1 = unknown});
}

/*
 * SPIR-V has images of which nothing says whether they are sampled or stored to; Vulkan has none. No
 * OpImageFetch takes them, which is what a filter becomes.
 */
static void images_that_may_be_stored_to_are_said(void **state)
{
    (void)state;
    static const char unknown[] = "its operands or types are not known here";
    static const char text[] =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint Fragment %main \"main\" %in\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n"
        "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n%void = OpTypeVoid\n%voids = OpTypeFunction %void\n"
        "%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
        "%t_image = OpTypeImage %float 2D 0 0 0 0 Unknown\n"
        "%t_pair = OpTypeSampledImage %t_image\n%p_pair = OpTypePointer UniformConstant %t_pair\n"
        "%p_in = OpTypePointer Input %v2float\n%in = OpVariable %p_in Input\n%t = OpVariable %p_pair UniformConstant\n"
        "%main = OpFunction %void None %voids\n%first = OpLabel\n%c = OpLoad %v2float %in\n"
        "%p = OpLoad %t_pair %t\n%r = OpImageSampleImplicitLod %v4float %p %c\n" END;
    judge_text(text, &(struct judged){.message = unknown, .message_1 = unknown});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_with_images_has_its_row),
        cmocka_unit_test(what_only_drivers_read_is_said),
        cmocka_unit_test(a_site_without_others_is_found_by_the_scan),
        cmocka_unit_test(what_has_no_record_is_not_said),
        cmocka_unit_test(gathers_from_a_level_of_their_own_are_not_filtered),
        cmocka_unit_test(sparse_fetches_of_texel_buffers_are_rewritten),
        cmocka_unit_test(fetches_by_an_index_in_a_vector_are_rewritten),
        cmocka_unit_test(images_out_of_loaded_arrays_are_followed),
        cmocka_unit_test(texels_of_64_bits_are_said),
        cmocka_unit_test(images_that_may_be_stored_to_are_said),
    };
    return cmocka_run_group_tests_name("spirv_images", tests, NULL, NULL);
}
