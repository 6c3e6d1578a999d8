/* SPDX-License-Identifier: MIT */
/*
 * One descriptor of every kind that a set can hold, as writes and as the raw memory of an update template, and the
 * values that integration_every_type.frag must show for them.
 */
#ifndef CLAMPLER_INTEGRATION_EVERY_TYPE_H
#define CLAMPLER_INTEGRATION_EVERY_TYPE_H

#include "integration/shared/scene.h"

enum { EVERY_TYPE_BINDINGS = 8, EVERY_TYPE_INLINE = 7 /* binding of the inline uniform block, the last one */ };

struct every_type {
    struct harness_buffer uniform, storage, texels;
    VkBufferView texel_view;
    struct harness_image stored;
    float inline_value;
};

void every_type_create(struct scene *scene, struct every_type *every);
void every_type_destroy(struct scene *scene, struct every_type *every);

/* The bindings of the layout; the caller changes them as it likes. */
void every_type_bindings(VkDescriptorSetLayoutBinding bindings[EVERY_TYPE_BINDINGS]);

/* Infos of all kinds at once: `writes` point into it. */
struct every_type_infos {
    VkDescriptorImageInfo combined, image, sampler, stored;
    VkDescriptorBufferInfo uniform, storage;
    VkWriteDescriptorSetInlineUniformBlock block;
};

/* One write a binding. dstSet is VK_NULL_HANDLE. */
void every_type_writes(const struct scene *scene, const struct every_type *every, enum scene_sampler combined,
                       enum scene_sampler separate, struct every_type_infos *infos,
                       VkWriteDescriptorSet writes[EVERY_TYPE_BINDINGS]);

/* The same as raw memory, at offsets and strides that no structure would have. */
enum { EVERY_TYPE_RAW_BYTES = 512 };
void every_type_raw(const struct scene *scene, const struct every_type *every, enum scene_sampler combined,
                    enum scene_sampler separate, VkDescriptorUpdateTemplateEntry entries[EVERY_TYPE_BINDINGS],
                    unsigned char raw[EVERY_TYPE_RAW_BYTES]);

/* Checks rows: texture RAMP through `combined`, STEPS through `separate`, and the values of the others. */
void every_type_expect(const struct scene *scene, enum scene_sampler combined, enum scene_sampler separate,
                       bool inline_block);

#endif
