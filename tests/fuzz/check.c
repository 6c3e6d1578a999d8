/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "auto_layout.h"
#include "judge.h"
#include "spirv/spirv.h"

static struct check_counts counts;

struct check_counts check_counts(void)
{
    return counts;
}

static void broken(const char *what, const char *detail)
{
    fprintf(stderr, "broken promise: %s%s%s\n", what, detail[0] ? ": " : "", detail);
    abort();
}

/* Counts what is alive, and refuses one allocation. */
struct memory {
    size_t alive;
    unsigned calls;
    unsigned refused; /* 0: none */
};

static void *reallocate(void *user, void *old, size_t size)
{
    struct memory *memory = user;

    if (size == 0) {
        memory->alive -= old != NULL;
        free(old);
        return NULL;
    }
    if (++memory->calls == memory->refused)
        return NULL;
    void *grown = realloc(old, size);
    memory->alive += grown && !old;
    return grown;
}

/* Numbers of embedded samplers, for as many elements as a binding may have. */
static uint32_t numbers[65536];

static void twist_part(struct spirv_carried *carried, unsigned choice)
{
    if (choice % 8 == 3)
        carried->offset[choice / 8 % HALF_KINDS] += 2;
    if (choice % 8 == 4)
        carried->numbers = numbers;
    if (choice % 8 == 5)
        carried->index_from = SPIRV_INDEX_SHADER_RECORD;
    if (choice % 8 == 6)
        carried->push_offset = choice >> 3 & 0xff;
    if (choice % 8 == 7)
        carried->stride = choice;
}

/* Numbers that lie where no word is, or in the layout; words that the program's own blocks have. */
static void twist_carried(struct auto_layout *layout, unsigned seed)
{
    for (uint32_t i = 0; i < layout->binding_total; i++) {
        seed = seed * 1103515245u + 12345u;
        twist_part(&layout->bindings[i].carried, seed >> 16);
        if (seed >> 24 == 7)
            layout->bindings[i].scale = seed >> 16 & 0xff;
    }
    for (uint32_t i = 0; i < layout->layout.mapping_count; i++) {
        seed = seed * 1103515245u + 12345u;
        twist_part(&layout->mappings[i].image, seed >> 16);
        twist_part(&layout->mappings[i].combined_sampler, seed >> 20);
        layout->mappings[i].followed = seed % 16 != 0;
        layout->mappings[i].binding_count = seed % 32 == 1 ? 1 : UINT32_MAX;
    }
    if (layout->layout.root_at != 0 && seed % 3 == 0)
        layout->layout.root_at = seed >> 8 & 0x78;
}

/*
 * Layouts that do not fit the module: bindings without records, counts too small, sets without records, numbers that
 * moved, sets cut off. The bindings stay ascending.
 */
static void twist(struct auto_layout *layout, unsigned seed)
{
    for (uint32_t i = 0; i < layout->binding_total; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned choice = seed >> 16;
        if (choice % 4 == 0)
            layout->bindings[i].first_record = SPIRV_NO_RECORD;
        if (choice % 8 == 1)
            layout->bindings[i].count = choice >> 4 & 3;
        if (choice % 8 == 2)
            layout->bindings[i].new_binding += 1000;
    }
    twist_carried(layout, seed);
    if (seed % 5 == 0)
        layout->sets[seed / 5 % 3].record_binding = SPIRV_NO_RECORD;
    if (seed % 7 == 0)
        layout->layout.set_count = seed / 7 % 3;
    if (seed % 11 == 0)
        layout->sets[seed / 11 % 3].record_count = 1;
}

struct input {
    const uint32_t *words;
    size_t word_count;
    struct spirv_options options;
    unsigned layout_options;
    const uint8_t *bytes;
};

static enum spirv_result rewrite(const struct input *input, const struct auto_layout *layout, struct memory *memory,
                                 struct spirv_output *output)
{
    struct spirv_allocator allocator = {reallocate, memory};

    enum spirv_result result =
        spirv_rewrite(input->words, input->word_count, &layout->layout, &input->options, &allocator, output);
    if (memory->alive != (result == SPIRV_REWRITTEN))
        broken("something is left behind in memory, or missing", output->message);
    if (result == SPIRV_REWRITTEN ? !output->words || output->word_count < 5 : output->words || output->word_count)
        broken("result and output do not fit each other", output->message);
    if (result == SPIRV_UNSUPPORTED && !output->message[0])
        broken("no word of why the module cannot be made to fit", "");
    if (result == SPIRV_OUT_OF_MEMORY && !memory->refused)
        broken("out of memory while there was some", "");
    if (!memchr(output->message, '\0', sizeof(output->message)))
        broken("the message does not end", "");
    return result;
}

