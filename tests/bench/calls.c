/* SPDX-License-Identifier: MIT */
/*
 * What the layer adds to a draw, to the bind of a set, to that of a pipeline and to a descriptor write. Twice: above
 * the driver, and above a layer that returns at once, where the driver's own time and its noise do not drown a few
 * nanoseconds.
 */
#include <stdio.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"

enum { CALLS = 8192, WRITES = 256 };

static const struct side_placement placement = {1, 0};

/* Begins recording; the first draw chooses the tier, which those that follow keep. */
static void record(struct side *side)
{
    side_begin(side, side->pipeline, side->sets[0], placement);
    side->draw(side->commands, 3, 1, 0, 0);
}

/*
 * The memory of the commands goes back to the heap, where the other side takes it up: held on to, it would make one
 * side faster than the other for as long as both live.
 */
static void discard(struct side *side)
{
    side_end(side);
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
}

/* Each of the following: nanoseconds of one call, or of one round of calls. */

static double run_draws(void *subject)
{
    struct side *side = subject;
    record(side);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    double end = bench_now(BENCH_THREAD);
    discard(side);
    return (end - start) / CALLS;
}

static double run_binds(void *subject)
{
    struct side *side = subject;
    record(side);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->layout, 0, 1, &side->sets[i % SIDE_SETS], 0,
                   NULL);
    double end = bench_now(BENCH_THREAD);
    discard(side);
    return (end - start) / CALLS;
}

static double run_binds_and_draws(void *subject)
{
    struct side *side = subject;
    record(side);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->layout, 0, 1, &side->sets[i % SIDE_SETS], 0,
                   NULL);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    double end = bench_now(BENCH_THREAD);
    discard(side);
    return (end - start) / CALLS;
}

/* One call a write, sets, bindings, samplers and views changing. */
static double run_writes(void *subject)
{
    struct side *side = subject;
    VkDescriptorImageInfo infos[WRITES];
    VkWriteDescriptorSet writes[WRITES];
    for (uint32_t i = 0; i < WRITES; i++) {
        infos[i] =
            (VkDescriptorImageInfo){side->samplers[i * 5 % SIDE_SAMPLERS], side->textures[i * 3 % SIDE_TEXTURES].view,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = side->sets[i / SIDE_UNITS % SIDE_SETS],
                                           .dstBinding = i % SIDE_UNITS,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           .pImageInfo = &infos[i]};
    }
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        side->update(side->vk.device, 1, &writes[i % WRITES], 0, NULL);
    double end = bench_now(BENCH_THREAD);
    return (end - start) / CALLS;
}

/* The pipeline, or the shaders, are bound anew before each draw. */
static double run_switches(void *subject)
{
    static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
    struct side *side = subject;
    const bool objects = side->vk.linking == HARNESS_OBJECTS;
    record(side);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        if (objects)
            side->bind_shaders(side->commands, 2, stages, side->objects.shaders);
        else
            side->bind_pipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->pipeline);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    double end = bench_now(BENCH_THREAD);
    discard(side);
    return (end - start) / CALLS;
}

struct call_pairs {
    struct pairs draw, bind, bind_and_draw, update, change;
};

/* All draws of the active side must have been plain ones, or the figures are not about tier 0. */
static void check_tier(const struct side *side)
{
    struct clampler_counters counters = harness_counters(&side->vk);
    if (side->active && (!counters.draws[0] || counters.draws[1] || counters.draws[2]))
        harness_fail("draws of plain samplers used tiers 0, 1, 2: %llu, %llu, %llu times",
                     (unsigned long long)counters.draws[0], (unsigned long long)counters.draws[1],
                     (unsigned long long)counters.draws[2]);
}

/* One side of a pair. */
struct measured {
    enum side_layers layers;
    enum harness_linking kind; /* of its pipelines */
};

