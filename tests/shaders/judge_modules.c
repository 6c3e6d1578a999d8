/* SPDX-License-Identifier: MIT */
/*
 * judge_modules [--plant KIND] [--keep FOLDER] [--few] [--anyway] [--check]: the part of scripts/suites/shaders that
 * rewrites modules in every form and judges what comes out. It reads lines from its input, each a name of a file and,
 * behind tabs, which forms of each layout it takes: the first one and how many, all unless told. It writes lines of
 * fields with tabs between them:
 *
 *     begin FILE
 *     valid WHERE                                             behind SPIRV-Tools' validator, which can crash itself;
 * WHERE is 1 where no Vulkan takes the module, but SPIR-V does invalid REASON the module is not valid as it is: nothing
 * else is said unjudged REASON                                         --anyway: the same, but all else is judged form
 * NAME RESULT WORDS BLOCKS NANOSECONDS RUN TEXT      RESULT: rewritten, unchanged, left, failed end WORDS LOOKUPS
 *
 * WORDS are those of the result, BLOCKS the basic blocks that the rewriter went over (as growth_test counts them), RUN
 * is 1 where the interpreter ran both modules with records of zeros to their ends. What failed is kept in FOLDER. --few
 * takes a few of the forms. --check only validates: modules come on the input, each behind the number of its words,
 * and "valid" or "invalid" goes out for each, at once. KIND
 * plants a fault, for the test of the script: validator, invalid, unstable, slow, large, lookup, crash, hang, zeros,
 * and for the interface location, binding, specialized, offset, mode.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <spirv/unified1/spirv.h>

#include "auto_layout.h"
#include "interface.h"
#include "interpreter.h"
#include "judge.h"
#include "spirv/spirv.h"

enum { MOST_MESSAGE = 1024, HEADER_WORDS = 5 };

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

static const char *planted = "", *keep_folder;
static bool few_forms, judge_anyway;

static bool plants(const char *kind)
{
    return !strcmp(planted, kind);
}

/* ---- Forms ---- */

#define NVIDIA                                                                                                         \
    .form = SPIRV_FORM_GPU, .votes = true, .gradients_in_front = true, .max_lod_bias = 15, .most_lod_bias = 16
static const struct {
    const char *name;
    struct spirv_options options;
} forms[] = {
    {"tier 1 GPU", {.tier = 1, .form = SPIRV_FORM_GPU}},
    {"tier 1 GPU votes", {.tier = 1, .form = SPIRV_FORM_GPU, .votes = true, .rectangles = true}},
    {"tier 1 GPU front", {.tier = 1, NVIDIA}},
    {"tier 1 CPU", {.tier = 1, .form = SPIRV_FORM_CPU, .rectangles = true}},
    {"tier 1 GPU masks", {.tier = 1, .form = SPIRV_FORM_GPU, .votes = true, .masks = true}},
    {"tier 1 CPU masks", {.tier = 1, .form = SPIRV_FORM_CPU, .masks = true}},
    {"tier 2 GPU", {.tier = 2, .form = SPIRV_FORM_GPU, .rectangles = true}},
    {"tier 2 GPU sampled", {.tier = 2, .form = SPIRV_FORM_GPU, .votes = true, .texels_sampled = true}},
    {"tier 2 GPU votes", {.tier = 2, .form = SPIRV_FORM_GPU, .votes = true}},
    {"tier 2 GPU front", {.tier = 2, NVIDIA}},
    {"tier 2 GPU extras", {.tier = 2, .form = SPIRV_FORM_GPU, .votes = true, .extras = true, .rectangles = true}},
    {"tier 2 GPU levels", {.tier = 2, .filter = SPIRV_FILTER_LEVELS, .form = SPIRV_FORM_GPU, .rectangles = true}},
    {"tier 2 GPU level", {.tier = 2, .filter = SPIRV_FILTER_LEVEL, .form = SPIRV_FORM_GPU, .votes = true}},
    {"tier 2 CPU levels", {.tier = 2, .filter = SPIRV_FILTER_LEVELS, .form = SPIRV_FORM_CPU}},
    {"tier 2 GPU probes", {.tier = 2, .filter = SPIRV_FILTER_PROBES, .form = SPIRV_FORM_GPU, .votes = true}},
    {"tier 2 CPU probes", {.tier = 2, .filter = SPIRV_FILTER_PROBES, .form = SPIRV_FORM_CPU, .rectangles = true}},
    {"tier 2 CPU level", {.tier = 2, .filter = SPIRV_FILTER_LEVEL, .form = SPIRV_FORM_CPU}},
    {"tier 2 CPU", {.tier = 2, .form = SPIRV_FORM_CPU}},
    {"tier 2 CPU extras", {.tier = 2, .form = SPIRV_FORM_CPU, .extras = true, .rectangles = true}},
};
enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

