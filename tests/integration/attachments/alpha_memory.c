/* SPDX-License-Identifier: MIT */
/*
 * Alpha in memory of attachments without alpha, whatever of what was recorded is executed, in which order and how
 * often: uploads bring another alpha, the next pass that loads must find 1.
 */
#include <math.h>
#include <pthread.h>

#include "integration/attachments/alpha_scene.h"
#include "integration_alpha_pushed.h"

struct memory_scene {
    struct alpha_scene base;
    struct harness_image image;
    struct harness_buffer noise;
    struct blending_pass load;
};

static void memory_open(struct memory_scene *f)
{
    alpha_pixels texels;
    alpha_open(&f->base);
    alpha_noise(texels, false);
    alpha_attach(&f->base, &f->image, &f->load, BLENDING_PASS, GL_RGB_BASE, true, VK_ATTACHMENT_LOAD_OP_LOAD);
    harness_buffer_create(&f->base.vk, &f->noise, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(texels), texels);
}

static void memory_close(struct memory_scene *f)
{
    blending_pass_destroy(&f->base.vk, &f->load);
    harness_buffer_destroy(&f->base.vk, &f->noise);
    harness_image_destroy(&f->base.vk, &f->image);
    alpha_close(&f->base);
}

/* ---- Command buffers that may be submitted any number of times ---- */

static VkCommandBuffer memory_begin(struct memory_scene *f, VkCommandBufferLevel level)
{
    VkCommandBuffer commands;
    const VkCommandBufferInheritanceInfo inherits = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inherits};
    harness_commands(&f->base.vk, level, 1, &commands);
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

static void add_barrier(VkCommandBuffer commands)
{
    harness_barrier(commands);
}

static void add_upload(const struct memory_scene *f, VkCommandBuffer commands)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {ALPHA_SIZE, ALPHA_SIZE, 1}};
    add_barrier(commands);
    vkCmdCopyBufferToImage(commands, f->noise.buffer, f->image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    add_barrier(commands);
}

