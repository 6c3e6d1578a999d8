/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

struct reader {
    const char *at;
    unsigned line;
    const char *why; /* the first thing that is wrong; NULL: all is well */
    unsigned why_line;
};

static void fail(struct reader *reader, const char *why)
{
    if (reader->why)
        return;
    reader->why = why;
    reader->why_line = reader->line;
}

static char next_sign(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at)) {
        reader->line += *reader->at == '\n';
        reader->at++;
    }
    return *reader->at;
}

static bool take(struct reader *reader, char sign)
{
    if (next_sign(reader) != sign)
        return false;
    reader->at++;
    return true;
}

/* One code point as UTF-8; surrogates are kept as they are, manifests have none. */
static size_t put_code(char *out, unsigned code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

static size_t read_escape(struct reader *reader, char *out)
{
    static const char signs[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char sign = *reader->at++;
    const char *found = sign ? strchr(signs, sign) : NULL;
    unsigned code = 0;
    if (found) {
        out[0] = values[found - signs];
        return 1;
    }
    for (int i = 0; sign == 'u' && i < 4; i++) {
        const char digit = *reader->at;
        if (!isxdigit((unsigned char)digit))
            break;
        code = code * 16 + (unsigned)(isdigit((unsigned char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
        reader->at++;
        if (i == 3)
            return put_code(out, code);
    }
    reader->at--;
    fail(reader, "bad escape in a string");
    return 0;
}

/* After the opening quote. */
static char *read_string(struct reader *reader)
{
    char *text = malloc(strlen(reader->at) + 1);
    size_t length = 0;
    if (!text)
        fail(reader, "out of memory");
    while (text && !reader->why && *reader->at != '"') {
        if ((unsigned char)*reader->at < 0x20)
            fail(reader, "a string without its end");
        else if (*reader->at == '\\')
            reader->at++, length += read_escape(reader, text + length);
        else
            text[length++] = *reader->at++;
    }
    if (text && !reader->why) {
        reader->at++;
        text[length] = '\0';
    }
    return text;
}

static struct json *read_value(struct reader *reader, unsigned depth);

static void read_members(struct reader *reader, struct json *value, char end, unsigned depth)
{
    struct json **last = &value->first;
    if (take(reader, end))
        return;
    do {
        char *key = NULL;
        if (value->kind == JSON_OBJECT) {
            if (!take(reader, '"'))
                fail(reader, "a member's name is expected");
            else
                key = read_string(reader);
            if (!reader->why && !take(reader, ':'))
                fail(reader, "a colon is expected");
        }
        *last = reader->why ? NULL : read_value(reader, depth + 1);
        if (!*last) {
            free(key);
            return;
        }
        (*last)->key = key;
        last = &(*last)->next;
    } while (!reader->why && take(reader, ','));
    if (!take(reader, end))
        fail(reader, end == '}' ? "a comma or } is expected" : "a comma or ] is expected");
}

static void read_word(struct reader *reader, struct json *value)
{
    const size_t length = strspn(reader->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    char *text = calloc(length + 1, 1);
    if (!text || !length) {
        fail(reader, text ? "a value is expected" : "out of memory");
        free(text);
        return;
    }
    memcpy(text, reader->at, length);
    reader->at += length;
    value->text = text;
    if (!strcmp(text, "true") || !strcmp(text, "false"))
        value->kind = JSON_BOOL;
    else if (!strcmp(text, "null"))
        value->kind = JSON_NULL;
    else if (strchr("-0123456789", text[0]))
        value->kind = JSON_NUMBER;
    else
        fail(reader, "a value is expected");
}

static struct json *read_value(struct reader *reader, unsigned depth)
{
    struct json *value = calloc(1, sizeof(*value));
    if (!value || depth > DEPTH) {
        fail(reader, value ? "nested too deeply" : "out of memory");
        free(value);
        return NULL;
    }
    if (take(reader, '{')) {
        value->kind = JSON_OBJECT;
        read_members(reader, value, '}', depth);
    } else if (take(reader, '[')) {
        value->kind = JSON_ARRAY;
        read_members(reader, value, ']', depth);
    } else if (take(reader, '"')) {
        value->kind = JSON_STRING;
        value->text = read_string(reader);
    } else {
        read_word(reader, value);
    }
    return value;
}

struct json *json_read(const char *text, char *why, size_t size)
{
    struct reader reader = {.at = text, .line = 1};
    struct json *json = read_value(&reader, 0);
    if (!reader.why && next_sign(&reader))
        fail(&reader, "something follows after the end");
    if (!reader.why)
        return json;
    snprintf(why, size, "line %u: %s", reader.why_line, reader.why);
    json_free(json);
    return NULL;
}

void json_free(struct json *json)
{
    while (json) {
        struct json *next = json->next;
        json_free(json->first);
        free(json->key);
        free(json->text);
        free(json);
        json = next;
    }
}

const struct json *json_member(const struct json *object, const char *key)
{
    const struct json *member = object && object->kind == JSON_OBJECT ? object->first : NULL;
    while (member && strcmp(member->key, key))
        member = member->next;
    return member;
}

const char *json_text(const struct json *object, const char *key, const char *otherwise)
{
    const struct json *member = json_member(object, key);
    return member && member->kind == JSON_STRING ? member->text : otherwise;
}
