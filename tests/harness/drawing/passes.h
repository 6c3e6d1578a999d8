/* SPDX-License-Identifier: MIT */
/* Render passes and framebuffers as Vulkan 1.0 has them, for tests that say what is in them. */
#ifndef CLAMPLER_HARNESS_PASSES_H
#define CLAMPLER_HARNESS_PASSES_H

#include "harness/device/vulkan.h"

/* Of one sample, stored, in VK_IMAGE_LAYOUT_GENERAL before and after. */
VkAttachmentDescription harness_attachment(VkFormat format, VkAttachmentLoadOp load);

/* Without dependencies. */
VkRenderPass harness_pass(const struct harness_vulkan *vk, const VkAttachmentDescription *attachments,
                          uint32_t attachment_count, const VkSubpassDescription *subpasses, uint32_t subpass_count);
VkFramebuffer harness_framebuffer(const struct harness_vulkan *vk, VkRenderPass pass, const VkImageView *views,
                                  uint32_t count, uint32_t width, uint32_t height);

/* All of it, which is `width` x `height`; commands are inline, and nothing is cleared. */
void harness_pass_begin(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t width,
                        uint32_t height);

#endif
