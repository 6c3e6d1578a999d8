/* SPDX-License-Identifier: MIT */
/*
 * Deviations: faults of drivers that the layer works around. One table has a row for each, by maker and up to which
 * version. Pure.
 */
#ifndef CLAMPLER_DEVIATIONS_H
#define CLAMPLER_DEVIATIONS_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum deviation {
    /* Lookups with gradients behind branches and in loops: a pixel of each quad gets what other registers hold. */
    DEVIATION_GRADIENT_BRANCHES = 1u << 0,
    /* Under anisotropy lookups with gradients take the derivatives of their coordinate. */
    DEVIATION_ANISOTROPIC_GRADIENTS = 1u << 1,
    /* Push constants of linked libraries' layouts are added up, and too many of them end the process. */
    DEVIATION_LINKED_PUSH_CONSTANTS = 1u << 2,
    /* Fetches from views whose first level is not the image's read other levels. */
    DEVIATION_FETCH_LEVELS = 1u << 3,
    /* UNORM views of sRGB images of blocks are decoded from sRGB. */
    DEVIATION_BLOCK_VIEWS = 1u << 4,
    /*
     * Minima are those of linear filters where pixels side by side have different ones, and minima and maxima of two
     * levels are blended.
     */
    DEVIATION_MIXED_REDUCTIONS = 1u << 5,
};

/*
 * The deviations of a driver, bits of enum deviation. `driver` is 0 where the device reports no VkDriverId. Drivers
 * behind another one (Venus) are known by vendor and kind of device, which it passes on; their version is not known.
 */
uint32_t deviations_of(const VkPhysicalDeviceProperties *properties, VkDriverId driver);

#endif
