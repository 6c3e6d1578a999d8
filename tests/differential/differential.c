/* SPDX-License-Identifier: MIT */
/*
 * differential [--profile NAME] [--seed N] [--full|--short] [--fault NAME] [--out FOLDER] [--family NAME]
 *              [--only WORDS] [--pipelines monolithic|library|fast-linked] [--quiet]
 *
 * --only: cases whose line of text holds these words, as a failure prints it.
 * --pipelines: how graphics pipelines come about above the layer: whole, or linked from libraries of one part each,
 * with link-time optimisation or without.
 *
 * Draws generated cases with OpenGL and with Vulkan under the layer (--without-vulkan: OpenGL alone, to check the
 * reference sampler), asks the reference sampler, and reports. Status 0
 * if nothing failed, the validation layer below Clampler was silent and no limit of the profile was violated. With
 * --fault, status 0 if the suite found the fault: its family failed, and nothing failed that the fault cannot touch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "differential/evidence.h"
#include "differential/faults.h"
#include "differential/parts.h"
#include "differential/report.h"

#define RANDOM_CASES 2000
#define COMBINATIONS 2000
#define SHORT_STRIDE 50
#define SHORT_LEAST 28
#define PRINTED_FAILURES 12
#define RUNAWAY 200 /* validation messages after which going on proves nothing */

struct options {
    const char *profile, *fault, *out, *family, *only;
    uint32_t seed;
    enum harness_linking linking;
    bool full, quiet, no_validation, without_vulkan;
};

static void usage(void)
{
    fputs("usage: differential [--profile NAME] [--seed N] [--full|--short] [--fault NAME] [--out FOLDER]\n"
          "                    [--family NAME] [--only WORDS] [--no-validation] [--without-vulkan]\n"
          "                    [--pipelines monolithic|library|fast-linked] [--quiet]\n",
          stderr);
    exit(2);
}

static enum harness_linking read_linking(const char *name)
{
    static const char *const names[] = {
        [HARNESS_MONOLITHIC] = "monolithic", [HARNESS_LIBRARY] = "library", [HARNESS_FAST_LINKED] = "fast-linked"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return (enum harness_linking)i;
    }
    usage();
    return HARNESS_MONOLITHIC;
}

static struct options read_options(int count, char **arguments)
{
    struct options options = {.profile = "full", .out = "build", .seed = 1};
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(name, "--full") == 0)
            options.full = true;
        else if (strcmp(name, "--short") == 0)
            options.full = false;
        else if (strcmp(name, "--quiet") == 0)
            options.quiet = true;
        else if (strcmp(name, "--without-vulkan") == 0)
            options.without_vulkan = true;
        else if (strcmp(name, "--no-validation") == 0)
            options.no_validation = true;
        else if (!value)
            usage();
        else if (strcmp(name, "--profile") == 0)
            options.profile = arguments[++i];
        else if (strcmp(name, "--pipelines") == 0)
            options.linking = read_linking(arguments[++i]);
        else if (strcmp(name, "--seed") == 0)
            options.seed = (uint32_t)strtoul(arguments[++i], NULL, 0);
        else if (strcmp(name, "--fault") == 0)
            options.fault = arguments[++i];
        else if (strcmp(name, "--out") == 0)
            options.out = arguments[++i];
        else if (strcmp(name, "--family") == 0)
            options.family = arguments[++i];
        else if (strcmp(name, "--only") == 0)
            options.only = arguments[++i];
        else
            usage();
    }
    return options;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_wanted(const struct options *options, const struct diff_case *one)
{
    char text[1024];
    if (options->family && strcmp(options->family, family_name(one->family)) != 0)
        return false;
    if (options->only)
        case_describe(one, text, sizeof(text));
    return !options->only || strstr(text, options->only);
}

