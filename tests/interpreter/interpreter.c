/* SPDX-License-Identifier: MIT */
/* The module, its variables, and what two runs have left. The code itself runs in run.c. */
#include "interpreter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "run.h"
#include "spirv/module/opcodes.h"

enum { DEEPEST_TYPE = 24, RUNTIME_LENGTH = 16, MOST_IDS = 20000 };

void in_stuck(struct interpreter *in, const char *why)
{
    in->stuck = in->stuck ? in->stuck : why;
}

uint32_t in_hash(uint32_t a, uint32_t b)
{
    uint32_t hash = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA77u;
    hash ^= hash >> 15;
    hash *= 0x2C1B3C6Du;
    return hash ^ hash >> 13;
}

/* ---- Types and values ---- */

static uint32_t constant_of(const struct interpreter *in, uint32_t id)
{
    const uint32_t *inst = in_definition(in, id);
    const uint32_t opcode = inst[0] & 0xffffu;
    return opcode == SpvOpConstant || opcode == SpvOpSpecConstant ? inst[3] : 0;
}

static uint64_t measure(struct interpreter *in, uint32_t type, uint32_t depth)
{
    const uint32_t *inst = in_definition(in, type), length = inst[0] >> 16;
    uint64_t sum = 0;
    if (depth > DEEPEST_TYPE)
        return INTERPRETER_MOST_WORDS;
    switch (inst[0] & 0xffffu) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return inst[2] == 32 ? 1 : INTERPRETER_MOST_WORDS;
    case SpvOpTypeBool:
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
        return 1;
    case SpvOpTypeSampledImage:
    case SpvOpTypePointer:
        return 2;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return measure(in, inst[2], depth + 1) * (inst[3] < 5 ? inst[3] : INTERPRETER_MOST_WORDS);
    case SpvOpTypeArray:
        sum = constant_of(in, inst[3]);
        sum = sum < INTERPRETER_MOST_WORDS ? sum : INTERPRETER_MOST_WORDS;
        return in_type_size(in, inst[2]) * sum;
    case SpvOpTypeRuntimeArray:
        return (uint64_t)in_type_size(in, inst[2]) * RUNTIME_LENGTH;
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < length && sum < INTERPRETER_MOST_WORDS; i++)
            sum += measure(in, inst[i], depth + 1);
        return sum;
    case SpvOpTypeVoid:
    case SpvOpTypeFunction:
        return 0;
    default:
        return INTERPRETER_MOST_WORDS;
    }
}

uint32_t in_type_size(struct interpreter *in, uint32_t type)
{
    const uint64_t size = measure(in, type, 0);
    return size < INTERPRETER_MOST_WORDS ? (uint32_t)size : INTERPRETER_MOST_WORDS;
}

uint32_t in_type(const struct interpreter *in, uint32_t id)
{
    const uint32_t *inst = in_definition(in, id);
    return opcode_shape(inst[0] & 0xffffu) & OPCODE_HAS_TYPE ? inst[1] : 0;
}

static uint32_t *allocate(struct interpreter *in, uint32_t count)
{
    if (count > INTERPRETER_MOST_WORDS - in->used) {
        in_stuck(in, "more words than there are");
        return NULL;
    }
    in->used += count;
    return in->memory + in->used - count;
}

uint32_t *in_place(struct interpreter *in, uint32_t id)
{
    if (id >= in->bound) {
        in_stuck(in, "an id beyond the bound");
        return NULL;
    }
    if (!in->value[id]) {
        const uint32_t size = in_type_size(in, in_type(in, id));
        in->value[id] = allocate(in, size ? size : 1);
        in->size[id] = size;
    }
    return in->value[id];
}

const uint32_t *in_value(struct interpreter *in, uint32_t id)
{
    static const uint32_t zeros[64];
    if (id < in->bound && in->value[id])
        return in->value[id];
    in_stuck(in, "a value that is not there");
    return zeros;
}

