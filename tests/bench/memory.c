/* SPDX-License-Identifier: MIT */
/*
 * Resident memory that the layer adds. Each count is taken in a process of its own, since a heap that others have used
 * before says nothing: this program starts itself with BENCH_MEMORY_CHILD.
 */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "gl/gl_tokens.h"

enum { PIPELINES = 1000, SETS = 10000, SAMPLERS = 10000, PLACED = 1000000, RECORDS = 10000 };

extern char **environ;

/* ---- The child ---- */

static double resident(void)
{
    unsigned long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu %lu", &size, &pages) != 2)
        harness_fail("/proc/self/statm cannot be read");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void create_pipelines(struct side *side)
{
    for (uint32_t i = 0; i < PIPELINES; i++)
        side_new_pipeline(side);
}

/* Sets of four combined image samplers, each written once, from pools of 100. */
static void create_sets(struct side *side)
{
    enum { A_POOL = 100 };
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, A_POOL * SIDE_UNITS};
    const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = A_POOL,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    for (uint32_t i = 0; i < SETS; i++) {
        static VkDescriptorPool pool;
        VkDescriptorSet set;
        if (i % A_POOL == 0)
            HARNESS_VK(vkCreateDescriptorPool(side->vk.device, &pool_info, NULL, &pool));
        const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = pool,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &side->set_layout};
        HARNESS_VK(vkAllocateDescriptorSets(side->vk.device, &info, &set));
        for (uint32_t u = 0; u < SIDE_UNITS; u++)
            harness_write_image(&side->vk, set, u, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, side->samplers[u],
                                side->textures[u % SIDE_TEXTURES].view);
    }
}

/* Samplers of one state: what the driver makes of each is the same with the layer and without. */
static void create_samplers(struct side *side)
{
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER, .wrapS = TOKEN_CLAMP, .maxLod = 1000};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .pNext = side->active ? &gl : NULL,
                                      .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    for (uint32_t i = 0; i < SAMPLERS; i++) {
        VkSampler sampler = harness_sampler(&side->vk, &info);
        if (i == 0) /* the first meets a view: what its state shares is there from then on */
            harness_write_image(&side->vk, side->sets[0], 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sampler,
                                side->textures[0].view);
    }
}

/* What the child fills with placed descriptors, by its name. */
static const char *const placed_names[BENCH_PLACED_KINDS] = {"placed", "heap", "records"};

/* Prints the bytes that became resident and those the layer says it holds. What was made goes with the process. */
int bench_memory_child(const char *what, const char *layers)
{
    static struct side own;
    struct side *side = &own;
    const bool active = strcmp(layers, "active") == 0;
    enum bench_placed placed = 0;
    while (placed < BENCH_PLACED_KINDS && strcmp(what, placed_names[placed]) != 0)
        placed++;
    if (placed < BENCH_PLACED_KINDS)
        side = bench_placed_open(active, placed);
    else
        side_open(side, active ? SIDE_ACTIVE : SIDE_PLAIN, 16, 16);
    double before = resident(), held = (double)harness_counters(&side->vk).live_bytes;
    if (placed < BENCH_PLACED_KINDS)
        bench_placed_fill(placed, placed == BENCH_PLACED_RECORDS ? RECORDS : PLACED);
    else if (strcmp(what, "pipelines") == 0)
        create_pipelines(side);
    else if (strcmp(what, "samplers") == 0)
        create_samplers(side);
    else
        create_sets(side);
    printf("%.0f %.0f\n", resident() - before, (double)harness_counters(&side->vk).live_bytes - held);
    fflush(stdout);
    _exit(0);
}

/* ---- The parent ---- */

/* The resident bytes; *held: what the layer counted. */
static double run_child(const char *what, const char *layers, double *held)
{
    char path[PATH_MAX];
    int ends[2], status = 0;
    pid_t child;
    double bytes = 0;
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length <= 0 || pipe(ends) != 0)
        harness_fail("this program cannot start itself");
    path[length] = '\0';
    char option[] = BENCH_MEMORY_CHILD, what_copy[16], layers_copy[16];
    snprintf(what_copy, sizeof(what_copy), "%s", what);
    snprintf(layers_copy, sizeof(layers_copy), "%s", layers);
    char *arguments[] = {path, option, what_copy, layers_copy, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int error = posix_spawn(&child, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error)
        harness_fail("this program cannot start itself: %s", strerror(error));
    FILE *file = fdopen(ends[0], "r");
    int read = file ? fscanf(file, "%lf %lf", &bytes, held) : 0;
    if (file)
        fclose(file);
    waitpid(child, &status, 0);
    if (read != 2 || status != 0)
        harness_fail("the process that measures memory of %s failed", what);
    return bytes;
}

