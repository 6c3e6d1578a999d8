/* SPDX-License-Identifier: MIT */
/* Devices of the chaos, with what never changes on them: textures, buffers of texels, immutable samplers. */
#ifndef CLAMPLER_CHAOS_DEVICES_H
#define CLAMPLER_CHAOS_DEVICES_H

#include "chaos/chaos.h"
#include "chaos/operations.h"

/* Finds out what cannot be asked of the driver, in processes of their own: before the first Vulkan call. */
void devices_try_driver(void);

/*
 * Opens a device with what the driver has of all that the chaos uses, and its actors. The seed decides what the
 * textures hold, which capabilities of the driver the layer does not use, how it compiles tiers, and whether the device
 * has had samplers and views that ask for everything before anything is recorded: where it has not, no set changes
 * after it is bound and no descriptors are in buffers or in heaps, as then the layer says what such draws will be of
 * (docs/limits.md). `said`: what there is and is not is printed.
 */
void device_open(struct device *device, unsigned number, const char *layers, const struct operations *operations,
                 bool said);

/* Ends the process if something that the layer counts is not as it should be. */
void device_close(struct device *device);

#endif
