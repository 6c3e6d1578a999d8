/* SPDX-License-Identifier: MIT */
/*
 * Two sorted lists, of the sets of ids and of the targets of groups, give the new number of each Binding decoration.
 * One pass counts the words of the result, and one writes them. No memory depends on the bound.
 */
#include "spirv/reshape/bindings.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"
#include "spirv/module/trace.h"

#define DECORATION_WORDS 4u

/* Pairs of a key, in the upper half, and a value; in order. */
struct pairs {
    uint64_t *list;
    size_t count;
};

struct bindings {
    const uint32_t *words;
    size_t end; /* where functions begin: behind all decorations */
    const struct spirv_layout *layout;
    struct pairs sets;    /* of ids that are decorated with one, themselves or through a group */
    struct pairs targets; /* of groups */
    bool changes, unsupported;
};

/* ---- Pairs ---- */

static void sift(uint64_t *list, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && list[child] < list[child + 1];
        if (list[at] >= list[child])
            return;
        const uint64_t pair = list[at];
        list[at] = list[child];
        list[child] = pair;
    }
}

static void sort(struct pairs *pairs)
{
    for (size_t i = pairs->count / 2; i-- > 0;)
        sift(pairs->list, i, pairs->count);
    for (size_t i = pairs->count; i-- > 1;) {
        const uint64_t greatest = pairs->list[0];
        pairs->list[0] = pairs->list[i];
        pairs->list[i] = greatest;
        sift(pairs->list, 0, i);
    }
}

static void add(struct pairs *pairs, uint32_t key, uint32_t value)
{
    pairs->list[pairs->count++] = (uint64_t)key << 32 | value;
}

