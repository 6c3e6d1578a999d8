/* SPDX-License-Identifier: MIT */
/* The table of names: buckets, which grow with what is in them. */
#include <stdlib.h>
#include <string.h>

#include "names/names.h"

/* A byte that is not the first of a character. */
static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
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
