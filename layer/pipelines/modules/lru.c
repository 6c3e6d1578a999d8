/* SPDX-License-Identifier: MIT */
/* Tables of bounded size that remove the least recently used entry. */
#include "modules/lru.h"

static void unlink_use(struct lru *lru, struct lru_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &lru->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &lru->oldest) = entry->newer;
}

static void link_newest(struct lru *lru, struct lru_entry *entry)
{
    entry->newer = NULL;
    entry->older = lru->newest;
    *(lru->newest ? &lru->newest->newer : &lru->oldest) = entry;
    lru->newest = entry;
}

static void evict(struct track *track, struct lru *lru, struct lru_entry *entry)
{
    struct lru_entry **link = &lru->buckets[entry->hash % LRU_BUCKETS];
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    unlink_use(lru, entry);
    lru->bytes -= entry->bytes;
    lru->release(track, entry);
}

bool lru_init(struct lru *lru, size_t most, void (*release)(struct track *track, struct lru_entry *entry))
{
    if (pthread_mutex_init(&lru->lock, NULL) != 0)
        return false;
    lru->most = most;
    lru->release = release;
    return true;
}

void lru_finish(struct track *track, struct lru *lru)
{
    if (!lru->release)
        return;
    while (lru->oldest)
        evict(track, lru, lru->oldest);
    pthread_mutex_destroy(&lru->lock);
    lru->release = NULL;
}

void lru_use(struct lru *lru, struct lru_entry *entry)
{
    unlink_use(lru, entry);
    link_newest(lru, entry);
}

void lru_add(struct track *track, struct lru *lru, struct lru_entry *entry)
{
    entry->chain = lru->buckets[entry->hash % LRU_BUCKETS];
    lru->buckets[entry->hash % LRU_BUCKETS] = entry;
    link_newest(lru, entry);
    lru->bytes += entry->bytes;
    while (lru->bytes > lru->most)
        evict(track, lru, lru->oldest);
}
