/* SPDX-License-Identifier: MIT */
/*
 * Fetches from texel buffers: RGB32 made up by the layer against the driver's own, and the driver's own RGBA32 in a
 * pipeline of tier 1, which some other texel buffer of the set made necessary. Without a driver that has RGB32 texel
 * buffers there is nothing to compare the first with.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench_texels.h"
#include "gl/gl_tokens.h"
#include "harness/drawing/pipeline.h"

enum { TEXELS = 1 << 16, GROUP = 64, FETCHES = 16, RUN_MS = 20, DISPATCHES_MOST = 4096 };
/* On a GPU enough to fill it many times over: a small dispatch measures how long it takes to begin and to end. */
enum { CPU_INVOCATIONS = 1 << 14, GPU_INVOCATIONS = 1 << 20 };

/* What is read: texels from invocation to neighbouring invocation, and from fetch to fetch. */
struct reading {
    uint32_t apart, stride;
};
static const struct reading neighbouring = {1, 977}, scattered = {16, 977};

struct fetching {
    struct reading reading;
    uint32_t invocations;
    struct harness_vulkan vk;
    struct harness_buffer texels, sums;
    VkBufferView view, other;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
    uint32_t dispatches;
    enum bench_clock clock;
};

static void open_device(struct fetching *f, bool layer)
{
    static const char *const extension[] = {VK_CLAMPLER_GL_SAMPLER_EXTENSION_NAME};
    const VkPhysicalDeviceGLSamplerFeaturesCLAMPLER features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GL_SAMPLER_FEATURES_CLAMPLER, .glBufferView = VK_TRUE};
    setenv("VK_CLAMPLER_ASSUME_MISSING", "rgb32_texel_buffer", 1);
    harness_vulkan_open(&f->vk, &(struct harness_vulkan_params){.layers = layer ? "clampler" : NULL,
                                                                .device_next = layer ? &features : NULL,
                                                                .device_extensions = extension,
                                                                .device_extension_count = layer ? 1 : 0});
    unsetenv("VK_CLAMPLER_ASSUME_MISSING");
    f->clock = f->vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? BENCH_PROCESS : BENCH_WALL;
}

static VkBufferView make_view(struct fetching *f, VkFormat format, uint32_t texel_bytes, const void *next)
{
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .pNext = next,
                                         .buffer = f->texels.buffer,
                                         .format = format,
                                         .range = (VkDeviceSize)TEXELS * texel_bytes};
    VkBufferView view;
    HARNESS_VK(vkCreateBufferView(f->vk.device, &info, NULL, &view));
    return view;
}

static void write_views(struct fetching *f)
{
    const VkWriteDescriptorSet writes[] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = f->set,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                            .pTexelBufferView = &f->view},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = f->set,
                                            .dstBinding = 1,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                            .pTexelBufferView = &f->other}};
    vkUpdateDescriptorSets(f->vk.device, 2, writes, 0, NULL);
    harness_write_buffer(&f->vk, f->set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, f->sums.buffer);
}

/* `wide`: RGBA32 of the driver's own, beside a legacy view; else RGB32. */
static void open_fetching(struct fetching *f, bool layer, bool wide, const struct reading *reading)
{
    const uint32_t bytes = wide ? 16 : 12;
    const VkBufferViewGLStateCreateInfoCLAMPLER legacy = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = TOKEN_LUMINANCE};
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    *f = (struct fetching){.dispatches = 1, .reading = *reading};
    open_device(f, layer);
    f->invocations = f->clock == BENCH_WALL ? GPU_INVOCATIONS : CPU_INVOCATIONS;
    /* Where texel buffers are; in the host's memory the bus would be measured. */
    harness_buffer_create_on_device(&f->vk, &f->texels, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                    (VkDeviceSize)TEXELS * bytes);
    for (uint32_t i = 0; i < TEXELS * bytes / 4; i++)
        ((float *)f->texels.map)[i] = (float)(i % 251);
    harness_buffer_create_on_device(&f->vk, &f->sums, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                    (VkDeviceSize)f->invocations * 16);
    f->view = make_view(f, wide ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32G32B32_SFLOAT, bytes, NULL);
    f->other = make_view(f, VK_FORMAT_R32_SFLOAT, 4, layer && wide ? &legacy : NULL);
    f->set_layout = harness_set_layout(&f->vk, bindings, 3);
    f->layout = harness_pipeline_layout(&f->vk, &f->set_layout, 1, 12);
    f->pipeline = harness_compute_pipeline(&f->vk, HARNESS_SPIRV(bench_texels), f->layout);
    f->set = harness_set(&f->vk, f->set_layout);
    write_views(f);
}

