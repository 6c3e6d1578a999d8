/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha in dynamic rendering with local reads (VK_KHR_dynamic_rendering_local_read): remapped
 * locations, and attachments that are read in the rendering that writes them. Skipped where the driver lacks it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "newer_vulkan.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_local_draw.h"
#include "integration_local_input.h"
#include "integration_local_swapped.h"

typedef void(VKAPI_PTR *PFN_set_locations)(VkCommandBuffer commands, const VkRenderingAttachmentLocationInfoKHR *info);

static void set_locations(const struct alpha_scene *scene, VkCommandBuffer commands,
                          const VkRenderingAttachmentLocationInfoKHR *locations)
{
    ((PFN_set_locations)harness_proc(&scene->vk, "vkCmdSetRenderingAttachmentLocationsKHR"))(commands, locations);
}

static void open_local_read(struct alpha_scene *scene)
{
    struct harness_features local_read = {.sType = (VkStructureType)1000232000, .enabled = {VK_TRUE}};
    alpha_open_extension(scene, VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, VK_MAKE_API_VERSION(0, 1, 3, 276),
                         &local_read);
}

static void open_driver_alone(struct alpha_scene *scene)
{
    static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME};
    struct harness_features local_read = {.sType = (VkStructureType)1000232000, .enabled = {VK_TRUE}};
    const VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                       .pNext = &local_read,
                                                       .dynamicRendering = VK_TRUE};
    alpha_open_with(scene, (struct harness_vulkan_params){.layers = "none",
                                                          .device_extensions = extensions,
                                                          .device_extension_count = 1,
                                                          .device_next = &features});
}

/* SwiftShader 5.0 ends the process in its shader's code: one of its own tries it with the driver alone. */
static const char try_local_read[] = "--try-local-read";

static bool driver_reads(void)
{
    struct harness_vulkan vk;
    harness_vulkan_open(&vk, &(struct harness_vulkan_params){.layers = "none"});
    const bool tries = strstr(vk.properties.deviceName, "SwiftShader");
    harness_vulkan_close(&vk);
    if (!tries)
        return true;
    char *const arguments[] = {(char[]){"alpha_local"}, (char *)(uintptr_t)try_local_read, NULL};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- Remapped locations ---- */

/*
 * Attachment 0 has no alpha, attachment 1 has; the shader's output 0 goes to attachment 1 and the other way round.
 * Blend state goes by the attachment, so the layer has nothing to remap.
 */
static void remapped_locations_keep_blend_state_with_the_attachment(void **state)
{
    (void)state;
    static const uint32_t swapped[2] = {1, 0};
    struct alpha_scene scene;
    alpha_pixels one, other, found;
    open_local_read(&scene);
    alpha_native(&scene, &alpha_reads_alpha, one);
    alpha_drawn(&scene, GL_RGBA_BASE, false, &alpha_reads_alpha, other);
    struct harness_image images[2];
    struct blending_pass pass;
    alpha_target(&scene, &images[0], GL_RGB_BASE, false);
    alpha_target(&scene, &images[1], GL_RGBA_BASE, false);
    const VkRenderingAttachmentLocationInfoKHR locations = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .colorAttachmentCount = 2,
        .pColorAttachmentLocations = swapped};
    const struct blending_pass_params params = {.style = BLENDING_DYNAMIC,
                                                .count = 2,
                                                .views = {images[0].view, images[1].view},
                                                .formats = {ALPHA_FORMAT, ALPHA_FORMAT},
                                                .width = ALPHA_SIZE,
                                                .height = ALPHA_SIZE,
                                                .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    blending_pass_create(&scene.vk, &pass, &params);
    VkPipeline pipeline =
        blending_pipeline(&scene.vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_local_swapped),
                                                             .layout = scene.layout,
                                                             .states = {alpha_reads_alpha, alpha_reads_alpha},
                                                             .next = &locations});
    VkCommandBuffer commands = harness_begin(&scene.vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    set_locations(&scene, commands, &locations);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(&scene.vk, commands);
    blending_image_read(&scene.vk, &images[0], found);
    alpha_expect_colors(found, one);
    alpha_expect_alpha(found, 255);
    blending_image_read(&scene.vk, &images[1], found);
    assert_memory_equal(found, other, sizeof(found));
    vkDestroyPipeline(scene.vk.device, pipeline, NULL);
    blending_pass_destroy(&scene.vk, &pass);
    for (unsigned i = 0; i < 2; i++)
        harness_image_destroy(&scene.vk, &images[i]);
    alpha_close(&scene);
}

/* ---- Reads ---- */

static VkRenderingAttachmentLocationInfoKHR locations_of(const uint32_t *locations)
{
    return (VkRenderingAttachmentLocationInfoKHR){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
                                                  .colorAttachmentCount = 2,
                                                  .pColorAttachmentLocations = locations};
}

