/* SPDX-License-Identifier: MIT */
/*
 * One small program that uses every kind of object the layer stands beside, written as a program must be that goes on
 * when memory runs out: it stops at the first call that fails, destroys what it has, and says what happened.
 */
#ifndef CLAMPLER_INTEGRATION_SCENARIO_H
#define CLAMPLER_INTEGRATION_SCENARIO_H

#include "integration/shared/scene.h"

/* The device extension that the scenario needs: pass them to scene_open. */
extern const struct harness_vulkan_params scenario_params;

/*
 * Runs it on the scene's device. VK_SUCCESS if every call succeeded: then the pixels are checked, too, unless
 * `anything_goes`. Everything is destroyed in either case. `callbacks` may be NULL.
 */
VkResult scenario_run(struct scene *scene, const VkAllocationCallbacks *callbacks, bool anything_goes);

/* vkCreateDevice with the extension, beside the scene's own; the device is destroyed again. */
VkResult scenario_create_device(struct scene *scene, const VkAllocationCallbacks *callbacks);

#endif
