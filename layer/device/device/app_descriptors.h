/* SPDX-License-Identifier: MIT */
/*
 * Application-managed descriptors: the program gets them as bytes and places them itself, in descriptor buffers and
 * heaps. For types that have records the program sees a multiple of the driver's size, and behind the driver's bytes
 * stands the record index (layer/resources/record_table). In descriptor buffers a sampler is followed by nearest
 * samplers, for texels of cubes, and then by the record index.
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
    uint32_t size;         /* the driver's, in bytes */
    uint32_t scale;        /* the program sees so many times that; 1: there is no record index */
    uint32_t index_offset; /* bytes from the descriptor to its record index */
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
    uint32_t heap_buffer;  /* and all others, which have no record index */
    bool heap_embeds;      /* shaders may embed samplers */
    uint32_t heap_root_at; /* in push data */
};

/* Does the program place descriptors itself, by any model? */
static inline bool app_descriptors_any(const struct app_descriptors *app_descriptors)
{
    return app_descriptors->buffers || app_descriptors->heaps;
}

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

/* The smallest multiple of the driver's size that has room for a record index. */
static inline struct app_descriptor_size app_descriptor_size(size_t size)
{
    const uint32_t bytes = (uint32_t)size;
    return (struct app_descriptor_size){bytes, bytes ? (bytes + (uint32_t)sizeof(uint32_t) + bytes - 1) / bytes : 1,
                                        bytes};
}

/*
 * Samplers in descriptor buffers: three of the driver's descriptors (the program's sampler, and the nearest one twice)
 * and the record index. The nearest one comes twice for bindings of mutable types, in which the driver's descriptors
 * have the size of images, on known drivers twice a sampler's. Four descriptors if a record index fits into one: some
 * programs expect powers of two.
 */
static inline struct app_descriptor_size app_sampler_size(size_t size)
{
    const struct app_descriptor_size last = app_descriptor_size(size);
    return (struct app_descriptor_size){last.size, last.size ? last.scale + 2 : 1, 3 * last.size};
}

#endif
