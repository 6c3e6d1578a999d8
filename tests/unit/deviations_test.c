/* SPDX-License-Identifier: MIT */
/* Who has which deviations: a row for each driver, its version, and what it is when another driver passes it on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "deviations/deviations.h"

#define MESA(major, minor, patch) VK_MAKE_API_VERSION(0, major, minor, patch)
#define CPU VK_PHYSICAL_DEVICE_TYPE_CPU
#define GPU VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
#define NOBODY ((VkDriverId)0)

enum {
    LAVAPIPE = DEVIATION_LINKED_PUSH_CONSTANTS | DEVIATION_MIXED_REDUCTIONS,
    OLD_LAVAPIPE = LAVAPIPE | DEVIATION_ANISOTROPIC_GRADIENTS,
    SWIFTSHADER = DEVIATION_ANISOTROPIC_GRADIENTS | DEVIATION_FETCH_LEVELS | DEVIATION_BLOCK_VIEWS,
};

static const struct {
    const char *name;
    uint32_t vendor;
    VkPhysicalDeviceType type;
    VkDriverId driver;
    uint32_t version;
    uint32_t deviations;
} drivers[] = {
    {"llvmpipe (LLVM 15.0.6, 256 bits)", 0x10005, CPU, VK_DRIVER_ID_MESA_LLVMPIPE, 1, OLD_LAVAPIPE},
    {"llvmpipe (LLVM 21)", 0x10005, CPU, VK_DRIVER_ID_MESA_LLVMPIPE, MESA(26, 1, 9), OLD_LAVAPIPE},
    {"llvmpipe (LLVM 22.1.8, 256 bits)", 0x10005, CPU, VK_DRIVER_ID_MESA_LLVMPIPE, MESA(26, 2, 0), LAVAPIPE},
    {"llvmpipe (LLVM 22.1.8, 256 bits)", 0x10005, CPU, VK_DRIVER_ID_MESA_LLVMPIPE, MESA(26, 2, 6), LAVAPIPE},
    {"llvmpipe (LLVM 15.0.6, 256 bits)", 0x10005, CPU, NOBODY, 1, OLD_LAVAPIPE},
    /* Behind Venus the version is that of Venus. */
    {"Virtio-GPU Venus (llvmpipe)", 0x10005, CPU, VK_DRIVER_ID_MESA_VENUS, MESA(26, 2, 6), OLD_LAVAPIPE},
    {"SwiftShader Device (Subzero)", 0x1ae0, CPU, VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0x1400000, SWIFTSHADER},
    {"Virtio-GPU Venus (SwiftShader)", 0x1ae0, CPU, VK_DRIVER_ID_MESA_VENUS, MESA(26, 2, 6), SWIFTSHADER},
    {"NVIDIA H200", 0x10de, GPU, VK_DRIVER_ID_NVIDIA_PROPRIETARY, 0x91090000, DEVIATION_GRADIENT_BRANCHES},
    {"GeForce GTX 1080", 0x10de, GPU, NOBODY, 0x60000000, DEVIATION_GRADIENT_BRANCHES},
    {"Virtio-GPU Venus (NVIDIA H200)", 0x10de, GPU, VK_DRIVER_ID_MESA_VENUS, MESA(26, 2, 6),
     DEVIATION_GRADIENT_BRANCHES},
    {"NVIDIA GeForce RTX 4070 (NVK AD104)", 0x10de, GPU, VK_DRIVER_ID_MESA_NVK, MESA(26, 2, 6), 0},
    {"Virtio-GPU Venus (NVIDIA GeForce RTX 4070 (NVK AD104))", 0x10de, GPU, VK_DRIVER_ID_MESA_VENUS, MESA(26, 2, 6), 0},
    {"AMD Radeon RX 7600", 0x1002, GPU, VK_DRIVER_ID_MESA_RADV, MESA(26, 2, 6), 0},
    {"AMD Radeon RX 7600", 0x1002, GPU, NOBODY, 1, 0},
    {"Virtio-GPU Venus (AMD Radeon RX 7600)", 0x1002, GPU, VK_DRIVER_ID_MESA_VENUS, MESA(26, 2, 6), 0},
    /* A vendor's mark on a device that is none of its renderers on the CPU. */
    {"Some GPU", 0x1ae0, GPU, VK_DRIVER_ID_MESA_VENUS, 1, 0},
    {"Some GPU", 0x10005, GPU, NOBODY, 1, 0},
    {"Some CPU", 0x1234, CPU, NOBODY, MESA(26, 2, 6), DEVIATION_ANISOTROPIC_GRADIENTS},
};

static void drivers_have_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
        VkPhysicalDeviceProperties properties = {
            .driverVersion = drivers[i].version, .vendorID = drivers[i].vendor, .deviceType = drivers[i].type};
        snprintf(properties.deviceName, sizeof(properties.deviceName), "%s", drivers[i].name);
        const uint32_t found = deviations_of(&properties, drivers[i].driver);
        if (found != drivers[i].deviations)
            fail_msg("%s (row %u): %#x, not %#x", drivers[i].name, (unsigned)i, found, drivers[i].deviations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
