/* SPDX-License-Identifier: MIT */
/* Textures of RSX as Vulkan keeps them. */
#ifndef CLAMPLER_GUESTS_RSX_VULKAN_H
#define CLAMPLER_GUESTS_RSX_VULKAN_H

#include "guests/nvidia_vulkan.h"
#include "guests/rsx.h"

/*
 * The caller frees its texels. Border texels take levels whose images are four texels along s and t at least, and there
 * are none of 3D textures. Not all of the crossbar's results are 0: four zeros say no swizzle.
 */
struct nvidia_host rsx_host(const struct rsx_unit *unit);

#endif
