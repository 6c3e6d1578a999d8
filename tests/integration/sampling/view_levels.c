/* SPDX-License-Identifier: MIT */
/*
 * Least levels of detail of views (VK_EXT_image_view_min_lod), by the driver's filters and by the shader's. The level
 * that is sampled is the greater one of the sampler's and the view's; what tells magnified from minified does not know
 * of the view (Vulkan, "Image Level(s) Selection"). Drivers may differ in the latter: lavapipe takes a lookup for
 * minified where the view's least level is greater than 0.
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_level_edges.h"
#include "integration_level_edges_separate.h"
#include "integration_levels.h"
#include "integration_levels_separate.h"

/* Levels differ by APART, columns of texels by COLUMN, of 255. */
enum { SIZE = 32, LEVELS = 6, BASE = 1, APART = 30, COLUMN = 12, ROWS = 3 };

struct fixture {
    struct scene scene;
    struct harness_image image;
    struct scene_program program;
    VkDescriptorSet set;
    bool separate;
};

static void fill_image(struct fixture *f, struct harness_image *image, VkImageViewType type)
{
    const unsigned layers = type == VK_IMAGE_VIEW_TYPE_CUBE ? 6 : 1;
    uint8_t texels[4 * SIZE * SIZE * 2 * 6], *next = texels;
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < layers * (SIZE >> level) * (SIZE >> level); i++, next += 4)
            memset(next, (int)(40 + APART * level + COLUMN * (i % (SIZE >> level) % 2)), 4);
    harness_image_create(&f->scene.vk, image,
                         &(struct harness_image_params){.type = type,
                                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .layers = layers,
                                                        .levels = LEVELS},
                         texels);
}

static void open_fixture(struct fixture *f, bool separate)
{
    static const char *const extensions[] = {VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME};
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    static const VkPhysicalDeviceImageViewMinLodFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT, .minLod = VK_TRUE};
    scene_skip_without(extensions[0]);
    memset(f, 0, sizeof(*f));
    f->separate = separate;
    scene_open(&f->scene, &(struct harness_vulkan_params){
                              .device_extensions = extensions, .device_extension_count = 1, .device_next = &features});
    fill_image(f, &f->image, VK_IMAGE_VIEW_TYPE_2D);
    scene_program_create(&f->scene, &f->program,
                         separate ? HARNESS_SPIRV(integration_levels_separate) : HARNESS_SPIRV(integration_levels),
                         separate ? apart : combined, separate ? 2 : 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    harness_image_destroy(&f->scene.vk, &f->image);
    scene_close(&f->scene);
}