/* Several rounds of pairs, each with new devices, in which the two sides take turns in all that comes first. */
static struct call_pairs measure_kinds(const struct bench_options *options, const struct measured measured[2])
{
    enum { KINDS = 5, ROUNDS_MOST = 10 };
    static const bench_run runs[KINDS] = {run_draws, run_binds, run_binds_and_draws, run_writes, run_switches};
    static struct side sides[2];
    const uint32_t rounds = bench_count(options, ROUNDS_MOST, 6, 2), count = bench_count(options, 51, 31, 3);
    struct pairs pairs[KINDS][ROUNDS_MOST];
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t first = round & 1;
        struct side *places[2] = {&sides[first], &sides[!first]}; /* without, with */
        side_open_kind(&sides[0], measured[first].layers, measured[first].kind, 16, 16);
        side_open_kind(&sides[1], measured[!first].layers, measured[!first].kind, 16, 16);
        for (uint32_t i = 0; i < KINDS; i++)
            pairs[i][round] = pairs_measure(&(struct pair_params){
                .run = {runs[i], runs[i]}, .subject = {places[0], places[1]}, .count = count, .first = first});
        check_tier(places[0]);
        check_tier(places[1]);
        side_close(&sides[1]);
        side_close(&sides[0]);
    }
    return (struct call_pairs){pairs_combine(pairs[0], rounds), pairs_combine(pairs[1], rounds),
                               pairs_combine(pairs[2], rounds), pairs_combine(pairs[3], rounds),
                               pairs_combine(pairs[4], rounds)};
}

static struct call_pairs measure(const struct bench_options *options, enum side_layers without, enum side_layers with)
{
    return measure_kinds(options, (struct measured[2]){{without, HARNESS_MONOLITHIC}, {with, HARNESS_MONOLITHIC}});
}

static void set_inert(const char *key, const struct pairs *pairs)
{
    figure_set(key, pairs->ratio.median, "%.1f / %.1f ns a call; ratio in [%.3f, %.3f]", pairs->with.median,
               pairs->without.median, pairs->ratio.low, pairs->ratio.high);
}

/* One call, measured in three ways. */
struct added {
    const struct pairs *driver, *null; /* above the driver, above a layer that does nothing */
    const struct pairs *control;       /* the driver on both sides: what the method itself adds */
    double driver_less, null_less;     /* nanoseconds of them that belong to another figure */
};

/*
 * The greater of what the call costs above the driver and above nothing; the driver counts only where equal sides
 * differ by less than half the bound.
 */
static void set_added(const char *key, const struct added *added, const char *what)
{
    double limit = figure_bound(key) / 2;
    double above_driver = added->driver->added.median - added->driver_less;
    double above_null = added->null->added.median - added->null_less;
    bool steady = added->control->added.low > -limit && added->control->added.high < limit;
    bool use_driver = steady && above_driver > above_null;
    const struct pairs *chosen = use_driver ? added->driver : added->null;
    double less = use_driver ? added->driver_less : added->null_less;
    figure_set(key, chosen->added.median - less, "%.1f / %.1f ns %s, %s; added in [%.2f, %.2f]", chosen->with.median,
               chosen->without.median, what, use_driver ? "driver" : "null driver", chosen->added.low - less,
               chosen->added.high - less);
}

static void beside_added(const char *key, const struct pairs *pairs, const char *what)
{
    figure_beside(key, "ns", pairs->added.median, "%.1f / %.1f ns %s; added in [%.2f, %.2f]", pairs->with.median,
                  pairs->without.median, what, pairs->added.low, pairs->added.high);
}

/* Whether the inert layer is out of the way of calls altogether. */
static void compare_pointers(void)
{
    static struct side plain, inert;
    side_open(&plain, SIDE_PLAIN, 16, 16);
    side_open(&inert, SIDE_INERT, 16, 16);
    figure_beside("inert.same_pointers", "",
                  plain.draw == inert.draw && plain.bind == inert.bind && plain.update == inert.update,
                  "1: vkGetDeviceProcAddr gives the functions that it gives without the layer");
    side_close(&inert);
    side_close(&plain);
}

