/*
 * Alpha in memory of attachments without alpha, whatever of what was recorded is executed, in which order and how
 * often: uploads bring another alpha, the next pass that loads must find 1.
 */
#include "integration/alpha_scene.h"

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
    alpha_target(&f->base, &f->image, GL_RGB_BASE, true);
    harness_buffer_create(&f->base.vk, &f->noise, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, sizeof(texels), texels);
    const struct blending_pass_params params = alpha_pass(BLENDING_PASS, f->image.view, VK_ATTACHMENT_LOAD_OP_LOAD);
    blending_pass_create(&f->base.vk, &f->load, &params);
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
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = f->base.vk.pool,
                                              .level = level,
                                              .commandBufferCount = 1};
    const VkCommandBufferInheritanceInfo inherits = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inherits};
    HARNESS_VK(vkAllocateCommandBuffers(f->base.vk.device, &info, &commands));
    HARNESS_VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

static void add_barrier(VkCommandBuffer commands)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_and_dropped_has_filled_nothing),
        cmocka_unit_test(passes_recorded_before_the_upload_find_one),
        cmocka_unit_test(uploads_that_are_submitted_again_are_filled_again),
        cmocka_unit_test(uploads_of_secondary_command_buffers_are_filled),
        cmocka_unit_test(one_recording_fills_a_view_once_and_after_each_upload),
        cmocka_unit_test(clears_of_an_area_leave_one_around_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
