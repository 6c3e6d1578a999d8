/* SPDX-License-Identifier: MIT */
/*
 * Queries of levels of detail where the driver cannot filter the image: comparisons are blended all the same, between
 * levels as well, so that a query gives a place between two. Where the driver has a common sampler for all states,
 * which has nothing of a sampler's bias, range and mode between levels. And where an image has border texels, so that
 * the shader filters it whatever the sampler, common or not.
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_levels.h"
#include "integration_levels_separate.h"
#include "integration_query.h"

enum { SIZE = 16, LEVELS = 5 };

static void comparisons_are_between_levels(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                            SCENE_BINDING(1, SAMPLER, 1)};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_MIRROR_CLAMP_TO_BORDER,
                                                   .wrapT = TOKEN_MIRROR_CLAMP_TO_BORDER,
                                                   .minFilter = TOKEN_LINEAR_MIPMAP_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = 1000,
                                                   .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE,
                                                   .compareFunc = TOKEN_LEQUAL};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    float depths[SIZE * SIZE * 2];
    struct scene scene;
    struct scene_program program;
    struct harness_image image;
    scene_open_with_setting(&scene, "ASSUME_MISSING", "linear_all", NULL);
    for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++)
        depths[i] = 1;
    harness_image_create(&scene.vk, &image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_D32_SFLOAT,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .levels = LEVELS},
                         depths);
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_query), bindings, 2, 0, NULL);
    VkSampler sampler = harness_sampler(&scene.vk, &info);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    harness_write_image(&scene.vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, image.view);
    harness_write_image(&scene.vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(&scene, 2);
    for (unsigned channel = 0; channel < 2; channel++) {
        const float level = scene.pixels[0][0][channel] * 8;
        if (fabsf(level - 1.25f) > 0.05f)
            fail_msg("%s: %g, not 1.25", channel ? "level of detail" : "level", (double)level);
    }
    assert_true(scene.pixels[0][0][2] == 1);
    vkDestroySampler(scene.vk.device, sampler, NULL);
    scene_program_destroy(&scene, &program);
    harness_image_destroy(&scene.vk, &image);
    scene_close(&scene);
}

/* At a level of detail of 1.25. */
static const struct queried {
    VkSamplerMipmapMode mode;
    float bias, least, most;
    float level, lod; /* what queries give ("Image Level(s) Selection") */
} states[] = {
    {VK_SAMPLER_MIPMAP_MODE_LINEAR, 0, 0, VK_LOD_CLAMP_NONE, 1.25f, 1.25f},
    {VK_SAMPLER_MIPMAP_MODE_LINEAR, 0.5f, 0, VK_LOD_CLAMP_NONE, 1.75f, 1.75f},
    {VK_SAMPLER_MIPMAP_MODE_LINEAR, -1, 0, VK_LOD_CLAMP_NONE, 0.25f, 0.25f},
    {VK_SAMPLER_MIPMAP_MODE_LINEAR, 0, 2.5f, 3, 2.5f, 1.25f},
    {VK_SAMPLER_MIPMAP_MODE_LINEAR, -1, 0, 0.125f, 0.125f, 0.25f},
    {VK_SAMPLER_MIPMAP_MODE_NEAREST, 0.5f, 0, VK_LOD_CLAMP_NONE, 2, 1.75f},
};

