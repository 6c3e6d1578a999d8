/* SPDX-License-Identifier: MIT */
/*
 * Records by number, on the device: a rewritten shader finds the root by its push constants, the numbers where sets or
 * heaps are said to lie, and the records in the table. The layer takes no part: memory is laid out here, by
 * layer/base/record/root.h, and the driver's descriptors are ordinary ones, since only the code is asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/device/environment.h"
#include "harness/drawing/pipeline.h"
#include "integration_numbers.h"
#include "record/record.h"
#include "record/root.h"
#include "spirv/spirv.h"

enum {
    RESULTS = 13,
    WIDTH = 256,
    ROOT_AT = 16,
    /* Where things lie in the one piece of memory, in bytes. */
    ROOT = 0,
    INDICES = 0x200, /* that mappings find by address */
    WORD = 0x1000,   /* that leads to the table */
    TABLE = 0x10000,
    NUMBER_BITS = 11,
    NUMBERS = 1 << NUMBER_BITS,
    BEYOND = 64, /* records behind the table that nobody may follow */
    BASES = TABLE + (NUMBERS + BEYOND) * sizeof(struct record),
    BASE_BYTES = 0x10000,
    BASE_COUNT = 2, /* sets, or heaps */
    MEMORY_BYTES = BASES + BASE_COUNT * BASE_BYTES,
};

/* What the program pushes, and the root's address behind it. */
struct pushed {
    uint32_t element, index;
    uint64_t address, root;
};

struct fixture {
    struct harness_vulkan vk;
    struct harness_image image;
    VkSampler sampler;
    VkDescriptorSetLayout layouts[3];
    VkPipelineLayout layout;
    VkDescriptorSet sets[3];
    struct harness_buffer memory, results;
    struct pushed pushed;
};

/* ---- The device ---- */

static const VkDescriptorSetLayoutBinding bindings[3][2] = {
    {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
     {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4, VK_SHADER_STAGE_COMPUTE_BIT, NULL}},
    {{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
     {3, VK_DESCRIPTOR_TYPE_SAMPLER, 3, VK_SHADER_STAGE_COMPUTE_BIT, NULL}},
    {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}},
};

static void write_sets(struct fixture *f)
{
    for (uint32_t set = 0; set < 3; set++) {
        f->layouts[set] = harness_set_layout(&f->vk, bindings[set], set < 2 ? 2 : 1);
        f->sets[set] = harness_set(&f->vk, f->layouts[set]);
        for (uint32_t i = 0; i < 2 && set < 2; i++) {
            const VkDescriptorSetLayoutBinding *b = &bindings[set][i];
            for (uint32_t element = 0; element < b->descriptorCount; element++)
                harness_write_image(&f->vk, f->sets[set], b->binding, element, b->descriptorType, f->sampler,
                                    f->image.view);
        }
    }
    harness_write_buffer(&f->vk, f->sets[2], 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, f->results.buffer);
    f->layout = harness_pipeline_layout(&f->vk, f->layouts, 3, sizeof(struct pushed));
}

static void open_fixture(struct fixture *f)
{
    float ramp[WIDTH];
    const VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                       .bufferDeviceAddress = VK_TRUE};
    const VkSamplerCreateInfo linear = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .magFilter = VK_FILTER_LINEAR,
                                        .minFilter = VK_FILTER_LINEAR,
                                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){.layers = "none", .device_next = &features});
    for (uint32_t i = 0; i < WIDTH; i++)
        ramp[i] = ((float)i + 0.5f) / WIDTH;
    harness_image_create(
        &f->vk, &f->image,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = WIDTH, .height = 1},
        ramp);
    f->sampler = harness_sampler(&f->vk, &linear);
    harness_buffer_create(&f->vk, &f->results, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, RESULTS * sizeof(float), NULL);
    harness_buffer_create(&f->vk, &f->memory,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, MEMORY_BYTES,
                          NULL);
    write_sets(f);
}

