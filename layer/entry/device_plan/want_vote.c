/* SPDX-License-Identifier: MIT */
/*
 * Votes of subgroups, for rewritten lookups (spirv_options.votes). The extension works with modules of any SPIR-V
 * version, and with programs of any version of Vulkan; it has no features.
 */
#include "device_plan/device_plan.h"
#include "spirv/spirv.h"

void want_vote(struct device_plan *plan, const struct device *device)
{
    const enum wanted_extension extension = WANTED_EXT_SHADER_SUBGROUP_VOTE;
    if (form_of(device) == SPIRV_FORM_CPU || (device->instance->settings.assume_missing & MISSING_SUBGROUP_VOTE) ||
        !device_plan_available(plan, extension))
        return;
    device_plan_add(plan, extension);
    plan->caps.votes = true;
}
