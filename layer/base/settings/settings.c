/* SPDX-License-Identifier: MIT */
/*
 * Reads all sources of settings, the weakest first, so that stronger ones overwrite. The table of settings and the
 * parsing of values are generated or in value.c; here are the sources, and which of them count.
 */
#include "settings/settings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newer_vulkan.h"
#include "platform/environment.h"
#include "platform/input.h"
#include "platform/paths.h"
#include "platform/platform.h"
#include "settings/table.h"
#include "text/text.h"

#define LAYER_NAME "VK_LAYER_CLAMPLER_gl_sampler"
#define FILE_PREFIX "clampler_gl_sampler."
#define FILE_NAME "vk_layer_settings.txt"

#define FILE_MOST_BYTES (1 << 20)
#define SOURCE_SIZE 640 /* bytes of the name of a source: a path, and the program that a rule is for */

/* Kinds of messages, each with a limit: a file of a megabyte may have 34,485 unknown keys. */
enum trouble { UNKNOWN_KEY, BAD_VALUE, NO_VALUE, OTHER_TROUBLE, REMARK, TROUBLES };

enum { TROUBLES_REPORTED = 4 }; /* of a kind; the others are counted */

/* One reading of all sources. */
struct reader {
    struct settings *settings;
    settings_report report;
    void *user;
    const char *program; /* the name that rules by program are for; NULL: those of the running program */
    char *source;
    size_t source_size;
    struct origin *origins; /* one for each setting, in the table's order; NULL: not wanted */
    uint32_t troubles[TROUBLES];
};

struct origin {
    char where[SOURCE_SIZE];
};

/* Names, values and paths come from outside: the line is one all the same, and UTF-8. */
static void report_line(const struct reader *reader, enum log_level level, char *text)
{
    text_clean(text);
    reader->report(reader->user, level, text);
}

static void PRINTF_LIKE(4, 5)
    report(struct reader *reader, enum trouble kind, enum log_level level, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!reader->report || reader->troubles[kind]++ >= TROUBLES_REPORTED)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    report_line(reader, level, text);
}

static void report_rest(const struct reader *reader)
{
    static const char *const kinds[TROUBLES] = {"keys are not known", "values are not allowed", "keys have no value",
                                                "things are wrong", "remarks"};
    char text[128];
    for (unsigned kind = 0; kind < TROUBLES; kind++) {
        if (reader->troubles[kind] <= TROUBLES_REPORTED)
            continue;
        snprintf(text, sizeof(text), "settings: %" PRIu32 " more %s", reader->troubles[kind] - TROUBLES_REPORTED,
                 kinds[kind]);
        report_line(reader, kind == REMARK ? LOG_INFO : LOG_WARN, text);
    }
}

/* Stronger sources are named first. */
static void name_source(struct reader *reader, const char *source)
{
    char before[512];
    snprintf(before, sizeof(before), "%s", reader->source);
    snprintf(reader->source, reader->source_size, "%s%s%s", source, *before ? ", " : "", before);
}

/* ---- Values ---- */

static void bad_value(struct reader *reader, const struct setting *setting, const char *value, const char *where)
{
    char allowed[512], shown[TEXT_QUOTED];
    setting_allowed(setting, allowed, sizeof(allowed));
    text_show(value, shown, sizeof(shown));
    report(reader, BAD_VALUE, LOG_WARN, "setting %s: \"%s\" in %s is not allowed (allowed: %s)", setting->key, shown,
           where, allowed);
}

static bool set(struct reader *reader, const struct setting *setting, const char *value, const char *where)
{
    const bool good = setting_parse(reader->settings, setting, value);
    if (!good)
        bad_value(reader, setting, value, where);
    else if (reader->origins)
        snprintf(reader->origins[setting - settings_table].where, SOURCE_SIZE, "%s", where);
    return good;
}

static const struct setting *find_setting(const char *key)
{
    const struct setting *setting = settings_table;
    while (setting->key && !text_same(setting->key, key))
        setting++;
    return setting->key ? setting : NULL;
}

