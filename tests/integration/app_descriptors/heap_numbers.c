/* SPDX-License-Identifier: MIT */
/*
 * Records by number in heaps that shaders look into themselves, on the device: rewritten shaders find the sizes of
 * descriptors that are shown, the numbers behind descriptors in the heaps, and by them the records. The layer takes no
 * part: roots, directories and records are laid out here, by layer/base/record/root.h.
 */
#include <stdlib.h>
#include <string.h>

#include "integration/app_descriptors/heap_scene.h"
#include "record/record.h"
#include "record/root.h"
#include "spirv/module/inst.h"
#include "spirv/spirv.h"

#ifdef HEAP_SHADERS
#include "integration_heap_compute.h"
#include "integration_heap_constant.h"
#include "integration_heap_fragment.h"
#include "integration_heap_function.h"
#include "integration_heap_many.h"
#include "integration_heap_members.h"
#include "integration_heap_strided.h"

enum {
    WIDTH = 256,
    OWN_STRIDE = 256,
    MEMBERS_AT = 64,
    SPREAD = 3,
    ROOT_AT = 248,
    /* Where things lie in the layer's memory, in bytes. */
    WORD = 0x1000, /* that leads to the table */
    RECORDS = 0x4000,
    NUMBER_BITS = 10,
    MEMORY_BYTES = RECORDS + (sizeof(struct record) << NUMBER_BITS),
};

/* What the shaders have pushed (integration_heap.glsl). */
struct pushed {
    uint32_t textures[SCENE_ROWS], samplers[SCENE_ROWS];
    uint32_t pixels, samplers_at;
};

struct fixture {
    struct harness_vulkan vk;
    struct harness_target target;
    struct harness_image ramp;
    struct harness_heaps heaps;
    struct harness_buffer memory, pixels;
    struct spirv_layout layout;
    float found[SCENE_ROWS][SCENE_COLUMNS][4];
};

/* ---- The device ---- */

/* Descriptors are twice as large as the driver's, but those of buffers; the number stands behind the driver's bytes. */
static void show_sizes(struct fixture *f)
{
    const uint32_t image = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    const uint32_t sampler = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_SAMPLER);
    f->layout = (struct spirv_layout){.root_at = ROOT_AT,
                                      .heaps = {.image_size = 2 * image,
                                                .sampler_size = 2 * sampler,
                                                .image_index_offset = image,
                                                .sampler_index_offset = sampler,
                                                .image_base = ROOT_RESOURCE_HEAP,
                                                .sampler_base = ROOT_SAMPLER_HEAP}};
}

/* The way to records. */
static void lay_out(struct fixture *f)
{
    const uint64_t address = harness_buffer_address(&f->vk, &f->memory);
    uint64_t *root = f->memory.map, *word = (uint64_t *)(void *)((char *)f->memory.map + WORD);
    root[0] = address + WORD;
    *word = (address + RECORDS) | NUMBER_BITS;
    root[1 + ROOT_RESOURCE_HEAP] = f->heaps.resources.address;
    root[1 + ROOT_SAMPLER_HEAP] = f->heaps.samplers.address;
    root[1 + ROOT_RESOURCE_WORDS] = f->heaps.resources.size / 4;
    root[1 + ROOT_SAMPLER_WORDS] = f->heaps.samplers.size / 4;
}

static void open_fixture(struct fixture *f)
{
    float ramp[WIDTH];
    const VkPhysicalDeviceVulkan12Features twelve = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                     .shaderInt8 = VK_TRUE,
                                                     .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                                     .runtimeDescriptorArray = VK_TRUE,
                                                     .scalarBlockLayout = VK_TRUE,
                                                     .bufferDeviceAddress = VK_TRUE};
    *f = (struct fixture){.layout = {0}};
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){.layers = "none"});
    const char *lacks = harness_lacks(&f->vk, HARNESS_MONOLITHIC, HARNESS_SETS_HEAP_UNTYPED);
    harness_vulkan_close(&f->vk);
    if (lacks) {
        print_message("the driver lacks %s\n", lacks);
        skip();
    }
    harness_messages_reset();
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){
                                    .layers = "validation", .device_next = &twelve, .sets = HARNESS_SETS_HEAP_UNTYPED});
    for (uint32_t i = 0; i < WIDTH; i++)
        ramp[i] = ((float)i + 0.5f) / WIDTH;
    harness_image_create(
        &f->vk, &f->ramp,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R32_SFLOAT, .width = WIDTH, .height = 1},
        ramp);
    harness_target_create(&f->vk, &f->target, VK_FORMAT_R32G32B32A32_SFLOAT, SCENE_COLUMNS, SCENE_ROWS);
    harness_heaps_open(&f->heaps, &f->vk, true, HEAP_SCENE_BYTES, HEAP_SCENE_BYTES);
    harness_buffer_create(&f->vk, &f->memory,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, MEMORY_BYTES,
                          NULL);
    harness_buffer_create(&f->vk, &f->pixels,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(f->found), NULL);
    show_sizes(f);
    lay_out(f);
}

