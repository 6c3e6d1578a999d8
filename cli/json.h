/* SPDX-License-Identifier: MIT */
/*
 * A JSON reader for manifests. A value and all that it holds is one tree; nothing in it changes after reading.
 */
#ifndef CLAMPLER_CLI_JSON_H
#define CLAMPLER_CLI_JSON_H

#include <stddef.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    char *key;          /* its name in an object, else NULL */
    char *text;         /* JSON_STRING: its characters; JSON_NUMBER and JSON_BOOL: as they are written; else NULL */
    struct json *first; /* of an array or object */
    struct json *next;  /* in the same array or object */
};

/*
 * Reads a text that ends with 0. NULL if it is not JSON or memory ran out, with the reason and the line in `why` (cut
 * to `size` bytes). Freed with json_free(), which takes NULL.
 */
struct json *json_read(const char *text, char *why, size_t size);
void json_free(struct json *json);

/* A member of an object; NULL if there is none, or `object` is NULL or no object. */
const struct json *json_member(const struct json *object, const char *key);

/* The text of a string member, else `otherwise`. */
const char *json_text(const struct json *object, const char *key, const char *otherwise);

#endif
