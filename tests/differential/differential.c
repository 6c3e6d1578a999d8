/* SPDX-License-Identifier: MIT */
/*
 * differential [--profile NAME] [--seed N] [--full|--short] [--fault NAME] [--out FOLDER] [--family NAME]
 *              [--only WORDS] [--opengl NAME] [--no-validation] [--without-vulkan]
 *              [--pipelines monolithic|library|fast-linked|objects]
 *              [--sets plain|after-bind|mutable|push|descriptor-buffer|heap|heap-untyped] [--through gl|standard]
 *              [--quiet]
 *
 * --only: cases whose line of text holds these words, as a failure prints it.
 * --opengl: the driver that OpenGL must be of, as GL_RENDERER has it; else the suite is skipped.
 * --pipelines: how graphics pipelines come about above the layer: whole, or linked from libraries of one part each,
 * with link-time optimisation or without; or shader objects in the place of all pipelines.
 * --sets: where descriptors come from: sets, sets that are written when all is recorded, mutable descriptors, pushes,
 * descriptor buffers that are written when all is recorded, and likewise heaps, to which bindings are mapped or into
 * which shaders look themselves.
 * --through: in which words Vulkan is asked. "standard": those of Vulkan's standard extensions, on a device that lacks
 * them, under the setting offer=missing; the profile is bare-samplers unless told otherwise. Cases for which Vulkan has
 * no word are left out, and counted by their reason.
 *
 * Draws generated cases with OpenGL and with Vulkan under the layer (--without-vulkan: OpenGL alone, to check the
 * reference sampler), asks the reference sampler, and reports. Status 0 if nothing failed, the validation layer below
 * Clampler was silent and no limit of the profile was violated; 77 if the driver lacks what --pipelines and --sets ask
 * for, or OpenGL is another. With --fault, status 0 if the suite found the fault: its family failed, and nothing failed
 * that the fault cannot touch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "differential/evidence.h"
#include "differential/faults.h"
#include "differential/parts.h"
#include "differential/report.h"

#define SKIPPED 77 /* the status of a test that could not be tried */
#define RANDOM_CASES 2000
#define COMBINATIONS 2000
#define SHORT_STRIDE 50
#define SHORT_LEAST 28
#define PRINTED_FAILURES 12
#define RUNAWAY 200 /* validation messages after which going on proves nothing */

struct options {
    const char *profile, *fault, *out, *family, *only, *opengl;
    uint32_t seed;
    enum harness_linking linking;
    enum harness_sets sets;
    bool full, quiet, no_validation, without_vulkan, standard;
};

static void usage(void)
{
    fputs("usage: differential [--profile NAME] [--seed N] [--full|--short] [--fault NAME] [--out FOLDER]\n"
          "                    [--family NAME] [--only WORDS] [--opengl NAME] [--no-validation] [--without-vulkan]\n"
          "                    [--pipelines monolithic|library|fast-linked|objects]\n"
          "                    [--sets plain|after-bind|mutable|push|descriptor-buffer|heap|heap-untyped]\n"
          "                    [--through gl|standard] [--quiet]\n",
          stderr);
    exit(2);
}

static const char *const pipeline_names[] = {[HARNESS_MONOLITHIC] = "monolithic",
                                             [HARNESS_LIBRARY] = "library",
                                             [HARNESS_FAST_LINKED] = "fast-linked",
                                             [HARNESS_OBJECTS] = "objects",
                                             NULL};
static const char *const set_names[] = {[HARNESS_SETS_PLAIN] = "plain",
                                        [HARNESS_SETS_AFTER_BIND] = "after-bind",
                                        [HARNESS_SETS_MUTABLE] = "mutable",
                                        [HARNESS_SETS_PUSH] = "push",
                                        [HARNESS_SETS_DESCRIPTOR_BUFFER] = "descriptor-buffer",
                                        [HARNESS_SETS_HEAP] = "heap",
                                        [HARNESS_SETS_HEAP_UNTYPED] = "heap-untyped",
                                        NULL};

static const char *const word_names[] = {"gl", "standard", NULL};