static void close_fixture(struct fixture *f)
{
    harness_buffer_destroy(&f->vk, &f->memory);
    harness_buffer_destroy(&f->vk, &f->pixels);
    harness_heaps_close(&f->heaps);
    harness_target_destroy(&f->vk, &f->target);
    harness_image_destroy(&f->vk, &f->ramp);
    harness_vulkan_close(&f->vk);
    assert_int_equal(harness_messages(), 0);
}

/* ---- Descriptors and records ---- */

/* What tells which records a lookup has followed: its coordinate's absolute value is at least the product of the two.
 */
static float image_factor(uint32_t number)
{
    return 0.5f + 0.05f * (float)number;
}

static float sampler_bound(uint32_t number)
{
    return 0.02f * (float)number;
}

static struct record *record_at(struct fixture *f, uint32_t number)
{
    return (struct record *)(void *)((char *)f->memory.map + RECORDS) + number;
}

static void put_texture(struct fixture *f, uint32_t offset, uint32_t number)
{
    harness_heap_put_image(&f->heaps, offset, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &f->ramp);
    memcpy(f->heaps.resources.bytes + offset + f->layout.heaps.image_index_offset, &number, sizeof(number));
    *record_at(f, number) = (struct record){.near = {record_bits(image_factor(number)), record_bits(1.0f)}};
}

static void put_sampler(struct fixture *f, uint32_t offset, uint32_t number)
{
    const VkSamplerCreateInfo linear = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .magFilter = VK_FILTER_LINEAR,
                                        .minFilter = VK_FILTER_LINEAR,
                                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    harness_heap_put_sampler(&f->heaps, offset, &linear);
    memcpy(f->heaps.samplers.bytes + offset + f->layout.heaps.sampler_index_offset, &number, sizeof(number));
    *record_at(f, number) =
        (struct record){.flags = RECORD_COORDS, .near = {record_near(sampler_bound(number)), record_near(0.0f)}};
}

/* How a shader counts. */
struct places {
    uint32_t textures, texture_stride; /* byte of texture 0, and from one to the next */
    uint32_t samplers;                 /* byte of sampler 0 */
};

static uint32_t image_of(uint32_t row)
{
    return 1 + row % 4;
}

static uint32_t sampler_of(uint32_t row)
{
    return 10 + 3 * row;
}

static struct pushed write_rows(struct fixture *f, const struct places *places)
{
    const uint32_t buffer_stride = harness_heap_stride(&f->heaps, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    struct pushed pushed = {.samplers_at = places->samplers};
    for (uint32_t row = 0; row < SCENE_ROWS; row++) {
        pushed.textures[row] = 1 + row * 5 % SCENE_ROWS * 2;
        pushed.samplers[row] = row * 7 % SCENE_ROWS * 2;
        put_texture(f, places->textures + pushed.textures[row] * places->texture_stride, image_of(row));
        put_sampler(f, places->samplers + pushed.samplers[row] * f->layout.heaps.sampler_size, sampler_of(row));
    }
    pushed.pixels = HEAP_SCENE_BYTES / 2 / buffer_stride;
    harness_heap_put_range(&f->heaps, pushed.pixels * buffer_stride, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                           harness_buffer_address(&f->vk, &f->pixels), f->pixels.size, VK_FORMAT_UNDEFINED);
    return pushed;
}

/* ---- Drawing ---- */

static void draw(struct fixture *f, struct harness_spirv code, bool compute, const struct pushed *pushed)
{
    const uint64_t root = harness_buffer_address(&f->vk, &f->memory);
    uint8_t data[ROOT_AT + sizeof(root)] = {0}; /* validation takes all members of a block for used */
    memcpy(data, pushed, sizeof(*pushed));
    memcpy(data + ROOT_AT, &root, sizeof(root));
    VkPipeline pipeline =
        compute ? harness_compute_pipeline_mapped(&f->vk, code, NULL, NULL)
                : harness_graphics_pipeline(&f->vk, &f->target, &(struct harness_graphics_params){.fragment = code});
    memset(f->pixels.map, 0, sizeof(f->found));
    VkCommandBuffer commands = harness_begin(&f->vk);
    harness_heaps_bind(&f->heaps, commands);
    harness_heaps_push(&f->heaps, commands, 0, data, sizeof(data));
    if (compute) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdDispatch(commands, 1, 1, 1);
        harness_submit(&f->vk, commands);
        memcpy(f->found, f->pixels.map, sizeof(f->found));
    } else {
        harness_target_begin(&f->target, commands);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, 3, 1, 0, 0);
        harness_target_end(commands);
        harness_submit(&f->vk, commands);
        harness_target_read(&f->vk, &f->target, f->found);
    }
    vkDestroyPipeline(f->vk.device, pipeline, NULL);
}

