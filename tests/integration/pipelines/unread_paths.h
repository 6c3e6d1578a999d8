/* SPDX-License-Identifier: MIT */
/*
 * Every way that a module reaches the driver, for integration/pipelines/unread.c: a device with as much as the driver
 * has of what they need, one program at a time, and the scene's pixels by it. The modules are those of
 * integration_unread.glsl, whose image is the second element of binding 1.
 */
#ifndef CLAMPLER_INTEGRATION_UNREAD_PATHS_H
#define CLAMPLER_INTEGRATION_UNREAD_PATHS_H

#include "harness/drawing/rays.h"
#include "harness/drawing/shader_objects.h"
#include "integration/recording/generated_memory.h"
#include "integration/recording/newer_generated.h"
#include "integration/shared/scene.h"

enum unread_path {
    UNREAD_COMPUTE,
    UNREAD_COMPUTE_INLINE, /* without a VkShaderModule: the words are in the stage's chain */
    UNREAD_DRAW,
    UNREAD_DRAW_INLINE,
    UNREAD_LIBRARY,
    UNREAD_LIBRARY_INLINE,
    UNREAD_LIBRARY_OPTIMIZED,
    UNREAD_OBJECT, /* compute */
    UNREAD_OBJECTS,
    UNREAD_OBJECTS_LINKED,
    UNREAD_RAYS,
    UNREAD_RAYS_INLINE,
    UNREAD_RAYS_LIBRARY,
    UNREAD_GENERATED, /* dispatches that an execution set of pipelines chooses */
    UNREAD_GENERATED_OBJECTS,
    UNREAD_PATHS
};
extern const char *const unread_path_names[UNREAD_PATHS];

/* Binding 1: as the program has it; of a variable count, and so moved below; in bytes that the program places. */
enum unread_layout { UNREAD_STILL, UNREAD_MOVED, UNREAD_PLACED };

struct unread {
    struct scene scene;
    enum unread_path path;
    enum unread_layout kind;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool; /* none with UNREAD_PLACED, as there is no set: nothing is drawn */
    VkDescriptorSet set;
    struct harness_buffer pixels;

    /* Of the program that there is: */
    VkPipeline pipeline, libraries[2];
    VkShaderEXT shaders[2];
};

/* False, with the reason, where the driver lacks what the path needs. */
bool unread_open(struct unread *unread, enum unread_path path, enum unread_layout layout);
void unread_close(struct unread *unread);

/* The path's own module, as the build makes it. */
struct harness_spirv unread_code(enum unread_path path);

/* What creation answers. Handles that it did not write are UNREAD_NO_HANDLE. */
#define UNREAD_NO_HANDLE (uintptr_t)0x5a5a
VkResult unread_create(struct unread *unread, struct harness_spirv code);
void unread_destroy(struct unread *unread);

/* Looks up through one of the scene's samplers; the pixels are the scene's, and its `drew` counts. */
void unread_draw(struct unread *unread, enum scene_sampler sampler);

#endif
