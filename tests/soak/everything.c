/* SPDX-License-Identifier: MIT */
/*
 * Everything that the layer can make up, in a loop on one device that has none of it: samplers of all extensions that
 * `offer` has and of OpenGL's states, more of them than the driver takes, views with GL state, orders and textures'
 * states, texel buffers, attachments in other orders, pipelines that draw in every tier. Each round makes all of it,
 * draws and destroys all; some states come in every round, others are new in each. Then the driver alone goes through
 * as many rounds, with what it has of its own for each of these.
 *
 *     soak_everything [--minutes N]
 *
 * Judged is whose memory grew behind the first rounds (heap.h), however many there are. The layer's must not, by its
 * own counters and by the heap. That of others, the driver above all, must not grow by more than without the layer:
 * lavapipe 22.3 keeps 7 KiB a round in either case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gl/gl_tokens.h"
#include "harness/device/environment.h"
#include "harness/drawing/blending.h"
#include "harness/lookups/lookup.h"
#include "integration/shared/scene.h"
#include "soak/heap.h"
#include "soak_single.h"
#include "soak_texels.h"

/* Rounds of ctest; those that fill caches; samplers that are held at once, of a driver that takes 1,024. */
enum { ROUNDS = 90, WARM = 45, SAMPLERS = 1400, SIZE = 8, SIDE = 8 };

/*
 * Bytes by which the layer's part of the heap may be more than behind the first rounds: less than a block of 32 bytes
 * in each round of the short form. And by which others' part may grow beyond one and a half times the driver's alone.
 */
enum { LAYER_KEEPS = 512, OTHERS_KEEP = 256 << 10 };

static int minutes;

struct fixture {
    struct scene scene;
    struct lookup_vulkan lookups;
    struct scene_program program;
    VkDescriptorSet set;
    VkDescriptorSetLayout texel_layout;
    VkPipelineLayout texel_pipeline_layout;
    VkPipeline texel_pipeline;
    bool alone; /* the driver alone */
};

static const VkDescriptorSetLayoutBinding binding = SCENE_BINDING(0, COMBINED_IMAGE_SAMPLER, 1);
static const VkDescriptorSetLayoutBinding texel_bindings[] = {
    {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};

static void open_device(struct fixture *f)
{
    struct harness_vulkan_params params = {
        .layers = f->alone ? "none" : "clampler:limited", .sampling_features = true, .non_seamless_cube = true};
    if (f->alone) {
        harness_vulkan_open(&f->scene.vk, &params);
        return;
    }
    params.alpha_to_one = params.gl_image_view = params.filter_emulation = true;
    setenv("LIMITED_DRIVER_PROFILE", "bare-samplers:samplers-1024", 1);
    setenv("VK_CLAMPLER_OFFER", "missing", 1);
    scene_open_device(&f->scene, &params);
    unsetenv("VK_CLAMPLER_OFFER");
    unsetenv("LIMITED_DRIVER_PROFILE");
}

static void open_fixture(struct fixture *f, bool alone)
{
    *f = (struct fixture){.alone = alone};
    open_device(f);
    heap_find_layer();
    struct harness_vulkan *vk = &f->scene.vk;
    scene_make(&f->scene, !alone);
    assert_true(vk->anisotropy && vk->custom_border_color && vk->mirror_clamp_to_edge);
    lookup_vulkan_open(&f->lookups, vk, (struct lookup_grid){SIZE, SIZE});
    scene_program_create(&f->scene, &f->program, HARNESS_SPIRV(soak_single), &binding, 1, 0, NULL);
    f->set = harness_set(vk, f->program.set_layout);
    f->texel_layout = harness_set_layout(vk, texel_bindings, 3);
    f->texel_pipeline_layout = harness_pipeline_layout(vk, &f->texel_layout, 1, 0);
    f->texel_pipeline = harness_compute_pipeline(vk, HARNESS_SPIRV(soak_texels), f->texel_pipeline_layout);
}

static void close_fixture(struct fixture *f)
{
    vkDestroyPipeline(f->scene.vk.device, f->texel_pipeline, NULL);
    harness_layouts_destroy(&f->scene.vk, f->texel_pipeline_layout, f->texel_layout);
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
    if (sort >= CLAMP && !f->alone)
        info.pNext = &gl;
    if (sort >= CLAMP && f->alone)
        info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
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
    const VkComponentMapping red = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R,
                                    VK_COMPONENT_SWIZZLE_ONE};
    struct harness_image image;
    lookup_vulkan_image(&f->scene.vk, &image,
                        &(struct lookup_texture){.dimension = LOOKUP_2D,
                                                 .format = LOOKUP_RGBA8,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .levels = 1,
                                                 .texels = texels});
    VkImageView views[3];
    for (int i = 0; i < 3; i++)
        views[i] = f->alone ? lookup_vulkan_mapped_view(&f->scene.vk, &image, red, false, 0, 0)
                            : lookup_vulkan_view(&f->scene.vk, &image, &luminance, i ? &states[i - 1] : NULL, 0, 0);
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
    const uint32_t base = round % 2 ? TOKEN_RGBA : TOKEN_ALPHA;
    const struct blending_image_params params = {.format = round % 2 ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R8_UNORM,
                                                 .width = SIDE,
                                                 .height = SIDE,
                                                 .base_format = f->alone ? 0 : base,
                                                 .channels = round % 2 && !f->alone ? moved : (VkComponentMapping){0}};
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
    assert_int_equal(pixels[0], f->alone ? 64 : 255); /* alpha, where its order has it */
    blending_pass_destroy(&f->scene.vk, &pass);
    harness_image_destroy(&f->scene.vk, &image);
}

