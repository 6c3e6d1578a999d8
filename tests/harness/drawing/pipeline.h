/* SPDX-License-Identifier: MIT */
/*
 * Render targets and pipelines for tests. Every function ends the process on failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_PIPELINE_H
#define CLAMPLER_HARNESS_PIPELINE_H

#include "newer_vulkan.h"
#include "harness/resources/resources.h"

/* SPIR-V words as the build makes them from shaders/: HARNESS_SPIRV(name) for an array name[]. */
struct harness_spirv {
    const uint32_t *words;
    size_t bytes;
};
#define HARNESS_SPIRV(name) ((struct harness_spirv){(name), sizeof(name)})

/* The vertex shader of a triangle that covers everything under a viewport of twice the target's size (fullscreen.vert).
 */
struct harness_spirv harness_covering_triangle(void);

VkShaderModule harness_module(struct harness_vulkan *vk, struct harness_spirv code);

/* One colour attachment, cleared to zero at the start of each pass, ready to be read by harness_target_read. */
struct harness_target {
    struct harness_image color;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    uint32_t width, height; /* pixels */
};

void harness_target_create(struct harness_vulkan *vk, struct harness_target *target, VkFormat format, uint32_t width,
                           uint32_t height);
void harness_target_destroy(struct harness_vulkan *vk, struct harness_target *target);
void harness_target_begin(const struct harness_target *target, VkCommandBuffer commands);
void harness_target_end(VkCommandBuffer commands);
/* The same without the render pass, by vkCmdBeginRendering. */
void harness_target_begin_rendering(const struct harness_target *target, VkCommandBuffer commands);
void harness_target_end_rendering(const struct harness_target *target, VkCommandBuffer commands);

/* The pixels after the pass, tightly packed, first row at the top of Vulkan's framebuffer (y = 0). */
void harness_target_read(struct harness_vulkan *vk, const struct harness_target *target, void *pixels);

/* A pipeline of the given shaders for a target. Viewport and scissor cover the target; no blending, no depth. */
struct harness_graphics_params {
    struct harness_spirv vertex; /* zero: a triangle that covers everything, drawn with 3 vertices */
    struct harness_spirv fragment;
    VkPrimitiveTopology topology;                      /* used with a vertex shader of one's own */
    const VkPipelineVertexInputStateCreateInfo *input; /* NULL: no vertex buffers */
    const VkSpecializationInfo *specialization;        /* of both stages; NULL: none */
    VkPipelineLayout layout;
    VkPipelineLayout vertex_layout; /* where pipelines are linked, that of the vertex shader; zero: the same */
    VkPipelineCreateFlags flags;
    VkPipelineCache cache;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping; /* of both stages, where sets are heaps; NULL: none */
};

VkPipeline harness_graphics_pipeline(struct harness_vulkan *vk, const struct harness_target *target,
                                     const struct harness_graphics_params *params);
/*
 * The pipeline of a create-info, whole or linked as the device was opened for; VkPipelineRenderingCreateInfo may be all
 * that is chained to it. Where sets are heaps, the flag of those is added.
 */
VkPipeline harness_pipeline_of(struct harness_vulkan *vk, const VkGraphicsPipelineCreateInfo *whole,
                               VkPipelineCache cache);
/* The same, and never linked: with any stages. */
VkPipeline harness_whole_pipeline(struct harness_vulkan *vk, const VkGraphicsPipelineCreateInfo *whole,
                                  VkPipelineCache cache);
/* Destroys it, and the libraries that it was linked from. */
void harness_graphics_pipeline_destroy(struct harness_vulkan *vk, VkPipeline pipeline);
VkPipeline harness_compute_pipeline(struct harness_vulkan *vk, struct harness_spirv code, VkPipelineLayout layout);
/* The same where sets are heaps and there is no layout; both may be NULL. */
VkPipeline harness_compute_pipeline_mapped(struct harness_vulkan *vk, struct harness_spirv code,
                                           const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping,
                                           const VkSpecializationInfo *specialization);

#endif
