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

enum { CALLS = 4096, SETS = 32, MANY = 16, ROUNDS_MOST = 6 };

enum world { WORLD_NOTHING, WORLD_BESIDE, WORLD_ASKING, WORLDS };
static const char *const world_names[WORLDS] = {"nothing", "beside", "asking"};

enum binding { COMBINED, IMAGES, SAMPLER };
static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                         VK_DESCRIPTOR_TYPE_SAMPLER};

struct native {
    struct side side;
    enum world world;
    VkDescriptorSetLayout layout;
    VkDescriptorSet sets[SETS];
    VkDescriptorUpdateTemplate templates[2]; /* of one combined image sampler, and of MANY */
    VkDescriptorImageInfo infos[SETS][MANY];
    PFN_vkUpdateDescriptorSetWithTemplate update_with_template;
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

static VkDescriptorUpdateTemplate new_template(const struct native *n, uint32_t count)
{
    const VkDescriptorUpdateTemplateEntry entry = {.dstBinding = COMBINED,
                                                   .descriptorCount = count,
                                                   .descriptorType = types[COMBINED],
                                                   .stride = sizeof(VkDescriptorImageInfo)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = n->layout};
    VkDescriptorUpdateTemplate made;
    HARNESS_VK(vkCreateDescriptorUpdateTemplate(n->side.vk.device, &info, NULL, &made));
    return made;
}

static void write_set(struct native *n, uint32_t set, const struct operation *operation)
{
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = n->sets[set],
                                        .dstBinding = operation->binding,
                                        .descriptorCount = operation->count,
                                        .descriptorType = types[operation->binding],
                                        .pImageInfo = n->infos[set]};
    n->side.update(n->side.vk.device, 1, &write, 0, NULL);
}

static void open_native(struct native *n, enum side_layers layers, enum world world)
{
    static const uint32_t counts[] = {MANY, MANY, 1};
    VkDescriptorSetLayoutBinding bindings[3];
    memset(n, 0, sizeof(*n));
    n->world = world;
    if (world == WORLD_NOTHING)
        side_open_without_gl(&n->side, layers, 16, 16);
    else
        side_open(&n->side, layers, 16, 16);
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], counts[i], VK_SHADER_STAGE_ALL, NULL};
    n->layout = harness_set_layout(&n->side.vk, bindings, 3);
    n->update_with_template = HARNESS_PROC(&n->side.vk, vkUpdateDescriptorSetWithTemplate);
    n->templates[0] = new_template(n, 1);
    n->templates[1] = new_template(n, MANY);
    for (uint32_t s = 0; s < SETS; s++) {
        n->sets[s] = harness_set(&n->side.vk, n->layout);
        for (uint32_t i = 0; i < MANY; i++)
            n->infos[s][i] = (VkDescriptorImageInfo){world == WORLD_ASKING ? n->side.mixtures[(s + i) % SIDE_UNITS]
                                                                           : n->side.samplers[(s + i) % SIDE_SAMPLERS],
                                                     n->side.textures[(s + i) % SIDE_TEXTURES].view,
                                                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        for (uint32_t b = 0; b < 3; b++)
            write_set(n, s, &(struct operation){.binding = b, .count = counts[b]});
    }
}

static void close_native(struct native *n)
{
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyDescriptorUpdateTemplate(n->side.vk.device, n->templates[i], NULL);
    vkDestroyDescriptorSetLayout(n->side.vk.device, n->layout, NULL);
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

static const struct operation operations[] = {
    {"draw", run_draws, COMBINED, 0},
    {"bind", run_draws, COMBINED, 1},
    {"combined", run_updates, COMBINED, 1},
    {"combined16", run_updates, COMBINED, MANY},
    {"image", run_updates, IMAGES, 1},
    {"image16", run_updates, IMAGES, MANY},
    {"sampler", run_updates, SAMPLER, 1},
    {"template", run_templates, COMBINED, 1},
    {"template16", run_templates, COMBINED, MANY},
    {"copy", run_copies, COMBINED, 1},
};

/* ---- Figures ---- */

/* As calls.c does: several rounds with new devices, in which the two sides take turns. */
void bench_native(const struct bench_options *options)
{
    enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };
    static struct native both[2];
    static struct pairs pairs[OPERATIONS][ROUNDS_MOST];
    const uint32_t rounds = options->quick ? 2 : ROUNDS_MOST, count = options->quick ? 21 : 51;
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
