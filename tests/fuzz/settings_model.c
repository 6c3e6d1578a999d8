/* SPDX-License-Identifier: MIT */
#include "settings_model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "target.h"

#define PREFIX "clampler_gl_sampler."
#define LONG "VK_CLAMPLER_GL_SAMPLER_"
#define SHORT "VK_CLAMPLER_"
#define PROGRAM "fuzz_settings"

struct piece {
    const char *from;
    size_t length;
};

static struct piece piece_of(const char *from, size_t length)
{
    while (length && isspace((unsigned char)*from))
        from++, length--;
    while (length && isspace((unsigned char)from[length - 1]))
        length--;
    return (struct piece){from, length};
}

static bool is(struct piece piece, const char *text)
{
    return strlen(text) == piece.length && !strncasecmp(piece.from, text, piece.length);
}

static int index_of(struct piece key)
{
    for (int i = 0; settings_table[i].key; i++) {
        if (is(key, settings_table[i].key))
            return i;
    }
    return -1;
}

/* ---- Values ---- */

static bool write_flags(const struct setting *setting, struct piece given, char *value, size_t size)
{
    bool on[64] = {false};
    size_t used = 0;
    value[0] = '\0';
    if (is(piece_of(given.from, given.length), "none"))
        return true;
    for (size_t at = 0; at <= given.length;) {
        size_t end = at;
        while (end < given.length && given.from[end] != ',' && given.from[end] != ':')
            end++;
        /* Nothing but blanks and tabs between separators is no name, and no mistake. */
        bool blank = true;
        for (size_t i = at; i < end; i++)
            blank &= given.from[i] == ' ' || given.from[i] == '\t';
        int found = blank ? -2 : -1;
        for (int i = 0; setting->names[i]; i++) {
            if (!blank && is(piece_of(given.from + at, end - at), setting->names[i]))
                found = i;
        }
        if (found == -1)
            return false;
        if (found >= 0)
            on[found] = true;
        at = end + 1;
    }
    for (int i = 0; setting->names[i]; i++) {
        if (on[i])
            used += (size_t)snprintf(value + used, size - used, "%s%s", used ? "," : "", setting->names[i]);
    }
    return true;
}

/* The value as it is told; false if it is not allowed. */
static bool write_value(const struct setting *setting, struct piece given, char *value, size_t size)
{
    static const char *const yes[] = {"true", "1", "on", "yes"}, *const no[] = {"false", "0", "off", "no"};
    const struct piece bare = piece_of(given.from, given.length);
    switch (setting->type) {
    case SETTING_ENUM:
        for (int i = 0; setting->names[i]; i++) {
            if (is(bare, setting->names[i]))
                return snprintf(value, size, "%s", setting->names[i]) > 0;
        }
        return false;
    case SETTING_BOOL:
        for (int i = 0; i < 4; i++) {
            if (is(bare, yes[i]) || is(bare, no[i]))
                return snprintf(value, size, "%s", is(bare, yes[i]) ? "true" : "false") > 0;
        }
        return false;
    case SETTING_FLAGS:
        return write_flags(setting, given, value, size);
    default:
        break;
    }
    const bool home = setting->type == SETTING_PATH && given.length && given.from[0] == '~' &&
                      (given.length == 1 || given.from[1] == '/');
    if ((home ? given.length + 1 : given.length) >= setting->size) /* "~" becomes "/h" */
        return false;
    snprintf(value, size, "%s%.*s", home ? "/h" : "", (int)(given.length - home), given.from + home);
    for (char *c = value; setting->type == SETTING_LIST && *c; c++)
        *c = *c == ':' ? ',' : *c;
    return true;
}

static void give(struct model *model, int at, enum model_rank rank, struct piece value)
{
    char written[MODEL_VALUE];
    if (at < 0 || rank < model->rank[at] || !write_value(&settings_table[at], value, written, sizeof(written)))
        return;
    model->rank[at] = rank;
    strcpy(model->value[at], written);
}

/* ---- Sources ---- */

void model_begin(struct model *model)
{
    memset(model, 0, sizeof(*model));
    for (int i = 0; settings_table[i].key && i < MODEL_MOST; i++)
        give(model, i, MODEL_DEFAULT, (struct piece){settings_table[i].value, strlen(settings_table[i].value)});
}

