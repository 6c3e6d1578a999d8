/* SPDX-License-Identifier: MIT */
/*
 * GL_CLAMP in tier 1, from a texel spread over fifty pixels to three texels a pixel, in each form of the shaders. Where
 * GPUs vote that all lookups are magnified, these take their own derivatives; what is drawn must be what gradients
 * give, and where it is certain to be magnified, what OpenGL's formula gives. Drivers may compute the level of detail
 * of a lookup otherwise than that of the same gradients ("Scale Factor, LOD and Mipmap Level Computation" leaves both
 * approximate): as far as plain lookups are apart on the driver, these may be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gl/gl_tokens.h"
#include "integration/shared/scene.h"
#include "integration_magnified.h"
#include "integration_magnified_gradients.h"

enum { SIZE = 32, TEXELS = 8, LEVELS = 4, VALUES = TEXELS * TEXELS + 16 + 4 + 1, SAMPLERS = 5 };

/* As the shader has it. */
struct push {
    float at[2], dx[2], dy[2], bend[2], middle;
};

struct fixture {
    struct scene scene;
    struct harness_target target;
    struct harness_image image;
    VkSampler samplers[SAMPLERS];
    struct scene_program program;
    VkPipeline gradients; /* as the program's, by textureGrad() */
    VkDescriptorSet sets[SAMPLERS];
    VkSampler plain[SAMPLERS]; /* the driver's own, with edges */
    VkDescriptorSet plain_sets[SAMPLERS];
};

static const float border[4] = {0.2f, 0.9f, 0.4f, 1.0f};
/* Mirrored ones of several levels would be filtered in tier 2. */
static const struct {
    uint32_t wrap, min_filter;
    float bias;
} samplers[SAMPLERS] = {{TOKEN_CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, 0},
                        {TOKEN_MIRROR_CLAMP, TOKEN_LINEAR, 0},
                        {TOKEN_MIRROR_CLAMP_TO_BORDER, TOKEN_LINEAR, 0},
                        {TOKEN_CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, 1},
                        {TOKEN_CLAMP, TOKEN_LINEAR_MIPMAP_LINEAR, -1}};

/* The values of level 0 come first. */
static void make_texels(uint8_t texels[VALUES][4])
{
    uint32_t random = 12345;
    for (unsigned i = 0; i < VALUES * 4; i++) {
        random = random * 1664525 + 1013904223;
        texels[i / 4][i % 4] = (uint8_t)(random >> 24);
    }
}

static VkSampler make_sampler(struct harness_vulkan *vk, unsigned number)
{
    const uint32_t wrap = samplers[number].wrap;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
        .wrapS = wrap,
        .wrapT = wrap,
        .wrapR = wrap,
        .minFilter = samplers[number].min_filter,
        .magFilter = TOKEN_LINEAR,
        .lodBias = samplers[number].bias,
        .maxLod = 1000.0f,
        .borderColor = {.float32 = {border[0], border[1], border[2], border[3]}},
    };
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = &gl,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                      .maxLod = VK_LOD_CLAMP_NONE};
    return harness_sampler(vk, &info);
}

static VkSampler make_plain_sampler(struct harness_vulkan *vk, unsigned number)
{
    const bool levels = samplers[number].min_filter == TOKEN_LINEAR_MIPMAP_LINEAR;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR,
                                      .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                      .mipLodBias = samplers[number].bias,
                                      .maxLod = levels ? VK_LOD_CLAMP_NONE : 0};
    return harness_sampler(vk, &info);
}

static VkPipeline make_pipeline(struct fixture *f, struct harness_spirv fragment)
{
    return harness_graphics_pipeline(
        &f->scene.vk, &f->target, &(struct harness_graphics_params){.fragment = fragment, .layout = f->program.layout});
}

