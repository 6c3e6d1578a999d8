#include "spirv/spirv.h"

#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/batch.h"
#include "spirv/lookup.h"
#include "spirv/loops.h"
#include "spirv/opcodes.h"
#include "spirv/records.h"
#include "spirv/renumber.h"
#include "spirv/input.h"
#include "spirv/texel_buffer.h"

#define HEADER_WORDS 5u
#define VERSION_1_4 0x00010400u

/* What the walk over the functions remembers. */
struct walk {
    uint32_t at;           /* offset of the instruction */
    uint32_t copied;       /* everything before this offset has been written */
    uint32_t site;         /* next one */
    uint32_t label;        /* program's block, 0: none */
    uint32_t function;     /* program's function if it is altered, else 0 */
    bool first_block;      /* the next label is a function's first */
    uint32_t variables_at; /* where in the body the function's own variables go */
    bool batched;          /* in a block with batches whose last part has not begun */
    bool header_open;      /* in a loop header that is split, whose merge instruction has not been written yet */
    bool head;             /* before the first instruction of a function that is no variable */
    /* Offsets of the position in the program's source that holds here, 0: none. A new block forgets it. */
    uint32_t line;       /* OpLine */
    uint32_t scope;      /* DebugScope */
    uint32_t debug_line; /* DebugLine */
    struct batch batch;
};

/* Instructions of NonSemantic.Shader.DebugInfo.100; the first two are the same in OpenCL.DebugInfo.100. */
#define DEBUG_SCOPE 23u
#define DEBUG_NO_SCOPE 24u
#define DEBUG_LINE 103u
#define DEBUG_NO_LINE 104u

static void copy_until(struct rewriter *r, struct walk *walk, uint32_t end)
{
    words_append(r, &r->body, r->m->words + walk->copied, end - walk->copied);
    walk->copied = end;
}

/* Writes everything before the current instruction and leaves the instruction itself out. */
static const uint32_t *replace(struct rewriter *r, struct walk *walk)
{
    copy_until(r, walk, walk->at);
    const uint32_t *inst = r->m->words + walk->at;
    walk->copied = walk->at + (inst[0] >> 16);
    return inst;
}

static void note_debug_instruction(struct walk *walk, const uint32_t *inst)
{
    if (inst[4] == DEBUG_SCOPE || inst[4] == DEBUG_NO_SCOPE) {
        walk->scope = inst[4] == DEBUG_SCOPE ? walk->at : 0;
    } else if (inst[4] == DEBUG_LINE || inst[4] == DEBUG_NO_LINE) {
        walk->debug_line = inst[4] == DEBUG_LINE ? walk->at : 0;
    }
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
        uint32_t *place = debug[i] != 0 ? words_grow(r, &r->body, inst[0] >> 16) : NULL;
        if (place != NULL) {
            memcpy(place, inst, (inst[0] >> 16) * sizeof(uint32_t));
            place[2] = new_id(r);
        }
    }
    if (walk->line != 0) {
        words_append(r, &r->body, r->m->words + walk->line, r->m->words[walk->line] >> 16);
    }
}

/* Goes over a function's parameters; `at` starts at its OpFunction. False at the end of the head. */
static bool next_parameter(const uint32_t **at)
{
    do {
        *at += (*at)[0] >> 16;
    } while (((*at)[0] & 0xffffu) == SpvOpLine || ((*at)[0] & 0xffffu) == SpvOpNoLine);
    return ((*at)[0] & 0xffffu) == SpvOpFunctionParameter;
}

/* A function that takes records: its type has a uint more for each parameter that a record travels beside. */
static void write_altered_function(struct rewriter *r, struct walk *walk)
{
    const uint32_t *inst = replace(r, walk);
    const uint32_t *type = module_definition(r->m, inst[4]);
    walk->function = inst[2];
    if ((type[0] & 0xffffu) != SpvOpTypeFunction) {
        words_append(r, &r->body, inst, inst[0] >> 16);
        return;
    }
    struct words operands = {0};
    words_append(r, &operands, type + 2, (type[0] >> 16) - 2);
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    for (const uint32_t *at = inst; next_parameter(&at);) {
        if (r->m->ids[at[2]].marks & MARK_TAKES_RECORD) {
            words_append(r, &operands, &uint_type, 1);
        }
    }
    uint32_t altered = inst[4];
    if (!r->out_of_memory && operands.count < 0xfff0u) {
        altered = declare_type(r, SpvOpTypeFunction, operands.data, operands.count);
    }
    words_drop(r, &operands);
    WRITE(r, SpvOpFunction, inst[1], inst[2], inst[3], altered);
}

