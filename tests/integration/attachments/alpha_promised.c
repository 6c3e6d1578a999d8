/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha of kinds that no driver of the tests has, above a layer that makes them up
 * (promise_layer/promise.h): images that are shared with whoever presents them, swapchains that are made together, and
 * resolves by draws.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/drawing/passes.h"
#include "integration/attachments/alpha_scene.h"
#include "integration/layers/faults.h"
#include "integration/layers/promise_layer/promise.h"
#include "integration_promised_1.h"

static struct promise_control *control;

/* The running test is skipped where the driver lacks swapchains. */
static void open_scene(struct alpha_scene *scene, uint32_t api_version, bool swapchains)
{
    static const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                             VK_KHR_SHARED_PRESENTABLE_IMAGE_EXTENSION_NAME,
                                             VK_KHR_DISPLAY_SWAPCHAIN_EXTENSION_NAME},
                             *const resolves[] = {"VK_EXT_custom_resolve"};
    static const VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    if (swapchains && !harness_driver_has(extensions[0])) {
        print_message("the driver lacks %s\n", extensions[0]);
        skip();
    }
    if (!control)
        control = test_layer_open("promise", PROMISE_CONTROL_SYMBOL);
    atomic_store(&control->left, 0);
    atomic_store(&control->shared, 0);
    alpha_open_with(scene, (struct harness_vulkan_params){.layers = "clampler:" PROMISE_LAYER,
                                                          .api_version = api_version,
                                                          .gl_sampler = true,
                                                          .alpha_to_one = true,
                                                          .device_extensions = swapchains ? extensions : resolves,
                                                          .device_extension_count = swapchains ? 3 : 1,
                                                          .device_next = api_version ? NULL : &features});
}

/* ---- Swapchains ---- */

static VkSwapchainCreateInfoKHR swapchain_info(VkPresentModeKHR mode)
{
    return (VkSwapchainCreateInfoKHR){.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                      .minImageCount = 1,
                                      .imageFormat = ALPHA_FORMAT,
                                      .imageExtent = {ALPHA_SIZE, ALPHA_SIZE},
                                      .imageArrayLayers = 1,
                                      .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                      .presentMode = mode};
}

static void move(VkCommandBuffer commands, VkImage image, VkImageLayout before, VkImageLayout after)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                          .oldLayout = before,
                                          .newLayout = after,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &barrier);
}

/* A pass that loads and draws nothing, in the layout: by dynamic rendering, or a render pass. */
static void load(struct alpha_scene *scene, VkCommandBuffer commands, VkImageView view, VkImageLayout layout,
                 VkRenderPass *pass, VkFramebuffer *framebuffer)
{
    const VkRect2D area = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}};
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = view,
                                             .imageLayout = layout,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                             .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = area,
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &color};
    if (!pass) {
        vkCmdBeginRendering(commands, &rendering);
        vkCmdEndRendering(commands);
        return;
    }
    const VkAttachmentDescription attachment = {.format = ALPHA_FORMAT,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .initialLayout = layout,
                                                .finalLayout = layout};
    const VkAttachmentReference reference = {0, layout};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
    *pass = harness_pass(&scene->vk, &attachment, 1, &subpass, 1);
    *framebuffer = harness_framebuffer(&scene->vk, *pass, &view, 1, ALPHA_SIZE, ALPHA_SIZE);
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = *pass,
                                         .framebuffer = *framebuffer,
                                         .renderArea = area};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
}

