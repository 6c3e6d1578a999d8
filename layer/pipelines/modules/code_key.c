/* SPDX-License-Identifier: MIT */
/*
 * Hashes all properties of a device that layer/resources/layouts and the rewriter read. A property that they begin to
 * read must be added here: the test integration_code_keys has a row for each feature and setting.
 */
#include "modules/code_key.h"

#include <string.h>

#include "device/device.h"
#include "device/app_descriptors.h"
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

/*
 * The offsets of record indices in application-managed descriptors, and of the root table's address
 * (layouts/app_layout.c, heap_layout.c).
 */
static uint64_t hash_app_descriptors(uint64_t hash, const struct app_descriptors *app_descriptors)
{
    const uint32_t words[] = {
        app_descriptors->buffers,
        app_descriptors->robust_texel_buffer,
        app_descriptors->push_bytes,
        app_descriptors->late_root,
        app_descriptors->root_at,
        app_descriptors->heaps,
        app_descriptors->heap_sampler.size,
        app_descriptors->heap_sampler.scale,
        app_descriptors->heap_sampler.index_offset,
        app_descriptors->heap_image.size,
        app_descriptors->heap_image.scale,
        app_descriptors->heap_image.index_offset,
        app_descriptors->heap_buffer,
        app_descriptors->heap_embeds,
        app_descriptors->heap_root_at,
    };
    hash = hash_words(hash, words, COUNT(words));
    for (uint32_t i = 0; i < APP_DESCRIPTOR_KINDS; i++) {
        const uint32_t size[] = {app_descriptors->sizes[i].size, app_descriptors->sizes[i].scale,
                                 app_descriptors->sizes[i].index_offset};
        hash = hash_words(hash, size, COUNT(size));
    }
    return hash;
}

/* The bindings that have records, their places, and push constants (layouts/layout_plan.c). */
static uint64_t hash_sets(uint64_t hash, const struct track *track)
{
    const struct device *device = track->device;
    const uint32_t words[] = {
        device->caps.texel_buffers,
        device->caps.rgbx_attachments,
        device->caps.record_storage,
        track->layouts->nearest_sampler != VK_NULL_HANDLE,
        device->caps.max_push_descriptors,
        device->properties.limits.maxUniformBufferRange,
        reachable_records(&device->properties.limits),
    };
    return hash_words(hash, words, COUNT(words));
}

/* The options of rewritten code (modules/shader_module.c), and the fixed tier (pipelines/tiers.c: fixed_tier). */
static uint64_t hash_code(uint64_t hash, const struct device *device)
{
    const float bias = device->caps.resolve.max_lod_bias;
    uint32_t bias_word;
    memcpy(&bias_word, &bias, sizeof(bias_word));
    const uint32_t words[] = {
        device->caps.enabled.glSampler,    device->caps.enabled.glImageView,
        device->caps.enabled.glBufferView, device->caps.enabled.linearFilterEmulation,
        device->caps.resolve.vk_fallback,  device->caps.resolve.offered,
        (uint32_t)device->caps.form,       device->caps.votes,
        device->caps.gradients_in_front,   device->caps.texels_sampled,
        device->caps.texel.views,          device->caps.texel.addresses,
        device->caps.texel.narrow,         device->caps.alpha_written,
        device->caps.alpha_kept,           bias_word,
    };
    return hash_words(hash, words, COUNT(words));
}

uint64_t code_key(const struct track *track)
{
    const struct device *device = track->device;
    const uint64_t settings = settings_of_code(&device->instance->settings);
    const uint32_t words[] = {(uint32_t)settings, (uint32_t)(settings >> 32)};
    uint64_t hash = hash_words(hash_version(), words, COUNT(words));
    hash = hash_app_descriptors(hash, &device->caps.app_descriptors);
    hash = hash_sets(hash, track);
    return hash_code(hash, device);
}
