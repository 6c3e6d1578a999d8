/* SPDX-License-Identifier: MIT */
/*
 * What OpenGL has and Vulkan's samplers and views have not: cubic filters by GL's token, textures that are incomplete,
 * and the value that a comparison gives which fails. Each in a few lookups of known arithmetic, on one
 * device; the differential suite has the families.
 */
#include <math.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "harness/lookups/lookup.h"
#include "integration/shared/scene.h"

enum { SIZE = 8, PIXELS = SIZE * SIZE, TEXELS = 8 };

struct fixture {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct harness_image image;
    struct lookup_input inputs[PIXELS];
    float found[PIXELS * 4];
};

/* The lookups walk along s, from before the texture's edge to behind it, at level 0. */
static void open_fixture(struct fixture *f, enum lookup_format format, const void *texels)
{
    memset(f, 0, sizeof(*f));
    harness_messages_reset();
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                                .gl_sampler = true,
                                                                .gl_image_view = true,
                                                                .filter_emulation = true});
    lookup_vulkan_open(&f->lookups, &f->vk, (struct lookup_grid){SIZE, SIZE});
    lookup_vulkan_image(
        &f->vk, &f->image,
        &(struct lookup_texture){
            .dimension = LOOKUP_2D, .format = format, .width = TEXELS, .height = 1, .levels = 1, .texels = texels});
    for (int p = 0; p < PIXELS; p++)
        f->inputs[p] = (struct lookup_input){.p = {((float)p + 0.5f) / PIXELS * 1.25f - 0.125f, 0.5f}};
}

static void close_fixture(struct fixture *f)
{
    harness_image_destroy(&f->vk, &f->image);
    lookup_vulkan_close(&f->lookups);
    harness_vulkan_close(&f->vk);
    scene_expect_silence();
}

/* Draws in tiers from this one on. */
static uint64_t drawn_from(const struct fixture *f, unsigned tier)
{
    const struct clampler_counters counters = harness_counters(&f->vk);
    uint64_t draws = 0;
    for (unsigned i = tier; i < 3; i++)
        draws += counters.draws[i];
    return draws;
}

/*
 * Runs the lookup, which that tier must draw, or a higher one: some drivers show no border through a view that has a
 * mapping.
 */
static void look_up(struct fixture *f, const struct lookup *lookup, VkImageView view,
                    const VkSamplerGLStateCreateInfoCLAMPLER *state, unsigned tier)
{
    const uint64_t before = drawn_from(f, tier);
    VkSampler sampler = lookup_vulkan_sampler(&f->vk, state, LOOKUP_SAMPLER_GL, false);
    lookup_vulkan_run(&f->lookups, lookup, view, sampler, f->inputs, f->found);
    if (drawn_from(f, tier) != before + 1)
        fail_msg("neither tier %u nor a higher one has drawn it", tier);
    vkDestroySampler(f->vk.device, sampler, NULL);
}

static void expect(const struct fixture *f, int pixel, int channel, double value, double within)
{
    const double found = (double)f->found[pixel * 4 + channel];
    if (!(fabs(found - value) <= within))
        fail_msg("pixel %d, channel %d: %f, not %f", pixel, channel, found, value);
}

static const struct lookup ways[] = {
    {.dimension = LOOKUP_2D, .operation = LOOKUP_LOD, .stage = LOOKUP_COMPUTE},
    {.dimension = LOOKUP_2D, .operation = LOOKUP_LOD, .stage = LOOKUP_FRAGMENT, .separate = true},
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

/* GL_IMG_texture_filter_cubic: Catmull-Rom's weights of four texels. */
static double cubic(const uint8_t *texels, double s)
{
    const double at = s * TEXELS - 0.5, from = floor(at), x = at - from;
    const double weights[4] = {((2 - x) * x - 1) * x / 2, ((3 * x - 5) * x * x + 2) / 2, ((4 - 3 * x) * x + 1) * x / 2,
                               (x - 1) * x * x / 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const int texel = (int)from - 1 + i;
        sum += weights[i] * texels[texel < 0 ? 0 : texel >= TEXELS ? TEXELS - 1 : texel] / 255;
    }
    return sum;
}

static void cubic_filters_weigh_four_texels(void **state)
{
    (void)state;
    static const uint8_t texels[TEXELS] = {20, 180, 60, 240, 0, 255, 128, 40};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_CUBIC_IMG,
                                                   .magFilter = TOKEN_CUBIC_IMG,
                                                   .maxLod = 1000};
    struct fixture f;
    open_fixture(&f, LOOKUP_R8, texels);
    for (int way = 0; way < WAYS; way++) {
        look_up(&f, &ways[way], f.image.view, &gl, 2);
        for (int p = 0; p < PIXELS; p++)
            expect(&f, p, 0, cubic(texels, (double)f.inputs[p].p[0]), 3.0 / 255);
    }
    close_fixture(&f);
}

