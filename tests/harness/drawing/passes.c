/* SPDX-License-Identifier: MIT */
#include "harness/drawing/passes.h"

VkAttachmentDescription harness_attachment(VkFormat format, VkAttachmentLoadOp load)
{
    return (VkAttachmentDescription){.format = format,
                                     .samples = VK_SAMPLE_COUNT_1_BIT,
                                     .loadOp = load,
                                     .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                     .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                     .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                     .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
}

VkRenderPass harness_pass(const struct harness_vulkan *vk, const VkAttachmentDescription *attachments,
                          uint32_t attachment_count, const VkSubpassDescription *subpasses, uint32_t subpass_count)
{
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = attachment_count,
                                         .pAttachments = attachments,
                                         .subpassCount = subpass_count,
                                         .pSubpasses = subpasses};
    VkRenderPass pass;
    HARNESS_VK(vkCreateRenderPass(vk->device, &info, NULL, &pass));
    return pass;
}

VkFramebuffer harness_framebuffer(const struct harness_vulkan *vk, VkRenderPass pass, const VkImageView *views,
                                  uint32_t count, uint32_t width, uint32_t height)
{
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass,
                                          .attachmentCount = count,
                                          .pAttachments = views,
                                          .width = width,
                                          .height = height,
                                          .layers = 1};
    VkFramebuffer framebuffer;
    HARNESS_VK(vkCreateFramebuffer(vk->device, &info, NULL, &framebuffer));
    return framebuffer;
}

void harness_pass_begin(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t width,
                        uint32_t height)
{
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {width, height}}};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
}
