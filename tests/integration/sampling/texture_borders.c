/* SPDX-License-Identifier: MIT */
/*
 * Textures that have border texels in their image: sizes, fetches, levels and lookups are the texture's, whatever is
 * around it in the image. Margins of one texel (OpenGL) and of four (NV2A, in images of more than twice the size).
 */
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_bordered.h"
#include "integration_bordered_fetches.h"
#include "integration_bordered_integers.h"
#include "integration_bordered_queries.h"
#include "integration_bordered_separate.h"
#include "integration_bordered_separate_fetches.h"
#include "integration_bordered_separate_integers.h"
#include "integration_bordered_separate_queries.h"

enum { WIDTH = 4, HEIGHT = 2, LEVELS = 2 };

/* Red and green of the texture's texel at a place, -1 to the size; the other texels of the image are 0xee. */
static uint8_t texel_at(int x, int y, int level, int channel)
{
    return (uint8_t)(channel ? 100 + 10 * (y + 1) : 20 * (x + 1) + 7 + 3 * level);
}

static int size_of(int base, int level)
{
    return base >> level ? base >> level : 1;
}

static void create_image(struct scene *scene, int margin, int base, VkFormat format, struct harness_image *image)
{
    uint8_t texels[32 * 32 * 2 * 4];
    size_t at = 0;
    memset(texels, 0xee, sizeof(texels));
    for (int level = 0; level < LEVELS; level++)
        for (int row = 0; row < base >> level; row++)
            for (int column = 0; column < base >> level; column++, at += 4) {
                const int x = column - margin, y = row - margin;
                if (x < -1 || y < -1 || x > size_of(WIDTH, level) || y > size_of(HEIGHT, level))
                    continue;
                texels[at] = texel_at(x, y, level, 0);
                texels[at + 1] = texel_at(x, y, level, 1);
            }
    assert_true(at <= sizeof(texels));
    harness_image_create(&scene->vk, image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = format,
                                                        .width = (uint32_t)base,
                                                        .height = (uint32_t)base,
                                                        .levels = LEVELS},
                         texels);
}

static VkImageView create_view(struct scene *scene, const struct harness_image *image, int margin)
{
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .borderWidth = (uint32_t)margin,
        .extent = {WIDTH, HEIGHT, 1}};
    VkImageViewCreateInfo info = harness_image_view_info(image);
    VkImageView view;
    info.pNext = &texture;
    HARNESS_VK(vkCreateImageView(scene->vk.device, &info, NULL, &view));
    return view;
}

static void expect(const struct scene *scene, int row, int column, int channel, float expected)
{
    const float found = scene->pixels[row][column][channel];
    if (found - expected > 0.002f || expected - found > 0.002f)
        fail_msg("row %d, column %d, channel %d: %g, not %g", row, column, channel, (double)found, (double)expected);
}

/* The texel at a place of a level, or what the driver gives outside of an image: red of 0. */
static void expect_texel(const struct scene *scene, int row, int column, int x, int y, int level)
{
    const bool inside = x >= -1 && y >= -1 && x <= size_of(WIDTH, level) && y <= size_of(HEIGHT, level);
    expect(scene, row, column, 0, inside ? (float)texel_at(x, y, level, 0) / 255 : 0);
    if (inside)
        expect(scene, row, column, 1, (float)texel_at(x, y, level, 1) / 255);
}

static int within(int i, int last)
{
    return i < -1 ? -1 : i > last ? last : i;
}

static void expect_all(const struct scene *scene, bool fetches)
{
    for (int column = 0; column < SCENE_COLUMNS; column++) {
        expect(scene, 0, column, 0, WIDTH / 64.0f);
        expect(scene, 0, column, 1, HEIGHT / 64.0f);
        expect(scene, 0, column, 2, (float)size_of(WIDTH, column % 2) / 64);
        expect(scene, 0, column, 3, (float)size_of(HEIGHT, column % 2) / 64);
        expect_texel(scene, 1, column, column - 2, 1, 0);
        expect_texel(scene, 2, column, column - 2, -1, 1);
        expect_texel(scene, 3, column, 3, column - 3, 0);
        if (fetches)
            continue;
        expect_texel(scene, 4, column, within(column - 2, WIDTH), HEIGHT, 0); /* GL_CLAMP_TO_BORDER */
        expect_texel(scene, 5, column, within(column - 2, size_of(WIDTH, 1)), -1, 1);
    }
}

