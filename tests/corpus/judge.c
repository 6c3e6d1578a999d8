/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

static const spv_target_env environments[JUDGE_ENVIRONMENTS] = {
    SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1,           SPV_ENV_VULKAN_1_2,
    SPV_ENV_VULKAN_1_3, SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_UNIVERSAL_1_6,
};

bool judge_create(struct judge *judge)
{
    bool good = true;

    for (unsigned i = 0; i < JUDGE_ENVIRONMENTS; i++) {
        judge->contexts[i] = spvContextCreate(environments[i]);
        good = good && judge->contexts[i];
    }
    return good;
}

void judge_free(struct judge *judge)
{
    for (unsigned i = 0; i < JUDGE_ENVIRONMENTS; i++)
        spvContextDestroy(judge->contexts[i]);
    memset(judge, 0, sizeof(*judge));
}

/* What the validator does not say. */
static bool arguments_are_whole(const uint32_t *words, size_t word_count, char *reason, size_t reason_size)
{
    const uint32_t relaxed = arguments_find_relaxed(words, word_count);
    if (relaxed != 0)
        snprintf(reason, reason_size, "%%%u, an argument of the layer's, is of relaxed precision", relaxed);
    return relaxed == 0;
}

static unsigned environment_of(uint32_t version)
{
    switch (version >> 8) {
    case 0x0106:
        return JUDGE_NEWEST;
    case 0x0105:
        return 2;
    case 0x0104:
        return 4;
    case 0x0103:
    case 0x0102:
    case 0x0101:
        return 1;
    default:
        return 0;
    }
}

bool judge_is_valid(const struct judge *judge, unsigned vulkan, const uint32_t *words, size_t word_count, char *reason,
                    size_t reason_size)
{
    unsigned environment = vulkan >= 10 && vulkan <= 13 ? vulkan - 10 : word_count > 1 ? environment_of(words[1]) : 0;
    struct spv_const_binary_t binary = {words, word_count};
    spv_diagnostic diagnostic = NULL;
    spv_result_t result = spvValidate(judge->contexts[environment], &binary, &diagnostic);

    if (result != SPV_SUCCESS)
        snprintf(reason, reason_size, "%s", diagnostic && diagnostic->error ? diagnostic->error : "no reason given");
    else if (reason_size > 0)
        reason[0] = '\0';
    spvDiagnosticDestroy(diagnostic);
    return result == SPV_SUCCESS && arguments_are_whole(words, word_count, reason, reason_size);
}

bool judge_is_valid_in(const struct judge *judge, const struct judge_terms *terms, const uint32_t *words,
                       size_t word_count, char *reason, size_t reason_size)
{
    struct spv_const_binary_t binary = {words, word_count};
    spv_diagnostic diagnostic = NULL;
    spv_validator_options options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetScalarBlockLayout(options, terms->scalar);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, terms->scalar);
    spvValidatorOptionsSetAllowLocalSizeId(options, terms->scalar);
    const spv_result_t result =
        spvValidateWithOptions(judge->contexts[terms->environment], options, &binary, &diagnostic);
    snprintf(reason, reason_size, "%s",
             result == SPV_SUCCESS             ? ""
             : diagnostic && diagnostic->error ? diagnostic->error
                                               : "no reason given");
    spvDiagnosticDestroy(diagnostic);
    spvValidatorOptionsDestroy(options);
    return result == SPV_SUCCESS && arguments_are_whole(words, word_count, reason, reason_size);
}

