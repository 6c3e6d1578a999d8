/* SPDX-License-Identifier: MIT */
/*
 * Attachments without alpha where Vulkan sets no number: render passes with more attachments and more resolves than any
 * fixed array would hold, areas of a device group in the place of the common one, and views whose texels are the blocks
 * of a compressed image, of every block's size, on every level.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/drawing/passes.h"
#include "integration/attachments/alpha_scene.h"
#include "integration_blend_many.h"

enum { MANY = 73, OF_A_SUBPASS = 8, SUBPASSES = (MANY + OF_A_SUBPASS - 1) / OF_A_SUBPASS, RESOLVES = 12 };

/* ---- Passes of many attachments ---- */

/* What an attachment is, by its number: the last one is loaded, and drawn to. */
static bool is_one(uint32_t i)
{
    return i % 3 != 1;
}

static VkAttachmentLoadOp load_of(uint32_t i)
{
    return i == MANY - 1 || i % 4 == 3 ? VK_ATTACHMENT_LOAD_OP_LOAD
           : i % 4 == 2                ? VK_ATTACHMENT_LOAD_OP_DONT_CARE
                                       : VK_ATTACHMENT_LOAD_OP_CLEAR;
}

static VkRenderPass many_pass(struct alpha_scene *scene)
{
    VkAttachmentDescription attachments[MANY];
    VkAttachmentReference references[MANY];
    VkSubpassDescription subpasses[SUBPASSES] = {0};
    VkRenderPass pass;
    for (uint32_t i = 0; i < MANY; i++) {
        attachments[i] = harness_attachment(ALPHA_FORMAT, load_of(i));
        references[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
        subpasses[i / OF_A_SUBPASS].colorAttachmentCount++;
        subpasses[i / OF_A_SUBPASS].pColorAttachments = &references[i / OF_A_SUBPASS * OF_A_SUBPASS];
    }
    pass = harness_pass(&scene->vk, attachments, MANY, subpasses, SUBPASSES);
    return pass;
}

static VkFramebuffer many_framebuffer(struct alpha_scene *scene, VkRenderPass pass, const VkImageView *views,
                                      uint32_t count, bool imageless)
{
    static const VkFormat formats[] = {ALPHA_FORMAT};
    VkFramebufferAttachmentImageInfo *images = harness_alloc(count, sizeof(*images));
    for (uint32_t i = 0; i < count; i++)
        images[i] = (VkFramebufferAttachmentImageInfo){
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                     VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
            .width = ALPHA_SIZE,
            .height = ALPHA_SIZE,
            .layerCount = 1,
            .viewFormatCount = 1,
            .pViewFormats = formats};
    const VkFramebufferAttachmentsCreateInfo attachments = {.sType =
                                                                VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
                                                            .attachmentImageInfoCount = count,
                                                            .pAttachmentImageInfos = images};
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .pNext = imageless ? &attachments : NULL,
                                          .flags = imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0u,
                                          .renderPass = pass,
                                          .attachmentCount = count,
                                          .pAttachments = imageless ? NULL : views,
                                          .width = ALPHA_SIZE,
                                          .height = ALPHA_SIZE,
                                          .layers = 1};
    VkFramebuffer framebuffer;
    HARNESS_VK(vkCreateFramebuffer(scene->vk.device, &info, NULL, &framebuffer));
    free(images);
    return framebuffer;
}

struct many {
    struct harness_image images[MANY];
    VkImageView views[MANY];
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkPipeline pipeline;
};

/* The last subpass draws, by itself or in a secondary command buffer that inherits the framebuffer. */
static void draw_last(struct alpha_scene *scene, const struct many *many, VkCommandBuffer commands, bool secondary)
{
    VkCommandBuffer inner = commands;
    const VkCommandBufferInheritanceInfo inherited = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .renderPass = many->pass,
                                                      .subpass = SUBPASSES - 1,
                                                      .framebuffer = many->framebuffer};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                            .pInheritanceInfo = &inherited};
    if (secondary) {
        harness_commands(&scene->vk, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &inner);
        HARNESS_VK(vkBeginCommandBuffer(inner, &begin));
    }
    vkCmdBindPipeline(inner, VK_PIPELINE_BIND_POINT_GRAPHICS, many->pipeline);
    vkCmdDraw(inner, 3, 1, 0, 0);
    if (secondary) {
        HARNESS_VK(vkEndCommandBuffer(inner));
        vkCmdExecuteCommands(commands, 1, &inner);
    }
}

