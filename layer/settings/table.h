/* What is generated from json/settings.json: how each setting is parsed and where its value goes. */
#ifndef CLAMPLER_SETTINGS_TABLE_H
#define CLAMPLER_SETTINGS_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum setting_type {
    SETTING_ENUM,  /* 32-bit number: index of the name */
    SETTING_FLAGS, /* 32-bit mask: one bit a name, separated by commas */
    SETTING_BOOL,  /* bool: true or false */
    SETTING_TEXT,  /* characters with their end */
};

struct setting {
    const char *key;
    enum setting_type type;
    size_t offset;            /* in struct settings */
    size_t size;              /* bytes there */
    const char *const *names; /* ENUM, FLAGS: ends with NULL */
    const char *value;        /* the default, as it would be written in a file */
};

extern const struct setting settings_table[]; /* ends with a key of NULL */

#endif
