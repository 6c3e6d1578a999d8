/* SPDX-License-Identifier: MIT */
/*
 * Instructions that read images, besides lookups: where a lookup in front of them split their block, what they read is
 * made again in the block that they are in now (SPIR-V 2.16.1, "Universal Validation Rules": OpSampledImage, and loads
 * of images and samplers, must be in the block that uses them). SPIRV-Tools checks that for OpSampledImage alone, so it
 * is checked here.
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
#include "spirv_text.h"

#define MOST_IDS 4096u

/* A fragment shader in three parts: `capabilities` of the case; a lookup through %pair; what the case reads behind it.
 */
#define HEAD(capabilities)                                                                                             \
    "OpCapability Shader\nOpCapability SampledBuffer\n" capabilities "OpMemoryModel Logical GLSL450\n"                 \
    "OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n"                           \
    "OpDecorate %in Location 0\nOpDecorate %in Flat\nOpDecorate %out Location 0\n"                                     \
    "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\nOpDecorate %s DescriptorSet 0\nOpDecorate %s Binding 1\n" \
    "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 2\n"                                                         \
    "OpDecorate %ts DescriptorSet 0\nOpDecorate %ts Binding 3\n"                                                       \
    "OpDecorate %tb DescriptorSet 0\nOpDecorate %tb Binding 4\n"                                                       \
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"             \
    "%int = OpTypeInt 32 1\n%bool = OpTypeBool\n%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"  \
    "%v2int = OpTypeVector %int 2\n%v2uint = OpTypeVector %uint 2\n"                                                   \
    "%float_0 = OpConstant %float 0\n%uint_0 = OpConstant %uint 0\n%int_0 = OpConstant %int 0\n"                       \
    "%origin = OpConstantComposite %v2int %int_0 %int_0\n"                                                             \
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_pair = OpTypeSampledImage %t_image\n"                        \
    "%t_sampler = OpTypeSampler\n%p_image = OpTypePointer UniformConstant %t_image\n"                                  \
    "%p_pair = OpTypePointer UniformConstant %t_pair\n%p_sampler = OpTypePointer UniformConstant %t_sampler\n"         \
    "%p_in = OpTypePointer Input %v2float\n%p_out = OpTypePointer Output %v4float\n"                                   \
    "%in = OpVariable %p_in Input\n%out = OpVariable %p_out Output\n%t = OpVariable %p_image UniformConstant\n"        \
    "%s = OpVariable %p_sampler UniformConstant\n%b = OpVariable %p_pair UniformConstant\n"                            \
    "%t_texels = OpTypeImage %float Buffer 0 0 0 1 Unknown\n"                                                          \
    "%p_texels = OpTypePointer UniformConstant %t_texels\n%tb = OpVariable %p_texels UniformConstant\n"                \
    "%uint_2 = OpConstant %uint 2\n%t_images = OpTypeArray %t_image %uint_2\n"                                         \
    "%p_images = OpTypePointer UniformConstant %t_images\n%ts = OpVariable %p_images UniformConstant\n"                \
    "%fn = OpTypeFunction %v4float %t_pair\n%footprint = OpTypeStruct %bool %v2uint %v2uint %uint %uint\n"
#define BEGINNING                                                                                                      \
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c = OpLoad %v2float %in\n"                               \
    "%image = OpLoad %t_image %t\n%sampler = OpLoad %t_sampler %s\n%combined = OpLoad %t_pair %b\n"                    \
    "%pair = OpSampledImage %t_pair %image %sampler\n"
#define LOOKUPS                                                                                                        \
    "%r = OpImageSampleImplicitLod %v4float %pair %c\n%r2 = OpImageSampleImplicitLod %v4float %combined %c\n"
#define MAIN BEGINNING LOOKUPS
#define MAIN_WITH_ARRAY BEGINNING "%all = OpLoad %t_images %ts\n%one = OpCompositeExtract %t_image %all 0\n" LOOKUPS
#define END "OpStore %out %r\nOpReturn\nOpFunctionEnd\n"

static struct spirv_words assembled(const char *text)
{
    struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(words.words);
    return words;
}

