/* SPDX-License-Identifier: MIT */
/*
 * Real shaders through the rewriter: every tier x form x storage class of the records. Every result is judged by
 * SPIRV-Tools' validator, and every lookup that wrap modes touch must have been rewritten.
 *
 *   corpus_rewrite_test PACK COMPILER [FOLDER...]
 *
 * PACK is the corpus; COMPILER finds and compiles what other software installed under the FOLDERs, which may be
 * nothing. With CORPUS_DUMP=FOLDER in the environment, all failures are shown and their modules left there, before and
 * after the rewrite.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp(), for C11 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "auto_layout.h"
#include "judge.h"
#include "pack.h"
#include "spirv/spirv.h"

#define FEWEST_SHADERS 300
#define MOST_INSTALLED 1500 /* modules; keeps a machine full of software from making the test slow */
#define MESSAGES_SHOWN 20
#define COMBINATIONS 8

struct totals {
    unsigned shaders, modules, sampling, rewrites, failures;
    unsigned long lookups, cubes, validations;
    size_t bytes_in, bytes_out;
    unsigned invalid_inputs; /* not the rewriter's fault: not tried */
};

static const char *pack_path;
static const char *compiler_path;
static char **folders;
static int folder_count;
static struct totals totals, installed_totals;

/* One rewrite of one module, and what it must come to. */
struct attempt {
    const struct judge *judge;
    const struct pack_module *module;
    struct judge_lookups lookups;
    struct spirv_options options;
    unsigned layout_options;
};

static void dump(const char *folder, const char *suffix, const uint32_t *words, size_t word_count)
{
    char path[1024];

    snprintf(path, sizeof(path), "%s/%u-%s.spv", folder, totals.failures, suffix);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(words, sizeof(*words), word_count, file);
    fclose(file);
}

static void fail_attempt(const struct attempt *attempt, const struct spirv_output *output, struct totals *sum,
                         const char *what)
{
    static const char *const variants[] = {"plain", "debug", "debug with source", "optimised"};
    const struct pack_module *module = attempt->module;
    const char *folder = getenv("CORPUS_DUMP");

    sum->failures++;
    if (sum->failures > MESSAGES_SHOWN && !folder)
        return;
    print_error("%s (%s, Vulkan 1.%u), tier %u, %s form, %s records%s: %s\n", module->name, variants[module->variant],
                module->environment - 10, attempt->options.tier,
                attempt->options.form == SPIRV_FORM_GPU ? "GPU" : "CPU",
                attempt->layout_options & AUTO_LAYOUT_STORAGE ? "storage" : "uniform",
                attempt->layout_options & AUTO_LAYOUT_RENUMBER   ? ", renumbered"
                : attempt->layout_options & AUTO_LAYOUT_EMBEDDED ? ", by number"
                : attempt->layout_options & AUTO_LAYOUT_HEAPS    ? ", in heaps"
                                                                 : "",
                what);
    if (folder) {
        dump(folder, "before", module->words, module->word_count);
        if (output && output->words)
            dump(folder, "after", output->words, output->word_count);
    }
}

static bool same_output(const struct spirv_output *a, const struct spirv_output *b)
{
    return a->word_count == b->word_count && a->rewritten_lookups == b->rewritten_lookups &&
           (a->word_count == 0 || memcmp(a->words, b->words, a->word_count * sizeof(*a->words)) == 0);
}

/* Tier 1 knows of cubes only where they compare, or have a least level or a bias, or the driver may cut a sampler's. */
static uint32_t lookups_expected(const struct attempt *attempt)
{
    const struct judge_lookups *l = &attempt->lookups;
    if (attempt->options.tier == 2)
        return l->wrapped + l->cubes + l->queries;
    return l->wrapped + (attempt->options.max_lod_bias > 0 ? l->biased_cubes + l->compared_gathers + l->queries
                                                           : l->compared_cubes + l->bounded_cubes);
}

static void judge(const struct attempt *attempt, enum spirv_result result, const struct spirv_output *output,
                  struct totals *sum)
{
    const uint32_t expected = lookups_expected(attempt);
    /* Images and samplers are apart in heaps, where fetches read the image's own view. */
    const bool apart = attempt->layout_options & AUTO_LAYOUT_HEAPS;
    const bool borders = attempt->options.tier == 2 && attempt->options.extras && attempt->options.rectangles;
    const uint32_t decoded = borders ? attempt->lookups.multisampled : attempt->lookups.fetches;
    const uint32_t reads = attempt->lookups.buffers + (borders ? attempt->lookups.bordered : 0) + (apart ? 0 : decoded);
    bool may_be_unchanged = expected + reads == 0;
    char reason[512];
    char text[640];