void bench_calls(const struct bench_options *options)
{
    compare_pointers();
    struct call_pairs pairs = measure(options, SIDE_PLAIN, SIDE_INERT);
    set_inert("inert.draw_ratio", &pairs.draw);
    set_inert("inert.bind_ratio", &pairs.bind);
    set_inert("inert.update_ratio", &pairs.update);

    struct call_pairs driver = measure(options, SIDE_PLAIN, SIDE_ACTIVE);
    struct call_pairs null = measure(options, SIDE_NULL, SIDE_ACTIVE_NULL);
    /* How far from nothing the method itself is. */
    struct call_pairs control = measure(options, SIDE_PLAIN, SIDE_PLAIN);
    set_added("tier0.draw_ns", &(struct added){&driver.draw, &null.draw, &control.draw, 0, 0}, "a draw");
    /* A draw after a bind looks at what was bound: that belongs to the bind. */
    set_added("tier0.bind_ns",
              &(struct added){&driver.bind_and_draw, &null.bind_and_draw, &control.bind_and_draw,
                              driver.draw.added.median, null.draw.added.median},
              "a bind and its draw, less a draw's");
    set_added("tier0.update_ns", &(struct added){&driver.update, &null.update, &control.update, 0, 0}, "a write");
    beside_added("tier0.draw_ns.driver", &driver.draw, "a draw above the driver");
    beside_added("tier0.draw_ns.null_driver", &null.draw, "a draw above a driver that does nothing");
    beside_added("tier0.bind_and_draw_ns.driver", &driver.bind_and_draw, "a bind and a draw above the driver");
    beside_added("tier0.bind_and_draw_ns.null_driver", &null.bind_and_draw, "the same where it does nothing");
    beside_added("tier0.bind_alone_ns.null_driver", &null.bind, "a bind that no draw follows, there");
    beside_added("tier0.update_ns.driver", &driver.update, "a write above the driver");
    beside_added("tier0.update_ns.null_driver", &null.update, "a write where it does nothing");

    beside_added("control.draw_ns", &control.draw, "a draw, no layer on either side");
    beside_added("control.bind_and_draw_ns", &control.bind_and_draw, "a bind and a draw, no layer on either side");
    beside_added("control.update_ns", &control.update, "a write, no layer on either side");
}

/* ---- Other pipelines than whole ones ---- */

static void set_beside_whole(const char *what, const char *call, const struct pairs *pairs, const char *text)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.%s_ratio", what, call);
    figure_set(key, pairs->ratio.median, "%.1f / %.1f ns %s, null driver; ratio in [%.3f, %.3f]", pairs->with.median,
               pairs->without.median, text, pairs->ratio.low, pairs->ratio.high);
}

static void beside_kind(const char *what, const char *call, const struct pairs *pairs, const char *text)
{
    char key[64];
    snprintf(key, sizeof(key), "%s.%s.driver", what, call);
    beside_added(key, pairs, text);
}

/*
 * Above a driver that does nothing, the layer with such pipelines beside the layer with whole ones; above the driver,
 * which has costs of its own for each kind, with the layer and without.
 */
static void measure_kind(const struct bench_options *options, const char *what, enum harness_linking kind)
{
    const struct call_pairs null =
        measure_kinds(options, (struct measured[2]){{SIDE_ACTIVE_NULL, HARNESS_MONOLITHIC}, {SIDE_ACTIVE_NULL, kind}});
    const struct call_pairs driver =
        measure_kinds(options, (struct measured[2]){{SIDE_PLAIN, kind}, {SIDE_ACTIVE, kind}});
    set_beside_whole(what, "draw", &null.draw, "a draw");
    set_beside_whole(what, "bind", &null.bind_and_draw, "a bind of a set and a draw");
    set_beside_whole(what, "switch", &null.change, "a bind of shaders and a draw");
    beside_kind(what, "draw_ns", &driver.draw, "a draw above the driver");
    beside_kind(what, "bind_and_draw_ns", &driver.bind_and_draw, "a bind of a set and a draw above the driver");
    beside_kind(what, "switch_ns", &driver.change, "a bind of shaders and a draw above the driver");
}

bool bench_has(enum harness_linking kind, enum harness_sets sets, const char *prefix)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = NULL});
    const char *lacks = harness_lacks(&vk, kind, sets);
    harness_vulkan_close(&vk);
    if (lacks)
        figure_lacking(prefix, lacks);
    return !lacks;
}

void bench_kinds(const struct bench_options *options)
{
    if (bench_has(HARNESS_FAST_LINKED, HARNESS_SETS_PLAIN, "linked."))
        measure_kind(options, "linked", HARNESS_FAST_LINKED);
    if (bench_has(HARNESS_OBJECTS, HARNESS_SETS_PLAIN, "objects."))
        measure_kind(options, "objects", HARNESS_OBJECTS);
}
