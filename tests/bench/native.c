/* SPDX-License-Identifier: MIT */
/*
 * Draws, binds and descriptor writes beside the real driver, in three worlds: no GL state anywhere, GL samplers beside
 * what is written, and GL samplers in it.
 */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "bench_array.h"

enum { CALLS = 4096, SETS = 32, MANY = 16, ROUNDS_MOST = 6, BUFFER_BYTES = 4096 };

enum world { WORLD_NOTHING, WORLD_BESIDE, WORLD_ASKING, WORLDS };
static const char *const world_names[WORLDS] = {"nothing", "beside", "asking"};

enum binding { COMBINED, IMAGES, SAMPLER, BUFFERS, TEXELS, BINDINGS };
static const struct {
    VkDescriptorType type;
    uint32_t count;
} bindings[BINDINGS] = {
    [COMBINED] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, MANY},
    [IMAGES] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, MANY},
    [SAMPLER] = {VK_DESCRIPTOR_TYPE_SAMPLER, 1},
    [BUFFERS] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, MANY},
    [TEXELS] = {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, MANY},
};

struct native {
    struct side side;
    enum world world;
    VkDescriptorSetLayout layout, push_layout;
    VkPipelineLayout second;      /* of side->set_layout and `layout` */
    VkPipelineLayout push_second; /* of side->set_layout and `push_layout` */
    VkPipeline pipeline;          /* that reads MANY of `layout` beside the side's own set: of `second` */
    VkDescriptorSet sets[SETS];
    VkDescriptorUpdateTemplate templates[2], push_templates[2]; /* of one combined image sampler, and of MANY */
    struct harness_buffer buffer;
    VkBufferView texels;
    VkDescriptorImageInfo infos[SETS][MANY];
    VkDescriptorBufferInfo buffers[MANY];
    VkBufferView views[MANY];
    PFN_vkUpdateDescriptorSetWithTemplate update_with_template;
    PFN_vkCmdPushDescriptorSetKHR push;
    PFN_vkCmdPushDescriptorSetWithTemplateKHR push_with_template;
};

/* One operation on one side; `count` and `binding`: what it writes. */
struct operation {
    const char *name;
    bench_run run;
    enum binding binding;
    uint32_t count;
};
static const struct operation *current;

/* ---- Sides ---- */

static VkDescriptorUpdateTemplate new_template(const struct native *n, uint32_t count, bool push)
{
    const VkDescriptorUpdateTemplateEntry entry = {.dstBinding = COMBINED,
                                                   .descriptorCount = count,
                                                   .descriptorType = bindings[COMBINED].type,
                                                   .stride = sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = push ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                             : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = n->layout,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = n->push_second,
        .set = 1};
    VkDescriptorUpdateTemplate made;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(n->side.vk.device, &info, NULL, &made));
    return made;
}

static VkWriteDescriptorSet write_of(const struct native *n, uint32_t set, const struct operation *operation)
{
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = n->sets[set],
                                  .dstBinding = operation->binding,
                                  .descriptorCount = operation->count,
                                  .descriptorType = bindings[operation->binding].type,
                                  .pImageInfo = n->infos[set],
                                  .pBufferInfo = n->buffers,
                                  .pTexelBufferView = n->views};
}

static void write_set(struct native *n, uint32_t set, const struct operation *operation)
{
    const VkWriteDescriptorSet write = write_of(n, set, operation);
    n->side.update(n->side.vk.device, 1, &write, 0, NULL);
}

