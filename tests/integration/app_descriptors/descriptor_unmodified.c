/* SPDX-License-Identifier: MIT */
/*
 * Descriptor buffers of programs that know nothing of the layer, which a setting makes active: they see larger
 * descriptors and the driver's limits, and their push constants stay theirs to the last byte.
 */
#include <math.h>
#include <stdlib.h>

#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_last_words.h"
#include "integration_descriptor_pushed_words.h"

enum { WORDS = 64, LAST = 62, TEXELS = 4 };

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* Which program draws a row. */
enum { SAMPLES, READS_LAST, PROGRAMS };

struct fixture {
    struct descriptor_scene f;
    struct descriptor_program programs[PROGRAMS];
    struct harness_descriptor_set set;
    uint32_t words[WORDS];
};

/* CLAMP_TO_EDGE becomes GL_CLAMP with a border of transparent black. */
static void open_fixture(struct fixture *fixture)
{
    const struct harness_spirv code[PROGRAMS] = {HARNESS_SPIRV(integration_descriptor_pushed_words),
                                                 HARNESS_SPIRV(integration_descriptor_last_words)};
    struct descriptor_scene *f = &fixture->f;
    setenv("VK_CLAMPLER_GL_CLAMP", "edge", 1);
    descriptor_scene_open(f, &(struct descriptor_scene_params){.unmodified = true});
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    if (f->scene.vk.properties.limits.maxPushConstantsSize < WORDS * sizeof(uint32_t)) {
        print_message("the driver has no push constants of 256 bytes\n");
        descriptor_scene_close(f);
        skip();
    }
    for (unsigned i = 0; i < PROGRAMS; i++) {
        const VkDescriptorSetLayout layout = harness_descriptor_layout(&f->descriptors, &binding, 1, 0, NULL);
        descriptor_program_create_rows(f, &fixture->programs[i], code[i], &layout, 1, WORDS * sizeof(uint32_t));
    }
    fixture->set = descriptor_scene_set(f, &fixture->programs[0], 0);
    descriptor_scene_write(f, &fixture->set, 0, 0, SCENE_COMBINED, SCENE_EDGE, SCENE_RAMP);
    for (uint32_t i = 0; i < WORDS; i++)
        fixture->words[i] = 500 + i * 3;
}

static void close_fixture(struct fixture *fixture)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        descriptor_program_destroy(&fixture->f, &fixture->programs[i]);
    descriptor_scene_close(&fixture->f);
}

/* Everything is pushed once; then each row is drawn by the program that `order` says. */
static void draw_rows(struct fixture *fixture, const unsigned order[SCENE_ROWS])
{
    struct descriptor_scene *f = &fixture->f;
    VkCommandBuffer commands = descriptor_scene_begin(f);
    vkCmdPushConstants(commands, fixture->programs[0].layout, VK_SHADER_STAGE_ALL, 0, sizeof(fixture->words),
                       fixture->words);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        const struct descriptor_program *program = &fixture->programs[order[row]];
        descriptor_scene_bind(f, program, commands);
        descriptor_scene_offset(f, program, commands, 0, &fixture->set);
        descriptor_scene_draw_row(commands, row);
    }
    descriptor_scene_end(f, commands);
}

/* GL_CLAMP with that border, or the driver's CLAMP_TO_EDGE. */
static float sampled(bool clamps, unsigned column)
{
    static const float texels[TEXELS + 2] = {0, 51 / 255.0f, 102 / 255.0f, 153 / 255.0f, 204 / 255.0f, 0};
    const float u = (((float)column + 0.5f) * 3.0f / SCENE_COLUMNS - 1.0f) * TEXELS, inset = clamps ? 0.0f : 0.5f;
    const float at = fminf(fmaxf(u, inset), TEXELS - inset) + 0.5f, base = floorf(at), weight = at - base;
    const unsigned index = (unsigned)base;
    return texels[index] * (1 - weight) + (weight > 0 ? texels[index + 1] * weight : 0);
}

static void expect_red(const struct fixture *fixture, unsigned row, bool clamps)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        assert_float_equal(fixture->f.scene.pixels[row][x][0], sampled(clamps, x), 1.5f / 255.0f);
}

static void expect_last_words(const struct fixture *fixture, unsigned row)
{
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        for (unsigned i = 0; i < 2; i++)
            assert_float_equal(fixture->f.scene.pixels[row][x][1 + i], (float)fixture->words[LAST + i], 0);
}

static void sizes_have_room_and_limits_are_the_drivers(void **state)
{
    (void)state;
    static struct fixture fixture;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT shown = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &shown};
    open_fixture(&fixture);
    const struct harness_vulkan *vk = &fixture.f.scene.vk;
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT driver = descriptor_scene_driver();
    setenv("VK_CLAMPLER_GL_CLAMP", "edge", 1);
    vkGetPhysicalDeviceProperties2(vk->physical, &properties);
    unsetenv("VK_CLAMPLER_GL_CLAMP");
    assert_int_equal(shown.samplerDescriptorSize, driver.samplerDescriptorSize * (fixture.f.native ? 1 : 4));
    assert_int_equal(properties.properties.limits.maxPushConstantsSize, vk->properties.limits.maxPushConstantsSize);
    close_fixture(&fixture);
}

/* Draws that sample take the last bytes for the layer; draws that read them get them back. */
static void the_last_push_constants_stay_the_programs(void **state)
{
    (void)state;
    static const unsigned order[SCENE_ROWS] = {SAMPLES, READS_LAST, SAMPLES, SAMPLES, READS_LAST, READS_LAST};
    static struct fixture fixture;
    open_fixture(&fixture);
    const bool clamps = !fixture.f.native;
    draw_rows(&fixture, order);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        if (order[row] == READS_LAST) {
            expect_last_words(&fixture, row);
            continue;
        }
        expect_red(&fixture, row, clamps);
        for (unsigned x = 0; x < SCENE_COLUMNS; x++)
            assert_float_equal(fixture.f.scene.pixels[row][x][1], (float)fixture.words[row * SCENE_COLUMNS + x], 0);
    }
    if (clamps)
        assert_int_equal(fixture.f.scene.drew[1] + fixture.f.scene.drew[2], 3);
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_room_and_limits_are_the_drivers),
        cmocka_unit_test(the_last_push_constants_stay_the_programs),
    };
    return cmocka_run_group_tests_name("descriptor_unmodified", tests, NULL, NULL);
}
