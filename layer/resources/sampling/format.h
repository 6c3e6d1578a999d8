/* SPDX-License-Identifier: MIT */
/*
 * What formats can do, and how large their blocks are (format.c). Any thread.
 */
#ifndef CLAMPLER_SAMPLING_FORMAT_H
#define CLAMPLER_SAMPLING_FORMAT_H

#include "objects/track.h"

/*
 * What images of a format and tiling can do; asked of the driver once, then without a lock, or each time where there is
 * no memory to keep the answer in. Images with DRM modifiers count as filterable.
 */
VkFormatFeatureFlags2 format_features(struct track *track, VkFormat format, VkImageTiling tiling);
bool format_filters_linear(struct track *track, VkFormat format, VkImageTiling tiling);
void formats_finish(struct track *track);

/* Texels of a block of a compressed format; 1 x 1 for others. */
VkExtent2D format_block(VkFormat format);

/* What the size of an image is divided by for a plane of a format of several; 1 x 1 for planes of full size. */
VkExtent2D format_plane_divisor(VkFormat format, VkImageAspectFlags plane);

#endif
