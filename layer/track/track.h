/*
 * Track: what the layer remembers of the program's objects, and the hooks that keep it true. Internal to layer/track.
 *
 * Handles are never wrapped: every object here stands beside a driver object and is found by its handle. Objects that
 * the program may destroy while the layer still needs them (layouts, modules, render passes) carry a reference count
 * and, where the driver must see them again, a duplicate of the layer's own.
 *
 * This header has what every file of the folder needs: the device's state, host memory, bad input. What stands beside
 * which objects is in headers of their own, one noun each, which include this one:
 *
 *   sampler.h image.h buffer.h pair.h   what is sampled, and how
 *   format.h                            what formats can do
 *   layout.h pool.h update.h            sets, their records, and the writes of both
 *   halves.h push_set.h template.h      combined image samplers taken apart; push sets; update templates
 *   module.h render_pass.h pipeline.h   what pipelines are made of, and their tiers
 *   graphics_state.h                    what Vulkan does not ignore of a graphics pipeline's create-info
 *   command.h dynamic_state.h           what is bound, and the tier that a draw needs
 *   attachment.h fill.h                 attachments without alpha
 *   blit.h                              linear blits
 */
#ifndef CLAMPLER_TRACK_TRACK_H
#define CLAMPLER_TRACK_TRACK_H

#include <stdatomic.h>
#include <string.h>

#include "alpha/attachment.h"
#include "alpha/fill.h"
#include "blits/blit.h"
#include "chain/chain.h"
#include "commands/dynamic_state.h"
#include "counters.h"
#include "objects/memory.h"
#include "objects/table.h"
#include "pipelines/graphics_state.h"
#include "record.h"

/*
 * Unsigned representation of any handle, as tables and messages take it. Handles of objects that are not dispatchable
 * are pointers where pointers have 64 bits, else 64-bit numbers, which must not go through a pointer's size.
 */
#define HANDLE_KEY(handle) _Generic((handle), uint64_t : (handle), default : (uintptr_t)(handle))

enum { STATE_BUCKETS = 1024, SHARED_BUCKETS = 256, COUNT_SHARDS = 64 };

/* Sampler states by content. */
struct states {
    pthread_mutex_t lock;
    struct interned *buckets[STATE_BUCKETS];
    uint32_t last_id;
    bool wrapped; /* all numbers were used once */
};

/*
 * What is counted on hot paths: a thread has a shard of its own, so that counting is no more than an addition. Threads
 * beyond the number of shards share them, and may then lose a count.
 */
struct count_shard {
    _Alignas(64) _Atomic(uint64_t) records_written;
    _Atomic(uint64_t) pair_hits[3];
};

