/* SPDX-License-Identifier: MIT */
/*
 * Set layouts with a binding of records, and pipeline layouts.
 *
 *   set_layout.h        set layouts (set_layout.c, layout_plan.c)
 *   kept_layout.h       the part of set layouts that outlives the program's (kept_layout.c)
 *   pipeline_layout.h   pipeline layouts (pipeline_layout.c), and those of commands that name none (dynamic_layout.c)
 */
#ifndef CLAMPLER_LAYOUTS_LAYOUTS_H
#define CLAMPLER_LAYOUTS_LAYOUTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device/device.h"
#include "objects/table.h"
#include "objects/track.h"

struct dynamic_layout;
struct pipeline_layout;

/* Descriptors of pipeline layouts, as limits count them. */
struct stage_counts {
    uint32_t uniform, storage, resources;
};

/* This subsystem's state of one device. */
struct layouts {
    struct table set_layouts, pipeline_layouts;
    struct table kept;                        /* struct kept_layout */
    pthread_mutex_t dynamic_lock;             /* changes of the two lists */
    _Atomic(struct dynamic_layout *) dynamic; /* searched without the lock */
    struct dynamic_layout *retired_dynamic;   /* a set layout of theirs is gone */
    VkPushConstantRange pushes;               /* of every pipeline layout with a root (layouts_rooted) */
    atomic_bool places;                       /* some set layout has application-managed descriptors */
    struct pipeline_layout *heap_layout;      /* of all pipelines with descriptors in heaps, or NULL (heap_layout.h) */
    VkPipelineLayout push_layout;             /* of that range alone */
    VkSampler
        nearest_sampler; /* immutable in set layouts (layout_plan.c); VK_NULL_HANDLE: limits leave no room for it */
    VkSamplerCreateInfo nearest_info;  /* its create-info; embedded where descriptors are in heaps */
    void *nearest_bytes;               /* as a descriptor in a descriptor buffer; NULL: there is none */
    struct stage_counts after_bind[2]; /* the driver's limits of a stage and of all stages, with update-after-bind */
};

/*
 * False: out of memory. `layouts_open` makes the driver's objects. If it fails, layouts_finish() destroys those that
 * were made.
 */
bool layouts_init(struct track *track);
VkResult layouts_open(struct track *track);
void layouts_finish(struct track *track);

/*
 * True: pipeline layouts, and shader objects, have the root table's address behind the program's push constants. All of
 * a device have it where application-managed descriptors are enabled, so that they stay compatible with each other. On
 * lavapipe they have it only after the first set layout that needs it: lavapipe adds up the push constants of linked
 * libraries' layouts, and beyond 256 bytes its rasteriser writes past the end of an array.
 */
static inline bool layouts_rooted(const struct track *track)
{
    return track->device->caps.app_descriptors.buffers &&
           (!track->device->caps.app_descriptors.late_root || atomic_load(&track->layouts->places));
}

#endif
