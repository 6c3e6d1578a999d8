/* SPDX-License-Identifier: MIT */
/* Known deviations of Vulkan drivers in blending, which OpenGL on the same driver shares. */
#ifndef CLAMPLER_DIFFERENTIAL_BLEND_DEVIATIONS_H
#define CLAMPLER_DIFFERENTIAL_BLEND_DEVIATIONS_H

#include "differential/blend_case.h"

/* A pixel that Vulkan under the layer and OpenGL agree on, against the specification. */
struct blend_deviating {
    const struct blend_case *one;
    uint32_t index;
    const float *found, *expected; /* RGBA; colours of sRGB as they are encoded */
};

struct blend_deviation {
    const char *driver;    /* part of the device's name */
    const char *version;   /* part of VkPhysicalDeviceDriverProperties::driverInfo */
    const char *condition; /* for people */
    const char *evidence;
    bool (*applies)(const struct blend_deviating *pixel);
};

/*
 * The entry for a pixel, or NULL: then it fails. An entry excuses only what the native control of the case shows as
 * well: the same draw by the driver alone, without any layer, where alpha is 1 in memory.
 */
const struct blend_deviation *blend_deviation_find(const char *driver, const char *version,
                                                   const struct blend_deviating *pixel);

#endif
