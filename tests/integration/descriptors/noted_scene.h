/* SPDX-License-Identifier: MIT */
/*
 * Devices that begin without GL state, for tests of descriptors that were written before there was any: what the layer
 * only noted then must be there when the first sampler with GL state needs it.
 *
 * Images and samplers are descriptors of their own (integration_noted.glsl): three images in set 0, two samplers in set
 * 1, or behind the images. One sampler has a border colour of four values, of which lookups of an image with one
 * channel show the first alone. That is in the image's record, so a lost record changes pixels. The layer may not use
 * custom border colours of the driver, which would be right without a record.
 */
#ifndef CLAMPLER_INTEGRATION_NOTED_SCENE_H
#define CLAMPLER_INTEGRATION_NOTED_SCENE_H

#include "integration/shared/scene.h"

enum { NOTED_IMAGES = 3, NOTED_SAMPLERS = 2 };

struct noted {
    struct scene scene;
    VkSampler border; /* noted_add_border */
    VkDescriptorSetLayout images, samplers;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/* Which texture each of three images is. */
extern const enum scene_texture noted_textures[NOTED_IMAGES];

struct noted_params {
    const struct harness_vulkan_params *device;
    bool together;                          /* the samplers are at binding 1 of set 0 */
    bool scissor;                           /* is dynamic */
    VkDescriptorSetLayoutCreateFlags flags; /* of set 0 */
    VkDescriptorBindingFlags binding_flags; /* of its last binding */
    VkShaderStageFlags stages;              /* 0: fragment; compute has a storage buffer at binding 1 of set 1 */
};

void noted_open(struct noted *noted, const struct noted_params *params);
void noted_close(struct noted *noted);

/* One more pipeline like its own, with another layout. */
VkPipeline noted_pipeline(struct noted *noted, VkPipelineLayout layout, bool together);

/* GL_CLAMP_TO_BORDER, nearest, with the odd border colour: tier 2. */
void noted_add_border(struct noted *noted);

/* Writes images one by one, each in a call of its own. */
void noted_write_images(struct noted *noted, VkDescriptorSet set);
/* One sampler of set 1, or of binding 1. */
void noted_write_sampler(struct noted *noted, VkDescriptorSet set, bool together, uint32_t element, VkSampler sampler);

/* Rows of a sampler (0 to 2, or 3 to 5) show the three images through it: SCENE_NOTHING: are not drawn. */
#define noted_expect(noted, element, sampler) noted_expect_at((noted), (element), (sampler), __FILE__, __LINE__)
void noted_expect_at(const struct noted *noted, unsigned element, enum scene_sampler sampler, const char *file,
                     int line);
/* The same of the odd border. */
#define noted_expect_border(noted, element) noted_expect_border_at((noted), (element), __FILE__, __LINE__)
void noted_expect_border_at(const struct noted *noted, unsigned element, const char *file, int line);
/* One row of it. */
void noted_expect_border_row_at(const struct noted *noted, unsigned row, enum scene_texture texture, const char *file,
                                int line);

#endif
