/* SPDX-License-Identifier: MIT */
/*
 * Memory for entries of ids, in proportion to the module's words, whatever bound it declares. Tools that remove
 * instructions leave holes. So for a module whose bound is greater than its count of words, pages exist only for words
 * that may be ids, that is, are less than the bound. New ids may fill the greatest hole.
 */
#include "spirv/module/module.h"

#include <string.h>

/* As many new ids as a rewrite of one shader takes, and more. */
#define NEW_IDS (1u << 18)

static bool is_made(const struct id_plan *plan, uint32_t page)
{
    return plan->all || (plan->made[page / 64] >> (page % 64) & 1);
}

void ids_plan(const struct module *m, struct id_plan *plan)
{
    plan->pages = (m->bound + IDS_A_PAGE - 1) / IDS_A_PAGE;
    plan->used = plan->pages;
    plan->all = m->bound <= m->word_count && m->bound <= MODULE_GREATEST_BOUND - NEW_IDS;
    if (plan->all)
        return;
    memset(plan->made, 0, sizeof(plan->made));
    plan->made[0] = 1; /* 0 is never an id */
    plan->used = 1;
    for (uint32_t at = HEADER_WORDS; at < m->word_count; at++) {
        if (m->words[at] >= m->bound)
            continue;
        const uint32_t page = m->words[at] / IDS_A_PAGE;
        plan->used += !is_made(plan, page);
        plan->made[page / 64] |= UINT64_C(1) << (page % 64);
    }
}

size_t ids_bytes(const struct id_plan *plan)
{
    return plan->pages * sizeof(struct id_entry *) + (size_t)plan->used * IDS_A_PAGE * sizeof(struct id_entry);
}

/* Behind the bound, or in the greatest hole where that has more room. */
static void find_free(struct module *m, const struct id_plan *plan)
{
    m->free_id = m->bound;
    m->free_end = MODULE_GREATEST_BOUND;
    if (plan->all || m->free_end - m->free_id >= NEW_IDS)
        return;
    for (uint32_t page = 0; page < plan->pages;) {
        uint32_t end = page;
        while (end < plan->pages && !is_made(plan, end))
            end++;
        if ((end - page) * IDS_A_PAGE > m->free_end - m->free_id) {
            m->free_id = page * IDS_A_PAGE;
            m->free_end = end * IDS_A_PAGE < m->bound ? end * IDS_A_PAGE : m->bound;
        }
        page = end + 1;
    }
}

void ids_place(struct module *m, const struct id_plan *plan, void *memory)
{
    static const struct id_entry none[IDS_A_PAGE];
    m->pages = memory;
    m->entries = (struct id_entry *)(void *)(m->pages + plan->pages);
    m->entry_count = plan->used * IDS_A_PAGE;
    memset(m->entries, 0, m->entry_count * sizeof(*m->entries));
    struct id_entry *next = m->entries;
    for (uint32_t page = 0; page < plan->pages; page++) {
        const bool made = is_made(plan, page);
        m->pages[page] = made ? next : (struct id_entry *)(uintptr_t)none;
        next += made ? IDS_A_PAGE : 0;
    }
    find_free(m, plan);
}
