/* SPDX-License-Identifier: MIT */
/*
 * Published: what a program makes that was compiled with the header of one version of the extension. One source,
 * published_program.c, is compiled once for each version in tests/published, and once with today's header.
 */
#ifndef CLAMPLER_PUBLISHED_PUBLISHED_H
#define CLAMPLER_PUBLISHED_PUBLISHED_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

struct published_size {
    const char *name;
    size_t offset, size; /* of a structure: offset 0 */
};

struct published_value {
    const char *name;
    uint64_t value;
};

/* GL state of a view, and what stands in VkImageViewCreateInfo beside it. */
struct published_view {
    uint32_t depth_mode, swizzle[4];
    VkComponentMapping components;
};

struct published_program {
    uint32_t version; /* VK_CLAMPLER_GL_SAMPLER_SPEC_VERSION */
    const struct published_size *sizes;
    size_t size_count;
    const struct published_value *values;
    size_t value_count;
    VkResult (*make_view)(VkDevice device, VkImage image, VkFormat format, const struct published_view *view,
                          VkImageView *made);
    /* Nearest filters and GL_CLAMP_TO_EDGE; `compares`: less or equal. Everything else is 0. */
    VkResult (*make_sampler)(VkDevice device, uint32_t compares, VkSampler *made);
};

extern const struct published_program published_1, published_2, published_3, published_4, published_5, published_today;

#endif
