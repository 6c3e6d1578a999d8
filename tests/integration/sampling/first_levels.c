/* SPDX-License-Identifier: MIT */
/*
 * Tier 2 reads the levels of a view whose first level is not the image's, of images of every dimension: by fetches, or
 * through a nearest sampler where the driver is known to fetch other levels, or is taken to do so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_first_levels_0.h"
#include "integration_first_levels_1.h"
#include "integration_first_levels_2.h"
#include "integration_first_levels_3.h"
#include "integration_first_levels_4.h"
#include "integration_first_levels_5.h"
#include "integration_first_levels_separate_0.h"
#include "integration_first_levels_separate_1.h"
#include "integration_first_levels_separate_2.h"
#include "integration_first_levels_separate_3.h"
#include "integration_first_levels_separate_4.h"
#include "integration_first_levels_separate_5.h"

enum { SIZE = 16, LEVELS = 5, LAYERS = 2, KINDS = 6, MOST = 2 * SIZE * SIZE * SIZE, BORDER = 7 };

static const struct kind {
    VkImageViewType type;
    VkFormat format;
    uint32_t height, depth, layers;
    struct harness_spirv combined, separate;
} kinds[KINDS] = {
#define SPIRV(name)                                                                                                    \
    {                                                                                                                  \
        name, sizeof(name)                                                                                             \
    }
#define CODE(number) SPIRV(integration_first_levels_##number), SPIRV(integration_first_levels_separate_##number)
    {VK_IMAGE_VIEW_TYPE_1D, VK_FORMAT_R32_SFLOAT, 1, 1, 1, CODE(0)},
    {VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_FORMAT_R32_SFLOAT, 1, 1, LAYERS, CODE(1)},
    {VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_SFLOAT, SIZE, 1, 1, CODE(2)},
    {VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_SFLOAT, SIZE, 1, LAYERS, CODE(3)},
    {VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_R32_SFLOAT, SIZE, SIZE, 1, CODE(4)},
    {VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, SIZE, 1, 1, CODE(5)},
#undef CODE
#undef SPIRV
};

static bool is_integer(const struct kind *kind)
{
    return kind->format == VK_FORMAT_R32_UINT;
}

static uint32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* What no other texel of the row has, nor another level or layer. */
static unsigned value_of(uint32_t level, uint32_t layer, uint32_t x)
{
    return 20 * (level + 1) + 200 * layer + x;
}

static void make_image(struct scene *scene, const struct kind *kind, struct harness_image *image)
{
    static uint32_t texels[MOST];
    size_t count = 0;
    for (uint32_t level = 0; level < LEVELS; level++) {
        const uint32_t width = level_size(SIZE, level);
        const uint32_t rows = level_size(kind->height, level) * level_size(kind->depth, level);
        for (uint32_t layer = 0; layer < kind->layers; layer++) {
            for (uint32_t i = 0; i < rows * width; i++) {
                const unsigned value = value_of(level, layer, i % width);
                const float as_float = (float)value;
                if (is_integer(kind))
                    texels[count++] = value;
                else
                    memcpy(&texels[count++], &as_float, sizeof(as_float));
            }
        }
    }
    harness_image_create(&scene->vk, image,
                         &(struct harness_image_params){.type = kind->type,
                                                        .format = kind->format,
                                                        .width = SIZE,
                                                        .height = kind->height,
                                                        .depth = kind->depth,
                                                        .layers = kind->layers,
                                                        .levels = LEVELS},
                         texels);
}

static VkSampler make_sampler(struct scene *scene, bool integer)
{
    VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                             .wrapS = TOKEN_CLAMP_TO_BORDER,
                                             .wrapT = TOKEN_CLAMP_TO_BORDER,
                                             .wrapR = TOKEN_CLAMP_TO_BORDER,
                                             .minFilter = TOKEN_NEAREST_MIPMAP_NEAREST,
                                             .magFilter = TOKEN_NEAREST,
                                             .maxLod = 1000.0f};
    if (integer)
        gl.borderColor.uint32[0] = BORDER;
    else
        gl.borderColor.float32[0] = BORDER;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&scene->vk, &info);
}

static void expect_levels(const struct scene *scene, const struct kind *kind, uint32_t base)
{
    for (uint32_t row = 0; row < SCENE_ROWS; row++) {
        for (uint32_t column = 0; column < SCENE_COLUMNS; column++) {
            const uint32_t level = base + row % (LEVELS - base), x = column % level_size(SIZE, level);
            const unsigned inside = value_of(level, kind->layers - 1, x);
            const float wanted = (float)(column == SCENE_COLUMNS - 1 ? BORDER : inside);
            const float seen = scene->pixels[row][column][0];
            if (!(seen >= wanted && seen <= wanted))
                fail_msg("kind %d, first level %u, row %u, column %u: %g, not %g", (int)(kind - kinds), base, row,
                         column, (double)seen, (double)wanted);
        }
    }
}

static void draw(struct scene *scene, const struct kind *kind, const struct harness_image *image, bool separate)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    struct scene_program program;
    scene_program_create(scene, &program, separate ? kind->separate : kind->combined, separate ? apart : combined,
                         separate ? 2 : 1, 0, NULL);
    VkSampler sampler = make_sampler(scene, is_integer(kind));
    for (uint32_t base = 0; base < 3; base++) {
        VkImageViewCreateInfo info = harness_image_view_info(image);
        VkImageView view;
        info.subresourceRange.baseMipLevel = base;
        info.subresourceRange.levelCount = LEVELS - base;
        HARNESS_VK(vkCreateImageView(scene->vk.device, &info, NULL, &view));
        VkDescriptorSet set = harness_set(&scene->vk, program.set_layout);
        harness_write_image(&scene->vk, set, 0, 0, separate ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED,
                            separate ? VK_NULL_HANDLE : sampler, view);
        if (separate)
            harness_write_image(&scene->vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
        scene_draw(scene, program.pipeline, program.layout, 1, &set);
        assert_int_equal(scene->drew[2], 1);
        expect_levels(scene, kind, base);
        HARNESS_VK(vkFreeDescriptorSets(scene->vk.device, scene->vk.descriptors, 1, &set));
        vkDestroyImageView(scene->vk.device, view, NULL);
    }
    vkDestroySampler(scene->vk.device, sampler, NULL);
    scene_program_destroy(scene, &program);
}

/* The shader places borders that the driver is taken to lack: every lookup is in tier 2. */
static void draw_all(const char *missing)
{
    struct scene scene;
    scene_open_with_setting(&scene, "ASSUME_MISSING", missing, NULL);
    for (int i = 0; i < KINDS; i++) {
        struct harness_image image;
        make_image(&scene, &kinds[i], &image);
        draw(&scene, &kinds[i], &image, false);
        draw(&scene, &kinds[i], &image, true);
        harness_image_destroy(&scene.vk, &image);
    }
    scene_close(&scene);
}

static void filters_read_levels_from_the_views_first_on(void **state)
{
    (void)state;
    draw_all("custom_border_color");
}

static void so_they_do_through_a_nearest_sampler(void **state)
{
    (void)state;
    draw_all("custom_border_color,fetch_levels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_read_levels_from_the_views_first_on),
        cmocka_unit_test(so_they_do_through_a_nearest_sampler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