/* The index of a name in a list that ends in NULL. */
static unsigned read_name(const char *option, const char *name, const char *const *names)
{
    for (unsigned i = 0; names[i]; i++) {
        if (strcmp(name, names[i]) == 0)
            return i;
    }
    fprintf(stderr, "differential: %s knows no \"%s\", but", option, name);
    for (unsigned i = 0; names[i]; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fputs("\n", stderr);
    exit(2);
}

static struct options read_options(int count, char **arguments)
{
    struct options options = {.out = "build", .seed = 1};
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
            options.linking = (enum harness_linking)read_name(name, arguments[++i], pipeline_names);
        else if (strcmp(name, "--sets") == 0)
            options.sets = (enum harness_sets)read_name(name, arguments[++i], set_names);
        else if (strcmp(name, "--through") == 0)
            options.standard = read_name(name, arguments[++i], word_names) == 1;
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
        else if (strcmp(name, "--opengl") == 0)
            options.opengl = arguments[++i];
        else
            usage();
    }
    if (!options.profile)
        options.profile = options.standard ? "bare-samplers" : "full";
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

/* The cases of a part, while they are drawn. */
struct run {
    struct voices *voices;
    const struct options *options;
    const struct fault *fault;
    FILE *evidence;
    struct report *report;
    struct judge_pictures *pictures;
    uint32_t unexplained; /* failures that the planted fault cannot explain; without a fault, all */
};

static void run_case(struct run *run, const struct diff_case *one)
{
    struct judgement judgement;
    judge(run->voices, one, run->pictures, &judgement);
    report_case(run->report, one, &judgement, run->pictures);
    const int tier = voices_tiers(run->voices, one).most;
    if (judgement.verdict != VERDICT_FAILED || (run->fault && run->fault->may_show(tier, one)))
        return;
    if (run->unexplained++ < PRINTED_FAILURES)
        print_failure(one, &judgement, run->pictures, run->voices);
    if (run->evidence)
        evidence_write(run->evidence, run->voices, one, &judgement, run->pictures);
}

/*
 * Where the tier of draws is the device's mark, which only rises, the order makes the tiers: first what leaves it at 0,
 * then what leaves it at 1, as long as the table says exactly which; then a sampler is created that needs tier 2 with
 * everything, and the rest follows.
 */
enum { PASSES = 3 };

static bool is_due(struct voices *voices, const struct diff_case *one, int pass)
{
    if (!voices_have_mark(voices) || pass == PASSES - 1)
        return true;
    if (one->crowded || one->beside_filter)
        return false;
    const struct tier_range tiers = voices_tiers(voices, one);
    return tiers.least == tiers.most && tiers.most <= pass;
}

/*
 * Where the driver takes no combined image samplers in mutable descriptors, the two are separate ones there: but for
 * what only a sampler knows that meets its image, incomplete textures. In heaps they are separate descriptors whatever
 * shaders declare; then what needs the two together cannot be drawn: false.
 */
static bool part_combined(const struct voices *voices, struct diff_case *one)
{
    struct lookup separate = one->lookup;
    const bool heaps = harness_sets_are_heaps(voices->sets);
    const bool parts = heaps || (voices->sets == HARNESS_SETS_MUTABLE && !voices->voice[0].lookups.mutables[0]);
    separate.separate = true;
    if (parts && !one->incomplete && lookup_exists(&separate))
        one->lookup = separate;
    return !heaps || one->lookup.separate;
}

static void run_cases(struct run *run, const struct case_list *list)
{
    bool *done = harness_alloc(list->count, sizeof(*done));
    size_t count = 0;
    double shown = now();
    run->pictures = harness_alloc(1, sizeof(*run->pictures));
    for (int pass = 0; pass < PASSES; pass++) {
        run->voices->raises = voices_have_mark(run->voices) && pass == PASSES - 1;
        for (size_t i = 0; i < list->count && harness_messages() < RUNAWAY; i++) {
            struct diff_case one = list->cases[i];
            const char *why;
            if (done[i])
                continue;
            if (!part_combined(run->voices, &one))
                report_skip(run->report, NULL, 1);
            else if (!facts_adapt(&run->voices->facts, &one, &why))
                report_skip(run->report, run->voices->standard ? why : NULL, 1);
            else if (is_due(run->voices, &one, pass))
                run_case(run, &one);
            else
                continue;
            done[i] = true;
            count++;
            if (!run->options->quiet && now() - shown > 10) {
                shown = now();
                fprintf(stderr, "%zu of %zu cases\n", count, list->count);
            }
        }
    }
    free(run->pictures);
    free(done);
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
    voices_open(&voices, options->profile, options->standard, options->linking, options->sets, !options->no_validation);
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
    outcome->no_plain = voices.facts.ends_by_plain_lookups;
    struct run run = {&voices, options, work->fault, work->evidence, &outcome->report, NULL, 0};
    run_cases(&run, cases);
    outcome->unexplained = run.unexplained;
    outcome->violations += voices_violations(&voices);
    voices_close(&voices);
    outcome->messages = harness_messages();
    outcome->excused = harness_messages_excused();
}

/* The layer acts under the setting alone. */
static bool offers_something(bool full)
{
    struct harness_vulkan vk;
    setenv("VK_CLAMPLER_GL_SAMPLER_OFFER", "missing", 1);
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = full ? "clampler" : "clampler:limited"});
    return vk.counters;
}