uint32_t in_size(struct interpreter *in, uint32_t id)
{
    return id < in->bound && in->value[id] ? in->size[id] : 0;
}

/* ---- Variables ---- */

struct filling {
    uint32_t seed, element, word;
    bool zero;
};

/* By type, so that numbers are of a size that code expects. */
static void fill(struct interpreter *in, uint32_t type, uint32_t *to, struct filling *f)
{
    const uint32_t *inst = in_definition(in, type), length = inst[0] >> 16, opcode = inst[0] & 0xffffu;
    const uint32_t hash = in_hash(f->seed, f->word);
    switch (opcode) {
    case SpvOpTypeInt:
    case SpvOpTypeBool:
        *to = f->zero ? 0 : hash % (opcode == SpvOpTypeBool ? 2 : 5);
        f->word++;
        return;
    case SpvOpTypeFloat:
        *to = f->zero ? 0 : in_bits((float)(hash % 2000) / 500.0f - 2.0f);
        f->word++;
        return;
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
        to[0] = in_hash(in_hash(f->seed, f->element), opcode == SpvOpTypeSampler);
        if (opcode == SpvOpTypeSampledImage)
            to[1] = in_hash(in_hash(f->seed, f->element), true);
        f->element++;
        return;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: {
        const uint32_t each = in_type_size(in, inst[2]), all = in_type_size(in, type);
        for (uint32_t i = 0; each && i + each <= all; i += each)
            fill(in, inst[2], to + i, f);
        return;
    }
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < length; i++) {
            fill(in, inst[i], to, f);
            to += in_type_size(in, inst[i]);
        }
        return;
    default:
        return;
    }
}

uint32_t *in_storage(const struct interpreter *in, uint32_t variable, uint32_t *size)
{
    const uint32_t *inst = in_definition(in, variable);
    if ((inst[0] & 0xffffu) != SpvOpVariable || !in->value[variable])
        return NULL;
    *size = in->size[variable] - POINTER_WORDS;
    return in->value[variable] + POINTER_WORDS;
}

void in_open_variable(struct interpreter *in, const uint32_t *inst)
{
    const uint32_t id = inst[2], type = in_definition(in, inst[1])[3];
    const uint32_t size = in_type_size(in, type);
    if (!in->value[id]) {
        in->value[id] = allocate(in, POINTER_WORDS + size);
        in->size[id] = POINTER_WORDS + size;
    }
    uint32_t *to = in->value[id];
    if (!to)
        return;
    to[0] = id;
    to[1] = 0;
    to += POINTER_WORDS;
    memset(to, 0, size * sizeof(*to));
    if (inst[0] >> 16 > 4 && in_size(in, inst[4]) >= size)
        memcpy(to, in_value(in, inst[4]), size * sizeof(*to));
    const bool resource = inst[3] == SpvStorageClassUniform || inst[3] == SpvStorageClassStorageBuffer ||
                          inst[3] == SpvStorageClassUniformConstant;
    struct filling f = {.seed = in_hash(in->set[id], in->binding[id])};
    if (inst[3] == SpvStorageClassInput)
        f.seed = in_hash(in->location[id], 1000 + in->built_in[id]);
    else if (inst[3] == SpvStorageClassPushConstant)
        f.seed = 4711;
    else if (!resource)
        return;
    f.zero = resource && in->zero && in->set[id] && in->binding[id] &&
             in->zero(in->user, in->set[id] - 1, in->binding[id] - 1);
    fill(in, type, to, &f);
}

/* ---- The module ---- */

static void decorate(struct interpreter *in, const uint32_t *inst)
{
    const uint32_t id = inst[1];
    if (inst[0] >> 16 < 4 || id >= in->bound)
        return;
    if (inst[2] == SpvDecorationDescriptorSet)
        in->set[id] = inst[3] + 1;
    else if (inst[2] == SpvDecorationBinding)
        in->binding[id] = inst[3] + 1;
    else if (inst[2] == SpvDecorationLocation)
        in->location[id] = inst[3] + 1;
    else if (inst[2] == SpvDecorationBuiltIn)
        in->built_in[id] = inst[3] + 1;
}

