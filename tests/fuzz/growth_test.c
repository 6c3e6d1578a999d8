/* SPDX-License-Identifier: MIT */
/*
 * How the rewriter's time and memory grow with modules that are made to be slow: for each kind of module, of growing
 * size, the basic blocks that the rewriter goes over (counted by the compiler's -fsanitize-coverage=trace-pc, so that
 * the machine and its load say nothing), words written and bytes held. All must be bounded by the module's size, and
 * where lookups are left alone, a message must say so.
 */
#define _GNU_SOURCE /* setlinebuf */
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "auto_layout.h"
#include "judge.h"
#include "spirv/spirv.h"

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

/* ---- Writing modules ---- */

struct text {
    uint32_t *words;
    size_t count, room;
};

struct made {
    struct text head, decorations, globals, code;
    uint32_t bound;
    /* Found in every module. */
    uint32_t void_type, real, integer, two, four, image, function_type, entry, coordinate, zero, sampled_type;
    uint32_t pointer; /* to a sampled image */
};

static void put(struct text *text, uint32_t opcode, const uint32_t *operands, size_t count)
{
    if (text->count + count + 1 > text->room) {
        text->room = 2 * text->room + count + 1024;
        text->words = realloc(text->words, text->room * sizeof(*text->words));
        if (!text->words)
            exit(2);
    }
    text->words[text->count++] = (uint32_t)(count + 1) << 16 | opcode;
    for (size_t i = 0; i < count; i++)
        text->words[text->count++] = operands[i];
}
#define PUT(TEXT, OPCODE, ...)                                                                                         \
    put(&(TEXT), (OPCODE), (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define ALONE(TEXT, OPCODE) put(&(TEXT), (OPCODE), NULL, 0)

static uint32_t sampler_at(struct made *m, uint32_t set, uint32_t binding, uint32_t pointer)
{
    const uint32_t id = m->bound++;
    PUT(m->globals, SpvOpVariable, pointer, id, SpvStorageClassUniformConstant);
    PUT(m->decorations, SpvOpDecorate, id, SpvDecorationDescriptorSet, set);
    PUT(m->decorations, SpvOpDecorate, id, SpvDecorationBinding, binding);
    return id;
}

static void open_function(struct made *m, uint32_t id)
{
    PUT(m->code, SpvOpFunction, m->void_type, id, 0, m->function_type);
    PUT(m->code, SpvOpLabel, m->bound++);
}

static void close_function(struct made *m)
{
    ALONE(m->code, SpvOpReturn);
    ALONE(m->code, SpvOpFunctionEnd);
}

static uint32_t lookup(struct made *m, uint32_t sampler)
{
    const uint32_t loaded = m->bound++, id = m->bound++;
    PUT(m->code, SpvOpLoad, m->sampled_type, loaded, sampler);
    PUT(m->code, SpvOpImageSampleImplicitLod, m->four, id, loaded, m->coordinate);
    return id;
}

/* main, with types and one sampler; its function is not written. Returns the sampler. */
static uint32_t begin(struct made *m)
{
    memset(m, 0, sizeof(*m));
    m->bound = 1;
    uint32_t *const ids[] = {&m->void_type,     &m->real,  &m->integer, &m->two,        &m->four,         &m->image,
                             &m->function_type, &m->entry, &m->zero,    &m->coordinate, &m->sampled_type, &m->pointer};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
        *ids[i] = m->bound++;
    PUT(m->head, SpvOpCapability, SpvCapabilityShader);
    PUT(m->head, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    PUT(m->globals, SpvOpTypeVoid, m->void_type);
    PUT(m->globals, SpvOpTypeFunction, m->function_type, m->void_type);
    PUT(m->globals, SpvOpTypeFloat, m->real, 32);
    PUT(m->globals, SpvOpTypeInt, m->integer, 32, 0);
    PUT(m->globals, SpvOpTypeVector, m->two, m->real, 2);
    PUT(m->globals, SpvOpTypeVector, m->four, m->real, 4);
    PUT(m->globals, SpvOpTypeImage, m->image, m->real, SpvDim2D, 0, 0, 0, 1, SpvImageFormatUnknown);
    PUT(m->globals, SpvOpTypeSampledImage, m->sampled_type, m->image);
    PUT(m->globals, SpvOpTypePointer, m->pointer, SpvStorageClassUniformConstant, m->sampled_type);
    PUT(m->globals, SpvOpConstant, m->integer, m->zero, 0);
    PUT(m->globals, SpvOpConstantNull, m->two, m->coordinate);
    return sampler_at(m, 0, 0, m->pointer);
}

static void name_entry(struct made *m, uint32_t function, uint32_t name)
{
    PUT(m->head, SpvOpEntryPoint, SpvExecutionModelFragment, function, name);
    m->entry = function;
}

static uint32_t *finish(struct made *m, size_t *count)
{
    struct text modes = {0}, all = {0};
    for (size_t at = 0; at < m->head.count; at += m->head.words[at] >> 16) {
        if ((m->head.words[at] & 0xffffu) == SpvOpEntryPoint)
            PUT(modes, SpvOpExecutionMode, m->head.words[at + 2], SpvExecutionModeOriginUpperLeft);
    }
    const struct text *const texts[] = {&m->head, &modes, &m->decorations, &m->globals, &m->code};
    *count = 5;
    for (size_t i = 0; i < 5; i++)
        *count += texts[i]->count;
    all.words = malloc(*count * sizeof(uint32_t));
    if (!all.words)
        exit(2);
    const uint32_t header[5] = {SpvMagicNumber, 0x00010000, 0, m->bound, 0};
    memcpy(all.words, header, sizeof(header));
    all.count = 5;
    for (size_t i = 0; i < 5; i++) {
        if (texts[i]->count)
            memcpy(all.words + all.count, texts[i]->words, texts[i]->count * sizeof(uint32_t));
        all.count += texts[i]->count;
        free(texts[i]->words);
    }
    return all.words;
}

/* ---- Kinds ---- */

static void lookups(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    for (uint32_t i = 0; i < n; i++)
        lookup(m, sampler);
    close_function(m);
}

/* Lookups of many samplers, with what depends on none of them between: all of it stays in front of their batches. */
static void far_between(struct made *m, uint32_t n)
{
    begin(m);
    uint32_t samplers[32];
    for (uint32_t i = 0; i < 32; i++)
        samplers[i] = sampler_at(m, 0, i + 1, m->pointer);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    for (uint32_t i = 0; i < n; i++) {
        lookup(m, samplers[i % 32]);
        for (uint32_t k = 0; k < 32; k++)
            PUT(m->code, SpvOpFAdd, m->two, m->bound++, m->coordinate, m->coordinate);
    }
    close_function(m);
}

static void ifs(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), boolean = m->bound++, yes = m->bound++;
    PUT(m->globals, SpvOpTypeBool, boolean);
    PUT(m->globals, SpvOpConstantTrue, boolean, yes);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    const uint32_t merges = m->bound;
    m->bound += n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t inside = m->bound++;
        lookup(m, sampler);
        PUT(m->code, SpvOpSelectionMerge, merges + i, 0);
        PUT(m->code, SpvOpBranchConditional, yes, inside, merges + i);
        PUT(m->code, SpvOpLabel, inside);
    }
    for (uint32_t i = n; i-- > 0;) {
        PUT(m->code, SpvOpBranch, merges + i);
        PUT(m->code, SpvOpLabel, merges + i);
        lookup(m, sampler);
    }
    close_function(m);
}

static void cases(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), merge = m->bound++;
    struct text jump = {0};
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    PUT(m->code, SpvOpSelectionMerge, merge, 0);
    const uint32_t first = m->bound;
    m->bound += n;
    uint32_t *operands = malloc((2 + 2 * (size_t)n) * sizeof(uint32_t));
    if (!operands)
        exit(2);
    operands[0] = m->zero;
    operands[1] = merge;
    for (uint32_t i = 0; i < n; i++) {
        operands[2 + 2 * i] = i;
        operands[3 + 2 * i] = first + i;
    }
    put(&m->code, SpvOpSwitch, operands, 2 + 2 * (size_t)n);
    free(operands);
    free(jump.words);
    for (uint32_t i = 0; i < n; i++) {
        PUT(m->code, SpvOpLabel, first + i);
        lookup(m, sampler);
        PUT(m->code, SpvOpBranch, merge);
    }
    PUT(m->code, SpvOpLabel, merge);
    close_function(m);
}

