/* SPDX-License-Identifier: MIT */
/*
 * Random programs, drawn by OpenGL and by Vulkan under the layer, and compared. See README.md, and --help.
 *
 * The process opens nothing itself: each share of programs is drawn by a process of its own (drivers leak, and crash),
 * and what it came to lies in memory that both have.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"
#include "shrink.h"
#include "voices.h"

enum {
    JOBS_MAX = 64,
    SKIPPED = 77,
    FAILURES_MOST = 5,
    SHRINK_SECONDS = 60,
    LEAST_PART = 24,
    LEFT_OUT_MOST = 6, /* paints of a program */
    LATE_SECONDS = 30,
    CLOSING_SECONDS = 180
};

static const char help[] =
    "random_programs [OPTIONS]: draws random programs with OpenGL and with Vulkan under the layer, and compares\n"
    "\n"
    "  --seed S         draws them from seed S (1)\n"
    "  --first N        begins with program N of the seed (0)\n"
    "  --programs N     draws N programs\n"
    "  --lookups N      draws until N lookups have been compared (1000000); a lookup is one of a pixel, vertex or "
    "invocation\n"
    "  --seconds T      ends after T seconds, whatever has been drawn; 30 later processes are ended\n"
    "  --jobs J         draws in J processes (2)\n"
    "  --share N        programs of a process (24)\n"
    "  --standard       what Vulkan has words for, by those alone: above a driver that lacks it, with the setting "
    "offer=missing\n"
    "  --driver TEXT    ends with 77 where Vulkan's driver is one whose name and version lack that text; up to 4 of "
    "them\n"
    "  --all-manners    fails where the driver has a binding or a pipeline that nothing was drawn with\n"
    "  --layers NAMES   clampler; clampler:validation has the layer's calls checked\n"
    "  --program FILE   draws that program alone, as a failure prints it\n"
    "  --print N        prints program N, or --programs from N on, and draws nothing\n"
    "  --no-shrink      leaves failing programs as they are\n"
    "  --until-failure  ends with 0 when a program disagrees, with 1 where none does: for planted faults\n"
    "  --measured FILE  reads there what was measured of the drivers; where there is no such file, measures, writes it "
    "and "
    "ends\n"
    "  --keep FOLDER    writes failing programs there, and prints what failed without them\n"
    "  --failures N     ends after N programs that fail (5)\n"
    "\n"
    "Ends with 0 where all agree and tiers 1 and 2 and moved outputs ran, with 77 where there is no OpenGL to judge.\n"
    "CLAMPLER_TEST_FAULT plants a fault (tests/faults), which must be found.\n";

struct options {
    uint64_t seed, first, programs, lookups;
    long seconds, jobs, share, failures;
    bool standard, shrink, until_failure, all_manners;
    const char *layers, *drivers[4], *program, *print, *keep, *measured;
};

/* What controls have shown of the drivers: measured by the first share of a process, or read from a file. */
struct measured {
    size_t size; /* of this */
    struct precision precision;
    struct drawable drawable;
    uint32_t bindings, pipelines;
};

/* What a process has come to, in shared memory. */
struct share {
    uint64_t begun; /* number of the program that is drawn */
    uint64_t programs, lookups, refused, shortened, unsupported, troubles, failed;
    uint64_t manners[RANDOM_BINDINGS + RANDOM_PIPELINES + RANDOM_THROUGHS];
    struct voice_drawn drawn;
    uint32_t has_bindings, has_pipelines;
    bool has_blocks; /* compressed formats */
    struct judged judged;
    struct precision precision;
    struct clampler_counters counters;
    bool skipped;
    struct drawable drawable;
    struct measured measured;
    char why[2048], opengl[128], vulkan[1024];
};

static struct options options = {
    .seed = 1, .lookups = 1000000, .jobs = 2, .share = 24, .failures = FAILURES_MOST, .shrink = true};

static uint64_t number_of(const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 0);
    if (errno || end == text || *end) {
        fprintf(stderr, "random_programs: %s is no number\n", text);
        exit(2);
    }
    return number;
}

static void add_driver(const char *text)
{
    int i = 0;
    while (options.drivers[i])
        i++;
    options.drivers[i] = text;
}

static bool is_judged(const char *driver)
{
    bool judged = !options.drivers[0];
    for (int i = 0; i < 4 && options.drivers[i]; i++)
        judged |= strstr(driver, options.drivers[i]) != NULL;
    return judged;
}