bool judge_find_terms(const struct judge *judge, const uint32_t *words, size_t word_count, struct judge_terms *terms,
                      char *reason, size_t reason_size)
{
    static const unsigned oldest_first[] = {0, 1, 4, 2, JUDGE_NEWEST};
    const unsigned first = word_count > 1 ? environment_of(words[1]) : 0;
    for (unsigned scalar = 0; scalar < 2; scalar++) {
        bool reached = false;
        for (unsigned i = 0; i < sizeof(oldest_first) / sizeof(oldest_first[0]); i++) {
            reached |= oldest_first[i] == first;
            *terms = (struct judge_terms){.environment = oldest_first[i], .scalar = scalar};
            if (reached && judge_is_valid_in(judge, terms, words, word_count, reason, reason_size))
                return true;
        }
    }
    char why[1024];
    terms->environment = JUDGE_UNIVERSAL;
    terms->universal = judge_is_valid_in(judge, terms, words, word_count, why, sizeof(why));
    return terms->universal;
}

struct reader {
    struct judge_lookups *lookups;
    uint32_t bound;
    uint32_t *type; /* of each id: the id of its type; of OpTypeSampledImage: the image type's id */
    uint32_t *dim;  /* of each image type: SpvDim + 1; 0: a storage image */
    uint8_t *marks; /* of each id */
};

enum {
    MARK_FLOAT = 1, /* a float type of 32 bits, or an image type of such texels */
    MARK_PAIR = 2,  /* OpSampledImage made it */
    MARK_WHOLE = 4, /* the image of a combined image sampler */
    MARK_MULTI = 8, /* a type of multisampled images */
};