static void open_fixture(struct fixture *f, const char *key, const char *value)
{
    static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
    uint8_t texels[VALUES][4];
    memset(f, 0, sizeof(*f));
    scene_open_with_setting(&f->scene, key, value, NULL);
    make_texels(texels);
    harness_image_create(&f->scene.vk, &f->image,
                         &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                        .width = TEXELS,
                                                        .height = TEXELS,
                                                        .levels = LEVELS},
                         texels);
    harness_target_create(&f->scene.vk, &f->target, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    f->program.set_layout = harness_set_layout(&f->scene.vk, &binding, 1);
    f->program.layout = harness_pipeline_layout(&f->scene.vk, &f->program.set_layout, 1, sizeof(struct push));
    f->program.pipeline = make_pipeline(f, HARNESS_SPIRV(integration_magnified));
    f->gradients = make_pipeline(f, HARNESS_SPIRV(integration_magnified_gradients));
    for (unsigned i = 0; i < SAMPLERS; i++) {
        f->samplers[i] = make_sampler(&f->scene.vk, i);
        f->sets[i] = harness_set(&f->scene.vk, f->program.set_layout);
        harness_write_image(&f->scene.vk, f->sets[i], 0, 0, SCENE_COMBINED, f->samplers[i], f->image.view);
        f->plain[i] = make_plain_sampler(&f->scene.vk, i);
        f->plain_sets[i] = harness_set(&f->scene.vk, f->program.set_layout);
        harness_write_image(&f->scene.vk, f->plain_sets[i], 0, 0, SCENE_COMBINED, f->plain[i], f->image.view);
    }
}

static void close_fixture(struct fixture *f)
{
    harness_graphics_pipeline_destroy(&f->scene.vk, f->program.pipeline);
    harness_graphics_pipeline_destroy(&f->scene.vk, f->gradients);
    harness_layouts_destroy(&f->scene.vk, f->program.layout, f->program.set_layout);
    for (unsigned i = 0; i < SAMPLERS; i++) {
        vkDestroySampler(f->scene.vk.device, f->samplers[i], NULL);
        vkDestroySampler(f->scene.vk.device, f->plain[i], NULL);
    }
    harness_image_destroy(&f->scene.vk, &f->image);
    harness_target_destroy(&f->scene.vk, &f->target);
    scene_close(&f->scene);
}

static void draw(struct fixture *f, VkPipeline pipeline, VkDescriptorSet set, unsigned tier, const struct push *push,
                 float pixels[SIZE][SIZE][4])
{
    scene_mark(&f->scene);
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    harness_target_begin(&f->target, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(commands, f->program.layout, VK_SHADER_STAGE_ALL, 0, sizeof(*push), push);
    vkCmdDraw(commands, 3, 1, 0, 0);
    harness_target_end(commands);
    harness_submit(&f->scene.vk, commands);
    scene_take(&f->scene);
    scene_expect_tier(&f->scene, tier);
    harness_target_read(&f->scene.vk, &f->target, pixels);
}

/* ---- What is drawn ---- */

/*
 * The target's middle lies on an edge or a corner of the texture, or on its mirror. A pixel is `texels` of a texel,
 * at an angle; beyond the middle `bend` times as many.
 */
static struct push view_of(float texels, unsigned place, float bend)
{
    static const float centers[][2] = {{0, 0.4f}, {1, 0.3f}, {0.6f, 0}, {0.2f, 1}, {0, 0}, {1, 1}, {-1, 0.7f}};
    const float angle = 0.3f * (float)place, step = texels / TEXELS, half = (float)SIZE / 2;
    struct push push = {.dx = {step * cosf(angle), step * sinf(angle)},
                        .dy = {step * -sinf(angle), step * cosf(angle)},
                        .middle = half};
    for (unsigned i = 0; i < 2; i++) {
        push.at[i] = centers[place][i] - (push.dx[i] + push.dy[i]) * half;
        push.bend[i] = push.dx[i] * (bend - 1);
    }
    return push;
}
enum { PLACES = 7 };

/* OpenGL's wrap modes for a linear filter (OpenGL 4.6 compatibility profile, section 8.14.2). */
static float wrapped(uint32_t wrap, float u)
{
    if (wrap == TOKEN_CLAMP)
        return fminf(fmaxf(u, 0), TEXELS);
    const float mirrored = fabsf(u);
    return wrap == TOKEN_MIRROR_CLAMP ? fminf(fmaxf(mirrored, 0.5f), TEXELS)
                                      : fminf(fmaxf(mirrored, 0.5f), TEXELS + 0.5f);
}

static float texel_of(uint8_t texels[VALUES][4], int x, int y, unsigned channel)
{
    if (x < 0 || x >= TEXELS || y < 0 || y >= TEXELS)
        return border[channel];
    return (float)texels[y * TEXELS + x][channel] / 255;
}

static void expect_formula(unsigned sampler, const struct push *push, float pixels[SIZE][SIZE][4])
{
    uint8_t texels[VALUES][4];
    make_texels(texels);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            float at[2], weight[2];
            int base[2];
            for (unsigned i = 0; i < 2; i++) {
                const float u = push->at[i] + push->dx[i] * ((float)x + 0.5f) + push->dy[i] * ((float)y + 0.5f);
                at[i] = wrapped(samplers[sampler].wrap, u * TEXELS) - 0.5f;
                base[i] = (int)floorf(at[i]);
                weight[i] = at[i] - floorf(at[i]);
            }
            for (unsigned c = 0; c < 4; c++) {
                float expected = 0;
                for (int corner = 0; corner < 4; corner++)
                    expected += (corner & 1 ? weight[0] : 1 - weight[0]) * (corner & 2 ? weight[1] : 1 - weight[1]) *
                                texel_of(texels, base[0] + (corner & 1), base[1] + (corner >> 1), c);
                if (fabsf(expected - pixels[y][x][c]) > 2.5f / 255)
                    fail_msg("sampler %u, pixel %u %u, channel %u: %g instead of %g", sampler, x, y, c,
                             (double)pixels[y][x][c], (double)expected);
            }
        }
    }
}