/* The ramp at the column's coordinate; `bound` 0: not moved. */
static float expected(uint32_t column, float bound)
{
    const float edge = 0.5f / WIDTH;
    float at = ((float)column + 0.5f) * 3.0f / SCENE_COLUMNS - 1.0f;
    at = bound > 0 && at < 0 ? -at : at;
    at = at < bound ? bound : at;
    return at < edge ? edge : at > 1.0f - edge ? 1.0f - edge : at;
}

/* What the lookups of a row give there; all rows are the same where there is but one image and one sampler. */
static float expected_in(uint32_t row, uint32_t column, uint32_t tier, bool same_rows)
{
    const uint32_t image = same_rows ? 1 : image_of(row % SCENE_ROWS);
    const uint32_t sampler = same_rows ? 20 : sampler_of(row % SCENE_ROWS);
    return expected(column, tier == 0 ? 0.0f : image_factor(image) * sampler_bound(sampler));
}

/* `lookups`: how many the shader has. */
static void expect(const struct fixture *f, uint32_t tier, bool same_rows, uint32_t lookups)
{
    for (uint32_t row = 0; row < SCENE_ROWS; row++) {
        for (uint32_t column = 0; column < SCENE_COLUMNS; column++) {
            float own[3];
            for (uint32_t i = 0; i < 3; i++)
                own[i] = expected_in(row + i, column, tier, same_rows);
            assert_float_equal(f->found[row][column][0], own[0], 1.0e-3f);
            if (lookups == 1)
                continue;
            assert_float_equal(f->found[row][column][1], own[1], 1.0e-3f);
            assert_float_equal(f->found[row][column][2], (own[0] + own[1] + own[2]) / 3, 1.0e-3f);
        }
    }
}

/* In every tier and form. */
static void look_up(struct fixture *f, const uint32_t *words, size_t bytes, bool compute, const struct pushed *pushed,
                    bool same_rows, uint32_t lookups)
{
    for (uint32_t i = 0; i < 6; i++) {
        const struct spirv_options options = {.tier = i % 3, .form = i < 3 ? SPIRV_FORM_GPU : SPIRV_FORM_CPU};
        struct spirv_output output;
        assert_int_equal(spirv_rewrite(words, bytes / sizeof(uint32_t), &f->layout, &options, NULL, &output),
                         SPIRV_REWRITTEN);
        assert_string_equal(output.message, "");
        assert_int_equal(output.rewritten_lookups, options.tier != 0 ? lookups : 0);
        draw(f, (struct harness_spirv){output.words, output.word_count * sizeof(uint32_t)}, compute, pushed);
        expect(f, options.tier, same_rows, lookups);
        free(output.words);
    }
}

#define LOOK_UP(f, name, compute, pushed) look_up((f), (name), sizeof(name), (compute), (pushed), false, 1)

static void sizes_are_those_that_are_shown(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const struct places places = {0, f.layout.heaps.image_size, 0};
    const struct pushed pushed = write_rows(&f, &places);
    LOOK_UP(&f, integration_heap_fragment, false, &pushed);
    LOOK_UP(&f, integration_heap_compute, true, &pushed);
    close_fixture(&f);
}

