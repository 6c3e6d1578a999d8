/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "auto_layout.h"
#include "interpreter.h"
#include "judge.h"
#include "spirv/outputs.h"
#include "spirv/spirv.h"

static struct check_counts counts;

struct check_counts check_counts(void)
{
    return counts;
}

#define broken fuzz_broken

static bool last_is_valid;

int check_good(void)
{
    return last_is_valid;
}

/* Counts what is alive, and refuses one allocation. */
struct memory {
    size_t alive, bytes, most_bytes;
    unsigned calls;
    unsigned refused; /* 0: none */
};

static void *reallocate(void *user, void *old, size_t size)
{
    struct memory *memory = user;

    memory->bytes -= malloc_usable_size(old);
    if (size == 0) {
        memory->alive -= old != NULL;
        free(old);
        return NULL;
    }
    void *grown = ++memory->calls == memory->refused ? NULL : realloc(old, size);
    memory->alive += grown && !old;
    memory->bytes += malloc_usable_size(grown ? grown : old);
    memory->most_bytes = memory->bytes > memory->most_bytes ? memory->bytes : memory->most_bytes;
    return grown;
}

/* Numbers of embedded samplers, for as many elements as a binding may have. */
static uint32_t numbers[65536];

static void twist_part(struct spirv_embedded *embedded, unsigned choice)
{
    if (choice % 8 == 3)
        embedded->offset[choice / 8 % HALF_KINDS] += 2;
    if (choice % 8 == 4)
        embedded->record_indices = numbers;
    if (choice % 8 == 5)
        embedded->index_from = SPIRV_INDEX_SHADER_RECORD;
    if (choice % 8 == 6)
        embedded->push_offset = choice >> 3 & 0xff;
    if (choice % 8 == 7)
        embedded->stride = choice;
}

