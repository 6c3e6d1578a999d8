/* SPDX-License-Identifier: MIT */
/*
 * A table from handles to the layer's objects. Look-ups take no lock and may run while other threads insert and remove;
 * inserts and removals lock. Vulkan's own contract makes that safe: the program looks a handle up only between its
 * creation and its destruction, and orders those calls. A look-up of a handle that may be gone returns NULL, or an
 * object that was in the table during the call; the caller must keep that object alive by other means.
 */
#ifndef CLAMPLER_OBJECTS_TABLE_H
#define CLAMPLER_OBJECTS_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_slot {
    _Atomic(uint64_t) key; /* a handle, TABLE_EMPTY or TABLE_REMOVED */
    _Atomic(void *) value;
};

struct table_slots {
    struct table_slots *retired; /* the smaller array that this one replaced: readers may still be in it */
    uint64_t mask;               /* slot count - 1, a power of two */
    unsigned shift;              /* 64 - log2(slot count) */
    struct table_slot slot[];    /* and an empty one behind the last, where table_probe() ends */
};

struct table {
    _Atomic(struct table_slots *) slots; /* NULL until the first insertion */
    pthread_mutex_t lock;                /* for the two counts, and for writing slots */
    size_t live;                         /* keys in the table */
    size_t used;                         /* keys and tombstones */
};

#define TABLE_EMPTY 0u /* VK_NULL_HANDLE is never inserted */
#define TABLE_REMOVED UINT64_MAX

/* False if the mutex cannot be made. */
bool table_init(struct table *table);

/* Makes room for the first insertion, so that table_probe() may be called. False: out of memory. */
bool table_open(struct table *table);

/* Frees the arrays; the values are the caller's. No look-up may be running. */
void table_finish(struct table *table);

/* False if memory runs out: nothing is changed. A key that is there already is given the new value. */
bool table_insert(struct table *table, uint64_t key, void *value);

/* Returns the value that was removed, or NULL if the key was not there. */
void *table_remove(struct table *table, uint64_t key);

/* Calls `visit` for every value, under the lock. `visit` must not touch the table. */
void table_visit(struct table *table, void (*visit)(void *value, void *user), void *user);

/*
 * The slot that a key's search begins at. Drivers' handles are often addresses at equal distances, which the product
 * alone puts side by side for some distances: the key's higher bits go into its lower ones first.
 */
static inline uint64_t table_start(const struct table_slots *slots, uint64_t key)
{
    return ((key ^ key >> 7) * UINT64_C(0x9e3779b97f4a7c15)) >> slots->shift;
}

/*
 * The value, in a table that was opened; NULL: unknown, call table_find(). VK_NULL_HANDLE gives NULL or any value. For
 * the hottest paths.
 */
static inline __attribute__((always_inline)) void *table_probe(const struct table *table, uint64_t key)
{
    const struct table_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    for (const struct table_slot *slot = &slots->slot[table_start(slots, key)];; slot++) {
        const uint64_t found = atomic_load_explicit(&slot->key, memory_order_acquire);
        if (__builtin_expect(found == key, true))
            return atomic_load_explicit(&slot->value, memory_order_acquire);
        if (found == TABLE_EMPTY)
            return NULL;
    }
}

/* The value, or NULL. */
static inline void *table_find(const struct table *table, uint64_t key)
{
    struct table_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    if (!slots || key == TABLE_EMPTY)
        return NULL;
    for (uint64_t i = table_start(slots, key);; i = (i + 1) & slots->mask) {
        uint64_t found = atomic_load_explicit(&slots->slot[i].key, memory_order_acquire);
        if (found == key)
            return atomic_load_explicit(&slots->slot[i].value, memory_order_acquire);
        if (found == TABLE_EMPTY)
            return NULL;
    }
}

#endif
