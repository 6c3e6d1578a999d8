/* SPDX-License-Identifier: MIT */
/* Uniform texel buffers that the driver has no view for are read through addresses where that is the better way. */
#include "device_plan/device_plan.h"
#include "queries/queries.h"

void want_texel_buffer(struct device_plan *plan, const struct device *device)
{
    plan->texel_buffers =
        plan->enabled.glBufferView || device->instance->settings.texel_buffers == TEXEL_BUFFERS_EMULATE;
    if (!plan->texel_buffers)
        return;
    texel_caps_of(device->instance, device->physical, &device->properties, &plan->texel);
    if (plan->texel.addresses && !want_address(plan, device)) {
        plan->texel.addresses = plan->texel.addresses_first = false;
        plan->texel.views = true;
    }
}