/*
 * What the driver lacks of what the options ask for, or NULL. Asked in a process of its own: parts of the cases, which
 * are processes too, find no driver opened before them.
 */
static const char *lacking(const struct options *options)
{
    static char reason[128];
    int ends[2], status = 0;
    if (options->linking == HARNESS_MONOLITHIC && options->sets == HARNESS_SETS_PLAIN && !options->standard)
        return NULL;
    fflush(NULL);
    const pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
        harness_fail("no process to ask the driver");
    if (child == 0) {
        struct harness_vulkan vk;
        const bool full = strcmp(options->profile, "full") == 0;
        if (!full)
            setenv("LIMITED_DRIVER_PROFILE", options->profile, 1);
        harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = full ? "none" : "limited"});
        const char *lacks = harness_lacks(&vk, options->linking, options->sets);
        if (!lacks && options->standard && !offers_something(full))
            lacks = "nothing that the layer could offer";
        const size_t size = lacks ? strlen(lacks) : 0;
        _exit(write(ends[1], lacks, size) != (ssize_t)size);
    }
    close(ends[1]);
    const ssize_t size = read(ends[0], reason, sizeof(reason) - 1);
    close(ends[0]);
    if (waitpid(child, &status, 0) < 0 || status != 0 || size < 0)
        harness_fail("the driver could not be asked");
    return size ? reason : NULL;
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
    const struct report_family sum = report_total(report);
    if (options->standard && !options->family && !options->only && !sum.tiers[1] && !sum.tiers[2])
        harness_fail("nothing of what is offered was drawn by the layer");
    return good && sum.total > 0 && outcome->messages == 0 && outcome->violations == 0;
}

int main(int count, char **arguments)
{
    static struct part_outcome outcome;
    const struct options options = read_options(count, arguments);
    setvbuf(stdout, NULL, _IOLBF, 0); /* what a crash of a driver leaves is readable */
    const struct fault *fault = options.fault ? fault_find(options.fault) : NULL;
    if (options.fault && !fault)
        harness_fail("there is no fault %s", options.fault);
    const char *lacks = options.without_vulkan ? NULL : lacking(&options);
    if (lacks) {
        printf("skipped: the driver lacks %s\n", lacks);
        return SKIPPED;
    }
    if (fault)
        setenv("CLAMPLER_TEST_FAULT", fault->name, 1);
    struct case_list list = generate(&options);
    printf("Profile %s, through %s, %s pipelines, %s sets, %s form, seed %u, %zu cases\n", options.profile,
           word_names[options.standard], pipeline_names[options.linking], set_names[options.sets],
           options.full ? "full" : "short", options.seed, list.count);
    const struct work work = {&options, fault, fault ? NULL : open_evidence(&options)};
    double start = now();
    parts_run(&list, run_part, &work, &outcome);
    if (work.evidence && fclose(work.evidence) != 0)
        harness_fail("cannot write the evidence");
    if (options.opengl && !strstr(outcome.gl, options.opengl)) {
        printf("skipped: this OpenGL is not %s\n", options.opengl);
        return SKIPPED;
    }
    if (fault && fault->plain && outcome.no_plain) {
        puts("skipped: the driver ends the process where code looks up so");
        return SKIPPED;
    }
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