static void draw_with(struct fixture *f, VkSampler sampler, VkImageView view)
{
    if (f->separate) {
        harness_write_image(&f->scene.vk, f->set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
        harness_write_image(&f->scene.vk, f->set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
    } else {
        harness_write_image(&f->scene.vk, f->set, 0, 0, SCENE_COMBINED, sampler, view);
    }
    scene_draw(&f->scene, f->program.pipeline, f->program.layout, 1, &f->set);
}

/* In the middle: between two columns, of which the nearest is the second. */
static float texel_of(unsigned level, bool linear)
{
    const unsigned size = SIZE >> (BASE + level);
    const float nearest = size / 2 % 2 ? COLUMN : 0;
    return 40 + APART * (float)(BASE + level) + (linear && size > 1 ? COLUMN * 0.5f : size > 1 ? nearest : 0);
}

/* The first column of two in the middle. */
static float gathered_of(unsigned level)
{
    const unsigned size = SIZE >> (BASE + level);
    return 40 + APART * (float)(BASE + level) + (size > 2 ? COLUMN : 0);
}

struct state {
    uint32_t min_filter, mag_filter;
    float min_lod, max_lod, view_least; /* of the view: counted from its first level */
};

static float expected(const struct state *state, float lod, bool view_minifies)
{
    const float last = LEVELS - BASE - 1, lambda = fminf(fmaxf(lod, state->min_lod), state->max_lod);
    const bool linear =
        (view_minifies ? fmaxf(lambda, state->view_least) : lambda) <= 0
            ? state->mag_filter == TOKEN_LINEAR
            : state->min_filter == TOKEN_LINEAR_MIPMAP_LINEAR || state->min_filter == TOKEN_LINEAR_MIPMAP_NEAREST;
    const float level = fmaxf(fminf(lambda, last), state->view_least);
    if (state->min_filter == TOKEN_LINEAR_MIPMAP_NEAREST || state->min_filter == TOKEN_NEAREST_MIPMAP_NEAREST)
        return texel_of((unsigned)ceilf(level - 0.5f), linear);
    const unsigned low = (unsigned)level, high = low + (level > (float)low);
    return texel_of(low, linear) + (level - (float)low) * (texel_of(high, linear) - texel_of(low, linear));
}

static bool is_near(const struct state *state, float drawn, float lod, bool view_minifies)
{
    return fabsf(drawn - expected(state, lod, view_minifies)) <= 1.01f;
}

/* Half way between two levels drivers choose either. */
static void expect(const struct fixture *f, const struct state *state, bool shader)
{
    for (unsigned row = 0; row < 2; row++)
        for (unsigned column = 0; column < SCENE_COLUMNS; column++) {
            const float lod = (float)column * 0.5f - 1, drawn = f->scene.pixels[row][column][0] * 255;
            if (!is_near(state, drawn, lod, false) && !is_near(state, drawn, lod + 0.001f, false) &&
                (shader || !is_near(state, drawn, lod, true)))
                fail_msg("view %g, lod %g, row %u, %s: %g, not %g", (double)state->view_least, (double)lod, row,
                         shader ? "shader" : "driver", (double)drawn, (double)expected(state, lod, false));
        }
    const float gathered = gathered_of((unsigned)state->view_least);
    const bool bordered = SIZE >> (BASE + (unsigned)state->view_least) == 1;
    if (shader && !bordered && fabsf(f->scene.pixels[2][0][0] * 255 - gathered) > 1.01f)
        fail_msg("view %g, gather: %g, not %g", (double)state->view_least, (double)f->scene.pixels[2][0][0] * 255,
                 (double)gathered);
}

static VkImageView view_of(struct fixture *f, const struct harness_image *image, float least)
{
    const VkImageViewMinLodCreateInfoEXT min_lod = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT,
                                                    .minLod = BASE + least};
    VkImageViewCreateInfo info = harness_image_view_info(image);
    VkImageView view;
    info.pNext = &min_lod;
    info.subresourceRange.baseMipLevel = BASE;
    info.subresourceRange.levelCount = LEVELS - BASE;
    HARNESS_VK(vkCreateImageView(f->scene.vk.device, &info, NULL, &view));
    return view;
}

/* Mirrors with a border are filtered in the shader where there are levels, edges by the driver. */
static void draw_state(struct fixture *f, const struct state *state, uint32_t wrap, unsigned tier)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = wrap,
        .wrapT = wrap,
        .minFilter = state->min_filter,
        .magFilter = state->mag_filter,
        .minLod = state->min_lod,
        .maxLod = state->max_lod,
    };
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    VkSampler sampler = harness_sampler(&f->scene.vk, &info);
    VkImageView view = view_of(f, &f->image, state->view_least);
    draw_with(f, sampler, view);
    scene_expect_tier(&f->scene, tier);
    expect(f, state, tier == 2);
    vkDestroyImageView(f->scene.vk.device, view, NULL);
    vkDestroySampler(f->scene.vk.device, sampler, NULL);
}

static void draw_all(bool separate)
{
    static const struct state states[] = {
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 0, 1000, 0},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 0, 1000, 1.25f},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 0, 1000, 1.5f},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 0.75f, 1000, 1.5f},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 1.75f, 1000, 0.5f},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_NEAREST, 0, 1.25f, 2.25f},
        {TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_NEAREST, 0, 1000, 2},
        {TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, 0, 1000, 1.75f},
        {TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_LINEAR, 0, 1000, 3.25f},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, 0, 1000, LEVELS - BASE - 1},
    };
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        struct fixture f;
        open_fixture(&f, separate);
        draw_state(&f, &states[i], TOKEN_CLAMP_TO_EDGE, 0);
        draw_state(&f, &states[i], TOKEN_MIRROR_CLAMP_TO_BORDER, 2);
        close_fixture(&f);
    }
}

static void of_combined_descriptors(void **state)
{
    (void)state;
    draw_all(false);
}

static void of_images_alone(void **state)
{
    (void)state;
    draw_all(true);
}

/* ---- Where tier 1 knows level 0 alone: edges, offsets, gathers; cubes, and queries ---- */

static void expect_near(const struct fixture *f, const char *what, unsigned row, unsigned channel, float wanted)
{
    const float drawn = f->scene.pixels[row][0][channel] * 255;
    if (fabsf(drawn - wanted) > 1.01f)
        fail_msg("%s: %g, not %g", what, (double)drawn, (double)wanted);
}

/*
 * All of one level, whose first two columns differ; of whole levels, so that nothing is blended of two. Gathers of the
 * driver's may know nothing of the view's least level: lavapipe's give 0. Those of cubes are the driver's where sampler
 * and image are one, and where faces have no border.
 */
