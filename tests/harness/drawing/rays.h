/* SPDX-License-Identifier: MIT */
/*
 * Ray tracing for tests (VK_KHR_ray_tracing_pipeline): a world of one triangle in the direction of z, pipelines of a
 * ray generation, a miss and a closest hit shader, and the table of their handles. Every function ends the process on
 * failure (see vulkan.h).
 */
#ifndef CLAMPLER_HARNESS_RAYS_H
#define CLAMPLER_HARNESS_RAYS_H

#include "harness/drawing/pipeline.h"

/* Shaders, of which each is a group, in the order of tables. */
enum { RAYS_GENERATION, RAYS_MISS, RAYS_HIT, RAYS_GROUPS };
extern const VkShaderStageFlagBits harness_rays_stages[RAYS_GROUPS];
#define RAYS_STAGES                                                                                                    \
    (VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR)

/* The extensions that this needs of a device, and a chain of features, for harness_vulkan_params::device_next. */
enum { HARNESS_RAYS_EXTENSIONS = 4 };
extern const char *const harness_rays_extensions[HARNESS_RAYS_EXTENSIONS];
const void *harness_rays_features(void);

/* The triangle, which rays from the origin along z meet; those against it do not. */
extern const float harness_world_corners[3][3];

/* An acceleration structure with its memory. */
struct harness_structure {
    struct harness_buffer storage, scratch;
    VkAccelerationStructureKHR structure;
};

struct harness_world {
    struct harness_buffer triangle, instances;
    struct harness_structure bottom, top;
};

void harness_world_create(struct harness_vulkan *vk, struct harness_world *world);
void harness_world_destroy(struct harness_vulkan *vk, struct harness_world *world);

/* A pipeline, or a library, of `count` groups from `first` on. Its modules are gone when it is there. */
struct harness_rays_params {
    struct harness_spirv code[RAYS_GROUPS];
    unsigned first, count;
    VkPipelineCreateFlags flags;
    const VkPipeline *libraries; /* two of them, or NULL */
    VkPipelineLayout layout;
};
VkPipeline harness_rays_pipeline(struct harness_vulkan *vk, const struct harness_rays_params *params);

/* The handles of a pipeline of all groups, each in a region of its own. */
struct harness_rays_table {
    struct harness_buffer buffer;
    VkStridedDeviceAddressRegionKHR regions[RAYS_GROUPS];
};
void harness_rays_table_create(struct harness_vulkan *vk, VkPipeline pipeline, struct harness_rays_table *table);
void harness_rays_table_destroy(struct harness_vulkan *vk, struct harness_rays_table *table);

/* One ray a pixel, by vkCmdTraceRaysKHR. */
void harness_rays_trace(const struct harness_vulkan *vk, const struct harness_rays_table *table,
                        VkCommandBuffer commands, uint32_t width, uint32_t height);

#endif