static void record_many(struct alpha_scene *scene, const struct many *many, bool imageless, bool secondary)
{
    static VkClearValue clears[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        clears[i].color = (VkClearColorValue){.float32 = {(float)i / 255, (float)(i + 100) / 255, 0.2f, 0}};
    const VkRenderPassAttachmentBeginInfo given = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
                                                   .attachmentCount = MANY,
                                                   .pAttachments = many->views};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .pNext = imageless ? &given : NULL,
                                         .renderPass = many->pass,
                                         .framebuffer = many->framebuffer,
                                         .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                                         .clearValueCount = MANY,
                                         .pClearValues = clears};
    VkCommandBuffer commands = harness_begin(&scene->vk);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 1; i < SUBPASSES; i++)
        vkCmdNextSubpass(commands, i == SUBPASSES - 1 && secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                                                   : VK_SUBPASS_CONTENTS_INLINE);
    draw_last(scene, many, commands, secondary);
    vkCmdEndRenderPass(commands);
    harness_submit(&scene->vk, commands);
}

static void expect_attachment(struct alpha_scene *scene, const struct many *many, uint32_t i)
{
    alpha_pixels found, expected;
    alpha_noise(expected, false);
    blending_image_read(&scene->vk, &many->images[i], found);
    for (uint32_t p = 0; load_of(i) == VK_ATTACHMENT_LOAD_OP_CLEAR && p < ALPHA_PIXELS; p++) {
        const uint8_t cleared[4] = {(uint8_t)i, (uint8_t)(i + 100), 51, 0};
        memcpy(expected[p], cleared, sizeof(cleared));
    }
    if (load_of(i) != VK_ATTACHMENT_LOAD_OP_DONT_CARE)
        alpha_expect_colors(found, expected);
    if (is_one(i))
        alpha_expect_alpha(found, 255);
    else if (load_of(i) != VK_ATTACHMENT_LOAD_OP_DONT_CARE)
        assert_memory_equal(found, expected, sizeof(found));
}

static void attachments_beyond_all_numbers_are_as_the_first(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct many many;
    alpha_pixels native, found;
    alpha_open(&scene);
    alpha_native(&scene, &alpha_reads_alpha, native);
    for (uint32_t round = 0; round < 3; round++) {
        const bool imageless = round == 1, secondary = round == 2;
        for (uint32_t i = 0; i < MANY; i++) {
            alpha_target(&scene, &many.images[i], is_one(i) ? GL_RGB_BASE : GL_RGBA_BASE, false);
            many.views[i] = many.images[i].view;
        }
        many.pass = many_pass(&scene);
        many.framebuffer = many_framebuffer(&scene, many.pass, many.views, MANY, imageless);
        const struct blending_pass pass = {
            .params = {.count = 1, .formats = {ALPHA_FORMAT}, .width = ALPHA_SIZE, .height = ALPHA_SIZE},
            .pass = many.pass};
        many.pipeline =
            blending_pipeline(&scene.vk, &pass,
                              &(struct blending_pipeline_params){.fragment = HARNESS_SPIRV(integration_blend_many),
                                                                 .layout = scene.layout,
                                                                 .states = {alpha_reads_alpha},
                                                                 .subpass = SUBPASSES - 1});
        record_many(&scene, &many, imageless, secondary);
        for (uint32_t i = 0; i < MANY - 1; i++)
            expect_attachment(&scene, &many, i);
        blending_image_read(&scene.vk, &many.images[MANY - 1], found);
        alpha_expect_colors(found, native);
        alpha_expect_alpha(found, 255);
        assert_true(harness_counters(&scene.vk).alpha_fills >= MANY / 6);
        vkDestroyPipeline(scene.vk.device, many.pipeline, NULL);
        vkDestroyFramebuffer(scene.vk.device, many.framebuffer, NULL);
        vkDestroyRenderPass(scene.vk.device, many.pass, NULL);
        for (uint32_t i = 0; i < MANY; i++)
            harness_image_destroy(&scene.vk, &many.images[i]);
    }
    alpha_close(&scene);
}

