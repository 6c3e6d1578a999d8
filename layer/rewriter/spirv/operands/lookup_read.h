/* SPDX-License-Identifier: MIT */
/* Lookup read: parses one sampling or gathering instruction. Reads the module, writes nothing. */
#ifndef CLAMPLER_SPIRV_LOOKUP_READ_H
#define CLAMPLER_SPIRV_LOOKUP_READ_H

#include <spirv/unified1/spirv.h>
#include "spirv/module/module.h"
#include "spirv/module/opcodes.h"

/* Image operands in the order of the mask's bits; Grad alone has two words. */
#define IMAGE_OPERAND_BITS (SpvImageOperandsOffsetsShift + 1u)

extern const uint8_t lookup_operand_words[IMAGE_OPERAND_BITS]; /* how many words follow for each bit of the mask */

struct image_operands {
    uint32_t mask;
    uint32_t value[IMAGE_OPERAND_BITS]; /* by bit */
    uint32_t grad_y;
};

struct lookup {
    const uint32_t *words;
    uint32_t first; /* LOOKUP_FIRST or LOOKUP_SPARSE_FIRST: where its kind of opcodes begins */
    bool implicit;
    bool dref;
    bool projective;
    bool gather;
    uint32_t result_type;
    uint32_t result;
    uint32_t sampled_image;
    uint32_t coordinate;
    uint32_t extra; /* Dref or gathered component; 0: none */
    struct image_operands operands;

    uint32_t image_type;
    uint32_t axes; /* that wrap: 1 to 3; cubes: 2, on a face */
    bool cube;     /* the coordinate is a direction */
    bool arrayed;  /* a layer follows the axes or the direction in the coordinate */
    enum scalar texels;
    uint32_t coordinate_size; /* components */
};

enum lookup_kind {
    LOOKUP_TAKEN,   /* *lookup is filled in */
    LOOKUP_UNMOVED, /* multisampled images and others without wrap modes: no message */
    LOOKUP_STRANGE, /* perhaps valid, but unknown to this rewriter */
};

/* Reads the operands whose mask is word `at`, of which there may be none. False: there are others. */
bool image_operands_read(const uint32_t *inst, uint32_t at, struct image_operands *operands);

enum lookup_kind lookup_read(const struct module *m, uint32_t offset, struct lookup *lookup);

/* Components of a scalar or vector of 32-bit floats (or ints); 0 for any other type. */
uint32_t lookup_components_of(const struct module *m, uint32_t type, uint32_t scalar_opcode);

/* Image operands of lookups whose texels are all read beside the coordinate: by one offset, or by one each. */
#define LOOKUP_OFFSET_MASK ((uint32_t)(SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask))
#define LOOKUP_FOUR_OFFSETS_MASK ((uint32_t)(SpvImageOperandsConstOffsetsMask | SpvImageOperandsOffsetsMask))

static inline bool lookup_has_offset(const struct lookup *l)
{
    return (l->operands.mask & LOOKUP_OFFSET_MASK) != 0;
}

static inline bool lookup_has_four_offsets(const struct lookup *l)
{
    return (l->operands.mask & LOOKUP_FOUR_OFFSETS_MASK) != 0;
}

/* Components of the coordinate without the layer. */
static inline uint32_t lookup_axes_components(const struct lookup *l)
{
    return l->cube ? 3 : l->axes;
}

/* An image operand by the number of its bit; 0 if the lookup does not have it. */
static inline uint32_t lookup_operand(const struct lookup *l, uint32_t bit)
{
    return l->operands.mask >> bit & 1u ? l->operands.value[bit] : 0;
}

#endif
