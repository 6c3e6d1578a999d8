/* SPDX-License-Identifier: MIT */
/*
 * Comparisons through views: what base format, depth mode, swizzle and components make of the result
 * (docs/semantics.md). The result itself is drawn first, through a view that changes nothing; every other view must
 * show it, 0 or 1, wherever the lookup is, within and beyond the texture, however sampler and image reach the shader.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/lookups/lookup.h"

#define GRID 8u
#define SIZE 4u

enum seen { RESULT, ZERO, ONE };

#define COMPONENTS_ZERO                                                                                                \
    VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO

/* A view with GL state, or with components alone. */
static const struct view {
    bool gl;
    uint32_t depth_mode, swizzle[4];
    VkComponentMapping components;
    enum seen seen;
} views[] = {
    {true, GL_LUMINANCE, {0}, {0}, RESULT},
    {true, GL_INTENSITY, {0}, {0}, RESULT},
    {true, GL_ALPHA, {0}, {0}, RESULT},
    {true, GL_ALPHA, {GL_ZERO, GL_RED, GL_RED, GL_ALPHA}, {0}, ZERO},
    {true, GL_ALPHA, {GL_ALPHA, GL_RED, GL_RED, GL_ONE}, {0}, RESULT},
    {true, GL_LUMINANCE, {GL_GREEN, GL_ZERO, GL_ZERO, GL_ZERO}, {0}, RESULT},
    {true, GL_LUMINANCE, {GL_ALPHA, GL_RED, GL_ZERO, GL_ZERO}, {0}, ONE},
    {true, 0, {GL_ZERO, GL_RED, GL_RED, GL_RED}, {0}, ZERO},
    {true, 0, {GL_ONE, GL_RED, GL_RED, GL_RED}, {0}, ONE},
    {true, 0, {GL_GREEN, GL_RED, GL_RED, GL_RED}, {0}, ZERO},
    {true, 0, {GL_ALPHA, GL_RED, GL_RED, GL_RED}, {0}, ONE},
    {true, 0, {GL_RED, GL_ZERO, GL_ONE, GL_RED}, {0}, RESULT},
    {true, 0, {0}, {.r = VK_COMPONENT_SWIZZLE_ZERO}, RESULT},
    {true, 0, {0}, {COMPONENTS_ZERO}, ZERO},
    {true, GL_ALPHA, {0}, {.a = VK_COMPONENT_SWIZZLE_R}, RESULT},
    {false, 0, {0}, {.r = VK_COMPONENT_SWIZZLE_ZERO}, ZERO},
    {false, 0, {0}, {.r = VK_COMPONENT_SWIZZLE_ONE}, ONE},
    {false, 0, {0}, {.r = VK_COMPONENT_SWIZZLE_A, .a = VK_COMPONENT_SWIZZLE_R}, ONE},
    {false, 0, {0}, {.r = VK_COMPONENT_SWIZZLE_G}, ZERO},
    {false, 0, {0}, {.g = VK_COMPONENT_SWIZZLE_R, .b = VK_COMPONENT_SWIZZLE_ONE}, RESULT},
};
#define VIEWS (sizeof(views) / sizeof(views[0]))

static const struct sampler {
    uint32_t wrap, filter, function;
    bool seamless;
} samplers[] = {
    {GL_CLAMP_TO_EDGE, GL_NEAREST, GL_LEQUAL, true},
    {GL_CLAMP_TO_BORDER, GL_LINEAR, GL_ALWAYS, false},
    {GL_CLAMP, GL_LINEAR, GL_GREATER, false},
    {GL_CLAMP_TO_BORDER, GL_NEAREST, GL_LESS, false},
    {GL_MIRROR_CLAMP_TO_BORDER_EXT, GL_LINEAR, GL_NEVER, true},
    {GL_CLAMP, GL_NEAREST, GL_ALWAYS, true},
};
#define SAMPLERS (sizeof(samplers) / sizeof(samplers[0]))

