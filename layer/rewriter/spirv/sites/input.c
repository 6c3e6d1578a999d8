/* SPDX-License-Identifier: MIT */
/* Reads of input attachments: where the attachment has no alpha, alpha becomes 1 in the value that was read. */
#include "spirv/sites/input.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/sites/records.h"
#include "spirv/sites/texel_buffer.h"
#include "spirv/write/library.h"
#include "spirv/write/opaque.h"

enum { MOST_OPERANDS = 8, ALPHA = 3 };

/* A read whose result has four components of 32 bits. */
static bool can_read(const struct module *m, uint32_t offset, enum scalar *scalar)
{
    const uint32_t *inst = m->words + offset;
    const uint32_t *result = module_definition(m, inst[1]);
    return inst_length(inst) <= MOST_OPERANDS + 1 && inst_opcode(result) == SpvOpTypeVector && result[3] == 4 &&
           texel_scalar(m, result[2], scalar);
}

bool input_plan(struct rewriter *r, const struct site *site, struct site_plan *plan)
{
    enum scalar scalar;
    if (!can_read(r->m, site->offset, &scalar)) {
        plan_leave_alone(r, "its operands or types are not known here");
        return false;
    }
    trace_descriptor(r->m, r->layout, r->m->words[site->offset + 3], &plan->sources[0]);
    plan->source_count = 1;
    plan->form = SITE_STRAIGHT;
    return plan_sources_usable(r, plan);
}

static uint32_t one_of(struct rewriter *r, enum scalar scalar)
{
    switch (scalar) {
    case SCALAR_FLOAT:
        return constant_float(r, 1.0f);
    case SCALAR_INT:
        return constant_int(r, 1);
    default:
        return constant_uint(r, 1);
    }
}

/*
 *     r = read(image)            texel = read(image)
 *                                r = (texel.rgb, record acts ? 1 : texel.a)
 */
void input_rewrite(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    const uint32_t *inst = r->m->words + site->offset;
    const uint32_t count = inst_length(inst) - 1, result_type = inst[1], result = inst[2];
    uint32_t operands[MOST_OPERANDS];
    enum scalar scalar = SCALAR_FLOAT;
    can_read(r->m, site->offset, &scalar);
    memcpy(operands, inst + 1, count * sizeof(*operands));
    const uint32_t texel = new_id(r);
    operands[1] = texel;
    operands[2] = opaque_here(r, operands[2]);
    decorate_like(r, texel, module_id(r->m, result)->marks);
    write_to(r, &r->body, SpvOpImageRead, operands, count);
    const uint32_t record = load_record(r, plan);
    const uint32_t acts = library_call(r, LIBRARY_TEXEL_EMULATED, OPERANDS(record));
    const uint32_t type = type_vector(r, scalar, 1);
    const uint32_t alpha = VALUE(r, SpvOpCompositeExtract, type, texel, ALPHA);
    const uint32_t one = one_of(r, scalar);
    const uint32_t chosen = VALUE(r, SpvOpSelect, type, acts, one, alpha);
    WRITE(r, SpvOpCompositeInsert, result_type, result, chosen, texel, ALPHA);
}
