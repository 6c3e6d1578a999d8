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

/*
 * Every counter, in the order of struct clampler_counters and of the line that stats_file writes. Each has its meaning
 * beside it, and counts from the device's creation on.
 *
 *   COUNT(name, array)    `struct counters` has it (objects/track.h)
 *   HOT(name, array)      each thread counts in a shard of its own, and readers add them up (struct count_shard)
 *   TIME(name)            name_ms is in milliseconds; the layer counts nanoseconds in name_ns
 *   MEMORY(name, array)   the heaps of the layer's device memory have it (objects/memory.h)
 *
 * `array` follows the name in declarations: nothing for one value, [3] for three.
 */
#define CLAMPLER_COUNTERS(COUNT, HOT, TIME, MEMORY)                                                                    \
    COUNT(draws, [3])            /* draws and dispatches recorded, by the tier of the pipeline they used */            \
    COUNT(pipelines, [3])        /* driver pipelines created, by tier (0: the program's own) */                        \
    COUNT(modules_rewritten, )   /* rewrites of SPIR-V modules done, cached results not counted */                     \
    HOT(records_written, )       /* records with something to do, or replaced by one without */                        \
    COUNT(driver_samplers, )     /* driver samplers created beside the program's own */                                \
    HOT(pair_hits, [3])          /* pairs of sampler state and view: combined before, in the table, new */             \
    COUNT(push_sets_converted, ) /* push descriptor sets that became sets of a pool for lack of a slot */              \
    COUNT(blits_nearest, )       /* linear blits recorded with the nearest filter */                                   \
    COUNT(blits_shader, )        /* linear blits that the layer filtered itself */                                     \
    COUNT(live_objects, )   /* that are tracked now: samplers, views, layouts, pools, sets, pipelines and others */    \
    COUNT(live_bytes, )     /* bytes of host memory held for them now, of the layer's own structures, but for pairs */ \
    COUNT(blend_variants, ) /* driver pipelines created for attachments without alpha */                               \
    COUNT(blend_updates, )  /* draws before which blend state was set for the attachments of the pass */               \
    COUNT(alpha_kept, )     /* variants and updates in which blending keeps the alpha of some attachment */            \
    COUNT(alpha_written, )  /* variants whose shaders write 1 as the alpha of some attachment */                       \
    COUNT(outputs_moved, )  /* variants whose shaders move outputs or input attachments to other channels */           \
    COUNT(ordered_draws, )  /* draws that came after a bind, in state or with shaders for an order of channels */      \
    COUNT(alpha_fills, )    /* passes of the layer's own that set the alpha of an attachment to 1 */                   \
    COUNT(outgrown_submits, )  /* command buffers submitted whose draws device needs have outgrown                     \
                                  (sampling/device_needs.h) */                                                         \
    COUNT(compiled_ahead, )    /* tiers and variants that workers compiled before a draw did (tiers=ahead) */          \
    COUNT(compiled_at_draws, ) /* those that a draw compiled */                                                        \
    COUNT(draws_waited, )      /* draws that waited for another thread to compile what they need */                    \
    TIME(ahead)                /* that compiled_ahead took */                                                          \
    TIME(at_draws)             /* compiled_at_draws */                                                                 \
    TIME(waited)               /* draws_waited */                                                                      \
    COUNT(sets_uploaded, )     /* times that records of a set were uploaded before a draw (descriptors/records.h) */   \
    COUNT(records_uploaded, )  /* the records of these */                                                              \
    MEMORY(memory_blocks, [VK_MAX_MEMORY_TYPES]) /* of device memory that the layer took for itself, by memory type */ \
    MEMORY(memory_fallbacks, )                   /* blocks for which the best type was full or had no budget left */   \
    COUNT(draws_texels, )                        /* of draws[2], those whose shaders filter texel by texel */          \
    COUNT(draws_masks, )      /* of draws[1], those whose shaders read mask words, where sets have some */             \
    COUNT(samplers_surplus, ) /* samplers of the program's created without one of the driver's (sampling/surplus.h) */ \
    COUNT(pairs_common, )     /* pairs of sampler state and view whose sampler of the driver's is a common one */

struct clampler_counters {
#define COUNTER(NAME, ARRAY) uint64_t NAME ARRAY;
#define TIME(NAME) uint64_t NAME##_ms;
    CLAMPLER_COUNTERS(COUNTER, COUNTER, TIME, COUNTER)
#undef COUNTER
#undef TIME
};

/*
 * Describes a sampler with a view (VK_NULL_HANDLE: without one) in one line: what is native, what is emulated and why.
 * Cut to `size` bytes. VK_SUCCESS, or VK_ERROR_UNKNOWN for handles that the layer does not know.
 */
#define CLAMPLER_GET_PAIR_REASON "vkGetPairReasonCLAMPLER"
typedef VkResult(VKAPI_PTR *PFN_clamplerGetPairReason)(VkDevice device, VkSampler sampler, VkImageView view, char *text,
                                                       size_t size);

typedef void(VKAPI_PTR *PFN_clamplerGetCounters)(VkDevice device, struct clampler_counters *counters);

#endif
