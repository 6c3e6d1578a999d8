/* SPDX-License-Identifier: MIT */
/*
 * A table by hash whose entries hold so many bytes at most: what was used longest ago goes first. A list under a mutex
 * is enough for what is looked up when pipelines are made.
 */
#ifndef CLAMPLER_MODULES_LRU_H
#define CLAMPLER_MODULES_LRU_H

#include "objects/track.h"

enum { LRU_BUCKETS = 256 };

/* In front of what is kept. */
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

/* False: no mutex can be had. Of zeroed memory, where it stays. */
bool lru_init(struct lru *lru, size_t most, void (*release)(struct track *track, struct lru_entry *entry));
/* Releases all entries. Does nothing if lru_init was not called, or failed. */
void lru_finish(struct track *track, struct lru *lru);

/* Entries that may be what is looked for begin here and follow by `chain`; the caller holds the lock. */
static inline struct lru_entry *lru_bucket(const struct lru *lru, uint64_t hash)
{
    return lru->buckets[hash % LRU_BUCKETS];
}

/* The entry is the one that was used last. The caller holds the lock. */
void lru_use(struct lru *lru, struct lru_entry *entry);
/* Adds an entry, with hash and bytes set, and releases what is too much. The caller holds the lock. */
void lru_add(struct track *track, struct lru *lru, struct lru_entry *entry);

#endif
