/* SPDX-License-Identifier: MIT */
/*
 * Modules that take descriptors out of heaps by untyped pointers: the sizes that they are told, and where the numbers
 * of the descriptors lie that their lookups read through.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heap_text.h"
#include "spirv/module/heap.h"
#include "spirv/module/site.h"
#include "spirv/module/uniform.h"

static const char begin[] =
    "OpCapability Shader\nOpCapability SampleRateShading\nOpCapability Int64\nOpCapability Int8\nOpCapability "
    "UntypedPointersKHR\nOpCapability DescriptorHeapEXT\n"
    "OpExtension \"SPV_KHR_untyped_pointers\"\nOpExtension \"SPV_EXT_descriptor_heap\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %in %out %flat %lane %push %images %samplers\n"
    "OpExecutionMode %main OriginUpperLeft\n"
    "OpName %size \"size\"\nOpName %twice \"twice\"\nOpName %index \"index\"\nOpName %other \"other\"\n"
    "OpName %varies \"varies\"\nOpName %spec \"spec\"\nOpName %index64 \"index64\"\nOpName %wide \"wide\"\n"
    "OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %flat Flat\nOpDecorate %flat Location 1\n"
    "OpDecorate %lane Flat\nOpDecorate %lane BuiltIn SampleId\nOpDecorate %spec SpecId 7\n"
    "OpDecorate %t_push Block\nOpMemberDecorate %t_push 0 Offset 0\nOpMemberDecorate %t_push 1 Offset 4\n"
    "OpDecorate %images BuiltIn ResourceHeapEXT\nOpDecorate %samplers BuiltIn SamplerHeapEXT\n"
    "OpDecorateId %a_size ArrayStrideIdEXT %size\nOpDecorateId %a_twice ArrayStrideIdEXT %twice\n"
    "OpDecorateId %a_spec ArrayStrideIdEXT %spec\nOpDecorateId %a_five ArrayStrideIdEXT %size\nOpDecorate %a_far "
    "ArrayStride 1000\n"
    "OpDecorateId %a_sampler ArrayStrideIdEXT %size_s\nOpDecorate %a_byte ArrayStride 1\n"
    "OpMemberDecorate %t_mixed 0 Offset 16\nOpMemberDecorateIdEXT %t_mixed 1 OffsetIdEXT %size\n"
    "OpMemberDecorateIdEXT %t_mixed 2 OffsetIdEXT %twice\nOpDecorateId %a_mixed ArrayStrideIdEXT %spec\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
    "%uint = OpTypeInt 32 0\n%t_push = OpTypeStruct %uint %uint\n%ulong = OpTypeInt 64 0\n%v2float = OpTypeVector "
    "%float 2\n"
    "%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n%i_0 = OpConstant %int 0\n"
    "%i_1 = OpConstant %int 1\n%i_2 = OpConstant %int 2\n%i_3 = OpConstant %int 3\n%u_5 = OpConstant %uint 5\n"
    "%u_4 = OpConstant %uint 4\n%u_huge = OpConstant %uint 4000000000\n%minus = OpConstant %int -1\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampler = OpTypeSampler\n"
    "%t_sampled = OpTypeSampledImage %t_image\n%t_buffer = OpTypeBufferEXT StorageBuffer\n"
    "%size = OpConstantSizeOfEXT %uint %t_image\n%size_s = OpConstantSizeOfEXT %uint %t_sampler\n"
    "%size_b = OpConstantSizeOfEXT %uint %t_buffer\n%wide = OpConstantSizeOfEXT %ulong %t_image\n"
    "%spec = OpSpecConstant %uint 96\n%twice = OpSpecConstantOp %uint IAdd %size %size\n"
    "%a_size = OpTypeRuntimeArray %t_image\n%a_twice = OpTypeRuntimeArray %t_image\n"
    "%a_spec = OpTypeArray %t_image %u_5\n%a_five = OpTypeArray %t_image %u_5\n%a_far = OpTypeArray %a_five "
    "%u_5\n%a_none = OpTypeRuntimeArray %t_image\n"
    "%a_sampler = OpTypeRuntimeArray %t_sampler\n%uchar = OpTypeInt 8 0\n%a_byte = OpTypeRuntimeArray %uchar\n"
    "%t_mixed = OpTypeStruct %uint %a_far %t_image\n%a_mixed = OpTypeRuntimeArray %t_mixed\n"
    "%p_push = OpTypePointer PushConstant %t_push\n"
    "%p_push_uint = OpTypePointer PushConstant %uint\n%p_in = OpTypePointer Input %v4float\n"
    "%p_flat = OpTypePointer Input %uint\n%p_out = OpTypePointer Output %v4float\n"
    "%p_lane = OpTypePointer Input %int\n%p = OpTypeUntypedPointerKHR UniformConstant\n"
    "%images = OpUntypedVariableKHR %p UniformConstant\n%samplers = OpUntypedVariableKHR %p UniformConstant\n"
    "%push = OpVariable %p_push PushConstant\n%in = OpVariable %p_in Input\n%flat = OpVariable %p_flat Input\n"
    "%lane = OpVariable %p_lane Input\n%out = OpVariable %p_out Output\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%c4 = OpLoad %v4float %in\n"
    "%c = OpVectorShuffle %v2float %c4 %c4 0 1\n%varies_at = OpLoad %int %lane\n%varies = OpIAdd %int %varies_at "
    "%i_1\n%index_at = OpAccessChain %p_push_uint "
    "%push %i_1\n"
    "%index = OpLoad %uint %index_at\n%other = OpLoad %uint %flat\n"
    "%index64 = OpUConvert %ulong %index\n";
static const char end[] =
    "%sampler_at = OpUntypedAccessChainKHR %p %a_sampler %samplers %i_3\n%image = OpLoad %t_image %image_at\n"
    "%sampler = OpLoad %t_sampler %sampler_at\n%pair = OpSampledImage %t_sampled %image %sampler\n"
    "%texel = OpImageSampleImplicitLod %v4float %pair %c\nOpStore %out %texel\nOpReturn\nOpFunctionEnd\n";

enum { IMAGE_SIZE = 128, SAMPLER_SIZE = 32, BUFFER_SIZE = 16, IMAGE_NUMBER = 64, SAMPLER_NUMBER = 16 };
static const struct spirv_layout heaps = {.root_at = 248,
                                          .heaps = {.image_size = IMAGE_SIZE,
                                                    .sampler_size = SAMPLER_SIZE,
                                                    .buffer_size = BUFFER_SIZE,
                                                    .image_index_offset = IMAGE_NUMBER,
                                                    .sampler_index_offset = SAMPLER_NUMBER,
                                                    .image_base = 3,
                                                    .sampler_base = 5}};
static const struct spirv_layout no_heaps;

static struct spirv_words module_with(const char *image_at)
{
    char text[16384];
    snprintf(text, sizeof(text), "%s%s%s", begin, image_at, end);
    struct spirv_words words = heap_assemble(text);
    assert_non_null(words.words);
    return words;
}

#define AT_FIVE "%image_at = OpUntypedAccessChainKHR %p %a_size %images %u_5\n"

static uint32_t id_named(const struct spirv_words *words, const char *name)
{
    size_t length = strlen(name) + 1;
    for (size_t at = HEADER_WORDS; at < words->count; at += inst_length(words->words + at)) {
        const uint32_t *inst = words->words + at;
        if (inst_opcode(inst) == 5 && inst_length(inst) == 2 + (length + 3) / 4 && memcmp(inst + 2, name, length) == 0)
            return inst[1];
    }
    fail_msg("no id is called %s", name);
    return 0;
}

/* ---- Sizes ---- */