static void list_keys(char *text, size_t size)
{
    size_t used = 0;
    for (const struct setting *setting = settings_table; setting->key && used < size; setting++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", setting->key);
}

/* Keys that once meant something: files that have them stay good. */
static bool is_retired(const char *key)
{
    static const char *const retired[] = {"expose_opaque_descriptors"};
    for (size_t i = 0; i < sizeof(retired) / sizeof(*retired); i++) {
        if (text_same(key, retired[i]))
            return true;
    }
    return false;
}

static void unknown_key(struct reader *reader, const char *key, const char *where)
{
    char allowed[512], shown[TEXT_QUOTED];
    if (is_retired(key)) {
        report(reader, REMARK, LOG_INFO,
               "setting \"%s\" in %s has no effect: descriptor buffers and heaps are supported", key, where);
        return;
    }
    list_keys(allowed, sizeof(allowed));
    text_show(key, shown, sizeof(shown));
    report(reader, UNKNOWN_KEY, LOG_WARN, "setting \"%s\" in %s is not known (known: %s)", shown, where, allowed);
}

/* ---- VK_EXT_layer_settings ---- */

/* One value as text: its length, also where that is more than `size`; -1 for types that no setting has. */
static int value_text(const VkLayerSettingEXT *setting, uint32_t index, char *text, size_t size)
{
    switch (setting->type) {
    case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
        return snprintf(text, size, "%s", ((const VkBool32 *)setting->pValues)[index] ? "true" : "false");
    case VK_LAYER_SETTING_TYPE_INT32_EXT:
        return snprintf(text, size, "%" PRId32, ((const int32_t *)setting->pValues)[index]);
    case VK_LAYER_SETTING_TYPE_UINT32_EXT:
        return snprintf(text, size, "%" PRIu32, ((const uint32_t *)setting->pValues)[index]);
    case VK_LAYER_SETTING_TYPE_STRING_EXT:
        return snprintf(text, size, "%s", ((const char *const *)setting->pValues)[index]);
    default:
        return -1;
    }
}

static bool read_program_setting(struct reader *reader, const VkLayerSettingEXT *given)
{
    static const char where[] = "VkLayerSettingsCreateInfoEXT";
    const struct setting *setting = find_setting(given->pSettingName);
    char text[SETTING_TEXT_SIZE] = "";
    size_t used = 0;
    if (!setting) {
        unknown_key(reader, given->pSettingName, where);
        return false;
    }
    for (uint32_t i = 0; i < given->valueCount; i++) {
        if (i != 0)
            text[used++] = ',';
        const int length = value_text(given, i, text + used, sizeof(text) - used);
        if (length < 0) {
            report(reader, OTHER_TROUBLE, LOG_WARN,
                   "setting %s: type %d in %s is not that of any setting (use a string or a VkBool32)", setting->key,
                   (int)given->type, where);
            return false;
        }
        used += (size_t)length;
        if (used + (i + 1 < given->valueCount) >= sizeof(text)) { /* cut, it could be another value that is allowed */
            bad_value(reader, setting, text, where);
            return false;
        }
    }
    return set(reader, setting, text, where);
}

static void read_program(struct reader *reader, const void *chain)
{
    bool any = false;
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        if ((uint32_t)node->sType != (uint32_t)VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT)
            continue;
        const VkLayerSettingsCreateInfoEXT *given = (const void *)node;
        for (uint32_t i = 0; i < given->settingCount; i++) {
            if (!strcmp(given->pSettings[i].pLayerName, LAYER_NAME))
                any |= read_program_setting(reader, &given->pSettings[i]);
        }
    }
    if (any)
        name_source(reader, "the program (VK_EXT_layer_settings)");
}

/* ---- vk_layer_settings.txt ---- */

