/* SPDX-License-Identifier: MIT */
/*
 * chaos [--operations N] [--seed S] [--seeds N] [--threads T] [--devices D] [--layers LAYERS] [--replay FILE]
 *       [--shrink FILE] [--without NAMES] [--tiers] [--verbose]: see README.md here.
 *
 * Status 0: every lookup gave what the model says, and the layer counted draws in every tier; 1: not so; 77: there is
 * nothing to run on.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chaos/actors.h"
#include "chaos/devices.h"
#include "chaos/shrink.h"

enum { ENOUGH = 10000 }; /* operations of which some must be emulated */

struct options {
    uint64_t seed;
    size_t operations;
    unsigned seeds, threads, devices, tries;
    const char *layers, *replay, *shrunk;
    bool verbose, tiers;
};

static _Noreturn void usage(const char *wrong)
{
    if (wrong)
        fprintf(stderr, "chaos: %s?\n", wrong);
    fprintf(stderr,
            "chaos [--operations N] [--seed S] [--seeds N] [--threads 1..%d] [--devices 1..%d]\n"
            "      [--layers LAYERS] [--replay FILE] [--shrink FILE] [--tries N] [--without NAMES] [--tiers]\n      "
            "[--verbose]\n",
            CHAOS_THREADS, CHAOS_DEVICES);
    exit(2);
}

static uint64_t number(const char *text)
{
    char *end;
    const uint64_t value = text ? strtoull(text, &end, 0) : 0;
    if (!text || !text[0] || *end)
        usage(text ? text : "a number");
    return value;
}

static struct options options_of(char **arguments)
{
    struct options options = {.seed = 1, .operations = 10000, .seeds = 1, .threads = 1, .devices = 1, .tries = 1};
    for (char **at = arguments; *at; at++) {
        const char *name = *at, *value = at[1];
        if (strcmp(name, "--verbose") == 0) {
            options.verbose = true;
            continue;
        }
        if (strcmp(name, "--tiers") == 0) {
            options.tiers = true;
            continue;
        }
        if (strcmp(name, "--operations") == 0)
            options.operations = number(value);
        else if (strcmp(name, "--seed") == 0)
            options.seed = number(value);
        else if (strcmp(name, "--seeds") == 0)
            options.seeds = (unsigned)number(value);
        else if (strcmp(name, "--threads") == 0)
            options.threads = (unsigned)number(value);
        else if (strcmp(name, "--devices") == 0)
            options.devices = (unsigned)number(value);
        else if (strcmp(name, "--tries") == 0)
            options.tries = (unsigned)number(value);
        else if (strcmp(name, "--layers") == 0 && value)
            options.layers = value;
        else if (strcmp(name, "--replay") == 0 && value)
            options.replay = value;
        else if (strcmp(name, "--shrink") == 0 && value)
            options.shrunk = value;
        else if (strcmp(name, "--without") == 0 && value)
            setenv("CHAOS_WITHOUT", value, 1);
        else
            usage(name);
        at++;
    }
    if (!options.threads || options.threads > CHAOS_THREADS || !options.devices || options.devices > CHAOS_DEVICES)
        usage("so many threads or devices");
    if (options.layers)
        harness_skip_where_dropped(options.layers);
    else
        options.layers = harness_test_layers("clampler");
    return options;
}

/* ---- Running ---- */

struct totals {
    struct clampler_counters counters;
    uint64_t compared, dispatched, left_out;
    uint64_t placed, placed_drew[2][3], object_draws[3];
    uint64_t performed[OPERATIONS], binaries, refused_binaries, compile_required;
    uint64_t seen[SEEN_KINDS];
    bool fetches, queries;                /* some device has them */
    bool texture_states, orders, offered; /* likewise */
    bool window_at_once;                  /* of some device it was full before anything was made */
    uint64_t ordered, judged_comparisons, window_fills;
    bool unemulated; /* placed sets of some device were only drawn with in another tier than samplers ask for */
};

static void add_totals(struct totals *totals, const struct device *device)
{
    const struct clampler_counters counters = harness_counters(&device->vk);
    totals->fetches |= device->fetches;
    totals->queries |= device->queries;
    totals->texture_states |= device->texture_states;
    totals->orders |= device->orders;
    totals->offered |= device->offered;
    for (unsigned i = 0; i < 3; i++) {
        totals->counters.draws[i] += counters.draws[i];
        totals->counters.pipelines[i] += counters.pipelines[i];
    }
    totals->counters.outgrown_submits += counters.outgrown_submits;
    totals->counters.push_sets_converted += counters.push_sets_converted;
    totals->counters.records_written += counters.records_written;
    totals->counters.outputs_moved += counters.outputs_moved;
    totals->counters.samplers_surplus += counters.samplers_surplus;
    totals->counters.pairs_common += counters.pairs_common;
    totals->counters.memory_fallbacks += counters.memory_fallbacks;
    totals->window_fills += device->window_fills;
    for (unsigned i = 0; i < device->actor_count; i++) {
        totals->compared += device->actors[i].compared;
        totals->dispatched += device->actors[i].dispatched;
        totals->left_out += device->actors[i].left_out;
        totals->placed += device->actors[i].placed_operations;
        totals->binaries += device->actors[i].binaries;
        totals->refused_binaries += device->actors[i].refused_binaries;
        totals->compile_required += device->actors[i].compile_required;
        totals->ordered += device->actors[i].ordered;
        totals->judged_comparisons += device->actors[i].judged_comparisons;
        for (unsigned kind = 0; kind < OPERATIONS; kind++)
            totals->performed[kind] += device->actors[i].performed[kind];
        for (unsigned kind = 0; kind < SEEN_KINDS; kind++)
            totals->seen[kind] += device->actors[i].seen[kind];
        for (unsigned tier = 0; tier < 3; tier++) {
            totals->object_draws[tier] += device->actors[i].object_draws[tier];
            for (unsigned kind = 0; kind < 2; kind++)
                totals->placed_drew[kind][tier] += device->actors[i].placed_drew[kind][tier];
        }
    }
}

