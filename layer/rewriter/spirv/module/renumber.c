/* SPDX-License-Identifier: MIT */
/*
 * Binding numbers of layouts in which a binding of a variable count had to move up. Such modules are rewritten in tier
 * 0, too.
 */
#include "spirv/module/renumber.h"

#include <string.h>

#include <spirv/unified1/spirv.h>
#include "spirv/module/trace.h"

#define DECORATION_WORDS 4u

/* The number that a variable's binding gets. */
static uint32_t driver_number(const struct module *m, const struct spirv_layout *layout, uint32_t target,
                              uint32_t number)
{
    uint32_t set = module_id(m, target)->set;
    const struct spirv_binding *binding = set != 0 ? trace_binding(layout, set - 1, number) : NULL;
    return binding ? binding->new_binding : number;
}

static bool is_group(const struct module *m, uint32_t target)
{
    return module_opcode(m, target) == SpvOpDecorationGroup;
}

/*
 * The Binding decoration that a group gives its targets. NULL: the group has none, `inst` does not apply a group, or it
 * names the group itself, which no valid module does.
 */
static const uint32_t *group_binding(const struct module *m, const uint32_t *inst)
{
    bool group = inst_opcode(inst) == SpvOpGroupDecorate && is_group(m, inst[1]);
    for (uint32_t i = 2; group && i < inst_length(inst); i++)
        group = inst[i] != inst[1];
    return group && module_id(m, inst[1])->group_binding != 0 ? m->words + module_id(m, inst[1])->group_binding : NULL;
}

/* Marks the groups that number some target otherwise; returns how many. */
static uint32_t mark_groups(struct module *m, const struct spirv_layout *layout)
{
    uint32_t groups = 0;
    for (uint32_t at = m->names_end; at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t *binding = group_binding(m, inst);
        bool moved = false;
        for (uint32_t i = 2; binding && i < inst_length(inst); i++)
            moved |= driver_number(m, layout, inst[i], binding[3]) != binding[3];
        if (moved && !(module_id(m, inst[1])->marks & MARK_GROUP_MOVED)) {
            module_id(m, inst[1])->marks |= MARK_GROUP_MOVED;
            groups++;
        }
    }
    return groups;
}

struct renumbering renumber_plan(struct module *m, const struct spirv_layout *layout)
{
    uint32_t groups = mark_groups(m, layout), targets = 0;
    bool any = groups != 0;
    for (uint32_t at = m->names_end; groups != 0 && at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        bool moved = group_binding(m, inst) && (module_id(m, inst[1])->marks & MARK_GROUP_MOVED);
        targets += moved ? inst_length(inst) - 2 : 0;
    }
    for (uint32_t i = 0; i < m->binding_count && !any; i++) {
        const uint32_t *inst = m->words + m->bindings[i];
        any = !is_group(m, inst[1]) && driver_number(m, layout, inst[1], inst[3]) != inst[3];
    }
    /* The group's own decoration becomes that of one target. */
    return (struct renumbering){any, (targets - groups) * DECORATION_WORDS};
}

void renumber_write(const struct module *m, const struct spirv_layout *layout, uint32_t *annotations, uint32_t *behind)
{
    for (uint32_t i = 0; i < m->binding_count; i++) {
        const uint32_t *inst = m->words + m->bindings[i];
        if (!is_group(m, inst[1]))
            annotations[m->bindings[i] - m->names_end + 3] = driver_number(m, layout, inst[1], inst[3]);
    }
    for (uint32_t at = m->names_end; at < m->annotations_end; at += inst_length(m->words + at)) {
        const uint32_t *inst = m->words + at;
        const uint32_t *binding = group_binding(m, inst);
        if (!binding || !(module_id(m, inst[1])->marks & MARK_GROUP_MOVED))
            continue;
        for (uint32_t i = 2; i < inst_length(inst); i++) {
            uint32_t *own = annotations + (module_id(m, inst[1])->group_binding - m->names_end);
            if (own[1] != inst[1]) { /* some target has it */
                own = behind;
                behind += DECORATION_WORDS;
            }
            const uint32_t decoration[DECORATION_WORDS] = {binding[0], inst[i], SpvDecorationBinding,
                                                           driver_number(m, layout, inst[i], binding[3])};
            memcpy(own, decoration, sizeof(decoration));
        }
    }
}