static void close_fixture(struct fixture *f)
{
    vkDestroyPipelineLayout(f->vk.device, f->layout, NULL);
    for (uint32_t i = 0; i < 3; i++)
        vkDestroyDescriptorSetLayout(f->vk.device, f->layouts[i], NULL);
    vkDestroySampler(f->vk.device, f->sampler, NULL);
    harness_buffer_destroy(&f->vk, &f->results);
    harness_buffer_destroy(&f->vk, &f->memory);
    harness_image_destroy(&f->vk, &f->image);
    harness_vulkan_close(&f->vk);
}

/* ---- Records ---- */

/* What the near bounds are by which a lookup tells that it has followed a record. */
static float whole_bound(uint32_t number)
{
    return 0.2f + 0.01f * (float)(number % 64);
}

static float image_factor(uint32_t number)
{
    return 0.3f + 0.007f * (float)(number % 64);
}

static float sampler_bound(uint32_t number)
{
    return 0.5f + 0.021f * (float)(number % 64);
}

static struct record *record_at(struct fixture *f, uint32_t number)
{
    return (struct record *)(void *)((char *)f->memory.map + TABLE) + number;
}

static void put_image(struct fixture *f, uint32_t number)
{
    *record_at(f, number) = (struct record){.near = {record_bits(image_factor(number)), record_bits(1.0f)}};
}

static void put_sampler(struct fixture *f, uint32_t number)
{
    *record_at(f, number) =
        (struct record){.flags = RECORD_COORDS, .near = {record_near(sampler_bound(number)), record_near(0.0f)}};
}

/* The pair's, its image's and its sampler's. */
static void put_combined(struct fixture *f, uint32_t number)
{
    *record_at(f, number) = (struct record){.flags = RECORD_COORDS, .near = {record_near(whole_bound(number)), 0}};
    put_image(f, number + HALF_IMAGE);
    put_sampler(f, number + HALF_SAMPLER);
}

static void put_record_index(struct fixture *f, uint32_t base, uint32_t at, uint32_t number)
{
    memcpy((char *)f->memory.map + BASES + (size_t)base * BASE_BYTES + at, &number, sizeof(number));
}

/* The way to records; `heaps`: the bases are those of heaps, whose lengths are known. */
static void lay_out(struct fixture *f, bool heaps)
{
    const uint64_t address = harness_buffer_address(&f->vk, &f->memory);
    char *map = f->memory.map;
    memset(map, 0, MEMORY_BYTES);
    uint64_t *root = (uint64_t *)(void *)(map + ROOT), *word = (uint64_t *)(void *)(map + WORD);
    root[0] = address + WORD;
    *word = (address + TABLE) | NUMBER_BITS;
    for (uint32_t i = 0; i < BASE_COUNT; i++)
        root[1 + i] = address + BASES + i * BASE_BYTES;
    for (uint32_t heap = 0; heap < BASE_COUNT && heaps; heap++)
        root[1 + ROOT_WORDS_OF(heap)] = BASE_BYTES / 4;
    f->pushed = (struct pushed){.element = 2, .index = 3, .address = address + INDICES, .root = address + ROOT};
}

/* ---- Lookups ---- */

static void look(struct fixture *f, const struct spirv_layout *layout, const struct spirv_options *options,
                 uint32_t lookups, float results[RESULTS])
{
    struct spirv_output output;
    const size_t count = sizeof(integration_numbers) / sizeof(uint32_t);
    memset(f->results.map, 0, RESULTS * sizeof(float));
    assert_int_equal(spirv_rewrite(integration_numbers, count, layout, options, NULL, &output), SPIRV_REWRITTEN);
    assert_string_equal(output.message, "");
    assert_int_equal(output.rewritten_lookups, lookups);
    VkPipeline pipeline = harness_compute_pipeline(
        &f->vk, (struct harness_spirv){output.words, output.word_count * sizeof(uint32_t)}, f->layout);
    VkCommandBuffer commands = harness_begin(&f->vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->layout, 0, 3, f->sets, 0, NULL);
    vkCmdPushConstants(commands, f->layout, VK_SHADER_STAGE_ALL, 0, sizeof(f->pushed), &f->pushed);
    vkCmdDispatch(commands, 1, 1, 1);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
    harness_submit(&f->vk, commands);
    vkDestroyPipeline(f->vk.device, pipeline, NULL);
    free(output.words);
    memcpy(results, f->results.map, RESULTS * sizeof(float));
}

