/* SPDX-License-Identifier: MIT */
/*
 * Pipelines and their tiers, and what they are made of. layer/pipelines/creation makes them.
 *
 *   pipelines.h         how a tier is made once, whoever needs it (pipelines.c)
 *   tiers.h             what is kept of a pipeline and its tiers (tiers.c), what tiers are compiled from later
 *                       (saved_info.c), and modules of stages, replaced by those of a tier (stages.c)
 *   pipeline_binary.h   pipeline binaries, with the code of stages behind them
 *   pipeline_blend.h    blend state of pipelines where attachments have no alpha
 *   graphics_state.h    what Vulkan does not ignore of a graphics pipeline's create-info
 */
#ifndef CLAMPLER_PIPELINES_PIPELINES_H
#define CLAMPLER_PIPELINES_PIPELINES_H

#include <pthread.h>
#include <stdatomic.h>

#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"
#include "platform/threads.h"

/* This subsystem's state of one device. */
struct pipelines {
    struct table pipelines, binaries; /* struct pipeline, struct binary_code */
    struct tier_lock {
        pthread_mutex_t mutex;
        pthread_cond_t made; /* a tier of some object is made */
    } tier_locks[16];        /* one object's tiers are under one of them */
};

/* False: out of memory. */
bool pipelines_init(struct track *track);
void pipelines_finish(struct track *track);

/* ---- Tiers as they are made, once each ---- */

/* Who wants a tier. TIER_IF_CACHED: a creation in a call that must compile nothing. */
enum tier_cause { TIER_AT_DRAW, TIER_AT_CREATION, TIER_AHEAD, TIER_IF_CACHED };

/* The driver's object of one tier or variant; all zero: not made yet. What is atomic may be read anywhere. */
struct tier_slot {
    _Atomic(uint64_t) made;
    _Atomic(VkResult) failed; /* why making it failed: not tried again */
    /* Under the lock of the object's tiers: */
    bool borrowed;         /* `made` is the program's own object */
    uint32_t makers;       /* who make it now */
    enum tier_cause cause; /* the first of them, and the time that it gets from a processor */
    thread_clock clock;
    int64_t waited_since; /* nanoseconds; the first who waits for it. 0: nobody */
};

/* A pipeline or shader object. */
struct tier_owner {
    void *object;
    VkObjectType type;
    const _Atomic(uint64_t) *handle; /* the program's; 0 once it is destroyed, when a worker may still be at it */
    VkResult (*make)(struct track *track, void *object, uint32_t tier, uint32_t key, enum tier_cause cause,
                     struct tier_slot *made);
    void (*destroy)(struct track *track, uint64_t made);
    void (*report)(const void *object, char *text, size_t size); /* what it is made of, for the log */
};

/*
 * The object of a tier, with a key of the owner's, made now if it is the first time; any thread. 0 and *error if that
 * fails. Who finds another thread at it waits for that one alone; a draw whose wait gets nowhere, because the other is
 * a worker of the lowest priority on a busy machine, makes it itself. TIER_AHEAD waits for nothing, and what it failed
 * to make is tried again by a draw, as is what TIER_IF_CACHED did not find.
 */
uint64_t tier_made(struct track *track, struct tier_slot *slot, const struct tier_owner *owner, uint32_t tier,
                   uint32_t key, enum tier_cause cause, VkResult *error);

/* The lock for the tiers of an object; nobody holds it for long. */
pthread_mutex_t *tier_lock(struct track *track, const void *object);

/* One of several objects of a tier, by a key of the owner's, in a list whose newest is in front. */
struct variant {
    struct variant *next;
    uint32_t tier, key;
    struct tier_slot slot;
};

/* NULL: it has not been asked for. Any thread. */
struct variant *variant_find(const _Atomic(struct variant *) *variants, uint32_t tier, uint32_t key);

/* The slot to give to tier_made(), one in the list from now on; any thread. NULL: out of memory. */
struct tier_slot *variant_slot(struct track *track, const void *owner, _Atomic(struct variant *) *variants,
                               uint32_t tier, uint32_t key);

/* All of them go, with their owner: nobody else looks. */
void variants_free(struct track *track, _Atomic(struct variant *) *variants,
                   void (*destroy)(struct track *track, uint64_t made));

/*
 * The tier of what must have one for its whole life, because the GPU chooses it, or keeps its addresses: the highest
 * that any descriptor of the device may come to need of shaders that follow these needs. It is a matter of what the
 * program enabled and of settings alone: handles of shader groups that were captured in one run are those of the next.
 */
uint32_t fixed_tier(const struct track *track, uint32_t follows);

#endif