static struct case_list generate(const struct options *options)
{
    struct case_list list = {0};
    generate_families(&list);
    generate_pairs(&list, 6);
    generate_random(&list, options->seed, RANDOM_CASES);
    generate_combinations(&list, options->seed, COMBINATIONS);
    if (!options->full)
        generate_thin(&list, SHORT_STRIDE, SHORT_LEAST);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++)
        if (is_wanted(options, &list.cases[i]))
            list.cases[kept++] = list.cases[i];
    list.count = kept;
    return list;
}

static void print_failure(const struct diff_case *one, const struct judgement *judgement,
                          const struct judge_pictures *pictures, const struct voices *voices)
{
    char text[1024];
    case_describe(one, text, sizeof(text));
    printf("FAILED %s: %s\n  %s\n", family_name(one->family), text, judgement->why);
    if (!judgement->failed.count && !judgement->gl_deviates.count && !judgement->vulkan_deviates.count)
        return;
    const uint32_t i = judgement->first;
    const struct lookup_input *input = &voices->inputs[i];
    const float *v = pictures->vulkan + (size_t)i * 4, *g = pictures->gl + (size_t)i * 4;
    printf("  value %u: p %.9g %.9g %.9g %.9g, extra %g %g\n    Vulkan    %g %g %g %g\n", i, (double)input->p[0],
           (double)input->p[1], (double)input->p[2], (double)input->p[3], (double)input->extra[0],
           (double)input->extra[1], (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
    if (pictures->has_gl)
        printf("    OpenGL    %g %g %g %g\n", (double)g[0], (double)g[1], (double)g[2], (double)g[3]);
    if (pictures->has_reference) {
        const struct reference_result *r = &pictures->expected[i];
        printf("    reference %g %g %g %g\n    low       %g %g %g %g\n    high      %g %g %g %g\n    LOD %g\n",
               (double)r->rgba.f[0], (double)r->rgba.f[1], (double)r->rgba.f[2], (double)r->rgba.f[3],
               (double)r->low.f[0], (double)r->low.f[1], (double)r->low.f[2], (double)r->low.f[3], (double)r->high.f[0],
               (double)r->high.f[1], (double)r->high.f[2], (double)r->high.f[3], (double)r->lod);
    }
}

/* Returns how many failures the planted fault cannot explain; without a fault, how many there are. */
static uint32_t run_cases(struct voices *voices, const struct options *options, const struct case_list *list,
                          const struct fault *fault, FILE *evidence, struct report *report)
{
    struct judge_pictures *pictures = harness_alloc(1, sizeof(*pictures));
    uint32_t unexplained = 0;
    double shown = now();
    for (size_t i = 0; i < list->count && harness_messages() < RUNAWAY; i++) {
        struct diff_case one = list->cases[i];
        struct judgement judgement;
        const char *why;
        if (!facts_adapt(&voices->facts, &one, &why)) {
            report->skipped++;
            continue;
        }
        judge(voices, &one, pictures, &judgement);
        report_case(report, &one, &judgement, pictures);
        if (judgement.verdict == VERDICT_FAILED && !(fault && fault->may_show(&voices->facts, &one))) {
            if (unexplained++ < PRINTED_FAILURES)
                print_failure(&one, &judgement, pictures, voices);
            if (evidence)
                evidence_write(evidence, voices, &one, &judgement, pictures);
        }
        if (!options->quiet && now() - shown > 10) {
            shown = now();
            fprintf(stderr, "%zu of %zu cases\n", i + 1, list->count);
        }
    }
    free(pictures);
    return unexplained;
}

static FILE *open_evidence(const struct options *options)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/differential-%s.evidence.jsonl", options->out, options->profile);
    FILE *file = fopen(path, "w");
    if (!file)
        harness_fail("cannot write %s", path);
    setvbuf(file, NULL, _IOLBF, 1 << 16); /* parts write whole lines */
    return file;
}

static bool write_report(const struct options *options, const struct report *report)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/differential-%s.json", options->out, options->profile);
    report_write_json(report, path);
    snprintf(path, sizeof(path), "%s/differential-%s.html", options->out, options->profile);
    report_write_page(report, path);
    printf("Written: %s and .json\n", path);
    return true;
}

