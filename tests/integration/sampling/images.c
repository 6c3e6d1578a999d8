/* SPDX-License-Identifier: MIT */
/*
 * Images that the layer makes mutable, so that sRGB textures can be sampled without decoding: what the program says of
 * them elsewhere must still be true below.
 */
#include "harness/drawing/passes.h"
#include "integration/shared/scene.h"

enum { SIZE = 8 };

static VkRenderPass make_pass(struct scene *scene, VkImageUsageFlags usage)
{
    const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_SRGB,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                                .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                .finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const bool is_input = usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference input = {0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .inputAttachmentCount = is_input ? 1 : 0,
                                          .pInputAttachments = &input,
                                          .colorAttachmentCount = is_input ? 0 : 1,
                                          .pColorAttachments = &color};
    return harness_pass(&scene->vk, &attachment, 1, &subpass, 1);
}

static VkFramebuffer make_framebuffer(struct scene *scene, VkRenderPass pass, VkImageUsageFlags usage)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_SRGB};
    const VkFramebufferAttachmentImageInfo image = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
                                                    .usage = usage,
                                                    .width = SIZE,
                                                    .height = SIZE,
                                                    .layerCount = 1,
                                                    .viewFormatCount = 1,
                                                    .pViewFormats = formats};
    const VkFramebufferAttachmentsCreateInfo images = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
                                                       .attachmentImageInfoCount = 1,
                                                       .pAttachmentImageInfos = &image};
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .pNext = &images,
                                          .flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .width = SIZE,
                                          .height = SIZE,
                                          .layers = 1};
    VkFramebuffer framebuffer;
    HARNESS_VK(vkCreateFramebuffer(scene->vk.device, &info, NULL, &framebuffer));
    return framebuffer;
}

/* Validation below compares flags and formats of the image with those that the framebuffer was created for. */
static void imageless_framebuffers_name_the_images_as_they_are(void **state)
{
    (void)state;
    static const VkPhysicalDeviceVulkan12Features core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .imagelessFramebuffer = VK_TRUE};
    static const VkPhysicalDeviceImagelessFramebufferFeatures single = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, .imagelessFramebuffer = VK_TRUE};
    static const void *const chains[] = {&core, &single};
    static const VkImageUsageFlags attachments[] = {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                                    VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
    for (unsigned i = 0; i < 4; i++) {
        struct scene scene;
        struct harness_image image;
        const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | attachments[i / 2];
        scene_open(&scene, &(struct harness_vulkan_params){.device_next = chains[i % 2]});
        harness_image_create(&scene.vk, &image,
                             &(struct harness_image_params){.type = VK_IMAGE_VIEW_TYPE_2D,
                                                            .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                            .width = SIZE,
                                                            .height = SIZE,
                                                            .usage = usage},
                             NULL);
        VkRenderPass pass = make_pass(&scene, usage);
        VkFramebuffer framebuffer = make_framebuffer(&scene, pass, usage);
        const VkRenderPassAttachmentBeginInfo views = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &image.view};
        const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .pNext = &views,
                                             .renderPass = pass,
                                             .framebuffer = framebuffer,
                                             .renderArea = {{0, 0}, {SIZE, SIZE}}};
        VkCommandBuffer commands = harness_begin(&scene.vk);
        vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdEndRenderPass(commands);
        harness_submit(&scene.vk, commands);
        vkDestroyFramebuffer(scene.vk.device, framebuffer, NULL);
        vkDestroyRenderPass(scene.vk.device, pass, NULL);
        harness_image_destroy(&scene.vk, &image);
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imageless_framebuffers_name_the_images_as_they_are),
    };
    return cmocka_run_group_tests_name("images", tests, NULL, NULL);
}
