/* SPDX-License-Identifier: MIT */
/*
 * Compiling the tiers and variants of a pipeline: when a draw first needs them, at most once each, on the thread that
 * records the draw. Who finds one compiled takes no lock; who compiles holds one of tier_locks, so that other threads
 * wait for it instead of compiling the same again.
 */
#include "pipelines/tiers.h"

#include "device/device.h"
#include "device/message.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"

/*
 * RECORD_NEED_* that some descriptor of the device may have one day, whatever the program makes: a bound of the mark
 * that is known when the device is created, and does not change. Samplers and views that are no plain Vulkan may need
 * anything, each pair of them something else.
 */
static uint32_t needs_reachable(const struct device *device)
{
    if (device->enabled.glSampler || device->enabled.glImageView || device->alpha_to_one || device->caps.vk_fallback ||
        device->instance->settings.gl_clamp)
        return UINT32_MAX;
    return device->texel_buffers ? RECORD_NEED_TEXEL_BUFFER : 0;
}

uint32_t fixed_tier(const struct track *track, uint32_t follows)
{
    return needs_tier(needs_reachable(track->device) & follows);
}

static VkPipeline compile(struct track *track, struct pipeline *pipeline, uint32_t tier, uint32_t key, VkResult *error)
{
    VkPipeline below = VK_NULL_HANDLE;
    *error =
        recipe_compile(track, &pipeline->recipe, pipeline->layout, tier, key ? &pipeline->blend : NULL, key, &below);
    if (*error != VK_SUCCESS) {
        message(track->device->instance, LOG_ERROR, VK_OBJECT_TYPE_PIPELINE, HANDLE_KEY(pipeline->handle),
                "compiling tier %u%s of a pipeline failed (VkResult %d): its draws keep the one they have",
                tier_told(tier), key ? " for attachments without alpha" : "", (int)*error);
        return VK_NULL_HANDLE;
    }
    count(&track->counters.pipelines[tier_told(tier)], 1);
    if (key)
        count(&track->counters.blend_variants, 1);
    if (key != VARIANT_DYNAMIC && (key & pipeline->blend.keep))
        count(&track->counters.alpha_kept, 1);
    message(track->device->instance, LOG_DEBUG, VK_OBJECT_TYPE_PIPELINE, HANDLE_KEY(pipeline->handle),
            "compiled tier %u%s%s", tier_told(tier), tier == TIER_EXTRAS ? " with extras" : "",
            key ? " for attachments without alpha" : "");
    return below;
}

static VkResult make_tier(struct track *track, void *pipeline, uint32_t tier, uint64_t *made)
{
    VkResult error;
    *made = HANDLE_KEY(compile(track, pipeline, tier, 0, &error));
    return error;
}

VkPipeline pipeline_tier(struct track *track, struct pipeline *pipeline, uint32_t tier, VkResult *error)
{
    return HANDLE_OF(VkPipeline, tier_made(track, &pipeline->tiers, tier, pipeline, make_tier, error));
}

/* ---- Variants for attachments without alpha ---- */

static const struct variant *find_variant(const struct pipeline *pipeline, uint32_t tier, uint32_t key)
{
    const struct variant *variant = atomic_load_explicit(&pipeline->variants, memory_order_acquire);
    while (variant && (variant->tier != tier || variant->key != key))
        variant = variant->next;
    return variant;
}

VkPipeline pipeline_compiled(const struct pipeline *pipeline, uint32_t tier, uint32_t key)
{
    if (!key)
        return HANDLE_OF(VkPipeline, atomic_load_explicit(&pipeline->tiers.made[tier], memory_order_acquire));
    const struct variant *variant = find_variant(pipeline, tier, key);
    return variant ? variant->handle : VK_NULL_HANDLE;
}

VkPipeline pipeline_variant(struct track *track, struct pipeline *pipeline, uint32_t tier, uint32_t key,
                            VkResult *error)
{
    if (!key)
        return pipeline_tier(track, pipeline, tier, error);
    pthread_mutex_t *lock = tier_lock(track, pipeline);
    const struct variant *known = find_variant(pipeline, tier, key);
    if (!known) {
        pthread_mutex_lock(lock);
        known = find_variant(pipeline, tier, key);
        struct variant *made = known ? NULL : object_alloc(track, NULL, sizeof(*made));
        if (made) {
            made->tier = tier;
            made->key = key;
            made->handle = compile(track, pipeline, tier, key, &made->failed);
            made->next = atomic_load_explicit(&pipeline->variants, memory_order_relaxed);
            atomic_store_explicit(&pipeline->variants, made, memory_order_release);
            known = made;
        }
        pthread_mutex_unlock(lock);
    }
    *error = known ? known->failed : VK_ERROR_OUT_OF_HOST_MEMORY;
    return known ? known->handle : VK_NULL_HANDLE;
}
