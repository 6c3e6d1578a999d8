/* SPDX-License-Identifier: MIT */
/*
 * Views as colour attachments: whether they have alpha, the part of the image that they show, and the image's alpha
 * states (where alpha is 1 in memory).
 */
#ifndef CLAMPLER_ATTACHMENTS_ATTACHMENT_VIEW_H
#define CLAMPLER_ATTACHMENTS_ATTACHMENT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "filled/filled.h"

struct track;
struct image;
struct attachment_view;

/*
 * Fills *attachment for a view that is being created; `base_format` is GL's base format, or 0 without GL state,
 * `channels` its order or NULL, and `drawn`: its usage has colour attachments. Returns whether the view has no alpha,
 * so that sampling through it must give alpha 1.
 */
bool attachment_view(struct track *track, struct image *image, const VkImageViewCreateInfo *info, uint32_t base_format,
                     const VkComponentMapping *channels, bool drawn, struct attachment_view *attachment);

/* The part of the image that a view shows: as ranges of alpha states, and as barriers take them. */
struct filled_range attachment_range(const struct image *image, const VkImageViewCreateInfo *info);
VkImageSubresourceRange attachment_shown(const struct track *track, const struct image *image,
                                         const VkImageViewCreateInfo *info);

/* Gives an image alpha states, when it gets a view that is filled. False: out of memory. */
bool attachment_watch(struct track *track, struct image *image);

#endif
