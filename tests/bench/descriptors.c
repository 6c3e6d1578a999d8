/* SPDX-License-Identifier: MIT */
/*
 * What writing descriptors costs where samplers are emulated: the look-up of a pair by itself, one write with the cache
 * warm, and how threads that write at once get on with each other.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "bench/lookups.h"
#include "bench/pairs.h"
#include "bench/side.h"
#include "gl/gl_tokens.h"

/* ---- Look-ups ---- */

static void bench_lookups(uint32_t samples)
{
    enum { LOOKUPS = 200000, MOST = 64 };
    char path[PATH_MAX + 32];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    if (length <= 0)
        harness_fail("/proc/self/exe cannot be read");
    path[length] = '\0';
    strcpy(strrchr(path, '/'), "/bench_lookups.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        harness_fail("%s", dlerror());
    const struct bench_lookups_functions *functions = dlsym(library, BENCH_LOOKUPS);
    struct bench_lookups *lookups = functions ? functions->open() : NULL;
    if (!lookups)
        harness_fail("bench_lookups.so lacks something, or memory");
    double values[MOST];
    for (uint32_t i = 0; i < samples && i < MOST; i++)
        values[i] = functions->run(lookups, LOOKUPS);
    struct spread spread = spread_of(values, samples < MOST ? samples : MOST);
    figure_set("resolve.table_ns", spread.median, "another of 128 pairs each time, %.2f to %.2f", spread.low,
               spread.high);
    functions->close(lookups);
    dlclose(library);
}

/* ---- Writes ---- */

enum { CALLS = 8192, WRITES = 256 };

static void fill_writes(const struct side *side, VkDescriptorSet set, VkDescriptorImageInfo *infos,
                        VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < WRITES; i++) {
        infos[i] = (VkDescriptorImageInfo){
            i / SIDE_UNITS & 1 ? side->clamps[i % SIDE_UNITS] : side->mixtures[i % SIDE_UNITS],
            side->textures[i * 3 % SIDE_TEXTURES].view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = set,
                                           .dstBinding = i % SIDE_UNITS,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                           .pImageInfo = &infos[i]};
    }
}

/* Nanoseconds of one write of a sampler that needs tier 1 or 2, where a call has `in_call` of them. */
static double measure_writes(struct side *side, uint32_t in_call)
{
    VkDescriptorImageInfo infos[WRITES];
    VkWriteDescriptorSet writes[WRITES];
    fill_writes(side, side->sets[0], infos, writes);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < CALLS; i += in_call)
        side->update(side->vk.device, in_call, &writes[i % WRITES], 0, NULL);
    return (bench_now(BENCH_THREAD) - start) / CALLS;
}

static double run_sets(void *subject)
{
    return measure_writes(subject, SIDE_UNITS);
}

static double run_single(void *subject)
{
    return measure_writes(subject, 1);
}

static void bench_writes(const struct bench_options *options)
{
    enum { ROUNDS_MOST = 8 };
    static struct side sides[2];
    const uint32_t rounds = bench_count(options, ROUNDS_MOST, 4, 2), count = bench_count(options, 51, 31, 3);
    struct pairs pairs[ROUNDS_MOST], single[ROUNDS_MOST];
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t first = round & 1;
        struct side *places[2] = {&sides[first], &sides[!first]};
        side_open(places[first], first ? SIDE_ACTIVE_NULL : SIDE_NULL, 16, 16);
        side_open(places[!first], first ? SIDE_NULL : SIDE_ACTIVE_NULL, 16, 16);
        pairs[round] = pairs_measure(&(struct pair_params){
            .run = {run_sets, run_sets}, .subject = {places[0], places[1]}, .count = count, .first = first});
        single[round] = pairs_measure(&(struct pair_params){
            .run = {run_single, run_single}, .subject = {places[0], places[1]}, .count = count, .first = first});
        side_close(&sides[1]);
        side_close(&sides[0]);
    }
    struct pairs all = pairs_combine(pairs, rounds);
    figure_set("update.ns", all.added.median,
               "%.1f / %.1f ns a write, four of a set in a call, emulated samplers, null driver; added in [%.2f, %.2f]",
               all.with.median, all.without.median, all.added.low, all.added.high);
    all = pairs_combine(single, rounds);
    figure_beside("update.single_ns", "ns", all.added.median,
                  "%.1f / %.1f ns a call with one write; added in [%.2f, %.2f]", all.with.median, all.without.median,
                  all.added.low, all.added.high);
}

/* ---- Threads ---- */