/* Noise is copied to the swapchain's image, which a pass loads then: in memory alpha is 1, and colours stay. */
static void expect_filled(struct alpha_scene *scene, VkSwapchainKHR swapchain, VkImageLayout layout, bool passes)
{
    struct harness_vulkan *vk = &scene->vk;
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ALPHA_SIZE, ALPHA_SIZE, 1}};
    struct harness_buffer noise, read;
    alpha_pixels texels, found;
    uint32_t count = 1;
    VkImage image;
    VkImageView view;
    VkRenderPass pass = VK_NULL_HANDLE;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    alpha_noise(texels, false);
    harness_buffer_create(vk, &noise, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(texels), texels);
    harness_buffer_create(vk, &read, VK_BUFFER_USAGE_TRANSFER_DST_BIT, sizeof(texels), NULL);
    HARNESS_VK(HARNESS_PROC(vk, vkGetSwapchainImagesKHR)(vk->device, swapchain, &count, &image));
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = ALPHA_FORMAT,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(vk->device, &info, NULL, &view));
    const uint64_t before = harness_counters(vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(vk);
    move(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, layout);
    vkCmdCopyBufferToImage(commands, noise.buffer, image, layout, 1, &region);
    move(commands, image, layout, layout);
    load(scene, commands, view, layout, passes ? &pass : NULL, &framebuffer);
    move(commands, image, layout, layout);
    vkCmdCopyImageToBuffer(commands, image, layout, read.buffer, 1, &region);
    harness_submit(vk, commands);
    assert_int_equal(harness_counters(vk).alpha_fills - before, 1);
    memcpy(found, read.map, sizeof(found));
    alpha_expect_colors(found, texels);
    alpha_expect_alpha(found, 255);
    vkDestroyFramebuffer(vk->device, framebuffer, NULL);
    vkDestroyRenderPass(vk->device, pass, NULL);
    vkDestroyImageView(vk->device, view, NULL);
    harness_buffer_destroy(vk, &read);
    harness_buffer_destroy(vk, &noise);
}

/* From their layout nothing leads: what fills them is made in it, by dynamic rendering and by passes. */
static void shared_images_are_filled_in_their_layout(void **state)
{
    (void)state;
    for (unsigned passes = 0; passes < 2; passes++) {
        struct alpha_scene scene;
        const VkSwapchainCreateInfoKHR info = swapchain_info(VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR);
        VkSwapchainKHR swapchain;
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", "swapchain", 1);
        open_scene(&scene, passes ? VK_API_VERSION_1_1 : 0, true);
        unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
        HARNESS_VK(HARNESS_PROC(&scene.vk, vkCreateSwapchainKHR)(scene.vk.device, &info, NULL, &swapchain));
        expect_filled(&scene, swapchain, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, passes);
        assert_int_equal(atomic_load(&control->left), 0);
        assert_int_equal(atomic_load(&control->shared), 2); /* the program's and the layer's */
        HARNESS_PROC(&scene.vk, vkDestroySwapchainKHR)(scene.vk.device, swapchain, NULL);
        alpha_close(&scene);
    }
}

static void swapchains_that_are_made_together_are_known(void **state)
{
    (void)state;
    struct alpha_scene scene;
    const VkSwapchainCreateInfoKHR infos[2] = {swapchain_info(VK_PRESENT_MODE_FIFO_KHR),
                                               swapchain_info(VK_PRESENT_MODE_FIFO_KHR)};
    VkSwapchainKHR swapchains[2];
    setenv("VK_CLAMPLER_ALPHA_TO_ONE", "swapchain", 1);
    open_scene(&scene, 0, true);
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
    HARNESS_VK(HARNESS_PROC(&scene.vk, vkCreateSharedSwapchainsKHR)(scene.vk.device, 2, infos, NULL, swapchains));
    for (unsigned i = 0; i < 2; i++)
        expect_filled(&scene, swapchains[i], VK_IMAGE_LAYOUT_GENERAL, false);
    for (unsigned i = 0; i < 2; i++)
        HARNESS_PROC(&scene.vk, vkDestroySwapchainKHR)(scene.vk.device, swapchains[i], NULL);
    alpha_close(&scene);
}

/* ---- Custom resolves ---- */

typedef void(VKAPI_PTR *begin_custom_resolve)(VkCommandBuffer commands, const void *info);

