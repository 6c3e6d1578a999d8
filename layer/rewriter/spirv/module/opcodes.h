/* SPDX-License-Identifier: MIT */
/*
 * Properties of every opcode, from instructions.txt: least word count, result, type, end of a block, images. Read-only
 * tables; any thread may use them.
 */
#ifndef CLAMPLER_SPIRV_OPCODES_H
#define CLAMPLER_SPIRV_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>
#include "library_table.h"

#define OPCODE_LEAST_MASK 31u
#define OPCODE_ENDS_BLOCK 32u
#define OPCODE_HAS_TYPE 64u
#define OPCODE_HAS_RESULT 128u
#define OPCODE_READS_IMAGES 256u /* its required ids may be images, samplers or sampled images */

extern const uint16_t opcode_shapes[OPCODE_SHAPE_COUNT];

/* SPV_ARM_graph, SPV_KHR_untyped_pointers, SPV_EXT_descriptor_heap and SPV_NV_cooperative_matrix2: not in the headers
 * of every version that this builds with. */
enum {
    OP_GRAPH_ENTRY_POINT = 4182,
    OP_GRAPH = 4183,
    OP_TYPE_UNTYPED_POINTER = 4417,
    OP_UNTYPED_VARIABLE = 4418,
    OP_UNTYPED_ACCESS_CHAIN = 4419,
    OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN = 4420,
    OP_UNTYPED_PTR_ACCESS_CHAIN = 4423,
    OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN = 4424,
    OP_TYPE_BUFFER = 5115,
    OP_BUFFER_POINTER = 5119,
    OP_MEMBER_DECORATE_ID = 5127,
    OP_CONSTANT_SIZE_OF = 5129,
    OP_TYPE_ACCELERATION_STRUCTURE = 5341,
    OP_COOPERATIVE_MATRIX_PER_ELEMENT_OP = 5369,
    DECORATION_ARRAY_STRIDE_ID = 5124,
    DECORATION_OFFSET_ID = 5125,
    BUILT_IN_SAMPLER_HEAP = 5122,
    BUILT_IN_RESOURCE_HEAP = 5123,
    CAPABILITY_DESCRIPTOR_HEAP = 5128,
};

/* 0 for an unknown opcode, which is not changed. */
static inline uint32_t opcode_shape(uint32_t opcode)
{
    return opcode < OPCODE_SHAPE_COUNT ? opcode_shapes[opcode] : 0;
}

/*
 * Lookups: OpImageSample* (eight of them), OpImageGather, OpImageDrefGather and their sparse forms in the same order
 * from another number on. Number of the lookup in that order, or -1. OpImageFetch, which stands between them, is none:
 * it has no sampler.
 */
#define LOOKUP_FETCH 8u
#define LOOKUP_GATHER 9u
#define LOOKUP_DREF_GATHER 10u
#define LOOKUP_FIRST ((uint32_t)SpvOpImageSampleImplicitLod)
#define LOOKUP_SPARSE_FIRST ((uint32_t)SpvOpImageSparseSampleImplicitLod)

/* Bits of the index of a lookup that is no gather, by its opcode's name. */
#define LOOKUP_EXPLICIT 1u
#define LOOKUP_DREF 2u
#define LOOKUP_PROJECTIVE 4u

static inline int opcode_lookup(uint32_t opcode)
{
    uint32_t number = opcode >= LOOKUP_SPARSE_FIRST ? opcode - LOOKUP_SPARSE_FIRST : opcode - LOOKUP_FIRST;
    return number <= LOOKUP_DREF_GATHER && number != LOOKUP_FETCH ? (int)number : -1;
}

/*
 * Instructions that read through samplers, and whose arithmetic is the driver's own: footprints, weights, boxes, block
 * matches, gathers of other modes. They follow no record. For all of them the first sampled image is word 3.
 */
enum {
    OP_IMAGE_SAMPLE_WEIGHTED = 4480,
    OP_IMAGE_BLOCK_MATCH_SAD = 4483,
    OP_IMAGE_BLOCK_MATCH_WINDOW_SSD = 4500,
    OP_IMAGE_BLOCK_MATCH_GATHER_SAD = 4503,
    OP_IMAGE_GATHER_QCOM = 4545,
    OP_IMAGE_SAMPLE_FOOTPRINT = 5283,
};
static inline bool opcode_is_drivers(uint32_t opcode)
{
    return (opcode >= OP_IMAGE_SAMPLE_WEIGHTED && opcode <= OP_IMAGE_BLOCK_MATCH_SAD) ||
           (opcode >= OP_IMAGE_BLOCK_MATCH_WINDOW_SSD && opcode <= OP_IMAGE_BLOCK_MATCH_GATHER_SAD) ||
           opcode == OP_IMAGE_GATHER_QCOM || opcode == OP_IMAGE_SAMPLE_FOOTPRINT;
}

/* Instructions that take derivatives, by their names or to find a level of detail: they read other pixels of the quad.
 */
static inline bool opcode_takes_derivatives(uint32_t opcode)
{
    int lookup = opcode_lookup(opcode);
    bool implicit = lookup >= 0 && lookup < (int)LOOKUP_FETCH && ((uint32_t)lookup & LOOKUP_EXPLICIT) == 0;
    return implicit || opcode == SpvOpImageQueryLod || opcode == OP_IMAGE_SAMPLE_FOOTPRINT ||
           (opcode >= SpvOpDPdx && opcode <= SpvOpFwidthCoarse);
}

/* An access chain whose pointer has no pointee: behind its result stands the type that its indices walk down. */
static inline bool opcode_is_untyped_chain(uint32_t opcode)
{
    return opcode >= OP_UNTYPED_ACCESS_CHAIN && opcode <= OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN &&
           (opcode <= OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN || opcode >= OP_UNTYPED_PTR_ACCESS_CHAIN);
}

/* Which word of an access chain is the pointer that it starts from; 0: it is no such instruction. */
static inline uint32_t opcode_chain_base(uint32_t opcode)
{
    if (opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain)
        return 3;
    return opcode_is_untyped_chain(opcode) ? 4 : 0;
}

/* Does it declare a type, that is, can its result be what other instructions have as their result type? */
static inline bool opcode_is_type(uint32_t opcode)
{
    bool other =
        opcode == SpvOpString || opcode == SpvOpExtInstImport || opcode == SpvOpDecorationGroup || opcode == SpvOpLabel;
    return (opcode_shape(opcode) & (OPCODE_HAS_TYPE | OPCODE_HAS_RESULT)) == OPCODE_HAS_RESULT && !other;
}

#endif
