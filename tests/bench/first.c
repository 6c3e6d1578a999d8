/* SPDX-License-Identifier: MIT */
/*
 * First use: a program has samplers that ask for tiers, makes pipelines and draws with them while they do not, as games
 * do while they load; then all of them are drawn with what asks for tier 2. With tiers=lazy and tiers=ahead in turn:
 * what the first frame takes that needs the tiers, and what the frames before it take, beside which workers compile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"

enum { PIPELINES = 3, FRAMES_MOST = 100000 };

static const struct side_placement placement = {1, 0};

/* Of one run, in milliseconds of wall time. */
struct result {
    double loading;   /* pipelines made, each drawn with once */
    double frame;     /* median of the frames from then on, for so long as it takes to compile all tiers lazily */
    double recording; /* of the first frame that needs tier 2: the time until it is submitted */
    double first;     /* all of that frame, if it is submitted */
    struct clampler_counters counters;
};

static double record(struct side *side, VkPipeline *pipelines, VkDescriptorSet set)
{
    const double start = bench_now(BENCH_WALL);
    side_begin(side, pipelines[0], set, placement);
    side->draw(side->commands, 3, 1, 0, 0);
    for (uint32_t i = 1; i < PIPELINES; i++) {
        side->bind_pipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    side_end(side);
    return (bench_now(BENCH_WALL) - start) / 1e6;
}

static double frame(struct side *side, VkPipeline *pipelines, VkDescriptorSet set, double *recording)
{
    const double start = bench_now(BENCH_WALL);
    *recording = record(side, pipelines, set);
    side_submit(side);
    return (bench_now(BENCH_WALL) - start) / 1e6;
}

/* The frame that needs tier 2 is submitted if `whole`: software renderers compile most of it then, for many seconds. */
static struct result run(const char *tiers, double frames_ms, bool whole)
{
    static struct side side;
    static double frames[FRAMES_MOST];
    VkPipeline pipelines[PIPELINES];
    struct result result;
    double ignored;
    uint32_t count = 0;
    setenv("VK_CLAMPLER_TIERS", tiers, 1);
    side_open(&side, SIDE_ACTIVE, 64, 64);
    setenv("VK_CLAMPLER_TIERS", "lazy", 1);
    side.in_blocks = true;
    const double start = bench_now(BENCH_WALL);
    for (uint32_t i = 0; i < PIPELINES; i++)
        pipelines[i] = side_new_pipeline(&side);
    frame(&side, pipelines, side.sets[0], &ignored);
    result.loading = (bench_now(BENCH_WALL) - start) / 1e6;
    const double end = bench_now(BENCH_WALL) + frames_ms * 1e6;
    while (count < 3 || (bench_now(BENCH_WALL) < end && count < FRAMES_MOST))
        frames[count++] = frame(&side, pipelines, side.sets[0], &ignored);
    result.frame = spread_of(frames, count).median;
    result.first = 0;
    if (whole)
        result.first = frame(&side, pipelines, side.filtered, &result.recording);
    else
        result.recording = record(&side, pipelines, side.filtered);
    result.counters = harness_counters(&side.vk);
    for (uint32_t i = 0; i < PIPELINES; i++)
        vkDestroyPipeline(side.vk.device, pipelines[i], NULL);
    side_close(&side);
    return result;
}

void bench_first_use(const struct bench_options *options)
{
    enum { ROUNDS = 9 };
    const uint32_t rounds = bench_count(options, ROUNDS, 3, 1);
    double loading[2][ROUNDS], frame_ratios[ROUNDS], recording[2][ROUNDS];
    /* As long as compiling takes, with some room: what is compiled meanwhile is not compiled in the first frame. */
    const struct result once = run("lazy", 0, true);
    const double frames_ms = 3 * once.recording;
    uint64_t ahead = 0, waited = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        double frames[2];
        for (uint32_t j = 0; j < 2; j++) {
            const uint32_t way = (i + j) % 2;
            const struct result result = run(way ? "ahead" : "lazy", frames_ms, false);
            loading[way][i] = result.loading;
            frames[way] = result.frame;
            recording[way][i] = result.recording;
            ahead += result.counters.compiled_ahead;
            waited += result.counters.draws_waited;
        }
        frame_ratios[i] = frames[1] / frames[0];
    }
    if (!ahead)
        harness_fail("nothing was compiled ahead of draws");
    struct spread with = spread_of(recording[1], rounds), without = spread_of(recording[0], rounds);
    figure_set("first.recording_ratio", with.median / without.median,
               "%.1f / %.1f ms to record the first frame in tier 2 of %u pipelines; %llu of the draws waited",
               with.median, without.median, (unsigned)PIPELINES, (unsigned long long)waited);
    figure_beside("first.recorded_share", "", once.recording / once.first,
                  "%.1f of %.1f ms of that frame lazily; the rest the driver takes when it is submitted",
                  once.recording, once.first);
    struct spread frames = spread_of(frame_ratios, rounds);
    figure_set("first.beside_ratio", frames.median, "frames while workers compile; ratio in [%.3f, %.3f]", frames.low,
               frames.high);
    with = spread_of(loading[1], rounds);
    without = spread_of(loading[0], rounds);
    figure_set("first.loading_ratio", with.median / without.median,
               "%.1f / %.1f ms for the pipelines and their first draws", with.median, without.median);
}