static void write_record_parameters(struct rewriter *r, struct walk *walk)
{
    uint32_t uint_type = type_vector(r, SCALAR_UINT, 1);
    copy_until(r, walk, walk->at);
    for (const uint32_t *at = module_definition(r->m, walk->function); next_parameter(&at);) {
        if (r->m->ids[at[2]].marks & MARK_TAKES_RECORD) {
            uint32_t parameter = record_parameter(r, at[2]);
            WRITE(r, SpvOpFunctionParameter, uint_type, parameter);
        }
    }
    walk->function = 0;
}

static void write_call(struct rewriter *r, struct walk *walk)
{
    const uint32_t *call = replace(r, walk);
    uint32_t count = call[0] >> 16;
    struct words operands = {0};
    words_append(r, &operands, call + 1, count - 1);
    uint32_t argument = 4;
    for (const uint32_t *at = module_definition(r->m, call[3]); next_parameter(&at); argument++) {
        if (!(r->m->ids[at[2]].marks & MARK_TAKES_RECORD)) {
            continue;
        }
        struct record_source source = {.origin = ORIGIN_NONE};
        if (argument < count) {
            trace_descriptor(r->m, r->layout, call[argument], &source);
        }
        uint32_t identity = record_identity(r, &source);
        words_append(r, &operands, &identity, 1);
    }
    if (!r->out_of_memory) {
        write_to(r, &r->body, SpvOpFunctionCall, operands.data, operands.count);
    }
    words_drop(r, &operands);
}

