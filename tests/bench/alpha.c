/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha: what a draw costs more while the attachments stay the same, what it costs to go from a
 * target without alpha to one with alpha and back, and frames of blended and of opaque draws. A frame begins with what
 * fills alpha, as that of a program does which loads its target. And what drivers charge for alpha without the layer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/below.h"
#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench_blend_source.h"
#include "gl/gl_tokens.h"
#include "harness/drawing/blending.h"

enum {
    CALLS = 8192,
    SWITCHES = 512,
    FRAME_SIZE = 256,
    FRAME_DRAWS = 48,
    GL_BASE_RGB = TOKEN_RGB,
    GL_BASE_RGBA = TOKEN_RGBA
};

/* Colour and alpha are blended alike; the masks have all channels, or all but alpha. */
static const struct equation {
    const char *name;
    VkBool32 enabled;
    VkBlendFactor source, destination;
} equations[] = {
    {"opaque", VK_FALSE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO},
    {"over", VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA},
    {"add", VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE},
    {"weigh", VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ZERO},
    {"weigh_destination_alpha", VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA},
};
enum { EQUATIONS = sizeof(equations) / sizeof(equations[0]), OPAQUE_DRAWS = 0, OVER, ADD, WEIGH, WEIGH_BY_DESTINATION };

/* One side: targets without and with alpha, or without the layer two ordinary ones. */
struct alpha_side {
    struct harness_vulkan vk;
    struct harness_image images[2];
    struct blending_pass passes[2];
    VkPipelineLayout layout;
    VkPipeline pipelines[EQUATIONS];
    VkCommandBuffer commands;
    PFN_vkCmdDraw draw;
    PFN_vkCmdBindPipeline bind;
    PFN_vkCmdBeginRenderPass begin;
    PFN_vkCmdEndRenderPass end;
};

static VkPipeline make_pipeline(struct alpha_side *side, const struct equation *equation, VkColorComponentFlags mask)
{
    const VkPipelineColorBlendAttachmentState state = {
        .blendEnable = equation->enabled,
        .srcColorBlendFactor = equation->source,
        .dstColorBlendFactor = equation->destination,
        .srcAlphaBlendFactor = equation->source,
        .dstAlphaBlendFactor = equation->destination,
        .colorWriteMask = mask,
    };
    return blending_pipeline(&side->vk, &side->passes[0],
                             &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(bench_blend_source),
                                                                .layout = side->layout,
                                                                .states = {state}});
}

static void open_side(struct alpha_side *side, VkFormat format, bool layer, bool null, VkColorComponentFlags mask)
{
    struct harness_vulkan *vk = &side->vk;
    const char *layers = layer ? null ? "clampler:" BENCH_BELOW_LAYER : "clampler" : null ? BENCH_BELOW_LAYER : NULL;
    if (null)
        setenv(BENCH_BELOW_NULL, "1", 1);
    harness_vulkan_open(vk,
                        &(struct harness_vulkan_params){.layers = layers, .gl_sampler = layer, .alpha_to_one = layer});
    unsetenv(BENCH_BELOW_NULL);
    side->layout = harness_pipeline_layout(vk, NULL, 0, 0);
    for (unsigned i = 0; i < 2; i++) {
        blending_image_create(vk, &side->images[i],
                              &(struct blending_image_params){.format = format,
                                                              .width = FRAME_SIZE,
                                                              .height = FRAME_SIZE,
                                                              .base_format = !layer ? 0
                                                                             : i    ? (uint32_t)GL_BASE_RGBA
                                                                                    : (uint32_t)GL_BASE_RGB},
                              NULL);
        blending_pass_create(vk, &side->passes[i],
                             &(struct blending_pass_params){.style = BLENDING_PASS,
                                                            .count = 1,
                                                            .views = {side->images[i].view},
                                                            .formats = {format},
                                                            .width = FRAME_SIZE,
                                                            .height = FRAME_SIZE,
                                                            .load = VK_ATTACHMENT_LOAD_OP_LOAD});
    }
    for (uint32_t i = 0; i < EQUATIONS; i++)
        side->pipelines[i] = make_pipeline(side, &equations[i], mask);
    harness_commands(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &side->commands);
    side->draw = HARNESS_PROC(vk, vkCmdDraw);
    side->bind = HARNESS_PROC(vk, vkCmdBindPipeline);
    side->begin = HARNESS_PROC(vk, vkCmdBeginRenderPass);
    side->end = HARNESS_PROC(vk, vkCmdEndRenderPass);
}

