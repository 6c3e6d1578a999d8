/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/device/environment.h"
#include "harness/device/variation.h"
#include "harness/device/vulkan.h"

#define PREFIX "VK_CLAMPLER_"
#define LONG_PREFIX "VK_CLAMPLER_GL_SAMPLER_"
#define STATS_FILE PREFIX "STATS_FILE"
#define VARIABLES_MAX 8

extern int cmocka_skipped __attribute__((weak)); /* tests/cmocka/cmocka.h */

/*
 * What a setting is seen by: one of the values of a counter from `first` on is not 0, or of the next row's. Of those
 * that are not in the list, and of devices that lack what a setting is about, it counts that they were read.
 */
static const struct {
    const char *setting, *counter;
    unsigned first;
    bool by_default; /* which the layer does not write */
} seen_by[] = {
    {"form=gpu", "draws", 1, false},
    {"assume_missing=samplers", "samplers_surplus", 0, false},
    {"assume_missing=pair_samplers", "pairs_common", 0, false},
    {"assume_missing=subgroup_vote", "draws", 1, false},
    {"alpha_write=keep", "alpha_kept", 0, false},
    {"alpha_write=keep", "alpha_fills", 0, false}, /* which are of another state where alpha is kept */
    {"linear_fallback=shader", "draws", 2, false},
    {"tiers=ahead", "compiled_ahead", 0, true},
};

#define SEEN_BY (sizeof(seen_by) / sizeof(seen_by[0]))

/* A setting as the layer writes it, key=value. */
struct variable {
    char setting[128];
    bool read, seen;
};

static struct {
    struct variable variables[VARIABLES_MAX];
    unsigned count;
    char file[64];     /* into which the layer writes; empty: none */
    char layers[64];   /* CLAMPLER_TEST_LAYERS; empty: not set */
    bool layers_stood; /* a device had them */
} variation;

static bool are_same_but_for_validation(const char *a, const char *b)
{
    size_t of_a, of_b;
    do {
        a = harness_next_layer(a, &of_a);
        b = harness_next_layer(b, &of_b);
        if (of_a != of_b || strncmp(a, b, of_a) != 0)
            return false;
        a += of_a;
        b += of_b;
    } while (*a || *b);
    return true;
}

/* A test may leave out a validation layer that checks what the layer does: not one that stands above it. */
static bool are_those_of_the_variation(const char *layers)
{
    if (strcmp(variation.layers, "none") == 0)
        return !layers || !strstr(layers, "clampler");
    if (!layers || strcmp(variation.layers, layers) == 0)
        return layers != NULL;
    return !harness_validation_above(variation.layers) && are_same_but_for_validation(variation.layers, layers);
}

void harness_variation_device(const char *layers)
{
    variation.layers_stood |= are_those_of_the_variation(layers);
}

/* ---- When the process starts ---- */

static void note_variable(const char *entry)
{
    const bool is_long = strncmp(entry, LONG_PREFIX, strlen(LONG_PREFIX)) == 0;
    const char *key = entry + strlen(is_long ? LONG_PREFIX : PREFIX);
    struct variable *variable = &variation.variables[variation.count];
    if (strncmp(entry, PREFIX, strlen(PREFIX)) != 0 || strstr(key, "_FILE=") || strncmp(key, "LOG_", 4) == 0 ||
        strncmp(key, "DUMP_", 5) == 0 || strcmp(key, "TIERS=lazy") == 0 || variation.count == VARIABLES_MAX)
        return; /* files, what is said, and what harness_environment_vulkan() sets, as a child process finds it */
    snprintf(variable->setting, sizeof(variable->setting), "%s", key);
    for (char *c = variable->setting; *c && *c != '='; c++)
        *c = (char)tolower((unsigned char)*c);
    variation.count++;
}

/* ---- When it ends ---- */

