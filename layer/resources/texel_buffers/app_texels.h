/* SPDX-License-Identifier: MIT */
/*
 * Uniform texel buffers that the program places by address, format and range, without a view (app_texels.c). Any
 * thread; takes a lock where the format is emulated.
 */
#ifndef CLAMPLER_TEXEL_BUFFERS_APP_TEXELS_H
#define CLAMPLER_TEXEL_BUFFERS_APP_TEXELS_H

#include "objects/track.h"

/* The message where VkBufferViewGLStateCreateInfoCLAMPLER stands without its feature. */
#define BUFFER_VIEW_NEEDS_FEATURE                                                                                      \
    "VkBufferViewGLStateCreateInfoCLAMPLER needs the feature glBufferView, which is not enabled"

/*
 * *for_driver is the driver's create-info; *record_index is set if there is a record.
 * VkBufferViewGLStateCreateInfoCLAMPLER may be first in the chain.
 *
 * VK_ERROR_VALIDATION_FAILED_EXT: it is refused, with a message that names `call`; *for_driver and *record_index are
 * then as if it were not there.
 */
VkResult app_texels(struct track *track, const char *call, const VkDescriptorAddressInfoEXT *program,
                    VkDescriptorAddressInfoEXT *for_driver, uint32_t *record_index);

#endif
