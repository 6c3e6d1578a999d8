/* SPDX-License-Identifier: MIT */
/*
 * `clampler rewrite` as it is called: its arguments, the file that it reads and the one that it writes. The model reads
 * the arguments by themselves, as the manual page has them, and asks the rewriter what must be written.
 *
 * An input is a byte of how many arguments, each as a byte that chooses one of those below, then the file's bytes.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auto_layout.h"
#include "cli.h"
#include "mutate.h"
#include "spirv_tools/spirv_tools.h"
#include "target.h"

enum { MOST_ARGUMENTS = 12, MOST = 16384 };

static unsigned used_wrongly, written, refused;
static int in = -1, out = -1;
static char in_path[32], out_path[32];

/* Chosen by number; the first two stand for the files. */
static const char *const choices[] = {
    "IN",  "OUT", "-o",        "--explain",  "--tier",        "1",   "2",          "3",         "--form",
    "gpu", "cpu", "--storage", "--renumber", "--texel-paths", "0x7", "--validate", "--unknown", "",
    "-",   "IN",  "-o",        "OUT",        "none/such",
};
#define CHOICES (sizeof(choices) / sizeof(choices[0]))

/* ---- SPIRV-Tools ---- */

/* What says of a module whether it is valid is not what is looked at here: its size decides. */
bool spirv_tools_found(void)
{
    return true;
}

const char *spirv_tools_searched(void)
{
    return "";
}

bool spirv_tools_validate(const uint32_t *words, size_t word_count, uint32_t version, char *why, size_t size)
{
    (void)words;
    (void)version;
    snprintf(why, size, "%s", word_count % 2 ? "odd" : "");
    return word_count % 2 == 0;
}

/* ---- The model ---- */

struct asked {
    bool good, explain, validate;
    const char *in, *out;
    unsigned layout;
    struct spirv_options options;
};

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return text && (!strcmp(text, a) || !strcmp(text, b));
}

static struct asked read_arguments(int count, char **arguments)
{
    struct asked asked = {.good = true, .options = {.tier = 1}};
    for (int i = 1; i < count && asked.good; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        bool takes_value = false;
        if (!strcmp(name, "--explain"))
            asked.explain = true;
        else if (!strcmp(name, "--validate"))
            asked.validate = true;
        else if (!strcmp(name, "--storage"))
            asked.layout |= AUTO_LAYOUT_STORAGE;
        else if (!strcmp(name, "--renumber"))
            asked.layout |= AUTO_LAYOUT_RENUMBER;
        else if (!strcmp(name, "-o") && (takes_value = value != NULL))
            asked.out = value;
        else if (!strcmp(name, "--tier") && (takes_value = is_one_of(value, "1", "2")))
            asked.options.tier = value[0] == '2' ? 2 : 1;
        else if (!strcmp(name, "--form") && (takes_value = is_one_of(value, "gpu", "cpu")))
            asked.options.form = value[0] == 'c' ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
        else if (!strcmp(name, "--texel-paths") && (takes_value = value != NULL))
            asked.options.texel_paths = (uint32_t)strtoul(value, NULL, 0);
        else if (name[0] != '-' && !asked.in)
            asked.in = name;
        else
            asked.good = false;
        i += takes_value;
    }
    asked.good &= asked.in && (asked.out || asked.explain);
    return asked;
}

/* What the command must do: its status, and what it writes, if anything. */
static int expect(const struct asked *asked, const uint32_t *words, size_t size, struct spirv_output *output)
{
    const size_t count = size / sizeof(*words);
    static struct auto_layout layout;
    struct spirv_facts facts;
    *output = (struct spirv_output){0};
    if (!asked->good)
        return STATUS_USAGE;
    if (strcmp(asked->in, in_path) || size % sizeof(*words) != 0)
        return 1;
    auto_layout(words, count, asked->layout, &layout);
    const enum spirv_result result = spirv_rewrite(words, count, &layout.layout, &asked->options, NULL, output);
    if (result == SPIRV_MALFORMED || result == SPIRV_UNSUPPORTED || result == SPIRV_OUT_OF_MEMORY ||
        spirv_scan(words, count, &facts) == SPIRV_MALFORMED)
        return 1;
    const size_t after = result == SPIRV_REWRITTEN ? output->word_count : count;
    const bool writes = !asked->out || !strcmp(asked->out, out_path) || !strcmp(asked->out, in_path);
    return (asked->validate && after % 2) || !writes ? 1 : 0;
}

/* ---- The check ---- */

static void open_files(void)
{
    in = memfd_create("in", 0);
    out = memfd_create("out", 0);
    /* What the command says is not looked at; the fuzzer's own words go elsewhere, by another number. */
    if (in < 0 || out < 0 || !freopen("/dev/null", "w", stdout))
        exit(2);
    snprintf(in_path, sizeof(in_path), "/proc/self/fd/%d", in);
    snprintf(out_path, sizeof(out_path), "/proc/self/fd/%d", out);
}

static int call(int count, char **arguments)
{
    const int errors = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dup2(nothing, STDERR_FILENO);
    /* A folder in which no file can be made, whatever the argument is. */
    if (chdir("/proc/self/fdinfo"))
        exit(2);
    const int status = rewrite(count, arguments);
    if (fchdir(folder))
        exit(2);
    fflush(stderr);
    close(folder);
    dup2(errors, STDERR_FILENO);
    close(errors);
    close(nothing);
    return status;
}