struct child {
    const char *what, *layers;
    double held;
};

static double run(void *subject)
{
    struct child *child = subject;
    return run_child(child->what, child->layers, &child->held);
}

/* Placed descriptors are bytes of the program's: the numbers that they carry, and what the layer keeps. */
static void measure_placed(uint32_t count)
{
    static const struct {
        enum harness_sets sets;
        const char *key, *held, *text;
    } kinds[BENCH_PLACED_KINDS] = {
        {HARNESS_SETS_DESCRIPTOR_BUFFER, "memory.bytes_per_1000000_in_buffers", "memory.counted_per_1000000_in_buffers",
         "1,000,000 combined image samplers in a descriptor buffer"},
        {HARNESS_SETS_HEAP, "memory.bytes_per_1000000_in_heaps", "memory.counted_per_1000000_in_heaps",
         "1,000,000 sampled images in a heap"},
        {HARNESS_SETS_HEAP, "memory.bytes_per_10000_records", "memory.counted_per_10000_records",
         "10,000 samplers in a heap, each of another state: records, on lavapipe those of the GPU too, and states"},
    };
    for (enum bench_placed i = 0; i < BENCH_PLACED_KINDS; i++) {
        struct child plain = {placed_names[i], "plain", 0}, active = {placed_names[i], "active", 0};
        if (!bench_has(HARNESS_MONOLITHIC, kinds[i].sets, kinds[i].key))
            continue;
        struct pairs pairs =
            pairs_measure(&(struct pair_params){.run = {run, run}, .subject = {&plain, &active}, .count = count});
        figure_set(kinds[i].key, pairs.added.median, "%.1f / %.1f MB: %s", pairs.with.median / 1e6,
                   pairs.without.median / 1e6, kinds[i].text);
        figure_beside(kinds[i].held, "B", active.held, "what the layer itself says it holds for them");
    }
}

void bench_memory(const struct bench_options *options)
{
    const uint32_t count = bench_count(options, 7, 3, 1);
    static const struct {
        const char *key, *held, *what, *text;
    } kinds[] = {
        {"memory.bytes_per_1000_pipelines", "memory.counted_per_1000_pipelines", "pipelines",
         "1,000 pipelines, each of a module of its own"},
        {"memory.bytes_per_10000_sets", "memory.counted_per_10000_sets", "sets",
         "10,000 sets of 4 samplers, 100 a pool"},
    };
    for (uint32_t i = 0; i < 2; i++) {
        struct child plain = {kinds[i].what, "plain", 0}, active = {kinds[i].what, "active", 0};
        struct pairs pairs =
            pairs_measure(&(struct pair_params){.run = {run, run}, .subject = {&plain, &active}, .count = count});
        figure_set(kinds[i].key, pairs.added.median, "%.1f / %.1f MB of %s; added in [%.1f, %.1f]",
                   pairs.with.median / 1e6, pairs.without.median / 1e6, kinds[i].text, pairs.added.low / 1e6,
                   pairs.added.high / 1e6);
        figure_beside(kinds[i].held, "B", active.held, "what the layer itself says it holds for them");
    }
    struct child plain = {"samplers", "plain", 0}, active = {"samplers", "active", 0};
    struct pairs pairs =
        pairs_measure(&(struct pair_params){.run = {run, run}, .subject = {&plain, &active}, .count = count});
    figure_set("memory.bytes_per_sampler", pairs.added.median / SAMPLERS,
               "%.2f / %.2f MB of 10,000 samplers of one state; added in [%.1f, %.1f] B each", pairs.with.median / 1e6,
               pairs.without.median / 1e6, pairs.added.low / SAMPLERS, pairs.added.high / SAMPLERS);
    measure_placed(count);
}
