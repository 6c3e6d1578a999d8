/* SPDX-License-Identifier: MIT */
/*
 * Sites (instrumentation points): instructions that read through a descriptor with a record. Which instruction is of
 * which kind stands here; the code for each kind is that of its pass (passes.h).
 */
#ifndef CLAMPLER_SPIRV_SITE_H
#define CLAMPLER_SPIRV_SITE_H

#include "spirv/module/module.h"
#include "spirv/module/opcodes.h"

enum site_kind {
    SITE_LOOKUP,      /* samples or gathers through a sampler */
    SITE_LOD_QUERY,   /* OpImageQueryLod: levels that a lookup would sample */
    SITE_TEXEL_FETCH, /* OpImageFetch and OpImageSparseFetch of a uniform texel buffer */
    SITE_TEXEL_COUNT, /* OpImageQuerySize of a uniform texel buffer */
    SITE_IMAGE_FETCH, /* OpImageFetch and OpImageSparseFetch of any other image */
    SITE_LEVEL_SIZE,  /* OpImageQuerySizeLod */
    SITE_INPUT_READ,  /* OpImageRead of an input attachment */
    SITE_DRIVERS,     /* reads through a sampler as only the driver can */
    SITE_KINDS,
};

struct site {
    uint32_t offset; /* of the instruction */
    uint32_t label;  /* of its block */
    enum site_kind kind;
};

/* Instructions that are sites by themselves or by the type of their image. */
static inline bool opcode_may_be_site(uint32_t opcode)
{
    return opcode_lookup(opcode) >= 0 || opcode == SpvOpImageFetch || opcode == SpvOpImageSparseFetch ||
           opcode == SpvOpImageRead || opcode == SpvOpImageQuerySize || opcode == SpvOpImageQuerySizeLod ||
           opcode == SpvOpImageQueryLod || opcode_is_drivers(opcode);
}

/* Is the instruction a site, and of which kind? Its operands' types must have been indexed. */
static inline bool site_is(const struct module *m, const uint32_t *inst, enum site_kind *kind)
{
    uint32_t opcode = inst_opcode(inst);
    if (!opcode_may_be_site(opcode))
        return false;
    *kind = opcode_is_drivers(opcode) ? SITE_DRIVERS : opcode == SpvOpImageQueryLod ? SITE_LOD_QUERY : SITE_LOOKUP;
    if (opcode_lookup(opcode) >= 0 || *kind != SITE_LOOKUP)
        return true;
    const uint32_t *image = module_definition(m, module_type_of(m, inst[3]));
    if (inst_opcode(image) != SpvOpTypeImage)
        return false;
    const bool buffer = image[IMAGE_DIM] == SpvDimBuffer, sampled = image[IMAGE_SAMPLED] == IMAGE_IS_SAMPLED;
    switch (opcode) {
    case SpvOpImageQuerySize:
        *kind = SITE_TEXEL_COUNT;
        return buffer && sampled;
    case SpvOpImageQuerySizeLod:
        *kind = SITE_LEVEL_SIZE;
        return sampled;
    case SpvOpImageRead:
        *kind = SITE_INPUT_READ;
        return image[IMAGE_DIM] == SpvDimSubpassData;
    default:
        *kind = buffer ? SITE_TEXEL_FETCH : SITE_IMAGE_FETCH;
        return sampled;
    }
}

#endif
