/* SPDX-License-Identifier: MIT */
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    uint32_t *words = NULL;
    long size = -1;

    *count = 0;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 4 && fseek(file, 0, SEEK_SET) == 0)
        words = malloc((size_t)size);
    if (words) {
        *count = (size_t)size / sizeof(uint32_t);
        if (fread(words, sizeof(uint32_t), *count, file) != *count) {
            free(words);
            words = NULL;
        }
    }
    fclose(file);
    return words;
}

/* Reads the module at `at`; returns where the next one starts, 0 if this one runs over the end. */
static size_t read_module(const uint32_t *data, size_t count, size_t at, struct pack_module *module)
{
    if (count - at < PACK_HEADER_WORDS)
        return 0;

    const uint32_t *header = data + at;
    size_t name_words = header[PACK_HEADER_NAME_WORDS];
    size_t word_count = header[PACK_HEADER_WORD_COUNT];

    if (count - at - PACK_HEADER_WORDS < name_words + word_count || name_words == 0)
        return 0;
    module->name = (const char *)(header + PACK_HEADER_WORDS);
    module->environment = header[PACK_HEADER_ENVIRONMENT];
    module->origin = (enum pack_origin)header[PACK_HEADER_ORIGIN];
    module->variant = (enum pack_variant)header[PACK_HEADER_VARIANT];
    module->words = header + PACK_HEADER_WORDS + name_words;
    module->word_count = word_count;
    return at + PACK_HEADER_WORDS + name_words + word_count;
}

bool pack_read(const char *path, struct pack *pack)
{
    size_t count;
    size_t capacity = 0;

    memset(pack, 0, sizeof(*pack));
    pack->data = read_words(path, &count);
    if (!pack->data || pack->data[0] != PACK_MAGIC) {
        fprintf(stderr, "%s: no corpus pack\n", path);
        pack_free(pack);
        return false;
    }
    for (size_t at = 1; at < count;) {
        if (pack->module_count == capacity) {
            size_t grown = capacity ? capacity * 2 : 1024;
            struct pack_module *modules = realloc(pack->modules, grown * sizeof(*modules));
            if (!modules) {
                fprintf(stderr, "%s: out of memory\n", path);
                pack_free(pack);
                return false;
            }
            pack->modules = modules;
            capacity = grown;
        }
        at = read_module(pack->data, count, at, &pack->modules[pack->module_count]);
        if (at == 0) {
            fprintf(stderr, "%s: cut off after %zu modules\n", path, pack->module_count);
            pack_free(pack);
            return false;
        }
        pack->module_count++;
    }
    return true;
}

void pack_free(struct pack *pack)
{
    free(pack->modules);
    free(pack->data);
    memset(pack, 0, sizeof(*pack));
}
