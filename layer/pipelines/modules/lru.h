/* SPDX-License-Identifier: MIT */
/*
 * A hash table whose entries have a limit of bytes: the least recently used one is removed first. A list under a mutex
 * is enough, because look-ups happen when pipelines are made.
 */
#ifndef CLAMPLER_MODULES_LRU_H
#define CLAMPLER_MODULES_LRU_H

#include "objects/track.h"

enum { LRU_BUCKETS = 256 };

/* The head of an entry. */
struct lru_entry {
    struct lru_entry *chain;         /* in its bucket */
    struct lru_entry *newer, *older; /* by use */
    uint64_t hash;
    size_t bytes; /* that it counts for */
};

struct lru {
    pthread_mutex_t lock;
    size_t bytes, most;
    void (*release)(struct track *track, struct lru_entry *entry);
    struct lru_entry *newest, *oldest;
    struct lru_entry *buckets[LRU_BUCKETS];
};

/* False: out of memory. Of zeroed memory, where it stays. */
bool lru_init(struct lru *lru, size_t most, void (*release)(struct track *track, struct lru_entry *entry));
/* Releases all entries. Does nothing if lru_init was not called, or failed. */
void lru_finish(struct track *track, struct lru *lru);

/* The first entry of the bucket; others follow by `chain`. The caller holds the lock. */
static inline struct lru_entry *lru_bucket(const struct lru *lru, uint64_t hash)
{
    return lru->buckets[hash % LRU_BUCKETS];
}

/* Makes the entry the most recently used one. The caller holds the lock. */
void lru_use(struct lru *lru, struct lru_entry *entry);
/* Adds an entry, with hash and bytes set, and releases entries above the limit. The caller holds the lock. */
void lru_add(struct track *track, struct lru *lru, struct lru_entry *entry);

#endif
