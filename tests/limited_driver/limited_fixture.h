/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the limited driver share: a device under rules, and the violations it recorded. Every failure fails
 * the running cmocka test.
 */
#ifndef LIMITED_DRIVER_FIXTURE_H
#define LIMITED_DRIVER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/device/vulkan.h"
#include "limited_driver.h"

/* How to open; zero is the limited driver alone with no rule. */
struct limited_fixture_params {
    const char *profile; /* LIMITED_DRIVER_PROFILE; NULL: none */
    const char *rules;   /* LIMITED_DRIVER_RULES; NULL: none */
    const char *layers;  /* NULL: "limited" */
    const char *const *extensions;
    uint32_t extension_count;
    const void *device_next;
    const VkPhysicalDeviceFeatures *features;
};

void limited_fixture_open(struct harness_vulkan *vk, const struct limited_fixture_params *params);

/* vkCreateDevice's result; nothing is left open whatever it is. */
VkResult limited_fixture_try(const struct limited_fixture_params *params);

uint32_t violation_count(const struct harness_vulkan *vk);

/*
 * Expects `count` violations since the device was opened, the last of them of that kind and name, from that command.
 */
void expect_violations(const struct harness_vulkan *vk, uint32_t count, enum limited_driver_kind kind, const char *name,
                       const char *command);

/* A small 2D image of a format, its memory and its view, and a sampler of it; nothing is uploaded. */
struct limited_fixture_texture {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
};
void texture_create(struct harness_vulkan *vk, struct limited_fixture_texture *texture, VkFormat format,
                    const VkComponentMapping *components);
void texture_destroy(struct harness_vulkan *vk, struct limited_fixture_texture *texture);

/* A nearest sampler that clamps to the edge, as a start. */
VkSamplerCreateInfo sampler_info(void);
VkSampler sampler_create(struct harness_vulkan *vk, const VkSamplerCreateInfo *info);

#endif
