/* SPDX-License-Identifier: MIT */
/*
 * A map from dispatch keys to the layer's instances or devices.
 *
 * The first word of every dispatchable handle points to the loader's dispatch table; handles of one device (or of one
 * instance and its physical devices) share it. Look-ups take no lock: chunks are only ever appended, and a slot's key
 * is published after its object.
 */
#ifndef CLAMPLER_DISPATCH_MAP_DISPATCH_MAP_H
#define CLAMPLER_DISPATCH_MAP_DISPATCH_MAP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISPATCH_MAP_CHUNK 64u

struct dispatch_slot {
    _Atomic(const void *) key; /* NULL: free */
    void *object;              /* read only after the key was found */
};

struct dispatch_chunk {
    struct dispatch_slot slots[DISPATCH_MAP_CHUNK];
    _Atomic(struct dispatch_chunk *) next;
};

struct dispatch_map {
    struct dispatch_chunk first;
    pthread_mutex_t writers;
};

#define DISPATCH_MAP_INITIALIZER                                                                                       \
    {                                                                                                                  \
        .writers = PTHREAD_MUTEX_INITIALIZER                                                                           \
    }

/* The key of a live dispatchable handle. */
static inline const void *dispatch_key(const void *handle)
{
    return *(const void *const *)handle;
}

/* Where the search for a key begins, in each chunk. */
static inline unsigned dispatch_start(const void *key)
{
    const uintptr_t bits = (uintptr_t)key;
    return (unsigned)(bits >> 4 ^ bits >> 12) % DISPATCH_MAP_CHUNK;
}

/* The object under `key`, or NULL. Takes no lock. Most keys stand where the search for them begins. */
void *dispatch_map_search(struct dispatch_map *map, const void *key);
static inline void *dispatch_map_glance(const struct dispatch_map *map, const void *key)
{
    const struct dispatch_slot *slot = &map->first.slots[dispatch_start(key)];
    return key && atomic_load_explicit(&slot->key, memory_order_acquire) == key ? slot->object : NULL;
}
static inline void *dispatch_map_find(struct dispatch_map *map, const void *key)
{
    void *object = dispatch_map_glance(map, key);
    return object ? object : dispatch_map_search(map, key);
}

/* False if memory ran out. The key must not be in the map. */
bool dispatch_map_insert(struct dispatch_map *map, const void *key, void *object);

/* Returns the object that was under `key`, or NULL. No thread may look the key up at the same time. */
void *dispatch_map_remove(struct dispatch_map *map, const void *key);

/* In a fork, which has one thread: makes the lock anew; what another thread was writing stays as it is. */
void dispatch_map_forked(struct dispatch_map *map);

/* Calls `visit` for every object. No thread may write to the map meanwhile. */
void dispatch_map_visit(struct dispatch_map *map, void (*visit)(void *object));

#endif
