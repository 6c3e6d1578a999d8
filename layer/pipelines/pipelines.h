/* SPDX-License-Identifier: MIT */
/*
 * Pipelines and their tiers, and what they are made of. layer/creation makes them.
 *
 *   tiers.h             what is kept of a pipeline and its tiers (tiers.c), what tiers are compiled from later
 *                       (recipe.c), and modules of stages, replaced by those of a tier (stages.c)
 *   pipeline_binary.h   pipeline binaries, with the code of stages behind them
 *   pipeline_blend.h    blend state of pipelines where attachments have no alpha
 *   graphics_state.h    what Vulkan does not ignore of a graphics pipeline's create-info
 */
#ifndef CLAMPLER_PIPELINES_PIPELINES_H
#define CLAMPLER_PIPELINES_PIPELINES_H

#include <stdatomic.h>

#include "modules/shader_module.h"
#include "objects/table.h"
#include "objects/track.h"

/* The room's state of one device. */
struct pipelines {
    struct table pipelines, binaries; /* struct pipeline, struct binary_code */
    pthread_mutex_t tier_locks[16];   /* one pipeline's tiers are compiled under one of them */
};

/* False: out of memory. */
bool pipelines_init(struct track *track);
void pipelines_finish(struct track *track);

/* The lock under which tiers of a pipeline or shader object are made. */
pthread_mutex_t *tier_lock(struct track *track, const void *object);

/* The driver's objects of the tiers of one pipeline or shader object, by number. What is atomic may be read anywhere.
 */
struct tiers {
    _Atomic(uint64_t) made[TIER_COUNT];   /* [0] is the program's own */
    _Atomic(VkResult) failed[TIER_COUNT]; /* why making that tier failed: not tried again */
};

/*
 * The object of a tier, made now, under tier_lock, if it is the first time; any thread. 0 and *error if that fails.
 * `owner` is handed to `make`.
 */
uint64_t tier_made(struct track *track, struct tiers *tiers, uint32_t tier, void *owner,
                   VkResult (*make)(struct track *track, void *owner, uint32_t tier, uint64_t *made), VkResult *error);

/*
 * The tier of what must have one for its whole life, because the GPU chooses it, or keeps its addresses: the highest
 * that any descriptor of the device may come to need of shaders that follow these needs. It is a matter of what the
 * program enabled and of settings alone: handles of shader groups that were captured in one run are those of the next.
 */
uint32_t fixed_tier(const struct track *track, uint32_t follows);

#endif
