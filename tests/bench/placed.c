/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that programs place themselves: writing one into a buffer or a heap, draws for which the offsets of
 * descriptor buffers changed, and frames with descriptor buffers beside the same frames with descriptor sets.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench/timer.h"
#include "newer_vulkan.h"
#include "harness/resources/descriptor_buffer.h"
#include "harness/resources/heap.h"

enum {
    CALLS = 8192,
    WRITES = 256,
    MANY = 2048, /* more descriptors than the layer remembers */
    ROUNDS_MOST = 6,
    TIERS = 3,
    SET_BYTES_MOST = 1024,
    HEAP_BYTES = WRITES * 512
};

struct placed {
    struct side side;
    uint32_t tier; /* that the device's samplers ask for */
    struct timer timer;
    uint32_t draws; /* of a frame */
    /* Where sets lie in descriptor buffers. */
    struct harness_descriptors descriptors;
    struct harness_descriptor_buffer buffer;
    struct harness_descriptor_set sets[SIDE_SETS];
    /* Where they are heaps. */
    struct harness_heaps heaps;
    VkShaderDescriptorSetAndBindingMappingInfoEXT mapping_info;
    VkDescriptorSetAndBindingMappingEXT mapping;
    /* What is written, over and over: prepared once. */
    VkDescriptorType type;
    size_t size;
    uint32_t count; /* descriptors that differ: WRITES with few views, or MANY, each of an image of its own */
    struct harness_image *many; /* those images, or NULL */
    VkSampler samplers[MANY];
    VkDescriptorImageInfo images[MANY];
    VkDescriptorGetInfoEXT gets[MANY];
    struct side_sampler described[WRITES];
    VkImageViewCreateInfo views[MANY];
    VkImageDescriptorInfoEXT view_infos[MANY];
    VkResourceDescriptorInfoEXT resources[MANY];
    VkHostAddressRangeEXT ranges[WRITES];
};

/* ---- Devices ---- */

/* Sampler `i` of those that make draws take the tier. */
static VkSampler sampler_of(const struct placed *placed, uint32_t i)
{
    return placed->tier == 0   ? placed->side.samplers[i % SIDE_SAMPLERS]
           : placed->tier == 1 ? placed->side.clamps[i % SIDE_UNITS]
                               : placed->side.mixtures[i % SIDE_UNITS];
}

static void open_device(struct placed *placed, enum side_layers layers, enum harness_sets sets, uint32_t tier,
                        uint32_t size)
{
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE};
    memset(placed, 0, sizeof(*placed));
    placed->tier = tier;
    if (sets == HARNESS_SETS_PLAIN)
        side_open(&placed->side, layers, size, size);
    else
        side_open_device(&placed->side, layers, &(struct harness_vulkan_params){.sets = sets, .device_next = &address},
                         size, size);
    timer_open(&placed->timer, &placed->side.vk);
    if (sets == HARNESS_SETS_PLAIN || !tier)
        return;
    side_create_clamps(&placed->side, false);
    if (tier == 2)
        side_create_clamps(&placed->side, true);
}

/* A buffer with a set of each kind that the side's descriptor sets are of. */
static void open_buffer(struct placed *placed, enum side_layers layers, uint32_t tier, uint32_t size)
{
    struct side *side = &placed->side;
    VkDescriptorSetLayoutBinding bindings[SIDE_UNITS];
    open_device(placed, layers, HARNESS_SETS_DESCRIPTOR_BUFFER, tier, size);
    harness_descriptors_open(&placed->descriptors, &side->vk);
    harness_descriptor_buffer_create_on_device(&placed->descriptors, &placed->buffer,
                                               (VkDeviceSize)SIDE_SETS * SET_BYTES_MOST);
    for (uint32_t i = 0; i < SIDE_UNITS; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL};
    side->set_layout = harness_descriptor_layout(&placed->descriptors, bindings, SIDE_UNITS, 0, NULL);
    side->layout = harness_pipeline_layout(&side->vk, &side->set_layout, 1, SIDE_PUSH_BYTES);
    side->pipeline = side_new_pipeline(side);
    for (uint32_t s = 0; s < SIDE_SETS; s++) {
        placed->sets[s] = harness_descriptor_set_take(&placed->descriptors, &placed->buffer, side->set_layout);
        for (uint32_t i = 0; i < SIDE_UNITS; i++)
            harness_descriptor_put_image(&placed->sets[s], i, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                         sampler_of(placed, s + i), side->textures[i % SIDE_TEXTURES].view);
    }
}