/* Numbers that lie where no word is, or in the layout; words that the program's own blocks have. */
static void twist_carried(struct auto_layout *layout, unsigned seed)
{
    for (uint32_t i = 0; i < layout->binding_total; i++) {
        seed = seed * 1103515245u + 12345u;
        twist_part(&layout->bindings[i].embedded, seed >> 16);
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
    if (output->word_count > 4 * spirv_most_words(input->word_count) ||
        memory->most_bytes > 64 * spirv_most_ids(input->word_count) + 32 * spirv_most_words(input->word_count))
        broken("more words or more memory than the input's size allows", "");
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

/* A module is valid, as far as SPIRV-Tools says so and knows. */
static bool is_valid(const uint32_t *words, size_t count, char *why, size_t size)
{
    static struct judge judge;
    if (!judge.contexts[0] && !judge_create(&judge))
        exit(2);
    return judge_is_valid(&judge, 0, words, count, why, size);
}

static void judge_input(const struct input *input)
{
    char why[256];
    last_is_valid = is_valid(input->words, input->word_count, why, sizeof(why)) && !copies_sampled_image(input);
    counts.judged++;
    counts.valid += last_is_valid;
}

/* What was made of a valid one. */
static void check_validity(const struct spirv_output *output, const char *what)
{
    char why[512];
    if (last_is_valid && !is_valid(output->words, output->word_count, why, sizeof(why)))
        broken(what, why);
}

/* ---- Zeros ---- */

static bool is_record_buffer(const void *user, uint32_t set, uint32_t binding)
{
    const struct auto_layout *layout = user;
    return set < AUTO_LAYOUT_SETS && layout->sets[set].record_binding == binding;
}

/* Records of zeros change nothing: what the interpreter can run gives the same as before. */
static void check_zeros(const struct input *input, const struct auto_layout *layout, const struct spirv_output *output)
{
    const unsigned moved = AUTO_LAYOUT_RENUMBER | AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_SCALED | AUTO_LAYOUT_HEAPS;
    struct interpreter before, after;
    char difference[256];
    if (!last_is_valid || (input->layout_options & moved) || layout->layout.root_at != 0)
        return;
    interpreter_run(&before, input->words, input->word_count, NULL, NULL);
    if (!before.stuck) {
        interpreter_run(&after, output->words, output->word_count, is_record_buffer, layout);
        counts.run += !after.stuck && before.lookups != 0;
        if (!after.stuck && !interpreter_same(&before, &after, difference, sizeof(difference)))
            broken("records of zeros change what is drawn", difference);
        interpreter_free(&after);
    }
    interpreter_free(&before);
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

/* What pipelines ask of modules besides. */
static void check_halves(const struct input *input, const struct auto_layout *layout)
{
    struct memory memory = {.refused = input->bytes[2]};
    const struct spirv_allocator allocator = {reallocate, &memory};
    static const struct spirv_pairing none;
    struct spirv_pairing pairing = none;
    const enum spirv_result result =
        spirv_find_pairs(input->words, input->word_count, &layout->layout, &allocator, &pairing);

    if (memory.alive != 0 || (memcmp(&pairing, &none, sizeof(none)) != 0 && result != SPIRV_UNCHANGED))
        broken("what a module puts together", "");
    if (result == SPIRV_REWRITTEN || result == SPIRV_UNSUPPORTED || (result == SPIRV_OUT_OF_MEMORY && !memory.refused))
        broken("spirv_find_pairs() gives a result that it does not have", "");
}

/* Alpha written as 1, wherever a shader can be made that does. */
static void check_ones(const struct input *input)
{
    struct memory memory = {.refused = input->bytes[2]};
    const struct spirv_allocator allocator = {reallocate, &memory};
    struct spirv_alpha_one alpha_one = {.entry = "main", .locations = 0xff, .integers = input->bytes[1]};
    struct spirv_output output;

    alpha_one.locations = spirv_find_alpha_one(input->words, input->word_count, &alpha_one, &allocator);
    if (memory.alive != 0)
        broken("something is left behind in memory", "spirv_find_alpha_one()");
    if (!alpha_one.locations)
        return;
    memory.calls = 0;
    const enum spirv_result result =
        spirv_write_alpha_one(input->words, input->word_count, &alpha_one, &allocator, &output);
    if (memory.alive != (result == SPIRV_REWRITTEN) || (result != SPIRV_REWRITTEN && !memory.refused))
        broken("a shader that writes 1 was found, and cannot be written", output.message);
    if (result == SPIRV_REWRITTEN)
        check_validity(&output, "a valid module became invalid (alpha written as 1)");
    reallocate(&memory, output.words, 0);
}

/* Outputs and input attachments moved, in ways that two bytes choose. */
static void check_outputs(const struct input *input)
{
    struct memory memory = {.refused = input->bytes[2]};
    const struct spirv_allocator allocator = {reallocate, &memory};
    struct spirv_outputs wanted = {.entry = "main", .integers = input->bytes[1]};
    struct spirv_output output;
    const char *why;
    uint32_t random = input->bytes[1] | (uint32_t)input->bytes[0] << 8;

    for (uint32_t i = 0; i < SPIRV_LOCATIONS; i++) {
        const bool products = !(wanted.integers >> i & 1);
        wanted.locations[i].channels = products ? random % 3 << 12 : 0; /* enum spirv_clamp */
        for (uint32_t j = 0; j < 4; j++) {
            random = random * 1664525u + 1013904223u;
            wanted.locations[i].channels |= (random >> 8) % 7 << 3 * j;
            wanted.locations[i].factors |= products ? (random >> 12) % SPIRV_TERMS << 5 * j : 0;
            wanted.locations[i].second |= products && i == 0 ? (random >> 18) % SPIRV_TERMS << 5 * j : 0;
            wanted.inputs[i] |= (random >> 24) % 7 << 3 * j;
        }
    }
    const uint32_t found = spirv_find_outputs(input->words, input->word_count, &wanted, &allocator, &why);
    if (memory.alive != 0)
        broken("something is left behind in memory", "spirv_find_outputs()");
    if (found != SPIRV_OUTPUTS_ALL) {
        if (!why && !memory.refused)
            broken("outputs cannot be moved, without a reason", "");
        return;
    }
    memory.calls = 0;
    const enum spirv_result result = spirv_write_outputs(input->words, input->word_count, &wanted, &allocator, &output);
    if (memory.alive != (result == SPIRV_REWRITTEN) ||
        (result != SPIRV_REWRITTEN && result != SPIRV_UNCHANGED && !memory.refused))
        broken("outputs were found, and cannot be moved", output.message);
    if (result == SPIRV_REWRITTEN)
        check_validity(&output, "a valid module became invalid (outputs moved)");
    reallocate(&memory, output.words, 0);
}

static void check_module(const struct input *input, enum fuzz_depth depth)
{
    static struct auto_layout layout;
    struct spirv_facts facts;
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
    }
    if (depth == FUZZ_DEEP) {
        judge_input(input);
        /* A layout that lies about the module may give two variables one binding, which is no one's fault here. */
        if (result == SPIRV_REWRITTEN)
            check_validity(&output, twisted ? "a valid module became invalid (twisted layout)"
                                            : "a valid module became invalid");
        if (result == SPIRV_REWRITTEN && !twisted)
            check_zeros(input, &layout, &output);
        if (!memory.refused)
            check_twice(input, &layout, &output, result);
        check_halves(input, &layout);
        check_ones(input);
        check_outputs(input);
    }
    reallocate(&memory, output.words, 0);
}

void check_input(const uint8_t *data, size_t size, enum fuzz_depth depth)
{
    const size_t largest = 256 * 1024;
    struct input input = {.bytes = data};

    counts.inputs++;
    last_is_valid = false;
    if (size < CHECK_OPTION_BYTES || size > largest)
        return;
    input.options.tier = (data[0] & 3u) % 3u;
    input.options.form = data[0] & 4 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU;
    input.options.max_lod_bias = data[0] & 64 ? 4.0f : 0.0f;
    input.options.own_lod_bias = data[0] & 64 && data[1] & 64 ? 8.0f : 0.0f;
    input.options.votes = data[0] & 32;
    input.options.extras = data[0] & 32;
    input.options.rectangles = data[0] & 128;
    if (!input.options.extras)
        input.options.filter = (enum spirv_filter)((data[3] & 15u) % SPIRV_FILTER_COUNT);
    input.options.gradients_in_front = data[3] & 8;
    input.options.texels_sampled = data[3] & 128;
    input.options.texel_paths = data[3] >> 4 & 7u;
    input.layout_options = (data[0] & 8 ? AUTO_LAYOUT_STORAGE : 0u) | (data[0] & 16 ? AUTO_LAYOUT_RENUMBER : 0u) |
                           (data[0] & 8 ? AUTO_LAYOUT_HALVES : 0u) | (data[3] & 1 ? AUTO_LAYOUT_EMBEDDED : 0u) |
                           (data[3] & 2 ? AUTO_LAYOUT_SCALED : 0u) | (data[3] & 4 ? AUTO_LAYOUT_HEAPS : 0u) |
                           (data[3] & 128 ? AUTO_LAYOUT_NEAREST : 0u);
    input.word_count = (size - CHECK_OPTION_BYTES) / sizeof(uint32_t);

    /* A copy of just this size, so that AddressSanitizer sees a read beyond its end. */
    uint32_t *words = malloc(input.word_count ? input.word_count * sizeof(uint32_t) : 1);
    if (!words)
        return;
    memcpy(words, data + CHECK_OPTION_BYTES, input.word_count * sizeof(uint32_t));
    input.words = words;
    check_module(&input, depth);
    free(words);
}
