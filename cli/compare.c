/* SPDX-License-Identifier: MIT */
/* Devices of one name are compared with each other; where each file has one device, those two, whatever their names. */
#include "compare.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "manifest.h"

/* ---- One value, and objects of them ---- */

static const char *shown(const struct json *value)
{
    return value && value->text ? value->text : "-";
}

/* A value of the one, the other or both; `where` says what it is of. Returns how many differences were printed. */
static unsigned compare(const char *where, const char *key, const struct json *first, const struct json *second);

static unsigned compare_members(const char *where, const struct json *first, const struct json *second)
{
    unsigned differences = 0;
    for (const struct json *one = first ? first->first : NULL; one; one = one->next)
        differences += compare(where, one->key, one, json_member(second, one->key));
    for (const struct json *one = second ? second->first : NULL; one; one = one->next) {
        if (!json_member(first, one->key))
            differences += compare(where, one->key, NULL, one);
    }
    return differences;
}

static unsigned compare(const char *where, const char *key, const struct json *first, const struct json *second)
{
    char name[256];
    snprintf(name, sizeof(name), "%s%s%s", where, *where ? " " : "", key);
    if ((first ? first : second)->kind == JSON_OBJECT)
        return compare_members(name, first, second);
    if (!strcmp(shown(first), shown(second)))
        return 0;
    printf("    %-60s %-12s %s\n", name, shown(first), shown(second));
    return 1;
}

/* ---- Devices ---- */

static const struct json *device_called(const struct json *devices, const char *name)
{
    for (const struct json *device = devices->first; device; device = device->next) {
        if (!strcmp(json_text(device, "device", ""), name))
            return device;
    }
    return NULL;
}

static unsigned compare_devices(const struct json *first, const struct json *second)
{
    const char *a = json_text(first, "device", "?"), *b = json_text(second, "device", "?");
    unsigned differences = 0;
    printf("%s%s%s\n", a, strcmp(a, b) ? " | " : "", strcmp(a, b) ? b : "");
    for (const struct json *one = first->first; one; one = one->next) {
        const bool formats = !strcmp(one->key, "formats") || !strcmp(one->key, "semantics") ||
                             !strcmp(one->key, "hidden") || !strcmp(one->key, "offered");
        if (strcmp(one->key, "device"))
            differences += formats ? compare_members("", one, json_member(second, one->key))
                                   : compare("", one->key, one, json_member(second, one->key));
    }
    for (const struct json *one = second->first; one; one = one->next) {
        if (!json_member(first, one->key))
            differences += compare("", one->key, NULL, one);
    }
    if (!differences)
        printf("    no difference\n");
    return differences;
}

static unsigned print_alone(const struct json *devices, const struct json *others, const char *path)
{
    unsigned count = 0;
    for (const struct json *device = devices->first; device; device = device->next) {
        const char *name = json_text(device, "device", "?");
        if (device_called(others, name))
            continue;
        printf("%s\n    only in %s\n", name, path);
        count++;
    }
    return count;
}

/* ---- Files ---- */

/* Freed with json_free(); NULL if it is no list of devices, which is said. */
static struct json *read_devices(const char *path)
{
    char why[200] = "it cannot be read";
    char *text = manifest_read_file(path);
    struct json *json = text ? json_read(text, why, sizeof(why)) : NULL;
    const struct json *first = json && json->kind == JSON_ARRAY ? json->first : NULL;
    free(text);
    if (json && !json_member(first, "formats"))
        snprintf(why, sizeof(why), "clampler caps --json did not write it");
    else if (json)
        return json;
    fprintf(stderr, "clampler caps: %s: %s\n", path, why);
    json_free(json);
    return NULL;
}

static unsigned compare_lists(const struct json *first, const struct json *second, const char *a, const char *b)
{
    unsigned differences = 0;
    if (!first->first->next && !second->first->next)
        return compare_devices(first->first, second->first);
    for (const struct json *device = first->first; device; device = device->next) {
        const struct json *other = device_called(second, json_text(device, "device", "?"));
        differences += other ? compare_devices(device, other) : 0;
    }
    return differences + print_alone(first, second, a) + print_alone(second, first, b);
}

int compare_caps(const char *first, const char *second)
{
    struct json *a = read_devices(first), *b = read_devices(second);
    const int status = !a || !b ? STATUS_USAGE : compare_lists(a, b, first, second) ? 1 : 0;
    json_free(a);
    json_free(b);
    return status;
}
