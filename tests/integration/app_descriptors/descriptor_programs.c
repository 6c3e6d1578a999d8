/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers: linked pipelines and shader objects, push constants that are the program's to the last byte, the
 * device's mark, and threads that write descriptors while others draw.
 */
#include <pthread.h>
#include <string.h>

#include "newer_vulkan.h"
#include "gl/gl_tokens.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_combined.h"
#include "integration_descriptor_compute.h"
#include "integration_descriptor_pushed_words.h"
#include "integration_descriptor_single.h"

/* ---- Pipelines and shader objects ---- */

static const VkDescriptorSetLayoutBinding combined_bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                                 SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1),
                                                                 SCENE_BINDING(5, COMBINED_IMAGE_SAMPLER, 3)};
static const struct {
    uint32_t binding, element;
} units[SCENE_ROWS] = {{0, 0}, {0, 1}, {2, 0}, {5, 0}, {5, 1}, {5, 2}};

static void write_units(struct descriptor_scene *f, const struct harness_descriptor_set *set,
                        const enum scene_sampler *rows)
{
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        descriptor_scene_write(f, set, units[row].binding, units[row].element, SCENE_COMBINED, rows[row],
                               descriptor_scene_texture(row));
}

static void programs_of_the_kind(enum harness_linking linking)
{
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.linking = linking});
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_combined), combined_bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        write_units(&f, &set, descriptor_scene_rows(tier));
        descriptor_scene_draw(&f, &program, &set);
        descriptor_scene_expect_rows(&f, descriptor_scene_rows(tier));
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void pipelines_that_are_linked_with_optimisation(void **state)
{
    (void)state;
    programs_of_the_kind(HARNESS_LIBRARY);
}

static void pipelines_that_are_linked_fast(void **state)
{
    (void)state;
    programs_of_the_kind(HARNESS_FAST_LINKED);
}

static void shader_objects(void **state)
{
    (void)state;
    programs_of_the_kind(HARNESS_OBJECTS);
}

static void compute_shaders(enum harness_linking linking)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, SCENE_COMBINED, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_buffer pixels;
    descriptor_scene_open(&f, &(struct descriptor_scene_params){.linking = linking});
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, bindings, 2, 0, NULL);
    const struct harness_descriptor_buffer *buffers[] = {&f.buffer};
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_COMPUTE_BIT, HARNESS_SPIRV(integration_descriptor_compute),
                              &layout, 1, 0);
    harness_buffer_create(&f.scene.vk, &pixels,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          sizeof(f.scene.pixels), NULL);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    harness_descriptor_put_range(&set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                 harness_buffer_address(&f.scene.vk, &pixels), pixels.size, VK_FORMAT_UNDEFINED);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler sampler = descriptor_scene_rows(tier)[2]; /* no mixed filters: level 0 is magnified */
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
        memset(pixels.map, 0, sizeof(f.scene.pixels));
        scene_mark(&f.scene);
        VkCommandBuffer commands = harness_begin(&f.scene.vk);
        harness_descriptor_buffers_bind(&f.descriptors, commands, buffers, 1);
        descriptor_scene_bind(&f, &program, commands);
        descriptor_scene_offset(&f, &program, commands, 0, &set);
        vkCmdDispatch(commands, 1, 1, 1);
        harness_submit(&f.scene.vk, commands);
        scene_take(&f.scene);
        memcpy(f.scene.pixels, pixels.map, sizeof(f.scene.pixels));
        descriptor_scene_expect_all(&f, sampler, SCENE_STEPS);
    }
    harness_buffer_destroy(&f.scene.vk, &pixels);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void compute_pipelines(void **state)
{
    (void)state;
    compute_shaders(HARNESS_MONOLITHIC);
}

static void compute_shader_objects(void **state)
{
    (void)state;
    compute_shaders(HARNESS_OBJECTS);
}

/* ---- Push constants ---- */

/* All that is left of 256 bytes; pixels show two words each, zeros behind the last. */
enum { WORDS = 62, PIXEL_WORDS = SCENE_ROWS * SCENE_COLUMNS, SHOWN_WORDS = 2 * PIXEL_WORDS };

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