static const struct {
    const char *name;
    unsigned options;
    uint32_t texel_paths;
    bool moves; /* bindings or arrays, so that tier 0 rewrites, too */
} layouts[] = {
    {"sets", AUTO_LAYOUT_HALVES | AUTO_LAYOUT_NEAREST, 0, false},
    {"sets storage", AUTO_LAYOUT_STORAGE, SPIRV_TEXEL_VIEWS | SPIRV_TEXEL_NARROW, false},
    {"sets masks", AUTO_LAYOUT_MASKS | AUTO_LAYOUT_STORAGE | AUTO_LAYOUT_HALVES | AUTO_LAYOUT_NEAREST,
     SPIRV_TEXEL_NARROW, false},
    /* as bindings of variable counts are */
    {"sets renumbered", AUTO_LAYOUT_RENUMBER | AUTO_LAYOUT_HALVES, SPIRV_TEXEL_ADDRESSES, true},
    {"descriptor buffers", AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_SCALED | AUTO_LAYOUT_HALVES,
     SPIRV_TEXEL_VIEWS | SPIRV_TEXEL_ADDRESSES, true},
    {"heaps", AUTO_LAYOUT_HEAPS, SPIRV_TEXEL_ADDRESSES | SPIRV_TEXEL_NARROW, true},
};
enum { LAYOUTS = sizeof(layouts) / sizeof(layouts[0]) };

/* Of each layout a module takes `count` forms from one on, which is another one in each layout. */
static struct share {
    size_t first, count;
} share;

/* Whether a form or a layout is tried: with --few, one of each kind. */
static bool is_few(const char *name)
{
    static const char *const few[] = {"tier 1 GPU front", "tier 2 CPU extras", "sets", "heaps"};
    for (size_t i = 0; few_forms && i < sizeof(few) / sizeof(few[0]); i++)
        if (!strcmp(name, few[i]))
            return true;
    return !few_forms;
}

static bool is_tried(size_t layout, size_t form)
{
    const size_t first = share.first + layout * (FORMS / LAYOUTS);
    return is_few(forms[form].name) && (form + FORMS - first % FORMS) % FORMS < share.count;
}

/* ---- Memory ---- */

/* Counts bytes, and fills what it gives with a pattern, so that what was never written shows in the words. */
struct memory {
    size_t bytes, most_bytes;
    unsigned char pattern;
};

static void *reallocate(void *user, void *old, size_t size)
{
    struct memory *memory = user;
    const size_t had = malloc_usable_size(old);
    memory->bytes -= had;
    if (size == 0) {
        free(old);
        return NULL;
    }
    char *grown = realloc(old, size);
    if (!grown)
        exit(2);
    const size_t has = malloc_usable_size(grown);
    if (has > had)
        memset(grown + had, memory->pattern, has - had);
    memory->bytes += has;
    memory->most_bytes = memory->bytes > memory->most_bytes ? memory->bytes : memory->most_bytes;
    return grown;
}

/* ---- One module ---- */

struct subject {
    const char *name; /* of the file, without its folder and ending */
    int name_length;
    const uint32_t *words;
    size_t count;
    bool unjudged; /* not valid as it is */
    struct judge_terms terms;
    struct judge_lookups lookups;
    struct interpreter run; /* with records of zeros */
};

static struct judge judge;

/* Outputs of this module that were found good with the layout of the moment: forms often come to the same. */
static struct seen {
    uint32_t *words;
    size_t count;
} seen[FORMS];
static size_t seen_count;

static void forget(void)
{
    while (seen_count)
        free(seen[--seen_count].words);
}

