/* SPDX-License-Identifier: MIT */
/*
 * Everything that the layer can make up, in a loop on one device that has none of it: samplers of all extensions that
 * `offer` has and of OpenGL's states, more of them than the driver takes, views with GL state, orders and textures'
 * states, texel buffers, attachments in other orders, pipelines that draw in every tier. Each round makes all of it,
 * draws and destroys all; some states come in every round, others are new in each. What the layer holds must be the
 * same after each round, and the process's heap must not grow with their number.
 *
 *     soak_everything [--minutes N]
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gl/gl_tokens.h"
#include "harness/device/environment.h"
#include "harness/drawing/blending.h"
#include "harness/lookups/lookup.h"
#include "integration/shared/scene.h"
#include "soak_single.h"

/* Rounds of ctest; those that fill caches; samplers that are held at once, of a driver that takes 1,024. */
enum { ROUNDS = 90, WARM = 45, SAMPLERS = 1400, SIZE = 8, SIDE = 8 };

/*
 * Bytes by which the heap may grow in the short form: what the layer keeps of pairs of sampler and view is bounded, and
 * takes some thousands of rounds to fill. Pipelines are left out there. lavapipe 22.3 keeps more with each round, some
 * 6 KiB, so that longer runs are judged by the layer's counters alone, and print what the heap came to.
 */
enum { KEPT = 2 << 20 };

static int minutes;

struct fixture {
    struct scene scene;
    struct lookup_vulkan lookups;
    struct scene_program program;
    VkDescriptorSet set;
};

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);

static void open_fixture(struct fixture *f)
{
    setenv("LIMITED_DRIVER_PROFILE", "bare-samplers:samplers-1024", 1);
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    scene_open_device(&f->scene, &(struct harness_vulkan_params){.layers = "clampler:limited",
                                                                 .sampling_features = true,
                                                                 .non_seamless_cube = true,
                                                                 .alpha_to_one = true,
                                                                 .gl_image_view = true,
                                                                 .filter_emulation = true});
    unsetenv("VK_CLAMPLER_OFFER");
    unsetenv("LIMITED_DRIVER_PROFILE");
    scene_make(&f->scene, true);
    assert_true(f->scene.vk.anisotropy && f->scene.vk.custom_border_color && f->scene.vk.mirror_clamp_to_edge);
    lookup_vulkan_open(&f->lookups, &f->scene.vk, (struct lookup_grid){SIZE, SIZE});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(soak_single), &binding, 1, 0, NULL);
    f->set = harness_set(&f->scene.vk, f->program.set_layout);
}

static void close_fixture(struct fixture *f)
{
    scene_program_destroy(&f->scene, &f->program);
    lookup_vulkan_close(&f->lookups);
    scene_close(&f->scene);
}

/* ---- One round ---- */

enum sort { BORDER, MIRROR, ANISOTROPIC, CLAMP, MIXED, CUBIC, LEAST, SORTS };

/* Of that sort; `own`: a number between 0 and 1 that no other state has. */
static VkSampler make_sampler(struct fixture *f, enum sort sort, float own)
{
    const VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .customBorderColor.float32 = {own, 0.5f, 0.25f, 1},
        .format = VK_FORMAT_R8G8B8A8_UNORM};
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP,
                                                   .wrapT = TOKEN_CLAMP_TO_BORDER,
                                                   .minFilter = sort == CUBIC ? TOKEN_CUBIC_IMG : TOKEN_LINEAR,
                                                   .magFilter = sort == CUBIC   ? TOKEN_CUBIC_IMG
                                                                : sort == MIXED ? TOKEN_NEAREST
                                                                                : TOKEN_LINEAR,
                                                   .maxLod = 1000,
                                                   .borderColor.float32 = {own, 0, 0, 1},
                                                   .reductionMode = sort == LEAST ? TOKEN_MIN : 0};
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = VK_FILTER_LINEAR,
                                .minFilter = VK_FILTER_LINEAR,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .maxLod = 1 + own};
    if (sort >= CLAMP)
        info.pNext = &gl;
    if (sort == BORDER) {
        info.pNext = &border;
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
        info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    }
    if (sort == MIRROR)
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    info.anisotropyEnable = sort == ANISOTROPIC;
    info.maxAnisotropy = 8;
    return harness_sampler(&f->scene.vk, &info);
}

static void look_up(struct fixture *f, VkImageView view, VkSampler sampler)
{
    static const struct lookup ways[] = {
        {.dimension = LOOKUP_2D, .operation = LOOKUP_GRAD, .stage = LOOKUP_COMPUTE},
        {.dimension = LOOKUP_2D, .operation = LOOKUP_LOD, .stage = LOOKUP_FRAGMENT, .separate = true}};
    static float found[SIZE * SIZE * 4];
    struct lookup_input inputs[SIZE * SIZE];
    for (int p = 0; p < SIZE * SIZE; p++)
        inputs[p] = (struct lookup_input){
            .p = {(float)p / (SIZE * SIZE) * 1.5f - 0.25f, 0.5f, 0, 1}, .dx = {0.3f}, .dy = {0, 0.01f}};
    for (int way = 0; way < 2; way++)
        lookup_vulkan_run(&f->lookups, &ways[way], view, sampler, inputs, found);
}

