/* SPDX-License-Identifier: MIT */
/*
 * What the scanner knows of every opcode, from the SPIR-V grammar at build time: least word count, result, type.
 * Read-only tables; any thread may use them.
 */
#ifndef CLAMPLER_SPIRV_OPCODES_H
#define CLAMPLER_SPIRV_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>
#include "library_table.h"

#define OPCODE_LEAST_MASK 63u
#define OPCODE_HAS_TYPE 64u
#define OPCODE_HAS_RESULT 128u

extern const uint8_t opcode_shapes[OPCODE_SHAPE_COUNT];

/* 0 for an opcode that the grammar does not know: it is carried along as it is. */
static inline uint32_t opcode_shape(uint32_t opcode)
{
    return opcode < OPCODE_SHAPE_COUNT ? opcode_shapes[opcode] : 0;
}

/*
 * Lookups: OpImageSample* (eight of them), OpImageGather, OpImageDrefGather and their sparse twins in the same order
 * from another number on. Number of the lookup in that order, or -1. OpImageFetch, which stands between them, is none:
 * it has no sampler.
 */
#define LOOKUP_FETCH 8u
#define LOOKUP_GATHER 9u
#define LOOKUP_DREF_GATHER 10u
#define LOOKUP_FIRST ((uint32_t)SpvOpImageSampleImplicitLod)
#define LOOKUP_SPARSE_FIRST ((uint32_t)SpvOpImageSparseSampleImplicitLod)

/* Bits of the number of a lookup that is no gather: what its opcode's name says. */
#define LOOKUP_EXPLICIT 1u
#define LOOKUP_DREF 2u
#define LOOKUP_PROJECTIVE 4u

static inline int opcode_lookup(uint32_t opcode)
{
    uint32_t number = opcode >= LOOKUP_SPARSE_FIRST ? opcode - LOOKUP_SPARSE_FIRST : opcode - LOOKUP_FIRST;
    return number <= LOOKUP_DREF_GATHER && number != LOOKUP_FETCH ? (int)number : -1;
}

/* Instructions that are sites (struct site) by themselves or by the type of their image. */
static inline bool opcode_may_be_site(uint32_t opcode)
{
    return opcode_lookup(opcode) >= 0 || opcode == SpvOpImageFetch || opcode == SpvOpImageRead ||
           opcode == SpvOpImageQuerySize;
}

static inline bool opcode_is_terminator(uint32_t opcode)
{
    /* Not in the headers of every SPIR-V version that this builds with. */
    enum {
        OP_TERMINATE_INVOCATION = 4416,
        OP_IGNORE_INTERSECTION = 4448,
        OP_TERMINATE_RAY = 4449,
        OP_EMIT_MESH_TASKS = 5294,
    };
    return (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable) || opcode == OP_TERMINATE_INVOCATION ||
           opcode == OP_IGNORE_INTERSECTION || opcode == OP_TERMINATE_RAY || opcode == OP_EMIT_MESH_TASKS;
}

#endif
