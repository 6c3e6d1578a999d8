/* SPDX-License-Identifier: MIT */
/*
 * Goes over the program's functions once, copies what stays and writes what is replaced. Where a block is split
 * the phis of its successors must name its last part, and a loop header must keep its merge instruction.
 */
#include "spirv/walk.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/embedded/record_index.h"
#include "spirv/embedded/inputs.h"
#include "spirv/module/opcodes.h"
#include "spirv/operands/operands.h"
#include "spirv/passes.h"
#include "spirv/sites/records.h"
#include "spirv/walk_calls.h"
#include "spirv/walk_state.h"
#include "spirv/write/opaque.h"

/* Instructions of NonSemantic.Shader.DebugInfo, from its revision 100 on; the first two are those of
 * OpenCL.DebugInfo.100. */
#define DEBUG_SCOPE 23u
#define DEBUG_NO_SCOPE 24u
#define DEBUG_FUNCTION_DEFINITION 101u
#define DEBUG_LINE 103u
#define DEBUG_NO_LINE 104u

/*
 * DebugFunctionDefinition stands in the function's first block, of which a site may leave the part in front of it: one
 * that follows is written before the first site.
 */
static void hoist_definition(struct rewriter *r, struct walk *walk)
{
    const struct module *m = r->m;
    walk->head_blocks = 0;
    for (uint32_t at = walk->at; m->debug_import != 0 && at < m->word_count; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst);
        if (opcode == SpvOpLabel || opcode == SpvOpFunctionEnd)
            return;
        if (opcode != SpvOpExtInst || inst[3] != m->debug_import || inst[4] != DEBUG_FUNCTION_DEFINITION)
            continue;
        walk_copy_until(r, walk, walk->at);
        words_append(r, &r->body, inst, inst_length(inst));
        walk->definition = at;
        return;
    }
}

static bool is_debug_instruction(const struct module *m, const uint32_t *inst)
{
    return inst_opcode(inst) == SpvOpExtInst && m->debug_import != 0 && inst[3] == m->debug_import;
}

/* Instructions that may stand before and between a block's phis. */
static bool stays_with_phis(const struct module *m, const uint32_t *inst)
{
    uint32_t opcode = inst_opcode(inst);
    return opcode == SpvOpPhi || opcode == SpvOpLine || opcode == SpvOpNoLine || is_debug_instruction(m, inst);
}

static void remember_debug_instruction(struct walk *walk, const uint32_t *inst)
{
    if (inst[4] == DEBUG_SCOPE || inst[4] == DEBUG_NO_SCOPE)
        walk->scope = inst[4] == DEBUG_SCOPE ? walk->at : 0;
    else if (inst[4] == DEBUG_LINE || inst[4] == DEBUG_NO_LINE)
        walk->debug_line = inst[4] == DEBUG_LINE ? walk->at : 0;
}

static void forget_position(struct walk *walk)
{
    walk->line = walk->scope = walk->debug_line = 0;
}

/* Says again where in the program's source the code behind a split stands. */
static void restate_position(struct rewriter *r, const struct walk *walk)
{
    const uint32_t debug[2] = {walk->scope, walk->debug_line};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t *inst = r->m->words + debug[i];
        uint32_t *copy = debug[i] != 0 ? words_grow(r, &r->body, inst_length(inst)) : NULL;
        if (copy) {
            memcpy(copy, inst, inst_length(inst) * sizeof(uint32_t));
            copy[2] = new_id(r);
        }
    }
    if (walk->line != 0)
        words_append(r, &r->body, r->m->words + walk->line, inst_length(r->m->words + walk->line));
}

static void write_phi(struct rewriter *r, struct walk *walk)
{
    const uint32_t *inst = r->m->words + walk->at;
    uint32_t count = inst_length(inst);
    bool renamed = false;
    for (uint32_t i = 4; i < count; i += 2)
        renamed |= (module_marks(r->m, inst[i]) & MARK_SPLIT) != 0;
    if (!renamed)
        return;
    walk_replace(r, walk);
    uint32_t *copy = words_grow(r, &r->body, count);
    if (!copy)
        return;
    memcpy(copy, inst, count * sizeof(uint32_t));
    for (uint32_t i = 4; i < count; i += 2) {
        if (module_marks(r->m, inst[i]) & MARK_SPLIT) {
            struct id_entry *entry = module_id(r->m, inst[i]);
            entry->last_block = entry->last_block != 0 ? entry->last_block : new_id(r);
            copy[i] = entry->last_block;
        }
    }
}

