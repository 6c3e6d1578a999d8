/* SPDX-License-Identifier: MIT */
/*
 * Rebinding clamp and other samplers among eight units at random, as programs of OpenGL's fixed-function age do: no
 * pipeline may be created once each tier has been used.
 *
 * Some drivers (llvmpipe) compile a shader anew for each combination of wrap modes and filters. That is theirs, not the
 * layer's, and would drown it: the other samplers here have what GL_CLAMP has below the layer, seamless cubes among it,
 * and differ in the border colour.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/below.h"
#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench_units.h"

enum {
    UNITS = 8,
    DRAWS = 10000,
    DRAWS_QUICK = 500,
    DRAWS_LEAST = 100,
    DRAWS_A_SUBMIT = 50,
    WARM_SUBMITS = 10,
    WARM_SUBMITS_QUICK = 4
};

enum { CLAMPS = 4, OTHERS = 3 };

struct rebinder {
    struct side side; /* gives textures */
    VkSampler clamps[CLAMPS];
    VkSampler others[OTHERS];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet sets[DRAWS_A_SUBMIT];
    uint32_t random;
    double slowest; /* milliseconds */
    PFN_benchBelowPipelines pipelines;
};

static uint32_t next_random(struct rebinder *rebinder, uint32_t below)
{
    rebinder->random = rebinder->random * 1664525u + 1013904223u;
    return (rebinder->random >> 16) % below;
}

static VkSampler clamp_sampler(struct side *side)
{
    struct side_sampler sampler;
    side_describe_clamp(side, false, &sampler);
    sampler.gl.cubeMapSeamless = VK_TRUE; /* as Vulkan's own samplers */
    return harness_sampler(&side->vk, &sampler.info);
}

static VkSampler other_sampler(struct side *side, uint32_t i)
{
    static const VkBorderColor colors[OTHERS] = {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                                 VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK,
                                                 VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .minFilter = VK_FILTER_LINEAR,
        .magFilter = VK_FILTER_LINEAR,
        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .borderColor = colors[i],
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    return harness_sampler(&side->vk, &info);
}

static void open_rebinder(struct rebinder *rebinder, bool with)
{
    struct side *side = &rebinder->side;
    side_open(side, with ? SIDE_ACTIVE_COUNTED : SIDE_COUNTED, 32, 32);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, UNITS,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    rebinder->set_layout = harness_set_layout(&side->vk, &binding, 1);
    rebinder->layout = harness_pipeline_layout(&side->vk, &rebinder->set_layout, 1, 0);
    rebinder->pipeline = harness_graphics_pipeline(
        &side->vk, &side->target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(bench_units), .layout = rebinder->layout});
    for (uint32_t i = 0; i < DRAWS_A_SUBMIT; i++)
        rebinder->sets[i] = harness_set(&side->vk, rebinder->set_layout);
    for (uint32_t i = 0; i < CLAMPS; i++)
        rebinder->clamps[i] = clamp_sampler(side);
    for (uint32_t i = 0; i < OTHERS; i++)
        rebinder->others[i] = other_sampler(side, i);
    rebinder->random = 7;
    rebinder->slowest = 0;
    rebinder->pipelines = (PFN_benchBelowPipelines)harness_proc(&side->vk, BENCH_BELOW_PIPELINES);
}

static void close_rebinder(struct rebinder *rebinder)
{
    struct side *side = &rebinder->side;
    for (uint32_t i = 0; i < CLAMPS; i++)
        vkDestroySampler(side->vk.device, rebinder->clamps[i], NULL);
    for (uint32_t i = 0; i < OTHERS; i++)
        vkDestroySampler(side->vk.device, rebinder->others[i], NULL);
    vkDestroyPipeline(side->vk.device, rebinder->pipeline, NULL);
    harness_layouts_destroy(&side->vk, rebinder->layout, rebinder->set_layout);
    side_close(side);
}

/* Every other draw has no clamp sampler at all, so that tiers change from draw to draw. */
static void rebind_units(struct rebinder *rebinder, VkDescriptorSet set)
{
    struct side *side = &rebinder->side;
    bool clamps = next_random(rebinder, 2);
    for (uint32_t unit = 0; unit < UNITS; unit++) {
        VkSampler sampler = clamps && next_random(rebinder, 2) ? rebinder->clamps[next_random(rebinder, CLAMPS)]
                                                               : rebinder->others[next_random(rebinder, OTHERS)];
        harness_write_image(&side->vk, set, 0, unit, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler,
                            side->textures[next_random(rebinder, SIDE_TEXTURES)].view);
    }
}

/* Rebinds, records, submits and waits; returns milliseconds. */
static double one_submit(struct rebinder *rebinder)
{
    struct side *side = &rebinder->side;
    double start = bench_now(BENCH_WALL);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(side->commands, &begin));
    harness_target_begin(&side->target, side->commands);
    vkCmdBindPipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rebinder->pipeline);
    for (uint32_t i = 0; i < DRAWS_A_SUBMIT; i++) {
        rebind_units(rebinder, rebinder->sets[i]);
        side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rebinder->layout, 0, 1, &rebinder->sets[i], 0,
                   NULL);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    side_end(side);
    side_submit(side);
    return (bench_now(BENCH_WALL) - start) / 1e6;
}

static double run_submit(void *subject)
{
    struct rebinder *rebinder = subject;
    double ms = one_submit(rebinder);
    rebinder->slowest = fmax(rebinder->slowest, ms);
    return ms;
}

void bench_rebinding(const struct bench_options *options)
{
    static struct rebinder plain, active;
    const uint32_t draws_wanted = bench_count(options, DRAWS, DRAWS_QUICK, DRAWS_LEAST);
    open_rebinder(&plain, false);
    open_rebinder(&active, true);
    for (uint32_t i = 0; i < bench_count(options, WARM_SUBMITS, WARM_SUBMITS_QUICK, WARM_SUBMITS_QUICK); i++) {
        one_submit(&plain);
        one_submit(&active);
    }
    struct clampler_counters before = harness_counters(&active.side.vk);
    uint64_t below = active.pipelines();
    struct pairs pairs = pairs_measure(&(struct pair_params){
        .run = {run_submit, run_submit}, .subject = {&plain, &active}, .count = draws_wanted / DRAWS_A_SUBMIT});
    struct clampler_counters after = harness_counters(&active.side.vk);
    uint64_t created = active.pipelines() - below;
    uint64_t draws[2] = {after.draws[0] - before.draws[0], after.draws[1] - before.draws[1]};
    if (!draws[0] || !draws[1])
        harness_fail("draws with and without clamp samplers used tiers 0 and 1 %llu and %llu times",
                     (unsigned long long)draws[0], (unsigned long long)draws[1]);

    figure_set("rebind.creates_after_warmup", (double)created,
               "%llu draws, %llu of them at tier 1, seen below the layer", (unsigned long long)(draws[0] + draws[1]),
               (unsigned long long)draws[1]);
    figure_set("rebind.slowest_ms", active.slowest, "%.2f / %.2f ms, slowest submit of %u draws; median %.2f / %.2f",
               active.slowest, plain.slowest, DRAWS_A_SUBMIT, pairs.with.median, pairs.without.median);
    figure_beside("rebind.slowest_ms.without", "ms", plain.slowest, "the same without the layer");
    figure_beside("rebind.submit_ratio", "x", pairs.ratio.median,
                  "median submit of %u rebinding draws, in [%.3f, %.3f]", DRAWS_A_SUBMIT, pairs.ratio.low,
                  pairs.ratio.high);
    close_rebinder(&active);
    close_rebinder(&plain);
}