/* Every image, sampler and pair is used in the block that it is made in; else where, by word. */
static void images_stay_in_their_blocks(const uint32_t *words, size_t count, uint32_t opcode)
{
    static uint32_t block_of[MOST_IDS], definition[MOST_IDS];
    memset(block_of, 0, sizeof(block_of));
    memset(definition, 0, sizeof(definition));
    assert_true(words[3] <= MOST_IDS);
    uint32_t block = 0;
    for (size_t at = 5; at < count; at += inst_length(words + at)) {
        const uint32_t *inst = words + at;
        uint32_t shape = opcode_shape(inst_opcode(inst)), here = inst_opcode(inst);
        if (here == SpvOpLabel)
            block++;
        uint32_t end = shape & OPCODE_READS_IMAGES     ? shape & OPCODE_LEAST_MASK
                       : here == SpvOpFunctionCall     ? inst_length(inst)
                       : here == SpvOpCompositeExtract ? 4
                                                       : 0;
        for (uint32_t i = 1; i < end; i++) {
            uint32_t id = inst[i] < MOST_IDS ? inst[i] : 0;
            bool result = (shape & OPCODE_HAS_RESULT) && i == (shape & OPCODE_HAS_TYPE ? 2u : 1u);
            if (!result && block_of[id] != 0 && block_of[id] != block)
                fail_msg("opcode %u: instruction %u uses an image of block %u in block %u", opcode, here, block_of[id],
                         block);
        }
        if (shape & OPCODE_HAS_RESULT)
            definition[inst[shape & OPCODE_HAS_TYPE ? 2 : 1]] = (uint32_t)at;
        /* An array of images that was loaded whole, too, and what is taken out of it. */
        bool takes = here == SpvOpLoad || here == SpvOpCompositeExtract;
        uint32_t type = takes ? inst_opcode(words + definition[inst[1]]) : 0;
        if (here == SpvOpLoad && type == SpvOpTypeArray)
            type = inst_opcode(words + definition[words[definition[inst[1]] + 2]]);
        if (here == SpvOpSampledImage || type == SpvOpTypeImage || type == SpvOpTypeSampler ||
            type == SpvOpTypeSampledImage)
            block_of[inst[2]] = block;
    }
}

/* Rewrites in both tiers and forms. The lookup splits the block in all but one of the four. */
static void judge(const struct spirv_words *module, uint32_t opcode, bool validate)
{
    static struct auto_layout layout;
    auto_layout(module->words, module->count, 0, &layout);
    for (uint32_t i = 0; i < 4; i++) {
        struct spirv_options options = {.tier = 1 + i / 2, .form = i % 2 ? SPIRV_FORM_GPU : SPIRV_FORM_CPU};
        struct spirv_output output;
        enum spirv_result result = spirv_rewrite(module->words, module->count, &layout.layout, &options, NULL, &output);
        assert_int_equal(result, SPIRV_REWRITTEN);
        assert_true(output.rewritten_lookups >= 2);
        images_stay_in_their_blocks(output.words, output.word_count, opcode);
        if (validate)
            assert_true(text_validate(TEXT_VULKAN_1_0, output.words, output.word_count, "output"));
        free(output.words);
    }
}

/* Behind the lookups stands `opcode` with ids `id` in all its places, written in the place of another instruction. */
static void behind_lookups(uint32_t opcode, const char *id)
{
    char text[8192];
    uint32_t shape = opcode_shape(opcode), words = shape & OPCODE_LEAST_MASK;
    bool value = (shape & OPCODE_HAS_RESULT) != 0;
    int length = snprintf(text, sizeof(text), "%s%s", HEAD("") MAIN, value ? "%x = OpCompositeConstruct %v4float" : "");
    for (uint32_t i = 3; value && i < words; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %s", id);
    if (!value)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "OpCopyMemorySized %s %s %s", id, id, id);
    snprintf(text + length, sizeof(text) - (size_t)length, "\n%s", END);
    struct spirv_words module = assembled(text);
    uint32_t stand_in = value ? (uint32_t)SpvOpCompositeConstruct : (uint32_t)SpvOpCopyMemorySized, found = 0;
    for (size_t at = 5; at < module.count; at += inst_length(module.words + at)) {
        if (inst_opcode(module.words + at) == stand_in) {
            module.words[at] = inst_length(module.words + at) << 16 | opcode;
            found++;
        }
    }
    assert_int_equal(found, 1);
    judge(&module, opcode, false);
    free(module.words);
}

