/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer's checks without libFuzzer, under any compiler.
 *
 *   fuzz_replay FILE-OR-FOLDER...          what fuzzing found once: none of it may happen again
 *   fuzz_replay --seeds PACK FOLDER        writes the corpus as inputs for libFuzzer
 *   fuzz_replay --mutate PACK ROUNDS SEED  changes modules of the corpus; the same each time for one SEED. The input
 *                                          that a check dies on is left in fuzz-finding.bin
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "mutate.h"
#include "pack.h"

#define LARGEST_MODULE_WORDS 16384u

static unsigned replayed;

static bool replay_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        return false;
    }
    size_t size = fread(data, 1, sizeof(data), file);
    fclose(file);
    fprintf(stderr, "replaying %s (%zu bytes)\n", path, size);
    check_input(data, size);
    replayed++;
    return true;
}

static bool replay(const char *path)
{
    struct stat status;
    char file[4096];
    bool good = true;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return replay_file(path);
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        good = replay_file(file) && good;
    }
    closedir(folder);
    return good;
}

/* Options and words of module number `i`, as an input; the options go round. */
static size_t make_input(const struct pack_module *module, size_t i, uint8_t *data)
{
    static const uint8_t options[] = {1, 2, 1 | 4, 2 | 4, 1 | 8, 2 | 4 | 8 | 16, 2 | 16, 1 | 32};

    memset(data, 0, CHECK_OPTION_BYTES);
    data[0] = options[i % sizeof(options)];
    data[1] = (uint8_t)i;
    data[3] = (uint8_t)(i / sizeof(options) % 3 == 0 ? 0 : i / sizeof(options) % 8);
    memcpy(data + CHECK_OPTION_BYTES, module->words, module->word_count * sizeof(uint32_t));
    return CHECK_OPTION_BYTES + module->word_count * sizeof(uint32_t);
}

/* Modules of a size that can be fuzzed fast. */
static bool takes(const struct pack_module *module)
{
    return module->word_count <= (module->variant == PACK_DEBUG_VS ? 4096 : LARGEST_MODULE_WORDS);
}

static int write_seeds(const char *pack_path, const char *folder)
{
    static uint8_t data[CHECK_OPTION_BYTES + LARGEST_MODULE_WORDS * sizeof(uint32_t)];
    struct pack pack;
    char path[4096];
    int result = 0;

    if (!pack_read(pack_path, &pack))
        return 1;
    mkdir(folder, 0777);
    for (size_t i = 0; i < pack.module_count && result == 0; i++) {
        const struct pack_module *module = &pack.modules[i];
        /* Half of the versions are enough. */
        if (!takes(module) || module->environment == 11 || module->environment == 12)
            continue;
        size_t size = make_input(module, i, data);
        snprintf(path, sizeof(path), "%s/%05zu", folder, i);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(data, 1, size, file) != size)
            result = 1;
        if (file && fclose(file) != 0)
            result = 1;
    }
    if (result)
        perror(path);
    pack_free(&pack);
    return result;
}

static uint32_t input[1 + 2 * LARGEST_MODULE_WORDS];
static size_t input_size;

static void leave_finding(int signal_number)
{
    int file = open("fuzz-finding.bin", O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (file >= 0) {
        ssize_t written = write(file, input, input_size);
        (void)written;
        close(file);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int mutate(const char *pack_path, unsigned rounds, unsigned seed)
{
    struct pack pack;
    uint64_t random = seed + UINT64_C(0x9E3779B97F4A7C15);

    if (!pack_read(pack_path, &pack))
        return 1;
    signal(SIGABRT, leave_finding);
    signal(SIGSEGV, leave_finding);
    for (unsigned i = 0; i < rounds; i++) {
        size_t number = mutate_random(&random) % pack.module_count;
        const struct pack_module *module = &pack.modules[number];
        if (!takes(module))
            continue;
        uint8_t *bytes = (uint8_t *)input;
        make_input(module, i, bytes);
        if (i % 8 == 0)
            bytes[2] = (uint8_t)(mutate_random(&random) % 24);
        size_t count = mutate_module(input + 1, module->word_count, 2 * LARGEST_MODULE_WORDS, &random);
        input_size = CHECK_OPTION_BYTES + count * sizeof(uint32_t);
        check_input(bytes, input_size);
    }
    pack_free(&pack);
    struct check_counts counts = check_counts();
    printf("%u inputs, %u rewritten, %u of them valid before and after\n", counts.inputs, counts.rewritten,
           counts.judged);
    /* Changes that leave nothing to judge would make this a test of the parser alone. */
    return counts.judged * 10 < counts.inputs;
}

int main(int argc, char **argv)
{
    bool good = argc > 1;

    if (argc == 4 && strcmp(argv[1], "--seeds") == 0)
        return write_seeds(argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "--mutate") == 0)
        return mutate(argv[2], (unsigned)strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10));
    for (int i = 1; i < argc; i++)
        good = replay(argv[i]) && good;
    printf("%u inputs replayed\n", replayed);
    return good && replayed > 0 ? 0 : 1;
}