static void make_layouts(struct native *n)
{
    VkDescriptorSetLayoutBinding described[BINDINGS];
    for (uint32_t b = 0; b < BINDINGS; b++)
        described[b] =
            (VkDescriptorSetLayoutBinding){b, bindings[b].type, bindings[b].count, VK_SHADER_STAGE_ALL, NULL};
    n->layout = harness_set_layout(&n->side.vk, described, BINDINGS);
    const VkDescriptorSetLayoutCreateInfo push = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = 1,
        .pBindings = described,
    };
    HARNESS_VK(vkCreateDescriptorSetLayout(n->side.vk.device, &push, NULL, &n->push_layout));
    n->second = harness_pipeline_layout(&n->side.vk, (const VkDescriptorSetLayout[]){n->side.set_layout, n->layout}, 2,
                                        SIDE_PUSH_BYTES);
    n->push_second = harness_pipeline_layout(
        &n->side.vk, (const VkDescriptorSetLayout[]){n->side.set_layout, n->push_layout}, 2, SIDE_PUSH_BYTES);
}

static void make_buffers(struct native *n)
{
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .format = VK_FORMAT_R8G8B8A8_UNORM, .range = VK_WHOLE_SIZE};
    harness_buffer_create(&n->side.vk, &n->buffer,
                          VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, BUFFER_BYTES,
                          NULL);
    info.buffer = n->buffer.buffer;
    HARNESS_VK(vkCreateBufferView(n->side.vk.device, &info, NULL, &n->texels));
    for (uint32_t i = 0; i < MANY; i++) {
        n->buffers[i] = (VkDescriptorBufferInfo){n->buffer.buffer, 0, VK_WHOLE_SIZE};
        n->views[i] = n->texels;
    }
}

static void make_sets(struct native *n)
{
    for (uint32_t s = 0; s < SETS; s++) {
        n->sets[s] = harness_set(&n->side.vk, n->layout);
        for (uint32_t i = 0; i < MANY; i++)
            n->infos[s][i] = (VkDescriptorImageInfo){
                n->world == WORLD_ASKING ? n->side.mixtures[(s + i) % SIDE_UNITS]
                                         : n->side.samplers[(s + i) % SIDE_SAMPLERS],
                n->side.textures[(s + i) % SIDE_TEXTURES].view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        for (uint32_t b = 0; b < BINDINGS; b++)
            write_set(n, s, &(struct operation){.binding = b, .count = bindings[b].count});
    }
}

static void open_native(struct native *n, enum side_layers layers, enum world world)
{
    static const char *const push[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    const struct harness_vulkan_params params = {.device_extensions = push, .device_extension_count = 1};
    memset(n, 0, sizeof(*n));
    n->world = world;
    if (world == WORLD_NOTHING)
        side_open_without_gl(&n->side, layers, &params, 16, 16);
    else
        side_open_device(&n->side, layers, &params, 16, 16);
    make_layouts(n);
    n->pipeline = harness_graphics_pipeline(
        &n->side.vk, &n->side.target,
        &(struct harness_graphics_params){.fragment = HARNESS_SPIRV(bench_array), .layout = n->second});
    n->update_with_template = HARNESS_PROC(&n->side.vk, vkUpdateDescriptorSetWithTemplate);
    n->push = HARNESS_PROC(&n->side.vk, vkCmdPushDescriptorSetKHR);
    n->push_with_template = HARNESS_PROC(&n->side.vk, vkCmdPushDescriptorSetWithTemplateKHR);
    for (uint32_t i = 0; i < 2; i++) {
        n->templates[i] = new_template(n, i ? MANY : 1, false);
        n->push_templates[i] = new_template(n, i ? MANY : 1, true);
    }
    make_buffers(n);
    make_sets(n);
}

static void close_native(struct native *n)
{
    const VkDevice device = n->side.vk.device;
    HARNESS_VK(vkDeviceWaitIdle(device));
    for (uint32_t i = 0; i < 2; i++) {
        vkDestroyDescriptorUpdateTemplate(device, n->templates[i], NULL);
        vkDestroyDescriptorUpdateTemplate(device, n->push_templates[i], NULL);
    }
    harness_graphics_pipeline_destroy(&n->side.vk, n->pipeline);
    vkDestroyBufferView(device, n->texels, NULL);
    harness_buffer_destroy(&n->side.vk, &n->buffer);
    vkDestroyPipelineLayout(device, n->second, NULL);
    vkDestroyPipelineLayout(device, n->push_second, NULL);
    vkDestroyDescriptorSetLayout(device, n->layout, NULL);
    vkDestroyDescriptorSetLayout(device, n->push_layout, NULL);
    side_close(&n->side);
}

/* ---- Operations: nanoseconds of one ---- */

static double run_draws(void *subject)
{
    struct native *n = subject;
    struct side *side = &n->side;
    side_begin(side, side->pipeline, n->world == WORLD_ASKING ? side->filtered : side->sets[0],
               (struct side_placement){1, 0});
    side->draw(side->commands, 3, 1, 0, 0);
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        if (current->count)
            side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->layout, 0, 1,
                       n->world == WORLD_ASKING ? &side->filtered : &side->sets[i % SIDE_SETS], 0, NULL);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    const double end = bench_now(BENCH_THREAD);
    side_end(side);
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
    return (end - start) / CALLS;
}

/* Sets of MANY combined image samplers. */
static double run_wide_draws(void *subject)
{
    struct native *n = subject;
    struct side *side = &n->side;
    side_begin_pass(side, n->pipeline, (struct side_placement){1, 0});
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->second, 0, 1, &side->sets[0], 0, NULL);
    side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->second, 1, 1, &n->sets[0], 0, NULL);
    side->draw(side->commands, 3, 1, 0, 0);
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        side->bind(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->second, 1, 1, &n->sets[i % SETS], 0, NULL);
        side->draw(side->commands, 3, 1, 0, 0);
    }
    const double end = bench_now(BENCH_THREAD);
    side_end(side);
    HARNESS_VK(vkResetCommandBuffer(side->commands, 0));
    return (end - start) / CALLS;
}

