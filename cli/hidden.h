/* SPDX-License-Identifier: MIT */
/* Which extensions of a device the layer hides from programs that it acts on by settings. */
#ifndef CLAMPLER_CLI_HIDDEN_H
#define CLAMPLER_CLI_HIDDEN_H

#include "vulkan.h"

struct hidden {
    unsigned count;
    char names[16][VK_MAX_EXTENSION_NAME_SIZE];
};

/*
 * What programs see without the layer, but not under it with settings that make it active, of each of the first
 * `count` devices. Makes instances of its own with the open loader, in this process' environment, which it changes
 * meanwhile: one thread. Nothing where there are no such instances.
 */
void hidden_find(const struct vulkan *vk, const struct device_facts *devices, unsigned count, struct hidden *hidden);

#endif
