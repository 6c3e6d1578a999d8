/* SPDX-License-Identifier: MIT */
/* The layouts that tools and tests make of a module's own declarations (cli/auto_layout.h), member by member. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "auto_layout.h"
#include "spirv/module/opcodes.h"
#include "spirv_text.h"

/* Variables in no order, some of which share a binding. */
static const char text[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n"
    "OpDecorate %texels DescriptorSet 1\nOpDecorate %texels Binding 9\n"
    "OpDecorate %input DescriptorSet 2\nOpDecorate %input Binding 5\n"
    "OpDecorate %runtime DescriptorSet 0\nOpDecorate %runtime Binding 4\n"
    "OpDecorate %some DescriptorSet 0\nOpDecorate %some Binding 3\n"
    "OpDecorate %none DescriptorSet 0\nOpDecorate %none Binding 3\n"
    "OpDecorate %stored DescriptorSet 0\nOpDecorate %stored Binding 2\n"
    "OpDecorate %sampler DescriptorSet 0\nOpDecorate %sampler Binding 1\n"
    "OpDecorate %images DescriptorSet 0\nOpDecorate %images Binding 1\n"
    "OpDecorate %two DescriptorSet 0\nOpDecorate %two Binding 1\n"
    "OpDecorate %combined DescriptorSet 0\nOpDecorate %combined Binding 0\n"
    "OpDecorate %nested DescriptorSet 1\nOpDecorate %nested Binding 0\n"
    "OpDecorate %buffer DescriptorSet 1\nOpDecorate %buffer Binding 7\n"
    "OpDecorate %special DescriptorSet 1\nOpDecorate %special Binding 10\n"
    "OpDecorate %most DescriptorSet 31\nOpDecorate %most Binding 0\n"
    "OpDecorate %far DescriptorSet 32\nOpDecorate %far Binding 0\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %length SpecId 0\n"
    "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"
    "%2 = OpConstant %uint 2\n%3 = OpConstant %uint 3\n%40000 = OpConstant %uint 40000\n"
    "%length = OpSpecConstant %uint 5\n"
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%both = OpTypeSampledImage %image\n%alone = OpTypeSampler\n"
    "%storage = OpTypeImage %float 2D 0 0 0 2 Rgba8\n%attachment = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
    "%buffered = OpTypeImage %float Buffer 0 0 0 1 Unknown\n%block = OpTypeStruct %float\n"
    "%images_3 = OpTypeArray %image %3\n%images_2 = OpTypeArray %image %2\n%runtimes = OpTypeRuntimeArray %both\n"
    "%both_3 = OpTypeArray %both %3\n%nests = OpTypeArray %both_3 %2\n%specials = OpTypeArray %image %length\n"
    "%many = OpTypeArray %image %40000\n%more = OpTypeArray %many %40000\n"
    "%p_buffered = OpTypePointer UniformConstant %buffered\n%p_attachment = OpTypePointer UniformConstant %attachment\n"
    "%p_runtimes = OpTypePointer UniformConstant %runtimes\n%p_images_2 = OpTypePointer UniformConstant %images_2\n"
    "%p_images_3 = OpTypePointer UniformConstant %images_3\n%p_storage = OpTypePointer UniformConstant %storage\n"
    "%p_alone = OpTypePointer UniformConstant %alone\n%p_both = OpTypePointer UniformConstant %both\n"
    "%p_nests = OpTypePointer UniformConstant %nests\n%p_block = OpTypePointer Uniform %block\n"
    "%p_specials = OpTypePointer UniformConstant %specials\n%p_more = OpTypePointer UniformConstant %more\n"
    "%texels = OpVariable %p_buffered UniformConstant\n%input = OpVariable %p_attachment UniformConstant\n"
    "%runtime = OpVariable %p_runtimes UniformConstant\n%none = OpVariable %p_storage UniformConstant\n"
    "%some = OpVariable %p_images_2 UniformConstant\n%stored = OpVariable %p_storage UniformConstant\n"
    "%sampler = OpVariable %p_alone UniformConstant\n%images = OpVariable %p_images_3 UniformConstant\n"
    "%two = OpVariable %p_images_2 UniformConstant\n%combined = OpVariable %p_both UniformConstant\n"
    "%nested = OpVariable %p_nests UniformConstant\n%buffer = OpVariable %p_block Uniform\n"
    "%special = OpVariable %p_specials UniformConstant\n%most = OpVariable %p_more UniformConstant\n"
    "%far = OpVariable %p_both UniformConstant\n"
    "%main = OpFunction %void None %voids\n%first = OpLabel\nOpReturn\nOpFunctionEnd\n";

enum { ROWS = 10, NONE = SPIRV_NO_RECORD };

static const struct row {
    uint32_t set, binding, count;
    bool combined;
    uint32_t record, record_of_halves;
    uint32_t place, scaled; /* descriptors in front of it in its set, with records counted twice if scaled */
} rows[ROWS] = {
    {0, 0, 1, true, 0, 0, 0, 0},         {0, 1, 3, true, 1, 3, 1, 2},    {0, 2, 0, false, NONE, NONE, 4, 8},
    {0, 3, 2, false, 4, 12, 4, 8},       {0, 4, 64, true, 6, 14, 6, 12}, {1, 0, 6, true, 0, 0, 0, 0},
    {1, 7, 0, false, NONE, NONE, 6, 12}, {1, 9, 1, false, 6, 18, 6, 12}, {1, 10, 64, false, 7, 19, 7, 14},
    {2, 5, 0, false, NONE, NONE, 0, 0},
};

static struct auto_layout layout;

static void make(unsigned options)
{
    const struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, text);
    assert_non_null(words.words);
    memset(&layout, 0xa5, sizeof(layout));
    auto_layout(words.words, words.count, options, &layout);
    free(words.words);
    assert_ptr_equal(layout.layout.sets, layout.sets);
    assert_int_equal(layout.layout.set_count, AUTO_LAYOUT_SETS);
    assert_int_equal(layout.binding_total, ROWS + 1);
    assert_int_equal(layout.sets[0].binding_count, 5);
    assert_int_equal(layout.sets[1].binding_count, 4);
    assert_int_equal(layout.sets[2].binding_count, 1);
    assert_int_equal(layout.sets[AUTO_LAYOUT_SETS - 1].binding_count, 1);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(layout.bindings[i].binding, rows[i].binding);
        assert_int_equal(layout.bindings[i].count, rows[i].count);
        assert_int_equal(layout.bindings[i].first_record,
                         options & AUTO_LAYOUT_HALVES ? rows[i].record_of_halves : rows[i].record);
        assert_int_equal(layout.bindings[i].split, (options & AUTO_LAYOUT_HALVES) && rows[i].combined);
    }
    assert_int_equal(layout.beyond, 1); /* set 32 */
    const struct spirv_binding *last = &layout.sets[AUTO_LAYOUT_SETS - 1].bindings[0];
    assert_int_equal(last->count, 65536); /* as many as count */
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++)
        assert_int_equal(layout.sets[i].storage, (options & AUTO_LAYOUT_STORAGE) != 0);
}

