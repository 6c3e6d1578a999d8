/* SPDX-License-Identifier: MIT */
/* The structures that descriptors of a type are written from (descriptor_type.c). Pure functions of the type. */
#ifndef CLAMPLER_DESCRIPTOR_TYPE_DESCRIPTOR_TYPE_H
#define CLAMPLER_DESCRIPTOR_TYPE_DESCRIPTOR_TYPE_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

/*
 * The member of VkWriteDescriptorSet that a type reads. Vulkan ignores the others (section "Descriptor Set Updates"),
 * so nothing may read them.
 */
enum info_kind {
    INFO_IMAGES,        /* pImageInfo */
    INFO_BUFFERS,       /* pBufferInfo */
    INFO_TEXEL_BUFFERS, /* pTexelBufferView */
    INFO_CHAINED,       /* a structure in the chain, for all of the write */
};
enum info_kind descriptor_type_infos(VkDescriptorType type);

/*
 * True: the layer knows the structure of the type, so that it can save it, or make a write from a template's data.
 * False for types of newer extensions, and for those that the layer never changes.
 */
bool descriptor_type_is_known(VkDescriptorType type);

#endif
