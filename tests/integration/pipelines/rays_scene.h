/* SPDX-License-Identifier: MIT */
/*
 * The scene (scene.h) by rays, whichever extension traces them: rows 0 and 1 are looked up by a ray generation shader,
 * 2 and 3 by a miss shader, 4 and 5 by a closest hit shader (shaders/tests/integration_rays.glsl), and all of them by a
 * compute shader to compare with. Set 0 has the texture and the pixels, set 1 what rays meet.
 *
 * The test makes what rays meet, the pipeline and what traces; failures end it.
 */
#ifndef CLAMPLER_INTEGRATION_RAYS_SCENE_H
#define CLAMPLER_INTEGRATION_RAYS_SCENE_H

#include "harness/drawing/rays.h"
#include "integration/shared/scene.h"

/* How the texture comes into set 0. */
enum rays_sets { RAYS_SETS_PLAIN, RAYS_SETS_AFTER_BIND, RAYS_SETS_PUSHED };

struct rays {
    struct scene scene;
    enum rays_sets kind;
    struct harness_image floats; /* of a format that the driver cannot filter, or so the layer believes */
    VkDescriptorSetLayout set_layouts[2];
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[2];
    struct harness_buffer pixels;
    VkPipeline pipeline, compute; /* the first is the test's own */

    /* Traces one ray a pixel: once the pipeline and the sets are bound. */
    void (*trace)(struct rays *rays, VkCommandBuffer commands);
};

/* The number of extensions that the driver has, in the order of a list, up to the first that it lacks. */
uint32_t rays_extensions(const char *const *extensions, uint32_t count);

/* The device, and what needs no ray tracing: *rays is zero before. Without params->gl_sampler, Vulkan's samplers alone.
 */
void rays_open(struct rays *rays, enum rays_sets kind, const struct harness_vulkan_params *params);

/* Layouts and sets: set 1 holds a descriptor of type `world`, which is written with `structure` in the chain. */
void rays_open_sets(struct rays *rays, VkDescriptorType world, const void *structure);

/* Destroys all of it, and the pipelines; the test destroyed what it made besides. */
void rays_close(struct rays *rays);

/* Every sampler of the scene and some more: tier 2 looks up what the formulas and the compute shader do. */
void rays_expect_records_followed(struct rays *rays);

/* Handles are those of the pipeline that the program binds; the layer never makes another one. */
void rays_expect_one_pipeline(struct rays *rays);

/* Where the program can ask for nothing, its code goes down as it is. */
void rays_expect_own_code(struct rays *rays);

#endif