static VkRenderingAttachmentInfo custom_resolve(const struct harness_image *source, const struct harness_image *target)
{
    return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = source->view,
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .resolveMode = PROMISE_RESOLVE_MODE_CUSTOM,
                                       .resolveImageView = target->view,
                                       .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

static VkRenderingInfo custom_rendering(const VkRenderingAttachmentInfo *color)
{
    return (VkRenderingInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                             .flags = PROMISE_RENDERING_CUSTOM_RESOLVE,
                             .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                             .layerCount = 1,
                             .colorAttachmentCount = 1,
                             .pColorAttachments = color};
}

/* One draw to the source, and behind the command one to the target. */
static void draw_resolved(struct alpha_scene *scene, const struct harness_image *source,
                          const struct harness_image *target)
{
    begin_custom_resolve resolve =
        (begin_custom_resolve)vkGetDeviceProcAddr(scene->vk.device, "vkCmdBeginCustomResolveEXT");
    assert_non_null(resolve);
    const struct blending_pass_params params = alpha_pass(BLENDING_DYNAMIC, target->view, VK_ATTACHMENT_LOAD_OP_LOAD);
    struct blending_pass pass;
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipeline pipeline = blending_pipeline(
        &scene->vk, &pass,
        &(struct blending_pipeline_params){
            .fragment = HARNESS_SPIRV(integration_promised_1), .layout = scene->layout, .states = {alpha_replaces}});
    const VkRenderingAttachmentInfo color = custom_resolve(source, target);
    const VkRenderingInfo rendering = custom_rendering(&color);
    VkCommandBuffer commands = harness_begin(&scene->vk);
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    resolve(commands, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    harness_submit(&scene->vk, commands);
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    blending_pass_destroy(&scene->vk, &pass);
}

static void close_resolved(struct alpha_scene *scene, struct harness_image *source, struct harness_image *target)
{
    harness_image_destroy(&scene->vk, target);
    harness_image_destroy(&scene->vk, source);
    alpha_close(scene);
}

/*
 * The target decides whether alpha is the draw's to write. Where it has none, it is filled when the pass ends, as
 * resolves may leave out pixels.
 */
static void resolve_by_draws(bool target_has_alpha)
{
    struct alpha_scene scene;
    struct harness_image source, target;
    alpha_pixels expected, with_alpha, found;
    open_scene(&scene, 0, false);
    alpha_native(&scene, &alpha_replaces, expected);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_replaces, with_alpha);
    alpha_target(&scene, &source, target_has_alpha ? GL_RGB_BASE : GL_RGBA_BASE, false);
    alpha_target(&scene, &target, target_has_alpha ? GL_RGBA_BASE : GL_RGB_BASE, false);
    const uint64_t before = harness_counters(&scene.vk).alpha_fills;
    draw_resolved(&scene, &source, &target);
    assert_int_equal(harness_counters(&scene.vk).alpha_fills - before, !target_has_alpha);
    blending_image_read(&scene.vk, target_has_alpha ? &source : &target, found);
    alpha_expect_colors(found, expected);
    alpha_expect_alpha(found, 255);
    blending_image_read(&scene.vk, target_has_alpha ? &target : &source, found);
    assert_memory_equal(found, with_alpha, sizeof(found));
    assert_int_not_equal(found[0][3], 255);
    close_resolved(&scene, &source, &target);
}

/* Draws write the target in its own order, which need not be that of what is resolved. */
static void custom_resolves_write_channels_where_the_target_has_them(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image source, target;
    alpha_pixels written, found, noise;
    open_scene(&scene, 0, false);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_replaces, written);
    memset(noise, 0x5a, sizeof(noise));
    alpha_target(&scene, &source, GL_RGBA_BASE, false);
    blending_image_create(&scene.vk, &target,
                          &(struct blending_image_params){.format = ALPHA_FORMAT,
                                                          .width = ALPHA_SIZE,
                                                          .height = ALPHA_SIZE,
                                                          .base_format = GL_RGBA_BASE,
                                                          .channels = {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_B,
                                                                       VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R}},
                          noise);
    draw_resolved(&scene, &source, &target);
    blending_image_read(&scene.vk, &source, found);
    assert_memory_equal(found, written, sizeof(found));
    blending_image_read(&scene.vk, &target, found);
    for (unsigned i = 0; i < ALPHA_PIXELS * 4; i++)
        assert_int_equal(found[i / 4][i % 4], written[i / 4][3 - i % 4]);
    close_resolved(&scene, &source, &target);
}

static void custom_resolves_write_the_alpha_that_the_target_has(void **state)
{
    (void)state;
    resolve_by_draws(false);
    resolve_by_draws(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_images_are_filled_in_their_layout),
        cmocka_unit_test(swapchains_that_are_made_together_are_known),
        cmocka_unit_test(custom_resolves_write_the_alpha_that_the_target_has),
        cmocka_unit_test(custom_resolves_write_channels_where_the_target_has_them),
    };
    return cmocka_run_group_tests_name("alpha_promised", tests, NULL, NULL);
}