static void add_placed(struct totals *totals, const struct device *device)
{
    const bool has[2] = {device->buffers, device->heaps};
    const unsigned asked = device->mild ? 1 : 2;
    for (unsigned kind = 0; kind < 2; kind++) {
        uint64_t drew = 0;
        for (unsigned i = 0; i < device->actor_count; i++)
            drew += device->actors[i].placed_drew[kind][asked];
        totals->unemulated |= has[kind] && device->gl && device->actor_count == 1 && !drew;
    }
}

/* What came last to the chaos has run: seen by the model, and counted by the layer. */
static void judge_capabilities(const struct totals *totals)
{
    const struct clampler_counters *counters = &totals->counters;
    if (totals->texture_states && !(totals->seen[SEEN_INCOMPLETE] && totals->seen[SEEN_BORDERED]))
        chaos_fail(NULL, "%" PRIu64 " lookups of incomplete textures and %" PRIu64 " of border texels were compared",
                   totals->seen[SEEN_INCOMPLETE], totals->seen[SEEN_BORDERED]);
    if (totals->ordered && !counters->outputs_moved)
        chaos_fail(NULL, "no shader moved outputs in %" PRIu64 " draws to channels in other orders", totals->ordered);
    if (totals->offered && !(totals->seen[SEEN_OFFERED] && counters->samplers_surplus))
        chaos_fail(NULL,
                   "%" PRIu64 " lookups through offered samplers were compared; %" PRIu64 " samplers were surplus",
                   totals->seen[SEEN_OFFERED], counters->samplers_surplus);
    if (totals->window_at_once && !counters->memory_fallbacks)
        chaos_fail(NULL, "the window was full from the beginning, and the layer took no other memory");
}

/* `asked`: draws in both emulated tiers; `enough`: in one of them, as samplers of some seeds ask for one only. */
static void judge(bool asked, bool enough, const struct totals *totals)
{
    const struct clampler_counters *counters = &totals->counters;
    const bool emulated = counters->draws[1] && counters->draws[2];
    if (counters->outgrown_submits)
        chaos_fail(NULL, "%" PRIu64 " submissions were outgrown", counters->outgrown_submits);
    if ((asked && !emulated) || (enough && !(counters->draws[1] + counters->draws[2])))
        chaos_fail(NULL, "%" PRIu64 " draws in tier 1 and %" PRIu64 " in tier 2: the emulation did not run",
                   counters->draws[1], counters->draws[2]);
    if (enough && ((totals->fetches && !totals->seen[SEEN_FETCH]) || (totals->queries && !totals->seen[SEEN_QUERY])))
        chaos_fail(NULL, "%" PRIu64 " fetches and %" PRIu64 " queries of levels were compared",
                   totals->seen[SEEN_FETCH], totals->seen[SEEN_QUERY]);
    if (asked || enough)
        judge_capabilities(totals);
    if (enough && totals->unemulated)
        chaos_fail(NULL, "no draw with descriptors in buffers, or in heaps, was in the tier that samplers ask for");
}

