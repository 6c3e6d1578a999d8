/* SPDX-License-Identifier: MIT */
/*
 * Chain: the layer's place between the loader and the next layer. It negotiates with the loader, makes instances and
 * devices, and answers vkGetInstanceProcAddr and vkGetDeviceProcAddr from the list of hooks (entry_points.h). This
 * header has what the files of this folder share; no other folder includes it.
 */
#ifndef CLAMPLER_CHAIN_CHAIN_H
#define CLAMPLER_CHAIN_CHAIN_H

#include "device/device.h"

/* ---- negotiate.c ---- */

/* How many names vkGetDeviceProcAddr answers with a hook on this device. */
uint32_t hooked_entry_points(const struct device *device);

/* ---- stats.c ---- */

/* Appends the device's counters to the file that the setting stats_file names. Before track_destroy(). */
void stats_write(struct device *device);

#endif
