/* SPDX-License-Identifier: MIT */
/*
 * Application-managed descriptors: those that the program gets as bytes and places itself, in descriptor buffers and
 * heaps. Of the types that have records the program sees sizes that are a multiple of the driver's, and behind the
 * driver's bytes stands the number of the record (layer/resources/record_table). Behind a sampler in a descriptor
 * buffer there are nearest ones before that, for texels of cubes.
 */
#ifndef CLAMPLER_DEVICE_APP_DESCRIPTORS_H
#define CLAMPLER_DEVICE_APP_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

enum app_descriptor_kind {
    APP_SAMPLER,
    APP_COMBINED,
    APP_IMAGE,
    APP_TEXEL_BUFFER,
    APP_INPUT,
    APP_DESCRIPTOR_KINDS, /* types that stay the driver's */
};

struct app_descriptor_size {
    uint32_t size;   /* the driver's, in bytes */
    uint32_t scale;  /* the program sees so many times that; 1: there is no number */
    uint32_t number; /* bytes from the descriptor to its number */
};

/* Types that shaders declare as images, so that in heaps all of them are as large. */
static inline bool app_descriptor_as_image(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM:
    case VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM:
        return true;
    default:
        return false;
    }
}

/* All false and zero where the program places no descriptors. */
struct app_descriptors {
    bool buffers;                                           /* the program enabled descriptorBuffer */
    struct app_descriptor_size sizes[APP_DESCRIPTOR_KINDS]; /* in descriptor buffers */
    uint32_t robust_texel_buffer;                           /* the driver's size where robustBufferAccess is enabled */
    uint32_t push_bytes; /* of push constants that every pipeline layout with a root has */
    bool late_root;      /* layouts_rooted */
    uint32_t root_at;    /* in them: spirv_layout.root_at */
    bool heaps;          /* the program enabled descriptorHeap */
    struct app_descriptor_size heap_sampler,
        heap_image;        /* in heaps: samplers, and all types that shaders declare as images */
    uint32_t heap_buffer;  /* and all others, which have no numbers */
    bool heap_embeds;      /* shaders may embed samplers */
    uint32_t heap_root_at; /* in push data */
};

static inline enum app_descriptor_kind app_descriptor_kind_of(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        return APP_SAMPLER;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
        return APP_COMBINED;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return APP_IMAGE;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return APP_TEXEL_BUFFER;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return APP_INPUT;
    default:
        return APP_DESCRIPTOR_KINDS;
    }
}

/* The smallest multiple of the driver's size that has room for a number. */
static inline struct app_descriptor_size app_descriptor_size(size_t size)
{
    const uint32_t bytes = (uint32_t)size;
    return (struct app_descriptor_size){bytes, bytes ? (bytes + (uint32_t)sizeof(uint32_t) + bytes - 1) / bytes : 1,
                                        bytes};
}

/*
 * Samplers in descriptor buffers: three of the driver's, the program's and twice the nearest one, and the number. They
 * come twice for bindings of mutable types, whose driver's descriptors are as large as images, which are twice as large
 * where we know it. Four of them, where one has room for a number: some programs count by powers of two.
 */
static inline struct app_descriptor_size app_sampler_size(size_t size)
{
    const struct app_descriptor_size last = app_descriptor_size(size);
    return (struct app_descriptor_size){last.size, last.size ? last.scale + 2 : 1, 3 * last.size};
}

#endif
