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
#include "spirv/spirv.h"

enum { CACHE_BYTES = 16 << 20 };

struct entry {
    struct lru_entry entry;
    struct shader_module *module; /* referenced: its words are the key */
    uint32_t tier;
    size_t key_words; /* of the layout, as spirv_layout_key() writes it */
    size_t word_count;
    uint32_t words[]; /* layout key, then the rewritten words */
};

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
    size_t key_words = spirv_layout_key(&layout->spirv, NULL);
    uint32_t *key = malloc((key_words + 1) * sizeof(*key));
    if (!key)
        return false;
    spirv_layout_key(&layout->spirv, key);
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
    size_t key_words = spirv_layout_key(&layout->spirv, NULL);
    size_t bytes = sizeof(struct entry) + (key_words + word_count) * sizeof(*words);
    struct entry *entry = bytes <= CACHE_BYTES / 4 ? object_alloc(track, NULL, bytes) : NULL;
    if (!entry)
        return;
    spirv_layout_key(&layout->spirv, entry->words);
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