static void write_phi(struct rewriter *r, struct walk *walk)
{
    const uint32_t *inst = r->m->words + walk->at;
    uint32_t count = inst[0] >> 16;
    bool renamed = false;
    for (uint32_t i = 4; i < count; i += 2) {
        renamed |= (module_marks(r->m, inst[i]) & MARK_SPLIT) != 0;
    }
    if (!renamed) {
        return;
    }
    replace(r, walk);
    uint32_t *place = words_grow(r, &r->body, count);
    if (place == NULL) {
        return;
    }
    memcpy(place, inst, count * sizeof(uint32_t));
    for (uint32_t i = 4; i < count; i += 2) {
        if (module_marks(r->m, inst[i]) & MARK_SPLIT) {
            struct id_entry *entry = &r->m->ids[inst[i]];
            entry->note = entry->note != 0 ? entry->note : new_id(r);
            place[i] = entry->note;
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
    copy_until(r, walk, walk->at);
    const struct id_entry *entry = &r->m->ids[walk->label];
    const uint32_t *merge = r->m->words + entry->binding;
    uint32_t body = new_id(r);
    uint32_t count = merge[0] >> 16;
    uint32_t target = merge[2];
    if (entry->marks & MARK_SELF_LOOP) {
        if (entry->note == 0) {
            r->m->ids[walk->label].note = new_id(r);
        }
        target = entry->note;
    }
    uint32_t *place = words_grow(r, &r->body, count);
    if (place != NULL) {
        memcpy(place, merge, count * sizeof(uint32_t));
        place[2] = target;
    }
    write_branch(r, body);
    begin_block(r, body);
    restate_position(r, walk);
    walk->header_open = false;
}

static void close_self_loop(struct rewriter *r, struct walk *walk)
{
    copy_until(r, walk, walk->at);
    uint32_t label = r->m->ids[walk->label].note;
    write_branch(r, label);
    begin_block(r, label);
}

/* An instruction that uses a sampled image whose block was split since. */
static void write_sampled_image_use(struct rewriter *r, struct walk *walk)
{
    const uint32_t *inst = r->m->words + walk->at;
    const uint32_t *sampled = module_definition(r->m, inst[3]);
    if ((sampled[0] & 0xffffu) != SpvOpSampledImage || r->m->ids[inst[3]].note == r->block) {
        return;
    }
    replace(r, walk);
    uint32_t again = sampled_image_here(r, inst[3]);
    uint32_t *place = words_grow(r, &r->body, inst[0] >> 16);
    if (place != NULL) {
        memcpy(place, inst, (inst[0] >> 16) * sizeof(uint32_t));
        place[3] = again;
    }
}

/* The batch's own variables go to the beginning of the function, where alone variables may stand. */
static void place_variables(struct rewriter *r, struct walk *walk)
{
    copy_until(r, walk, walk->at);
    uint32_t count = r->variables.count;
    if (count == 0 || words_grow(r, &r->body, count) == NULL) {
        return;
    }
    uint32_t *place = r->body.data + walk->variables_at;
    memmove(place + count, place, (r->body.count - count - walk->variables_at) * sizeof(uint32_t));
    memcpy(place, r->variables.data, count * sizeof(uint32_t));
    r->variables.count = 0;
}

static void walk_label(struct rewriter *r, struct walk *walk, const uint32_t *inst)
{
    uint32_t marks = r->m->ids[inst[1]].marks;
    if (walk->function != 0) {
        write_record_parameters(r, walk);
    }
    if (walk->first_block) {
        walk->first_block = false;
        copy_until(r, walk, walk->at + 2);
        walk->variables_at = r->body.count;
    }
    walk->batched = marks & MARK_BATCHED;
    forget_position(walk);
    walk->label = inst[1];
    walk->header_open = (marks & MARK_SPLIT) && (marks & MARK_LOOP);
    r->label = inst[1];
    r->block++;
}

static void rewrite_site(struct rewriter *r, const struct site *site, const struct site_plan *plan)
{
    switch (site->kind) {
    case SITE_LOOKUP:
        lookup_rewrite(r, site, plan);
        break;
    case SITE_TEXEL_FETCH:
    case SITE_TEXEL_COUNT:
        texel_buffer_rewrite(r, site, plan);
        break;
    case SITE_INPUT_READ:
        input_rewrite(r, site, plan);
        break;
    }
}

static void walk_instruction(struct rewriter *r, struct walk *walk);

/* Writes the filters of the open batch and then what waited for them. */
static void close_batch(struct rewriter *r, struct walk *walk)
{
    copy_until(r, walk, walk->at);
    batch_write(r, &walk->batch);
    restate_position(r, walk);
    uint32_t at = walk->at;
    for (uint32_t i = 0; i < walk->batch.waiting.count && !r->out_of_memory; i++) {
        walk->at = walk->batch.waiting.data[i];
        walk->copied = walk->at;
        walk_instruction(r, walk);
        copy_until(r, walk, walk->at + (r->m->words[walk->at] >> 16));
    }
    batch_forget(r, &walk->batch);
    walk->at = at;
    walk->copied = at;
}

/* Behind its batches a block goes on under the label that phis know. */
static void end_batched_block(struct rewriter *r, struct walk *walk)
{
    struct id_entry *entry = &r->m->ids[walk->label];
    walk->batched = false;
    copy_until(r, walk, walk->at);
    if (entry->marks & MARK_SELF_LOOP) {
        return; /* it gets a block of its own behind this one */
    }
    entry->note = entry->note != 0 ? entry->note : new_id(r);
    write_branch(r, entry->note);
    begin_block(r, entry->note);
}

/* True if the instruction waits: it is written later. */
static bool walk_batch(struct rewriter *r, struct walk *walk, uint32_t opcode)
{
    bool ends = opcode == SpvOpSelectionMerge || opcode_is_terminator(opcode);
    if (batch_is_open(&walk->batch)) {
        enum batch_step step = batch_meet(r, &walk->batch, walk->at);
        if (step == BATCH_WAIT) {
            replace(r, walk);
            return true;
        }
        if (step == BATCH_CLOSE || batch_is_full(&walk->batch)) {
            close_batch(r, walk);
        }
    }
    if (ends) {
        end_batched_block(r, walk);
    }
    return false;
}

/* What may stand before and between a function's variables. */
static bool stays_in_head(const struct module *m, const uint32_t *inst)
{
    uint32_t opcode = inst[0] & 0xffffu;
    return opcode == SpvOpVariable || opcode == SpvOpLabel || opcode == SpvOpFunctionParameter ||
           opcode == SpvOpFunction || opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpUndef ||
           (opcode == SpvOpExtInst && m->debug_import != 0 && inst[3] == m->debug_import);
}

static void end_head(struct rewriter *r, struct walk *walk)
{
    uint32_t end = walk->at;
    while (end < r->m->word_count && (r->m->words[end] & 0xffffu) != SpvOpFunctionEnd) {
        end += r->m->words[end] >> 16;
    }
    copy_until(r, walk, walk->at);
    texel_buffer_load_early(r, walk->site, end);
    walk->head = false;
}

static void walk_instruction(struct rewriter *r, struct walk *walk)
{
    struct module *m = r->m;
    const uint32_t *inst = m->words + walk->at;
    uint32_t opcode = inst[0] & 0xffffu;
    if (walk->head && opcode != SpvOpFunctionEnd && !stays_in_head(m, inst)) {
        end_head(r, walk);
    }
    if (walk->header_open && opcode != SpvOpPhi && opcode != SpvOpLine && opcode != SpvOpNoLine) {
        open_header(r, walk);
    }
    if (walk->batched && walk_batch(r, walk, opcode)) {
        return;
    }
    switch (opcode) {
    case SpvOpFunction:
        r->function = inst[2];
        walk->first_block = r->options->tier >= 2 || r->planned_reads != 0;
        r->no_variables = false;
        walk->head = r->planned_reads != 0 && r->options->form == SPIRV_FORM_CPU;
        r->early_count = 0;
        if (m->ids[inst[2]].marks & MARK_ALTERED) {
            write_altered_function(r, walk);
        }
        break;
    case SpvOpFunctionEnd:
        walk->function = 0;
        place_variables(r, walk);
        break;
    case SpvOpLabel:
        walk_label(r, walk, inst);
        break;
    case SpvOpPhi:
        write_phi(r, walk);
        break;
    case SpvOpLoopMerge:
        loops_note(r);
        if (m->ids[walk->label].marks & MARK_SPLIT) {
            replace(r, walk);
        }
        break;
    case SpvOpFunctionCall:
        if ((module_marks(m, inst[3]) & MARK_ALTERED) && module_opcode(m, inst[3]) == SpvOpFunction) {
            write_call(r, walk);
        }
        break;
    case SpvOpSampledImage:
    case SpvOpLoad:
        m->ids[inst[2]].note = r->block;
        break;
    case SpvOpLine:
        walk->line = walk->at;
        break;
    case SpvOpNoLine:
        walk->line = 0;
        break;
    case SpvOpExtInst:
        r->no_variables |= walk->first_block;
        if (m->debug_import != 0 && inst[3] == m->debug_import) {
            note_debug_instruction(walk, inst);
        }
        break;
    case SpvOpImage:
    case SpvOpImageQueryLod:
        write_sampled_image_use(r, walk);
        break;
    default:
        if (walk->site < m->site_count && m->sites[walk->site].offset == walk->at) {
            const struct site_plan *plan = &r->plans[walk->site];
            if (plan->form == SITE_ALONE) {
                write_sampled_image_use(r, walk);
            } else if (plan->batched) {
                replace(r, walk);
                batch_add(r, &walk->batch, &m->sites[walk->site], plan);
            } else {
                replace(r, walk);
                rewrite_site(r, &m->sites[walk->site], plan);
                if (plan->splits) {
                    restate_position(r, walk);
                }
            }
            walk->site++;
        } else if (opcode_is_terminator(opcode) && (m->ids[walk->label].marks & MARK_SELF_LOOP) &&
                   (m->ids[walk->label].marks & MARK_SPLIT)) {
            close_self_loop(r, walk);
        }
        break;
    }
}

static void walk_functions(struct rewriter *r)
{
    struct walk walk = {.at = r->m->functions_at, .copied = r->m->functions_at};
    while (walk.at < r->m->word_count && !r->out_of_memory) {
        walk_instruction(r, &walk);
        walk.at += r->m->words[walk.at] >> 16;
    }
    copy_until(r, &walk, r->m->word_count);
    batch_drop(r, &walk.batch);
}

/* Entry points list every global they use from SPIR-V 1.4 on: all that were declared are added to all of them. */
static uint32_t interface_growth(const struct rewriter *r)
{
    uint32_t variables = 0;
    for (uint32_t i = 0; r->m->version >= VERSION_1_4 && i < r->layout->set_count; i++) {
        variables += r->buffers[i].variable != 0;
        variables += r->buffers[i].nearest != 0;
    }
    return variables;
}

static uint32_t *put(uint32_t *to, const uint32_t *from, uint32_t count)
{
    if (count != 0) {
        memcpy(to, from, count * sizeof(uint32_t));
    }
    return to + count;
}

static uint32_t *put_entry_points(const struct rewriter *r, uint32_t *to, uint32_t added)
{
    const struct module *m = r->m;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += m->words[at] >> 16) {
        uint32_t count = m->words[at] >> 16;
        uint32_t *head = to;
        to = put(to, m->words + at, count);
        *head = (count + added) << 16 | SpvOpEntryPoint;
        for (uint32_t i = 0; added != 0 && i < r->layout->set_count; i++) {
            if (r->buffers[i].variable != 0) {
                *to++ = r->buffers[i].variable;
            }
            if (r->buffers[i].nearest != 0) {
                *to++ = r->buffers[i].nearest;
            }
        }
    }
    return to;
}

/* What rewritten code may need declared; a module that already has a capability has its extension as well. */
#define CAPABILITY_PHYSICAL_ADDRESSES 5347u
#define ADDRESSING_PHYSICAL_STORAGE_64 5348u
#define VERSION_1_5 0x00010500u
#define EXTENSION_WORDS 9u

struct capability {
    uint32_t number;
    uint32_t core; /* version from which on it needs no extension; 0: always */
    uint32_t extension[EXTENSION_WORDS];
};

/* SPV_KHR_physical_storage_buffer: loads from memory by address */
static const struct capability physical_addresses = {CAPABILITY_PHYSICAL_ADDRESSES,
                                                     VERSION_1_5,
                                                     {9u << 16 | SpvOpExtension, 0x5f565053u, 0x5f52484bu, 0x73796870u,
                                                      0x6c616369u, 0x6f74735fu, 0x65676172u, 0x6675625fu, 0x00726566u}};

/* SPV_KHR_subgroup_vote: it serves modules of any version */
static const struct capability subgroup_vote = {
    SpvCapabilitySubgroupVoteKHR,
    UINT32_MAX,
    {7u << 16 | SpvOpExtension, 0x5f565053u, 0x5f52484bu, 0x67627573u, 0x70756f72u, 0x746f765fu, 0x00000065u}};

struct preamble {
    uint32_t capabilities_end; /* offset behind the last capability of the module */
    bool addresses;            /* the module's addressing model becomes that of addresses */
    uint32_t capability_words, extension_words;
    uint32_t capabilities[4];
    uint32_t extensions[2 * EXTENSION_WORDS];
};

static bool has_capability(const struct module *m, uint32_t end, uint32_t number)
{
    for (uint32_t at = HEADER_WORDS; at < end; at += m->words[at] >> 16) {
        if (m->words[at + 1] == number) {
            return true;
        }
    }
    return false;
}

static bool declare_capability(const struct module *m, const struct capability *capability, struct preamble *p)
{
    if (has_capability(m, p->capabilities_end, capability->number)) {
        return false;
    }
    p->capabilities[p->capability_words++] = 2u << 16 | SpvOpCapability;
    p->capabilities[p->capability_words++] = capability->number;
    if (m->version < capability->core) {
        uint32_t count = capability->extension[0] >> 16;
        memcpy(p->extensions + p->extension_words, capability->extension, count * sizeof(uint32_t));
        p->extension_words += count;
    }
    return true;
}

static struct preamble preamble_growth(const struct rewriter *r)
{
    const struct module *m = r->m;
    struct preamble p = {.capabilities_end = HEADER_WORDS};
    while (p.capabilities_end < m->memory_model_at && (m->words[p.capabilities_end] & 0xffffu) == SpvOpCapability) {
        p.capabilities_end += m->words[p.capabilities_end] >> 16;
    }
    if (r->texel_function != 0) {
        p.addresses = declare_capability(m, &physical_addresses, &p);
    }
    if (r->voted) {
        declare_capability(m, &subgroup_vote, &p);
    }
    return p;
}

static const uint32_t glsl_import[] = {6u << 16 | SpvOpExtInstImport, 0, 0x4c534c47u, 0x6474732eu, 0x3035342eu, 0};

/* Puts the sections together. */
static enum spirv_result assemble(struct rewriter *r, struct spirv_output *output)
{
    const struct module *m = r->m;
    uint32_t import = r->import != 0 && r->import != m->glsl_import ? 6 : 0;
    uint32_t added = interface_growth(r);
    uint32_t entry_points = 0;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += m->words[at] >> 16) {
        entry_points++;
    }
    const struct preamble preamble = preamble_growth(r);
    const struct renumbering renumbering = renumber_plan(r->m, r->layout);
    uint32_t declared = preamble.capability_words + preamble.extension_words;
    size_t total = (size_t)m->functions_at + declared + import + (size_t)added * entry_points + r->names.count +
                   renumbering.behind + r->annotations.count + r->globals.count + r->body.count;
    uint32_t *words = r->allocator->reallocate(r->allocator->user, NULL, total * sizeof(uint32_t));
    if (words == NULL) {
        return SPIRV_OUT_OF_MEMORY;
    }
    uint32_t *to = put(words, m->words, preamble.capabilities_end);
    words[3] = r->next_id;
    to = put(to, preamble.capabilities, preamble.capability_words);
    to = put(to, preamble.extensions, preamble.extension_words);
    to = put(to, m->words + preamble.capabilities_end, m->memory_model_at - preamble.capabilities_end);
    if (import != 0) {
        to = put(to, glsl_import, 6);
        to[-5] = r->import;
    }
    uint32_t entry_points_at = m->entry_points_end != 0 ? m->entry_points_at : m->memory_model_at;
    uint32_t entry_points_end = m->entry_points_end != 0 ? m->entry_points_end : m->memory_model_at;
    uint32_t *memory_model = to;
    to = put(to, m->words + m->memory_model_at, entry_points_at - m->memory_model_at);
    if (m->entry_points_end != 0) {
        to = put_entry_points(r, to, added);
    }
    to = put(to, m->words + entry_points_end, m->names_end - entry_points_end);
    if (preamble.addresses && (memory_model[0] & 0xffffu) == SpvOpMemoryModel) {
        memory_model[1] = ADDRESSING_PHYSICAL_STORAGE_64;
    }
    to = put(to, r->names.data, r->names.count);
    uint32_t *annotations = to;
    to = put(to, m->words + m->names_end, m->annotations_end - m->names_end);
    renumber_write(m, r->layout, annotations, to);
    to += renumbering.behind;
    to = put(to, r->annotations.data, r->annotations.count);
    to = put(to, m->words + m->annotations_end, m->functions_at - m->annotations_end);
    to = put(to, r->globals.data, r->globals.count);
    put(to, r->body.data, r->body.count);
    output->words = words;
    output->word_count = total;
    return SPIRV_REWRITTEN;
}

