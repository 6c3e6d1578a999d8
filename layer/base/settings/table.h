/* SPDX-License-Identifier: MIT */
/* The table of settings, which is generated from json/settings.json, and the functions that parse values by it. */
#ifndef CLAMPLER_SETTINGS_TABLE_H
#define CLAMPLER_SETTINGS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "settings/settings.h"

enum setting_type {
    SETTING_ENUM,  /* 32 bits: index of the name */
    SETTING_FLAGS, /* 32-bit mask: one bit a name, separated by commas or colons */
    SETTING_BOOL,  /* bool: true or false */
    SETTING_LIST,  /* characters with their end: words with commas between, also where colons were given */
    SETTING_PATH,  /* the same: a file or folder that the layer writes to; "~" or "~/..." is below HOME */
};

struct setting {
    const char *key;
    enum setting_type type;
    size_t offset;            /* in struct settings */
    size_t size;              /* bytes there */
    const char *const *names; /* ENUM, FLAGS: ends with NULL */
    const char *value;        /* the default, as it would be written in a file */
};

enum { SETTING_TEXT_SIZE = 1024 }; /* bytes of the longest value as it is written in a file, the end included */

extern const struct setting settings_table[]; /* ends with a key of NULL */

/* ---- Values (value.c) ---- */

/* Which values are allowed, in words, cut to `size` bytes. */
void setting_allowed(const struct setting *setting, char *text, size_t size);

/* False, and nothing changed, if the value is not allowed. */
bool setting_parse(struct settings *settings, const struct setting *setting, const char *value);

/* The value in *settings as it would be written in a file, cut to `size` bytes. */
void setting_write(const struct settings *settings, const struct setting *setting, char *text, size_t size);

#endif
