/* SPDX-License-Identifier: MIT */
/* The rewriter: seeds from the corpus pack, small ones first, and changes that know SPIR-V. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "check.h"
#include "coverage.h"
#include "mutate.h"
#include "pack.h"
#include "target.h"

enum { HEADER_WORDS = 5, MOST_WORDS = 6000, MOST_SEED_WORDS = 2500, MOST_BLIND_WORDS = 500 };

/* ---- Seeds ---- */

/* Names and lines of the source, which the rewriter hands on as they are. */
static int is_talk(uint32_t opcode)
{
    return (opcode >= SpvOpSourceContinued && opcode <= SpvOpMemberName) || opcode == SpvOpLine ||
           opcode == SpvOpNoLine || opcode == SpvOpModuleProcessed;
}

struct seed {
    uint32_t *words;
    size_t count, number;
};

/* Modules with debug information keep it. */
static struct seed make_seed(const struct pack_module *module, size_t number)
{
    struct seed seed = {malloc(module->word_count * sizeof(uint32_t)), HEADER_WORDS, number};
    const int keeps = module->variant == PACK_DEBUG || module->variant == PACK_DEBUG_VS;
    if (!seed.words)
        exit(2);
    memcpy(seed.words, module->words, HEADER_WORDS * sizeof(uint32_t));
    for (size_t at = HEADER_WORDS; at < module->word_count; at += module->words[at] >> 16) {
        const size_t length = module->words[at] >> 16;
        if (!keeps && is_talk(module->words[at] & 0xffffu))
            continue;
        memcpy(seed.words + seed.count, module->words + at, length * sizeof(uint32_t));
        seed.count += length;
    }
    return seed;
}

static int by_size(const void *a, const void *b)
{
    const struct seed *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count) - (x->count < y->count)
                                : (x->number > y->number) - (x->number < y->number);
}

/* The options go round. */
static void take_seed(const struct seed *seed, fuzz_take take, void *user)
{
    static const uint8_t options[] = {1, 2, 1 | 4, 2 | 4, 1 | 8, 2 | 4 | 8 | 16, 2 | 16, 1 | 32};
    static uint8_t data[CHECK_OPTION_BYTES + MOST_SEED_WORDS * sizeof(uint32_t)];
    const size_t i = seed->number;
    data[0] = options[i % sizeof(options)];
    data[1] = (uint8_t)i;
    data[2] = 0;
    data[3] = (uint8_t)(i / sizeof(options) % 3 == 0 ? 0 : i / sizeof(options));
    memcpy(data + CHECK_OPTION_BYTES, seed->words, seed->count * sizeof(uint32_t));
    take(user, data, CHECK_OPTION_BYTES + seed->count * sizeof(uint32_t));
}

static int seeds(const char *file, fuzz_take take, void *user)
{
    struct pack pack;
    if (!file || !pack_read(file, &pack))
        return fprintf(stderr, "fuzz_rewrite: --seeds needs corpus.pack\n"), 0;
    struct seed *all = calloc(pack.module_count, sizeof(*all));
    if (!all)
        return 0;
    for (size_t i = 0; i < pack.module_count; i++)
        all[i] = make_seed(&pack.modules[i], i);
    qsort(all, pack.module_count, sizeof(*all), by_size);
    /* Where nothing is told of coverage, nothing says which large ones are worth their time. */
    const size_t most = coverage_all() ? MOST_SEED_WORDS : MOST_BLIND_WORDS;
    for (size_t i = 0; i < pack.module_count; i++) {
        if (all[i].count <= most)
            take_seed(&all[i], take, user);
        free(all[i].words);
    }
    free(all);
    pack_free(&pack);
    return 1;
}

/* ---- Changes ---- */

static void change_options(uint8_t *data, uint64_t *random)
{
    const uint32_t which = fuzz_random(random) % 4;
    data[which] = (uint8_t)fuzz_random(random);
    if (which == 2 && fuzz_random(random) % 8 != 0)
        data[2] = 0;
}

static size_t mutate(uint8_t *data, size_t size, size_t most, uint64_t *random)
{
    static uint32_t words[MOST_WORDS + 1];
    const uint32_t choice = fuzz_random(random) % 64;
    if (size <= CHECK_OPTION_BYTES || choice == 0)
        return fuzz_mutate_bytes(data, size, most, random);
    if (choice < 20)
        change_options(data, random);
    size_t count = (size - CHECK_OPTION_BYTES) / sizeof(uint32_t);
    memcpy(words, data + CHECK_OPTION_BYTES, count * sizeof(uint32_t));
    count = mutate_module(words, count, (most - CHECK_OPTION_BYTES) / sizeof(uint32_t), random);
    memcpy(data + CHECK_OPTION_BYTES, words, count * sizeof(uint32_t));
    return CHECK_OPTION_BYTES + count * sizeof(uint32_t);
}

/* The options and the header; an instruction. */
static size_t piece(const uint8_t *data, size_t size, size_t at)
{
    const size_t head = CHECK_OPTION_BYTES + HEADER_WORDS * sizeof(uint32_t);
    uint32_t first = 0;
    if (at == 0 || at + sizeof(first) > size)
        return at == 0 ? head : 1;
    memcpy(&first, data + at, sizeof(first));
    return first >> 16 ? (first >> 16) * sizeof(first) : sizeof(first);
}

static void report(char *text, size_t size)
{
    const struct check_counts counts = check_counts();
    snprintf(text, size, "rewritten=%u judged=%u valid=%u run=%u", counts.rewritten, counts.judged, counts.valid,
             counts.run);
}

const struct fuzz_target fuzz_target = {
    .name = "rewrite",
    .most = CHECK_OPTION_BYTES + MOST_WORDS * sizeof(uint32_t),
    .deep_share = 128,
    .seeds = seeds,
    .mutate = mutate,
    .check = check_input,
    .good = check_good,
    .piece = piece,
    .report = report,
};
