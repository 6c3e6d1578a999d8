/* SPDX-License-Identifier: MIT */
/*
 * Buffer device addresses: a feature of Vulkan 1.2, or of VK_KHR_buffer_device_address. The older
 * VK_EXT_buffer_device_address must not be enabled beside either; programs that use it keep it, and the layer has none.
 */
#include "device/instance.h"
#include "device_plan/device_plan.h"

bool want_address(struct device_plan *plan, const struct device *device)
{
    const uint32_t version = instance_version_with(device->instance, &device->properties);
    if (plan->caps.buffer_address)
        return true;
    if (version < VK_API_VERSION_1_1 ||
        device_plan_chained(plan, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT) ||
        device_plan_enables(plan, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) || device->group)
        return false; /* of groups: only with bufferDeviceAddressMultiDevice */
    return want_feature(plan, device, FEATURE_ADDRESS);
}
