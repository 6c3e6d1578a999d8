/* SPDX-License-Identifier: MIT */
/* Loads of texels through device addresses, written once as a function and called by fetches. */
#include "spirv/sites/texel_memory.h"

#include <spirv/unified1/spirv.h>
#include "spirv/write/library.h"

uint32_t texel_one(struct rewriter *r, enum scalar texels)
{
    return constant_uint(r, texels == SCALAR_FLOAT ? 0x3f800000u : 1u);
}

struct texel_rgb texel_rgb_open(struct rewriter *r, uint32_t record)
{
    const struct memory_type *words = memory_words(r);
    const struct memory_type *pairs = memory_pairs(r);
    uint32_t address = library_call(r, LIBRARY_TEXEL_RGB_ADDRESS, OPERANDS(record));
    struct texel_rgb rgb;
    rgb.pairs = memory_at(r, pairs, address);
    rgb.words = memory_at(r, words, address);
    return rgb;
}

uint32_t texel_rgb_bits(struct rewriter *r, const struct texel_rgb *rgb, uint32_t record, uint32_t index,
                        enum scalar texels)
{
    uint32_t pair_index = library_call(r, LIBRARY_TEXEL_RGB_PAIR, OPERANDS(index, record));
    uint32_t word_index = library_call(r, LIBRARY_TEXEL_RGB_WORD, OPERANDS(index, record));
    uint32_t pair = memory_load(r, memory_pairs(r), rgb->pairs, pair_index);
    uint32_t word = memory_load(r, memory_words(r), rgb->words, word_index);
    uint32_t one = texel_one(r, texels);
    return library_call(r, LIBRARY_TEXEL_RGB_BITS, OPERANDS(pair, word, one, index, record));
}

uint32_t texel_memory_load(struct rewriter *r, uint32_t index, uint32_t record, uint32_t otherwise)
{
    if (r->texel_memory->function == 0) {
        r->texel_memory->function = new_id(r);
        write_name(r, r->texel_memory->function, "clampler_texel_load");
    }
    return CALL(r, type_vector(r, SCALAR_UINT, 4), r->texel_memory->function, index, record, otherwise);
}

static uint32_t load_word(struct rewriter *r, uint32_t base, uint32_t index, uint32_t record, uint32_t word)
{
    uint32_t k = constant_uint(r, word);
    uint32_t element = library_call(r, LIBRARY_TEXEL_LOAD_WORD, OPERANDS(index, record, k));
    return memory_load(r, memory_words(r), base, element);
}

/*
 * uvec4 texel_load(uint index, uvec4 record, uvec4 otherwise):
 *
 *     if (texel_loads(index, record)) {
 *         first three words
 *         if (texel_loads_four(record))
 *             fourth word
 *     }
 *     return either
 *
 * The branches are here, not at the fetch: a record without an address must never be followed, in the straight form
 * neither.
 */
void texel_memory_write_function(struct rewriter *r)
{
    if (r->texel_memory->function == 0)
        return;
    const struct memory_type *memory = memory_words(r);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    uint32_t uvec4 = type_vector(r, SCALAR_UINT, 4);
    uint32_t type = TYPE(r, SpvOpTypeFunction, uvec4, uint_type, uvec4, uvec4);
    uint32_t index = new_id(r), record = new_id(r), otherwise = new_id(r);
    uint32_t loads = new_id(r), fourth = new_id(r), loaded = new_id(r), merge = new_id(r);
    WRITE(r, SpvOpFunction, uvec4, r->texel_memory->function, SpvFunctionControlMaskNone, type);
    WRITE(r, SpvOpFunctionParameter, uint_type, index);
    WRITE(r, SpvOpFunctionParameter, uvec4, record);
    WRITE(r, SpvOpFunctionParameter, uvec4, otherwise);
    uint32_t entry = new_id(r);
    begin_block(r, entry);
    uint32_t condition = library_call(r, LIBRARY_TEXEL_LOADS, OPERANDS(index, record));
    write_selection(r, condition, loads, merge, merge);

    begin_block(r, loads);
    uint32_t address = library_call(r, LIBRARY_TEXEL_ADDRESS, OPERANDS(record));
    uint32_t base = memory_at(r, memory, address);
    uint32_t words[4];
    for (uint32_t k = 0; k < 3; k++)
        words[k] = load_word(r, base, index, record, k);
    condition = library_call(r, LIBRARY_TEXEL_LOADS_FOUR, OPERANDS(record));
    write_selection(r, condition, fourth, loaded, loaded);

    begin_block(r, fourth);
    uint32_t last = load_word(r, base, index, record, 3);
    write_branch(r, loaded);

    begin_block(r, loaded);
    uint32_t zero = constant_uint(r, 0);
    words[3] = VALUE(r, SpvOpPhi, uint_type, zero, loads, last, fourth);
    uint32_t all = write_value(r, SpvOpCompositeConstruct, uvec4, words, 4);
    write_branch(r, merge);

    begin_block(r, merge);
    uint32_t result = VALUE(r, SpvOpPhi, uvec4, otherwise, entry, all, loaded);
    WRITE(r, SpvOpReturnValue, result);
    write_to(r, &r->body, SpvOpFunctionEnd, module_no_instruction, 0);
}
