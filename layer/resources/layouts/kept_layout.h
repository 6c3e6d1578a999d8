/* SPDX-License-Identifier: MIT */
/*
 * The part of a set layout that outlives the program's, because tiers are compiled later: the driver's immutable
 * samplers, and, for shader objects, which name set layouts, a duplicate. Layouts without either have none. Counted;
 * any thread.
 */
#ifndef CLAMPLER_LAYOUTS_KEPT_LAYOUT_H
#define CLAMPLER_LAYOUTS_KEPT_LAYOUT_H

#include <stdatomic.h>

#include "layouts/layouts.h"
#include "objects/track.h"
#include "sampling/sampler.h"

/* By stage, bits of VkShaderStageFlags; then of all stages, where dynamic buffers and resources are not counted. */
enum { LAYOUT_STAGES = 32, LAYOUT_COUNTS };

struct kept_layout {
    atomic_uint references;          /* the program's own layout has one */
    struct stage_counts *counts;     /* LAYOUT_COUNTS of the driver's layout, where limits are tight; or NULL */
    bool after_bind;                 /* update-after-bind: other limits count it */
    VkDescriptorSetLayout duplicate; /* on devices with shader objects; else VK_NULL_HANDLE */
    uint32_t count, most;            /* held; room for */
    struct held_sampler samplers[];
};

/* The immutable samplers of a binding; NULL: none. */
static inline const VkSampler *immutable_of(const VkDescriptorSetLayoutBinding *binding)
{
    const bool takes_samplers = binding->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                                binding->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    return takes_samplers && binding->descriptorCount ? binding->pImmutableSamplers : NULL;
}

/* Keeps that part of a layout that the driver has made from `for_driver`. */
VkResult layout_keep(struct track *track, VkDescriptorSetLayout layout,
                     const VkDescriptorSetLayoutCreateInfo *for_driver);
/* The program destroys its layout. */
void layout_unref(struct track *track, VkDescriptorSetLayout layout);

/* The kept part, with one more reference; NULL: none. */
struct kept_layout *kept_layout_ref(struct track *track, VkDescriptorSetLayout layout);
void kept_layout_unref(struct track *track, struct kept_layout *kept); /* accepts NULL */

#endif