/* Whether the line, of one device, has a value of the counter other than 0, from the one on. */
static bool counted(const char *line, const char *counter, unsigned first)
{
    char name[64];
    snprintf(name, sizeof(name), "\"%s\": ", counter);
    const char *value = strstr(line, name);
    if (!value)
        return false;
    value += strlen(name);
    value += *value == '[';
    for (unsigned i = 0;; i++) {
        char *end;
        const unsigned long long number = strtoull(value, &end, 10);
        if (i >= first && number)
            return true;
        if (end == value || *end != ',' || end[1] != ' ' || end[2] == '"')
            return false;
        value = end + 2;
    }
}

static bool has_setting(const char *line, const char *setting)
{
    static const char begin[] = "\"settings\": \"";
    const char *settings = strstr(line, begin), *found = settings;
    const size_t length = strlen(setting);
    while (found && (found = strstr(found, setting))) {
        const char before = found[-1], after = found[length];
        if ((before == ' ' || before == '"') && (after == ' ' || after == '"'))
            return true;
        found += length;
    }
    return false;
}

/* Whether the setting has a value that is not the default. */
static bool has_key(const char *line, const char *setting)
{
    char key[64];
    snprintf(key, sizeof(key), " %.*s=", (int)strcspn(setting, "="), setting);
    return strstr(line, key) != NULL;
}

static void read_line(const char *line)
{
    for (unsigned i = 0; i < variation.count; i++) {
        struct variable *variable = &variation.variables[i];
        size_t known = 0;
        while (known < SEEN_BY && strcmp(variable->setting, seen_by[known].setting) != 0)
            known++;
        const bool by_default = known < SEEN_BY && seen_by[known].by_default;
        if (by_default ? has_key(line, variable->setting) : !has_setting(line, variable->setting))
            continue;
        variable->read = true;
        variable->seen |= known == SEEN_BY;
        for (; known < SEEN_BY && strcmp(variable->setting, seen_by[known].setting) == 0; known++)
            variable->seen |= counted(line, seen_by[known].counter, seen_by[known].first);
    }
}

static void read_lines(void)
{
    char *line = NULL;
    size_t size = 0;
    FILE *file = variation.file[0] ? fopen(variation.file, "r") : NULL;
    while (file && getline(&line, &size, file) > 0)
        read_line(line);
    free(line);
    if (file)
        fclose(file);
}

static void fail_without_effect(int status, void *process)
{
    bool failed = false;
    if (process != (void *)(intptr_t)getpid()) /* in a fork nothing is asked */
        return;
    read_lines();
    if (variation.file[0])
        unlink(variation.file);
    if (status != 0)
        return;
    if (variation.layers[0] && !variation.layers_stood) {
        failed = true;
        fprintf(stderr, "harness: no device had the layers of CLAMPLER_TEST_LAYERS, %s\n", variation.layers);
    }
    for (unsigned i = 0; i < variation.count && variation.file[0]; i++) {
        const struct variable *variable = &variation.variables[i];
        const bool some_skipped = &cmocka_skipped && cmocka_skipped > 0;
        if (!variable->read)
            fprintf(stderr, "harness: the layer read %s for no device\n", variable->setting);
        else if (!variable->seen)
            fprintf(stderr, "harness: nothing came of %s%s\n", variable->setting,
                    some_skipped ? "; some tests were skipped" : "");
        failed |= !variable->read || (!variable->seen && !some_skipped);
    }
    if (failed) {
        fflush(NULL);
        _exit(1);
    }
}

__attribute__((constructor)) static void note_environment(void)
{
    const char *layers = getenv("CLAMPLER_TEST_LAYERS");
    harness_environment_watch();
    for (char **entry = environ; *entry; entry++)
        note_variable(*entry);
    snprintf(variation.layers, sizeof(variation.layers), "%s", layers ? layers : "");
    if (variation.count && !getenv(STATS_FILE)) {
        const char *folder = getenv("TMPDIR");
        snprintf(variation.file, sizeof(variation.file), "%s/clampler-variation-XXXXXX",
                 folder && strlen(folder) < 32 ? folder : "/tmp");
        const int file = mkstemp(variation.file);
        if (file < 0)
            harness_fail("%s cannot be made", variation.file);
        close(file);
        setenv(STATS_FILE, variation.file, 1);
    }
    if (variation.count || variation.layers[0])
        on_exit(fail_without_effect, (void *)(intptr_t)getpid());
}
