/* SPDX-License-Identifier: MIT */
/* The rewriter's figures come from a program of their own, which links SPIRV-Tools: tests/bench/rewrite. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/figures.h"
#include "harness/device/vulkan.h"

enum { OUTPUT_MAX = 1 << 16 };

/* The program beside this one, or in the folder rewrite beside it. False: neither is there. */
static bool find_program(char *path, size_t size)
{
    static const char *const places[] = {"bench_rewrite", "rewrite/bench_rewrite", "rewrite_bench",
                                         "rewrite/rewrite_bench"};
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        int written = snprintf(path, size, "%s/%s", folder, places[i]);
        if (written > 0 && (size_t)written < size && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Everything that the program prints; a failure of it ends this one. */
static char *output_of(const char *program, const char *arguments)
{
    char command[PATH_MAX + 64];
    char *output = harness_alloc(OUTPUT_MAX, 1);
    int length = snprintf(command, sizeof(command), "'%s' %s", program, arguments);
    if (length < 0 || (size_t)length >= sizeof(command) || strchr(program, '\''))
        harness_fail("the path %s cannot be run", program);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        harness_fail("%s cannot be started", program);
    size_t used = fread(output, 1, OUTPUT_MAX - 1, pipe);
    output[used] = '\0';
    if (pclose(pipe) != 0)
        harness_fail("%s failed", program);
    return output;
}

/* The number behind "key": in a JSON text; false if there is none. */
static bool number_of(const char *json, const char *key, double *number)
{
    char quoted[64];
    snprintf(quoted, sizeof(quoted), "\"%s\"", key);
    const char *at = strstr(json, quoted);
    if (!at)
        return false;
    at += strlen(quoted);
    at += strspn(at, " \t\n:");
    char *end = NULL;
    *number = strtod(at, &end);
    return end != at;
}

void bench_rewriter(const struct bench_options *options)
{
    static const char *const keys[] = {"rewrite.mb_per_s", "rewrite.vs_spirv_opt", "rewrite.pass_through_vs_spirv_opt"};
    char found[PATH_MAX];
    const char *program = options->rewrite;
    if (!program && find_program(found, sizeof(found)))
        program = found;
    if (!program)
        harness_fail("there is no bench_rewrite beside this program");
    char *output = output_of(program, options->size == BENCH_FULL    ? ""
                                      : options->size == BENCH_QUICK ? "--quick"
                                                                     : "--least");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        double value = 0;
        if (!number_of(output, keys[i], &value))
            harness_fail("%s printed no %s", program, keys[i]);
        figure_set(keys[i], value, "measured by %s", strrchr(program, '/') ? strrchr(program, '/') + 1 : program);
    }
    free(output);
}
