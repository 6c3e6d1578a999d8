/* SPDX-License-Identifier: MIT */
/* Framebuffers, with the views that they were made from. */
#ifndef CLAMPLER_ATTACHMENTS_FRAMEBUFFER_H
#define CLAMPLER_ATTACHMENTS_FRAMEBUFFER_H

#include <stdint.h>

#include <vulkan/vulkan_core.h>

struct track;
struct view;

struct framebuffer {
    uint32_t count;
    uint32_t layers;
    struct view *views[]; /* NULL: imageless, or not known */
};

/* NULL: VK_NULL_HANDLE, or one that the layer does not know. */
struct framebuffer *framebuffer_find(struct track *track, VkFramebuffer handle);

#endif
