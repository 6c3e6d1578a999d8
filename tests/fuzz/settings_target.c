/* SPDX-License-Identifier: MIT */
/*
 * Settings from a file, the environment and the program, against a model that reads them again (settings_model.c).
 *
 * An input is text: the file; behind a byte 0x1e lines NAME=value of the environment; behind another one lines
 * key=value that the program gives, whose first character says as which type.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "settings_model.h"
#include "target.h"

#include "newer_vulkan.h"

enum { MOST = 8192, PART = 0x1e, MOST_GIVEN = 16 };

static unsigned differing, reports;
static int file = -1;

static void broken(const char *what, const char *key)
{
    fuzz_broken(what, key);
}

/* ---- What is given ---- */

/* The three parts, each with a 0 behind it, and the length of the first, which may have zeros. */
struct parts {
    char *file, *environment, *program;
    size_t file_size;
};

static struct parts take_apart(char *text, size_t size)
{
    struct parts parts = {.file = text, .environment = text + size, .program = text + size, .file_size = size};
    char *part = memchr(text, PART, size);
    if (part) {
        *part = '\0';
        parts.file_size = (size_t)(part - text);
        parts.environment = part + 1;
        part = memchr(parts.environment, PART, (size_t)(text + size - parts.environment));
        if (part) {
            *part = '\0';
            parts.program = part + 1;
        }
    }
    return parts;
}

/* No variable can have such a name but by mistake of ours, and no value a line's end. */
static void set_environment(char *text, struct model *model)
{
    clearenv();
    setenv("HOME", "/h", 1);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *equals = strchr(line, '=');
        if (!equals || strncmp(line, "VK_CLAMPLER_", strlen("VK_CLAMPLER_")))
            continue;
        *equals = '\0';
        setenv(line, equals + 1, 1);
    }
    for (char **entry = environ; *entry; entry++)
        model_variable(model, *entry);
}

static void set_file(const char *text, size_t size)
{
    char path[64];
    if (file < 0)
        file = memfd_create("settings", 0);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, text, size, 0) != (ssize_t)size)
        exit(2);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    setenv("VK_LAYER_SETTINGS_PATH", path, 1);
}

struct given {
    VkLayerSettingEXT settings[MOST_GIVEN];
    VkBool32 flags[MOST_GIVEN];
    const char *texts[MOST_GIVEN][3];
    uint32_t count;
};

static void set_program(char *text, struct given *given, struct model *model)
{
    given->count = 0;
    for (char *line = strtok(text, "\n"); line && given->count < MOST_GIVEN; line = strtok(NULL, "\n")) {
        VkLayerSettingEXT *setting = &given->settings[given->count];
        char *value = strchr(line, '=');
        if (line[0] == '\0' || !value)
            continue;
        *value++ = '\0';
        *setting = (VkLayerSettingEXT){.pLayerName = "VK_LAYER_CLAMPLER_gl_sampler", .pSettingName = line + 1};
        setting->valueCount = 1;
        if (line[0] == 'b') {
            given->flags[given->count] = value[0] == '1';
            setting->type = VK_LAYER_SETTING_TYPE_BOOL32_EXT;
            setting->pValues = &given->flags[given->count];
            model_program(model, line + 1, value[0] == '1' ? "true" : "false");
        } else if (line[0] == 'o') {
            setting->type = VK_LAYER_SETTING_TYPE_STRING_EXT;
            setting->pLayerName = "VK_LAYER_other";
            setting->pValues = given->texts[given->count];
        } else {
            char *second = line[0] == '2' ? strchr(value, ';') : NULL;
            char whole[MOST];
            if (second)
                *second++ = '\0';
            given->texts[given->count][0] = value;
            given->texts[given->count][1] = second;
            snprintf(whole, sizeof(whole), "%s%s%s", value, second ? "," : "", second ? second : "");
            setting->valueCount = second ? 2 : 1;
            setting->type = VK_LAYER_SETTING_TYPE_STRING_EXT;
            setting->pValues = given->texts[given->count];
            model_program(model, line + 1, whole);
        }
        given->count++;
    }
}

/* ---- What is read ---- */

static void take_report(void *user, enum log_level level, const char *text)
{
    unsigned *count = user;
    if (level > LOG_DEBUG || strlen(text) == 0 || strlen(text) >= 1024)
        broken("a report that is none", text);
    ++*count;
    reports++;
}

struct explained {
    struct model *model;
    unsigned at;
};

static void take_item(void *user, const char *key, const char *value, const char *where)
{
    struct explained *explained = user;
    char expected[MODEL_VALUE], why[3 * MODEL_VALUE];
    if (!model_value(explained->model, explained->at++, key, expected, sizeof(expected)))
        return;
    if (strcmp(expected, value)) {
        snprintf(why, sizeof(why), "%s is \"%s\" and should be \"%s\" (%s)", key, value, expected, where);
        broken("a setting has another value than was given", why);
    }
    differing += strcmp(where, "the defaults") != 0;
}

