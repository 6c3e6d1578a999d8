/* SPDX-License-Identifier: MIT */
/*
 * Makes and frees all subsystems of a device. layer/entry/chain calls this when a device is created or destroyed, and
 * for its counters; it includes no other header of the subsystems.
 */
#ifndef CLAMPLER_TRACK_LIFECYCLE_H
#define CLAMPLER_TRACK_LIFECYCLE_H

#include <stddef.h>

#include "device/device.h"

struct clampler_counters;

/*
 * Called at the end of vkCreateDevice for active devices, all other members of `device` filled. Sets device->track, or
 * returns the error that vkCreateDevice returns (chain then destroys the driver's device).
 */
VkResult track_create(struct device *device);

/* Called in vkDestroyDevice before the counters are read for the last time: ends all threads that count. */
void track_quiet(struct device *device);

/* Called in vkDestroyDevice before the driver's device goes; device->track may be NULL. */
void track_destroy(struct device *device);

/* The device's counters, for CLAMPLER_GET_COUNTERS. Overwrites *counters. Thread-safe. */
void track_counters(struct track *track, struct clampler_counters *counters);

/* For CLAMPLER_GET_PAIR_REASON; see counters.h. Thread-safe as a descriptor write is. */
VkResult track_pair_reason(struct track *track, VkSampler sampler, VkImageView view, char *text, size_t size);

#endif
