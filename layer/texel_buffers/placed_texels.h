/* SPDX-License-Identifier: MIT */
/*
 * Uniform texel buffers that the program places by address, format and range, without a view (placed_texels.c). Any
 * thread; takes a lock where the format is emulated.
 */
#ifndef CLAMPLER_TEXEL_BUFFERS_PLACED_TEXELS_H
#define CLAMPLER_TEXEL_BUFFERS_PLACED_TEXELS_H

#include "objects/track.h"

/*
 * What the driver is asked for: *below, or `program` itself where that serves. *number is that of the record, 0 for
 * none. VkBufferViewGLStateCreateInfoCLAMPLER may be first in the chain; what is refused of it is said, and ignored.
 */
const VkDescriptorAddressInfoEXT *placed_texels(struct track *track, const VkDescriptorAddressInfoEXT *program,
                                                VkDescriptorAddressInfoEXT *below, uint32_t *number);

#endif
