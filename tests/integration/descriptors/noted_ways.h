/* SPDX-License-Identifier: MIT */
/* Every way to write the images of noted_scene.h, and samplers that come later. */
#ifndef CLAMPLER_INTEGRATION_NOTED_WAYS_H
#define CLAMPLER_INTEGRATION_NOTED_WAYS_H

#include "integration/descriptors/noted_scene.h"

enum noted_way {
    NOTED_WAY_SINGLE,
    NOTED_WAY_ARRAY,
    NOTED_WAY_CALL, /* three writes in one call */
    NOTED_WAY_TEMPLATE,
    NOTED_WAY_TEMPLATES, /* one for each image */
    NOTED_WAY_COPIED,
    NOTED_WAY_COPIED_SINGLY,
    NOTED_WAY_CHAIN, /* over two more sets, which are gone before the draw */
    NOTED_WAY_RESET, /* from a set whose pool is reset before the draw */
    NOTED_WAYS,
};
extern const char *const noted_way_names[NOTED_WAYS];

/* What is written as an image. */
VkDescriptorImageInfo noted_image_info(const struct noted *noted, unsigned image);

/* A template of some of the images, for sets or pushes. */
VkDescriptorUpdateTemplate noted_template(const struct noted *noted, VkDescriptorUpdateTemplateType type,
                                          uint32_t first, uint32_t count);

/* Writes the images of a set. */
void noted_write_in(struct noted *noted, VkDescriptorSet set, enum noted_way way);

/* Draws with sets of images and samplers, or with one of both. */
void noted_draw(struct noted *noted, bool together, const VkDescriptorSet sets[2]);

/*
 * Plain samplers, GL_CLAMP alone, and the odd border beside it, one after the other, and what draws show. `drawn`: the
 * plain ones are drawn, too.
 */
void noted_samplers_come_later(struct noted *noted, bool together, bool drawn, const VkDescriptorSet sets[2]);

#endif
