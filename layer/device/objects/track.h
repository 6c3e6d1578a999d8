/* SPDX-License-Identifier: MIT */
/*
 * The state of one device for all subsystems (the tracker): the device, counters, memory, errors for bad input, and a
 * pointer to the state of each subsystem, whose header has its type.
 *
 * Handles are never wrapped: every object of the layer stands beside a driver object and is found by its handle.
 * Objects that the program may destroy while the layer still needs them (layouts, modules, render passes) carry a
 * reference count and, where the driver must see them again, a duplicate of the layer's own.
 */
#ifndef CLAMPLER_OBJECTS_TRACK_H
#define CLAMPLER_OBJECTS_TRACK_H

#include <stdatomic.h>
#include <string.h>

#include "counters.h"
#include "device/device.h"
#include "device/structure_chain.h"
#include "objects/memory.h"
#include "objects/table.h"

struct record_table;
struct sampling;
struct texel_buffers;
struct layouts;
struct descriptors;
struct attachments;
struct modules;
struct pipelines;
struct shader_objects;
struct commands;
struct blits;
struct ahead;

/*
 * Unsigned representation of any handle, as tables and messages take it. Handles of objects that are not dispatchable
 * are pointers where pointers have 64 bits, else 64-bit numbers, which must not go through a pointer's size.
 */
#define HANDLE_KEY(handle) _Generic((handle), uint64_t : (handle), default : (uintptr_t)(handle))

/*
 * The result of a hook that creates: VK_SUCCESS where the driver has made `created` and `object` is in its table for
 * it. Where the table has no memory, the driver's is destroyed again. The object stays the caller's on failure.
 */
#define TRACKED_INSERT(result, track, table, TYPE, created, object, callbacks)                                         \
    ((result) == VK_SUCCESS && !table_insert(table, HANDLE_KEY(created), object)                                       \
         ? ((track)->device->next.Destroy##TYPE((track)->device->handle, created, callbacks),                          \
            VK_ERROR_OUT_OF_HOST_MEMORY)                                                                               \
         : (result))

/* The handle of a type that is not dispatchable, from that number. */
#if UINTPTR_MAX == UINT64_MAX
#define HANDLE_OF(TYPE, key) ((TYPE)(uintptr_t)(key))
#else
#define HANDLE_OF(TYPE, key) ((TYPE)(key))
#endif

enum { COUNT_SHARDS = 64 };

/*
 * Counters of hot paths: each thread has a shard of its own, so that counting is one addition. If there are more
 * threads than shards, some share one, and may lose a count.
 */
#define HOT(NAME, ARRAY) _Atomic(uint64_t) NAME ARRAY;
#define COUNT(NAME, ARRAY)
#define TIME(NAME)
struct count_shard {
    _Alignas(64) struct {
        CLAMPLER_COUNTERS(COUNT, HOT, TIME, COUNT)
    };
};
#undef HOT
#undef COUNT
#undef TIME

/*
 * Views and samplers that require emulation (layer/semantics/resolve/classify.h), samplers in a descriptor of their own
 * as well. Without any, writes of descriptors need not look closer.
 */
#define EMULATED_VIEW UINT64_C(1)
#define EMULATED_SAMPLER (UINT64_C(1) << 32)
#define EMULATED_VIEWS (EMULATED_SAMPLER - 1)

