/* SPDX-License-Identifier: MIT */
/*
 * Insertion and removal, under the table's lock; look-ups are inline in table.h and take none. So an array that has
 * been outgrown cannot be freed before the table, and a slot's value is always written before its key.
 */
#include "objects/table.h"

#include <stdlib.h>

enum { FIRST_SLOTS_LOG2 = 8, SPARSE_SLOTS = 4096 };

bool table_init(struct table *table)
{
    atomic_init(&table->slots, NULL);
    table->live = 0;
    table->used = 0;
    return pthread_mutex_init(&table->lock, NULL) == 0;
}

void table_finish(struct table *table)
{
    struct table_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
    while (slots) {
        struct table_slots *retired = slots->retired;
        free(slots);
        slots = retired;
    }
    pthread_mutex_destroy(&table->lock);
}

static struct table_slots *make_slots(unsigned log2)
{
    size_t count = (size_t)1 << log2;
    struct table_slots *slots = calloc(1, sizeof(*slots) + (count + 1) * sizeof(slots->slot[0]));
    if (slots) {
        slots->mask = count - 1;
        slots->shift = 64 - log2;
    }
    return slots;
}

/*
 * Writes key and value into the first slot that is free for the key. The value goes first: a reader that sees the key
 * sees its value. Returns whether an empty slot (rather than a tombstone) was taken.
 */
static bool put_slot(struct table_slots *slots, uint64_t key, void *value)
{
    for (uint64_t i = table_start(slots, key);; i = (i + 1) & slots->mask) {
        uint64_t found = atomic_load_explicit(&slots->slot[i].key, memory_order_relaxed);
        if (found == TABLE_EMPTY || found == TABLE_REMOVED) {
            atomic_store_explicit(&slots->slot[i].value, value, memory_order_release);
            atomic_store_explicit(&slots->slot[i].key, key, memory_order_release);
            return found == TABLE_EMPTY;
        }
    }
}

/* At a quarter, most keys stand where the search for them begins; large tables are fuller, to save memory. */
static bool has_room(const struct table *table, const struct table_slots *slots)
{
    const uint64_t count = slots->mask + 1;
    return (table->used + 1) * 8 <= count * (count <= SPARSE_SLOTS ? 2 : 5);
}

/*
 * Makes room for one more key. The old array stays until the table goes, since readers may be in it; arrays only ever
 * double, so all retired ones together are smaller than the present one.
 */
static bool make_room(struct table *table)
{
    struct table_slots *old = atomic_load_explicit(&table->slots, memory_order_relaxed);
    if (old && has_room(table, old))
        return true;
    struct table_slots *slots = make_slots(old ? 64 - old->shift + 1 : FIRST_SLOTS_LOG2);
    if (!slots)
        return false;
    slots->retired = old;
    for (uint64_t i = 0; old && i <= old->mask; i++) {
        uint64_t key = atomic_load_explicit(&old->slot[i].key, memory_order_relaxed);
        if (key != TABLE_EMPTY && key != TABLE_REMOVED)
            put_slot(slots, key, atomic_load_explicit(&old->slot[i].value, memory_order_relaxed));
    }
    table->used = table->live;
    atomic_store_explicit(&table->slots, slots, memory_order_release);
    return true;
}

bool table_open(struct table *table)
{
    pthread_mutex_lock(&table->lock);
    const bool room = make_room(table);
    pthread_mutex_unlock(&table->lock);
    return room;
}

static struct table_slot *find_slot(struct table_slots *slots, uint64_t key)
{
    if (!slots)
        return NULL;
    for (uint64_t i = table_start(slots, key);; i = (i + 1) & slots->mask) {
        uint64_t found = atomic_load_explicit(&slots->slot[i].key, memory_order_relaxed);
        if (found == key)
            return &slots->slot[i];
        if (found == TABLE_EMPTY)
            return NULL;
    }
}

bool table_insert(struct table *table, uint64_t key, void *value)
{
    bool done = false;
    pthread_mutex_lock(&table->lock);
    struct table_slot *there = find_slot(atomic_load_explicit(&table->slots, memory_order_relaxed), key);
    if (there) {
        atomic_store_explicit(&there->value, value, memory_order_release);
        done = true;
    } else if (make_room(table)) {
        table->used += put_slot(atomic_load_explicit(&table->slots, memory_order_relaxed), key, value);
        table->live++;
        done = true;
    }
    pthread_mutex_unlock(&table->lock);
    return done;
}

/*
 * A tombstone is needed only while a key may lie behind it. With an empty slot behind it, it and the tombstones before
 * it become empty, so that a table whose size does not grow does not fill up with tombstones.
 */
static void sweep_tombstones(struct table *table, struct table_slots *slots, uint64_t at)
{
    uint64_t next = (at + 1) & slots->mask;
    if (atomic_load_explicit(&slots->slot[next].key, memory_order_relaxed) != TABLE_EMPTY)
        return;
    while (atomic_load_explicit(&slots->slot[at].key, memory_order_relaxed) == TABLE_REMOVED) {
        atomic_store_explicit(&slots->slot[at].key, TABLE_EMPTY, memory_order_release);
        table->used--;
        at = (at - 1) & slots->mask;
    }
}

void *table_remove(struct table *table, uint64_t key)
{
    void *value = NULL;
    pthread_mutex_lock(&table->lock);
    struct table_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
    struct table_slot *slot = key == TABLE_EMPTY ? NULL : find_slot(slots, key);
    if (slot) {
        value = atomic_load_explicit(&slot->value, memory_order_relaxed);
        atomic_store_explicit(&slot->key, TABLE_REMOVED, memory_order_release);
        atomic_store_explicit(&slot->value, NULL, memory_order_release);
        table->live--;
        sweep_tombstones(table, slots, (uint64_t)(slot - slots->slot));
    }
    pthread_mutex_unlock(&table->lock);
    return value;
}

void table_visit(struct table *table, void (*visit)(void *value, void *user), void *user)
{
    pthread_mutex_lock(&table->lock);
    struct table_slots *slots = atomic_load_explicit(&table->slots, memory_order_relaxed);
    for (uint64_t i = 0; slots && i <= slots->mask; i++) {
        uint64_t key = atomic_load_explicit(&slots->slot[i].key, memory_order_relaxed);
        if (key != TABLE_EMPTY && key != TABLE_REMOVED)
            visit(atomic_load_explicit(&slots->slot[i].value, memory_order_relaxed), user);
    }
    pthread_mutex_unlock(&table->lock);
}