/* One pass that loads and draws nothing. */
static void add_load(const struct memory_scene *f, VkCommandBuffer commands)
{
    blending_pass_begin(&f->load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(&f->load, commands);
}

static VkCommandBuffer record_upload(struct memory_scene *f)
{
    VkCommandBuffer commands = memory_begin(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    add_upload(f, commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    return commands;
}

static VkCommandBuffer record_load(struct memory_scene *f)
{
    VkCommandBuffer commands = memory_begin(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    add_load(f, commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    return commands;
}

static void submit(struct memory_scene *f, uint32_t count, const VkCommandBuffer *commands)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = count, .pCommandBuffers = commands};
    HARNESS_VK(vkQueueSubmit(f->base.vk.queue, 1, &info, VK_NULL_HANDLE));
    HARNESS_VK(vkQueueWaitIdle(f->base.vk.queue));
}

static void free_commands(struct memory_scene *f, uint32_t count, const VkCommandBuffer *commands)
{
    vkFreeCommandBuffers(f->base.vk.device, f->base.vk.pool, count, commands);
}

/* The colours of the upload, and alpha 1. */
static void expect_ones(struct memory_scene *f)
{
    alpha_pixels found, expected;
    alpha_noise(expected, true);
    blending_image_read(&f->base.vk, &f->image, found);
    alpha_expect_colors(found, expected);
    alpha_expect_alpha(found, 255);
}

/* ---- Tests ---- */

static void what_was_recorded_and_dropped_has_filled_nothing(void **state)
{
    (void)state;
    struct memory_scene f;
    memory_open(&f);
    const VkCommandBuffer upload = record_upload(&f), dropped = record_load(&f);
    free_commands(&f, 1, &dropped);
    const VkCommandBuffer load = record_load(&f), both[2] = {upload, load};
    submit(&f, 2, both);
    expect_ones(&f);
    free_commands(&f, 2, both);
    memory_close(&f);
}

static void passes_recorded_before_the_upload_find_one(void **state)
{
    (void)state;
    struct memory_scene f;
    memory_open(&f);
    const VkCommandBuffer first = record_load(&f), load = record_load(&f), upload = record_upload(&f);
    const VkCommandBuffer all[3] = {first, upload, load};
    submit(&f, 3, all);
    expect_ones(&f);
    free_commands(&f, 3, all);
    memory_close(&f);
}

static void uploads_that_are_submitted_again_are_filled_again(void **state)
{
    (void)state;
    struct memory_scene f;
    memory_open(&f);
    const VkCommandBuffer upload = record_upload(&f), first = record_load(&f), second = record_load(&f);
    const VkCommandBuffer all[4] = {upload, first, upload, second};
    submit(&f, 2, all);
    expect_ones(&f);
    submit(&f, 2, all + 2);
    expect_ones(&f);
    submit(&f, 1, &upload);
    submit(&f, 1, &first); /* once more, by what filled before */
    expect_ones(&f);
    free_commands(&f, 1, &upload);
    free_commands(&f, 1, &first);
    free_commands(&f, 1, &second);
    memory_close(&f);
}

/* The secondary was recorded first, so that its upload is not news when it is executed. */
static void uploads_of_secondary_command_buffers_are_filled(void **state)
{
    (void)state;
    struct memory_scene f;
    memory_open(&f);
    const VkCommandBuffer secondary = memory_begin(&f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    add_upload(&f, secondary);
    HARNESS_VK(vkEndCommandBuffer(secondary));
    const VkCommandBuffer commands = memory_begin(&f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    add_load(&f, commands);
    vkCmdExecuteCommands(commands, 1, &secondary);
    add_load(&f, commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    submit(&f, 1, &commands);
    expect_ones(&f);
    free_commands(&f, 1, &commands);
    free_commands(&f, 1, &secondary);
    memory_close(&f);
}

/* What a pass leaves is not filled again by those that follow in the same recording, unless it is written again. */
static void one_recording_fills_a_view_once_and_after_each_upload(void **state)
{
    (void)state;
    enum { PASSES = 5 };
    struct memory_scene f;
    memory_open(&f);
    const uint64_t before = harness_counters(&f.base.vk).alpha_fills;
    const VkCommandBuffer commands = memory_begin(&f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    for (unsigned i = 0; i < PASSES; i++) {
        if (i == 0 || i == 3)
            add_upload(&f, commands);
        add_load(&f, commands);
    }
    HARNESS_VK(vkEndCommandBuffer(commands));
    assert_int_equal(harness_counters(&f.base.vk).alpha_fills - before, 2);
    submit(&f, 1, &commands);
    expect_ones(&f);
    free_commands(&f, 1, &commands);
    memory_close(&f);
}

/* A clear of a part is a write like any other: what is around it is filled. */
static void clears_of_an_area_leave_one_around_it(void **state)
{
    (void)state;
    static const VkClearValue color = {.color.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    struct memory_scene f;
    struct blending_pass clear;
    alpha_pixels found;
    memory_open(&f);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, f.image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
    blending_pass_create(&f.base.vk, &clear, &params);
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = clear.pass,
                                         .framebuffer = clear.framebuffer,
                                         .renderArea = {{4, 4}, {4, 4}},
                                         .clearValueCount = 1,
                                         .pClearValues = &color};
    const VkCommandBuffer commands = memory_begin(&f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    add_upload(&f, commands);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    HARNESS_VK(vkEndCommandBuffer(commands));
    submit(&f, 1, &commands);
    blending_image_read(&f.base.vk, &f.image, found);
    alpha_expect_alpha(found, 255);
    assert_int_equal(found[4 * ALPHA_SIZE + 4][0], 51);
    free_commands(&f, 1, &commands);
    blending_pass_destroy(&f.base.vk, &clear);
    memory_close(&f);
}

/*
 * Whether the driver alone clears the second layer of a view in a pass that has the first one, which Vulkan does not
 * allow: SwiftShader does.
 */
static bool driver_clears_other_layers(enum blending_style style, uint32_t views)
{
    static const VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
    static const VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)(uintptr_t)&features13,
        .imagelessFramebuffer = VK_TRUE};
    static const VkPhysicalDeviceVulkan11Features features11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = (void *)(uintptr_t)&features12,
        .multiview = VK_TRUE};
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    static const uint8_t texels[2][ALPHA_PIXELS][4];
    struct alpha_scene alone;
    struct harness_image image;
    struct blending_pass clear;
    alpha_pixels found;
    alpha_open_with(&alone, (struct harness_vulkan_params){.layers = "none", .device_next = &features11});
    blending_image_create(
        &alone.vk, &image,
        &(struct blending_image_params){.format = ALPHA_FORMAT, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .layers = 2},
        texels);
    struct blending_pass_params params = alpha_pass(style, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
    params.view_mask = views;
    params.image_layers = 2;
    blending_pass_create(&alone.vk, &clear, &params);
    VkCommandBuffer commands = harness_begin(&alone.vk);
    blending_pass_begin(&clear, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(&clear, commands);
    harness_submit(&alone.vk, commands);
    harness_image_read(&alone.vk, &image, VK_IMAGE_LAYOUT_GENERAL, 0, 1, found);
    const bool other = found[0][0] == 51;
    alpha_detach(&alone, &image, &clear);
    alpha_close(&alone);
    return other;
}

/* A pass over a view of two layers: `views` of multiview, or the first layer. Returns how often alpha was filled. */
static uint64_t clear_and_load(struct alpha_scene *scene, enum blending_style style, uint32_t views)
{
    static uint8_t texels[2][ALPHA_PIXELS][4];
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0.0f}};
    struct harness_image image;
    struct blending_pass clear, load;
    alpha_pixels found;
    alpha_noise(texels[0], false);
    alpha_noise(texels[1], false);
    blending_image_create(
        &scene->vk, &image,
        &(struct blending_image_params){
            .format = ALPHA_FORMAT, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .layers = 2, .base_format = GL_RGB_BASE},
        texels);
    struct blending_pass_params params = alpha_pass(style, image.view, VK_ATTACHMENT_LOAD_OP_CLEAR);
    params.view_mask = views;
    params.image_layers = 2;
    blending_pass_create(&scene->vk, &clear, &params);
    params.load = VK_ATTACHMENT_LOAD_OP_LOAD;
    blending_pass_create(&scene->vk, &load, &params);
    const uint64_t before = harness_counters(&scene->vk).alpha_fills;
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&clear, commands, &color, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(&clear, commands);
    blending_pass_begin(&load, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    blending_pass_end(&load, commands);
    harness_submit(&scene->vk, commands);
    const uint64_t fills = harness_counters(&scene->vk).alpha_fills - before;
    for (uint32_t layer = 0; layer < 2; layer++) {
        harness_image_read(&scene->vk, &image, VK_IMAGE_LAYOUT_GENERAL, 0, layer, found);
        alpha_expect_alpha(found, 255);
        if (views == 3 || layer == 0)
            assert_int_equal(found[0][0], 51);
        else if (found[0][0] == 51 && driver_clears_other_layers(style, views))
            print_message("the driver alone clears the second layer\n");
        else
            alpha_expect_colors(found, texels[1]);
    }
    blending_pass_destroy(&scene->vk, &clear);
    alpha_detach(scene, &image, &load);
    return fills;
}

/* A clear of some layers leaves the others to be filled, and one of all leaves nothing. */
static void clears_of_some_layers_leave_one_in_the_others(void **state)
{
    (void)state;
    struct alpha_scene scene;
    alpha_open(&scene);
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        assert_int_equal(clear_and_load(&scene, style, 0), 1);
        if (style == BLENDING_IMAGELESS)
            continue;
        assert_int_equal(clear_and_load(&scene, style, 1), 1);
        assert_int_equal(clear_and_load(&scene, style, 3), 0);
    }
    alpha_close(&scene);
}

/* ---- Threads ---- */

enum { THREADS = 4, RECORDINGS = 8 };

struct recorder {
    struct memory_scene *f;
    VkPipeline pipeline;
    VkCommandPool pool;
    VkCommandBuffer commands[RECORDINGS];
    pthread_t thread;
};

/* An upload, a pass that fills and draws, and one that finds it clean unless another thread has come between. */
static void *record_all(void *user)
{
    struct recorder *r = user;
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = r->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = RECORDINGS};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    HARNESS_VK(vkAllocateCommandBuffers(r->f->base.vk.device, &info, r->commands));
    for (unsigned i = 0; i < RECORDINGS; i++) {
        HARNESS_VK(vkBeginCommandBuffer(r->commands[i], &begin));
        add_upload(r->f, r->commands[i]);
        for (unsigned pass = 0; pass < 2; pass++) {
            blending_pass_begin(&r->f->load, r->commands[i], NULL, VK_SUBPASS_CONTENTS_INLINE);
            vkCmdBindPipeline(r->commands[i], VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipeline);
            vkCmdDraw(r->commands[i], 3, 1, 0, 0);
            blending_pass_end(&r->f->load, r->commands[i]);
        }
        HARNESS_VK(vkEndCommandBuffer(r->commands[i]));
    }
    return NULL;
}

static void threads_that_record_passes_on_one_target_all_find_one(void **state)
{
    (void)state;
    static struct memory_scene f;
    struct recorder recorders[THREADS];
    alpha_pixels expected, found;
    memory_open(&f);
    VkPipeline pipeline = alpha_pipeline(&f.base, &f.load, &alpha_reads_alpha);
    for (unsigned t = 0; t < THREADS; t++) {
        const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = f.base.vk.family};
        recorders[t] = (struct recorder){.f = &f, .pipeline = pipeline};
        HARNESS_VK(vkCreateCommandPool(f.base.vk.device, &info, NULL, &recorders[t].pool));
    }
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&recorders[t].thread, NULL, record_all, &recorders[t]), 0);
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(recorders[t].thread, NULL), 0);
    alpha_native(&f.base, &alpha_reads_alpha, expected);
    for (unsigned i = 0; i < THREADS * RECORDINGS; i++) {
        submit(&f, 1, &recorders[i % THREADS].commands[i / THREADS]);
        blending_image_read(&f.base.vk, &f.image, found);
        alpha_expect_colors(found, expected); /* source x 1, twice */
        alpha_expect_alpha(found, 255);
    }
    for (unsigned t = 0; t < THREADS; t++)
        vkDestroyCommandPool(f.base.vk.device, recorders[t].pool, NULL);
    vkDestroyPipeline(f.base.vk.device, pipeline, NULL);
    memory_close(&f);
}