/* Groups stand behind their decorations. */
static void decorate_group(struct interpreter *in, const uint32_t *inst)
{
    uint32_t *const arrays[] = {in->set, in->binding, in->location, in->built_in};
    for (uint32_t i = 2; i < inst[0] >> 16 && inst[1] < in->bound; i++) {
        for (uint32_t j = 0; j < sizeof(arrays) / sizeof(*arrays) && inst[i] < in->bound; j++)
            arrays[j][inst[i]] = arrays[j][inst[1]] ? arrays[j][inst[1]] : arrays[j][inst[i]];
    }
}

static void open_constant(struct interpreter *in, const uint32_t *inst)
{
    uint32_t *to = in_place(in, inst[2]);
    const uint32_t size = in_size(in, inst[2]), length = inst[0] >> 16;
    if (!to)
        return;
    memset(to, 0, size * sizeof(*to));
    switch (inst[0] & 0xffffu) {
    case SpvOpConstant:
    case SpvOpSpecConstant:
        to[0] = inst[3];
        return;
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue:
        to[0] = 1;
        return;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
        for (uint32_t i = 3, at = 0; i < length && at + in_size(in, inst[i]) <= size; at += in_size(in, inst[i++]))
            memcpy(to + at, in_value(in, inst[i]), in_size(in, inst[i]) * sizeof(*to));
        return;
    case SpvOpSpecConstantOp:
    case SpvOpConstantSampler:
        in_stuck(in, "a constant that is made of others");
        return;
    default:
        return;
    }
}

static uint32_t read_module(struct interpreter *in)
{
    uint32_t entry = 0;
    bool functions = false;
    for (size_t at = 5; at < in->word_count; at += in->words[at] >> 16) {
        const uint32_t *inst = in->words + at, opcode = inst[0] & 0xffffu, shape = opcode_shape(opcode);
        const uint32_t id = shape & OPCODE_HAS_RESULT ? inst[shape & OPCODE_HAS_TYPE ? 2 : 1] : 0;
        if (id != 0 && id < in->bound)
            in->definition[id] = (uint32_t)at;
    }
    for (size_t at = 5; at < in->word_count && !in->stuck; at += in->words[at] >> 16) {
        const uint32_t *inst = in->words + at, opcode = inst[0] & 0xffffu;
        functions |= opcode == SpvOpFunction;
        if (opcode == SpvOpEntryPoint && entry == 0)
            entry = inst[2];
        else if (opcode == SpvOpExtInstImport && inst[0] >> 16 > 5 && memcmp(inst + 2, "GLSL.std.450", 13) == 0)
            in->glsl = inst[1];
        else if (opcode == SpvOpDecorate)
            decorate(in, inst);
        else if (opcode == SpvOpGroupDecorate)
            decorate_group(in, inst);
        else if (!functions && opcode == SpvOpVariable)
            in_open_variable(in, inst);
        else if (!functions && opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp)
            open_constant(in, inst);
        else if (!functions && opcode == SpvOpUndef)
            in_place(in, inst[2]);
    }
    return entry;
}

void interpreter_run(struct interpreter *in, const uint32_t *words, size_t word_count, interpreter_zero zero,
                     const void *user)
{
    memset(in, 0, sizeof(*in));
    in->words = words;
    in->word_count = word_count;
    in->bound = word_count > 5 ? words[3] : 0;
    in->zero = zero;
    in->user = user;
    if (in->bound > MOST_IDS) {
        in->bound = 0;
        in_stuck(in, "more ids than are looked at");
        return;
    }
    uint32_t **const arrays[] = {&in->definition, &in->size, &in->set, &in->binding, &in->location, &in->built_in};
    bool all = true;
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
        all = (*arrays[i] = calloc(in->bound + 1, sizeof(uint32_t))) && all;
    in->value = calloc(in->bound + 1, sizeof(*in->value));
    in->memory = calloc(INTERPRETER_MOST_WORDS, sizeof(*in->memory));
    if (!all || !in->value || !in->memory) {
        in_stuck(in, "no memory");
        return;
    }
    const uint32_t entry = read_module(in);
    if (!in->stuck)
        in_call(in, entry, NULL, 0);
}