static void create_many(struct placed *placed)
{
    const struct harness_image_params params = {
        .type = VK_IMAGE_VIEW_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 4, .height = 4};
    placed->many = harness_alloc(MANY, sizeof(*placed->many));
    for (uint32_t i = 0; i < MANY; i++)
        harness_image_create(&placed->side.vk, &placed->many[i], &params, NULL);
}

static const struct harness_image *image_of(const struct placed *placed, uint32_t i)
{
    return placed->many ? &placed->many[i] : &placed->side.textures[i * 3 % SIDE_TEXTURES];
}

static void close_placed(struct placed *placed)
{
    HARNESS_VK(vkDeviceWaitIdle(placed->side.vk.device));
    for (uint32_t i = 0; placed->many && i < MANY; i++)
        harness_image_destroy(&placed->side.vk, &placed->many[i]);
    free(placed->many);
    timer_close(&placed->timer, &placed->side.vk);
    if (placed->buffer.address)
        harness_descriptor_buffer_destroy(&placed->descriptors, &placed->buffer);
    if (placed->heaps.vk)
        harness_heaps_close(&placed->heaps);
    side_close(&placed->side);
}

static const VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;

/* ---- Rows ---- */

static void set_ratio(const char *what, const struct pairs *pairs, const char *text)
{
    char key[64];
    snprintf(key, sizeof(key), "app.%s_ratio", what);
    figure_set(key, pairs->ratio.median, "%.1f / %.1f ns %s; ratio in [%.3f, %.3f]", pairs->with.median,
               pairs->without.median, text, pairs->ratio.low, pairs->ratio.high);
    snprintf(key, sizeof(key), "app.%s_ns", what);
    figure_beside(key, "ns", pairs->added.median, "added, in [%.2f, %.2f]", pairs->added.low, pairs->added.high);
}

/* One call, and the device that it is measured on. */
struct row {
    const char *what, *text;
    VkDescriptorType type;
    uint32_t tier;
    bench_run run;
    bool many; /* each descriptor is another one */
};

typedef void (*open_for_row)(struct placed *placed, enum side_layers layers, const struct row *row);

/* As calls.c does: several rounds with new devices, in which the two sides take turns. */
static void measure_row(const struct bench_options *options, const struct row *row, open_for_row open)
{
    static struct placed both[2];
    const uint32_t rounds = bench_count(options, ROUNDS_MOST, 4, 2), count = bench_count(options, 51, 31, 3);
    struct pairs pairs[ROUNDS_MOST];
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t first = round & 1;
        struct placed *places[2] = {&both[first], &both[!first]}; /* without, with */
        open(&both[0], first ? SIDE_ACTIVE : SIDE_PLAIN, row);
        open(&both[1], first ? SIDE_PLAIN : SIDE_ACTIVE, row);
        pairs[round] = pairs_measure(&(struct pair_params){
            .run = {row->run, row->run}, .subject = {places[0], places[1]}, .count = count, .first = first});
        close_placed(&both[1]);
        close_placed(&both[0]);
    }
    const struct pairs all = pairs_combine(pairs, rounds);
    set_ratio(row->what, &all, row->text);
}

/* ---- Writes into buffers ---- */

