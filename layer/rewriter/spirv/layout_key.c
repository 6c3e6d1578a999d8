/* SPDX-License-Identifier: MIT */
/* The key of a layout: whole structs of words, whose sizes spirv.h asserts. */
#include "spirv/spirv.h"

#include <string.h>

/* A key that is being written, or only counted. */
struct key {
    uint32_t *words; /* NULL: counted */
    size_t count;
};

static void add(struct key *key, const void *words, size_t count)
{
    if (key->words && count)
        memcpy(key->words + key->count, words, count * sizeof(uint32_t));
    key->count += count;
}

static void add_embedded(struct key *key, const struct spirv_embedded *embedded, uint32_t count)
{
    add(key, embedded, SPIRV_EMBEDDED_WORDS);
    add(key, (const uint32_t[]){embedded->record_indices != NULL}, 1);
    add(key, embedded->record_indices, embedded->record_indices ? count : 0);
}

size_t spirv_layout_key(const struct spirv_layout *layout, uint32_t *words)
{
    struct key key = {.words = words};
    add(&key, (const uint32_t[]){layout->set_count, layout->root_at, layout->mapping_count}, 3);
    add(&key, &layout->heaps, SPIRV_HEAPS_WORDS);
    for (uint32_t i = 0; i < layout->set_count; i++) {
        const struct spirv_set *set = &layout->sets[i];
        add(&key, &set->binding_count, SPIRV_SET_WORDS);
        for (uint32_t j = 0; j < set->binding_count; j++) {
            add(&key, &set->bindings[j], SPIRV_BINDING_WORDS);
            if (set->embedded)
                add_embedded(&key, &set->bindings[j].embedded, set->bindings[j].count);
        }
    }
    for (uint32_t i = 0; i < layout->mapping_count; i++) {
        const struct spirv_mapping *mapping = &layout->mappings[i];
        add(&key, mapping, SPIRV_MAPPING_WORDS);
        add_embedded(&key, &mapping->image, 1);
        add_embedded(&key, &mapping->sampler, 1);
        add_embedded(&key, &mapping->combined_sampler, 1);
    }
    return key.count;
}