static void add_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                         VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, NULL, 0, NULL);
}

/* Attachment 0 has no alpha and is blended; then its alpha and its red are read and go to attachment 1. */
static void read_what_was_drawn(bool alone)
{
    static const uint32_t first[2] = {0, VK_ATTACHMENT_UNUSED}, second[2] = {VK_ATTACHMENT_UNUSED, 0};
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    struct alpha_scene scene;
    struct harness_image images[2];
    struct blending_pass pass;
    alpha_pixels noise, one, found;
    if (alone)
        open_driver_alone(&scene);
    else
        open_local_read(&scene);
    struct harness_vulkan *vk = &scene.vk;
    alpha_native(&scene, &alpha_reads_alpha, one);
    alpha_noise(noise, false);
    blending_image_create(vk, &images[0],
                          &(struct blending_image_params){.format = ALPHA_FORMAT,
                                                          .width = ALPHA_SIZE,
                                                          .height = ALPHA_SIZE,
                                                          .base_format = alone ? 0 : GL_RGB_BASE,
                                                          .usage = VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
                          noise);
    alpha_target(&scene, &images[1], alone ? 0 : GL_RGBA_BASE, false);
    VkDescriptorSetLayout set_layout = harness_set_layout(vk, &binding, 1);
    VkPipelineLayout layout = harness_pipeline_layout(vk, &set_layout, 1, 0);
    VkDescriptorSet set = harness_set(vk, set_layout);
    const VkDescriptorImageInfo image = {VK_NULL_HANDLE, images[0].view, VK_IMAGE_LAYOUT_GENERAL};
    harness_write_images(vk, set, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, &image);
    const struct blending_pass_params params = {.style = BLENDING_DYNAMIC,
                                                .count = 2,
                                                .views = {images[0].view, images[1].view},
                                                .formats = {ALPHA_FORMAT, ALPHA_FORMAT},
                                                .width = ALPHA_SIZE,
                                                .height = ALPHA_SIZE,
                                                .load = VK_ATTACHMENT_LOAD_OP_LOAD};
    blending_pass_create(vk, &pass, &params);
    const VkRenderingAttachmentLocationInfoKHR to_first = locations_of(first), to_second = locations_of(second);
    VkPipeline draws =
        blending_pipeline(vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_local_draw),
                                                             .layout = scene.layout,
                                                             .states = {alpha_reads_alpha, alpha_replaces},
                                                             .next = &to_first});
    VkPipeline reads =
        blending_pipeline(vk, &pass,
                          &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_local_input),
                                                             .layout = layout,
                                                             .states = {alpha_replaces, alpha_replaces},
                                                             .next = &to_second});
    VkCommandBuffer commands = harness_begin(vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
    set_locations(&scene, commands, &to_first);
    vkCmdDraw(commands, 3, 1, 0, 0);
    add_barrier(commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, reads);
    set_locations(&scene, commands, &to_second);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(vk, commands);
    blending_image_read(vk, &images[0], found);
    if (!alone) {
        alpha_expect_colors(found, one);
        alpha_expect_alpha(found, 255);
        assert_int_equal(harness_counters(vk).draws[1], 1); /* the shader replaced the alpha that it read */
    }
    memcpy(one, found, sizeof(one));
    blending_image_read(vk, &images[1], found);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        assert_int_equal(found[i][0], alone ? one[i][3] : 255);
        assert_int_equal(found[i][1], one[i][0]);
    }
    vkDestroyPipeline(vk->device, draws, NULL);
    vkDestroyPipeline(vk->device, reads, NULL);
    blending_pass_destroy(vk, &pass);
    harness_layouts_destroy(vk, layout, set_layout);
    for (unsigned i = 0; i < 2; i++)
        harness_image_destroy(vk, &images[i]);
    alpha_close(&scene);
}

static void what_is_read_in_the_same_rendering_has_alpha_one(void **state)
{
    if (*state) {
        read_what_was_drawn(true);
        return;
    }
    if (!harness_driver_has(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME))
        harness_lacking(VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME);
    if (!driver_reads())
        harness_lacking("reads of attachments in the rendering that draws them: alone it dies of them");
    read_what_was_drawn(false);
}

int main(int count, char **arguments)
{
    static int tries; /* makes a state that is not NULL */
    const struct CMUnitTest alone[] = {
        cmocka_unit_test_prestate(what_is_read_in_the_same_rendering_has_alpha_one, &tries)};
    if (count > 1 && strcmp(arguments[1], try_local_read) == 0)
        return cmocka_run_group_tests(alone, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remapped_locations_keep_blend_state_with_the_attachment),
        cmocka_unit_test(what_is_read_in_the_same_rendering_has_alpha_one),
    };
    return cmocka_run_group_tests_name("alpha_local", tests, NULL, NULL);
}
