/* SPDX-License-Identifier: MIT */
/*
 * Derivatives stand in front of what makes pixels part: lookups whose filters take another number of turns in each
 * pixel read the same levels side by side, one after the other, in each form, and by a sampler of the driver's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_derivatives.h"
#include "integration_derivatives_alone.h"
#include "integration_derivatives_dependent.h"
#include "integration_derivatives_separate.h"
#include "integration_two_triangles.h"

enum { SIZE = 16, TEXELS = 64, LEVELS = 7, UNITS = 4, VALUES = 2 * TEXELS * TEXELS };

struct sight {
    float pixels[SIZE][SIZE][4];
};

static void make_image(struct scene *scene, unsigned unit, struct harness_image *image)
{
    static float values[VALUES];
    size_t count = 0;
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < (TEXELS >> level) * (TEXELS >> level); i++)
            values[count++] = (float)(level + 1 + 10 * unit);
    harness_image_create(&scene->vk, image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_R32_SFLOAT,
                                                        .width = TEXELS,
                                                        .height = TEXELS,
                                                        .levels = LEVELS},
                         values);
}

/* Nearest where magnified, linear where minified: under GL_CLAMP tier 2, by one tap or four; at edges the driver's. */
static VkSampler make_sampler(struct scene *scene, uint32_t wrap)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = wrap,
                                                   .wrapT = wrap,
                                                   .wrapR = wrap,
                                                   .minFilter = TOKEN_LINEAR_MIPMAP_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .minLod = -1000.0f,
                                                   .maxLod = 3.0f}; /* no footprint reaches the border */
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    return harness_sampler(&scene->vk, &info);
}

/* Which units are filtered in the shader: a bit each. The others are the driver's. */
enum { NONE = 0, EVERY_OTHER = 5, ALL = 15 };

static void write_units(struct scene *scene, VkDescriptorSet set, bool separate, const VkSampler samplers[2],
                        unsigned filtered, const struct harness_image images[UNITS])
{
    for (uint32_t i = 0; i < UNITS; i++) {
        VkSampler sampler = samplers[filtered >> i & 1];
        harness_write_image(&scene->vk, set, 0, i, separate ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : SCENE_COMBINED,
                            separate ? VK_NULL_HANDLE : sampler, images[i].view);
        if (separate)
            harness_write_image(&scene->vk, set, 1, i, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    }
}

static void draw(struct harness_spirv fragment, bool separate, const char *form, unsigned filtered, struct sight *sight)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, UNITS)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, UNITS),
                                                         SCENE_BINDING(1, SAMPLER, UNITS)};
    struct scene scene;
    struct harness_target target;
    struct harness_image images[UNITS];
    scene_open_with_setting(&scene, "FORM", form, NULL);
    for (unsigned i = 0; i < UNITS; i++)
        make_image(&scene, i, &images[i]);
    VkSampler samplers[2] = {make_sampler(&scene, TOKEN_CLAMP_TO_EDGE), make_sampler(&scene, TOKEN_CLAMP)};
    harness_target_create(&scene.vk, &target, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    VkDescriptorSetLayout set_layout = harness_set_layout(&scene.vk, separate ? apart : combined, separate ? 2 : 1);
    VkPipelineLayout layout = harness_pipeline_layout(&scene.vk, &set_layout, 1, 0);
    VkPipeline pipeline =
        harness_graphics_pipeline(&scene.vk, &target,
                                  &(struct harness_graphics_params){.vertex = HARNESS_SPIRV(integration_two_triangles),
                                                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                                    .fragment = fragment,
                                                                    .layout = layout});
    VkDescriptorSet set = harness_set(&scene.vk, set_layout);
    write_units(&scene, set, separate, samplers, filtered, images);

    scene_mark(&scene);
    VkCommandBuffer commands = harness_begin(&scene.vk);
    harness_target_begin(&target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 4, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&scene.vk, commands);
    scene_take(&scene);
    assert_int_equal(scene.drew[filtered ? 2 : 0], 1);
    harness_target_read(&scene.vk, &target, sight->pixels);

    harness_graphics_pipeline_destroy(&scene.vk, pipeline);
    harness_layouts_destroy(&scene.vk, layout, set_layout);
    for (int i = 0; i < 2; i++)
        vkDestroySampler(scene.vk.device, samplers[i], NULL);
    harness_target_destroy(&scene.vk, &target);
    for (unsigned i = 0; i < UNITS; i++)
        harness_image_destroy(&scene.vk, &images[i]);
    scene_close(&scene);
}

/* How many pixels read another level in some lookup. */
static unsigned differ(const struct sight *a, const struct sight *b, float most)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        bool differs = false;
        for (unsigned c = 0; c < 4; c++) {
            const float x = a->pixels[i / SIZE][i % SIZE][c], y = b->pixels[i / SIZE][i % SIZE][c];
            differs |= !(x - y <= most && y - x <= most);
        }
        count += differs;
    }
    return count;
}

/* The test is worth something: each lookup reads several levels. */
static void expect_levels(const struct sight *sight)
{
    for (unsigned c = 0; c < 4; c++) {
        bool seen[LEVELS + 1] = {false};
        unsigned levels = 0;
        for (unsigned i = 0; i < SIZE * SIZE; i++) {
            const int level = (int)(sight->pixels[i / SIZE][i % SIZE][c] - 10.0f * (float)c + 0.5f);
            assert_true(level >= 1 && level <= LEVELS);
            levels += !seen[level];
            seen[level] = true;
        }
        assert_true(levels >= 2);
    }
}

static const char *const forms[] = {"gpu", "cpu"};

static void all_read_the_levels_that_each_reads_alone(void **state)
{
    (void)state;
    static const unsigned filtered[] = {ALL, EVERY_OTHER};
    for (int which = 0; which < 2; which++) {
        struct sight alone, other;
        draw(HARNESS_SPIRV(integration_derivatives_alone), false, "cpu", filtered[which], &alone);
        expect_levels(&alone);
        for (int i = 0; i < 2; i++) {
            draw(HARNESS_SPIRV(integration_derivatives), false, forms[i], filtered[which], &other);
            assert_int_equal(differ(&alone, &other, 1e-3f), 0);
            draw(HARNESS_SPIRV(integration_derivatives_separate), true, forms[i], filtered[which], &other);
            assert_int_equal(differ(&alone, &other, 1e-3f), 0);
            draw(HARNESS_SPIRV(integration_derivatives_dependent), false, forms[i], filtered[which], &other);
            assert_int_equal(differ(&alone, &other, 1e-3f), 0);
            draw(HARNESS_SPIRV(integration_derivatives_alone), false, forms[i], filtered[which], &other);
            assert_int_equal(differ(&alone, &other, 1e-3f), 0);
        }
    }
}

/* But where the level is near the middle between two, which drivers compute by approximations. */
static void they_are_those_of_the_driver(void **state)
{
    (void)state;
    static const unsigned filtered[] = {ALL, EVERY_OTHER};
    struct sight own, seen;
    draw(HARNESS_SPIRV(integration_derivatives), false, "gpu", NONE, &own);
    for (int which = 0; which < 2; which++) {
        draw(HARNESS_SPIRV(integration_derivatives), false, "gpu", filtered[which], &seen);
        assert_int_equal(differ(&own, &seen, 1.001f), 0);
        draw(HARNESS_SPIRV(integration_derivatives_dependent), false, "gpu", filtered[which], &seen);
        assert_int_equal(differ(&own, &seen, 1.001f), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_read_the_levels_that_each_reads_alone),
        cmocka_unit_test(they_are_those_of_the_driver),
    };
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