static void sample(struct fixture *f, float own)
{
    static const uint8_t texels[SIDE * SIDE * 4] = {0};
    const VkImageViewGLTextureStateCreateInfoCLAMPLER states[] = {
        {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER, .incomplete = VK_TRUE},
        {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_TEXTURE_STATE_CREATE_INFO_CLAMPLER, .compareFailValue = own}};
    const VkImageViewGLStateCreateInfoCLAMPLER luminance = {.baseFormat = TOKEN_LUMINANCE};
    struct harness_image image;
    lookup_vulkan_image(&f->scene.vk, &image,
                        &(struct lookup_texture){.dimension = LOOKUP_2D,
                                                 .format = LOOKUP_RGBA8,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .levels = 1,
                                                 .texels = texels});
    VkImageView views[] = {lookup_vulkan_view(&f->scene.vk, &image, &luminance, NULL, 0, 0),
                           lookup_vulkan_view(&f->scene.vk, &image, &luminance, &states[0], 0, 0),
                           lookup_vulkan_view(&f->scene.vk, &image, &luminance, &states[1], 0, 0)};
    for (int sort = 0; sort < SORTS; sort++) {
        VkSampler sampler = make_sampler(f, (enum sort)sort, own);
        look_up(f, sort ? views[sort % 3] : image.view, sampler);
        vkDestroySampler(f->scene.vk.device, sampler, NULL);
    }
    for (int i = 0; i < 3; i++)
        vkDestroyImageView(f->scene.vk.device, views[i], NULL);
    harness_image_destroy(&f->scene.vk, &image);
}

/* More than the driver takes, of states that come in each round. */
static void crowd(struct fixture *f)
{
    static VkSampler samplers[SAMPLERS];
    for (int i = 0; i < SAMPLERS; i++)
        samplers[i] = make_sampler(f, (enum sort)(i % SORTS), (float)(i % 100) / 256);
    for (int i = 0; i < SAMPLERS; i++)
        vkDestroySampler(f->scene.vk.device, samplers[i], NULL);
}

static void attach(struct fixture *f, unsigned round)
{
    static const VkComponentMapping moved = {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G,
                                             VK_COMPONENT_SWIZZLE_R};
    const struct blending_image_params params = {.format = round % 2 ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R8_UNORM,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .base_format = round % 2 ? TOKEN_RGBA : TOKEN_ALPHA,
                                                 .channels = round % 2 ? moved : (VkComponentMapping){0}};
    const VkClearColorValue color = {.float32 = {0.25f, 0.5f, 0.75f, 1}};
    struct harness_image image;
    struct blending_pass pass;
    blending_image_create(&f->scene.vk, &image, &params, NULL);
    blending_pass_create(&f->scene.vk, &pass,
                         &(struct blending_pass_params){.style = BLENDING_PASS,
                                                        .count = 1,
                                                        .views = {image.view},
                                                        .formats = {params.format},
                                                        .width = SIDE,
                                                        .height = SIDE,
                                                        .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
    VkCommandBuffer commands = harness_begin(&f->scene.vk);
    blending_pass_begin(&pass, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(&pass, commands);
    harness_submit(&f->scene.vk, commands);
    uint8_t pixels[SIDE * SIDE * 4];
    blending_image_read(&f->scene.vk, &image, pixels);
    assert_int_equal(pixels[0], 255); /* alpha, where its order has it */
    blending_pass_destroy(&f->scene.vk, &pass);
    harness_image_destroy(&f->scene.vk, &image);
}

/* A pipeline of the same code in each round, recorded in a tier after the other; those of the lookups stay and run. */
static void record(struct fixture *f, unsigned round)
{
    static const enum scene_sampler samplers[] = {SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED};
    VkPipeline pipeline = harness_graphics_pipeline(
        &f->scene.vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(soak_single), .layout = f->program.layout});
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, samplers[round % 3], SCENE_STEPS);
    scene_mark(&f->scene);
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    scene_take(&f->scene);
    scene_expect_tier(&f->scene, round % 3);
    vkFreeCommandBuffers(f->scene.vk.device, f->scene.vk.pool, 1, &commands);
    harness_graphics_pipeline_destroy(&f->scene.vk, pipeline);
    harness_submit(&f->scene.vk, harness_begin(&f->scene.vk)); /* lavapipe frees what has gone at submissions */
}

static size_t heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static bool goes_on(unsigned round, time_t begun)
{
    return minutes ? time(NULL) - begun < minutes * 60 : round < ROUNDS;
}

static void all_of_it_comes_and_goes(void **state)
{
    (void)state;
    static struct fixture f;
    struct clampler_counters warm = {0};
    int64_t grown = 0;
    const time_t begun = time(NULL);
    unsigned round;
    open_fixture(&f);
    for (round = 0; goes_on(round, begun) || round <= WARM; round++) {
        const size_t before = heap();
        sample(&f, (float)(round % (1 << 20)) / (1 << 20));
        crowd(&f);
        attach(&f, round);
        grown += round > WARM ? (int64_t)heap() - (int64_t)before : 0;
        record(&f, round);
        const struct clampler_counters now = harness_counters(&f.scene.vk);
        if (round == WARM)
            warm = now;
        if (round > WARM)
            assert_int_equal(now.live_objects, warm.live_objects);
        if (round > WARM)
            assert_true(now.live_bytes <= warm.live_bytes);
    }
    const struct clampler_counters now = harness_counters(&f.scene.vk);
    print_message("%u rounds; the heap grew by %d KiB behind the first %d; %u surplus samplers, draws %u %u %u\n",
                  round, (int)(grown / 1024), WARM, (unsigned)now.samplers_surplus, (unsigned)now.draws[0],
                  (unsigned)now.draws[1], (unsigned)now.draws[2]);
    assert_true(now.samplers_surplus > 0 && now.draws[0] && now.draws[1] && now.draws[2]);
    close_fixture(&f);
#if !HARNESS_SANITIZED
    assert_true(minutes || grown <= KEPT);
#endif
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it_comes_and_goes)};
    if (argc == 3 && !strcmp(argv[1], "--minutes"))
        minutes = atoi(argv[2]);
    return cmocka_run_group_tests_name("everything", tests, NULL, NULL);
}
