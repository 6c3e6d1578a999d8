/* SPDX-License-Identifier: MIT */
/*
 * Rewritten modules by content: the same shader under the same layout at the same tier is rewritten once, however many
 * pipelines use it. Entries are compared in full, never by hash alone; the bytes they hold are bounded, and what was
 * used longest ago goes first. A list under a mutex is enough: look-ups happen when pipelines are compiled.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "layouts/set_layout.h"
#include "objects/track.h"
#include "modules/shader_module.h"

enum { CACHE_BYTES = 16 << 20, CACHE_BUCKETS = 256 };

struct entry {
    struct entry *chain;         /* in its bucket */
    struct entry *newer, *older; /* by use */
    uint64_t hash;
    struct shader_module *module; /* referenced: its words are the key */
    uint32_t tier;
    size_t key_words; /* of the layout, as layout_key writes it */
    size_t word_count;
    size_t bytes;
    uint32_t words[]; /* layout key, then the rewritten words */
};

struct module_cache {
    pthread_mutex_t lock;
    size_t bytes;
    struct entry *newest, *oldest;
    struct entry *buckets[CACHE_BUCKETS];
};

/* All that the rewriter sees of a layout, as words; returns how many, and writes them if `key` is not NULL. */
static size_t layout_key(const struct pipeline_layout *layout, uint32_t *key)
{
    size_t at = 0;
    for (uint32_t s = 0; s < layout->set_count; s++) {
        const struct spirv_set *set = &layout->spirv_sets[s];
        const uint32_t head[] = {set->record_binding, set->record_count, set->storage, set->nearest,
                                 set->binding_count};
        if (key)
            memcpy(key + at, head, sizeof(head));
        at += sizeof(head) / sizeof(head[0]);
        _Static_assert(sizeof(struct spirv_binding) == 5 * sizeof(uint32_t), "copied as words");
        if (key && set->binding_count)
            memcpy(key + at, set->bindings, set->binding_count * sizeof(*set->bindings));
        at += (size_t)5 * set->binding_count;
    }
    return at;
}

static uint64_t hash_key(const struct shader_module *module, const uint32_t *key, size_t key_words, uint32_t tier)
{
    return hash_words(module->hash + tier, key, key_words);
}

static bool matches(const struct entry *entry, uint64_t hash, const struct shader_module *module, uint32_t tier,
                    const uint32_t *key, size_t key_words)
{
    if (entry->hash != hash || entry->tier != tier || entry->key_words != key_words ||
        memcmp(entry->words, key, key_words * sizeof(*key)) != 0)
        return false;
    return entry->module == module ||
           (entry->module->word_count == module->word_count &&
            memcmp(entry->module->words, module->words, module->word_count * sizeof(uint32_t)) == 0);
}

static void unlink_use(struct module_cache *cache, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_newest(struct module_cache *cache, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static void evict(struct track *track, struct module_cache *cache, struct entry *entry)
{
    struct entry **link = &cache->buckets[entry->hash % CACHE_BUCKETS];
    while (*link != entry)
        link = &(*link)->chain;
    *link = entry->chain;
    unlink_use(cache, entry);
    cache->bytes -= entry->bytes;
    module_unref(track, entry->module);
    object_free(track, NULL, entry, entry->bytes);
}

struct module_cache *module_cache_create(void)
{
    struct module_cache *cache = calloc(1, sizeof(*cache));
    if (cache && pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    return cache;
}

void module_cache_destroy(struct track *track, struct module_cache *cache)
{
    if (!cache)
        return;
    while (cache->oldest)
        evict(track, cache, cache->oldest);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

bool module_cache_get(struct module_cache *cache, const struct shader_module *module,
                      const struct pipeline_layout *layout, uint32_t tier, uint32_t **words, size_t *word_count)
{
    size_t key_words = layout_key(layout, NULL);
    uint32_t *key = malloc((key_words + 1) * sizeof(*key));
    if (!key)
        return false;
    layout_key(layout, key);
    uint64_t hash = hash_key(module, key, key_words, tier);
    bool found = false;
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = cache->buckets[hash % CACHE_BUCKETS];
    while (entry && !matches(entry, hash, module, tier, key, key_words))
        entry = entry->chain;
    if (entry) {
        unlink_use(cache, entry);
        link_newest(cache, entry);
        *words = entry->word_count ? malloc(entry->word_count * sizeof(**words)) : NULL;
        *word_count = entry->word_count;
        found = *words || !entry->word_count;
        if (*words)
            memcpy(*words, entry->words + key_words, entry->word_count * sizeof(**words));
    }
    pthread_mutex_unlock(&cache->lock);
    free(key);
    return found;
}

void module_cache_put(struct track *track, struct module_cache *cache, struct shader_module *module,
                      const struct pipeline_layout *layout, uint32_t tier, const uint32_t *words, size_t word_count)
{
    size_t key_words = layout_key(layout, NULL);
    size_t bytes = sizeof(struct entry) + (key_words + word_count) * sizeof(*words);
    struct entry *entry = bytes <= CACHE_BYTES / 4 ? object_alloc(track, NULL, bytes) : NULL;
    if (!entry)
        return;
    layout_key(layout, entry->words);
    if (word_count)
        memcpy(entry->words + key_words, words, word_count * sizeof(*words));
    entry->key_words = key_words;
    entry->word_count = word_count;
    entry->bytes = bytes;
    entry->tier = tier;
    entry->module = module_ref(module);
    entry->hash = hash_key(module, entry->words, key_words, tier);
    pthread_mutex_lock(&cache->lock);
    entry->chain = cache->buckets[entry->hash % CACHE_BUCKETS];
    cache->buckets[entry->hash % CACHE_BUCKETS] = entry;
    link_newest(cache, entry);
    cache->bytes += bytes;
    while (cache->bytes > CACHE_BYTES)
        evict(track, cache, cache->oldest);
    pthread_mutex_unlock(&cache->lock);
}
