/* SPDX-License-Identifier: MIT */
/*
 * Instruction: the fields of SPIR-V instructions and of the module's header. Pure functions; includes nothing of the
 * rewriter, and any file may include it.
 */
#ifndef CLAMPLER_SPIRV_INST_H
#define CLAMPLER_SPIRV_INST_H

#include <stdint.h>

/* The words in front of a module's first instruction. */
enum { HEADER_MAGIC, HEADER_VERSION, HEADER_GENERATOR, HEADER_BOUND, HEADER_SCHEMA, HEADER_WORDS };

/* The first word of an instruction; a constant expression if its operands are. `length` counts all words, this too. */
#define INST_WORD0(opcode, length) ((uint32_t)(length) << 16 | (uint32_t)(opcode))

static inline uint32_t inst_word0(uint32_t opcode, uint32_t length)
{
    return INST_WORD0(opcode, length);
}

static inline uint32_t inst_opcode(const uint32_t *inst)
{
    return inst[0] & 0xffffu;
}

static inline uint32_t inst_length(const uint32_t *inst)
{
    return inst[0] >> 16;
}

/* Operands of OpTypeImage: their places in the instruction. */
enum {
    IMAGE_SAMPLED_TYPE = 2,
    IMAGE_DIM = 3,
    IMAGE_ARRAYED = 5,
    IMAGE_MULTISAMPLED = 6,
    IMAGE_SAMPLED = 7,
};

/* Values of the last. */
enum { IMAGE_IS_SAMPLED = 1, IMAGE_IS_STORAGE = 2 };

#endif