static void lookups_share_blocks_and_stand_in_loops(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const struct places places = {0, f.layout.heaps.image_size, 0};
    const struct pushed pushed = write_rows(&f, &places);
    look_up(&f, integration_heap_many, sizeof(integration_heap_many), false, &pushed, false, 3);
    close_fixture(&f);
}

static void strides_are_the_programs_own(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const struct places places = {0, OWN_STRIDE, 0};
    const struct pushed pushed = write_rows(&f, &places);
    LOOK_UP(&f, integration_heap_strided, false, &pushed);
    close_fixture(&f);
}

/* What the compiler makes of the structs: members and structs are aligned to the size of an image's descriptor. */
static void members_are_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const uint32_t image = f.layout.heaps.image_size;
    const struct places places = {MEMBERS_AT + 3 * image, 3 * image, SPREAD * f.layout.heaps.sampler_size};
    const struct pushed pushed = write_rows(&f, &places);
    LOOK_UP(&f, integration_heap_members, false, &pushed);
    close_fixture(&f);
}

/*
 * Compilers still declare parameters as pointers to images and samplers, to which no pointer into a heap can be passed:
 * these become pointers without a type, which is declared in front of all others.
 */
static uint32_t *with_untyped_parameters(const uint32_t *words, size_t count)
{
    enum { TYPE_VOID = 19, TYPE_POINTER = 32, TYPE_FUNCTION = 33, PARAMETER = 55, TYPE_UNTYPED_POINTER = 4417 };
    bool *typed = harness_alloc(words[HEADER_BOUND], sizeof(*typed)); /* by id */
    uint32_t *changed = harness_alloc(count, sizeof(*changed)), *to = changed + HEADER_WORDS;
    const uint32_t *untyped = words;
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at)) {
        if (inst_opcode(words + at) == TYPE_POINTER && words[at + 2] == 0) /* UniformConstant */
            typed[words[at + 1]] = true;
        if (inst_opcode(words + at) == TYPE_UNTYPED_POINTER)
            untyped = words + at;
    }
    memcpy(changed, words, HEADER_WORDS * sizeof(*changed));
    for (size_t at = HEADER_WORDS; at < count; at += inst_length(words + at)) {
        const uint32_t opcode = inst_opcode(words + at), length = inst_length(words + at);
        const uint32_t first = opcode == TYPE_FUNCTION ? 3 : opcode == PARAMETER ? 1 : length;
        const uint32_t end = opcode == PARAMETER ? 2 : length;
        if (opcode == TYPE_VOID)
            to = (uint32_t *)memcpy(to, untyped, 3 * sizeof(*to)) + 3;
        if (opcode == TYPE_UNTYPED_POINTER)
            continue;
        memcpy(to, words + at, length * sizeof(*to));
        for (uint32_t i = first; i < end; i++)
            to[i] = typed[to[i]] ? untyped[1] : to[i];
        to += length;
    }
    free(typed);
    return changed;
}

static void parameters_are_followed(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const struct places places = {0, f.layout.heaps.image_size, 0};
    const struct pushed pushed = write_rows(&f, &places);
    uint32_t *words =
        with_untyped_parameters(integration_heap_function, sizeof(integration_heap_function) / sizeof(uint32_t));
    look_up(&f, words, sizeof(integration_heap_function), false, &pushed, false, 1);
    free(words);
    close_fixture(&f);
}

static void constant_indices_are_found(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    const struct pushed pushed = {.pixels = 0};
    put_texture(&f, 0, 1);
    put_sampler(&f, f.layout.heaps.sampler_size, 20);
    look_up(&f, integration_heap_constant, sizeof(integration_heap_constant), false, &pushed, true, 1);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_that_are_shown), cmocka_unit_test(lookups_share_blocks_and_stand_in_loops),
        cmocka_unit_test(strides_are_the_programs_own),   cmocka_unit_test(members_are_found),
        cmocka_unit_test(parameters_are_followed),        cmocka_unit_test(constant_indices_are_found),
    };
    return cmocka_run_group_tests_name("heap_numbers", tests, NULL, NULL);
}
#else
static void compilers_know_heaps(void **state)
{
    (void)state;
    print_message("glslang lacks GL_EXT_descriptor_heap\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compilers_know_heaps)};
    return cmocka_run_group_tests_name("heap_numbers", tests, NULL, NULL);
}
#endif