/* ---- Colours and odd alpha ---- */

/* Every value of a channel, in formats that are filled by blending or by a mask. */
static void fills_leave_every_colour(void **state)
{
    (void)state;
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_SNORM};
    struct alpha_scene scene;
    alpha_pixels texels, found;
    alpha_open(&scene);
    for (unsigned i = 0; i < ALPHA_PIXELS; i++) {
        texels[i][0] = (uint8_t)i;
        texels[i][1] = (uint8_t)(i + 85);
        texels[i][2] = (uint8_t)(i + 170);
        texels[i][3] = (uint8_t)(i * 7);
    }
    for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        struct harness_image image;
        struct blending_pass pass;
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(scene.vk.physical, formats[f], &properties);
        if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT))
            continue;
        blending_image_create(
            &scene.vk, &image,
            &(struct blending_image_params){
                .format = formats[f], .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
            texels);
        struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
        params.formats[0] = formats[f];
        blending_pass_create(&scene.vk, &pass, &params);
        VkCommandBuffer commands = harness_begin(&scene.vk);
        blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
        blending_pass_end(&pass, commands);
        harness_submit(&scene.vk, commands);
        blending_image_read(&scene.vk, &image, found);
        alpha_expect_colors(found, texels);
        alpha_expect_alpha(found, formats[f] == VK_FORMAT_R8G8B8A8_SNORM ? 127 : 255);
        alpha_detach(&scene, &image, &pass);
    }
    alpha_close(&scene);
}

