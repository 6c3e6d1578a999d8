/* SPDX-License-Identifier: MIT */
/*
 * A minimal JSON writer: commas, indentation and escapes are its business. Values inside an object are preceded by a
 * key; inside an array the key is NULL. A failed write ends the process with status 1, naming the file.
 */
#ifndef CLAMPLER_HARNESS_JSON_H
#define CLAMPLER_HARNESS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HARNESS_JSON_DEPTH 16

struct harness_json {
    FILE *file;
    char path[512];
    int depth;                           /* open objects and arrays, at most HARNESS_JSON_DEPTH */
    bool filled[HARNESS_JSON_DEPTH + 1]; /* the level has a member already */
    char closers[HARNESS_JSON_DEPTH + 1];
};

void harness_json_open(struct harness_json *json, const char *path);
void harness_json_close(struct harness_json *json); /* every object and array must be closed */

void harness_json_object(struct harness_json *json, const char *key);
void harness_json_array(struct harness_json *json, const char *key);
void harness_json_end(struct harness_json *json); /* closes the innermost object or array */

void harness_json_string(struct harness_json *json, const char *key, const char *value);
/* Infinite and NaN become null. */
void harness_json_number(struct harness_json *json, const char *key, double value);
void harness_json_integer(struct harness_json *json, const char *key, int64_t value);
void harness_json_bool(struct harness_json *json, const char *key, bool value);

#endif
