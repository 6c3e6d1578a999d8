/* SPDX-License-Identifier: MIT */
/*
 * Compares the instructions that two values come from, and their operands in turn. Traces use it to find that two
 * lookups read the same element of an array of descriptors.
 */
#include "spirv/module/equal.h"

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"

#define MOST_COMPARED 64u /* values, in all: with more, values count as unequal */
#define MOST_BETWEEN 64u  /* instructions between two loads */

/* May what memory holds be another value behind the instruction? */
static bool may_write(uint32_t opcode)
{
    bool chain = opcode_chain_base(opcode) != 0 || opcode == OP_BUFFER_POINTER;
    bool composite = opcode >= SpvOpVectorExtractDynamic && opcode <= SpvOpTranspose;
    bool image = opcode == SpvOpSampledImage || opcode == SpvOpImage;
    bool arithmetic = opcode >= SpvOpConvertFToU && opcode <= SpvOpBitCount;
    bool position = opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop;
    return !(chain || composite || image || arithmetic || position || opcode == SpvOpLoad);
}

/* Do two loads from one place in one block give the same, because nothing is written in between? */
static bool loads_equal(const struct module *m, uint32_t a, uint32_t b)
{
    uint32_t at = module_id(m, a)->definition < module_id(m, b)->definition ? module_id(m, a)->definition
                                                                            : module_id(m, b)->definition;
    uint32_t end = module_id(m, a)->definition + module_id(m, b)->definition - at;
    for (uint32_t i = 0; at < end && i < MOST_BETWEEN; i++) {
        if (may_write(inst_opcode(m->words + at)))
            return false;
        at += inst_length(m->words + at);
    }
    return at == end;
}

/* Is the value made of its operands alone, and are all of these ids? */
static bool is_pure(uint32_t opcode)
{
    return opcode_chain_base(opcode) != 0 || opcode == OP_BUFFER_POINTER || opcode == SpvOpCopyObject ||
           (opcode >= SpvOpConvertFToU && opcode <= SpvOpBitCount && opcode != SpvOpGenericCastToPtrExplicit);
}

/* `left`: how many values may still be compared. */
static bool equal(const struct module *m, uint32_t a, uint32_t b, uint32_t *left)
{
    const uint32_t *x = module_definition(m, a);
    const uint32_t *y = module_definition(m, b);
    uint32_t opcode = inst_opcode(x);
    uint32_t ids = inst_length(x); /* index of the first word that is a literal; all in front of it are ids */
    if (a == b)
        return true;
    if (*left == 0 || x[0] != y[0] || ids < 4 || x[1] != y[1])
        return false;
    --*left;
    if (opcode == SpvOpCompositeExtract)
        ids = 4;
    else if (opcode == SpvOpLoad ? ids != 4 || !loads_equal(m, a, b) : !is_pure(opcode))
        return false;
    bool same = true;
    for (uint32_t i = 3; same && i < inst_length(x); i++)
        same = i < ids ? equal(m, x[i], y[i], left) : x[i] == y[i];
    return same;
}

bool values_equal(const struct module *m, uint32_t a, uint32_t b)
{
    uint32_t left = MOST_COMPARED;
    return equal(m, a, b, &left);
}