/* Alpha that is no number, infinite or beyond the format is blended away as any other is. */
static void draw_odd_alpha(struct alpha_scene *scene, VkFormat format, uint32_t bytes, float alpha)
{
    const float color[4] = {1.0f, 0.0f, 1.0f, alpha};
    uint8_t zeros[ALPHA_PIXELS * 8] = {0}, found[ALPHA_PIXELS * 8];
    struct harness_image image;
    struct blending_pass pass;
    blending_image_create(&scene->vk, &image,
                          &(struct blending_image_params){
                              .format = format, .width = ALPHA_SIZE, .height = ALPHA_SIZE, .base_format = GL_RGB_BASE},
                          zeros);
    struct blending_pass_params params = alpha_pass(BLENDING_PASS, image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    params.formats[0] = format;
    blending_pass_create(&scene->vk, &pass, &params);
    VkPipelineLayout layout = harness_pipeline_layout(&scene->vk, NULL, 0, sizeof(color));
    VkPipeline pipeline = blending_pipeline(
        &scene->vk, &pass,
        &(struct blending_pipeline_params){
            .fragment = HARNESS_SPIRV(integration_alpha_pushed), .layout = layout, .states = {alpha_replaces}});
    VkCommandBuffer commands = harness_begin(&scene->vk);
    blending_pass_begin(&pass, commands, NULL, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, sizeof(color), color);
    vkCmdDraw(commands, 3, 1, 0, 0);
    blending_pass_end(&pass, commands);
    harness_submit(&scene->vk, commands);
    blending_image_read(&scene->vk, &image, found);
    for (uint32_t i = 0; i < ALPHA_PIXELS; i++) {
        static const uint8_t eight[4] = {255, 0, 255, 255};
        static const uint16_t sixteen[4] = {65535, 0, 65535, 65535};
        static const uint32_t ten = 1023u | 1023u << 20 | 3u << 30;
        const bool packed = format == VK_FORMAT_A2B10G10R10_UNORM_PACK32;
        assert_memory_equal(found + (size_t)i * bytes,
                            packed       ? (const void *)&ten
                            : bytes == 8 ? (const void *)sixteen
                                         : (const void *)eight,
                            bytes);
    }
    vkDestroyPipeline(scene->vk.device, pipeline, NULL);
    vkDestroyPipelineLayout(scene->vk.device, layout, NULL);
    alpha_detach(scene, &image, &pass);
}

static void odd_source_alpha_leaves_one(void **state)
{
    (void)state;
    static const struct {
        VkFormat format;
        uint32_t bytes;
    } formats[] = {{VK_FORMAT_R8G8B8A8_UNORM, 4},
                   {VK_FORMAT_B8G8R8A8_UNORM, 4},
                   {VK_FORMAT_R8G8B8A8_SRGB, 4},
                   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4},
                   {VK_FORMAT_R16G16B16A16_UNORM, 8}};
    static const float alphas[] = {NAN, INFINITY, -INFINITY, -7.0f, 1e30f, 0.5f};
    struct alpha_scene scene;
    alpha_open(&scene);
    for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(scene.vk.physical, formats[f].format, &properties);
        if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT))
            continue;
        for (unsigned a = 0; a < sizeof(alphas) / sizeof(alphas[0]); a++)
            draw_odd_alpha(&scene, formats[f].format, formats[f].bytes, alphas[a]);
    }
    alpha_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_and_dropped_has_filled_nothing),
        cmocka_unit_test(passes_recorded_before_the_upload_find_one),
        cmocka_unit_test(uploads_that_are_submitted_again_are_filled_again),
        cmocka_unit_test(uploads_of_secondary_command_buffers_are_filled),
        cmocka_unit_test(one_recording_fills_a_view_once_and_after_each_upload),
        cmocka_unit_test(clears_of_an_area_leave_one_around_it),
        cmocka_unit_test(clears_of_some_layers_leave_one_in_the_others),
        cmocka_unit_test(threads_that_record_passes_on_one_target_all_find_one),
        cmocka_unit_test(fills_leave_every_colour),
        cmocka_unit_test(odd_source_alpha_leaves_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
