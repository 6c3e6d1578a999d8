/* SPDX-License-Identifier: MIT */
/*
 * Keys of views by which pairs and the device's needs are found. Orders of channels and borders do not fit into
 * view_facts_key(): each of them that occurs, with the rest of the facts, gets the next number. Numbers stay until the
 * device goes.
 */
#include "objects/table.h"
#include "objects/track.h"
#include "sampling/sampling.h"
#include "view_facts/view_facts.h"
#include "views/view.h"

/* A key as the value of a table. */
static void *value_of(uint32_t key)
{
    return (void *)(uintptr_t)key;
}

static uint32_t made(struct sampling *s, uint64_t facts)
{
    uint32_t key = (uint32_t)(uintptr_t)table_find(&s->view_keys, facts);
    if (key)
        return key;
    key = VIEW_FACTS_KEYS + s->view_key_count;
    if (key == VIEW_FACTS_NO_KEY || !table_insert(&s->view_keys, facts, value_of(key)))
        return 0;
    s->view_key_count++;
    return key;
}

bool view_key(struct track *track, const struct view_facts *facts, uint32_t *key)
{
    struct sampling *s = track->sampling;
    *key = view_facts_key(facts);
    if (view_facts_key_is_whole(facts))
        return true;
    const uint64_t whole = (uint64_t)view_facts_rest(facts) << 32 | *key;
    *key = (uint32_t)(uintptr_t)table_find(&s->view_keys, whole);
    if (!*key) {
        pthread_mutex_lock(&s->states.lock);
        *key = made(s, whole);
        pthread_mutex_unlock(&s->states.lock);
    }
    return *key != 0;
}
