/* SPDX-License-Identifier: MIT */
/*
 * Frames bound by sampling: the plain shader against tier 1 with GL_CLAMP in all four samplers, and against tier 2 with
 * GL_CLAMP and mixed filters.
 */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench/timer.h"
#include "gl/gl_tokens.h"

/* Textures are 1,024 texels wide: at the largest size, one texture across the target is minified by two. */
enum { FRAME_LEAST = 64, FRAME_MOST = 512, DRAWS_MOST = 1024, FRAME_MS = 25 };

struct frame {
    struct side side;
    enum side_layers layers;
    VkDescriptorSet set;
    struct side_placement placement;
    uint32_t draws; /* of the whole target, over each other */
    struct timer timer;
};

static void open_frame_device(struct frame *frame, enum side_layers layers, const struct harness_vulkan_params *more)
{
    side_open_device(&frame->side, layers, more, FRAME_LEAST, FRAME_LEAST);
    frame->layers = layers;
    frame->draws = 1;
    timer_open(&frame->timer, &frame->side.vk);
}

static void open_frame(struct frame *frame, enum side_layers layers, enum harness_linking kind)
{
    open_frame_device(frame, layers, &(struct harness_vulkan_params){.linking = kind});
}

static void close_frame(struct frame *frame)
{
    timer_close(&frame->timer, &frame->side.vk);
    side_close(&frame->side);
}

/* The queries lie around the pass, whose clear costs both sides the same. */
static void record_frame(struct frame *frame)
{
    struct side *side = &frame->side;
    side_begin(side, side->pipeline, frame->set, frame->placement);
    timer_start(&frame->timer, side->commands);
    for (uint32_t i = 0; i < frame->draws; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    timer_stop(&frame->timer, side->commands);
    side_end(side);
}

/* Milliseconds of the recorded frame. */
static double run_frame(void *subject)
{
    struct frame *frame = subject;
    return timer_run(&frame->timer, &frame->side);
}

/* Sizes both frames so that the plain one takes about FRAME_MS. */
static void choose_size(struct frame *plain, struct frame *other)
{
    plain->set = plain->side.clamped;
    plain->placement = (struct side_placement){1, 0};
    double ms = 0;
    uint32_t size = FRAME_LEAST;
    for (;;) {
        record_frame(plain);
        run_frame(plain); /* compiles */
        ms = run_frame(plain);
        if (ms * 4 > FRAME_MS || size == FRAME_MOST)
            break;
        size *= 2;
        side_resize(&plain->side, size, size);
    }
    uint32_t draws = ms > 0 ? (uint32_t)fmin(fmax(FRAME_MS / ms, 1), DRAWS_MOST) : DRAWS_MOST;
    side_resize(&other->side, size, size);
    plain->draws = other->draws = draws;
}

static struct pairs measure_sets(struct frame *plain, struct frame *other, struct side_placement placement,
                                 uint32_t count)
{
    struct frame *frames[2] = {plain, other};
    for (uint32_t i = 0; i < 2; i++) {
        frames[i]->placement = placement;
        record_frame(frames[i]);
        run_frame(frames[i]); /* compiles */
    }
    return pairs_measure(
        &(struct pair_params){.run = {run_frame, run_frame}, .subject = {plain, other}, .count = count});
}

static struct pairs measure(struct frame *plain, struct frame *other, bool clamps, struct side_placement placement,
                            uint32_t count)
{
    plain->set = clamps ? plain->side.clamped : plain->side.sets[0];
    other->set = clamps ? other->side.clamped : other->side.sets[0];
    return measure_sets(plain, other, placement, count);
}

static uint64_t draws_at(const struct frame *frame, uint32_t tier)
{
    return harness_counters(&frame->side.vk).draws[tier];
}

static struct pairs measure_off(struct frame *plain, struct frame *active, uint32_t count)
{
    uint64_t before = draws_at(active, 0);
    struct pairs off = measure(plain, active, false, (struct side_placement){1.0625f, 1 / 32.f}, count);
    if (draws_at(active, 0) == before)
        harness_fail("no frame was drawn at tier 0");
    return off;
}

/* Frames of plain samplers with other pipelines than whole ones; those of GL_CLAMP beside them. */
static void measure_kind(const char *what, enum harness_linking kind, uint32_t count)
{
    static struct frame plain, active;
    char key[64];
    snprintf(key, sizeof(key), "%s.frame_ratio", what);
    if (!bench_has(kind, HARNESS_SETS_PLAIN, key))
        return;
    open_frame(&plain, SIDE_PLAIN, kind);
    open_frame(&active, SIDE_ACTIVE, kind);
    choose_size(&plain, &active);
    struct pairs mips = measure(&plain, &active, true, (struct side_placement){1.0625f, 1 / 32.f}, count);
    if (!draws_at(&active, 1))
        harness_fail("no frame was drawn at tier 1");
    struct pairs off = measure_off(&plain, &active, count);
    snprintf(key, sizeof(key), "%s.frame_ratio", what);
    figure_set(key, off.ratio.median, "%.2f / %.2f ms, plain samplers; ratio in [%.3f, %.3f]", off.with.median,
               off.without.median, off.ratio.low, off.ratio.high);
    snprintf(key, sizeof(key), "%s.frame_ratio.tier1", what);
    figure_beside(key, "x", mips.ratio.median, "%.2f / %.2f ms, GL_CLAMP between two levels", mips.with.median,
                  mips.without.median);
    close_frame(&active);
    close_frame(&plain);
}

/* ---- Tier 2 ---- */

/* A set of `mixtures` with views of level 0 alone. */
struct flat {
    VkImageView views[SIDE_TEXTURES];
    VkDescriptorSet set;
};

static void open_flat(struct frame *frame, struct flat *flat)
{
    struct side *side = &frame->side;
    flat->set = harness_set(&side->vk, side->set_layout);
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++) {
        const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = side->textures[i].image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
        if (vkCreateImageView(side->vk.device, &info, NULL, &flat->views[i]))
            harness_fail("vkCreateImageView");
    }
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        harness_write_image(&side->vk, flat->set, i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, side->mixtures[i],
                            flat->views[i % SIDE_TEXTURES]);
}

