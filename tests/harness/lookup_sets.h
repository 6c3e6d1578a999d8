/* SPDX-License-Identifier: MIT */
/* The descriptors of lookups, in sets of every kind (enum harness_sets): for lookup_vulkan.c alone. */
#ifndef CLAMPLER_HARNESS_LOOKUP_SETS_H
#define CLAMPLER_HARNESS_LOOKUP_SETS_H

#include "harness/lookup.h"

/* Layouts, and sets where there are any, with all that lookups share; the neighbour must be there. */
void lookup_sets_open(struct lookup_vulkan *lookups);
void lookup_sets_close(struct lookup_vulkan *lookups);

/* The sets' other descriptor gets the neighbour that lookups->beside_filter chooses. */
void lookup_sets_write_neighbour(struct lookup_vulkan *lookups);

/* What one lookup samples. */
struct lookup_sampled {
    bool separate;
    VkImageView view;
    VkSampler sampler;
};

/* In this order: before its command buffer is recorded, while it is recorded, and before it is submitted. */
void lookup_sets_prepare(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled);
void lookup_sets_bind(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled, VkCommandBuffer commands,
                      VkPipelineBindPoint point);
void lookup_sets_settle(struct lookup_vulkan *lookups, const struct lookup_sampled *sampled);

#endif
