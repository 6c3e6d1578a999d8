/* SPDX-License-Identifier: MIT */
/*
 * Types of the module that is being written: one hash table over its own declarations and the new ones, because SPIR-V
 * forbids two of the same.
 */
#include "spirv/write/types.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "hash.h"

/*
 * A table by content, so that a module of many types is no slower by the type. A slot is 0, or leads to a declaration:
 * its offset in the module, or behind all of these in `globals`.
 */
static const uint32_t *declaration(const struct rewriter *r, uint32_t slot)
{
    return slot < r->m->word_count ? r->m->words + slot : r->globals.data + (slot - r->m->word_count);
}

/* The slot of a declaration with these words, or the empty one where it belongs. The table has empty ones. */
static uint32_t *find_slot(struct rewriter *r, uint32_t first, const uint32_t *operands, uint32_t count)
{
    uint32_t mask = r->types->slots.count - 1;
    for (uint32_t i = (uint32_t)(hash_words(first, operands, count) >> 32) & mask;; i = (i + 1) & mask) {
        uint32_t *slot = r->types->slots.data + i;
        const uint32_t *inst = *slot != 0 ? declaration(r, *slot) : NULL;
        if (!inst || (inst[0] == first && memcmp(inst + 2, operands, count * sizeof(uint32_t)) == 0))
            return slot;
    }
}

static void enter(struct rewriter *r, uint32_t at)
{
    const uint32_t *inst = declaration(r, at);
    uint32_t *slot = find_slot(r, inst[0], inst + 2, inst_length(inst) - 2);
    if (*slot == 0) {
        *slot = at;
        r->types->count++;
    }
}

/* An empty table of a power of two of slots; false if there is no memory. */
static bool make_slots(struct rewriter *r, uint32_t count)
{
    r->types->slots = (struct words){0};
    if (!words_grow(r, &r->types->slots, count))
        return false;
    memset(r->types->slots.data, 0, count * sizeof(uint32_t));
    r->types->count = 0;
    return true;
}

/* Keeps half of the slots empty. */
static bool make_room(struct rewriter *r)
{
    struct words old = r->types->slots;
    if (r->out_of_memory)
        return false;
    if (old.count == 0) {
        uint32_t count = 256;
        while (count / 2 < r->m->type_count)
            count *= 2;
        bool made = make_slots(r, count);
        for (uint32_t i = 0; made && i < r->m->type_count; i++)
            enter(r, r->m->types[i]);
        return made;
    }
    if (r->types->count < old.count / 2)
        return true;
    bool made = make_slots(r, 2 * old.count);
    for (uint32_t i = 0; made && i < old.count; i++) {
        if (old.data[i] != 0)
            enter(r, old.data[i]);
    }
    words_drop(r, &old);
    return made;
}

uint32_t declare_type(struct rewriter *r, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    bool aggregate = opcode == SpvOpTypeStruct || opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray;
    uint32_t first = inst_word0(opcode, count + 2);
    bool unique = !aggregate && make_room(r);
    uint32_t known = unique ? *find_slot(r, first, operands, count) : 0;
    if (known != 0)
        return declaration(r, known)[1];
    uint32_t id = new_id(r);
    uint32_t *declared = words_grow(r, &r->globals, count + 2);
    if (declared) {
        declared[0] = first;
        declared[1] = id;
        memcpy(declared + 2, operands, count * sizeof(uint32_t));
    }
    if (declared && unique)
        enter(r, r->m->word_count + (uint32_t)(declared - r->globals.data));
    return id;
}

uint32_t type_sampler(struct rewriter *r)
{
    return declare_type(r, SpvOpTypeSampler, module_no_instruction, 0);
}

uint32_t type_bool(struct rewriter *r)
{
    if (r->types->boolean == 0)
        r->types->boolean = declare_type(r, SpvOpTypeBool, module_no_instruction, 0);
    return r->types->boolean;
}

uint32_t type_vector(struct rewriter *r, enum scalar scalar, uint32_t components)
{
    uint32_t *type = &r->types->vectors[scalar][components];
    if (*type != 0)
        return *type;
    if (components > 1)
        *type = TYPE(r, SpvOpTypeVector, type_vector(r, scalar, 1), components);
    else if (scalar == SCALAR_FLOAT)
        *type = TYPE(r, SpvOpTypeFloat, 32);
    else
        *type = TYPE(r, SpvOpTypeInt, 32, scalar == SCALAR_INT);
    return *type;
}

void types_drop(struct rewriter *r)
{
    words_drop(r, &r->types->slots);
}
