/*
 * What the scanner knows of every opcode, from the SPIR-V grammar at build time: least word count, result, type.
 * Read-only tables; any thread may use them.
 */
#ifndef CLAMPLER_SPIRV_OPCODES_H
#define CLAMPLER_SPIRV_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

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
 * Lookups: OpImageSample* (87..94), OpImageGather, OpImageDrefGather (96, 97) and their sparse twins in the same order
 * from 305 on. Number of the lookup in that order, or -1. OpImageFetch (8) is not one: it has no sampler.
 */
#define LOOKUP_FETCH 8u
#define LOOKUP_GATHER 9u
#define LOOKUP_DREF_GATHER 10u
#define LOOKUP_FIRST 87u
#define LOOKUP_SPARSE_FIRST 305u

static inline int opcode_lookup(uint32_t opcode)
{
    uint32_t number = opcode >= LOOKUP_SPARSE_FIRST ? opcode - LOOKUP_SPARSE_FIRST : opcode - LOOKUP_FIRST;
    return number <= LOOKUP_DREF_GATHER && number != LOOKUP_FETCH ? (int)number : -1;
}

/* Instructions that are sites (struct site) by themselves or by the type of their image. */
static inline bool opcode_may_be_site(uint32_t opcode)
{
    enum { OP_IMAGE_FETCH = 95, OP_IMAGE_READ = 98, OP_IMAGE_QUERY_SIZE = 104 };
    return opcode_lookup(opcode) >= 0 || opcode == OP_IMAGE_FETCH || opcode == OP_IMAGE_READ ||
           opcode == OP_IMAGE_QUERY_SIZE;
}

static inline bool opcode_is_terminator(uint32_t opcode)
{
    /* OpBranch .. OpUnreachable, OpTerminateInvocation, OpIgnoreIntersectionKHR, OpTerminateRayKHR, OpEmitMeshTasksEXT
     */
    return (opcode >= 249 && opcode <= 255) || opcode == 4416 || opcode == 4448 || opcode == 4449 || opcode == 5294;
}

#endif
