/* SPDX-License-Identifier: MIT */
/* Creation of instances, devices and pipelines. */
#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"

/* ---- Instance and device ---- */

static double run_instance(void *subject)
{
    struct harness_vulkan vk;
    double start = bench_now(BENCH_WALL);
    harness_vulkan_open(&vk, subject);
    double end = bench_now(BENCH_WALL);
    harness_vulkan_close(&vk);
    return (end - start) / 1e6;
}

void bench_instances(const struct bench_options *options)
{
    struct harness_vulkan_params plain = {.layers = NULL}, inert = {.layers = "clampler"},
                                 active = {.layers = "clampler", .gl_sampler = true};
    const uint32_t count = bench_count(options, 21, 7, 1);
    struct pairs pairs = pairs_measure(
        &(struct pair_params){.run = {run_instance, run_instance}, .subject = {&plain, &inert}, .count = count});
    figure_set("inert.create_ms", pairs.added.median, "%.1f / %.1f ms of instance and device; added in [%.2f, %.2f]",
               pairs.with.median, pairs.without.median, pairs.added.low, pairs.added.high);
    pairs = pairs_measure(
        &(struct pair_params){.run = {run_instance, run_instance}, .subject = {&plain, &active}, .count = count});
    figure_beside("tier0.create_ms", "ms", pairs.added.median, "%.1f / %.1f ms, extension enabled", pairs.with.median,
                  pairs.without.median);
}

/* ---- Pipelines ---- */

struct creator {
    struct side side;
    enum bench_clock clock;
};

static const struct side_placement placement = {1, 0};

static void draw_once(struct side *side, VkPipeline pipeline, VkDescriptorSet set)
{
    side_begin(side, pipeline, set, placement);
    side->draw(side->commands, 3, 1, 0, 0);
    side_end(side);
    side_submit(side);
}

/* A new pipeline and its first draw, in milliseconds: some drivers compile in the one, some in the other. */
static double run_plain(void *subject)
{
    struct creator *creator = subject;
    struct side *side = &creator->side;
    double start = bench_now(creator->clock);
    VkPipeline pipeline = side_new_pipeline(side);
    draw_once(side, pipeline, side->sets[0]);
    double end = bench_now(creator->clock);
    vkDestroyPipeline(side->vk.device, pipeline, NULL);
    return (end - start) / 1e6;
}

/* The first draw of an existing, used pipeline with a set that needs a tier. */
static double run_tier(struct creator *creator, VkDescriptorSet set)
{
    struct side *side = &creator->side;
    VkPipeline pipeline = side_new_pipeline(side);
    draw_once(side, pipeline, side->sets[0]);
    double start = bench_now(creator->clock);
    draw_once(side, pipeline, set);
    double end = bench_now(creator->clock);
    vkDestroyPipeline(side->vk.device, pipeline, NULL);
    return (end - start) / 1e6;
}

static double run_tier1(void *subject)
{
    struct creator *creator = subject;
    return run_tier(creator, creator->side.clamped);
}

static double run_tier2(void *subject)
{
    struct creator *creator = subject;
    return run_tier(creator, creator->side.filtered);
}

static void check_tiers(const struct clampler_counters *before, const struct clampler_counters *after, uint32_t tier,
                        uint32_t expected)
{
    uint64_t created = after->pipelines[tier] - before->pipelines[tier];
    if (created < expected)
        harness_fail("%u pipelines should have been created at tier %u, it was %llu", expected, tier,
                     (unsigned long long)created);
}

void bench_pipelines(const struct bench_options *options)
{
    static struct creator plain, active;
    const uint32_t count = bench_count(options, 25, 5, 1);
    side_open(&plain.side, SIDE_PLAIN, 16, 16);
    side_open(&active.side, SIDE_ACTIVE, 16, 16);
    bool cpu = plain.side.vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    plain.clock = active.clock = cpu ? BENCH_PROCESS : BENCH_WALL;
    const char *time = cpu ? "CPU time" : "time";

    struct clampler_counters start = harness_counters(&active.side.vk);
    struct pairs pairs = pairs_measure(
        &(struct pair_params){.run = {run_plain, run_plain}, .subject = {&plain, &active}, .count = count});
    struct clampler_counters middle = harness_counters(&active.side.vk);
    if (middle.pipelines[1] != start.pipelines[1] || middle.pipelines[2] != start.pipelines[2])
        harness_fail("drawing plain samplers compiled a tier");
    figure_set("tier0.pipeline_create_ratio", pairs.ratio.median,
               "%.2f / %.2f ms of %s for a new shader and its first draw; ratio in [%.3f, %.3f]", pairs.with.median,
               pairs.without.median, time, pairs.ratio.low, pairs.ratio.high);

    static const struct {
        double (*run)(void *);
        uint32_t tier;
        bool in_blocks;
        const char *key;
    } rows[] = {{run_tier1, 1, false, "tier1.pipeline_create_ratio"},
                {run_tier2, 2, false, "tier2.pipeline_create_ratio"},
                {run_tier2, 2, true, "tier2.blocks_ratio"}};
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        plain.side.in_blocks = active.side.in_blocks = rows[i].in_blocks;
        const uint32_t runs = rows[i].in_blocks ? (count + 4) / 5 : count;
        pairs = pairs_measure(
            &(struct pair_params){.run = {run_plain, rows[i].run}, .subject = {&plain, &active}, .count = runs});
        struct clampler_counters end = harness_counters(&active.side.vk);
        check_tiers(&middle, &end, rows[i].tier, runs);
        middle = end;
        figure_set(rows[i].key, pairs.ratio.median, "%.2f / %.2f ms of %s, 16 lookups%s; ratio in [%.3f, %.3f]",
                   pairs.with.median, pairs.without.median, time, rows[i].in_blocks ? " in blocks of their own" : "",
                   pairs.ratio.low, pairs.ratio.high);
    }
    side_close(&active.side);
    side_close(&plain.side);
}
