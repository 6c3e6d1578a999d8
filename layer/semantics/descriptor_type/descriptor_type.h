/* SPDX-License-Identifier: MIT */
/*
 * What descriptors of a type are written from (descriptor_type.c). Pure functions of the type.
 */
#ifndef CLAMPLER_DESCRIPTOR_TYPE_DESCRIPTOR_TYPE_H
#define CLAMPLER_DESCRIPTOR_TYPE_DESCRIPTOR_TYPE_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

/*
 * Where writes of a type have their infos. The other members are ignored (section "Descriptor Set Updates") and may
 * hold anything: nothing reads them.
 */
enum info_kind {
    INFO_IMAGES,        /* pImageInfo */
    INFO_BUFFERS,       /* pBufferInfo */
    INFO_TEXEL_BUFFERS, /* pTexelBufferView */
    INFO_CHAINED,       /* a structure in the chain, for all of the write */
};
enum info_kind descriptor_type_infos(VkDescriptorType type);

/*
 * Does the layer know what infos of that type are, so that it can keep them, or make a write of what a template has?
 * False of types of extensions that are newer than it, and of those that it has nothing to do with.
 */
bool descriptor_type_is_known(VkDescriptorType type);

#endif