/*
 * A loop header that is split keeps its label, its phis and its merge instruction:
 *
 *     header:                            header:
 *         phis                               phis
 *         code with a lookup                 OpLoopMerge merge continue
 *         OpLoopMerge merge continue         OpBranch body
 *         OpBranch...                    body:
 *                                            code, split
 *                                            OpBranch...
 *
 * A header that is its own continue target gets a new one behind the code: its last block, which branches back.
 */
static void open_header(struct rewriter *r, struct walk *walk)
{
    walk_copy_until(r, walk, walk->at);
    const struct id_entry *entry = module_id(r->m, walk->label);
    const uint32_t *merge = r->m->words + entry->loop_merge;
    uint32_t body = new_id(r);
    uint32_t count = inst_length(merge);
    uint32_t target = merge[2];
    if (entry->marks & MARK_SELF_LOOP) {
        if (entry->last_block == 0)
            module_id(r->m, walk->label)->last_block = new_id(r);
        target = entry->last_block;
    }
    uint32_t *copy = words_grow(r, &r->body, count);
    if (copy) {
        memcpy(copy, merge, count * sizeof(uint32_t));
        copy[2] = target;
    }
    write_branch(r, body);
    begin_block(r, body);
    restate_position(r, walk);
    walk->header_open = false;
}

static void close_self_loop(struct rewriter *r, struct walk *walk)
{
    walk_copy_until(r, walk, walk->at);
    uint32_t label = module_id(r->m, walk->label)->last_block;
    write_branch(r, label);
    begin_block(r, label);
}

/*
 * Images, samplers and sampled images must be made in the block that uses them (SPIR-V 2.16.1, "Universal Validation
 * Rules"). Where the block was split since, the instruction gets them made again: they are among its words from `first`
 * on, which are ids up to `end`.
 */
static void write_image_uses(struct rewriter *r, struct walk *walk, uint32_t first, uint32_t end)
{
    const uint32_t *inst = r->m->words + walk->at;
    bool gone = false;
    for (uint32_t i = first; i < end; i++)
        gone |= image_is_gone(r, inst[i]);
    if (!gone)
        return;
    walk_replace(r, walk);
    struct words copy = {0};
    words_append(r, &copy, inst, inst_length(inst));
    for (uint32_t i = first; i < end && !r->out_of_memory; i++)
        copy.data[i] = image_is_gone(r, inst[i]) ? sampled_image_here(r, inst[i]) : inst[i];
    words_append(r, &r->body, copy.data, copy.count);
    words_drop(r, &copy);
}

/* The same for an instruction that reads images or takes pairs apart: its operands stand behind its result. */
static void write_reader(struct rewriter *r, struct walk *walk)
{
    uint32_t shape = opcode_shape(inst_opcode(r->m->words + walk->at));
    uint32_t first = 1u + (shape & OPCODE_HAS_TYPE ? 1u : 0u) + (shape & OPCODE_HAS_RESULT ? 1u : 0u);
    if (shape & OPCODE_READS_IMAGES)
        write_image_uses(r, walk, first, shape & OPCODE_LEAST_MASK);
}

/* The batch's own variables go to the beginning of the function, where alone variables may stand. */
static void write_variables(struct rewriter *r, struct walk *walk)
{
    walk_copy_until(r, walk, walk->at);
    uint32_t count = r->variables.count;
    if (walk->entry && walk->begins_at != 0)
        input_head(r, r->function, walk->begins_at + count);
    if (count == 0 || !words_grow(r, &r->body, count))
        return;
    uint32_t *gap = r->body.data + walk->variables_at;
    memmove(gap + count, gap, (r->body.count - count - walk->variables_at) * sizeof(uint32_t));
    memcpy(gap, r->variables.data, count * sizeof(uint32_t));
    r->variables.count = 0;
}