    if (result != SPIRV_REWRITTEN && !(result == SPIRV_UNCHANGED && may_be_unchanged)) {
        snprintf(text, sizeof(text), "result %d with %u lookups to rewrite: %s", (int)result, expected,
                 output->message);
        fail_attempt(attempt, output, sum, text);
        return;
    }
    if (output->rewritten_lookups != expected) {
        snprintf(text, sizeof(text), "%u of %u lookups rewritten: %s", output->rewritten_lookups, expected,
                 output->message);
        fail_attempt(attempt, output, sum, text);
    }
    if (output->rewritten_reads != reads) {
        snprintf(text, sizeof(text), "%u of %u fetches rewritten: %s", output->rewritten_reads, reads, output->message);
        fail_attempt(attempt, output, sum, text);
    }
    if (result == SPIRV_UNCHANGED) {
        if (output->words || output->word_count)
            fail_attempt(attempt, output, sum, "unchanged, but there is output");
        return;
    }
    if (may_be_unchanged && !(attempt->layout_options & (AUTO_LAYOUT_RENUMBER | AUTO_LAYOUT_SCALED)))
        fail_attempt(attempt, output, sum, "nothing to rewrite, but not handed on as it is");
    sum->rewrites++;
    sum->validations++;
    sum->bytes_in += attempt->module->word_count * sizeof(uint32_t);
    sum->bytes_out += output->word_count * sizeof(uint32_t);
    if (!judge_is_valid(attempt->judge, attempt->module->environment, output->words, output->word_count, reason,
                        sizeof(reason))) {
        snprintf(text, sizeof(text), "not valid: %s", reason);
        fail_attempt(attempt, output, sum, text);
    }
}

static void try_rewrite(const struct attempt *attempt, struct totals *sum)
{
    const struct pack_module *module = attempt->module;
    struct auto_layout layout;
    struct spirv_output first, second;

    auto_layout(module->words, module->word_count, attempt->layout_options, &layout);
    enum spirv_result result =
        spirv_rewrite(module->words, module->word_count, &layout.layout, &attempt->options, NULL, &first);
    enum spirv_result again =
        spirv_rewrite(module->words, module->word_count, &layout.layout, &attempt->options, NULL, &second);
    if (result != again || !same_output(&first, &second))
        fail_attempt(attempt, &first, sum, "another result the second time");
    judge(attempt, result, &first, sum);
    free(first.words);
    free(second.words);
}

/*
 * All combinations for the corpus, or a quarter for each share of the tests (scripts/test), going round; for what is
 * installed a quarter always, as there may be much of it. Under sanitizers, whose allocator makes SPIRV-Tools ten times
 * slower, one.
 */
static bool takes_combination(const struct pack_module *module, size_t number, unsigned combination)
{
#ifdef CORPUS_SANITIZED
    (void)module;
    return combination == number % COMBINATIONS;
#else
    const char *share = getenv("CLAMPLER_TEST_SHARE");
    return (module->origin != PACK_INSTALLED && !share) ||
           combination % 4 == (number + (share ? strtoul(share, NULL, 10) : 0)) % 4;
#endif
}

/* Sets with buffers of records by two of three, and descriptors that carry numbers. */
static const unsigned layouts[] = {AUTO_LAYOUT_RENUMBER, 0, AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_SCALED, 0, 0,
                                   AUTO_LAYOUT_HEAPS,    0};

static void try_module(const struct judge *judge, const struct pack_module *module, size_t number, struct totals *sum)
{
    struct attempt attempt = {.judge = judge, .module = module};
    struct spirv_facts facts;
    char reason[512];

    if (!judge_is_valid(judge, module->environment, module->words, module->word_count, reason, sizeof(reason)) ||
        !judge_count(judge, module->words, module->word_count, &attempt.lookups)) {
        sum->invalid_inputs++;
        /*
         * glslang's newest form of debug information is not always valid; and newer validators refuse loop headers that
         * choose between two blocks of the loop, which older SPIR-V allows.
         */
        bool of_older_spirv = module->origin == PACK_ASSEMBLY && strstr(reason, "Selection must be structured") != NULL;
        if (module->origin != PACK_INSTALLED && module->variant != PACK_DEBUG_VS && !of_older_spirv)
            fail_attempt(&attempt, NULL, sum, reason);
        return;
    }
    sum->modules++;
    sum->lookups += attempt.lookups.wrapped;
    sum->cubes += attempt.lookups.cubes;
    sum->sampling += attempt.lookups.wrapped > 0;
    if (spirv_scan(module->words, module->word_count, &facts) == SPIRV_MALFORMED)
        fail_attempt(&attempt, NULL, sum, "spirv_scan() calls it malformed");
    if (facts.samples != (attempt.lookups.wrapped + attempt.lookups.cubes + attempt.lookups.queries > 0))
        fail_attempt(&attempt, NULL, sum, "spirv_scan() is wrong about whether it samples");
    for (unsigned combination = 0; combination < COMBINATIONS; combination++) {
        if (!takes_combination(module, number, combination))
            continue;
        attempt.options.tier = combination & 4 ? 2 : 1;
        attempt.options.form = combination & 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
        attempt.options.max_lod_bias = (number + combination) % 3 == 0 ? 4.0f : 0.0f;
        attempt.options.votes = (number + combination) % 2;
        attempt.options.extras = (number + combination) % 2;
        attempt.options.filter = attempt.options.extras
                                     ? SPIRV_FILTER_TEXELS
                                     : (enum spirv_filter)((number + combination) / 2 % SPIRV_FILTER_COUNT);
        attempt.options.rectangles = (number + combination) % 5 != 0;
        attempt.options.texel_paths = (uint32_t)(number + combination) % 8;
        attempt.layout_options = combination & 1 ? AUTO_LAYOUT_STORAGE | AUTO_LAYOUT_HALVES : 0;
        attempt.layout_options |= layouts[(number + combination) % (sizeof(layouts) / sizeof(layouts[0]))];
        try_rewrite(&attempt, sum);
    }
}