/*
 * The result of OpSampledImage may be used by lookups and queries alone (SPIR-V 1.6, 3.49.10); SPIRV-Tools of 2023 lets
 * copies pass.
 */
static bool copies_sampled_image(const struct input *input)
{
    const uint32_t *words = input->words;

    for (size_t at = 5; at < input->word_count; at += words[at] >> 16) {
        if ((words[at] & 0xFFFFu) != SpvOpCopyObject && (words[at] & 0xFFFFu) != SpvOpCopyLogical)
            continue;
        for (size_t other = 5; other < input->word_count; other += words[other] >> 16)
            if ((words[other] & 0xFFFFu) == SpvOpSampledImage && words[other + 2] == words[at + 3])
                return true;
    }
    return false;
}

static void check_validity(const struct input *input, const struct spirv_output *output, bool twisted)
{
    static struct judge judge;
    char before[256], after[512];

    if (!judge.contexts[0] && !judge_create(&judge))
        return;
    /* A layout that lies about the module may give two variables one binding, which is no one's fault here. */
    if (!judge_is_valid(&judge, 0, input->words, input->word_count, before, sizeof(before)))
        return;
    if (copies_sampled_image(input))
        return;
    counts.judged++;
    if (!judge_is_valid(&judge, 0, output->words, output->word_count, after, sizeof(after)))
        broken(twisted ? "a valid module became invalid (twisted layout)" : "a valid module became invalid", after);
}

static void check_twice(const struct input *input, const struct auto_layout *layout, const struct spirv_output *first,
                        enum spirv_result result)
{
    struct memory memory = {0};
    struct spirv_output second;

    if (rewrite(input, layout, &memory, &second) != result || first->word_count != second.word_count ||
        first->rewritten_lookups != second.rewritten_lookups ||
        (first->word_count && memcmp(first->words, second.words, first->word_count * sizeof(uint32_t)) != 0))
        broken("another result the second time", "");
    reallocate(&memory, second.words, 0);
}

static void check_module(const struct input *input)
{
    struct spirv_facts facts;
    struct auto_layout layout;
    struct spirv_output output;
    struct memory memory = {.refused = input->bytes[2]};
    bool twisted = input->bytes[0] & CHECK_TWIST;

    enum spirv_result scanned = spirv_scan(input->words, input->word_count, &facts);
    if (scanned != SPIRV_UNCHANGED && scanned != SPIRV_MALFORMED)
        broken("spirv_scan() gives a result that it does not have", "");
    if (scanned == SPIRV_MALFORMED && (facts.samples || facts.offsets || facts.specialized_sizes || facts.version))
        broken("facts about a malformed module", "");
    auto_layout(input->words, input->word_count, input->layout_options, &layout);
    if (twisted)
        twist(&layout, input->bytes[1]);

    enum spirv_result result = rewrite(input, &layout, &memory, &output);
    if (result == SPIRV_REWRITTEN) {
        if (scanned == SPIRV_MALFORMED)
            broken("a malformed module was rewritten", "");
        counts.rewritten++;
        check_validity(input, &output, twisted);
    }
    if (!memory.refused)
        check_twice(input, &layout, &output, result);
    reallocate(&memory, output.words, 0);
}

void check_input(const uint8_t *data, size_t size)
{
    const size_t largest = 256 * 1024;
    struct input input = {.bytes = data};

    counts.inputs++;
    if (size < CHECK_OPTION_BYTES || size > largest)
        return;
    input.options.tier = (data[0] & 3u) % 3u;
    input.options.form = data[0] & 4 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
    input.options.max_lod_bias = data[0] & 64 ? 4.0f : 0.0f;
    input.options.votes = data[0] & 32;
    input.options.extras = data[0] & 32;
    input.options.rectangles = data[0] & 128;
    input.layout_options = (data[0] & 8 ? AUTO_LAYOUT_STORAGE : 0u) | (data[0] & 16 ? AUTO_LAYOUT_RENUMBER : 0u) |
                           (data[0] & 8 ? AUTO_LAYOUT_HALVES : 0u) | (data[3] & 1 ? AUTO_LAYOUT_CARRIED : 0u) |
                           (data[3] & 2 ? AUTO_LAYOUT_SCALED : 0u) | (data[3] & 4 ? AUTO_LAYOUT_HEAPS : 0u);
    input.word_count = (size - CHECK_OPTION_BYTES) / sizeof(uint32_t);

    /* A copy of just this size, so that AddressSanitizer sees a read beyond its end. */
    uint32_t *words = malloc(input.word_count ? input.word_count * sizeof(uint32_t) : 1);
    if (!words)
        return;
    memcpy(words, data + CHECK_OPTION_BYTES, input.word_count * sizeof(uint32_t));
    input.words = words;
    check_module(&input);
    free(words);
}
