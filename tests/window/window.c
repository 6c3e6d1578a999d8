/* SPDX-License-Identifier: MIT */
/*
 * window [PICTURE.png]: an ordinary Vulkan program with a window, which knows nothing of the layer. It clears its
 * swapchain's image to a colour with alpha 0 and draws over it with the factors DST_ALPHA and ONE_MINUS_DST_ALPHA. With
 * VK_CLAMPLER_ALPHA_TO_ONE=swapchain the window must show what was drawn, and memory must hold alpha 1; without the
 * layer it shows the clear colour. Both are looked at through the X server, as a person would see them.
 *
 * Status 77 without an X server (DISPLAY).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <xcb/xcb.h>

#define VK_USE_PLATFORM_XCB_KHR
#include <vulkan/vulkan.h>

#include "harness/drawing/blending.h"
#include "harness/images/png.h"
#include "window_picture.h"

enum { WIDTH = 256, HEIGHT = 192, PIXELS = WIDTH * HEIGHT, IMAGES = 8, SKIPPED = 77 };

/* ---- The window ---- */

struct window {
    xcb_connection_t *connection;
    xcb_window_t id;
};

static bool open_window(struct window *window)
{
    window->connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(window->connection)) {
        xcb_disconnect(window->connection);
        return false;
    }
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(window->connection)).data;
    window->id = xcb_generate_id(window->connection);
    xcb_create_window(window->connection, XCB_COPY_FROM_PARENT, window->id, screen->root, 0, 0, WIDTH, HEIGHT, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(window->connection, window->id);
    xcb_flush(window->connection);
    return true;
}

/* What the server shows, as RGB. False: nothing yet. */
static bool look(const struct window *window, uint8_t rgb[PIXELS][3])
{
    xcb_get_image_cookie_t cookie =
        xcb_get_image(window->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, window->id, 0, 0, WIDTH, HEIGHT, ~0u);
    xcb_get_image_reply_t *reply = xcb_get_image_reply(window->connection, cookie, NULL);
    if (!reply)
        return false;
    const uint8_t *data = xcb_get_image_data(reply);
    bool drawn = xcb_get_image_data_length(reply) == PIXELS * 4;
    for (unsigned i = 0; i < PIXELS && drawn; i++) { /* B, G, R, unused */
        rgb[i][0] = data[i * 4 + 2];
        rgb[i][1] = data[i * 4 + 1];
        rgb[i][2] = data[i * 4];
    }
    free(reply);
    return drawn;
}

/* ---- The program ---- */

struct program {
    struct harness_vulkan vk;
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkImage images[IMAGES];
    uint32_t image_count;
};

static void open_program(struct program *program, const struct window *window, bool layer)
{
    static const char *const instance_extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XCB_SURFACE_EXTENSION_NAME};
    static const char *const device_extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    struct harness_vulkan *vk = &program->vk;
    if (layer)
        setenv("VK_CLAMPLER_ALPHA_TO_ONE", "swapchain", 1);
    harness_vulkan_open(vk, &(struct harness_vulkan_params){.layers = layer ? "clampler:validation" : "validation",
                                                            .instance_extensions = instance_extensions,
                                                            .instance_extension_count = 2,
                                                            .device_extensions = device_extensions,
                                                            .device_extension_count = 1});
    unsetenv("VK_CLAMPLER_ALPHA_TO_ONE");
    const VkXcbSurfaceCreateInfoKHR surface = {
        .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = window->connection, .window = window->id};
    VkBool32 supported = VK_FALSE;
    VkSurfaceCapabilitiesKHR capabilities;
    HARNESS_VK(vkCreateXcbSurfaceKHR(vk->instance, &surface, NULL, &program->surface));
    HARNESS_VK(vkGetPhysicalDeviceSurfaceSupportKHR(vk->physical, vk->family, program->surface, &supported));
    HARNESS_VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(vk->physical, program->surface, &capabilities));
    if (!supported)
        harness_fail("the queue cannot present");
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = program->surface,
        .minImageCount = capabilities.minImageCount,
        .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = capabilities.currentExtent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .preTransform = capabilities.currentTransform,
        .compositeAlpha = capabilities.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR
                              ? VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR
                              : VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_FALSE};
    HARNESS_VK(vkCreateSwapchainKHR(vk->device, &info, NULL, &program->swapchain));
    program->image_count = IMAGES;
    HARNESS_VK(vkGetSwapchainImagesKHR(vk->device, program->swapchain, &program->image_count, program->images));
}

static void close_program(struct program *program)
{
    vkDestroySwapchainKHR(program->vk.device, program->swapchain, NULL);
    vkDestroySurfaceKHR(program->vk.instance, program->surface, NULL);
    harness_vulkan_close(&program->vk);
}

static void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout before, VkImageLayout after)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkImageMemoryBarrier info = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = all,
                                       .dstAccessMask = all,
                                       .oldLayout = before,
                                       .newLayout = after,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .image = image,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &info);
}

