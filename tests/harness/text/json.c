/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "harness/text/json.h"
#include "harness/device/vulkan.h"

static void write_text(struct harness_json *json, const char *text)
{
    if (fputs(text, json->file) < 0)
        harness_fail("cannot write %s", json->path);
}

static void write_string(struct harness_json *json, const char *text)
{
    char escaped[8];
    write_text(json, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            snprintf(escaped, sizeof(escaped), "\\%c", *c);
        else if (*c < 0x20)
            snprintf(escaped, sizeof(escaped), "\\u%04x", *c);
        else
            snprintf(escaped, sizeof(escaped), "%c", *c);
        write_text(json, escaped);
    }
    write_text(json, "\"");
}

static void new_line(struct harness_json *json)
{
    write_text(json, "\n");
    for (int i = 0; i < json->depth; i++)
        write_text(json, "  ");
}

/* Comma, line and key in front of a value. */
static void begin_value(struct harness_json *json, const char *key)
{
    if (json->filled[json->depth])
        write_text(json, ",");
    json->filled[json->depth] = true;
    if (json->depth)
        new_line(json);
    if (key) {
        write_string(json, key);
        write_text(json, ": ");
    }
}

void harness_json_open(struct harness_json *json, const char *path)
{
    *json = (struct harness_json){.file = fopen(path, "w")};
    snprintf(json->path, sizeof(json->path), "%s", path);
    if (!json->file)
        harness_fail("cannot open %s for writing", path);
}

void harness_json_close(struct harness_json *json)
{
    if (json->depth)
        harness_fail("%s: %d objects or arrays were left open", json->path, json->depth);
    write_text(json, "\n");
    if (fclose(json->file) != 0)
        harness_fail("cannot write %s", json->path);
    *json = (struct harness_json){0};
}

static void open_level(struct harness_json *json, const char *key, const char *opener, char closer)
{
    begin_value(json, key);
    if (json->depth == HARNESS_JSON_DEPTH)
        harness_fail("%s: nested deeper than %d", json->path, HARNESS_JSON_DEPTH);
    write_text(json, opener);
    json->depth++;
    json->filled[json->depth] = false;
    json->closers[json->depth] = closer;
}

void harness_json_object(struct harness_json *json, const char *key)
{
    open_level(json, key, "{", '}');
}

void harness_json_array(struct harness_json *json, const char *key)
{
    open_level(json, key, "[", ']');
}

void harness_json_end(struct harness_json *json)
{
    char closer[2] = {json->closers[json->depth], '\0'};
    bool filled = json->filled[json->depth];
    if (!json->depth)
        harness_fail("%s: nothing to close", json->path);
    json->depth--;
    if (filled)
        new_line(json);
    write_text(json, closer);
}

void harness_json_string(struct harness_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    write_string(json, value);
}

void harness_json_number(struct harness_json *json, const char *key, double value)
{
    char text[40];
    begin_value(json, key);
    snprintf(text, sizeof(text), "%.9g", value);
    write_text(json, isfinite(value) ? text : "null");
}

void harness_json_integer(struct harness_json *json, const char *key, int64_t value)
{
    char text[24];
    begin_value(json, key);
    snprintf(text, sizeof(text), "%lld", (long long)value);
    write_text(json, text);
}

void harness_json_bool(struct harness_json *json, const char *key, bool value)
{
    begin_value(json, key);
    write_text(json, value ? "true" : "false");
}
