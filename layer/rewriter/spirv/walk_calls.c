/* SPDX-License-Identifier: MIT */
/* Functions that pass records: more parameters in their types and definitions, more arguments in their calls. */
#include "spirv/walk_calls.h"

#include <spirv/unified1/spirv.h>
#include "spirv/operands/operands.h"
#include "spirv/sites/records.h"
#include "spirv/write/opaque.h"

/* Goes over a function's parameters; `at` starts at its OpFunction. False at the end of the head. */
static bool next_parameter(const uint32_t **at)
{
    do {
        *at += inst_length(*at);
    } while (inst_opcode(*at) == SpvOpLine || inst_opcode(*at) == SpvOpNoLine);
    return inst_opcode(*at) == SpvOpFunctionParameter;
}

void walk_altered_function(struct rewriter *r, struct walk *walk)
{
    const uint32_t *inst = walk_replace(r, walk);
    const uint32_t *type = module_definition(r->m, inst[4]);
    walk->function = inst[2];
    if (inst_opcode(type) != SpvOpTypeFunction) {
        words_append(r, &r->body, inst, inst_length(inst));
        return;
    }
    struct words operands = {0};
    words_append(r, &operands, type + 2, inst_length(type) - 2);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    for (const uint32_t *at = inst; next_parameter(&at);) {
        if (module_id(r->m, at[2])->marks & MARK_TAKES_RECORD)
            words_append(r, &operands, &uint_type, 1);
    }
    uint32_t altered = inst[4];
    if (!r->out_of_memory && operands.count < 0xfff0u)
        altered = declare_type(r, SpvOpTypeFunction, operands.data, operands.count);
    words_drop(r, &operands);
    WRITE(r, SpvOpFunction, inst[1], inst[2], inst[3], altered);
}

void walk_record_parameters(struct rewriter *r, struct walk *walk)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    walk_copy_until(r, walk, walk->at);
    for (const uint32_t *at = module_definition(r->m, walk->function); next_parameter(&at);) {
        if (module_id(r->m, at[2])->marks & MARK_TAKES_RECORD) {
            uint32_t parameter = record_parameter(r, at[2]);
            WRITE(r, SpvOpFunctionParameter, uint_type, parameter);
        }
    }
    walk->function = 0;
}

void walk_call(struct rewriter *r, struct walk *walk)
{
    const uint32_t *call = walk_replace(r, walk);
    uint32_t count = inst_length(call);
    struct words operands = {0};
    words_append(r, &operands, call + 1, count - 1);
    for (uint32_t i = 4; i < count && !r->out_of_memory; i++) {
        if (image_is_gone(r, call[i]))
            operands.data[i - 1] = sampled_image_here(r, call[i]);
    }
    uint32_t argument = 4;
    for (const uint32_t *at = module_definition(r->m, call[3]); next_parameter(&at); argument++) {
        if (!(module_id(r->m, at[2])->marks & MARK_TAKES_RECORD))
            continue;
        struct record_source source = {.origin = ORIGIN_NONE};
        if (argument < count)
            trace_descriptor(r->m, r->layout, call[argument], &source);
        uint32_t identity = record_identity(r, &source);
        words_append(r, &operands, &identity, 1);
    }
    if (!r->out_of_memory)
        write_to(r, &r->body, SpvOpFunctionCall, operands.data, operands.count);
    words_drop(r, &operands);
}
