/* SPDX-License-Identifier: MIT */
/* The table of names, and how a line shows one. */
#include <stdlib.h>
#include <string.h>

#include "names/names.h"

/* ---- UTF-8 ---- */

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The bytes of the character that begins here, and its code; 1 and UINT32_MAX where that is no UTF-8. */
static size_t character(const char *at, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* shorter forms are not allowed */
    const unsigned char first = (unsigned char)*at;
    const size_t length = first < 0x80             ? 1
                          : (first & 0xE0) == 0xC0 ? 2
                          : (first & 0xF0) == 0xE0 ? 3
                          : (first & 0xF8) == 0xF0 ? 4
                                                   : 0;
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

size_t name_show(const char *name, char *text, size_t size)
{
    size_t used = 0;
    while (*name) {
        uint32_t code;
        const size_t length = character(name, &code);
        const size_t shown = is_harmless(code) ? length : 1;
        if (used + shown >= size)
            break;
        if (code == '"')
            text[used] = '\'';
        else if (is_harmless(code))
            memcpy(text + used, name, length);
        else
            text[used] = '?';
        used += shown;
        name += length;
    }
    text[used] = 0;
    return used;
}

/* ---- The table ---- */

struct name *name_create(uint32_t type, uint64_t handle, const char *text)
{
    static const char more[] = "...";
    size_t length = 0;
    while (length < NAME_MOST && text[length])
        length++;
    const bool cut = length == NAME_MOST;
    if (cut) {
        length = NAME_MOST - sizeof(more);
        for (int i = 0; i < 3 && continues(text[length]); i++)
            length--;
    }
    struct name *name = malloc(sizeof(*name) + length + sizeof(more));
    if (!name)
        return NULL;
    *name = (struct name){.type = type, .handle = handle};
    memcpy(name->text, text, length);
    memcpy(name->text + length, cut ? more : "", cut ? sizeof(more) : 1);
    return name;
}

static struct name **bucket_in(struct name **buckets, uint32_t count, uint32_t type, uint64_t handle)
{
    const uint64_t hash = (handle ^ (uint64_t)type << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return &buckets[hash >> 32 & (count - 1)];
}

/* Where the pointer to the object's name is, or the one to nothing at the end of its bucket. */
static struct name **link_to(struct names *names, uint32_t type, uint64_t handle)
{
    struct name **link = names->buckets ? bucket_in(names->buckets, names->bucket_count, type, handle)
                                        : bucket_in(names->few, NAME_BUCKETS, type, handle);
    while (*link && ((*link)->handle != handle || (*link)->type != type))
        link = &(*link)->next;
    return link;
}

/* A table that cannot grow stays as it is, and is slower. */
static void grow(struct names *names)
{
    const uint32_t count = names->buckets ? names->bucket_count : NAME_BUCKETS;
    struct name **from = names->buckets ? names->buckets : names->few;
    struct name **buckets = names->count > 2 * count ? calloc(4 * (size_t)count, sizeof(*buckets)) : NULL;
    if (!buckets)
        return;
    for (uint32_t i = 0; i < count; i++) {
        while (from[i]) {
            struct name *name = from[i];
            struct name **bucket = bucket_in(buckets, 4 * count, name->type, name->handle);
            from[i] = name->next;
            name->next = *bucket;
            *bucket = name;
        }
    }
    free(names->buckets);
    names->buckets = buckets;
    names->bucket_count = 4 * count;
}

void names_put(struct names *names, struct name *name)
{
    names_remove(names, name->type, name->handle);
    grow(names);
    struct name **link = link_to(names, name->type, name->handle);
    name->next = NULL;
    *link = name;
    names->count++;
}

bool names_remove(struct names *names, uint32_t type, uint64_t handle)
{
    struct name **link = link_to(names, type, handle), *gone = *link;
    if (!gone)
        return false;
    *link = gone->next;
    free(gone);
    names->count--;
    return true;
}

const char *names_find(const struct names *names, uint32_t type, uint64_t handle)
{
    const struct name *name = *link_to((struct names *)(uintptr_t)names, type, handle);
    return name ? name->text : NULL;
}

void names_finish(struct names *names)
{
    struct name **buckets = names->buckets ? names->buckets : names->few;
    for (uint32_t i = 0; i < (names->buckets ? names->bucket_count : NAME_BUCKETS); i++) {
        while (buckets[i]) {
            struct name *name = buckets[i];
            buckets[i] = name->next;
            free(name);
        }
    }
    free(names->buckets);
    *names = (struct names){0};
}