struct worker {
    struct side *side;
    VkDescriptorSet set;
    pthread_barrier_t *barrier;
    double nanoseconds; /* wall time */
};

static void *work(void *user)
{
    enum { ROUNDS = 400 };
    struct worker *worker = user;
    VkDescriptorImageInfo infos[WRITES];
    VkWriteDescriptorSet writes[WRITES];
    fill_writes(worker->side, worker->set, infos, writes);
    pthread_barrier_wait(worker->barrier);
    double start = bench_now(BENCH_THREAD);
    for (uint32_t i = 0; i < ROUNDS * WRITES; i++)
        worker->side->update(worker->side->vk.device, 1, &writes[i % WRITES], 0, NULL);
    worker->nanoseconds = (bench_now(BENCH_THREAD) - start) / (ROUNDS * WRITES);
    return NULL;
}

/*
 * Nanoseconds of processor time that one write takes while `threads` write at once: what threads lose to each other
 * over shared cache lines and contended locks shows there, whoever else uses the machine.
 */
static double run_threads(struct side *side, uint32_t threads)
{
    enum { MOST = 8 };
    struct worker workers[MOST];
    pthread_t ids[MOST];
    pthread_barrier_t barrier;
    double sum = 0;
    if (pthread_barrier_init(&barrier, NULL, threads))
        harness_fail("no barrier");
    for (uint32_t i = 0; i < threads; i++) {
        workers[i] = (struct worker){.side = side, .set = side->sets[i], .barrier = &barrier};
        if (pthread_create(&ids[i], NULL, work, &workers[i]))
            harness_fail("no thread");
    }
    for (uint32_t i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        sum += workers[i].nanoseconds;
    }
    pthread_barrier_destroy(&barrier);
    return sum / threads;
}

static void bench_threads(uint32_t samples)
{
    enum { MOST = 32 };
    static struct side side;
    double twice[MOST], eightfold[MOST];
    samples = samples < MOST ? samples : MOST;
    side_open(&side, SIDE_ACTIVE_NULL, 16, 16);
    run_threads(&side, 1);
    for (uint32_t i = 0; i < samples; i++) {
        double one = run_threads(&side, 1);
        twice[i] = 2 * one / run_threads(&side, 2);
        eightfold[i] = 8 * one / run_threads(&side, 8);
    }
    struct spread two = spread_of(twice, samples), eight = spread_of(eightfold, samples);
    figure_set("update.scaling_2threads", two.median, "writes of 2 threads at once / of one; %.2f to %.2f", two.low,
               two.high);
    figure_beside("update.scaling_8threads", "x", eight.median, "the same of 8, had each a core; %.2f to %.2f",
                  eight.low, eight.high);
    side_close(&side);
}

/* 10,000 samplers of one state, or as many as the driver allows, with a border colour that needs a driver sampler of
 * its own. */
static void bench_identities(void)
{
    enum { MOST = 10000 };
    static struct side side;
    static VkSampler samplers[MOST];
    side_open(&side, SIDE_ACTIVE, 16, 16);
    const uint32_t allowed = side.vk.properties.limits.maxSamplerAllocationCount;
    const uint32_t count = allowed < MOST + 100 ? allowed - 100 : MOST;
    const VkSamplerGLStateCreateInfoCLAMPLER gl = {.sType = VK_STRUCTURE_TYPE_SAMPLER_GL_STATE_CREATE_INFO_CLAMPLER,
                                                   .wrapS = TOKEN_CLAMP_TO_BORDER,
                                                   .maxLod = 1000,
                                                   .borderColor.float32 = {0.25f, 0.5f, 0.75f, 1.0f}};
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &gl};
    uint64_t before = harness_counters(&side.vk).driver_samplers;
    for (uint32_t i = 0; i < count; i++) {
        samplers[i] = harness_sampler(&side.vk, &info);
        harness_write_image(&side.vk, side.sets[0], 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers[i],
                            side.textures[0].view);
    }
    figure_set("update.driver_samplers", (double)(harness_counters(&side.vk).driver_samplers - before),
               "added for %u samplers of one state with views of one class", count);
    for (uint32_t i = 0; i < count; i++)
        vkDestroySampler(side.vk.device, samplers[i], NULL);
    side_close(&side);
}

void bench_descriptors(const struct bench_options *options)
{
    bench_lookups(bench_count(options, 31, 15, 3));
    bench_identities();
    bench_writes(options);
    bench_threads(bench_count(options, 21, 9, 3));
}