/* Tier 0, and modules that read through no descriptor with a record: only Binding decorations change, if any. */
static enum spirv_result renumber_only(struct module *m, const struct spirv_layout *layout,
                                       const struct spirv_allocator *allocator, struct spirv_output *output)
{
    const struct renumbering renumbering = renumber_plan(m, layout);
    if (!renumbering.any) {
        return SPIRV_UNCHANGED;
    }
    size_t total = (size_t)m->word_count + renumbering.behind;
    uint32_t *words = allocator->reallocate(allocator->user, NULL, total * sizeof(uint32_t));
    if (words == NULL) {
        return SPIRV_OUT_OF_MEMORY;
    }
    uint32_t *behind = put(words, m->words, m->annotations_end);
    renumber_write(m, layout, words + m->names_end, behind);
    put(behind + renumbering.behind, m->words + m->annotations_end, m->word_count - m->annotations_end);
    output->words = words;
    output->word_count = total;
    return SPIRV_REWRITTEN;
}

static void drop_sections(struct rewriter *r)
{
    words_drop(r, &r->names);
    words_drop(r, &r->annotations);
    words_drop(r, &r->globals);
    words_drop(r, &r->body);
    words_drop(r, &r->variables);
    words_drop(r, &r->types);
    words_drop(r, &r->pending);
}

