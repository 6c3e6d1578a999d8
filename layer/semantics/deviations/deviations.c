/* SPDX-License-Identifier: MIT */
/* The table of deviations, and the makers of drivers. tests/README.md has the evidence for each. */
#include "deviations/deviations.h"

#include <stdbool.h>
#include <string.h>

/* Makers of drivers that have rows. */
enum maker {
    MAKER_OTHER,
    MAKER_OTHER_CPU, /* a driver on the CPU that has no rows of its own */
    MAKER_LAVAPIPE,
    MAKER_SWIFTSHADER,
    MAKER_NVIDIA,
};

#define ALL_VERSIONS UINT32_MAX
#define MESA(major, minor) VK_MAKE_API_VERSION(0, major, minor, 0)

static const struct row {
    enum maker maker;
    uint32_t before; /* version of the driver from which on it is right */
    enum deviation deviation;
} rows[] = {
    {MAKER_NVIDIA, ALL_VERSIONS, DEVIATION_GRADIENT_BRANCHES},          /* 580.159 */
    {MAKER_LAVAPIPE, MESA(26, 2), DEVIATION_ANISOTROPIC_GRADIENTS},     /* older ones give 1 as their version */
    {MAKER_LAVAPIPE, ALL_VERSIONS, DEVIATION_LINKED_PUSH_CONSTANTS},    /* 22.3 to 26.2 */
    {MAKER_LAVAPIPE, ALL_VERSIONS, DEVIATION_MIXED_REDUCTIONS},         /* 22.3 to 26.2 */
    {MAKER_SWIFTSHADER, ALL_VERSIONS, DEVIATION_ANISOTROPIC_GRADIENTS}, /* not known to be right */
    {MAKER_SWIFTSHADER, ALL_VERSIONS, DEVIATION_FETCH_LEVELS},          /* 5.0 */
    {MAKER_SWIFTSHADER, ALL_VERSIONS, DEVIATION_BLOCK_VIEWS},           /* 5.0 */
    {MAKER_OTHER_CPU, ALL_VERSIONS, DEVIATION_ANISOTROPIC_GRADIENTS},   /* likewise */
};

/*
 * Such a driver passes calls on to another one, whose identity it does not show. Drivers older than VkDriverId report
 * none.
 */
static bool stands_for_another(VkDriverId driver)
{
    return driver == 0 || driver == VK_DRIVER_ID_MESA_VENUS;
}

static enum maker maker_of(const VkPhysicalDeviceProperties *properties, VkDriverId driver)
{
    enum { VENDOR_NVIDIA = 0x10de, VENDOR_GOOGLE = 0x1ae0 };
    const bool cpu = properties->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU, passes = stands_for_another(driver);
    const uint32_t vendor = properties->vendorID;
    if (driver == VK_DRIVER_ID_MESA_LLVMPIPE || (passes && cpu && vendor == VK_VENDOR_ID_MESA))
        return MAKER_LAVAPIPE;
    if (driver == VK_DRIVER_ID_GOOGLE_SWIFTSHADER || (passes && cpu && vendor == VENDOR_GOOGLE))
        return MAKER_SWIFTSHADER;
    /* NVK drives the same hardware with another compiler, and has its name in the device's name. */
    if (driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY ||
        (passes && vendor == VENDOR_NVIDIA && !strstr(properties->deviceName, "NVK")))
        return MAKER_NVIDIA;
    return cpu ? MAKER_OTHER_CPU : MAKER_OTHER;
}

uint32_t deviations_of(const VkPhysicalDeviceProperties *properties, VkDriverId driver)
{
    const enum maker maker = maker_of(properties, driver);
    const uint32_t version = driver == VK_DRIVER_ID_MESA_VENUS ? 0 : properties->driverVersion;
    uint32_t deviations = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].maker == maker && version < rows[i].before)
            deviations |= rows[i].deviation;
    }
    return deviations;
}