static void modules_that_ask_for_sizes_are_told_apart(void **state)
{
    (void)state;
    struct spirv_words words = module_with(AT_FIVE);
    struct spirv_facts facts;
    assert_int_equal(spirv_scan(words.words, words.count, &facts), SPIRV_UNCHANGED);
    assert_true(facts.descriptor_sizes && facts.samples && facts.pairs);
    assert_true(spirv_follows_records(&facts));
    free(words.words);
}

/* The words of the constant that an id has become. */
static const uint32_t *constant_named(const struct spirv_output *output, const struct spirv_words *input,
                                      const char *name)
{
    uint32_t id = id_named(input, name);
    for (size_t at = HEADER_WORDS; at < output->word_count; at += inst_length(output->words + at)) {
        if (inst_opcode(output->words + at) == 43 && output->words[at + 2] == id)
            return output->words + at;
    }
    fail_msg("%s is no constant", name);
    return NULL;
}

static uint32_t instructions(const uint32_t *words, size_t count, uint32_t opcode)
{
    uint32_t found = 0;
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at))
        found += inst_opcode(words + at) == opcode;
    return found;
}

static void sizes_become_those_that_are_shown_in_every_tier(void **state)
{
    (void)state;
    struct spirv_words words = module_with(AT_FIVE);
    assert_true(heap_validate(words.words, words.count, "input"));
    for (uint32_t tier = 0; tier <= 2; tier++) {
        const struct spirv_options options = {.tier = tier};
        struct spirv_output output;
        assert_int_equal(spirv_rewrite(words.words, words.count, &heaps, &options, NULL, &output), SPIRV_REWRITTEN);
        assert_true(heap_validate(output.words, output.word_count, "output"));
        assert_int_equal(instructions(output.words, output.word_count, 5129), 0);
        assert_int_equal(constant_named(&output, &words, "size")[3], IMAGE_SIZE);
        const uint32_t *wide = constant_named(&output, &words, "wide");
        assert_int_equal(inst_length(wide), 5);
        assert_int_equal(wide[3], IMAGE_SIZE);
        assert_int_equal(wide[4], 0);
        free(output.words);
    }
    free(words.words);
}