static void open_words(struct descriptor_scene *f, struct descriptor_program *program, bool rows,
                       const struct descriptor_scene_params *params)
{
    descriptor_scene_open(f, params);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f->descriptors, &single_binding, 1, 0, NULL);
    const uint32_t size = WORDS * sizeof(uint32_t);
    if (f->scene.vk.properties.limits.maxPushConstantsSize < size)
        harness_fail("push constants of %u bytes at most", f->scene.vk.properties.limits.maxPushConstantsSize);
    if (rows)
        descriptor_program_create_rows(f, program, HARNESS_SPIRV(integration_descriptor_pushed_words), &layout, 1,
                                       size);
    else
        descriptor_program_create(f, program, VK_SHADER_STAGE_FRAGMENT_BIT,
                                  HARNESS_SPIRV(integration_descriptor_pushed_words), &layout, 1, size);
}

static void fill_words(uint32_t words[WORDS], uint32_t seed)
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = seed * 1000 + i * 7 + 1;
}

static void push(const struct descriptor_program *program, VkCommandBuffer commands, const uint32_t *words,
                 uint32_t first, uint32_t count)
{
    vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_ALL, first * (uint32_t)sizeof(uint32_t),
                       count * (uint32_t)sizeof(uint32_t), words + first);
}

static void expect_words(const struct descriptor_scene *f, const uint32_t words[SHOWN_WORDS], unsigned first_row,
                         unsigned end_row)
{
    for (unsigned i = first_row * SCENE_COLUMNS; i < end_row * SCENE_COLUMNS; i++) {
        const float *pixel = f->scene.pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS];
        assert_float_equal(pixel[1], (float)words[i], 0);
        assert_float_equal(pixel[2], (float)words[PIXEL_WORDS + i], 0);
    }
}