static void close_side(struct alpha_side *side)
{
    struct harness_vulkan *vk = &side->vk;
    vkFreeCommandBuffers(vk->device, vk->pool, 1, &side->commands);
    for (uint32_t i = 0; i < EQUATIONS; i++)
        vkDestroyPipeline(vk->device, side->pipelines[i], NULL);
    for (unsigned i = 0; i < 2; i++) {
        blending_pass_destroy(vk, &side->passes[i]);
        harness_image_destroy(vk, &side->images[i]);
    }
    vkDestroyPipelineLayout(vk->device, side->layout, NULL);
    harness_vulkan_close(vk);
}

static void begin_commands(struct alpha_side *side)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(side->commands, &info));
}

static void begin_pass(const struct alpha_side *side, unsigned target, VkPipeline pipeline)
{
    const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = side->passes[target].pass,
                                        .framebuffer = side->passes[target].framebuffer,
                                        .renderArea = {{0, 0}, {FRAME_SIZE, FRAME_SIZE}}};
    side->begin(side->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

static void discard(struct alpha_side *side)
{
    HARNESS_VK(vkEndCommandBuffer(side->commands));
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
}

/* Nanoseconds of one draw. */
static double run_draws(void *subject)
{
    struct alpha_side *side = subject;
    begin_commands(side);
    begin_pass(side, 0, side->pipelines[OVER]);
    side->draw(side->commands, 3, 1, 0, 0);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    double end = bench_now(BENCH_THREAD);
    side->end(side->commands);
    discard(side);
    return (end - start) / CALLS;
}

/* Nanoseconds of one pass with one draw, on the target without alpha or on both in turn. */
static double run_passes(struct alpha_side *side, unsigned targets)
{
    begin_commands(side);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < SWITCHES; i++) {
        begin_pass(side, i % targets, side->pipelines[OVER]);
        side->draw(side->commands, 3, 1, 0, 0);
        side->end(side->commands);
    }
    double end = bench_now(BENCH_THREAD);
    discard(side);
    return (end - start) / SWITCHES;
}

static double run_same(void *subject)
{
    return run_passes(subject, 1);
}

static double run_switches(void *subject)
{
    return run_passes(subject, 2);
}

/* Milliseconds of a frame of draws over each other. */
static double run_frame_of(struct alpha_side *side, VkPipeline pipeline)
{
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &side->commands};
    const bool cpu = side->vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    begin_commands(side);
    begin_pass(side, 0, pipeline);
    for (uint32_t i = 0; i < (cpu ? 1 : 64) * FRAME_DRAWS; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    side->end(side->commands);
    HARNESS_VK(vkEndCommandBuffer(side->commands));
    const enum bench_clock clock = cpu ? BENCH_PROCESS : BENCH_WALL;
    double start = bench_now(clock);
    HARNESS_VK(vkQueueSubmit(side->vk.queue, 1, &submit, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(side->vk.queue));
    double end = bench_now(clock);
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
    return (end - start) / 1e6;
}

#define FRAME_OF(NAME, EQUATION)                                                                                       \
    static double NAME(void *subject)                                                                                  \
    {                                                                                                                  \
        struct alpha_side *side = subject;                                                                             \
        return run_frame_of(side, side->pipelines[EQUATION]);                                                          \
    }
FRAME_OF(run_opaque, OPAQUE_DRAWS)
FRAME_OF(run_over, OVER)
FRAME_OF(run_add, ADD)
FRAME_OF(run_weigh, WEIGH)
FRAME_OF(run_weigh_destination_alpha, WEIGH_BY_DESTINATION)

/* The frames stand in the order of the equations. */
enum { FIRST_FRAME = 3, RUNS = FIRST_FRAME + EQUATIONS };
static const bench_run runs[RUNS] = {run_draws, run_same, run_switches, run_opaque,
                                     run_over,  run_add,  run_weigh,    run_weigh_destination_alpha};

/* What is compared: the layer above the driver or above one that does nothing, or a mask of the driver's. */
enum compared { ABOVE_DRIVER, ABOVE_NULL, MASKED };

/* Rounds with new devices, in which the two sides take turns in what comes first. */
static void measure(const struct bench_options *options, VkFormat format, enum compared compared,
                    struct pairs results[RUNS])
{
    enum { ROUNDS_MOST = 6 };
    static struct alpha_side sides[2];
    struct pairs pairs[RUNS][ROUNDS_MOST];
    const bool null = compared == ABOVE_NULL, masked = compared == MASKED;
    const uint32_t begin = compared == ABOVE_DRIVER ? 0 : null ? 0 : FIRST_FRAME, end = null ? 1 : RUNS;
    const uint32_t rounds = masked ? 1 : bench_count(options, ROUNDS_MOST, 3, 2),
                   count = masked ? bench_count(options, 5, 5, 1) : bench_count(options, 31, 15, 1);
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t first = round & 1;
        struct alpha_side *places[2] = {&sides[first], &sides[!first]}; /* without, with */
        for (uint32_t i = 0; i < 2; i++)
            open_side(&sides[i], format, !masked && i != first, null, masked && i != first ? 0x7 : 0xf);
        for (uint32_t i = begin; i < end; i++)
            pairs[i][round] = pairs_measure(&(struct pair_params){
                .run = {runs[i], runs[i]}, .subject = {places[0], places[1]}, .count = count, .first = first});
        if (!masked) {
            const struct clampler_counters counters = harness_counters(&places[1]->vk);
            if (!counters.blend_updates && !counters.blend_variants)
                harness_fail("no draw met an attachment without alpha");
        }
        close_side(&sides[1]);
        close_side(&sides[0]);
    }
    for (uint32_t i = begin; i < end; i++)
        results[i] = pairs_combine(pairs[i], rounds);
}

