/* SPDX-License-Identifier: MIT */
/*
 * Alpha in memory of attachments without alpha behind uploads that name no buffer: by address
 * (VK_KHR_device_address_commands) and by the host (VK_EXT_host_image_copy). The next pass that loads must find 1.
 * Skipped where the driver lacks the extension.
 */
#include <string.h>

#include "newer_vulkan.h"
#include "integration/attachments/alpha_scene.h"
#include "integration/shared/host_copy.h"

/* VkDeviceMemoryImageCopyKHR, for older headers. */
struct address_region {
    VkStructureType sType;
    const void *pNext;
    VkDeviceAddressRangeKHR range;
    VkAddressCommandFlagsKHR flags;
    uint32_t row_length, image_height;
    VkImageSubresourceLayers subresource;
    VkImageLayout layout;
    VkOffset3D offset;
    VkExtent3D extent;
};

static const VkExtent3D extent = {ALPHA_SIZE, ALPHA_SIZE, 1};

static void target(struct alpha_scene *scene, struct harness_image *image, VkImageUsageFlags usage)
{
    alpha_pixels texels;
    alpha_noise(texels, true);
    blending_image_create(&scene->vk, image,
                          &(struct blending_image_params){.format = ALPHA_FORMAT,
                                                          .width = ALPHA_SIZE,
                                                          .height = ALPHA_SIZE,
                                                          .base_format = GL_RGB_BASE,
                                                          .usage = usage},
                          texels);
}

/* The colours of the upload, and alpha 1. */
static void expect_ones(struct alpha_scene *scene, const struct harness_image *image)
{
    alpha_pixels found, expected;
    alpha_noise(expected, true);
    blending_image_read(&scene->vk, image, found);
    alpha_expect_colors(found, expected);
    alpha_expect_alpha(found, 255);
}

/* A pass that loads and draws nothing. */
static void add_load(const struct blending_pass *pass, VkCommandBuffer commands)
{
    blending_pass_begin(pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(pass, commands);
}

static void add_barrier(VkCommandBuffer commands)
{
    harness_barrier(commands);
}

/* Between two passes of one recording, the first of which has made the view clean. */
static void uploads_by_address_are_filled(void **state)
{
    (void)state;
    VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddress = VK_TRUE};
    VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
        .pNext = &addresses,
        .deviceAddressCommands = VK_TRUE};
    struct alpha_scene scene;
    struct harness_image image;
    struct harness_buffer noise;
    struct blending_pass pass;
    alpha_pixels texels;
    alpha_open_extension(&scene, VK_KHR_DEVICE_ADDRESS_COMMANDS_EXTENSION_NAME, VK_MAKE_API_VERSION(0, 1, 4, 363),
                         &features);
    alpha_noise(texels, false);
    target(&scene, &image, 0);
    harness_buffer_create(&scene.vk, &noise,
                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, sizeof(texels),
                          texels);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene.vk, &pass, &params);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = noise.buffer};
    const struct address_region region = {.sType = (VkStructureType)1000318002,
                                          .range = {vkGetBufferDeviceAddress(scene.vk.device, &info), sizeof(texels)},
                                          .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                          .layout = VK_IMAGE_LAYOUT_GENERAL,
                                          .extent = extent};
    const VkCopyDeviceMemoryImageInfoKHR copy = {.sType = (VkStructureType)1000318003,
                                                 .image = image.image,
                                                 .regionCount = 1,
                                                 .pRegions = (const VkDeviceMemoryImageCopyKHR *)(const void *)&region};
    const uint64_t before = harness_counters(&scene.vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&scene.vk);
    add_load(&pass, commands);
    add_barrier(commands);
    HARNESS_PROC(&scene.vk, vkCmdCopyMemoryToImageKHR)(commands, &copy);
    add_barrier(commands);
    add_load(&pass, commands);
    harness_submit(&scene.vk, commands);
    assert_int_equal(harness_counters(&scene.vk).alpha_fills - before, 2);
    expect_ones(&scene, &image);
    blending_pass_destroy(&scene.vk, &pass);
    harness_buffer_destroy(&scene.vk, &noise);
    harness_image_destroy(&scene.vk, &image);
    alpha_close(&scene);
}

/* Nothing of it is recorded: the pass that loads makes alpha 1 whenever it is executed. */
static void uploads_by_the_host_are_filled(void **state)
{
    (void)state;
    struct harness_features features = {.sType = HOST_COPY_FEATURES, .enabled = {VK_TRUE}};
    struct alpha_scene scene;
    struct harness_image image;
    struct blending_pass pass;
    alpha_pixels texels;
    alpha_open_extension(&scene, HOST_COPY_EXTENSION, HOST_COPY_SINCE, &features);
    alpha_noise(texels, false);
    target(&scene, &image, HOST_COPY_USAGE);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&scene.vk, &pass, &params);
    for (unsigned round = 0; round < 3; round++) {
        alpha_pixels found;
        host_copy_to_image(&scene.vk, image.image, extent, texels);
        host_copy_from_image(&scene.vk, image.image, extent, found);
        assert_memory_equal(found, texels, sizeof(texels));
        VkCommandBuffer commands = harness_begin(&scene.vk);
        add_load(&pass, commands);
        harness_submit(&scene.vk, commands);
        expect_ones(&scene, &image);
    }
    alpha_detach(&scene, &image, &pass);
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_by_address_are_filled),
        cmocka_unit_test(uploads_by_the_host_are_filled),
    };
    return cmocka_run_group_tests_name("alpha_uploads", tests, NULL, NULL);
}