static void expect_buffer(uint32_t set, uint32_t binding, uint32_t records, uint32_t nearest)
{
    assert_int_equal(layout.sets[set].record_binding, binding);
    assert_int_equal(layout.sets[set].record_count, records);
    assert_int_equal(layout.sets[set].nearest, nearest);
    assert_false(layout.sets[set].embedded);
}

static void records_stand_behind_the_bindings(void **state)
{
    (void)state;
    for (unsigned options = 0; options < 16; options++) {
        const bool halves = options & AUTO_LAYOUT_HALVES, moved = options & AUTO_LAYOUT_RENUMBER;
        const bool nearest = options & AUTO_LAYOUT_NEAREST;
        make(options);
        expect_buffer(0, moved ? 4 : 5, halves ? 206 : 70, nearest ? 8 : 0);
        expect_buffer(1, moved ? 10 : 11, halves ? 83 : 71, nearest ? 14 : 0);
        expect_buffer(2, SPIRV_NO_RECORD, 0, 0);
        expect_buffer(3, SPIRV_NO_RECORD, 0, 0);
        for (uint32_t i = 0; i < ROWS; i++) {
            const bool last = i == 4 || i == 8;
            assert_int_equal(layout.bindings[i].new_binding, rows[i].binding + (moved && last));
            assert_int_equal(layout.bindings[i].scale, 0);
        }
        assert_int_equal(layout.layout.root_at, 0);
        assert_int_equal(layout.layout.mapping_count, 0);
    }
}

static void options_have_nothing_of_each_other(void **state)
{
    (void)state;
    static const unsigned options[] = {AUTO_LAYOUT_STORAGE,  AUTO_LAYOUT_NEAREST,  AUTO_LAYOUT_HALVES,
                                       AUTO_LAYOUT_RENUMBER, AUTO_LAYOUT_EMBEDDED, AUTO_LAYOUT_SCALED,
                                       AUTO_LAYOUT_HEAPS};
    unsigned all = 0;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        assert_true(options[i] != 0 && (options[i] & (options[i] - 1)) == 0);
        assert_int_equal(all & options[i], 0);
        all |= options[i];
    }
}

