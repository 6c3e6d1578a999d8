/* SPDX-License-Identifier: MIT */
/* Inside the layer below: what its hand-written part (below.c) and its generated part (failures_below.c) share. */
#ifndef CLAMPLER_FAILURES_BELOW_H
#define CLAMPLER_FAILURES_BELOW_H

#include "failures/control.h"
#include "vulkan_dispatch.h"

struct below_command {
    const char *name;
    size_t offset; /* in struct device_dispatch */
    PFN_vkVoidFunction function;
    bool hooked; /* by the layer above */
};
extern const struct below_command below_commands[];
extern const size_t below_command_count;

/* The driver's commands of the device that the handle belongs to. */
struct device_dispatch *next_of(const void *dispatchable);

/* A handle for an object that no driver has made. */
void fake_handle(void *output, size_t size);
bool is_fake(uint64_t handle);

/* Two images of a swapchain that no driver has made. */
VkResult fake_images(uint32_t *count, VkImage *images);

#endif