static char *trim(char *text)
{
    char *end = text + strlen(text);
    while (text_is_space(*text))
        text++;
    while (end > text && text_is_space(end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* The last part of a path, whose folders a Windows program parts with backslashes. */
static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path; path++) {
        if (*path == '/' || *path == '\\')
            name = path + 1;
    }
    return name;
}

const char *settings_program(void)
{
    return base_name(path_started_as());
}

/* Is this the program's name? The running program also has the name that it was started by. */
static bool is_program(const struct reader *reader, const char *name)
{
    char path[512];
    if (reader->program)
        return path_matches(name, base_name(reader->program));
    path_of_program(path, sizeof(path));
    return path_matches(name, base_name(path)) || path_matches(name, settings_program());
}

/* A rule for another program: what is wrong with it is reported now, and not only when that program runs. */
static void check_rule(struct reader *reader, const struct setting *setting, const char *value, const char *where)
{
    struct settings unused;
    if (!setting_parse(&unused, setting, value))
        bad_value(reader, setting, value, where);
}

/* One reading of the file takes the lines without a program's name, the next those for this program. */
static bool read_line(struct reader *reader, char *line, bool with_program, const char *file)
{
    char named[SOURCE_SIZE];
    const char *where = file;
    line[strcspn(line, "#")] = '\0';
    char *equals = strchr(line, '=');
    char *key = trim(line);
    if (strncmp(key, FILE_PREFIX, sizeof(FILE_PREFIX) - 1))
        return false; /* empty, or another layer's */
    char *program = strchr(key, '@');
    if (equals && program > equals)
        program = NULL; /* in the value */
    if (!program == with_program)
        return false;
    if (!equals) {
        report(reader, NO_VALUE, LOG_WARN, "setting %s in %s has no value (write: key = value)", key, where);
        return false;
    }
    *equals = '\0';
    if (program)
        *program++ = '\0';
    key = trim(key + sizeof(FILE_PREFIX) - 1);
    const struct setting *setting = find_setting(key);
    if (!setting) {
        unknown_key(reader, key, where);
        return false;
    }
    if (program) {
        program = trim(program);
        snprintf(named, sizeof(named), "%s (for %s)", file, program);
        where = named;
        if (!is_program(reader, program)) {
            check_rule(reader, setting, trim(equals + 1), where);
            return false;
        }
    }
    return set(reader, setting, trim(equals + 1), where);
}

static FILE *open_file_at(struct reader *reader, const char *path)
{
    bool refused;
    FILE *file = input_open(path, FILE_MOST_BYTES, &refused);
    if (refused)
        report(reader, OTHER_TROUBLE, LOG_WARN, "%s is not read: it is no file, or longer than %d bytes", path,
               FILE_MOST_BYTES);
    return file;
}

/* Opens folder/vk_layer_settings.txt and leaves the path in `path`. */
static FILE *open_in(struct reader *reader, const char *folder, char *path, size_t size)
{
    if (!folder || !*folder)
        return NULL;
    const int length = snprintf(path, size, "%s/" FILE_NAME, folder);
    return length > 0 && (size_t)length < size ? open_file_at(reader, path) : NULL;
}

static FILE *open_file(struct reader *reader, const struct environment *environment, char *path, size_t size)
{
    const char *named = environment_value(environment, "VK_LAYER_SETTINGS_PATH");
    FILE *file = NULL;
    if (path_of_vkconfigs_file(environment, FILE_NAME, path, size))
        file = open_file_at(reader, path);
    if (!file)
        file = open_in(reader, named, path, size);
    if (!file && named && *named) { /* the variable may name the file itself */
        snprintf(path, size, "%s", named);
        file = open_file_at(reader, named);
    }
    if (!file)
        file = open_in(reader, ".", path, size);
    return file;
}

/*
 * The file's content, with a zero byte behind it; NULL if memory ran out. Reads no more than the largest size allowed.
 */
static char *read_text(FILE *file, size_t *length)
{
    size_t size = 4096;
    char *text = NULL;
    *length = 0;
    rewind(file);
    for (;;) {
        char *longer = realloc(text, size + 1);
        if (!longer) {
            free(text);
            return NULL;
        }
        text = longer;
        *length += fread(text + *length, 1, size - *length, file);
        text[*length] = '\0';
        if (*length < size || size >= FILE_MOST_BYTES)
            return text;
        size *= 2;
    }
}

static bool read_lines(struct reader *reader, char *text, size_t length, bool with_program, const char *path)
{
    bool any = false;
    for (char *line = text, *end = text + length; line < end;) {
        char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        *next = '\0';
        any |= read_line(reader, line, with_program, path);
        line = next + 1;
    }
    return any;
}

static void read_file(struct reader *reader, const struct environment *environment)
{
    char path[512];
    bool any = false;
    FILE *file = open_file(reader, environment, path, sizeof(path));
    if (!file)
        return;
    for (int with_program = 0; with_program < 2; with_program++) {
        size_t length;
        char *text = read_text(file, &length);
        any |= text && read_lines(reader, text, length, with_program, path);
        free(text);
    }
    fclose(file);
    if (any)
        name_source(reader, path);
}

/* ---- Environment ---- */

/* How variables may be spelt: what stands before the key, the weakest first. */
static const struct {
    const char *prefix;
    bool shared; /* other layers' variables begin so, too */
} spellings[] = {
    {"VK_", true},                      /* for every layer that has a setting of this name */
    {"VK_CLAMPLER_", false},            /* this project's own short form */
    {"VK_GL_SAMPLER_", false},          /* of any vendor's layer of this name */
    {"VK_CLAMPLER_GL_SAMPLER_", false}, /* of this layer alone */
};
enum { SPELLINGS = sizeof(spellings) / sizeof(spellings[0]) };

/* Which spelling NAME=value has: that with the longest beginning; SPELLINGS if it has none. */
static unsigned spelling_of(const char *entry)
{
    unsigned found = SPELLINGS;
    size_t longest = 0;
    for (unsigned i = 0; i < SPELLINGS; i++) {
        const size_t length = strlen(spellings[i].prefix);
        if (length > longest && !strncmp(entry, spellings[i].prefix, length)) {
            found = i;
            longest = length;
        }
    }
    return found;
}

/*
 * Reads a variable that other layers share: a value that is invalid here is theirs, and an empty one counts as unset.
 */
static bool read_shared(struct reader *reader, const struct setting *setting, const char *value, const char *name)
{
    if (!setting || !value || !*value)
        return false;
    if (!setting_parse(&(struct settings){.force_active = false}, setting, value)) {
        report(reader, REMARK, LOG_INFO, "setting %s: \"%s\" in %s means nothing to this layer", setting->key, value,
               name);
        return false;
    }
    return set(reader, setting, value, name);
}

/* Reads NAME=value if it is spelt so and one of the layer's. */
static bool read_variable(struct reader *reader, const struct environment *environment, const char *entry,
                          unsigned spelling)
{
    const char *equals = strchr(entry, '=');
    char name[128], key[128];
    if (!equals || spelling_of(entry) != spelling)
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)(equals - entry), entry);
    snprintf(key, sizeof(key), "%s", name + strlen(spellings[spelling].prefix));
    for (char *c = key; *c; c++)
        *c = text_lower(*c);
    const struct setting *setting = find_setting(key);
    const char *value = environment_value(environment, name);
    if (spellings[spelling].shared)
        return read_shared(reader, setting, value, name);
    if (!setting) {
        unknown_key(reader, key, name);
        return false;
    }
    return value && set(reader, setting, value, name);
}