static void close_fetching(struct fetching *f)
{
    vkDestroyPipeline(f->vk.device, f->pipeline, NULL);
    harness_layouts_destroy(&f->vk, f->layout, f->set_layout);
    vkDestroyBufferView(f->vk.device, f->view, NULL);
    vkDestroyBufferView(f->vk.device, f->other, NULL);
    harness_buffer_destroy(&f->vk, &f->texels);
    harness_buffer_destroy(&f->vk, &f->sums);
    harness_vulkan_close(&f->vk);
}

/* Milliseconds; a dispatch waits for the one before it. */
static double run(void *subject)
{
    struct fetching *f = subject;
    const uint32_t pushed[3] = {TEXELS - 1, f->reading.apart, f->reading.stride};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    VkCommandBuffer commands = harness_begin(&f->vk);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, f->layout, 0, 1, &f->set, 0, NULL);
    vkCmdPushConstants(commands, f->layout, VK_SHADER_STAGE_ALL, 0, sizeof(pushed), pushed);
    for (uint32_t i = 0; i < f->dispatches; i++) {
        vkCmdDispatch(commands, f->invocations / GROUP, 1, 1);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                             &barrier, 0, NULL, 0, NULL);
    }
    double start = bench_now(f->clock);
    harness_submit(&f->vk, commands);
    return (bench_now(f->clock) - start) / 1e6;
}

static struct pairs measure(bool wide, const struct reading *reading, uint32_t count, char *what, size_t what_size)
{
    static struct fetching plain, layered;
    open_fetching(&plain, false, wide, reading);
    open_fetching(&layered, true, wide, reading);
    run(&plain); /* compiles */
    double ms = run(&plain);
    plain.dispatches = ms * DISPATCHES_MOST < RUN_MS ? DISPATCHES_MOST : ms > RUN_MS ? 1 : (uint32_t)(RUN_MS / ms) + 1;
    layered.dispatches = plain.dispatches;
    snprintf(what, what_size, "%u dispatches, %u fetches each, neighbours %u texels apart", plain.dispatches,
             plain.invocations * FETCHES, reading->apart);
    struct pairs pairs =
        pairs_measure(&(struct pair_params){.run = {run, run}, .subject = {&plain, &layered}, .count = count});
    if (memcmp(plain.sums.map, layered.sums.map, plain.sums.size) != 0)
        harness_fail("texels that the layer reads are others than the driver's");
    if (!harness_counters(&layered.vk).draws[1] || harness_counters(&layered.vk).draws[0])
        harness_fail("texel buffers were not read by tier 1");
    close_fetching(&layered);
    close_fetching(&plain);
    return pairs;
}

void bench_texel_buffers(const struct bench_options *options)
{
    const uint32_t count = bench_count(options, 41, 11, 1);
    struct harness_vulkan probe;
    harness_vulkan_open(&probe, &(struct harness_vulkan_params){.layers = NULL});
    VkFormatProperties rgb32;
    vkGetPhysicalDeviceFormatProperties(probe.physical, VK_FORMAT_R32G32B32_SFLOAT, &rgb32);
    const bool cpu = probe.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    harness_vulkan_close(&probe);

    if (!(rgb32.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT))
        figure_lacking("texelbuffer.rgb32_", "texel buffers of R32G32B32_SFLOAT");
    char what[128];
    const char *time = cpu ? "CPU time" : "wall time";
    if (!cpu) {
        figure_bound_set("texelbuffer.rgb32_ratio", 1.0);
        figure_bound_set("texelbuffer.rgb32_scattered_ratio", 1.0);
    }
    for (unsigned i = 0; i < 2 && (rgb32.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT); i++) {
        struct pairs narrow = measure(false, i == 0 ? &neighbouring : &scattered, count, what, sizeof(what));
        figure_set(i == 0 ? "texelbuffer.rgb32_ratio" : "texelbuffer.rgb32_scattered_ratio", narrow.ratio.median,
                   "%.2f / %.2f ms of %s, %s; ratio in [%.3f, %.3f]", narrow.with.median, narrow.without.median, time,
                   what, narrow.ratio.low, narrow.ratio.high);
    }
    struct pairs wide = measure(true, &neighbouring, count, what, sizeof(what));
    figure_set("texelbuffer.native_tier1_ratio", wide.ratio.median,
               "%.2f / %.2f ms of %s, RGBA32F, %s; ratio in [%.3f, %.3f]", wide.with.median, wide.without.median, time,
               what, wide.ratio.low, wide.ratio.high);
}
