/* SPDX-License-Identifier: MIT */
/*
 * heap_seeds FILE FOLDER: inputs of the rewriter's fuzzer (check.h) whose modules take descriptors out of heaps, which
 * Debian 12's compilers and assemblers do not know. The file is text as tests/spirv/heap_text.h takes it, in parts
 * between lines of "----": how all modules begin, one part for each module, and how all end. What stands behind a ';'
 * at the beginning of a line is a comment.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "heap_text.h"

enum { TEXT_MOST = 1 << 16, PARTS_MOST = 64 };

struct parts {
    char *text[PARTS_MOST];
    unsigned count;
};

static int read_parts(const char *path, struct parts *parts)
{
    FILE *file = fopen(path, "r");
    char line[512];
    size_t used = 0;
    if (!file)
        return fprintf(stderr, "heap_seeds: %s cannot be read\n", path), 0;
    parts->text[0] = calloc(1, TEXT_MOST);
    parts->count = 1;
    while (parts->text[parts->count - 1] && fgets(line, sizeof(line), file)) {
        if (strcmp(line, "----\n") == 0 && parts->count < PARTS_MOST) {
            parts->text[parts->count++] = calloc(1, TEXT_MOST);
            used = 0;
        } else if (line[0] != ';' && used + strlen(line) < TEXT_MOST) {
            strcpy(parts->text[parts->count - 1] + used, line);
            used += strlen(line);
        }
    }
    fclose(file);
    return parts->text[parts->count - 1] != NULL && parts->count >= 3;
}

static int write_input(const char *folder, unsigned number, const struct spirv_words *words)
{
    /* Tiers, forms and twists; descriptors are in heaps, with gradients in front of branches and without. */
    static const unsigned char options[][CHECK_OPTION_BYTES] = {
        {1, 0, 0, 4},         {2, 0, 0, 4}, {1 | 4, 0, 0, 4 | 8},
        {2 | 4, 0, 0, 4 | 8}, {0, 0, 0, 4}, {2 | CHECK_TWIST, 7, 0, 4},
    };
    for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/heap_%u_%u", folder, number, i);
        FILE *file = fopen(path, "wb");
        if (!file)
            return fprintf(stderr, "heap_seeds: %s cannot be written\n", path), 0;
        const int good = fwrite(options[i], 1, CHECK_OPTION_BYTES, file) == CHECK_OPTION_BYTES &&
                         fwrite(words->words, sizeof(uint32_t), words->count, file) == words->count;
        if ((fclose(file) != 0) | !good)
            return fprintf(stderr, "heap_seeds: %s cannot be written\n", path), 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    static char text[3 * TEXT_MOST];
    struct parts parts = {.count = 0};
    if (count != 3 || !read_parts(arguments[1], &parts))
        return 2;
    for (unsigned i = 1; i + 1 < parts.count; i++) {
        snprintf(text, sizeof(text), "%s%s%s", parts.text[0], parts.text[i], parts.text[parts.count - 1]);
        struct spirv_words words = heap_assemble(text);
        if (!words.words || !write_input(arguments[2], i, &words))
            return 1;
        free(words.words);
    }
    for (unsigned i = 0; i < parts.count; i++)
        free(parts.text[i]);
    return 0;
}