void interpreter_free(struct interpreter *in)
{
    void *const all[] = {in->definition, in->size,     in->set,   in->binding,
                         in->location,   in->built_in, in->value, in->memory};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        free(all[i]);
    memset(in, 0, sizeof(*in));
}

/* ---- Comparison ---- */

static bool same_float(float a, float b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a <= b ? a >= b || b - a <= 1e-3f * (1 + fabsf(b)) : a - b <= 1e-3f * (1 + fabsf(a));
}

/* The first word that differs; UINT32_MAX: none does. */
static uint32_t find_difference(struct interpreter *in, uint32_t type, const uint32_t *a, const uint32_t *b)
{
    const uint32_t *inst = in_definition(in, type), length = inst[0] >> 16, opcode = inst[0] & 0xffffu;
    uint32_t found = UINT32_MAX, at = 0;
    if (opcode == SpvOpTypeFloat)
        return *a == *b || same_float(in_float(*a), in_float(*b)) ? UINT32_MAX : 0;
    if (opcode == SpvOpTypeStruct) {
        for (uint32_t i = 2; i < length && found == UINT32_MAX; at += in_type_size(in, inst[i++]))
            found = find_difference(in, inst[i], a + at, b + at);
    } else if (opcode >= SpvOpTypeVector && opcode <= SpvOpTypeMatrix) {
        const uint32_t each = in_type_size(in, inst[2]);
        for (uint32_t i = 0; i < inst[3] && found == UINT32_MAX; i++, at += each)
            found = find_difference(in, inst[2], a + at, b + at);
    } else if (opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray) {
        const uint32_t each = in_type_size(in, inst[2]), all = in_type_size(in, type);
        for (; each && at + each <= all && found == UINT32_MAX; at += each)
            found = find_difference(in, inst[2], a + at, b + at);
        at -= found != UINT32_MAX ? each : 0;
        return found != UINT32_MAX ? at + found : found;
    } else {
        return *a == *b ? UINT32_MAX : 0;
    }
    return found;
}

bool interpreter_same(const struct interpreter *a, const struct interpreter *b, char *difference, size_t size)
{
    if (a->killed != b->killed || a->writes != b->writes) {
        snprintf(difference, size, a->killed != b->killed ? "one is killed" : "other images are written");
        return false;
    }
    for (uint32_t id = 1; id < a->bound; id++) {
        const uint32_t *inst = in_definition(a, id);
        uint32_t first, second;
        const uint32_t *one = in_storage(a, id, &first), *other = id < b->bound ? in_storage(b, id, &second) : NULL;
        const bool seen = one && (inst[3] == SpvStorageClassStorageBuffer || inst[3] == SpvStorageClassUniform ||
                                  (inst[3] == SpvStorageClassOutput && !a->killed));
        if (!seen)
            continue;
        if (!other || first != second) {
            snprintf(difference, size, "variable %u is another one", (unsigned)id);
            return false;
        }
        const uint32_t type = in_definition(a, inst[1])[3];
        const uint32_t at = find_difference((struct interpreter *)(uintptr_t)a, type, one, other);
        if (at != UINT32_MAX) {
            snprintf(difference, size, "word %u of variable %u: %g (%x), now %g (%x)", (unsigned)at, (unsigned)id,
                     (double)in_float(one[at]), (unsigned)one[at], (double)in_float(other[at]), (unsigned)other[at]);
            return false;
        }
    }
    return true;
}