static bool was_seen(const struct spirv_output *output)
{
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i].count == output->word_count &&
            !memcmp(seen[i].words, output->words, output->word_count * sizeof(uint32_t)))
            return true;
    return false;
}

static void see(const struct spirv_output *output)
{
    uint32_t *copy = seen_count < FORMS ? malloc(output->word_count * sizeof(uint32_t)) : NULL;
    if (!copy)
        return;
    memcpy(copy, output->words, output->word_count * sizeof(uint32_t));
    seen[seen_count++] = (struct seen){copy, output->word_count};
}

/* What one rewrite of one form took and came to. */
struct attempt {
    const struct subject *subject;
    char name[64];
    const struct spirv_layout *layout; /* NULL: bindings stay */
    const struct auto_layout *zeros;   /* NULL: not to be run */
    uint32_t expected;                 /* lookups */
    bool beyond;                       /* the layout lacks some of the module's variables */
    uint64_t blocks, nanoseconds;
    size_t most_bytes;
    bool same; /* as the other time */
    bool ran;
    enum spirv_result result;
    struct spirv_output output;
};

static void keep(const struct attempt *attempt)
{
    char path[4096];
    if (!keep_folder || !attempt->output.words)
        return;
    int length = snprintf(path, sizeof(path), "%s/%.*s %s.spv", keep_folder, attempt->subject->name_length,
                          attempt->subject->name, attempt->name);
    for (char *at = path + strlen(keep_folder); length > 0 && *at; at++)
        *at = *at == ' ' ? '-' : *at;
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(attempt->output.words, sizeof(uint32_t), attempt->output.word_count, file);
    fclose(file);
}

/* Text without line ends and tabs. */
static void say_line(const char *text)
{
    for (; *text; text++)
        putchar(*text == '\n' || *text == '\t' || *text == '\r' ? ' ' : *text);
    putchar('\n');
}