#define PLAIN (0.5f / WIDTH) /* the coordinate was not moved */

static void expect(const float results[RESULTS], const float expected[RESULTS])
{
    for (uint32_t i = 0; i < RESULTS; i++) {
        const float difference = results[i] - expected[i];
        if (difference > 1.0e-3f || difference < -1.0e-3f)
            fail_msg("lookup %u: %f in the place of %f", i, (double)results[i], (double)expected[i]);
    }
}

/* In every tier and form. */
static void expect_everywhere(struct fixture *f, const struct spirv_layout *layout, uint32_t lookups,
                              const float expected[RESULTS])
{
    for (uint32_t i = 0; i < 4; i++) {
        const struct spirv_options options = {.tier = 1 + i % 2, .form = i < 2 ? SPIRV_FORM_GPU : SPIRV_FORM_CPU};
        float results[RESULTS];
        look(f, layout, &options, lookups, results);
        expect(results, expected);
    }
}

/* ---- Sets ---- */

#define CARRIED(at, bytes)                                                                                             \
    {                                                                                                                  \
        .offset = {at, at, at}, .stride = (bytes)                                                                      \
    }

static const struct spirv_binding first_set[] = {
    {.binding = 0, .new_binding = 0, .first_record = 5, .count = 1, .split = 1, .embedded = CARRIED(16, 96)},
    /* One less than the program declares. */
    {.binding = 1, .new_binding = 1, .first_record = 8, .count = 3, .split = 1, .embedded = CARRIED(256 + 48, 96)},
};
static const struct spirv_binding second_set[] = {
    {.binding = 0, .new_binding = 0, .first_record = 0, .count = 3, .embedded = CARRIED(32, 64)},
    {.binding = 3, .new_binding = 3, .first_record = 3, .count = 3, .embedded = CARRIED(512 + 16, 32)},
};
static const struct spirv_set sets[] = {
    {.bindings = first_set,
     .binding_count = 2,
     .record_binding = SPIRV_NO_RECORD,
     .record_count = 30,
     .embedded = true},
    {.bindings = second_set,
     .binding_count = 2,
     .record_binding = SPIRV_NO_RECORD,
     .record_count = 9,
     .embedded = true},
};
static const struct spirv_layout layout_of_sets = {.sets = sets, .set_count = 2, .root_at = ROOT_AT};

static void numbers_in_sets_lead_to_records(void **state)
{
    struct fixture *f = *state;
    static const uint32_t many[3] = {10, 1030, 20}, images[3] = {40, 41, 1042}, samplers[3] = {50, 51, 1052};
    const uint32_t single = 1;
    lay_out(f, false);
    put_record_index(f, 0, 16, single);
    put_combined(f, single);
    for (uint32_t i = 0; i < 3; i++) {
        put_record_index(f, 0, 256 + 48 + 96 * i, many[i]);
        put_combined(f, many[i]);
        put_record_index(f, 1, 32 + 64 * i, images[i]);
        put_image(f, images[i]);
        put_record_index(f, 1, 512 + 16 + 32 * i, samplers[i]);
        put_sampler(f, samplers[i]);
    }
    const float expected[RESULTS] = {
        whole_bound(single),
        whole_bound(many[1]),
        whole_bound(many[2]),
        PLAIN, /* the layout has no such element */
        PLAIN,
        whole_bound(single),
        whole_bound(many[1]),
        whole_bound(many[2]),
        image_factor(images[1]) * sampler_bound(samplers[2]),
        image_factor(single + HALF_IMAGE) * sampler_bound(samplers[1]),
        image_factor(images[2]) * sampler_bound(samplers[0]),
        image_factor(single + HALF_IMAGE) * sampler_bound(samplers[2]),
    };
    expect_everywhere(f, &layout_of_sets, 9, expected);
}

