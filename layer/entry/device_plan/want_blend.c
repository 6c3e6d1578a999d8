/* SPDX-License-Identifier: MIT */
/*
 * Blend state that the layer can change while commands are recorded (VK_EXT_extended_dynamic_state3), and that may
 * differ between attachments (independentBlend): for attachments without alpha. Without the first the layer makes
 * pipeline variants; without the second all attachments of a pass must have alpha, or none.
 */
#include "device/instance.h"
#include "device_plan/device_plan.h"
#include "device/structure_chain.h"

/* The features among the device's that passes with attachments in another order of channels use. */
static void add_features(struct device_plan *plan, const VkPhysicalDeviceFeatures *found,
                         VkPhysicalDeviceFeatures *features)
{
    features->independentBlend |= found->independentBlend;
    features->dualSrcBlend |= found->dualSrcBlend && plan->caps.enabled.alphaToOneAttachments;
    plan->caps.blend.independent = features->independentBlend;
    plan->caps.blend.dual = features->dualSrcBlend;
}

static void want_independent_blend(struct device_plan *plan, const struct device *device)
{
    VkPhysicalDeviceFeatures found;
    device->instance->next.GetPhysicalDeviceFeatures(device->physical, &found);
    const VkStructureType type = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    VkPhysicalDeviceFeatures2 *program = device_plan_copied(plan, type);
    if (program) {
        add_features(plan, &found, &program->features);
        return;
    }
    if (device_plan_chained(plan, type)) {
        const VkPhysicalDeviceFeatures2 *given = pnext_find(plan->info.pNext, type);
        plan->caps.blend.independent = given->features.independentBlend;
        plan->caps.blend.dual = given->features.dualSrcBlend;
        return;
    }
    if (plan->info.pEnabledFeatures)
        plan->core_features = *plan->info.pEnabledFeatures;
    add_features(plan, &found, &plan->core_features);
    plan->info.pEnabledFeatures = &plan->core_features;
}

void want_blend(struct device_plan *plan, const struct device *device)
{
    if (!(device->instance->settings.assume_missing & MISSING_DYNAMIC_BLEND))
        want_feature(plan, device, FEATURE_DYNAMIC_BLEND);
    want_independent_blend(plan, device);
}
