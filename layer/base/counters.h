/* SPDX-License-Identifier: MIT */
/*
 * Counters, for tests and for people who look inside: what the layer did on one device. Read through
 *
 *     PFN_clamplerGetCounters get = (PFN_clamplerGetCounters)vkGetDeviceProcAddr(device, CLAMPLER_GET_COUNTERS);
 *
 * which is NULL where the device is inert or the layer is not loaded. Counts only grow; draws and binds are added when
 * the command buffer ends. Thread-safe.
 */
#ifndef CLAMPLER_COUNTERS_H
#define CLAMPLER_COUNTERS_H

#include <stddef.h>

#include <vulkan/vulkan_core.h>

#define CLAMPLER_GET_COUNTERS "vkGetCountersCLAMPLER" /* newer loaders look up no name that does not begin with vk */

struct clampler_counters {
    uint64_t draws[3];            /* draws and dispatches recorded, by the tier of the pipeline they used */
    uint64_t pipelines[3];        /* driver pipelines created, by tier (0: the program's own) */
    uint64_t modules_rewritten;   /* rewrites done, cached results not counted */
    uint64_t records_written;     /* records with something to do, or replaced by one without */
    uint64_t driver_samplers;     /* driver samplers created beside the program's own */
    uint64_t pair_hits[3];        /* pairs of sampler state and view looked up: at once, in the table, new */
    uint64_t push_sets_converted; /* push descriptor sets that became ordinary sets for lack of a slot */
    uint64_t blits_nearest;       /* linear blits recorded with the nearest filter */
    uint64_t blits_shader;        /* linear blits that the layer filtered itself */
    uint64_t live_objects;        /* objects tracked now: samplers, views, layouts, pools, sets, pipelines … */
    uint64_t live_bytes;          /* host memory held for them now, the layer's own structures, but for pairs */
    uint64_t blend_variants;      /* driver pipelines created for attachments without alpha */
    uint64_t blend_updates;       /* draws before which blend state was set for the attachments of the pass */
    uint64_t alpha_kept;    /* of both: those in which blending keeps the alpha of some attachment (blend/blend.h) */
    uint64_t alpha_written; /* variants whose shaders write 1 as the alpha of some attachment */
    uint64_t alpha_fills;   /* passes of the layer's own that set the alpha of an attachment to 1 */
    uint64_t
        outgrown_submits; /* command buffers submitted whose draws the high-water mark has outgrown (sampling/mark.h) */
    uint64_t compiled_ahead;    /* tiers and variants that workers compiled before a draw did (tiers=ahead) */
    uint64_t compiled_at_draws; /* those that a draw compiled */
    uint64_t draws_waited;      /* draws that waited for another thread to compile what they need */
    uint64_t ahead_ms, at_draws_ms, waited_ms; /* the time of each, in milliseconds */
    uint64_t sets_sent;    /* times that records of a set went to the GPU's memory before a draw (descriptors/lag.h) */
    uint64_t records_sent; /* the records of these */
    uint64_t memory_blocks[VK_MAX_MEMORY_TYPES]; /* of device memory that the layer took for itself, by memory type */
    uint64_t memory_fallbacks; /* those for which the best type was full, or had no budget left (objects/memory.h) */
};

/*
 * In one line of words, what a sampler is with a view (VK_NULL_HANDLE: without one): what is native, what is emulated
 * and why. Cut to `size` bytes. VK_SUCCESS, or VK_ERROR_UNKNOWN for handles that the layer does not know.
 */
#define CLAMPLER_GET_PAIR_REASON "vkGetPairReasonCLAMPLER"
typedef VkResult(VKAPI_PTR *PFN_clamplerGetPairReason)(VkDevice device, VkSampler sampler, VkImageView view, char *text,
                                                       size_t size);

typedef void(VKAPI_PTR *PFN_clamplerGetCounters)(VkDevice device, struct clampler_counters *counters);

#endif