static void push_constants_are_the_programs_in_every_tier(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    uint32_t words[SHOWN_WORDS] = {0};
    open_words(&f, &program, false, NULL);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler sampler = descriptor_scene_rows(tier)[1];
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
        for (unsigned order = 0; order < 3; order++) { /* of pushing, binding and setting */
            fill_words(words, tier * 3 + order + 1);
            VkCommandBuffer commands = descriptor_scene_begin(&f);
            if (order == 0)
                push(&program, commands, words, 0, WORDS);
            descriptor_scene_bind(&f, &program, commands);
            if (order == 1)
                push(&program, commands, words, 0, WORDS);
            descriptor_scene_offset(&f, &program, commands, 0, &set);
            for (uint32_t i = 0; i < WORDS && order == 2; i++)
                push(&program, commands, words, i, 1);
            vkCmdDraw(commands, 3, 1, 0, 0);
            descriptor_scene_end(&f, commands);
            descriptor_scene_expect_all(&f, sampler, SCENE_STEPS);
            expect_words(&f, words, 0, SCENE_ROWS);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* Pushed once, then only in part, while offsets change and the tier rises. */
static void push_constants_stay_while_the_tier_rises(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    uint32_t before[SHOWN_WORDS] = {0}, after[SHOWN_WORDS] = {0};
    open_words(&f, &program, true, NULL);
    const struct harness_descriptor_set sets[2] = {descriptor_scene_set(&f, &program, 0),
                                                   descriptor_scene_set(&f, &program, 0)};
    descriptor_scene_write(&f, &sets[0], 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    descriptor_scene_write(&f, &sets[1], 0, 0, SCENE_COMBINED, SCENE_BORDER, SCENE_STEPS);
    fill_words(before, 3);
    fill_words(after, 3);
    VkCommandBuffer commands = descriptor_scene_begin(&f);
    descriptor_scene_bind(&f, &program, commands);
    push(&program, commands, before, 0, WORDS);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        if (row == 2 || row == 4)
            descriptor_scene_raise(&f, row / 2);
        if (row == 3) {
            for (unsigned i = 40; i < 45; i++)
                after[i] = 70000 + i;
            push(&program, commands, after, 40, 5);
        }
        descriptor_scene_offset(&f, &program, commands, 0, &sets[row % 2]);
        descriptor_scene_draw_row(commands, row);
    }
    descriptor_scene_end(&f, commands);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, row % 2 ? SCENE_BORDER : SCENE_EDGE, descriptor_scene_texture(row));
    expect_words(&f, before, 0, 3);
    expect_words(&f, after, 3, SCENE_ROWS);
    for (unsigned tier = 0; tier < 3 && !f.native && f.scene.drew[2] != SCENE_ROWS; tier++)
        assert_int_equal(f.scene.drew[tier], 2);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* The commands of VK_KHR_maintenance6 do the same, for several bind points at once. */
static void commands_of_maintenance_6(void **state)
{
    (void)state;
    struct harness_features features = {.sType = (VkStructureType)1000545000, .enabled = {VK_TRUE}};
    const struct descriptor_scene_params params = {.extensions = {VK_KHR_MAINTENANCE_6_EXTENSION_NAME},
                                                   .next = &features};
    struct descriptor_scene f;
    struct descriptor_program program;
    uint32_t words[SHOWN_WORDS] = {0};
    open_words(&f, &program, false, &params);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler sampler = descriptor_scene_rows(tier)[1];
        const uint32_t buffer = 0;
        const VkSetDescriptorBufferOffsetsInfoEXT offsets = {
            .sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
            .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT,
            .layout = program.layout,
            .setCount = 1,
            .pBufferIndices = &buffer,
            .pOffsets = &set.offset};
        const VkPushConstantsInfoKHR push_info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO_KHR,
                                                  .layout = program.layout,
                                                  .stageFlags = VK_SHADER_STAGE_ALL,
                                                  .size = WORDS * sizeof(uint32_t),
                                                  .pValues = words};
        descriptor_scene_raise(&f, tier);
        descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
        fill_words(words, tier + 1);
        VkCommandBuffer commands = descriptor_scene_begin(&f);
        descriptor_scene_bind(&f, &program, commands);
        HARNESS_PROC(&f.scene.vk, vkCmdSetDescriptorBufferOffsets2EXT)(commands, &offsets);
        HARNESS_PROC(&f.scene.vk, vkCmdPushConstants2KHR)(commands, &push_info);
        vkCmdDraw(commands, 3, 1, 0, 0);
        descriptor_scene_end(&f, commands);
        descriptor_scene_expect_all(&f, sampler, SCENE_STEPS);
        expect_words(&f, words, 0, SCENE_ROWS);
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- Programs that come late ---- */

/* Descriptors are made, and kept by the host, before there is any layout that could hold them. */
static void descriptors_are_older_than_all_layouts(void **state)
{
    (void)state;
    unsigned char bytes[SCENE_ROWS][512];
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    const size_t size = harness_descriptor_size(&f.descriptors, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    const unsigned tier = descriptor_scene_tiers(&f);
    const enum scene_sampler *rows = descriptor_scene_rows(tier);
    assert_true(size <= sizeof(bytes[0]));
    descriptor_scene_raise(&f, tier);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        harness_descriptor_image(&f.descriptors, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, f.scene.samplers[rows[row]],
                                 f.scene.textures[descriptor_scene_texture(row)].view, bytes[row]);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_combined), combined_bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        memcpy(harness_descriptor_at(&set, units[row].binding, units[row].element, size), bytes[row], size);
    descriptor_scene_draw(&f, &program, &set);
    descriptor_scene_expect_rows(&f, rows);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- The mark ---- */

/* Draws before a sampler was created are of the tier of that time; that they are outgrown is counted. */
static void a_mark_that_rises_reaches_the_draws_after_it(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    const VkDescriptorSetLayout layout = harness_descriptor_layout(&f.descriptors, &single_binding, 1, 0, NULL);
    descriptor_program_create_rows(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &layout, 1, 0);
    if (f.native || f.tier) {
        print_message("nothing rises\n");
        descriptor_program_destroy(&f, &program);
        descriptor_scene_close(&f);
        skip();
    }
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    VkCommandBuffer commands = descriptor_scene_begin(&f);
    descriptor_scene_bind(&f, &program, commands);
    descriptor_scene_offset(&f, &program, commands, 0, &set);
    for (unsigned row = 0; row < 2; row++)
        descriptor_scene_draw_row(commands, row);
    descriptor_scene_raise(&f, 1);
    descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, SCENE_CLAMP, SCENE_STEPS);
    for (unsigned row = 2; row < 4; row++)
        descriptor_scene_draw_row(commands, row);
    descriptor_scene_raise(&f, 2);
    for (unsigned row = 4; row < SCENE_ROWS; row++)
        descriptor_scene_draw_row(commands, row);
    descriptor_scene_end(&f, commands);
    for (unsigned tier = 0; tier < 3; tier++)
        assert_int_equal(f.scene.drew[tier], 2);
    for (unsigned row = 2; row < SCENE_ROWS; row++)
        scene_expect_row(&f.scene, row, SCENE_CLAMP, SCENE_STEPS);
    assert_int_equal(harness_counters(&f.scene.vk).outgrown_submits, 1);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* ---- Threads ---- */

struct writer {
    struct descriptor_scene *scene;
    const struct harness_descriptor_set *set;
    const enum scene_sampler *rows;
    unsigned first; /* rows first, first + 2, … are this thread's */
};

static VkSampler short_lived(const struct descriptor_scene *f, unsigned round)
{
    const float border = (float)(round % 7) / 8.0f;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = round % 2 ? TOKEN_CLAMP : TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = (float)(round % 5),
                                                   .borderColor = {.float32 = {border, border, border, 1}}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = f->native ? NULL : &gl};
    VkSampler sampler;
    HARNESS_VK(vkCreateSampler(f->scene.vk.device, &info, NULL, &sampler));
    return sampler;
}

/* Samplers come and go, and all that is left in the descriptors in the end are those of the rows. */
static void *write_in_turn(void *user)
{
    const struct writer *writer = user;
    struct descriptor_scene *f = writer->scene;
    for (unsigned round = 0; round < 100; round++) {
        VkSampler sampler = short_lived(f, round * 2 + writer->first);
        for (unsigned row = writer->first; row < SCENE_ROWS; row += 2) {
            harness_descriptor_put_image(writer->set, units[row].binding, units[row].element, SCENE_COMBINED, sampler,
                                         f->scene.textures[round % SCENE_TEXTURES].view);
            descriptor_scene_write(f, writer->set, units[row].binding, units[row].element, SCENE_COMBINED,
                                   writer->rows[row], descriptor_scene_texture(row));
        }
        vkDestroySampler(f->scene.vk.device, sampler, NULL);
    }
    return NULL;
}

static void threads_write_descriptors_while_another_draws(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    pthread_t threads[2];
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_combined), combined_bindings, 3);
    const struct harness_descriptor_set quiet = descriptor_scene_set(&f, &program, 0),
                                        busy = descriptor_scene_set(&f, &program, 0);
    const unsigned tier = descriptor_scene_tiers(&f);
    const enum scene_sampler *rows = descriptor_scene_rows(tier);
    descriptor_scene_raise(&f, tier);
    write_units(&f, &quiet, rows);
    struct writer writers[2] = {{&f, &busy, rows, 0}, {&f, &busy, rows, 1}};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_in_turn, &writers[i]), 0);
    for (unsigned i = 0; i < 10; i++) {
        descriptor_scene_draw(&f, &program, &quiet);
        descriptor_scene_expect_rows(&f, rows);
    }
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    descriptor_scene_draw(&f, &program, &busy);
    descriptor_scene_expect_rows(&f, rows);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_that_are_linked_with_optimisation),
        cmocka_unit_test(pipelines_that_are_linked_fast),
        cmocka_unit_test(shader_objects),
        cmocka_unit_test(compute_pipelines),
        cmocka_unit_test(compute_shader_objects),
        cmocka_unit_test(push_constants_are_the_programs_in_every_tier),
        cmocka_unit_test(push_constants_stay_while_the_tier_rises),
        cmocka_unit_test(commands_of_maintenance_6),
        cmocka_unit_test(descriptors_are_older_than_all_layouts),
        cmocka_unit_test(a_mark_that_rises_reaches_the_draws_after_it),
        cmocka_unit_test(threads_write_descriptors_while_another_draws),
    };
    return cmocka_run_group_tests_name("descriptor_programs", tests, NULL, NULL);
}