struct track {
    struct device *device;
    struct count_shard shards[COUNT_SHARDS]; /* [0]: of nobody */
    _Atomic(uint64_t) serial;                /* of no other device of the process, ever */
    struct states states;
    pthread_mutex_t pair_lock; /* for making pairs: shared, pair_count, and the lists of states */
    struct table pairs;        /* by state id << 32 | view key */
    uint32_t pair_count;
    struct shared_sampler *shared[SHARED_BUCKETS]; /* by content */
    _Atomic(uint64_t) odd_views;                   /* alive now (view.c) */
    pthread_mutex_t command_lock;                  /* spare_commands */
    struct command *spare_commands;                /* freed by the program; the memory stays until the device goes */
    struct table samplers, images, views, buffers, buffer_views, set_layouts, pipeline_layouts, pools, sets, templates,
        modules, render_passes, framebuffers, pipelines, command_pools, commands, swapchains;
    struct table formats; /* by format + 1: struct format_features */
    pthread_mutex_t formats_lock;
    struct memory_heap heap;
    struct blits blits;
    struct resolve_caps caps_without_border; /* the device's, when no more custom border colours can be had */
    uint32_t border_limit;                   /* samplers with a custom border colour that the driver takes */
    _Atomic(uint32_t) border_samplers;       /* alive now */
    struct alpha_setting alpha_setting;
    uint64_t kept_formats;        /* alpha_formats_read */
    _Atomic(bool) halves;         /* some shader takes combined image samplers apart */
    pthread_mutex_t note_lock;    /* for following what was noted of descriptors (halves.c) */
    _Atomic(bool) alpha_seen;     /* some view was alpha-to-one */
    _Atomic(uint64_t) recordings; /* of command buffers, begun so far (fill_new_recording) */
    struct table fills;           /* by format and samples: struct fill_kind */
    pthread_mutex_t fill_lock;
    VkPipelineLayout fill_layout;
    pthread_mutex_t dynamic_layout_lock;              /* changes of the two lists */
    _Atomic(struct dynamic_layout *) dynamic_layouts; /* searched without the lock */
    struct dynamic_layout *retired_dynamic_layouts;   /* a set layout of theirs is gone */
    struct module_cache *module_cache;
    VkSampler nearest_sampler;      /* immutable in set layouts (layout.c); VK_NULL_HANDLE: no room for it */
    VkPipelineCache pipeline_cache; /* for tiers compiled later; VK_NULL_HANDLE works too */
    pthread_mutex_t tier_locks[16]; /* one pipeline's tiers are compiled under one of them */
    struct counters {
        _Atomic(uint64_t) draws[3], pipelines[3], modules_rewritten, driver_samplers, push_sets_converted,
            blits_nearest, blits_shader, live_objects, live_bytes, blend_variants, blend_updates, alpha_kept,
            alpha_fills;
    } counters;
};

static inline void count(_Atomic(uint64_t) *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* The first structure of that type in a chain, or NULL. */
static inline const void *pnext_find(const void *chain, VkStructureType type)
{
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        if (s->sType == type)
            return s;
    }
    return NULL;
}

/* ---- Host memory (track.c) ---- */

/*
 * Zeroed memory for an object of the program's, from its allocation callbacks if it gave some. `object_free` takes the
 * same size and compatible callbacks; memory may be NULL.
 */
void *object_alloc(struct track *track, const VkAllocationCallbacks *callbacks, size_t size);
void object_free(struct track *track, const VkAllocationCallbacks *callbacks, void *memory, size_t size);

/*
 * Bad input: says what is wrong with a call and returns VK_ERROR_VALIDATION_FAILED_EXT. `refuse_misplaced` looks for
 * structures of the extension in a chain where they do not belong (`belongs` 0: nowhere);
 * VK_SUCCESS if there are none.
 */
VkResult refuse(struct track *track, const char *call, const char *why);
VkResult refuse_misplaced(struct track *track, const char *call, const void *chain, VkStructureType belongs);

/* For shards: one thread writes. */
static inline void count_own(_Atomic(uint64_t) *counter)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* ---- Small things ---- */

/*
 * OR_NULL(result, &handle): the result of a creation below. What one that failed leaves in its output is undefined
 * (section "Return Codes"); here it is VK_NULL_HANDLE, so that nobody takes it for an object.
 */
#define OR_NULL(RESULT, OUTPUT) or_null((RESULT), (OUTPUT), sizeof(*(OUTPUT)))
static inline VkResult or_null(VkResult result, void *output, size_t size)
{
    if (result != VK_SUCCESS)
        memset(output, 0, size);
    return result;
}

/* Copies the callbacks, or leaves pfnAllocation NULL. `callbacks_of` gives them back as Vulkan takes them. */
static inline void callbacks_keep(VkAllocationCallbacks *kept, const VkAllocationCallbacks *callbacks)
{
    if (callbacks)
        *kept = *callbacks;
    else
        *kept = (VkAllocationCallbacks){0};
}

static inline const VkAllocationCallbacks *callbacks_of(const VkAllocationCallbacks *kept)
{
    return kept->pfnAllocation ? kept : NULL;
}

#endif
