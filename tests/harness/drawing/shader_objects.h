/* SPDX-License-Identifier: MIT */
/*
 * Shader objects (VK_EXT_shader_object) for tests: what draws and dispatches in the place of a pipeline. Every function
 * ends the process on failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_SHADER_OBJECTS_H
#define CLAMPLER_HARNESS_SHADER_OBJECTS_H

#include "newer_vulkan.h"
#include "harness/drawing/pipeline.h"

struct harness_objects_params {
    struct harness_spirv compute;          /* or: */
    struct harness_spirv vertex, fragment; /* vertex zero: a triangle that covers everything, drawn with 3 vertices */
    VkPrimitiveTopology topology;          /* used with a vertex shader of one's own */
    const VkDescriptorSetLayout *set_layouts;
    uint32_t set_layout_count;
    uint32_t push_bytes;                                          /* as in harness_pipeline_layout */
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping; /* of all stages, where sets are heaps; NULL: none */
    bool linked; /* vertex and fragment shader are created together and linked; else each by itself */
};

struct harness_objects {
    uint32_t count; /* 1: compute, 2: vertex and fragment */
    VkShaderEXT shaders[2];
    bool own_vertex;
    VkPrimitiveTopology topology;
};

void harness_objects_create(struct harness_vulkan *vk, struct harness_objects *objects,
                            const struct harness_objects_params *params);
void harness_objects_destroy(struct harness_vulkan *vk, struct harness_objects *objects);

/*
 * Binds them, and sets all state that draws of vertex and fragment shaders need, as harness_graphics_pipeline has it.
 * Of the target only its size is read.
 */
void harness_objects_bind(struct harness_vulkan *vk, const struct harness_objects *objects,
                          const struct harness_target *target, VkCommandBuffer commands);

/* That state alone: of a viewport of `scale` times the target's size. */
void harness_objects_set_state(const struct harness_vulkan *vk, const struct harness_target *target, float scale,
                               VkPrimitiveTopology topology, VkCommandBuffer commands);

#endif
