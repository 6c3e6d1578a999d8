/* SPDX-License-Identifier: MIT */
/* Values of settings as text: checks, parses and writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/environment.h"
#include "settings/settings.h"
#include "settings/table.h"
#include "text/text.h"

_Static_assert(sizeof(enum log_level) == sizeof(uint32_t) && sizeof(enum setting_tiers) == sizeof(uint32_t) &&
                   sizeof(enum setting_form) == sizeof(uint32_t),
               "enumerated settings are written as 32-bit numbers");

#define SEPARATORS ",:" /* commas as vkconfig writes them; colons as other lists in variables have them */

static void list_names(const char *const *names, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (; *names && used < size; names++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *names);
}

void setting_allowed(const struct setting *setting, char *text, size_t size)
{
    if (setting->names)
        list_names(setting->names, text, size);
    else if (setting->type == SETTING_BOOL)
        snprintf(text, size, "true, false");
    else
        snprintf(text, size, "up to %zu characters%s", setting->size - 1,
                 setting->type == SETTING_PATH ? ", \"~/\" only where HOME is set" : "");
}

/* The index of a name that may have blanks around it, -1 if there is none like it. */
static int find_name(const char *const *names, const char *text, size_t length)
{
    while (length && text_is_space(*text))
        text++, length--;
    while (length && text_is_space(text[length - 1]))
        length--;
    for (int i = 0; names[i]; i++) {
        if (strlen(names[i]) == length && text_same_start(names[i], text, length))
            return i;
    }
    return -1;
}

static bool parse_flags(const struct setting *setting, const char *value, uint32_t *mask)
{
    static const char *const none[] = {"none", NULL};
    *mask = 0;
    if (!find_name(none, value, strlen(value)))
        return true;
    for (const char *at = value; *at;) {
        const size_t length = strcspn(at, SEPARATORS);
        const bool blank = strspn(at, " \t") >= length;
        const int index = blank ? -1 : find_name(setting->names, at, length);
        if (index < 0 && !blank)
            return false;
        if (index >= 0)
            *mask |= 1u << index;
        at += length + (at[length] != '\0');
    }
    return true;
}

static bool parse_bool(const char *value, bool *flag)
{
    static const char *const names[] = {"false", "true", "0", "1", "off", "on", "no", "yes", NULL};
    const int index = find_name(names, value, strlen(value));
    *flag = index & 1;
    return index >= 0;
}

void setting_write(const struct settings *settings, const struct setting *setting, char *text, size_t size)
{
    const unsigned char *from = (const unsigned char *)settings + setting->offset;
    uint32_t number;
    size_t used = 0;
    text[0] = '\0';
    switch (setting->type) {
    case SETTING_ENUM:
        memcpy(&number, from, sizeof(number));
        snprintf(text, size, "%s", setting->names[number]);
        return;
    case SETTING_FLAGS:
        memcpy(&number, from, sizeof(number));
        for (uint32_t i = 0; setting->names[i] && used < size; i++) {
            if (number & 1u << i)
                used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", setting->names[i]);
        }
        return;
    case SETTING_BOOL:
        snprintf(text, size, "%s", *(const bool *)from ? "true" : "false");
        return;
    default:
        snprintf(text, size, "%s", (const char *)from);
        return;
    }
}

/* Expands "~" because shells do so at the beginning of a word alone. */
static bool parse_path(const char *value, char *path, size_t size)
{
    if (value[0] != '~' || (value[1] && value[1] != '/')) {
        if (strlen(value) >= size)
            return false;
        strcpy(path, value);
        return true;
    }
    struct environment environment = environment_open();
    const char *home = environment_home(&environment);
    const bool fits = home && strlen(home) + strlen(value + 1) < size;
    if (fits)
        snprintf(path, size, "%s%s", home, value + 1);
    environment_close(&environment);
    return fits;
}

bool setting_parse(struct settings *settings, const struct setting *setting, const char *value)
{
    unsigned char *target = (unsigned char *)settings + setting->offset;
    uint32_t number;
    bool flag;
    switch (setting->type) {
    case SETTING_ENUM:
        number = (uint32_t)find_name(setting->names, value, strlen(value));
        if (number == UINT32_MAX)
            return false;
        memcpy(target, &number, sizeof(number));
        return true;
    case SETTING_FLAGS:
        if (!parse_flags(setting, value, &number))
            return false;
        memcpy(target, &number, sizeof(number));
        return true;
    case SETTING_BOOL:
        if (!parse_bool(value, &flag))
            return false;
        memcpy(target, &flag, sizeof(flag));
        return true;
    case SETTING_PATH:
        return parse_path(value, (char *)target, setting->size);
    default:
        if (strlen(value) >= setting->size)
            return false;
        strcpy((char *)target, value);
        for (char *at = strchr((char *)target, ':'); at; at = strchr(at, ':'))
            *at = ',';
        return true;
    }
}
