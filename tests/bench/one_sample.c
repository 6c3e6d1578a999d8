/* SPDX-License-Identifier: MIT */
/*
 * Frames of one lookup a unit with GL_CLAMP in each unit, in tier 1, beside two of the driver alone: the program's own
 * lookups as they are, and with coordinates that the program saturates itself. And how many instructions the driver
 * writes for the shader, where that can be counted.
 */
#include <stdio.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/jit.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench/timer.h"
#include "bench_one_sample_1.h"
#include "bench_one_sample_16.h"
#include "bench_one_sample_16_blocks.h"
#include "bench_one_sample_16_blocks_clamps.h"
#include "bench_one_sample_16_clamps.h"
#include "bench_one_sample_1_clamps.h"
#include "bench_one_sample_8.h"
#include "bench_one_sample_8_blocks.h"
#include "bench_one_sample_8_blocks_clamps.h"
#include "bench_one_sample_8_clamps.h"
#include "gl/gl_tokens.h"

enum { UNITS = 16, SIZE = 256, DRAWS = 4 };

enum { NATIVE, OWN, LAYER, WHOSE };

struct frame {
    struct side side;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkSampler sampler;
    VkImageView views[SIDE_TEXTURES];
    VkDescriptorSet set;
    VkPipeline pipeline;
    struct timer timer;
    uint64_t instructions;
};

/* One level, so that the driver's part is small. */
static void open_frame(struct frame *frame, enum side_layers layers)
{
    struct side *side = &frame->side;
    VkDescriptorSetLayoutBinding bindings[UNITS];
    struct side_sampler sampler;
    side_open(side, layers, SIZE, SIZE);
    for (uint32_t i = 0; i < UNITS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                                     VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    frame->set_layout = harness_set_layout(&side->vk, bindings, UNITS);
    frame->layout = harness_pipeline_layout(&side->vk, &frame->set_layout, 1, SIDE_PUSH_BYTES);
    side_describe_clamp(side, false, &sampler);
    sampler.gl.minFilter = TOKEN_LINEAR;
    sampler.info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    sampler.info.maxLod = 0.25f;
    frame->sampler = harness_sampler(&side->vk, &sampler.info);
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++) {
        const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = side->textures[i].image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        HARNESS_VK(vkCreateImageView(side->vk.device, &info, NULL, &frame->views[i]));
    }
    frame->set = harness_set(&side->vk, frame->set_layout);
    for (uint32_t i = 0; i < UNITS; i++)
        harness_write_image(&side->vk, frame->set, i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, frame->sampler,
                            frame->views[i % SIDE_TEXTURES]);
    timer_open(&frame->timer, &side->vk);
}

static void close_frame(struct frame *frame)
{
    struct side *side = &frame->side;
    timer_close(&frame->timer, &side->vk);
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++)
        vkDestroyImageView(side->vk.device, frame->views[i], NULL);
    vkDestroySampler(side->vk.device, frame->sampler, NULL);
    vkDestroyPipelineLayout(side->vk.device, frame->layout, NULL);
    vkDestroyDescriptorSetLayout(side->vk.device, frame->set_layout, NULL);
    side_close(side);
}

static double run_frame(void *subject)
{
    struct frame *frame = subject;
    return timer_run(&frame->timer, &frame->side);
}

static void record(struct frame *frame, struct harness_spirv shader, struct side_placement placement)
{
    struct side *side = &frame->side;
    const struct harness_graphics_params params = {.fragment = shader, .layout = frame->layout};
    frame->pipeline = harness_graphics_pipeline(&side->vk, &side->target, &params);
    const float push[4] = {placement.span / SIZE, placement.span / SIZE, -placement.margin, -placement.margin};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const uint64_t before = jit_instructions();
    HARNESS_VK(vkBeginCommandBuffer(side->commands, &begin));
    harness_target_begin(&side->target, side->commands);
    vkCmdBindPipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, frame->pipeline);
    vkCmdPushConstants(side->commands, frame->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, frame->layout, 0, 1, &frame->set, 0, NULL);
    timer_start(&frame->timer, side->commands);
    for (uint32_t i = 0; i < DRAWS; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    timer_stop(&frame->timer, side->commands);
    side_end(side);
    run_frame(frame); /* compiles */
    frame->instructions = jit_instructions() - before;
}