static void tell_frame(const char *key, const struct pairs *frame, const char *what)
{
    figure_set(key, frame->ratio.median, "%.2f / %.2f ms of %s; ratio in [%.3f, %.3f]", frame->with.median,
               frame->without.median, what, frame->ratio.low, frame->ratio.high);
}

/* Frames of a format by equation: alpha.WHAT.FORMAT.EQUATION. */
static void tell_equations(const char *what, const char *format, const struct pairs frames[RUNS], const char *note)
{
    for (uint32_t i = 0; i < EQUATIONS; i++) {
        const struct pairs *frame = &frames[FIRST_FRAME + i];
        char key[96];
        snprintf(key, sizeof(key), "alpha.%s.%s.%s", what, format, equations[i].name);
        figure_beside(key, "x", frame->ratio.median, "%.2f / %.2f ms, %s", frame->with.median, frame->without.median,
                      note);
    }
}

void bench_alpha(const struct bench_options *options)
{
    static const struct {
        const char *name;
        VkFormat format;
    } formats[] = {
        {"rgba8", VK_FORMAT_R8G8B8A8_UNORM},
        {"rgba8_srgb", VK_FORMAT_R8G8B8A8_SRGB},
        {"rgb10a2", VK_FORMAT_A2R10G10B10_UNORM_PACK32},
        {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT},
        {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT},
    };
    enum { FORMATS = sizeof(formats) / sizeof(formats[0]), FIXED = 0, FLOATS = 3 };
    struct pairs driver[RUNS], null[RUNS], floats[RUNS], masked[RUNS];
    measure(options, formats[FIXED].format, ABOVE_DRIVER, driver);
    measure(options, formats[FIXED].format, ABOVE_NULL, null);
    measure(options, formats[FLOATS].format, ABOVE_DRIVER, floats);
    figure_set("alpha.draw_ns", null[0].added.median,
               "%.1f / %.1f ns a draw above a driver that does nothing; added in [%.2f, %.2f]", null[0].with.median,
               null[0].without.median, null[0].added.low, null[0].added.high);
    figure_set("alpha.switch_ns", driver[2].added.median, "%.0f / %.0f ns a pass and its draw; added in [%.0f, %.0f]",
               driver[2].with.median, driver[2].without.median, driver[2].added.low, driver[2].added.high);
    tell_frame("alpha.frame_ratio", &driver[FIRST_FRAME + OVER], "blended draws");
    tell_frame("alpha.float_frame_ratio", &floats[FIRST_FRAME + OVER], "blended draws to 16-bit floats");
    tell_frame("alpha.float_opaque_ratio", &floats[FIRST_FRAME + OPAQUE_DRAWS], "draws without blending");
    tell_frame("alpha.float_weigh_ratio", &floats[FIRST_FRAME + WEIGH], "draws weighed by their alpha");
    figure_beside("alpha.draw_ns.driver", "ns", driver[0].added.median, "%.1f / %.1f ns a draw above the driver",
                  driver[0].with.median, driver[0].without.median);
    figure_beside("alpha.same_ns", "ns", driver[1].added.median,
                  "%.0f / %.0f ns a pass and its draw where the mask stays", driver[1].with.median,
                  driver[1].without.median);
    tell_equations("layer", formats[FIXED].name, driver, "with the layer / without");
    tell_equations("layer", formats[FLOATS].name, floats, "with the layer / without");
    for (uint32_t i = 0; i < FORMATS; i++) {
        measure(options, formats[i].format, MASKED, masked);
        tell_equations("masked", formats[i].name, masked, "all channels but alpha written / all, without the layer");
    }
}
