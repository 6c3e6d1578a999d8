/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing, whose shaders have tier 2 for good (layer/pipelines/creation/create_rays.c), against the program's own
 * code: with samplers that ask for nothing, with GL_CLAMP and with filters that differ.
 */
#include <math.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench/timer.h"
#include "bench_rays_generation.h"
#include "bench_rays_hit.h"
#include "bench_rays_hit_one.h"
#include "bench_rays_miss.h"
#include "harness/drawing/rays.h"

enum { SIZE_CPU = 64, SIZE_GPU = 512, TRACES_MOST = 1024, TRACES_MS = 25 };

struct traced {
    struct side side;
    struct harness_world world;
    struct harness_buffer pixels;
    VkDescriptorSetLayout set_layouts[2];
    VkPipelineLayout layout;
    VkDescriptorPool pool; /* of the second set */
    VkDescriptorSet sets[2];
    VkPipeline pipelines[2]; /* of 16 lookups a ray, and of one */
    struct harness_rays_table tables[2];
    struct timer timer;
    uint32_t size, traces;
};

static void open_sets(struct traced *traced)
{
    struct harness_vulkan *vk = &traced->side.vk;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, RAYS_STAGES, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, RAYS_STAGES, NULL}};
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
    traced->set_layouts[0] = traced->side.set_layout;
    traced->set_layouts[1] = harness_set_layout(vk, bindings, 2);
    traced->layout = harness_pipeline_layout(vk, traced->set_layouts, 2, 4 * sizeof(float));
    HARNESS_VK(vkCreateDescriptorPool(vk->device, &pool_info, NULL, &traced->pool));
    const VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = traced->pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &traced->set_layouts[1]};
    HARNESS_VK(vkAllocateDescriptorSets(vk->device, &set_info, &traced->sets[1]));
    const VkWriteDescriptorSetAccelerationStructureKHR structure = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &traced->world.top.structure};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &structure,
                                        .dstSet = traced->sets[1],
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
    harness_buffer_create_on_device(vk, &traced->pixels, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                    (VkDeviceSize)traced->size * traced->size * 4 * sizeof(float));
    harness_write_buffer(vk, traced->sets[1], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, traced->pixels.buffer);
}

static void open_traced(struct traced *traced, enum side_layers layers)
{
    const struct harness_vulkan_params params = {.device_extensions = harness_rays_extensions,
                                                 .device_extension_count = HARNESS_RAYS_EXTENSIONS,
                                                 .device_next = harness_rays_features()};
    struct harness_vulkan *vk = &traced->side.vk;
    side_open_device(&traced->side, layers, &params, 1, 1);
    traced->size = vk->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ? SIZE_CPU : SIZE_GPU;
    traced->traces = 1;
    timer_open(&traced->timer, vk);
    harness_world_create(vk, &traced->world);
    open_sets(traced);
    for (uint32_t i = 0; i < 2; i++) {
        const struct harness_rays_params pipeline = {
            .code = {HARNESS_SPIRV(bench_rays_generation), HARNESS_SPIRV(bench_rays_miss),
                     i ? HARNESS_SPIRV(bench_rays_hit_one) : HARNESS_SPIRV(bench_rays_hit)},
            .count = RAYS_GROUPS,
            .layout = traced->layout};
        traced->pipelines[i] = harness_rays_pipeline(vk, &pipeline);
        harness_rays_table_create(vk, traced->pipelines[i], &traced->tables[i]);
    }
}

static void close_traced(struct traced *traced)
{
    struct harness_vulkan *vk = &traced->side.vk;
    for (uint32_t i = 0; i < 2; i++) {
        harness_rays_table_destroy(vk, &traced->tables[i]);
        vkDestroyPipeline(vk->device, traced->pipelines[i], NULL);
    }
    vkDestroyPipelineLayout(vk->device, traced->layout, NULL);
    vkDestroyDescriptorPool(vk->device, traced->pool, NULL);
    vkDestroyDescriptorSetLayout(vk->device, traced->set_layouts[1], NULL);
    harness_buffer_destroy(vk, &traced->pixels);
    harness_world_destroy(vk, &traced->world);
    timer_close(&traced->timer, vk);
    side_close(&traced->side);
}

