/* SPDX-License-Identifier: MIT */
/* ASCII, UTF-8 and numbers, whatever the locale. */
#include "text/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- ASCII ---- */

char text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

char text_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool text_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool text_same_start(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text_lower(a[i]) != text_lower(b[i]))
            return false;
        if (!a[i])
            return true;
    }
    return true;
}

bool text_same(const char *a, const char *b)
{
    return text_same_start(a, b, SIZE_MAX);
}

/* ---- UTF-8 ---- */

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The bytes of a character by its first one; 0: no character begins so. */
static size_t length_by(unsigned char first)
{
    return first < 0x80 ? 1 : (first & 0xE0) == 0xC0 ? 2 : (first & 0xF0) == 0xE0 ? 3 : (first & 0xF8) == 0xF0 ? 4 : 0;
}

/* The bytes of the character that begins here, and its code; 1 and UINT32_MAX where that is no UTF-8. */
static size_t character(const char *at, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* shorter forms are not allowed */
    const unsigned char first = (unsigned char)*at;
    const size_t length = length_by(first);
    *code = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) { /* ends at the zero, which continues nothing */
        if (!continues(at[i])) {
            *code = UINT32_MAX;
            return 1;
        }
        *code = *code << 6 | ((unsigned char)at[i] & 0x3Fu);
    }
    if (!length || *code < least[length] || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) {
        *code = UINT32_MAX;
        return 1;
    }
    return length;
}

static bool is_harmless(uint32_t code)
{
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool breaks = code == 0x2028 || code == 0x2029;
    const bool turns = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                       (code >= 0x2066 && code <= 0x2069); /* the direction of what follows */
    return code != UINT32_MAX && !control && !breaks && !turns;
}

/* Whether the text ends in the middle of the character that begins here. */
static bool is_cut(const char *at)
{
    const size_t length = length_by((unsigned char)*at);
    size_t there = 1;
    while (there < length && continues(at[there]))
        there++;
    return there < length && !at[there];
}

size_t text_show(const char *from, char *text, size_t size)
{
    size_t used = 0;
    while (*from) {
        uint32_t code;
        const size_t length = character(from, &code);
        const size_t shown = is_harmless(code) ? length : 1;
        if (used + shown >= size)
            break;
        if (code == '"')
            text[used] = '\'';
        else if (is_harmless(code))
            memcpy(text + used, from, length);
        else
            text[used] = '?';
        used += shown;
        from += length;
    }
    text[used] = 0;
    return used;
}

void text_clean(char *line)
{
    char *to = line;
    while (*line && !is_cut(line)) {
        uint32_t code;
        const size_t length = character(line, &code);
        if (is_harmless(code))
            memmove(to, line, length);
        else
            *to = '?';
        to += is_harmless(code) ? length : 1;
        line += length;
    }
    *to = 0;
}

void text_cut(char *text)
{
    const size_t length = strlen(text);
    for (size_t back = 1; back <= 3 && back <= length; back++) {
        if (is_cut(text + length - back)) {
            text[length - back] = 0;
            return;
        }
    }
}

void text_json(const char *from, char *text, size_t size)
{
    size_t used = 0;
    while (*from) {
        char escaped[8] = "\xEF\xBF\xBD"; /* U+FFFD, the replacement character */
        uint32_t code;
        const size_t length = character(from, &code);
        if (code == '"' || code == '\\')
            snprintf(escaped, sizeof(escaped), "\\%c", (int)code);
        else if (code < 0x20)
            snprintf(escaped, sizeof(escaped), "\\u%04x", (unsigned)code);
        else if (code != UINT32_MAX)
            snprintf(escaped, sizeof(escaped), "%.*s", (int)length, from);
        if (used + strlen(escaped) >= size)
            break;
        memcpy(text + used, escaped, strlen(escaped));
        used += strlen(escaped);
        from += length;
    }
    text[used] = 0;
}

/* ---- Numbers ---- */

const char *text_number(double value, char text[TEXT_NUMBER])
{
    const double most = 1e15; /* thousandths of it fit into 64 bits, and doubles have no more */
    const double size = value < 0 ? -value : value;
    if (!(size <= most)) {
        snprintf(text, TEXT_NUMBER, "%s", value > 0 ? "inf" : value < 0 ? "-inf" : "nan");
        return text;
    }
    const uint64_t thousandths = (uint64_t)(size * 1000 + 0.5);
    const int length = snprintf(text, TEXT_NUMBER, "%s%llu.%03llu", value < 0 && thousandths ? "-" : "",
                                (unsigned long long)(thousandths / 1000), (unsigned long long)(thousandths % 1000));
    char *end = text + length;
    while (end[-1] == '0')
        *--end = 0;
    if (end[-1] == '.')
        end[-1] = 0;
    return text;
}