static const struct lookup lookups[] = {
    {LOOKUP_2D, LOOKUP_LOD, LOOKUP_SHADOW, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
    {LOOKUP_2D, LOOKUP_IMPLICIT, LOOKUP_SHADOW, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
    {LOOKUP_2D, LOOKUP_GRAD, LOOKUP_SHADOW, LOOKUP_COMPUTE, false, 0, LOOKUP_ALONE},
    {LOOKUP_2D, LOOKUP_GATHER, LOOKUP_SHADOW, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
    {LOOKUP_CUBE, LOOKUP_IMPLICIT, LOOKUP_SHADOW, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
    {LOOKUP_CUBE, LOOKUP_GATHER, LOOKUP_SHADOW, LOOKUP_FRAGMENT, false, 0, LOOKUP_ALONE},
};
#define LOOKUPS (sizeof(lookups) / sizeof(lookups[0]))

struct comparisons {
    struct harness_vulkan vk;
    struct lookup_vulkan lookups;
    struct harness_image images[2]; /* 2D, cube */
    struct lookup_input inputs[2][GRID * GRID];
    float results[GRID * GRID * 4], drawn[GRID * GRID * 4];
};

static void make_images(struct comparisons *c)
{
    float texels[6 * SIZE * SIZE];
    for (uint32_t i = 0; i < 6 * SIZE * SIZE; i++)
        texels[i] = (float)(i * 7 % 16) / 15.0f;
    for (int cube = 0; cube < 2; cube++) {
        const struct lookup_texture texture = {.dimension = cube ? LOOKUP_CUBE : LOOKUP_2D,
                                               .format = LOOKUP_DEPTH32F,
                                               .width = SIZE,
                                               .height = SIZE,
                                               .depth = 1,
                                               .layers = cube ? 6 : 1,
                                               .levels = 1,
                                               .texels = texels};
        lookup_vulkan_image(&c->vk, &c->images[cube], &texture);
    }
}

/* From half a texture in front to half a one behind; of cubes about one face, its edges among them. */
static void make_inputs(struct comparisons *c)
{
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const float s = (float)(i % GRID) * 0.27f - 0.49f, t = (float)(i / GRID) * 0.26f - 0.43f;
        const float reference = (float)(i * 5 % 11) / 10.0f;
        c->inputs[0][i] = (struct lookup_input){.p = {s, t, 0, 0}, .extra = {0, reference}};
        c->inputs[1][i] = (struct lookup_input){.p = {1, 1 - 2 * t, 1 - 2 * s, 0}, .extra = {0, reference}};
    }
}

static void open_device(struct comparisons *c, const char *border)
{
    if (border)
        setenv("VK_CLAMPLER_BORDER_COLOR", border, 1);
    harness_vulkan_open(&c->vk, &(struct harness_vulkan_params){.layers = "clampler:validation",
                                                                .gl_sampler = true,
                                                                .gl_image_view = true,
                                                                .sampling_features = true});
    unsetenv("VK_CLAMPLER_BORDER_COLOR");
    lookup_vulkan_open(&c->lookups, &c->vk, (struct lookup_grid){GRID, GRID});
    make_images(c);
    make_inputs(c);
}

static void close_device(struct comparisons *c)
{
    for (int i = 0; i < 2; i++)
        harness_image_destroy(&c->vk, &c->images[i]);
    lookup_vulkan_close(&c->lookups);
    harness_vulkan_close(&c->vk);
}

static VkImageView make_view(struct comparisons *c, const struct harness_image *image, const struct view *view)
{
    VkImageViewGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER,
                                               .depthMode = view->depth_mode};
    memcpy(gl.swizzle, view->swizzle, sizeof(gl.swizzle));
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = view->gl ? &gl : NULL,
                                        .image = image->image,
                                        .viewType = image->params.type,
                                        .format = image->params.format,
                                        .components = view->components,
                                        .subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, image->params.layers}};
    VkImageView made;
    HARNESS_VK(vkCreateImageView(c->vk.device, &info, NULL, &made));
    return made;
}

static VkSampler make_sampler(struct comparisons *c, const struct sampler *sampler, enum lookup_sampler_form form)
{
    const VkSamplerGLStateCreateInfoCLAMPLER state = {.wrapS = sampler->wrap,
                                                      .wrapT = sampler->wrap,
                                                      .minFilter = sampler->filter,
                                                      .magFilter = sampler->filter,
                                                      .compareMode = GL_COMPARE_REF_TO_TEXTURE,
                                                      .compareFunc = sampler->function,
                                                      .borderColor.float32 = {0.4f, 0.9f, 0, 1},
                                                      .cubeMapSeamless = sampler->seamless};
    return lookup_vulkan_sampler(&c->vk, &state, form, false);
}

static void expect(const struct comparisons *c, size_t view, size_t sampler, size_t lookup, bool separate)
{
    /* Of lookups that do not gather GLSL spreads the one number. */
    for (uint32_t value = 0; value < GRID * GRID * 4; value++) {
        const enum seen seen = views[view].seen;
        const float right = seen == RESULT ? c->results[value] : seen == ONE ? 1.0f : 0.0f;
        if (!(fabsf(c->drawn[value] - right) <= 1.5f / 255))
            fail_msg("view %zu, sampler %zu, lookup %zu, %s: pixel %u, channel %u is %f, not %f", view, sampler, lookup,
                     separate ? "separate" : "combined", value / 4, value % 4, (double)c->drawn[value], (double)right);
    }
}

