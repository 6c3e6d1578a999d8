/* SPDX-License-Identifier: MIT */
/*
 * The parts of the benchmark. Each measures one family of figures, interleaved, and sets them (figures.h); each opens
 * and closes its own devices. A failure ends the process with status 1.
 */
#ifndef CLAMPLER_BENCH_BENCH_H
#define CLAMPLER_BENCH_BENCH_H

#include <stdbool.h>

#include "harness/device/vulkan.h"

struct side;

enum bench_size { BENCH_FULL, BENCH_QUICK, BENCH_LEAST, BENCH_SIZES };

struct bench_options {
    enum bench_size size; /* quick: fewer pairs, for a look; least: does every stage end? Its numbers say nothing */
    const char
        *rewrite; /* the program that measures the rewriter; NULL: the one beside this program, if there is one */
    const char *shaders; /* a folder of *.spv that bench_shaders() measures in the place of its own; NULL: none */
};

/* How often something is done, by size. */
static inline uint32_t bench_count(const struct bench_options *options, uint32_t full, uint32_t quick, uint32_t least)
{
    return (const uint32_t[BENCH_SIZES]){full, quick, least}[options->size];
}

/* calls.c: inert.{draw,bind,update}_ratio, tier0.{draw,bind,update}_ns */
void bench_calls(const struct bench_options *options);

/* calls.c: linked.*_ratio and objects.*_ratio of calls */
void bench_kinds(const struct bench_options *options);
/* What the driver lacks for them is not measured, and that is said of all figures with the prefix. */
bool bench_has(enum harness_linking kind, enum harness_sets sets, const char *prefix);

/* creation.c: inert.create_ms; the driver stays loaded meanwhile, the layer is loaded anew each time. */
void bench_instances(const struct bench_options *options);
/* creation.c: pipeline_create_ratio of every tier */
void bench_pipelines(const struct bench_options *options);

/* shaders.c: tier2.shaders_ratio */
void bench_shaders(const struct bench_options *options);

/* first.c: first.* */
void bench_first_use(const struct bench_options *options);

/* combinations.c: combinations.*; the bound depends on the driver */
void bench_combinations(const struct bench_options *options);

/* frame.c: tier1.frame_ratio, linked.frame_ratio, objects.frame_ratio */
void bench_frames(const struct bench_options *options);

/* frame.c: anisotropy.*, probes of tier 2 beside the driver's own anisotropic filter */
void bench_anisotropy(const struct bench_options *options);

/* one_sample.c: one_sample.* */
void bench_one_sample(const struct bench_options *options);

/* rays.c: rays.trace_ratio */
void bench_rays(const struct bench_options *options);

/* texel_buffer.c: texelbuffer.*; on a GPU the bounds of RGB32 are 1.0 */
void bench_texel_buffers(const struct bench_options *options);

/* rebind.c: rebind.* */
void bench_rebinding(const struct bench_options *options);

/* memory.c: memory.*, in processes of their own: this program with the argument BENCH_MEMORY_CHILD */
void bench_memory(const struct bench_options *options);
#define BENCH_MEMORY_CHILD "--memory-child"
int bench_memory_child(const char *what, const char *layers);

/* rewriter.c: rewrite.*, by the program of tests/bench/rewrite */
void bench_rewriter(const struct bench_options *options);

/* resolve.c: resolve.miss_ns */
void bench_resolve(const struct bench_options *options);

/* alpha.c: alpha.draw_ns, alpha.switch_ns, alpha.frame_ratio */
void bench_alpha(const struct bench_options *options);
/* orders.c: orders.frame_ratio, orders.compiled_after_warmup */
void bench_orders(const struct bench_options *options);

/* descriptors.c: resolve.table_ns, update.* */
void bench_descriptors(const struct bench_options *options);

/* native.c: native.WORLD.OPERATION_ratio, beside the real driver */
void bench_native(const struct bench_options *options);

/* placed.c: app.*, of descriptors in buffers and heaps */
void bench_placed(const struct bench_options *options);
void bench_placed_frames(const struct bench_options *options);
/*
 * For memory.c: a device, and on it so many descriptors, all written. Both live until the process ends.
 */
enum bench_placed {
    BENCH_PLACED_BUFFER,  /* combined image samplers in a descriptor buffer */
    BENCH_PLACED_HEAP,    /* sampled images in a heap */
    BENCH_PLACED_RECORDS, /* samplers in a heap, each of another state */
    BENCH_PLACED_KINDS
};
struct side *bench_placed_open(bool active, enum bench_placed what);
void bench_placed_fill(enum bench_placed what, uint32_t count);

/* conditions.c: device, driver, the layer's mode, the machine */
void bench_conditions(const struct bench_options *options);

#endif
