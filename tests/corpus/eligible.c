#include "eligible.h"

#include <stdlib.h>

#include <spirv/unified1/spirv.h>

struct reader {
    struct eligible *eligible;
    uint32_t bound;
    uint32_t *type;  /* of each id: the id of its type; of OpTypeSampledImage: the image type's id */
    uint32_t *dim;   /* of each image type: SpvDim + 1 */
};

static spv_result_t take_header(void *user, spv_endianness_t endian, uint32_t magic, uint32_t version,
                                uint32_t generator, uint32_t id_bound, uint32_t reserved)
{
    struct reader *reader = user;

    (void)endian, (void)magic, (void)version, (void)generator, (void)reserved;
    reader->bound = id_bound;
    reader->type = calloc(id_bound, sizeof(*reader->type));
    reader->dim = calloc(id_bound, sizeof(*reader->dim));
    return reader->type && reader->dim ? SPV_SUCCESS : SPV_ERROR_OUT_OF_MEMORY;
}

static bool uses_sampler(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageGather:
    case SpvOpImageDrefGather:
    case SpvOpImageSparseSampleImplicitLod:
    case SpvOpImageSparseSampleExplicitLod:
    case SpvOpImageSparseSampleDrefImplicitLod:
    case SpvOpImageSparseSampleDrefExplicitLod:
    case SpvOpImageSparseSampleProjImplicitLod:
    case SpvOpImageSparseSampleProjExplicitLod:
    case SpvOpImageSparseSampleProjDrefImplicitLod:
    case SpvOpImageSparseSampleProjDrefExplicitLod:
    case SpvOpImageSparseGather:
    case SpvOpImageSparseDrefGather:
        return true;
    default:
        return false;
    }
}

static spv_result_t take_instruction(void *user, const spv_parsed_instruction_t *instruction)
{
    struct reader *reader = user;
    const uint32_t *words = instruction->words;

    if (instruction->result_id >= reader->bound)
        return SPV_ERROR_INVALID_BINARY;
    if (instruction->opcode == SpvOpTypeImage)
        reader->dim[instruction->result_id] = words[3] + 1;
    else if (instruction->opcode == SpvOpTypeSampledImage)
        reader->type[instruction->result_id] = words[2];
    else if (instruction->result_id && instruction->type_id)
        reader->type[instruction->result_id] = instruction->type_id;

    if (!uses_sampler(instruction->opcode) || words[3] >= reader->bound)
        return SPV_SUCCESS;
    uint32_t sampled_image_type = reader->type[words[3]];
    uint32_t image_type = sampled_image_type < reader->bound ? reader->type[sampled_image_type] : 0;
    switch (image_type < reader->bound ? reader->dim[image_type] : 0) {
    case SpvDim1D + 1:
    case SpvDim2D + 1:
    case SpvDim3D + 1:
    case SpvDimRect + 1:
        reader->eligible->lookups++;
        break;
    case SpvDimCube + 1:
        reader->eligible->cubes++;
        break;
    default:
        break;
    }
    return SPV_SUCCESS;
}

bool eligible_count(spv_const_context context, const uint32_t *words, size_t word_count, struct eligible *eligible)
{
    struct reader reader = {.eligible = eligible};

    *eligible = (struct eligible){0};
    spv_result_t result = spvBinaryParse(context, &reader, words, word_count, take_header, take_instruction, NULL);
    free(reader.type);
    free(reader.dim);
    return result == SPV_SUCCESS;
}