/* ---- Resolves ---- */

static void multisampled_create(struct alpha_scene *scene, struct harness_image *image)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = ALPHA_FORMAT,
                                    .extent = {ALPHA_SIZE, ALPHA_SIZE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_4_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    VkMemoryRequirements needs;
    *image = (struct harness_image){.params = {.type = VK_IMAGE_VIEW_TYPE_2D, .format = ALPHA_FORMAT}};
    HARNESS_VK(vkCreateImage(scene->vk.device, &info, NULL, &image->image));
    vkGetImageMemoryRequirements(scene->vk.device, image->image, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    HARNESS_VK(vkAllocateMemory(scene->vk.device, &memory, NULL, &image->memory));
    HARNESS_VK(vkBindImageMemory(scene->vk.device, image->image, image->memory, 0));
    image->view = blending_view(&scene->vk, image, GL_RGBA_BASE);
}

/* Attachments with alpha 0, then their targets; the first subpass has the first eight, the second the rest. */
static VkRenderPass resolving_pass(struct alpha_scene *scene)
{
    VkAttachmentDescription attachments[2 * RESOLVES];
    VkAttachmentReference from[RESOLVES], to[RESOLVES];
    VkRenderPass pass;
    for (uint32_t i = 0; i < 2 * RESOLVES; i++)
        attachments[i] = (VkAttachmentDescription){
            .format = ALPHA_FORMAT,
            .samples = i < RESOLVES ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
            .loadOp = i < RESOLVES ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
            .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
            .initialLayout = i < RESOLVES ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
            .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    for (uint32_t i = 0; i < RESOLVES; i++) {
        from[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
        to[i] = (VkAttachmentReference){RESOLVES + i, VK_IMAGE_LAYOUT_GENERAL};
    }
    const VkSubpassDescription subpasses[2] = {
        {.colorAttachmentCount = OF_A_SUBPASS, .pColorAttachments = from, .pResolveAttachments = to},
        {.colorAttachmentCount = RESOLVES - OF_A_SUBPASS,
         .pColorAttachments = from + OF_A_SUBPASS,
         .pResolveAttachments = to + OF_A_SUBPASS}};
    pass = harness_pass(&scene->vk, attachments, 2 * RESOLVES, subpasses, 2);
    return pass;
}

static void every_resolve_of_a_pass_writes_one(void **state)
{
    (void)state;
    struct alpha_scene scene;
    struct harness_image images[2 * RESOLVES];
    VkImageView views[2 * RESOLVES];
    VkClearValue clears[RESOLVES];
    alpha_pixels found;
    alpha_open(&scene);
    for (uint32_t i = 0; i < RESOLVES; i++) {
        multisampled_create(&scene, &images[i]);
        alpha_target(&scene, &images[RESOLVES + i], GL_RGB_BASE, false);
        views[i] = images[i].view;
        views[RESOLVES + i] = images[RESOLVES + i].view;
        clears[i].color = (VkClearColorValue){.float32 = {(float)i / 255, 0.4f, 0.6f, 0}};
    }
    const VkRenderPass pass = resolving_pass(&scene);
    const VkFramebuffer framebuffer = many_framebuffer(&scene, pass, views, 2 * RESOLVES, false);
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                                         .clearValueCount = RESOLVES,
                                         .pClearValues = clears};
    VkCommandBuffer commands = harness_begin(&scene.vk);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(commands);
    harness_submit(&scene.vk, commands);
    assert_int_equal(harness_counters(&scene.vk).alpha_fills, RESOLVES);
    for (uint32_t i = 0; i < RESOLVES; i++) {
        blending_image_read(&scene.vk, &images[RESOLVES + i], found);
        alpha_expect_alpha(found, 255);
        assert_int_equal(found[0][0], i);
        assert_int_equal(found[ALPHA_PIXELS - 1][2], 153);
    }
    vkDestroyFramebuffer(scene.vk.device, framebuffer, NULL);
    vkDestroyRenderPass(scene.vk.device, pass, NULL);
    for (uint32_t i = 0; i < 2 * RESOLVES; i++)
        harness_image_destroy(&scene.vk, &images[i]);
    alpha_close(&scene);
}

/* ---- Areas of a device group ---- */

/* They take the place of the common area: what is outside of them is not cleared, and keeps its alpha unless filled. */
static void areas_of_devices_are_those_that_are_cleared(void **state)
{
    (void)state;
    static const VkClearColorValue color = {.float32 = {0.2f, 0.4f, 0.6f, 0}};
    for (enum blending_style style = BLENDING_PASS; style < BLENDING_STYLES; style++) {
        for (uint32_t part = 0; part < 2; part++) {
            struct alpha_scene scene;
            struct harness_image image;
            struct blending_pass pass;
            alpha_pixels found;
            if (style == BLENDING_PASS2 || style == BLENDING_IMAGELESS)
                continue;
            alpha_open(&scene);
            alpha_attach(&scene, &image, &pass, style, GL_RGB_BASE, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
            const VkRect2D area = {{0, 0}, {part ? ALPHA_SIZE / 2 : ALPHA_SIZE, ALPHA_SIZE}};
            const VkDeviceGroupRenderPassBeginInfo group = {.sType =
                                                                VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
                                                            .deviceMask = 1,
                                                            .deviceRenderAreaCount = 1,
                                                            .pDeviceRenderAreas = &area};
            const VkClearValue clear = {.color = color};
            const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                                 .pNext = &group,
                                                 .renderPass = pass.pass,
                                                 .framebuffer = pass.framebuffer,
                                                 .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                                                 .clearValueCount = 1,
                                                 .pClearValues = &clear};
            const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                          .imageView = image.view,
                                                          .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                          .clearValue = clear};
            const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                               .pNext = &group,
                                               .renderArea = {{0, 0}, {ALPHA_SIZE, ALPHA_SIZE}},
                                               .layerCount = 1,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachments = &attachment};
            VkCommandBuffer commands = harness_begin(&scene.vk);
            if (style == BLENDING_DYNAMIC) {
                vkCmdBeginRendering(commands, &rendering);
                vkCmdEndRendering(commands);
            } else {
                vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
                vkCmdEndRenderPass(commands);
            }
            harness_submit(&scene.vk, commands);
            blending_image_read(&scene.vk, &image, found);
            alpha_expect_alpha(found, 255);
            assert_int_equal(found[0][1], 102);
            assert_int_equal(harness_counters(&scene.vk).alpha_fills, part);
            alpha_detach(&scene, &image, &pass);
            alpha_close(&scene);
        }
    }
}