/* Cut where there is no room, and never beyond it. */
static void check_changes(const struct settings *settings)
{
    char whole[8192], cut[64];
    settings_changes(settings, whole, sizeof(whole));
    for (size_t size = 1; size <= sizeof(cut); size = size * 2 + 1) {
        memset(cut, 'x', sizeof(cut));
        settings_changes(settings, cut, size);
        if (strlen(cut) >= size || strncmp(cut, whole, strlen(cut)))
            broken("what changed is not cut", cut);
    }
}

static void check(const uint8_t *data, size_t size, enum fuzz_depth depth)
{
    static char text[MOST + 1];
    static struct given given;
    struct settings settings, again;
    char source[512];
    unsigned first = 0, second = 0;
    struct model model;
    if (size > MOST)
        return;
    memcpy(text, data, size);
    text[size] = '\0';
    struct parts parts = take_apart(text, size);
    model_begin(&model);
    set_program(parts.program, &given, &model);
    model_file(&model, parts.file, parts.file_size);
    set_environment(parts.environment, &model);
    set_file(parts.file, parts.file_size);
    const VkLayerSettingsCreateInfoEXT chain = {
        .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
        .settingCount = given.count,
        .pSettings = given.settings,
    };
    settings_read(&settings, &chain, source, sizeof(source), take_report, &first);
    if (!memchr(source, '\0', sizeof(source)) || source[0] == '\0')
        broken("the sources are not told", "");
    struct explained explained = {&model, 0};
    if (!settings_explain(&chain, NULL, take_item, &explained))
        broken("settings cannot be explained", "");
    if (depth != FUZZ_DEEP)
        return;
    check_changes(&settings);
    settings_activate(&settings);
    settings_read(&again, &chain, source, 8, take_report, &second);
    if (memcmp(&settings, &again, sizeof(settings)) != 0 || first != second || strlen(source) >= 8)
        broken("another result the second time", "");
}

/* ---- Inputs ---- */

static int seeds(const char *path, fuzz_take take, void *user)
{
    static const char *const texts[] = {
        "clampler_gl_sampler.tiers = eager\n# nothing\n\nclampler_gl_sampler.gl_clamp=edge , border\n",
        "clampler_gl_sampler.log_level@fuzz* = info\nclampler_gl_sampler.log_level = off\n",
        "clampler_gl_sampler.dump_dir = ~/x # and why\nother.tiers=lazy\nclampler_gl_sampler.tiers\n"
        "\x1eVK_CLAMPLER_TIERS=lazy\nVK_CLAMPLER_GL_SAMPLER_TIERS=eager\nVK_CLAMPLER_FORCE_ACTIVE=yes\n",
        "clampler_gl_sampler.assume_missing = none\x1eVK_CLAMPLER_ASSUME_MISSING=lod_bias,,alpha_fill\n\x1e"
        "bforce_active=1\nstiers=lazy\n2gl_clamp=edge;border\nofault=no_abs\nsalpha_to_one=VK_FORMAT_R8G8B8A8_UNORM\n",
        "clampler_gl_sampler.stats_file@a?b*[c-e] = ~\nclampler_gl_sampler.expose_opaque_descriptors = 1\n",
    };
    (void)path;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        take(user, (const uint8_t *)texts[i], strlen(texts[i]));
    return 1;
}

static size_t insert(uint8_t *data, size_t size, size_t most, const char *piece, uint64_t *random)
{
    const size_t at = fuzz_random(random) % (size + 1), length = strlen(piece);
    if (size + length > most)
        return size;
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, piece, length);
    return size + length;
}

/* Keys and values that there are, and long ones, in all spellings. */
static size_t mutate(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    static const char *const pieces[] = {
        "clampler_gl_sampler.",
        "VK_CLAMPLER_",
        "VK_CLAMPLER_GL_SAMPLER_",
        "\n",
        " = ",
        "@",
        "@fuzz_settings = ",
        "@*",
        "@f*s=",
        "\x1e",
        "\x1e\x1e",
        "\ns",
        "\nb",
        "\n2",
        ";",
        "#",
        "true",
        "none",
        "~/",
        ",",
        " \t",
        "\r\n",
    };
    char piece[1200];
    const uint32_t choice = fuzz_random(random) % 8;
    if (choice < 2)
        return fuzz_mutate_bytes(data, size, most, random);
    if (choice < 4)
        return insert(data, size, most, pieces[fuzz_random(random) % (sizeof(pieces) / sizeof(pieces[0]))], random);
    if (choice == 4) { /* lengths beside those that fit */
        static const size_t lengths[] = {15, 63, 127, 128, 253, 254, 255, 256, 257, 510, 511, 512, 513, 1023, 1024};
        const size_t length = lengths[fuzz_random(random) % (sizeof(lengths) / sizeof(lengths[0]))];
        memset(piece, 'a' + (char)(fuzz_random(random) % 26), length);
        piece[length] = '\0';
        return insert(data, size, most, piece, random);
    }
    model_write_line(piece, sizeof(piece), random);
    return insert(data, size, most, piece, random);
}

static void report(char *text, size_t size)
{
    snprintf(text, size, "set=%u reports=%u", differing, reports);
}

const struct fuzz_target fuzz_target = {
    .name = "settings",
    .most = MOST,
    .deep_share = 8,
    .seeds = seeds,
    .mutate = mutate,
    .check = check,
    .report = report,
};
