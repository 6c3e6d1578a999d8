/* SPDX-License-Identifier: MIT */
/* The rewriter under libFuzzer. See README.md. */
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_input(data, size);
    return 0;
}

/* Mostly changes that know SPIR-V, sometimes libFuzzer's own, sometimes only other options. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t random = seed + UINT64_C(0x9E3779B97F4A7C15);
    uint32_t choice = mutate_random(&random) % 16;

    if (size <= CHECK_OPTION_BYTES || choice == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (choice < 5)
        data[choice - 1] = (uint8_t)(choice == 3 && mutate_random(&random) % 2 ? 0 : mutate_random(&random));
    size_t capacity = (max_size - CHECK_OPTION_BYTES) / sizeof(uint32_t);
    size_t count = (size - CHECK_OPTION_BYTES) / sizeof(uint32_t);
    uint32_t *words = malloc((capacity + 1) * sizeof(uint32_t));
    if (!words)
        return size;
    memcpy(words, data + CHECK_OPTION_BYTES, count * sizeof(uint32_t));
    count = mutate_module(words, count, capacity, &random);
    memcpy(data + CHECK_OPTION_BYTES, words, count * sizeof(uint32_t));
    free(words);
    return CHECK_OPTION_BYTES + count * sizeof(uint32_t);
}