static void parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (strcmp(name, "--standard") == 0) {
            options.standard = true;
            continue;
        }
        if (strcmp(name, "--until-failure") == 0) {
            options.until_failure = true;
            continue;
        }
        if (strcmp(name, "--all-manners") == 0) {
            options.all_manners = true;
            continue;
        }
        if (strcmp(name, "--no-shrink") == 0) {
            options.shrink = false;
            continue;
        }
        const char *value = i + 1 < argc ? argv[++i] : "";
        if (strcmp(name, "--seed") == 0)
            options.seed = number_of(value);
        else if (strcmp(name, "--first") == 0)
            options.first = number_of(value);
        else if (strcmp(name, "--programs") == 0)
            options.programs = number_of(value);
        else if (strcmp(name, "--lookups") == 0)
            options.lookups = number_of(value);
        else if (strcmp(name, "--seconds") == 0)
            options.seconds = (long)number_of(value);
        else if (strcmp(name, "--jobs") == 0)
            options.jobs = (long)number_of(value);
        else if (strcmp(name, "--share") == 0)
            options.share = (long)number_of(value);
        else if (strcmp(name, "--failures") == 0)
            options.failures = (long)number_of(value);
        else if (strcmp(name, "--layers") == 0)
            options.layers = value;
        else if (strcmp(name, "--driver") == 0 && !options.drivers[3])
            add_driver(value);
        else if (strcmp(name, "--program") == 0)
            options.program = value;
        else if (strcmp(name, "--print") == 0)
            options.print = value;
        else if (strcmp(name, "--measured") == 0)
            options.measured = value;
        else if (strcmp(name, "--keep") == 0)
            options.keep = value;
        else {
            fprintf(stderr, "random_programs: %s is no option; see --help\n", name);
            exit(2);
        }
    }
    if (options.jobs < 1 || options.jobs > JOBS_MAX || options.share < 1) {
        fprintf(stderr, "random_programs: up to %d jobs, shares of one program at least\n", (int)JOBS_MAX);
        exit(2);
    }
    if (!options.layers)
        options.layers = options.standard ? "clampler:limited" : "clampler";
    if (options.standard) { /* a driver that lacks what the layer offers */
        setenv("VK_CLAMPLER_GL_SAMPLER_OFFER", "missing", 0);
        setenv("LIMITED_DRIVER_PROFILE", "bare-samplers", 0);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- one program ---- */

static const struct precision *precision_of_process;

/*
 * What each clear and paint leaves, from the program drawn once more: passes end there so that it can be read. OpenGL's
 * draws are of these texels: those of the program itself agree with them only if it has painted the same.
 */
static void read_steps(const struct program *program, struct pictures *vulkan)
{
    struct pictures steps;
    bool paints = false;
    for (uint32_t i = 0; i < program->count; i++)
        paints |= program->operations[i].kind == OPERATION_CLEAR || program->operations[i].kind == OPERATION_PAINT;
    if (!paints)
        return;
    vulkan_voice_run_by_steps(program, &steps, NULL, options.layers);
    if (steps.refused[0])
        harness_fail("the layer refuses what it has drawn where passes end with each paint: %s", steps.refused);
    memcpy(vulkan->painted, steps.painted, sizeof(steps.painted));
    memset(steps.painted, 0, sizeof(steps.painted));
    pictures_free(&steps);
}

/* Is the program without what is behind its first operations refused? */
static bool is_refused(const struct program *program, uint32_t count)
{
    struct program part = *program;
    struct pictures pictures;
    part.count = count;
    vulkan_voice_run(&part, &pictures, options.layers, false);
    const bool refused = pictures.refused[0] != 0;
    pictures_free(&pictures);
    return refused;
}

/* Leaves out the first paint of a refused program without which it would not be refused before. False: there is none.
 */
static bool leave_out_refused(struct program *program)
{
    uint32_t paints[OPERATIONS_MAX], count = 0, first = 0;
    for (uint32_t i = 0; i < program->count; i++)
        if (program->operations[i].kind == OPERATION_PAINT)
            paints[count++] = i;
    for (uint32_t end = count; first < end;) {
        const uint32_t middle = (first + end) / 2;
        if (is_refused(program, paints[middle] + 1))
            end = middle;
        else
            first = middle + 1;
    }
    if (first == count)
        return false;
    memmove(&program->operations[paints[first]], &program->operations[paints[first] + 1],
            (program->count - paints[first] - 1) * sizeof(program->operations[0]));
    program->count--;
    return true;
}

static bool draw_both(const struct program *program, struct share *share, struct verdict *verdict)
{
    struct pictures opengl, vulkan;
    struct judged judged = {0};
    /* Of what the layer refuses the paints that it refuses are left out; where they are too many, its end. */
    struct program part = *program;
    bool refused = false;
    vulkan_voice_run(&part, &vulkan, options.layers, false);
    for (int paints = 0; vulkan.refused[0] && part.count > LEAST_PART; paints++) {
        refused = true;
        if (paints >= LEFT_OUT_MOST || !leave_out_refused(&part))
            part.count -= (part.count + 2) / 3;
        pictures_free(&vulkan);
        vulkan_voice_run(&part, &vulkan, options.layers, false);
    }
    if (!vulkan.refused[0])
        read_steps(&part, &vulkan);
    gl_voice_run(&part, &opengl, &vulkan, NULL);
    *verdict = (struct verdict){0};
    if (!vulkan.refused[0] && !opengl.trouble[0])
        judge(&part, &opengl, &vulkan, precision_of_process, &judged, verdict);
    if (share) {
        share->refused += vulkan.refused[0] != 0;
        share->shortened += refused && !vulkan.refused[0];
        if (opengl.trouble[0])
            printf("OpenGL answers %s\n", opengl.trouble);
        share->unsupported += opengl.unsupported;
        share->troubles += opengl.trouble[0] != 0 && !opengl.unsupported;
        share->lookups += judged.pixels - judged.mirror_line - judged.corners; /* those are compared with nothing */
        share->judged.pixels += judged.pixels;
        share->judged.native += judged.native;
        share->judged.shifted += judged.shifted;
        share->judged.leveled += judged.leveled;
        share->judged.controlled += judged.controlled;
        share->judged.mirror_line += judged.mirror_line;
        share->judged.corners += judged.corners;
        share->judged.painted += judged.painted;
        share->judged.paint_shifted += judged.paint_shifted;
        share->judged.paint_controlled += judged.paint_controlled;
    }
    pictures_free(&opengl);
    pictures_free(&vulkan);
    return !verdict->failed;
}

static bool still_fails(const struct program *program, void *user)
{
    const double *end = user;
    struct verdict verdict;
    return seconds_now() < *end && !draw_both(program, NULL, &verdict);
}

static void print_numbers(const char *who, const uint32_t *words)
{
    printf("  %-7s", who);
    for (int i = 0; i < 4; i++) {
        float number;
        memcpy(&number, &words[i], sizeof(number));
        printf(" %08x (%g)", (unsigned)words[i], (double)number);
    }
    putchar('\n');
}

static void report_failure(struct program *program, uint64_t number, const struct verdict *first)
{
    struct verdict verdict = *first;
    printf("seed %llu program %llu fails at operation %u\n", (unsigned long long)options.seed,
           (unsigned long long)number, (unsigned)first->operation);
    if (options.shrink) {
        double end = seconds_now() + SHRINK_SECONDS;
        program_shrink(program, still_fails, &end);
        draw_both(program, NULL, &verdict);
    }
    printf("pixel %u, %u: %s\n", (unsigned)verdict.pixel % SIDE, (unsigned)verdict.pixel / SIDE, verdict.why);
    printf("  %s\n", verdict.state);
    print_numbers("OpenGL", verdict.opengl);
    print_numbers("Vulkan", verdict.vulkan);
    if (!options.keep)
        program_write(program, stdout);
    else {
        char path[4096];
        snprintf(path, sizeof(path), "%s/seed-%llu-%llu.txt", options.keep, (unsigned long long)options.seed,
                 (unsigned long long)number);
        FILE *file = fopen(path, "w");
        if (file) {
            program_write(program, file);
            fclose(file);
        }
    }
    fflush(stdout);
}

static void count_manner(const struct program *program, struct share *share)
{
    share->manners[program->manner.binding]++;
    share->manners[RANDOM_BINDINGS + program->manner.pipelines]++;
    share->manners[RANDOM_BINDINGS + RANDOM_PIPELINES + program->manner.through]++;
}

/* ---- a process ---- */

static struct measured measured;

static bool measure(struct share *share)
{
    const double start = seconds_now();
    vulkan_voice_ask(options.layers, &measured.bindings, &measured.pipelines);
    const double asked = seconds_now();
    if (!gl_voice_open(true, share->why, sizeof(share->why)))
        return false;
    const double opened = seconds_now();
    judge_calibrate(&measured.precision);
    /* The layer adds nothing where it is 15 or more (resolve_lod_bias_is_native). */
    const float most_bias = vulkan_voice_most_bias(options.layers);
    measured.precision.most_bias = most_bias < 15 ? most_bias : INFINITY;
    if (options.keep || options.measured)
        printf("measured: Vulkan asked in %.1f s, OpenGL opened and asked in %.1f s, controls in %.1f s\n",
               asked - start, opened - asked, seconds_now() - opened);
    measured.drawable = random_drawable;
    measured.size = sizeof(measured);
    return true;
}

static bool open_process(struct share *share, struct generate_params *params)
{
    params->standard = options.standard;
    if (measured.size) {
        random_drawable = measured.drawable;
        share->skipped = !gl_voice_open(false, share->why, sizeof(share->why));
    } else {
        share->skipped = !measure(share);
    }
    if (share->skipped)
        return false;
    params->bindings = measured.bindings;
    params->pipelines = measured.pipelines;
    share->measured = measured;
    share->precision = measured.precision;
    if (options.drivers[0] && !is_judged(vulkan_voice_name())) {
        snprintf(share->why, sizeof(share->why), "the driver is %s, which is none of those", vulkan_voice_name());
        share->skipped = true;
        return false;
    }
    precision_of_process = &share->precision;
    random_drawable.says = options.standard ? vulkan_voice_offers : NULL; /* controls say more */
    share->drawable = random_drawable;
    return true;
}

static void close_process(struct share *share)
{
    vulkan_voice_count(&share->counters);
    vulkan_voice_drawn(&share->drawn);
    snprintf(share->opengl, sizeof(share->opengl), "%s", gl_voice_name());
    snprintf(share->vulkan, sizeof(share->vulkan), "%s", vulkan_voice_name());
    alarm(CLOSING_SECONDS); /* processes side by side wait for each other where a driver closes devices one by one */
    vulkan_voice_close();
    alarm(0);
}

static void draw_share(struct share *share, uint64_t first, uint64_t count, double end)
{
    struct generate_params params = {0};
    share->begun = first;
    const double start = seconds_now();
    if (!open_process(share, &params))
        return;
    if (options.keep) /* a long run: where its time goes */
        printf("programs %llu and on: drivers opened in %.1f s\n", (unsigned long long)first, seconds_now() - start);
    share->has_bindings = params.bindings;
    share->has_pipelines = params.pipelines;
    for (int i = 0; i < random_format_count; i++)
        share->has_blocks |= random_formats[i].texels == TEXEL_BLOCK && random_drawable.format[i][RANDOM_2D];
    for (uint64_t i = first; i < first + count && (end <= 0 || seconds_now() < end); i++) {
        struct program program;
        struct verdict verdict;
        share->begun = i;
        snprintf(share->vulkan, sizeof(share->vulkan), "%s", vulkan_voice_name());
        snprintf(share->opengl, sizeof(share->opengl), "%s", gl_voice_name());
        program_generate(&program, options.seed, i, &params);
        count_manner(&program, share);
        share->programs++;
        if (!draw_both(&program, share, &verdict)) {
            share->failed++;
            report_failure(&program, i, &verdict);
        }
    }
    if (options.keep)
        printf("programs %llu and on: %llu of them, %llu lookups in %.1f s\n", (unsigned long long)first,
               (unsigned long long)share->programs, (unsigned long long)share->lookups, seconds_now() - start);
    close_process(share);
}

static void print_rules(const struct judged *judged)
{
    const struct {
        const char *name;
        uint64_t count;
    } rules[] = {{"as the driver alone, bit for bit", judged->native},
                 {"a rounding further", judged->shifted},
                 {"at a control's level", judged->leveled},
                 {"by a native control", judged->controlled},
                 {"left out at the mirror line", judged->mirror_line},
                 {"left open at corners of cubes", judged->corners}};
    uint64_t others = 0;
    printf("as OpenGL draws");
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        others += rules[i].count;
    const double percent = judged->pixels ? 100.0 / (double)judged->pixels : 0;
    printf(" %.3f %%", percent * (double)(judged->pixels - others));
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        printf("; %s %llu (%.3f %%)", rules[i].name, (unsigned long long)rules[i].count,
               percent * (double)rules[i].count);
    putchar('\n');
    printf("attachments of clears and paints, each over the texels that Vulkan had: %llu; beyond a step of the format, "
           "as OpenGL a rounding further %llu, as blended natively %llu\n",
           (unsigned long long)judged->painted, (unsigned long long)judged->paint_shifted,
           (unsigned long long)judged->paint_controlled);
}

static int draw_file(void)
{
    struct share share = {0};
    struct generate_params params;
    struct program program;
    struct verdict verdict;
    FILE *file = fopen(options.program, "r");
    if (!file || !program_read(&program, file)) {
        fprintf(stderr, "random_programs: cannot read %s\n", options.program);
        return 2;
    }
    fclose(file);
    if (!open_process(&share, &params)) {
        printf("skipped: %s\n", share.why);
        return SKIPPED;
    }
    const bool same = draw_both(&program, &share, &verdict), good = same && !share.troubles && share.lookups;
    if (!same)
        report_failure(&program, 0, &verdict);
    else if (good)
        printf("%s: %llu lookups agree%s\n", options.program, (unsigned long long)share.lookups,
               share.shortened ? ", without what the layer refuses" : "");
    else
        printf("%s: nothing is compared%s\n", options.program, share.refused ? ": the layer refuses it" : "");
    print_rules(&share.judged);
    close_process(&share);
    printf("the layer's draws by tier: %llu, %llu, %llu\n", (unsigned long long)share.counters.draws[0],
           (unsigned long long)share.counters.draws[1], (unsigned long long)share.counters.draws[2]);
    return options.until_failure ? same : !good;
}

/* ---- all of them ---- */

static void add_share(struct share *sum, const struct share *more)
{
    sum->programs += more->programs;
    sum->lookups += more->lookups;
    sum->refused += more->refused;
    sum->shortened += more->shortened;
    sum->unsupported += more->unsupported;
    sum->troubles += more->troubles;
    sum->failed += more->failed;
    sum->judged.pixels += more->judged.pixels;
    sum->judged.native += more->judged.native;
    sum->judged.shifted += more->judged.shifted;
    sum->judged.leveled += more->judged.leveled;
    sum->judged.controlled += more->judged.controlled;
    sum->judged.mirror_line += more->judged.mirror_line;
    sum->judged.corners += more->judged.corners;
    sum->judged.painted += more->judged.painted;
    sum->judged.paint_shifted += more->judged.paint_shifted;
    sum->judged.paint_controlled += more->judged.paint_controlled;
    for (size_t i = 0; i < sizeof(sum->manners) / sizeof(sum->manners[0]); i++)
        sum->manners[i] += more->manners[i];
    for (int i = 0; i < RANDOM_STAGES; i++)
        sum->drawn.stages[i] += more->drawn.stages[i];
    for (int i = 0; i < RANDOM_FUNCTIONS; i++)
        sum->drawn.functions[i] += more->drawn.functions[i];
    for (int i = 0; i < RANDOM_TARGETS; i++)
        sum->drawn.targets[i] += more->drawn.targets[i];
    for (int i = 0; i < 3; i++)
        sum->counters.draws[i] += more->counters.draws[i];
    sum->counters.outputs_moved += more->counters.outputs_moved;
    sum->counters.blend_variants += more->counters.blend_variants;
    sum->counters.blend_updates += more->counters.blend_updates;
    sum->counters.draws_texels += more->counters.draws_texels;
    sum->has_bindings |= more->has_bindings;
    sum->has_pipelines |= more->has_pipelines;
    sum->has_blocks |= more->has_blocks;
    for (int i = 0; i < RANDOM_BINDINGS; i++)
        sum->drawn.bindings[i] += more->drawn.bindings[i];
    for (int i = 0; i < RANDOM_BINDINGS * 3; i++)
        sum->drawn.tiers[i / 3][i % 3] += more->drawn.tiers[i / 3][i % 3];
    for (int i = 0; i < RANDOM_PIPELINES; i++)
        sum->drawn.pipelines[i] += more->drawn.pipelines[i];
    sum->drawn.secondaries += more->drawn.secondaries;
    sum->drawn.blocks += more->drawn.blocks;
    sum->drawn.joined += more->drawn.joined;
    sum->drawn.rebound += more->drawn.rebound;
    sum->drawn.twins += more->drawn.twins;
    sum->drawn.late += more->drawn.late;
    sum->drawn.sets_anew += more->drawn.sets_anew;
    sum->drawn.views_again += more->drawn.views_again;
    sum->drawn.samplers_again += more->drawn.samplers_again;
    sum->drawn.views_at_handle += more->drawn.views_at_handle;
    sum->drawn.submits += more->drawn.submits;
    sum->drawn.passes_again += more->drawn.passes_again;
    for (int i = 0; i < RANDOM_TOGETHERS; i++)
        sum->drawn.together[i] += more->drawn.together[i];
    for (int i = 0; i < RANDOM_FUNCTIONS; i++)
        sum->drawn.together_functions[i] += more->drawn.together_functions[i];
    for (int i = 0; i < 3; i++)
        sum->drawn.together_tiers[i] += more->drawn.together_tiers[i];
    sum->drawn.together_parts += more->drawn.together_parts;
    sum->drawn.incomplete += more->drawn.incomplete;
    sum->drawn.border += more->drawn.border;
    if (more->vulkan[0]) {
        memcpy(sum->vulkan, more->vulkan, sizeof(sum->vulkan));
        memcpy(sum->opengl, more->opengl, sizeof(sum->opengl));
        sum->precision = more->precision;
        sum->drawable = more->drawable;
    }
}

static void print_counts(const char *what, const char *const *names, const uint64_t *counts, int count)
{
    printf("%s:", what);
    for (int i = 0; i < count; i++)
        printf("%s %s %llu", i ? "," : "", names[i], (unsigned long long)counts[i]);
    putchar('\n');
}

static void report(const struct share *sum, double seconds, int crashed)
{
    static const char *const bindings[] = {"combined", "separate", "push", "template",      "after-bind",  "immutable",
                                           "buffer",   "array",    "heap", "heap-embedded", "heap-untyped"};
    static const char *const pipelines[] = {"static", "dynamic", "library", "fast-linked", "objects"};
    static const char *const throughs[] = {"extension", "address modes", "offered"};
    static const char *const stages[] = {"fragment", "vertex", "control", "evaluation", "geometry", "compute"};
    static const char *const functions[] = {"texture",      "bias",          "lod",        "grad",        "proj",
                                            "proj lod",     "offset",        "lod offset", "grad offset", "gather",
                                            "gather alpha", "gather offset", "fetch",      "size"};
    static const char *const targets[] = {"1D",       "2D",         "3D",        "cube",  "1D array",
                                          "2D array", "cube array", "rectangle", "buffer"};
    static const char *const togethers[] = {
        "bindings", "sets",        "combined beside separate", "samplers of an image", "images of a sampler",
        "an array", "arrays apart"};
    static const char *const incomplete_kinds[] = {"floats", "integers", "depth", "compared depth"};
    const struct drawable *has = &sum->drawable;
    printf("OpenGL: %s\nVulkan: %s\n", sum->opengl, sum->vulkan);
    printf("by controls OpenGL does otherwise than specified, so that it cannot judge:%s%s%s%s%s%s%s%s%s%s%s%s%s\n",
           has->mirror_line ? "" : " the mirror line;",
           !has->depth_alpha      ? " depth mode ALPHA;"
           : !has->compared_alpha ? " comparisons under depth mode ALPHA;"
                                  : "",
           has->integer_base ? "" : " NEAREST of integers with levels;",
           !has->cube_wraps   ? " wrap modes of cubes;"
           : !has->cube_clamp ? " GL_CLAMP on cubes;"
                              : "",
           has->array_levels ? "" : " levels of 1D arrays of some widths;",
           has->unsigned_border ? "" : " negative borders of floats without a sign;",
           has->exact_border ? "" : " borders that formats do not hold;",
           has->alpha_apart ? "" : " equations of GL_ALPHA targets;",
           has->mirror_gather ? "" : " the order of mirrored gathers;",
           has->mirror_offset ? "" : " offsets that are mirrored;",
           has->rectangle_gradient ? "" : " levels of gradients on rectangles;",
           has->rectangle_levels ? "" : " ranges of levels of rectangles;",
           has->rectangle_gradient && has->rectangle_levels && has->mirror_line && has->depth_alpha &&
                   has->compared_alpha && has->integer_base && has->cube_clamp && has->cube_wraps &&
                   has->array_levels && has->alpha_apart && has->mirror_gather && has->mirror_offset &&
                   has->unsigned_border && has->exact_border
               ? " nothing"
               : "");
    printf("OpenGL's stencil %s\n",
           has->stencil_red ? "is in red" : "goes through the depth mode, as views' swizzles say");
    if (!has->level_offset || !has->blend_off || !has->fetch_base || !has->block_compute || !has->gather_mirrors ||
        !has->gather_bounds)
        printf("by controls Vulkan's driver does otherwise than specified, so that it is not drawn:%s%s%s%s%s%s\n",
               has->level_offset ? "" : " levels that are blended where lookups have an offset;",
               has->blend_off ? "" : " equations of attachments that are not blended;",
               has->fetch_base ? "" : " fetches of views whose first level is above 0;",
               has->block_compute ? "" : " compressed textures in compute shaders;",
               has->gather_mirrors ? "" : " the order of mirrored gathers;",
               has->gather_bounds ? "" : " gathers whose least and greatest level are the same;");
    uint64_t incomplete[INCOMPLETE_KINDS] = {0};
    for (int i = 0; i < RANDOM_TARGETS * INCOMPLETE_KINDS; i++)
        incomplete[i % INCOMPLETE_KINDS] += has->incomplete[i / INCOMPLETE_KINDS][i % INCOMPLETE_KINDS];
    print_counts("targets whose incomplete textures OpenGL has as specified, by controls", incomplete_kinds, incomplete,
                 INCOMPLETE_KINDS);
    printf("incomplete textures have %s\n",
           has->incomplete_border ? "no border, by a control" : "a border, by a control: not drawn");
    printf("precision by controls: weights %.3g of a texel, their products %.3g and %.3g, on faces %.3g, 8-bit formats "
           "%.3g, without levels %.3g, "
           "16-bit formats %.3g, halves %.3g, floats of 9 to 11 bits %.3g and %.3g, sRGB %.3g, gathers of 8 bits "
           "with a sign %.3g, levels %.3g; products of comparisons %.3g and %.3g; decoding of "
           "sRGB %.3g and against its equation %.3g\n",
           (double)sum->precision.weight, (double)sum->precision.products[0], (double)sum->precision.products[1],
           (double)sum->precision.face, (double)sum->precision.bytes, (double)sum->precision.flat,
           (double)sum->precision.words, (double)sum->precision.halves, (double)sum->precision.small[0],
           (double)sum->precision.small[1], (double)sum->precision.srgb, (double)sum->precision.gathered,
           (double)sum->precision.level, (double)sum->precision.compared[0], (double)sum->precision.compared[1],
           (double)sum->precision.decode, (double)sum->precision.decoded);
    print_counts("draws by bindings", bindings, sum->drawn.bindings, RANDOM_BINDINGS);
    print_counts("draws and passes by pipelines", pipelines, sum->drawn.pipelines, RANDOM_PIPELINES);
    printf("draws besides: in secondary command buffers %llu, of compressed textures %llu\n",
           (unsigned long long)sum->drawn.secondaries, (unsigned long long)sum->drawn.blocks);
    printf("of textures that are not complete %llu, with a border %llu\n", (unsigned long long)sum->drawn.incomplete,
           (unsigned long long)sum->drawn.border);
    printf(
        "draws with the pipeline of the draw before and other descriptors %llu; binds by another layout just like the "
        "pipeline's %llu; sets written once bound %llu, written anew %llu; views made again %llu, samplers at a handle "
        "that another had %llu and views %llu; passes begun again %llu; submits in the midst of programs %llu\n",
        (unsigned long long)sum->drawn.rebound, (unsigned long long)sum->drawn.twins,
        (unsigned long long)sum->drawn.late, (unsigned long long)sum->drawn.sets_anew,
        (unsigned long long)sum->drawn.views_again, (unsigned long long)sum->drawn.samplers_again,
        (unsigned long long)sum->drawn.views_at_handle, (unsigned long long)sum->drawn.passes_again,
        (unsigned long long)sum->drawn.submits);
    if (sum->drawn.joined)
        printf("the driver ends the process where a separate sampler compares and the lookup does not: %llu draws and "
               "passes of that kind have both in one descriptor\n",
               (unsigned long long)sum->drawn.joined);
    print_counts("programs by interface", throughs, sum->manners + RANDOM_BINDINGS + RANDOM_PIPELINES, RANDOM_THROUGHS);
    print_counts("draws by stages", stages, sum->drawn.stages, RANDOM_STAGES);
    print_counts("draws by functions", functions, sum->drawn.functions, RANDOM_FUNCTIONS);
    print_counts("draws by targets", targets, sum->drawn.targets, RANDOM_TARGETS);
    print_counts("draws with several lookups in a shader", togethers, sum->drawn.together, RANDOM_TOGETHERS);
    print_counts("of these by functions", functions, sum->drawn.together_functions, RANDOM_FUNCTIONS);
    printf("of these by tier: %llu, %llu, %llu; sets of which a part was written, pushed or bound %llu\n",
           (unsigned long long)sum->drawn.together_tiers[0], (unsigned long long)sum->drawn.together_tiers[1],
           (unsigned long long)sum->drawn.together_tiers[2], (unsigned long long)sum->drawn.together_parts);
    printf(
        "the layer's draws by tier: %llu, %llu, %llu; filtered texel by texel %llu; variants with moved outputs %llu, "
        "blend variants %llu, updates %llu\n",
        (unsigned long long)sum->counters.draws[0], (unsigned long long)sum->counters.draws[1],
        (unsigned long long)sum->counters.draws[2], (unsigned long long)sum->counters.draws_texels,
        (unsigned long long)sum->counters.outputs_moved, (unsigned long long)sum->counters.blend_variants,
        (unsigned long long)sum->counters.blend_updates);
    for (int i = BINDING_HEAP; i <= BINDING_HEAP_UNTYPED; i++)
        if (sum->has_bindings >> i & 1)
            printf("the layer's draws by tier with %s: %llu, %llu, %llu\n", bindings[i],
                   (unsigned long long)sum->drawn.tiers[i][0], (unsigned long long)sum->drawn.tiers[i][1],
                   (unsigned long long)sum->drawn.tiers[i][2]);
    print_rules(&sum->judged);
    printf("seed %llu: %llu programs, %llu lookups in %.0f s; %llu programs refused, %llu shortened, %llu with "
           "framebuffers that OpenGL does not support, %llu that OpenGL answers with "
           "errors, "
           "%llu failed, %d processes died\n",
           (unsigned long long)options.seed, (unsigned long long)sum->programs, (unsigned long long)sum->lookups,
           seconds, (unsigned long long)sum->refused, (unsigned long long)sum->shortened,
           (unsigned long long)sum->unsupported, (unsigned long long)sum->troubles, (unsigned long long)sum->failed,
           crashed);
}

struct job {
    pid_t process;
    struct share *share;
};

static struct share *make_share(void)
{
    struct share *share = mmap(NULL, sizeof(*share), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (share == MAP_FAILED)
        harness_fail("no memory to share");
    return share;
}

static void begin_job(struct job *job, uint64_t first, uint64_t count, double end)
{
    memset(job->share, 0, sizeof(*job->share));
    fflush(stdout);
    job->process = fork();
    if (job->process < 0)
        harness_fail("fork failed");
    if (job->process)
        return;
    if (end > 0) /* a driver that hangs ends with a signal, and what was drawn before counts */
        alarm((unsigned)fmax(end - seconds_now(), 0) + LATE_SECONDS);
    draw_share(job->share, first, count, end);
    fflush(stdout);
    _exit(0);
}

/* Waits for any process; which job it was. */
static struct job *wait_job(struct job *jobs, int *status)
{
    const pid_t ended = wait(status);
    for (long i = 0; i < options.jobs; i++)
        if (jobs[i].process == ended)
            return &jobs[i];
    harness_fail("a process that nobody began has ended");
}

/*
 * In heaps, too, the layer must have done something. What lies in them may change after it is bound, so that most draws
 * take tier 2 at once; tier 1 is for texel buffers and for samplers in the pipeline.
 */
static bool has_emulated_in_heaps(const struct share *sum)
{
    bool all = true;
    uint64_t coordinates = 0;
    for (int i = BINDING_HEAP; i <= BINDING_HEAP_UNTYPED; i++) {
        all &= !(sum->has_bindings >> i & 1) || sum->drawn.tiers[i][2];
        coordinates += sum->drawn.tiers[i][1];
    }
    all &= !(sum->has_bindings >> BINDING_HEAP & 1) || coordinates;
    if (!all)
        printf("nothing is shown: not all of tiers 1 and 2 ran in heaps\n");
    return all;
}

/* Several lookups of a shader in each form, in tiers 1 and 2, and such as were bound or written in part. */
static bool has_drawn_together(const struct share *sum)
{
    bool all = sum->drawn.together_tiers[1] && sum->drawn.together_tiers[2] && sum->drawn.together_parts;
    for (int i = 0; i < RANDOM_TOGETHERS; i++)
        all &= sum->drawn.together[i] || (i >= TOGETHER_ARRAY && !sum->drawable.array_index);
    if (!all)
        printf("not every form of several lookups in a shader was drawn, in tiers 1 and 2 and bound in part\n");
    return all;
}

/* Each binding and pipeline that the driver has. */
static bool has_drawn_all(const struct share *sum)
{
    bool all = true;
    for (int i = 0; i < RANDOM_BINDINGS; i++)
        all &= !(sum->has_bindings >> i & 1) || sum->drawn.bindings[i];
    for (int i = 0; i < RANDOM_PIPELINES; i++)
        all &= !(sum->has_pipelines >> i & 1) || sum->drawn.pipelines[i];
    all &= sum->drawn.secondaries != 0;
    all &= sum->drawn.blocks || !sum->has_blocks;
    all &= sum->drawn.incomplete && sum->drawn.border;
    for (int i = 0; i < RANDOM_STAGES; i++)
        all &= !sum->drawable.stage[i] || sum->drawn.stages[i];
    for (int i = 0; i < RANDOM_FUNCTIONS; i++)
        all &= sum->drawn.functions[i] || (i == FUNCTION_GATHER_OFFSET && !sum->drawable.gather_offset);
    for (int i = 0; i < RANDOM_TARGETS; i++)
        all &= sum->drawn.targets[i] || (i == RANDOM_CUBE_ARRAY && !sum->drawable.format[0][i]);
    if (!all)
        printf(
            "nothing was drawn with a binding, a pipeline, a stage, a function, a target, a secondary command buffer "
            "or blocks that the driver has, or with incomplete textures or borders\n");
    const bool again = sum->drawn.rebound && sum->drawn.twins && sum->drawn.sets_anew && sum->drawn.views_again &&
                       sum->drawn.passes_again && sum->drawn.submits &&
                       (sum->drawn.late || !(sum->has_bindings >> BINDING_AFTER_BIND & 1));
    if (!again)
        printf("nothing was bound, written, made or begun anew in one of the ways above\n");
    all &= again;
    return all;
}

static int draw_all(void)
{
    static struct job jobs[JOBS_MAX];
    static struct share sum;
    const double start = seconds_now(), end = options.seconds ? start + (double)options.seconds : 0;
    uint64_t next = options.first, last = options.programs ? options.first + options.programs : UINT64_MAX;
    int running = 0, crashed = 0;
    printf("seed %llu, programs from %llu on\n", (unsigned long long)options.seed, (unsigned long long)options.first);
    for (long i = 0; i < options.jobs; i++)
        jobs[i].share = make_share();
    for (;;) {
        const bool more = next < last && !sum.skipped && crashed < FAILURES_MOST &&
                          sum.failed < (options.until_failure ? 1 : (uint64_t)options.failures) &&
                          (end <= 0 || seconds_now() < end) && (options.programs || sum.lookups < options.lookups);
        bool begun = false;
        for (long i = 0; more && i < options.jobs && !begun; i++) {
            if (jobs[i].process)
                continue;
            const uint64_t count = last - next < (uint64_t)options.share ? last - next : (uint64_t)options.share;
            begin_job(&jobs[i], next, count, end);
            next += count;
            running++;
            begun = true;
        }
        if (begun)
            continue;
        if (!running)
            break;
        int status;
        struct job *job = wait_job(jobs, &status);
        job->process = 0;
        running--;
        add_share(&sum, job->share);
        if (!measured.size && job->share->measured.size)
            measured = job->share->measured;
        if (job->share->skipped) {
            sum.skipped = true;
            memcpy(sum.why, job->share->why, sizeof(sum.why));
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status)) {
            printf("program %llu: its process ended with %s %d\n", (unsigned long long)job->share->begun,
                   WIFEXITED(status) ? "status" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
            crashed++;
        }
    }
    if (sum.skipped) {
        printf("skipped: %s\n", sum.why);
        return SKIPPED;
    }
    report(&sum, seconds_now() - start, crashed);
    if (options.until_failure)
        return sum.failed ? 0 : 1;
    const bool ran = sum.counters.draws[1] && sum.counters.draws[2] && (options.standard || sum.counters.outputs_moved);
    if (!ran)
        printf("nothing is shown: not all of tiers 1 and 2 and moved outputs ran\n");
    const bool all =
        !options.all_manners || (has_drawn_all(&sum) && has_drawn_together(&sum) && has_emulated_in_heaps(&sum));
    return sum.failed || sum.troubles || crashed || !ran || !all;
}

static int print_program(void)
{
    struct share share = {0};
    struct generate_params params;
    struct program program;
    if (!open_process(&share, &params))
        return SKIPPED;
    for (uint64_t i = 0; i < (options.programs ? options.programs : 1); i++) {
        program_generate(&program, options.seed, number_of(options.print) + i, &params);
        program_write(&program, stdout);
    }
    close_process(&share);
    return 0;
}

/* Reads what was measured; 1: there is none, and it has been measured and written; 2: it cannot be had. */
static int have_measured(void)
{
    FILE *file = fopen(options.measured, "rb");
    if (file) {
        const bool good = fread(&measured, sizeof(measured), 1, file) == 1 && measured.size == sizeof(measured);
        fclose(file);
        return good ? 0 : 2;
    }
    struct share share = {0};
    struct generate_params params;
    if (!open_process(&share, &params)) {
        printf("skipped: %s\n", share.why);
        return 1;
    }
    close_process(&share);
    file = fopen(options.measured, "wb");
    const bool written = file && fwrite(&measured, sizeof(measured), 1, file) == 1;
    return file && fclose(file) == 0 && written ? 1 : 2;
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    if (options.until_failure) /* that a process ends is no fault found */
        vulkan_voice_draw_plain_lookups();
    setvbuf(stdout, NULL, _IOLBF, 0); /* logs of runs that are cut off */
    const int missing = options.measured ? have_measured() : 0;
    if (missing == 2)
        fprintf(stderr, "random_programs: nothing measured is to be had from %s\n", options.measured);
    if (missing)
        return missing - 1 ? 2 : 0;
    if (options.program)
        return draw_file();
    if (options.print)
        return print_program();
    return draw_all();
}
