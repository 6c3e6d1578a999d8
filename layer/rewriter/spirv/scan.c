/* SPDX-License-Identifier: MIT */
/*
 * Facts about a module in one pass without allocation: which kinds of lookups and operands it has. Pipelines decide by
 * them which needs their shaders can act on.
 */
#include "spirv/spirv.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/inst.h"
#include "spirv/module/opcodes.h"
#include "spirv/module/site.h"

#define LENGTHS_VERIFIED 16u /* how many suspicious array lengths are looked up exactly */

/* A set of ids in 512 bytes of stack: an id that was put in is always found, others seldom. */
struct id_filter {
    uint64_t bits[64];
};

static void filter_put(struct id_filter *filter, uint32_t id)
{
    filter->bits[(id >> 6) & 63u] |= UINT64_C(1) << (id & 63u);
}

static bool filter_may_have(const struct id_filter *filter, uint32_t id)
{
    return (filter->bits[(id >> 6) & 63u] >> (id & 63u)) & 1u;
}

/* Is `id` defined by one of the opcodes `first`..`last` before `end`? For all of them the id is word `place`. */
static bool defined_by(const uint32_t *words, size_t end, uint32_t id, uint32_t first, uint32_t last, uint32_t place)
{
    for (size_t at = HEADER_WORDS; at < end; at += inst_length(words + at)) {
        uint32_t opcode = inst_opcode(words + at);
        if (opcode >= first && opcode <= last && words[at + place] == id)
            return true;
    }
    return false;
}

/* Facts from the declarations, for the instructions behind them. */
struct declaration_scan {
    struct id_filter spec_constants;
    struct id_filter opaque_types;
    struct id_filter integer_types; /* integers and their vectors */
    uint32_t verified;
    bool specialized;
    bool texel_buffers;  /* some image type is that of a uniform texel buffer */
    bool sampled_images; /* some image type is sampled and no texel buffer's */
    bool inputs;         /* some image type is that of an input attachment */
    bool cubes;          /* some image type is that of a sampled cube */
    bool integer_images; /* some sampled image type is one of integers */
};

/*
 * Follows the types and constants that decide whether a descriptor array's length can be specialized, and the image
 * types that other instructions than lookups read through.
 */
static void scan_declaration(struct declaration_scan *scan, const uint32_t *words, size_t at)
{
    switch (inst_opcode(words + at)) {
    case SpvOpTypeImage:
        scan->texel_buffers |= words[at + IMAGE_DIM] == SpvDimBuffer && words[at + IMAGE_SAMPLED] == IMAGE_IS_SAMPLED;
        scan->sampled_images |= words[at + IMAGE_DIM] != SpvDimBuffer && words[at + IMAGE_SAMPLED] == IMAGE_IS_SAMPLED;
        scan->inputs |= words[at + IMAGE_DIM] == SpvDimSubpassData;
        scan->cubes |= words[at + IMAGE_DIM] == SpvDimCube && words[at + IMAGE_SAMPLED] != IMAGE_IS_STORAGE;
        scan->integer_images |= words[at + IMAGE_SAMPLED] == IMAGE_IS_SAMPLED &&
                                filter_may_have(&scan->integer_types, words[at + IMAGE_SAMPLED_TYPE]);
        filter_put(&scan->opaque_types, words[at + 1]);
        break;
    case SpvOpTypeInt:
        filter_put(&scan->integer_types, words[at + 1]);
        break;
    case SpvOpTypeVector:
        if (filter_may_have(&scan->integer_types, words[at + 2]))
            filter_put(&scan->integer_types, words[at + 1]);
        break;
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
        filter_put(&scan->opaque_types, words[at + 1]);
        break;
    case SpvOpTypeRuntimeArray:
        if (filter_may_have(&scan->opaque_types, words[at + 2]))
            filter_put(&scan->opaque_types, words[at + 1]);
        break;
    case SpvOpSpecConstant:
    case SpvOpSpecConstantOp:
        filter_put(&scan->spec_constants, words[at + 2]);
        break;
    case SpvOpTypeArray:
        if (!filter_may_have(&scan->opaque_types, words[at + 2]))
            break;
        filter_put(&scan->opaque_types, words[at + 1]);
        if (scan->specialized || !filter_may_have(&scan->spec_constants, words[at + 3]))
            break;
        /* Ids share places in the filters. Beyond a few the answer may be a needless "yes". */
        if (scan->verified++ >= LENGTHS_VERIFIED) {
            scan->specialized = true;
        } else {
            scan->specialized = defined_by(words, at, words[at + 3], SpvOpSpecConstant, SpvOpSpecConstantOp, 2) &&
                                (defined_by(words, at, words[at + 2], SpvOpTypeImage, SpvOpTypeRuntimeArray, 1));
        }
        break;
    default:
        break;
    }
}