static void every_instruction_that_reads_images_has_them_in_its_block(void **state)
{
    (void)state;
    static const char *const ids[] = {"%pair", "%combined", "%image"};
    uint32_t tried = 0;
    for (uint32_t opcode = 0; opcode < OPCODE_SHAPE_COUNT; opcode++) {
        uint32_t shape = opcode_shape(opcode);
        if (!(shape & OPCODE_READS_IMAGES) || (shape & OPCODE_LEAST_MASK) < 4 || opcode == SpvOpSampledImage)
            continue;
        for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
            if (opcode_lookup(opcode) < 0)
                behind_lookups(opcode, ids[i]);
        }
        tried++;
    }
    assert_true(tried >= 40);
}

static void readers_that_validators_know_are_valid(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD("OpCapability ImageFootprintNV\nOpExtension \"SPV_NV_shader_image_footprint\"\n") MAIN
        "%x = OpImageSampleFootprintNV %footprint %pair %c %uint_0 %uint_0\n"
        "%y = OpImageSampleFootprintNV %footprint %combined %c %uint_0 %uint_0\n" END,
        HEAD("OpCapability ImageQuery\n") MAIN "%x = OpImageQueryLod %v2float %pair %c\n"
                                               "%y = OpImageQueryLevels %int %image\n%i = OpImage %t_image %pair\n"
                                               "%z = OpImageFetch %v4float %i %origin Lod %int_0\n"
                                               "%w = OpImageFetch %v4float %image %origin Lod %int_0\n" END,
        /* A pair that is made of loads in front of a lookup. */
        HEAD("") MAIN "%again = OpSampledImage %t_pair %image %sampler\n"
                      "%x = OpImageSampleImplicitLod %v4float %again %c\n" END,
        /* Images of an array that was loaded whole in front of lookups, taken out between them. */
        HEAD("") MAIN_WITH_ARRAY "%p1 = OpSampledImage %t_pair %one %sampler\n"
                                 "%x = OpImageSampleImplicitLod %v4float %p1 %c\n"
                                 "%two = OpCompositeExtract %t_image %all 1\n"
                                 "%p2 = OpSampledImage %t_pair %two %sampler\n"
                                 "%y = OpImageSampleImplicitLod %v4float %p2 %c\n" END,
        /* Texel buffers that were loaded in front of lookups: fetched one by one, together, and asked for their size.
         */
        HEAD("OpCapability ImageQuery\n") BEGINNING "%texels = OpLoad %t_texels %tb\n" LOOKUPS
                                                    "%t0 = OpImageFetch %v4float %texels %int_0\n"
                                                    "%n = OpImageQuerySize %int %texels\n"
                                                    "%r3 = OpImageSampleImplicitLod %v4float %combined %c\n"
                                                    "%t1 = OpImageFetch %v4float %texels %n\n"
                                                    "%n1 = OpImageQuerySize %int %texels\n"
                                                    "%t2 = OpImageFetch %v4float %texels %n1\n"
                                                    "%t3 = OpImageFetch %v4float %texels %int_0\n"
                                                    "%t4 = OpImageFetch %v4float %texels %n\n" END,
        /* A pair that a function gets by value. */
        HEAD("") MAIN "%x = OpFunctionCall %v4float %f %combined\n" END "%f = OpFunction %v4float None %fn\n"
                      "%p = OpFunctionParameter %t_pair\n%fb = OpLabel\n"
                      "%fx = OpImageSampleExplicitLod %v4float %p %origin_f Lod %float_0\n"
                      "OpReturnValue %fx\nOpFunctionEnd\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char *text = malloc(strlen(texts[i]) + 256);
        assert_non_null(text);
        const char *types_end = strstr(texts[i], "%main = OpFunction");
        snprintf(text, strlen(texts[i]) + 256, "%.*s%s%s", (int)(types_end - texts[i]), texts[i],
                 "%origin_f = OpConstantComposite %v2float %float_0 %float_0\n", types_end);
        struct spirv_words module = assembled(text);
        free(text);
        /* Debian 12's validator does not know that footprints take pairs. */
        bool valid = text_validate(TEXT_VULKAN_1_0, module.words, module.count, "input");
        assert_true(valid || i == 0);
        images_stay_in_their_blocks(module.words, module.count, 0);
        judge(&module, (uint32_t)i, valid);
        free(module.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_that_reads_images_has_them_in_its_block),
        cmocka_unit_test(readers_that_validators_know_are_valid),
    };
    return cmocka_run_group_tests_name("spirv_readers", tests, NULL, NULL);
}