/* Functions that hand a sampler on to each other; the last looks it up, again and again. */
static void calls(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), type = m->bound++, first = m->bound;
    uint32_t parameter = 0;
    PUT(m->globals, SpvOpTypeFunction, type, m->void_type, m->pointer);
    name_entry(m, m->entry, 'a');
    m->bound += n;
    open_function(m, m->entry);
    PUT(m->code, SpvOpFunctionCall, m->void_type, m->bound++, first, sampler);
    close_function(m);
    for (uint32_t i = 0; i < n; i++) {
        PUT(m->code, SpvOpFunction, m->void_type, first + i, 0, type);
        PUT(m->code, SpvOpFunctionParameter, m->pointer, parameter = m->bound++);
        PUT(m->code, SpvOpLabel, m->bound++);
        if (i + 1 < n)
            PUT(m->code, SpvOpFunctionCall, m->void_type, m->bound++, first + i + 1, parameter);
        lookup(m, parameter);
        close_function(m);
    }
}

/* Each function is called by all before it, if n is small: n calls in all. */
static void many_calls(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), type = m->bound++, callee = m->bound++, parameter = m->bound++;
    PUT(m->globals, SpvOpTypeFunction, type, m->void_type, m->pointer);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    for (uint32_t i = 0; i < n; i++)
        PUT(m->code, SpvOpFunctionCall, m->void_type, m->bound++, callee, sampler);
    close_function(m);
    PUT(m->code, SpvOpFunction, m->void_type, callee, 0, type);
    PUT(m->code, SpvOpFunctionParameter, m->pointer, parameter);
    PUT(m->code, SpvOpLabel, m->bound++);
    for (uint32_t i = 0; i < n; i++)
        lookup(m, parameter);
    close_function(m);
}

