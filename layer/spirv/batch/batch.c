/* SPDX-License-Identifier: MIT */
/*
 * Finds the sites of a block that can share one filter or one branch. A batch grows while the block is walked over; an
 * instruction that needs a result, or must not be moved past, ends it.
 */
#include "spirv/batch/batch.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/opcodes.h"
#include "spirv/sites/records.h"

#define DEEPEST_CHAIN 64u /* of access chains and copies, which go in circles in modules that are not valid */

/* ---- Which lookups ---- */

static bool may_batch(const struct rewriter *r, uint32_t index)
{
    const struct site_plan *plan = &r->plans->list[index];
    struct lookup l;
    if (r->m->sites[index].kind == SITE_TEXEL_FETCH)
        return plan->form == SITE_BRANCH &&
               inst_opcode(r->m->words + r->m->sites[index].offset) == SpvOpImageFetch; /* residency is not shared */
    if (r->options->tier < 2 || r->m->sites[index].kind != SITE_LOOKUP || plan->form == SITE_ALONE || !plan->filter ||
        lookup_read(r->m, r->m->sites[index].offset, &l) != LOOKUP_TAKEN)
        return false;
    return l.first == LOOKUP_FIRST && !l.gather && (plan->form == SITE_STRAIGHT || l.implicit);
}

/* The plain lookup stays, whatever the form: looking up again at a moved coordinate is code that a batch shares. */
static void join(struct rewriter *r, uint32_t index)
{
    struct lookup l;
    if (r->m->sites[index].kind == SITE_LOOKUP && r->plans->list[index].batched &&
        lookup_read(r->m, r->m->sites[index].offset, &l) == LOOKUP_TAKEN && l.implicit) {
        r->plans->list[index].form = SITE_BRANCH;
    }
}

void batch_plan(struct rewriter *r)
{
    struct module *m = r->m;
    for (uint32_t first = 0, end; first < m->site_count; first = end) {
        uint32_t lookups = 0, fetches = 0;
        for (end = first; end < m->site_count && m->sites[end].label == m->sites[first].label; end++) {
            r->plans->list[end].batched = may_batch(r, end);
            lookups += r->plans->list[end].batched && m->sites[end].kind == SITE_LOOKUP;
            fetches += r->plans->list[end].batched && m->sites[end].kind == SITE_TEXEL_FETCH;
        }
        bool any = lookups > 1 || fetches > 1;
        if (any)
            module_id(m, m->sites[first].label)->marks |= MARK_BATCHED;
        for (uint32_t i = first; i < end; i++) {
            r->plans->list[i].batched &= (m->sites[i].kind == SITE_LOOKUP ? lookups : fetches) > 1;
            r->plans->list[i].last &= !any;
            join(r, i);
        }
    }
}

/* ---- What moves behind a batch ---- */

/* How an instruction may be moved within its block. */
enum motion {
    MOTION_FIXED, /* not at all */
    MOTION_FREE,  /* a value of its operands alone */
    MOTION_LOAD,
    MOTION_STORE,
};

/* GLSL.std.450 with a pointer that is written to. */
static bool writes_through_pointer(uint32_t instruction)
{
    enum { MODF = 35, FREXP = 51 };
    return instruction == MODF || instruction == FREXP;
}

static enum motion motion_of(const struct module *m, const uint32_t *inst)
{
    uint32_t opcode = inst_opcode(inst);
    switch (opcode) {
    case SpvOpLoad:
        /* A second word of memory operands: volatile and the like. */
        return inst_length(inst) == 4 ? MOTION_LOAD : MOTION_FIXED;
    case SpvOpStore:
        return inst_length(inst) == 3 ? MOTION_STORE : MOTION_FIXED;
    case SpvOpExtInst:
        if (m->debug_import != 0 && inst[3] == m->debug_import)
            return MOTION_FREE;
        return inst[3] == m->glsl_import && !writes_through_pointer(inst[4]) ? MOTION_FREE : MOTION_FIXED;
    case SpvOpUndef:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case OP_UNTYPED_ACCESS_CHAIN:
    case OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN:
    case OP_BUFFER_POINTER:
    case SpvOpSampledImage:
    case SpvOpImage:
    case SpvOpCopyObject:
    case SpvOpTranspose:
    case SpvOpSelect:
        return MOTION_FREE;
    default:
        break;
    }
    bool composite = opcode >= SpvOpVectorExtractDynamic && opcode <= SpvOpTranspose;
    bool query = opcode >= SpvOpImageQuerySizeLod && opcode <= SpvOpImageQuerySamples;
    bool arithmetic =
        opcode >= SpvOpConvertFToU && opcode <= SpvOpFwidthCoarse && opcode != SpvOpGenericCastToPtrExplicit;
    return composite || query || arithmetic ? MOTION_FREE : MOTION_FIXED;
}