static void read_environment(struct reader *reader, const struct environment *environment)
{
    bool any = false;
    for (unsigned spelling = 0; spelling < SPELLINGS; spelling++) {
        for (const char *const *entry = environment->entries; entry && *entry; entry++)
            any |= read_variable(reader, environment, *entry, spelling);
    }
    if (any)
        name_source(reader, "the environment");
}

/* ---- Programs that run with more rights than their user ---- */

/* Writing to files would use rights that the user does not have, so not even the program's own settings allow it. */
static void refuse_paths(struct reader *reader)
{
    for (const struct setting *setting = settings_table; setting->key; setting++) {
        char *path = (char *)reader->settings + setting->offset;
        if (setting->type != SETTING_PATH || !*path)
            continue;
        report(reader, OTHER_TROUBLE, LOG_WARN,
               "setting %s: nothing is written in a program that runs with more rights than its user", setting->key);
        *path = '\0';
        if (reader->origins)
            snprintf(reader->origins[setting - settings_table].where, SOURCE_SIZE, "the defaults");
    }
}

static void read_all(struct reader *reader, const void *chain)
{
    memset(reader->settings, 0, sizeof(*reader->settings));
    reader->source[0] = '\0';
    for (const struct setting *setting = settings_table; setting->key; setting++)
        set(reader, setting, setting->value, "the defaults");
    read_program(reader, chain);
    if (environment_is_privileged()) {
        refuse_paths(reader);
    } else {
        struct environment environment = environment_open();
        read_file(reader, &environment);
        read_environment(reader, &environment);
        environment_close(&environment);
    }
    if (!reader->source[0])
        name_source(reader, "the defaults");
    text_clean(reader->source);
    if (reader->report)
        report_rest(reader);
}

