/* SPDX-License-Identifier: MIT */
/* Declares arrays in memory that addresses lead to, and loads from them. */
#include "spirv/write/memory.h"

#include <spirv/unified1/spirv.h>

/* Not in the headers of every SPIR-V version that this builds with under this name. */
#define STORAGE_CLASS_PHYSICAL 5349u /* PhysicalStorageBuffer */

/* struct { type elements[]; } in PhysicalStorageBuffer, and pointers to it and to one of its elements. */
static void memory_declare(struct rewriter *r, uint32_t type, uint32_t stride, struct memory_type *memory)
{
    if (memory->base != 0)
        return;
    uint32_t array = TYPE(r, SpvOpTypeRuntimeArray, type);
    uint32_t block = TYPE(r, SpvOpTypeStruct, array);
    struct words *to = &r->annotations;
    write_to(r, to, SpvOpDecorate, OPERANDS(array, SpvDecorationArrayStride, stride));
    write_to(r, to, SpvOpDecorate, OPERANDS(block, SpvDecorationBlock));
    write_to(r, to, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationOffset, 0));
    write_to(r, to, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationNonWritable));
    memory->element_type = type;
    memory->stride = stride;
    memory->element = TYPE(r, SpvOpTypePointer, STORAGE_CLASS_PHYSICAL, type);
    memory->base = TYPE(r, SpvOpTypePointer, STORAGE_CLASS_PHYSICAL, block);
}

static const struct memory_type *declared(struct rewriter *r, uint32_t components, struct memory_type *memory)
{
    memory_declare(r, type_vector(r, SCALAR_UINT, components), components * 4, memory);
    return memory;
}

const struct memory_type *memory_words(struct rewriter *r)
{
    return declared(r, 1, &r->memory->words);
}

const struct memory_type *memory_pairs(struct rewriter *r)
{
    return declared(r, 2, &r->memory->pairs);
}

const struct memory_type *memory_quads(struct rewriter *r)
{
    return declared(r, 4, &r->memory->quads);
}

uint32_t memory_at(struct rewriter *r, const struct memory_type *memory, uint32_t address)
{
    return VALUE(r, SpvOpBitcast, memory->base, address);
}

uint32_t memory_load(struct rewriter *r, const struct memory_type *memory, uint32_t base, uint32_t index)
{
    uint32_t zero = constant_uint(r, 0);
    uint32_t pointer = VALUE(r, SpvOpAccessChain, memory->element, base, zero, index);
    return VALUE(r, SpvOpLoad, memory->element_type, pointer, SpvMemoryAccessAlignedMask, memory->stride);
}