static void close_flat(struct frame *frame, const struct flat *flat)
{
    for (uint32_t i = 0; i < SIDE_TEXTURES; i++)
        vkDestroyImageView(frame->side.vk.device, flat->views[i], NULL);
}

/* 16 lookups in one block, or each in its own; on level 0 alone, or between two. */
static void measure_filters(const struct bench_options *options)
{
    static struct frame frames[2];
    static const struct {
        const char *key;
        const char *what;
        bool in_blocks, flat;
        struct side_placement placement;
    } rows[] = {
        {"tier2.frame_ratio", "one level", false, true, {0.25f, 1 / 64.f}},
        {"tier2.frame_ratio.levels", "between two levels", false, false, {1.0625f, 1 / 32.f}},
        {"tier2.frame_ratio.blocks", "one level, each lookup in a block of its own", true, true, {0.25f, 1 / 64.f}},
        {"tier2.frame_ratio.blocks_levels", "likewise between two levels", true, false, {1.0625f, 1 / 32.f}},
    };
    struct flat flat[2];
    const uint32_t count = bench_count(options, 21, 5, 1);
    for (uint32_t i = 0; i < 2; i++) {
        open_frame(&frames[i], i ? SIDE_ACTIVE : SIDE_PLAIN, HARNESS_MONOLITHIC);
        open_flat(&frames[i], &flat[i]);
    }
    choose_size(&frames[0], &frames[1]);
    frames[0].draws = frames[1].draws = (frames[0].draws + 3) / 4;
    for (uint32_t row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
        for (uint32_t i = 0; i < 2; i++) {
            struct side *side = &frames[i].side;
            if (side->in_blocks != rows[row].in_blocks) {
                side->in_blocks = rows[row].in_blocks;
                harness_graphics_pipeline_destroy(&side->vk, side->pipeline);
                side->pipeline = side_new_pipeline(side);
            }
            frames[i].set = rows[row].flat ? flat[i].set : side->filtered;
        }
        const uint64_t before = draws_at(&frames[1], 2);
        struct pairs pairs = measure_sets(&frames[0], &frames[1], rows[row].placement, count);
        if (draws_at(&frames[1], 2) == before)
            harness_fail("no frame was drawn at tier 2");
        if (row == 0)
            figure_set(rows[row].key, pairs.ratio.median, "%.2f / %.2f ms, 16 lookups, %s; ratio in [%.3f, %.3f]",
                       pairs.with.median, pairs.without.median, rows[row].what, pairs.ratio.low, pairs.ratio.high);
        else
            figure_beside(rows[row].key, "x", pairs.ratio.median, "%.2f / %.2f ms, %s", pairs.with.median,
                          pairs.without.median, rows[row].what);
    }
    for (uint32_t i = 0; i < 2; i++) {
        close_flat(&frames[i], &flat[i]);
        close_frame(&frames[i]);
    }
}