/* One texture across the picture, minified between two levels; one pixel in nine or so lies outside of it. */
static void record(struct traced *traced, VkDescriptorSet set, uint32_t which)
{
    struct harness_vulkan *vk = &traced->side.vk;
    VkCommandBuffer commands = traced->side.commands;
    const float scale = 1.0625f / (float)traced->size, push[4] = {scale, scale, -1 / 32.f, -1 / 32.f};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    traced->sets[0] = set;
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, traced->pipelines[which]);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, traced->layout, 0, 2, traced->sets, 0,
                            NULL);
    vkCmdPushConstants(commands, traced->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
    timer_start(&traced->timer, commands);
    for (uint32_t i = 0; i < traced->traces; i++)
        harness_rays_trace(vk, &traced->tables[which], commands, traced->size, traced->size);
    timer_stop(&traced->timer, commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
}

static double run(void *subject)
{
    struct traced *traced = subject;
    return timer_run(&traced->timer, &traced->side);
}

enum samplers { PLAIN, CLAMPED, FILTERED };

static VkDescriptorSet set_of(const struct side *side, enum samplers samplers)
{
    return samplers == PLAIN ? side->sets[0] : samplers == CLAMPED ? side->clamped : side->filtered;
}

static struct pairs measure(struct traced *plain, struct traced *active, enum samplers samplers, uint32_t which,
                            uint32_t count)
{
    plain->traces = active->traces = 1;
    record(plain, set_of(&plain->side, samplers), which);
    run(plain);
    const double ms = run(plain);
    plain->traces = active->traces = ms > 0 ? (uint32_t)fmin(fmax(TRACES_MS / ms, 1), TRACES_MOST) : TRACES_MOST;
    record(plain, set_of(&plain->side, samplers), which);
    record(active, set_of(&active->side, samplers), which);
    return pairs_measure(&(struct pair_params){.run = {run, run}, .subject = {plain, active}, .count = count});
}

static bool is_there(void)
{
    for (uint32_t i = 0; i < HARNESS_RAYS_EXTENSIONS; i++) {
        if (harness_driver_has(harness_rays_extensions[i]))
            continue;
        figure_lacking("rays.", harness_rays_extensions[i]);
        return false;
    }
    return true;
}

void bench_rays(const struct bench_options *options)
{
    static struct traced plain, active;
    static const struct {
        const char *key, *what;
        enum samplers samplers;
        uint32_t which;
    } others[] = {
        {"rays.trace_ratio.one", "one lookup a ray, plain samplers", PLAIN, 1},
        {"rays.trace_ratio.clamped", "GL_CLAMP", CLAMPED, 0},
        {"rays.trace_ratio.clamped_one", "GL_CLAMP, one lookup a ray", CLAMPED, 1},
        {"rays.trace_ratio.filtered", "GL_CLAMP with filters that differ", FILTERED, 0},
    };
    const uint32_t count = bench_count(options, 41, 11, 1);
    if (!is_there())
        return;
    open_traced(&plain, SIDE_PLAIN);
    open_traced(&active, SIDE_ACTIVE);
    const struct pairs pairs = measure(&plain, &active, PLAIN, 0, count);
    figure_set("rays.trace_ratio", pairs.ratio.median,
               "%.2f / %.2f ms of %s, %ux%u rays %u times, plain samplers, 16 lookups a ray; ratio in [%.3f, %.3f]",
               pairs.with.median, pairs.without.median, timer_name(&plain.timer), plain.size, plain.size, plain.traces,
               pairs.ratio.low, pairs.ratio.high);
    for (uint32_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const struct pairs other = measure(&plain, &active, others[i].samplers, others[i].which, count);
        figure_beside(others[i].key, "x", other.ratio.median, "%.2f / %.2f ms, %s", other.with.median,
                      other.without.median, others[i].what);
    }
    const struct clampler_counters counters = harness_counters(&active.side.vk);
    if (!counters.draws[2] || counters.draws[0] + counters.draws[1])
        harness_fail("rays were not traced at tier 2 alone");
    close_traced(&active);
    close_traced(&plain);
}
