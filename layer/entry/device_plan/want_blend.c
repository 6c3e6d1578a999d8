/* SPDX-License-Identifier: MIT */
/*
 * Blend state that the layer can change while commands are recorded (VK_EXT_extended_dynamic_state3), and that may
 * differ between attachments (independentBlend): what attachments without alpha need. Without the first there are
 * pipeline variants, without the second attachments of a pass must agree.
 */
#include "device/instance.h"
#include "device_plan/device_plan.h"
#include "device/structure_chain.h"

static void want_dynamic_blend(struct device_plan *plan, const struct device *device)
{
    const PFN_vkGetPhysicalDeviceFeatures2 query = instance_features2(device->instance, device->physical);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *own = &plan->dynamic_features;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT found = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &found};
    if (!query || !device_plan_available(plan, WANTED_EXT_EXTENDED_DYNAMIC_STATE_3))
        return;
    query(device->physical, &features);

    const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *given = device_plan_chained(plan, found.sType);
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT *program = device_plan_copied(plan, found.sType);
    if (!given) {
        own->sType = found.sType;
        device_plan_prepend(plan, own);
        given = program = own;
    }
    if (program) {
        program->extendedDynamicState3ColorBlendEquation |= found.extendedDynamicState3ColorBlendEquation;
        program->extendedDynamicState3ColorWriteMask |= found.extendedDynamicState3ColorWriteMask;
        program->extendedDynamicState3ColorBlendEnable |= found.extendedDynamicState3ColorBlendEnable;
        given = program;
    }
    device_plan_add(plan, WANTED_EXT_EXTENDED_DYNAMIC_STATE_3);
    plan->blend.equation = given->extendedDynamicState3ColorBlendEquation;
    plan->blend.write_mask = given->extendedDynamicState3ColorWriteMask;
    plan->blend.enable = given->extendedDynamicState3ColorBlendEnable;
}

static void want_independent_blend(struct device_plan *plan, const struct device *device)
{
    VkPhysicalDeviceFeatures found;
    device->instance->next.GetPhysicalDeviceFeatures(device->physical, &found);
    const VkStructureType type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    VkPhysicalDeviceFeatures2 *program = device_plan_copied(plan, type);
    if (program) {
        program->features.independentBlend |= found.independentBlend;
        plan->blend.independent = program->features.independentBlend;
        return;
    }
    if (device_plan_chained(plan, type)) {
        const VkPhysicalDeviceFeatures2 *given = pnext_find(plan->info.pNext, type);
        plan->blend.independent = given->features.independentBlend;
        return;
    }
    if (plan->info.pEnabledFeatures)
        plan->core_features = *plan->info.pEnabledFeatures;
    plan->core_features.independentBlend |= found.independentBlend;
    plan->info.pEnabledFeatures = &plan->core_features;
    plan->blend.independent = plan->core_features.independentBlend;
}

void want_blend(struct device_plan *plan, const struct device *device)
{
    if (!(device->instance->settings.assume_missing & MISSING_DYNAMIC_BLEND))
        want_dynamic_blend(plan, device);
    want_independent_blend(plan, device);
}