static void try_pack(const struct pack *pack, size_t limit, struct totals *sum)
{
    struct judge judge;

    assert_true(judge_create(&judge));
    for (size_t i = 0; i < pack->module_count && i < limit; i++)
        try_module(&judge, &pack->modules[i], i, sum);
    judge_free(&judge);
}

static bool same_words(const struct pack_module *a, const struct pack_module *b)
{
    return a->word_count == b->word_count && memcmp(a->words, b->words, a->word_count * sizeof(*a->words)) == 0;
}

/* Different shaders: their plain modules differ (assembly: for Vulkan 1.1, the last that takes it). */
static unsigned count_shaders(const struct pack *pack)
{
    unsigned count = 0;

    for (size_t i = 0; i < pack->module_count; i++) {
        const struct pack_module *module = &pack->modules[i];
        if (module->variant != PACK_PLAIN || module->environment != (module->origin == PACK_ASSEMBLY ? 11 : 13))
            continue;
        bool is_new = true;
        for (size_t j = 0; j < i && is_new; j++)
            is_new = !same_words(module, &pack->modules[j]);
        count += is_new;
    }
    return count;
}

static void every_lookup_of_the_corpus_is_rewritten_and_every_result_valid(void **state)
{
    struct pack pack;

    (void)state;
    assert_true(pack_read(pack_path, &pack));
    totals.shaders = count_shaders(&pack);
    try_pack(&pack, SIZE_MAX, &totals);
    pack_free(&pack);
    assert_int_equal(totals.failures, 0);
}

static void the_corpus_holds_enough_shaders_that_sample(void **state)
{
    (void)state;
    assert_true(totals.shaders >= FEWEST_SHADERS);
    assert_true(totals.sampling >= 3 * FEWEST_SHADERS);
    assert_true(totals.modules - totals.sampling >= 100);
    assert_true(totals.invalid_inputs <= totals.shaders / 10);
}

static void installed_shaders_are_rewritten_and_valid(void **state)
{
    char path[] = "/tmp/clampler-installed-XXXXXX";
    char command[4096];
    struct pack pack;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    int length =
        snprintf(command, sizeof(command), "ASAN_OPTIONS=detect_leaks=0 '%s' --output %s", compiler_path, path);
    for (int i = 0; i < folder_count && length < (int)sizeof(command); i++)
        length += snprintf(command + length, sizeof(command) - (size_t)length, " --installed '%s'", folders[i]);
    assert_true(length < (int)sizeof(command));
    /* The compiler may fall over other people's shaders: what it wrote until then counts. */
    if (system(command) != 0)
        print_message("the compiler stopped early\n");
    bool read = pack_read(path, &pack);
    remove(path);
    if (!read || pack.module_count == 0) {
        if (read)
            pack_free(&pack);
        skip();
    }
    try_pack(&pack, MOST_INSTALLED, &installed_totals);
    pack_free(&pack);
    assert_int_equal(installed_totals.failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lookup_of_the_corpus_is_rewritten_and_every_result_valid),
        cmocka_unit_test(the_corpus_holds_enough_shaders_that_sample),
        cmocka_unit_test(installed_shaders_are_rewritten_and_valid),
    };

    if (argc < 3) {
        fprintf(stderr, "usage: %s PACK COMPILER [FOLDER...]\n", argv[0]);
        return 2;
    }
    pack_path = argv[1];
    compiler_path = argv[2];
    folders = argv + 3;
    folder_count = argc - 3;

    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("corpus: %u shaders, %u modules (%u sample, %u more not valid before), %lu lookups; %u rewrites valid and "
           "the same twice, %zu -> %zu kB; "
           "%u failures; installed: %u modules (%u not valid before), %lu lookups, %u rewrites, %u failures\n",
           totals.shaders, totals.modules, totals.sampling, totals.invalid_inputs, totals.lookups, totals.rewrites,
           totals.bytes_in / 1000, totals.bytes_out / 1000, totals.failures, installed_totals.modules,
           installed_totals.invalid_inputs, installed_totals.lookups, installed_totals.rewrites,
           installed_totals.failures);
    return failed;
}