static void sizes_that_the_layout_does_not_tell_stay(void **state)
{
    (void)state;
    struct spirv_words words = module_with(AT_FIVE);
    struct spirv_output output;
    const struct spirv_options options = {.tier = 0};
    assert_int_equal(spirv_rewrite(words.words, words.count, &no_heaps, &options, NULL, &output), SPIRV_UNCHANGED);
    assert_null(output.words);
    struct spirv_layout images = {.heaps = {.image_size = IMAGE_SIZE}};
    assert_int_equal(spirv_rewrite(words.words, words.count, &images, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(instructions(output.words, output.word_count, 5129), 2);
    assert_int_equal(output.word_count, words.count + 1);
    free(output.words);
    free(words.words);
}

/* ---- Where numbers lie ---- */

struct expected_step {
    const char *index;
    uint32_t stride;
    const char *stride_id;
};

struct traced {
    const char *image_at;
    enum record_origin origin;
    uint32_t first; /* without the bytes to the number */
    uint32_t step_count;
    struct expected_step steps[4];
};

static const struct traced traces[] = {
    {AT_FIVE, ORIGIN_HEAP, 5 * IMAGE_SIZE, 0, {{0}}},
    /* The copy of a pointer; the heap itself. */
    {"%at = OpUntypedInBoundsAccessChainKHR %p %a_size %images %u_5\n%image_at = OpCopyObject %p %at\n",
     ORIGIN_HEAP,
     5 * IMAGE_SIZE,
     0,
     {{0}}},
    {"%image_at = OpCopyObject %p %images\n", ORIGIN_HEAP, 0, 0, {{0}}},
    /* What varies stays, with a stride that is known or not. */
    {"%image_at = OpUntypedAccessChainKHR %p %a_size %images %index\n",
     ORIGIN_HEAP,
     0,
     1,
     {{"index", IMAGE_SIZE, NULL}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_spec %images %index\n", ORIGIN_HEAP, 0, 1, {{"index", 0, "spec"}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_spec %images %i_3\n", ORIGIN_HEAP, 0, 1, {{"spec", 3, NULL}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_spec %images %i_0\n", ORIGIN_HEAP, 0, 0, {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_spec %images %spec\n", ORIGIN_HEAP, 0, 1, {{"spec", 0, "spec"}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_twice %images %index64\n",
     ORIGIN_HEAP,
     0,
     1,
     {{"index64", 0, "twice"}}},
    /* Arrays in arrays, members by number and by constant, chains behind each other. */
    {"%image_at = OpUntypedAccessChainKHR %p %a_far %images %i_2 %index\n",
     ORIGIN_HEAP,
     2000,
     1,
     {{"index", IMAGE_SIZE, NULL}}},
    {"%image_at = OpUntypedAccessChainKHR %p %t_mixed %images %i_1 %i_3 %u_5\n",
     ORIGIN_HEAP,
     IMAGE_SIZE + 3 * 1000 + 5 * IMAGE_SIZE,
     0,
     {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_mixed %images %index %i_2\n",
     ORIGIN_HEAP,
     0,
     2,
     {{"index", 0, "spec"}, {"twice", 1, NULL}}},
    {"%at = OpUntypedAccessChainKHR %p %a_byte %images %other\n"
     "%image_at = OpUntypedAccessChainKHR %p %a_mixed %at %index %i_1 %i_1 %u_5\n",
     ORIGIN_HEAP,
     IMAGE_SIZE + 1000 + 5 * IMAGE_SIZE,
     2,
     {{"index", 0, "spec"}, {"other", 1, NULL}}},
    /* What cannot be known: no stride, more than 32 bits, negative, another pointer. */
    {"%image_at = OpUntypedAccessChainKHR %p %a_none %images %index\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_size %images %u_huge\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %a_far %images %minus %index\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %t_image %images %index\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
    {"%image_at = OpUntypedAccessChainKHR %p %t_mixed %images %index\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
    {"%image_at = OpUndef %p\n", ORIGIN_UNKNOWN, 0, 0, {{0}}},
};

/* What the operands of the only OpSampledImage lead to. */
static void trace_pair(const struct module *m, const struct spirv_layout *layout, struct record_source sources[2])
{
    uint32_t at = m->functions_at;
    while (inst_opcode(m->words + at) != 86)
        at += inst_length(m->words + at);
    assert_int_equal(trace_sampled_image(m, layout, m->words[at + 2], sources), 2);
}

static void expect_traced(const struct traced *t, const struct spirv_words *words, const struct record_source *source)
{
    assert_int_equal(source->origin, t->origin);
    assert_int_equal(source->half, HALF_IMAGE);
    if (t->origin != ORIGIN_HEAP)
        return;
    assert_int_equal(source->base, heaps.heaps.image_base);
    assert_int_equal(source->first, t->first + IMAGE_NUMBER);
    assert_int_equal(source->step_count, t->step_count);
    for (uint32_t i = 0; i < t->step_count; i++) {
        assert_int_equal(source->steps[i].index, id_named(words, t->steps[i].index));
        assert_int_equal(source->steps[i].stride, t->steps[i].stride);
        assert_int_equal(source->steps[i].stride_id,
                         t->steps[i].stride_id ? id_named(words, t->steps[i].stride_id) : 0);
    }
}

static void numbers_are_found_behind_descriptors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        struct spirv_words words = module_with(traces[i].image_at);
        struct module m;
        char message[MODULE_MESSAGE];
        struct record_source sources[2];
        assert_int_equal(module_index(&m, words.words, words.count, &module_c_allocator, message), SPIRV_REWRITTEN);
        assert_true(m.heaps);
        trace_pair(&m, &heaps, sources);
        expect_traced(&traces[i], &words, &sources[0]);
        assert_int_equal(sources[1].origin, ORIGIN_HEAP);
        assert_int_equal(sources[1].half, HALF_SAMPLER);
        assert_int_equal(sources[1].base, heaps.heaps.sampler_base);
        assert_int_equal(sources[1].first, 3 * SAMPLER_SIZE + SAMPLER_NUMBER);
        trace_pair(&m, &no_heaps, sources);
        assert_int_equal(sources[1].origin, ORIGIN_NONE);
        module_drop(&m, &module_c_allocator);
        free(words.words);
    }
}

/* Rewrites for a tier and a form, checks what comes out, and returns it disassembled. */
static char *rewritten(const struct spirv_words *words, uint32_t tier, enum spirv_form form, uint32_t lookups,
                       const char *message)
{
    const struct spirv_options options = {.tier = tier, .form = form};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(words->words, words->count, &heaps, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups, lookups);
    assert_string_equal(output.message, message);
    /* What cannot be followed is not valid either, some of it. */
    assert_true(lookups == 0 || heap_validate(words->words, words->count, "input"));
    assert_true(lookups == 0 || heap_validate(output.words, output.word_count, "output"));
    char *text = text_disassemble(output.words, output.word_count);
    free(output.words);
    return text;
}

static void lookups_follow_the_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        struct spirv_words words = module_with(traces[i].image_at);
        const bool followed = traces[i].origin == ORIGIN_HEAP;
        for (uint32_t k = 0; k < 4; k++)
            free(rewritten(&words, 1 + k / 2, k % 2 ? SPIRV_FORM_GPU : SPIRV_FORM_CPU, followed,
                           followed ? "" : "1 of 1 lookups left alone: its descriptor cannot be known from the code"));
        free(words.words);
    }
}

/* The root's address is read from them, too. */
static void push_constants_without_a_type_are_read(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"%push = OpVariable %p_push PushConstant", "%push = OpUntypedVariableKHR %p_push PushConstant %t_push"},
        {"%p_push = OpTypePointer PushConstant %t_push", "%p_push = OpTypeUntypedPointerKHR PushConstant"},
        {"%index_at = OpAccessChain %p_push_uint %push %i_1",
         "%index_at = OpUntypedAccessChainKHR %p_push %t_push %push %i_1"},
    };
    char text[16384], changed[16384];
    snprintf(text, sizeof(text), "%s%s%s", begin, AT_FIVE, end);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char *at = strstr(text, others[i][0]);
        assert_non_null(at);
        snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, others[i][1], at + strlen(others[i][0]));
        memcpy(text, changed, sizeof(text));
    }
    struct spirv_words words = heap_assemble(text);
    assert_non_null(words.words);
    assert_true(heap_validate(words.words, words.count, "input"));
    free(rewritten(&words, 2, SPIRV_FORM_GPU, 1, ""));
    free(words.words);
}