/* `*better` becomes another manner than the rewriter's if all is to be written again in that one. */
static enum spirv_result rewrite_lookups(struct rewriter *r, struct spirv_output *output, enum filter_manner *better)
{
    uint32_t rewritten = plan_sites(r);
    if (r->sites_left_alone != 0) {
        snprintf(output->message, sizeof(output->message), "%u of %u lookups left alone: %s", r->sites_left_alone,
                 r->m->site_count, r->left_alone_why);
    } else if (r->remark != NULL) {
        snprintf(output->message, sizeof(output->message), "%s", r->remark);
    }
    if (rewritten == 0) {
        return renumber_only(r->m, r->layout, r->allocator, output);
    }
    /* The usual growth, so that the body is allocated once: linked functions, and the code in each lookup's place. */
    uint32_t linked = r->options->tier < 2 ? 900 : 3600;
    uint32_t each = r->options->tier < 2 ? 120 : 320;
    words_grow(r, &r->body, r->m->word_count - r->m->functions_at + linked + rewritten * each);
    r->body.count = 0;
    walk_functions(r);
    *better = loops_better_manner(r);
    if (*better != r->manner && !r->out_of_memory) {
        return SPIRV_UNCHANGED;
    }
    place_record_function(r);
    texel_buffer_place_function(r);
    library_link(r);
    enum spirv_result result = r->out_of_memory ? SPIRV_OUT_OF_MEMORY : assemble(r, output);
    if (result == SPIRV_REWRITTEN) {
        output->rewritten_lookups = rewritten - r->planned_reads;
        output->rewritten_reads = r->planned_reads;
        if (r->options->fault == SPIRV_FAULT_INVALID_MODULE) {
            output->words[3] = r->m->bound;
        }
    }
    return result;
}