static void entry_points(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), shared = m->bound++, block = m->bound++, pointer = m->bound++;
    const uint32_t variable = m->bound++, element = m->bound++;
    PUT(m->decorations, SpvOpDecorate, block, SpvDecorationBlock);
    PUT(m->decorations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    PUT(m->globals, SpvOpTypeStruct, block, m->integer);
    PUT(m->globals, SpvOpTypePointer, pointer, SpvStorageClassPushConstant, block);
    PUT(m->globals, SpvOpTypePointer, element, SpvStorageClassPushConstant, m->integer);
    PUT(m->globals, SpvOpVariable, pointer, variable, SpvStorageClassPushConstant);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t function = m->bound++;
        name_entry(m, function, 0x202020u + (i & 63) + (i >> 6 << 8));
        open_function(m, function);
        PUT(m->code, SpvOpFunctionCall, m->void_type, m->bound++, shared);
        lookup(m, sampler);
        close_function(m);
    }
    open_function(m, shared);
    for (uint32_t i = 0; i < n; i++)
        PUT(m->code, SpvOpAccessChain, element, m->bound++, variable, m->zero);
    close_function(m);
}

/* n arrays of samplers, each at a binding of its own. */
static void arrays(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), length = m->bound++;
    PUT(m->globals, SpvOpConstant, m->integer, length, 4);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t array = m->bound++, pointer = m->bound++;
        PUT(m->globals, SpvOpTypeArray, array, m->sampled_type, length);
        PUT(m->globals, SpvOpTypePointer, pointer, SpvStorageClassUniformConstant, array);
        sampler_at(m, 0, i % 400 + 1, pointer);
    }
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    lookup(m, sampler);
    close_function(m);
}