/* ---- Views whose texels are blocks ---- */

enum { BLOCKS_WIDTH = 61, BLOCKS_HEIGHT = 37, BLOCKS_LEVELS = 6, BLOCKS_BYTES = 1 << 16 };

struct blocks {
    VkFormat format, view;
    uint32_t bytes;   /* of a block */
    VkExtent2D block; /* texels */
};

static uint32_t level_of(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* The number of blocks of a level, and where it begins among all of them. */
static VkExtent2D blocks_of(const struct blocks *blocks, uint32_t level)
{
    const VkExtent2D block = blocks->block;
    return (VkExtent2D){(level_of(BLOCKS_WIDTH, level) + block.width - 1) / block.width,
                        (level_of(BLOCKS_HEIGHT, level) + block.height - 1) / block.height};
}

static size_t level_at(const struct blocks *blocks, uint32_t level)
{
    size_t at = 0;
    for (uint32_t i = 0; i < level; i++)
        at += (size_t)blocks_of(blocks, i).width * blocks_of(blocks, i).height * blocks->bytes;
    return at;
}

static void copy_blocks(const struct blocks *blocks, VkCommandBuffer commands, VkImage image, VkBuffer buffer,
                        bool into_image)
{
    const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = all, .dstAccessMask = all};
    VkBufferImageCopy regions[BLOCKS_LEVELS];
    for (uint32_t i = 0; i < BLOCKS_LEVELS; i++)
        regions[i] = (VkBufferImageCopy){.bufferOffset = level_at(blocks, i),
                                         .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, i, 0, 1},
                                         .imageExtent = {level_of(BLOCKS_WIDTH, i), level_of(BLOCKS_HEIGHT, i), 1}};
    if (into_image)
        vkCmdCopyBufferToImage(commands, buffer, image, VK_IMAGE_LAYOUT_GENERAL, BLOCKS_LEVELS, regions);
    else
        vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, BLOCKS_LEVELS, regions);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}