static float drawn[2][SIZE][SIZE][4];

/* How far the driver's lookup and that of its gradients are apart, at the most, over the same texture and levels. */
static float apart(struct fixture *f, unsigned sampler, const struct push *push)
{
    float most = 0;
    draw(f, f->program.pipeline, f->plain_sets[sampler], 0, push, drawn[0]);
    draw(f, f->gradients, f->plain_sets[sampler], 0, push, drawn[1]);
    for (unsigned i = 0; i < SIZE * SIZE * 4; i++)
        most = fmaxf(most, fabsf((&drawn[0][0][0][0])[i] - (&drawn[1][0][0][0])[i]));
    return most;
}

static void expect_same(struct fixture fixtures[2], float texels, float bend)
{
    for (unsigned place = 0; place < PLACES; place++) {
        const struct push push = view_of(texels, place, bend);
        for (unsigned sampler = 0; sampler < SAMPLERS; sampler++) {
            const float most = 2.5f / 255 + apart(&fixtures[0], sampler, &push);
            assert_true(most < 0.1f);
            for (unsigned i = 0; i < 2; i++)
                draw(&fixtures[i], fixtures[i].program.pipeline, fixtures[i].sets[sampler], 1, &push, drawn[i]);
            if (bend == 1 && texels < 0.6f && samplers[sampler].bias == 0)
                expect_formula(sampler, &push, drawn[1]);
            for (unsigned i = 0; i < SIZE * SIZE; i++) {
                for (unsigned c = 0; c < 4; c++) {
                    const float gradients = drawn[0][i / SIZE][i % SIZE][c], voted = drawn[1][i / SIZE][i % SIZE][c];
                    if (fabsf(gradients - voted) > most)
                        fail_msg("%g texels a pixel, bend %g, place %u, sampler %u, pixel %u %u: %g instead of %g",
                                 (double)texels, (double)bend, place, sampler, i % SIZE, i / SIZE, (double)voted,
                                 (double)gradients);
                }
            }
        }
    }
}

/* ---- Tests ---- */

static void own_derivatives_give_what_gradients_give(void **state)
{
    (void)state;
    static const char *const forms[] = {"cpu", "gpu"};
    struct fixture f[2];
    for (unsigned i = 0; i < 2; i++)
        open_fixture(&f[i], "GL_SAMPLER_FORM", forms[i]);
    for (float texels = 0.02f; texels < 3; texels *= 1.15f)
        expect_same(f, texels, 1);
    for (unsigned i = 0; i < 2; i++)
        close_fixture(&f[i]);
}

/* Where one lookup of a subgroup may be minified, or one is not: within a draw that is both. */
static void magnified_and_minified_lookups_stand_side_by_side(void **state)
{
    (void)state;
    static const char *const forms[] = {"cpu", "gpu"};
    struct fixture f[2];
    for (unsigned i = 0; i < 2; i++)
        open_fixture(&f[i], "GL_SAMPLER_FORM", forms[i]);
    for (float texels = 0.05f; texels < 0.8f; texels *= 1.5f) {
        expect_same(f, texels, 8);
        expect_same(f, texels * 4, 0.125f);
    }
    for (unsigned i = 0; i < 2; i++)
        close_fixture(&f[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_derivatives_give_what_gradients_give),
        cmocka_unit_test(magnified_and_minified_lookups_stand_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
