/* SPDX-License-Identifier: MIT */
/*
 * Set layouts of application-managed descriptors (device/app_descriptors.h): descriptor buffers, and embedded immutable
 * samplers. Bindings of types that have records get a multiple of the driver's descriptors, so that the driver's layout
 * has room for record indices. Called by the thread that makes a layout or queries its support.
 */
#ifndef CLAMPLER_LAYOUTS_APP_LAYOUT_H
#define CLAMPLER_LAYOUTS_APP_LAYOUT_H

#include "layouts/set_layout.h"

/* Does the program see larger descriptors in this binding than the driver has? */
bool app_binding_scales(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info, uint32_t index);

/*
 * Completes the bindings of layout_plan.c for a layout of application-managed descriptors.
 * VK_ERROR_VALIDATION_FAILED_EXT with a message where the types of a mutable binding do not fit.
 */
VkResult app_layout_fill(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct set_layout *layout);

/* The driver's binding, but for the members that are the program's. */
void app_binding_driver(const struct binding *binding, VkDescriptorSetLayoutBinding *for_driver);

/* After the driver has made the layout: reads the offsets of its bindings. */
void app_layout_made(struct track *track, VkDescriptorSetLayout made, struct set_layout *layout);

void app_binding_finish(struct track *track, const struct binding *binding);

#endif