static void walk_label(struct rewriter *r, struct walk *walk, const uint32_t *inst)
{
    uint32_t marks = module_id(r->m, inst[1])->marks;
    if (walk->function != 0)
        walk_record_parameters(r, walk);
    if (walk->first_block) {
        walk->first_block = false;
        walk_copy_until(r, walk, walk->at + 2);
        walk->variables_at = r->body.count;
    }
    walk->batched = marks & MARK_BATCHED;
    walk->head_blocks -= walk->head_blocks != 0 ? 1 : 0;
    forget_position(walk);
    walk->label = inst[1];
    record_index_forget(r);
    walk->header_open = (marks & MARK_SPLIT) && (marks & MARK_LOOP);
    r->label = inst[1];
    r->block++;
}

static void walk_instruction(struct rewriter *r, struct walk *walk);

/* Behind its batches a block goes on under the label that phis know. */
static void end_batched_block(struct rewriter *r, struct walk *walk)
{
    struct id_entry *entry = module_id(r->m, walk->label);
    walk->batched = false;
    walk_copy_until(r, walk, walk->at);
    if (entry->marks & MARK_SELF_LOOP) {
        return; /* it gets a block of its own behind this one */
    }
    entry->last_block = entry->last_block != 0 ? entry->last_block : new_id(r);
    write_branch(r, entry->last_block);
    begin_block(r, entry->last_block);
}

static void write_batch(struct rewriter *r, struct walk *walk)
{
    batch_write(r, &walk->batch);
    restate_position(r, walk);
}

/* Writes the run that begins with the current instruction, a batched site: rank by rank, and a batch behind each. */
static void write_run(struct rewriter *r, struct walk *walk)
{
    const struct batch_run *run = &walk->batch.run;
    walk_copy_until(r, walk, walk->at);
    batch_order(r, &walk->batch, walk->at, walk->site);
    walk->in_run = true;
    for (uint32_t rank = 0, i = 0; rank < run->ranks && !r->out_of_memory; rank++) {
        for (; i < run->ends.data[rank] && !r->out_of_memory; i++) {
            const uint32_t *instruction = run->instructions.data + run->order.data[i] * RUN_WORDS;
            walk->at = walk->copied = instruction[RUN_OFFSET];
            walk->site = instruction[RUN_SITE];
            walk_instruction(r, walk);
            walk_copy_until(r, walk, walk->at + inst_length(r->m->words + walk->at));
        }
        if (batch_is_open(&walk->batch))
            write_batch(r, walk);
    }
    walk->in_run = false;
    if (r->out_of_memory)
        return;
    /* The caller continues behind the last one. */
    walk->at = run->instructions.data[run->instructions.count - RUN_WORDS + RUN_OFFSET];
    walk->copied = walk->at + inst_length(r->m->words + walk->at);
    walk->site = run->site;
}

/* True if the instruction was written with the run that it begins. */
static bool walk_batched(struct rewriter *r, struct walk *walk, uint32_t opcode)
{
    const struct module *m = r->m;
    if (opcode == SpvOpSelectionMerge || module_ends_block(m, walk->at))
        end_batched_block(r, walk);
    if (walk->site == m->site_count || m->sites[walk->site].offset != walk->at || !r->plans->list[walk->site].batched)
        return false;
    write_run(r, walk);
    return true;
}

/* Instructions that may stand before and between a function's variables. */
static bool stays_in_head(const struct module *m, const uint32_t *inst)
{
    uint32_t opcode = inst_opcode(inst);
    return opcode == SpvOpVariable || opcode == OP_UNTYPED_VARIABLE || opcode == SpvOpLabel ||
           opcode == SpvOpFunctionParameter || opcode == SpvOpFunction || opcode == SpvOpLine ||
           opcode == SpvOpNoLine || opcode == SpvOpUndef || is_debug_instruction(m, inst);
}

static void end_head(struct rewriter *r, struct walk *walk)
{
    uint32_t end = walk->at;
    while (end < r->m->word_count && inst_opcode(r->m->words + end) != SpvOpFunctionEnd)
        end += inst_length(r->m->words + end);
    walk_copy_until(r, walk, walk->at);
    walk->begins_at = r->body.count;
    if (r->plans->masked)
        record_masks_load(r, walk->site, end);
    if (r->plans->reads != 0 && r->options->form == SPIRV_FORM_CPU)
        texel_buffer_load_early(r, walk->site, end);
    walk->head = false;
}

