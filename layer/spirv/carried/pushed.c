/* SPDX-License-Identifier: MIT */
/* Finds each entry point's push constants, and writes what its function does first. */
#include "spirv/carried/pushed.h"

#include <spirv/unified1/spirv.h>
#include "spirv/carried/block.h"
#include "spirv/carried/carried.h"
#include "spirv/reshape/reshape.h"

#define VERSION_1_4 0x00010400u

enum { ENTRY_WORDS = 2, HEAD_WORDS = 2 };

static const char cannot_be_told[] = "its push constants cannot be told from the code";

/* ---- Which push constants an entry point has ---- */

static bool is_pushed(const struct module *m, uint32_t id)
{
    const uint32_t *variable = module_definition(m, id);
    return inst_opcode(variable) == SpvOpVariable && variable[3] == SpvStorageClassPushConstant;
}

/* False if it is another one than before. */
static bool meet_variable(uint32_t id, uint32_t *variable)
{
    bool same = *variable == 0 || *variable == id;
    *variable = id;
    return same;
}

/* From SPIR-V 1.4 on the interface names them. */
static bool find_in_interface(const struct module *m, const uint32_t *entry_point, uint32_t *variable)
{
    bool one = true;
    const uint32_t count = inst_length(entry_point);
    uint32_t at = 3; /* the name */
    while (at < count && (entry_point[at] & 0xff000000u) != 0 && (entry_point[at] & 0x00ff0000u) != 0 &&
           (entry_point[at] & 0x0000ff00u) != 0 && (entry_point[at] & 0x000000ffu) != 0)
        at++;
    for (at++; at < count; at++) {
        if (is_pushed(m, entry_point[at]))
            one &= meet_variable(entry_point[at], variable);
    }
    return one;
}

/* Does a function hand on a pointer to the whole block, or do something else with it that is not known here? */
static bool passes_on(const struct module *m, const uint32_t *inst)
{
    const uint32_t opcode = inst_opcode(inst);
    const bool copies = opcode == SpvOpStore || opcode == SpvOpCopyMemory;
    const bool passes = copies || opcode == SpvOpFunctionCall || opcode == SpvOpPhi || opcode == SpvOpSelect ||
                        opcode == SpvOpReturnValue;
    const uint32_t end = copies ? 3 : inst_length(inst);
    bool found = false;
    for (uint32_t i = 1; passes && i < end && !found; i++)
        found = is_pushed(m, inst[i]);
    return found;
}

/* What one function reads, and which it calls: those are appended to `reached` once. */
static bool look_into(struct rewriter *r, uint32_t function, struct words *reached, uint32_t *variable)
{
    struct module *m = r->m;
    uint32_t at = m->ids[function].definition;
    bool known = true;
    for (; known && at < m->word_count && inst_opcode(m->words + at) != SpvOpFunctionEnd;
         at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t opcode = inst_opcode(inst);
        known = !passes_on(m, inst);
        if (opcode == SpvOpFunctionCall && module_opcode(m, inst[3]) == SpvOpFunction &&
            !(m->ids[inst[3]].marks & MARK_REACHED)) {
            m->ids[inst[3]].marks |= MARK_REACHED;
            words_append(r, reached, &inst[3], 1);
        } else if ((opcode == SpvOpLoad || opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain ||
                    opcode == SpvOpCopyObject) &&
                   is_pushed(m, inst[3])) {
            known &= meet_variable(inst[3], variable);
        }
    }
    return known;
}

static bool find_in_functions(struct rewriter *r, uint32_t function, uint32_t *variable)
{
    struct words reached = {0};
    bool known = module_opcode(r->m, function) == SpvOpFunction;
    if (known) {
        r->m->ids[function].marks |= MARK_REACHED;
        words_append(r, &reached, &function, 1);
    }
    for (uint32_t i = 0; known && i < reached.count; i++)
        known = look_into(r, reached.data[i], &reached, variable);
    for (uint32_t i = 0; i < reached.count; i++)
        r->m->ids[reached.data[i]].marks &= ~(uint32_t)MARK_REACHED;
    words_drop(r, &reached);
    return known;
}

/* Is there room for the root behind the program's own? */
static const char *has_room(const struct rewriter *r, uint32_t variable)
{
    const struct module *m = r->m;
    const uint32_t *pointer = module_definition(m, module_type_of(m, variable));
    uint64_t end;
    if (inst_opcode(pointer) != SpvOpTypePointer || !block_end(m, pointer[3], &end))
        return cannot_be_told;
    return end > r->layout->root_at ? "its push constants leave no room behind them" : NULL;
}

static void extend(struct rewriter *r, uint32_t variable)
{
    struct words *members = &r->carried->members;
    for (uint32_t i = 0; i < members->count; i += RESHAPE_MEMBER_WORDS) {
        if (members->data[i] == variable)
            return;
    }
    const uint32_t member[RESHAPE_MEMBER_WORDS] = {variable, type_vector(r, SCALAR_UINT, 2), r->layout->root_at};
    words_append(r, members, member, RESHAPE_MEMBER_WORDS);
}