static void descriptors_carry_numbers_one_behind_the_other(void **state)
{
    (void)state;
    for (uint32_t scale = 1; scale <= 2; scale++) {
        make(AUTO_LAYOUT_EMBEDDED | (scale == 2 ? AUTO_LAYOUT_SCALED : 0));
        assert_int_equal(layout.layout.root_at, AUTO_LAYOUT_ROOT_AT);
        for (uint32_t i = 0; i < ROWS; i++) {
            const struct spirv_binding *binding = &layout.bindings[i];
            assert_int_equal(binding->embedded.stride, 32 * scale);
            for (uint32_t half = 0; half < HALF_KINDS; half++)
                assert_int_equal(binding->embedded.offset[half],
                                 16 + 32 * (scale == 2 ? rows[i].scaled : rows[i].place));
            assert_int_equal(binding->scale, scale == 1 ? 0 : rows[i].record != NONE ? 2 : 1);
            assert_int_equal(binding->new_binding, binding->binding);
        }
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(layout.sets[i].embedded, i < 2);
            assert_int_equal(layout.sets[i].record_binding, SPIRV_NO_RECORD);
        }
    }
}

static void expect_carried(const struct spirv_embedded *embedded, uint32_t base, uint32_t at, uint32_t stride,
                           uint32_t number)
{
    static const enum spirv_index_from from[] = {SPIRV_INDEX_NONE, SPIRV_INDEX_PUSHED, SPIRV_INDEX_INDIRECT,
                                                 SPIRV_INDEX_INDIRECT_ARRAY};
    assert_int_equal(embedded->base, base);
    for (uint32_t half = 0; half < HALF_KINDS; half++)
        assert_int_equal(embedded->offset[half], at);
    assert_int_equal(embedded->stride, stride);
    assert_int_equal(embedded->index_from, from[number % 4]);
    assert_int_equal(embedded->push_offset, AUTO_LAYOUT_ROOT_AT - 8);
    assert_int_equal(embedded->address_offset, 4 * (number % 8));
    assert_int_equal(embedded->index_stride, number % 4 ? stride : 0);
    assert_int_equal(embedded->index_shift, number % 2 ? 20 : 0);
    assert_int_equal(embedded->index_mask, 0);
    assert_null(embedded->record_indices);
}

static void bindings_are_mapped_to_heaps_one_behind_the_other(void **state)
{
    (void)state;
    for (uint32_t scaled = 0; scaled < 2; scaled++) {
        uint32_t images = 0, samplers = 0;
        make(AUTO_LAYOUT_HEAPS | (scaled ? AUTO_LAYOUT_SCALED : 0));
        const struct spirv_layout *l = &layout.layout;
        assert_int_equal(l->root_at, AUTO_LAYOUT_ROOT_AT);
        assert_ptr_equal(l->mappings, layout.mappings);
        assert_int_equal(l->mapping_count, ROWS + 1);
        assert_int_equal(l->heaps.image_size, 128);
        assert_int_equal(l->heaps.sampler_size, 32);
        assert_int_equal(l->heaps.buffer_size, 16);
        assert_int_equal(l->heaps.image_index_offset, 64);
        assert_int_equal(l->heaps.sampler_index_offset, 16);
        assert_int_equal(l->heaps.image_base, 0);
        assert_int_equal(l->heaps.sampler_base, 1);
        for (uint32_t i = 0; i < ROWS; i++) {
            const struct spirv_mapping *mapping = &layout.mappings[i];
            assert_int_equal(mapping->set, rows[i].set);
            assert_int_equal(mapping->first_binding, rows[i].binding);
            assert_int_equal(mapping->binding_count, 1);
            assert_int_equal(mapping->resources, UINT32_MAX);
            assert_int_equal(mapping->followed, rows[i].record != NONE);
            expect_carried(&mapping->image, 0, 64 + 128 * images, 128, i);
            expect_carried(&mapping->sampler, 1, 16 + 32 * samplers, 32, i);
            expect_carried(&mapping->combined_sampler, 1, 16 + 32 * samplers, 32, i + 1);
            images += rows[i].count;
            samplers += rows[i].count;
            assert_int_equal(layout.bindings[i].scale, 0);
        }
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(layout.sets[i].record_binding, SPIRV_NO_RECORD);
    }
}