/* The variable that a pointer leads to, if nothing else does and nothing outside the function's sight writes it; 0 if
 * not. */
static uint32_t variable_of(const struct module *m, uint32_t pointer, bool *read_only)
{
    const uint32_t *inst = module_definition(m, pointer);
    for (uint32_t depth = 0; depth < DEEPEST_CHAIN; depth++) {
        const uint32_t opcode = inst_opcode(inst), base = opcode == SpvOpCopyObject ? 3 : opcode_chain_base(opcode);
        if (base == 0)
            break;
        pointer = inst[base];
        inst = module_definition(m, pointer);
    }
    if (inst_opcode(inst) != SpvOpVariable && inst_opcode(inst) != OP_UNTYPED_VARIABLE)
        return 0;
    switch (inst[3]) {
    case SpvStorageClassInput:
    case SpvStorageClassUniformConstant:
    case SpvStorageClassPushConstant:
        *read_only = true;
        return pointer;
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
    case SpvStorageClassOutput:
        return pointer;
    default:
        return 0;
    }
}

static void touch(struct rewriter *r, struct batch *batch, uint32_t id, uint32_t mark)
{
    module_id(r->m, id)->marks |= mark;
    words_append(r, &batch->touched, &id, 1);
}

static bool waits_for(const struct module *m, const uint32_t *inst)
{
    for (uint32_t i = 1; i < inst_length(inst); i++) {
        if (module_marks(m, inst[i]) & MARK_WAITS) {
            return true; /* or a literal that looks like such an id: it waits without need */
        }
    }
    return false;
}

enum batch_step batch_meet(struct rewriter *r, struct batch *batch, uint32_t offset)
{
    const struct module *m = r->m;
    const uint32_t *inst = m->words + offset;
    uint32_t opcode = inst_opcode(inst);
    if (opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop)
        return BATCH_PASS;
    bool waits = waits_for(m, inst);
    if (opcode_may_be_site(opcode))
        return waits ? BATCH_CLOSE : BATCH_PASS;
    enum motion motion = motion_of(m, inst);
    if (motion == MOTION_FIXED)
        return BATCH_CLOSE;
    uint32_t variable = 0;
    if (motion == MOTION_LOAD || motion == MOTION_STORE) {
        bool read_only = false;
        variable = variable_of(m, inst[motion == MOTION_LOAD ? 3 : 1], &read_only);
        if (variable == 0)
            return BATCH_CLOSE;
        uint32_t hazards = motion == MOTION_LOAD ? MARK_STORE_WAITS : MARK_STORE_WAITS | MARK_LOAD_WAITS;
        waits |= !read_only && (module_marks(m, variable) & hazards);
    }
    if (!waits)
        return BATCH_PASS;
    words_append(r, &batch->waiting, &offset, 1);
    if (variable != 0)
        touch(r, batch, variable, motion == MOTION_LOAD ? MARK_LOAD_WAITS : MARK_STORE_WAITS);
    if (motion != MOTION_STORE)
        touch(r, batch, inst[2], MARK_WAITS);
    return BATCH_WAIT;
}

void batch_add(struct rewriter *r, struct batch *batch, const struct site *site, const struct site_plan *plan)
{
    if (site->kind == SITE_TEXEL_FETCH) {
        struct texel_fetch *fetch = &batch->fetches[batch->fetch_count++];
        texel_fetch_open(r, site, plan, fetch);
        touch(r, batch, fetch->result, MARK_WAITS);
        return;
    }
    struct batch_request *request = &batch->requests[batch->count++];
    request->written = false;
    lookup_open(r, site, plan, &request->w);
    for (uint32_t i = 0; i < plan->source_count; i++)
        request->w.places[i] = record_place(r, &plan->sources[i]);
    request->plain = batch_in_arrays(r) ? 0 : lookup_unless_filtered(&request->w);
    request->end = r->body.count;
    touch(r, batch, request->w.l.result, MARK_WAITS);
}

void batch_forget(struct rewriter *r, struct batch *batch)
{
    for (uint32_t i = 0; i < batch->touched.count; i++)
        module_id(r->m, batch->touched.data[i])->marks &= ~(uint32_t)(MARK_WAITS | MARK_STORE_WAITS | MARK_LOAD_WAITS);
    batch->touched.count = 0;
    batch->waiting.count = 0;
}

void batch_drop(struct rewriter *r, struct batch *batch)
{
    words_drop(r, &batch->waiting);
    words_drop(r, &batch->touched);
}
