/* SPDX-License-Identifier: MIT */
/*
 * Views whose channels are kept elsewhere than the VkFormat has them, sampled: texels and borders are OpenGL's, with
 * combined and separate descriptors, and whoever shows the border, driver or shader.
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_channels.h"
#include "integration_channels_separate.h"

#define ORDER(A, B, C, D)                                                                                              \
    {                                                                                                                  \
        VK_COMPONENT_SWIZZLE_##A, VK_COMPONENT_SWIZZLE_##B, VK_COMPONENT_SWIZZLE_##C, VK_COMPONENT_SWIZZLE_##D         \
    }

/* Texels are 51, 102, 153, 204 (0.2, 0.4, 0.6, 0.8) in the order of the format; the border is 0.1, 0.3, 0.5, 0.7. */
static const struct row {
    VkFormat format;
    uint32_t base;
    VkComponentMapping channels;
    float texel[4], border[4];
} rows[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGB, ORDER(G, B, A, IDENTITY), {0.4f, 0.6f, 0.8f, 1}, {0.1f, 0.3f, 0.5f, 1}},
    {VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGB, ORDER(A, B, G, IDENTITY), {0.8f, 0.6f, 0.4f, 1}, {0.1f, 0.3f, 0.5f, 1}},
    {VK_FORMAT_R8G8B8A8_UNORM, TOKEN_RGBA, ORDER(A, B, G, R), {0.8f, 0.6f, 0.4f, 0.2f}, {0.1f, 0.3f, 0.5f, 0.7f}},
    {VK_FORMAT_R8G8B8A8_UNORM,
     TOKEN_RGBA,
     ORDER(IDENTITY, IDENTITY, IDENTITY, ZERO),
     {0.2f, 0.4f, 0.6f, 0},
     {0.1f, 0.3f, 0.5f, 0}},
    {VK_FORMAT_R8G8_UNORM,
     TOKEN_LUMINANCE_ALPHA,
     ORDER(G, IDENTITY, IDENTITY, R),
     {0.4f, 0.4f, 0.4f, 0.2f},
     {0.1f, 0.1f, 0.1f, 0.7f}},
    {VK_FORMAT_R8G8_UNORM, TOKEN_ALPHA, ORDER(IDENTITY, IDENTITY, IDENTITY, G), {0, 0, 0, 0.4f}, {0, 0, 0, 0.7f}},
    {VK_FORMAT_R8G8_UNORM,
     TOKEN_INTENSITY,
     ORDER(G, IDENTITY, IDENTITY, IDENTITY),
     {0.4f, 0.4f, 0.4f, 0.4f},
     {0.1f, 0.1f, 0.1f, 0.1f}},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Columns 0 and 7 lie outside the texture by more than a texel; 3 lies in it. */
enum { OUTSIDE = 0, INSIDE = 3 };

static void expect_color(const struct scene *scene, size_t row, unsigned column, const float wanted[4])
{
    for (unsigned i = 0; i < 4; i++) {
        if (fabsf(scene->pixels[0][column][i] - wanted[i]) > 0.005f)
            fail_msg("row %zu, column %u, channel %u: %f, not %f", row, column, i, (double)scene->pixels[0][column][i],
                     (double)wanted[i]);
    }
}

static void draw_rows(const char *setting, const char *value, bool separate)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    const struct harness_vulkan_params params = {.gl_image_view = true};
    struct scene scene;
    struct scene_program program;
    if (setting)
        scene_open_with_setting(&scene, setting, value, &params);
    else
        scene_open(&scene, &params);
    scene_program_create(&scene, &program,
                         separate ? HARNESS_SPIRV(integration_channels_separate) : HARNESS_SPIRV(integration_channels),
                         separate ? apart : combined, separate ? 2 : 1, 0, NULL);
    const VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    const VkSamplerGLStateCreateInfoCLAMPLER gl_sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = TOKEN_CLAMP_TO_BORDER,
        .wrapT = TOKEN_CLAMP_TO_EDGE,
        .minFilter = TOKEN_NEAREST,
        .magFilter = TOKEN_NEAREST,
        .borderColor.float32 = {0.1f, 0.3f, 0.5f, 0.7f},
    };
    const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl_sampler};
    const VkSampler sampler = harness_sampler(&scene.vk, &sampler_info);
    for (size_t i = 0; i < ROWS; i++) {
        const uint32_t size = rows[i].format == VK_FORMAT_R8G8_UNORM ? 2 : 4;
        uint8_t texels[16];
        for (uint32_t j = 0; j < 4 * size; j++)
            texels[j] = (uint8_t)(51 * (j % size + 1));
        const VkImageViewGLChannelOrderCreateInfoCLAMPLER order = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_CHANNEL_ORDER_CREATE_INFO_CLAMPLER, .channels = rows[i].channels};
        const VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType =
                                                             VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                                         .pNext = &order,
                                                         .baseFormat = rows[i].base};
        struct harness_image image;
        harness_image_create(
            &scene.vk, &image,
            &(struct harness_image_params){
                .type = VK_IMAGE_VIEW_TYPE_2D, .format = rows[i].format, .width = 4, .height = 1, .view_next = &gl},
            texels);
        if (separate) {
            harness_write_image(&scene.vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, image.view);
            harness_write_image(&scene.vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
        } else {
            harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, sampler, image.view);
        }
        scene_draw(&scene, program.pipeline, program.layout, 1, &set);
        if (setting)
            assert_int_equal(scene.drew[2], 1); /* else the driver may show the border */
        expect_color(&scene, i, INSIDE, rows[i].texel);
        expect_color(&scene, i, OUTSIDE, rows[i].border);
        harness_image_destroy(&scene.vk, &image);
    }
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_program_destroy(&scene, &program);
    scene_close(&scene);
}

static void texels_and_borders_of_combined_descriptors(void **state)
{
    (void)state;
    draw_rows(NULL, NULL, false);
}

static void texels_and_borders_of_separate_descriptors(void **state)
{
    (void)state;
    draw_rows(NULL, NULL, true);
}

static void the_shader_shows_the_same_borders(void **state)
{
    (void)state;
    draw_rows("assume_missing", "custom_border_color", false);
    draw_rows("assume_missing", "custom_border_color", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texels_and_borders_of_combined_descriptors),
        cmocka_unit_test(texels_and_borders_of_separate_descriptors),
        cmocka_unit_test(the_shader_shows_the_same_borders),
    };
    return cmocka_run_group_tests_name("integration_channel_orders", tests, NULL, NULL);
}
