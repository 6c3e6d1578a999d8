/* SPDX-License-Identifier: MIT */
/*
 * Combined image samplers in descriptor buffers whose texture is looked up through the sampler of another: the driver
 * has the view bound that was chosen for the two which were written together, and the record of the texture alone must
 * say what that view shows. Here it leaves sRGB texels as they are stored.
 */
#include <math.h>

#include "gl/gl_tokens.h"
#include "integration/app_descriptors/descriptor_scene.h"
#include "integration_descriptor_halves_compared.h"
#include "integration_descriptor_halves_swapped.h"

enum { SIZE = 4 };

static VkSampler make_sampler(struct descriptor_scene *f, uint32_t decode)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapR = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .srgbDecode = decode,
                                                   .cubeMapSeamless = VK_TRUE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&f->scene.vk, &info);
}

static void texels_that_are_stored_are_not_encoded_again(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1)};
    uint8_t texels[4 * SIZE * SIZE];
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_image image;
    descriptor_scene_open(&f, NULL);
    if (f.native) {
        descriptor_scene_close(&f);
        return;
    }
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = 128;
    harness_image_create(
        &f.scene.vk, &image,
        &(struct harness_image_params){
            .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_SRGB, .width = SIZE, .height = SIZE},
        texels);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_halves_swapped), bindings, 2);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    descriptor_scene_raise(&f, 2);
    VkSampler stored = make_sampler(&f, TOKEN_SKIP_DECODE);
    for (uint32_t binding = 0; binding < 2; binding++)
        harness_descriptor_put_image(&set, binding, 0, SCENE_COMBINED, stored, image.view);
    descriptor_scene_draw(&f, &program, &set);
    descriptor_scene_expect_tier(&f);
    for (unsigned row = 0; row < SCENE_ROWS; row++)
        for (unsigned column = 0; column < SCENE_COLUMNS; column++)
            if (fabsf(f.scene.pixels[row][column][0] * 255 - 128) > 1)
                fail_msg("row %u, column %u: %g, not 128", row, column, (double)f.scene.pixels[row][column][0] * 255);
    descriptor_program_destroy(&f, &program);
    vkDestroySampler(f.scene.vk.device, stored, NULL);
    harness_image_destroy(&f.scene.vk, &image);
    descriptor_scene_close(&f);
}

/*
 * Compares in a descriptor with a depth image only: with the image of colours that it stands beside, the driver has a
 * sampler that does not compare. No sampler asks for a tier with any image here, but its half does.
 */
static void a_half_asks_where_no_descriptor_does(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(1, COMBINED_IMAGE_SAMPLER, 1)};
    static const float depths[SIZE] = {0.25f, 0.75f, 0.4f, 0.9f};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE,
                                                   .compareFunc = TOKEN_LEQUAL,
                                                   .cubeMapSeamless = VK_TRUE};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    struct descriptor_scene f;
    struct descriptor_program program;
    struct harness_image deep;
    descriptor_scene_open(&f, NULL);
    if (f.native) {
        descriptor_scene_close(&f);
        return;
    }
    harness_image_create(&f.scene.vk, &deep,
                         &(struct harness_image_params){
                             .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_D32_SFLOAT, .width = SIZE, .height = 1},
                         depths);
    descriptor_program_of(&f, &program, HARNESS_SPIRV(integration_descriptor_halves_compared), bindings, 2);
    const struct harness_descriptor_set set = descriptor_scene_set(&f, &program, 0);
    VkSampler sampler = harness_sampler(&f.scene.vk, &info);
    harness_descriptor_put_image(&set, 0, 0, SCENE_COMBINED, sampler, f.scene.textures[SCENE_RAMP].view);
    harness_descriptor_put_image(&set, 1, 0, SCENE_COMBINED, sampler, deep.view);
    descriptor_scene_draw(&f, &program, &set);
    for (unsigned x = 0; x < SCENE_COLUMNS; x++)
        assert_true(f.scene.pixels[0][x][0] == (0.5f <= depths[x * SIZE / SCENE_COLUMNS] ? 1.0f : 0.0f));
    assert_int_equal(f.scene.drew[2], 1);
    descriptor_program_destroy(&f, &program);
    vkDestroySampler(f.scene.vk.device, sampler, NULL);
    harness_image_destroy(&f.scene.vk, &deep);
    descriptor_scene_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_half_asks_where_no_descriptor_does),
        cmocka_unit_test(texels_that_are_stored_are_not_encoded_again),
    };
    return cmocka_run_group_tests_name("descriptor halves", tests, NULL, NULL);
}