static void begin_function(struct rewriter *r, struct walk *walk, const uint32_t *inst)
{
    r->function = inst[2];
    walk->first_block = r->options->tier >= 2 || r->plans->reads != 0;
    r->no_variables = false;
    walk->head_blocks = 2;
    walk->entry = input_is_entry(r, inst[2]);
    walk->begins_at = 0;
    walk->head = walk->entry || r->plans->masked || (r->plans->reads != 0 && r->options->form == SPIRV_FORM_CPU);
    r->texel_buffers->early_count = 0;
    if (module_id(r->m, inst[2])->marks & MARK_ALTERED)
        walk_altered_function(r, walk);
}

static void write_site(struct rewriter *r, struct walk *walk)
{
    const struct module *m = r->m;
    const struct site_plan *plan = &r->plans->list[walk->site];
    if (plan->form == SITE_ALONE) {
        write_reader(r, walk);
    } else if (plan->batched) {
        walk_replace(r, walk);
        batch_add(r, &walk->batch, &m->sites[walk->site], plan);
        if (batch_is_full(&walk->batch))
            write_batch(r, walk);
    } else {
        walk_replace(r, walk);
        passes[m->sites[walk->site].kind].rewrite(r, &m->sites[walk->site], plan);
        if (plan->splits)
            restate_position(r, walk);
    }
    walk->site++;
}

static void walk_instruction(struct rewriter *r, struct walk *walk)
{
    struct module *m = r->m;
    const uint32_t *inst = m->words + walk->at;
    uint32_t opcode = inst_opcode(inst);
    if (walk->head && opcode != SpvOpFunctionEnd && !stays_in_head(m, inst))
        end_head(r, walk);
    if (walk->header_open && !stays_with_phis(m, inst))
        open_header(r, walk);
    if (walk->head_blocks == 1 && walk->site < m->site_count && m->sites[walk->site].offset == walk->at)
        hoist_definition(r, walk);
    if (walk->batched && !walk->in_run && walk_batched(r, walk, opcode))
        return;
    switch (opcode) {
    case SpvOpFunction:
        begin_function(r, walk, inst);
        break;
    case SpvOpFunctionEnd:
        walk->function = 0;
        write_variables(r, walk);
        break;
    case SpvOpLabel:
        walk_label(r, walk, inst);
        break;
    case SpvOpPhi:
        write_phi(r, walk);
        break;
    case SpvOpLoopMerge:
        if (module_id(m, walk->label)->marks & MARK_SPLIT)
            walk_replace(r, walk);
        break;
    case SpvOpFunctionCall:
        if ((module_marks(m, inst[3]) & MARK_ALTERED) && module_opcode(m, inst[3]) == SpvOpFunction)
            walk_call(r, walk);
        else
            write_image_uses(r, walk, 4, inst_length(inst));
        break;
    case SpvOpSampledImage:
        write_reader(r, walk);
        module_id(m, inst[2])->written_in = r->block;
        break;
    case SpvOpLoad:
        module_id(m, inst[2])->written_in = r->block;
        break;
    case SpvOpCopyObject:
    case SpvOpCompositeExtract:
        if (type_is_opaque(m, inst[1])) { /* the second: of an array that was loaded whole */
            write_image_uses(r, walk, 3, 4);
            module_id(m, inst[2])->written_in = r->block;
        }
        break;
    case SpvOpLine:
        walk->line = walk->at;
        break;
    case SpvOpNoLine:
        walk->line = 0;
        break;
    case SpvOpExtInst:
        r->no_variables |= walk->first_block;
        if (walk->definition == walk->at)
            walk_replace(r, walk);
        if (is_debug_instruction(m, inst))
            remember_debug_instruction(walk, inst);
        break;
    default:
        if (walk->site < m->site_count && m->sites[walk->site].offset == walk->at)
            write_site(r, walk);
        else if (module_ends_block(m, walk->at) && (module_id(m, walk->label)->marks & MARK_SELF_LOOP) &&
                 (module_id(m, walk->label)->marks & MARK_SPLIT))
            close_self_loop(r, walk);
        else
            write_reader(r, walk);
        break;
    }
}

void walk_functions(struct rewriter *r)
{
    struct walk walk = {.at = r->m->functions_at, .copied = r->m->functions_at};
    while (walk.at < r->m->functions_end && !r->out_of_memory) {
        walk_instruction(r, &walk);
        walk.at += inst_length(r->m->words + walk.at);
    }
    walk_copy_until(r, &walk, r->m->functions_end);
    batch_drop(r, &walk.batch);
}