/* A third of a texel's channels each: formats of 96 bits, which `offer` has; elsewhere of 128. */
static void fetch(struct fixture *f, unsigned round)
{
    static const float numbers[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    struct harness_vulkan *vk = &f->scene.vk;
    struct harness_buffer texels, seen;
    VkBufferView views[3];
    harness_buffer_create(vk, &texels, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, sizeof(numbers), numbers);
    harness_buffer_create(vk, &seen, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 112, NULL);
    for (unsigned i = 0; i < 3; i++) {
        const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                             .buffer = texels.buffer,
                                             .format = f->alone || (round + i) % 3 == 0 ? VK_FORMAT_R32G32B32A32_SFLOAT
                                                                                        : VK_FORMAT_R32G32B32_SFLOAT,
                                             .range = 48};
        HARNESS_VK(vkCreateBufferView(vk->device, &info, NULL, &views[i]));
    }
    VkDescriptorSet set = harness_set(vk, f->texel_layout);
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 3,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                        .pTexelBufferView = views};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    harness_write_buffer(vk, set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, seen.buffer);
    VkCommandBuffer commands = harness_begin(vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->texel_pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->texel_pipeline_layout, 0, 1, &set, 0, NULL);
    vkCmdDispatch(commands, 1, 1, 1);
    harness_submit(vk, commands);
    /* The second texel in both of the lookups: 4 or 5 with three channels or four in front of it. */
    assert_true(((const float *)seen.map)[4] == (f->alone || round % 3 == 0 ? 10 : 8));
    vkFreeDescriptorSets(vk->device, vk->descriptors, 1, &set);
    for (unsigned i = 0; i < 3; i++)
        vkDestroyBufferView(vk->device, views[i], NULL);
    harness_buffer_destroy(vk, &texels);
    harness_buffer_destroy(vk, &seen);
}