/* Numbers that nobody gives: 0, those that no table has, and those that this one has not, right behind it or not. */
static void what_is_no_number_leads_to_no_record(void **state)
{
    struct fixture *f = *state;
    static const uint32_t many[3] = {0, ROOT_INDICES, UINT32_MAX}, images[3] = {0, 0, 0},
                          samplers[3] = {ROOT_INDICES - 1, NUMBERS + 51, NUMBERS};
    lay_out(f, false);
    put_combined(f, 1);
    put_sampler(f, 51);
    put_sampler(f, NUMBERS);
    put_sampler(f, NUMBERS + 51);
    for (uint32_t i = 0; i < 3; i++) {
        put_record_index(f, 0, 256 + 48 + 96 * i, many[i]);
        put_record_index(f, 1, 32 + 64 * i, images[i]);
        put_record_index(f, 1, 512 + 16 + 32 * i, samplers[i]);
    }
    const float expected[RESULTS] = {PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN,
                                     PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN};
    expect_everywhere(f, &layout_of_sets, 9, expected);
}

/* ---- Heaps ---- */

enum { MANY = 4 };

/* One index of 8 bits for the image, and one for the sampler. */
#define PACKED(base_of, at, shift)                                                                                     \
    {                                                                                                                  \
        .base = (base_of), .offset = {at, at, at}, .index_from = SPIRV_INDEX_INDIRECT_ARRAY, .push_offset = 8,         \
        .address_offset = 8, .index_stride = 32, .index_shift = (shift), .index_mask = 0xff                            \
    }

static struct spirv_mapping mappings[] = {
    /* What only others are mapped by does not count. */
    {.set = 0, .first_binding = 0, .binding_count = 9, .resources = SPIRV_RESOURCE_READ_ONLY_IMAGE, .followed = true},
    /* The sampler's index is the second bit of a word that is pushed. */
    {.set = 0,
     .first_binding = 0,
     .binding_count = 1,
     .resources = SPIRV_RESOURCE_COMBINED | SPIRV_RESOURCE_SAMPLED_IMAGE,
     .followed = true,
     .image = {.base = ROOT_RESOURCE_HEAP, .offset = {16, 16, 16}, .stride = 64},
     .combined_sampler = {.base = ROOT_SAMPLER_HEAP,
                          .offset = {16, 16, 16},
                          .stride = 32,
                          .index_from = SPIRV_INDEX_PUSHED,
                          .push_offset = 4,
                          .index_stride = 64,
                          .index_shift = 1,
                          .index_mask = 1}},
    {.set = 0,
     .first_binding = 1,
     .binding_count = 1,
     .resources = SPIRV_RESOURCE_COMBINED,
     .followed = true,
     .image = PACKED(ROOT_RESOURCE_HEAP, 0x1000, 0),
     .combined_image_mask = 0xff,
     .combined_sampler = PACKED(ROOT_SAMPLER_HEAP, 0x2000, 8)},
    {.set = 1,
     .first_binding = 0,
     .binding_count = 1,
     .resources = SPIRV_RESOURCE_SAMPLED_IMAGE,
     .followed = true,
     .image = {.base = ROOT_RESOURCE_HEAP,
               .offset = {0x3000, 0x3000, 0x3000},
               .stride = 64,
               .index_from = SPIRV_INDEX_PUSHED,
               .push_offset = 4,
               .index_stride = 128}},
    /* Binding 3 is the second of these. */
    {.set = 1,
     .first_binding = 2,
     .binding_count = 4,
     .resources = SPIRV_RESOURCE_SAMPLER,
     .followed = true,
     .sampler = {.base = ROOT_SAMPLER_HEAP,
                 .offset = {0x4000, 0x4000, 0x4000},
                 .stride = 32,
                 .index_from = SPIRV_INDEX_INDIRECT,
                 .push_offset = 8,
                 .address_offset = 4,
                 .index_stride = 256}},
};
static const struct spirv_layout layout_of_heaps = {
    .root_at = ROOT_AT,
    .mappings = mappings,
    .mapping_count = sizeof(mappings) / sizeof(mappings[0]),
    .heaps = {.image_size = 64,
              .sampler_size = 32,
              .image_base = ROOT_RESOURCE_HEAP,
              .sampler_base = ROOT_SAMPLER_HEAP},
};