/* An image at the beginning of a larger piece of memory that the host sees, where the driver has such for it. */
struct blocks_image {
    VkImage image;
    VkDeviceMemory memory;
    VkDeviceSize size; /* of the image */
    uint8_t *mapped;   /* NULL: the host sees nothing */
};

static bool blocks_create(struct alpha_scene *scene, const struct blocks *blocks, struct blocks_image *made)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT |
                                             VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = blocks->format,
                                    .extent = {BLOCKS_WIDTH, BLOCKS_HEIGHT, 1},
                                    .mipLevels = BLOCKS_LEVELS,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageFormatProperties properties;
    VkMemoryRequirements needs;
    if (vkGetPhysicalDeviceImageFormatProperties(scene->vk.physical, info.format, info.imageType, info.tiling,
                                                 info.usage, info.flags, &properties) != VK_SUCCESS)
        return false;
    HARNESS_VK(vkCreateImage(scene->vk.device, &info, NULL, &made->image));
    vkGetImageMemoryRequirements(scene->vk.device, made->image, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size + BLOCKS_BYTES,
                                         .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    const VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    HARNESS_VK(vkAllocateMemory(scene->vk.device, &memory, NULL, &made->memory));
    HARNESS_VK(vkBindImageMemory(scene->vk.device, made->image, made->memory, 0));
    made->size = needs.size;
    made->mapped = NULL;
    if ((scene->vk.memory.memoryTypes[memory.memoryTypeIndex].propertyFlags & seen) == seen) {
        HARNESS_VK(vkMapMemory(scene->vk.device, made->memory, 0, VK_WHOLE_SIZE, 0, (void **)&made->mapped));
        memset(made->mapped + needs.size, 0x55, BLOCKS_BYTES);
    }
    return true;
}

/* Loads a level through a view without alpha, which is filled for it. */
static void load_level(struct alpha_scene *scene, const struct blocks *blocks, VkImage image, uint32_t level,
                       VkImageView *view, VkCommandBuffer commands)
{
    const VkImageViewGLStateCreateInfoCLAMPLER gl = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_GL_STATE_CREATE_INFO_CLAMPLER, .baseFormat = GL_RGB_BASE};
    const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                              .pNext = &gl,
                                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .pNext = &usage,
                                        .image = image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = blocks->view,
                                        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
    HARNESS_VK(vkCreateImageView(scene->vk.device, &info, NULL, view));
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = *view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                       .renderArea = {{0, 0}, blocks_of(blocks, level)},
                                       .layerCount = 1,
                                       .colorAttachmentCount = 1,
                                       .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdEndRendering(commands);
}

/* Alpha is the last quarter of a block: 1 in the level that was filled, and nothing else has changed. */
static void expect_blocks(const struct blocks *blocks, const uint8_t *before, const uint8_t *after, uint32_t filled)
{
    const uint32_t colors = blocks->bytes / 4 * 3;
    for (uint32_t level = 0; level < BLOCKS_LEVELS; level++) {
        for (size_t at = level_at(blocks, level); at < level_at(blocks, level + 1); at += blocks->bytes) {
            assert_memory_equal(before + at, after + at, level == filled ? colors : blocks->bytes);
            for (uint32_t i = colors; level == filled && i < blocks->bytes; i++)
                assert_int_equal(after[at + i], i == colors);
        }
    }
}

/* llvmpipe moves rows of what is drawn to by 16 bytes at a time, and ends in SIGSEGV where their stride is another. */
static bool is_drawn_to(const struct blocks *blocks, uint32_t level)
{
    return blocks_of(blocks, level).width * blocks->bytes % 16 == 0;
}