static struct pairs measure(struct frame *without, struct frame *with, uint32_t count)
{
    return pairs_measure(
        &(struct pair_params){.run = {run_frame, run_frame}, .subject = {without, with}, .count = count});
}

struct shape {
    const char *name, *what;
    bool in_blocks;
    struct harness_spirv plain, clamps;
};

static void measure_shape(struct frame frames[WHOSE], const struct shape *shape, uint32_t count)
{
    /* One pixel in nine or so lies outside the texture, or none. */
    const struct side_placement outside = {0.25f, 1 / 64.f}, within = {0.25f, -0.25f};
    char key[64];
    uint64_t before = harness_counters(&frames[LAYER].side.vk).draws_masks;
    for (uint32_t i = 0; i < WHOSE; i++)
        record(&frames[i], i == OWN ? shape->clamps : shape->plain, outside);
    const struct pairs native = measure(&frames[NATIVE], &frames[LAYER], count);
    const struct pairs own = measure(&frames[OWN], &frames[LAYER], count);
    if (harness_counters(&frames[LAYER].side.vk).draws_masks < before + DRAWS)
        harness_fail("no frame was drawn by mask words");
    snprintf(key, sizeof(key), "one_sample.%s_ratio", shape->name);
    if (frames[NATIVE].side.vk.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        figure_bound_set(key, shape->in_blocks ? 1.2 : 1.08);
    figure_set(key, native.ratio.median, "%.2f / %.2f ms, %s; ratio in [%.3f, %.3f]", native.with.median,
               native.without.median, shape->what, native.ratio.low, native.ratio.high);
    snprintf(key, sizeof(key), "one_sample.%s_ratio.own_clamp", shape->name);
    figure_beside(key, "x", own.ratio.median, "%.2f / %.2f ms, beside coordinates that the program saturates",
                  own.with.median, own.without.median);
    if (frames[NATIVE].instructions) {
        snprintf(key, sizeof(key), "one_sample.%s_ratio.instructions", shape->name);
        figure_beside(key, "x", (double)frames[LAYER].instructions / (double)frames[NATIVE].instructions,
                      "%llu / %llu of LLVM's", (unsigned long long)frames[LAYER].instructions,
                      (unsigned long long)frames[NATIVE].instructions);
    }
    for (uint32_t i = 0; i < WHOSE; i++) {
        harness_graphics_pipeline_destroy(&frames[i].side.vk, frames[i].pipeline);
        record(&frames[i], i == OWN ? shape->clamps : shape->plain, within);
    }
    const struct pairs inside = measure(&frames[NATIVE], &frames[LAYER], count);
    snprintf(key, sizeof(key), "one_sample.%s_ratio.inside", shape->name);
    figure_beside(key, "x", inside.ratio.median, "%.2f / %.2f ms, no coordinate outside", inside.with.median,
                  inside.without.median);
    for (uint32_t i = 0; i < WHOSE; i++)
        harness_graphics_pipeline_destroy(&frames[i].side.vk, frames[i].pipeline);
}

void bench_one_sample(const struct bench_options *options)
{
    static struct frame frames[WHOSE];
    const struct shape shapes[] = {
        {"1", "1 unit", false, HARNESS_SPIRV(bench_one_sample_1), HARNESS_SPIRV(bench_one_sample_1_clamps)},
        {"8", "8 units", false, HARNESS_SPIRV(bench_one_sample_8), HARNESS_SPIRV(bench_one_sample_8_clamps)},
        {"16", "16 units", false, HARNESS_SPIRV(bench_one_sample_16), HARNESS_SPIRV(bench_one_sample_16_clamps)},
        {"8_blocks", "8 in blocks of their own", true, HARNESS_SPIRV(bench_one_sample_8_blocks),
         HARNESS_SPIRV(bench_one_sample_8_blocks_clamps)},
        {"16_blocks", "16 in blocks of their own", true, HARNESS_SPIRV(bench_one_sample_16_blocks),
         HARNESS_SPIRV(bench_one_sample_16_blocks_clamps)},
    };
    const uint32_t count = bench_count(options, 21, 7, 1);
    for (uint32_t i = 0; i < WHOSE; i++)
        open_frame(&frames[i], i == LAYER ? SIDE_ACTIVE : SIDE_PLAIN);
    for (uint32_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        measure_shape(frames, &shapes[i], count);
    for (uint32_t i = 0; i < WHOSE; i++)
        close_frame(&frames[i]);
}