static bool fault_was_found(const struct fault *fault, const struct report *report, uint32_t unexplained)
{
    uint32_t found = report->families[fault->family].failed;
    printf("fault %s: %u cases of %s fail, %u failures that it cannot explain\n", fault->name, found,
           family_name(fault->family), unexplained);
    return found > 0 && unexplained == 0;
}

/* What parts are told. */
struct work {
    const struct options *options;
    const struct fault *fault;
    FILE *evidence;
};

static void run_part(const struct case_list *cases, bool first, const void *user, struct part_outcome *outcome)
{
    static struct voices voices;
    const struct work *work = user;
    const struct options *options = work->options;
    harness_messages_reset();
    voices_open(&voices, options->profile, options->linking, !options->no_validation);
    voices.without_vulkan = options->without_vulkan;
    voices.facts.views |= options->without_vulkan;
    const struct harness_vulkan *vk = &voices.voice[0].vk;
    snprintf(outcome->driver, sizeof(outcome->driver), "%s %s", vk->properties.deviceName, voices.driver_info);
    snprintf(outcome->gl, sizeof(outcome->gl), "%s%s%s",
             voices.has_gl ? voices.gl.renderer : "none: ", voices.has_gl ? ", " : "",
             voices.has_gl ? voices.gl.version : voices.no_gl);
    if (first)
        printf("Vulkan: %s\nOpenGL: %s\nLayers %s\n", outcome->driver, outcome->gl, voices.layers);
    outcome->violations = voices_violations(&voices);
    outcome->unexplained = run_cases(&voices, options, cases, work->fault, work->evidence, &outcome->report);
    outcome->violations += voices_violations(&voices);
    voices_close(&voices);
    outcome->messages = harness_messages();
    outcome->excused = harness_messages_excused();
}

static bool conclude(const struct options *options, const struct fault *fault, const struct part_outcome *outcome)
{
    const struct report *report = &outcome->report;
    report_print(report);
    bool good = fault ? fault_was_found(fault, report, outcome->unexplained) : outcome->unexplained == 0;
    if (!fault)
        write_report(options, report);
    printf("%u validation messages below the layer, %u violations of the profile\n", outcome->messages,
           outcome->violations);
    if (outcome->excused)
        printf("%u messages about filters of separate descriptors, which only the shader pairs\n", outcome->excused);
    return good && report_total(report).total > 0 && outcome->messages == 0 && outcome->violations == 0;
}

int main(int count, char **arguments)
{
    static struct part_outcome outcome;
    const struct options options = read_options(count, arguments);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a crash of a driver leaves is readable */
    const struct fault *fault = options.fault ? fault_find(options.fault) : NULL;
    if (options.fault && !fault)
        harness_fail("there is no fault %s", options.fault);
    setenv("VK_CLAMPLER_GL_SAMPLER_FAULT", fault ? fault->name : "none", 1);
    struct case_list list = generate(&options);
    printf("Profile %s, %s form, seed %u, %zu cases\n", options.profile, options.full ? "full" : "short", options.seed,
           list.count);
    const struct work work = {&options, fault, fault ? NULL : open_evidence(&options)};
    double start = now();
    parts_run(&list, run_part, &work, &outcome);
    if (work.evidence && fclose(work.evidence) != 0)
        harness_fail("cannot write the evidence");
    outcome.report.profile = options.profile;
    outcome.report.driver = outcome.driver;
    outcome.report.gl = outcome.gl;
    outcome.report.seed = options.seed;
    outcome.report.seconds = now() - start;
    bool good = conclude(&options, fault, &outcome);
    report_free(&outcome.report);
    free(list.cases);
    puts(good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