struct track {
    struct device *device;
    /* Owned by the tracker, valid from track_create to track_destroy. */
    struct record_table *record_table;
    struct sampling *sampling;
    struct texel_buffers *texel_buffers;
    struct layouts *layouts;
    struct descriptors *descriptors;
    struct attachments *attachments;
    struct modules *modules;
    struct pipelines *pipelines;
    struct shader_objects *shader_objects;
    struct commands *commands;
    struct blits *blits;
    struct ahead *ahead;
    /* Members that every bind and write reads: in a subsystem's own state they would be one load further away. */
    struct table sets;                    /* struct set (descriptors/pool.h) */
    _Atomic(uint32_t) passing;            /* bit VkDescriptorType: writes of it pass unseen (descriptors/save.h) */
    _Atomic(uint64_t) requires_emulation; /* EMULATED_VIEW and EMULATED_SAMPLER for each that is alive */
    _Atomic(bool) may_emulate; /* some draw may need a tier above 0 (layer/resources/sampling/device_needs.h) */
    _Atomic(bool) split;       /* some shader takes combined image samplers apart */
    _Atomic(bool) open_sets;   /* some set may be written after it is bound (update-after-bind) (update-after-bind) */
    struct count_shard shards[COUNT_SHARDS]; /* [0]: of nobody */
    _Atomic(uint64_t) serial;                /* of no other device of the process, ever */
    struct memory_heap heap;                 /* of records */
    VkPipelineCache pipeline_cache;          /* for pipelines compiled later; VK_NULL_HANDLE works too */
    struct counters {
#define COUNT(NAME, ARRAY) _Atomic(uint64_t) NAME ARRAY;
#define TIME(NAME) _Atomic(uint64_t) NAME##_ns;
#define OTHER(NAME, ARRAY)
        CLAMPLER_COUNTERS(COUNT, OTHER, TIME, OTHER)
#undef COUNT
#undef TIME
#undef OTHER
    } counters;
};

/*
 * Thread-local words of the initial-exec model, for hot paths: a thread reads them without a call. glibc has little
 * room for those of libraries that are loaded later, so they are few; thread_memory/ has the rest. Other C libraries
 * (musl) have no such room, so the default model is used.
 */
#ifdef __GLIBC__
#define THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local
#else
#define THREAD_LOCAL _Thread_local
#endif

static inline void count(_Atomic(uint64_t) *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* ---- Host memory (track.c) ---- */

/*
 * Zeroed memory for an object of the program's, from its allocation callbacks if it gave some. `object_free` takes the
 * same size and compatible callbacks; memory may be NULL.
 */
void *object_alloc(struct track *track, const VkAllocationCallbacks *callbacks, size_t size);
void object_free(struct track *track, const VkAllocationCallbacks *callbacks, void *memory, size_t size);

/*
 * Bad input: gives a message about a call and its objects (message_about), and returns VK_ERROR_VALIDATION_FAILED_EXT.
 * `refuse_misplaced` looks for structures of the extension in a chain where they do not belong (`belongs` 0: nowhere);
 * VK_SUCCESS if there are none.
 */
VkResult refuse(struct track *track, const char *call, const char *why);
VkResult refuse_about(struct track *track, const struct message_object *objects, const char *call, const char *why);
VkResult refuse_misplaced(struct track *track, const char *call, const void *chain, VkStructureType belongs);

/* For shards: one thread writes. */
static inline void add_in_shard(_Atomic(uint64_t) *counter, uint64_t amount)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + amount, memory_order_relaxed);
}
static inline void count_in_shard(_Atomic(uint64_t) *counter)
{
    add_in_shard(counter, 1);
}

/* ---- References of what several own; any thread ---- */

static inline void reference_add(atomic_uint *references)
{
    atomic_fetch_add_explicit(references, 1, memory_order_relaxed);
}

/* True: it was the last one, and the caller frees the object. */
static inline bool reference_drop(atomic_uint *references)
{
    return atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1;
}

/* ---- Small things ---- */

/*
 * OR_NULL(result, &handle): the result of a creation by the next layer. A failed creation leaves its output undefined
 * (section "Return Codes"); this sets it to VK_NULL_HANDLE.
 */
#define OR_NULL(RESULT, OUTPUT) or_null((RESULT), (OUTPUT), sizeof(*(OUTPUT)))
static inline VkResult or_null(VkResult result, void *output, size_t size)
{
    if (result != VK_SUCCESS)
        memset(output, 0, size);
    return result;
}

/*
 * The error of a call that the layer makes within another command of the program's, as one that any command may return:
 * Vulkan lists results for each.
 */
static inline VkResult result_within(VkResult result)
{
    switch (result) {
    case VK_ERROR_MEMORY_MAP_FAILED:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_DEVICE_LOST:
    case VK_ERROR_VALIDATION_FAILED_EXT:
        return result;
    default:
        return result < 0 ? VK_ERROR_UNKNOWN : result;
    }
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
