/* SPDX-License-Identifier: MIT */
/*
 * Rewritten modules by content: the same shader under the same layout at the same tier is rewritten once, however many
 * pipelines use it. Entries are compared in full, never by hash alone.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "layouts/set_layout.h"
#include "modules/lru.h"
#include "modules/modules.h"
#include "modules/shader_module.h"
#include "objects/track.h"

enum { CACHE_BYTES = 16 << 20 };

struct entry {
    struct lru_entry entry;
    struct shader_module *module; /* referenced: its words are the key */
    uint32_t tier;
    size_t key_words; /* of the layout, as layout_key writes it */
    size_t word_count;
    uint32_t words[]; /* layout key, then the rewritten words */
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
    if (entry->entry.hash != hash || entry->tier != tier || entry->key_words != key_words ||
        memcmp(entry->words, key, key_words * sizeof(*key)) != 0)
        return false;
    return entry->module == module ||
           (entry->module->word_count == module->word_count &&
            memcmp(entry->module->words, module->words, module->word_count * sizeof(uint32_t)) == 0);
}

static void release(struct track *track, struct lru_entry *kept)
{
    struct entry *entry = (struct entry *)kept;
    module_unref(track, entry->module);
    object_free(track, NULL, entry, kept->bytes);
}

bool module_cache_init(struct track *track)
{
    return lru_init(&track->modules->cache, CACHE_BYTES, release);
}

bool module_cache_get(struct track *track, const struct shader_module *module, const struct pipeline_layout *layout,
                      uint32_t tier, uint32_t **words, size_t *word_count)
{
    struct lru *cache = &track->modules->cache;
    size_t key_words = layout_key(layout, NULL);
    uint32_t *key = malloc((key_words + 1) * sizeof(*key));
    if (!key)
        return false;
    layout_key(layout, key);
    uint64_t hash = hash_key(module, key, key_words, tier);
    bool found = false;
    pthread_mutex_lock(&cache->lock);
    struct lru_entry *kept = lru_bucket(cache, hash);
    while (kept && !matches((struct entry *)kept, hash, module, tier, key, key_words))
        kept = kept->chain;
    if (kept) {
        const struct entry *entry = (struct entry *)kept;
        lru_use(cache, kept);
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

void module_cache_put(struct track *track, struct shader_module *module, const struct pipeline_layout *layout,
                      uint32_t tier, const uint32_t *words, size_t word_count)
{
    struct lru *cache = &track->modules->cache;
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
    entry->entry.bytes = bytes;
    entry->tier = tier;
    entry->module = module_ref(module);
    entry->entry.hash = hash_key(module, entry->words, key_words, tier);
    pthread_mutex_lock(&cache->lock);
    lru_add(track, cache, &entry->entry);
    pthread_mutex_unlock(&cache->lock);
}