static const char *plan(struct rewriter *r)
{
    const struct module *m = r->m;
    bool any = false;
    for (uint32_t at = m->annotations_end; at < m->functions_at; at += inst_length(m->words + at))
        any |= inst_opcode(m->words + at) == SpvOpVariable && m->words[at + 3] == SpvStorageClassPushConstant;
    for (uint32_t at = m->entry_points_at; at < m->entry_points_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        uint32_t entry[ENTRY_WORDS] = {inst[2], 0};
        if (any && !(find_in_functions(r, inst[2], &entry[1]) &&
                     (m->version < VERSION_1_4 || find_in_interface(m, inst, &entry[1]))))
            return cannot_be_told;
        if (entry[1] != 0) {
            const char *why = has_room(r, entry[1]);
            if (why)
                return why;
            extend(r, entry[1]);
        } else {
            r->carried->own = r->carried->own != 0 ? r->carried->own : new_id(r);
            entry[1] = r->carried->own;
        }
        words_append(r, &r->carried->entries, entry, ENTRY_WORDS);
    }
    return NULL;
}

const char *pushed_unreachable(struct rewriter *r)
{
    if (!r->carried->planned) {
        r->carried->planned = true;
        r->carried->unreachable = plan(r);
    }
    return r->carried->unreachable;
}

/* ---- Code ---- */

bool pushed_is_entry(const struct rewriter *r, uint32_t function)
{
    const struct words *entries = &r->carried->entries;
    bool found = false;
    for (uint32_t i = 0; i < entries->count && !found; i += ENTRY_WORDS)
        found = entries->data[i] == function;
    return found && !r->carried->unreachable;
}

void pushed_head(struct rewriter *r, uint32_t function, uint32_t at)
{
    const uint32_t head[HEAD_WORDS] = {function, at};
    words_append(r, &r->carried->heads, head, HEAD_WORDS);
}

uint32_t pushed_root(struct rewriter *r)
{
    uint32_t type = type_vector(r, SCALAR_UINT, 2);
    if (r->carried->root == 0) {
        uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassPrivate, type);
        r->carried->root = new_id(r);
        write_to(r, &r->globals, SpvOpVariable, OPERANDS(pointer, r->carried->root, SpvStorageClassPrivate));
        write_name(r, r->carried->root, "clampler_root");
    }
    return VALUE(r, SpvOpLoad, type, r->carried->root);
}

/* layout(push_constant) uniform { layout(offset = root_at) uvec2 root; } */
static void declare_own(struct rewriter *r)
{
    uint32_t uvec2 = type_vector(r, SCALAR_UINT, 2);
    uint32_t block = TYPE(r, SpvOpTypeStruct, uvec2);
    uint32_t pointer = TYPE(r, SpvOpTypePointer, SpvStorageClassPushConstant, block);
    r->carried->own_declared = true;
    write_to(r, &r->globals, SpvOpVariable, OPERANDS(pointer, r->carried->own, SpvStorageClassPushConstant));
    write_name(r, r->carried->own, "clampler_push");
    write_to(r, &r->annotations, SpvOpDecorate, OPERANDS(block, SpvDecorationBlock));
    write_to(r, &r->annotations, SpvOpMemberDecorate, OPERANDS(block, 0, SpvDecorationOffset, r->layout->root_at));
}

static uint32_t variable_of(const struct rewriter *r, uint32_t function)
{
    const struct words *entries = &r->carried->entries;
    uint32_t i = 0;
    while (entries->data[i] != function)
        i += ENTRY_WORDS;
    return entries->data[i + 1];
}

/* The number of the member that is added to the variable's struct. */
static uint32_t member_of(const struct rewriter *r, uint32_t variable)
{
    if (variable == r->carried->own)
        return 0;
    const uint32_t *pointer = module_definition(r->m, module_type_of(r->m, variable));
    return inst_length(module_definition(r->m, pointer[3])) - 2;
}

void pushed_write_heads(struct rewriter *r)
{
    const struct words *heads = &r->carried->heads;
    if (r->carried->root == 0 || r->out_of_memory)
        return;
    uint32_t uvec2 = type_vector(r, SCALAR_UINT, 2);
    uint32_t type = TYPE(r, SpvOpTypePointer, SpvStorageClassPushConstant, uvec2);
    /* From the last to the first, so that places stay where they are. */
    for (uint32_t i = heads->count; i != 0 && !r->out_of_memory; i -= HEAD_WORDS) {
        const uint32_t *head = heads->data + i - HEAD_WORDS;
        uint32_t variable = variable_of(r, head[0]);
        if (variable == r->carried->own && !r->carried->own_declared)
            declare_own(r);
        uint32_t from = r->body.count;
        uint32_t member = constant_uint(r, member_of(r, variable));
        uint32_t pointer = VALUE(r, SpvOpAccessChain, type, variable, member);
        uint32_t root = VALUE(r, SpvOpLoad, uvec2, pointer);
        WRITE(r, SpvOpStore, r->carried->root, root);
        if (!r->out_of_memory)
            words_move_back(&r->body, from, head[1]);
    }
}

uint32_t pushed_interface(const struct rewriter *r, uint32_t entry_point, uint32_t variables[PUSHED_VARIABLES])
{
    const struct carried *c = r->carried;
    uint32_t count = 0;
    uint32_t list[PUSHED_VARIABLES];
    if (c->root == 0)
        return 0;
    list[count++] = c->root;
    if (c->own_declared && c->entries.data[entry_point * ENTRY_WORDS + 1] == c->own)
        list[count++] = c->own;
    for (uint32_t i = 0; variables && i < count; i++)
        variables[i] = list[i];
    return count;
}

void pushed_drop(struct rewriter *r)
{
    words_drop(r, &r->carried->entries);
    words_drop(r, &r->carried->heads);
    words_drop(r, &r->carried->members);
    words_drop(r, &r->carried->passed);
}