/* Images and samplers of the bindings: the numbers of their records. */
static const uint32_t image_of_many[MANY] = {10, 11, 1036, 13}, sampler_of_many[MANY] = {20, 1045, 22, 23};
static const uint32_t images_of_heap[3] = {40, 41, 1042}, samplers_of_heap[3] = {50, 51, 1052};
static const uint32_t image_of_single = 3, sampler_of_single = 4;

static void fill_heaps(struct fixture *f)
{
    lay_out(f, true);
    uint32_t *indices = (uint32_t *)(void *)((char *)f->memory.map + INDICES);
    indices[1] = 2; /* of samplers */
    put_record_index(f, ROOT_RESOURCE_HEAP, 16, image_of_single);
    put_image(f, image_of_single);
    put_record_index(f, ROOT_SAMPLER_HEAP, 16 + 64, sampler_of_single);
    put_sampler(f, sampler_of_single);
    for (uint32_t i = 0; i < MANY; i++) {
        indices[2 + i] = 0xab0000 | (30 + i) << 8 | (5 - i);
        put_record_index(f, ROOT_RESOURCE_HEAP, 0x1000 + 32 * (5 - i), image_of_many[i]);
        put_image(f, image_of_many[i]);
        put_record_index(f, ROOT_SAMPLER_HEAP, 0x2000 + 32 * (30 + i), sampler_of_many[i]);
        put_sampler(f, sampler_of_many[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        put_record_index(f, ROOT_RESOURCE_HEAP, 0x3000 + 3 * 128 + 64 * i, images_of_heap[i]);
        put_image(f, images_of_heap[i]);
        put_record_index(f, ROOT_SAMPLER_HEAP, 0x4000 + 2 * 256 + 32 * (1 + i), samplers_of_heap[i]);
        put_sampler(f, samplers_of_heap[i]);
    }
}

static float pair_bound(uint32_t image, uint32_t sampler)
{
    return image_factor(image) * sampler_bound(sampler);
}

static void expect_in_heaps(float *expected)
{
    const float single = pair_bound(image_of_single, sampler_of_single);
    float many[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        many[i] = pair_bound(image_of_many[i], sampler_of_many[i]);
    const float found[RESULTS] = {
        single,
        many[1],
        many[2],
        many[3],
        many[3],
        single,
        many[1],
        many[2],
        pair_bound(images_of_heap[1], samplers_of_heap[2]),
        pair_bound(image_of_single, samplers_of_heap[1]),
        pair_bound(images_of_heap[2], samplers_of_heap[0]),
        pair_bound(image_of_single, samplers_of_heap[2]),
    };
    memcpy(expected, found, sizeof(found));
}

static void numbers_in_heaps_lead_to_records(void **state)
{
    struct fixture *f = *state;
    float expected[RESULTS];
    fill_heaps(f);
    expect_in_heaps(expected);
    expect_everywhere(f, &layout_of_heaps, 10, expected);
}

/* Strides of indices that are no whole words, as where programs push offsets in bytes. */
static void indices_may_count_bytes(void **state)
{
    struct fixture *f = *state;
    struct spirv_mapping in_bytes[sizeof(mappings) / sizeof(mappings[0])];
    struct spirv_layout layout = layout_of_heaps;
    fill_heaps(f);
    memcpy(in_bytes, mappings, sizeof(mappings));
    layout.mappings = in_bytes;
    in_bytes[1].combined_sampler.index_shift = 6;
    in_bytes[3].image.index_stride = 2;
    f->pushed.index = 3 * 128 / 2;
    in_bytes[4].sampler.index_stride = 1;
    ((uint32_t *)(void *)((char *)f->memory.map + INDICES))[1] = 2 * 256;
    float expected[RESULTS];
    expect_in_heaps(expected);
    expect_everywhere(f, &layout, 10, expected);
}

/* An index that leads out of the heap: of many's samplers by their words, of images by what is pushed. */
static void indices_beyond_a_heap_lead_to_no_record(void **state)
{
    struct fixture *f = *state;
    fill_heaps(f);
    f->pushed.index = BASE_BYTES / 128;
    char *map = f->memory.map;
    uint64_t *root = (uint64_t *)(void *)(map + ROOT);
    /* The sampler heap ends behind the samplers of many. */
    root[1 + ROOT_SAMPLER_WORDS] = 0x4000 / 4;
    const float expected[RESULTS] = {
        PLAIN,
        pair_bound(image_of_many[1], sampler_of_many[1]),
        pair_bound(image_of_many[2], sampler_of_many[2]),
        pair_bound(image_of_many[3], sampler_of_many[3]),
        pair_bound(image_of_many[3], sampler_of_many[3]),
        PLAIN,
        pair_bound(image_of_many[1], sampler_of_many[1]),
        pair_bound(image_of_many[2], sampler_of_many[2]),
        PLAIN,
        PLAIN,
        PLAIN,
        PLAIN,
    };
    expect_everywhere(f, &layout_of_heaps, 10, expected);
}

static void embedded_samplers_have_the_layouts_numbers(void **state)
{
    struct fixture *f = *state;
    static const uint32_t number = 1030;
    fill_heaps(f);
    put_sampler(f, number);
    const struct spirv_embedded in_heap = mappings[4].sampler, of_single = mappings[1].combined_sampler;
    mappings[4].sampler.record_indices = mappings[1].combined_sampler.record_indices = &number;
    const float expected[RESULTS] = {
        pair_bound(image_of_single, number),
        pair_bound(image_of_many[1], sampler_of_many[1]),
        pair_bound(image_of_many[2], sampler_of_many[2]),
        pair_bound(image_of_many[3], sampler_of_many[3]),
        pair_bound(image_of_many[3], sampler_of_many[3]),
        pair_bound(image_of_single, number),
        pair_bound(image_of_many[1], sampler_of_many[1]),
        pair_bound(image_of_many[2], sampler_of_many[2]),
        pair_bound(images_of_heap[1], number),
        pair_bound(image_of_single, number),
        pair_bound(images_of_heap[2], number),
        pair_bound(image_of_single, number),
    };
    expect_everywhere(f, &layout_of_heaps, 10, expected);
    mappings[4].sampler = in_heap;
    mappings[1].combined_sampler = of_single;
}

int main(void)
{
    static struct fixture fixture;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(numbers_in_sets_lead_to_records, &fixture),
        cmocka_unit_test_prestate(what_is_no_number_leads_to_no_record, &fixture),
        cmocka_unit_test_prestate(numbers_in_heaps_lead_to_records, &fixture),
        cmocka_unit_test_prestate(indices_may_count_bytes, &fixture),
        cmocka_unit_test_prestate(indices_beyond_a_heap_lead_to_no_record, &fixture),
        cmocka_unit_test_prestate(embedded_samplers_have_the_layouts_numbers, &fixture),
    };
    open_fixture(&fixture);
    const int failed = cmocka_run_group_tests_name("numbers", tests, NULL, NULL);
    close_fixture(&fixture);
    return failed;
}
