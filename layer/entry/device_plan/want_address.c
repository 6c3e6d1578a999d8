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
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(device->instance, device->physical);
    const enum wanted_extension extension = WANTED_KHR_BUFFER_DEVICE_ADDRESS;
    const VkStructureType core12 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceBufferDeviceAddressFeatures *own = &plan->address_features;
    VkPhysicalDeviceBufferDeviceAddressFeatures found = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &found};
    const bool core = version >= VK_API_VERSION_1_2;
    if (plan->buffer_address)
        return true;
    if (!query || version < VK_API_VERSION_1_1 || (!core && !device_plan_available(plan, extension)) ||
        device_plan_chained(plan, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT) ||
        device_plan_enables(plan, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) || device->group)
        return false; /* of groups: only with bufferDeviceAddressMultiDevice */
    query(device->physical, &features);
    if (!found.bufferDeviceAddress)
        return false;

    const VkPhysicalDeviceVulkan12Features *all_given = device_plan_chained(plan, core12);
    const VkPhysicalDeviceBufferDeviceAddressFeatures *single_given = device_plan_chained(plan, found.sType);
    VkPhysicalDeviceVulkan12Features *all = device_plan_copied(plan, core12);
    VkPhysicalDeviceBufferDeviceAddressFeatures *single = device_plan_copied(plan, found.sType);
    if (all) {
        all->bufferDeviceAddress = VK_TRUE;
    } else if (single) {
        single->bufferDeviceAddress = VK_TRUE;
    } else if (!all_given && !single_given) {
        own->sType = found.sType;
        own->bufferDeviceAddress = VK_TRUE;
        device_plan_prepend(plan, own);
    } else if (!(all_given && all_given->bufferDeviceAddress) && !(single_given && single_given->bufferDeviceAddress)) {
        return false;
    }
    if (!core)
        device_plan_add(plan, extension);
    plan->buffer_address = true;
    return true;
}
