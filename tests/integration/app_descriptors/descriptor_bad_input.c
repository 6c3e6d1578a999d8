/* SPDX-License-Identifier: MIT */
/*
 * What programs must not do with descriptor buffers, and the layer answers: the driver does what it does, no memory is
 * read that is not the program's or the layer's, and a message says what is wrong. Drivers that read descriptors where
 * they are told to do so may stop a GPU here, so that only those on the CPU are asked. See also descriptor_values.c.
 */
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_chosen.h"
#include "integration_descriptor_separate.h"
#include "integration_descriptor_single.h"

#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define SAMPLER VK_DESCRIPTOR_TYPE_SAMPLER

static const VkDescriptorSetLayoutBinding single_binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

/* Without the validation layer, which would say it first. */
static void open_alone(struct descriptor_scene *f)
{
    descriptor_scene_open(f, &(struct descriptor_scene_params){.alone = true});
    if (f->scene.vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return;
    descriptor_scene_close(f);
    print_message("not tried on a GPU\n");
    skip();
}

/* The layer has said something, and nobody else. */
static void expect_message(const struct descriptor_scene *f)
{
    if (!f->native)
        assert_true(harness_layer_messages() > 0);
    harness_messages_reset();
}

static void expect_plain(struct descriptor_scene *f, enum scene_sampler sampler, enum scene_texture texture)
{
    descriptor_scene_expect_tier(f);
    for (unsigned row = 0; row < SCENE_ROWS && !f->least; row++)
        scene_expect_row(&f->scene, row, sampler, texture);
}

static void sets_that_are_not_aligned_have_no_records(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    open_alone(&f);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_single), &single_binding, 1);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned off = 1; off < 4; off++) {
            /* What asks for something, once there is a tier that would follow it: the driver has a border of it. */
            const enum scene_sampler sampler = tier ? SCENE_CLAMP : off % 2 ? SCENE_BORDER : SCENE_EDGE;
            struct harness_descriptor_set moved = set;
            moved.offset += off;
            descriptor_scene_write(&f, &set, 0, 0, SCENE_COMBINED, sampler, SCENE_STEPS);
            memmove(set.bytes + off, set.bytes, size);
            descriptor_scene_draw(&f, &program, &moved);
            expect_plain(&f, tier ? SCENE_BORDER : sampler, SCENE_STEPS);
        }
    }
    expect_message(&f);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* A program with two elements in set 0, and a second set. */
static void open_chosen(struct descriptor_scene *f, struct descriptor_program *program)
{
    static const VkDescriptorSetLayoutBinding bindings[2] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 2),
                                                             SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    open_alone(f);
    const VkDescriptorSetLayout layouts[2] = {harness_descriptor_layout(&f->descriptors, &bindings[0], 1, 0, NULL),
                                              harness_descriptor_layout(&f->descriptors, &bindings[1], 1, 0, NULL)};
    descriptor_program_create(f, program, VK_SHADER_STAGE_FRAGMENT_BIT, HARNESS_SPIRV(integration_descriptor_chosen),
                              layouts, 2, 8);
}

/* The second set is never bound, or in a buffer that is not there. */
static void draw_chosen(struct descriptor_scene *f, const struct descriptor_program *program,
                        const struct harness_descriptor_set *set, int32_t element)
{
    const int32_t chosen[2] = {element, 0};
    VkCommandBuffer commands = descriptor_scene_begin(f);
    descriptor_scene_bind(f, program, commands);
    descriptor_scene_offset(f, program, commands, 0, set);
    vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_ALL, 0, sizeof(chosen), chosen);
    vkCmdDraw(commands, 3, 1, 0, 0);
    descriptor_scene_end(f, commands);
}