static void print_more(const struct totals *totals)
{
    const uint64_t(*placed)[3] = totals->placed_drew, *objects = totals->object_draws;
    printf("  %" PRIu64 " placed operations; by tier %" PRIu64 " %" PRIu64 " %" PRIu64
           " with descriptor buffers, %" PRIu64 " %" PRIu64 " %" PRIu64 " with heaps, %" PRIu64 " %" PRIu64 " %" PRIu64
           " draws with shader objects\n",
           totals->placed, placed[0][0], placed[0][1], placed[0][2], placed[1][0], placed[1][1], placed[1][2],
           objects[0], objects[1], objects[2]);
    printf("  times 16: %" PRIu64 " fetches (%" PRIu64 " through samplers that do not decode), %" PRIu64
           " queries of levels, %" PRIu64 " lookups through views of some levels, %" PRIu64
           " through views with a least level\n",
           totals->seen[SEEN_FETCH], totals->seen[SEEN_UNDECODED], totals->seen[SEEN_QUERY], totals->seen[SEEN_FIRST],
           totals->seen[SEEN_LEAST]);
    printf("  times 16: %" PRIu64 " of incomplete textures, %" PRIu64 " of border texels, %" PRIu64
           " through cubic filters, %" PRIu64 " through offered samplers (%" PRIu64 " anisotropic); %" PRIu64
           " draws to other orders (%" PRIu64 " variants moved outputs), %" PRIu64 " textures compared; %" PRIu64
           " samplers surplus, %" PRIu64 " pairs with common ones; window full %" PRIu64 " times, %" PRIu64
           " blocks of other memory\n",
           totals->seen[SEEN_INCOMPLETE], totals->seen[SEEN_BORDERED], totals->seen[SEEN_CUBIC],
           totals->seen[SEEN_OFFERED], totals->seen[SEEN_ANISOTROPIC], totals->ordered, totals->counters.outputs_moved,
           totals->judged_comparisons, totals->counters.samplers_surplus, totals->counters.pairs_common,
           totals->window_fills, totals->counters.memory_fallbacks);
    printf("  performed:");
    for (unsigned kind = 0; kind < OPERATION_SHARE; kind++)
        printf(" %s %" PRIu64, operation_name((enum operation_kind)kind), totals->performed[kind]);
    printf("; %" PRIu64 " binaries taken, %" PRIu64 " refused, %" PRIu64 " pipelines not compiled\n", totals->binaries,
           totals->refused_binaries, totals->compile_required);
}

static void perform(const struct operations *operations, const struct options *options, bool said)
{
    static struct device devices[CHAOS_DEVICES];
    struct totals totals = {.compared = 0};
    const bool checked = strstr(options->layers, "validation") != NULL;
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (unsigned i = 0; i < operations->devices; i++) {
        device_open(&devices[i], i, options->layers, operations, said && !i);
        totals.window_at_once |= devices[i].window_fills > 0;
    }
    harness_messages_reset();
    harness_messages_excuse(EXCUSE_FILTERS); /* of what only shaders bring together */
    actors_perform(devices, operations, checked, options->verbose);
    for (unsigned i = 0; i < operations->devices; i++) {
        add_totals(&totals, &devices[i]);
        add_placed(&totals, &devices[i]);
        device_close(&devices[i]);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (checked && harness_messages())
        chaos_fail(NULL, "the validation layer said something");
    printf("seed %" PRIu64 ": %zu operations (%" PRIu64 " left out) by %u threads on %u devices in %.1f s, %" PRIu64
           " dispatches, %" PRIu64 " lookups compared; draws by tier %" PRIu64 " %" PRIu64 " %" PRIu64
           ", pipelines %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           operations->seed, operations->count, totals.left_out, operations->devices * operations->threads,
           operations->devices, (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9,
           totals.dispatched, totals.compared, totals.counters.draws[0], totals.counters.draws[1],
           totals.counters.draws[2], totals.counters.pipelines[0], totals.counters.pipelines[1],
           totals.counters.pipelines[2]);
    if (operations->more)
        print_more(&totals);
    fflush(stdout);
    judge(options->tiers, operations->count >= ENOUGH && strstr(options->layers, "clampler"), &totals);
}

static int shrink_it(struct operations *operations, const struct options *options)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    if (length <= 0)
        harness_fail("the program does not find itself");
    program[length] = '\0';
    const struct shrink_params params = {.program = program,
                                         .layers = options->layers,
                                         .file = options->shrunk,
                                         .tries = options->tries,
                                         .timeout_seconds = 600};
    if (!shrink(operations, &params)) {
        printf("chaos: it does not fail\n");
        return 0;
    }
    printf("chaos: %s has the %zu operations that are left\n", options->shrunk, operations->count);
    return 1;
}

/*
 * Lists of before shader objects drew, and descriptors were in buffers and heaps, are had by --without more; those of
 * before there were fetches, queried levels and views of some levels by --without lookups, and of before cubic filters,
 * textures' states, orders of channels and offered extensions by --without capabilities.
 */
static bool wanted(const char *name)
{
    const char *without = getenv("CHAOS_WITHOUT");
    return !without || !strstr(without, name);
}

int main(int count, char **arguments)
{
    (void)count;
    const struct options options = options_of(arguments + 1);
    int status = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);  /* what was said is there when the process crashes */
    setenv("GALLIVM_PERF", "nopt", 0); /* compiling is most of what llvmpipe has to do here: without optimisation */
    devices_try_driver();
    harness_vulkan_hold_driver();
    actors_note_crashes();
    for (unsigned i = 0; i < (options.replay ? 1 : options.seeds) && !status; i++) {
        struct operations operations;
        if (options.replay) {
            if (!operations_read(&operations, options.replay))
                return 2;
        } else {
            printf("seed %" PRIu64 "\n", options.seed + i);
            fflush(stdout);
            operations_generate(&operations, options.seed + i, options.devices, options.threads, wanted("more"),
                                wanted("more") && wanted("lookups"),
                                wanted("more") && wanted("lookups") && wanted("capabilities"), options.operations);
        }
        if (options.shrunk)
            status = shrink_it(&operations, &options);
        else
            perform(&operations, &options, i == 0);
        free(operations.list);
    }
    return status;
}
