/* SPDX-License-Identifier: MIT */
/* Buffer device addresses for uniform texel buffers, where loads by address are faster than views. */
#include "device_plan/device_plan.h"
#include "queries/queries.h"

void want_texel_buffer(struct device_plan *plan, const struct device *device)
{
    plan->caps.texel_buffers = plan->caps.enabled.glBufferView || texel_emulates(device->instance, device->physical);
    if (!plan->caps.texel_buffers)
        return;
    texel_caps_of(device->instance, device->physical, &device->properties, &plan->caps.texel);
    if (plan->caps.texel.addresses && !want_address(plan, device)) {
        plan->caps.texel.addresses = plan->caps.texel.addresses_first = false;
        plan->caps.texel.views = true;
    }
}