void bench_frames(const struct bench_options *options)
{
    static struct frame plain, active;
    const uint32_t count = bench_count(options, 41, 11, 1);
    open_frame(&plain, SIDE_PLAIN, HARNESS_MONOLITHIC);
    open_frame(&active, SIDE_ACTIVE, HARNESS_MONOLITHIC);
    choose_size(&plain, &active);
    const char *time = timer_name(&plain.timer);
    uint32_t width = plain.side.target.width;

    /* Either way one pixel in nine or so lies outside the texture, where the border shows. */
    struct pairs mips = measure(&plain, &active, true, (struct side_placement){1.0625f, 1 / 32.f}, count);
    struct pairs magnified = measure(&plain, &active, true, (struct side_placement){0.25f, 1 / 64.f}, count);
    struct pairs inside = measure(&plain, &active, true, (struct side_placement){0.25f, -0.25f}, count);
    if (!draws_at(&active, 1))
        harness_fail("no frame was drawn at tier 1");
    struct pairs off = measure_off(&plain, &active, count);

    if (plain.side.vk.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        figure_bound_set("tier1.frame_ratio", 1.1);
    bool worse = magnified.ratio.median > mips.ratio.median;
    const struct pairs *worst = worse ? &magnified : &mips;
    figure_set("tier1.frame_ratio", worst->ratio.median,
               "%.2f / %.2f ms of %s, %ux%u, %u draws, %s; ratio in [%.3f, %.3f]", worst->with.median,
               worst->without.median, time, width, width, plain.draws, worse ? "magnified" : "minified",
               worst->ratio.low, worst->ratio.high);
    figure_beside("tier1.frame_ratio.minified", "x", mips.ratio.median, "%.2f / %.2f ms, between two levels",
                  mips.with.median, mips.without.median);
    figure_beside("tier1.frame_ratio.magnified", "x", magnified.ratio.median, "%.2f / %.2f ms", magnified.with.median,
                  magnified.without.median);
    figure_beside("tier1.frame_ratio.inside", "x", inside.ratio.median,
                  "%.2f / %.2f ms, magnified, no coordinate outside", inside.with.median, inside.without.median);
    figure_beside("tier0.frame_ratio", "x", off.ratio.median, "%.2f / %.2f ms, plain samplers, extension enabled",
                  off.with.median, off.without.median);
    close_frame(&active);
    close_frame(&plain);
    measure_kind("linked", HARNESS_LIBRARY, count);
    measure_kind("objects", HARNESS_OBJECTS, count);
    measure_filters(options);
}

/* ---- Anisotropy ---- */

enum { TEXELS = 1024, TEXELS_WIDE = 2, TEXELS_LONG = 32 };

/*
 * GL_CLAMP along the short side of footprints, which tier 2 serves as magnification is NEAREST, and REPEAT along the
 * long one, which crosses many textures. Odd units have s and t exchanged in textured.frag. A probe of 16 is still
 * minified.
 */
static VkDescriptorSet anisotropic_set(struct frame *frame, float most, VkSampler samplers[2])
{
    struct side *side = &frame->side;
    const VkDescriptorSet set = harness_set(&side->vk, side->set_layout);
    for (uint32_t i = 0; i < 2; i++) {
        struct side_sampler sampler;
        side_describe_clamp(side, true, &sampler);
        *(i ? &sampler.gl.wrapS : &sampler.gl.wrapT) = TOKEN_REPEAT;
        *(i ? &sampler.info.addressModeU : &sampler.info.addressModeV) = VK_SAMPLER_ADDRESS_MODE_REPEAT;
        sampler.gl.maxAnisotropy = sampler.info.maxAnisotropy = most;
        sampler.info.anisotropyEnable = VK_TRUE;
        samplers[i] = harness_sampler(&side->vk, &sampler.info);
    }
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        harness_write_image(&side->vk, set, i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers[i % 2],
                            side->textures[i % SIDE_TEXTURES].view);
    return set;
}

static void measure_anisotropy(struct frame frames[2], uint32_t most, uint32_t count)
{
    VkSampler samplers[2][2];
    char key[64];
    const float across = (float)frames[0].side.target.width / TEXELS;
    const struct side_placement placement = {TEXELS_WIDE * across, 1 / 32.f};
    for (uint32_t i = 0; i < 2; i++) {
        frames[i].side.more_down = (TEXELS_LONG - TEXELS_WIDE) * across;
        frames[i].set = anisotropic_set(&frames[i], (float)most, samplers[i]);
    }
    const struct clampler_counters before = harness_counters(&frames[1].side.vk);
    const struct pairs pairs = measure_sets(&frames[0], &frames[1], placement, count);
    const struct clampler_counters after = harness_counters(&frames[1].side.vk);
    if (after.draws[2] == before.draws[2] || after.draws_texels != before.draws_texels)
        harness_fail("no frame was drawn with the driver's filter at tier 2");
    snprintf(key, sizeof(key), "anisotropy.%u_ratio", most);
    figure_set(key, pairs.ratio.median, "%.2f / %.2f ms of %s, 16 lookups of %u by %u texels; ratio in [%.3f, %.3f]",
               pairs.with.median, pairs.without.median, timer_name(&frames[0].timer), TEXELS_LONG, TEXELS_WIDE,
               pairs.ratio.low, pairs.ratio.high);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t s = 0; s < 2; s++)
            vkDestroySampler(frames[i].side.vk.device, samplers[i][s], NULL);
}

void bench_anisotropy(const struct bench_options *options)
{
    static struct frame frames[2];
    static const uint32_t most[] = {2, 8, 16};
    const struct harness_vulkan_params params = {.sampling_features = true};
    for (uint32_t i = 0; i < 2; i++)
        open_frame_device(&frames[i], i ? SIDE_ACTIVE : SIDE_PLAIN, &params);
    if (frames[0].side.vk.anisotropy) {
        choose_size(&frames[0], &frames[1]);
        frames[0].draws = frames[1].draws = (frames[0].draws + 3) / 4;
        for (uint32_t i = 0; i < sizeof(most) / sizeof(*most); i++)
            measure_anisotropy(frames, most[i], bench_count(options, 21, 5, 1));
    } else {
        figure_lacking("anisotropy.", "samplerAnisotropy");
    }
    for (uint32_t i = 0; i < 2; i++)
        close_frame(&frames[i]);
}
