/* SPDX-License-Identifier: MIT */
/*
 * The slots of a dispatch map: open addressing in chunks that are never moved or freed, so that readers need no lock.
 * Writers, which come with instances and devices, hold a mutex.
 */
#include "dispatch_map/dispatch_map.h"

#include <stdint.h>
#include <stdlib.h>

/* The slot whose key is `key`, probing from the key's own place; every slot is looked at before giving up. */
static struct dispatch_slot *find_slot(struct dispatch_map *map, const void *key)
{
    const unsigned start = dispatch_start(key);
    for (struct dispatch_chunk *chunk = &map->first; chunk;
         chunk = atomic_load_explicit(&chunk->next, memory_order_acquire)) {
        for (unsigned i = 0; i < DISPATCH_MAP_CHUNK; i++) {
            struct dispatch_slot *slot = &chunk->slots[(start + i) % DISPATCH_MAP_CHUNK];
            if (atomic_load_explicit(&slot->key, memory_order_acquire) == key)
                return slot;
        }
    }
    return NULL;
}

void *dispatch_map_search(struct dispatch_map *map, const void *key)
{
    struct dispatch_slot *slot = key ? find_slot(map, key) : NULL;
    return slot ? slot->object : NULL;
}

/* A free slot, in a new chunk if need be; `writers` is held. */
static struct dispatch_slot *free_slot(struct dispatch_map *map, const void *key)
{
    struct dispatch_chunk *last = &map->first;
    const unsigned start = dispatch_start(key);
    for (struct dispatch_chunk *chunk = last; chunk; chunk = atomic_load(&chunk->next)) {
        for (unsigned i = 0; i < DISPATCH_MAP_CHUNK; i++) {
            struct dispatch_slot *slot = &chunk->slots[(start + i) % DISPATCH_MAP_CHUNK];
            if (!atomic_load(&slot->key))
                return slot;
        }
        last = chunk;
    }
    struct dispatch_chunk *chunk = calloc(1, sizeof(*chunk));
    if (!chunk)
        return NULL;
    atomic_store_explicit(&last->next, chunk, memory_order_release);
    return &chunk->slots[start % DISPATCH_MAP_CHUNK];
}

bool dispatch_map_insert(struct dispatch_map *map, const void *key, void *object)
{
    pthread_mutex_lock(&map->writers);
    struct dispatch_slot *slot = free_slot(map, key);
    if (slot) {
        slot->object = object;
        atomic_store_explicit(&slot->key, key, memory_order_release);
    }
    pthread_mutex_unlock(&map->writers);
    return slot != NULL;
}

void *dispatch_map_remove(struct dispatch_map *map, const void *key)
{
    pthread_mutex_lock(&map->writers);
    struct dispatch_slot *slot = key ? find_slot(map, key) : NULL;
    void *object = NULL;
    if (slot) {
        object = slot->object;
        slot->object = NULL;
        atomic_store_explicit(&slot->key, NULL, memory_order_release);
    }
    pthread_mutex_unlock(&map->writers);
    return object;
}

void dispatch_map_forked(struct dispatch_map *map)
{
    pthread_mutex_init(&map->writers, NULL);
}

void dispatch_map_visit(struct dispatch_map *map, void (*visit)(void *object))
{
    for (struct dispatch_chunk *chunk = &map->first; chunk; chunk = atomic_load(&chunk->next)) {
        for (unsigned i = 0; i < DISPATCH_MAP_CHUNK; i++) {
            if (atomic_load(&chunk->slots[i].key))
                visit(chunk->slots[i].object);
        }
    }
}