static void prepare_gets(struct placed *placed, VkDescriptorType type)
{
    placed->type = type;
    placed->size = harness_descriptor_size(&placed->descriptors, type);
    placed->count = placed->many ? MANY : WRITES;
    for (uint32_t i = 0; i < placed->count; i++) {
        placed->samplers[i] = sampler_of(placed, i * 5);
        placed->images[i] = (VkDescriptorImageInfo){placed->samplers[i], image_of(placed, i)->view,
                                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        placed->gets[i] = (VkDescriptorGetInfoEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type};
        if (type == VK_DESCRIPTOR_TYPE_SAMPLER)
            placed->gets[i].data.pSampler = &placed->samplers[i];
        else
            placed->gets[i].data.pCombinedImageSampler = &placed->images[i]; /* as pSampledImage is */
    }
}

static void open_for_gets(struct placed *placed, enum side_layers layers, const struct row *row)
{
    open_buffer(placed, layers, row->tier, 16);
    if (row->many)
        create_many(placed);
    prepare_gets(placed, row->type);
}

/* The bytes of a set hold those of any one descriptor. */
static double run_gets(void *subject)
{
    struct placed *placed = subject;
    VkDevice device = placed->side.vk.device;
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        placed->descriptors.get(device, &placed->gets[i % placed->count], placed->size,
                                placed->sets[i % SIDE_SETS].bytes);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static void bench_gets(const struct bench_options *options)
{
    static const struct row rows[] = {
        {"buffer_combined", "a combined image sampler", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, run_gets, false},
        {"buffer_image", "a sampled image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, run_gets, false},
        {"buffer_sampler", "a sampler", VK_DESCRIPTOR_TYPE_SAMPLER, 0, run_gets, false},
        {"buffer_combined_gl", "a combined image sampler, GL_CLAMP", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2,
         run_gets, false},
        {"buffer_sampler_gl", "a sampler, GL_CLAMP", VK_DESCRIPTOR_TYPE_SAMPLER, 2, run_gets, false},
        {"buffer_combined_many", "a combined image sampler, another one each time",
         VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, run_gets, true},
        {"buffer_image_many", "a sampled image, another one each time", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, run_gets,
         true},
    };
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        measure_row(options, &rows[i], open_for_gets);
}

/* ---- Writes into heaps ---- */

/* Sampler `i` of those that make draws take the tier. */
static void describe_sampler(const struct placed *placed, uint32_t i, struct side_sampler *sampler)
{
    if (placed->tier)
        side_describe_clamp(&placed->side, placed->tier == 2, sampler);
    else
        side_describe_plain(i % SIDE_SAMPLERS, sampler);
}

static void open_for_heaps(struct placed *placed, enum side_layers layers, const struct row *row)
{
    open_device(placed, layers, HARNESS_SETS_HEAP, row->tier, 16);
    harness_heaps_open(&placed->heaps, &placed->side.vk, true, HEAP_BYTES, HEAP_BYTES);
    const bool samplers = row->type == VK_DESCRIPTOR_TYPE_SAMPLER;
    const uint32_t stride = harness_heap_stride(&placed->heaps, row->type);
    const uint32_t offset = harness_heaps_take(&placed->heaps, row->type, WRITES);
    unsigned char *bytes = (samplers ? &placed->heaps.samplers : &placed->heaps.resources)->bytes + offset;
    for (uint32_t i = 0; i < WRITES; i++) {
        placed->ranges[i] = (VkHostAddressRangeEXT){bytes + (size_t)i * stride, stride};
        describe_sampler(placed, i * 5, &placed->described[i]);
    }
    if (row->many)
        create_many(placed);
    placed->count = row->many ? MANY : WRITES;
    for (uint32_t i = 0; i < placed->count; i++) {
        placed->views[i] = harness_image_view_info(image_of(placed, i));
        placed->view_infos[i] = (VkImageDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                                           .pView = &placed->views[i],
                                                           .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        placed->resources[i] = (VkResourceDescriptorInfoEXT){.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                                             .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                             .data.pImage = &placed->view_infos[i]};
    }
}

static double run_heap_images(void *subject)
{
    struct placed *placed = subject;
    VkDevice device = placed->side.vk.device;
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        placed->heaps.write_resources(device, 1, &placed->resources[i % placed->count], &placed->ranges[i % WRITES]);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static double run_heap_samplers(void *subject)
{
    struct placed *placed = subject;
    VkDevice device = placed->side.vk.device;
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        placed->heaps.write_samplers(device, 1, &placed->described[i % WRITES].info, &placed->ranges[i % WRITES]);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static void bench_heaps(const struct bench_options *options)
{
    static const struct row rows[] = {
        {"heap_image", "a sampled image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0, run_heap_images, false},
        {"heap_sampler", "a sampler", VK_DESCRIPTOR_TYPE_SAMPLER, 0, run_heap_samplers, false},
        {"heap_sampler_gl", "a sampler, GL_CLAMP", VK_DESCRIPTOR_TYPE_SAMPLER, 2, run_heap_samplers, false},
        {"heap_image_many", "a sampled image, another one each time", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0,
         run_heap_images, true},
    };
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        measure_row(options, &rows[i], open_for_heaps);
}

/* ---- Draws ---- */

static void check_tier(const struct placed *placed)
{
    const struct clampler_counters counters = harness_counters(&placed->side.vk);
    for (uint32_t t = 0; placed->side.active && t < TIERS; t++) {
        if ((counters.draws[t] != 0) != (t == placed->tier))
            harness_fail("%llu draws were of tier %u, where all are of tier %u", (unsigned long long)counters.draws[t],
                         t, placed->tier);
    }
}

static void set_offset(const struct placed *placed, uint32_t set)
{
    harness_descriptor_offset(&placed->descriptors, placed->side.commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              placed->side.layout, 0, 0, placed->sets[set].offset);
}

static void begin_with_buffer(struct placed *placed, struct side_placement placement)
{
    const struct harness_descriptor_buffer *buffer = &placed->buffer;
    side_begin_pass(&placed->side, placed->side.pipeline, placement);
    harness_descriptor_buffers_bind(&placed->descriptors, placed->side.commands, &buffer, 1);
    set_offset(placed, 0);
}

/* Nanoseconds of a change of offsets and the draw behind it, while they are recorded. */
static double run_offsets(void *subject)
{
    struct placed *placed = subject;
    struct side *side = &placed->side;
    begin_with_buffer(placed, (struct side_placement){1, 0});
    side->draw(side->commands, 3, 1, 0, 0);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        set_offset(placed, (i + 1) % SIDE_SETS);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    double end = bench_now(BENCH_THREAD);
    side_end(side);
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
    check_tier(placed);
    return (end - start) / CALLS;
}

static void open_for_offsets(struct placed *placed, enum side_layers layers, const struct row *row)
{
    open_buffer(placed, layers, row->tier, 16);
}

static void bench_offsets(const struct bench_options *options)
{
    static const struct row rows[TIERS] = {
        {"offsets_tier0", "a change of offsets and a draw", combined, 0, run_offsets, false},
        {"offsets_tier1", "the same in tier 1", combined, 1, run_offsets, false},
        {"offsets_tier2", "the same in tier 2", combined, 2, run_offsets, false},
    };
    for (uint32_t i = 0; i < TIERS; i++)
        measure_row(options, &rows[i], open_for_offsets);
}

/* ---- Frames ---- */

enum { FRAME_SIZE = 256, FRAME_DRAWS_MOST = 1024, FRAME_MS = 25 };

static void record_frame(struct placed *placed)
{
    const struct side_placement placement = {1.0625f, 1 / 32.f};
    struct side *side = &placed->side;
    if (placed->buffer.address)
        begin_with_buffer(placed, placement);
    else if (side->heaps)
        side_begin_pass(side, side->pipeline, placement);
    else
        side_begin(side, side->pipeline,
                   placed->tier == 0   ? side->sets[0]
                   : placed->tier == 1 ? side->clamped
                                       : side->filtered,
                   placement);
    timer_start(&placed->timer, side->commands);
    for (uint32_t i = 0; i < placed->draws; i++)
        side->draw(side->commands, 3, 1, 0, 0);
    timer_stop(&placed->timer, side->commands);
    side_end(side);
    check_tier(placed);
}

static double run_frame(void *subject)
{
    struct placed *placed = subject;
    return timer_run(&placed->timer, &placed->side);
}

/* A heap with what the side's first set has. */
static void open_heap_frame(struct placed *placed, enum side_layers layers, uint32_t tier, uint32_t size)
{
    struct side *side = &placed->side;
    const VkDescriptorType image = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, sampler = VK_DESCRIPTOR_TYPE_SAMPLER;
    open_device(placed, layers, HARNESS_SETS_HEAP, tier, size);
    harness_heaps_open(&placed->heaps, &side->vk, true, HEAP_BYTES, HEAP_BYTES);
    const struct harness_heap_place images = {harness_heaps_take(&placed->heaps, image, SIDE_UNITS),
                                              harness_heap_stride(&placed->heaps, image)},
                                    samplers = {harness_heaps_take(&placed->heaps, sampler, SIDE_UNITS),
                                                harness_heap_stride(&placed->heaps, sampler)};
    for (uint32_t i = 0; i < SIDE_UNITS; i++) {
        struct side_sampler described;
        describe_sampler(placed, i, &described);
        harness_heap_put_image(&placed->heaps, images.offset + i * images.stride, image,
                               &side->textures[i % SIDE_TEXTURES]);
        harness_heap_put_sampler(&placed->heaps, samplers.offset + i * samplers.stride, &described.info);
    }
    placed->mapping = harness_heap_mapping(0, 0, SIDE_UNITS, images, samplers);
    placed->mapping_info = (VkShaderDescriptorSetAndBindingMappingInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &placed->mapping};
    side->mapping = &placed->mapping_info;
    side->heaps = &placed->heaps;
    side->pipeline = side_new_pipeline(side);
}

/* How frames have placed descriptors. */
struct frames {
    const char *key, *text;
    void (*open)(struct placed *placed, enum side_layers layers, uint32_t tier, uint32_t size);
};

/* Frames with descriptor sets against the same with placed descriptors, both with the layer or both without. */
static struct pairs measure_frames(const struct frames *frames, enum side_layers layers, uint32_t tier, uint32_t count)
{
    static struct placed sets, other;
    struct placed *both[2] = {&sets, &other};
    open_device(&sets, layers, HARNESS_SETS_PLAIN, tier, FRAME_SIZE);
    frames->open(&other, layers, tier, FRAME_SIZE);
    sets.draws = 1;
    record_frame(&sets);
    run_frame(&sets); /* compiles */
    const double ms = run_frame(&sets);
    sets.draws = other.draws = ms > 0 ? (uint32_t)fmin(fmax(FRAME_MS / ms, 1), FRAME_DRAWS_MOST) : FRAME_DRAWS_MOST;
    for (uint32_t i = 0; i < 2; i++) {
        record_frame(both[i]);
        run_frame(both[i]);
    }
    const struct pairs pairs =
        pairs_measure(&(struct pair_params){.run = {run_frame, run_frame}, .subject = {&sets, &other}, .count = count});
    close_placed(&other);
    close_placed(&sets);
    return pairs;
}

static void bench_frames_of(const struct bench_options *options, const struct frames *frames)
{
    const uint32_t count = bench_count(options, 41, 11, 1);
    char key[64];
    for (uint32_t tier = 0; tier < TIERS; tier++) {
        const struct pairs pairs = measure_frames(frames, SIDE_ACTIVE, tier, count);
        snprintf(key, sizeof(key), "app.%s_tier%u_ratio", frames->key, tier);
        figure_set(key, pairs.ratio.median,
                   "%.2f / %.2f ms, %s / descriptor sets, both under the layer; ratio in [%.3f, %.3f]",
                   pairs.with.median, pairs.without.median, frames->text, pairs.ratio.low, pairs.ratio.high);
    }
    const struct pairs driver = measure_frames(frames, SIDE_PLAIN, 0, count);
    snprintf(key, sizeof(key), "app.%s_ratio.driver", frames->key);
    figure_beside(key, "x", driver.ratio.median, "%.2f / %.2f ms, %s / descriptor sets, both without the layer",
                  driver.with.median, driver.without.median, frames->text);
}

/* ---- Memory ---- */

static struct placed filled;

struct side *bench_placed_open(bool active, enum bench_placed what)
{
    const struct row image = {.type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
    const enum side_layers layers = active ? SIDE_ACTIVE : SIDE_PLAIN;
    if (what == BENCH_PLACED_BUFFER) {
        open_buffer(&filled, layers, 2, 16);
        prepare_gets(&filled, combined);
    } else {
        open_for_heaps(&filled, layers, &image);
    }
    return &filled.side;
}

static void fill_buffer(uint32_t count)
{
    struct harness_descriptor_buffer buffer;
    harness_descriptor_buffer_create(&filled.descriptors, &buffer, 0, (VkDeviceSize)count * filled.size);
    for (uint32_t i = 0; i < count; i++)
        filled.descriptors.get(filled.side.vk.device, &filled.gets[i % WRITES], filled.size,
                               (unsigned char *)buffer.buffer.map + i * filled.size);
}

static void fill_heap(uint32_t count)
{
    const size_t stride = harness_heap_stride(&filled.heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    struct harness_heaps heaps;
    harness_heaps_open(&heaps, &filled.side.vk, true, count * stride, HEAP_BYTES);
    for (uint32_t i = 0; i < count; i++) {
        const VkHostAddressRangeEXT range = {heaps.resources.bytes + i * stride, stride};
        heaps.write_resources(filled.side.vk.device, 1, &filled.resources[i % WRITES], &range);
    }
}

/* Samplers whose border colours, and so their records, differ; written to one place. */
static void fill_records(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct side_sampler sampler;
        side_describe_clamp(&filled.side, true, &sampler);
        sampler.gl.borderColor.float32[0] = (float)(i + 1) / (float)count;
        HARNESS_VK(filled.heaps.write_samplers(filled.side.vk.device, 1, &sampler.info, &filled.ranges[0]));
    }
}

void bench_placed_fill(enum bench_placed what, uint32_t count)
{
    static void (*const fill[])(uint32_t count) = {fill_buffer, fill_heap, fill_records};
    fill[what](count);
}

/* Bytes of descriptors as the layer shows them, beside the driver's. */
static void beside_sizes(void)
{
    static struct placed plain, active;
    static const struct {
        const char *key;
        VkDescriptorType type;
    } types[] = {{"app.buffer_combined_bytes", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                 {"app.buffer_image_bytes", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
                 {"app.buffer_sampler_bytes", VK_DESCRIPTOR_TYPE_SAMPLER}};
    open_buffer(&plain, SIDE_PLAIN, 0, 16);
    open_buffer(&active, SIDE_ACTIVE, 0, 16);
    for (uint32_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const size_t with = harness_descriptor_size(&active.descriptors, types[i].type);
        figure_beside(types[i].key, "B", (double)with, "of a descriptor; the driver's: %zu",
                      harness_descriptor_size(&plain.descriptors, types[i].type));
    }
    close_placed(&active);
    close_placed(&plain);
}

static void beside_heap_sizes(void)
{
    static struct placed plain, active;
    const struct row image = {.type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
    open_for_heaps(&plain, SIDE_PLAIN, &image);
    open_for_heaps(&active, SIDE_ACTIVE, &image);
    figure_beside("app.heap_image_bytes", "B", harness_heap_stride(&active.heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE),
                  "of a descriptor; the driver's: %u",
                  harness_heap_stride(&plain.heaps, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE));
    figure_beside("app.heap_sampler_bytes", "B", harness_heap_stride(&active.heaps, VK_DESCRIPTOR_TYPE_SAMPLER),
                  "of a descriptor; the driver's: %u", harness_heap_stride(&plain.heaps, VK_DESCRIPTOR_TYPE_SAMPLER));
    close_placed(&active);
    close_placed(&plain);
}

void bench_placed(const struct bench_options *options)
{
    if (bench_has(HARNESS_MONOLITHIC, HARNESS_SETS_DESCRIPTOR_BUFFER, "app.buffer_")) {
        beside_sizes();
        bench_gets(options);
    }
    if (bench_has(HARNESS_MONOLITHIC, HARNESS_SETS_DESCRIPTOR_BUFFER, "app.offsets_"))
        bench_offsets(options);
    if (bench_has(HARNESS_MONOLITHIC, HARNESS_SETS_HEAP, "app.heap_")) {
        beside_heap_sizes();
        bench_heaps(options);
    }
}

void bench_placed_frames(const struct bench_options *options)
{
    if (bench_has(HARNESS_MONOLITHIC, HARNESS_SETS_DESCRIPTOR_BUFFER, "app.frame_"))
        bench_frames_of(options, &(struct frames){"frame", "descriptor buffer", open_buffer});
    if (bench_has(HARNESS_MONOLITHIC, HARNESS_SETS_HEAP, "app.heap_frame_"))
        bench_frames_of(options, &(struct frames){"heap_frame", "descriptor heaps", open_heap_frame});
}