/* One frame, shown; `memory` gets what the swapchain's image holds. */
static void show_frame(struct program *program, uint8_t memory[PIXELS][4])
{
    static const VkClearColorValue color = {.float32 = {0.5f, 0.25f, 0.0f, 0.0f}};
    static const VkPipelineColorBlendAttachmentState state = {VK_TRUE,
                                                              VK_BLEND_FACTOR_DST_ALPHA,
                                                              VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
                                                              VK_BLEND_OP_ADD,
                                                              VK_BLEND_FACTOR_ZERO,
                                                              VK_BLEND_FACTOR_ONE,
                                                              VK_BLEND_OP_ADD,
                                                              0xf};
    struct harness_vulkan *vk = &program->vk;
    struct harness_buffer buffer;
    struct blending_pass pass;
    VkFence fence;
    VkImageView view;
    uint32_t index;
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    HARNESS_VK(vkCreateFence(vk->device, &fence_info, NULL, &fence));
    HARNESS_VK(vkAcquireNextImageKHR(vk->device, program->swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index));
    HARNESS_VK(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, UINT64_MAX));
    const VkImage image = program->images[index];
    const VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                             .image = image,
                                             .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                             .format = VK_FORMAT_B8G8R8A8_UNORM,
                                             .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(vk->device, &view_info, NULL, &view));
    blending_pass_create(vk, &pass,
                         &(struct blending_pass_params){.style = BLENDING_PASS,
                                                        .count = 1,
                                                        .views = {view},
                                                        .formats = {VK_FORMAT_B8G8R8A8_UNORM},
                                                        .width = WIDTH,
                                                        .height = HEIGHT,
                                                        .load = VK_ATTACHMENT_LOAD_OP_CLEAR});
    VkPipelineLayout layout = harness_pipeline_layout(vk, NULL, 0, 0);
    VkPipeline pipeline =
        blending_pipeline(vk, &pass,
                          &(struct blending_pipeline_params){
                              .fragment = HARNESS_SPIRV(window_picture), .layout = layout, .states = {state}});
    harness_buffer_create(vk, &buffer, VK_BUFFER_USAGE_TRANSFER_DST_BIT, PIXELS * 4, NULL);

    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {WIDTH, HEIGHT, 1}};
    VkCommandBuffer commands = harness_begin(vk);
    barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    blending_pass_begin(&pass, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, 1, &region);
    barrier(commands, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    harness_submit(vk, commands);
    memcpy(memory, buffer.map, PIXELS * 4);
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .swapchainCount = 1,
                                      .pSwapchains = &program->swapchain,
                                      .pImageIndices = &index};
    HARNESS_VK(vkQueuePresentKHR(vk->queue, &present));
    HARNESS_VK(vkQueueWaitIdle(vk->queue));

    harness_buffer_destroy(vk, &buffer);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    vkDestroyPipelineLayout(vk->device, layout, NULL);
    blending_pass_destroy(vk, &pass);
    vkDestroyImageView(vk->device, view, NULL);
    vkDestroyFence(vk->device, fence, NULL);
}

/* ---- What must be seen ---- */

/* shaders/tests/window.frag, or the clear colour. */
static void expected_color(unsigned index, bool opaque, uint8_t rgb[3])
{
    const unsigned x = index % WIDTH, y = index / WIDTH;
    rgb[0] = opaque ? (uint8_t)(((float)x + 0.5f) / WIDTH * 255.0f + 0.5f) : 128;
    rgb[1] = opaque ? (uint8_t)(((float)y + 0.5f) / HEIGHT * 255.0f + 0.5f) : 64;
    rgb[2] = 0; /* rings: not compared */
}

static bool shows(uint8_t rgb[PIXELS][3], bool opaque)
{
    for (unsigned i = 0; i < PIXELS; i++) {
        uint8_t expected[3];
        expected_color(i, opaque, expected);
        if (abs(rgb[i][0] - expected[0]) > 2 || abs(rgb[i][1] - expected[1]) > 2)
            return false;
    }
    return true;
}

/* The server draws when it comes to it: looks until the picture is there, for ten seconds at most. */
static void expect_shown(const struct window *window, bool opaque, uint8_t rgb[PIXELS][3])
{
    const struct timespec pause = {0, 20000000};
    for (unsigned i = 0; i < 500; i++) {
        if (look(window, rgb) && shows(rgb, opaque))
            return;
        nanosleep(&pause, NULL);
    }
    harness_fail("the window does not show %s", opaque ? "what was drawn" : "the clear colour");
}

static void run(const struct window *window, bool layer, uint8_t rgb[PIXELS][3])
{
    static uint8_t memory[PIXELS][4];
    struct program program;
    open_program(&program, window, layer);
    show_frame(&program, memory);
    expect_shown(window, layer, rgb);
    for (unsigned i = 0; i < PIXELS; i++) {
        if (memory[i][3] != (layer ? 255 : 0))
            harness_fail("alpha of pixel %u in memory is %u", i, memory[i][3]);
    }
    if (layer && !harness_counters(&program.vk).blend_updates && !harness_counters(&program.vk).blend_variants)
        harness_fail("the layer did not act");
    close_program(&program);
    if (harness_messages())
        harness_fail("the validation layer said something");
}

int main(int count, char **arguments)
{
    static uint8_t both[2 * PIXELS][4], rgb[PIXELS][3];
    struct window window;
    if (!open_window(&window)) {
        fprintf(stderr, "window: no X server\n");
        return SKIPPED;
    }
    harness_messages_reset();
    run(&window, false, rgb);
    for (unsigned i = 0; i < PIXELS; i++)
        memcpy(both[PIXELS + i], rgb[i], sizeof(rgb[i]));
    run(&window, true, rgb);
    for (unsigned i = 0; i < PIXELS; i++)
        memcpy(both[i], rgb[i], sizeof(rgb[i]));
    if (count > 1)
        harness_png_write(arguments[1], both[0], WIDTH, 2 * HEIGHT);
    xcb_disconnect(window.connection);
    printf("opaque with alpha_to_one=swapchain, not without\n");
    return 0;
}