void settings_read(struct settings *settings, const void *chain, char *source, size_t source_size,
                   settings_report report, void *user)
{
    struct reader reader = {.settings = settings, .report = report, .user = user, .source = source};
    reader.source_size = source_size;
    read_all(&reader, chain);
}

void settings_read_for(struct settings *settings, const char *program, char *source, size_t source_size,
                       settings_report report, void *user)
{
    struct reader reader = {.settings = settings, .report = report, .user = user, .source = source};
    reader.program = program;
    reader.source_size = source_size;
    read_all(&reader, NULL);
}

/* ---- What the settings are ---- */

bool settings_activate(const struct settings *settings)
{
    return settings->force_active || settings->gl_clamp || settings->alpha_to_one[0] ||
           settings->texel_buffers == TEXEL_BUFFERS_EMULATE || settings->linear_fallback == FALLBACK_NEAREST ||
           settings->linear_fallback == FALLBACK_SHADER;
}

bool settings_explain(const void *chain, const char *program, settings_item item, void *user)
{
    struct settings settings;
    char source[64], value[SETTING_TEXT_SIZE];
    size_t count = 0;
    while (settings_table[count].key)
        count++;
    struct origin *origins = calloc(count, sizeof(*origins));
    if (!origins)
        return false;
    struct reader reader = {.settings = &settings, .source = source, .source_size = sizeof(source)};
    reader.program = program;
    reader.origins = origins;
    read_all(&reader, chain);
    for (size_t i = 0; i < count; i++) {
        setting_write(&settings, &settings_table[i], value, sizeof(value));
        item(user, settings_table[i].key, value, origins[i].where);
    }
    free(origins);
    return true;
}

void settings_changes(const struct settings *settings, char *text, size_t size)
{
    char value[SETTING_TEXT_SIZE];
    size_t used = 0;
    text[0] = '\0';
    for (const struct setting *setting = settings_table; setting->key && used < size; setting++) {
        setting_write(settings, setting, value, sizeof(value));
        if (strcmp(value, setting->value))
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", setting->key, value);
    }
    if (used >= size)
        text_cut(text);
}

bool settings_check(const char *key, const char *value, char *why, size_t size)
{
    struct settings settings;
    char allowed[512], shown[TEXT_QUOTED];
    const struct setting *setting = find_setting(key);
    if (!setting) {
        list_keys(allowed, sizeof(allowed));
        text_show(key, shown, sizeof(shown));
        snprintf(why, size, "\"%s\" is not known (known: %s)", shown, allowed);
    } else if (!setting_parse(&settings, setting, value)) {
        setting_allowed(setting, allowed, sizeof(allowed));
        text_show(value, shown, sizeof(shown));
        snprintf(why, size, "%s: \"%s\" is not allowed (allowed: %s)", setting->key, shown, allowed);
    } else {
        return true;
    }
    return false;
}
