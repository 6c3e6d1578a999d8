/* SPDX-License-Identifier: MIT */
/*
 * A model of the settings: the same text read another way, by what settings.h says. It knows the table of settings,
 * which is generated, and none of the layer's code.
 */
#ifndef FUZZ_SETTINGS_MODEL_H
#define FUZZ_SETTINGS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "settings/table.h"

enum { MODEL_MOST = 64, MODEL_VALUE = SETTING_TEXT_SIZE };

/* Who gave a value, the strongest last. */
enum model_rank { MODEL_DEFAULT, MODEL_PROGRAM, MODEL_FILE, MODEL_RULE, MODEL_SHORT, MODEL_LONG };

struct model {
    enum model_rank rank[MODEL_MOST];
    bool unknown[MODEL_MOST]; /* the model cannot say */
    char value[MODEL_MOST][MODEL_VALUE];
};

void model_begin(struct model *model);
void model_program(struct model *model, const char *key, const char *value);
void model_file(struct model *model, const char *text, size_t size);
void model_variable(struct model *model, const char *entry);

/* The value of setting number `at` as it is told; false if the model cannot say. Aborts if the key is another's. */
bool model_value(const struct model *model, unsigned at, const char *key, char *value, size_t size);

/* A line for one of the sources, with a key and a value that there are, more or less. */
void model_write_line(char *text, size_t size, uint64_t *random);

#endif
