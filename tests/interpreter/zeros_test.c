/* SPDX-License-Identifier: MIT */
/*
 * Records of zeros change nothing: modules of the corpus, before and after the rewrite, in every tier and form, run by
 * the interpreter. And it would see if they did: one instruction of what was written is made wrong, in turn the values
 * of a phi, a lookup, and an addition, and most of that must show.
 *
 *   zeros_test CORPUS.pack
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "auto_layout.h"
#include "interpreter.h"
#include "pack.h"
#include "spirv/spirv.h"

enum { KINDS = 3, MOST_WORDS = 3000 };

static const char *const kind_names[KINDS] = {"values of a phi", "lookup left out", "addition"};
static unsigned planted[KINDS], seen[KINDS], same, stuck;

static bool is_record_buffer(const void *user, uint32_t set, uint32_t binding)
{
    const struct auto_layout *layout = user;
    return set < AUTO_LAYOUT_SETS && layout->sets[set].record_binding == binding;
}

/* Makes the instruction wrong, if it is one of the program's results of that kind. */
static bool plant(uint32_t *inst, unsigned kind, uint32_t bound)
{
    const uint32_t opcode = inst[0] & 0xffffu, length = inst[0] >> 16;
    if (kind == 0 && opcode == SpvOpPhi && length == 7 && inst[2] < bound && inst[3] != inst[5]) {
        const uint32_t value = inst[3];
        inst[3] = inst[5];
        inst[5] = value;
        return true;
    }
    if (kind == 1 && opcode == SpvOpImageSampleImplicitLod && length == 5) { /* left out */
        inst[0] = 3u << 16 | SpvOpUndef;
        inst[3] = inst[4] = 1u << 16 | SpvOpNop;
        return true;
    }
    if (kind == 2 && opcode == SpvOpFAdd && inst[2] < bound) {
        inst[0] = length << 16 | SpvOpFSub;
        return true;
    }
    return false;
}

/* Does the interpreter see each fault? Only what runs can be seen, so shares count. */
static void plant_each(const struct interpreter *before, uint32_t *words, size_t count,
                       const struct auto_layout *layout)
{
    char difference[256];
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        uint32_t saved[8];
        const size_t length = words[at] >> 16;
        if (length > 8)
            continue;
        memcpy(saved, words + at, length * sizeof(*saved));
        for (unsigned kind = 0; kind < KINDS; kind++) {
            if (!plant(words + at, kind, before->bound)) {
                memcpy(words + at, saved, length * sizeof(*saved));
                continue;
            }
            struct interpreter wrong;
            interpreter_run(&wrong, words, count, is_record_buffer, layout);
            planted[kind]++;
            seen[kind] += wrong.stuck || !interpreter_same(before, &wrong, difference, sizeof(difference));
            interpreter_free(&wrong);
            memcpy(words + at, saved, length * sizeof(*saved));
        }
    }
}

static bool check(const struct pack_module *module, uint32_t number)
{
    static struct auto_layout layout;
    const struct spirv_options options = {
        .tier = 1 + number % 2,
        .masks = number / 32 % 2,
        .form = number / 2 % 2 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU,
        .votes = number / 4 % 2,
        .rectangles = number / 8 % 2,
        .max_lod_bias = number / 16 % 2 ? 4.0f : 0.0f,
        .texel_paths = SPIRV_TEXEL_VIEWS,
    };
    struct interpreter before, after;
    struct spirv_output output;
    char difference[256] = "";
    bool good = true;
    auto_layout(module->words, module->word_count,
                AUTO_LAYOUT_STORAGE | AUTO_LAYOUT_HALVES | (options.masks ? AUTO_LAYOUT_MASKS : 0), &layout);
    interpreter_run(&before, module->words, module->word_count, NULL, NULL);
    if (!before.stuck && before.lookups != 0 &&
        spirv_rewrite(module->words, module->word_count, &layout.layout, &options, NULL, &output) == SPIRV_REWRITTEN) {
        interpreter_run(&after, output.words, output.word_count, is_record_buffer, &layout);
        good = after.stuck || interpreter_same(&before, &after, difference, sizeof(difference));
        same += !after.stuck && good;
        stuck += after.stuck != NULL;
        if (!after.stuck && number % 8 == 0)
            plant_each(&before, output.words, output.word_count, &layout);
        interpreter_free(&after);
        free(output.words);
    }
    interpreter_free(&before);
    if (!good)
        fprintf(stderr, "%s: %s\n", module->name, difference);
    return good;
}

int main(int count, char **arguments)
{
    struct pack pack;
    bool good = count == 2 && pack_read(arguments[1], &pack);
    uint32_t number = 0;
    if (!good)
        return 2;
    for (size_t i = 0; i < pack.module_count; i++) {
        if (pack.modules[i].word_count <= MOST_WORDS)
            good &= check(&pack.modules[i], number++);
    }
    printf("%u the same with records of zeros, %u not run to the end\n", same, stuck);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        printf("planted: %s: %u seen of %u\n", kind_names[kind], seen[kind], planted[kind]);
        good &= planted[kind] > 0 && 10 * seen[kind] >= 6 * planted[kind];
    }
    pack_free(&pack);
    return good && same > 200 ? 0 : 1;
}
