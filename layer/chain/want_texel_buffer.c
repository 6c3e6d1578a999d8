/*
 * Buffer device addresses, through which texel buffers are read that the driver has no view for. The program may enable
 * them too; with VK_EXT_buffer_device_address, which excludes the feature, the layer goes without.
 */
#include <string.h>

#include "device_plan.h"

static bool enable_addresses(struct device_plan *plan, const struct device *device)
{
    const VkStructureType core_type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceBufferDeviceAddressFeatures *own = &plan->address_features;
    own->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES;
    for (uint32_t i = 0; i < plan->info.enabledExtensionCount; i++) {
        if (!strcmp(plan->info.ppEnabledExtensionNames[i], VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME))
            return false;
    }
    VkPhysicalDeviceVulkan12Features *all = plan_copied(plan, core_type);
    VkPhysicalDeviceBufferDeviceAddressFeatures *single = plan_copied(plan, own->sType);
    if (all) {
        all->bufferDeviceAddress = VK_TRUE;
    } else if (single) {
        single->bufferDeviceAddress = VK_TRUE;
    } else if (!plan_chained(plan, own->sType) && !plan_chained(plan, core_type)) {
        own->bufferDeviceAddress = VK_TRUE;
        plan_prepend(plan, own);
    } else {
        return false; /* behind an unknown structure: what the program says there stays */
    }
    if (instance_version_with(device->instance, &device->properties) < VK_API_VERSION_1_2)
        plan_add_name(plan, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
    return true;
}

void want_texel_buffer(struct device_plan *plan, const struct device *device)
{
    plan->texel_buffers =
        plan->enabled.glBufferView || device->instance->settings.texel_buffers == TEXEL_BUFFERS_EMULATE;
    if (!plan->texel_buffers)
        return;
    texel_caps_of(device->instance, device->physical, &device->properties, &plan->texel);
    if (plan->texel.addresses && !enable_addresses(plan, device)) {
        plan->texel.addresses = plan->texel.addresses_first = false;
        plan->texel.views = true;
    }
}
