/* SPDX-License-Identifier: MIT */
/* Buffer device addresses for uniform texel buffers, where loads by address are faster than views. */
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