/* ---- Values of a quad ---- */

static void values_that_vary_in_a_quad_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool uniform;
    } values[] = {{"index", true}, {"index64", true}, {"other", true},
                  {"spec", true},  {"size", true},    {"varies", false}};
    struct spirv_words words = module_with(AT_FIVE);
    struct module m;
    char message[MODULE_MESSAGE];
    assert_int_equal(module_index(&m, words.words, words.count, &module_c_allocator, message), SPIRV_REWRITTEN);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        assert_int_equal(value_is_uniform(&m, id_named(&words, values[i].name)), values[i].uniform);
    module_drop(&m, &module_c_allocator);
    free(words.words);
}

/* ---- Untyped pointers to bindings ---- */

static const char bound[] =
    "OpCapability Shader\nOpCapability UntypedPointersKHR\nOpCapability DescriptorHeapEXT\n"
    "OpExtension \"SPV_KHR_untyped_pointers\"\nOpExtension \"SPV_EXT_descriptor_heap\"\n"
    "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %four\n"
    "OpExecutionMode %main LocalSize 1 1 1\nOpName %index \"index\"\n"
    "OpDecorate %fours ArrayStride 64\nOpDecorate %four DescriptorSet 0\nOpDecorate %four Binding 2\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"
    "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n%float_0 = OpConstant %float 0\n"
    "%u_2 = OpConstant %uint 2\n%u_4 = OpConstant %uint 4\n%c = OpConstantComposite %v2float %float_0 %float_0\n"
    "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_sampled = OpTypeSampledImage %t_image\n"
    "%fours = OpTypeArray %t_sampled %u_4\n"
    "%p = OpTypeUntypedPointerKHR UniformConstant\n%four = OpUntypedVariableKHR %p UniformConstant %fours\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\n%index = OpCopyObject %uint %u_2\n"
    "%element = OpUntypedAccessChainKHR %p %fours %four %index\n"
    "%l = OpLoad %t_sampled %element\n%texel = OpImageSampleExplicitLod %v4float %l %c Lod %float_0\n"
    "OpReturn\nOpFunctionEnd\n";