static bool compares(int lookup)
{
    return lookup == (int)LOOKUP_DREF_GATHER || (lookup < (int)LOOKUP_FETCH && ((uint32_t)lookup & LOOKUP_DREF) != 0);
}

/*
 * May the lookup's image have integers? The numeric type of an image is that of its lookups' results; those of sparse
 * lookups are in a structure.
 */
static bool may_read_integers(const struct declaration_scan *scan, const uint32_t *instruction, uint32_t opcode)
{
    return opcode >= LOOKUP_SPARSE_FIRST || filter_may_have(&scan->integer_types, instruction[1]);
}

/* The mask of image operands of a lookup that is no gather. */
static uint32_t operand_mask(const uint32_t *words, uint32_t count, int lookup)
{
    uint32_t mask = 5u + (compares(lookup) ? 1u : 0u);
    return lookup < (int)LOOKUP_FETCH && count > mask ? words[mask] : 0;
}

enum spirv_result spirv_scan(const uint32_t *words, size_t word_count, struct spirv_facts *facts)
{
    memset(facts, 0, sizeof(*facts));
    if (word_count < HEADER_WORDS || words[HEADER_MAGIC] != SpvMagicNumber)
        return SPIRV_MALFORMED;
    struct declaration_scan declarations;
    memset(&declarations, 0, sizeof(declarations));
    uint32_t lookups = 0;
    bool pairs = false;
    bool others = false;
    bool gathers = false;
    bool fetches = false;
    bool sizes = false;
    bool level_sizes = false;
    bool reads = false;
    bool queries = false;
    bool drefs = false;
    bool uncompared = false;
    bool integers = false;
    uint32_t operands = 0;
    for (size_t at = HEADER_WORDS; at < word_count;) {
        uint32_t opcode = inst_opcode(words + at);
        uint32_t count = inst_length(words + at);
        uint32_t shape = opcode_shape(opcode);
        if (count == 0 || count > word_count - at || count < (shape & OPCODE_LEAST_MASK)) {
            memset(facts, 0, sizeof(*facts));
            return SPIRV_MALFORMED;
        }
        if (opcode - SpvOpTypeInt <= SpvOpSpecConstantOp - SpvOpTypeInt) {
            scan_declaration(&declarations, words, at);
        } else if (opcode == SpvOpImageFetch || opcode == SpvOpImageSparseFetch) {
            fetches = true;
        } else if (opcode == SpvOpImageQuerySize) {
            sizes = true;
        } else if (opcode == SpvOpImageQuerySizeLod) {
            level_sizes = true;
        } else if (opcode == SpvOpImageRead) {
            reads = true;
        } else if (opcode == SpvOpImageQueryLod) {
            queries = true;
        } else if (opcode == SpvOpSampledImage) {
            pairs = true;
        } else if (opcode == OP_CONSTANT_SIZE_OF) {
            facts->descriptor_sizes = true;
        } else {
            int lookup = opcode_lookup(opcode);
            others |= lookup < 0 && opcode_may_be_site(opcode); /* one without a branch above */
            if (lookup >= 0) {
                lookups++;
                operands |= operand_mask(words + at, count, lookup);
                gathers |= lookup >= (int)LOOKUP_GATHER;
                drefs |= compares(lookup);
                uncompared |= !compares(lookup);
                integers = integers || may_read_integers(&declarations, words + at, opcode);
            }
        }
        at += count;
    }
    facts->samples = lookups != 0 || queries || others;
    facts->queries = queries;
    facts->lookups = lookups;
    facts->pairs = pairs;
    facts->offsets = (operands & (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask)) != 0;
    facts->gathers = gathers;
    facts->biases = (operands & SpvImageOperandsBiasMask) != 0;
    facts->least_lods = (operands & SpvImageOperandsMinLodMask) != 0;
    facts->drefs = drefs;
    facts->uncompared = uncompared;
    facts->integers = integers || others || (queries && declarations.integer_images);
    facts->cubes = declarations.cubes;
    facts->fetches_buffers = (fetches || sizes) && declarations.texel_buffers;
    facts->fetches_images = (fetches || level_sizes) && declarations.sampled_images;
    facts->reads_inputs = reads && declarations.inputs;
    facts->specialized_sizes = declarations.specialized;
    facts->version = words[HEADER_VERSION];
    return SPIRV_UNCHANGED;
}
