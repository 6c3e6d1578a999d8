/* SPDX-License-Identifier: MIT */
/*
 * Cubes and samplers that are descriptors of their own in descriptor buffers: texels of cubes are read through nearest
 * samplers, which stand behind the program's. Those of integers show it: the program's samplers have linear filters,
 * which no driver has of them. Samplers differ in the level that they begin with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_cubes.h"
#include "integration_descriptor_cubes_in_one.h"

enum { OTHER_BINDING = 2, OTHER_ROW = 1 }; /* in the last column: the sampler that row 1 has */
enum { SIZE = 4, LEVELS = 3, FACES = 6, TEXELS = FACES * (16 + 4 + 1) };
#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define SAMPLER VK_DESCRIPTOR_TYPE_SAMPLER

/* All faces alike. */
static uint8_t texel_of(unsigned level, unsigned x, unsigned y)
{
    return (uint8_t)(50 * level + (SIZE >> level) * y + x + 1);
}

static void make_cube(struct harness_vulkan *vk, struct harness_image *cube)
{
    uint8_t texels[TEXELS];
    size_t count = 0;
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0, size = SIZE >> level; i < FACES * size * size; i++)
            texels[count++] = texel_of(level, i % size, i / size % size);
    harness_image_create(vk, cube,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_CUBE,
                                                        .format = VK_FORMAT_R8_UINT,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .layers = FACES,
                                                        .levels = LEVELS},
                         texels);
}

static unsigned level_of(unsigned row)
{
    return row % LEVELS;
}

/* Nearest ones where the driver is alone. */
static VkSampler make_sampler(struct descriptor_scene *f, unsigned row)
{
    const VkSamplerGLStateCreateInfoCLAMPLER state = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                      .wrapS = TOKEN_CLAMP_TO_EDGE,
                                                      .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                      .wrapR = TOKEN_CLAMP_TO_EDGE,
                                                      .minFilter = TOKEN_LINEAR_MIPMAP_NEAREST,
                                                      .magFilter = TOKEN_LINEAR,
                                                      .minLod = (float)level_of(row),
                                                      .maxLod = 1000};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = f->native ? NULL : &state,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .minLod = (float)level_of(row),
                                      .maxLod = VK_LOD_CLAMP_NONE};
    return harness_sampler(&f->scene.vk, &info);
}

/* Element `row` of a binding is a sampler; the cube is where it is told. */
static void draw(struct descriptor_scene *f, struct descriptor_program *program, uint32_t sampler_binding,
                 uint32_t image_element, size_t image_stride, size_t sampler_stride)
{
    struct harness_image cube;
    VkSampler samplers[SCENE_ROWS];
    const struct harness_descriptor_set set = descriptor_scene_set(f, program, 0);
    make_cube(&f->scene.vk, &cube);
    descriptor_scene_raise(f, descriptor_scene_tiers(f));
    harness_descriptor_image(&f->descriptors, IMAGE, VK_NULL_HANDLE, cube.view,
                             harness_descriptor_at(&set, 0, image_element, image_stride));
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        samplers[row] = make_sampler(f, row);
        harness_descriptor_image(&f->descriptors, SAMPLER, samplers[row], VK_NULL_HANDLE,
                                 harness_descriptor_at(&set, sampler_binding, row, sampler_stride));
    }
    if (sampler_binding != 0)
        harness_descriptor_image(&f->descriptors, SAMPLER, samplers[OTHER_ROW], VK_NULL_HANDLE,
                                 harness_descriptor_at(&set, OTHER_BINDING, 0, sampler_stride));
    descriptor_scene_draw(f, program, &set);
    descriptor_scene_expect_tier(f);
    for (unsigned row = 0; row < SCENE_ROWS; row++) {
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            /* The shader's coordinate on a face, (0.65, 0.65), is well within a texel of each level. */
            const unsigned level = level_of(column == SCENE_COLUMNS - 1 ? OTHER_ROW : row);
            const unsigned place = ((unsigned)SIZE >> level) * 65 / 100;
            const float wanted = texel_of(level, place, place), shown = f->scene.pixels[row][column][0];
            if (shown != wanted)
                fail_msg("row %u, column %u: %f, not %f", row, column, (double)shown, (double)wanted);
        }
        vkDestroySampler(f->scene.vk.device, samplers[row], NULL);
    }
    harness_image_destroy(&f->scene.vk, &cube);
}

static void an_array_of_samplers(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {
        SCENE_BINDING(0, SAMPLED_IMAGE, 1), SCENE_BINDING(1, SAMPLER, SCENE_ROWS), SCENE_BINDING(2, SAMPLER, 1)};
    struct descriptor_scene f;
    struct descriptor_program program;
    descriptor_scene_open(&f, NULL);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_cubes), bindings, 3);
    draw(&f, &program, 1, 0, harness_descriptor_size(&f.descriptors, IMAGE),
         harness_descriptor_size(&f.descriptors, SAMPLER));
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

/* The driver's elements are as large as images: the nearest sampler is at twice a sampler's size. */
static void images_and_samplers_in_one_binding(void **state)
{
    (void)state;
    struct descriptor_scene f;
    struct descriptor_program program;
    const VkDescriptorSetLayout layout = descriptor_scene_open_mutable(&f, SCENE_ROWS + 1);
    descriptor_program_create(&f, &program, VK_SHADER_STAGE_FRAGMENT_BIT,
                              HARNESS_SPIRV(integration_descriptor_cubes_in_one), &layout, 1, 0);
    const size_t stride = descriptor_scene_mutable_stride(&f);
    draw(&f, &program, 0, SCENE_ROWS, stride, stride);
    descriptor_program_destroy(&f, &program);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_of_samplers),
        cmocka_unit_test(images_and_samplers_in_one_binding),
    };
    return cmocka_run_group_tests_name("descriptor cubes", tests, NULL, NULL);
}
