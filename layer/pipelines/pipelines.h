/* SPDX-License-Identifier: MIT */
/*
 * Pipelines and their tiers, and what they are made of.
 *
 *   create_pipelines.c  the hooks that make pipelines of all kinds, and destroy them
 *   tiers.h             what is kept of a pipeline and its tiers (tiers.c), what tiers are compiled from later
 *                       (recipe.c), and modules of stages, replaced by those of a tier (stages.c)
 *   shader_objects.h    shader objects and their tiers (shader_objects.c), and their binaries (shader_binary.c)
 *   pipeline_blend.h    blend state of pipelines where attachments have no alpha
 *   graphics_state.h    what Vulkan does not ignore of a graphics pipeline's create-info
 */
#ifndef CLAMPLER_PIPELINES_PIPELINES_H
#define CLAMPLER_PIPELINES_PIPELINES_H

#include "objects/table.h"
#include "objects/track.h"

/* The room's state of one device. */
struct pipelines {
    struct table pipelines, shader_objects;
    pthread_mutex_t tier_locks[16]; /* one pipeline's tiers are compiled under one of them */
};

/* False: out of memory. */
bool pipelines_init(struct track *track);
void pipelines_finish(struct track *track);

/* The lock under which tiers of a pipeline or shader object are made. */
pthread_mutex_t *tier_lock(struct track *track, const void *object);

/* The tier of what must have one for its whole life. */
uint32_t fixed_tier(const struct track *track);

#endif
