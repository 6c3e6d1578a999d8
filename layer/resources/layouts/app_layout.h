/* SPDX-License-Identifier: MIT */
/*
 * Set layouts of application-managed descriptors (device/app_descriptors.h): descriptor buffers, and embedded immutable
 * samplers. Bindings of types that have records get a multiple of the driver's descriptors, so that the driver's layout
 * has room for numbers. Used while a layout is made or asked for, by the thread that does so.
 */
#ifndef CLAMPLER_LAYOUTS_APP_LAYOUT_H
#define CLAMPLER_LAYOUTS_APP_LAYOUT_H

#include "layouts/set_layout.h"

/* Does the program see larger descriptors in this binding than the driver has? */
bool app_binding_scales(const struct device *device, const VkDescriptorSetLayoutCreateInfo *info, uint32_t index);

/*
 * What layouts of application-managed descriptors add to bindings that layout_plan.c has filled.
 * VK_ERROR_VALIDATION_FAILED_EXT with a message where the types of a mutable binding cannot be served.
 */
VkResult app_layout_fill(struct track *track, const VkDescriptorSetLayoutCreateInfo *info, struct set_layout *layout);

/* What the driver gets for a binding, whose other members are the program's. */
void app_binding_driver(const struct binding *binding, VkDescriptorSetLayoutBinding *for_driver);

/* The driver has made the layout: where its bindings lie. */
void app_layout_made(struct track *track, VkDescriptorSetLayout made, struct set_layout *layout);

void app_binding_finish(struct track *track, const struct binding *binding);

#endif