static bool renumbers(const struct spirv_layout *layout)
{
    for (uint32_t i = 0; i < layout->set_count; i++) {
        for (uint32_t j = 0; j < layout->sets[i].binding_count; j++) {
            if (layout->sets[i].bindings[j].binding != layout->sets[i].bindings[j].new_binding) {
                return true;
            }
        }
    }
    return false;
}

/* Votes are declared for the whole module, and other stages may not have them. */
static bool has_fragments_only(const struct module *m)
{
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += m->words[at] >> 16) {
        if (m->words[at + 1] != SpvExecutionModelFragment) {
            return false;
        }
    }
    return true;
}

/* Writes the module in `*manner`, which becomes another one if it has to be done again in that. */
static enum spirv_result rewrite_in(struct module *m, const struct spirv_layout *layout,
                                    const struct spirv_options *options, const struct spirv_allocator *allocator,
                                    struct spirv_output *output, enum filter_manner *manner)
{
    struct rewriter r;
    memset(&r, 0, sizeof(r));
    r.m = m;
    r.layout = layout;
    r.options = options;
    r.allocator = allocator;
    r.next_id = m->bound;
    r.manner = *manner;
    r.votes = options->votes && options->form == SPIRV_FORM_GPU && has_fragments_only(m);
    r.library = options->fault != SPIRV_FAULT_NONE ? &library_faulty : &library_normal;
    size_t plans = m->site_count * sizeof(*r.plans);
    size_t buffers = layout->set_count * sizeof(*r.buffers);
    char *memory = allocator->reallocate(allocator->user, NULL, plans + buffers);
    if (memory == NULL) {
        return SPIRV_OUT_OF_MEMORY;
    }
    memset(memory, 0, plans + buffers);
    r.plans = (struct site_plan *)(void *)memory;
    r.buffers = (struct record_buffer *)(void *)(memory + plans);
    enum spirv_result result = rewrite_lookups(&r, output, manner);
    drop_sections(&r);
    allocator->reallocate(allocator->user, memory, 0);
    return result;
}

enum spirv_result spirv_rewrite(const uint32_t *words, size_t word_count, const struct spirv_layout *layout,
                                const struct spirv_options *options, const struct spirv_allocator *allocator,
                                struct spirv_output *output)
{
    memset(output, 0, sizeof(*output));
    allocator = allocator != NULL ? allocator : &module_c_allocator;
    struct spirv_facts facts;
    bool parses = spirv_scan(words, word_count, &facts) != SPIRV_MALFORMED;
    if (parses && (options->tier == 0 || !spirv_follows_records(&facts)) && !renumbers(layout)) {
        return SPIRV_UNCHANGED;
    }
    enum filter_manner manner = FILTER_LOOPS, tried;
    enum spirv_result result;
    do {
        struct module m;
        result = module_index(&m, words, word_count, allocator, output->message);
        if (result != SPIRV_REWRITTEN) {
            return result;
        }
        tried = manner;
        bool reads = options->tier != 0 && spirv_follows_records(&facts) && !m.kernel;
        result = reads ? rewrite_in(&m, layout, options, allocator, output, &manner)
                       : renumber_only(&m, layout, allocator, output);
        module_drop(&m, allocator);
    } while (manner != tried && result != SPIRV_OUT_OF_MEMORY);
    return result;
}