void model_program(struct model *model, const char *key, const char *value)
{
    give(model, index_of((struct piece){key, strlen(key)}), MODEL_PROGRAM, (struct piece){value, strlen(value)});
}

static bool matches(const char *pattern, size_t length, const char *name)
{
    if (!length)
        return !*name;
    if (*pattern == '*')
        return matches(pattern + 1, length - 1, name) || (*name && matches(pattern, length, name + 1));
    return *name && (*pattern == '?' || *pattern == *name) && matches(pattern + 1, length - 1, name + 1);
}

static void read_line(struct model *model, const char *line, size_t length)
{
    const char *comment = memchr(line, '#', length);
    length = comment ? (size_t)(comment - line) : length;
    const struct piece all = piece_of(line, length);
    const char *equals = memchr(line, '=', length), *at = memchr(line, '@', length);
    if (all.length < strlen(PREFIX) || strncmp(all.from, PREFIX, strlen(PREFIX)) || !equals)
        return;
    const char *key = all.from + strlen(PREFIX), *end = line + length;
    const bool rule = at && at < equals;
    const char *key_end = rule ? at : equals;
    const int index = key_end >= key ? index_of(piece_of(key, (size_t)(key_end - key))) : -1;
    const struct piece value = piece_of(equals + 1, (size_t)(end - equals - 1));
    if (!rule) {
        give(model, index, MODEL_FILE, value);
        return;
    }
    const struct piece name = piece_of(at + 1, (size_t)(equals - at - 1));
    unsigned stars = 0;
    for (size_t i = 0; i < name.length; i++) {
        stars += name.from[i] == '*';
        /* Brackets, quotes and what is no ASCII are left to fnmatch(). */
        if (index >= 0 && (strchr("[\\", name.from[i]) || (name.from[i] & 0x80)))
            model->unknown[index] = true;
    }
    if (stars > 8 && index >= 0)
        model->unknown[index] = true;
    else if (matches(name.from, name.length, PROGRAM))
        give(model, index, MODEL_RULE, value);
}

void model_file(struct model *model, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        const char *zero = memchr(text + at, '\0', length); /* ends a line as far as it is looked at */
        read_line(model, text + at, zero ? (size_t)(zero - text) - at : length);
        at += length + 1;
    }
}

void model_variable(struct model *model, const char *entry)
{
    const bool is_long = !strncmp(entry, LONG, strlen(LONG));
    const char *key = entry + strlen(is_long ? LONG : SHORT), *equals = strchr(entry, '=');
    if (strncmp(entry, SHORT, strlen(SHORT)) || !equals || equals < key)
        return;
    give(model, index_of((struct piece){key, (size_t)(equals - key)}), is_long ? MODEL_LONG : MODEL_SHORT,
         (struct piece){equals + 1, strlen(equals + 1)});
}

bool model_value(const struct model *model, unsigned at, const char *key, char *value, size_t size)
{
    if (at >= MODEL_MOST || !settings_table[at].key || strcmp(settings_table[at].key, key))
        fuzz_broken("settings are told in another order", key);
    snprintf(value, size, "%s", model->value[at]);
    return !model->unknown[at];
}

void model_write_line(char *text, size_t size, uint64_t *random)
{
    static const char *const before[] = {"\n" PREFIX, "\n" PREFIX, "\n" SHORT, "\n" LONG, "\ns", "\n2", "\nb"};
    static const char *const between[] = {" = ", "=", "=", "=", "=", "=", "="};
    static const char *const rules[] = {"", "", "@fuzz_settings", "@f*", "@?uzz*s", "@other"};
    uint32_t settings = 0, names = 0;
    while (settings_table[settings].key)
        settings++;
    const struct setting *setting = &settings_table[fuzz_random(random) % settings];
    const uint32_t kind = fuzz_random(random) % 7;
    while (setting->names && setting->names[names])
        names++;
    const char *value = names                           ? setting->names[fuzz_random(random) % names]
                        : setting->type == SETTING_BOOL ? (fuzz_random(random) % 2 ? "yes" : "false")
                                                        : "~/some where";
    snprintf(text, size, "%s%s%s%s%s\n", before[kind], setting->key, kind < 2 ? rules[fuzz_random(random) % 6] : "",
             between[kind], value);
    for (char *c = text; kind >= 2 && kind < 4 && *c && *c != '='; c++)
        *c = (char)toupper((unsigned char)*c);
}