static void query(struct scene *scene, VkImageView view, const VkSamplerCreateInfo *info, const struct queried *state,
                  bool separate)
{
    static const VkDescriptorSetLayoutBinding bindings[2][2] = {
        {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)},
        {SCENE_BINDING(0, SAMPLED_IMAGE, 1), SCENE_BINDING(1, SAMPLER, 1)}};
    struct scene_program program;
    scene_program_create(scene, &program,
                         separate ? HARNESS_SPIRV(integration_levels_separate) : HARNESS_SPIRV(integration_levels),
                         bindings[separate], separate ? 2 : 1, 0, NULL);
    VkSampler sampler = harness_sampler(&scene->vk, info);
    VkDescriptorSet set = harness_set(&scene->vk, program.set_layout);
    if (separate) {
        harness_write_image(&scene->vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
        harness_write_image(&scene->vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    } else {
        harness_write_image(&scene->vk, set, 0, 0, SCENE_COMBINED, sampler, view);
    }
    scene_draw(scene, program.pipeline, program.layout, 1, &set);
    scene_expect_tier(scene, 2);
    for (unsigned channel = 0; channel < 2; channel++) {
        const float found = scene->pixels[0][0][channel] * 16 - 4, right = channel ? state->lod : state->level;
        if (fabsf(found - right) > 0.06f)
            fail_msg("%s, %s (bias %g, levels from %g on): %g, not %g", separate ? "separate" : "combined",
                     channel ? "level of detail" : "level", (double)state->bias, (double)state->least, (double)found,
                     (double)right);
    }
    vkDestroySampler(scene->vk.device, sampler, NULL);
    HARNESS_VK(vkFreeDescriptorSets(scene->vk.device, scene->vk.descriptors, 1, &set));
    scene_program_destroy(scene, &program);
}

static void common_samplers_have_nothing_of_the_state(void **state)
{
    (void)state;
    uint8_t texels[SIZE * SIZE * 2];
    struct scene scene;
    struct harness_image image;
    scene_open_with_setting(&scene, "ASSUME_MISSING", "pair_samplers", NULL);
    memset(texels, 255, sizeof(texels));
    harness_image_create(&scene.vk, &image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_R8_UNORM,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .levels = LEVELS},
                         texels);
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                          .magFilter = VK_FILTER_LINEAR,
                                          .minFilter = VK_FILTER_LINEAR,
                                          .mipmapMode = states[i].mode,
                                          .mipLodBias = states[i].bias,
                                          .minLod = states[i].least,
                                          .maxLod = states[i].most};
        query(&scene, image.view, &info, &states[i], false);
        query(&scene, image.view, &info, &states[i], true);
    }
    assert_true(harness_counters(&scene.vk).pairs_common > 0);
    harness_image_destroy(&scene.vk, &image);
    scene_close(&scene);
}

/* Wraps that ask for a filter where there are levels, which the image's own need must not be taken for, and others. */
static void query_bordered(struct scene *scene, VkImageView view)
{
    static const uint32_t wraps[] = {TOKEN_CLAMP_TO_EDGE, TOKEN_CLAMP, TOKEN_MIRROR_CLAMP,
                                     TOKEN_MIRROR_CLAMP_TO_BORDER};
    static const struct queried state = {.bias = 0.5f, .level = 2, .lod = 1.75f};
    for (unsigned i = 0; i < sizeof(wraps) / sizeof(wraps[0]); i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                       .wrapS = wraps[i],
                                                       .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                       .minFilter = TOKEN_LINEAR_MIPMAP_NEAREST,
                                                       .magFilter = TOKEN_LINEAR,
                                                       .lodBias = state.bias,
                                                       .maxLod = 1000};
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
        query(scene, view, &info, &state, false);
        query(scene, view, &info, &state, true);
    }
}

static void biases_count_once_where_images_have_borders(void **state)
{
    (void)state;
    enum { IMAGE = 3 << (LEVELS - 1) }; /* whose last level has a texel and two of the border */
    static const char *const missing[] = {"", "pair_samplers"};
    static uint8_t texels[IMAGE * IMAGE * 2];
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .borderWidth = 1,
        .extent = {SIZE, SIZE, 1}};
    for (unsigned i = 0; i < 2; i++) {
        struct scene scene;
        struct harness_image image;
        scene_open_with_setting(&scene, "ASSUME_MISSING", missing[i],
                                &(struct harness_vulkan_params){.alpha_to_one = true, .filter_emulation = true});
        harness_image_create(&scene.vk, &image,
                             &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                            .format = VK_FORMAT_R8_UNORM,
                                                            .width = IMAGE,
                                                            .height = IMAGE,
                                                            .levels = LEVELS,
                                                            .view_next = &texture},
                             texels);
        query_bordered(&scene, image.view);
        assert_true((harness_counters(&scene.vk).pairs_common > 0) == (i == 1));
        harness_image_destroy(&scene.vk, &image);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_are_between_levels),
        cmocka_unit_test(common_samplers_have_nothing_of_the_state),
        cmocka_unit_test(biases_count_once_where_images_have_borders),
    };
    return cmocka_run_group_tests_name("level queries", tests, NULL, NULL);
}
