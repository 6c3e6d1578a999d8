/* SPDX-License-Identifier: MIT */
/* The descriptors of lookups, in sets of every kind (enum harness_sets): for lookup_vulkan.c alone. */
#ifndef CLAMPLER_HARNESS_LOOKUP_SETS_H
#define CLAMPLER_HARNESS_LOOKUP_SETS_H

#include "harness/lookups/lookup.h"

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

/* Pushes what lookups have as push constants. */
void lookup_sets_push(const struct lookup_vulkan *lookups, bool separate, VkCommandBuffer commands, const void *data,
                      uint32_t size);

/* ---- In heaps (lookup_heaps.c) ---- */

void lookup_heaps_open(struct lookup_vulkan *lookups);
void lookup_heaps_close(struct lookup_vulkan *lookups);
void lookup_heaps_put_image(struct lookup_vulkan *lookups, bool separate, uint32_t binding, VkDescriptorType type,
                            VkSampler sampler, VkImageView view);
void lookup_heaps_put_buffer(struct lookup_vulkan *lookups, bool separate, uint32_t binding,
                             const struct harness_buffer *buffer);
void lookup_heaps_put_spare(struct lookup_vulkan *lookups, VkImageView view, VkSampler sampler);

/* NULL where shaders look into heaps themselves. */
const VkShaderDescriptorSetAndBindingMappingInfoEXT *lookup_heaps_mapping(const struct lookup_vulkan *lookups,
                                                                          bool separate);
/* The shader as it is, or as it looks into heaps: other words, which the caller frees. */
struct harness_spirv lookup_heaps_code(const struct lookup_vulkan *lookups, bool separate, struct harness_spirv code);

#endif
