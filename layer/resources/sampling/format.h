/* SPDX-License-Identifier: MIT */
/* Features and block sizes of formats (format.c). Any thread. */
#ifndef CLAMPLER_SAMPLING_FORMAT_H
#define CLAMPLER_SAMPLING_FORMAT_H

#include "objects/track.h"

/*
 * The features of images of a format and tiling; queried from the driver once, then found without a lock. If memory
 * runs out it is queried each time. Images with DRM modifiers count as filterable.
 */
VkFormatFeatureFlags2 format_features(struct track *track, VkFormat format, VkImageTiling tiling);
bool format_filters_linear(struct track *track, VkFormat format, VkImageTiling tiling);
void formats_finish(struct track *track);

/* Texels of a block of a compressed format; 1 x 1 for others. */
VkExtent2D format_block(VkFormat format);

/* The divisor of an image's size for a plane of a multi-planar format; 1 x 1 for planes of full size. */
VkExtent2D format_plane_divisor(VkFormat format, VkImageAspectFlags plane);

#endif