/* Push constants: a struct of n members, or eight of a struct of eight of a struct, n deep. */
static void members(struct made *m, uint32_t n, bool nested)
{
    const uint32_t sampler = begin(m), pointer = m->bound++, variable = m->bound++;
    uint32_t inner = m->integer, size = 4, first = 0;
    for (uint32_t depth = 0; depth < (nested ? n : 1); depth++) {
        const uint32_t block = m->bound++, count = nested ? 8 : n;
        uint32_t *operands = malloc((count + 1) * sizeof(uint32_t));
        if (!operands)
            exit(2);
        operands[0] = block;
        for (uint32_t i = 0; i < count; i++) {
            operands[1 + i] = inner;
            PUT(m->decorations, SpvOpMemberDecorate, block, i, SpvDecorationOffset, i * size);
        }
        put(&m->globals, SpvOpTypeStruct, operands, count + 1);
        free(operands);
        first = inner;
        inner = block;
        size *= nested ? 8 : 1;
    }
    const uint32_t member = m->bound++;
    PUT(m->globals, SpvOpTypePointer, member, SpvStorageClassPushConstant, first);
    PUT(m->decorations, SpvOpDecorate, inner, SpvDecorationBlock);
    PUT(m->globals, SpvOpTypePointer, pointer, SpvStorageClassPushConstant, inner);
    PUT(m->globals, SpvOpVariable, pointer, variable, SpvStorageClassPushConstant);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    PUT(m->code, SpvOpAccessChain, member, m->bound++, variable, m->zero);
    for (uint32_t i = 0; i < (nested ? 1 : n); i++)
        lookup(m, sampler);
    close_function(m);
}

static void flat_members(struct made *m, uint32_t n)
{
    members(m, n, false);
}

/* As deep as types are followed; the size is that of the decorations. */
static void nested_members(struct made *m, uint32_t n)
{
    members(m, 2 + n / 256, true);
}

static void outputs(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m), pointer = m->bound++;
    uint32_t *operands = malloc((4 + (size_t)n) * sizeof(uint32_t));
    if (!operands)
        exit(2);
    PUT(m->globals, SpvOpTypePointer, pointer, SpvStorageClassOutput, m->four);
    operands[0] = SpvExecutionModelFragment;
    operands[1] = m->entry;
    memcpy(operands + 2, "main\0\0\0", 8);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t id = operands[4 + i] = m->bound++;
        PUT(m->decorations, SpvOpDecorate, id, SpvDecorationLocation, i);
        PUT(m->globals, SpvOpVariable, pointer, id, SpvStorageClassOutput);
    }
    put(&m->head, SpvOpEntryPoint, operands, 4 + (size_t)n);
    free(operands);
    open_function(m, m->entry);
    lookup(m, sampler);
    close_function(m);
}

static void copies(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    uint32_t before = sampler;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t copy = m->bound++;
        PUT(m->code, SpvOpCopyObject, m->pointer, copy, before);
        before = copy;
        lookup(m, before);
    }
    close_function(m);
}

static void types(struct made *m, uint32_t n)
{
    const uint32_t sampler = begin(m);
    for (uint32_t i = 0; i < n; i++)
        PUT(m->globals, SpvOpTypeStruct, m->bound++, m->four, m->two);
    name_entry(m, m->entry, 'a');
    open_function(m, m->entry);
    lookup(m, sampler);
    close_function(m);
}

static const struct kind {
    const char *name;
    void (*make)(struct made *m, uint32_t n);
} kinds[] = {
    {"lookups of one block", lookups},
    {"lookups far between", far_between},
    {"ifs in each other", ifs},
    {"cases of a switch", cases},
    {"functions in a row", calls},
    {"calls of a function", many_calls},
    {"entry points", entry_points},
    {"arrays of samplers", arrays},
    {"members of push constants", flat_members},
    {"structs in each other", nested_members},
    {"outputs", outputs},
    {"copies of copies", copies},
    {"types", types},
};