__attribute__((format(printf, 3, 4))) static void report(const struct attempt *attempt, const char *result,
                                                         const char *format, ...)
{
    char text[MOST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    printf("form\t%s\t%s\t%zu\t%llu\t%llu\t%d\t", attempt->name, result, attempt->output.word_count,
           (unsigned long long)attempt->blocks, (unsigned long long)attempt->nanoseconds, attempt->ran);
    say_line(text);
    if (!strcmp(result, "failed"))
        keep(attempt);
}

/* ---- What must hold ---- */

static bool is_record_buffer(const void *user, uint32_t set, uint32_t binding)
{
    const struct auto_layout *layout = user;
    return set < AUTO_LAYOUT_SETS && layout->sets[set].record_binding == binding;
}

/* Where both run to their ends, records of zeros change nothing. */
static bool zeros_change_nothing(struct attempt *attempt, char *why, size_t size)
{
    struct interpreter after;
    bool same = true;
    if (!attempt->zeros || attempt->subject->run.stuck)
        return true;
    interpreter_run(&after, attempt->output.words, attempt->output.word_count, is_record_buffer, attempt->zeros);
    if (!after.stuck) {
        attempt->ran = true;
        if (plants("zeros"))
            after.writes++;
        same = interpreter_same(&attempt->subject->run, &after, why, size);
    }
    interpreter_free(&after);
    return same;
}

static bool interface_is_kept(const struct attempt *attempt, char *why, size_t size)
{
    struct interface before, after;
    bool good = interface_read(&before, attempt->subject->words, attempt->subject->count, attempt->layout);
    good = interface_read(&after, attempt->output.words, attempt->output.word_count, NULL) && good;
    if (!good)
        exit(2);
    good = interface_kept(&before, &after, attempt->layout, why, size);
    interface_free(&before);
    interface_free(&after);
    return good;
}

static void judge_words(struct attempt *attempt)
{
    char why[MOST_MESSAGE / 2] = "";
    const struct spirv_output *output = &attempt->output;
    if (was_seen(output))
        report(attempt, "rewritten", "%s", output->message);
    else if (!attempt->subject->unjudged &&
             !judge_is_valid_in(&judge, &attempt->subject->terms, output->words, output->word_count, why, sizeof(why)))
        report(attempt, "failed", "not valid: %s", why);
    else if (!interface_is_kept(attempt, why, sizeof(why)))
        report(attempt, "failed", "%s", why);
    else if (!zeros_change_nothing(attempt, why, sizeof(why)))
        report(attempt, "failed", "records of zeros change what is drawn: %s", why);
    else {
        report(attempt, "rewritten", "%s", output->message);
        see(output);
    }
}

static void judge_attempt(struct attempt *attempt)
{
    const struct spirv_output *output = &attempt->output;
    const size_t count = attempt->subject->count;
    const uint64_t most_blocks = 32 * spirv_most_steps(count) + 1024 * (uint64_t)count;
    const uint64_t most_bytes = 64 * spirv_most_ids(count) + 32 * spirv_most_words(count);
    const bool all = output->rewritten_lookups == attempt->expected;
    if (!attempt->same)
        report(attempt, "failed", "another result the second time");
    else if (attempt->blocks > most_blocks)
        report(attempt, "failed", "%llu basic blocks, at most %llu", (unsigned long long)attempt->blocks,
               (unsigned long long)most_blocks);
    else if (output->word_count > 4 * spirv_most_words(count) || attempt->most_bytes > most_bytes)
        report(attempt, "failed", "%zu words, %zu bytes", output->word_count, attempt->most_bytes);
    else if (attempt->result == SPIRV_MALFORMED || attempt->result == SPIRV_OUT_OF_MEMORY)
        report(attempt, "failed", "result %d: %s", (int)attempt->result, output->message);
    else if (!all && !output->message[0] && attempt->beyond)
        report(attempt, "left", "variables in sets beyond %d, or too many: the judge's layout does not have them",
               AUTO_LAYOUT_SETS - 1);
    else if (!all && !output->message[0])
        report(attempt, "failed", "%u of %u lookups rewritten, without a word", output->rewritten_lookups,
               attempt->expected);
    else if (attempt->result != SPIRV_REWRITTEN)
        report(attempt, output->message[0] ? "left" : "unchanged", "%s", output->message);
    else
        judge_words(attempt);
}

/* Faults in the interface: the first such instruction whose operand `key_at` is `key` has another one at `changed`. */
static const struct {
    const char *kind;
    uint32_t opcode, key_at, key, changed;
} misplaced[] = {
    {"location", SpvOpDecorate, 2, SpvDecorationLocation, 3},
    {"binding", SpvOpDecorate, 2, SpvDecorationBinding, 3},
    {"specialized", SpvOpDecorate, 2, SpvDecorationSpecId, 3},
    {"offset", SpvOpMemberDecorate, 3, SpvDecorationOffset, 4},
    {"mode", SpvOpExecutionMode, 2, SpvExecutionModeLocalSize, 3},
};

static void misplace(struct spirv_output *output)
{
    for (size_t i = 0; i < sizeof(misplaced) / sizeof(misplaced[0]); i++) {
        if (!plants(misplaced[i].kind))
            continue;
        for (size_t at = HEADER_WORDS; at < output->word_count; at += output->words[at] >> 16) {
            uint32_t *inst = output->words + at;
            if ((inst[0] & 0xffffu) != misplaced[i].opcode || inst[misplaced[i].key_at] != misplaced[i].key)
                continue;
            inst[misplaced[i].changed] += 64;
            return;
        }
    }
}

static void plant(struct spirv_output *output, struct attempt *attempt)
{
    if (!output->words)
        return;
    if (plants("invalid"))
        output->words[3] = 1; /* the bound of ids */
    if (plants("lookup") && output->rewritten_lookups)
        output->rewritten_lookups--;
    if (plants("slow"))
        attempt->blocks += UINT64_C(1) << 40;
    if (plants("large"))
        attempt->most_bytes += (size_t)1 << 40;
    if (plants("crash"))
        abort();
    while (plants("hang"))
        pause();
    misplace(output);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* A rewrite, done twice by `make`, and judged. */
typedef enum spirv_result (*make)(const struct subject *subject, const struct spirv_allocator *allocator,
                                  const void *what, struct spirv_output *output);

static void try_twice(struct attempt *attempt, make make, const void *what)
{
    struct memory first = {.pattern = 0xa5}, second = {.pattern = 0x3c};
    const struct spirv_allocator allocators[] = {{reallocate, &first}, {reallocate, &second}};
    struct spirv_output again;
    const uint64_t began = now();
    blocks = 0;
    attempt->result = make(attempt->subject, &allocators[0], what, &attempt->output);
    attempt->blocks = blocks;
    attempt->nanoseconds = now() - began;
    attempt->most_bytes = first.most_bytes;
    plant(&attempt->output, attempt);
    const enum spirv_result result = make(attempt->subject, &allocators[1], what, &again);
    plant(&again, &(struct attempt){0});
    if (plants("unstable") && again.words)
        again.words[again.word_count - 1] ^= 1;
    attempt->same =
        result == attempt->result && attempt->output.word_count == again.word_count &&
        attempt->output.rewritten_lookups == again.rewritten_lookups &&
        !strcmp(attempt->output.message, again.message) &&
        (!again.word_count || !memcmp(attempt->output.words, again.words, again.word_count * sizeof(uint32_t)));
    judge_attempt(attempt);
    free(attempt->output.words);
    free(again.words);
}

/* ---- All forms ---- */

struct rewrite {
    const struct spirv_layout *layout;
    struct spirv_options options;
};

static enum spirv_result make_rewrite(const struct subject *subject, const struct spirv_allocator *allocator,
                                      const void *what, struct spirv_output *output)
{
    const struct rewrite *rewrite = what;
    return spirv_rewrite(subject->words, subject->count, rewrite->layout, &rewrite->options, allocator, output);
}

static enum spirv_result make_ones(const struct subject *subject, const struct spirv_allocator *allocator,
                                   const void *what, struct spirv_output *output)
{
    return spirv_write_alpha_one(subject->words, subject->count, what, allocator, output);
}

/* As tests/corpus/rewrite_test.c has it. */
static uint32_t expected_lookups(const struct judge_lookups *l, const struct spirv_options *options)
{
    if (options->tier == 0)
        return 0;
    if (options->tier == 2)
        return l->wrapped + l->cubes + l->queries;
    return l->wrapped + (options->max_lod_bias > 0 ? l->biased_cubes + l->compared_gathers + l->queries
                                                   : l->compared_cubes + l->bounded_cubes);
}

static void try_form(const struct subject *subject, size_t number, const struct auto_layout *layout,
                     const struct spirv_options *options, const char *name)
{
    const struct rewrite rewrite = {&layout->layout, *options};
    struct attempt attempt = {.subject = subject,
                              .layout = &layout->layout,
                              .zeros = layouts[number].moves || layout->layout.root_at != 0 ? NULL : layout,
                              .expected = expected_lookups(&subject->lookups, options),
                              .beyond = layout->beyond != 0};
    snprintf(attempt.name, sizeof(attempt.name), "%s, %s", layouts[number].name, name);
    try_twice(&attempt, make_rewrite, &rewrite);
}

static void try_layout(const struct subject *subject, size_t number)
{
    static struct auto_layout layout;
    auto_layout(subject->words, subject->count, layouts[number].options, &layout);
    if (layouts[number].moves)
        try_form(subject, number, &layout, &(struct spirv_options){.tier = 0}, "tier 0");
    for (size_t i = 0; i < FORMS; i++) {
        if (!is_tried(number, i))
            continue;
        struct spirv_options options = forms[i].options;
        options.texel_paths = layouts[number].texel_paths;
        try_form(subject, number, &layout, &options, forms[i].name);
    }
    forget();
}

/* Alpha written as 1, of floats and of integers, in each fragment shader where that can be done. */
static void try_ones(const struct subject *subject)
{
    for (size_t at = HEADER_WORDS; at < subject->count; at += subject->words[at] >> 16) {
        const uint32_t *inst = subject->words + at;
        if ((inst[0] & 0xffffu) == SpvOpFunction)
            break;
        if ((inst[0] & 0xffffu) != SpvOpEntryPoint || inst[1] != SpvExecutionModelFragment)
            continue;
        for (uint32_t integers = 0; integers < 2; integers++) {
            struct spirv_alpha_one ones = {
                .entry = (const char *)(inst + 3), .locations = 0xff, .integers = integers ? 0xff : 0};
            struct attempt attempt = {.subject = subject};
            ones.locations = spirv_find_alpha_one(subject->words, subject->count, &ones, NULL);
            snprintf(attempt.name, sizeof(attempt.name), "alpha written as 1%s", integers ? ", integers" : "");
            if (ones.locations)
                try_twice(&attempt, make_ones, &ones);
            forget();
        }
    }
}

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    const long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    uint32_t *words = size >= 0 ? malloc((size_t)size + sizeof(uint32_t)) : NULL;
    *count = size >= 0 ? (size_t)size / sizeof(uint32_t) : 0;
    if (words)
        rewind(file);
    if (words && fread(words, sizeof(uint32_t), *count, file) != *count)
        *count = 0;
    if (file)
        fclose(file);
    return words;
}

static void try_module(const char *path)
{
    struct subject subject = {0};
    char reason[MOST_MESSAGE] = "";
    uint32_t *words = read_words(path, &subject.count);
    const char *slash = strrchr(path, '/');
    subject.name = slash ? slash + 1 : path;
    subject.name_length = (int)strcspn(subject.name, ".");
    subject.words = words;
    if (plants("validator"))
        abort();
    subject.unjudged = words && !judge_find_terms(&judge, words, subject.count, &subject.terms, reason, sizeof(reason));
    if (!words)
        say_line("invalid\tcannot be read");
    else if (!judge_count(&judge, words, subject.count, &subject.lookups) || (subject.unjudged && !judge_anyway)) {
        printf("invalid\t");
        say_line(reason);
    } else {
        printf("%s\t", subject.unjudged ? "unjudged" : "valid");
        say_line(subject.unjudged ? reason : subject.terms.universal ? "1" : "0");
        fflush(stdout);
        interpreter_run(&subject.run, words, subject.count, NULL, NULL);
        if (subject.unjudged)
            subject.run.stuck = "not valid";
        for (size_t i = 0; i < LAYOUTS; i++)
            if (is_few(layouts[i].name))
                try_layout(&subject, i);
        if (!few_forms)
            try_ones(&subject);
        interpreter_free(&subject.run);
        printf("end\t%zu\t%u\n", subject.count, subject.lookups.wrapped + subject.lookups.cubes);
    }
    free(words);
}

/* Validates what comes until nothing does. */
static int check_modules(void)
{
    uint32_t count;
    while (fread(&count, sizeof(count), 1, stdin) == 1) {
        const struct judge_terms terms[] = {{.environment = JUDGE_NEWEST}, {.environment = JUDGE_UNIVERSAL}};
        char reason[MOST_MESSAGE] = "", alone[MOST_MESSAGE] = "";
        uint32_t *words = malloc(count * sizeof(uint32_t) + 1);
        if (!words || fread(words, sizeof(uint32_t), count, stdin) != count)
            return 2;
        const bool valid = judge_is_valid_in(&judge, &terms[0], words, count, reason, sizeof(reason));
        const bool universal = !valid && judge_is_valid_in(&judge, &terms[1], words, count, alone, sizeof(alone));
        printf("%s\t", valid || universal ? "valid" : "invalid");
        say_line(valid ? "0" : universal ? "1" : strstr(reason, "not allowed by Vulkan") ? alone : reason);
        fflush(stdout);
        free(words);
    }
    return 0;
}

int main(int argc, char **argv)
{
    char line[4096];
    bool check = false;
    for (int i = 1; i < argc; i++) {
        planted = !strcmp(argv[i], "--plant") && i + 1 < argc ? argv[i + 1] : planted;
        keep_folder = !strcmp(argv[i], "--keep") && i + 1 < argc ? argv[i + 1] : keep_folder;
        few_forms |= !strcmp(argv[i], "--few");
        judge_anyway |= !strcmp(argv[i], "--anyway");
        check |= !strcmp(argv[i], "--check");
    }
    if (!judge_create(&judge))
        return 2;
    const int status = check ? check_modules() : 0;
    while (!check && fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t'), *end = NULL;
        share = (struct share){0, FORMS};
        if (tab) {
            *tab = '\0';
            share.first = strtoul(tab + 1, &end, 10);
            share.count = strtoul(end, NULL, 10);
        }
        printf("begin\t%s\n", line);
        fflush(stdout);
        try_module(line);
        fflush(stdout);
    }
    judge_free(&judge);
    return status;
}