/* Every eighth of the combinations, others for each form of samplers: drivers compile shaders for each. */
static bool is_drawn(size_t view, size_t sampler, size_t lookup, enum lookup_sampler_form form)
{
    return (view + sampler * 5 + lookup * 3 + (size_t)form) % 8 == 0;
}

/* The driver alone must not decide what a constant makes of a comparison by a sampler that knows nothing of the image.
 */
static void draw_view(struct comparisons *c, size_t view, size_t sampler, size_t lookup, VkImageView made,
                      VkSampler with)
{
    const bool cube = lookups[lookup].dimension == LOOKUP_CUBE;
    for (int separate = 0; separate < 2; separate++) {
        struct lookup look_up = lookups[lookup];
        look_up.separate = separate;
        if (!lookup_exists(&look_up))
            continue;
        const struct clampler_counters before = harness_counters(&c->vk);
        lookup_vulkan_run(&c->lookups, &look_up, made, with, c->inputs[cube], c->drawn);
        const struct clampler_counters after = harness_counters(&c->vk);
        const bool elsewhere = separate && views[view].gl && views[view].depth_mode == GL_ALPHA;
        if (elsewhere && views[view].seen == RESULT && views[view].swizzle[0] != GL_ALPHA)
            assert_int_equal(after.draws[2] - before.draws[2], 1);
        /* The shader filters faces alone, up to the border; llvmpipe takes the edge of each (Mesa 22.3 to 26.2). */
        if (elsewhere && cube && !samplers[sampler].seamless && views[view].seen == RESULT)
            continue;
        expect(c, view, sampler, lookup, separate);
        if (separate && views[view].seen != RESULT)
            assert_int_equal(after.draws[0] - before.draws[0], 0);
    }
}

static void draw_all(struct comparisons *c, enum lookup_sampler_form form)
{
    static const struct view plain = {false, 0, {0}, {0}, RESULT};
    for (size_t lookup = 0; lookup < LOOKUPS; lookup++)
        for (size_t sampler = 0; sampler < SAMPLERS; sampler++) {
            const bool cube = lookups[lookup].dimension == LOOKUP_CUBE;
            VkSampler with = make_sampler(c, &samplers[sampler], form);
            VkImageView unchanged = make_view(c, &c->images[cube], &plain);
            lookup_vulkan_run(&c->lookups, &lookups[lookup], unchanged, with, c->inputs[cube], c->results);
            for (size_t view = 0; view < VIEWS; view++) {
                if (!is_drawn(view, sampler, lookup, form))
                    continue;
                VkImageView made = make_view(c, &c->images[cube], &views[view]);
                draw_view(c, view, sampler, lookup, made, with);
                vkDestroyImageView(c->vk.device, made, NULL);
            }
            vkDestroyImageView(c->vk.device, unchanged, NULL);
            vkDestroySampler(c->vk.device, with, NULL);
        }
}

static void draw_under(const char *border, enum lookup_sampler_form form)
{
    struct comparisons *c = harness_alloc(1, sizeof(*c));
    harness_messages_reset();
    open_device(c, border);
    draw_all(c, form);
    close_device(c);
    assert_int_equal(harness_messages(), 0);
    free(c);
}

static void samplers_with_gl_state_compare_before_the_view(void **state)
{
    (void)state;
    draw_under(NULL, LOOKUP_SAMPLER_GL);
}

static void borders_of_the_shader_are_compared_like_texels(void **state)
{
    (void)state;
    draw_under("shader", LOOKUP_SAMPLER_GL);
}

static void address_modes_of_the_layer_do_not_matter(void **state)
{
    (void)state;
    draw_under(NULL, LOOKUP_SAMPLER_PRIVATE);
}

static void samplers_of_vulkan_do_the_same(void **state)
{
    (void)state;
    draw_under(NULL, LOOKUP_SAMPLER_NAIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samplers_with_gl_state_compare_before_the_view),
        cmocka_unit_test(borders_of_the_shader_are_compared_like_texels),
        cmocka_unit_test(address_modes_of_the_layer_do_not_matter),
        cmocka_unit_test(samplers_of_vulkan_do_the_same),
    };
    harness_vulkan_hold_driver();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