static void expect_level(const struct fixture *f, unsigned level, bool linear, bool mirrors)
{
    const float texel = 40 + APART * (float)(BASE + level);
    if (mirrors)
        expect_near(f, "mirror line", 0, 0, texel);
    expect_near(f, "offset", 1, 0, texel + (linear ? COLUMN * 0.5f : COLUMN));
    expect_near(f, "gather with an offset", 2, 0, texel + COLUMN);
    expect_near(f, "query", 3, 0, (float)level * 255 / 8);
    if ((!f->separate || !mirrors) && f->scene.pixels[4][0][0] == 0)
        return;
    expect_near(f, "first of a cube's gather", 4, 0, texel);
    expect_near(f, "second of a cube's gather", 4, 1, texel + COLUMN);
}

static void draw_edges(bool separate)
{
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1),
                                                            SCENE_BINDING(2, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {
        SCENE_BINDING(0, SAMPLED_IMAGE, 1), SCENE_BINDING(1, SAMPLER, 1), SCENE_BINDING(2, SAMPLED_IMAGE, 1)};
    static const struct {
        uint32_t min_filter, mag_filter, wrap;
    } states[] = {
        {TOKEN_LINEAR, TOKEN_LINEAR, TOKEN_MIRROR_CLAMP_TO_BORDER},
        {TOKEN_LINEAR, TOKEN_LINEAR, TOKEN_MIRROR_CLAMP},
        {TOKEN_LINEAR, TOKEN_LINEAR, TOKEN_CLAMP},
        {TOKEN_NEAREST, TOKEN_NEAREST, TOKEN_MIRROR_CLAMP_TO_BORDER},
        {TOKEN_LINEAR_MIPMAP_NEAREST, TOKEN_LINEAR, TOKEN_MIRROR_CLAMP_TO_BORDER},
        {TOKEN_NEAREST_MIPMAP_LINEAR, TOKEN_NEAREST, TOKEN_MIRROR_CLAMP_TO_BORDER},
        {TOKEN_LINEAR_MIPMAP_LINEAR, TOKEN_LINEAR, TOKEN_CLAMP},
    };
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                       .wrapS = states[i].wrap,
                                                       .wrapT = states[i].wrap,
                                                       .minFilter = states[i].min_filter,
                                                       .magFilter = states[i].mag_filter,
                                                       .maxLod = 2};
        const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
        const bool linear = states[i].mag_filter == TOKEN_LINEAR, mirrors = states[i].wrap != TOKEN_CLAMP;
        struct harness_image faces;
        struct fixture f;
        open_fixture(&f, separate);
        fill_image(&f, &faces, VK_IMAGE_VIEW_TYPE_CUBE);
        struct scene_program edges;
        scene_program_create(&f.scene, &edges,
                             separate ? HARNESS_SPIRV(integration_level_edges_separate)
                                      : HARNESS_SPIRV(integration_level_edges),
                             separate ? apart : combined, separate ? 3 : 2, 0, NULL);
        VkSampler sampler = harness_sampler(&f.scene.vk, &info);
        VkDescriptorSet set = harness_set(&f.scene.vk, edges.set_layout);
        VkImageView view = view_of(&f, &f.image, 2), cube = view_of(&f, &faces, 2);
        if (separate) {
            harness_write_image(&f.scene.vk, set, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, view);
            harness_write_image(&f.scene.vk, set, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLER, sampler, VK_NULL_HANDLE);
            harness_write_image(&f.scene.vk, set, 2, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_NULL_HANDLE, cube);
        } else {
            harness_write_image(&f.scene.vk, set, 0, 0, SCENE_COMBINED, sampler, view);
            harness_write_image(&f.scene.vk, set, 2, 0, SCENE_COMBINED, sampler, cube);
        }
        scene_draw(&f.scene, edges.pipeline, edges.layout, 1, &set);
        expect_level(&f, 2, linear, mirrors);
        scene_expect_tier(&f.scene, 2);
        vkDestroyImageView(f.scene.vk.device, cube, NULL);
        vkDestroyImageView(f.scene.vk.device, view, NULL);
        vkDestroySampler(f.scene.vk.device, sampler, NULL);
        scene_program_destroy(&f.scene, &edges);
        harness_image_destroy(&f.scene.vk, &faces);
        close_fixture(&f);
    }
}

static void at_edges_of_combined_descriptors(void **state)
{
    (void)state;
    draw_edges(false);
}

static void at_edges_of_images_alone(void **state)
{
    (void)state;
    draw_edges(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_combined_descriptors),
        cmocka_unit_test(of_images_alone),
        cmocka_unit_test(at_edges_of_combined_descriptors),
        cmocka_unit_test(at_edges_of_images_alone),
    };
    return cmocka_run_group_tests_name("view levels", tests, NULL, NULL);
}
