/*
 * Developer's tool: rewrites one module as the layer would with a record for every descriptor.
 *
 *     rewrite_tool [--tier N] [--cpu] [--storage] [--renumber] [--fault N] [--texel-paths N] IN.spv OUT.spv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "auto_layout.h"

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint32_t *words = size >= 0 ? malloc((size_t)size + 4) : NULL;
    *count = words != NULL ? fread(words, 4, (size_t)size / 4, file) : 0;
    fclose(file);
    return words;
}

static int write_words(const char *path, const uint32_t *words, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return 0;
    }
    size_t written = fwrite(words, 4, count, file);
    return fclose(file) == 0 && written == count;
}

int main(int argc, char **argv)
{
    struct spirv_options options = {.tier = 1};
    unsigned layout_options = 0;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--cpu") == 0) {
            options.form = SPIRV_FORM_CPU;
        } else if (strcmp(argv[i], "--storage") == 0) {
            layout_options |= AUTO_LAYOUT_STORAGE;
        } else if (strcmp(argv[i], "--renumber") == 0) {
            layout_options |= AUTO_LAYOUT_RENUMBER;
        } else if (strcmp(argv[i], "--tier") == 0 && i + 1 < argc) {
            options.tier = (uint32_t)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--texel-paths") == 0 && i + 1 < argc) {
            options.texel_paths = (uint32_t)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--fault") == 0 && i + 1 < argc) {
            options.fault = (enum spirv_fault)atoi(argv[++i]);
        } else {
            break;
        }
    }
    if (argc - i != 2) {
        fprintf(stderr, "usage: %s [--tier N] [--cpu] [--storage] [--renumber] [--fault N] [--texel-paths N] IN.spv OUT.spv\n",
                argv[0]);
        return 2;
    }
    size_t count = 0;
    uint32_t *words = read_words(argv[i], &count);
    if (words == NULL) {
        fprintf(stderr, "%s: cannot be read\n", argv[i]);
        return 2;
    }
    static struct auto_layout layout;
    auto_layout(words, count, layout_options, &layout);
    struct spirv_output output;
    enum spirv_result result = spirv_rewrite(words, count, &layout.layout, &options, NULL, &output);
    static const char *const names[] = {"unchanged", "rewritten", "malformed", "out of memory"};
    printf("%s: %s, %u lookups, %u other reads%s%s\n", argv[i], names[result], output.rewritten_lookups,
           output.rewritten_reads, output.message[0] != '\0' ? "; " : "", output.message);
    int written = 1;
    if (result == SPIRV_REWRITTEN) {
        written = write_words(argv[i + 1], output.words, output.word_count);
    } else if (result == SPIRV_UNCHANGED) {
        written = write_words(argv[i + 1], words, count);
    }
    if (!written) {
        fprintf(stderr, "%s: cannot be written\n", argv[i + 1]);
    }
    free(output.words);
    free(words);
    return result == SPIRV_MALFORMED || result == SPIRV_OUT_OF_MEMORY || !written;
}
