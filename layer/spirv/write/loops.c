/* SPDX-License-Identifier: MIT */
/*
 * Counts the loops that each function runs through, those of the functions that it calls included. If those are too
 * many for CPU drivers, rewrite.c writes the module once more in another manner.
 */
#include "spirv/write/loops.h"

#include <spirv/unified1/spirv.h>

#define LOOPS_MOST 10u
#define MOST_ROUNDS 128u

/*
 * The entry of a function has two counts: `loops` that were written in it so far, and `loops_in_calls`, in which those
 * of a function that it calls are added once for every call. No count goes beyond LOOPS_MOST + 1.
 */
static uint32_t sum(uint32_t a, uint32_t b)
{
    return a <= LOOPS_MOST && b <= LOOPS_MOST ? a + b : LOOPS_MOST + 1;
}

void loops_count(struct rewriter *r)
{
    struct id_entry *function = &r->m->ids[r->function];
    function->loops = sum(function->loops, 1);
}

void loops_count_filter(struct rewriter *r)
{
    r->loops->filter_loops++;
    loops_count(r);
}

static struct id_entry *callee_of(struct module *m, const struct call *call)
{
    uint32_t id = m->words[call->offset + 3];
    return module_opcode(m, id) == SpvOpFunction ? &m->ids[id] : NULL;
}

/* Counts anew with what is known of the functions called; calls lie in order, those of one function together. */
static bool count_calls(struct module *m)
{
    bool changed = false;
    for (uint32_t i = 0, end; i < m->call_count; i = end) {
        struct id_entry *function = &m->ids[m->calls[i].function];
        uint32_t loops = function->loops;
        for (end = i; end < m->call_count && m->calls[end].function == m->calls[i].function; end++) {
            const struct id_entry *callee = callee_of(m, &m->calls[end]);
            loops = callee ? sum(loops, callee->loops_in_calls) : loops;
        }
        changed |= loops != function->loops_in_calls;
        function->loops_in_calls = loops;
    }
    return changed;
}

static bool too_many(struct module *m)
{
    bool many = false;
    for (uint32_t at = m->functions_at; at < m->word_count; at += inst_length(m->words + at)) {
        if (inst_opcode(m->words + at) == SpvOpFunction) {
            struct id_entry *function = &m->ids[m->words[at + 2]];
            function->loops_in_calls = function->loops;
            many |= function->loops > LOOPS_MOST;
        }
    }
    for (uint32_t round = 0; round < MOST_ROUNDS && count_calls(m); round++) {
    }
    for (uint32_t i = 0; i < m->call_count; i++)
        many |= m->ids[m->calls[i].function].loops_in_calls > LOOPS_MOST;
    return many;
}

enum filter_manner loops_better_manner(const struct rewriter *r)
{
    if (r->options->form != SPIRV_FORM_CPU || r->loops->filter_loops == 0 || !too_many(r->m))
        return r->loops->manner;
    return r->loops->manner == FILTER_LOOPS && r->loops->images_apart ? FILTER_LOOPS_SHARED : FILTER_LOOP_FREE;
}