static void sets_that_are_not_bound_are_not_read(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    open_chosen(&f, &program);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        const enum scene_sampler *rows = descriptor_scene_rows(tier);
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < SCENE_ROWS; i++) {
            descriptor_scene_write(&f, &set, 0, i % 2, SCENE_COMBINED, rows[i], SCENE_STEPS);
            draw_chosen(&f, &program, &set, (int32_t)i % 2);
            descriptor_scene_expect_all(&f, rows[i], SCENE_STEPS);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/*
 * The driver takes what lies behind an array for one of its elements. The layer finds no record there, whatever number
 * it carries.
 */
static void elements_beyond_an_array_have_no_records(void **state)
{
    (void)state;
    enum { ELEMENTS = 2, BEYOND = 7 };
    struct descriptor_scene f;
    struct descriptor_program program;
    open_chosen(&f, &program);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const size_t size = harness_descriptor_size(&f.descriptors, SCENE_COMBINED);
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned i = ELEMENTS; i <= BEYOND; i++) {
            descriptor_scene_write(&f, &set, 0, i % ELEMENTS, SCENE_COMBINED, SCENE_EDGE, SCENE_STEPS);
            harness_descriptor_image(&f.descriptors, SCENE_COMBINED,
                                     f.scene.samplers[tier ? SCENE_CLAMP : SCENE_BORDER],
                                     f.scene.textures[SCENE_STEPS].view, harness_descriptor_at(&set, 0, i, size));
            draw_chosen(&f, &program, &set, (int32_t)i);
            expect_plain(&f, SCENE_BORDER, SCENE_STEPS); /* which is what the driver has of GL_CLAMP */
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* Those of images and of samplers, each alone and together. */
static void numbers_of_halves_that_nobody_wrote_ask_for_nothing(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {0xffffffff, 1u << 20, (1u << 20) - 1, 0x7ffff000, 0};
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(1, SAMPLED_IMAGE, 2),
                                                            SCENE_BINDING(3, SAMPLER, 2), SCENE_BINDING(4, SAMPLER, 1)};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_separate), bindings, 3);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    const VkPhysicalDeviceDescriptorBufferPropertiesEXT driver = descriptor_scene_driver();
    const size_t sizes[2] = {harness_descriptor_size(&f.descriptors, IMAGE),
                             harness_descriptor_size(&f.descriptors, SAMPLER)};
    /* In the last of the driver's descriptors that each takes. */
    const size_t numbers_at[2] = {sizes[0] - driver.sampledImageDescriptorSize,
                                  sizes[1] - driver.samplerDescriptorSize};
    for (unsigned tier = 0; tier <= descriptor_scene_tiers(&f); tier++) {
        descriptor_scene_raise(&f, tier);
        for (unsigned i = 0; i < 3 * sizeof(numbers) / sizeof(numbers[0]); i++) {
            const uint32_t number = numbers[i / 3];
            for (unsigned e = 0; e < 2; e++) {
                descriptor_scene_write(&f, &set, 1, e, IMAGE, SCENE_EDGE, SCENE_STEPS);
                descriptor_scene_write(&f, &set, 3, e, SAMPLER, tier ? SCENE_CLAMP : SCENE_BORDER, SCENE_STEPS);
                if (!f.native && i % 3 != 1)
                    memcpy(harness_descriptor_at(&set, 1, e, sizes[0]) + numbers_at[0], &number, sizeof(number));
                if (!f.native && i % 3 != 0)
                    memcpy(harness_descriptor_at(&set, 3, e, sizes[1]) + numbers_at[1], &number, sizeof(number));
            }
            descriptor_scene_write(&f, &set, 4, 0, SAMPLER, SCENE_EDGE, SCENE_STEPS);
            descriptor_scene_draw(&f, &program, &set);
            descriptor_scene_expect_tier(&f);
            /* Samplers without a number are the driver's; what an image lacks without one, its size, is its own. */
            for (unsigned row = 0; row < SCENE_ROWS && i % 3 != 0 && !f.least; row++)
                scene_expect_row(&f.scene, row, row % 3 == 2 ? SCENE_EDGE : SCENE_BORDER, SCENE_STEPS);
        }
    }
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

static void gl_state_of_texel_buffers_needs_its_feature(void **state)
{
    (void)state;
    enum { MOST_BYTES = 512 };
    struct descriptor_scene f;
    struct harness_buffer texels;
    unsigned char bytes[2][MOST_BYTES] = {{0}};
    open_alone(&f);
    harness_buffer_create(&f.scene.vk, &texels,
                          VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, 64,
                          NULL);
    const size_t size = harness_descriptor_size(&f.descriptors, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
    assert_true(size <= MOST_BYTES);
    for (unsigned plain = 0; plain < 2; plain++) {
        const VkBufferViewGLStateCreateInfoCLAMPLER gl = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = TOKEN_LUMINANCE};
        const VkDescriptorAddressInfoEXT about = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                                  .pNext = plain ? NULL : (void *)(uintptr_t)&gl,
                                                  .address = harness_buffer_address(&f.scene.vk, &texels),
                                                  .range = 64,
                                                  .format = VK_FORMAT_R8_UNORM};
        const VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                             .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                             .data.pUniformTexelBuffer = &about};
        f.descriptors.get(f.scene.vk.device, &info, size, bytes[plain]);
        assert_int_equal(harness_layer_messages(), plain || f.native ? 0 : 1);
        if (harness_layer_messages()) {
            assert_non_null(strstr(harness_layer_message(0), "vkGetDescriptorEXT"));
            assert_non_null(strstr(harness_layer_message(0), "feature glBufferView"));
        }
        harness_messages_reset();
    }
    assert_memory_equal(bytes[0], bytes[1], size); /* and it is ignored */
    harness_buffer_destroy(&f.scene.vk, &texels);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_are_not_aligned_have_no_records),
        cmocka_unit_test(sets_that_are_not_bound_are_not_read),
        cmocka_unit_test(elements_beyond_an_array_have_no_records),
        cmocka_unit_test(numbers_of_halves_that_nobody_wrote_ask_for_nothing),
        cmocka_unit_test(gl_state_of_texel_buffers_needs_its_feature),
    };
    return cmocka_run_group_tests_name("descriptor_bad_input", tests, NULL, NULL);
}
