/* SPDX-License-Identifier: MIT */
/*
 * Names that a program gave its objects: a table by type and handle. No lock: the owner of a table serializes its use.
 */
#ifndef CLAMPLER_NAMES_NAMES_H
#define CLAMPLER_NAMES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NAME_MOST = 256,  /* bytes of a name that are kept, with the zero at the end; a longer one ends in "..." */
    NAME_BUCKETS = 16 /* of a small table, which needs no memory but for its names */
};

struct name {
    struct name *next; /* in its bucket */
    uint64_t handle;
    uint32_t type; /* VkObjectType */
    char text[];
};

/* All zero: empty. */
struct names {
    struct name **buckets; /* NULL: `few` */
    uint32_t bucket_count; /* a power of two; 0: NAME_BUCKETS */
    uint32_t count;
    struct name *few[NAME_BUCKETS];
};

/* A name for the table, cut to NAME_MOST between characters. NULL: out of memory. */
struct name *name_create(uint32_t type, uint64_t handle, const char *text);

/* Takes the name, in place of the one that the object had. Cannot fail. */
void names_put(struct names *names, struct name *name);

/* The object has no name from here on. False: it had none. */
bool names_remove(struct names *names, uint32_t type, uint64_t handle);

/* NULL: it has none. Good until the table changes. */
const char *names_find(const struct names *names, uint32_t type, uint64_t handle);

void names_finish(struct names *names);

#endif
