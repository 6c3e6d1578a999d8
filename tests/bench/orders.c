/* SPDX-License-Identifier: MIT */
/*
 * Attachments in other orders of channels: a frame of blended draws to GL_LUMINANCE_ALPHA in RG8 and GL_ALPHA in R8,
 * whose outputs the layer moves, beside the same frame by a program that writes its outputs to those places itself,
 * without the layer. Both must leave the same in memory.
 */
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench_orders_alpha.h"
#include "bench_orders_luminance_alpha.h"
#include "bench_orders_source.h"
#include "gl/gl_tokens.h"
#include "harness/drawing/blending.h"

enum { TARGETS = 2, SIZE = 256, DRAWS = 24 };

static const struct {
    VkFormat format;
    uint32_t base, bytes;
    VkClearColorValue clear, placed_clear; /* of OpenGL's channels; of the format's */
} targets[TARGETS] = {
    {VK_FORMAT_R8G8_UNORM, TOKEN_LUMINANCE_ALPHA, 2, {{0.2f, 0, 0, 0.6f}}, {{0.2f, 0.6f, 0, 0}}},
    {VK_FORMAT_R8_UNORM, TOKEN_ALPHA, 1, {{0, 0, 0, 0.6f}}, {{0.6f, 0, 0, 0}}},
};

struct order_side {
    struct harness_vulkan vk;
    struct harness_image images[TARGETS];
    struct blending_pass passes[TARGETS];
    VkPipelineLayout layout;
    VkPipeline pipelines[TARGETS];
    bool layer;
};

static void open_side(struct order_side *side, bool layer)
{
    static const VkPipelineColorBlendAttachmentState over = {VK_TRUE,
                                                             VK_BLEND_FACTOR_SRC_ALPHA,
                                                             VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                             VK_BLEND_OP_ADD,
                                                             VK_BLEND_FACTOR_SRC_ALPHA,
                                                             VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                             VK_BLEND_OP_ADD,
                                                             0xf};
    const struct harness_spirv placed[TARGETS] = {HARNESS_SPIRV(bench_orders_luminance_alpha),
                                                  HARNESS_SPIRV(bench_orders_alpha)};
    struct harness_vulkan *vk = &side->vk;
    side->layer = layer;
    harness_vulkan_open(vk, &(struct harness_vulkan_params){
                                .layers = layer ? "clampler" : NULL, .gl_sampler = layer, .alpha_to_one = layer});
    side->layout = harness_pipeline_layout(vk, NULL, 0, 0);
    for (uint32_t i = 0; i < TARGETS; i++) {
        blending_image_create(
            vk, &side->images[i],
            &(struct blending_image_params){
                .format = targets[i].format, .width = SIZE, .height = SIZE, .base_format = layer ? targets[i].base : 0},
            NULL);
        blending_pass_create(vk, &side->passes[i],
                             &(struct blending_pass_params){.style = BLENDING_PASS,
                                                            .count = 1,
                                                            .views = {side->images[i].view},
                                                            .formats = {targets[i].format},
                                                            .width = SIZE,
                                                            .height = SIZE,
                                                            .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
        side->pipelines[i] = blending_pipeline(
            vk, &side->passes[i],
            &(struct blending_pipeline_params){.fragment = layer ? HARNESS_SPIRV(bench_orders_source) : placed[i],
                                               .layout = side->layout,
                                               .states = {over}});
    }
}

static void close_side(struct order_side *side)
{
    for (uint32_t i = 0; i < TARGETS; i++) {
        vkDestroyPipeline(side->vk.device, side->pipelines[i], NULL);
        blending_pass_destroy(&side->vk, &side->passes[i]);
        harness_image_destroy(&side->vk, &side->images[i]);
    }
    vkDestroyPipelineLayout(side->vk.device, side->layout, NULL);
    harness_vulkan_close(&side->vk);
}

/* Milliseconds of a frame, with its recording. */
static double run_frame(void *subject)
{
    struct order_side *side = subject;
    const bool cpu = side->vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const enum bench_clock clock = cpu ? BENCH_PROCESS : BENCH_WALL;
    const double start = bench_now(clock);
    VkCommandBuffer commands = harness_begin(&side->vk);
    for (uint32_t i = 0; i < TARGETS; i++) {
        blending_pass_begin(&side->passes[i], commands, side->layer ? &targets[i].clear : &targets[i].placed_clear,
                            VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->pipelines[i]);
        for (uint32_t j = 0; j < (cpu ? 1 : 64) * DRAWS; j++)
            vkCmdDraw(commands, 3, 1, 0, 0);
        blending_pass_end(&side->passes[i], commands);
    }
    harness_submit(&side->vk, commands);
    return (bench_now(clock) - start) / 1e6;
}

static void compare_sides(struct order_side *sides)
{
    static uint8_t memory[2][SIZE * SIZE * 2];
    for (uint32_t i = 0; i < TARGETS; i++) {
        for (uint32_t j = 0; j < 2; j++)
            blending_image_read(&sides[j].vk, &sides[j].images[i], memory[j]);
        for (uint32_t j = 0; j < SIZE * SIZE * targets[i].bytes; j++) {
            if (abs(memory[0][j] - memory[1][j]) > 1)
                harness_fail("target %u, byte %u: %u without the layer, %u with it", i, j, memory[0][j], memory[1][j]);
        }
    }
}

/* Pipelines that the layer compiled beside the program's own. */
static uint64_t compiled(const struct order_side *side)
{
    const struct clampler_counters counters = harness_counters(&side->vk);
    return counters.blend_variants + counters.pipelines[1] + counters.pipelines[2];
}

void bench_orders(const struct bench_options *options)
{
    enum { ROUNDS_MOST = 6 };
    static struct order_side sides[2];
    struct pairs rounds[ROUNDS_MOST];
    const uint32_t count = bench_count(options, ROUNDS_MOST, 3, 1), pairs = bench_count(options, 31, 15, 3);
    uint64_t late = 0, ordered = 0;
    for (uint32_t round = 0; round < count; round++) {
        for (uint32_t i = 0; i < 2; i++)
            open_side(&sides[i], i == 1);
        run_frame(&sides[1]);
        const uint64_t warm = compiled(&sides[1]);
        rounds[round] = pairs_measure(&(struct pair_params){
            .run = {run_frame, run_frame}, .subject = {&sides[0], &sides[1]}, .count = pairs, .first = round & 1});
        late += compiled(&sides[1]) - warm;
        ordered = harness_counters(&sides[1].vk).ordered_draws;
        if (harness_counters(&sides[1].vk).outputs_moved != TARGETS)
            harness_fail("the layer did not move the outputs of both targets");
        compare_sides(sides);
        close_side(&sides[1]);
        close_side(&sides[0]);
    }
    const struct pairs frame = pairs_combine(rounds, count);
    figure_set("orders.frame_ratio", frame.ratio.median, "%.2f / %.2f ms; ratio in [%.3f, %.3f], %u passes in orders",
               frame.with.median, frame.without.median, frame.ratio.low, frame.ratio.high, (unsigned)ordered);
    figure_set("orders.compiled_after_warmup", (double)late, "pipelines, after one frame");
}
