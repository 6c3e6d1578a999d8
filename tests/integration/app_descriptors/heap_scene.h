/* SPDX-License-Identifier: MIT */
/*
 * The scene of tests with descriptor heaps: scene.h's textures, samplers and target, whose descriptors are bytes in
 * heaps. Draws have the tier of the device's mark, so the samplers that ask for more are written one after the other
 * (heap_scene_raise).
 *
 * With CLAMPLER_TEST_LAYERS=none the same tests draw with the driver alone and its own samplers: then the tests, and
 * the driver, are right without the layer.
 */
#ifndef CLAMPLER_INTEGRATION_HEAP_SCENE_H
#define CLAMPLER_INTEGRATION_HEAP_SCENE_H

#include "harness/resources/heap.h"
#include "integration/shared/scene.h"

enum { HEAP_SCENE_BYTES = 1 << 16 };

struct heap_scene {
    struct scene scene;
    struct harness_heaps heaps;
    struct harness_buffer pixels; /* of dispatches; its descriptor is in the heap */
    bool native;                  /* without the layer: only EDGE and BORDER are there, nothing is counted */
    unsigned tier;                /* of draws from here on */
};

/* The running test is skipped where the driver lacks something. */
void heap_scene_open(struct heap_scene *f);
/* The same, and the device has these features and extensions besides. */
void heap_scene_open_with(struct heap_scene *f, void *features, const char *const *extensions, uint32_t count);
/* The same without the validation layer, and with nullDescriptor: for tests of what programs must not do. */
void heap_scene_open_alone(struct heap_scene *f);
void heap_scene_close(struct heap_scene *f);

/* Sizes of descriptors as the driver alone shows them. */
VkPhysicalDeviceDescriptorHeapPropertiesEXT heap_scene_driver(void);

/* The greatest tier that heap_scene_raise can reach: 0 without the layer. */
unsigned heap_scene_tiers(const struct heap_scene *f);

/* Writes the samplers of that tier into bytes that nobody reads; all draws are of it from here on. */
void heap_scene_raise(struct heap_scene *f, unsigned tier);

/* Six samplers that together ask for that tier, one a row; textures go by turns. */
const enum scene_sampler *heap_scene_rows(unsigned tier);
enum scene_texture heap_scene_texture(unsigned row);

/* Writes one descriptor, at an offset in its heap. */
void heap_scene_put_sampler(struct heap_scene *f, uint32_t offset, enum scene_sampler sampler);
void heap_scene_put_texture(struct heap_scene *f, uint32_t offset, enum scene_texture texture);
void heap_scene_put_pixels(struct heap_scene *f, uint32_t offset);

/* A pipeline for the scene's target, or for dispatches of one work group. `mapping` may be NULL. */
VkPipeline heap_scene_pipeline(struct heap_scene *f, VkShaderStageFlagBits stage, struct harness_spirv code,
                               const VkShaderDescriptorSetAndBindingMappingInfoEXT *mapping);

/* Draws, or dispatches and reads f->pixels into the scene's, with both heaps bound and data pushed. */
void heap_scene_draw(struct heap_scene *f, VkPipeline pipeline, const void *data, size_t size);
void heap_scene_dispatch(struct heap_scene *f, VkPipeline pipeline, const void *data, size_t size);

/* Each row shows its texture through its sampler, and all draws were of the scene's tier. */
#define heap_scene_expect_rows(f, samplers) heap_scene_expect_rows_at((f), (samplers), __FILE__, __LINE__)
void heap_scene_expect_rows_at(const struct heap_scene *f, const enum scene_sampler *samplers, const char *file,
                               int line);

#endif