/* False: the driver has no such image. */
static bool fill_blocks(struct alpha_scene *scene, const struct blocks *blocks)
{
    struct harness_buffer before, after;
    struct blocks_image image;
    if (!blocks_create(scene, blocks, &image))
        return false;
    const size_t bytes = level_at(blocks, BLOCKS_LEVELS);
    uint8_t *noise = harness_alloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        noise[i] = (uint8_t)(i * 37 + i / 251 + 2);
    harness_buffer_create(&scene->vk, &before, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, bytes, noise);
    harness_buffer_create(&scene->vk, &after, VK_BUFFER_USAGE_TRANSFER_DST_BIT, bytes, NULL);
    for (uint32_t level = 0; level < BLOCKS_LEVELS; level++) {
        if (!is_drawn_to(blocks, level))
            continue;
        const VkImageMemoryBarrier to_general = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = image.image,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
        VkImageView view;
        const uint64_t fills = harness_counters(&scene->vk).alpha_fills;
        VkCommandBuffer commands = harness_begin(&scene->vk);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0,
                             NULL, 0, NULL, 1, &to_general);
        copy_blocks(blocks, commands, image.image, before.buffer, true);
        load_level(scene, blocks, image.image, level, &view, commands);
        copy_blocks(blocks, commands, image.image, after.buffer, false);
        harness_submit(&scene->vk, commands);
        assert_int_equal(harness_counters(&scene->vk).alpha_fills, fills + 1);
        expect_blocks(blocks, noise, after.map, level);
        for (uint32_t i = 0; image.mapped && i < BLOCKS_BYTES; i++)
            assert_int_equal(image.mapped[image.size + i], 0x55);
        vkDestroyImageView(scene->vk.device, view, NULL);
    }
    harness_buffer_destroy(&scene->vk, &before);
    harness_buffer_destroy(&scene->vk, &after);
    free(noise);
    vkDestroyImage(scene->vk.device, image.image, NULL);
    vkFreeMemory(scene->vk.device, image.memory, NULL);
    return true;
}

static void views_of_blocks_are_filled_and_nothing_behind_them(void **state)
{
    (void)state;
    static const struct blocks all[] = {
        {VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {4, 4}},
        {VK_FORMAT_BC7_SRGB_BLOCK, VK_FORMAT_R32G32B32A32_SINT, 16, {4, 4}},
        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_UINT, 8, {4, 4}},
        {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_SINT, 8, {4, 4}},
        {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_R16G16B16A16_UINT, 8, {4, 4}},
        {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {4, 4}},
        {VK_FORMAT_ASTC_4x4_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {4, 4}},
        {VK_FORMAT_ASTC_5x4_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {5, 4}},
        {VK_FORMAT_ASTC_5x5_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {5, 5}},
        {VK_FORMAT_ASTC_6x5_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {6, 5}},
        {VK_FORMAT_ASTC_6x6_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {6, 6}},
        {VK_FORMAT_ASTC_8x5_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {8, 5}},
        {VK_FORMAT_ASTC_8x6_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {8, 6}},
        {VK_FORMAT_ASTC_8x8_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {8, 8}},
        {VK_FORMAT_ASTC_10x5_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {10, 5}},
        {VK_FORMAT_ASTC_10x6_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {10, 6}},
        {VK_FORMAT_ASTC_10x8_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {10, 8}},
        {VK_FORMAT_ASTC_10x10_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {10, 10}},
        {VK_FORMAT_ASTC_12x10_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {12, 10}},
        {VK_FORMAT_ASTC_12x12_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, {12, 12}},
    };
    struct alpha_scene scene;
    uint32_t filled = 0;
    alpha_open(&scene);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const bool known = fill_blocks(&scene, &all[i]);
        filled += known;
        if (!known)
            print_message("the driver has no such images of VkFormat %d\n", (int)all[i].format);
    }
    alpha_close(&scene);
    if (!filled)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attachments_beyond_all_numbers_are_as_the_first),
        cmocka_unit_test(every_resolve_of_a_pass_writes_one),
        cmocka_unit_test(areas_of_devices_are_those_that_are_cleared),
        cmocka_unit_test(views_of_blocks_are_filled_and_nothing_behind_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
