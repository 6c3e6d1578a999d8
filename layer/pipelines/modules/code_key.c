/* SPDX-License-Identifier: MIT */
/*
 * Everything that layer/resources/layouts and the rewriter read of a device. What is added there is added here: the
 * test integration_code_keys has a row for each feature and setting.
 */
#include "modules/code_key.h"

#include <string.h>

#include "device/device.h"
#include "device/placed.h"
#include "hash.h"
#include "layouts/layouts.h"
#include "settings/settings.h"

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

static uint64_t hash_version(void)
{
    static const char version[] = "clampler code " CLAMPLER_VERSION;
    uint32_t words[sizeof(version) / sizeof(uint32_t) + 1] = {0};
    memcpy(words, version, sizeof(version));
    return hash_words(0, words, COUNT(words));
}

/* Where descriptors that the program places have their numbers, and the root (layouts/placed_layout.c, heap_layout.c).
 */
static uint64_t hash_placed(uint64_t hash, const struct placed *placed)
{
    const uint32_t words[] = {
        placed->buffers,
        placed->robust_texel_buffer,
        placed->push_bytes,
        placed->late_root,
        placed->root_at,
        placed->heaps,
        placed->heap_sampler.size,
        placed->heap_sampler.scale,
        placed->heap_sampler.number,
        placed->heap_image.size,
        placed->heap_image.scale,
        placed->heap_image.number,
        placed->heap_buffer,
        placed->heap_embeds,
        placed->heap_root_at,
    };
    hash = hash_words(hash, words, COUNT(words));
    for (uint32_t i = 0; i < PLACED_KINDS; i++) {
        const uint32_t size[] = {placed->sizes[i].size, placed->sizes[i].scale, placed->sizes[i].number};
        hash = hash_words(hash, size, COUNT(size));
    }
    return hash;
}

/* Which bindings have records, where those lie, and what is pushed (layouts/layout_plan.c). */
static uint64_t hash_sets(uint64_t hash, const struct track *track)
{
    const struct device *device = track->device;
    const uint32_t words[] = {
        device->texel_buffers,
        device->alpha_to_one,
        device->record_storage,
        track->layouts->nearest_sampler != VK_NULL_HANDLE,
        device->max_push_descriptors,
        device->properties.limits.maxUniformBufferRange,
        reachable_records(&device->properties.limits),
    };
    return hash_words(hash, words, COUNT(words));
}

/* What code is like (modules/shader_module.c), and in which tier it is for good (pipelines/tiers.c: fixed_tier). */
static uint64_t hash_code(uint64_t hash, const struct device *device)
{
    const float bias = device->caps.max_lod_bias;
    uint32_t bias_word;
    memcpy(&bias_word, &bias, sizeof(bias_word));
    const uint32_t words[] = {
        device->enabled.glSampler,
        device->enabled.glImageView,
        device->enabled.glBufferView,
        device->enabled.linearFilterEmulation,
        device->caps.vk_fallback,
        (uint32_t)device->form,
        device->votes,
        device->gradients_in_front,
        device->texels_sampled,
        device->texel.views,
        device->texel.addresses,
        device->texel.narrow,
        device->alpha_written,
        device->alpha_kept,
        bias_word,
    };
    return hash_words(hash, words, COUNT(words));
}

uint64_t code_key(const struct track *track)
{
    const struct device *device = track->device;
    const uint64_t settings = settings_of_code(&device->instance->settings);
    const uint32_t words[] = {(uint32_t)settings, (uint32_t)(settings >> 32)};
    uint64_t hash = hash_words(hash_version(), words, COUNT(words));
    hash = hash_placed(hash, &device->placed);
    hash = hash_sets(hash, track);
    return hash_code(hash, device);
}