static void elements_of_bindings_are_followed_through_untyped_pointers(void **state)
{
    (void)state;
    static const struct spirv_binding binding = {.binding = 2, .new_binding = 2, .first_record = 20, .count = 4};
    static const struct spirv_set set = {
        .bindings = &binding, .binding_count = 1, .record_binding = 3, .record_count = 40};
    static const struct spirv_layout layout = {.sets = &set, .set_count = 1};
    struct spirv_words words = heap_assemble(bound);
    assert_non_null(words.words);
    struct module m;
    char message[MODULE_MESSAGE];
    assert_int_equal(module_index(&m, words.words, words.count, &module_c_allocator, message), SPIRV_REWRITTEN);
    assert_int_equal(m.site_count, 1);
    struct record_source sources[2];
    assert_int_equal(trace_sampled_image(&m, &layout, m.words[m.sites[0].offset + 3], sources), 1);
    assert_int_equal(sources[0].origin, ORIGIN_SET);
    assert_int_equal(sources[0].first, 20);
    assert_int_equal(sources[0].step_count, 1);
    assert_int_equal(sources[0].steps[0].index, id_named(&words, "index"));
    assert_int_equal(sources[0].steps[0].stride, 1);
    module_drop(&m, &module_c_allocator);
    const struct spirv_options options = {.tier = 2};
    struct spirv_output output;
    assert_int_equal(spirv_rewrite(words.words, words.count, &layout, &options, NULL, &output), SPIRV_REWRITTEN);
    assert_int_equal(output.rewritten_lookups, 1);
    assert_string_equal(output.message, "");
    assert_true(heap_validate(output.words, output.word_count, "output"));
    free(output.words);
    free(words.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_that_ask_for_sizes_are_told_apart),
        cmocka_unit_test(sizes_become_those_that_are_shown_in_every_tier),
        cmocka_unit_test(sizes_that_the_layout_does_not_tell_stay),
        cmocka_unit_test(numbers_are_found_behind_descriptors),
        cmocka_unit_test(lookups_follow_the_numbers),
        cmocka_unit_test(push_constants_without_a_type_are_read),
        cmocka_unit_test(values_that_vary_in_a_quad_are_told_apart),
        cmocka_unit_test(elements_of_bindings_are_followed_through_untyped_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