static void check_written(const struct asked *asked, const uint32_t *words, size_t count,
                          const struct spirv_output *output)
{
    static uint8_t read[1 << 22];
    const uint32_t *expected = output->words ? output->words : words;
    const size_t size = (output->words ? output->word_count : count) * sizeof(*words);
    const bool over = asked->out && !strcmp(asked->out, in_path);
    const ssize_t got = pread(over ? in : out, read, sizeof(read), 0);
    if (!asked->out)
        return;
    if (got < 0 || ((size_t)got != size && size < sizeof(read)) || (got && memcmp(read, expected, (size_t)got)))
        fuzz_broken("clampler rewrite", "another file was written");
    written++;
}

static void check(const uint8_t *data, size_t size, enum fuzz_depth depth)
{
    char name[] = "rewrite";
    char *arguments[MOST_ARGUMENTS + 2] = {name};
    struct spirv_output output;
    (void)depth;
    if (in < 0)
        open_files();
    if (size == 0)
        return;
    const size_t count = data[0] % MOST_ARGUMENTS < size ? data[0] % MOST_ARGUMENTS : size - 1;
    for (size_t i = 0; i < count; i++) {
        const char *choice = choices[data[1 + i] % CHOICES];
        choice = !strcmp(choice, "IN") ? in_path : !strcmp(choice, "OUT") ? out_path : choice;
        arguments[1 + i] = (char *)(uintptr_t)choice;
    }
    data += 1 + count;
    size -= 1 + count;
    if (ftruncate(in, 0) || ftruncate(out, 0) || pwrite(in, data, size, 0) != (ssize_t)size)
        exit(2);
    uint32_t *words = malloc(size + sizeof(*words));
    if (!words)
        exit(2);
    memcpy(words, data, size);
    const struct asked asked = read_arguments((int)count + 1, arguments);
    const int expected = expect(&asked, words, size, &output);
    const int status = call((int)count + 1, arguments);
    if (status != expected) {
        char detail[64];
        snprintf(detail, sizeof(detail), "status %d, and by its manual %d", status, expected);
        fuzz_broken("clampler rewrite", detail);
    }
    if (status == 0)
        check_written(&asked, words, size / sizeof(*words), &output);
    used_wrongly += status == STATUS_USAGE;
    refused += status == 1;
    free(output.words);
    free(words);
}

/* ---- Inputs ---- */

static uint8_t seed[MOST];
static struct {
    fuzz_take take;
    void *user;
    unsigned number;
} taker;

/* A module of the rewriter's regressions, without its options. */
static void take_module(const char *path)
{
    static const uint8_t arguments[][6] = {{4, 2, 1, 0, 11}, {5, 2, 1, 0, 4, 6}, {2, 3, 0}, {5, 0, 2, 1, 8, 10}};
    const uint8_t *chosen = arguments[taker.number++ % 4];
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    memcpy(seed, chosen, 1u + chosen[0]);
    size_t size = fread(seed + 1 + chosen[0], 1, MOST - 16, file);
    fclose(file);
    /* Its four bytes of options come first. */
    size = size > 4 ? size - 4 : 0;
    memmove(seed + 1 + chosen[0], seed + 5 + chosen[0], size);
    taker.take(taker.user, seed, 1 + chosen[0] + size);
}

static int seeds(const char *folder, fuzz_take take, void *user)
{
    static const char *const names[] = {"passed_on_in_heaps", "layout_that_does_not_fit", "header_only", "wrong_magic"};
    char path[4096];
    taker.take = take;
    taker.user = user;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", folder ? folder : FUZZ_MODULES, names[i]);
        take_module(path);
        take_module(path);
    }
    return 1;
}

static size_t mutate(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    static uint32_t words[MOST / 4];
    const uint32_t choice = fuzz_random(random) % 8;
    if (size < 8 || choice == 0)
        return fuzz_mutate_bytes(data, size, most, random);
    const size_t count = data[0] % MOST_ARGUMENTS < size - 8 ? data[0] % MOST_ARGUMENTS : 0;
    if (choice == 1 && count + 1 < MOST_ARGUMENTS && size < most) { /* an argument more */
        memmove(data + 2, data + 1, size - 1);
        data[0] = (uint8_t)(count + 1);
        data[1] = (uint8_t)(fuzz_random(random) % CHOICES);
        return size + 1;
    }
    if (choice < 5) {
        data[fuzz_random(random) % (count + 1)] = (uint8_t)(fuzz_random(random) % CHOICES);
        return size;
    }
    const size_t from = 1 + count, length = (size - from) / sizeof(*words);
    memcpy(words, data + from, length * sizeof(*words));
    const size_t changed = mutate_module(words, length, (most - from) / sizeof(*words), random);
    memcpy(data + from, words, changed * sizeof(*words));
    return from + changed * sizeof(*words);
}

static void report(char *text, size_t size)
{
    snprintf(text, size, "usage=%u refused=%u written=%u", used_wrongly, refused, written);
}

const struct fuzz_target fuzz_target = {
    .name = "command",
    .most = MOST,
    .deep_share = 16,
    .seeds = seeds,
    .mutate = mutate,
    .check = check,
    .report = report,
};