static VkImageView view_of(struct fixture *f, VkBool32 incomplete, float fail_value)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {0};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER texture = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER,
        .incomplete = incomplete,
        .compareFailValue = fail_value};
    return lookup_vulkan_view(&f->vk, &f->image, &gl, &texture, 0, 0);
}

static void incomplete_textures_are_opaque_black(void **state)
{
    (void)state;
    static const uint8_t texels[TEXELS * 4] = {255, 255, 255, 0, 255, 255, 255, 0};
    static const double black[4] = {0, 0, 0, 1};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP,
                                                   .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                   .minFilter = TOKEN_LINEAR,
                                                   .magFilter = TOKEN_LINEAR,
                                                   .maxLod = 1000,
                                                   .borderColor.float32 = {1, 1, 1, 0}};
    struct fixture f;
    open_fixture(&f, LOOKUP_RGBA8, texels);
    VkImageView view = view_of(&f, VK_TRUE, 0);
    for (int way = 0; way < WAYS; way++) {
        look_up(&f, &ways[way], view, &gl, 1);
        for (int i = 0; i < PIXELS * 4; i++)
            expect(&f, i / 4, i % 4, black[i % 4], 0);
    }
    vkDestroyImageView(f.vk.device, view, NULL);
    close_fixture(&f);
}

static void comparisons_that_fail_give_the_views_value(void **state)
{
    (void)state;
    static const float depths[TEXELS] = {0.1f, 0.9f, 0.2f, 0.8f, 0.3f, 0.7f, 0.4f, 0.6f};
    const struct lookup lookup = {
        .dimension = LOOKUP_2D, .operation = LOOKUP_LOD, .kind = LOOKUP_SHADOW, .stage = LOOKUP_FRAGMENT};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_EDGE,
                                                   .wrapT = TOKEN_CLAMP_TO_EDGE,
                                                   .minFilter = TOKEN_NEAREST,
                                                   .magFilter = TOKEN_NEAREST,
                                                   .maxLod = 1000,
                                                   .compareMode = TOKEN_COMPARE_REF_TO_TEXTURE,
                                                   .compareFunc = TOKEN_LEQUAL};
    struct fixture f;
    open_fixture(&f, LOOKUP_DEPTH32F, depths);
    for (int p = 0; p < PIXELS; p++)
        f.inputs[p].extra[1] = 0.5f;
    VkImageView view = view_of(&f, VK_FALSE, 0.25f);
    look_up(&f, &lookup, view, &gl, 1);
    for (int p = 0; p < PIXELS; p++) {
        const int texel = (int)floor((double)f.inputs[p].p[0] * TEXELS);
        const float depth = depths[texel < 0 ? 0 : texel >= TEXELS ? TEXELS - 1 : texel];
        expect(&f, p, 0, 0.5f <= depth ? 1 : 0.25, 1e-6);
    }
    vkDestroyImageView(f.vk.device, view, NULL);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubic_filters_weigh_four_texels),
        cmocka_unit_test(incomplete_textures_are_opaque_black),
        cmocka_unit_test(comparisons_that_fail_give_the_views_value),
    };
    return cmocka_run_group_tests_name("texture_states", tests, NULL, NULL);
}