/* A pipeline of the same code in each round, recorded in a tier after the other; those of the lookups stay and run. */
static void record(struct fixture *f, unsigned round)
{
    static const enum scene_sampler samplers[2][3] = {{SCENE_EDGE, SCENE_CLAMP, SCENE_MIXED},
                                                      {SCENE_EDGE, SCENE_BORDER, SCENE_BORDER}};
    VkPipeline pipeline = harness_graphics_pipeline(
        &f->scene.vk, &f->scene.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(soak_single), .layout = f->program.layout});
    scene_write(&f->scene, f->set, 0, 0, SCENE_COMBINED, samplers[f->alone][round % 3], SCENE_STEPS);
    scene_mark(&f->scene);
    VkCommandBuffer commands = scene_begin(&f->scene);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, f->program.layout, 0, 1, &f->set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    scene_take(&f->scene);
    if (!f->alone)
        scene_expect_tier(&f->scene, round % 3);
    vkFreeCommandBuffers(f->scene.vk.device, f->scene.vk.pool, 1, &commands);
    harness_graphics_pipeline_destroy(&f->scene.vk, pipeline);
    harness_submit(&f->scene.vk, harness_begin(&f->scene.vk)); /* lavapipe frees what has gone at submissions */
}

/* ---- Rounds ---- */

struct growth {
    int64_t layer, others; /* bytes */
    unsigned rounds;
};

static bool goes_on(unsigned round, time_t begun, unsigned rounds)
{
    return rounds ? round < rounds : minutes ? time(NULL) - begun < minutes * 60 : round < ROUNDS;
}

/* The driver's pipelines are left out: it has one and a half times as many with the layer, and keeps 50 KiB of each. */
static void go_round(struct fixture *f, unsigned round, struct growth *growth)
{
    const struct heap_live before = heap_now();
    sample(f, (float)(round % (1 << 20)) / (1 << 20));
    crowd(f);
    attach(f, round);
    fetch(f, round);
    const struct heap_live behind = heap_now();
    record(f, round);
    if (round <= WARM)
        return;
    growth->layer += heap_now().layer_bytes - before.layer_bytes;
    growth->others += behind.all_bytes - behind.layer_bytes - before.all_bytes + before.layer_bytes;
}

/* As many rounds as are given, or as time allows (0). */
static struct growth go_on(struct fixture *f, unsigned rounds)
{
    const time_t begun = time(NULL);
    struct clampler_counters warm = {0};
    struct growth growth = {.rounds = 0};
    for (; goes_on(growth.rounds, begun, rounds) || growth.rounds <= WARM; growth.rounds++) {
        go_round(f, growth.rounds, &growth);
        const struct clampler_counters now = harness_counters(&f->scene.vk);
        if (growth.rounds == WARM)
            warm = now;
        if (growth.rounds > WARM) {
            assert_int_equal(now.live_objects, warm.live_objects);
            assert_true(now.live_bytes <= warm.live_bytes);
        }
    }
    return growth;
}

static void all_of_it_comes_and_goes(void **state)
{
    (void)state;
    static struct fixture f;
    open_fixture(&f, false);
    const struct growth with = go_on(&f, 0);
    const struct clampler_counters now = harness_counters(&f.scene.vk);
    print_message("%u surplus samplers, draws by tier %u %u %u\n", (unsigned)now.samplers_surplus,
                  (unsigned)now.draws[0], (unsigned)now.draws[1], (unsigned)now.draws[2]);
    assert_true(now.samplers_surplus > 0 && now.draws[0] && now.draws[1] && now.draws[2]);
#if !HARNESS_SANITIZED
    assert_true(heap_now().layer_blocks > 0); /* they are seen */
#endif
    close_fixture(&f);
    open_fixture(&f, true);
    const struct growth alone = go_on(&f, with.rounds);
    close_fixture(&f);
    print_message("%u rounds: the layer's heap grew by %d bytes, others' by %d KiB, and by %d KiB without the layer\n",
                  with.rounds, (int)with.layer, (int)(with.others / 1024), (int)(alone.others / 1024));
#if !HARNESS_SANITIZED
    assert_true(with.layer <= LAYER_KEEPS);
    assert_true(with.others <= alone.others * 3 / 2 + OTHERS_KEEP);
#endif
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_it_comes_and_goes)};
    if (argc == 3 && !strcmp(argv[1], "--minutes"))
        minutes = atoi(argv[2]);
    return cmocka_run_group_tests_name("everything", tests, NULL, NULL);
}
