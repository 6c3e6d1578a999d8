/* SPDX-License-Identifier: MIT */
/*
 * The promise layer: loaded nearest the driver, it has extensions that no driver of the tests has, as far as
 * attachments without alpha meet them.
 *
 * - Swapchains of one image without a surface, made one by one or together (VK_KHR_display_swapchain). The image may be
 *   shared with whoever presents it (VK_KHR_shared_presentable_image): the driver gets GENERAL in the place of the
 *   layout of such images.
 * - Custom resolves (VK_EXT_custom_resolve) in dynamic rendering: what is drawn after vkCmdBeginCustomResolveEXT is a
 *   rendering of its own for the driver.
 *
 * No validation: the layers of the tests do not know these. One device at a time, and one thread that records.
 */
#ifndef CLAMPLER_INTEGRATION_PROMISE_H
#define CLAMPLER_INTEGRATION_PROMISE_H

#include <stdatomic.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define PROMISE_LAYER "VK_LAYER_CLAMPLER_TEST_promise"
#define PROMISE_CONTROL_SYMBOL "promise_control"

/* Newer than some headers. */
#define PROMISE_RESOLVE_MODE_CUSTOM ((VkResolveModeFlagBits)0x20)
#define PROMISE_RENDERING_CUSTOM_RESOLVE 0x80u

struct promise_control {
    _Atomic(uint32_t) left;   /* barriers that lead out of the layout of shared images, from which nothing leads */
    _Atomic(uint32_t) shared; /* renderings and passes that began with an attachment in that layout */
};

#endif
