/* SPDX-License-Identifier: MIT */
/*
 * Shared by the plans of all kinds of sites: checks that the sources' records can be loaded and passed, and keeps the
 * reason why a site is not changed.
 */
#include "spirv/sites/plan.h"

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/record_index.h"
#include "spirv/module/opcodes.h"
#include "spirv/write/words.h"

#define MOST_PARAMETERS 255u /* of a function: SPIR-V's universal limit */

void plan_leave_alone(struct rewriter *r, const char *why)
{
    r->plans->left_alone++;
    if (!r->plans->left_alone_why)
        r->plans->left_alone_why = why;
}

void plan_remark(struct rewriter *r, const char *what)
{
    r->plans->remark = r->plans->remark ? r->plans->remark : what;
}

/* True: a parameter of this type may get a record beside it. Also true of some that never do. */
static bool is_descriptor(const struct module *m, uint32_t type)
{
    const uint32_t *inst = module_definition(m, type);
    uint32_t opcode = inst_opcode(inst);
    return opcode == SpvOpTypeImage || opcode == SpvOpTypeSampler || opcode == SpvOpTypeSampledImage ||
           ((opcode == SpvOpTypePointer || opcode == OP_TYPE_UNTYPED_POINTER) &&
            inst[2] == SpvStorageClassUniformConstant);
}

bool plan_has_no_room(struct module *m, uint32_t function)
{
    struct id_entry *entry = module_id(m, function);
    uint32_t count = 0;
    if (entry->marks & MARK_ROOM_KNOWN)
        return entry->marks & MARK_NO_ROOM;
    for (const uint32_t *at = module_definition(m, function);
         inst_opcode(at) != SpvOpFunctionEnd && inst_opcode(at) != SpvOpLabel; at += inst_length(at)) {
        if (inst_opcode(at) == SpvOpFunctionParameter)
            count += is_descriptor(m, at[1]) ? 2 : 1;
    }
    entry->marks |= MARK_ROOM_KNOWN | (count > MOST_PARAMETERS ? MARK_NO_ROOM : 0u);
    return count > MOST_PARAMETERS;
}

bool plan_sources_usable(struct rewriter *r, const struct site_plan *plan)
{
    for (uint32_t i = 0; i < plan->source_count; i++) {
        const struct record_source *source = &plan->sources[i];
        if (source->origin == ORIGIN_UNKNOWN) {
            plan_leave_alone(r, "its descriptor cannot be known from the code");
            return false;
        }
        if (source->origin == ORIGIN_NONE)
            return false;
        if (source->origin == ORIGIN_PARAMETER &&
            plan_has_no_room(r->m, module_id(r->m, source->parameter)->function)) {
            plan_leave_alone(r, "its function has no room for records beside its parameters");
            return false;
        }
        if (source->origin == ORIGIN_SET && !trace_has_records(r->layout, source->set)) {
            plan_leave_alone(r, "its set has no room for records");
            return false;
        }
        const char *why = source->embedded ? record_index_unreachable(r, source) : NULL;
        if (why) {
            plan_leave_alone(r, why);
            return false;
        }
    }
    return true;
}

uint32_t plan_merge_label(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    struct id_entry *entry = module_id(r->m, site->label);
    if (!plan->last || (entry->marks & MARK_SELF_LOOP))
        return new_id(r);
    if (entry->last_block == 0)
        entry->last_block = new_id(r);
    return entry->last_block;
}
