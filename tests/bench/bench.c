/* SPDX-License-Identifier: MIT */
/* Side-by-side figures of the layer's costs: a table on standard output and a JSON file. See scripts/bench. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "harness/device/vulkan.h"

static void usage(void)
{
    fprintf(
        stderr,
        "usage: bench FILE.json [--quick|--least] [--only PART] [--rewrite PROGRAM] [--shaders FOLDER] [--strict]\n"
        "  --quick    fewer pairs, for a look\n"
        "  --least    every stage once: does it end? Its numbers say nothing\n"
        "  --only     one of instances, calls, kinds, pipelines, shaders, frames, anisotropy, one_sample, rays,\n"
        "             texel_buffers, rebinding, memory, rewriter, alpha, orders, resolve, descriptors, native, placed, "
        "placed_frames, first,\n"
        "             combinations\n"
        "  --rewrite  the program that measures the rewriter\n"
        "  --shaders  fragment shaders (*.spv) that are measured in the place of those of shaders/bench\n"
        "  --strict   status 1 if a figure that was measured is not met\n");
    exit(2);
}

/* The folder of this program holds the layer below.h describes; the harness adds Clampler's. */
static void add_layer_folder(void)
{
    char folder[PATH_MAX], list[4 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (length <= 0)
        harness_fail("/proc/self/exe cannot be read");
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    const char *name = getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH";
    const char *before = getenv(name);
    snprintf(list, sizeof(list), "%s%s%s", folder, before ? ":" : "", before ? before : "");
    setenv(name, list, 1);
}

static const struct part {
    const char *name;
    void (*run)(const struct bench_options *options);
} parts[] = {
    {"instances", bench_instances},
    {"calls", bench_calls},
    {"kinds", bench_kinds},
    {"pipelines", bench_pipelines},
    {"shaders", bench_shaders},
    {"frames", bench_frames},
    {"anisotropy", bench_anisotropy},
    {"one_sample", bench_one_sample},
    {"rays", bench_rays},
    {"texel_buffers", bench_texel_buffers},
    {"rebinding", bench_rebinding},
    {"memory", bench_memory},
    {"rewriter", bench_rewriter},
    {"alpha", bench_alpha},
    {"orders", bench_orders},
    {"resolve", bench_resolve},
    {"descriptors", bench_descriptors},
    {"native", bench_native},
    {"placed", bench_placed},
    {"placed_frames", bench_placed_frames},
    {"first", bench_first_use},
    {"combinations", bench_combinations},
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

int main(int argc, char **argv)
{
    struct bench_options options = {0};
    const char *file = NULL, *only = NULL;
    bool strict = false;
    add_layer_folder();
    /* What is compiled must be compiled, not found in a cache on disk. */
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
    if (argc == 4 && strcmp(argv[1], BENCH_MEMORY_CHILD) == 0)
        return bench_memory_child(argv[2], argv[3]);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            options.size = BENCH_QUICK;
        else if (strcmp(argv[i], "--least") == 0)
            options.size = BENCH_LEAST;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--rewrite") == 0 && i + 1 < argc)
            options.rewrite = argv[++i];
        else if (strcmp(argv[i], "--shaders") == 0 && i + 1 < argc)
            options.shaders = argv[++i];
        else if (strcmp(argv[i], "--strict") == 0)
            strict = true;
        else if (argv[i][0] != '-' && !file)
            file = argv[i];
        else
            usage();
    }
    if (!file)
        usage();
    /*
     * Keeps the driver loaded: creating instances then costs the layers alone, and not every driver can be loaded any
     * number of times in one process (thread-local storage of a fixed size is not always given back).
     */
    struct harness_vulkan keeper;
    harness_vulkan_open(&keeper, &(struct harness_vulkan_params){.layers = NULL});
    uint32_t ran = 0;
    for (uint32_t i = 0; i < PARTS; i++) {
        if (only && strcmp(only, parts[i].name) != 0)
            continue;
        fprintf(stderr, "bench: %s (%u of %u)\n", parts[i].name, i + 1, PARTS);
        parts[i].run(&options);
        ran++;
    }
    if (!ran)
        usage();
    bench_conditions(&options);
    harness_vulkan_close(&keeper);
    figures_print();
    figures_write(file);
    printf("\n%s; written to %s\n",
           figures_met(true)    ? "every figure is met"
           : figures_met(false) ? "every figure that was measured is met"
                                : "not every figure is met",
           file);
    if (!only && !figures_whole())
        return 1;
    return strict && !figures_met(false);
}
