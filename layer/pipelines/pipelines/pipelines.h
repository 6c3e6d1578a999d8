/* SPDX-License-Identifier: MIT */
/*
 * Pipelines, their tiers, and saved create-infos. layer/pipelines/creation creates them.
 *
 *   pipelines.h         makes each tier once (pipelines.c)
 *   tiers.h             pipelines and their tiers (tiers.c), saved create-infos
 *                       (saved_info.c), and modules of stages, replaced by those of a tier (stages.c)
 *   pipeline_binary.h   pipeline binaries, with the code of stages behind them
 *   pipeline_blend.h    blend state of pipelines where attachments have no alpha
 *   pipeline_order.h    variants for attachments whose channels are elsewhere
 *   graphics_state.h    the members of a create-info that Vulkan does not ignore
 */
#ifndef CLAMPLER_PIPELINES_PIPELINES_H
#define CLAMPLER_PIPELINES_PIPELINES_H

#include <pthread.h>
#include <stdatomic.h>

#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"
#include "pipelines/pipeline_order.h"
#include "platform/threads.h"

/* This subsystem's state of one device. */
struct pipelines {
    struct table pipelines, binaries; /* struct pipeline, struct binary_code */
    struct order_variants orders;
    struct tier_lock {
        pthread_mutex_t mutex;
        pthread_cond_t made; /* a tier of some object is made */
    } tier_locks[16];        /* one object's tiers are under one of them */
};

/* False: out of memory. */
bool pipelines_init(struct track *track);
void pipelines_finish(struct track *track);

/* ---- Tiers as they are made, once each ---- */

/* Why a tier is made. TIER_IF_CACHED: a creation in a call that must not compile. */
enum tier_cause { TIER_AT_DRAW, TIER_AT_CREATION, TIER_AHEAD, TIER_IF_CACHED };

/* The driver's object of one tier or variant; all zero: not made yet. Any thread may read the atomic members. */
struct tier_slot {
    _Atomic(uint64_t) made;
    _Atomic(VkResult) failed; /* the error of making it, which is not tried again */
    /* Under the lock of the object's tiers: */
    bool borrowed;         /* `made` is the program's own object */
    uint32_t makers;       /* threads that make it */
    enum tier_cause cause; /* of the first of them, and its processor time */
    thread_clock clock;
    int64_t waited_since; /* nanoseconds; the beginning of the first wait. 0: none */
};

/* A pipeline or shader object. */
struct tier_owner {
    void *object;
    VkObjectType type;
    const _Atomic(uint64_t) *handle; /* the program's; 0 once it is destroyed, when a worker may still be at it */
    VkResult (*make)(struct track *track, void *object, uint32_t tier, uint32_t key, enum tier_cause cause,
                     struct tier_slot *made);
    void (*destroy)(struct track *track, uint64_t made);
    void (*report)(const void *object, char *text, size_t size); /* describes it for the log */
};

/*
 * The object of a tier, with a key of the owner's, made at the first call; any thread. 0 and *error if that fails. If
 * another thread makes it, waits for that thread; a draw makes the object itself if that thread is a worker that gets
 * little processor time. TIER_AHEAD does not wait. A draw tries again where TIER_AHEAD failed, or TIER_IF_CACHED found
 * nothing.
 */
uint64_t tier_made(struct track *track, struct tier_slot *slot, const struct tier_owner *owner, uint32_t tier,
                   uint32_t key, enum tier_cause cause, VkResult *error);

/* The lock for the tiers of an object; never held for long. */
pthread_mutex_t *tier_lock(struct track *track, const void *object);

/* One of several objects of a tier, by a key of the owner's, in a list whose newest is in front. */
struct variant {
    struct variant *next;
    uint32_t tier, key;
    struct tier_slot slot;
};

/* NULL: there is none yet. Any thread. */
struct variant *variant_find(const _Atomic(struct variant *) *variants, uint32_t tier, uint32_t key);

/* The slot to give to tier_made(), one in the list from now on; any thread. NULL: out of memory. */
struct tier_slot *variant_slot(struct track *track, const void *owner, _Atomic(struct variant *) *variants,
                               uint32_t tier, uint32_t key);

/* Frees all of them, with their owner: no other thread reads them. */
void variants_free(struct track *track, _Atomic(struct variant *) *variants,
                   void (*destroy)(struct track *track, uint64_t made));

/*
 * The fixed tier of pipelines and shader objects that draws cannot exchange, because the GPU selects them, or keeps
 * their addresses: the highest tier that any descriptor of the device can require of shaders that follow these needs.
 * It depends on the program's features and on settings alone, so that captured handles of shader groups are valid in
 * the next run.
 */
uint32_t fixed_tier(const struct track *track, uint32_t follows);

#endif
