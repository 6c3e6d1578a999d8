/* SPDX-License-Identifier: MIT */
/*
 * The scene (scene.h) by commands that the device generates, whichever extension it is: each sequence is a row of the
 * target, looked up by the fragment or the compute shader of shaders/tests/integration_generated.glsl, whose number
 * shows in green. Set 0 has the texture, and the pixels of dispatches; the row is a push constant.
 *
 * The test opens the device and makes what is drawn; failures end it.
 */
#ifndef CLAMPLER_INTEGRATION_GENERATED_SCENE_H
#define CLAMPLER_INTEGRATION_GENERATED_SCENE_H

#include "integration/shared/scene.h"

enum { GENERATED_CHOICES = 2 };

struct generated {
    struct scene scene;
    bool graphics;  /* draws; else dispatches */
    bool rendering; /* draws without a render pass */
    bool chooses;   /* every other sequence is the second choice's; else all the first's */
    VkShaderStageFlags stages;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set;
    struct harness_buffer pixels;

    /* All rows; between generated_begin and generated_end. */
    void (*draw)(struct generated *generated);
};

/* The first of these that the driver lacks, or NULL. */
const char *generated_missing(const char *const *extensions, uint32_t count);

/*
 * The device. With `plain` one of unmodified programs that the layer takes care of all the same, without GL's samplers.
 */
void generated_open_device(struct generated *generated, bool plain, const struct harness_vulkan_params *params);

/* Layouts and set, of a struct whose flags are set. */
void generated_open(struct generated *generated);
void generated_close(struct generated *generated);

/* The number of a shader, for its stage: what it points to must live as long. */
VkSpecializationInfo generated_number(const int *number);
struct harness_spirv generated_fragment(void);
struct harness_spirv generated_compute(void);
VkPipelineShaderStageCreateInfo generated_compute_stage(struct generated *generated,
                                                        const VkSpecializationInfo *specialization);

/* A command buffer, in the target's pass if there are draws; the other ends it, submits it and reads the pixels. */
VkCommandBuffer generated_begin(struct generated *generated);
void generated_end(struct generated *generated, VkCommandBuffer commands);

/* Every sampler is drawn in tier 2, and as the formulas have it. */
void generated_expect_records_followed(struct generated *generated);

/* Where the program can ask for nothing, its code goes down as it is. */
void generated_expect_own_code(struct generated *generated);

#endif