static spv_result_t take_header(void *user, spv_endianness_t endian, uint32_t magic, uint32_t version,
                                uint32_t generator, uint32_t id_bound, uint32_t reserved)
{
    struct reader *reader = user;

    (void)endian, (void)magic, (void)version, (void)generator, (void)reserved;
    reader->bound = id_bound;
    reader->type = calloc(id_bound, sizeof(*reader->type));
    reader->dim = calloc(id_bound, sizeof(*reader->dim));
    reader->marks = calloc(id_bound, sizeof(*reader->marks));
    return reader->type && reader->dim && reader->marks ? SPV_SUCCESS : SPV_ERROR_OUT_OF_MEMORY;
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

static bool gathers(uint16_t opcode)
{
    return opcode == SpvOpImageGather || opcode == SpvOpImageDrefGather || opcode == SpvOpImageSparseGather ||
           opcode == SpvOpImageSparseDrefGather;
}

static bool compares(uint16_t opcode)
{
    return opcode == SpvOpImageSampleDrefImplicitLod || opcode == SpvOpImageSampleDrefExplicitLod ||
           opcode == SpvOpImageDrefGather || opcode == SpvOpImageSparseSampleDrefImplicitLod ||
           opcode == SpvOpImageSparseSampleDrefExplicitLod || opcode == SpvOpImageSparseDrefGather;
}

/* A bias or a least level of detail among the image operands. */
static bool changes_level(const spv_parsed_instruction_t *instruction)
{
    for (uint16_t i = 0; i < instruction->num_operands; i++)
        if (instruction->operands[i].type == SPV_OPERAND_TYPE_OPTIONAL_IMAGE ||
            instruction->operands[i].type == SPV_OPERAND_TYPE_IMAGE)
            return instruction->words[instruction->operands[i].offset] &
                   (SpvImageOperandsMinLodMask | SpvImageOperandsBiasMask);
    return false;
}

/* What the ids are that fetches are made of. */
static void take_marks(struct reader *reader, const spv_parsed_instruction_t *instruction)
{
    const uint32_t *words = instruction->words;
    uint8_t *marks = &reader->marks[instruction->result_id];

    switch (instruction->opcode) {
    case SpvOpTypeFloat:
        *marks = words[2] == 32 ? MARK_FLOAT : 0;
        break;
    case SpvOpTypeImage:
        *marks = words[2] < reader->bound ? reader->marks[words[2]] & MARK_FLOAT : 0;
        *marks |= words[6] == 1 ? MARK_MULTI : 0;
        break;
    case SpvOpSampledImage:
        *marks = MARK_PAIR;
        break;
    case SpvOpImage:
        *marks = words[3] < reader->bound && !(reader->marks[words[3]] & MARK_PAIR) ? MARK_WHOLE : 0;
        break;
    case SpvOpCopyObject:
        *marks = words[3] < reader->bound ? reader->marks[words[3]] : 0;
        break;
    default:
        break;
    }
}

/* A fetch, or a question for the size of a level. */
static void take_texels(struct reader *reader, uint16_t opcode, uint32_t image)
{
    const uint32_t type = image < reader->bound ? reader->type[image] : reader->bound;
    if (type >= reader->bound || reader->dim[type] == 0 || reader->dim[type] == SpvDimBuffer + 1)
        return;
    const bool fetch = opcode != SpvOpImageQuerySizeLod;
    const bool decodes = fetch && (reader->marks[type] & MARK_FLOAT) && (reader->marks[image] & MARK_WHOLE);
    reader->lookups->fetches += decodes;
    reader->lookups->multisampled += decodes && (reader->marks[type] & MARK_MULTI);
    reader->lookups->bordered += !(reader->marks[type] & MARK_MULTI);
}

static spv_result_t take_instruction(void *user, const spv_parsed_instruction_t *instruction)
{
    struct reader *reader = user;
    const uint32_t *words = instruction->words;

    if (instruction->result_id >= reader->bound)
        return SPV_ERROR_INVALID_BINARY;
    if (instruction->opcode == SpvOpTypeImage)
        reader->dim[instruction->result_id] = words[7] != 2 ? words[3] + 1 : 0;
    else if (instruction->opcode == SpvOpTypeSampledImage)
        reader->type[instruction->result_id] = words[2];
    else if (instruction->result_id && instruction->type_id)
        reader->type[instruction->result_id] = instruction->type_id;

    take_marks(reader, instruction);
    if (instruction->opcode == SpvOpImageFetch || instruction->opcode == SpvOpImageSparseFetch ||
        instruction->opcode == SpvOpImageQuerySizeLod)
        take_texels(reader, instruction->opcode, words[3]);
    if ((instruction->opcode == SpvOpImageFetch || instruction->opcode == SpvOpImageQuerySize) &&
        words[3] < reader->bound) {
        uint32_t image = reader->type[words[3]];
        reader->lookups->buffers += image < reader->bound && reader->dim[image] == SpvDimBuffer + 1;
    }
    reader->lookups->queries += instruction->opcode == SpvOpImageQueryLod;
    if (!uses_sampler(instruction->opcode) || words[3] >= reader->bound)
        return SPV_SUCCESS;
    uint32_t sampled_image_type = reader->type[words[3]];
    uint32_t image_type = sampled_image_type < reader->bound ? reader->type[sampled_image_type] : 0;
    switch (image_type < reader->bound ? reader->dim[image_type] : 0) {
    case SpvDim1D + 1:
    case SpvDim2D + 1:
    case SpvDim3D + 1:
        reader->lookups->wrapped++;
        break;
    case SpvDimCube + 1:
        reader->lookups->cubes++;
        reader->lookups->biased_cubes += !gathers(instruction->opcode);
        reader->lookups->compared_cubes += compares(instruction->opcode);
        reader->lookups->bounded_cubes +=
            !compares(instruction->opcode) && !gathers(instruction->opcode) && changes_level(instruction);
        reader->lookups->compared_gathers += gathers(instruction->opcode) && compares(instruction->opcode);
        break;
    default:
        break;
    }
    return SPV_SUCCESS;
}

bool judge_count(const struct judge *judge, const uint32_t *words, size_t word_count, struct judge_lookups *lookups)
{
    struct reader reader = {.lookups = lookups};

    *lookups = (struct judge_lookups){0};
    spv_result_t result =
        spvBinaryParse(judge->contexts[JUDGE_NEWEST], &reader, words, word_count, take_header, take_instruction, NULL);
    free(reader.type);
    free(reader.dim);
    free(reader.marks);
    return result == SPV_SUCCESS;
}
