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
#include "integration/scene.h"
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

static void open_fixture(struct fixture *f, bool separate)
{
    static const char *const extensions[] = {VK_EXT_IMAGE_VIEW_MIN_LOD_EXTENSION_NAME};
    static const VkDescriptorSetLayoutBinding combined[] = {SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1)};
    static const VkDescriptorSetLayoutBinding apart[] = {SCENE_BINDING(0, SAMPLED_IMAGE, 1),
                                                         SCENE_BINDING(1, SAMPLER, 1)};
    static const VkPhysicalDeviceImageViewMinLodFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT, .minLod = VK_TRUE};
    uint8_t texels[4 * SIZE * SIZE * 2], *next = texels;
    scene_skip_without(extensions[0]);
    memset(f, 0, sizeof(*f));
    f->separate = separate;
    scene_open(&f->scene, &(struct harness_vulkan_params){
                              .device_extensions = extensions, .device_extension_count = 1, .device_next = &features});
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned i = 0; i < (SIZE >> level) * (SIZE >> level); i++, next += 4)
            memset(next, (int)(40 + APART * level + COLUMN * (i % (SIZE >> level) % 2)), 4);
    harness_image_create(&f->scene.vk, &f->image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                        .width = SIZE,
                                                        .height = SIZE,
                                                        .levels = LEVELS},
                         texels);
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

static VkImageView make_view(struct fixture *f, float least)
{
    const VkImageViewMinLodCreateInfoEXT min_lod = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT,
                                                    .minLod = BASE + least};
    VkImageViewCreateInfo info = harness_image_view_info(&f->image);
    VkImageView view;
    info.pNext = &min_lod;
    info.subresourceRange.baseMipLevel = BASE;
    info.subresourceRange.levelCount = LEVELS - BASE;
    HARNESS_VK(vkCreateImageView(f->scene.vk.device, &info, NULL, &view));
    return view;
}

/*
 * Mirrors with a border are filtered in the shader where there are levels, edges by the driver. A sampler alone that is
 * linear only where it magnifies does not know of the view's levels.
 */
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
    VkImageView view = make_view(f, state->view_least);
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
        const bool known = !separate || states[i].min_filter != TOKEN_NEAREST_MIPMAP_LINEAR;
        draw_state(&f, &states[i], TOKEN_MIRROR_CLAMP_TO_BORDER, known ? 2 : 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_combined_descriptors),
        cmocka_unit_test(of_images_alone),
    };
    return cmocka_run_group_tests_name("view levels", tests, NULL, NULL);
}