/* ---- What they take ---- */

struct taken {
    uint64_t blocks, words, bytes;
    bool left_alone;
};

static size_t bytes, most_bytes;

static void *reallocate(void *user, void *old, size_t size)
{
    (void)user;
    bytes -= malloc_usable_size(old);
    void *now = size ? realloc(old, size) : NULL;
    if (!size)
        free(old);
    bytes += malloc_usable_size(now);
    most_bytes = bytes > most_bytes ? bytes : most_bytes;
    return now;
}

static struct taken measure(const uint32_t *words, size_t count, unsigned layout_options, uint32_t tier,
                            enum spirv_form form)
{
    static struct auto_layout layout;
    static const struct spirv_allocator allocator = {reallocate, NULL};
    const struct spirv_options options = {.tier = tier, .form = form, .votes = true, .rectangles = true};
    const struct spirv_alpha_one alpha_one = {.entry = "main", .locations = 0xff};
    struct spirv_output output;
    struct spirv_pairing pairing = {0};
    auto_layout(words, count, layout_options, &layout);
    most_bytes = blocks = 0;
    const enum spirv_result result = spirv_rewrite(words, count, &layout.layout, &options, &allocator, &output);
    spirv_find_alpha_one(words, count, &alpha_one, &allocator);
    spirv_find_pairs(words, count, &layout.layout, &allocator, &pairing);
    const struct taken taken = {blocks, output.word_count, most_bytes, result != SPIRV_REWRITTEN};
    if (result != SPIRV_REWRITTEN && !output.message[0]) {
        fprintf(stderr, "left alone without a message\n");
        exit(1);
    }
    reallocate(NULL, output.words, 0);
    return taken;
}

static bool check_kind(const struct kind *kind, const struct judge *judge)
{
    static const uint32_t sizes[] = {64, 1024};
    static const unsigned layouts[] = {0, AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_HALVES,
                                       AUTO_LAYOUT_EMBEDDED | AUTO_LAYOUT_SCALED, AUTO_LAYOUT_HEAPS};
    bool good = true;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        struct made made;
        size_t count;
        char why[256];
        kind->make(&made, sizes[s]);
        uint32_t *words = finish(&made, &count);
        if (s == 0 && !judge_is_valid(judge, 0, words, count, why, sizeof(why)))
            good = fprintf(stderr, "%s: not valid: %s\n", kind->name, why) < 0;
        for (unsigned i = 0; i < 16; i++) {
            const struct taken t =
                measure(words, count, layouts[i % 4], 1 + i / 4 % 2, i / 8 ? SPIRV_FORM_CPU : SPIRV_FORM_GPU);
            const bool bounded = t.blocks <= 32 * spirv_most_steps(count) + 1024 * count &&
                                 t.words <= 4 * spirv_most_words(count) &&
                                 t.bytes <= 64 * spirv_most_ids(count) + 32 * spirv_most_words(count);
            good &= bounded;
            if (!bounded || (i % 4 == 1 && i / 4 == 1))
                printf("%-26s %7zu words: %9llu blocks (%6.1f a word), %9llu words, %11llu bytes%s%s\n", kind->name,
                       count, (unsigned long long)t.blocks, (double)t.blocks / (double)count,
                       (unsigned long long)t.words, (unsigned long long)t.bytes, t.left_alone ? ", left alone" : "",
                       bounded ? "" : " NOT BOUNDED");
        }
        free(words);
    }
    return good;
}

int main(void)
{
    struct judge judge;
    setlinebuf(stdout);
    bool good = judge_create(&judge);
    for (size_t i = 0; good && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        good = check_kind(&kinds[i], &judge);
    judge_free(&judge);
    return good ? 0 : 1;
}