/* SPV_KHR_untyped_pointers: the variable says itself what it holds. */
static void untyped_variables_have_records(void **state)
{
    (void)state;
    static const char untyped[] =
        "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n"
        "OpDecorate %here DescriptorSet 3\nOpDecorate %here Binding 6\n"
        "%void = OpTypeVoid\n%voids = OpTypeFunction %void\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n"
        "%long = OpTypeInt 64 0\n%3 = OpConstant %uint 3\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
        "%both = OpTypeSampledImage %image\n%all = OpTypeArray %both %3\n%here = OpConstant %long 4294967296\n"
        "%main = OpFunction %void None %voids\n%first = OpLabel\nOpReturn\nOpFunctionEnd\n";
    const struct spirv_words words = text_assemble(TEXT_VULKAN_1_0, untyped);
    assert_non_null(words.words);
    uint32_t array = 0;
    for (size_t at = 5; at < words.count; at += words.words[at] >> 16) {
        uint32_t *inst = words.words + at;
        if ((inst[0] & 0xffff) == SpvOpTypeArray)
            array = inst[1];
        if (inst[0] == (5u << 16 | SpvOpConstant)) { /* older tools do not know it: it is written in this one's place */
            inst[0] = 5u << 16 | OP_UNTYPED_VARIABLE;
            inst[3] = SpvStorageClassUniformConstant;
            inst[4] = array;
        }
    }
    auto_layout(words.words, words.count, 0, &layout);
    free(words.words);
    assert_int_equal(layout.binding_total, 1);
    assert_int_equal(layout.bindings[0].binding, 6);
    assert_int_equal(layout.bindings[0].count, 3);
    assert_int_equal(layout.beyond, 0);
    expect_buffer(3, 7, 3, 0);
}

static void what_does_not_parse_has_an_empty_layout(void **state)
{
    (void)state;
    static const uint32_t garbage[] = {1, 2, 3, 4, 5, 6};
    memset(&layout, 0xa5, sizeof(layout));
    auto_layout(garbage, sizeof(garbage) / sizeof(garbage[0]), AUTO_LAYOUT_STORAGE, &layout);
    assert_int_equal(layout.binding_total, 0);
    assert_int_equal(layout.layout.set_count, AUTO_LAYOUT_SETS);
    for (uint32_t i = 0; i < AUTO_LAYOUT_SETS; i++) {
        assert_int_equal(layout.sets[i].binding_count, 0);
        assert_int_equal(layout.sets[i].record_binding, SPIRV_NO_RECORD);
        assert_int_equal(layout.sets[i].record_count, 0);
    }
}

/* Is the key another one for each of the words, changed alone? */
static void words_are_in_key(const struct spirv_layout *layout, uint32_t *words, size_t count)
{
    uint32_t before[128], after[128];
    const size_t length = spirv_layout_key(layout, before);
    assert_true(length <= 128);
    for (size_t i = 0; i < count; i++) {
        words[i]++;
        assert_int_equal(spirv_layout_key(layout, NULL), length);
        assert_int_equal(spirv_layout_key(layout, after), length);
        assert_memory_not_equal(before, after, length * sizeof(*before));
        words[i]--;
    }
}

static void each_word_of_a_layout_is_in_its_key(void **state)
{
    (void)state;
    static uint32_t indices[2] = {4, 5};
    static struct spirv_binding binding = {.count = 2, .embedded = {.record_indices = indices}};
    static struct spirv_set set = {.bindings = &binding, .binding_count = 1, .embedded = 1};
    static struct spirv_mapping mapping = {.image = {.record_indices = indices}};
    static struct spirv_layout layout = {.sets = &set, .set_count = 1, .mappings = &mapping, .mapping_count = 1};
    words_are_in_key(&layout, indices, 2);
    words_are_in_key(&layout, &binding.binding, 3);
    words_are_in_key(&layout, &binding.split, 3);
    words_are_in_key(&layout, &binding.embedded.base, 11);
    words_are_in_key(&layout, &set.record_binding, 4);
    words_are_in_key(&layout, &mapping.set, 6);
    words_are_in_key(&layout, &mapping.image.base, 11);
    words_are_in_key(&layout, &mapping.sampler.base, 11);
    words_are_in_key(&layout, &mapping.combined_sampler.base, 11);
    words_are_in_key(&layout, &layout.root_at, 1);
    words_are_in_key(&layout, &layout.heaps.image_size, 9);
    const size_t length = spirv_layout_key(&layout, NULL);
    binding.embedded.record_indices = NULL;
    assert_true(spirv_layout_key(&layout, NULL) < length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_stand_behind_the_bindings),
        cmocka_unit_test(options_have_nothing_of_each_other),
        cmocka_unit_test(descriptors_carry_numbers_one_behind_the_other),
        cmocka_unit_test(bindings_are_mapped_to_heaps_one_behind_the_other),
        cmocka_unit_test(untyped_variables_have_records),
        cmocka_unit_test(what_does_not_parse_has_an_empty_layout),
        cmocka_unit_test(each_word_of_a_layout_is_in_its_key),
    };
    return cmocka_run_group_tests_name("auto_layout", tests, NULL, NULL);
}