static double run_updates(void *subject)
{
    struct native *n = subject;
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        write_set(n, i % SETS, current);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static double run_templates(void *subject)
{
    struct native *n = subject;
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        n->update_with_template(n->side.vk.device, n->sets[i % SETS], n->templates[current->count > 1],
                                n->infos[i % SETS]);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static double run_copies(void *subject)
{
    struct native *n = subject;
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++) {
        const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                          .srcSet = n->sets[i % SETS],
                                          .srcBinding = current->binding,
                                          .dstSet = n->sets[(i + 1) % SETS],
                                          .dstBinding = current->binding,
                                          .descriptorCount = current->count};
        n->side.update(n->side.vk.device, 0, NULL, 1, &copy);
    }
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static void push_write(struct native *n, uint32_t set)
{
    const VkWriteDescriptorSet write = write_of(n, set, current);
    n->push(n->side.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, n->push_second, 1, 1, &write);
}

static void push_template(struct native *n, uint32_t set)
{
    n->push_with_template(n->side.commands, n->push_templates[current->count > 1], n->push_second, 1, n->infos[set]);
}

static double run_pushing(struct native *n, void (*push)(struct native *n, uint32_t set))
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkBeginCommandBuffer(n->side.commands, &begin));
    const double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i++)
        push(n, i % SETS);
    const double end = bench_now(BENCH_THREAD);
    HARNESS_VK(vkEndCommandBuffer(n->side.commands));
    HARNESS_VK(vkResetCommandBuffer(n->side.commands, 0));
    return (end - start) / CALLS;
}

static double run_pushes(void *subject)
{
    return run_pushing(subject, push_write);
}

static double run_push_templates(void *subject)
{
    return run_pushing(subject, push_template);
}

