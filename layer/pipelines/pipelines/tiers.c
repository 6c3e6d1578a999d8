/* SPDX-License-Identifier: MIT */
/*
 * Compiling the tiers and variants of a pipeline, once each: by a worker ahead of draws, or on the thread that records
 * the first draw that needs it. Who finds one compiled takes no lock.
 */
#include "pipelines/tiers.h"

#include "device/device.h"
#include "modules/shader_module.h"
#include "need/need.h"
#include "objects/track.h"
#include "pipelines/pipeline_blend.h"
#include "pipelines/pipelines.h"

/*
 * RECORD_NEED_* that some descriptor of the device may have one day, whatever the program makes: a bound of the
 * device's needs that is known when the device is created, and does not change. Samplers and views that are not Vulkan
 * may need anything, each pair of them something else.
 */
static uint32_t needs_reachable(const struct device *device)
{
    if (device->caps.enabled.glSampler || device->caps.enabled.glImageView || device->caps.rgbx_attachments ||
        device->caps.resolve.vk_fallback || device->caps.resolve.offered || device->instance->settings.gl_clamp)
        return UINT32_MAX;
    return device->caps.texel_buffers ? RECORD_NEED_TEXEL_BUFFER : 0;
}

uint32_t fixed_tier(const struct track *track, uint32_t follows)
{
    return needs_tier(needs_reachable(track->device) & follows);
}

/* ---- What compiling a tier of a pipeline is ---- */

static VkResult compile(struct track *track, void *object, uint32_t tier, uint32_t key, enum tier_cause cause,
                        struct tier_slot *made)
{
    struct pipeline *pipeline = object;
    const VkFlags64 flags =
        cause == TIER_IF_CACHED ? (VkFlags64)VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0;
    VkPipeline for_driver = VK_NULL_HANDLE;
    const VkResult result = saved_info_compile(track, &pipeline->saved_info, pipeline->layout, tier,
                                               key ? &pipeline->blend : NULL, key, flags, &for_driver);
    if (result != VK_SUCCESS)
        return result;
    const struct order_variant *variant = order_variant_find(track, key);
    if (key)
        count(&track->counters.blend_variants, 1);
    if (variant && order_variant_moves(variant))
        count(&track->counters.outputs_moved, 1);
    if (key != VARIANT_DYNAMIC && (pipeline_blend_mask(key) & pipeline->blend.keep))
        count(&track->counters.alpha_kept, 1);
    if (pipeline_blend_written(key).all)
        count(&track->counters.alpha_written, 1);
    atomic_store_explicit(&made->made, HANDLE_KEY(for_driver), memory_order_relaxed);
    return VK_SUCCESS;
}

static void destroy(struct track *track, uint64_t made)
{
    track->device->next.DestroyPipeline(track->device->handle, HANDLE_OF(VkPipeline, made), NULL);
}

static void report(const void *object, char *text, size_t size)
{
    const struct saved_info *saved_info = &((const struct pipeline *)object)->saved_info;
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < saved_info->count; i++) {
        for (uint32_t j = 0; j < saved_info->parts[i]->stage_count; j++)
            used = module_describe(saved_info->parts[i]->modules[j], text, size, used);
    }
}

static struct tier_owner owner_of(struct pipeline *pipeline)
{
    return (struct tier_owner){pipeline, VK_OBJECT_TYPE_PIPELINE, &pipeline->lives, compile, destroy, report};
}

/* ---- Tiers ---- */

VkPipeline pipeline_compiled(const struct pipeline *pipeline, uint32_t tier, uint32_t key)
{
    const struct variant *variant = key ? variant_find(&pipeline->variants, tier, key) : NULL;
    if (key && !variant)
        return VK_NULL_HANDLE;
    const struct tier_slot *slot = key ? &variant->slot : &pipeline->tiers[tier];
    return HANDLE_OF(VkPipeline, atomic_load_explicit(&slot->made, memory_order_acquire));
}

VkPipeline pipeline_tier(struct track *track, struct pipeline *pipeline, uint32_t tier, uint32_t key,
                         enum tier_cause cause, VkResult *error)
{
    struct tier_slot *slot =
        key ? variant_slot(track, pipeline, &pipeline->variants, tier, key) : &pipeline->tiers[tier];
    const struct tier_owner owner = owner_of(pipeline);
    *error = VK_ERROR_OUT_OF_HOST_MEMORY;
    return slot ? HANDLE_OF(VkPipeline, tier_made(track, slot, &owner, tier, key, cause, error)) : VK_NULL_HANDLE;
}