/* Drivers' logarithms differ. */
static void expect_level(const struct scene *scene, float level)
{
    for (int i = 0; i < SCENE_ROWS * SCENE_COLUMNS; i++) {
        const float found = scene->pixels[i / SCENE_COLUMNS][i % SCENE_COLUMNS][0] * 4;
        if (found - level > 0.1f || level - found > 0.1f)
            fail_msg("level %g, not %g", (double)found, (double)level);
    }
}

enum way { COMBINED, SEPARATE, WAYS };

static void write_set(struct scene *scene, VkDescriptorSet set, enum way way, VkSampler sampler, VkImageView view)
{
    if (way == SEPARATE) {
        harness_write_image(&scene->vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
        harness_write_image(&scene->vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    } else {
        harness_write_image(&scene->vk, set, 0, 0, SCENE_COMBINED, sampler, view);
    }
}

/* For a set that may change after it was bound. */
static VkDescriptorPool create_pool(const struct scene *scene)
{
    static const VkDescriptorPoolSize sizes[] = {
        {SCENE_COMBINED, 1}, {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1}, {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT |
                                                      VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = 3,
                                             .pPoolSizes = sizes};
    VkDescriptorPool pool;
    HARNESS_VK(vkCreateDescriptorPool(scene->vk.device, &info, NULL, &pool));
    return pool;
}

/* What the shader does. */
enum reads { LOOKUPS, FETCHES, INTEGERS, QUERIES, READS };

static void draw(struct scene *scene, VkImageView view, enum way way, enum reads reads, bool gl)
{
    static const VkDescriptorSetLayoutBinding bindings[WAYS][2] = {
        {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)},
        {SCENE_BINDING(0, SAMPLED_IMAGE, 1), SCENE_BINDING(1, SAMPLER, 1)}};
    const struct harness_spirv code[WAYS][READS] = {
        {HARNESS_SPIRV(integration_bordered), HARNESS_SPIRV(integration_bordered_fetches),
         HARNESS_SPIRV(integration_bordered_integers), HARNESS_SPIRV(integration_bordered_queries)},
        {HARNESS_SPIRV(integration_bordered_separate), HARNESS_SPIRV(integration_bordered_separate_fetches),
         HARNESS_SPIRV(integration_bordered_separate_integers), HARNESS_SPIRV(integration_bordered_separate_queries)}};
    const VkSamplerGLStateCreateInfoCLAMPLER state = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                      .wrapS = TOKEN_CLAMP_TO_BORDER,
                                                      .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                      .minFilter = TOKEN_NEAREST_MIPMAP_NEAREST,
                                                      .magFilter = TOKEN_NEAREST,
                                                      .maxLod = 1000,
                                                      .borderColor = {.float32 = {1, 1, 1, 1}}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = gl ? &state : NULL,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                      .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
                                      .maxLod = VK_LOD_CLAMP_NONE};
    const bool late = scene->vk.sets == HARNESS_SETS_AFTER_BIND;
    const uint32_t count = way == SEPARATE ? 2 : 1;
    const VkDescriptorBindingFlags each[] = {VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT,
                                             VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = each};
    struct scene_program program;
    scene_program_create(scene, &program, code[way][reads], bindings[way], count,
                         late ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0, late ? &flags : NULL);
    VkSampler sampler = harness_sampler(&scene->vk, &info);
    const VkDescriptorPool usual = scene->vk.descriptors;
    if (late)
        scene->vk.descriptors = create_pool(scene);
    VkDescriptorSet set = harness_set(&scene->vk, program.set_layout);
    if (!late)
        write_set(scene, set, way, sampler, view);
    VkCommandBuffer commands = scene_begin(scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, program.layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    if (late)
        write_set(scene, set, way, sampler, view);
    scene_end(scene, commands);
    scene_expect_tier(scene, 2);
    if (reads == QUERIES)
        expect_level(scene, 1);
    else
        expect_all(scene, reads != LOOKUPS);
    vkDestroySampler(scene->vk.device, sampler, NULL);
    HARNESS_VK(vkFreeDescriptorSets(scene->vk.device, scene->vk.descriptors, 1, &set));
    if (late)
        vkDestroyDescriptorPool(scene->vk.device, scene->vk.descriptors, NULL);
    scene->vk.descriptors = usual;
    scene_program_destroy(scene, &program);
}

static void run(int margin, int base, VkFormat format, enum harness_sets sets, enum reads first, enum reads last)
{
    struct scene scene;
    struct harness_image image;
    scene_open(&scene, &(struct harness_vulkan_params){.gl_image_view = true, .sampling_features = true, .sets = sets});
    create_image(&scene, margin, base, format, &image);
    VkImageView view = create_view(&scene, &image, margin);
    for (enum reads reads = first; reads <= last; reads++)
        for (unsigned i = 0; i < WAYS * 2; i++)
            draw(&scene, view, (enum way)(i % WAYS), reads, i / WAYS);
    vkDestroyImageView(scene.vk.device, view, NULL);
    harness_image_destroy(&scene.vk, &image);
    scene_close(&scene);
}

static void opengls_border_is_one_texel_in_front(void **state)
{
    (void)state;
    run(1, 8, VK_FORMAT_R8G8B8A8_UNORM, HARNESS_SETS_PLAIN, LOOKUPS, FETCHES);
}

static void consoles_have_four_texels_in_front(void **state)
{
    (void)state;
    run(4, 16, VK_FORMAT_R8G8B8A8_UNORM, HARNESS_SETS_PLAIN, LOOKUPS, FETCHES);
}

static void integers_have_borders(void **state)
{
    (void)state;
    run(1, 8, VK_FORMAT_R8G8B8A8_UINT, HARNESS_SETS_PLAIN, INTEGERS, QUERIES);
}

/* Nobody but the device knows then what is bound when shaders run. */
static void sets_that_change_after_binding_have_borders(void **state)
{
    (void)state;
    scene_skip_lacking(NULL, HARNESS_MONOLITHIC, HARNESS_SETS_AFTER_BIND, NULL, 0);
    run(1, 8, VK_FORMAT_R8G8B8A8_UNORM, HARNESS_SETS_AFTER_BIND, FETCHES, FETCHES);
    run(1, 8, VK_FORMAT_R8G8B8A8_UNORM, HARNESS_SETS_AFTER_BIND, LOOKUPS, FETCHES);
    run(1, 8, VK_FORMAT_R8G8B8A8_UINT, HARNESS_SETS_AFTER_BIND, INTEGERS, INTEGERS);
    run(1, 8, VK_FORMAT_R8G8B8A8_UINT, HARNESS_SETS_AFTER_BIND, QUERIES, QUERIES);
}

/* Sizes are those without border all the same. */
static void incomplete_textures_show_no_border(void **state)
{
    (void)state;
    static const VkDescriptorSetLayoutBinding bindings[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .incomplete = VK_TRUE,
        .borderWidth = 1,
        .extent = {WIDTH, HEIGHT, 1}};
    struct scene scene;
    struct scene_program program;
    struct harness_image image;
    scene_open(&scene, &(struct harness_vulkan_params){.gl_image_view = true});
    create_image(&scene, 1, 8, VK_FORMAT_R8G8B8A8_UNORM, &image);
    VkImageViewCreateInfo info = harness_image_view_info(&image);
    VkImageView view;
    info.pNext = &texture;
    HARNESS_VK(vkCreateImageView(scene.vk.device, &info, NULL, &view));
    scene_program_create(&scene, &program, HARNESS_SPIRV(integration_bordered), bindings, 1, 0, NULL);
    VkDescriptorSet set = harness_set(&scene.vk, program.set_layout);
    harness_write_image(&scene.vk, set, 0, 0, SCENE_COMBINED, scene.samplers[SCENE_BORDER], view);
    scene_draw(&scene, program.pipeline, program.layout, 1, &set);
    for (int column = 0; column < SCENE_COLUMNS; column++) {
        expect(&scene, 0, column, 0, WIDTH / 64.0f);
        for (int row = 4; row < 6; row++)
            for (int channel = 0; channel < 4; channel++)
                expect(&scene, row, column, channel, channel == 3 ? 1 : 0);
    }
    scene_program_destroy(&scene, &program);
    vkDestroyImageView(scene.vk.device, view, NULL);
    harness_image_destroy(&scene.vk, &image);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opengls_border_is_one_texel_in_front),
        cmocka_unit_test(consoles_have_four_texels_in_front),
        cmocka_unit_test(integers_have_borders),
        cmocka_unit_test(sets_that_change_after_binding_have_borders),
        cmocka_unit_test(incomplete_textures_show_no_border),
    };
    return cmocka_run_group_tests_name("texture_borders", tests, NULL, NULL);
}