/* The first pair with that key; one of another key, or none, where there is none. */
static size_t find(const struct pairs *pairs, uint32_t key)
{
    size_t low = 0, high = pairs->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pairs->list[middle] >> 32 < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has(const struct pairs *pairs, size_t at, uint32_t key)
{
    return at < pairs->count && pairs->list[at] >> 32 == key;
}

/* ---- Decorations ---- */

static bool decorates(const uint32_t *inst, uint32_t decoration)
{
    return inst_opcode(inst) == SpvOpDecorate && inst_length(inst) >= DECORATION_WORDS && inst[2] == decoration;
}

/* Counts what the lists hold at most, and finds where functions begin. */
static void count_pairs(struct bindings *b, size_t word_count, size_t *sets, size_t *targets)
{
    *sets = *targets = 0;
    for (b->end = HEADER_WORDS; b->end < word_count && inst_opcode(b->words + b->end) != SpvOpFunction;
         b->end += inst_length(b->words + b->end)) {
        const uint32_t *inst = b->words + b->end;
        *sets += decorates(inst, SpvDecorationDescriptorSet);
        *targets += inst_opcode(inst) == SpvOpGroupDecorate && inst_length(inst) > 2 ? inst_length(inst) - 2 : 0;
    }
}

static void fill_pairs(struct bindings *b)
{
    for (size_t at = HEADER_WORDS; at < b->end; at += inst_length(b->words + at)) {
        const uint32_t *inst = b->words + at;
        if (decorates(inst, SpvDecorationDescriptorSet))
            add(&b->sets, inst[1], inst[3]);
        for (uint32_t i = 2; inst_opcode(inst) == SpvOpGroupDecorate && i < inst_length(inst); i++)
            add(&b->targets, inst[1], inst[i]);
    }
    sort(&b->targets);
    sort(&b->sets);
    struct pairs all = b->sets;
    for (size_t i = 0; i < b->targets.count; i++) {
        const uint32_t group = (uint32_t)(b->targets.list[i] >> 32);
        const size_t at = find(&b->sets, group);
        if (has(&b->sets, at, group))
            add(&all, (uint32_t)b->targets.list[i], (uint32_t)b->sets.list[at]);
    }
    b->sets = all;
    sort(&b->sets);
}

/* The number in the driver's layout of what is decorated with one. */
static uint32_t driver_number(struct bindings *b, uint32_t target, uint32_t number)
{
    const size_t at = find(&b->sets, target);
    if (!has(&b->sets, at, target))
        return number;
    const struct spirv_binding *binding = trace_binding(b->layout, (uint32_t)b->sets.list[at], number);
    if (!binding)
        return number;
    b->unsupported |= binding->scale > 1 && binding->count > 1; /* arrays are longer, indices are multiplied */
    b->changes |= binding->new_binding != number;
    return binding->new_binding;
}

/*
 * A Binding decoration as it becomes, into `to`, which may be NULL; returns its words. That of a group whose targets
 * lie in several sets is one of each target.
 */
static size_t write_binding(struct bindings *b, const uint32_t *inst, uint32_t *to)
{
    const size_t first = find(&b->targets, inst[1]);
    uint32_t number = driver_number(b, inst[1], inst[3]);
    bool same = true;
    size_t end = first;
    for (; has(&b->targets, end, inst[1]); end++) {
        const uint32_t own = driver_number(b, (uint32_t)b->targets.list[end], inst[3]);
        number = end == first ? own : number;
        same &= own == number;
    }
    const size_t count = same ? inst_length(inst) : (end - first) * DECORATION_WORDS;
    for (size_t i = first; i < end && to && !same; i++, to += DECORATION_WORDS) {
        const uint32_t target = (uint32_t)b->targets.list[i];
        const uint32_t decoration[DECORATION_WORDS] = {INST_WORD0(SpvOpDecorate, DECORATION_WORDS), target,
                                                       SpvDecorationBinding, driver_number(b, target, inst[3])};
        memcpy(to, decoration, sizeof(decoration));
    }
    if (to && same) {
        memcpy(to, inst, count * sizeof(*inst));
        to[3] = number;
    }
    return count;
}

/* Writes the part in front of functions; returns its words. */
static size_t write_head(struct bindings *b, uint32_t *to)
{
    size_t count = HEADER_WORDS;
    if (to)
        memcpy(to, b->words, HEADER_WORDS * sizeof(*to));
    for (size_t at = HEADER_WORDS; at < b->end; at += inst_length(b->words + at)) {
        const uint32_t *inst = b->words + at;
        if (decorates(inst, SpvDecorationBinding)) {
            count += write_binding(b, inst, to ? to + count : NULL);
            continue;
        }
        if (to)
            memcpy(to + count, inst, inst_length(inst) * sizeof(*to));
        count += inst_length(inst);
    }
    return count;
}

static enum spirv_result write_module(struct bindings *b, size_t word_count, const struct spirv_allocator *allocator,
                                      struct spirv_output *output)
{
    const size_t head = write_head(b, NULL), rest = word_count - b->end;
    if (b->unsupported || (b->changes && head + rest > spirv_most_words(word_count)))
        return SPIRV_UNSUPPORTED;
    if (!b->changes)
        return SPIRV_UNCHANGED;
    output->words = allocator->reallocate(allocator->user, NULL, (head + rest) * sizeof(*b->words));
    if (!output->words)
        return SPIRV_OUT_OF_MEMORY;
    output->word_count = head + rest;
    write_head(b, output->words);
    memcpy(output->words + head, b->words + b->end, rest * sizeof(*b->words));
    return SPIRV_REWRITTEN;
}

enum spirv_result bindings_renumber(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                    const struct spirv_allocator *allocator, struct spirv_output *output)
{
    struct bindings b = {.words = words, .layout = layout};
    size_t sets, targets;
    count_pairs(&b, word_count, &sets, &targets);
    uint64_t *memory = allocator->reallocate(allocator->user, NULL, (sets + 2 * targets + 1) * sizeof(*memory));
    if (!memory)
        return SPIRV_OUT_OF_MEMORY;
    b.targets.list = memory;
    b.sets.list = memory + targets;
    fill_pairs(&b);
    const enum spirv_result result = write_module(&b, word_count, allocator, output);
    allocator->reallocate(allocator->user, memory, 0);
    return result;
}
