/* SPDX-License-Identifier: MIT */
/* The order of a run: computes for each instruction how many batches must be in front of it. */
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/batch/batch.h"
#include "spirv/module/opcodes.h"

#define DEEPEST_CHAIN 64u /* of access chains and copies, which go in circles in modules that are not valid */

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

/* The memory operands are at `at`, if there are any. False: the access is volatile or the like. */
static bool is_movable_access(const uint32_t *inst, uint32_t at)
{
    const uint32_t movable = SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask;
    return inst_length(inst) <= at || (inst[at] & ~movable) == 0;
}

static enum motion motion_of(const struct module *m, const uint32_t *inst)
{
    uint32_t opcode = inst_opcode(inst);
    switch (opcode) {
    case SpvOpLoad:
        return is_movable_access(inst, 4) ? MOTION_LOAD : MOTION_FIXED;
    case SpvOpStore:
        return is_movable_access(inst, 3) ? MOTION_STORE : MOTION_FIXED;
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
    case SpvOpCopyLogical:
    case SpvOpArrayLength:
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

/* The variable that a pointer points into, if only the function's own instructions write it; 0: not known. */
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

/* True: the pointer points to memory outside the shader, where no movable store writes. */
static bool leads_outside(const struct module *m, uint32_t pointer)
{
    const uint32_t physical = 5349; /* PhysicalStorageBuffer, not under this name in every version of the headers */
    const uint32_t *type = module_definition(m, module_type_of(m, pointer));
    if (inst_opcode(type) != SpvOpTypePointer && inst_opcode(type) != OP_TYPE_UNTYPED_POINTER)
        return false;
    return type[2] == SpvStorageClassUniform || type[2] == SpvStorageClassStorageBuffer || type[2] == physical;
}

/* The properties of an instruction of a run that decide its place. */
struct ranked {
    uint32_t rank;     /* the count of batches in front of it */
    uint32_t result;   /* id that it defines; 0: none */
    uint32_t there;    /* the rank at which the result is defined */
    uint32_t variable; /* writable variable that it reads or writes; 0: none */
};

static uint32_t rank_of(const struct module *m, uint32_t id)
{
    return module_marks(m, id) & MARK_WAITS ? module_id(m, id)->rank : 0;
}

static void set_rank(struct rewriter *r, struct batch_run *run, uint32_t id, uint32_t rank)
{
    if (id == 0 || rank == 0)
        return;
    struct id_entry *entry = module_id(r->m, id);
    if (!(entry->marks & MARK_WAITS))
        words_append(r, &run->touched, &id, 1);
    entry->marks |= MARK_WAITS;
    entry->rank = rank;
}

/*
 * The lowest rank behind the definitions of all operands. A literal that equals such an id makes it higher than
 * necessary.
 */
static uint32_t rank_of_operands(const struct module *m, const uint32_t *inst)
{
    uint32_t rank = 0;
    for (uint32_t i = 1; i < inst_length(inst); i++) {
        const uint32_t own = rank_of(m, inst[i]);
        rank = own > rank ? own : rank;
    }
    return rank;
}

/* The rank of a load or a store; false: it ends the run. */
static bool rank_access(const struct module *m, const uint32_t *inst, bool store, struct ranked *ranked)
{
    const uint32_t pointer = inst[store ? 1 : 3];
    bool read_only = false;
    const uint32_t variable = variable_of(m, pointer, &read_only);
    if (variable == 0)
        return !store && ranked->rank == 0 && leads_outside(m, pointer);
    ranked->variable = read_only ? 0 : variable;
    const uint32_t last = rank_of(m, ranked->variable);
    ranked->rank = last > ranked->rank ? last : ranked->rank;
    return true;
}

/* The rank of the instruction; false: it ends the run. `plan` of a site, else NULL. */
static bool rank_instruction(const struct module *m, const uint32_t *inst, const struct site_plan *plan,
                             struct ranked *ranked)
{
    const uint32_t opcode = inst_opcode(inst);
    *ranked = (struct ranked){0};
    if (opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop)
        return true;
    ranked->rank = rank_of_operands(m, inst);
    if (opcode_may_be_site(opcode)) {
        ranked->result = inst[2];
        ranked->there = ranked->rank + (plan && plan->batched ? 1u : 0u);
        return ranked->rank == 0 || opcode != SpvOpImageRead; /* of storage images, too */
    }
    const enum motion motion = motion_of(m, inst);
    if (motion == MOTION_FIXED)
        return false;
    if (motion != MOTION_FREE && !rank_access(m, inst, motion == MOTION_STORE, ranked))
        return false;
    ranked->result = motion == MOTION_STORE ? 0 : inst[2];
    ranked->there = ranked->rank;
    return true;
}

/* Sorts `run->instructions` by rank; the order within a rank stays. */
static void sort(struct rewriter *r, struct batch_run *run)
{
    const uint32_t count = run->instructions.count / RUN_WORDS;
    uint32_t *ends = words_grow(r, &run->ends, run->ranks);
    uint32_t *order = words_grow(r, &run->order, count);
    if (!ends || !order)
        return;
    memset(ends, 0, run->ranks * sizeof(*ends));
    for (uint32_t i = 0; i < count; i++)
        ends[run->instructions.data[i * RUN_WORDS + RUN_RANK]]++;
    uint32_t sum = 0;
    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        const uint32_t own = ends[rank];
        ends[rank] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; i++)
        order[ends[run->instructions.data[i * RUN_WORDS + RUN_RANK]]++] = i;
}

static void forget(struct rewriter *r, struct batch_run *run)
{
    for (uint32_t i = 0; i < run->touched.count; i++) {
        struct id_entry *entry = module_id(r->m, run->touched.data[i]);
        entry->marks &= ~(uint32_t)MARK_WAITS;
        entry->rank = 0;
    }
    run->touched.count = 0;
}

void batch_order(struct rewriter *r, struct batch *batch, uint32_t at, uint32_t site)
{
    const struct module *m = r->m;
    struct batch_run *run = &batch->run;
    run->instructions.count = run->order.count = run->ends.count = 0;
    run->ranks = 1;
    for (; !r->out_of_memory; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const bool is_site = site < m->site_count && m->sites[site].offset == at;
        struct ranked ranked;
        if (!rank_instruction(m, inst, is_site ? &r->plans->list[site] : NULL, &ranked))
            break;
        words_append(r, &run->instructions, (const uint32_t[RUN_WORDS]){at, site, ranked.rank}, RUN_WORDS);
        run->ranks = ranked.rank >= run->ranks ? ranked.rank + 1 : run->ranks;
        set_rank(r, run, ranked.result, ranked.there);
        set_rank(r, run, ranked.variable, ranked.rank);
        site += is_site;
    }
    run->site = site;
    sort(r, run);
    forget(r, run);
}