static const struct operation operations[] = {
    {"draw", run_draws, COMBINED, 0},
    {"bind", run_draws, COMBINED, 1},
    {"bind16", run_wide_draws, COMBINED, MANY},
    {"combined", run_updates, COMBINED, 1},
    {"combined16", run_updates, COMBINED, MANY},
    {"image", run_updates, IMAGES, 1},
    {"image16", run_updates, IMAGES, MANY},
    {"sampler", run_updates, SAMPLER, 1},
    {"texels", run_updates, TEXELS, 1},
    {"texels16", run_updates, TEXELS, MANY},
    {"buffer", run_updates, BUFFERS, 1},
    {"buffer16", run_updates, BUFFERS, MANY},
    {"template", run_templates, COMBINED, 1},
    {"template16", run_templates, COMBINED, MANY},
    {"push", run_pushes, COMBINED, 1},
    {"push16", run_pushes, COMBINED, MANY},
    {"push_template", run_push_templates, COMBINED, 1},
    {"push_template16", run_push_templates, COMBINED, MANY},
    {"copy", run_copies, COMBINED, 1},
    {"copy16", run_copies, COMBINED, MANY},
};

/* ---- Figures ---- */

/* Ratios of times, by what the operation is: {GPU, CPU}, for drivers whose own writes take a few nanoseconds. */
static void set_bounds(void)
{
    enum { DRAWS, WRITES, SAMPLED, KINDS };
    static const double most[WORLDS][KINDS][2] = {
        [WORLD_NOTHING] = {{1 / 0.95, 1 / 0.95}, {1 / 0.8, 1 / 0.65}, {1 / 0.6, 1 / 0.45}},
        [WORLD_BESIDE] = {{1 / 0.9, 1 / 0.9}, {1 / 0.6, 1 / 0.4}, {1 / 0.6, 1 / 0.4}},
        [WORLD_ASKING] = {{1 / 0.85, 1 / 0.85}, {1 / 0.4, 1 / 0.25}, {1 / 0.4, 1 / 0.25}},
    };
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = NULL});
    const bool cpu = vk.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    harness_vulkan_close(&vk);
    for (enum world world = 0; world < WORLDS; world++) {
        for (uint32_t o = 0; o < sizeof(operations) / sizeof(operations[0]); o++) {
            const struct operation *operation = &operations[o];
            char key[64];
            snprintf(key, sizeof(key), "native.%s.%s_ratio", world_names[world], operation->name);
            figure_bound_set(key, most[world][operation->run == run_draws || operation->run == run_wide_draws ? DRAWS
                                              : operation->binding == IMAGES                                  ? SAMPLED
                                                                             : WRITES][cpu]);
        }
    }
}

/* As calls.c does: several rounds with new devices, in which the two sides take turns. */
void bench_native(const struct bench_options *options)
{
    enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };
    static struct native both[2];
    static struct pairs pairs[OPERATIONS][ROUNDS_MOST];
    const uint32_t rounds = bench_count(options, ROUNDS_MOST, 2, 2), count = bench_count(options, 51, 21, 3);
    set_bounds();
    for (enum world world = 0; world < WORLDS; world++) {
        for (uint32_t round = 0; round < rounds; round++) {
            const uint32_t first = round & 1;
            open_native(&both[0], first ? SIDE_ACTIVE : SIDE_PLAIN, world);
            open_native(&both[1], first ? SIDE_PLAIN : SIDE_ACTIVE, world);
            for (uint32_t o = 0; o < OPERATIONS; o++) {
                current = &operations[o];
                pairs[o][round] = pairs_measure(&(struct pair_params){.run = {current->run, current->run},
                                                                      .subject = {&both[first], &both[!first]},
                                                                      .count = count,
                                                                      .first = first});
            }
            close_native(&both[1]);
            close_native(&both[0]);
        }
        for (uint32_t o = 0; o < OPERATIONS; o++) {
            const struct pairs all = pairs_combine(pairs[o], rounds);
            char key[64];
            snprintf(key, sizeof(key), "native.%s.%s_ratio", world_names[world], operations[o].name);
            figure_set(key, all.ratio.median, "%.1f / %.1f ns; ratio in [%.3f, %.3f]", all.with.median,
                       all.without.median, all.ratio.low, all.ratio.high);
        }
    }
}
